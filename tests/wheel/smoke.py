"""A few answers of every family, and what a user meets first, from an installed tablero: run alone in an empty folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import tablero as tb


def ask(*words: str, status: int = 0) -> str:
    """What a command prints."""
    done = subprocess.run(["tablero", *words], capture_output=True, text=True, check=False)
    assert done.returncode == status, f"tablero {' '.join(words)}: status {done.returncode}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout if status == 0 else done.stderr


def main() -> None:
    home = Path(str(tb.__file__)).resolve()
    assert home.is_relative_to(Path(sys.prefix).resolve()), f"tablero is imported from {home}"
    assert ask("--version").strip() == f"tablero {tb.__version__}"

    # Answers that are known.
    assert tb.cover.generate("langford", 7).count().solutions == 2 * 26  # and its mirror image
    assert tb.queens.Queens(8).count().solutions == 92
    assert tb.decompose("K6", into="triangle").count().solutions == 0
    assert tb.decompose("K7", into="triangle").count().solutions == 30
    board = tb.edges.generate(4, colours=4, seed=1).solve().first
    assert board is not None
    assert len(tb.sliding.parse("8 6 7/2 5 4/3 0 1").solve(method="optimal").answers[0]) == 31
    assert "".join(map(str, tb.sudoku.generate(seed=1).solve().first or ())) != ""
    assert json.loads(ask("warehouse", "solve", "9", "--seed", "3", "--method", "exchange", "--json"))["moves"] == 372

    # What is written.
    ask("sudoku", "generate", "--count", "2", "--kind", "killer", "--pdf", "class.pdf", "--seed", "1", "--quiet")
    assert Path("class.pdf").read_bytes().startswith(b"%PDF-1.4")
    ask("cover", "make", "pentominoes", "3x20", "-o", "p.dlx")
    assert ask("cover", "count", "p.dlx", "--quiet", "--job", "smoke").strip() == "8"
    assert "smoke" in ask("jobs", "list")
    assert "<svg" in Path("tour/index.html").read_text(encoding="utf-8")

    # What is not installed is told with a command that installs it.
    if not _there("fastapi"):
        assert "[web]'" in ask("serve", status=2)
    assert "did you mean" in ask("sudoku", "generate", "--kind", "kiler", status=2)


def _there(package: str) -> bool:
    from importlib.util import find_spec

    return find_spec(package) is not None


if __name__ == "__main__":
    main()
