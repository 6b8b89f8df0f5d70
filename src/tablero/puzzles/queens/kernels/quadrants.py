"""Counting n-queens by joining the four quadrants of the board.

    quadrant      a quarter of the board, h = n // 2 cells a side: nw, ne, sw, se.  Where n is odd a row and a column lie
                  between them, and the queens of these two (or the one in the middle) are set before: the start
    placement     some queens in one quadrant that do not attack each other, as a word of the diagonals they stand on
    sets          which rows and columns of its quadrant a placement uses
    corner        the placements of one set of rows and one of columns

Rows R1 and columns C1 of the nw placement and those of the se placement (R2, C2, counted from the far corner inwards) say
which rows and columns ne and sw must use: all others.  So a solution is four placements out of four corners that are known
from (R1, C1, R2, C2), and only diagonals are left to compare.  Each corner holds 5 to 50 placements: few enough for
one word of bits, a bit a placement.  Tables say for every part of a word of diagonals which placements of a corner stay
clear of it; a pair (nw, se) is one of many, and what is left for ne and sw comes from a few looks into tables:

    for nw, se:  open ne and open sw, by tables;  for each open sw:  the number of open ne that are clear of it, a popcount

The symmetries of the square act on (R1, C1, R2, C2): a transposition exchanges R1 with C1 and R2 with C2, half a turn R1
with R2 and C1 with C2.  So of four tuples one is joined, that with the least R1.  A reflection makes ne the new nw, with the
other rows: either the number of queens in nw differs from that in ne, and only the smaller is searched, or it is one
more symmetry.  A start off the middle differs from its seven images, so one of eight is searched and no more is needed.

A node is the root, a pair (R1, C1) of one of the cases, or one block of its ne placements: work of microseconds to
milliseconds.  Compared with the search row by row, the time for one more queen grows by 5, not by 6.6.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations
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

LEAST, MOST = 4, 22  # sides of boards: beyond, the placements of a quadrant take gigabytes
_BLOCK = 64  # placements to a word of bits
_NONE, _FOUR, _EIGHT = 1, 4, 8  # symmetries that are left within a case
_SEVERAL = 6  # nw placements of a pair (R1, C1) from which on it pays to look up se placements once for all of them
_ROW, _ROWS = U(21), U(0x7FF)  # where the word of an se placement has the index of its R2
_CASES = 4  # kept in memory: threads are seldom in more than two


class Case(NamedTuple):
    """One way to part the queens among the quadrants, with all placements.

    A word holds, from bit 0, the falling diagonals that nw and se share, and from bit 32 the rising ones that ne and sw
    share; that of an se placement also the index of its R2.
    """

    side: Numbers  # h, and where the second half begins: h or h + 1
    symmetry: Numbers
    rows1: Numbers  # the sets, as bits, in order
    columns1: Numbers
    rows2: Numbers
    columns2: Numbers
    pair_row: Numbers  # the pairs (R1, C1) that are searched: indices of both
    pair_column: Numbers
    nw_start: Numbers  # by (R1, C1)
    nw: Words
    ne_first: Numbers  # by R1: its first block
    ne_columns: Numbers  # by block: index of C2
    ne_start: Numbers  # by block
    ne: Words
    sw_start: Numbers  # by (C1, R2)
    sw_blocks: Numbers  # by C1: blocks of its largest corner
    sw: Words
    se_start: Numbers  # by (C2, R2), with an end for every C2; each C2 begins at a multiple of 64
    se: Words
    clash: Words  # by diagonal: a bit for every se placement on it


class State(NamedTuple):
    """Tables for the node stood on; `at`, `last`, `width` and `depth` are the cursor."""

    ne_falling: Words  # by ne block of R1: its placements that are clear of these falling diagonals
    ne_inner: Words  # … of these rising ones that nw can attack too
    ne_outer: Words  # … of these that se can
    sw_falling: Words  # the same for the sw placements of C1, by R2
    sw_outer: Words
    sw_open: Words  # by nw placement and R2: the sw placements clear of it
    sw_clear: Words  # by se placement: the sw placements clear of it
    ne_clear: Words
    ready: Numbers  # the R1 and the C1 that the tables are made for; −1 for none
    kept_ne: Words
    kept_sw: Words
    kept_se: Words
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over


@kernel
def place(
    side: Numbers, queens: int, south: int, east: int, rows: int, columns: int, taken: Words, row_key: Numbers,
    column_key: Numbers, stack: Words, places: Numbers, out: Words,
) -> None:  # fmt: skip
    """Write every placement into `out` at the next place of its corner; without room in `out`, only count.

    `rows` and `columns` may be used, as bits; `taken` are the diagonals of the start.  `stack` is scratch.
    """
    n, h, begin = side[0], side[1], side[2]
    fill = len(out) > 0
    north_row, west_column = (begin if south else 0), (begin if east else 0)
    low, cut = U(begin), (U(1) << U(2 * h - 1)) - U(1)
    if queens == 0:
        key = row_key[0] + column_key[0]
        if fill:
            out[places[key]] = U(row_key[0]) << _ROW if south and east else U(0)
        places[key] += 1
        return
    # By depth: row, free columns, columns used, rows used, falling (column − row + n − 1), rising (row + column).
    d = 0
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4], stack[0, 5] = (
        ~U(0), U(0), U(0), U(0), taken[0], taken[1],
    )  # fmt: skip
    while d >= 0:
        if stack[d, 1] == U(0):
            row = np.int64(stack[d, 0] + U(1))
            if row > h - queens + d:
                d -= 1
                continue
            stack[d, 0] = U(row)
            if rows >> row & 1:
                falling = stack[d, 4] >> U(west_column - north_row - row + n - 1)
                rising = stack[d, 5] >> U(west_column + north_row + row)
                stack[d, 1] = U(columns) & ~(stack[d, 2] | falling | rising)
            continue
        queen = stack[d, 1] & (~stack[d, 1] + U(1))
        stack[d, 1] ^= queen
        row = np.int64(stack[d, 0])
        used_columns, used_rows = stack[d, 2] | queen, stack[d, 3] | U(1) << U(row)
        falling = stack[d, 4] | queen << U(west_column - north_row - row + n - 1)
        rising = stack[d, 5] | queen << U(west_column + north_row + row)
        if d == queens - 1:
            key = row_key[np.int64(used_rows)] + column_key[np.int64(used_columns)]
            if fill:
                own_falling, own_rising = falling & ~taken[0], rising & ~taken[1]
                word = (own_falling >> low) & cut | ((own_rising >> low) & cut) << U(32)
                out[places[key]] = word | U(row_key[np.int64(used_rows)]) << _ROW if south and east else word
            places[key] += 1
        else:
            d += 1
            stack[d, 0], stack[d, 1], stack[d, 2], stack[d, 3], stack[d, 4], stack[d, 5] = (
                U(row), U(0), used_columns, used_rows, falling, rising,
            )  # fmt: skip


@kernel
def cross(se: Words, starts: Numbers, ends: Numbers, clash: Words) -> None:
    """Enter every se placement at its diagonals."""
    for segment in range(len(starts)):
        for e in range(starts[segment], ends[segment]):
            falling = se[e] & ((U(1) << _ROW) - U(1))
            while falling != U(0):
                clash[np.int64(lowest(falling)), e >> 6] |= U(1) << U(e & 63)
                falling &= falling - U(1)


@inlined
def _tabulate(table: Words, base: int, bits: int, words: Words, begin: int, number: int, shift: int) -> None:
    """For every set of `bits` diagonals, those from `shift` on: which of the placements stay clear of all of them."""
    table[U(base)] = ~U(0) >> U(64 - number)
    for bit in range(bits):
        on = U(0)
        for e in range(number):
            on |= (words[U(begin + e)] >> U(shift + bit) & U(1)) << U(e)
        size = 1 << bit
        for i in range(size):
            table[U(base + size + i)] = table[U(base + i)] & ~on


@inlined
def _images(symmetry: int, every: int, r1: int, c1: int, r2: int, c2: int) -> int:
    """How many images the tuple of sets has; 0 where one of them comes before it."""
    own = ((r1 << 16 | c1) << 16 | r2) << 16 | c2
    same = 0
    for image in range(symmetry):
        a, b, c, d = r1, c1, r2, c2
        if image >= 4:
            a, b, c, d = every ^ r1, every ^ c2, every ^ r2, every ^ c1
        if image & 1:
            a, b, c, d = b, a, d, c
        if image & 2:
            a, b, c, d = c, d, a, b
        other = ((a << 16 | b) << 16 | c) << 16 | d
        if other < own:
            return 0
        same += other == own
    return symmetry // same


@inlined
def _segment(case: Case, row: int, column: int, c2: int, r: int) -> tuple[int, int]:
    """How many images the tuple with these sets and R2 has (0 where another is searched), and the first R2 that may differ."""
    symmetry = case.symmetry[0]
    count = len(case.rows2)
    if symmetry == _NONE:
        return 1, count
    # R1 comes before the three others, and for eight symmetries before their complements too: sets are in order.
    low, high = row, count
    if symmetry == _EIGHT:
        high = count - row
    if r < low:
        return 0, low
    if r >= high or c2 < low or c2 >= high:
        return 0, count
    tie = column == low or c2 == low or (symmetry == _EIGHT and (column == high - 1 or c2 == high - 1))
    if not tie and low < r < high - 1:
        return symmetry, high - 1
    every = (1 << case.side[1]) - 1
    images = _images(symmetry, every, case.rows1[row], case.columns1[column], case.rows2[r], case.columns2[c2])
    return images, r + 1


@inlined
def _prepare_row(case: Case, state: State, row: int) -> None:
    """Make the tables of ne for this R1."""
    h, begin = case.side[1], case.side[2]
    bits = 2 * h - 1 - begin
    for block in range(case.ne_first[row], case.ne_first[row + 1]):
        first, size = case.ne_start[block], case.ne_start[block + 1] - case.ne_start[block]
        place = block - case.ne_first[row]
        _tabulate(state.ne_falling, place << bits, bits, case.ne, first, size, begin)
        _tabulate(state.ne_inner, place << begin, begin, case.ne, first, size, 32)
        _tabulate(state.ne_outer, place << bits, bits, case.ne, first, size, 32 + begin)


@inlined
def _prepare(case: Case, state: State, row: int, column: int) -> None:
    """Make the tables of sw for this pair (R1, C1)."""
    h, begin = case.side[1], case.side[2]
    bits = 2 * h - 1 - begin  # diagonals that two neighbouring quadrants share, in one direction
    mask = (U(1) << U(bits)) - U(1)
    inner = (U(1) << U(begin)) - U(1)
    count = len(case.rows2)
    own = case.nw_start[row * len(case.columns1) + column]
    number = case.nw_start[row * len(case.columns1) + column + 1] - own
    for block in range(case.sw_blocks[column]):
        for r in range(count):
            g = block * count + r
            first = case.sw_start[column * count + r] + _BLOCK * block
            size = min(_BLOCK, case.sw_start[column * count + r + 1] - first)
            if size <= 0:
                for t in range(number):
                    state.sw_open[t, g] = U(0)
                continue
            _tabulate(state.sw_falling, g << bits, bits, case.sw, first, size, 0)
            _tabulate(state.sw_outer, g << bits, bits, case.sw, first, size, 32 + begin)
            for t in range(number):
                word = case.nw[own + t]
                rising = word >> U(32) & inner
                clash = U(0)
                for e in range(size):
                    clash |= U((case.sw[first + e] >> U(32) & rising) != U(0)) << U(e)
                state.sw_open[t, g] = state.sw_falling[U(g << bits) + (word & mask)] & ~clash


@inlined
def _join(case: Case, state: State, row: int, column: int, block: int) -> int:
    """How many solutions have this pair (R1, C1) and an ne placement of this block, in all their images."""
    h, begin = case.side[1], case.side[2]
    bits = 2 * h - 1 - begin
    mask = (U(1) << U(bits)) - U(1)
    inner = (U(1) << U(begin)) - U(1)
    east, outer = U(begin), U(32 + begin)
    count = len(case.rows2)
    c2 = case.ne_columns[block]
    table, inner_table = U(block - case.ne_first[row] << bits), U(block - case.ne_first[row] << begin)
    own = case.nw_start[row * len(case.columns1) + column]
    number = case.nw_start[row * len(case.columns1) + column + 1] - own
    corner = c2 * (count + 1)
    base = case.se_start[corner]
    several = number >= _SEVERAL
    total = 0
    for layer in range(case.sw_blocks[column]):
        layer_base = layer * count
        r = 0
        while r < count:
            begin_e = case.se_start[corner + r]
            weight, r = _segment(case, row, column, c2, r)
            end_e = case.se_start[corner + r]
            if weight == 0 or begin_e == end_e:
                continue
            if several:
                for e in range(begin_e, end_e):
                    se = case.se[U(e)]
                    g = (U(layer_base) + (se >> _ROW & _ROWS)) << U(bits)
                    state.sw_clear[U(e - base)] = state.sw_falling[g + (se & mask)] & state.sw_outer[g + (se >> outer)]
                    state.ne_clear[U(e - base)] = (
                        state.ne_falling[table + (se >> east & mask)] & state.ne_outer[table + (se >> outer)]
                    )
            found = U(0)
            first_word, last_word = begin_e >> 6, (end_e - 1) >> 6
            for t in range(number):
                nw = case.nw[U(own + t)]
                ne_open = (
                    state.ne_falling[table + (nw >> east & mask)] & state.ne_inner[inner_table + (nw >> U(32) & inner)]
                )
                if ne_open == U(0):
                    continue
                kept = 0
                for w in range(first_word, last_word + 1):
                    free = ~U(0)
                    falling = nw & U(0xFFFFFFFF)
                    while falling != U(0):
                        free &= ~case.clash[lowest(falling), U(w)]
                        falling &= falling - U(1)
                    if w == first_word:
                        free &= ~U(0) << U(begin_e & 63)
                    if w == last_word:
                        free &= ~U(0) >> U(63 - (end_e - 1 & 63))
                    while free != U(0):
                        e = U(w << 6) + lowest(free)
                        free &= free - U(1)
                        se = case.se[e]
                        g = U(layer_base) + (se >> _ROW & _ROWS)
                        sw, ne = state.sw_open[U(t), g], ne_open
                        if several:
                            sw &= state.sw_clear[e - U(base)]
                            ne &= state.ne_clear[e - U(base)]
                        else:
                            g <<= U(bits)
                            sw &= state.sw_falling[g + (se & mask)] & state.sw_outer[g + (se >> outer)]
                            ne &= state.ne_falling[table + (se >> east & mask)] & state.ne_outer[table + (se >> outer)]
                        state.kept_se[U(kept)] = e
                        state.kept_sw[U(kept)] = sw
                        state.kept_ne[U(kept)] = ne
                        kept += (sw != U(0)) & (ne != U(0))
                for i in range(kept):
                    e = state.kept_se[U(i)]
                    sw = state.kept_sw[U(i)]
                    ne = state.kept_ne[U(i)]
                    rising = case.se[e] >> outer
                    at = U(case.sw_start[U(column * count) + (case.se[e] >> _ROW & _ROWS)] + _BLOCK * layer)
                    while sw != U(0):
                        other = case.sw[at + lowest(sw)] >> U(32)
                        sw &= sw - U(1)
                        found += popcount(
                            ne
                            & state.ne_inner[inner_table + (other & inner)]
                            & state.ne_outer[table + (other >> east | rising)]
                        )
            total += np.int64(found) * weight
    return total


@kernel
def advance(case: Case, state: State, first: int, beyond: int, factor: int, budget: int, stop: NDArray[np.uint8]) -> tuple[int, int]:
    """Visit up to `budget` nodes of the pairs of one case, which are children `first` to `beyond` − 1 of the root."""
    nodes = 0
    found = 0
    depth = state.depth[0]
    while depth > 0 and state.at[0] < beyond and nodes < budget and stop[0] == 0:
        pair = state.at[0] - first
        row, column = case.pair_row[pair], case.pair_column[pair]
        blocks = case.ne_first[row + 1] - case.ne_first[row]
        nodes += 1
        if depth == 1:
            if blocks > 0:
                state.at[1] = 0
                state.last[1] = blocks - 1
                state.width[1] = blocks
                depth = 2
                continue
        else:
            if state.ready[0] != row:
                _prepare_row(case, state, row)
            if state.ready[0] != row or state.ready[1] != column:
                _prepare(case, state, row, column)
            state.ready[0], state.ready[1] = row, column
            found += factor * _join(case, state, row, column, case.ne_first[row] + state.at[1])
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


class Plan(NamedTuple):
    """What makes a case: queens of the start, rows and columns that are left, queens in nw, and what its solutions count."""

    start: tuple[tuple[int, int], ...]
    rows: tuple[int, int]  # that are left in the north and in the south, as bits
    columns: tuple[int, int]  # in the west and in the east
    queens: int
    symmetry: int
    factor: int

    def sets(self, h: int) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """R1, C1, R2, C2: all sets of rows and columns that nw and se may have."""
        in_sw = self.columns[0].bit_count() - self.queens
        in_se = self.rows[1].bit_count() - in_sw
        first = (_subsets(self.rows[0], self.queens), _subsets(self.columns[0], self.queens))
        return *first, _subsets(_turned(self.rows[1], h), in_se), _subsets(_turned(self.columns[1], h), in_se)

    def pairs(self, h: int) -> tuple[Numbers, Numbers]:
        """The pairs (R1, C1) that are searched, as indices."""
        rows, columns, _, _ = self.sets(h)
        row, column = (grid.ravel() for grid in np.indices((len(rows), len(columns))))
        if self.symmetry == _FOUR:
            chosen = row <= column
        elif self.symmetry == _EIGHT:
            chosen = (row <= column) & (column < len(rows) - row)
        else:
            chosen = np.ones(len(row), bool)
        return row[chosen], column[chosen]


def plans(n: int) -> list[Plan]:
    """All cases of a board: together they hold every solution in just one image, times what it counts."""
    if not LEAST <= n <= MOST:
        raise BadInput(f"counting {n} queens by quadrants: expected {LEAST} to {MOST}")
    h = n // 2
    every = (1 << h) - 1
    middle = ((h, h),) if n % 2 else ()
    found = [
        Plan(middle, (every, every), (every, every), k, _EIGHT if 2 * k == h else _FOUR, 1 if 2 * k == h else 2)
        for k in range(h // 2 + 1)
    ]
    for r, c in combinations(range(h), 2) if n % 2 else ():
        for k in range(h):
            fewer = 2 * k + 1 <= 2 * (h - 1 - k)  # queens in nw and se than in ne and sw: else the mirror image
            start = ((r, h), (h, c if fewer else n - 1 - c))
            west = every ^ 1 << c
            columns = (west, every) if fewer else (every, _turned(west, h))
            found.append(Plan(start, (every ^ 1 << r, every), columns, k if fewer else h - 1 - k, _NONE, 8))
    return found


def _subsets(elements: int, size: int) -> Numbers:
    """All sets of so many of these bits, in order."""
    bits = [1 << i for i in range(elements.bit_length()) if elements >> i & 1]
    return np.array(sorted(map(sum, combinations(bits, size))), np.int64)


def _turned(bits: int, h: int) -> int:
    """The bits counted from the other end."""
    return sum(1 << (h - 1 - i) for i in range(h) if bits >> i & 1)


@lru_cache(_CASES)
def build(n: int, plan: Plan) -> Case:
    """Find the placements of all quadrants."""
    h, begin = n // 2, n - n // 2
    side = np.array([n, h, begin])
    rows1, columns1, rows2, columns2 = plan.sets(h)
    (north, south), (west, east) = plan.rows, plan.columns
    taken = np.zeros(2, np.uint64)
    for r, c in plan.start:
        taken |= np.array([1 << (c - r + n - 1), 1 << (r + c)], np.uint64)
    turn = np.array([_turned(bits, h) for bits in range(1 << h)])
    stack = np.zeros((h + 1, 6), np.uint64)

    def index(sets: Numbers, of: Numbers) -> Numbers:
        """The index of every set, where it is one."""
        number = np.zeros(1 << h, np.int64)
        number[sets] = np.arange(len(sets))
        return number[of & (1 << h) - 1]

    def found(queens: int, half: tuple[int, int], keys: tuple[Numbers, Numbers], size: int, pad: int = 0) -> tuple[Numbers, Words]:
        """Where every corner begins, and the placements; every `pad` corners begin a new word of bits."""
        usable = (south if half[0] else north, east if half[1] else west)
        places = np.zeros(size, np.int64)
        nothing = np.zeros(0, np.uint64)
        if 0 <= queens <= h:
            place(side, queens, *half, *usable, taken, *keys, stack, places, nothing)
        if pad:
            rows_of = places.reshape(-1, pad)
            whole = -(-rows_of.sum(axis=1) // _BLOCK) * _BLOCK
            heads = np.concatenate([[0], np.cumsum(whole)])
            starts = np.concatenate([heads[:-1, None], heads[:-1, None] + np.cumsum(rows_of, axis=1)], axis=1)
            following, room = starts[:, :-1].ravel().copy(), int(heads[-1])
        else:
            starts = np.concatenate([[0], np.cumsum(places)])
            following, room = starts[:-1].copy(), int(starts[-1])
        words = np.zeros(room, np.uint64)
        if room:
            place(side, queens, *half, *usable, taken, *keys, stack, following, words)
        return starts, words

    all_bits = np.arange(1 << h)
    k1, k2 = len(columns1), len(rows2)
    in_ne, in_sw = north.bit_count() - plan.queens, west.bit_count() - plan.queens
    in_se = south.bit_count() - in_sw
    sizes = len(rows1) * k1, len(rows1) * len(columns2), k1 * k2, len(columns2) * k2
    nw_start, nw = found(plan.queens, (0, 0), (index(rows1, all_bits) * k1, index(columns1, all_bits)), sizes[0])
    ne_start, ne = found(
        in_ne, (0, 1), (index(rows1, north ^ all_bits) * len(columns2), index(columns2, turn[east ^ all_bits & east])), sizes[1]
    )
    sw_start, sw = found(
        in_sw, (1, 0), (index(rows2, turn[south ^ all_bits & south]), index(columns1, west ^ all_bits) * k2), sizes[2]
    )
    se_start, se = found(in_se, (1, 1), (index(rows2, turn), index(columns2, turn) * k2), sizes[3], k2)
    pair_row, pair_column = plan.pairs(h)
    blocks = -(-np.diff(ne_start) // _BLOCK)
    corner = np.repeat(np.arange(sizes[1]), blocks)
    first_block = np.concatenate([[0], np.cumsum(blocks)])
    block_start = ne_start[corner] + _BLOCK * (np.arange(len(corner)) - first_block[corner])
    clash = np.zeros((2 * h - 1, len(se) // _BLOCK), np.uint64)
    if len(se):
        cross(se, np.ascontiguousarray(se_start[:, 0]), np.ascontiguousarray(se_start[:, -1]), clash)
    return Case(
        side, np.array([plan.symmetry]), rows1, columns1, rows2, columns2, pair_row, pair_column, nw_start, nw,
        first_block[:: len(columns2)].copy(), corner % len(columns2), np.append(block_start, len(ne)), ne, sw_start,
        -(-np.diff(sw_start).reshape(k1, k2).max(axis=1, initial=0) // _BLOCK), sw, se_start.ravel(), se, clash,
    )  # fmt: skip


@dataclass
class Standing:
    """Where a search stands, and the tables of the case it is in."""

    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers
    case: int = -1
    tables: State | None = None


@dataclass
class QuadrantCount(TreeSearch):
    """The search for the number of ways to set n queens."""

    side: int
    name: str = field(init=False, default="queens.quadrants/1")

    @cached_property
    def plans(self) -> list[Plan]:
        return plans(self.side)

    @cached_property
    def firsts(self) -> Numbers:
        """The first pair of every case among the children of the root, and how many there are."""
        return np.concatenate([[0], np.cumsum([len(plan.pairs(self.side // 2)[0]) for plan in self.plans])])

    @property
    def width(self) -> int:
        return self.side

    def digest(self) -> str:
        return hashlib.sha256(f"queens by quadrants {self.side}".encode()).hexdigest()

    def begin(self, cursor: Cursor) -> Standing:
        standing = Standing(*(np.zeros(2, np.int64) for _ in range(3)), np.zeros(1, np.int64))
        write_cursor(standing, cursor)
        if cursor.levels:
            wrong = standing.width[0] != self.firsts[-1]
            if not wrong and len(cursor.levels) == 2:
                self._enter(standing)
                case = build(self.side, self.plans[standing.case])
                row = case.pair_row[standing.at[0] - self.firsts[standing.case]]
                wrong = standing.width[1] != case.ne_first[row + 1] - case.ne_first[row]
            if wrong:
                standing.depth[0] = -2
        return standing

    def _enter(self, standing: Standing) -> None:
        """Make tables for the case that the cursor is in."""
        standing.case = int(np.searchsorted(self.firsts, standing.at[0], side="right")) - 1
        case = build(self.side, self.plans[standing.case])
        _, h, begin = case.side.tolist()
        bits = 2 * h - 1 - begin
        corners = len(case.rows2) * int(case.sw_blocks.max(initial=0))
        ends = case.se_start.reshape(-1, len(case.rows2) + 1)
        longest = int((ends[:, -1] - ends[:, 0]).max(initial=0))
        several = int(np.diff(case.nw_start).max(initial=0))
        blocks = int(np.diff(case.ne_first).max(initial=0))
        sizes = [blocks << bits, blocks << begin, blocks << bits, corners << bits, corners << bits, (several, corners), longest, longest]
        words = [np.zeros(size, np.uint64) for size in sizes]
        kept = [np.zeros(longest + 1, np.uint64) for _ in range(3)]
        standing.tables = State(*words, np.full(2, -1), *kept, standing.at, standing.last, standing.width, standing.depth)

    def step(self, state: Standing, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        nodes = found = 0
        if state.depth[0] == 0:
            children = int(self.firsts[-1])
            state.at[0], state.last[0], state.width[0], state.depth[0] = 0, children - 1, children, 1
            nodes = 1
        while state.depth[0] > 0 and nodes < budget and found < most and not stop[0]:
            if state.tables is None or not self.firsts[state.case] <= state.at[0] < self.firsts[state.case + 1]:
                self._enter(state)
            plan, first, beyond = self.plans[state.case], self.firsts[state.case], self.firsts[state.case + 1]
            case = build(self.side, plan)
            visited, more = advance(case, state.tables, first, beyond, plan.factor, budget - nodes, stop)
            nodes, found = nodes + int(visited), found + int(more)
        return nodes, found
