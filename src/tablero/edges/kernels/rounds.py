"""One solution of an edge-matching puzzle by ranked scans: rounds, each of one view with its cut-offs.

    census    some boards of every depth, evenly drawn from all that there are: how many there are, and their ranks.  It
              foresees the nodes of a scan with cut-offs, and the chance that a solution is above them
    promise   of a board: its rank above the logarithm of the mean of e^rank at its depth.  So e^promise is how many times as
              likely it leads to a solution as the others
    round     a scan of the boards of a view with a promise above one level, which were below the level of the round before
              at some look.  Rounds are in the order of chance a node
    last      the round that looks at no rank.  It comes where no other promises more for its nodes, and it proves

A solution is in every view, so that it need rank high in one of them only (docs/adr/0017).
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
_FROM, _TO = 0.2, 0.5  # of the cells: where ranks are looked at
_SWEPT = 0.3  # of the cells
_EARLY = 0.5  # by how much less is demanded at the first look than at the last: a rank may still rise
_DRAWN = 2000  # boards of a census
_GRAIN = UNIT // 16  # cut-offs are rounded to this, so that they are the same on every machine

Floats = NDArray[np.float64]


@dataclass
class RankedSearch(EdgeSearch):
    """A scan of a view without the boards below a cut-off, and without those that were never below another."""

    lines: tuple[tuple[int, ...], ...]
    low: tuple[int, ...] = ()  # after every stretch; where nothing is said, no rank is looked at
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
        """The same with other cut-offs, and the same tables."""
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

    def _lay_out(self, state: Any, row: Answers) -> None:
        problem = self.tables()
        for d in range(max(int(state.depth[0]) - 1, 0)):
            cells = problem.cells[d]
            row[cells[cells >= 0]] = problem.variant[state.ready[d, state.following[d] - 1]][cells >= 0]

    def _advance(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag) -> tuple[int, int]:
        return edges_ranked.advance(self.tables(), state, answers, budget, most, stop)


def with_cuts(problem: Problem, low: Sequence[int], high: Sequence[int]) -> Problem:
    """A problem that looks at ranks after the stretches for which a cut-off is given.

    Counts are kept as far as ranks are looked at: later on they would save 4 % of the nodes, and take a quarter of the time.
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
    """The part of the cells that is filled after each stretch."""
    cells = (problem.cells >= 0).sum(axis=1)
    return np.asarray(np.cumsum(cells) / cells.sum(), np.float64)


class Census(NamedTuple):
    """For every depth, in natural logarithms: how many boards there are, and the mean of e^rank; and of all, the nodes."""

    boards: Floats
    mean: Floats
    nodes: float


def census(problem: Problem, drawn: int = _DRAWN) -> Census:
    """Draw boards from depth to depth: all children of those drawn before, or as many of them as there is room for."""
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
    """A scan that is part of the plan, and what it is expected to cost and to bring."""

    view: int
    search: RankedSearch
    nodes: float  # log₁₀
    chance: float


def rounds_of(views: Sequence[View]) -> list[Round]:
    """The rounds in their order; the last one proves."""
    whole: list[Round] = []
    rounds: list[tuple[float, Round]] = []
    for number, view in enumerate(views):
        search = RankedSearch(view.tiles, view.lines)
        every = census(search.tables())
        whole.append(Round(number, search, every.nodes / log(10), 1.0))
        rounds += _rounds_of(number, search, every)
    last = min(whole, key=lambda round: round.nodes)
    rounds.sort(key=lambda one: -one[0])  # those of a view keep their order
    return [*(round for slope, round in rounds if slope > -last.nodes * log(10)), last]


def _rounds_of(view: int, search: RankedSearch, every: Census) -> list[tuple[float, Round]]:
    """The rounds of a view, each with the logarithm of its chance a node, which falls from round to round."""
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
            continue  # too few boards are above it for a census to tell
        while len(levels) > 1 and level.slope(levels[-1]) >= levels[-1].slope(levels[-2]):
            levels.pop()  # to go on at once is better than to stop there
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
    """What a scan down to a level of promise costs in nodes, the chance that it finds a solution, and its cut-offs."""

    nodes: float
    chance: float
    low: tuple[int, ...]

    def slope(self, before: _Level) -> float:
        """The chance a node beyond another level."""
        return (self.chance - before.chance) / (self.nodes - before.nodes)


def looked_at(problem: Problem) -> list[int]:
    """The numbers of stretches after which ranks are looked at."""
    filled = _filled(problem)
    return [int(k) + 1 for k in np.flatnonzero((filled >= _FROM) & (filled <= _TO))]


def cuts(every: Census, places: Sequence[int], level: float) -> tuple[int, ...]:
    """The ranks that a level of promise demands."""
    cuts = [NO_LOW] * len(every.mean)
    for place, early in zip(places, np.linspace(_EARLY, 0.0, len(places)).tolist(), strict=True):
        if np.isfinite(every.mean[place]):
            cuts[place] = _GRAIN * round(UNIT * (float(every.mean[place]) + level - early) / _GRAIN)
    return tuple(cuts)
