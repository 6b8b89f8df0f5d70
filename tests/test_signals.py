"""SIGINT and SIGTERM at any moment, to commands of all families: status 130, soon, without a traceback, and nothing is lost.

Run as a program, it prints what each command took to end: `python tests/test_signals.py [SEED]`.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SOON = 10.0  # seconds on a busy machine; on an idle one it is 1
LOADED = 0.3  # seconds: before, Python may hear Ctrl-C by itself
LATEST = 2.0

FILES = {
    "queens.dlx": "cover make queens 14",
    "langford.dlx": "cover make langford 16",
    "pieces.txt": "edges generate 12 --colours 9 --seed 1",
    "board.txt": "slide random 4 --seed 3",
    "many.sdm": "sudoku generate -n 4000 --seed 1",
}
COMMANDS = (
    "cover solve queens.dlx -n all --jsonl",
    "cover solve queens.dlx -n all --json",
    "cover count langford.dlx --kernel sparse --json --threads 2",
    "cover count langford.dlx --kernel bits --job pairs --json",
    "cover estimate langford.dlx --dives 1000000 --json",
    "cover sample langford.dlx --json",
    "decompose count K15 --into triangle --json",
    "decompose count K12 --into matching --job factors --json",
    "decompose classes K9 --into triangle --json",
    "edges solve pieces.txt --json",
    "edges count pieces.txt --job board --json",
    "edges optimise pieces.txt --time-limit 60s --json",
    "edges generate 60 --colours 12 -o large.txt",
    "slide solve board.txt --method optimal --json",
    "slide solve board.txt --method optimal --job moves --json",
    "slide solve board.txt --time-limit 60s --json",
    "slide worst 40 --json",
    "warehouse solve 49 --json",
    "sudoku generate -n 1000000 --json",
    "sudoku generate -n 2000 --rating 5-8 --json",
    "sudoku rate many.sdm --json",
    "sudoku rate many.sdm --threads 2 -o rated.csv",
    "sudoku solve many.sdm -o solved.csv --json",
    "queens count 18 --json",
    "queens count 18 --job eighteen --json",
    "queens solve 16 --method exact -n all --json",
    "queens anneal 200000 --json",
    "queens tune 2000 --json",
    "queens armies 9 --json",
    "doctor --warm --processes 1 --json",
    "tour",
)
# Short enough to be finished, and what is then counted.
RESUMED = {
    "cover count langford.dlx --kernel sparse --unit-nodes 100000 --json --job": ("cover make langford 11", 35584),
    "queens count 14 --json --job": ("", 365596),
    "decompose count K7 --into triangle --json --job": ("", 30),
}


class Ended(NamedTuple):
    """What a command did when it got a signal."""

    status: int
    took: float  # seconds from the signal on
    out: str
    err: str
    early: bool  # before the signal came


def in_(place: Path) -> dict[str, Any]:
    return {"cwd": place, "env": {**os.environ, "TABLERO_HOME": str(place / "home")}}


def tablero(words: str) -> list[str]:
    return [sys.executable, "-m", "tablero", *shlex.split(words)]


def make_files(place: Path) -> None:
    for name, words in FILES.items():
        made: Any = subprocess.run(tablero(words), check=True, stdout=subprocess.PIPE, **in_(place))
        (place / name).write_bytes(made.stdout)


def press(place: Path, words: str, number: int, after: float) -> Ended:
    running = subprocess.Popen(
        tablero(words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background inherit a deaf ear for Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        **in_(place),
    )
    try:
        out, err = running.communicate(timeout=after)
        return Ended(running.returncode, 0.0, out, err, early=True)
    except subprocess.TimeoutExpired:
        began = time.monotonic()
        running.send_signal(number)
        out, err = running.communicate(timeout=120)
        return Ended(running.returncode, time.monotonic() - began, out, err, early=False)


def fault(words: str, ended: Ended) -> str:
    """What is wrong with it; nothing where all is well."""
    if "Traceback" in ended.err or "Exception ignored" in ended.err:
        return "a traceback"
    if ended.early or ended.status in (0, 1, 3):  # it was done by then
        return ""
    if ended.status != 130:
        return f"status {ended.status}"
    if "--json" in words.split() and ended.out:
        try:
            json.loads(ended.out)
        except ValueError:
            return "no object of JSON"
    return ""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("signals")
    make_files(folder)
    return folder


@pytest.mark.parametrize("words", COMMANDS)
def test_whoever_is_asked_to_end_does_so_soon(place: Path, words: str) -> None:
    choose = random.Random(words)
    ended = press(place, words, choose.choice([signal.SIGINT, signal.SIGTERM]), choose.uniform(LOADED, LATEST))
    assert fault(words, ended) == "", ended
    assert ended.took < SOON


@pytest.mark.parametrize("words", RESUMED)
def test_a_job_that_is_stopped_again_and_again_counts_what_it_would_at_once(tmp_path: Path, words: str) -> None:
    make, solutions = RESUMED[words]
    if make:
        (tmp_path / "langford.dlx").write_bytes(
            subprocess.run(tablero(make), check=True, stdout=subprocess.PIPE, **in_(tmp_path)).stdout
        )
    choose = random.Random(words)
    asked = f"{words} again"
    for k in range(4):
        ended = press(tmp_path, asked, (signal.SIGINT, signal.SIGTERM)[k % 2], choose.uniform(0.5, 1.5))
        assert fault(asked, ended) == "", ended
    whole = subprocess.run(tablero(asked), check=True, stdout=subprocess.PIPE, **in_(tmp_path)).stdout
    at_once = subprocess.run(tablero(f"{words} once"), check=True, stdout=subprocess.PIPE, **in_(tmp_path)).stdout
    reported, expected = json.loads(whole), json.loads(at_once)
    assert reported["solutions"] == expected["solutions"] == solutions
    assert (reported["status"], reported["nodes"], reported["fraction"]) == ("complete", expected["nodes"], 1.0)


def main() -> None:
    choose = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    with tempfile.TemporaryDirectory() as folder:
        make_files(Path(folder))
        for words in COMMANDS:
            number, after = choose.choice([signal.SIGINT, signal.SIGTERM]), choose.uniform(LOADED, LATEST)
            ended = press(Path(folder), words, number, after)
            said = fault(words, ended) or ("done before" if ended.early else "")
            print(
                f"{ended.status:>4} {ended.took:5.2f} s  {number.name} after {after:.2f} s  {words}  {said}", flush=True
            )
            if said != "done before":
                print(f"             {ended.out[-110:]!r} {ended.err[-150:]!r}", flush=True)


if __name__ == "__main__":
    main()
