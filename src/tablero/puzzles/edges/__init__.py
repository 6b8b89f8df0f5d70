"""Edge-matching puzzles, from Tetravex to Eternity II."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.edges.board import Board
    from tablero.puzzles.edges.encode import encode
    from tablero.puzzles.edges.estimate import estimate
    from tablero.puzzles.edges.formats import parse, read, read_document, write
    from tablero.puzzles.edges.generate import example, generate, plant
    from tablero.puzzles.edges.optimise import Best, optimise
    from tablero.puzzles.edges.puzzle import EdgePuzzle
    from tablero.puzzles.edges.solve import Layings, count, solve
    from tablero.puzzles.edges.trace import Trace, trace
    from tablero.puzzles.edges.worksheet import worksheet

__all__ = [
    "Best",
    "Board",
    "EdgePuzzle",
    "Layings",
    "Trace",
    "count",
    "encode",
    "estimate",
    "example",
    "generate",
    "optimise",
    "parse",
    "plant",
    "read",
    "read_document",
    "solve",
    "trace",
    "worksheet",
    "write",
]

offer(
    __name__,
    board=["Board"],
    encode=["encode"],
    estimate=["estimate"],
    formats=["parse", "read", "read_document", "write"],
    generate=["example", "generate", "plant"],
    optimise=["Best", "optimise"],
    puzzle=["EdgePuzzle"],
    solve=["Layings", "count", "solve"],
    trace=["Trace", "trace"],
    worksheet=["worksheet"],
)
