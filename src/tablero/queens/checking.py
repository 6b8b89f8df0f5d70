"""Checks solutions, and proves without a search that some puzzles have none.

The checks follow the definition, take time linear in n, and share nothing with the kernels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablero.runs.answers import pieces
from tablero.text import several

if TYPE_CHECKING:
    from tablero.queens.puzzle import Queens, Square

MOST_PLACED = {2: 1, 3: 2}  # the most queens on the boards that have no solution


def fault(columns: ArrayLike, *, torus: bool = False) -> str | None:
    """The fault of queens in these columns, by row; None if no two attack each other."""
    column = np.asarray(columns, np.int64)
    n = len(column)
    row = np.arange(n)
    if column.ndim != 1 or n == 0 or column.min() < 0 or column.max() >= n:
        return f"not {n} columns from 0 to {n - 1}"
    rising, falling = row + column, row - column + n - 1
    if torus:
        rising, falling = rising % n, (falling + 1) % n
    for line, number in (("column", column), ("rising diagonal", rising), ("falling diagonal", falling)):
        crowd = np.bincount(number)
        if crowd.max() > 1:
            rows = np.flatnonzero(number == np.argmax(crowd > 1))[:2] + 1
            return f"the queens of rows {rows[0]} and {rows[1]} share a {line}"
    return None


def fault_of(puzzle: Queens, columns: ArrayLike) -> str | None:
    """The fault of a solution of a puzzle, given and blocked squares included; None if it is correct."""
    column = np.asarray(columns)
    if len(column) != puzzle.n:
        return f"{len(column)} queens on a board of {puzzle.n}×{puzzle.n}"
    if wrong := fault(column, torus=puzzle.torus):
        return wrong
    given, blocked = (np.array(squares, np.int64).reshape(-1, 2) for squares in (puzzle.given, puzzle.blocked))
    if len(gone := given[column[given[:, 0]] != given[:, 1]]):
        return f"the queen given in row {gone[0, 0] + 1} is gone"
    if len(taken := blocked[column[blocked[:, 0]] == blocked[:, 1]]):
        return f"there is a queen on the blocked square of row {taken[0, 0] + 1}"
    return None


def first_fault(puzzle: Queens, boards: NDArray[np.int32]) -> str | None:
    """The fault of the first faulty board; None if all are solutions.

    Many small boards are checked together: a line with two queens occurs twice among the sorted lines of a board.
    """
    suspects = boards
    if len(boards) > boards.shape[1]:
        suspects = boards[np.concatenate([_is_suspect(puzzle, some) for some in pieces(boards)])]
    return next((wrong for columns in suspects if (wrong := fault_of(puzzle, columns))), None)


def _is_suspect(puzzle: Queens, boards: NDArray[np.int32]) -> NDArray[np.bool_]:
    n = puzzle.n
    if boards.shape[1] != n:
        return np.ones(len(boards), np.bool_)
    column, row = boards.astype(np.int64), np.arange(n)
    suspect = np.asarray(((column < 0) | (column >= n)).any(axis=1))
    for line in (column, *_diagonals(puzzle, row, column)):
        suspect |= (np.diff(np.sort(line, axis=1), axis=1) == 0).any(axis=1)
    for squares, must in ((puzzle.given, True), (puzzle.blocked, False)):
        for r, c in squares:
            suspect |= (column[:, r] == c) != must
    return suspect


def refuted(puzzle: Queens) -> str:
    """A proof without a search that the puzzle has no solution; empty if there is no such proof."""
    n = puzzle.n
    if puzzle.torus and math.gcd(n, 6) > 1:
        return f"{n} queens cannot be placed on a torus: 2 or 3 divides {n} (Pólya 1918)"
    if n in MOST_PLACED:
        most = MOST_PLACED[n]
        return (
            f"{n} queens cannot be placed on a board of {n}×{n} (proved): "
            f"it holds at most {most} queen{'s' * (most > 1)}"
        )
    if not (puzzle.given or puzzle.blocked):
        return ""
    given, blocked = (np.array(squares, np.int64).reshape(-1, 2) for squares in (puzzle.given, puzzle.blocked))
    row, column = given.T
    for number in (row, column, *_diagonals(puzzle, row, column)):
        order = np.argsort(number, kind="stable")
        if len(twice := np.flatnonzero(np.diff(number[order]) == 0)):
            one, other = (given[order[twice[0] + k]].tolist() for k in (0, 1))
            return (
                f"the queens given on r{one[0] + 1}c{one[1] + 1} and r{other[0] + 1}c{other[1] + 1} attack each other"
            )
    for name, along, across in (("row", 0, 1), ("column", 1, 0)):
        crowd = np.bincount(blocked[:, along], minlength=n)
        crowd[given[:, along]] = -4 * n  # has a queen
        for line in np.flatnonzero(crowd + 3 * len(given) >= n).tolist():
            if not _squares_left(puzzle, given, blocked, line, along, across):
                return f"every square of {name} {line + 1} is blocked or attacked"
    return ""


def _diagonals(puzzle: Queens, row: NDArray[np.int64], column: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    wrap = puzzle.n if puzzle.torus else 4 * puzzle.n
    return (row + column) % wrap, (row - column) % wrap


def _squares_left(
    puzzle: Queens, given: NDArray[np.int64], blocked: NDArray[np.int64], line: int, along: int, across: int
) -> bool:
    """Whether a row or column has a square that is neither blocked nor attacked by a given queen."""
    n = puzzle.n
    left = np.ones(n, np.bool_)
    left[blocked[blocked[:, along] == line, across]] = False
    left[given[:, across]] = False
    steps = line - given[:, along]
    for place in (given[:, across] + steps, given[:, across] - steps):
        if puzzle.torus:
            place = place % n
        left[place[(place >= 0) & (place < n)]] = False
    return bool(left.any())


def armies_fault(n: int, white: Iterable[Square], black: Iterable[Square]) -> str | None:
    """The fault of two armies; None if they have equal size and no queen attacks one of the other colour."""
    one, other = set(white), set(black)
    if len(one) != len(other):
        return f"{several(len(one), 'white queen')} and {len(other)} black"
    for side in (one, other):
        if any(not (0 <= r < n and 0 <= c < n) for r, c in side):
            return "a queen is off the board"
    for name, along in (
        ("row", (1, 0)),
        ("column", (0, 1)),
        ("rising diagonal", (1, 1)),
        ("falling diagonal", (1, -1)),
    ):
        lines = [{along[0] * r + along[1] * c for r, c in side} for side in (one, other)]
        if lines[0] & lines[1]:
            return f"two queens of different armies share a {name}"
    return None
