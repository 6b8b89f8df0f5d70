"""A tree search that places copies of a part one after another, each made only when it is tried.

    host      the graph whose edges are covered; edges that a cyclic group can exchange are one *orbit*, and vertices one
              *class* (without a group every edge is its own orbit, every vertex its own class)
    base      a copy with its edges in different uncovered orbits; its images under the group cover these orbits.  Where one
              copy suffices, its placements are the ρ-labellings of the literature (Rosa, 1967)
    arc       an edge of the part with a direction; of arcs that automorphisms can exchange, only one is used
    core      the vertices of the part that are not leaves; a leaf is attached to the core by its only edge
    twin      a part may be placed together with its mirror image: placing a vertex also places its twin at the other end
              of a diameter (see `tablero.decomposition.laying`); otherwise every vertex is its own twin

Some copy must cover the first uncovered edge, so a copy begins with an arc on that edge.  The children of a node are the
copies that contain this edge, each once, so every decomposition is found once.  Then the core is placed, always the vertex
with the fewest possible places next.  Then the leaves are placed: if the part spans the host, at the vertex of the host that
can be reached in the fewest ways.  The last copy must also cover every remaining orbit.

Degrees exclude many branches early.  The uncovered edges at a class must be a sum of degrees, one from each vertex of each
remaining copy.  If every copy spans the host, the j classes with the most uncovered edges must not need more than the
largest degrees of the remaining copies provide.  Both conditions can be checked as soon as the core is placed.
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
Bits = NDArray[np.uint8]
_MANY = 1 << 30


class Problem(NamedTuple):
    """Lists of all vertices one after another: those of vertex p are list[start[p]:start[p + 1]]."""

    orbit: Small  # host × host: the orbit of an edge, −1 where there is none
    ends: Numbers  # orbits × 2: an edge of each
    flip: Numbers  # of the host's vertices: the place of the twin
    order: Numbers  # the host's vertices in the order in which they are tried
    degree: Numbers  # of the part's vertices
    twin: Numbers  # of the part's vertices
    near_start: Numbers
    near: Numbers  # the part's neighbours
    leaf_start: Numbers
    leaf: Numbers  # the leaves of each vertex
    core: Numbers  # the vertices to place; only one of two twins
    arcs: Numbers  # arcs × 2
    low_start: Numbers  # arcs · vertices + 1: for each arc, the core vertices whose image must be lower
    low: Numbers
    high_start: Numbers
    high: Numbers
    covered: Bits  # of the orbits: covered before the search
    group: Numbers  # of the host's vertices: their class
    size: Numbers  # of the classes: how many vertices they have
    left: Numbers  # of the classes: ends of edges that base copies must cover
    sums: Bits  # places × ends: whether vertices of the part on so many places can have so many edge ends
    top: Numbers  # sums of the largest degrees of the part
    shape: Numbers  # copies to place; placements of each after its arc; whether a copy spans the host; whether there is
    #                 no group; whether all classes have the same size


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor."""

    place: Numbers  # of each of the part's vertices, −1 where it has none
    used: Bits  # of the host's vertices
    taken: Bits  # of the orbits
    hung: Numbers  # leaves of each vertex that are placed
    left: Numbers  # as in the problem, minus the edges of placed vertices
    met: Numbers  # of the classes: vertices of the current copy
    ways: Numbers  # of each orbit, then of each of the host's vertices
    tally: Numbers  # how many vertices have so many edges left
    child: Small  # depth × children: vertex × host's vertices + place; on the first level of a copy, its arc
    moved: Numbers  # the current child of each level, −1 before the first
    laid: Small  # copies × vertices: the places of complete copies
    arc: Numbers  # one number: the arc of the current copy
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers


@inlined
def _in_order(problem: Problem, state: State, row: int, place: int) -> bool:
    """Whether the place satisfies the order conditions in a row of the lists."""
    for k in range(problem.low_start[row], problem.low_start[row + 1]):
        if state.place[problem.low[k]] > place:
            return False
    for k in range(problem.high_start[row], problem.high_start[row + 1]):
        if 0 <= state.place[problem.high[k]] < place:
            return False
    return True


@inlined
def _apart(problem: Problem, state: State, vertex: int, place: int) -> bool:
    """Whether all edges of the vertex at this place are in different uncovered orbits."""
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
def _mark(problem: Problem, state: State, vertex: int, place: int, taken: int) -> None:
    """Set `taken` for the orbits of the edges of the vertex at this place."""
    for k in range(problem.near_start[vertex], problem.near_start[vertex + 1]):
        other = state.place[problem.near[k]]
        if other >= 0:
            state.taken[problem.orbit[other, place]] = taken


@inlined
def _open_level(state: State, depth: int, children: int) -> None:
    """Open a level before its first child."""
    state.at[depth] = -1
    state.last[depth] = children - 1
    state.width[depth] = children
    state.moved[depth] = -1


@kernel
def _suits(problem: Problem, state: State, vertex: int, place: int, copies: int) -> bool:
    """Whether degrees allow the vertex at this place, with this number of copies after the current one."""
    group = problem.group[place]
    rest = state.left[group] - problem.degree[vertex]
    places = (copies + 1) * problem.size[group] - state.met[group] - 1
    return bool(rest >= 0 and problem.sums[places, rest])


@kernel
def _fits(problem: Problem, state: State, vertex: int, place: int, copies: int) -> bool:
    """Whether a core vertex can be placed here: place, order, orbits and degrees."""
    if state.used[place] or not _suits(problem, state, vertex, place, copies):
        return False
    row = state.arc[0] * problem.degree.shape[0] + vertex
    return _in_order(problem, state, row, place) and _apart(problem, state, vertex, place)


@kernel
def _balanced(problem: Problem, state: State, copies: int, whole: bool) -> bool:
    """Whether degrees allow this number of copies to cover the remaining edges.

    Unless the current copy is `whole`, each vertex that it does not contain yet gets a leaf.
    """
    state.tally[:] = 0
    for group in range(state.left.shape[0]):
        rest = state.left[group]
        if not whole:
            rest -= problem.size[group] - state.met[group]
        if rest < 0 or not problem.sums[copies * problem.size[group], rest]:
            return False
        state.tally[rest] += 1
    if problem.shape[2] == 0 or problem.shape[4] == 0:
        return True
    if copies == 1 and problem.shape[3] > 0:  # what is left must look like the part
        for vertex in range(problem.degree.shape[0]):
            state.tally[problem.degree[vertex]] -= 1
        differ = 0
        for rest in range(state.tally.shape[0]):
            differ += abs(state.tally[rest])
        return bool(differ == 0)
    met = 0
    total = 0
    for rest in range(state.tally.shape[0] - 1, -1, -1):
        for _ in range(state.tally[rest]):
            total += rest
            met += problem.size[0]
            if total > copies * problem.top[met]:
                return False
    return True


@kernel
def _branch_arc(problem: Problem, state: State, depth: int, copies: int) -> int:
    """Write the children of a new copy: the arcs that can be placed on the first uncovered edge; return their number."""
    if not _balanced(problem, state, copies + 1, True):
        return 0
    u, v = _first_edge(problem, state)
    count = 0
    for arc in range(problem.arcs.shape[0]):
        a = problem.arcs[arc, 0]
        b = problem.arcs[arc, 1]
        if _suits(problem, state, a, u, copies) and _suits(problem, state, b, v, copies):
            state.child[depth, count] = arc
            count += 1
    return count


@kernel
def _first_edge(problem: Problem, state: State) -> tuple[int, int]:
    """The edge that the next copy must contain: without a group, an edge of the vertex with the fewest uncovered edges."""
    if problem.shape[3] == 0:
        for orbit in range(state.taken.shape[0]):
            if not state.taken[orbit]:
                return problem.ends[orbit, 0], problem.ends[orbit, 1]
    u = -1
    for k in range(problem.order.shape[0]):
        place = problem.order[k]
        if state.left[place] > 0 and (u < 0 or state.left[place] < state.left[u]):
            u = place
    v = -1
    for k in range(problem.order.shape[0]):
        place = problem.order[k]
        orbit = problem.orbit[u, place]
        if orbit >= 0 and not state.taken[orbit] and (v < 0 or state.left[place] < state.left[v]):
            v = place
    return u, v


@kernel
def _uneven(problem: Problem, state: State, vertex: int, place: int, copies: int) -> int:
    """How unevenly this placement would leave the class covered; the most even placement is tried first."""
    group = problem.group[place]
    places = (copies + 1) * problem.size[group] - state.met[group] - 1
    rest = state.left[group] - problem.degree[vertex]
    return int(abs(rest * problem.orbit.shape[0] - places * problem.near.shape[0]))


@kernel
def _branch_core(problem: Problem, state: State, depth: int, copies: int) -> int:
    """Write the children: the places of the core vertex with the fewest, next to placed ones first; −1 if all are placed."""
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
        if near and not near_any:
            best = _MANY
        near_any = near
        count = 0
        for place in range(host):
            if _fits(problem, state, vertex, place, copies):
                count += 1
                if count > best:
                    break
        if count < best or (count == best and problem.degree[vertex] > problem.degree[chosen]):
            best = count
            chosen = vertex
    if chosen < 0:
        return -1
    count = 0
    for k in range(host):
        place = problem.order[k]
        if _fits(problem, state, chosen, place, copies):
            here = count
            uneven = _uneven(problem, state, chosen, place, copies)
            while here > 0:
                before = state.child[depth, here - 1] % host
                if _uneven(problem, state, chosen, before, copies) <= uneven:
                    break
                state.child[depth, here] = state.child[depth, here - 1]
                here -= 1
            state.child[depth, here] = chosen * host + place
            count += 1
    return count


@kernel
def _may_hang(problem: Problem, state: State, vertex: int, place: int) -> bool:
    """Whether a leaf of this core vertex can be placed here without covering an edge twice."""
    if state.used[place]:
        return False
    orbit = problem.orbit[state.place[vertex], place]
    return bool(orbit >= 0 and not state.taken[orbit])


@kernel
def _branch_leaves(problem: Problem, state: State, depth: int, copies: int) -> int:
    """Write the children: ways to reach the orbit or vertex with the fewest ways; return their number."""
    host = problem.orbit.shape[0]
    orbits = state.taken.shape[0]
    spanning = problem.shape[2] > 0
    state.ways[:] = 0
    tightest = _MANY
    tight = -1
    for c in range(problem.core.shape[0]):
        vertex = problem.core[c]
        room = problem.leaf_start[vertex + 1] - problem.leaf_start[vertex] - state.hung[vertex]
        if room <= 0:
            continue
        count = 0
        for place in range(host):
            if _may_hang(problem, state, vertex, place):
                if not spanning and not _suits(problem, state, problem.leaf[problem.leaf_start[vertex]], place, copies):
                    continue
                count += 1
                state.ways[problem.orbit[state.place[vertex], place]] += 1
                state.ways[orbits + place] += 1
                if problem.flip[place] != place:
                    state.ways[orbits + problem.flip[place]] += 1
        if count < room:
            return 0
        if count - room < tightest:
            tightest = count - room
            tight = vertex
    best = _MANY
    chosen = -1
    if copies == 0:
        for orbit in range(orbits):
            if not state.taken[orbit] and state.ways[orbit] < best:
                best = state.ways[orbit]
                chosen = orbit
    if spanning:
        for place in range(host):
            if not state.used[place] and state.ways[orbits + place] < best:
                best = state.ways[orbits + place]
                chosen = orbits + place
    if chosen < 0:
        return _branch_bunch(problem, state, depth, tight, copies)
    if best == 0:
        return 0
    count = 0
    for c in range(problem.core.shape[0]):
        vertex = problem.core[c]
        leaf = problem.leaf_start[vertex] + state.hung[vertex]
        if leaf == problem.leaf_start[vertex + 1]:
            continue
        for k in range(host):
            place = problem.order[k]
            if not _may_hang(problem, state, vertex, place):
                continue
            if chosen < orbits:
                wanted = problem.orbit[state.place[vertex], place] == chosen
            else:
                wanted = place == chosen - orbits or problem.flip[place] == chosen - orbits
            if wanted and _suits(problem, state, problem.leaf[leaf], place, copies):
                state.child[depth, count] = problem.leaf[leaf] * host + place
                count += 1
    return count


@kernel
def _branch_bunch(problem: Problem, state: State, depth: int, vertex: int, copies: int) -> int:
    """Write the children of the next leaf of a vertex.  Its leaves are placed in ascending order, except one in the arc."""
    host = problem.orbit.shape[0]
    leaf = problem.leaf_start[vertex] + state.hung[vertex]
    above = -1
    if state.hung[vertex] > 0:
        before = problem.leaf[leaf - 1]
        if problem.arcs[state.arc[0], 0] != before and problem.arcs[state.arc[0], 1] != before:
            above = state.place[before]
    count = 0
    for place in range(above + 1, host):
        if _may_hang(problem, state, vertex, place) and _suits(problem, state, problem.leaf[leaf], place, copies):
            state.child[depth, count] = problem.leaf[leaf] * host + place
            count += 1
    return count


@kernel
def _branch(problem: Problem, state: State, depth: int) -> int:
    levels = problem.shape[1] + 1
    copies = problem.shape[0] - 1 - depth // levels  # after the current one
    if depth % levels == 0:
        return _branch_arc(problem, state, depth, copies)
    count = _branch_core(problem, state, depth, copies)
    if count >= 0:
        return count
    host = problem.orbit.shape[0]
    fresh = depth % levels == 1 or problem.degree[state.moved[depth - 1] // host] > 1
    if fresh and problem.shape[2] > 0 and not _balanced(problem, state, copies, False):
        return 0
    return _branch_leaves(problem, state, depth, copies)


@kernel
def _set(problem: Problem, state: State, vertex: int, place: int) -> None:
    """Place a vertex of the part on a vertex of the host."""
    _mark(problem, state, vertex, place, 1)
    state.place[vertex] = place
    state.used[place] = 1
    state.left[problem.group[place]] -= problem.degree[vertex]
    state.met[problem.group[place]] += 1


@kernel
def _unset(problem: Problem, state: State, vertex: int) -> None:
    place = state.place[vertex]
    state.place[vertex] = -1
    state.used[place] = 0
    _mark(problem, state, vertex, place, 0)
    state.left[problem.group[place]] += problem.degree[vertex]
    state.met[problem.group[place]] -= 1


@kernel
def _is_leaf(problem: Problem, vertex: int) -> bool:
    """Whether the vertex is a leaf of the core; the ends of an isolated edge are not."""
    if problem.degree[vertex] != 1:
        return False
    return bool(problem.degree[problem.near[problem.near_start[vertex]]] > 1)


@kernel
def _count_leaf(problem: Problem, state: State, vertex: int, change: int) -> None:
    if _is_leaf(problem, vertex):
        state.hung[problem.near[problem.near_start[vertex]]] += change


@kernel
def _put(problem: Problem, state: State, depth: int) -> None:
    """Place the current child of the level; after the last vertex of a copy, begin the next copy."""
    host = problem.orbit.shape[0]
    levels = problem.shape[1] + 1
    code = np.int64(state.child[depth, state.at[depth]])
    state.moved[depth] = code
    if depth % levels == 0:
        u, v = _first_edge(problem, state)
        state.arc[0] = code
        a = problem.arcs[code, 0]
        b = problem.arcs[code, 1]
        _set(problem, state, a, u)
        _set(problem, state, b, v)
        _count_leaf(problem, state, a, 1)
        _count_leaf(problem, state, b, 1)
    else:
        vertex = code // host
        place = code % host
        _set(problem, state, vertex, place)
        _count_leaf(problem, state, vertex, 1)
        other = problem.twin[vertex]
        if other != vertex:
            _set(problem, state, other, problem.flip[place])
            _count_leaf(problem, state, other, 1)
    if depth % levels == levels - 1:
        row = depth // levels
        for vertex in range(state.place.shape[0]):
            state.laid[row, vertex] = state.place[vertex]
            state.used[state.place[vertex]] = 0
            state.met[problem.group[state.place[vertex]]] = 0
            state.place[vertex] = -1
            state.hung[vertex] = 0


@kernel
def _take_back(problem: Problem, state: State, depth: int) -> None:
    host = problem.orbit.shape[0]
    levels = problem.shape[1] + 1
    code = state.moved[depth]
    state.moved[depth] = -1
    row = depth // levels
    if depth % levels == levels - 1:  # the copy was complete: it is the current copy again
        for vertex in range(state.place.shape[0]):
            place = np.int64(state.laid[row, vertex])
            state.place[vertex] = place
            state.used[place] = 1
            state.met[problem.group[place]] += 1
        for vertex in range(state.place.shape[0]):
            state.hung[vertex] = problem.leaf_start[vertex + 1] - problem.leaf_start[vertex]
        state.arc[0] = state.moved[depth - depth % levels] if levels > 1 else code
    if depth % levels == 0:
        a = problem.arcs[code, 0]
        b = problem.arcs[code, 1]
        _count_leaf(problem, state, a, -1)
        _count_leaf(problem, state, b, -1)
        _unset(problem, state, b)
        _unset(problem, state, a)
        return
    vertex = code // host
    other = problem.twin[vertex]
    if other != vertex:
        _count_leaf(problem, state, other, -1)
        _unset(problem, state, other)
    _count_leaf(problem, state, vertex, -1)
    _unset(problem, state, vertex)


@kernel
def advance(
    problem: Problem,
    state: State,
    answers: NDArray[np.int32],
    budget: int,
    most: int,
    stop: NDArray[np.uint8],
) -> tuple[int, int]:
    """Visit up to `budget` nodes or find `most` decompositions; return how many of each."""
    vertices = state.place.shape[0]
    deepest = problem.shape[0] * (problem.shape[1] + 1)
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        if depth == deepest:
            if keep:
                for row in range(problem.shape[0]):
                    for vertex in range(vertices):
                        answers[found, row * vertices + vertex] = state.laid[row, vertex]
            found += 1
        else:
            count = _branch(problem, state, depth)
            if count > 0:
                _open_level(state, depth, count)
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
    deepest = problem.shape[0] * (problem.shape[1] + 1)
    for depth in range(state.depth[0]):
        if depth >= deepest or _branch(problem, state, depth) != state.width[depth]:
            state.depth[0] = -2
            return
        _put(problem, state, depth)


@dataclass
class LayingSearch(TreeSearch):
    """The search.  An answer has the places of the part's vertices, copy after copy."""

    problem: Problem
    proves: bool = field(default=True, kw_only=True)  # False if only copies with full orbits are searched for
    name: str = field(init=False, default="laying/1")

    @property
    def width(self) -> int:
        return int(self.problem.shape[0]) * len(self.problem.degree)

    def digest(self) -> str:
        parts = hashlib.sha256()
        for array in self.problem:
            parts.update(np.ascontiguousarray(array).tobytes() + b"|")
        return parts.hexdigest()

    def begin(self, cursor: Cursor) -> Any:
        problem, vertices, host = self.problem, len(self.problem.degree), len(self.problem.orbit)
        copies, levels = int(problem.shape[0]), int(problem.shape[1]) + 1
        orbits = len(problem.covered)
        deepest = copies * levels
        state = State(
            place=np.full(vertices, -1, np.int64),
            used=np.zeros(host, np.uint8),
            taken=problem.covered.copy(),
            hung=np.zeros(vertices, np.int64),
            left=problem.left.copy(),
            met=np.zeros(len(problem.left), np.int64),
            ways=np.zeros(orbits + host, np.int64),
            tally=np.zeros(max(problem.sums.shape[1], int(problem.degree.max()) + 1), np.int64),
            child=np.zeros((deepest + 1, width_of(problem)), np.int32),
            laid=np.zeros((copies, vertices), np.int32),
            arc=np.zeros(1, np.int64),
            moved=np.full(deepest + 1, -1, np.int64),
            at=np.zeros(deepest + 1, np.int64),
            last=np.zeros(deepest + 1, np.int64),
            width=np.zeros(deepest + 1, np.int64),
            depth=np.zeros(1, np.int64),
        )
        write_cursor(state, cursor)
        replay(problem, state)
        return state

    def decided(self, state: Any, row: Answers) -> bool:
        """Fill in the complete copies and the placed vertices of the current copy."""
        vertices, levels = len(self.problem.degree), int(self.problem.shape[1]) + 1
        whole = max(int(state.depth[0]), 0) // levels * vertices
        row[:whole] = state.laid.ravel()[:whole]
        if whole < len(row):
            row[whole : whole + vertices] = state.place
        return True

    def step(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        nodes, found = advance(self.problem, state, answers, budget, most, stop)
        return int(nodes), int(found)


def width_of(problem: Problem) -> int:
    """The maximum number of children of a node: arcs, places, or both directions of every edge of an orbit."""
    edges = int(np.bincount(problem.orbit[problem.orbit >= 0]).max(initial=1))
    return max(len(problem.arcs), 2 * len(problem.orbit), edges)
