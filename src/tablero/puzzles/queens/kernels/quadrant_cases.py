"""The cases of counting queens by quadrants, each with all placements in them; the words are those of `quadrants`."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.search.compiled import kernel, lowest

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

LEAST, MOST = 4, 22  # sides of boards: beyond, the placements of a quadrant take gigabytes
BLOCK = 64  # placements to a word of bits
ALONE, FOUR, EIGHT = 1, 4, 8  # symmetries that are left within a case
ROW, ROWS = U(21), U(0x7FF)  # where the word of an se placement has the index of its R2
_CASES = 2  # kept in memory beside those that a thread is in


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
            out[places[key]] = U(row_key[0]) << ROW if south and east else U(0)
        places[key] += 1
        return
    # By depth: the next row, free columns of the one before it, columns used, rows used, falling (column − row + n − 1),
    # rising (row + column).
    d = 0
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4], stack[0, 5] = (
        U(0), U(0), U(0), U(0), taken[0], taken[1],
    )  # fmt: skip
    while d >= 0:
        if stack[d, 1] == U(0):
            row = np.int64(stack[d, 0])
            if row > h - queens + d:
                d -= 1
                continue
            stack[d, 0] = U(row + 1)
            if rows >> row & 1:
                falling = stack[d, 4] >> U(west_column - north_row - row + n - 1)
                rising = stack[d, 5] >> U(west_column + north_row + row)
                stack[d, 1] = U(columns) & ~(stack[d, 2] | falling | rising)
            continue
        queen = stack[d, 1] & (~stack[d, 1] + U(1))
        stack[d, 1] ^= queen
        row = np.int64(stack[d, 0]) - 1
        used_columns, used_rows = stack[d, 2] | queen, stack[d, 3] | U(1) << U(row)
        falling = stack[d, 4] | queen << U(west_column - north_row - row + n - 1)
        rising = stack[d, 5] | queen << U(west_column + north_row + row)
        if d == queens - 1:
            key = row_key[np.int64(used_rows)] + column_key[np.int64(used_columns)]
            if fill:
                own_falling, own_rising = falling & ~taken[0], rising & ~taken[1]
                word = (own_falling >> low) & cut | ((own_rising >> low) & cut) << U(32)
                out[places[key]] = word | U(row_key[np.int64(used_rows)]) << ROW if south and east else word
            places[key] += 1
        else:
            d += 1
            stack[d, 0], stack[d, 1], stack[d, 2], stack[d, 3], stack[d, 4], stack[d, 5] = (
                U(row + 1), U(0), used_columns, used_rows, falling, rising,
            )  # fmt: skip


@kernel
def cross(se: Words, starts: Numbers, ends: Numbers, clash: Words) -> None:
    """Enter every se placement at its diagonals."""
    for segment in range(len(starts)):
        for e in range(starts[segment], ends[segment]):
            falling = se[e] & ((U(1) << ROW) - U(1))
            while falling != U(0):
                clash[np.int64(lowest(falling)), e >> 6] |= U(1) << U(e & 63)
                falling &= falling - U(1)


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
        if self.symmetry == FOUR:
            chosen = row <= column
        elif self.symmetry == EIGHT:
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
        Plan(middle, (every, every), (every, every), k, EIGHT if 2 * k == h else FOUR, 1 if 2 * k == h else 2)
        for k in range(h // 2 + 1)
    ]
    for r, c in combinations(range(h), 2) if n % 2 else ():
        for k in range(h):
            fewer = 2 * k + 1 <= 2 * (h - 1 - k)  # queens in nw and se than in ne and sw: else the mirror image
            start = ((r, h), (h, c if fewer else n - 1 - c))
            west = every ^ 1 << c
            columns = (west, every) if fewer else (every, _turned(west, h))
            found.append(Plan(start, (every ^ 1 << r, every), columns, k if fewer else h - 1 - k, ALONE, 8))
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
        return np.asarray(number[of & (1 << h) - 1])

    def found(
        queens: int, half: tuple[int, int], keys: tuple[Numbers, Numbers], size: int, pad: int = 0
    ) -> tuple[Numbers, Words]:
        """Where every corner begins, and the placements; every `pad` corners begin a new word of bits."""
        usable = (south if half[0] else north, east if half[1] else west)
        places = np.zeros(size, np.int64)
        nothing = np.zeros(0, np.uint64)
        if 0 <= queens <= h:
            place(side, queens, *half, *usable, taken, *keys, stack, places, nothing)
        if pad:
            rows_of = places.reshape(-1, pad)
            whole = -(-rows_of.sum(axis=1) // BLOCK) * BLOCK
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
        in_ne,
        (0, 1),
        (index(rows1, north ^ all_bits) * len(columns2), index(columns2, turn[east ^ all_bits & east])),
        sizes[1],
    )
    sw_start, sw = found(
        in_sw, (1, 0), (index(rows2, turn[south ^ all_bits & south]), index(columns1, west ^ all_bits) * k2), sizes[2]
    )
    se_start, se = found(in_se, (1, 1), (index(rows2, turn), index(columns2, turn) * k2), sizes[3], k2)
    pair_row, pair_column = plan.pairs(h)
    blocks = -(-np.diff(ne_start) // BLOCK)
    corner = np.repeat(np.arange(sizes[1]), blocks)
    first_block = np.concatenate([[0], np.cumsum(blocks)])
    block_start = ne_start[corner] + BLOCK * (np.arange(len(corner)) - first_block[corner])
    clash = np.zeros((2 * h - 1, len(se) // BLOCK), np.uint64)
    if len(se):
        cross(se, np.ascontiguousarray(se_start[:, 0]), np.ascontiguousarray(se_start[:, -1]), clash)
    return Case(
        side, np.array([plan.symmetry]), rows1, columns1, rows2, columns2, pair_row, pair_column, nw_start, nw,
        first_block[:: len(columns2)].copy(), corner % len(columns2), np.append(block_start, len(ne)), ne, sw_start,
        -(-np.diff(sw_start).reshape(k1, k2).max(axis=1, initial=0) // BLOCK), sw, se_start.ravel(), se, clash,
    )  # fmt: skip
