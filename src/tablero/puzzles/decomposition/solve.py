"""From a problem of decompositions to a search and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tablero.puzzles.decomposition import formats, reduced
from tablero.puzzles.decomposition.check import Copy
from tablero.puzzles.decomposition.copies import number_in_complete
from tablero.puzzles.decomposition.models import CoverModel, Model, model_of
from tablero.puzzles.decomposition.necessary import obstacle
from tablero.puzzles.decomposition.puzzle import Decomposition, DecompositionPuzzle
from tablero.runs.findings import Result
from tablero.runs.here import Findings, require_threads, run_here
from tablero.search.base import Search

FAMILY = "decompose"


@dataclass(frozen=True)
class Found(Findings):
    """What a search for decompositions found; `reason` where no search was needed to see that there are none."""

    puzzle: DecompositionPuzzle
    model: Model | None
    result: Result
    reason: str = ""

    @property
    def copies(self) -> int | None:
        """How many copies of the parts the host has, where that is known."""
        if self.model is not None and self.model.copies is not None:
            return self.model.copies
        if self.puzzle.host.is_complete:
            return sum(number_in_complete(self.puzzle.host.vertices, part.graph) for part in self.puzzle.parts)
        return None

    def decompositions(self) -> Iterator[Decomposition]:
        """The answers, in the order in which they were found."""
        if self.model is None:
            return
        for row in self.result.answers.tolist():
            yield Decomposition(self.puzzle.host, self.model.parts(row), str(self.puzzle))

    def written(self, write: Callable[[Copy], str]) -> Iterator[list[str]]:
        """The answers with every copy written out; copies that many answers share are written once."""
        if self.model is None:
            return
        known: dict[int, list[str]] = {}
        for row in self.result.answers.tolist():
            if not self.model.by_option:
                yield [write(copy) for copy in self.model.parts(row)]
                continue
            out: list[str] = []
            for option in row:
                if option >= 0:
                    if option not in known:
                        known[option] = [write(copy) for copy in self.model.parts([option])]
                    out += known[option]
            yield out

    def verify(self) -> None:
        """Check every answer with code that shares nothing with the kernels."""
        if self.model is not None and (wrong := self.model.fault(self.result.answers)):
            raise AssertionError(f"a kernel returned what is no decomposition: {wrong}")


def impossible(puzzle: DecompositionPuzzle) -> Found | None:
    """The answer where counting edges and degrees shows that there is no decomposition."""
    reason = obstacle(puzzle)
    if reason is None:
        return None
    nothing = Result("none", 0, np.empty((0, 0), np.int32), nodes=0, seconds=0.0, cpu_seconds=0.0, fraction=1.0)
    return Found(puzzle, None, nothing, reason)


def recipe_for(verb: str, most: int | None) -> dict[str, Any]:
    """What a job must know to make its search again from its problem."""
    return {"family": FAMILY, "verb": verb, "most": most}


def search_again(recipe: dict[str, Any], problem: bytes) -> tuple[Model, Search]:
    """The model and the search of a stored job."""
    model = model_of(formats.load(problem, "the job's problem"))
    return model, model.search(recipe["verb"], durable=True)


def solve(puzzle: DecompositionPuzzle, most: int | None = 1, *, threads: int = 1, **limits: Any) -> Found:
    """Up to `most` decompositions (None: all).  `limits` are those of `tablero.runs.coordinator.run`."""
    return _run(puzzle, "solve", threads, most=most, **limits)


def count(puzzle: DecompositionPuzzle, *, threads: int = 1, **limits: Any) -> Found:
    """The number of decompositions, without the decompositions.

    A count that is not done soon is begun again up to isomorphism, where that can be (see `reduced`).
    """
    limit = limits.pop("time_limit", None)
    soon = reduced.PATIENCE if limit is None else min(limit, reduced.PATIENCE)
    found = _run(puzzle, "count", threads, keep=False, time_limit=soon, **limits)
    if found.status != "open" or found.result.interrupted or soon == limit:
        return found
    left = None if limit is None else limit - soon
    if reduced.applies(found.model):
        assert isinstance(found.model, CoverModel)
        return Found(puzzle, found.model, reduced.count(found.model, threads=threads, time_limit=left))
    return _run(puzzle, "count", threads, keep=False, time_limit=left, **limits)


def _run(puzzle: DecompositionPuzzle, verb: str, threads: int, *, method: str = "auto", **limits: Any) -> Found:
    require_threads(threads)
    if known := impossible(puzzle):
        return known
    model = model_of(puzzle, method)
    found = Found(puzzle, model, run_here(model.search(verb), threads, **limits))
    found.verify()
    return found
