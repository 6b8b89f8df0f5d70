"""The ground that a local search stands on: which queens are given, and which squares are blocked.

    free      the rows whose queens may move; all of them on an empty board
    fixed     the rows whose queens are given
    base      the columns of the given queens, and in the free rows the columns that are left, in order
    blocked   the blocked columns row by row: those of row r are `columns[start[r]:start[r + 1]]`, in order

A queen on a blocked square is in conflict, and costs 1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined

U = np.uint64
FIXED = 2  # in `pooled` of a state: a given queen, which is never put into the pool


class Ground(NamedTuple):
    """What does not change while queens move."""

    free: NDArray[np.int32]
    fixed: NDArray[np.int32]
    base: NDArray[np.int32]
    start: NDArray[np.int64]  # of one number where nothing is blocked
    columns: NDArray[np.int32]

    @classmethod
    def of(cls, n: int, given: Sequence[tuple[int, int]] = (), blocked: Sequence[tuple[int, int]] = ()) -> Ground:
        """The ground of a puzzle; no two given queens share a row or a column, and squares come in order."""
        everywhere = np.arange(n, dtype=np.int32)
        free, base = everywhere, everywhere.copy()
        squares = np.array(given, np.int32).reshape(-1, 2)
        fixed = np.ascontiguousarray(squares[:, 0])
        if len(fixed):
            free = np.delete(everywhere, fixed)
            base[fixed] = squares[:, 1]
            base[free] = np.delete(everywhere, squares[:, 1])
        barred = np.array(blocked, np.int32).reshape(-1, 2)
        start = np.zeros(1, np.int64)
        if len(barred):
            start = np.concatenate([start, np.cumsum(np.bincount(barred[:, 0], minlength=n))])
        return cls(free, fixed, base, start, np.ascontiguousarray(barred[:, 1]))

    @property
    def plain(self) -> bool:
        return not (len(self.fixed) or len(self.columns))

    def digest(self) -> str:
        """A fingerprint of what is given and blocked; empty where nothing is."""
        if self.plain:
            return ""
        parts = (self.fixed, self.base[self.fixed], self.start, self.columns)
        return hashlib.sha256(b"".join(part.tobytes() + b";" for part in parts)).hexdigest()

    def on_blocked(self, columns: NDArray[np.int32]) -> NDArray[np.bool_]:
        """For every row whether its queen stands on a blocked square: apart from the kernels."""
        found = np.zeros(len(columns), np.bool_)
        if len(self.columns):
            rows = np.repeat(np.arange(len(columns)), np.diff(self.start))
            found[rows[columns[rows] == self.columns]] = True
        return found


@inlined
def is_blocked(ground: Ground, row: np.uint64, column: np.uint64) -> int:
    """1 for a blocked square, 0 for any other."""
    if len(ground.columns) == 0:
        return 0
    low, high = ground.start[row], ground.start[row + U(1)]
    while low < high:
        middle = (low + high) >> 1
        if ground.columns[middle] < np.int32(column):
            low = middle + 1
        else:
            high = middle
    return int(low < ground.start[row + U(1)] and ground.columns[low] == np.int32(column))
