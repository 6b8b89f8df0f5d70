"""The cases of counting n-queens by halves (`kernels.halves`), each with all placements in the four quadrants of the board.

    quadrant      a quarter of the board, h = n // 2 cells on each side: nw, ne, sw, se.  If n is odd, a row and a column lie
                  between them; their queens (two, or one in the middle) are placed first: the start
    placement     queens in one quadrant that do not attack each other, as a word of their diagonals
    sets          the rows and columns of its quadrant that a placement uses
    corner        the placements of one set of rows and one of columns

The rows R1 and columns C1 of the nw placement and those of the se placement (R2, C2, counted from the far corner inwards)
determine the rows and columns of ne and sw: all others.  A solution is therefore four placements out of four corners that
follow from (R1, C1, R2, C2), and only diagonals remain to be compared.

The symmetries of the square act on (R1, C1, R2, C2): a transposition exchanges R1 with C1 and R2 with C2, a half turn R1
with R2 and C1 with C2.  Of four tuples, the one with the least R1 is joined.  A reflection makes ne the new nw, with the
other rows.  Either the number of queens in nw differs from that in ne, and only the smaller is searched, or the reflection
is one more symmetry.  A start off the middle differs from its seven images, so that one of eight is searched.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.search.compiled import inlined, kernel

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

LEAST, MOST = 4, 22  # sides of boards; above, the placements of a quadrant take gigabytes
ALONE, FOUR, EIGHT = 1, 4, 8  # symmetries that remain within a case
_CASES = 2  # kept in memory besides those in use


class Corners(NamedTuple):
    """One way to divide the queens among the quadrants, with all placements.

    A word holds, from bit 0, the falling diagonals that nw and se share, and from bit 32 the rising ones that ne and sw
    share.  Other diagonals cross one quadrant only, so that two placements are compatible if their words share no bit.
    """

    side: Numbers  # n, h, and where the second half begins: h or h + 1
    symmetry: Numbers
    rows1: Numbers  # the sets, as bits, in order
    columns1: Numbers
    rows2: Numbers
    columns2: Numbers
    nw_start: Numbers  # by (R1, C1)
    nw: Words
    ne_start: Numbers  # by (R1, C2)
    ne: Words
    sw_start: Numbers  # by (C1, R2)
    sw: Words
    se_start: Numbers  # by (C2, R2)
    se: Words


@kernel
def place(
    side: Numbers, queens: int, south: int, east: int, rows: int, columns: int, taken: Words, row_key: Numbers,
    column_key: Numbers, stack: Words, places: Numbers, out: Words,
) -> None:  # fmt: skip
    """Write every placement into `out` at the next place of its corner; if `out` is empty, only count.

    `rows` and `columns` are the usable ones, as bits; `taken` is the diagonals of the start.  `stack` is a buffer.
    """
    n, h, begin = side[0], side[1], side[2]
    fill = len(out) > 0
    north_row, west_column = (begin if south else 0), (begin if east else 0)
    low, cut = U(begin), (U(1) << U(2 * h - 1)) - U(1)
    if queens == 0:
        key = row_key[0] + column_key[0]
        if fill:
            out[places[key]] = U(0)
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
                out[places[key]] = (own_falling >> low) & cut | ((own_rising >> low) & cut) << U(32)
            places[key] += 1
        else:
            d += 1
            stack[d, 0], stack[d, 1], stack[d, 2], stack[d, 3], stack[d, 4], stack[d, 5] = (
                U(row + 1), U(0), used_columns, used_rows, falling, rising,
            )  # fmt: skip


@inlined
def images(symmetry: int, every: int, r1: int, c1: int, r2: int, c2: int) -> int:
    """The number of images of the tuple of sets; 0 if one of them comes before it."""
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


class Plan(NamedTuple):
    """A case: queens of the start, remaining rows and columns, queens in nw, and the factor of its solutions."""

    start: tuple[tuple[int, int], ...]
    rows: tuple[int, int]  # that remain in the north and in the south, as bits
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
        """The pairs (R1, R2) that are searched, as indices."""
        sets = self.sets(h)
        first, second = (grid.ravel() for grid in np.indices((len(sets[0]), len(sets[2]))))
        if self.symmetry == FOUR:
            chosen = first <= second
        elif self.symmetry == EIGHT:
            chosen = (first <= second) & (second < len(sets[0]) - first)
        else:
            chosen = np.ones(len(first), bool)
        return first[chosen], second[chosen]


def plans(n: int) -> list[Plan]:
    """All cases of a board: together they count every solution once, by one image times its factor."""
    if not LEAST <= n <= MOST:
        raise BadInput(f"counting {n} queens by halves: expected {LEAST} to {MOST}")
    h = n // 2
    every = (1 << h) - 1
    middle = ((h, h),) if n % 2 else ()
    found = [
        Plan(middle, (every, every), (every, every), k, EIGHT if 2 * k == h else FOUR, 1 if 2 * k == h else 2)
        for k in range(h // 2 + 1)
    ]
    for r, c in combinations(range(h), 2) if n % 2 else ():
        for k in range(h):
            fewer = 2 * k + 1 <= 2 * (h - 1 - k)  # queens in nw and se than in ne and sw; else the mirror image is used
            start = ((r, h), (h, c if fewer else n - 1 - c))
            west = every ^ 1 << c
            columns = (west, every) if fewer else (every, _turned(west, h))
            found.append(Plan(start, (every ^ 1 << r, every), columns, k if fewer else h - 1 - k, ALONE, 8))
    return found


def _subsets(elements: int, size: int) -> Numbers:
    """All sets of `size` of these bits, in order."""
    bits = [1 << i for i in range(elements.bit_length()) if elements >> i & 1]
    return np.array(sorted(map(sum, combinations(bits, size))), np.int64)


def _turned(bits: int, h: int) -> int:
    """The bits in reverse order."""
    return sum(1 << (h - 1 - i) for i in range(h) if bits >> i & 1)


@lru_cache(_CASES)
def corners(n: int, plan: Plan) -> Corners:
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
        """The index of every set that is in `sets`."""
        number = np.zeros(1 << h, np.int64)
        number[sets] = np.arange(len(sets))
        return np.asarray(number[of & (1 << h) - 1])

    def found(queens: int, half: tuple[int, int], keys: tuple[Numbers, Numbers], size: int) -> tuple[Numbers, Words]:
        """The first placement of every corner, and the placements."""
        usable = (south if half[0] else north, east if half[1] else west)
        places = np.zeros(size, np.int64)
        if 0 <= queens <= h:
            place(side, queens, *half, *usable, taken, *keys, stack, places, np.zeros(0, np.uint64))
        starts = np.concatenate([[0], np.cumsum(places)])
        words = np.zeros(int(starts[-1]), np.uint64)
        if len(words):
            place(side, queens, *half, *usable, taken, *keys, stack, starts[:-1].copy(), words)
        return starts, words

    all_bits = np.arange(1 << h)
    k1, k2 = len(columns1), len(rows2)
    in_ne, in_sw = north.bit_count() - plan.queens, west.bit_count() - plan.queens
    in_se = south.bit_count() - in_sw
    nw = found(plan.queens, (0, 0), (index(rows1, all_bits) * k1, index(columns1, all_bits)), len(rows1) * k1)
    ne = found(
        in_ne,
        (0, 1),
        (index(rows1, north ^ all_bits) * len(columns2), index(columns2, turn[east ^ all_bits & east])),
        len(rows1) * len(columns2),
    )
    sw = found(
        in_sw, (1, 0), (index(rows2, turn[south ^ all_bits & south]), index(columns1, west ^ all_bits) * k2), k1 * k2
    )
    se = found(in_se, (1, 1), (index(rows2, turn), index(columns2, turn) * k2), len(columns2) * k2)
    return Corners(side, np.array([plan.symmetry]), rows1, columns1, rows2, columns2, *nw, *ne, *sw, *se)
