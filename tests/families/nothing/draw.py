"""The puzzle as a picture."""

from __future__ import annotations

from tablero.nothing.puzzle import Nothing

from tablero.draw.scene import Circle, Scene

_MOST_DRAWN = 50


def scene(puzzle: Nothing) -> Scene:
    """A dot a step."""
    steps = min(puzzle.steps, _MOST_DRAWN)
    dots = tuple(Circle(k + 0.5, 0.5, 0.2) for k in range(steps))
    return Scene(float(steps), 1.0, dots, f"{puzzle.steps} steps that lead nowhere")
