"""Exact covers, in Knuth's text format."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.cover.estimate import Estimate, estimate
    from tablero.puzzles.cover.formats import parse, read, write
    from tablero.puzzles.cover.generate import generate
    from tablero.puzzles.cover.puzzle import ExactCover
    from tablero.puzzles.cover.sample import Sample, sample
    from tablero.puzzles.cover.solve import Covers, cheapest, count, solve
    from tablero.puzzles.cover.trace import Trace, trace
    from tablero.puzzles.cover.worksheet import worksheet

__all__ = [
    "Covers",
    "Estimate",
    "ExactCover",
    "Sample",
    "Trace",
    "cheapest",
    "count",
    "estimate",
    "generate",
    "parse",
    "read",
    "sample",
    "solve",
    "trace",
    "worksheet",
    "write",
]

offer(
    __name__,
    estimate=["Estimate", "estimate"],
    formats=["parse", "read", "write"],
    generate=["generate"],
    puzzle=["ExactCover"],
    sample=["Sample", "sample"],
    solve=["Covers", "cheapest", "count", "solve"],
    trace=["Trace", "trace"],
    worksheet=["worksheet"],
)
