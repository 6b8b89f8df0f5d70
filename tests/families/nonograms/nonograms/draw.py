"""The puzzle, or a picture, as a scene: runs above the columns and before the rows."""

from __future__ import annotations

from nonograms.puzzle import Nonogram
from tablero.draw.scene import INK, Line, Rect, Scene, Shape, Text


def scene(puzzle: Nonogram, picture: str = "") -> Scene:
    """The grid with its runs, and the cells that are filled."""
    left, top = (0.6 * max(1, *map(len, lines)) + 0.2 for lines in (puzzle.rows, puzzle.columns))
    width, height = len(puzzle.columns), len(puzzle.rows)
    shapes: list[Shape] = []
    for r, row in enumerate(picture.split("\n")):
        shapes += [Rect(left + c + 0.08, top + r + 0.08, 0.84, 0.84, INK) for c, mark in enumerate(row) if mark == "#"]
    for r in range(height + 1):
        shapes.append(Line(left, top + r, left + width, top + r, line=0.06 if r % 5 == 0 or r == height else 0.02))
    for c in range(width + 1):
        shapes.append(Line(left + c, top, left + c, top + height, line=0.06 if c % 5 == 0 or c == width else 0.02))
    for r, runs in enumerate(puzzle.rows):
        shapes += [Text(left - 0.4 - 0.6 * k, top + r + 0.5, str(run)) for k, run in enumerate(reversed(runs))]
    for c, runs in enumerate(puzzle.columns):
        shapes += [Text(left + c + 0.5, top - 0.4 - 0.6 * k, str(run)) for k, run in enumerate(reversed(runs))]
    return Scene(left + width + 0.1, top + height + 0.1, tuple(shapes), f"a nonogram of {height}×{width}")
