"""Counting solutions: all of them, or those that are different under turns and reflections (fundamental ones).

The empty board has a kernel of its own.  Boards with given or blocked squares, and tori, are counted as exact covers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tablero.errors import BadInput
from tablero.puzzles.cover.solve import search_for as cover_search
from tablero.puzzles.queens import check
from tablero.puzzles.queens.kernels.count import MOST, QueensCount
from tablero.puzzles.queens.puzzle import Board, Queens, check_side
from tablero.puzzles.queens.solve import to_cover
from tablero.runs.findings import Result
from tablero.runs.here import Findings, run_here
from tablero.search.base import Search

MOST_DRAWN = 1000  # fundamental solutions that are kept


@dataclass(frozen=True)
class Counted(Findings):
    """How many solutions there are; `boards` only where fundamental ones were wanted and kept."""

    puzzle: Queens
    fundamental: bool
    result: Result

    @property
    def boards(self) -> list[Board]:
        return [Board.of(columns) for columns in self.result.answers]


def search_for(puzzle: Queens, *, fundamental: bool = False, durable: bool = False) -> Search:
    """The search that counts."""
    if puzzle.plain:
        check_side(puzzle.n, MOST)
        return QueensCount(puzzle.n, fundamental)
    if fundamental:
        raise BadInput("fundamental solutions are counted on empty boards only: leave the rest out")
    return cover_search(to_cover(puzzle), "count", durable=durable)


def count(puzzle: Queens | int, *, threads: int = 1, **limits: Any) -> int:
    """How many solutions there are."""
    return _whole(_count(puzzle, False, threads, keep=False, **limits))


def count_fundamental(n: int, *, threads: int = 1, **limits: Any) -> int:
    """How many solutions there are that no turn or reflection makes of another."""
    return _whole(_count(n, True, threads, keep=False, **limits))


def fundamental(n: int, *, threads: int = 1) -> list[Board]:
    """The fundamental solutions of a small board, each the first of its images, in order."""
    counted = _count(n, True, threads, keep=True)
    counted = replace(counted, result=with_first_images(counted.result))
    return counted.boards


def with_first_images(result: Result) -> Result:
    """The result with every solution turned and reflected so that it comes first, sorted, and all of them checked."""
    rows = sorted({min(images(columns)) for columns in result.answers.tolist()})
    for columns in rows:
        if wrong := check.fault(columns):
            raise AssertionError(f"the counting kernel returned what is no solution: {wrong}")
    if len(rows) < len(result.answers):
        raise AssertionError("the counting kernel returned two solutions of one class")
    return replace(result, answers=np.array(rows, np.int32).reshape(len(rows), -1))


def images(columns: list[int]) -> list[tuple[int, ...]]:
    """The eight images of a solution."""
    n = len(columns)
    found = []
    image = tuple(columns)
    for _ in range(4):
        found += [image, image[::-1]]
        turned = [0] * n
        for row, column in enumerate(image):
            turned[column] = n - 1 - row
        image = tuple(turned)
    return found


def _count(puzzle: Queens | int, fundamental: bool, threads: int, **limits: Any) -> Counted:
    puzzle = puzzle if isinstance(puzzle, Queens) else Queens(puzzle)
    search = search_for(puzzle, fundamental=fundamental)
    return Counted(puzzle, fundamental, run_here(search, threads, **limits))


def _whole(counted: Counted) -> int:
    if counted.status == "open":
        raise TimeoutError(f"stopped at {100 * counted.result.fraction:.2f} % of the search: the number is open")
    return counted.solutions
