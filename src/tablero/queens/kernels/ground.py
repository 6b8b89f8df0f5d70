"""The fixed part of a local search: given queens and blocked squares.

    free      the rows whose queens may move; all rows of an empty board
    fixed     the rows whose queens are given
    base      the columns of the given queens, and in the free rows the remaining columns, in order
    blocked   the blocked columns by row: those of row r are `columns[start[r]:start[r + 1]]`, in order

A queen on a blocked square is in conflict, and costs 1.  The module also has the common parts of the local searches:
conflicts, answers, and the checks of a stored board.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.base import Answers, Bound, Flag, Orders, Outcome
from tablero.search.compiled import inlined
from tablero.search.portfolio import Portfolio

U = np.uint64
_LOW_31 = 0x7FFFFFFF
MOST_ON_DIAGONAL = 128  # queens in a stored state
MOST_SECONDS = 1e12
HEAD = 4  # numbers before the columns in an answer: trials and microseconds, low and high 31 bits of each
FIXED = 2  # in `pooled` of a state: a given queen, which is never put into the pool


class Ground(NamedTuple):
    """What stays the same while queens move."""

    free: NDArray[np.int32]
    fixed: NDArray[np.int32]
    base: NDArray[np.int32]
    start: NDArray[np.int64]  # one number if nothing is blocked
    columns: NDArray[np.int32]

    @classmethod
    def of(cls, n: int, given: Sequence[tuple[int, int]] = (), blocked: Sequence[tuple[int, int]] = ()) -> Ground:
        """The ground of a puzzle.  No two given queens share a row or a column, and squares are in order."""
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
        """A fingerprint of given and blocked squares; empty if there are none."""
        if self.plain:
            return ""
        parts = (self.fixed, self.base[self.fixed], self.start, self.columns)
        return hashlib.sha256(b"".join(part.tobytes() + b";" for part in parts)).hexdigest()

    def on_blocked(self, columns: NDArray[np.int32]) -> NDArray[np.bool_]:
        """For each row, whether its queen is on a blocked square; independent of the kernels."""
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


@inlined
def in_conflict(ground: Ground, state: Any, i: np.uint64, n: np.uint64) -> bool:
    c = U(state.columns[i])
    return bool(state.rising[i + c] > 1 or state.falling[i + n - c] > 1 or is_blocked(ground, i, c) > 0)


@inlined
def _left(diagonals: NDArray[np.uint8], a: np.uint64, b: np.uint64) -> int:
    """The decrease of the cost when one queen leaves diagonal a and one leaves b."""
    if a == b:
        return 2 if diagonals[a] > 2 else 1
    return int(diagonals[a] > 1) + int(diagonals[b] > 1)


@inlined
def _entered(diagonals: NDArray[np.uint8], a: np.uint64, b: np.uint64) -> int:
    """The increase of the cost when one queen enters diagonal a and one enters b."""
    if a == b:
        return 2 if diagonals[a] > 0 else 1
    return int(diagonals[a] > 0) + int(diagonals[b] > 0)


@inlined
def change_of(ground: Ground, state: Any, i: np.uint64, j: np.uint64, n: np.uint64) -> int:
    """The change of the cost when queens i and j are swapped.  No diagonal is both left and entered."""
    ci, cj = U(state.columns[i]), U(state.columns[j])
    up, down = state.rising, state.falling
    change = (
        _entered(up, i + cj, j + ci)
        + _entered(down, i + n - cj, j + n - ci)
        - _left(up, i + ci, j + cj)
        - _left(down, i + n - ci, j + n - cj)
    )
    if len(ground.columns) > 0:
        change += is_blocked(ground, i, cj) + is_blocked(ground, j, ci)
        change -= is_blocked(ground, i, ci) + is_blocked(ground, j, cj)
    return change


class Arrival(NamedTuple):
    """The answer of an annealing run or a local search."""

    columns: NDArray[np.int32]
    trials: int
    seconds: float  # CPU
    restarts: int = 0
    member: int = 0  # number of the run, from 0


def to_answer(columns: NDArray[np.int32], trials: int, seconds: float, *tail: int) -> Answers:
    """An arrival as a row of numbers; the tail is restarts and member, if known."""
    micro = round(1e6 * seconds)
    head = [trials & _LOW_31, trials >> 31, micro & _LOW_31, micro >> 31]
    return np.concatenate([np.array(head, np.int32), columns, np.array(tail, np.int32)])


def from_answer(answer: Answers, side: int | None = None) -> Arrival:
    """The arrival in a row of numbers; without a side there is no tail."""
    head, end = answer[:HEAD].tolist(), len(answer) if side is None else HEAD + side
    tail = answer[end:].tolist()
    return Arrival(answer[HEAD:end], head[0] + (head[1] << 31), 1e-6 * (head[2] + (head[3] << 31)), *tail)


def columns_fault(ground: Ground, columns: NDArray[np.int32], marks: NDArray[np.uint8]) -> str | None:
    """The fault of the columns of a stored board; `marks` is a buffer of one byte for each column."""
    marks[:] = 0
    if columns.min() >= 0 and columns.max() < len(columns):
        marks[columns] = 1
    if not marks.all():
        return "its columns are no permutation"
    if (columns[ground.fixed] != ground.base[ground.fixed]).any():
        return "a given queen is not in its place"
    return None


def pool_fault(ground: Ground, state: Any, size: int, scratch: Any) -> str | None:
    """The fault of the pool of a board whose columns are a permutation.

    At most one queen of each diagonal may be missing from the pool, so that it is not empty while there is a conflict.
    """
    n = len(state.columns)
    if not 0 <= size <= len(ground.free):
        return f"{size} of {len(ground.free)} queens in the pool"
    pool = state.pool[:size]
    if size and (pool.min() < 0 or pool.max() >= n):
        return "a queen in the pool that is not on the board"
    scratch.pooled[:] = 0
    scratch.pooled[pool] = 1
    if int(scratch.pooled.sum(dtype=np.int64)) != size or scratch.pooled[ground.fixed].any():
        return "the pool does not fit its marks"
    scratch.pooled[ground.fixed] = FIXED
    if not np.array_equal(scratch.pooled, state.pooled):
        return "the pool does not fit its marks"
    missing = np.flatnonzero(state.pooled != 1)
    for marks, diagonals in (
        (scratch.rising, missing + state.columns[missing]),
        (scratch.falling, missing - state.columns[missing] + n),
    ):
        marks[:] = 0
        marks[diagonals] = 1
        if int(marks.sum(dtype=np.int64)) != len(missing):
            return "queens in conflict that are not in the pool"
    if (ground.on_blocked(state.columns) & (state.pooled != 1)).any():
        return "queens on blocked squares that are not in the pool"
    return None


class GroundSearch(Portfolio):
    """The base of annealing and local search: a ground, and answers that `from_answer` reads."""

    side: int
    given: tuple[tuple[int, int], ...]
    blocked: tuple[tuple[int, int], ...]
    per_process: ClassVar[frozenset[str]] = Portfolio.per_process | {"ground"}

    @cached_property
    def ground(self) -> Ground:
        return Ground.of(self.side, self.given, self.blocked)

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        if not orders.live:  # storing and reading a large board must stay a small fraction of the work
            orders = orders._replace(seconds=max(orders.seconds, 1.5e-6 * self.side))
        return super().advance(state, orders, stop, bound)
