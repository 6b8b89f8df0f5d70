"""The tables of a ranked scan: the fillings of each stretch by the colours around it, and the counts of colours.

view      the lines of a board in the order in which they are filled, and the tiles.  If every turn of a board is a board
          of the puzzle, a corner piece is placed in the first cell.  Every view contains every solution
stretch   consecutive cells of a line.  Longer stretches need fewer lookups, but larger tables
rim       cells with a side on the border; the frame consists of the joins between them
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import lgamma, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.ranked import BLOCK, LEAN, NO_HIGH, NO_LOW, UNIT, Problem
from tablero.edges.kernels.tiles import Tiles, equal_pieces

MOST_PIECES = 64  # the bits of a word
MOST_COLOURS = 128  # so that the front of a line of eight cells fits into a word
LONGEST = 3  # cells of a stretch
_MOST_FILLINGS = 16_000  # of a stretch: its table then fits into the cache
_MOST_KEY_BITS = 20
_NO_ENTRY = (1 << 64) - 1  # all pieces: it never fits

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]


class View(NamedTuple):
    """Lines of cells, all of the same length, and their tiles."""

    tiles: Tiles
    lines: tuple[tuple[int, ...], ...]


def with_piece_in(tiles: Tiles, cell: int, variant: int) -> Tiles:
    """The tiles with a piece fixed at a cell."""
    rows = [row[row // tiles.sides != variant // tiles.sides] for row in map(tiles.fitting, range(tiles.cells))]
    rows[cell] = np.array([variant], np.int32)
    start = np.cumsum([0] + [len(row) for row in rows])
    return tiles._replace(start=start, fits=np.concatenate(rows).astype(np.int32))


class _Joins:
    """The joins along the frame and the other joins, and the colours of both numbered separately."""

    def __init__(self, tiles: Tiles) -> None:
        self.tiles, self.sides = tiles, tiles.sides
        self.rim: NDArray[np.bool_] = np.any(tiles.neighbours < 0, axis=1)
        met = np.maximum(tiles.neighbours, 0) // tiles.sides
        self.frame: NDArray[np.bool_] = self.rim[:, None] & self.rim[met]  # of every cell and side
        shown = np.zeros((2, tiles.colours), bool)
        for cell in range(tiles.cells):
            looks = tiles.shows[tiles.fitting(cell)]
            for side in np.flatnonzero(tiles.neighbours[cell] >= 0):
                shown[int(self.frame[cell, side]), looks[:, side]] = True
        self.numbers = np.cumsum(shown, axis=1) - 1  # of a colour inside, and along the frame
        self.size = shown.sum(axis=1)
        self.bits = (max(2, int(self.size.max())) - 1).bit_length()

    def number(self, cell: int, side: int, variants: NDArray[np.int32]) -> Integers:
        """The numbers of the colours that variants show on a side of a cell."""
        return np.asarray(self.numbers[int(self.frame[cell, side]), self.tiles.shows[variants, side]], np.int64)


class _Counts:
    """The counts of colours as bit fields of words, as `ranked` describes."""

    def __init__(self, joins: _Joins) -> None:
        self.joins = joins
        inside, frame = joins.size.tolist()
        inner, rimmed = np.zeros(inside, np.int64), np.zeros(inside, np.int64)
        ends = np.zeros((2, frame), np.int64)  # sides along the frame, before the border and after it
        tiles, sides = joins.tiles, joins.sides
        cell_of = {variant // sides: cell for cell in range(tiles.cells) for variant in tiles.fitting(cell).tolist()}
        for piece, cell in cell_of.items():
            row = tiles.shows[piece * sides]
            if not joins.rim[cell]:
                np.add.at(inner, joins.numbers[0, row], 1)
                continue
            for side, colour in enumerate(row.tolist()):
                before, after = row[side - 1] == 0, row[(side + 1) % sides] == 0
                if colour and (before or after):
                    ends[int(after), joins.numbers[1, colour]] += 1
                elif colour:
                    rimmed[joins.numbers[0, colour]] += 1
        between, along = (inner - rimmed) // 2, ends.min(axis=0)
        self.hopeless = bool((between < 0).any())
        # I and M of a colour are adjacent, because the rank needs both.
        self._inner_bits = int(inner.max(initial=0)).bit_length()
        self._between_bits, self._along_bits, rimmed_bits = (_guarded(part) for part in (between, along, rimmed))
        self._bits_used: list[int] = []  # of each word
        self._inside = self._places(inside, self._inner_bits + self._between_bits)
        self._along = self._places(frame, self._along_bits)
        self._rimmed = self._places(inside, rimmed_bits)
        self.words = len(self._bits_used)
        self.begin, self.guard = np.zeros(self.words, np.uint64), np.zeros(self.words, np.uint64)
        for (word, shift), i in zip(self._inside.tolist(), inner.tolist(), strict=True):
            self.begin[word] += np.uint64(i << shift + self._between_bits)
        for places, bits, counts in (
            (self._inside, self._between_bits, between),
            (self._along, self._along_bits, along),
            (self._rimmed, rimmed_bits, rimmed),
        ):
            for (word, shift), count in zip(places.tolist(), counts.tolist(), strict=True):
                guard = 1 << bits - 1
                self.guard[word] += np.uint64(guard << shift)
                self.begin[word] += np.uint64(guard + max(count, 0) << shift)

    def _places(self, number: int, bits: int) -> Integers:
        """Allocate fields; return the word and the first bit of each."""
        places, used = [], self._bits_used
        for _ in range(number):
            word = next((w for w, taken in enumerate(used) if taken + bits <= 64), len(used))
            if word == len(used):
                used.append(0)
            places.append((word, used[word]))
            used[word] += bits
        return np.array(places, np.int64).reshape(-1, 2)

    def taken(self, cell: int, variants: NDArray[np.int32], done: Sequence[bool]) -> Words:
        """What variants subtract from the counts when they are placed in a cell, after the cells that are done."""
        joins = self.joins
        takes = np.zeros((len(variants), self.words), np.uint64)

        def take(places: Integers, numbers: Integers, above: int = 0) -> None:
            word, shift = places[numbers].T
            takes[np.arange(len(variants)), word] += np.uint64(1) << (shift + above).astype(np.uint64)

        for side, across in enumerate(joins.tiles.neighbours[cell].tolist()):
            if across < 0:
                continue
            other, numbers = across // joins.sides, joins.number(cell, side, variants)
            if joins.frame[cell, side]:
                if done[other]:
                    take(self._along, numbers)
                continue
            if not joins.rim[cell]:
                take(self._inside, numbers, self._between_bits)
            if not done[other]:
                take(self._rimmed if joins.rim[cell] or joins.rim[other] else self._inside, numbers)
        return takes

    def fields(self) -> tuple[Words, NDArray[np.int32]]:
        """The fields of the rank, and the values of these fields."""
        between = [_guarded_value(m, self._between_bits) for m in range(1 << self._between_bits)]
        inside = [_ln_factorial(i) - _ln_factorial(m) for i in range(1 << self._inner_bits) for m in between]
        along = [_ln_factorial(_guarded_value(k, self._along_bits)) for k in range(1 << self._along_bits)]
        bits = self._inner_bits + self._between_bits
        rows = [(word, shift, (1 << bits) - 1, 0) for word, shift in self._inside.tolist()]
        rows += [(word, shift, (1 << self._along_bits) - 1, len(inside)) for word, shift in self._along.tolist()]
        return np.array(rows, np.uint64), np.array(inside + along, np.int32)


def _guarded(counts: Integers) -> int:
    """The bits of a field with its guard bit; a cell subtracts at most two from a count."""
    return max(int(counts.max(initial=0)), 2 * LONGEST).bit_length() + 1


def _guarded_value(field: int, bits: int) -> int:
    return max(field - (1 << bits - 1), 0)


def _ln_factorial(n: int) -> int:
    return round(UNIT * lgamma(n + 1))


class _Tables:
    """Lists of fillings by key, one table for each kind of stretch."""

    def __init__(self, view: View) -> None:
        self.tiles, self.joins = view.tiles, _Joins(view.tiles)
        self.counts = _Counts(self.joins)
        self.line_of = {cell: number for number, line in enumerate(view.lines) for cell in line}
        self.before = np.full(len(self.tiles.shows) // self.tiles.sides, -1)  # the equal piece that is placed before
        for equal in equal_pieces(self.tiles):
            self.before[equal[1:]] = equal[:-1]
        self.done = [False] * self.tiles.cells
        self.keys: dict[object, int] = {}
        self.columns: list[list[NDArray[np.generic]]] = [[] for _ in range(7)]
        self._size = self._entries = 0

    def add(self, cells: tuple[int, ...]) -> int:
        """The start of the table of a stretch; the cells of the stretch are done afterwards."""
        kind = self._kind(cells)
        if kind not in self.keys:
            self.keys[kind] = self._size
            self._make(cells)
        for cell in cells:
            self.done[cell] = True
        return self.keys[kind]

    def _kind(self, cells: tuple[int, ...]) -> object:
        """A key for stretches with the same table."""
        across = self.tiles.neighbours[list(cells)]
        met = np.maximum(across, 0) // self.tiles.sides
        facts = [across < 0, np.array(self.done)[met], self.joins.rim[met]]
        return tuple(self.tiles.fitting(cell).tobytes() for cell in cells), tuple(fact.tobytes() for fact in facts)

    def _make(self, cells: tuple[int, ...]) -> None:
        rows, sides, done = self._fillings(cells), self.tiles.sides, list(self.done)
        keys, left = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        taken = np.zeros((len(rows), self.counts.words), np.uint64)
        pieces = rows // sides
        bits = np.uint64(1) << pieces.astype(np.uint64)
        lies, need = np.zeros(len(rows), np.uint64), np.zeros(len(rows), np.uint64)
        for k, cell in enumerate(cells):
            key, out = self._ends(cells, k, rows[:, k])
            keys |= key
            left |= out
            taken += self.counts.taken(cell, rows[:, k], done)
            done[cell] = True
            first = self.before[pieces[:, k]]
            need |= np.where(first >= 0, np.uint64(1) << np.maximum(first, 0).astype(np.uint64), np.uint64(0))
            lies |= bits[:, k]
        need &= ~lies
        by_key = np.lexsort((*rows.T[::-1], keys))
        size = 1 << self.joins.bits * (len(cells) + 1)
        length = np.bincount(keys, minlength=size)
        padded = -(-length // BLOCK) * BLOCK  # lists begin and end with a block
        start = np.cumsum(padded) - padded
        places = np.arange(len(rows)) + np.repeat(start - (np.cumsum(length) - length), length)
        columns = [
            self._entries + start,
            length,
            *(
                _spread(column[by_key], places, int(padded.sum()), empty)
                for column, empty in (
                    (lies, _NO_ENTRY),
                    (need, 0),
                    ((keys ^ left).astype(np.uint64), 0),
                    (taken, 0),
                    (np.pad(rows, ((0, 0), (0, LONGEST - len(cells))), constant_values=-1), -1),
                )
            ),
        ]
        for column, more in zip(self.columns, columns, strict=True):
            column.append(more)
        self._size += size
        self._entries += int(padded.sum())

    def _fillings(self, cells: tuple[int, ...]) -> NDArray[np.int32]:
        """Matching variants for the cells, without a repeated piece and with equal pieces in order."""
        sides, shows = self.tiles.sides, self.tiles.shows
        rows = self.tiles.fitting(cells[0])[:, None]
        for last, cell in pairwise(cells):
            more = self.tiles.fitting(cell)
            across = self.tiles.neighbours[last]
            side = int(np.flatnonzero((across >= 0) & (across // sides == cell))[0])
            other = int(across[side]) % sides
            a, b = np.nonzero(shows[rows[:, -1], side][:, None] == shows[more, other][None, :])
            earlier, piece = rows[a] // sides, (more[b] // sides)[:, None]
            fine = ~((earlier == piece) | (self.before[earlier] == piece)).any(axis=1)
            rows = np.column_stack([rows[a], more[b]])[fine]
        return rows.astype(np.int32)

    def _ends(self, cells: tuple[int, ...], k: int, variants: NDArray[np.int32]) -> tuple[Integers, Integers]:
        """The bits of the front that variants in one of the cells meet, and the bits that they leave."""
        cell, bits, sides = cells[k], self.joins.bits, self.tiles.sides
        key, out = np.zeros(len(variants), np.int64), np.zeros(len(variants), np.int64)
        for side, across in enumerate(self.tiles.neighbours[cell].tolist()):
            other = across // sides
            if across < 0 or other in cells:
                continue
            numbers, along = self.joins.number(cell, side, variants), self.line_of[other] == self.line_of[cell]
            if self.done[other]:
                key |= numbers << bits * (0 if along else k + 1)
            else:
                out |= numbers << bits * (len(cells) if along else k)
        return key, out


def _spread(column: NDArray[Any], places: Integers, size: int, empty: int) -> NDArray[Any]:
    """A column of a given size with its rows at `places`, and `empty` elsewhere."""
    wide = np.full((size, *column.shape[1:]), empty, column.dtype)
    wide[places] = column
    return wide


def stretches_of(tiles: Tiles, line: Sequence[int], bits: int, colours: int) -> list[tuple[int, ...]]:
    """Divide a line into the fewest stretches whose tables are small enough, with the smallest tables."""
    fits = [float(len(tiles.fitting(cell))) for cell in line]
    best: list[tuple[int, float, list[tuple[int, ...]]]] = [(0, 0.0, [])]
    for end in range(1, len(line) + 1):
        ways = []
        for begin in range(max(0, end - LONGEST), end):
            number, size, parts = best[begin]
            fillings = prod(fits[begin:end]) / float(colours) ** (end - begin - 1)
            small = fillings <= _MOST_FILLINGS and bits * (end - begin + 1) <= _MOST_KEY_BITS
            if small or end - begin == 1:
                ways.append((number + 1, size + fillings, [*parts, tuple(line[begin:end])]))
        best.append(min(ways, key=lambda way: way[:2]))
    return best[-1][2]


def problem_of(view: View) -> Problem:
    """The problem of a view, without cut-offs."""
    tables = _Tables(view)
    bits = tables.joins.bits
    cells, plan = [], []
    for line in view.lines:
        at = 0
        for stretch in stretches_of(view.tiles, line, bits, int(tables.joins.size.max())):
            at += len(stretch)
            key = (1 << bits * (len(stretch) + 1)) - 1
            plan.append((tables.add(stretch), bits * (at - len(stretch)), key, bits if at == len(line) else 0))
            cells.append([*stretch, *[-1] * (LONGEST - len(stretch))])
    start, length, lies, need, move, takes, variant = (np.concatenate(column) for column in tables.columns)
    if tables.counts.hopeless:
        length[:] = 0
    fields, value = tables.counts.fields()
    return Problem(
        cells=np.array(cells, np.int32),
        plan=np.array(plan, np.uint64),
        start=start.astype(np.uint32),
        length=length.astype(np.uint32),
        lies=lies,
        need=need,
        move=move,
        takes=takes,
        variant=variant,
        begin=tables.counts.begin,
        guard=tables.counts.guard,
        fields=fields,
        value=value,
        low=np.full(len(cells) + 1, NO_LOW),
        high=np.full(len(cells) + 1, NO_HIGH),
        looks=np.full(len(cells) + 1, LEAN, np.uint8),
        swept=np.zeros(1, np.int64),
    )
