"""The exact cover of the tour."""

from __future__ import annotations

from tablero.cover.draw import mosaic
from tablero.cover.generating import pentominoes
from tablero.draw.pages import Stop
from tablero.draw.svg import to_svg


def stop() -> Stop:
    """Count all ways to place the twelve pentominoes, and show the first."""
    problem = pentominoes(6, 10)
    found = problem.solve(None)
    picture = mosaic(problem, found.chosen[0], "the twelve pentominoes in a rectangle of 6 by 10")
    return Stop(
        "Exact cover",
        "tablero cover make pentominoes 6x10 -o pentominoes.dlx\ntablero cover solve pentominoes.dlx --solutions all",
        f"The twelve pentominoes fill a rectangle of 6 by 10 in {found.solutions:,} ways (turns and reflections of the "
        f"board counted). All were found and checked in {found.seconds:.2f} seconds, "
        f"{found.nodes:,} nodes of the search tree; this is the first.",
        to_svg(picture.scene()),
        lambda colours: picture.to_text(colours=colours),
    )
