"""The Sudoku puzzle and its rules, on boards from 4×4 to 25×25, with diagonals, jigsaw regions or cages.

side       number of rows, columns and digits: 4, 6, 9, 12, 16 or 25
cell       numbered row by row from 0; named by row and column from 1, for example r2c5
digit      1 to the side; written 1 to 9, then A to P; an empty cell is 0 in the program and . in text
box        a rectangle of the plain board; a jigsaw has regions of any shape instead
unit       a row, column, box, region or diagonal: cells that hold every digit once
cage       cells of a killer puzzle and the sum of their digits; no digit occurs twice in a cage
clue       a given digit
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tablero.errors import BadInput
from tablero.sudoku import verbs

if TYPE_CHECKING:
    from tablero.sudoku.reading import Asked, SudokuLike

BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3), 12: (3, 4), 16: (4, 4), 25: (5, 5)}  # rows and columns of a box
SIDES = tuple(BOXES)
SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"
_ROOT = {side * side: side for side in SIDES}

Cells = tuple[int, ...]


class Unit(NamedTuple):
    """Cells that hold every digit once."""

    name: str  # for example "row 3"
    cells: Cells


@dataclass(frozen=True)
class Cage:
    """A cage of a killer puzzle.

    Parameters
    ----------
    total
        Sum of the digits.
    cells
        Numbers of the cells.
    """

    total: int
    cells: Cells


@dataclass(frozen=True)
class Layout:
    """The size and the rules of a board, without clues.

    Parameters
    ----------
    side
        Number of rows, columns and digits: 4, 6, 9, 12, 16 or 25.
    regions
        Region of each cell, numbered from 0; empty for the plain boxes.
    diagonals
        Whether both diagonals hold every digit once.
    cages
        Cages of a killer puzzle.

    Raises
    ------
    BadInput
        If no board has this side, or if the regions or cages do not fit the board.
    """

    side: int = 9
    regions: Cells = ()
    diagonals: bool = False
    cages: tuple[Cage, ...] = ()

    def __post_init__(self) -> None:
        if self.side not in BOXES:
            raise BadInput(f"a board of side {self.side}: expected one of {', '.join(map(str, SIDES))}")
        if self.regions:
            _check_regions(self.side, self.regions)
        _check_cages(self.side, self.cages)

    @property
    def size(self) -> int:
        return self.side * self.side

    @property
    def is_plain(self) -> bool:
        """Whether rows, columns and boxes are the only units."""
        return not (self.regions or self.diagonals or self.cages)

    @property
    def kind(self) -> str:
        """The kind and size of the board: "jigsaw 9×9"."""
        words = [
            word
            for word, here in (("diagonal", self.diagonals), ("jigsaw", self.regions), ("killer", self.cages))
            if here
        ]
        return " ".join([*words, f"{self.side}×{self.side}"])

    def region(self, cell: int) -> int:
        """Return the number of the box or region of a cell."""
        if self.regions:
            return self.regions[cell]
        row, column = divmod(cell, self.side)
        tall, wide = BOXES[self.side]
        return row // tall * (self.side // wide) + column // wide

    @property
    def units(self) -> tuple[Unit, ...]:
        """Rows, columns, boxes or regions, then diagonals."""
        return _units(self.side, self.regions, self.diagonals)


@lru_cache(maxsize=64)
def _units(side: int, regions: Cells, diagonals: bool) -> tuple[Unit, ...]:
    layout = Layout(side, regions)
    line = range(side)
    units = [Unit(f"row {r + 1}", tuple(side * r + c for c in line)) for r in line]
    units += [Unit(f"column {c + 1}", tuple(side * r + c for r in line)) for c in line]
    word = "region" if regions else "box"
    for number in line:
        cells = tuple(cell for cell in range(side * side) if layout.region(cell) == number)
        units.append(Unit(f"{word} {number + 1}", cells))
    if diagonals:
        units.append(Unit("the falling diagonal", tuple(side * k + k for k in line)))
        units.append(Unit("the rising diagonal", tuple(side * (side - 1 - k) + k for k in line)))
    return tuple(units)


def _check_regions(side: int, regions: Sequence[int]) -> None:
    if len(regions) != side * side:
        raise BadInput(f"the regions have {len(regions)} cells: expected {side * side}")
    for number in sorted(set(regions)):
        count = regions.count(number)
        if not 0 <= number < side or count != side:
            raise BadInput(f"region {number + 1} has {count} cells: expected {side} regions of {side} cells")


def _check_cages(side: int, cages: Iterable[Cage]) -> None:
    seen: set[int] = set()
    for number, cage in enumerate(cages, 1):
        size = len(cage.cells)
        if not 1 <= size <= side:
            raise BadInput(
                f"cage {number} has {size} cells: expected 1 to {side}, because no digit occurs twice in a cage"
            )
        for cell in cage.cells:
            if not 0 <= cell < side * side or cell in seen:
                raise BadInput(f"cage {number}: the cell {cell_name(cell, side)} is off the board or in two cages")
            seen.add(cell)
        least, most = size * (size + 1) // 2, size * (2 * side + 1 - size) // 2
        if not least <= cage.total <= most:
            raise BadInput(
                f"cage {number} at {cell_name(cage.cells[0], side)}: {size} different digits cannot add up to "
                f"{cage.total}, only to {least} to {most}"
            )


@dataclass(frozen=True, repr=False)
class Sudoku:
    """A Sudoku puzzle.

    Parameters
    ----------
    cells
        Digits of the clues row by row; 0 for an empty cell.
    layout
        Size and rules of the board.

    Raises
    ------
    BadInput
        If a digit is out of range or occurs twice in a unit or cage.

    Examples
    --------
    >>> import tablero as tb
    >>> puzzle = tb.sudoku.parse("1..4........4..1")
    >>> puzzle
    <sudoku: 4×4, 4 clues>
    >>> puzzle.count().solutions
    2
    """

    cells: Cells
    layout: Layout = field(default_factory=Layout)

    def __post_init__(self) -> None:
        side = self.layout.side
        if len(self.cells) != self.layout.size:
            raise BadInput(f"{len(self.cells)} cells: expected {self.layout.size} for a board of {side}×{side}")
        for cell, digit in enumerate(self.cells):
            if not 0 <= digit <= side:
                raise BadInput(f"{cell_name(cell, side)}: {digit}: expected a digit from 1 to {side}, or an empty cell")
        for unit in self.layout.units:
            _check_twice(self.cells, unit.name, unit.cells, side)
        for number, cage in enumerate(self.layout.cages, 1):
            _check_twice(self.cells, f"cage {number}", cage.cells, side)

    @property
    def side(self) -> int:
        return self.layout.side

    @property
    def clues(self) -> int:
        """Number of clues."""
        return sum(map(bool, self.cells))

    def line(self) -> str:
        """Return the cells row by row, one character each."""
        return to_line(self.cells)

    def __repr__(self) -> str:
        return f"<sudoku: {self.layout.kind}, {self.clues} clue{'' if self.clues == 1 else 's'}>"

    def __str__(self) -> str:
        from tablero.sudoku.draw import board_text

        return board_text(self.layout, self.cells)

    def _repr_svg_(self) -> str:
        from tablero.draw.svg import to_svg
        from tablero.sudoku.draw import board

        return to_svg(board(self))

    solve = verbs.solve
    count = verbs.count
    step = verbs.step
    steps = verbs.steps
    hint = verbs.hint
    candidates = verbs.candidates
    rate = verbs.rate


def as_puzzle(value: SudokuLike) -> Asked:
    """Convert a value to a puzzle, or to a file of many puzzles."""
    if isinstance(value, Sudoku):
        return value
    from tablero.sudoku import reading

    return reading.as_puzzle(value)


def as_bytes(puzzle: Sudoku) -> bytes:
    """Encode the puzzle for the file of a job."""
    from tablero.sudoku.formats import write

    return write(puzzle).encode()


def from_bytes(data: bytes) -> Sudoku:
    """Decode the puzzle that `as_bytes` wrote."""
    from tablero.sudoku.formats import parse

    return parse(data.decode(), "the job's puzzle")


def _check_twice(cells: Sequence[int], name: str, places: Iterable[int], side: int) -> None:
    seen: dict[int, int] = {}
    for cell in places:
        digit = cells[cell]
        if digit and digit in seen:
            both = f"{cell_name(seen[digit], side)} and {cell_name(cell, side)}"
            raise BadInput(f"the digit {SYMBOLS[digit]} occurs twice in {name}: at {both}")
        seen[digit] = cell


def cell_name(cell: int, side: int) -> str:
    """Return the name of a cell, for example r2c5."""
    return f"r{cell // side + 1}c{cell % side + 1}"


def to_line(cells: Iterable[int]) -> str:
    """Return the cells as characters; an empty cell is a dot."""
    return "".join(SYMBOLS[digit] for digit in cells)


def side_of(cells: int) -> int | None:
    """Return the side of a board with this number of cells, or None."""
    return _ROOT.get(cells)
