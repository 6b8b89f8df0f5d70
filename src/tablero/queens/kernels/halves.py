"""Counting n-queens by joining the two halves of the board; `quadrant_cases` defines the terms.

R1 and R2 are the rows that the west half of the board uses, nw and sw together; the east half uses the other rows.  All
west halves with these rows are listed, for all C1: some thousands, one bit each.  For each diagonal, a row of bits marks
the halves that do not use it.  The west halves that fit an ne placement are therefore the conjunction of a few rows, and
likewise for se:

    for C2:  for compatible se and ne:  the number of common bits, a popcount

The work consists of passes over rows of words, which the compiler vectorises: no branch in them depends on the board.  The
weights for symmetry are equal for consecutive C1, except for ties, and the list is in the order of C1.

A node is the root, a pair (R1, R2) of one of the cases, or one block of its west halves; it takes microseconds to
milliseconds.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.queens.kernels.quadrant_cases import (
    ALONE,
    EIGHT,
    Corners,
    Numbers,
    Plan,
    U,
    Words,
    corners,
    images,
    plans,
)
from tablero.search.base import Answers, Bound, Flag
from tablero.search.compiled import inlined, kernel, lowest, popcount
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor

_WORD = 64  # bits; diagonals are bits of a word too
_WORDS = 256  # of a row
_BLOCK = _WORD * _WORDS  # west halves that are processed together
_LINE = 8  # words in a vector or a cache line
_STRIDE = _WORDS + _LINE  # from one row to the next: with a power of 2 all rows would share the same cache sets
_WANTED = U(63)  # not a diagonal, but the row of the halves to count
_NOTHING = -1


class State(NamedTuple):
    """Tables for the current node; `at`, `last`, `width` and `depth` are the cursor."""

    halves: Words  # the west halves of a pair (R1, R2)
    begins: Numbers  # by C1: its first half
    ready: Numbers  # the pair of these halves, their number, and the block of `clear`
    square: Words  # 64 halves before they are transposed into `clear`
    clear: Words  # by diagonal: the halves that do not use it
    with_se: Words  # by se placement of a corner: the halves that fit it; the last row is empty
    with_ne: Words  # the halves that fit an ne placement
    partners: Numbers  # the se placements that fit it
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over


@inlined
def _limits(case: Corners, row: int, count: int) -> tuple[int, int]:
    """The range of indices of another set that this R1 can have in the tuple that represents its images."""
    symmetry = case.symmetry[0]
    return (0 if symmetry == ALONE else row), (count - row if symmetry == EIGHT else count)


@kernel
def gather(case: Corners, state: State, pair: int, row: int, other: int) -> int:
    """List the west halves of a pair (R1, R2); return their number."""
    count = len(case.columns1)
    low, high = _limits(case, row, count)
    number = 0
    for column in range(low, high):
        state.begins[column] = number
        nw, sw = row * count + column, column * len(case.rows2) + other
        for a in range(case.nw_start[nw], case.nw_start[nw + 1]):
            north = case.nw[U(a)]
            for b in range(case.sw_start[sw], case.sw_start[sw + 1]):
                south = case.sw[U(b)]
                state.halves[U(number)] = north | south
                number += (north & south) == U(0)
    state.begins[high] = number
    state.ready[0], state.ready[1], state.ready[2] = pair, number, _NOTHING
    return int(number)


@inlined
def _transpose(square: Words) -> None:
    """Transpose a 64×64 bit matrix: exchange halves, then quarters, down to single bits."""
    size, mask = 32, U(0xFFFFFFFF)
    while size > 0:
        for part in range(0, _WORD, 2 * size):
            for i in range(part, part + size):
                differ = (square[U(i)] >> U(size) ^ square[U(i + size)]) & mask
                square[U(i)] ^= differ << U(size)
                square[U(i + size)] ^= differ
        size >>= 1
        mask ^= mask << U(size)


@inlined
def _tabulate(case: Corners, state: State, block: int) -> int:
    """Fill the rows of all diagonals for a block of the halves; return the number of halves in it."""
    first = block * _BLOCK
    number = int(min(state.ready[1] - first, _BLOCK))
    if state.ready[2] == block:
        return number
    diagonals = 2 * case.side[1] - 1
    for w in range((number + _WORD - 1) // _WORD):
        for i in range(_WORD):
            place = w * _WORD + i
            state.square[U(i)] = ~state.halves[U(first + place)] if place < number else U(0)
        _transpose(state.square)
        for d in range(diagonals):
            state.clear[U(d), U(w)] = state.square[U(d)]
            state.clear[U(32 + d), U(w)] = state.square[U(32 + d)]
    state.ready[2] = block
    return number


@inlined
def _want(state: State, low: int, high: int) -> tuple[int, int]:
    """Fill the row of the halves `low` to `high` − 1 of a block; return the range of its words."""
    wanted = state.clear[_WANTED]
    first, beyond = low // _WORD // _LINE * _LINE, -(-high // (_WORD * _LINE)) * _LINE
    for w in range(first, beyond):
        wanted[U(w)] = ~U(0) if low <= w * _WORD and (w + 1) * _WORD <= high else U(0)
    if low % _WORD:
        wanted[U(low // _WORD)] = ~U(0) << U(low % _WORD)
    if high % _WORD:
        upto = (U(1) << U(high % _WORD)) - U(1)
        wanted[U(high // _WORD)] = upto << U(low % _WORD) & upto if low // _WORD == high // _WORD else upto
    return first, beyond


@inlined
def _next(word: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The lowest diagonal of a word, or the row of all halves to count if there is none; and the others."""
    if word == U(0):
        return _WANTED, word
    return lowest(word), word & (word - U(1))


@inlined
def _meet(clear: Words, word: np.uint64, first: int, beyond: int, out: Words) -> None:
    """Write which of the halves to count use no diagonal of the word; eight rows in one pass."""
    d0, word = _next(word)
    d1, word = _next(word)
    d2, word = _next(word)
    d3, word = _next(word)
    d4, word = _next(word)
    d5, word = _next(word)
    d6, word = _next(word)
    for i in range(first, beyond):
        w = U(i)
        four = clear[d0, w] & clear[d1, w] & clear[d2, w] & clear[d3, w]
        out[w] = four & clear[d4, w] & clear[d5, w] & clear[d6, w] & clear[_WANTED, w]
    while word != U(0):
        d, word = _next(word)
        for i in range(first, beyond):
            out[U(i)] &= clear[d, U(i)]


@inlined
def _join(case: Corners, state: State, row: int, other: int, c2: int, first: int, beyond: int) -> int:
    """The number of compatible pairs of a west half to count and an east half of this C2."""
    se, ne = c2 * len(case.rows2) + other, row * len(case.columns2) + c2
    se_first, se_beyond = case.se_start[se], case.se_start[se + 1]
    for a in range(se_first, se_beyond):
        _meet(state.clear, case.se[U(a)], first, beyond, state.with_se[U(a - se_first)])
    with_ne = state.with_ne
    found = U(0)
    for b in range(case.ne_start[ne], case.ne_start[ne + 1]):
        north = case.ne[U(b)]
        partners = 0
        for a in range(se_first, se_beyond):
            state.partners[U(partners)] = a - se_first
            partners += (case.se[U(a)] & north) == U(0)
        if partners == 0:
            continue
        _meet(state.clear, north, first, beyond, with_ne)
        state.partners[U(partners)] = len(state.with_se) - 1
        for i in range(0, partners, 2):  # in twos: the words of the ne placement are read once for both
            one, two = state.with_se[U(state.partners[U(i)])], state.with_se[U(state.partners[U(i + 1)])]
            for w in range(first, beyond):
                found += popcount(with_ne[U(w)] & one[U(w)]) + popcount(with_ne[U(w)] & two[U(w)])
    return int(found)


@inlined
def _weight(case: Corners, row: int, column: int, other: int, c2: int) -> int:
    """The number of images of the tuple of sets; 0 if another image is searched."""
    symmetry = case.symmetry[0]
    if symmetry == ALONE:
        return 1
    every = (1 << case.side[1]) - 1
    return images(symmetry, every, case.rows1[row], case.columns1[column], case.rows2[other], case.columns2[c2])


@inlined
def _run(case: Corners, row: int, column: int, other: int, c2: int, low: int, high: int) -> tuple[int, int]:
    """The weight of the tuple with this C1, and the next C1 whose weight may differ."""
    eight = case.symmetry[0] == EIGHT
    tie = other == low or c2 == low or (eight and (other == high - 1 or c2 == high - 1))
    weight = _weight(case, row, column, other, c2)
    if case.symmetry[0] == ALONE:
        return weight, high
    column += 1
    while column < high:
        # Between the ends no set equals R1 or its complement unless one of the others does.
        inside = not tie and low < column < high - 1
        if (case.symmetry[0] if inside else _weight(case, row, column, other, c2)) != weight:
            break
        column = high - 1 if inside else column + 1
    return weight, column


@inlined
def _count(case: Corners, state: State, row: int, other: int, block: int) -> int:
    """The number of solutions with this pair (R1, R2) and a west half of this block, counted with all images."""
    number = _tabulate(case, state, block)
    low, high = _limits(case, row, len(case.columns1))
    c2_low, c2_high = _limits(case, row, len(case.columns2))
    total = 0
    for c2 in range(c2_low, c2_high):
        column = low
        while column < high:
            begin = max(state.begins[column] - block * _BLOCK, 0)
            weight, column = _run(case, row, column, other, c2, low, high)
            end = min(state.begins[column] - block * _BLOCK, number)
            if weight > 0 and begin < end:
                first, beyond = _want(state, begin, end)
                total += weight * _join(case, state, row, other, c2, first, beyond)
    return total


@kernel
def advance(
    case: Corners, pairs: Numbers, state: State, first: int, beyond: int, budget: int, stop: NDArray[np.uint8]
) -> tuple[int, int]:
    """Visit up to `budget` nodes of the pairs of one case, which are children `first` to `beyond` − 1 of the root."""
    nodes = found = 0
    depth = state.depth[0]
    while depth > 0 and state.at[0] < beyond and nodes < budget and stop[0] == 0:
        pair = state.at[0] - first
        row, other = pairs[0, pair], pairs[1, pair]
        if state.ready[0] != pair:
            gather(case, state, pair, row, other)
        nodes += 1
        if depth == 1 and state.ready[1] > 0:
            blocks = (state.ready[1] + _BLOCK - 1) // _BLOCK
            state.at[1], state.last[1], state.width[1] = 0, blocks - 1, blocks
            depth = 2
            continue
        if depth == 2:
            found += _count(case, state, row, other, state.at[1])
            if state.at[1] < state.last[1]:
                state.at[1] += 1
                continue
        depth = 1
        if state.at[0] < state.last[0]:
            state.at[0] += 1
        else:
            depth = -1
    state.depth[0] = depth
    return nodes, found


def _rows(number: int) -> Words:
    """A buffer of rows, each aligned to a cache line."""
    buffer = np.zeros((number + 1) * _STRIDE, np.uint64)
    begin = -buffer.ctypes.data // buffer.itemsize % _LINE
    return buffer[begin : begin + number * _STRIDE].reshape(number, _STRIDE)


@dataclass
class Position:
    """The cursor of a search, and the tables of its current case."""

    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers
    number: int = -1  # of the case
    case: Corners | None = None
    tables: State | None = None


@dataclass
class HalfCount(TreeSearch):
    """Counts the solutions of n queens; the nodes are the root, the pairs (R1, R2) of all cases, and the blocks of each."""

    side: int
    name: str = field(init=False, default="queens.halves/1")

    @cached_property
    def plans(self) -> list[Plan]:
        return plans(self.side)

    @cached_property
    def firsts(self) -> Numbers:
        """The first pair of each case among the children of the root, and the number of children."""
        return np.concatenate([[0], np.cumsum([len(self._pairs(plan)[0]) for plan in self.plans])])

    def _pairs(self, plan: Plan) -> tuple[Numbers, Numbers]:
        return plan.pairs(self.side // 2)

    @property
    def width(self) -> int:
        return self.side

    def digest(self) -> str:
        return hashlib.sha256(f"halves {self.side}".encode()).hexdigest()

    def begin(self, cursor: Cursor) -> Position:
        at, last, width = (np.zeros(2, np.int64) for _ in range(3))
        position = Position(at, last, width, np.zeros(1, np.int64))
        write_cursor(position, cursor)
        if cursor.levels:
            wrong = bool(position.width[0] != self.firsts[-1])
            if not wrong and len(cursor.levels) == 2:
                case, tables = self._enter(position)
                pair, (rows, others) = at[0] - self.firsts[position.number], self._pairs(self.plans[position.number])
                wrong = bool(position.width[1] != -(-gather(case, tables, pair, rows[pair], others[pair]) // _BLOCK))
            if wrong:
                position.depth[0] = -2
        return position

    def _enter(self, position: Position) -> tuple[Corners, State]:
        """The current case of the cursor, with its tables."""
        number = int(np.searchsorted(self.firsts, position.at[0], side="right")) - 1
        if position.case is None or position.tables is None or position.number != number:
            case = corners(self.side, self.plans[number])
            count = len(case.columns1)
            nw, sw = np.diff(case.nw_start).reshape(-1, count), np.diff(case.sw_start).reshape(count, -1)
            longest, most = int((nw @ sw).max(initial=0)), int(np.diff(case.se_start).max(initial=0))
            position.number, position.case, position.tables = number, case, State(
                np.zeros(longest + 1, np.uint64), np.zeros(count + 1, np.int64), np.full(3, _NOTHING),
                np.zeros(_WORD, np.uint64), _rows(_WORD), _rows(most + 1), _rows(1)[0], np.zeros(most + 1, np.int64),
                position.at, position.last, position.width, position.depth,
            )  # fmt: skip
        return position.case, position.tables

    def step(
        self, state: Position, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound
    ) -> tuple[int, int]:
        nodes = found = 0
        if state.depth[0] == 0:
            children = int(self.firsts[-1])
            state.at[0], state.last[0], state.width[0], state.depth[0] = 0, children - 1, children, 1
            nodes = 1
        while state.depth[0] > 0 and nodes < budget and found < most and not stop[0]:
            case, tables = self._enter(state)
            plan = self.plans[state.number]
            first, beyond = self.firsts[state.number], self.firsts[state.number + 1]
            pairs = np.stack(self._pairs(plan))
            visited, more = advance(case, pairs, tables, first, beyond, budget - nodes, stop)
            nodes, found = nodes + int(visited), found + int(more) * plan.factor
        return nodes, found
