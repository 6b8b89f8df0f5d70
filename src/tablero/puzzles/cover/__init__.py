"""Exact covers: choose options so that every item is covered exactly once."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.cover.formats import parse, read, write
    from tablero.puzzles.cover.generate import generate
    from tablero.puzzles.cover.puzzle import ExactCover
    from tablero.puzzles.cover.solve import Covers, cheapest, count, solve
    from tablero.puzzles.cover.trace import Trace, trace

__all__ = ["Covers", "ExactCover", "Trace", "cheapest", "count", "generate", "parse", "read", "solve", "trace", "write"]

offer(
    __name__,
    formats=["parse", "read", "write"],
    generate=["generate"],
    puzzle=["ExactCover"],
    solve=["Covers", "cheapest", "count", "solve"],
    trace=["Trace", "trace"],
)
