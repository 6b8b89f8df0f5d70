"""Sudoku: read, solve, count, explain, rate and make puzzles of 4×4 to 25×25, with diagonals, regions or cages."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.sudoku.formats import parse, parse_many, read, write
    from tablero.puzzles.sudoku.generate import generate
    from tablero.puzzles.sudoku.puzzle import Cage, Layout, Sudoku
    from tablero.puzzles.sudoku.solve import Solutions, count, solve

__all__ = [
    "Cage",
    "Layout",
    "Solutions",
    "Sudoku",
    "count",
    "generate",
    "parse",
    "parse_many",
    "read",
    "solve",
    "write",
]

offer(
    __name__,
    formats=["parse", "parse_many", "read", "write"],
    generate=["generate"],
    puzzle=["Cage", "Layout", "Sudoku"],
    solve=["Solutions", "count", "solve"],
)
