"""Setting queens: from a puzzle and a method to a search, and back to boards.

construct   a formula, without any search: only on an empty board
local       local search after Sosic and Gu: only on an empty board, any size
anneal      simulated annealing, as `tablero queens anneal` does it
exact       exact cover: every puzzle, any number of solutions, and the proof that there is none
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.cover.puzzle import ExactCover
from tablero.puzzles.cover.solve import search_for as cover_search
from tablero.puzzles.queens import check
from tablero.puzzles.queens.construct import construct, exists
from tablero.puzzles.queens.kernels.anneal import HEAD, QueensAnneal
from tablero.puzzles.queens.kernels.local import QueensLocal
from tablero.puzzles.queens.puzzle import Board, Queens
from tablero.runs.findings import Result
from tablero.runs.here import Findings, run_here
from tablero.search.base import Answers, Search

AUTO = "auto"
METHODS = (AUTO, "construct", "local", "anneal", "exact")
MOST_EXACT = 500  # a side with 250,000 options
_ATTEMPTS = 16  # annealing runs before `solve` gives up


@dataclass(frozen=True)
class Solved(Findings):
    """What a search for solutions brought; `result.answers` has a row of columns for each."""

    puzzle: Queens
    method: str
    result: Result

    @cached_property
    def boards(self) -> list[Board]:
        return [Board.of(columns, self.puzzle.torus) for columns in self.result.answers]

    @property
    def board(self) -> Board | None:
        """The first of them."""
        return self.boards[0] if len(self.result.answers) else None

    @property
    def answers(self) -> list[list[int]]:
        found: list[list[int]] = self.result.answers.tolist()
        return found

    def verify(self) -> None:
        """Check every solution with code that shares nothing with the kernels."""
        for columns in self.result.answers:
            if wrong := check.fault_of(self.puzzle, columns):
                raise AssertionError(f"{self.method} returned what is no solution: {wrong}")
        if len(self.result.answers) > 1 and len(np.unique(self.result.answers, axis=0)) < len(self.result.answers):
            raise AssertionError(f"{self.method} returned the same solution twice")

    def __str__(self) -> str:
        return f"{self.board}" if self.board else f"no solution ({self.status})"

    def _repr_svg_(self) -> str | None:
        return self.board._repr_svg_() if self.board else None


def choose(puzzle: Queens, method: str, most: int | None) -> str:
    """The method to use, if it can do what is asked."""
    if method not in METHODS:
        raise BadInput(f"the method {method!r}: expected one of {', '.join(METHODS)}")
    simple = not (puzzle.given or puzzle.blocked) and most == 1
    if method == AUTO:
        return "construct" if simple else "exact"
    if method != "exact" and (puzzle.given or puzzle.blocked):
        raise BadInput(f"the method {method!r} knows only empty boards: expected exact with given or blocked squares")
    if method != "exact" and most != 1:
        raise BadInput(f"the method {method!r} finds one solution: expected exact for more")
    if method in ("local", "anneal") and puzzle.torus:
        raise BadInput(f"the method {method!r} knows no torus: expected construct or exact")
    return method


def search_for(puzzle: Queens, method: str, seed: int = 0) -> Search | None:
    """The search of a method, or None where none is needed: a formula or a theorem has the answer."""
    if method == "construct" or (method != "exact" and not exists(puzzle.n)):
        return None
    if method == "local":
        return QueensLocal((seed,), puzzle.n)
    if method == "anneal":
        from tablero.puzzles.queens.anneal import Settings, seeds_from

        return QueensAnneal(seeds_from(seed, _ATTEMPTS), puzzle.n, Settings.for_side(puzzle.n).schedule())
    return cover_search(to_cover(puzzle), "solve")


def without_search(puzzle: Queens) -> Result:
    """The answer by formula: a solution, or that there is none."""
    began, cpu = time.monotonic(), time.thread_time()
    columns = construct(puzzle.n, torus=puzzle.torus)
    answers = np.empty((0, puzzle.n), np.int32) if columns is None else columns[None, :]
    return Result(
        status="none" if columns is None else "solved",
        solutions=len(answers),
        answers=answers,
        nodes=0,
        seconds=time.monotonic() - began,
        cpu_seconds=time.thread_time() - cpu,
        fraction=1.0,
    )


def with_columns(puzzle: Queens, method: str, result: Result) -> Result:
    """The result of a method's search, its answers as columns by row."""
    return replace(result, answers=columns_of(puzzle, method, result.answers))


def columns_of(puzzle: Queens, method: str, answers: Answers) -> NDArray[np.int32]:
    if method in ("local", "anneal"):
        return answers[:, HEAD:]
    row, column = _options(puzzle)
    found = np.empty((len(answers), puzzle.n), np.int32)
    for k, chosen in enumerate(answers):
        found[k, row[chosen]] = column[chosen]
    return found


def _options(puzzle: Queens) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of the squares where a queen may stand: not blocked, and not attacked by one that is given."""
    n = puzzle.n
    if n > MOST_EXACT:
        raise BadInput(f"{n} queens by exact cover: expected at most {MOST_EXACT}")
    # From the middle outwards: there a queen attacks most.
    order = np.array(sorted(range(n), key=lambda k: abs(2 * k - n + 1)), np.int64)
    row, column = np.repeat(order, n), np.tile(order, n)
    wrap = n if puzzle.torus else 4 * n
    allowed = np.ones(n * n, np.bool_)
    for r, c in puzzle.blocked:
        allowed &= (row != r) | (column != c)
    for r, c in puzzle.given:
        attacked = (row == r) | (column == c)
        attacked |= ((row + column) % wrap == (r + c) % wrap) | ((row - column) % wrap == (r - c) % wrap)
        allowed &= ~attacked | ((row == r) & (column == c))
    return row[allowed], column[allowed]


def to_cover(puzzle: Queens) -> ExactCover:
    """The puzzle as an exact cover: rows and columns exactly once, diagonals at most once.

    On a torus there are as many diagonals as queens in either direction, so each has exactly one.
    """
    n = puzzle.n
    row, column = _options(puzzle)
    if puzzle.torus:
        rising, falling, diagonals = (row + column) % n, (row - column) % n, n
    else:
        rising, falling, diagonals = row + column, row - column + n - 1, 2 * n - 1
    order = sorted(range(n), key=lambda k: abs(2 * k - n + 1))
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    items = [f"{side}{k + 1}" for k in order for side in "rc"]
    items += [f"s{k}" for k in range(diagonals)] + [f"d{k}" for k in range(diagonals)]
    entries = np.stack([2 * place[row], 2 * place[column] + 1, 2 * n + rising, 2 * n + diagonals + falling], axis=1)
    start = np.arange(0, 4 * len(row) + 1, 4, dtype=np.int64)
    primary = len(items) if puzzle.torus else 2 * n
    return ExactCover.of_arrays(items, primary, start, entries.ravel().astype(np.int32))


def solve(
    puzzle: Queens | int, most: int | None = 1, *, method: str = AUTO, seed: int = 0, threads: int = 1, **limits: Any
) -> Solved:
    """Up to `most` solutions (None: all).  `limits` are those of `tablero.runs.coordinator.run`."""
    puzzle = puzzle if isinstance(puzzle, Queens) else Queens(puzzle)
    chosen = choose(puzzle, method, most)
    search = search_for(puzzle, chosen, seed)
    if search is None:
        solved = Solved(puzzle, chosen, without_search(puzzle))
    else:
        solved = Solved(puzzle, chosen, with_columns(puzzle, chosen, run_here(search, threads, most=most, **limits)))
    solved.verify()
    return solved
