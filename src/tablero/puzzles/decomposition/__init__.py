"""Divide the edges of a graph into copies of a part."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

ALIASES = ("decompose",)

if TYPE_CHECKING:
    from tablero.puzzles.decomposition.classes import Class, Classes, classes
    from tablero.puzzles.decomposition.formats import parse, read, write
    from tablero.puzzles.decomposition.graph import Graph
    from tablero.puzzles.decomposition.puzzle import Decomposition, DecompositionPuzzle, Part, decompose
    from tablero.puzzles.decomposition.solve import Found, count, solve

__all__ = [
    "Class",
    "Classes",
    "Decomposition",
    "DecompositionPuzzle",
    "Found",
    "Graph",
    "Part",
    "classes",
    "count",
    "decompose",
    "parse",
    "read",
    "solve",
    "write",
]

offer(
    __name__,
    classes=["Class", "Classes", "classes"],
    formats=["parse", "read", "write"],
    graph=["Graph"],
    puzzle=["Decomposition", "DecompositionPuzzle", "Part", "decompose"],
    solve=["Found", "count", "solve"],
)
