"""Sliding tiles: boards as '1 2 3/4 5 6/7 8 0', 0 the blank."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

ALIASES = ("slide",)

if TYPE_CHECKING:
    from tablero.puzzles.sliding.formats import parse, parse_all, read, read_all, write
    from tablero.puzzles.sliding.generate import generate, random
    from tablero.puzzles.sliding.puzzle import Board
    from tablero.puzzles.sliding.solution import Solution
    from tablero.puzzles.sliding.solve import solve
    from tablero.puzzles.sliding.worksheet import worksheet
    from tablero.puzzles.sliding.worst import Worst, worst

__all__ = [
    "Board",
    "Solution",
    "Worst",
    "generate",
    "parse",
    "parse_all",
    "random",
    "read",
    "read_all",
    "solve",
    "worksheet",
    "worst",
    "write",
]

offer(
    __name__,
    formats=["parse", "parse_all", "read", "read_all", "write"],
    generate=["generate", "random"],
    puzzle=["Board"],
    solution=["Solution"],
    solve=["solve"],
    worst=["Worst", "worst"],
    worksheet=["worksheet"],
)
