"""A cover as a picture, where its items are cells of a board named as r2c5."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablero.cover.puzzle import ExactCover
from tablero.draw.scene import Mosaic
from tablero.errors import BadInput

MOST_CELLS = 10_000
_CELL = re.compile(r"r([0-9]+)c([0-9]+)")


def has_cells(problem: ExactCover) -> bool:
    """Whether the problem is a board that can be drawn."""
    cells = [found for item in problem.items if (found := _CELL.fullmatch(str(item)))]
    if not cells:
        return False
    return max(int(cell[1]) for cell in cells) * max(int(cell[2]) for cell in cells) <= MOST_CELLS


def require_cells(puzzle: ExactCover) -> None:
    """Refuse a problem that is no board."""
    if not any(_CELL.fullmatch(str(item)) for item in puzzle.items):
        raise BadInput("this problem has no cells to draw: its items would have to be named as r2c5")


def _cells(problem: ExactCover) -> set[tuple[int, int]]:
    return {(int(found[1]), int(found[2])) for item in problem.items if (found := _CELL.fullmatch(str(item)))}


def _extent(problem: ExactCover) -> tuple[int, int]:
    """Rows and columns of the board, whatever of it is covered."""
    cells = _cells(problem)
    return max(r for r, _ in cells), max(c for _, c in cells)


def board(problem: ExactCover, title: str = "") -> Mosaic:
    """The cells of the board, with nothing on it."""
    cells = _cells(problem)
    rows, columns = _extent(problem)
    regions = tuple(tuple(0 if (r, c) in cells else None for c in range(1, columns + 1)) for r in range(1, rows + 1))
    return Mosaic(regions, ((("",) * columns),) * rows, title)


def mosaic(problem: ExactCover, cover: Sequence[int], title: str = "") -> Mosaic:
    """Every option of the cover as a region of the board, labelled by the one item that is no cell."""
    placed: dict[tuple[int, int], tuple[int, str]] = {}
    for region, number in enumerate(sorted(cover)):
        names = [str(item) for item in problem.option(number)]
        cells = [tuple(map(int, found.groups())) for name in names if (found := _CELL.fullmatch(name))]
        others = [name for name in names if not _CELL.fullmatch(name)]
        label = others[0] if len(others) == 1 else ""
        for k, cell in enumerate(sorted(cells)):
            placed[cell[0], cell[1]] = (region, label if k == 0 else "")
    require_cells(problem)
    rows, columns = _extent(problem)
    if rows * columns > MOST_CELLS:
        raise BadInput(f"a board of {rows}×{columns} is too large to draw: at most {MOST_CELLS:,} cells")
    grid = [[placed.get((r, c)) for c in range(1, columns + 1)] for r in range(1, rows + 1)]
    return Mosaic(
        tuple(tuple(spot[0] if spot else None for spot in row) for row in grid),
        tuple(tuple(spot[1] if spot else "" for spot in row) for row in grid),
        title,
    )
