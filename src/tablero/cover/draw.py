"""Draws a problem and its covers: as a board, if the items are cells named as r2c5, and as a bipartite graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tablero.draw.scene import INK, Circle, Line, Mosaic, Rect, Scene, Shape, Text, colour
from tablero.errors import BadInput
from tablero.text import several

if TYPE_CHECKING:
    from tablero.cover.puzzle import ExactCover

MOST_CELLS = 10_000
MOST_LINES = 4000  # of a bipartite drawing
_CELL = re.compile(r"r0*([1-9][0-9]*)c0*([1-9][0-9]*)")
_FAINT = "#c9c6bc"


def _cells(names: Iterable[object]) -> list[tuple[int, int]]:
    return [(int(found[1]), int(found[2])) for name in names if (found := _CELL.fullmatch(str(name)))]


def _extent(problem: ExactCover) -> tuple[int, int]:
    """The rows and columns of the board, covered or not; 0 if the problem is not a board."""
    cells = _cells(problem.items)
    return max((r for r, _ in cells), default=0), max((c for _, c in cells), default=0)


def has_cells(problem: ExactCover) -> bool:
    """Whether the problem is a board that can be drawn."""
    rows, columns = _extent(problem)
    return 0 < rows * columns <= MOST_CELLS


def require_cells(puzzle: ExactCover) -> None:
    """Refuse a problem that is not a board."""
    if not _cells(puzzle.items):
        raise BadInput("this problem has no cells to draw: its items would have to be named as r2c5")


def board(problem: ExactCover, title: str = "") -> Mosaic:
    """The empty board."""
    cells = set(_cells(problem.items))
    rows, columns = _extent(problem)
    regions = tuple(tuple(0 if (r, c) in cells else None for c in range(1, columns + 1)) for r in range(1, rows + 1))
    return Mosaic(regions, ((("",) * columns),) * rows, title)


def mosaic(problem: ExactCover, cover: Sequence[int], title: str = "") -> Mosaic:
    """Each option of the cover as a region of the board, labelled by the one item that is not a cell."""
    require_cells(problem)
    rows, columns = _extent(problem)
    if rows * columns > MOST_CELLS:
        raise BadInput(f"a board of {rows}×{columns} is too large to draw: at most {MOST_CELLS:,} cells")
    regions: list[list[int | None]] = [[None] * columns for _ in range(rows)]
    labels = [[""] * columns for _ in range(rows)]
    for region, number in enumerate(sorted(cover)):
        names = [str(item) for item in problem.option(number)]
        others = [name for name in names if not _CELL.fullmatch(name)]
        for k, (r, c) in enumerate(sorted(_cells(names))):
            regions[r - 1][c - 1] = region
            labels[r - 1][c - 1] = others[0] if k == 0 and len(others) == 1 else ""
    return Mosaic(tuple(map(tuple, regions)), tuple(map(tuple, labels)), title)


def require_lines(puzzle: ExactCover) -> None:
    """Refuse a problem that is too large for a bipartite drawing."""
    lines = len(puzzle.table.item)
    if lines > MOST_LINES:
        raise BadInput(f"{lines:,} lines between options and items are too many to draw: at most {MOST_LINES:,}")


def bipartite(problem: ExactCover, cover: Sequence[int] = ()) -> Scene:
    """A graph with options on one side and items on the other; the options of a cover and their edges are highlighted."""
    require_lines(problem)
    options, items = len(problem), len(problem.items)
    tall = max(options, items, 1)
    wide = max(5.0, min(14.0, 0.35 * tall))
    names = [str(item) for item in problem.items]
    room = 1.0 + 0.24 * max((len(name) for name in names), default=1)
    at_option = [1.0 + (k + 0.5) * tall / max(options, 1) for k in range(options)]
    at_item = [1.0 + (k + 0.5) * tall / max(items, 1) for k in range(items)]
    x, y = 1.6, 1.6 + wide
    tone = {option: colour(k) for k, option in enumerate(cover)}
    shapes: list[Shape] = [Text(at, 0.45, words, 0.4, bold=True) for at, words in ((x, "options"), (y, "items"))]
    for front in (False, True):  # what stands out is painted last
        for option in range(options):
            if (option in tone) == front:
                for item in problem.table.items_of(option):
                    stroke, line = (tone[option], 0.11) if front else (_FAINT, 0.03 if cover else 0.04)
                    shapes.append(Line(x, at_option[option], y, at_item[item], stroke, line))
    covered = {item: option for option in cover for item in problem.table.items_of(option)}
    for option in range(options):
        shapes.append(Rect(x - 0.3, at_option[option] - 0.2, 0.6, 0.4, tone.get(option, "#ffffff"), INK, 0.03, 0.08))
        shapes.append(Text(x, at_option[option], str(option + 1), 0.26))
    for item, name in enumerate(names):
        secondary = item >= problem.primary
        fill = tone[covered[item]] if item in covered else "#ffffff"
        shapes.append(Circle(y, at_item[item], 0.2, fill, "#8a8f99" if secondary else INK, 0.03))
        shapes.append(Text(y + 0.35, at_item[item], name, 0.3, "#6b7280" if secondary else INK, "start"))
    title = f"{several(options, 'option')} and {several(items, 'item')} of an exact cover problem"
    return Scene(y + room, tall + 1.5, tuple(shapes), title)
