"""One solution of an edge-matching puzzle by ranked scans: rounds, each a scan of one view with two cut-offs.

    census    uniform sample of the boards of each depth: an estimate of their number and of their ranks.  It predicts the
              nodes of a scan with cut-offs, and the probability that the scan finds a solution
    promise   rank of a board minus the logarithm of the mean of e^rank at its depth.  A board is e^promise times as likely
              to lead to a solution as the mean board
    round     scan of the boards of a view with a promise above a level, without those of the round before.  Rounds are
              in the order of probability per node
    last      the round without cut-offs.  It comes when no other round has a higher probability per node, and it proves
              that there is no solution if it finds none

Every view contains every solution, so a solution needs a high rank in one view only (docs/adr/0017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import exp, inf, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels import ranked as edges_ranked
from tablero.edges.kernels.ranked import COUNTED, LAST, LEAN, LONGEST_LIST, LOOKED, NO_HIGH, NO_LOW, UNIT, Problem
from tablero.edges.kernels.search import EdgeSearch, empty_cursor
from tablero.edges.kernels.stretches import View, problem_of
from tablero.edges.kernels.tiles import Tiles
from tablero.search.base import Answers, Flag
from tablero.search.cursor import Cursor
from tablero.search.random import random_state
from tablero.search.tree import write_cursor

LEVELS = tuple(level / 2 for level in range(6, -7, -1))  # of promise, from few boards to many
_FROM, _TO = 0.2, 0.5  # ranks are checked while this share of the cells is filled
_SWEPT = 0.3  # sweeps begin when this share of the cells is filled
_EARLY = (
    0.5  # the cut-off of the first check is lower than that of the last by this much, because a rank can still rise
)
_DRAWN = 2000  # boards of a census
_GRAIN = UNIT // 16  # cut-offs are rounded to this, so that they are the same on every machine

Floats = NDArray[np.float64]


@dataclass
class RankedSearch(EdgeSearch):
    """A scan of a view that skips boards below the cut-off `low`, and those never below `high`."""

    lines: tuple[tuple[int, ...], ...]
    low: tuple[int, ...] = ()  # after each stretch; empty for a scan without cut-offs
    high: tuple[int, ...] = ()
    name: str = field(init=False, default="edges.ranked/1")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.proves = not self.low

    def _extra(self) -> list[NDArray[Any]]:
        return [np.array(part, np.int64) for part in (self.lines, self.low, self.high)]

    def _make(self, tiles: Tiles) -> Problem:
        return with_cuts(problem_of(View(tiles, self.lines)), self.low, self.high)

    def cut(self, low: tuple[int, ...], high: tuple[int, ...]) -> RankedSearch:
        """The same search with other cut-offs; the tables are shared."""
        other = replace(self, low=low, high=high)
        other._tables = with_cuts(self.tables(), low, high)
        other._merged = self._merged
        return other

    def warm(self) -> None:
        super().warm()
        census(self.tables(), 1)

    def begin(self, cursor: Cursor) -> edges_ranked.State:
        problem = self.tables()
        levels, words = len(problem.cells), len(problem.guard)
        state = edges_ranked.State(
            used=np.zeros(levels + 1, np.uint64),
            front=np.zeros(levels + 1, np.uint64),
            counts=np.zeros((levels + 1, words), np.uint64),
            new=np.zeros(levels + 1, np.uint8),
            ready=np.zeros((levels, int(problem.length.max()) + 1), np.uint32),
            fitting=np.zeros(levels, np.int64),
            following=np.zeros(levels, np.int64),
            **empty_cursor(levels),
            sweep=edges_ranked.sweep_for(problem),
        )
        state.counts[0] = problem.begin
        write_cursor(state, cursor)
        edges_ranked.replay(problem, state)
        return state

    def _write_placed(self, state: Any, row: Answers) -> None:
        problem = self.tables()
        for d in range(max(int(state.depth[0]) - 1, 0)):
            cells = problem.cells[d]
            row[cells[cells >= 0]] = problem.variant[state.ready[d, state.following[d] - 1]][cells >= 0]

    def _advance(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag) -> tuple[int, int]:
        return edges_ranked.advance(self.tables(), state, answers, budget, most, stop)


def with_cuts(problem: Problem, low: Sequence[int], high: Sequence[int]) -> Problem:
    """A problem that checks ranks after the stretches with a cut-off.

    Counts end at the last check: after it they would save 4 % of the nodes and take a quarter of the time.
    """
    size = len(problem.cells) + 1
    lows, highs = (np.array(part or [none] * size, np.int64) for part, none in ((low, NO_LOW), (high, NO_HIGH)))
    places = looked_at(problem)
    looks = np.full(size, LEAN, np.uint8)
    looks[: places[-1] + 1 if places else 0] = COUNTED
    looks[lows > NO_LOW] = LOOKED
    if low:
        looks[places[-1]] = LAST
    swept = int(np.flatnonzero(_filled(problem) >= _SWEPT)[0]) + 1 if problem.length.max() <= LONGEST_LIST else 0
    return problem._replace(low=lows, high=highs, looks=looks, swept=np.array([swept]))


def _filled(problem: Problem) -> Floats:
    """The share of the cells that is filled after each stretch."""
    cells = (problem.cells >= 0).sum(axis=1)
    return np.asarray(np.cumsum(cells) / cells.sum(), np.float64)


class Census(NamedTuple):
    """Natural logarithms of the number of boards and of the mean of e^rank, by depth, and of the number of nodes."""

    boards: Floats
    mean: Floats
    nodes: float


def census(problem: Problem, drawn: int = _DRAWN) -> Census:
    """Sample boards depth by depth: all children of the sample before, or up to `drawn` of them."""
    depths, words = len(problem.cells) + 1, len(problem.guard)
    now, then = (
        edges_ranked.Boards(
            np.zeros(drawn + 1, np.uint64),
            np.zeros(drawn + 1, np.uint64),
            np.zeros((drawn + 1, words), np.uint64),
            np.zeros(drawn + 1, np.int64),
        )
        for _ in range(2)
    )
    now.counts[0] = problem.begin
    random, kept, size = random_state(0), 1, 0.0
    boards, mean, nodes = np.full(depths, -inf), np.full(depths, -inf), 1.0
    for d in range(depths - 1):
        visited, good = edges_ranked.spread(problem, now, kept, then, np.uint64(d), random, int(problem.low[d + 1]))
        nodes += exp(size) * visited / kept
        if not good:
            break
        size += log(good / kept)
        kept = min(good, drawn)
        now, then = then, now
        ranks = now.rank[:kept] / UNIT
        boards[d + 1] = size
        mean[d + 1] = ranks.max() + log(np.exp(ranks - ranks.max()).mean())
    return Census(boards, mean, log(nodes))


@dataclass(frozen=True)
class Round:
    """A scan with its expected nodes and its probability to find a solution."""

    view: int
    search: RankedSearch
    nodes: float  # log₁₀
    chance: float


def rounds_of(views: Sequence[View]) -> list[Round]:
    """The rounds in their order; the last one has no cut-offs."""
    whole: list[Round] = []
    rounds: list[tuple[float, Round]] = []
    for number, view in enumerate(views):
        search = RankedSearch(view.tiles, view.lines)
        every = census(search.tables())
        whole.append(Round(number, search, every.nodes / log(10), 1.0))
        rounds += _rounds_of(number, search, every)
    last = min(whole, key=lambda round: round.nodes)
    rounds.sort(key=lambda one: -one[0])  # stable: the rounds of a view keep their order
    return [*(round for slope, round in rounds if slope > -last.nodes * log(10)), last]


def _rounds_of(view: int, search: RankedSearch, every: Census) -> list[tuple[float, Round]]:
    """The rounds of a view, each with the logarithm of its probability per node, which falls from round to round."""
    problem = search.tables()
    places = looked_at(problem)
    if not places or not np.isfinite(every.mean[places[-1]]):
        return []
    last = places[-1]
    levels = [_Level(0.0, 0.0, ())]
    for promise in LEVELS:
        low = cuts(every, places, promise)
        cut = census(with_cuts(problem, low, ()))
        chance = min(exp(cut.boards[last] + cut.mean[last] - every.boards[last] - every.mean[last]), 1.0)
        level = _Level(exp(cut.nodes), chance, low)
        if chance <= levels[-1].chance or level.nodes <= levels[-1].nodes:
            continue  # too few boards are above this level for a census
        while len(levels) > 1 and level.slope(levels[-1]) >= levels[-1].slope(levels[-2]):
            levels.pop()  # one round for both levels is better
        levels.append(level)
    return [
        (
            log(level.slope(before)),
            Round(
                view,
                search.cut(level.low, before.low),
                log(level.nodes - before.nodes) / log(10),
                level.chance - before.chance,
            ),
        )
        for before, level in pairwise(levels)
    ]


class _Level(NamedTuple):
    """The nodes of a scan down to a level of promise, its probability to find a solution, and its cut-offs."""

    nodes: float
    chance: float
    low: tuple[int, ...]

    def slope(self, before: _Level) -> float:
        """The probability per node, beyond another level."""
        return (self.chance - before.chance) / (self.nodes - before.nodes)


def looked_at(problem: Problem) -> list[int]:
    """The numbers of stretches after which ranks are checked."""
    filled = _filled(problem)
    return [int(k) + 1 for k in np.flatnonzero((filled >= _FROM) & (filled <= _TO))]


def cuts(every: Census, places: Sequence[int], level: float) -> tuple[int, ...]:
    """The lowest ranks for a level of promise."""
    cuts = [NO_LOW] * len(every.mean)
    for place, early in zip(places, np.linspace(_EARLY, 0.0, len(places)).tolist(), strict=True):
        if np.isfinite(every.mean[place]):
            cuts[place] = _GRAIN * round(UNIT * (float(every.mean[place]) + level - early) / _GRAIN)
    return tuple(cuts)
