"""The tables of a ranked scan: stretches of a line, what fits there by the colours round it, and the counts of colours.

view      the lines of a board in the order in which they are filled, and the tiles: where all turns of a board are boards of
          the puzzle, with one corner piece in the first cell.  Every view has every solution, so each can be searched alone
stretch   cells of a line; the more, the fewer looks at tables, but tables grow with the number of fillings
rim       cells with a side on the border; the frame is made of the joins between them
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

MOST_PIECES = 64  # they are bits of a word
MOST_COLOURS = 128  # so that the front of a line of eight, with one more, fits into a word
LONGEST = 3  # cells of a stretch
_MOST_FILLINGS = 16_000  # of a stretch, about: its table then stays near the processor
_MOST_KEY_BITS = 20
_NO_ENTRY = (1 << 64) - 1  # all pieces: it never fits

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]


class View(NamedTuple):
    """Lines of cells, all equally long, and what fits them."""

    tiles: Tiles
    lines: tuple[tuple[int, ...], ...]


def with_piece_in(tiles: Tiles, cell: int, variant: int) -> Tiles:
    """The same with a piece that lies in a cell from the start."""
    rows = [row[row // tiles.sides != variant // tiles.sides] for row in map(tiles.fitting, range(tiles.cells))]
    rows[cell] = np.array([variant], np.int32)
    start = np.cumsum([0] + [len(row) for row in rows])
    return tiles._replace(start=start, fits=np.concatenate(rows).astype(np.int32))


class _Joins:
    """The joins of a board by kind, and their colours numbered for each kind: along the frame, and all others."""

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
        """The colours that variants show on a side of a cell."""
        return np.asarray(self.numbers[int(self.frame[cell, side]), self.tiles.shows[variants, side]], np.int64)


class _Counts:
    """What is left of every colour, as fields of words: see `ranked`."""

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
        # A colour's I and M are side by side, as the rank looks at both at once.
        self._inner_bits = int(inner.max(initial=0)).bit_length()
        self._between_bits, self._along_bits, rimmed_bits = (_guarded(part) for part in (between, along, rimmed))
        self._room: list[int] = []  # bits taken of every word
        self._inside = self._places(inside, self._inner_bits + self._between_bits)
        self._along = self._places(frame, self._along_bits)
        self._rimmed = self._places(inside, rimmed_bits)
        self.words = len(self._room)
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
        """Words and first bits of some fields."""
        places = []
        for _ in range(number):
            word = next((w for w, taken in enumerate(self._room) if taken + bits <= 64), len(self._room))
            self._room += [0] * (word == len(self._room))
            places.append((word, self._room[word]))
            self._room[word] += bits
        return np.array(places, np.int64).reshape(-1, 2)

    def taken(self, cell: int, variants: NDArray[np.int32], done: Sequence[bool]) -> Words:
        """What variants take from the words when they are laid in a cell, after the cells that are done."""
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
        """The fields that the rank looks at, and their values there."""
        between = [_guarded_value(m, self._between_bits) for m in range(1 << self._between_bits)]
        inside = [_ln_factorial(i) - _ln_factorial(m) for i in range(1 << self._inner_bits) for m in between]
        along = [_ln_factorial(_guarded_value(k, self._along_bits)) for k in range(1 << self._along_bits)]
        bits = self._inner_bits + self._between_bits
        rows = [(word, shift, (1 << bits) - 1, 0) for word, shift in self._inside.tolist()]
        rows += [(word, shift, (1 << self._along_bits) - 1, len(inside)) for word, shift in self._along.tolist()]
        return np.array(rows, np.uint64), np.array(inside + along, np.int32)


def _guarded(counts: Integers) -> int:
    """The bits for counts that may fall below 0, and the one above them that tells; a cell takes two of a colour at most."""
    return max(int(counts.max(initial=0)), 2 * LONGEST).bit_length() + 1


def _guarded_value(field: int, bits: int) -> int:
    return max(field - (1 << bits - 1), 0)


def _ln_factorial(n: int) -> int:
    return round(UNIT * lgamma(n + 1))


class _Tables:
    """Lists of fillings by key, for every kind of stretch once."""

    def __init__(self, view: View) -> None:
        self.tiles, self.joins = view.tiles, _Joins(view.tiles)
        self.counts = _Counts(self.joins)
        self.line_of = {cell: number for number, line in enumerate(view.lines) for cell in line}
        self.before = np.full(len(self.tiles.shows) // self.tiles.sides, -1)  # of equal pieces the one that lies first
        for equal in equal_pieces(self.tiles):
            self.before[equal[1:]] = equal[:-1]
        self.done = [False] * self.tiles.cells
        self.keys: dict[object, int] = {}
        self.columns: list[list[NDArray[np.generic]]] = [[] for _ in range(7)]
        self._size = self._entries = 0

    def add(self, cells: tuple[int, ...]) -> int:
        """Where the table of a stretch begins; its cells are done then."""
        kind = self._kind(cells)
        if kind not in self.keys:
            self.keys[kind] = self._size
            self._make(cells)
        for cell in cells:
            self.done[cell] = True
        return self.keys[kind]

    def _kind(self, cells: tuple[int, ...]) -> object:
        """Stretches of one kind have the same fillings, which change the same."""
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
        room = -(-length // BLOCK) * BLOCK  # lists begin and end with a block
        start = np.cumsum(room) - room
        places = np.arange(len(rows)) + np.repeat(start - (np.cumsum(length) - length), length)
        columns = [
            self._entries + start,
            length,
            *(
                _spread(column[by_key], places, int(room.sum()), empty)
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
        self._entries += int(room.sum())

    def _fillings(self, cells: tuple[int, ...]) -> NDArray[np.int32]:
        """Variants for the cells that match each other, no piece twice, and of equal pieces the first one first."""
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
        """Of the front the bits that variants in one of the cells meet, and those that they leave."""
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


def _spread(column: NDArray[Any], places: Integers, room: int, empty: int) -> NDArray[Any]:
    """A column with its rows in these places, and in the others something else."""
    wide = np.full((room, *column.shape[1:]), empty, column.dtype)
    wide[places] = column
    return wide


def stretches_of(tiles: Tiles, line: Sequence[int], bits: int, colours: int) -> list[tuple[int, ...]]:
    """A line in as few stretches as have tables of a good size, and of these ways that with the smallest tables."""
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
    """The tables of a view, with no look at any rank."""
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
