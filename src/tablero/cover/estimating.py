"""How many covers and how many nodes there will be: Knuth's random dives, with the error of their means.

Right in the mean, but where the tree is uneven the mean may hang on a few dives, or on some that were never made.  How many
dives carry it is told: (Σ w)² / Σ w², the number of equal weights that would vary as much.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import exp, inf, isfinite, isnan, log, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.cover.generating import langford
from tablero.cover.kernels.dive import Problem, State, dive
from tablero.cover.kernels.search import Options
from tablero.cover.puzzle import ExactCover
from tablero.cover.solving import multiple
from tablero.errors import BadInput
from tablero.runs.run import HERE, Run
from tablero.runs.session import until_stopped
from tablero.runs.watch import Snapshot
from tablero.search.random import random_state
from tablero.words import several

_FEW = 30.0  # dives that carry the mean: below this it should not be trusted
_LN10 = log(10)
_TOGETHER = 1 << 22  # entries looked at before Ctrl-C is heard


@dataclass(frozen=True)
class Mean:
    """The mean of weights whose logarithms are known, and its standard error; both as log₁₀ (−∞ for 0).

    A single weight has no standard error: it is then not a number.
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
    """What dives say of a problem's tree."""

    covers: Mean
    nodes: Mean
    dives: int  # that were made: fewer than were asked for when the time was up, or when it was interrupted
    met: int  # dives that ended at a cover
    interrupted: bool = False

    @property
    def proved(self) -> bool:
        """Whether there is no cover, for an item has no option: then every dive ends where it begins."""
        return not self.met and self.nodes.log10 == 0

    @property
    def misleading(self) -> bool:
        """Whether too few dives carry the mean."""
        if self.proved:
            return False
        return self.covers.carried_by < min(_FEW, self.dives)

    @property
    def status(self) -> str:
        return "none" if self.proved else "solved"

    def to_dict(self) -> dict[str, Any]:
        """The means and their errors; None for what is no number, or too large for one."""
        told: dict[str, Any] = {
            "status": self.status,
            "dives": self.dives,
            "met": self.met,
            "misleading": self.misleading,
        }
        for name, mean in (("covers", self.covers), ("nodes", self.nodes)):
            numbers = {name: mean.value, f"{name}_error": mean.error, f"log10_{name}": mean.log10}
            told |= {key: value if isfinite(value) else None for key, value in numbers.items()}
        return told

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
    """The covers and the nodes of the search for them, estimated by so many dives.

    Ctrl-C and the time limit end it with the dives made by then.
    """
    if run.node_limit is not None:
        raise BadInput("an estimate has no limit on nodes: expected a number of dives, or a time")
    tables, state = _tables(problem, seed)
    nodes, covers = np.zeros(dives), np.zeros(dives)
    run.tell(Snapshot(doing="compiling the kernel of the dives"))
    warm()

    def slices() -> Iterator[int]:
        for part in _parts(dives, max(1, _TOGETHER // max(len(problem.table.item), 1))):
            dive(tables, state, nodes[part], covers[part])
            yield part.stop

    made, interrupted = until_stopped(slices(), dives, "dive", run)
    met = int(np.isfinite(covers[:made]).sum())
    return Estimate(Mean.of(covers[:made]), Mean.of(nodes[:made]), made, met, interrupted)


@cache
def warm() -> None:
    """Compile what dives."""
    tables, state = _tables(langford(3), 0)
    dive(tables, state, np.zeros(1), np.zeros(1))


def _parts(number: int, size: int) -> Iterator[slice]:
    return (slice(first, min(first + size, number)) for first in range(0, number, size))


def _tables(problem: ExactCover, seed: int) -> tuple[Problem, State]:
    table, need = problem.table, np.ones(problem.table.items, np.int64)
    if problem.need is not None:  # the search has items and options more, and these are its nodes
        options = multiple(problem, problem.need)
        need, items = options.need, len(options.need)
        table = Options(options.start, options.item, np.zeros(len(options.item), np.int32), items, items)
    sizes = np.bincount(table.item, minlength=table.items)
    tables = Problem(
        start=table.start.astype(np.uint64),
        item=table.item.astype(np.uint64),
        colour=table.colour.astype(np.uint64),
        owner=np.repeat(np.arange(table.rows, dtype=np.uint64), np.diff(table.start)),
        base=np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint64),
        members=np.argsort(table.item, kind="stable").astype(np.uint64),
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
