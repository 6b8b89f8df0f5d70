"""From an exact cover problem to a search and back: which kernel answers which question, and what its answers mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.puzzles.cover import check, formats
from tablero.puzzles.cover.kernels.search import COUNTERS, KERNELS, CoverSearch, default_kernel, fastest_counter
from tablero.puzzles.cover.puzzle import ExactCover, Item
from tablero.runs.findings import Findings, Result
from tablero.runs.runner import HERE, Books, Run, perform
from tablero.runs.watch import Snapshot
from tablero.search.base import Answers

AUTO = "auto"
FAMILY = "cover"

Cover = list[list[Item]]  # options, each a list of items


@dataclass(frozen=True, eq=False, repr=False)
class Covers(Findings[Cover]):
    """What a search for covers found."""

    puzzle: ExactCover

    @property
    def cost(self) -> int | None:
        """What the cheapest cover costs, where it was asked for."""
        return self.result.best

    @property
    def _first(self) -> list[int]:
        """The first cover as numbers of options; empty where there is none."""
        rows = self.result.answers[:1].tolist()
        return [o for o in rows[0] if o >= 0] if rows else []

    @cached_property
    def chosen(self) -> list[list[int]]:
        """The covers as numbers of options, from 0."""
        return [[o for o in row if o >= 0] for row in self.result.answers.tolist()]

    @cached_property
    def answers(self) -> Sequence[Cover]:
        """The covers as lists of options, each a list of items."""
        names = {o: list(self.puzzle.option(o)) for o in np.unique(self.result.answers).tolist() if o >= 0}
        return [[names[o] for o in cover] for cover in self.chosen]

    def told(self) -> list[list[list[str]]]:
        """The covers as lists of options, each a list of words: items with their colours."""
        words = {o: self.puzzle.written(o) for o in np.unique(self.result.answers).tolist() if o >= 0}
        return [[words[o] for o in cover] for cover in self.chosen]

    def verify(self) -> None:
        """Check every cover with code that shares nothing with the kernels."""
        if wrong := check.first_fault(self.puzzle, self.result.answers):
            raise AssertionError(f"a kernel returned what is no cover: {wrong}")

    def values(self) -> dict[str, Any]:
        return {**super().values(), **({} if self.cost is None else {"cost": self.cost})}

    def scene(self) -> Scene | None:
        """The first cover as a board, where the items are cells."""
        from tablero.puzzles.cover.draw import has_cells, mosaic

        return mosaic(self.puzzle, self._first).scene() if self._first and has_cells(self.puzzle) else None

    def __str__(self) -> str:
        from tablero.draw.text import to_text
        from tablero.puzzles.cover.draw import has_cells, mosaic

        if not self._first:
            return repr(self)
        if has_cells(self.puzzle):
            return to_text(mosaic(self.puzzle, self._first))
        return "\n".join(" ".join(self.puzzle.written(option)) for option in self._first)


def require_kernel(problem: ExactCover, verb: str, kernel: str) -> None:
    """Refuse a kernel that is not known, or that cannot do what is asked."""
    if kernel not in (AUTO, *KERNELS):
        raise BadInput(f"the kernel {kernel!r}: expected one of {', '.join((AUTO, *KERNELS))}")
    if kernel in COUNTERS and verb != "count":
        raise BadInput(f"the kernel {kernel!r} only counts: expected one of auto, bits, sparse")
    if kernel in COUNTERS and problem.colours:
        raise BadInput(f"the kernel {kernel!r} knows no colours: expected one of auto, bits, sparse")


def search_for(problem: ExactCover, verb: str, kernel: str = AUTO, *, durable: bool = False) -> CoverSearch:
    """The search that answers a verb: solve, count or cheapest.

    A durable search gets a kernel whose nodes do not depend on what it has seen before, so that they can be counted.
    """
    require_kernel(problem, verb, kernel)
    if kernel != AUTO:
        chosen = kernel
    elif verb == "count" and not durable:
        chosen, _ = fastest_counter(problem.table)
    else:
        chosen = default_kernel(problem.table)
    cost = None
    if verb == "cheapest":
        cost = problem.weights if problem.weights is not None else np.zeros(len(problem), np.int64)
    return CoverSearch(problem.table, chosen, cost)


def solve(problem: ExactCover, most: int | None = 1, *, kernel: str = AUTO, run: Run = HERE) -> Covers:
    """Up to `most` covers (None: all)."""
    return _find(problem, "solve", most, kernel, run)


def count(problem: ExactCover, *, kernel: str = AUTO, run: Run = HERE) -> Covers:
    """The number of covers, without the covers."""
    return _find(problem, "count", None, kernel, run)


def cheapest(problem: ExactCover, *, kernel: str = AUTO, run: Run = HERE) -> Covers:
    """A cover of least total weight, proved so when the status is "solved"."""
    return _find(problem, "cheapest", None, kernel, run)


def _find(problem: ExactCover, verb: str, most: int | None, kernel: str, run: Run) -> Covers:
    require_kernel(problem, verb, kernel)
    if verb == "count" and kernel == AUTO and not run.durable:
        run.tell(Snapshot(doing="compiling the counting kernels"))
        try:
            kernel, spent = fastest_counter(problem.table, run.time_limit)
        except BaseException:
            run.tell(Snapshot(over=True))
            raise
        if run.time_limit is not None:
            run = run.within(max(run.time_limit - spent, 0.001))
    search = search_for(problem, verb, kernel, durable=run.durable)
    books = Books(
        {"family": FAMILY, "verb": verb, "kernel": search.kernel, "most": most},
        lambda: formats.write(problem).encode(),
    )

    def covers(rows: Answers) -> Covers:
        return Covers(problem, Result("open", len(rows), rows))

    result = perform(search, run, books=books, most=most, keep=verb != "count", of=covers)
    found = Covers(problem, result)
    if not result.checked:
        found.verify()
    return found


def resume(recipe: dict[str, Any], problem: bytes, run: Run) -> Covers:
    """Go on with a stored job."""
    puzzle = formats.parse(problem.decode(), "the job's problem")
    return _find(puzzle, recipe["verb"], recipe["most"], recipe["kernel"], run)


def kernels() -> dict[str, Any]:
    """What is compiled beforehand: names, and functions that compile."""
    from tablero.puzzles.cover.generate import dominoes, langford

    small = langford(3)
    wide = dominoes(45, 45)  # enough options for packed words
    weights: Any = small.table.start[1:] % 7
    found = {f"cover {kernel}": CoverSearch(small.table, kernel).warm for kernel in KERNELS}
    found["cover bits, packed"] = CoverSearch(wide.table, "bits").warm
    found["cover bits, cheapest"] = CoverSearch(small.table, "bits", weights).warm
    return found
