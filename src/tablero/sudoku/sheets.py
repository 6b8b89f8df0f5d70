"""Where the boards are on a sheet, whatever else is written there.

    digit      a number, or from 12×12 up a letter; 0 and . are empty cells, as are blank ones
    other      anything else: words, dates, fractions, formulas whose value the file lacks
    window     a square of cells as large as a board that holds nothing but digits and empty cells, and breaks no rule
    tight      there are digits in the first and the last of its rows and of its columns
    free       there are no digits right beside it
    cluster    digits with no more than two empty rows or columns between them: a board with one solution leaves at most one
               row of a band empty, and one column of a stack
    frame      cells that are formatted, or hold 0 where they are empty, and make up a square that stands alone

A frame is a board, and so is a cluster that is as large as one.  Otherwise windows are looked at: one that is tight, free
and overlaps no other is a board, and among those that overlap it is the one with a single solution.  Where that does not
decide it, the user is asked for the corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.sudoku.formats import make
from tablero.sudoku.puzzle import BOXES, SIDES, SYMBOLS, Layout, Sudoku
from tablero.sudoku.workbook import Formula, Value, Workbook, cell_at, place_of

MOST_CELLS = 500_000  # of a sheet that are looked at
_MOST_AREA = 4_000_000  # rows times columns of a cluster
_MOST_PLACES = 20_000  # windows of a cluster
_MOST_WINDOWS = 200  # that overlap each other
_LEAST = {4: 4, 6: 8, 9: 16, 12: 30, 16: 55, 25: 140}  # clues that a board has which is found by itself
_LETTERS = 12  # the least side whose digits may be letters
_GAP = 2  # empty rows or columns inside a cluster
_NODES = 50_000  # to find out whether a window has one solution

Place = tuple[int, int]


@dataclass
class Sheet:
    """What a sheet holds, by places."""

    name: str
    digits: dict[Place, int] = field(default_factory=dict)
    letters: set[Place] = field(default_factory=set)  # those of the digits that are written as letters
    zeros: set[Place] = field(default_factory=set)  # cells that are said to be empty
    blanks: set[Place] = field(default_factory=set)  # cells with a format, and nothing in them
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
    """A board's place on a sheet."""

    top: int
    left: int
    side: int

    @property
    def name(self) -> str:
        return cell_at(self.top, self.left)

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
    """A puzzle, and where it was found."""

    sheet: str
    window: Window
    puzzle: Sudoku

    @property
    def name(self) -> str:
        return f"{self.window.name} of {self.sheet!r}"


def digit_of(value: Value) -> int | None:
    """The digit of a cell, 0 where it is empty, None where it is something else."""
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
    data: bytes | Path,
    source: str,
    *,
    sheet: str = "",
    cell: str = "",
    layout: Layout | None = None,
    side: int | None = None,
) -> list[Found]:
    """All boards of a workbook, sheet by sheet and row by row; `cell` is the corner of the one that is wanted."""
    book = Workbook(data, source)
    if sheet and sheet not in book.sheets:
        raise BadInput(f"{source}: no sheet {sheet!r}: there are {', '.join(map(repr, book.sheets))}")
    sides = (layout.side,) if layout else (side,) if side else SIDES
    if side is not None:
        Layout(side)  # refuses what is none
    if cell:
        page = _load(book, sheet or book.sheets[0], source)
        return [_at(page, place_of(cell), sides, layout, source)]
    found: list[Found] = []
    faults: list[BadInput] = []
    is_written = False
    for name in [sheet] if sheet else book.sheets:
        page = _load(book, name, source)
        is_written = is_written or bool(page.others)
        here, wrong = _Finder(page, sides, layout, source).find()
        found += here
        faults += wrong
    if faults and (not found or isinstance(faults[0], _Unsure)):
        raise faults[0]
    if not found:
        what = "there are no digits on it" if is_written else "the sheet is empty"
        raise BadInput(f"{source}: {what}: expected a board")
    return found


def open_ones(found: Sequence[Found]) -> list[Found]:
    """The puzzles among boards: those that are full do not count where another is not."""
    return [one for one in found if 0 in one.puzzle.cells] or list(found)


def the_puzzle(found: Sequence[Found], source: str) -> Sudoku:
    """The one puzzle among boards."""
    puzzles = open_ones(found)
    if len(puzzles) > 1:
        places = ", ".join(one.name for one in puzzles[:5]) + (", …" if len(puzzles) > 5 else "")
        raise BadInput(f"{source}: {len(puzzles)} puzzles, expected one: say which with --sheet and --cell ({places})")
    return puzzles[0].puzzle


def parse(
    data: bytes, source: str = "the sheet", *, sheet: str = "", cell: str = "", layout: Layout | None = None
) -> Sudoku:
    """Read the one board of a workbook."""
    return the_puzzle(boards(data, source, sheet=sheet, cell=cell, layout=layout), source)


class _Unsure(BadInput):
    """A board is there, but not where it begins."""


def _load(book: Workbook, name: str, source: str) -> Sheet:
    page = Sheet(name)
    for row, cells in book.rows(name):
        for column, value in cells.items():
            page.add((row, column), value)
        if len(page.digits) + len(page.others) + len(page.zeros) > MOST_CELLS:
            raise BadInput(
                f"{source}: the sheet {name!r} has more than {MOST_CELLS:,} cells: no board is looked for there; "
                "a column of puzzles is named with --column"
            )
    return page


def _read(page: Sheet, window: Window, layout: Layout | None, source: str) -> Sudoku:
    """The puzzle in a window; what is no digit is refused with its cell."""
    side = window.side
    cells = []
    for place in window.places():
        digit = page.digits.get(place, 0)
        value = page.others.get(place, digit)
        where = f"{source}: {cell_at(*place)}"
        if isinstance(value, Formula):
            raise BadInput(f"{where}: a formula ({value.text}): expected a digit or a blank")
        if place in page.others or digit > side or (side < _LETTERS and place in page.letters):
            shown = SYMBOLS[digit] if place in page.letters else value
            told = repr(shown) if isinstance(shown, str) else str(shown)
            raise BadInput(f"{where}: {told}: expected a digit from 1 to {side}, 0 or a blank")
        cells.append(digit)
    return make(cells, layout or Layout(side), source)


def _at(page: Sheet, corner: Place, sides: Sequence[int], layout: Layout | None, source: str) -> Found:
    """The board that begins at a corner; where the side is not told, the largest that fits what is there."""
    top, left = corner
    seen = {place: digit for place, digit in page.digits.items() if place[0] >= top and place[1] >= left}
    if not seen:
        raise BadInput(f"{source}: the sheet is empty from that cell on: expected a board")
    finder = _Finder(page, sides, layout, source)
    side = sides[0]
    if len(sides) > 1:
        framed = [window.side for window in finder.frames() if (window.top, window.left) == corner]
        windows = [Window(top, left, size) for size in reversed(sides)]
        proper = [window.side for window in windows if finder.is_window(window) and finder.has_one(window)]
        side = next(iter([*framed, *proper]), 0) or _side_of(_cluster_at(seen, corner))
    window = Window(top, left, side)
    return Found(page.name, window, _read(page, window, layout, source))


def _cluster_at(seen: Iterable[Place], corner: Place) -> tuple[int, int]:
    """How far the digits that hang together with a corner reach, in rows and in columns."""
    reach = [0, 0]
    for axis in (0, 1):
        last = corner[axis] - 1
        for k in sorted({place[axis] for place in seen}):
            if k - last > _GAP + 1:
                break
            last = k
        reach[axis] = last - corner[axis] + 1
    return reach[0], reach[1]


def _side_of(reach: tuple[int, int]) -> int:
    far = max(reach)
    return far if far in (4, 6) else next((side for side in SIDES if side >= max(far, 9)), 9)


class _Finder:
    """The search for boards on one sheet."""

    def __init__(self, page: Sheet, sides: Sequence[int], layout: Layout | None, source: str) -> None:
        self.page, self.sides, self.layout, self.source = page, sides, layout, source
        self._one: dict[Window, bool] = {}

    def find(self) -> tuple[list[Found], list[BadInput]]:
        """The boards, and what is wrong with squares that ought to be boards."""
        found: list[Found] = []
        faults: list[BadInput] = []
        frames = self.frames()
        rest = dict(self.page.digits)
        whole: list[Window] = list(frames)
        for window in frames:
            for place in window.places():
                rest.pop(place, None)
        groups: list[list[Window]] = []
        scraps = 0
        for cluster in _clusters(rest):
            box = _box(cluster)
            if box.side in self.sides and len(cluster) >= _LEAST[box.side] and box.rows == box.columns:
                whole.append(Window(box.top, box.left, box.side))
            elif box.rows * box.columns > _MOST_AREA:
                raise BadInput(f"{self.source}: digits all over the sheet {self.page.name!r}: {_ASK}")
            else:
                windows = list(self._windows(cluster, box))
                groups += _overlapping(windows)
                scraps += not windows
        for window in whole:
            try:
                found.append(self._found(window))
            except BadInput as error:
                faults.append(error)
        for group in groups:
            chosen = self._choose(group)
            if chosen:
                found += [self._found(window) for window in chosen]
            else:
                faults.insert(0, self._unsure(group))
        if not found and not faults and scraps:
            faults.append(
                BadInput(f"{self.source}: no board is seen on the sheet {self.page.name!r}{self._hint()}: {_ASK}")
            )
        return sorted(found, key=lambda one: one.window), faults

    def _hint(self) -> str:
        """The first formula, where there is one: it keeps the cells around it from being a board."""
        places = [place for place, value in self.page.others.items() if isinstance(value, Formula)]
        return f" ({cell_at(*min(places))} is a formula whose value the file lacks)" if places else ""

    def _found(self, window: Window) -> Found:
        return Found(self.page.name, window, _read(self.page, window, self.layout, self.source))

    def _unsure(self, group: Sequence[Window]) -> _Unsure:
        names = dict.fromkeys(window.name for window in sorted(group))
        places = " or ".join([*names][:4])
        return _Unsure(f"{self.source}: the board on the sheet {self.page.name!r} may begin at {places}: {_ASK}")

    def frames(self) -> list[Window]:
        """Squares of cells that are all said to be there, with nothing like them around."""
        page = self.page
        there = page.digits.keys() | page.zeros | page.blanks
        out = []
        for row, column in sorted(there):
            if (row - 1, column) in there or (row, column - 1) in there:
                continue
            side = 0
            while side <= max(SIDES) and (row, column + side) in there:
                side += 1
            if side not in self.sides:
                continue
            window = Window(row, column, side)
            around = Window(row - 1, column - 1, side + 2)
            inside = set(window.places())
            if inside <= there and not any(place in there for place in around.places() if place not in inside):
                out.append(window)
        return out

    def _windows(self, cluster: Mapping[Place, int], box: _Box) -> Iterator[Window]:
        """The windows that hold digits of a cluster, of all sides."""
        top, left = max(box.top - 2, 0), max(box.left - 2, 0)
        high, wide = box.top + box.rows + 2 - top, box.left + box.columns + 2 - left
        held = np.zeros((high, wide), np.int64)
        for (row, column), digit in cluster.items():
            held[row - top, column - left] = digit
        others = np.zeros_like(held)
        for row in range(high):
            for column in range(wide):
                others[row, column] = (top + row, left + column) in self.page.others
        count = 0
        for side in self.sides:
            if high < side or wide < side:
                continue
            good = (_sums(held > 0, side) >= _LEAST[side]) & (_sums(others + (held > side), side) == 0)
            for row, column in zip(*map(np.ndarray.tolist, np.nonzero(good)), strict=True):
                window = Window(top + row, left + column, side)
                if self.is_window(window) and (side >= 9 or len(cluster) == self._clues(window)):
                    count += 1
                    if count > _MOST_PLACES:
                        raise BadInput(f"{self.source}: digits all over the sheet {self.page.name!r}: {_ASK}")
                    yield window

    def _clues(self, window: Window) -> int:
        return sum(place in self.page.digits for place in window.places())

    def is_window(self, window: Window) -> bool:
        """Whether a square could be a board with one solution, by what is seen at a glance."""
        side, (tall, wide) = window.side, BOXES[window.side]
        digits = self.page.digits
        seen: set[tuple[str, int, int]] = set()
        rows, columns, kinds = set(), set(), set()
        for place in window.places():
            digit = digits.get(place, 0)
            if place in self.page.others or digit > side or (side < _LETTERS and place in self.page.letters):
                return False
            if digit:
                row, column = place[0] - window.top, place[1] - window.left
                for key in (
                    ("row", row, digit),
                    ("column", column, digit),
                    ("box", row // tall * side + column // wide, digit),
                ):
                    if key in seen:
                        return False
                    seen.add(key)
                rows.add(row)
                columns.add(column)
                kinds.add(digit)
        bands = all(sum(k in rows for k in range(b, b + tall)) >= tall - 1 for b in range(0, side, tall))
        stacks = all(sum(k in columns for k in range(b, b + wide)) >= wide - 1 for b in range(0, side, wide))
        return bands and stacks and len(kinds) >= side - 1

    def _is_plain(self, window: Window) -> bool:
        """Whether a window is tight and free."""
        inside = set(window.places()) & self.page.digits.keys()
        rows, columns = {row for row, _ in inside}, {column for _, column in inside}
        tight = {window.top, window.top + window.side - 1} <= rows and {
            window.left,
            window.left + window.side - 1,
        } <= columns
        around = Window(window.top - 1, window.left - 1, window.side + 2)
        return tight and sum(place in self.page.digits for place in around.places()) == len(inside)

    def has_one(self, window: Window) -> bool:
        """Whether the board of a window has one solution; where that takes long it is not known to."""
        from tablero.runs.run import HERE, Here
        from tablero.sudoku.solving import how_many

        if window not in self._one:
            try:
                puzzle = _read(self.page, window, self.layout, self.source)
                is_small = window.side == 9 and puzzle.layout.is_plain
                self._one[window] = how_many(puzzle, run=HERE if is_small else Here(node_limit=_NODES)) == 1
            except (BadInput, TimeoutError):
                self._one[window] = False
        return self._one[window]

    def _choose(self, group: Sequence[Window]) -> list[Window]:
        """The boards among windows that overlap; nothing where it cannot be told."""
        if len(group) == 1 and self._is_plain(group[0]):
            return list(group)
        if len(group) > _MOST_WINDOWS:
            return []
        proper = [window for window in group if self.has_one(window)]
        largest = [
            window
            for window in proper
            if not any(other.side > window.side and other.overlaps(window) for other in proper)
        ]
        clash = any(one.overlaps(two) for k, one in enumerate(largest) for two in largest[:k])
        if largest and not clash:
            return largest
        plain = [window for window in group if self._is_plain(window)]
        return plain if len(plain) == 1 and not largest else []


_ASK = "say where it begins with --cell, as --cell B2"


class _Box(NamedTuple):
    """The rectangle around a cluster."""

    top: int
    left: int
    rows: int
    columns: int

    @property
    def side(self) -> int:
        return max(self.rows, self.columns)


def _box(cluster: Iterable[Place]) -> _Box:
    rows, columns = [row for row, _ in cluster], [column for _, column in cluster]
    return _Box(min(rows), min(columns), max(rows) - min(rows) + 1, max(columns) - min(columns) + 1)


def _clusters(digits: Mapping[Place, int]) -> Iterator[dict[Place, int]]:
    """The digits in clusters: cut where there are more than two empty rows or columns, again and again."""
    todo = [dict(digits)] if digits else []
    while todo:
        cluster = todo.pop()
        for axis in (0, 1):
            lines = sorted({place[axis] for place in cluster})
            parts: dict[int, int] = {}  # the number of the part of each line
            for k, line in enumerate(lines):
                parts[line] = 0 if not k else parts[lines[k - 1]] + (line - lines[k - 1] > _GAP + 1)
            if parts[lines[-1]]:
                cut: list[dict[Place, int]] = [{} for _ in range(parts[lines[-1]] + 1)]
                for place, digit in cluster.items():
                    cut[parts[place[axis]]][place] = digit
                todo += cut
                break
        else:
            yield cluster


def _sums(cells: NDArray[np.int64] | NDArray[np.bool_], side: int) -> NDArray[np.int64]:
    """What every square of that side adds up to."""
    total = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1), np.int64)
    total[1:, 1:] = cells.cumsum(0).cumsum(1)
    return total[side:, side:] - total[:-side, side:] - total[side:, :-side] + total[:-side, :-side]


def _overlapping(windows: Sequence[Window]) -> list[list[Window]]:
    """Windows in groups: those of two groups do not overlap."""
    groups: list[list[Window]] = []
    for window in windows:
        joined = [window]
        apart = []
        for group in groups:
            if any(window.overlaps(other) for other in group):
                joined += group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups
