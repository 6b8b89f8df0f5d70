"""Exact covers with known counts, for tests of every kernel; a puzzle of edges that has no solution."""

from __future__ import annotations

from itertools import chain, combinations

from tablero.cover import ExactCover, generate
from tablero.edges.generating import EXAMPLE
from tablero.edges.puzzle import EdgePuzzle

BELL = {1: 1, 4: 15, 7: 877, 8: 4140}
DOUBLE_FACTORIAL = {1: 1, 3: 15, 5: 945, 6: 10395}


def partitions(n: int) -> ExactCover:
    """All non-empty subsets of n things: the covers are the partitions, a Bell number of them."""
    things = range(n)
    return ExactCover(chain.from_iterable(combinations(things, k) for k in range(1, n + 1)), primary=things)


def matchings(k: int) -> ExactCover:
    """All pairs of 2k things: (2k − 1)!! perfect matchings."""
    return ExactCover(combinations(range(2 * k), 2), primary=range(2 * k))


def source_example() -> ExactCover:
    """The example of the thesis: its one cover is B, D, F."""
    return ExactCover([[1, 4, 7], [1, 4], [4, 5, 7], [3, 5, 6], [2, 3, 6, 7], [2, 7]], primary=range(1, 8))


def double_stars(n: int) -> ExactCover:
    """Decompositions of the complete graph on n vertices into double stars."""
    vertices = range(n)
    options = []
    for a, b in combinations(vertices, 2):
        others = [v for v in vertices if v not in (a, b)]
        for leaves in combinations(others, n // 2 - 1):
            options.append([(a, b), *(((a, v) if v in leaves else (b, v)) for v in others)])
    edges = list(combinations(vertices, 2))
    return ExactCover([[(min(e), max(e)) for e in option] for option in options], primary=edges)


def coloured_squares(n: int) -> ExactCover:
    """Words of n letters from a, b that read the same backwards: place k and its mirror share a coloured item."""
    options = [{k: None, f"pair{min(k, n - 1 - k)}": letter} for k in range(n) for letter in "ab"]
    return ExactCover(options, primary=range(n), secondary=[f"pair{k}" for k in range((n + 1) // 2)])


SMALL: dict[str, tuple[ExactCover, int]] = {
    "source example": (source_example(), 1),
    "partitions of 7": (partitions(7), 877),
    "matchings of 12": (matchings(6), 10395),
    "queens 6": (generate("queens", 6), 4),
    "langford 7": (generate("langford", 7), 52),
    "langford 5": (generate("langford", 5), 0),
    "dominoes 4×5 with a hole short": (generate("dominoes", "3x3"), 0),
    "dominoes 4×4": (generate("dominoes", "4x4"), 36),
    "steiner 7": (generate("steiner", 7), 30),
    "one-factorisations of K6": (generate("one-factorisations", 6), 6),
    "double stars of K6": (double_stars(6), 120),
    "palindromes": (coloured_squares(7), 16),
}


def printed_example() -> EdgePuzzle:
    """The 3×3 example of the source as it was printed: it has no solution, by the parity of its colours."""
    return EdgePuzzle((EXAMPLE[0], (3, 2, 2, 0), *EXAMPLE[2:]))
