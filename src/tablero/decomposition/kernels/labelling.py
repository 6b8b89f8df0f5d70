"""Base copies: place a part in a host so that its edges lie in different orbits of a cyclic group, one in every orbit.

    turn      the permutation of the host's vertices that generates the group; all orbits of edges have the group's order
    base      a copy with one edge in every orbit: its images under the group are a decomposition of the host
    core      the part's vertices that are no leaves; a leaf hangs on the core by its one edge

Such placements are the ρ-labellings of the literature (Rosa, 1967) and their kin.  The search places the core first, always
the vertex with the fewest places left next to those placed.  Leaves of one vertex can be exchanged, so they are not placed
one by one: an orbit without an edge, or a vertex without a part where all are needed, is taken, the one with the fewest ways
to serve it, and each way hangs the next leaf of some vertex there.

Every decomposition is found once.  The first vertex goes to one place of each orbit of vertices only, and of the base
copies that are left (the part may have automorphisms that move its first vertex) the least is kept.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.base import Answers, Bound, Flag
from tablero.search.compiled import inlined, kernel
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor

Numbers = NDArray[np.int64]
Small = NDArray[np.int32]
_MANY = 1 << 30


class Problem(NamedTuple):
    """Lists of all vertices one after another: those of vertex p are list[start[p]:start[p + 1]]."""

    orbit: Small  # host × host: the orbit of an edge, −1 where there is none
    edge: Small  # host × host: its number
    power: Small  # group × host: where each power of the turn takes each vertex
    root: NDArray[np.uint8]  # of the host's vertices, one of every orbit
    near_start: Numbers
    near: Numbers  # the part's neighbours
    low_start: Numbers
    low: Numbers  # core vertices whose image must be lower
    high_start: Numbers
    high: Numbers
    leaf_start: Numbers
    leaf: Numbers  # the leaves of each vertex
    core: Numbers  # the core, the first vertex first
    rivals: Numbers  # the vertices that automorphisms can put in the first one's place, itself among them
    ends: Numbers  # edges × 2: the part's edges


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor."""

    place: Numbers  # of each of the part's vertices, −1 where it has none
    used: NDArray[np.uint8]  # of the host's vertices
    taken: NDArray[np.uint8]  # of the orbits
    hung: Numbers  # leaves of each vertex that are placed
    ways: Numbers  # of each orbit, then of each of the host's vertices
    mark: Numbers  # of each of the host's edges, and a counter that makes every mark new
    child: Numbers  # depth × children: vertex × host's vertices + place
    moved: Numbers  # the vertex that each level has placed
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers


# Shared with the kernel that lays copies one after another, whose problem and state have the same names


@inlined
def in_order(problem: Any, state: Any, row: int, place: int) -> bool:
    """Whether the place is above those that must be lower and below those that must be higher, by a row of the lists."""
    for k in range(problem.low_start[row], problem.low_start[row + 1]):
        if state.place[problem.low[k]] > place:
            return False
    for k in range(problem.high_start[row], problem.high_start[row + 1]):
        if 0 <= state.place[problem.high[k]] < place:
            return False
    return True


@inlined
def apart(problem: Any, state: Any, vertex: int, place: int) -> bool:
    """Whether all edges of a vertex lie in orbits of their own there."""
    first = problem.near_start[vertex]
    for k in range(first, problem.near_start[vertex + 1]):
        other = state.place[problem.near[k]]
        if other < 0:
            continue
        orbit = problem.orbit[other, place]
        if orbit < 0 or state.taken[orbit]:
            return False
        for j in range(first, k):
            before = state.place[problem.near[j]]
            if before >= 0 and problem.orbit[before, place] == orbit:
                return False
    return True


@inlined
def mark(problem: Any, state: Any, vertex: int, place: int, taken: int) -> None:
    """Mark the orbits of the edges that a vertex has there."""
    for k in range(problem.near_start[vertex], problem.near_start[vertex + 1]):
        other = state.place[problem.near[k]]
        if other >= 0:
            state.taken[problem.orbit[other, place]] = taken


@inlined
def open_level(state: Any, depth: int, children: int) -> None:
    """Stand before the first of a node's children."""
    state.at[depth] = -1
    state.last[depth] = children - 1
    state.width[depth] = children
    state.moved[depth] = -1


def new_levels(deepest: int) -> dict[str, Numbers]:
    """The arrays of a state that has so many levels: where each stands, and the cursor."""
    of_levels = {name: np.zeros(deepest + 1, np.int64) for name in ("at", "last", "width")}
    return {"moved": np.full(deepest + 1, -1, np.int64), **of_levels, "depth": np.zeros(1, np.int64)}


@dataclass
class PlacingSearch(TreeSearch):
    """A search that places the vertices of a part."""

    problem: Any

    def digest(self) -> str:
        parts = hashlib.sha256()
        for array in self.problem:
            parts.update(np.ascontiguousarray(array).tobytes() + b"|")
        return parts.hexdigest()


@inlined
def _fits(problem: Problem, state: State, vertex: int, place: int) -> bool:
    """Whether a vertex can go there: free, in order, and all its edges in orbits of their own."""
    free = not state.used[place]
    return free and in_order(problem, state, vertex, place) and apart(problem, state, vertex, place)


@kernel
def _branch_core(problem: Problem, state: State, depth: int) -> int:
    """Children for the core vertex with the fewest places, among those next to what is placed; how many there are."""
    host = problem.orbit.shape[0]
    best = _MANY
    chosen = -1
    near_any = False
    for c in range(problem.core.shape[0]):
        vertex = problem.core[c]
        if state.place[vertex] >= 0:
            continue
        near = False
        for k in range(problem.near_start[vertex], problem.near_start[vertex + 1]):
            near = near or state.place[problem.near[k]] >= 0
        if near_any and not near:
            continue
        count = 0
        for place in range(host):
            if _fits(problem, state, vertex, place) and (depth > 0 or problem.root[place]):
                count += 1
        if (near and not near_any) or count < best:
            best = count
            chosen = vertex
            near_any = near
        if depth == 0:
            break
    count = 0
    for place in range(host):
        if _fits(problem, state, chosen, place) and (depth > 0 or problem.root[place]):
            state.child[depth, count] = chosen * host + place
            count += 1
    return count


@kernel
def _branch_leaves(problem: Problem, state: State, depth: int) -> int:
    """Children for the orbit or the vertex of the host with the fewest ways to serve it; how many there are."""
    host = problem.orbit.shape[0]
    orbits = state.taken.shape[0]
    state.ways[:] = 0
    missing = 0
    for c in range(problem.core.shape[0]):
        vertex = problem.core[c]
        room = problem.leaf_start[vertex + 1] - problem.leaf_start[vertex] - state.hung[vertex]
        missing += room
        if room > 0:
            for place in range(host):
                if not state.used[place]:
                    orbit = problem.orbit[state.place[vertex], place]
                    if orbit >= 0 and not state.taken[orbit]:
                        state.ways[orbit] += 1
                        state.ways[orbits + place] += 1
    free = 0
    for place in range(host):
        free += 1 - state.used[place]
    best = _MANY
    chosen = -1
    for wanted in range(orbits + host if free == missing else orbits):
        open_ = not state.taken[wanted] if wanted < orbits else not state.used[wanted - orbits]
        if open_ and state.ways[wanted] < best:
            best = state.ways[wanted]
            chosen = wanted
    count = 0
    for c in range(problem.core.shape[0]):
        vertex = problem.core[c]
        leaf = problem.leaf_start[vertex] + state.hung[vertex]
        if leaf == problem.leaf_start[vertex + 1]:
            continue
        for place in range(host):
            if not state.used[place] and (chosen < orbits or place == chosen - orbits):
                orbit = problem.orbit[state.place[vertex], place]
                if orbit >= 0 and not state.taken[orbit] and (chosen >= orbits or orbit == chosen):
                    state.child[depth, count] = problem.leaf[leaf] * host + place
                    count += 1
    return count


@kernel
def _put(problem: Problem, state: State, depth: int) -> None:
    """Place what the level's child says."""
    host = problem.orbit.shape[0]
    code = state.child[depth, state.at[depth]]
    vertex = code // host
    place = code % host
    mark(problem, state, vertex, place, 1)
    if depth >= problem.core.shape[0]:
        state.hung[problem.near[problem.near_start[vertex]]] += 1
    state.place[vertex] = place
    state.used[place] = 1
    state.moved[depth] = vertex


@kernel
def _take_back(problem: Problem, state: State, depth: int) -> None:
    vertex = state.moved[depth]
    place = state.place[vertex]
    state.place[vertex] = -1
    state.used[place] = 0
    mark(problem, state, vertex, place, 0)
    if depth >= problem.core.shape[0]:
        state.hung[problem.near[problem.near_start[vertex]]] -= 1


@kernel
def _is_least(problem: Problem, state: State) -> bool:
    """Whether this base copy is the one to keep among its images whose first vertex is at a root.

    Of two copies the lesser is the one that has the first edge in which they differ.
    """
    edges = problem.ends.shape[0]
    total = state.mark.shape[0] - 1
    for r in range(problem.rivals.shape[0]):
        place = state.place[problem.rivals[r]]
        for k in range(problem.power.shape[0]):
            image = problem.power[k, place]
            if not problem.root[image]:
                continue
            if k == 0:
                if image < state.place[problem.core[0]]:  # this very copy, met with another vertex as the first
                    return False
                continue
            state.mark[total] += 2
            mine = state.mark[total]
            for e in range(edges):
                state.mark[problem.edge[state.place[problem.ends[e, 0]], state.place[problem.ends[e, 1]]]] = mine
            lowest = total
            both = 0
            for e in range(edges):
                u = problem.power[k, state.place[problem.ends[e, 0]]]
                v = problem.power[k, state.place[problem.ends[e, 1]]]
                edge = problem.edge[u, v]
                if state.mark[edge] == mine:
                    state.mark[edge] = mine + 1
                    both += 1
                elif edge < lowest:
                    lowest = edge
            if both == edges:
                continue
            own = total
            for e in range(edges):
                edge = problem.edge[state.place[problem.ends[e, 0]], state.place[problem.ends[e, 1]]]
                if state.mark[edge] == mine and edge < own:
                    own = edge
            if lowest < own:
                return False
    return True


@inlined
def _branch(problem: Problem, state: State, depth: int) -> int:
    if depth < problem.core.shape[0]:
        return _branch_core(problem, state, depth)
    return _branch_leaves(problem, state, depth)


@kernel
def advance(
    problem: Problem,
    state: State,
    answers: NDArray[np.int32],
    budget: int,
    most: int,
    stop: NDArray[np.uint8],
) -> tuple[int, int]:
    """Visit up to `budget` nodes or find `most` base copies; return how many of each."""
    vertices = state.place.shape[0]
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        if depth == vertices:
            if _is_least(problem, state):
                if keep:
                    for k in range(vertices):
                        answers[found, k] = state.place[k]
                found += 1
        else:
            count = _branch(problem, state, depth)
            if count > 0:
                open_level(state, depth, count)
                depth += 1
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:
            depth -= 1
            _take_back(problem, state, depth)
        if depth == 0:
            depth = -1
        else:
            if state.moved[depth - 1] >= 0:
                _take_back(problem, state, depth - 1)
            state.at[depth - 1] += 1
            _put(problem, state, depth - 1)
    state.depth[0] = depth
    return nodes, found


@kernel
def replay(problem: Problem, state: State) -> None:
    """Walk the path in `at` from a fresh state; `depth` becomes −2 where the cursor belongs to another problem."""
    for depth in range(state.depth[0]):
        if depth >= state.place.shape[0] or _branch(problem, state, depth) != state.width[depth]:
            state.depth[0] = -2
            return
        _put(problem, state, depth)


@dataclass
class LabellingSearch(PlacingSearch):
    """The search for base copies.  An answer is the places of the part's vertices."""

    problem: Problem
    name: str = field(init=False, default="labelling/1")

    @property
    def width(self) -> int:
        return len(self.problem.near_start) - 1

    def begin(self, cursor: Cursor) -> Any:
        problem, vertices, host = self.problem, self.width, len(self.problem.orbit)
        orbits = int(problem.orbit.max()) + 1
        state = State(
            place=np.full(vertices, -1, np.int64),
            used=np.zeros(host, np.uint8),
            taken=np.zeros(orbits, np.uint8),
            hung=np.zeros(vertices, np.int64),
            ways=np.zeros(orbits + host, np.int64),
            mark=np.zeros(int(problem.edge.max()) + 2, np.int64),
            child=np.zeros((vertices + 1, max(host, 2 * len(problem.power))), np.int64),
            **new_levels(vertices),
        )
        write_cursor(state, cursor)
        replay(problem, state)
        return state

    def step(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        nodes, found = advance(self.problem, state, answers, budget, most, stop)
        return int(nodes), int(found)
