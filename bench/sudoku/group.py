"""The group `sudoku`: puzzles a CPU second, on our own and on files that are given; puzzles made; puzzles by logic."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from bench import table
from bench.measure import Measured, Settings, Worker, hush, race
from bench.sudoku.logic import report
from bench.sudoku.tools import PEERS, SHARE, TABLERO, Task, share
from tablero.sudoku.generating import Options, batches
from tablero.sudoku.puzzle import to_line

PARTS = ("sudoku-solve", "sudoku-generate", "sudoku-logic")
PACKAGES = ("tablero", "numba", "numpy", "py-sudoku", "dlxsudoku")
_MADE = 10_000
_DASH = "–"


def _generated(count: int, options: Options) -> Task:
    boards = np.concatenate(list(batches(count, options, 20)))
    return Task(tuple(to_line(board) for board in boards.tolist()))


def _file(path: Path) -> Task:
    lines = (line.split()[0] for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return Task(tuple(line for line in lines if len(line) == 81))


def _sets(settings: Settings) -> dict[str, Task]:
    sets = {
        "36 clues, generated": _generated(2_000, Options(clues=36)),
        "minimal, generated": _generated(2_000, Options(minimal=True)),
    }
    return sets | {path.name: _file(path) for path in settings.sudoku}


def run(settings: Settings) -> dict[str, Any]:
    """Measure what is wanted, print it, and return it."""
    values: dict[str, Any] = {"faults": []}
    with ExitStack() as stack:
        ours = Worker(TABLERO)
        peers = [] if settings.quick else [Worker(peer) for peer in PEERS]
        for worker in (ours, *peers):
            stack.callback(worker.close)
        if settings.wants("sudoku-solve"):
            values["solve"] = _solve([ours, *peers], settings, values["faults"])
        if settings.wants("sudoku-generate"):
            values["generate"] = _make(ours, settings, values["faults"])
    if settings.wants("sudoku-logic"):
        values["logic"] = report(_logic_sets(settings), values["faults"])
    return values


def _logic_sets(settings: Settings) -> dict[str, Sequence[str]]:
    made = _generated(200 if settings.quick else 2_000, Options(minimal=True))
    return {"minimal, generated": made.lines, **{path.name: _file(path).lines for path in settings.sudoku}}


def _rate(measured: Measured, puzzles: int) -> float | None:
    """Puzzles a CPU second; for one that was cut off, what it did not even reach."""
    median = measured.median()
    if measured.cut is not None:
        return puzzles / measured.cut
    return None if median is None else puzzles / median


def _solve(workers: Sequence[Worker[Task]], settings: Settings, faults: list[str]) -> dict[str, Any]:
    rows, values = [], {}
    warm_up = [_generated(3, Options(clues=40))]
    for title, task in _sets(settings).items():
        runs = race(f"sudoku {title}", workers, task, warm_up, settings)
        row = [title, f"{len(task.lines):,}"]
        first = _rate(runs[TABLERO.name], len(task.lines))
        for name, found in runs.items():
            puzzles = len(share(name, task))
            wrong = found.fault(puzzles)
            if name == TABLERO.name and wrong:
                faults.append(f"sudoku {title}: {wrong} {found.error}".rstrip())
            rate = _rate(found, puzzles)
            good = rate is not None and not (wrong and found.cut is None)
            less = "<" if found.cut is not None else ""
            row.append(f"{less}{rate:,.{0 if rate >= 100 else 1}f}" if good and rate else wrong or _DASH)
            if name != TABLERO.name:
                more = ">" if found.cut is not None else ""
                row.append(more + table.ratio(first / rate) if good and rate and first else "")
        rows.append(row)
        values[title] = {name: {**found.as_json(), "puzzles": len(share(name, task))} for name, found in runs.items()}
    hush()
    head = ["puzzles a CPU second", "puzzles", TABLERO.name]
    for worker in workers[1:]:
        head += [worker.tool.name, ""]
    print("\nSudoku: puzzles a CPU second, median; ratios are tablero's to the peer's")
    print(table.table(head, rows))
    print("  tablero and plain bitmasks look for a second solution; dlxsudoku and py-sudoku stop at the first")
    few = ", ".join(f"{worker.tool.name} the first {SHARE[worker.tool.name]:,}" for worker in workers[1:])
    if few:
        print(f"  of each set tablero gets all puzzles, {few}: a ratio compares speeds on sets of different sizes")
    return values


def _make(ours: Worker[Task], settings: Settings, faults: list[str]) -> dict[str, Any]:
    found = race("sudoku generate", [ours], Task((), _MADE), [Task((), 10)], settings)[TABLERO.name]
    hush()
    if wrong := found.fault(_MADE):
        faults.append(f"sudoku generate: {wrong} {found.error}".rstrip())
    elif (median := found.median()) is not None:
        print(
            f"\n{_MADE:,} minimal puzzles made, and each shown to have one solution: {table.seconds(median)} CPU seconds"
        )
    return found.as_json()
