"""Decompositions of graphs: divide the edges of a host into copies of a part."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.decomposition.graph import Graph
    from tablero.puzzles.decomposition.puzzle import Decomposition, DecompositionPuzzle, Part, decompose
    from tablero.puzzles.decomposition.solve import Found, count, solve

__all__ = ["Decomposition", "DecompositionPuzzle", "Found", "Graph", "Part", "count", "decompose", "solve"]

offer(
    __name__,
    graph=["Graph"],
    puzzle=["Decomposition", "DecompositionPuzzle", "Part", "decompose"],
    solve=["Found", "count", "solve"],
)
