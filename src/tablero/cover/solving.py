"""Chooses the kernel for a question about an exact cover problem, and interprets its answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from tablero.cover import checking
from tablero.cover.draw import has_cells, mosaic
from tablero.cover.generating import dominoes, langford
from tablero.cover.kernels.multicover import MulticoverSearch
from tablero.cover.kernels.multicover import Options as MultiOptions
from tablero.cover.kernels.search import KERNELS, CoverSearch, default_kernel, fastest_counter
from tablero.cover.puzzle import ExactCover, Item
from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.runs.findings import Findings, Result
from tablero.runs.progress import Snapshot
from tablero.runs.run import Run
from tablero.runs.session import Session
from tablero.runs.viewing import State
from tablero.search.base import Answers

AUTO = "auto"
_MOST_KEPT = 1 << 28

T = TypeVar("T")
Cover = list[list[Item]]  # options, each a list of items


@dataclass(frozen=True, eq=False, repr=False)
class Covers(Findings[Cover]):
    """The covers that a search found."""

    parts: ClassVar[tuple[str, ...]] = ("option", "item")

    puzzle: ExactCover

    @property
    def cost(self) -> int | None:
        """The cost of the cheapest cover, if it was asked for."""
        return self.result.best

    @property
    def _first(self) -> list[int]:
        """The first cover as numbers of options; empty if there is none."""
        return self.rows[0][self.rows[0] >= 0].tolist() if len(self.rows) else []

    @cached_property
    def rows(self) -> NDArray[np.int32]:
        """The options of every cover; options that were added for a multicover are replaced by −1."""
        if self.puzzle.need is None:
            return self.result.answers
        return np.where(self.result.answers < len(self.puzzle), self.result.answers, np.int32(-1))

    @cached_property
    def chosen(self) -> list[list[int]]:
        """The covers as numbers of options, from 0."""
        return [[option for option in row if option >= 0] for row in self.rows.tolist()]

    @cached_property
    def answers(self) -> Sequence[Cover]:
        """The covers as lists of options, each a list of items."""
        return self._each(lambda option: list(self.puzzle.option(option)))

    def to_list(self) -> list[list[list[str]]]:
        """The covers as lists of options, each a list of words: items with their colours."""
        return self._each(self.puzzle.written)

    def _each(self, form: Callable[[int], T]) -> list[list[T]]:
        """The covers with their options in another form; each option is converted once."""
        formed = {option: form(option) for option in np.unique(self.rows).tolist() if option >= 0}
        return [[formed[option] for option in cover] for cover in self.chosen]

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """The number of each option, from 1, with each of its items."""
        for number, option in enumerate(answer, 1):
            yield from ((number, item) for item in option)

    def iter_json(self) -> Iterator[str]:
        for piece in self.pieces():
            for cover in piece._each(lambda option: json.dumps(self.puzzle.written(option), ensure_ascii=False)):
                yield f"[{', '.join(cover)}]"

    def verify(self) -> None:
        """Check every cover with independent code."""
        if wrong := checking.first_fault(self.puzzle, self.rows):
            raise AssertionError(f"a kernel returned what is no cover: {wrong}")

    def answer_text(self, before: int) -> str:
        """One option on each line; several covers one below another, each with its number."""
        covers = map("".join, self._each(lambda option: " ".join(self.puzzle.written(option)) + "\n"))
        if before == 0 and self.solutions == 1:
            return "".join(covers)
        return "".join(f"{chr(10) if k > 1 else ''}cover {k}\n{cover}" for k, cover in enumerate(covers, before + 1))

    def remarks(self) -> Iterator[str]:
        if self.result.kept and self.solutions == 1 and self._first and has_cells(self.puzzle):
            yield mosaic(self.puzzle, self._first).to_text(colours=sys.stderr.isatty())
        cost = "" if self.cost is None else f"cost {self.cost:,}; "
        yield cost + self.sentence("cover", "covers")

    def values(self) -> dict[str, Any]:
        return {**super().values(), **({} if self.cost is None else {"cost": self.cost})}

    def scene(self) -> Scene | None:
        """The first cover as a board, if the items are cells."""
        return mosaic(self.puzzle, self._first).scene() if self._first and has_cells(self.puzzle) else None

    def __str__(self) -> str:
        if not self._first:
            return repr(self)
        if has_cells(self.puzzle):
            return mosaic(self.puzzle, self._first).to_text()
        return "\n".join(" ".join(self.puzzle.written(option)) for option in self._first)


def search_for(problem: ExactCover, verb: str, kernel: str = AUTO, *, durable: bool = False) -> CoverSearch:
    """Return the search for a verb: solve, count or cheapest.

    A durable search gets a kernel whose nodes do not depend on what it has visited, so that they can be counted.
    """
    if problem.is_multiple:
        raise BadInput("an exact cover is not for items with multiplicities")
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


def multiple(problem: ExactCover, need: NDArray[np.int64]) -> MultiOptions:
    """Return the problem for the multicover kernel, which may choose an option twice and has no secondary items.

    Every secondary item, and every option that the kernel could choose twice, becomes an item that must be covered once,
    with a further option that covers it if no other does.
    """
    table = problem.table
    owner = table.owner
    often = np.concatenate([need, np.ones(table.items - table.primary, np.int64)])[table.item]
    free = np.flatnonzero(np.bincount(owner[often < 2], minlength=table.rows) == 0)
    guards = table.items + np.arange(len(free))
    once = np.concatenate([np.arange(table.primary, table.items), guards])  # each gets an option of its own
    item = np.concatenate([table.item, guards, once])
    rows = np.concatenate([owner, free, table.rows + np.arange(len(once))])
    order = np.argsort(rows, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=table.rows + len(once)))])
    return MultiOptions(
        start=start.astype(np.int64),
        item=item[order].astype(np.int32),
        amount=np.ones(len(item), np.int32),
        need=np.concatenate([need, np.ones(len(once), np.int64)]),
    )


def _is_refuted(problem: ExactCover) -> bool:
    """Whether an item has fewer options than its multiplicity."""
    sizes = np.bincount(problem.table.item, minlength=len(problem.items))[: problem.primary]
    return problem.need is not None and bool((problem.need > sizes).any())


def _search(problem: ExactCover, verb: str, kernel: str, *, durable: bool) -> CoverSearch | MulticoverSearch:
    """Return the search for a verb, also for multicovers."""
    if problem.need is None:
        return search_for(problem, verb, kernel, durable=durable)
    options = multiple(problem, problem.need)
    widest, deepest = int(np.bincount(options.item).max()), int(options.need.sum())
    if widest * deepest > _MOST_KEPT:  # the kernel keeps the options of an item for every depth
        raise BadInput(f"items needed {deepest:,} times in all, one in {widest:,} options: too many for multiplicities")
    return MulticoverSearch(options)


def find(problem: ExactCover, verb: str, most: int | None, kernel: str, run: Run) -> Covers:
    """Search for up to `most` covers (None for all), for their number, or for the cheapest."""
    with Session(run) as session:
        if verb == "count" and kernel == AUTO and problem.need is None and not run.durable:
            run.report(Snapshot(doing="compiling the counting kernels"))
            kernel, seconds = fastest_counter(problem.table, run.time_limit)
            session.add_setup_time(seconds)
        if _is_refuted(problem):
            return Covers(problem, Result("none", 0, np.empty((0, 0), np.int32), kept=verb != "count"))
        search = _search(problem, verb, kernel, durable=run.durable)

        def covers(rows: Answers) -> Covers:
            return Covers(problem, Result("open", len(rows), rows))

        found = Covers(problem, session.perform(search, most=most, keep=verb != "count", of=covers))
        if not found.result.checked:
            found.verify()
        return found


def view(state: State) -> Covers:
    """Return what a stored job has found."""
    verb = "cheapest" if state.options.get("cheapest") else state.verb
    search = _search(state.puzzle, verb, state.options["kernel"], durable=True)
    return Covers(state.puzzle, state.result(search, keep=verb != "count"))


def kernels() -> dict[str, Any]:
    """The kernels that can be compiled in advance: names, and functions that compile them."""
    from tablero.cover.sampling import warm_dives

    small = langford(3)
    wide = dominoes(45, 45)  # enough options for packed words
    weights: Any = small.table.start[1:] % 7
    found: dict[str, Any] = {f"cover {kernel}": CoverSearch(small.table, kernel).warm for kernel in KERNELS}
    found["cover bits, packed"] = CoverSearch(wide.table, "bits").warm
    found["cover dives"] = warm_dives
    found["cover bits, cheapest"] = CoverSearch(small.table, "bits", weights).warm
    return found
