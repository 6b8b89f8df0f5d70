"""Search plain 9×9 boards by bands: the kernel for millions of puzzles.

    band       a row of three boxes; the board has three
    stack      a column of three boxes; the board has three
    word       the possible cells of one digit in one band: 27 bits, bit 9k + 3r + x for column k of the box, row r of the
               band and box x of the band
    minirow    the three cells where a row meets a box; `(w | w>>9 | w>>18) & 511` has a bit for each one that is not empty
    plane      a set of cells of a band: naked (one digit left), solved (the only place of a digit in its box)
    sweep      one pass of all rules over all words

In each band, a digit occupies the minirows of a permutation matrix: one in every row and one in every box.  A sweep keeps
only the minirows that occur in such a matrix, and likewise the columns of every stack.  This covers pointing and claiming,
and turns every hidden single of a row or column into one of a box.  The loops have no tables and no branches, so LLVM
vectorizes them.  Word 8·band + digit holds the digits 0 to 7, word 24 + band holds digit 8; five words are padding.

The permutations do not detect a digit that occurs twice in a box.  The check of naked cells detects it one sweep later.

If the sweeps leave a node open, it has two children: a cell holds a digit, or it does not.  `advance` walks this tree with
a cursor; `solve_batch` applies it to many puzzles, and `make` uses it to make puzzles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel, lowest, popcount

U = np.uint32
L = np.uint64
Words = NDArray[np.uint32]
Pairs = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Number = int | np.int64

WORDS = 32
CELLS = 81
DEEPEST = 730  # levels: each removes at least one of 729 candidates

_ALL = U(0o777777777)
_EVERY_CELL = U(0o111111111)  # bit x of all nine cells of box x
_COLUMNS = U(0o007007007)
_MINIROWS = U(0o777)
# Offsets in the flat array: candidates, solved cells, naked and solved planes (one copy per word).
_SOLVED, _NAKED, _PLANE = 32, 64, 96
FLAT = 128

FAILED, OPEN, FULL = 0, 1, 2
UNBOUNDED = np.iinfo(np.int64).max


class Tables(NamedTuple):
    """The geometry: the word and bit of each cell, and the peers of each place (27·band + bit)."""

    band: Numbers  # of each cell, row by row
    bit: Words  # of each cell, as a mask
    cell: Numbers  # of each place
    low: Pairs  # peers in band 0, and in band 1 from bit 32 on
    high: Pairs  # peers in band 2


class State(NamedTuple):
    """The current position, the candidates of every level, and the cursor."""

    flat: Words  # 128
    pairs: Pairs  # the same memory, two words per element
    scores: Pairs  # of each place, during the choice of a branch
    frames: Words  # levels × 32: candidates, and the digit, band and bit of the branch
    scratch: NDArray[np.int32]  # 1 × 81
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one element; −1 when the search is complete


def place_of(cell: int) -> tuple[int, int]:
    """Return the band and the bit number of a cell, 0 to 80 row by row."""
    row, column = divmod(cell, 9)
    return row // 3, 9 * (column % 3) + 3 * (row % 3) + column // 3


def _make_tables() -> Tables:
    places = [place_of(cell) for cell in range(CELLS)]
    tables = Tables(
        band=np.array([band for band, _ in places], np.int64),
        bit=np.array([1 << bit for _, bit in places], np.uint32),
        cell=np.zeros(CELLS, np.int64),
        low=np.zeros(CELLS, np.uint64),
        high=np.zeros(CELLS, np.uint64),
    )
    for cell, (band, bit) in enumerate(places):
        tables.cell[27 * band + bit] = cell
        row, column = divmod(cell, 9)
        for other, (b, k) in enumerate(places):
            r, c = divmod(other, 9)
            if other != cell and (r == row or c == column or (r // 3, c // 3) == (row // 3, column // 3)):
                half = tables.high if b == 2 else tables.low
                half[27 * band + bit] |= np.uint64(1 << (k + 32 * (b == 1)))
    return tables


TABLES = _make_tables()


def new_state() -> State:
    """Allocate the buffers of a search; every thread needs its own."""
    pairs = np.zeros(FLAT // 2, np.uint64)
    return State(
        flat=pairs.view(np.uint32),
        pairs=pairs,
        scores=np.zeros(CELLS, np.uint64),
        frames=np.zeros((DEEPEST, WORDS), np.uint32),
        scratch=np.zeros((1, CELLS), np.int32),
        at=np.zeros(DEEPEST, np.int64),
        last=np.zeros(DEEPEST, np.int64),
        width=np.zeros(DEEPEST, np.int64),
        depth=np.zeros(1, np.int64),
    )


@inlined
def _rows(f: Words, words: int) -> tuple[np.uint32, np.uint32]:
    """Over all words: remove cells solved by other digits, place naked cells, keep minirows of permutation matrices.

    Returns whether a word is empty, and the bits that changed.
    """
    failed = U(0)
    changed = U(0)
    for i in range(words):
        old = f[i]
        w = U(old & (~f[i + _PLANE] | f[i + _SOLVED]))
        naked = U(w & f[i + _NAKED])
        box = U(naked | (naked >> 9) | (naked >> 18))
        box = U((box | (box >> 3) | (box >> 6)) & 7)
        w = U(w & (~(box * _EVERY_CELL) | naked))
        m = U((w | (w >> 9) | (w >> 18)) & _MINIROWS)
        a = U(((m << 1) & 0o666) | ((m >> 2) & 0o111))
        b = U(((m << 2) & 0o444) | ((m >> 1) & 0o333))
        a = U(a | (a << 9))
        b = U(b | (b << 9))
        m = U(m & (((a >> 3) & (b >> 6)) | ((b >> 3) & (a >> 6))))
        failed = U(failed | U(m == 0))
        w = U(w & (m | (m << 9) | (m << 18)))
        changed = U(changed | (old ^ w))
        f[i] = w
    return failed, changed


@inlined
def _columns(f: Words, first: int, second: int, third: int, digits: int) -> tuple[np.uint32, np.uint32]:
    """Keep columns of permutation matrices in the stacks; the three bands of a digit form one word (bit 9k + 3·band + x)."""
    failed = U(0)
    changed = U(0)
    for i in range(digits):
        u, v, w = f[i + first], f[i + second], f[i + third]
        c = U((u | (u >> 3) | (u >> 6)) & _COLUMNS)
        c = U(c | (((v | (v >> 3) | (v >> 6)) & _COLUMNS) << 3))
        c = U(c | (((w | (w >> 3) | (w >> 6)) & _COLUMNS) << 6))
        a = U(((c << 3) & 0o770770770) | ((c >> 6) & _COLUMNS))
        b = U(((c << 6) & 0o700700700) | ((c >> 3) & 0o077077077))
        a1 = U((a >> 9) | (a << 18))
        a2 = U((a >> 18) | (a << 9))
        b1 = U((b >> 9) | (b << 18))
        b2 = U((b >> 18) | (b << 9))
        q = U(c & ((a1 & b2) | (b1 & a2)))
        failed = U(failed | U(((q | (q >> 9) | (q >> 18)) & 7) != 7))
        changed = U(changed | (c ^ q))
        d = U(q & _COLUMNS)
        f[i + first] = U(u & (d | (d << 3) | (d << 6)))
        d = U((q >> 3) & _COLUMNS)
        f[i + second] = U(v & (d | (d << 3) | (d << 6)))
        d = U((q >> 6) & _COLUMNS)
        f[i + third] = U(w & (d | (d << 3) | (d << 6)))
    return failed, changed


@inlined
def _find_solved(f: Words, words: int) -> None:
    """Find the cells that are the only place of a digit in their box."""
    for i in range(words):
        w = f[i]
        x, y = U(w >> 9), U(w >> 18)
        m = U((w | x | y) & _MINIROWS)
        many = U(((w & x) | (w & y) | (x & y)) & _MINIROWS)
        many = U(many | (m & (m >> 3)) | (m & (m >> 6)))
        many = U((many | (many >> 3) | (many >> 6)) & 7)
        f[i + _SOLVED] = U(w & ~(many * _EVERY_CELL))


@inlined
def _halves(word: np.uint64) -> tuple[np.uint32, np.uint32]:
    return U(word & L(0xFFFFFFFF)), U(word >> L(32))


@inlined
def _planes(f: Words, pairs: Pairs, band: int, words: int) -> tuple[np.uint32, np.uint32]:
    """Make the planes of a band; return whether there is a contradiction, and the cells with several digits.

    A cell that was naked before this sweep has removed its digit from its box.  If it is not solved now, the box has the
    digit twice.
    """
    one, two, solved, twice = L(0), L(0), L(0), L(0)
    for k in range(4):
        w = pairs[4 * band + k]
        two = L(two | (one & w))
        one = L(one | w)
        s = pairs[_SOLVED // 2 + 4 * band + k]
        twice = L(twice | (solved & s))
        solved = L(solved | s)
    w9, s9 = f[24 + band], f[24 + band + _SOLVED]
    o, p = _halves(one)
    t, v = _halves(two)
    s, u = _halves(solved)
    x, y = _halves(twice)
    more = U(t | v | (o & p) | ((o | p) & w9))
    some = U(o | p | w9)
    clash = U(x | y | (s & u) | ((s | u) & s9))
    plane = U(s | u | s9)
    twins = U(f[8 * band + _NAKED] & ~plane)
    naked = U(some & ~more)
    for k in range(words):
        f[8 * band + k + _NAKED] = naked
        f[8 * band + k + _PLANE] = plane
    f[24 + band + _NAKED] = naked
    f[24 + band + _PLANE] = plane
    return U(U(some != _ALL) | U((clash | twins) != 0)), more


@inlined
def _propagate(state: State, words: int, digits: int) -> int:
    """Sweep until nothing changes; return FAILED, FULL (a solution) or OPEN."""
    f, pairs = state.flat, state.pairs
    while True:
        failed, changed = _rows(f, words)
        if failed != 0:
            return FAILED
        failed, changed2 = _columns(f, 0, 8, 16, digits)
        failed9, changed9 = _columns(f, 24, 25, 26, 1)
        if (failed | failed9) != 0:
            return FAILED
        _find_solved(f, words)
        bad0, more0 = _planes(f, pairs, 0, digits)
        bad1, more1 = _planes(f, pairs, 1, digits)
        bad2, more2 = _planes(f, pairs, 2, digits)
        if (bad0 | bad1 | bad2) != 0:
            return FAILED
        if (changed | changed2 | changed9) == 0:
            return FULL if (more0 | more1 | more2) == 0 else OPEN


@inlined
def word_at(digit: Number, band: Number) -> Number:
    return 8 * band + digit if digit < 8 else 24 + band


@inlined
def _two_valued(f: Words, band: int) -> np.uint32:
    one, two, three = f[24 + band], U(0), U(0)
    for k in range(8):
        w = f[8 * band + k]
        three = U(three | (two & w))
        two = U(two | (one & w))
        one = U(one | w)
    return U(two & ~three)


@inlined
def _choose(tables: Tables, state: State) -> tuple[int, int, np.uint32]:
    """Return the digit, band and bit to branch on: the cell with two digits that affects its peers most.

    The score of a cell is the number of its peers that can hold one of its digits; peers with two digits count four times.
    If no cell has two digits, any open cell is chosen.
    """
    f, scores = state.flat, state.scores
    pairs_low = L(_two_valued(f, 0)) | (L(_two_valued(f, 1)) << L(32))
    pairs_high = L(_two_valued(f, 2))
    best = L(0)
    best_digit, best_band, best_bit = -1, 0, U(0)
    for digit in range(9):
        held_low = L(f[word_at(digit, 0)]) | (L(f[word_at(digit, 1)]) << L(32))
        held_high = L(f[word_at(digit, 2)])
        twin_low, twin_high = held_low & pairs_low, held_high & pairs_high
        for band in range(3):
            if band == 0:
                todo = twin_low & L(0xFFFFFFFF)
            elif band == 1:
                todo = twin_low >> L(32)
            else:
                todo = twin_high
            while todo != L(0):
                bit = lowest(todo)
                todo &= todo - L(1)
                place = L(27 * band) + bit
                near_low, near_high = tables.low[place], tables.high[place]
                score = popcount(held_low & near_low) + popcount(held_high & near_high)
                score += L(3) * (popcount(twin_low & near_low) + popcount(twin_high & near_high))
                if scores[place] == L(0):  # the first of its two digits; its score is above 0
                    scores[place] = score
                else:
                    score += scores[place]
                    scores[place] = L(0)
                    if score > best:
                        best = score
                        best_digit, best_band, best_bit = digit, band, U(L(1) << bit)
    if best_digit < 0:
        best_digit, best_band, best_bit = _any_open(f)
    return best_digit, best_band, best_bit


@inlined
def _any_open(f: Words) -> tuple[int, int, np.uint32]:
    """Return a digit of a cell with several digits."""
    for band in range(3):
        for digit in range(9):
            w = U(f[word_at(digit, band)] & ~f[8 * band + _NAKED])
            if w != 0:
                return digit, band, U(L(1) << lowest(L(w)))
    return 0, 0, U(1)


@inlined
def _start_planes(f: Words, band: Number, bit: np.uint32) -> None:
    """Reset the planes; one cell may be naked."""
    for i in range(_SOLVED, FLAT):
        f[i] = U(0)
    for k in range(8):
        f[8 * band + k + _NAKED] = bit
    f[24 + band + _NAKED] = bit


@inlined
def _singles(f: Words, band: Number) -> np.uint32:
    """Return the cells of a band with one digit left."""
    one, two = f[24 + band], U(0)
    for k in range(8):
        w = f[8 * band + k]
        two = U(two | (one & w))
        one = U(one | w)
    return U(one & ~two)


@inlined
def _take(f: Words, digit: Number, band: Number, bit: np.uint32) -> None:
    """Put the digit into the cell."""
    kept = f[word_at(digit, band)]
    for k in range(8):
        f[8 * band + k] = U(f[8 * band + k] & ~bit)
    f[24 + band] = U(f[24 + band] & ~bit)
    f[word_at(digit, band)] = kept


@inlined
def load(tables: Tables, state: State, puzzle: Bytes) -> None:
    """Load a puzzle; empty cells are 0."""
    f = state.flat
    state.depth[0] = 0
    for i in range(WORDS):
        f[i] = _ALL
    for i in range(_SOLVED, FLAT):
        f[i] = U(0)
    for cell in range(CELLS):
        value = np.int64(puzzle[cell])
        if value != 0:
            band, bit = tables.band[cell], tables.bit[cell]
            word = word_at(value - 1, band) + _SOLVED
            f[word] = U(f[word] | bit)
            f[8 * band + _PLANE] = U(f[8 * band + _PLANE] | bit)
    for band in range(3):  # a clue is solved, but its digit is still possible elsewhere in the box
        plane = f[8 * band + _PLANE]
        for k in range(8):
            f[8 * band + k + _PLANE] = plane
            f[8 * band + k + _NAKED] = plane
        f[24 + band + _PLANE] = plane
        f[24 + band + _NAKED] = plane


@inlined
def _record(tables: Tables, f: Words, answer: NDArray[np.int32]) -> None:
    """Write the digits of a full board."""
    for band in range(3):
        for digit in range(9):
            w = L(f[word_at(digit, band)])
            while w != L(0):
                answer[tables.cell[L(27 * band) + lowest(w)]] = digit + 1
                w &= w - L(1)


@inlined
def _open_level(tables: Tables, state: State, depth: int) -> None:
    """Choose the branch of this node and store its candidates."""
    digit, band, bit = _choose(tables, state)
    for i in range(27):
        state.frames[depth, i] = state.flat[i]
    state.frames[depth, 27] = U(digit)
    state.frames[depth, 28] = U(band)
    state.frames[depth, 29] = bit
    state.at[depth] = -1
    state.last[depth] = 1
    state.width[depth] = 2


@inlined
def _enter(state: State, depth: int, child: int) -> None:
    """Restore a child of a level: 0, the cell holds the digit; 1, it does not."""
    f = state.flat
    for i in range(27):
        f[i] = state.frames[depth, i]
    digit, band = np.int64(state.frames[depth, 27]), np.int64(state.frames[depth, 28])
    bit = state.frames[depth, 29]
    if child == 0:
        _take(f, digit, band, bit)
    else:
        word = word_at(digit, band)
        f[word] = U(f[word] & ~bit)
    _start_planes(f, band, U(bit & _singles(f, band)))


@kernel
def advance(
    tables: Tables,
    state: State,
    answers: NDArray[np.int32],
    budget: int,
    most: int,
    stop: Bytes,
    words: int,
    digits: int,
) -> tuple[int, int]:
    """Visit up to `budget` nodes or find `most` solutions; return the numbers of both.

    Solutions are written to the rows of `answers` while there are free rows.  `words` is 32 and `digits` is 8.  They are
    arguments because LLVM vectorizes loops of variable length, but unrolls loops of constant length.
    """
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        status = _propagate(state, words, digits)
        if status == FULL:
            if found < answers.shape[0]:
                _record(tables, state.flat, answers[found])
            found += 1
        elif status == OPEN:
            _open_level(tables, state, depth)
            depth += 1
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:
            depth -= 1
        if depth == 0:
            depth = -1
        else:
            state.at[depth - 1] += 1
            _enter(state, depth - 1, state.at[depth - 1])
    state.depth[0] = depth
    return nodes, found


@kernel
def replay(tables: Tables, state: State, puzzle: Bytes, stop: Bytes, words: int, digits: int) -> None:
    """Follow the path in `at` from the puzzle; set `depth` to −2 if the cursor belongs to another puzzle.

    `advance` opens each level, so that its code is compiled only once.
    """
    levels = state.depth[0]
    load(tables, state, puzzle)
    for depth in range(levels):
        at, last, width = state.at[depth], state.last[depth], state.width[depth]
        advance(tables, state, state.scratch, 1, 1, stop, words, digits)
        if state.depth[0] != depth + 1 or width != 2 or last > 1:
            state.depth[0] = -2
            return
        if at == 1:
            _enter(state, depth, 1)
        state.at[depth], state.last[depth] = at, last


@kernel
def solve_batch(
    tables: Tables,
    state: State,
    puzzles: Bytes,
    limit: int,
    answers: Bytes,
    counts: Numbers,
    stop: Bytes,
    words: int,
    digits: int,
) -> tuple[int, int]:
    """Count the solutions of each puzzle up to a limit and write the first; return the numbers of puzzles done and nodes."""
    nodes = 0
    for n in range(puzzles.shape[0]):
        load(tables, state, puzzles[n])
        visited, found = advance(tables, state, state.scratch, UNBOUNDED, limit, stop, words, digits)
        nodes += visited
        if stop[0] != 0:
            return n, nodes
        counts[n] = found
        if found > 0:
            for cell in range(CELLS):
                answers[n, cell] = np.uint8(state.scratch[0, cell])
    return puzzles.shape[0], nodes
