"""The family's stop of the tour."""

from __future__ import annotations

from tablero.nothing.draw import scene
from tablero.nothing.puzzle import Nothing

from tablero.draw.svg import to_svg
from tablero.draw.tour import Stop


def stop() -> Stop:
    puzzle = Nothing(8)
    found = puzzle.solve()
    words = f"Eight steps, and none leads anywhere: proved by {found.nodes} nodes."
    return Stop("Nothing", "tablero nothing solve 8", words, to_svg(scene(puzzle)), lambda colours: str(puzzle))
