"""Counting n-queens bit-parallel, with symmetry removed at the root.

    border        the first and last row and column of the board: every solution has a queen in each of the four
    frame         the queens on the border, three (one of them in a corner) or four: the first choice of the search
    image         a frame or solution after a rotation or reflection of the board; there are eight
    turns         the number of rotations that leave the frame unchanged: 1, 2 or 4
    row           a row without a queen of the frame; rows are filled from the top
    free          the columns of a row that no queen attacks, as bits

One of the eight images of each frame is searched.  A frame that differs from all its other images represents eight, and so
does each of its solutions, which need not be compared.  The few frames that a rotation leaves unchanged have solutions that
it leaves unchanged too, or that form pairs and fours; only these solutions are compared with their rotations.  (No frame
and no solution is its own reflection: two of its queens would attack each other.)  One tree therefore gives both numbers:
all solutions, and those that differ under rotations and reflections.

A node is the root, a frame, or a queen in a row that is not the last; the last queen has at most one place.  The loop
keeps bitmaps only.  They are read from a cursor at the beginning and written into one at the end, so that splitting costs
nothing for each node.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.search.base import Answers, Bound, Flag
from tablero.search.compiled import inlined, kernel, lowest, popcount
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

MOST = 32  # largest side; larger ones would take too long
_LOOK = 1 << 16  # nodes between checks of the stop flag


class Problem(NamedTuple):
    """The frames to search: columns of the queens in the first and last row, rows of those in the first and last column."""

    first: Numbers
    last: Numbers
    left: Numbers
    right: Numbers
    turns: Numbers
    side: Numbers  # one number: the side of the board


class State(NamedTuple):
    """Bitmaps for every open row of the current frame; `at`, `last`, `width` and `depth` are the cursor.

    Level 0 of the cursor is the choice of a frame, level d + 1 the choice of a column in open row d.
    """

    row: Numbers  # the row of the board, by open row d
    taken: Words  # the columns of that row that the frame attacks, and those beyond the board
    gap: Words  # the distance to the next open row
    falling: Words  # the columns of that row attacked along falling diagonals, by the queens above it
    rising: Words  # the same along rising ones
    column: Words  # the same along columns
    free: Words  # all free columns of this row
    untried: Words  # those not yet tried
    queen: Words  # the current column
    board: Numbers  # buffer: a solution, columns by row
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over


@inlined
def _place_frame(problem: Problem, state: State, frame: int) -> int:
    """Place a frame on the board; return the number of open rows."""
    n = problem.side[0]
    top, bottom, left, right = problem.first[frame], problem.last[frame], problem.left[frame], problem.right[frame]
    beyond = ~U(0) << U(n)
    rows = 0
    for row in range(1, n - 1):
        if row == left or row == right:  # noqa: SIM109 — Numba compares, it does not build a tuple
            continue
        taken = beyond | U(1) | U(1) << U(n - 1) | U(1) << U(top) | U(1) << U(bottom)
        for step, column in ((row, top), (n - 1 - row, bottom)):
            if column + step < n:
                taken |= U(1) << U(column + step)
            if column - step >= 0:
                taken |= U(1) << U(column - step)
        reach = left - row if left > row else row - left
        taken |= U(1) << U(reach)
        reach = right - row if right > row else row - right
        taken |= U(1) << U(n - 1 - reach)
        state.row[rows] = row
        state.taken[rows] = taken
        if rows > 0:
            state.gap[rows - 1] = U(row - state.row[rows - 1])
        rows += 1
    return rows


@inlined
def _write_board(problem: Problem, state: State, frame: int, rows: int, last_queen: np.uint64) -> None:
    """Write the solution with this queen in the last open row into `board`."""
    n = problem.side[0]
    state.board[0] = problem.first[frame]
    state.board[n - 1] = problem.last[frame]
    state.board[problem.left[frame]] = 0
    state.board[problem.right[frame]] = n - 1
    for d in range(rows):
        bit = last_queen if d == rows - 1 else state.queen[d]
        state.board[state.row[d]] = np.int64(lowest(bit))


@inlined
def _is_first_of_turns(board: Numbers, n: int, turns: int) -> bool:
    """Whether no rotation of the board by 180° (and by 90° and 270° if `turns` is 4) comes before it."""
    for r in range(n):  # by 180°
        image = n - 1 - board[n - 1 - r]
        if image != board[r]:
            if image < board[r]:
                return False
            break
    if turns < 4:
        return True
    for quarter in range(2):
        for r in range(n):
            # The queen that the rotation brings to row r was in column r or in its mirror.
            column = r if quarter == 0 else n - 1 - r
            origin = 0
            while board[origin] != column:
                origin += 1
            image = n - 1 - origin if quarter == 0 else origin
            if image != board[r]:
                if image < board[r]:
                    return False
                break
    return True


@inlined
def _is_kept(
    problem: Problem, state: State, rows: int, queen: np.uint64, checks: bool, answers: NDArray[np.int32], found: int
) -> bool:
    """Whether the solution with this last queen counts; it is written into `answers` if that has rows."""
    frame = state.at[0]
    _write_board(problem, state, frame, rows, queen)
    if checks and not _is_first_of_turns(state.board, problem.side[0], problem.turns[frame]):
        return False
    if answers.shape[0] > 0:
        for r in range(problem.side[0]):
            answers[found, r] = state.board[r]
    return True


@kernel
def advance(
    problem: Problem, state: State, classes: bool, answers: NDArray[np.int32], budget: int, most: int,
    stop: NDArray[np.uint8],
) -> tuple[int, int]:  # fmt: skip
    """Visit up to `budget` nodes or find `most` solutions; return the number of each.

    With `classes` one solution of every class is counted, and written into `answers` if that has rows; otherwise all
    solutions are counted.
    """
    frames = len(problem.first)
    keep = answers.shape[0] > 0
    nodes = 0
    found = 0
    rows = 0
    depth = state.depth[0]
    if depth > 1:
        rows = _place_frame(problem, state, state.at[0])
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        if depth == 0:  # the root: choose a frame
            nodes += 1
            state.at[0] = 0
            state.last[0] = frames - 1
            state.width[0] = frames
            depth = 1 if frames > 0 else -1
            continue
        frame = state.at[0]
        turns = problem.turns[frame]
        weight = 1 if classes else 8 // turns
        checks = classes and turns > 1
        if depth == 1:  # a frame: open its first row
            nodes += 1
            rows = _place_frame(problem, state, frame)
            free = U(1) if rows == 0 else ~state.taken[0]
            if free == U(0) or rows <= 1:
                if free != U(0) and _is_kept(problem, state, rows, free, checks, answers, found):
                    found += weight
            else:
                state.falling[0] = state.rising[0] = state.column[0] = U(0)
                state.free[0] = state.untried[0] = free
                depth = 2
        if depth > 1:
            d = U(depth - 2)
            final = U(rows - 2)  # the last row but one
            falling, rising, column, untried = state.falling[d], state.rising[d], state.column[d], state.untried[d]
            gap, taken = state.gap[d], state.taken[d + U(1)]
            end = min(budget, nodes + _LOOK)
            while nodes < end:
                while untried == U(0):
                    if d == U(0):
                        break
                    d -= U(1)
                    falling, rising, column, untried = (
                        state.falling[d], state.rising[d], state.column[d], state.untried[d],
                    )  # fmt: skip
                    gap, taken = state.gap[d], state.taken[d + U(1)]
                if untried == U(0):
                    break
                queen = untried & (~untried + U(1))
                untried ^= queen
                nodes += 1
                below_falling = (falling | queen) << gap
                below_rising = (rising | queen) >> gap
                below_column = column | queen
                free = ~(below_falling | below_rising | below_column | taken)
                if free != U(0):
                    if d != final:
                        state.queen[d] = queen
                        state.untried[d] = untried
                        d += U(1)
                        falling, rising, column, untried = below_falling, below_rising, below_column, free
                        state.falling[d], state.rising[d], state.column[d], state.free[d] = (
                            below_falling, below_rising, below_column, free,
                        )  # fmt: skip
                        gap, taken = state.gap[d], state.taken[d + U(1)]
                    elif checks or keep:
                        state.queen[d] = queen
                        if _is_kept(problem, state, rows, free, checks, answers, found):
                            found += weight
                            if found >= most:
                                break
                    else:
                        found += weight
            state.untried[d] = untried
            while state.untried[d] == U(0) and d > U(0):
                d -= U(1)
            depth = np.int64(d) + 2 if state.untried[d] != U(0) else 1
        if depth == 1:  # this frame is done
            if state.at[0] < state.last[0]:
                state.at[0] += 1
            else:
                depth = -1
    for level in range(1, depth):
        d = U(level - 1)
        untried = state.untried[d]
        queen = untried & (~untried + U(1)) if level == depth - 1 else state.queen[d]
        after = untried & ~queen
        state.at[level] = np.int64(popcount(state.free[d] & (queen - U(1))))
        state.last[level] = state.at[level] + np.int64(popcount(after))
        state.width[level] = np.int64(popcount(state.free[d]))
    state.depth[0] = depth
    return nodes, found


@kernel
def replay(problem: Problem, state: State) -> None:
    """Rebuild the bitmaps from the path in `at`; `depth` becomes −2 if the cursor does not fit."""
    depth = state.depth[0]
    if depth < 1:
        return
    if state.width[0] != len(problem.first):
        state.depth[0] = -2
        return
    rows = _place_frame(problem, state, state.at[0]) if depth > 1 else 0
    if depth > 1 and depth > rows:
        state.depth[0] = -2
        return
    state.falling[0] = state.rising[0] = state.column[0] = U(0)
    for level in range(1, depth):
        d = level - 1
        free = ~(state.falling[d] | state.rising[d] | state.column[d] | state.taken[d])
        if np.int64(popcount(free)) != state.width[level]:
            state.depth[0] = -2
            return
        state.free[d] = free
        untried = U(0)
        queen = U(0)
        place = 0
        while free != U(0):
            bit = free & (~free + U(1))
            free ^= bit
            if place == state.at[level]:
                queen = bit
            if state.at[level] < place <= state.last[level]:
                untried |= bit
            place += 1
        state.queen[d] = queen
        state.untried[d] = untried | queen if level == depth - 1 else untried
        state.falling[d + 1] = (state.falling[d] | queen) << state.gap[d]
        state.rising[d + 1] = (state.rising[d] | queen) >> state.gap[d]
        state.column[d + 1] = state.column[d] | queen


def frames(n: int) -> Problem:
    """One of the eight images of every frame in which no two queens attack each other."""
    if not 1 <= n <= MOST:
        raise BadInput(f"counting {n} queens: expected 1 to {MOST}")
    if n == 1:
        nought = np.zeros(1, np.int64)
        return Problem(nought, nought, nought, nought, np.full(1, 8), np.full(1, n))
    corner, open_ = _cornered(n), _uncornered(n)
    first, last, left, right, turns = (np.concatenate(pair) for pair in zip(corner, open_, strict=True))
    return Problem(first, last, left, right, turns, np.full(1, n))


def _cornered(n: int) -> tuple[Numbers, ...]:
    """Frames with a queen in the corner at the end of the first row.  One reflection exchanges the other two queens."""
    first, right = (grid.ravel() for grid in np.meshgrid(np.arange(1, n - 1), np.arange(1, n - 1), indexing="ij"))
    kept = first < n - 1 - right
    first, right = first[kept], right[kept]
    return first, np.zeros_like(first), np.full_like(first, n - 1), right, np.ones_like(first)


def _uncornered(n: int) -> tuple[Numbers, ...]:
    """Frames of four queens, each with the number of rotations that leave it unchanged."""
    inner = np.arange(1, n - 1)
    first, last, left, right = (grid.ravel() for grid in np.meshgrid(inner, inner, inner, inner, indexing="ij"))
    end = n - 1
    peaceful = (first != last) & (left != right) & (first != left) & (last != right)
    peaceful &= (first + right != end) & (last + left != end)
    first, last, left, right = first[peaceful], last[peaceful], left[peaceful], right[peaceful]

    def rank(a: Numbers, b: Numbers, c: Numbers, d: Numbers) -> Numbers:
        # The choice of the image decides the number of nodes.  With the queen of the last row far out and those of the
        # first and last column low, it is 40 % less than with the image that comes first in the order of its columns.
        preference = np.minimum(b, end - b) * 2 * n + 2 * end - c - d
        return (((preference * n + a) * n + b) * n + c) * n + d

    ranks = []
    image = (first, last, left, right)
    for _ in range(4):
        a, b, c, d = image
        ranks += [rank(a, b, c, d), rank(end - a, end - b, d, c)]
        image = (end - c, end - d, b, a)  # a quarter turn: the first column becomes the first row
    own = ranks[0]
    kept = own == np.minimum.reduce(ranks)
    turns = np.sum([other[kept] == own[kept] for other in ranks], axis=0)
    return first[kept], last[kept], left[kept], right[kept], turns


@dataclass
class QueensCount(TreeSearch):
    """Counts all solutions of n queens, or with `classes` those that differ under rotations and reflections.

    An answer is the columns by row; only classes keep answers.
    """

    side: int
    classes: bool = False
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = f"queens.{'classes' if self.classes else 'count'}/1"

    @cached_property
    def problem(self) -> Problem:
        return frames(self.side)

    @property
    def width(self) -> int:
        return self.side

    def digest(self) -> str:
        return hashlib.sha256(f"queens {self.side} {self.classes}".encode()).hexdigest()

    def begin(self, cursor: Cursor) -> State:
        size = self.side + 2
        row, board, at, last, width = (np.zeros(size, np.int64) for _ in range(5))
        taken, gap, falling, rising, column, free, untried, queen = (np.zeros(size, np.uint64) for _ in range(8))
        depth = np.zeros(1, np.int64)
        state = State(row, taken, gap, falling, rising, column, free, untried, queen, board, at, last, width, depth)
        write_cursor(state, cursor)
        replay(self.problem, state)
        return state

    def decided(self, state: State, row: Answers) -> bool:
        """The frame, and the queens in the open rows to the end of the path."""
        depth, problem = int(state.depth[0]), self.problem
        if depth < 1:
            return True
        frame = int(state.at[0])
        row[0], row[-1] = problem.first[frame], problem.last[frame]
        row[problem.left[frame]], row[problem.right[frame]] = 0, self.side - 1
        for d in range(depth - 1):
            row[state.row[d]] = int(state.queen[d]).bit_length() - 1
        return True

    def step(self, state: State, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        nodes, found = advance(self.problem, state, self.classes, answers, budget, most, stop)
        return int(nodes), int(found)
