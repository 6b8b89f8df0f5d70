"""The puzzle as an exact cover, and covers as boards: any puzzle of moderate size, with squares given and blocked.

Rows and columns are items to be covered exactly once, diagonals at most once; an option is a queen on a square.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.cover.puzzle import ExactCover
from tablero.queens.puzzle import Queens
from tablero.search.base import Answers


def _squares(puzzle: Queens) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of the squares where a queen may stand: not blocked, and not attacked by one that is given."""
    n = puzzle.n
    # From the middle outwards: there a queen attacks most.
    order = np.array(sorted(range(n), key=lambda k: abs(2 * k - n + 1)), np.int64)
    row, column = np.repeat(order, n), np.tile(order, n)
    wrap = n if puzzle.torus else 4 * n
    allowed = np.ones(n * n, np.bool_)
    for r, c in puzzle.blocked:
        allowed &= (row != r) | (column != c)
    for r, c in puzzle.given:
        attacked = (row == r) | (column == c)
        attacked |= ((row + column) % wrap == (r + c) % wrap) | ((row - column) % wrap == (r - c) % wrap)
        allowed &= ~attacked | ((row == r) & (column == c))
    return row[allowed], column[allowed]


def to_cover(puzzle: Queens) -> ExactCover:
    """The puzzle as an exact cover: rows and columns exactly once, diagonals at most once.

    On a torus there are as many diagonals as queens in either direction, so each has exactly one.
    """
    n = puzzle.n
    row, column = _squares(puzzle)
    if puzzle.torus:
        rising, falling, diagonals = (row + column) % n, (row - column) % n, n
    else:
        rising, falling, diagonals = row + column, row - column + n - 1, 2 * n - 1
    order = sorted(range(n), key=lambda k: abs(2 * k - n + 1))
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    items = [f"{side}{k + 1}" for k in order for side in "rc"]
    items += [f"s{k}" for k in range(diagonals)] + [f"d{k}" for k in range(diagonals)]
    entries = np.stack([2 * place[row], 2 * place[column] + 1, 2 * n + rising, 2 * n + diagonals + falling], axis=1)
    start = np.arange(0, 4 * len(row) + 1, 4, dtype=np.int64)
    primary = len(items) if puzzle.torus else 2 * n
    return ExactCover.of_arrays(items, primary, start, entries.ravel().astype(np.int32))


def columns_of(puzzle: Queens, answers: Answers) -> NDArray[np.int32]:
    """The solutions that covers stand for: columns by row."""
    row, column = _squares(puzzle)
    found = np.full((len(answers), puzzle.n), -1, np.int32)
    answer, place = np.nonzero(answers >= 0)
    option = answers[answer, place]
    found[answer, row[option]] = column[option]
    return found
