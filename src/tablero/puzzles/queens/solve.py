"""Setting queens: from a puzzle and a method to a search, and back to boards.

construct   a formula, without any search: only on an empty board
local       local search after Sosic and Gu: only on an empty board, any size
anneal      simulated annealing, as `tablero queens anneal` does it
exact       exact cover: every puzzle, any number of solutions, and the proof that there is none
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tablero.errors import BadInput
from tablero.puzzles.cover.solve import search_for as cover_search
from tablero.puzzles.queens.anneal import Settings, anneal_with, seeds_from
from tablero.puzzles.queens.construct import construct, exists
from tablero.puzzles.queens.count import counted
from tablero.puzzles.queens.cover import columns_of, to_cover
from tablero.puzzles.queens.findings import FAMILY, Boards, require_no_job
from tablero.puzzles.queens.kernels.anneal import HEAD, QueensAnneal
from tablero.puzzles.queens.kernels.count import QueensCount
from tablero.puzzles.queens.kernels.local import QueensLocal
from tablero.puzzles.queens.puzzle import Queens, Square, as_bytes, as_puzzle, from_bytes
from tablero.runs.findings import Result
from tablero.runs.runner import HERE, Books, Run, perform
from tablero.runs.watch import PLAINLY, Telling
from tablero.search.base import Search

AUTO = "auto"
METHODS = (AUTO, "construct", "local", "anneal", "exact")
_ATTEMPTS = 16  # annealing runs before `solve` gives up


@dataclass(frozen=True, eq=False, repr=False)
class Solved(Boards):
    """What a search for solutions brought; `result.answers` has a row of columns for each."""

    method: str

    def verify(self) -> None:
        super().verify()
        if len(self.columns) > 1 and len(np.unique(self.columns, axis=0)) < len(self.columns):
            raise AssertionError(f"{self.method} returned the same solution twice")

    def values(self) -> dict[str, Any]:
        return {**super().values(), "method": self.method, **({"why": self.why} if self.why else {})}


def choose(puzzle: Queens, method: str, most: int | None) -> str:
    """The method to use, if it can do what is asked."""
    if method not in METHODS:
        raise BadInput(f"the method {method!r}: expected one of {', '.join(METHODS)}")
    if most is not None and most < 1:
        raise BadInput(f"{most} solutions: expected a number from 1, or None for all")
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
        return QueensAnneal(seeds_from(seed, _ATTEMPTS), puzzle.n, Settings.for_side(puzzle.n).schedule())
    return cover_search(to_cover(puzzle), "solve")


def solve(
    puzzle: Queens | int,
    most: int | None = 1,
    *,
    given: Iterable[Square] = (),
    blocked: Iterable[Square] = (),
    torus: bool = False,
    method: str = AUTO,
    seed: int = 0,
    run: Run = HERE,
) -> Solved:
    """Up to `most` solutions (None: all) of a puzzle, or of a board of so many queens with what is said of it."""
    puzzle = as_puzzle(puzzle, given, blocked, torus)
    chosen = choose(puzzle, method, most)
    seeds_from(seed, 1)  # refuses what is no seed, also where none is needed
    search = search_for(puzzle, chosen, seed)
    if search is None:
        require_no_job(run, f"{puzzle.n} queens by {chosen}")
        solved = Solved(puzzle, _without_search(puzzle), chosen)
    else:
        books = Books(
            {"family": FAMILY, "verb": "solve", "method": chosen, "seed": seed, "most": most}, lambda: as_bytes(puzzle)
        )
        telling = PLAINLY if chosen == "exact" else Telling(fraction=False)
        result = perform(search, run, books=books, most=most, telling=telling)
        columns = columns_of(puzzle, result.answers) if chosen == "exact" else result.answers[:, HEAD:]
        solved = Solved(puzzle, replace(result, answers=columns), chosen)
    solved.verify()
    return solved


def _without_search(puzzle: Queens) -> Result:
    """The answer by formula: a solution, or that there is none."""
    began, cpu = time.monotonic(), time.thread_time()
    columns = construct(puzzle.n, torus=puzzle.torus)
    answers = np.empty((0, puzzle.n), np.int32) if columns is None else columns[None, :]
    return Result(
        status="none" if columns is None else "solved",
        solutions=len(answers),
        answers=answers,
        seconds=time.monotonic() - began,
        cpu_seconds=time.thread_time() - cpu,
    )


def resume(recipe: dict[str, Any], problem: bytes, run: Run) -> Boards:
    """Go on with a stored job."""
    verb = recipe["verb"]
    if verb == "anneal":
        return anneal_with(Settings(**recipe["annealing"]), seed=recipe["seed"], runs=recipe["runs"], run=run)
    puzzle = from_bytes(problem)
    if verb == "count":
        return counted(puzzle, fundamental=recipe["fundamental"], run=run)
    return solve(puzzle, recipe["most"], method=recipe["method"], seed=recipe["seed"], run=run)


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand: names, and functions that compile."""
    return {
        "queens count": QueensCount(8).warm,
        "queens anneal": QueensAnneal((0,), 8, Settings.for_side(8).schedule()).warm,
        "queens local": QueensLocal((0,), 8).warm,
    }
