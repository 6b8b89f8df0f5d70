"""Counting n-queens by joining quadrants one by one: the kernel that jobs were begun with before `halves`, and go on with.

The words are those of `quadrant_cases`.  Each corner holds 5 to 50 placements: few enough for one word of bits, a bit a
placement.  Tables say for every part of a word of diagonals which placements of a corner stay clear of it; a pair (nw, se)
is one of many, and what is left for ne and sw comes from a few looks into tables:

    for nw, se:  open ne and open sw, by tables;  for each open sw:  the number of open ne that are clear of it, a popcount

A node is the root, a pair (R1, C1) of one of the cases, or one block of its ne placements: work of microseconds to
milliseconds.  Two more queens take 15 to 36 times as long, where the search row by row takes 46 times as long.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.queens.kernels.quadrant_blocks import BLOCK, ROW, ROWS, Case, build
from tablero.puzzles.queens.kernels.quadrant_cases import ALONE, EIGHT, Numbers, Plan, U, Words, images
from tablero.puzzles.queens.kernels.quadrant_search import CaseSearch, Standing
from tablero.search.base import Flag
from tablero.search.compiled import inlined, kernel, lowest, popcount

_SEVERAL = 6  # nw placements of a pair (R1, C1) from which on it pays to look up se placements once for all of them


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
def _segment(case: Case, row: int, column: int, c2: int, r: int) -> tuple[int, int]:
    """How many images the tuple of sets has (0 where another is searched), and the next R2 where that may differ."""
    symmetry = case.symmetry[0]
    count = len(case.rows2)
    if symmetry == ALONE:
        return 1, count
    # R1 comes before the three others, and for eight symmetries before their complements too: sets are in order.
    low, high = row, count
    if symmetry == EIGHT:
        high = count - row
    if r < low:
        return 0, low
    if r >= high or c2 < low or c2 >= high:
        return 0, count
    tie = column == low or c2 == low or (symmetry == EIGHT and (column == high - 1 or c2 == high - 1))
    if not tie and low < r < high - 1:
        return symmetry, high - 1
    every = (1 << case.side[1]) - 1
    found = images(symmetry, every, case.rows1[row], case.columns1[column], case.rows2[r], case.columns2[c2])
    return found, r + 1


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
            first = case.sw_start[column * count + r] + BLOCK * block
            size = min(BLOCK, case.sw_start[column * count + r + 1] - first)
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
    total = np.int64(0)
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
                for place in range(begin_e, end_e):
                    se = case.se[U(place)]
                    g = (U(layer_base) + (se >> ROW & ROWS)) << U(bits)
                    state.sw_clear[U(place - base)] = (
                        state.sw_falling[g + (se & mask)] & state.sw_outer[g + (se >> outer)]
                    )
                    state.ne_clear[U(place - base)] = (
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
                        g = U(layer_base) + (se >> ROW & ROWS)
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
                    at = U(case.sw_start[U(column * count) + (case.se[e] >> ROW & ROWS)] + BLOCK * layer)
                    while sw != U(0):
                        other = case.sw[at + lowest(sw)] >> U(32)
                        sw &= sw - U(1)
                        found += popcount(
                            ne
                            & state.ne_inner[inner_table + (other & inner)]
                            & state.ne_outer[table + (other >> east | rising)]
                        )
            total += np.int64(found) * weight
    return int(total)


@kernel
def advance(case: Case, state: State, first: int, beyond: int, budget: int, stop: NDArray[np.uint8]) -> tuple[int, int]:
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
            found += _join(case, state, row, column, case.ne_first[row] + state.at[1])
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


@dataclass
class QuadrantCount(CaseSearch):
    """The search for the number of ways to set n queens."""

    name: str = field(init=False, default="queens.quadrants/1")

    def _pairs(self, plan: Plan) -> tuple[Numbers, Numbers]:
        return plan.pairs(self.side // 2, 1)

    def _blocks(self, standing: Standing, pair: int) -> int:
        case = standing.case
        row = case.pair_row[pair]
        return int(case.ne_first[row + 1] - case.ne_first[row])

    def _enter(self, plan: Plan, standing: Standing) -> None:
        case = build(self.side, plan)
        _, h, begin = case.side.tolist()
        bits = 2 * h - 1 - begin
        blocks = int(np.diff(case.ne_first).max(initial=0))
        corners = len(case.rows2) * int(case.sw_blocks.max(initial=0))
        ends = case.se_start.reshape(-1, len(case.rows2) + 1)
        longest = int((ends[:, -1] - ends[:, 0]).max(initial=0)) + 1

        def room(*sizes: int) -> Words:
            return np.zeros(sizes, np.uint64)

        standing.case, standing.tables = case, State(
            room(blocks << bits), room(blocks << begin), room(blocks << bits), room(corners << bits), room(corners << bits),
            room(int(np.diff(case.nw_start).max(initial=0)), corners), room(longest), room(longest), np.full(2, -1),
            room(longest), room(longest), room(longest), standing.at, standing.last, standing.width, standing.depth,
        )  # fmt: skip

    def _visit(self, standing: Standing, first: int, beyond: int, budget: int, stop: Flag) -> tuple[int, int]:
        return advance(standing.case, standing.tables, first, beyond, budget, stop)
