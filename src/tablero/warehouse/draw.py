"""Draws warehouses, and plays plans on a page or in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from tablero.draw import tiles
from tablero.draw.pages import Moves, move_page
from tablero.draw.scene import Rect, Scene, Shape
from tablero.draw.tiles import MARGIN, MOST_CELLS
from tablero.errors import BadInput
from tablero.text import several
from tablero.warehouse.puzzle import Layout, Warehouse

if TYPE_CHECKING:
    from tablero.warehouse.plan import Plan

MOST_PAGE = 1_000_000  # moves
_CORRIDOR, _WALL = "#d9d5c7", "#4a4438"


def can_draw(layout: Layout) -> bool:
    """Whether the floor is small enough for a picture."""
    return layout.rows * layout.columns <= MOST_CELLS


def require_drawable(puzzle: Warehouse) -> None:
    """Reject a floor that is too large for a picture."""
    layout = puzzle.layout
    if not can_draw(layout):
        raise BadInput(
            f"a floor of {layout.rows}×{layout.columns} is too large to draw: expected at most {MOST_CELLS:,} cells"
        )


def scene(warehouse: Warehouse, title: str = "") -> Scene:
    """A picture of the floor with darker corridors and numbered tiles."""
    require_drawable(warehouse)
    layout = warehouse.layout
    rows, columns, step = layout.rows, layout.columns, layout.side + 1
    below: list[Shape] = [Rect(MARGIN, r + MARGIN, columns, 1, _CORRIDOR) for r in range(0, rows, step)]
    below += [Rect(c + MARGIN, MARGIN, 1, rows, _CORRIDOR) for c in range(0, columns, step)]
    below += [Rect(wall % columns + MARGIN, wall // columns + MARGIN, 1, 1, _WALL) for wall in layout.walls]
    title = title or f"a warehouse of {rows}×{columns}"
    return tiles.scene(rows, columns, warehouse.cells, warehouse.goal_cells, title, below)


def player(plan: Plan) -> str:
    """A page that plays the moves, with the reason of each in words."""
    layout = plan.puzzle.layout
    if not can_draw(layout) or len(plan) > MOST_PAGE:
        raise BadInput(
            f"{len(plan):,} moves on {layout.rows}×{layout.columns} are too many for a page: "
            f"expected at most {MOST_PAGE:,} on {MOST_CELLS:,} cells"
        )
    return move_page(_moves(plan))


def animate(plan: Plan, seconds: float = 10.0, out: TextIO | None = None) -> None:
    """Play the moves in the terminal; the whole takes about `seconds`."""
    tiles.animate(_moves(plan), seconds, out)


def _moves(plan: Plan) -> Moves:
    warehouse, layout = plan.puzzle, plan.puzzle.layout
    return Moves(
        title=f"A warehouse of {layout.down}×{layout.across} blocks of {layout.side}×{layout.side}",
        rows=layout.rows,
        columns=layout.columns,
        cells=warehouse.cells,
        goal=warehouse.goal_cells,
        directions=plan.directions,
        notes=plan.notes,
        remarks=plan.words,
        sources=plan.sources.tolist(),
        floor=layout.corridors,
        walls=layout.walls,
        summary=f"{several(len(plan), 'move')} for {several(warehouse.tiles, 'tile')}; "
        f"the proven bound is {warehouse.bound:,}.",
    )
