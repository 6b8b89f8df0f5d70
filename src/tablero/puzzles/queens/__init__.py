"""N queens: annealed, searched for, constructed, counted."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.queens.anneal import Annealed
    from tablero.puzzles.queens.armies import Armies
    from tablero.puzzles.queens.construct import construct
    from tablero.puzzles.queens.count import Counted, fundamental
    from tablero.puzzles.queens.formats import parse, read, write
    from tablero.puzzles.queens.puzzle import Board, Queens
    from tablero.puzzles.queens.solve import Solved
    from tablero.puzzles.queens.tune import Tuned
    from tablero.puzzles.queens.verbs import anneal, armies, count, generate, model, solve, tune, worksheet

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
    "fundamental",
    "generate",
    "model",
    "parse",
    "read",
    "solve",
    "tune",
    "worksheet",
    "write",
]

offer(
    __name__,
    anneal=["Annealed"],
    armies=["Armies"],
    construct=["construct"],
    count=["Counted", "fundamental"],
    formats=["parse", "read", "write"],
    puzzle=["Board", "Queens"],
    solve=["Solved"],
    tune=["Tuned"],
    verbs=["anneal", "armies", "count", "generate", "model", "solve", "tune", "worksheet"],
)
