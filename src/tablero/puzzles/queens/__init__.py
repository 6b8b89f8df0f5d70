"""n-queens: constructed, searched for, annealed and counted."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.queens.anneal import Annealed, anneal
    from tablero.puzzles.queens.construct import construct
    from tablero.puzzles.queens.count import count, count_fundamental, fundamental
    from tablero.puzzles.queens.puzzle import Board, Queens
    from tablero.puzzles.queens.solve import Solved, solve

__all__ = [
    "Annealed",
    "Board",
    "Queens",
    "Solved",
    "anneal",
    "construct",
    "count",
    "count_fundamental",
    "fundamental",
    "solve",
]

offer(
    __name__,
    anneal=["Annealed", "anneal"],
    construct=["construct"],
    count=["count", "count_fundamental", "fundamental"],
    puzzle=["Board", "Queens"],
    solve=["Solved", "solve"],
)
