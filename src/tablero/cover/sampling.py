"""Random covers and random dives.

A sample draws covers uniformly.  The covers are numbered in the order of the search, and a rank is drawn.  At every node
the counting kernel counts the covers below each child, which determines the child that contains the rank.

An estimate predicts the number of covers and of nodes by Knuth's random dives, with standard errors.  The means are
unbiased, but in an uneven tree a few dives may determine them.  The effective number of dives is (Σ w)² / Σ w².
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, inf, isfinite, isnan, log, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.cover import checking
from tablero.cover.generating import langford
from tablero.cover.kernels.dive import Problem, State, dive
from tablero.cover.kernels.search import KERNELS, RACE_NODES, CoverSearch, Options, default_kernel, fastest_counter
from tablero.cover.kernels.sparse import set_tables
from tablero.cover.puzzle import ExactCover
from tablero.cover.solving import AUTO, multiple
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Clock, Run, until_stopped
from tablero.search.base import UNBOUNDED
from tablero.search.cursor import Cursor, Level
from tablero.search.random import random_state
from tablero.text import several

_SLICE = 1 << 13  # nodes between two looks at the clock, fewer where a node costs more
_FEW = 30.0  # dives that carry the mean: below this it should not be trusted
_LN10 = log(10)
_TOGETHER = 1 << 22  # entries looked at before Ctrl-C is heard


@dataclass(frozen=True)
class Sample:
    """Covers drawn at random, as numbers of options from 0, and the total number of covers."""

    puzzle: ExactCover
    total: int | None  # None where a limit was met before all were counted
    chosen: list[list[int]]
    kernel: str
    seed: int

    @property
    def status(self) -> str:
        return "open" if self.total is None else "solved" if self.total else "none"

    def to_list(self) -> list[list[list[str]]]:
        """The covers as lists of options, each a list of words: items with their colours."""
        return [[self.puzzle.written(option) for option in cover] for cover in self.chosen]

    def to_dict(self) -> dict[str, Any]:
        counted = {} if self.total is None else {"total": self.total, "seed": self.seed, "kernel": self.kernel}
        return {"status": self.status, "solutions": len(self.chosen), **counted, "answers": self.to_list()}

    def lines(self) -> Iterator[str]:
        for k, cover in enumerate(self.to_list(), 1):
            if len(self.chosen) > 1:
                yield from [""] * (k > 1)
                yield f"cover {k}"
            yield from map(" ".join, cover)

    def remarks(self) -> Iterator[str]:
        if self.total is None:
            yield "stopped before all covers are counted: until then none can be drawn"
        elif self.total:
            yield f"{len(self.chosen)} drawn from {several(self.total, 'cover')}, counted by {self.kernel}"
        else:
            yield "there is no cover (proved)"


class Ranks:
    """The covers of a problem in the order of its search: their number, and the cover of a given rank."""

    def __init__(self, problem: ExactCover, *, kernel: str = AUTO, run: Run = HERE) -> None:
        self.problem = problem
        self.kernel = fastest_counter(problem.table, run.time_limit)[0] if kernel == AUTO else kernel
        self._search = CoverSearch(problem.table, self.kernel)
        self._clock, self._nodes = Clock(run), 0
        self._counts: dict[tuple[int, ...], list[int]] = {}  # covers below each child of a node
        self._owner = problem.table.owner

    @property
    def total(self) -> int:
        """The number of covers."""
        return sum(self._below((), ()))

    def cover(self, rank: int) -> list[int]:
        """The cover of this rank, from 0: its options in the order in which they are chosen."""
        path: list[Level] = []
        chosen: list[int] = []
        while True:
            options = self._children(chosen)
            if options is None:
                return chosen
            for child, number in enumerate(self._below(tuple(path), tuple(chosen))):
                if rank < number:
                    path.append(Level(child, child, len(options)))
                    chosen.append(options[child])
                    break
                rank -= number
            else:
                raise IndexError("there is no cover of this rank")

    def _below(self, path: tuple[Level, ...], chosen: tuple[int, ...]) -> list[int]:
        """The number of covers below each child of a node."""
        key = tuple(level.at for level in path)
        if key not in self._counts:
            options = self._children(chosen) or []
            self._counts[key] = [self._count((*path, Level(k, k, len(options)))) for k in range(len(options))]
        return self._counts[key]

    def _count(self, levels: tuple[Level, ...]) -> int:
        stop, bound, nothing = np.zeros(1, np.uint8), np.zeros(1, np.int64), np.empty((0, 0), np.int32)
        state = self._search.begin(Cursor(levels))
        if state.depth[0] == -2:
            raise AssertionError("a node was read otherwise than by the kernel")
        found = 0
        slice_ = max(16, min(_SLICE, (1 << 34) // max(len(self.problem), 1) ** 2))
        while state.depth[0] >= 0:
            if self._clock.is_up(self._nodes):
                raise TimeoutError
            nodes, more = self._search.step(state, nothing, slice_, UNBOUNDED, stop, bound)
            self._nodes, found = self._nodes + nodes, found + more
            self._clock.report("counting covers", nodes=self._nodes)
        self._search.end(state)
        return found

    def _children(self, chosen: Sequence[int]) -> list[int] | None:
        """The options of the item that the kernel branches on, in order; None if every item is covered."""
        table = self.problem.table
        taken = np.full(table.items, -1, np.int64)  # the colour of a covered item, 0 for none
        for option in chosen:
            entries = slice(table.start[option], table.start[option + 1])
            taken[table.item[entries]] = table.colour[entries]
        open_items = np.flatnonzero(taken[: table.primary] < 0)
        if not len(open_items):
            return None
        there, late = taken[table.item], table.item >= table.primary
        conflict = (there >= 0) & ~(late & (table.colour > 0) & (there == table.colour))
        live = np.bincount(self._owner[conflict], minlength=len(self.problem)) == 0
        entries_live = live[self._owner]
        sizes = np.bincount(table.item[entries_live], minlength=table.items)[open_items]
        # By the rule of frontiers the first that is forced, or else the first of all; elsewhere that with the fewest.
        item = open_items[(sizes > 1 if self.kernel == "frontier" else sizes).argmin()]
        return sorted(self._owner[entries_live & (table.item == item)].tolist())


def sample(problem: ExactCover, number: int, *, seed: int = 0, kernel: str = AUTO, run: Run = HERE) -> Sample:
    """Draw covers independently of each other; none if there are none.

    No cover is drawn before all are counted: a limit that is met earlier leaves the sample open.
    """
    try:
        run.report(Snapshot(doing="compiling the counting kernels"))
        plain = default_kernel(problem.table)
        raced = kernel == AUTO and plain == "bits" and not problem.colours
        for name in RACE_NODES if raced else [plain if kernel == AUTO else kernel]:
            if name in KERNELS:
                CoverSearch(langford(3).table, name).warm()
        ranks = Ranks(problem, kernel=kernel, run=run)
        total = ranks.total
        draw = random.Random(seed)
        chosen = [ranks.cover(draw.randrange(total)) for _ in range(number)] if total else []
    except TimeoutError:
        return Sample(problem, None, [], kernel, seed)
    finally:
        run.report(Snapshot(over=True))
    for cover in chosen:
        if wrong := checking.fault(problem, cover):
            raise AssertionError(f"what was drawn is no cover: {wrong}")
    return Sample(problem, total, chosen, ranks.kernel, seed)


@dataclass(frozen=True)
class Mean:
    """The mean of weights whose logarithms are known, and its standard error, both as log₁₀ (−∞ for 0).

    The standard error of a single weight is not a number.
    """

    log10: float
    log10_error: float
    carried_by: float  # dives

    @classmethod
    def of(cls, ln: NDArray[np.float64]) -> Mean:
        top = float(ln.max(initial=-inf))
        if top == -inf:
            return cls(-inf, -inf if len(ln) > 1 else nan, 0.0)
        if len(ln) == 1:
            return cls(top / _LN10, nan, 1.0)
        weights = np.exp(ln - top)
        mean, square = float(weights.mean()), float((weights**2).mean())
        error = sqrt(max(square - mean * mean, 0.0) / (len(ln) - 1))
        return cls((top + log(mean)) / _LN10, (top + log(error)) / _LN10 if error else -inf, len(ln) * mean**2 / square)

    @property
    def value(self) -> float:
        return 10**self.log10 if self.log10 < 300 else inf

    @property
    def error(self) -> float:
        return inf if self.log10_error >= 300 else 10**self.log10_error  # also where it is no number

    def __str__(self) -> str:
        if isnan(self.log10_error):
            return f"{self.value:.4g}" if self.log10 < 300 else f"10^{self.log10:.2f}"
        if self.log10 < 300:
            return f"{self.value:.4g} ± {self.error:.2g}"
        return f"10^{self.log10:.2f} ± {100 * exp((self.log10_error - self.log10) * _LN10):.2g} %"


@dataclass(frozen=True)
class Estimate:
    """The result of dives into a problem's tree."""

    covers: Mean
    nodes: Mean
    dives: int  # that were made: fewer than were asked for when the time was up, or when it was interrupted
    met: int  # dives that ended at a cover
    interrupted: bool = False

    @property
    def proved(self) -> bool:
        """Whether there is no cover because an item has no option: then every dive ends at the root."""
        return not self.met and self.nodes.log10 == 0

    @property
    def misleading(self) -> bool:
        """Whether too few dives determine the mean."""
        if self.proved:
            return False
        return self.covers.carried_by < min(_FEW, self.dives)

    @property
    def status(self) -> str:
        return "none" if self.proved else "solved"

    def to_dict(self) -> dict[str, Any]:
        """The means and their errors; None for values that are not numbers or too large."""
        reported: dict[str, Any] = {
            "status": self.status,
            "dives": self.dives,
            "met": self.met,
            "misleading": self.misleading,
        }
        for name, mean in (("covers", self.covers), ("nodes", self.nodes)):
            numbers = {name: mean.value, f"{name}_error": mean.error, f"log10_{name}": mean.log10}
            reported |= {key: value if isfinite(value) else None for key, value in numbers.items()}
        return reported

    def lines(self) -> Iterator[str]:
        yield f"covers: {self.covers if self.met else '0' if self.proved else 'no dive met one'}"
        yield f"nodes: {self.nodes}"

    def remarks(self) -> Iterator[str]:
        yield f"{several(self.dives, 'dive')}, of which {self.met:,} ended at a cover"
        if self.dives == 1:
            yield "one dive has no standard error: make more"
        if self.proved:
            yield "there is no cover, for an item has no option (proved)"
        elif not self.met:
            yield "that no dive met a cover proves nothing: make more"
        elif self.misleading:
            yield f"beware: {self.covers.carried_by:.1f} dives carry the number of covers; make more"


def estimate(problem: ExactCover, dives: int, *, seed: int = 0, run: Run = HERE) -> Estimate:
    """Estimate the number of covers and of nodes from random dives.

    Ctrl-C and the time limit end it with the dives made so far.
    """
    if run.node_limit is not None:
        raise BadInput("an estimate has no limit on nodes: expected a number of dives, or a time")
    tables, state = _tables(problem, seed)
    nodes, covers = np.zeros(dives), np.zeros(dives)
    run.report(Snapshot(doing="compiling the kernel of the dives"))
    warm_dives()

    def slices() -> Iterator[int]:
        step = max(1, _TOGETHER // max(len(problem.table.item), 1))
        for first in range(0, dives, step):
            part = slice(first, min(first + step, dives))
            dive(tables, state, nodes[part], covers[part])
            yield part.stop

    made, interrupted = until_stopped(slices(), dives, "dive", run)
    met = int(np.isfinite(covers[:made]).sum())
    return Estimate(Mean.of(covers[:made]), Mean.of(nodes[:made]), made, met, interrupted)


@cache
def warm_dives() -> None:
    """Compile the kernel of the dives."""
    tables, state = _tables(langford(3), 0)
    dive(tables, state, np.zeros(1), np.zeros(1))


def _tables(problem: ExactCover, seed: int) -> tuple[Problem, State]:
    table, need = problem.table, np.ones(problem.table.items, np.int64)
    if problem.need is not None:  # the search has items and options more, and these are its nodes
        options = multiple(problem, problem.need)
        need, items = options.need, len(options.need)
        table = Options(options.start, options.item, np.zeros(len(options.item), np.int32), items, items)
    tables = Problem(
        **{name: array.astype(np.uint64) for name, array in set_tables(table.start, table.item, table.items).items()},
        colour=table.colour.astype(np.uint64),
        need=need.astype(np.uint64),
        primary=np.uint64(table.primary),
    )
    state = State(
        live=np.zeros(table.rows, np.uint8),
        size=np.zeros(table.items, np.uint64),
        left=np.zeros(table.items, np.uint64),
        random=random_state(seed),
    )
    return tables, state
