"""A warehouse as a picture, as a page that plays its moves, and as lines of text that move."""

from __future__ import annotations

import colorsys
import sys
import time
from collections.abc import Sequence
from itertools import groupby
from typing import TextIO

from tablero.draw.pages import Moves, move_page
from tablero.draw.scene import Rect, Scene, Shape, Text
from tablero.errors import BadInput
from tablero.warehouse.formats import directions
from tablero.warehouse.plan import WORDS, Plan
from tablero.warehouse.puzzle import Layout, Warehouse
from tablero.words import several

MOST_CELLS = 10_000
MOST_PAGE = 1_000_000  # moves
_FLOOR, _CORRIDOR, _EDGE, _WALL = "#ece9df", "#d9d5c7", "#cfcabb", "#4a4438"


def _tint(slot: int, layout: Layout, home: bool) -> tuple[str, str]:
    """Fill and ink of a tile by its slot: full colour in place, pale elsewhere."""
    row, column = divmod(slot, layout.columns)
    hue = (205 - 185 * row / (layout.rows - 1)) / 360
    light = (46 + 12 * column / (layout.columns - 1)) / 100 if home else 0.88
    red, green, blue = colorsys.hls_to_rgb(hue, light, 0.52 if home else 0.45)
    fill = f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"
    return fill, "#ffffff" if home else "#39414f"


def can_draw(layout: Layout) -> bool:
    """Whether a picture of the floor is not too large."""
    return layout.rows * layout.columns <= MOST_CELLS


def require_drawable(puzzle: Warehouse) -> None:
    """Refuse a floor that is too large for a picture."""
    layout = puzzle.layout
    if not can_draw(layout):
        raise BadInput(f"a floor of {layout.rows}×{layout.columns} is too large to draw: at most {MOST_CELLS:,} cells")


def scene(warehouse: Warehouse, title: str = "") -> Scene:
    """The floor with its corridors darker, and every tile with its number."""
    layout = warehouse.layout
    rows, columns = layout.rows, layout.columns
    require_drawable(warehouse)
    margin, step = 0.2, layout.side + 1
    shapes: list[Shape] = [Rect(0, 0, columns + 2 * margin, rows + 2 * margin, _FLOOR, _EDGE, 0.04, 0.25)]
    shapes += [Rect(margin, r + margin, columns, 1, _CORRIDOR) for r in range(0, rows, step)]
    shapes += [Rect(c + margin, margin, 1, rows, _CORRIDOR) for c in range(0, columns, step)]
    size = min(0.46, 1.25 / (len(str(max(warehouse.wanted))) + 0.6))
    shapes += [Rect(wall % columns + margin, wall // columns + margin, 1, 1, _WALL) for wall in layout.walls]
    goal = dict(zip(layout.slots, warehouse.wanted, strict=True))
    home = {tile: slot for slot, tile in reversed(goal.items())}
    for cell, tile in enumerate(warehouse.cells):
        if tile:
            x, y = cell % columns + margin, cell // columns + margin
            there = goal.get(cell) == tile
            fill, ink = _tint(cell if there else home[tile], layout, there)
            shapes.append(Rect(x + 0.04, y + 0.04, 0.92, 0.92, fill, round=0.12))
            shapes.append(Text(x + 0.5, y + 0.52, str(tile), size, ink, bold=True))
    return Scene(columns + 2 * margin, rows + 2 * margin, tuple(shapes), title or f"a warehouse of {rows}×{columns}")


def player(plan: Plan) -> str:
    """A page that steps and plays through the moves, with the reason of each in words."""
    layout = plan.puzzle.layout
    if not can_draw(layout) or len(plan) > MOST_PAGE:
        raise BadInput(
            f"{len(plan):,} moves on {layout.rows}×{layout.columns} are too many for a page: "
            f"at most {MOST_PAGE:,} on {MOST_CELLS:,} cells"
        )
    goal = [0] * (layout.rows * layout.columns)
    for tile, slot in zip(plan.puzzle.wanted, layout.slots, strict=True):
        goal[slot] = tile
    reasons = plan.reasons.tolist()
    notes = [(reason, sum(1 for _ in group)) for reason, group in groupby(reasons)]
    return move_page(
        Moves(
            title=f"A warehouse of {layout.down}×{layout.across} blocks of {layout.side}×{layout.side}",
            rows=layout.rows,
            columns=layout.columns,
            cells=plan.puzzle.cells,
            goal=goal,
            directions=directions(plan),
            notes=notes,
            remarks={reason: WORDS[reason] for reason in dict.fromkeys(reasons)} or {0: WORDS[0]},
            sources=plan.sources.tolist(),
            floor=layout.corridors,
            walls=layout.walls,
            summary=f"{several(len(plan), 'move')} for {several(plan.puzzle.tiles, 'tile')}; "
            f"the proven bound is {plan.puzzle.bound:,}.",
        )
    )


def picture(cells: Sequence[int], layout: Layout) -> str:
    """The floor as lines of text; a dot for an empty cell."""
    width, walls = len(str(max(cells, default=0))), set(layout.walls)
    words = [(str(tile) if tile else "#" if k in walls else "·").rjust(width) for k, tile in enumerate(cells)]
    return "\n".join(" ".join(words[k : k + layout.columns]) for k in range(0, len(words), layout.columns))


def animate(plan: Plan, seconds: float = 10.0, out: TextIO | None = None) -> None:
    """Play the moves in the terminal in about so many seconds."""
    stream, cells, layout = out or sys.stderr, list(plan.puzzle.cells), plan.puzzle.layout
    frames, done = max(1, min(len(plan), int(25 * seconds))), 0
    stream.write("\x1b[?25l")
    try:
        for frame in range(frames + 1):
            upto = len(plan) * frame // frames
            while done < upto:
                source, target = int(plan.sources[done]), int(plan.targets[done])
                cells[target], cells[source] = cells[source], 0
                done += 1
            if frame:
                stream.write(f"\x1b[{layout.rows + 1}A")
            reason = f"  {WORDS[int(plan.reasons[done - 1])][0]}" if done else ""
            stream.write(f"{picture(cells, layout)}\n\x1b[K{done:,} of {several(len(plan), 'move')}{reason}\n")
            stream.flush()
            if frame < frames:
                time.sleep(min(0.25, seconds / frames))
    finally:
        stream.write("\x1b[?25h")
        stream.flush()
