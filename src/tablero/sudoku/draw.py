"""Draw Sudoku boards as scenes and as text: clues, answers, candidates and the marks of a step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from tablero.draw.scene import INK, PAPER, Circle, Line, Mosaic, Rect, Scene, Shape, Text, colour
from tablero.errors import BadInput
from tablero.files import write_text
from tablero.sudoku.puzzle import BOXES, SYMBOLS, Layout, Sudoku

if TYPE_CHECKING:
    from tablero.sudoku.logic import Hint, Position, Step
    from tablero.sudoku.logic import Path as Way
    from tablero.sudoku.solving import Solutions
    from tablero.sudoku.sweeps import Sweeps

_DASH = 0.07
_MARGIN = 0.15
_ANSWER = "#1d4ed8"
_PENCIL = "#6b7280"
_FAINT = "#c9ccd3"
_LOOKED_AT = "#fff3c4"
_FILLED = "#d9f2e3"
_DIAGONAL = "#eef2fb"
_CAGE = "#9a6b2f"
_LINK = "#e8894f"
_GOOD, _OTHER, _BAD = "#7dd3a8", "#93c5fd", "#f28482"
_MORE = ("#fcd34d", "#d8b4fe", "#fdba74", "#a5f3fc", "#bef264")  # colours of fins, further sets and clusters

Candidate = tuple[int, int]  # a cell and a digit


@dataclass(frozen=True)
class Marks:
    """The marks of a step: cells, candidates in several colours, removed candidates, and links between candidates.

    Strong links are solid lines, weak links are dashed.
    """

    cells: Collection[int] = ()
    good: Collection[Candidate] = ()
    other: Collection[Candidate] = ()
    bad: Collection[Candidate] = ()
    placed: Mapping[int, int] = field(default_factory=dict)
    links: Sequence[tuple[Candidate, Candidate]] = ()
    weak: Sequence[tuple[Candidate, Candidate]] = ()
    more: Sequence[Collection[Candidate]] = ()

    def colour(self, candidate: Candidate) -> str:
        """Return the colour behind a candidate, or an empty text."""
        if candidate in self.bad:
            return _BAD
        if candidate in self.good or self.placed.get(candidate[0]) == candidate[1]:
            return _GOOD
        if candidate in self.other:
            return _OTHER
        return next((_MORE[k % len(_MORE)] for k, some in enumerate(self.more) if candidate in some), "")


def board_text(layout: Layout, cells: Sequence[int], *, clues: Sequence[int] = (), colours: bool = False) -> str:
    """Return the board as lines of text; with colours, clues are bold."""
    labels = [SYMBOLS[digit] for digit in cells]
    if layout.regions:
        return _mosaic(layout, labels).to_text(colours=colours)
    tall, wide = BOXES[layout.side]
    if colours:
        labels = [f"\x1b[1m{mark}\x1b[0m" if clue else mark for mark, clue in zip(labels, clues or cells, strict=True)]
    boxes = layout.side // wide

    def rule(left: str, middle: str, right: str) -> str:
        return left + middle.join(["─" * (2 * wide + 1)] * boxes) + right

    lines = [rule("┌", "┬", "┐")]
    for row in range(layout.side):
        if row and row % tall == 0:
            lines.append(rule("├", "┼", "┤"))
        marks = labels[row * layout.side : (row + 1) * layout.side]
        lines.append("│ " + " │ ".join(" ".join(marks[k : k + wide]) for k in range(0, layout.side, wide)) + " │")
    return "\n".join([*lines, rule("└", "┴", "┘")])


def board(
    puzzle: Sudoku,
    answer: Sequence[int] | None = None,
    *,
    candidates: Sequence[int] | None = None,
    marks: Marks | None = None,
    title: str = "",
) -> Scene:
    """Draw a board: clues in black, the answer in blue, candidates (a bit mask per cell) in grey, marks behind them."""
    layout, side = puzzle.layout, puzzle.side
    marks = marks or Marks()
    shown = answer or puzzle.cells
    shapes: list[Shape] = [Rect(_MARGIN, _MARGIN, side, side, PAPER)]
    shapes += _backgrounds(layout, marks)
    for one, two in marks.weak:
        (x1, y1), (x2, y2) = _spot(one, side), _spot(two, side)
        shapes.append(Line(x1, y1, x2, y2, _LINK, 0.025, dash=_DASH))
    for one, two in marks.links:
        shapes.append(Line(*_spot(one, side), *_spot(two, side), _LINK, 0.04))
    if candidates is not None:
        for cell in range(layout.size):
            if not shown[cell]:
                shapes += _pencil(cell, candidates[cell], side, marks)
    shapes += _lines(layout)
    if layout.cages:
        shapes += _cages(layout)
    for cell, digit in enumerate(shown):
        row, column = divmod(cell, side)
        if digit:
            clue = bool(puzzle.cells[cell])
            ink = INK if clue else _ANSWER
            size, down = (0.5, 0.6) if layout.cages else (0.6, 0.52) if side < 10 else (0.5, 0.52)
            x, y = column + 0.5 + _MARGIN, row + down + _MARGIN
            shapes.append(Text(x, y, _label(digit, side), size, ink, bold=clue))
    return Scene(side + 2 * _MARGIN, side + 2 * _MARGIN, tuple(shapes), title or f"a {layout.kind} Sudoku")


def _label(digit: int, side: int) -> str:
    return SYMBOLS[digit] if side < 10 else str(digit)


def _backgrounds(layout: Layout, marks: Marks) -> Iterator[Shape]:
    side = layout.side
    for cell in range(layout.size):
        row, column = divmod(cell, side)
        fill = ""
        if cell in marks.placed:
            fill = _FILLED
        elif cell in marks.cells:
            fill = _LOOKED_AT
        elif layout.diagonals and column in (row, side - 1 - row):
            fill = _DIAGONAL
        elif layout.regions:
            fill = _tint(colour(layout.regions[cell]))
        if fill:
            yield Rect(column + _MARGIN, row + _MARGIN, 1, 1, fill)


def _tint(code: str) -> str:
    """Return a light tint of a colour."""
    return "#" + "".join(f"{round(255 - 0.45 * (255 - int(code[k : k + 2], 16))):02x}" for k in (1, 3, 5))


def _spot(candidate: Candidate, side: int) -> tuple[float, float]:
    """Return the centre of a candidate."""
    cell, digit = candidate
    row, column = divmod(cell, side)
    tall, wide = BOXES[side]
    y, x = divmod(digit - 1, wide)
    return column + _MARGIN + (x + 0.62) / (wide + 0.24), row + _MARGIN + (y + 0.62) / (tall + 0.24)


def _pencil(cell: int, digits: int, side: int, marks: Marks) -> Iterator[Shape]:
    size = 0.27 if side == 9 else 0.9 / (max(BOXES[side]) + 0.5)
    for digit in range(1, side + 1):
        here = (cell, digit)
        if not digits >> digit & 1 and here not in marks.bad:
            continue
        x, y = _spot(here, side)
        fill = marks.colour(here)
        if fill:
            yield Circle(x, y - 0.01, 0.6 * size, fill)
        yield Text(x, y, _label(digit, side), size, INK if fill else _PENCIL, bold=bool(fill))
        if here in marks.bad:
            yield Line(x - 0.09, y + 0.09, x + 0.09, y - 0.11, "#b3261e", 0.025)


def _lines(layout: Layout) -> Iterator[Shape]:
    """Draw thin lines between all cells, and thick lines between regions."""
    side = layout.side
    for k in range(1, side):
        yield Line(_MARGIN, k + _MARGIN, side + _MARGIN, k + _MARGIN, _FAINT, 0.02)
        yield Line(k + _MARGIN, _MARGIN, k + _MARGIN, side + _MARGIN, _FAINT, 0.02)

    boxes = _mosaic(layout)
    for k in range(side + 1):
        for first, end in _runs([boxes.wall_above(k, column) for column in range(side)]):
            yield Line(first + _MARGIN, k + _MARGIN, end + _MARGIN, k + _MARGIN, INK, 0.07)
        for first, end in _runs([boxes.wall_left(row, k) for row in range(side)]):
            yield Line(k + _MARGIN, first + _MARGIN, k + _MARGIN, end + _MARGIN, INK, 0.07)


def _mosaic(layout: Layout, labels: Sequence[str] = ()) -> Mosaic:
    """Return the boxes or regions as parts of a mosaic."""
    regions, side = [layout.region(cell) for cell in range(layout.size)], layout.side
    rows, marks = (tuple(zip(*[iter(values)] * side, strict=True)) for values in (regions, labels))
    return Mosaic(rows, marks)


def _runs(walls: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the beginning and end of each unbroken wall."""
    for wall, places in groupby(range(len(walls)), walls.__getitem__):
        if wall:
            first, *more = places
            yield first, first + len(more) + 1


def _cages(layout: Layout) -> Iterator[Shape]:
    """Draw a dashed line inside the border of every cage, and its sum in the first cell."""
    side, gap = layout.side, 0.08
    for cage in layout.cages:
        inside = set(cage.cells)
        for cell in cage.cells:
            row, column = divmod(cell, side)
            up, down = cell - side in inside, cell + side in inside
            left, right = column > 0 and cell - 1 in inside, column < side - 1 and cell + 1 in inside
            x1, x2 = column + (0 if left else gap), column + 1 - (0 if right else gap)
            y1, y2 = row + (0 if up else gap), row + 1 - (0 if down else gap)
            for here, ends in (
                (up, (x1, row + gap, x2, row + gap)),
                (down, (x1, row + 1 - gap, x2, row + 1 - gap)),
                (left, (column + gap, y1, column + gap, y2)),
                (right, (column + 1 - gap, y1, column + 1 - gap, y2)),
            ):
                if not here:
                    x1, y1, x2, y2 = (_MARGIN + end for end in ends)
                    yield Line(x1, y1, x2, y2, _CAGE, 0.025, dash=_DASH)
        row, column = divmod(min(cage.cells), side)
        x, y = column + _MARGIN, row + _MARGIN
        yield Rect(x + 0.06, y + 0.04, 0.16 * len(str(cage.total)) + 0.04, 0.25, PAPER)
        yield Text(x + 0.09, y + 0.17, str(cage.total), 0.24, _CAGE, "start", bold=True)


def step_scene(position: Position, step: Step) -> Scene:
    """Draw the position before a step with the marks and the result of the step."""
    marks = Marks(step.cells, step.good, step.other, step.removed, dict(step.placed), step.links, step.weak, step.more)
    return board(position.puzzle, position.values, candidates=position.cands, marks=marks, title=step.sentence)


# Files


def to_pdf(found: Solutions | Hint) -> bytes | None:
    """Return the first solution or the step as a PDF page; None if there is none."""
    from tablero.draw import pdf

    scene = None if getattr(found, "step", found) is None else found.scene()
    return None if scene is None else pdf.to_pdf([scene], 40.0)


def require_folder(path: Path) -> None:
    """Check that no file has the name of the folder."""
    if path.exists() and not path.is_dir():
        raise BadInput(f"cannot write to {path}: a file with this name exists")


def draw_steps(found: Way | Sweeps, folder: Path) -> None:
    """Write a drawing of every step into a folder."""
    from tablero.draw.svg import to_svg

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error.strerror or error}") from None
    for name, scene in found.scenes():
        write_text(folder / f"{name}.svg", to_svg(scene))
