"""n-queens: constructed, searched for, annealed and counted."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.queens.anneal import Annealed, anneal
    from tablero.puzzles.queens.armies import Armies, armies
    from tablero.puzzles.queens.construct import construct
    from tablero.puzzles.queens.count import Counted, count, count_fundamental, counted, fundamental
    from tablero.puzzles.queens.formats import parse, read, write
    from tablero.puzzles.queens.generate import generate
    from tablero.puzzles.queens.puzzle import Board, Queens
    from tablero.puzzles.queens.solve import Solved, solve
    from tablero.puzzles.queens.tune import Tuned, tune
    from tablero.puzzles.queens.worksheet import worksheet

__all__ = [
    "Annealed",
    "Armies",
    "Board",
    "Counted",
    "Queens",
    "Solved",
    "Tuned",
    "anneal",
    "armies",
    "construct",
    "count",
    "count_fundamental",
    "counted",
    "fundamental",
    "generate",
    "parse",
    "read",
    "solve",
    "tune",
    "worksheet",
    "write",
]

offer(
    __name__,
    anneal=["Annealed", "anneal"],
    armies=["Armies", "armies"],
    construct=["construct"],
    count=["Counted", "count", "count_fundamental", "counted", "fundamental"],
    formats=["parse", "read", "write"],
    generate=["generate"],
    puzzle=["Board", "Queens"],
    solve=["Solved", "solve"],
    tune=["Tuned", "tune"],
    worksheet=["worksheet"],
)
