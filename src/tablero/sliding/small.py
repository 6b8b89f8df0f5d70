"""The distances of all states of boards of at most nine cells, made breadth first from the goal.

A state's number is that of its permutation in lexicographic order.  3×3 has 181,440 states that can be solved, the worst 31
moves away; half of the table stays empty.  Whole levels are expanded at once, so that no kernel is needed to make it;
`last_region` in `kernels/construct.py` walks down it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tablero.sliding.kernels.construct import UNREACHED

__all__ = ["UNREACHED", "distances", "neighbours", "permutations", "rank"]

_STEPS = ((-1, 0), (1, 0), (0, 1), (0, -1))


def rank(boards: NDArray[np.integer]) -> NDArray[np.int64]:
    """The number of each row's permutation."""
    count = boards.shape[1]
    numbers = np.zeros(len(boards), np.int64)
    for k in range(count):
        smaller = (boards[:, k + 1 :] < boards[:, k : k + 1]).sum(axis=1)
        numbers = numbers * (count - k) + smaller
    return numbers


def permutations(count: int) -> NDArray[np.uint8]:
    """All permutations of so many numbers from 0, in lexicographic order."""
    rows = np.zeros((1, 0), np.uint8)
    for size in range(1, count + 1):
        first = np.arange(size, dtype=np.uint8).repeat(len(rows))[:, None]
        rest = np.tile(rows, (size, 1))
        rows = np.concatenate([first, rest + (rest >= first)], axis=1).astype(np.uint8)
    return rows


def neighbours(rows: int, columns: int, cell: int) -> list[tuple[int, int]]:
    """The moves of a blank on a cell, each with the cell it leads to."""
    row, column = divmod(cell, columns)
    return [
        (move, (row + down) * columns + column + right)
        for move, (down, right) in enumerate(_STEPS)
        if 0 <= row + down < rows and 0 <= column + right < columns
    ]


@cache
def distances(rows: int, columns: int) -> NDArray[np.uint8]:
    """How many moves each state is from the goal with the blank last."""
    count = rows * columns
    table = np.full(int(np.prod(np.arange(1, count + 1))), UNREACHED, np.uint8)
    level = np.array([[*range(1, count), 0]], np.uint8)
    table[rank(level)] = 0
    for far in range(1, UNREACHED):
        found = []
        blank = level.argmin(axis=1)
        for cell in range(count):
            here = level[blank == cell]
            for _, there in neighbours(rows, columns, cell):
                moved = here.copy()
                moved[:, cell], moved[:, there] = moved[:, there], 0
                numbers, first = np.unique(rank(moved), return_index=True)
                fresh = table[numbers] == UNREACHED
                table[numbers[fresh]] = far
                found.append(moved[first[fresh]])
        level = np.concatenate(found)
        if not len(level):
            break
    return table
