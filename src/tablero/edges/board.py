"""Boards of edge-matching puzzles: cells, sides, joins, and orders of the cells.

    cell      place for one piece, numbered from 0 row by row; all cells have the same number of sides
    side      of a cell or piece, numbered clockwise: top, right, bottom, left of a square
    join      two sides of two cells that touch; all other sides are on the border
    turn      number of clockwise turns of a piece by one side: side s of the cell then shows side s − turn of the piece

A board is a rectangle of squares, a triangle of triangles, or a hexagon of hexagons.

Orders of cells:

    rows, columns   line by line
    diagonal        by the sum of row and column
    ring            the outermost ring, then row by row
    spiral          ring by ring from the outside
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan2, sqrt

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.text import short, unknown

SIDES = {"square": 4, "triangle": 3, "hexagon": 6}
MOST_CELLS = 4096
ORDERS = ("rows", "columns", "ring", "spiral", "diagonal")
_TALL = sqrt(3) / 2

Point = tuple[float, float]


@dataclass(frozen=True)
class Board:
    """A board of `rows` by `columns` squares, or of triangles or hexagons with `rows` of them on each side.

    Examples
    --------
    >>> from tablero import edges
    >>> edges.Board(2, 3).cells
    6
    """

    rows: int
    columns: int
    shape: str = "square"

    def __post_init__(self) -> None:
        if self.shape not in SIDES:
            raise BadInput(unknown("the shape", self.shape, SIDES))
        if self.rows < 1 or self.columns < 1:
            raise BadInput(f"a board of {self.rows}×{self.columns}: expected sides from 1")
        if self.shape != "square" and self.rows != self.columns:
            raise BadInput(f"a board of {self.shape}s has one size, not {self.rows}×{self.columns}")
        if self._count() > MOST_CELLS:
            raise BadInput(f"a board of {self._count():,} cells: expected at most {MOST_CELLS:,}")

    def _count(self) -> int:
        if self.shape == "hexagon":
            return 3 * self.rows * (self.rows - 1) + 1
        return self.rows * self.columns  # a triangle of n rows has 1 + 3 + 5 + … = n² cells

    @classmethod
    def parse(cls, text: str, shape: str = "square") -> Board:
        """Read a size as 8 or 6x9."""
        found = re.fullmatch(r"([0-9]+)(?:[x×]([0-9]+))?", text.strip())
        if not found:
            raise BadInput(f"the size {short(text)}: expected a number, or rows and columns as 6x9")
        if any(len(number or "") > 9 for number in found.groups()):
            raise BadInput(f"the size {short(text)}: expected a board of at most {MOST_CELLS:,} cells")
        return cls(int(found[1]), int(found[2] or found[1]), shape)

    @classmethod
    def of_cells(cls, count: int, shape: str) -> Board:
        """The board with `count` cells and equal sides; an error if there is none."""
        for n in range(1, count + 1):
            size = 3 * n * (n - 1) + 1 if shape == "hexagon" else n * n
            if size == count:
                return cls(n, n, shape)
            if size > count:
                break
        raise BadInput(f"{count} pieces fill no board of {shape}s with equal sides: give its size, as 6x9")

    @property
    def size(self) -> str:
        """The size as `parse` reads it."""
        return f"{self.rows}x{self.columns}" if self.rows != self.columns else str(self.rows)

    @property
    def sides(self) -> int:
        """The number of sides of a cell."""
        return SIDES[self.shape]

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Row and column of each cell, from 0; in a triangle or hexagon, columns count from the left end of the row."""
        return tuple((r, c) for r in range(self._height) for c in range(self.length(r)))

    @property
    def _height(self) -> int:
        return 2 * self.rows - 1 if self.shape == "hexagon" else self.rows

    def length(self, row: int) -> int:
        """The number of cells of a row."""
        if self.shape == "square":
            return self.columns
        if self.shape == "triangle":
            return 2 * row + 1
        return 2 * self.rows - 1 - abs(row - self.rows + 1)

    @property
    def cells(self) -> int:
        return len(self.places)

    @cached_property
    def number(self) -> dict[tuple[int, int], int]:
        """The cell at a row and column."""
        return {place: cell for cell, place in enumerate(self.places)}

    def name(self, cell: int) -> str:
        """The name of a cell, row and column from 1, as r2c5."""
        row, column = self.places[cell]
        return f"r{row + 1}c{column + 1}"

    def cell(self, name: str) -> int:
        """The cell with a name."""
        found = re.fullmatch(r"r([0-9]{1,4})c([0-9]{1,4})", name)
        cell = self.number.get((int(found[1]) - 1, int(found[2]) - 1)) if found else None
        if cell is None:
            raise BadInput(f"the cell {name!r}: expected row and column as r2c5, on a board of {self.size}")
        return cell

    @cached_property
    def neighbours(self) -> NDArray[np.int32]:
        """The touching cell and side for each cell and side, as cell · sides + side; −1 on the border."""
        table = np.full((self.cells, self.sides), -1, np.int32)
        for cell, (row, column) in enumerate(self.places):
            for side, (place, other) in enumerate(self._touching(row, column)):
                if place in self.number:
                    table[cell, side] = self.number[place] * self.sides + other
        return table

    def _touching(self, row: int, column: int) -> list[tuple[tuple[int, int], int]]:
        """The place across each side of a place, and the touching side there."""
        if self.shape == "square":
            around = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
            return [(place, (side + 2) % 4) for side, place in enumerate(around)]
        if self.shape == "triangle":
            # Even columns point up: right, bottom, left.  Odd columns point down: left, top, right.
            if column % 2 == 0:
                return [((row, column + 1), 0), ((row + 1, column + 1), 1), ((row, column - 1), 2)]
            return [((row, column - 1), 0), ((row - 1, column - 1), 1), ((row, column + 1), 2)]
        up = int(row >= self.rows)  # rows below the middle are shorter than the one above them
        down = int(row < self.rows - 1)
        above = [(row - 1, column + up), (row, column + 1), (row + 1, column + down)]
        around = [*above, (row + 1, column + down - 1), (row, column - 1), (row - 1, column + up - 1)]
        return [(place, (side + 3) % 6) for side, place in enumerate(around)]

    @cached_property
    def joins(self) -> tuple[tuple[int, int, int, int], ...]:
        """Each join once: a cell and its side, and the later cell and its side."""
        return tuple(
            (cell, side, int(across) // self.sides, int(across) % self.sides)
            for cell, row in enumerate(self.neighbours)
            for side, across in enumerate(row)
            if across // self.sides > cell
        )

    @cached_property
    def border(self) -> NDArray[np.bool_]:
        """Whether each side of each cell is on the border."""
        return self.neighbours < 0

    def outline(self, cell: int) -> list[Point]:
        """The corners of a cell, clockwise, with y downwards; side s is between the corners s and s + 1."""
        row, column = self.places[cell]
        if self.shape == "square":
            return [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        if self.shape == "triangle":
            left = (self.rows - row - 1 + column) / 2
            top, bottom = row * _TALL, (row + 1) * _TALL
            if column % 2 == 0:
                return [(left + 0.5, top), (left + 1, bottom), (left, bottom)]
            return [(left + 0.5, bottom), (left, top), (left + 1, top)]
        x = column + 0.5 + abs(row - self.rows + 1) / 2
        y = row * _TALL + 1 / sqrt(3)
        third, half = 1 / sqrt(3), 1 / (2 * sqrt(3))
        right = [(x, y - third), (x + 0.5, y - half), (x + 0.5, y + half)]
        return [*right, (x, y + third), (x - 0.5, y + half), (x - 0.5, y - half)]


def order_names() -> list[str]:
    """The names for shell completion."""
    return ["auto", *ORDERS]


def order_of(board: Board, name: str) -> tuple[int, ...]:
    """An order by its name, or as a list of all cells: r1c1,r1c2,…"""
    if name in ("", "rows"):
        return tuple(range(board.cells))
    if name == "columns":
        return tuple(sorted(range(board.cells), key=lambda cell: board.places[cell][::-1]))
    if name == "diagonal":
        return tuple(sorted(range(board.cells), key=lambda cell: (sum(board.places[cell]), board.places[cell])))
    if name in ("ring", "spiral"):
        return _spiral(board, whole=name == "spiral")
    if name not in ORDERS and "," not in name:
        raise BadInput(unknown("the order", name, ORDERS, "or all cells as r1c1,r1c2,…"))
    cells = [board.cell(word.strip()) for word in name.split(",")]
    if sorted(cells) != list(range(board.cells)):
        raise BadInput(f"the order of {len(cells)} cells: expected each of the {board.cells} cells once")
    return tuple(cells)


def ring_of(board: Board, cells: Sequence[int]) -> list[int]:
    """Sort cells clockwise around the centre of the board, from the upper left."""
    middle = {cell: np.mean(board.outline(cell), axis=0) for cell in range(board.cells)}
    centre = np.mean(list(middle.values()), axis=0)

    def angle(cell: int) -> float:
        x, y = middle[cell] - centre
        return round(atan2(y, x), 9)

    ring = sorted(cells, key=angle)
    first = ring.index(min(ring))
    return ring[first:] + ring[:first]


def _spiral(board: Board, *, whole: bool) -> tuple[int, ...]:
    """Ring by ring from the outside; or if not `whole`, the outermost ring and then row by row."""
    left = set(range(board.cells))
    order: list[int] = []
    while left:
        across = board.neighbours // board.sides
        rim = [
            c for c in left if any(n < 0 or a not in left for n, a in zip(board.neighbours[c], across[c], strict=True))
        ]
        order += ring_of(board, rim) if whole or not order else sorted(left)
        left -= set(order)
    return tuple(order)
