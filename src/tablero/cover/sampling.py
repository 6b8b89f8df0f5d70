"""Covers drawn at random, each exactly as likely as any other.

All covers stand in one order, that of the search.  A rank is drawn from all there are; at every node the covers below each
child are counted, which says the child that holds the rank.  The counting kernel counts, mostly by looking into its memo.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.cover import checking
from tablero.cover.generating import langford
from tablero.cover.kernels.search import KERNELS, RACE_NODES, CoverSearch, default_kernel, fastest_counter
from tablero.cover.puzzle import ExactCover
from tablero.cover.solving import AUTO
from tablero.runs.run import HERE, Run
from tablero.runs.session import Clock
from tablero.runs.watch import Snapshot
from tablero.search.base import UNBOUNDED
from tablero.search.cursor import Cursor, Level
from tablero.words import several

_SLICE = 1 << 13  # nodes between two looks at the clock, fewer where a node costs more


@dataclass(frozen=True)
class Sample:
    """Covers drawn at random, as numbers of options from 0, and how many covers there are in all."""

    puzzle: ExactCover
    total: int | None  # None where a limit was met before all were counted
    chosen: list[list[int]]
    kernel: str
    seed: int

    @property
    def status(self) -> str:
        return "open" if self.total is None else "solved" if self.total else "none"

    def told(self) -> list[list[list[str]]]:
        """The covers as lists of options, each a list of words: items with their colours."""
        return [[self.puzzle.written(option) for option in cover] for cover in self.chosen]

    def to_dict(self) -> dict[str, Any]:
        counted = {} if self.total is None else {"total": self.total, "seed": self.seed, "kernel": self.kernel}
        return {"status": self.status, "solutions": len(self.chosen), **counted, "answers": self.told()}

    def lines(self) -> Iterator[str]:
        for k, cover in enumerate(self.told(), 1):
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
    """The covers of a problem in the order of its search: how many there are, and which has a given rank."""

    def __init__(self, problem: ExactCover, *, kernel: str = AUTO, run: Run = HERE) -> None:
        self.problem = problem
        self.kernel = fastest_counter(problem.table, run.time_limit)[0] if kernel == AUTO else kernel
        self._search = CoverSearch(problem.table, self.kernel)
        self._clock, self._nodes = Clock(run), 0
        self._counts: dict[tuple[int, ...], list[int]] = {}  # covers below each child of a node
        self._owner = np.repeat(np.arange(len(problem)), np.diff(problem.table.start))

    @property
    def total(self) -> int:
        """How many covers there are."""
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
        """The covers below each child of a node."""
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
            self._clock.tell("counting covers", nodes=self._nodes)
        self._search.end(state)
        return found

    def _children(self, chosen: Sequence[int]) -> list[int] | None:
        """The options of the item that the kernel takes at a node, in order; None where every item is covered."""
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
        item = open_items[self._place(sizes)]
        return sorted(self._owner[entries_live & (table.item == item)].tolist())

    def _place(self, sizes: NDArray[np.int64]) -> int:
        """Which open item a kernel takes: that with the fewest options, or by the rule of frontiers."""
        if self.kernel != "frontier":
            return int(sizes.argmin())
        forced = sizes <= 1
        return int(forced.argmax()) if forced.any() else 0


def warm(problem: ExactCover, kernel: str) -> None:
    """Compile what will count."""
    plain = default_kernel(problem.table)
    several = kernel == AUTO and plain == "bits" and not problem.colours
    for name in RACE_NODES if several else [plain if kernel == AUTO else kernel]:
        if name in KERNELS:
            CoverSearch(langford(3).table, name).warm()


def sample(problem: ExactCover, number: int, *, seed: int = 0, kernel: str = AUTO, run: Run = HERE) -> Sample:
    """So many covers, drawn one after another from all there are; none where there are none.

    None can be drawn until all covers are counted: a limit that is met before leaves the sample open.
    """
    try:
        run.tell(Snapshot(doing="compiling the counting kernels"))
        warm(problem, kernel)
        ranks = Ranks(problem, kernel=kernel, run=run)
        total = ranks.total
        draw = random.Random(seed)
        chosen = [ranks.cover(draw.randrange(total)) for _ in range(number)] if total else []
    except TimeoutError:
        return Sample(problem, None, [], kernel, seed)
    finally:
        run.tell(Snapshot(over=True))
    for cover in chosen:
        if wrong := checking.fault(problem, cover):
            raise AssertionError(f"what was drawn is no cover: {wrong}")
    return Sample(problem, total, chosen, ranks.kernel, seed)
