"""The edge-matching puzzle of the tour."""

from __future__ import annotations

from tablero.draw.pages import Stop
from tablero.draw.svg import to_svg
from tablero.edges.draw import scene, to_text
from tablero.edges.generating import generate


def stop() -> Stop:
    """A board of 64 pieces, solved."""
    puzzle = generate(8, colours=8, seed=5)
    found = puzzle.solve()
    board = found.layings[0]
    return Stop(
        "Edge matching",
        "tablero edges generate 8 --colours 8 --seed 5 -o pieces.txt\ntablero edges solve pieces.txt --svg board.svg",
        f"64 pieces with 8 colours, each join marked by a colour and a sign, so that it reads in grey as well. Solved by "
        f"the method {found.method} in {found.seconds:.2f} seconds and {found.nodes:,} nodes, and checked.",
        to_svg(scene(puzzle, board, "a solved edge-matching puzzle of 8 by 8"), 60),
        lambda colours: to_text(puzzle, board, colours=colours),
    )
