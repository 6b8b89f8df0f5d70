"""Encode edge-matching puzzles as exact cover problems in three ways, and decode covers to layings.

    1      one primary item for each piece, and one secondary item for each cell, side and colour.  On each of its sides, an
           option covers all colours except its own, and on the touching side of the neighbour its own (Oborný's first)
    2      colours as binary codes: an option covers the code on its own side and the complement on the touching side of the
           neighbour, so that two neighbours cover all items of a side exactly if they match (Oborný's second)
    xcc    one primary item for each piece and each cell, and one coloured secondary item for each join (Knuth)

There are no options with the border colour inside, with another colour on the border, or with a turn that looks like a lower
one.  With `savings`, the default, each join has its items once instead of once from each side, and cells are items.
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
from tablero.text import several
from tablero.verbs.document import Document

if TYPE_CHECKING:
    from tablero.edges.puzzle import EdgePuzzle

MOST_ENTRIES = 30_000_000


@dataclass(frozen=True)
class Encoded:
    """An exact cover problem, and the cell and variant of each option."""

    cover: ExactCover
    cell: NDArray[np.int32]
    variant: NDArray[np.int32]

    def decode(self, options: Iterable[int]) -> NDArray[np.int32]:
        """The laying of a cover, given by its options."""
        chosen = np.array([o for o in options if o >= 0], np.int64)
        laying = np.full(self.cell.max(initial=-1) + 1, -1, np.int32)
        laying[self.cell[chosen]] = self.variant[chosen]
        return laying


def layings_of(puzzle: EdgePuzzle, covers: Sequence[Sequence[Sequence[str]]]) -> list[NDArray[np.int32]]:
    """Decode covers whose options are given by their items; the items show the encoding and whether it has savings."""
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
    """Upper bounds for the size of an encoding without savings; `ones` is for one row."""

    columns: int
    rows: int
    ones: int


def sizes(side: int, colours: int, encoding: str) -> Sizes:
    """The sizes without savings for a square board; `colours` includes the border colour."""
    cells, bits = side * side, _bits(colours)
    if encoding == "1":
        return Sizes(cells + 4 * colours * cells, 4 * cells * cells, 1 + 4 * colours)
    if encoding == "2":
        return Sizes(cells * (1 + 4 * bits), 4 * cells * cells, 1 + 4 * bits)
    joins = 2 * side * (side - 1)
    return Sizes(2 * cells + joins, 4 * cells * cells, 6)


def colours_in_full(puzzle: EdgePuzzle) -> int:
    """The number of colours of encoding 1 without savings: at least three without a border, even if no piece has them."""
    return puzzle.colours if puzzle.border else max(3, puzzle.colours)


def _bits(colours: int) -> int:
    """⌈log₂ 2b⌉, the items for a side: the binary digits of a colour, and a bit that is always set."""
    return (2 * colours - 1).bit_length()


def encode(puzzle: EdgePuzzle, encoding: str = "xcc", *, savings: bool = True) -> Encoded:
    """Encode a puzzle as an exact cover problem."""
    options = [(cell, int(variant)) for cell in range(puzzle.board.cells) for variant in puzzle.fits(cell)]
    entries = len(options) * {"1": 2 * puzzle.colours, "2": 8, "xcc": 6}[encoding]
    if entries > MOST_ENTRIES:
        raise BadInput(f"the encoding {encoding} has about {entries:,} entries: expected at most {MOST_ENTRIES:,}")
    cover = _coloured(puzzle, options) if encoding == "xcc" else _by_colours(puzzle, options, encoding, savings)
    cell, variant = np.array(options, np.int32).reshape(-1, 2).T
    return Encoded(cover, cell, variant)


@dataclass(frozen=True)
class Encoding(Document):
    """An exact cover problem as text."""

    encoded: Encoded | None = None

    @property
    def cover(self) -> ExactCover:
        assert self.encoded is not None
        return self.encoded.cover


def encoding(puzzle: EdgePuzzle, name: str, *, full: bool) -> Encoding:
    """Encode a puzzle as the text of an exact cover problem, with its sizes."""
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


@lru_cache(maxsize=8)
def _ends(board: Board) -> list[list[tuple[str, int, bool]]]:
    """The joins of each cell: the name of the join, the side of the cell, and whether the cell is the first of the join."""
    ends: list[list[tuple[str, int, bool]]] = [[] for _ in range(board.cells)]
    for one, side, other, across in board.joins:
        ends[one].append((f"{board.name(one)}s{side}", side, True))
        ends[other].append((f"{board.name(one)}s{side}", across, False))
    return ends


def _pieces(puzzle: EdgePuzzle) -> list[str]:
    return [f"p{k + 1}" for k in range(len(puzzle.pieces))]


def _by_colours(puzzle: EdgePuzzle, options: Sequence[tuple[int, int]], encoding: str, savings: bool) -> ExactCover:
    """Oborný's encodings: a side covers some items of its place by its colour, and the touching side covers the others.

    In encoding 1, a side covers the items of all other colours.  Two pieces on one cell are excluded if there is a colour
    that neither of them shows: the border colour, or a third one.  In encoding 2, a side covers the items of its code.  All
    items are primary there, so a side on the border covers all items of its place.
    """
    board, pieces, cells = puzzle.board, _pieces(puzzle), list(map(puzzle.board.name, range(puzzle.board.cells)))
    if encoding == "1":
        marks = [f"k{c}" for c in range(puzzle.colours if savings else colours_in_full(puzzle))]
        covered = [[mark for mark in marks if mark != own] for own in marks]
    else:  # the code is the binary digits of the colour, with the highest bit set so that it is never empty
        marks = [f"b{bit}" for bit in range(_bits(puzzle.colours))]
        codes = [colour | 1 << len(marks) - 1 for colour in range(puzzle.colours)]
        covered = [[mark for bit, mark in enumerate(marks) if code >> bit & 1] for code in codes]
    others = [[mark for mark in marks if mark not in row] for row in covered]
    # For each cell: a place, the side whose colour decides, and the items that each colour covers there.
    parts: list[list[tuple[str, int, list[list[str]]]]]
    if savings:
        parts = [[(join, side, covered if first else others) for join, side, first in row] for row in _ends(board)]
        places = [join for row in _ends(board) for join, _, first in row if first]
    else:
        alone = covered if encoding == "1" else [marks for _ in covered]
        parts = [[] for _ in cells]
        for cell, row in enumerate(board.neighbours.tolist()):
            for side, across in enumerate(row):
                parts[cell].append((f"{cells[cell]}s{side}", side, covered if across >= 0 else alone))
                if across >= 0:
                    other, touched = divmod(across, puzzle.sides)
                    parts[cell].append((f"{cells[other]}s{touched}", side, others))
        places = [f"{cell}s{side}" for cell in cells for side in range(puzzle.sides)]
    rows = []
    for cell, variant in options:
        items = [pieces[variant // puzzle.sides], *([cells[cell]] if savings else [])]
        for place, side, table in parts[cell]:
            items += [place + mark for mark in table[puzzle.turned[variant, side]]]
        rows.append(items)
    names = [*(cells if savings else []), *(place + mark for place in places for mark in marks)]
    if encoding == "1":
        return ExactCover(rows, primary=pieces, secondary=names)
    return ExactCover(rows, primary=[*pieces, *names])


def _coloured(puzzle: EdgePuzzle, options: Sequence[tuple[int, int]]) -> ExactCover:
    board, pieces = puzzle.board, _pieces(puzzle)
    rows: list[dict[Hashable, Hashable]] = []
    for cell, variant in options:
        row: dict[Hashable, Hashable] = {pieces[variant // puzzle.sides]: None, board.name(cell): None}
        for join, side, _ in _ends(board)[cell]:
            row[join] = str(int(puzzle.turned[variant, side]))
        rows.append(row)
    joins = [join for row in _ends(board) for join, _, first in row if first]
    return ExactCover(rows, primary=[*pieces, *map(board.name, range(board.cells))], secondary=joins)
