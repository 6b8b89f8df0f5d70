"""From an exact cover problem to a search and back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tablero.errors import BadInput
from tablero.puzzles.cover import check, formats
from tablero.puzzles.cover.puzzle import ExactCover, Item
from tablero.runs.coordinator import Result
from tablero.runs.here import Findings, run_here
from tablero.search.cover import COUNTERS, KERNELS, PACKED_FROM, CoverSearch, default_kernel, fastest_counter

AUTO = "auto"
FAMILY = "cover"


@dataclass(frozen=True)
class Covers(Findings):
    """What a search for covers found."""

    problem: ExactCover
    result: Result

    @property
    def cost(self) -> int | None:
        """What the cheapest cover costs, where it was asked for."""
        return self.result.best

    @cached_property
    def chosen(self) -> list[list[int]]:
        """The covers as numbers of options, from 0."""
        return [[o for o in row if o >= 0] for row in self.result.answers.tolist()]

    def verify(self) -> None:
        """Check every cover with code that shares nothing with the kernels."""
        if wrong := check.first_fault(self.problem, self.result.answers):
            raise AssertionError(f"a kernel returned what is no cover: {wrong}")

    @property
    def written(self) -> list[list[list[str]]]:
        """The covers as lists of options, each a list of words: items with their colours."""
        words = {o: self.problem.written(o) for o in np.unique(self.result.answers).tolist() if o >= 0}
        return [[words[o] for o in cover] for cover in self.chosen]

    @property
    def answers(self) -> list[list[list[Item]]]:
        """The covers as lists of options, each a list of items."""
        names = {o: list(self.problem.option(o)) for o in np.unique(self.result.answers).tolist() if o >= 0}
        return [[names[o] for o in cover] for cover in self.chosen]


def search_for(problem: ExactCover, verb: str, kernel: str = AUTO, *, durable: bool = False) -> CoverSearch:
    """The search that answers a verb: solve, count or cheapest.

    A durable search gets a kernel whose nodes do not depend on what it has seen before, so that they can be counted.
    """
    if kernel not in (AUTO, *KERNELS):
        raise BadInput(f"the kernel {kernel!r}: expected one of {', '.join((AUTO, *KERNELS))}")
    if kernel in COUNTERS and verb != "count":
        raise BadInput(f"the kernel {kernel!r} only counts: expected one of auto, bits, sparse")
    if kernel in COUNTERS and problem.colours:
        raise BadInput(f"the kernel {kernel!r} knows no colours: expected one of auto, bits, sparse")
    if kernel != AUTO:
        chosen = kernel
    elif verb == "count" and not durable:
        chosen = fastest_counter(problem.table)
    else:
        chosen = default_kernel(problem.table)
    cost = None
    if verb == "cheapest":
        cost = problem.weights if problem.weights is not None else np.zeros(len(problem), np.int64)
    return CoverSearch(problem.table, chosen, cost)


def recipe_for(search: CoverSearch, verb: str, most: int | None) -> dict[str, Any]:
    """What a job must know to make its search again from its problem."""
    return {"family": FAMILY, "verb": verb, "kernel": search.kernel, "most": most}


def search_again(recipe: dict[str, Any], problem: bytes) -> tuple[ExactCover, CoverSearch]:
    """The problem and the search of a stored job."""
    puzzle = formats.parse(problem.decode(), "the job's problem")
    return puzzle, search_for(puzzle, recipe["verb"], recipe["kernel"])


def solve(problem: ExactCover, most: int | None = 1, *, kernel: str = AUTO, threads: int = 1, **limits: Any) -> Covers:
    """Up to `most` covers (None: all).  `limits` are those of `tablero.runs.coordinator.run`."""
    return _run(problem, search_for(problem, "solve", kernel), threads, most=most, **limits)


def count(problem: ExactCover, *, kernel: str = AUTO, threads: int = 1, **limits: Any) -> Covers:
    """The number of covers, without the covers."""
    return _run(problem, search_for(problem, "count", kernel), threads, keep=False, **limits)


def cheapest(problem: ExactCover, *, kernel: str = AUTO, threads: int = 1, **limits: Any) -> Covers:
    """A cover of least total weight, proved so when the status is "solved"."""
    return _run(problem, search_for(problem, "cheapest", kernel), threads, **limits)


def _run(problem: ExactCover, search: CoverSearch, threads: int, **limits: Any) -> Covers:
    kernel = search.name, problem.table.rows >= 64 * PACKED_FROM  # one name for dense and packed words
    covers = Covers(problem, run_here(search, threads, kernel=kernel, **limits))
    covers.verify()
    return covers
