"""Edge-matching puzzles: Eternity II, Tetravex and their like, on squares, triangles and hexagons."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.edges.board import Board
    from tablero.puzzles.edges.formats import parse, read, write
    from tablero.puzzles.edges.generate import example, generate, plant
    from tablero.puzzles.edges.puzzle import EdgePuzzle
    from tablero.puzzles.edges.solve import Layings, count, solve

__all__ = ["Board", "EdgePuzzle", "Layings", "count", "example", "generate", "parse", "plant", "read", "solve", "write"]

offer(
    __name__,
    board=["Board"],
    formats=["parse", "read", "write"],
    generate=["example", "generate", "plant"],
    puzzle=["EdgePuzzle"],
    solve=["Layings", "count", "solve"],
)
