"""tablero and its peers on files of 9×9 puzzles: how each is given them, and the call that is timed.

tablero and the plain search prove every solution to be the only one; the peers stop at the first, which is less work.
Slow programs get only the first puzzles of a set: `share` says how many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench.measure import Found, Tool


@dataclass(frozen=True)
class Task:
    """Puzzles with one solution each, a line each; or so many puzzles to make."""

    lines: tuple[str, ...]
    make: int = 0


SHARE = {"tablero": 1_000_000, "plain bitmasks": 2_000, "dlxsudoku": 40, "py-sudoku": 10}


def share(tool: str, task: Task) -> tuple[str, ...]:
    """The puzzles of a task that a tool is given."""
    return task.lines[: SHARE[tool]]


def _boards(lines: tuple[str, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.array([[int(mark) if mark.isdigit() else 0 for mark in line] for line in lines], np.uint8)


def tablero(task: Task) -> Callable[[], Found]:
    from tablero.sudoku.generating import Options, batches
    from tablero.sudoku.kernels.search import solve_many

    boards = _boards(share("tablero", task)) if task.lines else np.zeros((0, 81), np.uint8)

    def solve() -> Found:
        return Found(int((solve_many(boards, 2)[1] == 1).sum()))

    def make() -> Found:
        made = np.concatenate(list(batches(task.make, Options(minimal=True), 1)))
        return Found(int((solve_many(made, 2)[1] == 1).sum()))

    return make if task.make else solve


def plain(task: Task) -> Callable[[], Found]:
    """Bitmasks by cell, naked and hidden singles, then the cell with the fewest digits; compiled like tablero's kernel."""
    from tablero.sudoku.kernels import cells as sudoku_cells
    from tablero.sudoku.puzzle import Layout

    units = np.array([unit.cells for unit in Layout().units], np.int64)
    state = sudoku_cells.new_state(81)
    boards = _boards(share("plain bitmasks", task))
    answer, stop = np.zeros(81, np.uint8), np.zeros(1, np.uint8)

    def call() -> Found:
        found = (sudoku_cells.search(units, state, board, 2, 1 << 60, answer, stop)[0] for board in boards)
        return Found(sum(count == 1 for count in found))

    return call


def dlxsudoku(task: Task) -> Callable[[], Found]:
    from dlxsudoku import Sudoku

    lines = [line.replace(".", "0") for line in share("dlxsudoku", task)]

    def call() -> Found:
        solved = 0
        for line in lines:
            puzzle = Sudoku(line)
            puzzle.solve()
            solved += puzzle.is_solved
        return Found(solved)

    return call


def py_sudoku(task: Task) -> Callable[[], Found]:
    from sudoku import Sudoku

    boards = [
        [[int(mark) if mark.isdigit() else 0 for mark in line[k : k + 9]] for k in range(0, 81, 9)]
        for line in share("py-sudoku", task)
    ]

    def call() -> Found:
        return Found(sum(bool(Sudoku(3, 3, board=board).solve().validate()) for board in boards))

    return call


TABLERO = Tool("tablero", tablero)
PEERS = (Tool("plain bitmasks", plain), Tool("dlxsudoku", dlxsudoku), Tool("py-sudoku", py_sudoku))
