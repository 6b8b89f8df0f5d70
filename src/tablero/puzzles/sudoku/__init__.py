"""Sudoku: solve, explain, rate, make and count."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.sudoku.batch import Tally, solve_file
    from tablero.puzzles.sudoku.formats import parse, parse_many, read, read_many, write
    from tablero.puzzles.sudoku.generate import generate, generate_many
    from tablero.puzzles.sudoku.handout import worksheet
    from tablero.puzzles.sudoku.logic import Hint, explain, hint
    from tablero.puzzles.sudoku.puzzle import Cage, Layout, Sudoku
    from tablero.puzzles.sudoku.rate import Rating, rate, rate_many
    from tablero.puzzles.sudoku.rated import Rated, rate_file
    from tablero.puzzles.sudoku.saving import save
    from tablero.puzzles.sudoku.solve import Solutions, count, solve
    from tablero.puzzles.sudoku.sweeps import Sweeps, sweep
    from tablero.puzzles.sudoku.wish import Wish

__all__ = [
    "Cage",
    "Hint",
    "Layout",
    "Rated",
    "Rating",
    "Solutions",
    "Sudoku",
    "Sweeps",
    "Tally",
    "Wish",
    "count",
    "explain",
    "generate",
    "generate_many",
    "hint",
    "parse",
    "parse_many",
    "rate",
    "rate_file",
    "rate_many",
    "read",
    "read_many",
    "save",
    "solve",
    "solve_file",
    "sweep",
    "worksheet",
    "write",
]

offer(
    __name__,
    batch=["Tally", "solve_file"],
    formats=["parse", "parse_many", "read", "read_many", "write"],
    generate=["generate", "generate_many"],
    handout=["worksheet"],
    logic=["Hint", "explain", "hint"],
    puzzle=["Cage", "Layout", "Sudoku"],
    rate=["Rating", "rate", "rate_many"],
    rated=["Rated", "rate_file"],
    saving=["save"],
    solve=["Solutions", "count", "solve"],
    sweeps=["Sweeps", "sweep"],
    wish=["Wish"],
)
