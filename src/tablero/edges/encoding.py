"""Edge matching as exact cover, in three ways, and covers decoded to layings.

    1      a primary item a piece; secondary items "cell-side-colour": an option has, on each of its sides, all colours but
           its own, and on the neighbour's touching side its own (Oborný's first)
    2      colours in binary: on its own side the code, on the neighbour's touching side the complement, so that two
           neighbours together cover all items of a side exactly when they agree (Oborný's second)
    xcc    a primary item a piece and a cell; a secondary item a join, coloured: Knuth's way

Options that put the border colour elsewhere than on the border (or the reverse) and turns that look alike are never made.
With `savings`, which is usual, conditions are made once a join instead of from both sides, and cells are items of their own.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablero.cover.formats import write
from tablero.cover.puzzle import ExactCover
from tablero.edges.board import Board
from tablero.errors import BadInput
from tablero.verbs.document import Document
from tablero.words import several

if TYPE_CHECKING:
    from tablero.edges.puzzle import EdgePuzzle

MOST_ENTRIES = 30_000_000


@dataclass(frozen=True)
class Encoded:
    """An exact cover problem, and for each of its options the cell and the variant that it lays."""

    cover: ExactCover
    cell: NDArray[np.int32]
    variant: NDArray[np.int32]

    def decode(self, options: Iterable[int]) -> NDArray[np.int32]:
        """The laying that a cover stands for."""
        chosen = np.array([o for o in options if o >= 0], np.int64)
        laying = np.full(self.cell.max(initial=-1) + 1, -1, np.int32)
        laying[self.cell[chosen]] = self.variant[chosen]
        return laying


def layings_of(puzzle: EdgePuzzle, covers: Sequence[Sequence[Sequence[str]]]) -> list[NDArray[np.int32]]:
    """The layings that covers stand for, their options written out: any encoding, with or without savings.

    Which encoding it is shows in the items: only `xcc` has colours, and the others end their items differently.
    """
    words = {word for cover in covers for option in cover for word in option}
    cells = {puzzle.board.name(cell) for cell in range(puzzle.board.cells)}
    if any(":" in word for word in words):
        encoding = "xcc"
    else:
        marks = {mark for word in words for mark in re.findall(r"s[0-9]+([kb])[0-9]+$", word)}
        if len(marks) != 1:
            raise BadInput("items of none of the encodings: expected joins as r1c1s1:3, r1c1s1k3 or r1c1s1b0")
        encoding = "1" if marks == {"k"} else "2"
    encoded = encode(puzzle, encoding, savings=bool(words & cells))
    number_of = {frozenset(encoded.cover.written(k)): k for k in range(len(encoded.cover))}
    return [_laying_of(puzzle, cover, encoding, encoded, number_of) for cover in covers]


def _laying_of(
    puzzle: EdgePuzzle,
    options: Sequence[Sequence[str]],
    encoding: str,
    encoded: Encoded,
    number_of: dict[frozenset[str], int],
) -> NDArray[np.int32]:
    chosen = []
    for number, option in enumerate(options, 1):
        if frozenset(option) not in number_of:
            raise BadInput(f"option {number}, {' '.join(option)[:60]!r}: the encoding {encoding} has none like it")
        chosen.append(number_of[frozenset(option)])
    taken = encoded.cell[chosen].tolist()
    if len(set(taken)) < len(taken) or len(taken) != puzzle.board.cells:
        raise BadInput(f"{len(taken)} options for {len(set(taken))} cells: expected each of {puzzle.board.cells} once")
    return encoded.decode(chosen)


@dataclass(frozen=True)
class Sizes:
    """How large an encoding is at most, without savings, and the colours counted with the border."""

    columns: int
    rows: int
    ones: int


def sizes(side: int, colours: int, encoding: str) -> Sizes:
    """The sizes without savings for a square board: `colours` with the border."""
    cells, bits = side * side, _bits(colours)
    if encoding == "1":
        return Sizes(cells + 4 * colours * cells, 4 * cells * cells, 1 + 4 * colours)
    if encoding == "2":
        return Sizes(cells * (1 + 4 * bits), 4 * cells * cells, 1 + 4 * bits)
    joins = 2 * side * (side - 1)
    return Sizes(2 * cells + joins, 4 * cells * cells, 6)


def colours_in_full(puzzle: EdgePuzzle) -> int:
    """The colours of the first encoding in full: without a border at least three, if need be one that no piece has."""
    return puzzle.colours if puzzle.border else max(3, puzzle.colours)


def _bits(colours: int) -> int:
    """⌈log₂ 2b⌉ items for a side: the binary digits of a colour, and one that is always set."""
    return (2 * colours - 1).bit_length()


def encode(puzzle: EdgePuzzle, encoding: str = "xcc", *, savings: bool = True) -> Encoded:
    """The puzzle as an exact cover problem."""
    options = [(cell, int(variant)) for cell in range(puzzle.board.cells) for variant in puzzle.fits(cell)]
    entries = len(options) * {"1": 2 * puzzle.colours, "2": 8, "xcc": 6}[encoding]
    if entries > MOST_ENTRIES:
        raise BadInput(f"the encoding {encoding} has about {entries:,} entries: expected at most {MOST_ENTRIES:,}")
    if encoding == "xcc":
        cover = _coloured(puzzle, options)
    elif savings:
        cover = (_first if encoding == "1" else _second)(puzzle, options)
    else:
        cover = (_first_in_full if encoding == "1" else _second_in_full)(puzzle, options)
    return Encoded(
        cover, np.array([cell for cell, _ in options], np.int32), np.array([v for _, v in options], np.int32)
    )


@dataclass(frozen=True)
class Encoding(Document):
    """An exact cover problem as text, and what its options mean."""

    encoded: Encoded | None = None

    @property
    def cover(self) -> ExactCover:
        assert self.encoded is not None
        return self.encoded.cover


def encoding(puzzle: EdgePuzzle, name: str, *, full: bool) -> Encoding:
    """The puzzle as an exact cover problem, with its sizes."""
    encoded = encode(puzzle, name, savings=not full)
    cover = encoded.cover
    source = puzzle.origin.name or "a puzzle"
    text = write(cover, f"tablero edges encode {source} --encoding {name}{' --full' * full}")
    columns, rows, ones = len(cover.items), len(cover), len(cover.table.item)
    ones_a_row = int(np.diff(cover.table.start).max(initial=0))
    facts = {"columns": columns, "rows": rows, "ones": ones, "ones_a_row": ones_a_row, "primary": cover.primary}
    remark = f"{several(columns, 'column')}, {several(rows, 'row')}, {several(ones, 'one')}, at most {ones_a_row} a row"
    if puzzle.board.shape == "square" and puzzle.board.rows == puzzle.board.columns:
        most = sizes(puzzle.board.rows, colours_in_full(puzzle) if name == "1" else puzzle.colours, name)
        remark += f"; without savings at most {most.columns:,}, {most.rows:,} and {most.ones}"
    return Encoding(text, facts, notes=(*puzzle.reading, remark), encoded=encoded)


def _piece(puzzle: EdgePuzzle, variant: int) -> str:
    return f"p{variant // puzzle.sides + 1}"


@lru_cache(maxsize=8)
def _ends(board: Board) -> list[list[tuple[int, int, bool]]]:
    """For every cell its sides that are in joins: side, the join's number, and whether the cell is its first."""
    ends: list[list[tuple[int, int, bool]]] = [[] for _ in range(board.cells)]
    for number, (one, side, other, across) in enumerate(board.joins):
        ends[one].append((side, number, True))
        ends[other].append((across, number, False))
    return ends


def _sides_with_joins(puzzle: EdgePuzzle, cell: int) -> list[tuple[int, int, bool]]:
    return _ends(puzzle.board)[cell]


def _join_name(puzzle: EdgePuzzle, number: int) -> str:
    cell, side, _, _ = puzzle.board.joins[number]
    return f"{puzzle.board.name(cell)}s{side}"


def _pieces(puzzle: EdgePuzzle) -> list[str]:
    return [f"p{k + 1}" for k in range(len(puzzle.pieces))]


def _first(puzzle: EdgePuzzle, options: Sequence[tuple[int, int]]) -> ExactCover:
    """The first cell of a join blocks all colours but its own, the second its own: if they agree, nothing twice."""
    board, colours, shown = puzzle.board, range(puzzle.colours), puzzle.turned
    rows = []
    for cell, variant in options:
        row: list[str] = [_piece(puzzle, variant), board.name(cell)]
        for side, number, first in _sides_with_joins(puzzle, cell):
            mine, join = int(shown[variant, side]), _join_name(puzzle, number)
            row += [f"{join}k{c}" for c in colours if (c != mine if first else c == mine)]
        rows.append(row)
    names = [f"{_join_name(puzzle, number)}k{c}" for number in range(len(board.joins)) for c in colours]
    return ExactCover(rows, primary=_pieces(puzzle), secondary=[*map(board.name, range(board.cells)), *names])


def _first_in_full(puzzle: EdgePuzzle, options: Sequence[tuple[int, int]]) -> ExactCover:
    """Two pieces on one cell both block some colour, if there is one that neither shows: the border, or else a third."""
    board, colours, shown = puzzle.board, range(colours_in_full(puzzle)), puzzle.turned
    rows = []
    for cell, variant in options:
        row = [_piece(puzzle, variant)]
        for side, across in enumerate(board.neighbours[cell].tolist()):
            mine = int(shown[variant, side])
            row += [f"{board.name(cell)}s{side}k{c}" for c in colours if c != mine]
            if across >= 0:
                row.append(f"{board.name(across // puzzle.sides)}s{across % puzzle.sides}k{mine}")
        rows.append(row)
    places = [(cell, side) for cell in range(board.cells) for side in range(puzzle.sides)]
    names = [f"{board.name(cell)}s{side}k{c}" for cell, side in places for c in colours]
    return ExactCover(rows, primary=_pieces(puzzle), secondary=names)


def _second(puzzle: EdgePuzzle, options: Sequence[tuple[int, int]]) -> ExactCover:
    """The first cell of a join covers the items of its colour's code, the second those of the complement."""
    board, bits, shown = puzzle.board, _bits(puzzle.colours), puzzle.turned
    rows = []
    for cell, variant in options:
        row: list[str] = [_piece(puzzle, variant), board.name(cell)]
        for side, number, first in _sides_with_joins(puzzle, cell):
            code = _code(int(shown[variant, side]), bits) ^ (0 if first else (1 << bits) - 1)
            row += [f"{_join_name(puzzle, number)}b{bit}" for bit in range(bits) if code >> bit & 1]
        rows.append(row)
    names = [f"{_join_name(puzzle, k)}b{bit}" for k in range(len(board.joins)) for bit in range(bits)]
    return ExactCover(rows, primary=[*_pieces(puzzle), *map(board.name, range(board.cells)), *names])


def _second_in_full(puzzle: EdgePuzzle, options: Sequence[tuple[int, int]]) -> ExactCover:
    """Items for the sides of cells; a side on the border has no neighbour, so all its items are covered from inside."""
    board, bits, shown = puzzle.board, _bits(puzzle.colours), puzzle.turned
    rows = []
    for cell, variant in options:
        row = [_piece(puzzle, variant)]
        for side, across in enumerate(board.neighbours[cell].tolist()):
            code = _code(int(shown[variant, side]), bits)
            row += [f"{board.name(cell)}s{side}b{bit}" for bit in range(bits) if across < 0 or code >> bit & 1]
            if across >= 0:
                touched = f"{board.name(across // puzzle.sides)}s{across % puzzle.sides}"
                row += [f"{touched}b{bit}" for bit in range(bits) if not code >> bit & 1]
        rows.append(row)
    places = [(cell, side) for cell in range(board.cells) for side in range(puzzle.sides)]
    names = [f"{board.name(cell)}s{side}b{bit}" for cell, side in places for bit in range(bits)]
    return ExactCover(rows, primary=[*_pieces(puzzle), *names])


def _code(colour: int, bits: int) -> int:
    """A colour's code: its binary digits, and the highest bit set so that no code is empty."""
    return colour | 1 << bits - 1


def _coloured(puzzle: EdgePuzzle, options: Sequence[tuple[int, int]]) -> ExactCover:
    board, shown = puzzle.board, puzzle.turned
    rows: list[dict[Hashable, Hashable]] = []
    for cell, variant in options:
        row: dict[Hashable, Hashable] = {_piece(puzzle, variant): None, board.name(cell): None}
        for side, number, _ in _sides_with_joins(puzzle, cell):
            row[_join_name(puzzle, number)] = str(int(shown[variant, side]))
        rows.append(row)
    names = [_join_name(puzzle, number) for number in range(len(board.joins))]
    return ExactCover(rows, primary=[*_pieces(puzzle), *map(board.name, range(board.cells))], secondary=names)
