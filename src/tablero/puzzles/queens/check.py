"""Is it a solution?  Written from the definition and linear in n: nothing here is shared with the kernels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from tablero.puzzles.queens.puzzle import Queens, Square


def fault(columns: ArrayLike, *, torus: bool = False) -> str | None:
    """What is wrong with queens in these columns, row by row, or None when no two attack each other."""
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
    """What is wrong with a solution of a puzzle: squares that are given or blocked count too."""
    column = np.asarray(columns)
    if len(column) != puzzle.n:
        return f"{len(column)} queens on a board of {puzzle.n}×{puzzle.n}"
    if wrong := fault(column, torus=puzzle.torus):
        return wrong
    for row, wanted in puzzle.given:
        if column[row] != wanted:
            return f"the queen given in row {row + 1} is gone"
    for row, forbidden in puzzle.blocked:
        if column[row] == forbidden:
            return f"there is a queen on the blocked square of row {row + 1}"
    return None


def armies_fault(n: int, white: Iterable[Square], black: Iterable[Square]) -> str | None:
    """What is wrong with two armies, or None when they are of one size and no queen attacks one of the other side."""
    one, other = set(white), set(black)
    if len(one) != len(other):
        return f"{len(one)} white queens and {len(other)} black ones"
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
