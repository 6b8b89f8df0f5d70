"""Simulated annealing for base copies: all are placed from the start, and exchange vertices until every orbit is covered.

    host      the graph whose edges are covered; edges that a cyclic group can exchange are one *orbit*, and vertices one
              *class* (without a group every edge is its own orbit, every vertex its own class)
    base      a copy of the part, whose images under the group cover the orbits of its edges
    place     of each base copy: the places of the part's vertices.  Vertices of the host that the copy does not use count
              as vertices of the part without edges, so a place is always a permutation of the host's vertices
    cost      the number of uncovered orbits.  There are as many orbits as the base copies have edges, so no orbit is
              covered twice when the cost is 0
    excess    of each class: the number of edge ends there minus the required number; 0 in a decomposition
    trial     two random vertices of one base copy exchange places; an increase of the cost plus the absolute excess is
              accepted at random

Counting the excess makes the search about three times as fast: exchanging leaves preserves the degrees, and most of the
work is exchanging leaves.  The temperature is constant: a trial that adds 1 is accepted once in forty times.  A search
that does not succeed proves nothing.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.base import Answers, Flag
from tablero.search.compiled import inlined, kernel
from tablero.search.portfolio import Portfolio
from tablero.search.random import below, draw, mixed, random_state, unit

U = np.uint64
Small = NDArray[np.int32]
TEMPERATURE = 0.27
_TOO_MUCH = 4  # an increase of the excess that is rejected at once: it would hardly ever be accepted
TRIALS, COST = range(2)  # places in `numbers`


class Problem(NamedTuple):
    """The neighbours of vertex p of the part are near[near_start[p]:near_start[p + 1]]."""

    orbit: Small  # host × host: the orbit of an edge; the number of orbits if there is no edge
    near_start: Small  # host + 1
    near: Small  # the part's neighbours
    group: Small  # of the host's vertices: their class
    wanted: Small  # of the classes: the required number of edge ends


class State(NamedTuple):
    place: Small  # base copies × host
    covered: Small  # of the orbits: how often; the last entry counts edges that the host does not have
    excess: Small  # of the classes
    numbers: NDArray[np.int64]
    random: NDArray[np.uint64]


@inlined
def _lift(problem: Problem, state: State, copy: np.uint64, vertex: np.uint64, other: np.uint64) -> int:
    """Remove the edges of a vertex, except one to `other`; return how many orbits become uncovered."""
    lost, here = 0, state.place[copy, vertex]
    for k in range(problem.near_start[vertex], problem.near_start[vertex + U(1)]):
        near = U(problem.near[k])
        if near != other:
            orbit = problem.orbit[here, state.place[copy, near]]
            state.covered[orbit] -= np.int32(1)
            if state.covered[orbit] == 0 and orbit < state.covered.shape[0] - 1:
                lost += 1
    return lost


@inlined
def _lay(problem: Problem, state: State, copy: np.uint64, vertex: np.uint64, other: np.uint64) -> int:
    """Add the edges of a vertex, except one to `other`; return how many orbits become covered."""
    won, here = 0, state.place[copy, vertex]
    for k in range(problem.near_start[vertex], problem.near_start[vertex + U(1)]):
        near = U(problem.near[k])
        if near != other:
            orbit = problem.orbit[here, state.place[copy, near]]
            if state.covered[orbit] == 0 and orbit < state.covered.shape[0] - 1:
                won += 1
            state.covered[orbit] += np.int32(1)
    return won


@inlined
def _exchange(problem: Problem, state: State, copy: np.uint64, u: np.uint64, v: np.uint64) -> int:
    """Exchange the places of two vertices; return the increase of the cost."""
    change = _lift(problem, state, copy, u, v) + _lift(problem, state, copy, v, u)
    state.place[copy, u], state.place[copy, v] = state.place[copy, v], state.place[copy, u]
    return change - _lay(problem, state, copy, u, v) - _lay(problem, state, copy, v, u)


@inlined
def _heavier(problem: Problem, u: np.uint64, v: np.uint64) -> np.int32:
    """The degree of one vertex of the part minus that of another."""
    start = problem.near_start
    return np.int32(start[u + U(1)] - start[u] - start[v + U(1)] + start[v])


@kernel
def advance(
    problem: Problem, state: State, chance: NDArray[np.float64], budget: int, stop: NDArray[np.uint8]
) -> tuple[int, bool]:
    """Make up to `budget` trials; return their number and whether every orbit is covered."""
    host = U(state.place.shape[1])
    all_places = U(state.place.shape[0]) * host
    x = state.random[0]
    cost = state.numbers[COST]
    made = 0
    while cost > 0 and made < budget and stop[0] == 0:
        made += 1
        x = draw(x)
        first = below(mixed(x), all_places)
        copy = first // host
        u = first % host
        x = draw(x)
        v = below(mixed(x), host)
        if u == v:
            continue
        more = _heavier(problem, u, v)
        here, there = problem.group[state.place[copy, u]], problem.group[state.place[copy, v]]
        added = 0
        if more != 0 and here != there:
            added = abs(state.excess[here] - more) - abs(state.excess[here])
            added += abs(state.excess[there] + more) - abs(state.excess[there])
            if added >= _TOO_MUCH:
                continue
        change = _exchange(problem, state, copy, u, v)
        if change + added > 0:
            x = draw(x)
            if unit(mixed(x)) >= chance[change + added]:
                _exchange(problem, state, copy, u, v)
                continue
        state.excess[here] -= more
        state.excess[there] += more
        cost += change
    state.random[0] = x
    state.numbers[COST] = cost
    state.numbers[TRIALS] += made
    return made, cost == 0


@dataclass
class CopiesAnneal(Portfolio):
    """A search for every seed.  An answer has the places of the part's vertices, copy after copy."""

    problem: Problem
    vertices: int  # of the part
    name: str = field(init=False, default="decomposition.anneal/1")
    per_process: ClassVar[frozenset[str]] = Portfolio.per_process | {"chance"}

    @property
    def orbits(self) -> int:
        return int(self.problem.orbit[0, 0])  # the diagonal has no edges

    @property
    def copies(self) -> int:
        return 2 * self.orbits // len(self.problem.near)

    @property
    def width(self) -> int:
        return self.copies * self.vertices

    @cached_property
    def chance(self) -> NDArray[np.float64]:
        """The probability that a trial is accepted, by its increase of cost and excess."""
        most = 2 * int(np.diff(self.problem.near_start).max()) + _TOO_MUCH
        return np.array([math.exp(-cost / TEMPERATURE) for cost in range(most + 1)])

    def digest(self) -> str:
        parts = hashlib.sha256(f"anneal {self.seeds} {self.vertices} ".encode())
        for array in self.problem:
            parts.update(np.ascontiguousarray(array).tobytes() + b"|")
        return parts.hexdigest()

    def fresh(self, seed: int) -> State:
        shuffle = np.random.default_rng(seed).permuted
        host = len(self.problem.orbit)
        place = shuffle(np.tile(np.arange(host, dtype=np.int32), (self.copies, 1)), axis=1)
        covered = self._covered(place)
        numbers = np.array([0, np.count_nonzero(covered[:-1] == 0)], np.int64)
        return State(place, covered, self._excess(place), numbers, random_state(seed))

    def _covered(self, place: Small) -> Small:
        """How often each orbit is covered."""
        problem = self.problem
        vertex = np.repeat(np.arange(len(problem.orbit)), np.diff(problem.near_start))
        once = vertex < problem.near
        orbit = problem.orbit[place[:, vertex[once]], place[:, problem.near[once]]]
        return np.bincount(orbit.ravel(), minlength=self.orbits + 1).astype(np.int32)

    def _excess(self, place: Small) -> Small:
        """The number of edge ends on each class minus the required number."""
        problem = self.problem
        ends = np.broadcast_to(np.diff(problem.near_start), place.shape)
        there = np.bincount(problem.group[place].ravel(), weights=ends.ravel(), minlength=len(problem.wanted))
        return there.astype(np.int32) - problem.wanted

    def fault(self, arrays: tuple[Any, ...], scratch: tuple[Any, ...]) -> str | None:
        state = State(*arrays)
        trials, cost = state.numbers.tolist()
        if (np.sort(state.place, axis=1) != np.arange(state.place.shape[1])).any():
            return "a copy is not on every vertex exactly once"
        if not np.array_equal(self._covered(state.place), state.covered):
            return "the covered orbits do not match the copies"
        if not np.array_equal(self._excess(state.place), state.excess):
            return "the excess of the classes does not match the copies"
        known = np.count_nonzero(state.covered[:-1] == 0)
        if cost != known or cost == 0 or not 0 <= trials < 2**62 or not state.random[0]:
            return f"a cost of {cost} with {known} uncovered orbits, {trials} trials, or a random state of 0"
        return None

    def step(self, arrays: tuple[Any, ...], budget: int, stop: Flag) -> tuple[int, bool]:
        made, ended = advance(self.problem, State(*arrays), self.chance, budget, stop)
        return int(made), bool(ended)

    def answer(self, arrays: tuple[Any, ...]) -> Answers | None:
        state = State(*arrays)
        return None if state.numbers[COST] else state.place[:, : self.vertices].astype(np.int32).ravel()
