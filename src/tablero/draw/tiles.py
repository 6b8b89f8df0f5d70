"""Draw numbered tiles on a board: as a picture, as text, and moving in the terminal."""

from __future__ import annotations

import colorsys
import sys
import time
from collections.abc import Collection, Sequence
from typing import TextIO

from tablero.draw.pages import Moves
from tablero.draw.scene import Rect, Scene, Shape, Text
from tablero.text import several

MARGIN = 0.2  # around the board
MOST_CELLS = 10_000  # of a drawn board
_BED, _EDGE = "#ece9df", "#cfcabb"


def scene(
    rows: int, columns: int, cells: Sequence[int], goal: Sequence[int], title: str, below: Sequence[Shape] = ()
) -> Scene:
    """The tiles by cell, coloured by their places in the goal; tiles in other places are pale."""
    size = min(0.46, 1.25 / (len(str(max(goal))) + 0.6))
    home = {tile: cell for cell, tile in reversed(list(enumerate(goal)))}
    shapes: list[Shape] = [Rect(0, 0, columns + 2 * MARGIN, rows + 2 * MARGIN, _BED, _EDGE, 0.04, 0.25), *below]
    for cell, tile in enumerate(cells):
        if tile == 0:
            continue
        x, y = cell % columns + MARGIN, cell // columns + MARGIN
        there = goal[cell] == tile
        row, column = divmod(cell if there else home[tile], columns)
        hue = (205 - 185 * row / max(1, rows - 1)) / 360
        light = (46 + 12 * column / max(1, columns - 1)) / 100 if there else 0.88
        red, green, blue = colorsys.hls_to_rgb(hue, light, 0.52 if there else 0.45)
        fill = f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"
        shapes.append(Rect(x + 0.04, y + 0.04, 0.92, 0.92, fill, round=0.12))
        shapes.append(Text(x + 0.5, y + 0.52, str(tile), size, "#ffffff" if there else "#39414f", bold=True))
    return Scene(columns + 2 * MARGIN, rows + 2 * MARGIN, tuple(shapes), title)


def picture(cells: Sequence[int], columns: int, walls: Collection[int] = ()) -> str:
    """The board as aligned text, with a dot for an empty cell and # for a wall."""
    width, barred = len(str(max(cells, default=0))), set(walls)
    words = [(str(tile) if tile else "#" if k in barred else "·").rjust(width) for k, tile in enumerate(cells)]
    return "\n".join(" ".join(words[first : first + columns]) for first in range(0, len(words), columns))


def animate(moves: Moves, seconds: float = 10.0, out: TextIO | None = None) -> None:
    """Play the moves in the terminal in about `seconds`, with at most 25 frames a second."""
    stream, cells, total = out or sys.stderr, list(moves.cells), len(moves.directions)
    step = {"N": -moves.columns, "S": moves.columns, "E": 1, "W": -1}
    remarks = [moves.remarks[remark][0] for remark, count in moves.notes for _ in range(count)]
    hole = 0 if moves.sources is not None else cells.index(0)
    frames, done = max(1, min(total, int(25 * seconds))), 0
    stream.write("\x1b[?25l")
    try:
        for frame in range(frames + 1):
            while done < total * frame // frames:
                here = hole if moves.sources is None else moves.sources[done]
                there = here + step[moves.directions[done]]
                cells[here], cells[there] = cells[there], cells[here]
                hole, done = there, done + 1
            if frame:
                stream.write(f"\x1b[{moves.rows + 1}A")
            remark = f"  {remarks[done - 1]}" if done else ""
            board = picture(cells, moves.columns, moves.walls)
            stream.write(f"{board}\n\x1b[K{done:,} of {several(total, 'move')}{remark}\n")
            stream.flush()
            if frame < frames:
                time.sleep(min(0.25, seconds / frames))
    finally:
        stream.write("\x1b[?25h")
        stream.flush()
