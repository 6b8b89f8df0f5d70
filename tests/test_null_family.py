"""A new family is one folder and one line: shown with a family that finds nothing and still has every verb."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "families"

# What stands for the folder and for the line.
WITH_NOTHING = f"""
import tablero.puzzles
from tablero.families import FAMILIES, Family
tablero.__path__.append({str(FOLDER)!r})
FAMILIES.append(Family("nothing", "nothing", "Steps that lead nowhere."))
"""


def python(code: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a program prints that has the family."""
    monkeypatch.setenv("TABLERO_HOME", str(place))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(place / "cache"))
    program = WITH_NOTHING + textwrap.dedent(code)
    done = subprocess.run([sys.executable, "-c", program], cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_library_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = python(
        """
        import sys
        import tablero as tb
        assert "nothing" in dir(tb)
        from tablero.nothing import Nothing
        assert "numba" not in sys.modules
        puzzle = tb.nothing.parse("1000")
        assert puzzle == Nothing(1000) == tb.nothing.parse(tb.nothing.write(puzzle))
        assert tb.nothing.generate(seed=3) == tb.nothing.generate(seed=3)
        found = puzzle.solve()
        assert (found.status, found.nodes, found.fraction) == ("none", 1001, 1.0)
        assert puzzle.first() is None and not puzzle.all() and puzzle.count() == 0
        assert "<svg" in puzzle._repr_svg_() and "<svg" in found._repr_svg_()
        part = puzzle.solve(run=tb.Job("half", node_limit=500))
        assert (part.status, part.nodes) == ("open", 500)
        whole = puzzle.solve(run=tb.Job("half", threads=2))
        assert (whole.status, whole.nodes) == ("none", 1001)
        print("done")
        """,
        tmp_path,
        monkeypatch,
    )
    assert printed == "done\n"


def test_the_command_line_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = python(
        """
        from tablero.cli import run
        from tablero.cli.warm import compile_in_turn
        from tablero.families import FAMILIES, by_word
        assert run(["nothing", "solve", "50", "--quiet", "--svg", "dots.svg"]) == 1
        assert run(["nothing", "count", "50", "--json"]) == 1
        assert run(["nothing", "solve", "5000", "--job", "j", "--node-limit", "77", "--quiet"]) == 3
        assert run(["jobs", "resume", "j", "--json"]) == 1
        assert run(["jobs", "export", "j", "-o", "j.json"]) == 0
        assert run(["nothing", "solve", "many"]) == 2
        FAMILIES[:] = [by_word("nothing")]
        assert list(compile_in_turn()) == ["nothing"]
        assert run(["tour", "--quiet"]) == 0
        """,
        tmp_path,
        monkeypatch,
    )
    counted, resumed, page = printed.splitlines()
    assert json.loads(counted)["solutions"] == 0
    assert json.loads(resumed)["nodes"] == 5001
    assert "lead nowhere" in (tmp_path / "dots.svg").read_text()
    exported = json.loads((tmp_path / "j.json").read_text())
    assert (exported["state"], exported["answers"], exported["problem"]) == ("finished", [], "5000\n")
    assert "Nothing" in (tmp_path / page).read_text()


def test_the_help_lists_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = python(
        """
        from tablero.cli import run
        assert run(["--help"]) == 0
        assert run(["nothing", "--help"]) == 0
        """,
        tmp_path,
        monkeypatch,
    )
    assert "Steps that lead nowhere." in printed
    for verb in ("solve", "count", "generate"):
        assert verb in printed
