"""Find the boards on a sheet among other cells.

    digit      a number, or a letter from 12×12 on; 0, . and blank cells are empty cells of a board
    other      anything else: words, dates, fractions, formulas without a stored value
    window     a square of the size of a board that holds only digits and empty cells and breaks no rule
    tight      a window with digits in its first and last row and column
    free       a window without adjacent digits
    cluster    digits with at most two empty rows or columns between them: a board with one solution has at most one
               empty row in a band and one empty column in a stack
    frame      an isolated square of cells that hold a digit or 0, or have a format

A frame is a board.  A cluster of the size of a board is one, too.  Otherwise the windows are compared: a tight and free
window that overlaps no other is a board; among windows that overlap, the board is the one with a single solution.  If
that does not decide, the user must give the top left cell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.runs.run import HERE, Here
from tablero.sudoku.formats import make
from tablero.sudoku.puzzle import BOXES, SIDES, SYMBOLS, Layout, Sudoku
from tablero.sudoku.solving import how_many
from tablero.sudoku.workbook import Formula, Value, Workbook, cell_at, place_of
from tablero.verbs.parameters import spell

MOST_CELLS = 500_000  # cells of a sheet that is searched for boards
_MOST_AREA = 4_000_000  # rows times columns of a cluster
_MOST_PLACES = 20_000  # windows of a cluster
_MOST_WINDOWS = 200  # overlapping windows that are compared
_LEAST = {4: 4, 6: 8, 9: 16, 12: 30, 16: 55, 25: 140}  # clues of a board that is found automatically
_LETTERS = 12  # the smallest side whose digits may be letters
_GAP = 2  # empty rows or columns inside a cluster
_NODES = 50_000  # limit of the search that checks whether a window has one solution

Place = tuple[int, int]


@dataclass
class Sheet:
    """The contents of a sheet by row and column."""

    name: str
    digits: dict[Place, int] = field(default_factory=dict)
    letters: set[Place] = field(default_factory=set)  # places of digits that are written as letters
    zeros: set[Place] = field(default_factory=set)  # cells that hold 0 or a dot
    blanks: set[Place] = field(default_factory=set)  # empty cells with a format
    others: dict[Place, Value] = field(default_factory=dict)

    def add(self, place: Place, value: Value) -> None:
        digit = digit_of(value)
        if value == "":
            if len(self.blanks) < MOST_CELLS:
                self.blanks.add(place)
        elif digit is None:
            self.others[place] = value
        elif digit == 0:
            self.zeros.add(place)
        else:
            self.digits[place] = digit
            if isinstance(value, str) and value.isalpha():
                self.letters.add(place)


class Window(NamedTuple):
    """A square of cells on a sheet."""

    top: int
    left: int
    side: int

    @property
    def name(self) -> str:
        return cell_at(self.top, self.left)

    @property
    def around(self) -> Window:
        """The square enlarged by one row or column on each side."""
        return Window(self.top - 1, self.left - 1, self.side + 2)

    def overlaps(self, other: Window) -> bool:
        return (
            self.top < other.top + other.side
            and other.top < self.top + self.side
            and self.left < other.left + other.side
            and other.left < self.left + self.side
        )

    def places(self) -> Iterator[Place]:
        for row in range(self.top, self.top + self.side):
            for column in range(self.left, self.left + self.side):
                yield row, column


class Found(NamedTuple):
    """A puzzle and its place in a workbook."""

    sheet: str
    window: Window
    puzzle: Sudoku

    @property
    def name(self) -> str:
        return f"{self.window.name} of {self.sheet!r}"


def digit_of(value: Value) -> int | None:
    """Return the digit of a cell, 0 for an empty cell, and None for other contents."""
    if isinstance(value, (bool, Formula)):
        return None
    if isinstance(value, str):
        text = value.upper()
        if text in ("", "."):
            return 0
        if len(text) == 1 and text in SYMBOLS:
            return SYMBOLS.index(text)
        if not (text.isascii() and text.isdigit() and len(text) < 4):
            return None
        value = int(text)
    return int(value) if 0 <= value <= max(SIDES) and value == int(value) else None


def boards(
    data: bytes | Path, source: str, *, sheet: str = "", cell: str = "", layout: Layout | None = None
) -> list[Found]:
    """Find all boards of a workbook, or read the one whose top left cell is `cell`."""
    book = Workbook(data, source)
    names = book.named(sheet)
    if cell:
        return [_Finder(_load(book, names[0], source), layout, source).at(place_of(cell))]
    pages = [_Finder(_load(book, name, source), layout, source) for name in names]
    found = [one for page in pages for one in page.find()]
    if unsure := [fault for page in pages for fault in page.unsure]:
        raise unsure[0]
    if found:
        return found
    if faults := [fault for page in pages for fault in page.faults]:
        raise faults[0]
    what = "there are no digits on the sheet" if any(page.page.others for page in pages) else "the sheet is empty"
    raise BadInput(f"{source}: {what}: expected a board")


def open_ones(found: Sequence[Found]) -> list[Found]:
    """Return the boards with empty cells, or all boards if all are full."""
    return [one for one in found if 0 in one.puzzle.cells] or list(found)


def parse(
    data: bytes, source: str = "the sheet", *, sheet: str = "", cell: str = "", layout: Layout | None = None
) -> Sudoku:
    """Read the one board of a workbook."""
    puzzles = open_ones(boards(data, source, sheet=sheet, cell=cell, layout=layout))
    if len(puzzles) > 1:
        places = ", ".join(one.name for one in puzzles[:5]) + (", …" if len(puzzles) > 5 else "")
        which = f"choose one with {spell('sheet')} and {spell('cell')} ({places})"
        raise BadInput(f"{source}: {len(puzzles)} puzzles, expected one: {which}")
    return puzzles[0].puzzle


def _load(book: Workbook, name: str, source: str) -> Sheet:
    page = Sheet(name)
    for row, cells in book.rows(name):
        for column, value in cells.items():
            page.add((row, column), value)
        if len(page.digits) + len(page.others) + len(page.zeros) > MOST_CELLS:
            raise BadInput(
                f"{source}: the sheet {name!r} has more than {MOST_CELLS:,} cells and is not searched for boards: "
                f"name a column of puzzles with {spell('column')}"
            )
    return page


def _ask() -> str:
    return f"name its top left cell with {spell('cell')}, such as B2"


class _Finder:
    """The search for boards on one sheet."""

    def __init__(self, page: Sheet, layout: Layout | None, source: str) -> None:
        self.page, self.layout, self.source = page, layout, source
        self.sides = (layout.side,) if layout else SIDES
        self.faults: list[BadInput] = []  # errors in squares that should be boards
        self.unsure: list[BadInput] = []  # errors for boards whose place is ambiguous
        self._one: dict[Window, bool] = {}

    def at(self, corner: Place) -> Found:
        """Read the board with this top left cell; if the side is not given, it is found from the digits."""
        top, left = corner
        seen = [place for place in self.page.digits if place[0] >= top and place[1] >= left]
        if not seen:
            raise BadInput(f"{self.source}: there are no digits from that cell on: expected a board")
        side = self.sides[0]
        if len(self.sides) > 1:
            framed = [window.side for window in self.frames() if (window.top, window.left) == corner]
            windows = [Window(top, left, size) for size in reversed(self.sides)]
            proper = [window.side for window in windows if self._may_be_a_board(window) and self._has_one(window)]
            side = next(iter([*framed, *proper]), 0) or _side_at(seen, corner)
        return self._found(Window(top, left, side))

    def find(self) -> list[Found]:
        """Find the boards; put the errors of the others into `faults` and `unsure`."""
        found: list[Found] = []
        whole = self.frames()
        framed = {place for window in whole for place in window.places()}
        groups: list[list[Window]] = []
        scraps = 0
        for cluster in _clusters([place for place in self.page.digits if place not in framed]):
            (top, bottom), (left, right) = ((min(line), max(line) + 1) for line in zip(*cluster, strict=True))
            side = bottom - top
            if side == right - left and side in self.sides and len(cluster) >= _LEAST[side]:
                whole.append(Window(top, left, side))
            elif side * (right - left) > _MOST_AREA:
                raise self._too_many()
            else:
                around = range(max(top - 2, 0), bottom + 2), range(max(left - 2, 0), right + 2)
                windows = list(self._windows(cluster, *around))
                groups += _overlapping(windows)
                scraps += not windows
        for window in whole:
            try:
                found.append(self._found(window))
            except BadInput as error:
                self.faults.append(error)
        for group in groups:
            chosen = self._choose(group)
            found += map(self._found, chosen)
            if not chosen:
                places = " or ".join([*dict.fromkeys(window.name for window in sorted(group))][:4])
                self.unsure.append(
                    BadInput(
                        f"{self.source}: the board on the sheet {self.page.name!r} may begin at {places}: {_ask()}"
                    )
                )
        if scraps and not (found or self.faults or self.unsure):
            self.faults.append(
                BadInput(f"{self.source}: no board was found on the sheet {self.page.name!r}{self._hint()}: {_ask()}")
            )
        return sorted(found, key=lambda one: one.window)

    def _hint(self) -> str:
        """Name the first formula without a value, because it prevents a board around it."""
        places = [place for place, value in self.page.others.items() if isinstance(value, Formula)]
        return f" (the formula in {cell_at(*min(places))} has no stored value)" if places else ""

    def _too_many(self) -> BadInput:
        return BadInput(f"{self.source}: too many digits on the sheet {self.page.name!r} to find a board: {_ask()}")

    def _found(self, window: Window) -> Found:
        return Found(self.page.name, window, self._read(window, self.layout))

    def _read(self, window: Window, layout: Layout | None) -> Sudoku:
        """Read the puzzle in a window; a cell with other contents is an error."""
        page, side = self.page, window.side
        cells = []
        for place in window.places():
            digit = page.digits.get(place, 0)
            if place in page.others or digit > side or (side < _LETTERS and place in page.letters):
                value = page.others.get(place, SYMBOLS[digit] if place in page.letters else digit)
                where = f"{self.source}: {cell_at(*place)}"
                if isinstance(value, Formula):
                    raise BadInput(
                        f"{where}: the formula {value.text} has no stored value: expected a digit or a blank"
                    )
                raise BadInput(f"{where}: {value!r}: expected a digit from 1 to {side}, 0 or a blank")
            cells.append(digit)
        return make(cells, layout or Layout(side), self.source)

    def frames(self) -> list[Window]:
        """Find squares of cells with a digit, a 0 or a format that are not adjacent to other such cells."""
        page = self.page
        there = page.digits.keys() | page.zeros | page.blanks
        out = []
        for row, column in sorted(there):
            if (row - 1, column) in there or (row, column - 1) in there:
                continue
            side = 0
            while side <= max(SIDES) and (row, column + side) in there:
                side += 1
            window = Window(row, column, side)
            if side in self.sides and set(window.places()) == there.intersection(window.around.places()):
                out.append(window)
        return out

    def _windows(self, cluster: Collection[Place], rows: range, columns: range) -> Iterator[Window]:
        """Yield the windows of all sizes in these rows and columns that hold digits of a cluster."""
        page = self.page
        held = np.zeros((len(rows), len(columns)), np.int64)
        for row, column in cluster:
            held[row - rows[0], column - columns[0]] = page.digits[row, column]
        others = np.array([[(row, column) in page.others for column in columns] for row in rows])
        count = 0
        for side in self.sides:
            if len(rows) < side or len(columns) < side:
                continue
            good = (_sums(held > 0, side) >= _LEAST[side]) & (_sums(others | (held > side), side) == 0)
            for row, column in np.argwhere(good).tolist():
                window = Window(rows[row], columns[column], side)
                if not self._may_be_a_board(window):
                    continue
                if side >= 9 or len(cluster) == sum(place in page.digits for place in window.places()):
                    count += 1
                    if count > _MOST_PLACES:
                        raise self._too_many()
                    yield window

    def _may_be_a_board(self, window: Window) -> bool:
        """Whether a square may be a plain board with one solution; nothing is searched."""
        side, (tall, wide) = window.side, BOXES[window.side]
        seen: set[tuple[int, int, int]] = set()
        for row, column in window.places():  # fast, because most squares repeat a digit in a row or column
            if digit := self.page.digits.get((row, column)):
                here = {(0, row, digit), (1, column, digit)}
                if seen & here:
                    return False
                seen |= here
        try:
            cells = self._read(window, None).cells
        except BadInput:
            return False
        filled = [k for k, digit in enumerate(cells) if digit]
        rows, columns = {k // side for k in filled}, {k % side for k in filled}
        bands = all(len(rows.intersection(range(k, k + tall))) >= tall - 1 for k in range(0, side, tall))
        stacks = all(len(columns.intersection(range(k, k + wide))) >= wide - 1 for k in range(0, side, wide))
        return bands and stacks and len({*cells} - {0}) >= side - 1

    def _is_plain(self, window: Window) -> bool:
        """Whether a window is tight and free."""
        digits, last = self.page.digits, window.side - 1
        inside = [place for place in window.places() if place in digits]
        edges = zip(zip(*inside, strict=True), (window.top, window.left), strict=True)
        tight = all((min(lines), max(lines)) == (first, first + last) for lines, first in edges)
        return tight and sum(place in digits for place in window.around.places()) == len(inside)

    def _has_one(self, window: Window) -> bool:
        """Whether the board of a window has one solution; False if the search takes too long."""
        if window not in self._one:
            try:
                puzzle = self._read(window, self.layout)
                is_small = window.side == 9 and puzzle.layout.is_plain
                self._one[window] = how_many(puzzle, run=HERE if is_small else Here(node_limit=_NODES)) == 1
            except (BadInput, TimeoutError):
                self._one[window] = False
        return self._one[window]

    def _choose(self, group: Sequence[Window]) -> list[Window]:
        """Choose the boards among windows that overlap; none if the choice is ambiguous."""
        if len(group) == 1 and self._is_plain(group[0]):
            return list(group)
        if len(group) > _MOST_WINDOWS:
            return []
        proper = [window for window in group if self._has_one(window)]
        largest = [
            window
            for window in proper
            if not any(other.side > window.side and other.overlaps(window) for other in proper)
        ]
        if largest:
            clash = any(one.overlaps(two) for k, one in enumerate(largest) for two in largest[:k])
            if not clash:
                return largest
        plain = [window for window in group if self._is_plain(window)]
        return plain if len(plain) == 1 and not largest else []


def _side_at(seen: Collection[Place], corner: Place) -> int:
    """Return the side of a board from the extent of the cluster of digits at its top left cell."""
    far = 0
    for axis in (0, 1):
        last = corner[axis] - 1
        for k in sorted({place[axis] for place in seen}):
            if k - last > _GAP + 1:
                break
            last = k
        far = max(far, last - corner[axis] + 1)
    return far if far in (4, 6) else next((side for side in SIDES if side >= max(far, 9)), 9)


def _clusters(places: Collection[Place]) -> Iterator[Collection[Place]]:
    """Split the places repeatedly where there are more than two empty rows or columns."""
    todo = [places] if places else []
    while todo:
        cluster = todo.pop()
        for axis in (0, 1):
            lines = sorted({place[axis] for place in cluster})
            if cuts := [two for one, two in pairwise(lines) if two - one > _GAP + 1]:
                parts: list[list[Place]] = [[] for _ in range(len(cuts) + 1)]
                for place in cluster:
                    parts[bisect_right(cuts, place[axis])].append(place)
                todo += parts
                break
        else:
            yield cluster


def _sums(cells: NDArray[np.bool_], side: int) -> NDArray[np.int64]:
    """Return the sum over every square of this side."""
    total = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1), np.int64)
    total[1:, 1:] = cells.cumsum(0).cumsum(1)
    return total[side:, side:] - total[:-side, side:] - total[side:, :-side] + total[:-side, :-side]


def _overlapping(windows: Sequence[Window]) -> list[list[Window]]:
    """Group the windows so that windows of different groups do not overlap."""
    groups: list[list[Window]] = []
    for window in windows:
        met = [group for group in groups if any(window.overlaps(other) for other in group)]
        groups = [
            *(group for group in groups if group not in met),
            [window, *(other for group in met for other in group)],
        ]
    return groups
