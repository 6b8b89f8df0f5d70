"""Lists the copies of a part in a host, each once: all copies, or one of each orbit of a cyclic group.

A copy is a set of edges of the host that is isomorphic to the part.  Exactly one of the placements of a copy satisfies the
conditions that break the part's symmetry: see `automorphisms`.
The original program asked the user for such conditions.  Conditions that are given are compared with the copies made
without them: they must not lose a copy, and may make some copies more than once.

A permutation of the host's vertices, the *turn*, generates a cyclic group, which has orbits of edges and of copies.  If
every power of the turn moves every vertex, the place of one vertex of the part, the *root*, distinguishes the copies of an
orbit: exactly one power maps it to the first vertex of its orbit.  So copies are made with the root on first vertices only;
their number is divided by the order of the group.  An orbit is found once for every vertex of the part that can take the
place of the root, its *roles*.  Of these copies, the one with the least sum of random numbers of its edges is kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablero.decomposition.automorphisms import (
    Condition,
    Look,
    closure,
    lose,
    no_look,
    number_in_complete,
    orders_under,
    symmetry,
)
from tablero.decomposition.graph import Copy, Graph, Turn, path, require_igraph
from tablero.decomposition.kernels import embeddings
from tablero.errors import BadInput

Copies = NDArray[np.int32]  # a row a copy, of numbers of the host's edges
Sums = NDArray[np.uint64]

MOST_ENTRIES = 100_000_000  # number of edges of all copies
_SLICE = 1_000_000  # steps between two calls of `look`
_CHUNK = 100_000  # copies that are processed together


class TooManyCopies(BadInput):
    """Raised if there are more copies than can be listed; other methods need no list."""


def flat(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The starts of concatenated lists, and the concatenated lists."""
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return starts, np.array([value for row in rows for value in row], np.int64)


def _problem(host: Graph, part: Graph, conditions: Sequence[Condition], look: Look = no_look) -> embeddings.Problem:
    """The input arrays of the kernel; positions are numbered in the order of placing."""
    position = {vertex: k for k, vertex in enumerate(symmetry(part, look).places)}
    count = part.vertices
    back: list[list[int]] = [[] for _ in range(count)]
    low: list[list[int]] = [[] for _ in range(count)]
    high: list[list[int]] = [[] for _ in range(count)]
    for u, v in part.edges:
        first, second = sorted((position[u], position[v]))
        back[second].append(first)
    ordered = [(position[u], position[v]) for u, v in conditions]
    for i, j in ordered:
        if i < j:
            low[j].append(i)
        else:
            high[i].append(j)
    reach = closure(count, ordered)
    above = [sum(other > k for other in reach[k]) for k in range(count)]
    below = [sum(k in reach[other] for other in range(k + 1, count)) for k in range(count)]
    return embeddings.Problem(
        host.numbers, *flat(back), *flat(low), *flat(high), np.array(above, np.int64), np.array(below, np.int64)
    )


def _state(problem: embeddings.Problem) -> embeddings.State:
    """The initial state: no vertex is placed."""
    return embeddings.State(
        np.full(len(problem.above) + 1, -1, np.int64), np.zeros(len(problem.edge), np.uint8), np.zeros(1, np.int64)
    )


def _count(problem: embeddings.Problem, most: int, look: Look) -> int:
    """The number of copies; counting stops above `most`."""
    state, met, nothing = _state(problem), 0, np.empty((0, 0), np.int32)
    while state.depth[0] >= 0 and met <= most:
        look()
        met += int(embeddings.advance(problem, state, nothing, _SLICE))
    return met


def _list(problem: embeddings.Problem, count: int, edges: int, look: Look) -> Copies:
    """The first `count` copies, of `edges` edges each."""
    state, done, rows = _state(problem), 0, np.empty((count, edges), np.int32)
    while done < count and state.depth[0] >= 0:
        look()
        done += int(embeddings.advance(problem, state, rows[done:], _SLICE))
    return rows[:done]


def warm() -> None:
    """Load igraph and compile the kernel, which can take seconds."""
    require_igraph()
    copies(path(2), path(2))


def copies(host: Graph, part: Graph, look: Look = no_look) -> Copies:
    """All copies of the part, each once."""
    most, edges = MOST_ENTRIES // len(part.edges), len(part.edges)
    number = number_in_complete(host.vertices, part) if host.is_complete else 0
    if number <= most:
        problem = _problem(host, part, symmetry(part, look).conditions)
        count = number or _count(problem, most, look)
        if count <= most:
            return _list(problem, count, edges, look)
    many = format_several(number, "copy", "copies") if number else f"more than {most:,} copies"
    raise TooManyCopies(f"{host} has {many} of {part}, more than fit in a matrix")


def are_more(host: Graph, part: Graph, most: int, look: Look = no_look) -> bool:
    """Whether the host has more than `most` copies: by a formula or a bound if possible, else by counting."""
    in_complete = number_in_complete(host.vertices, part)
    if in_complete <= most or host.is_complete:
        return in_complete > most
    return _count(_problem(host, part, symmetry(part, look).conditions), most, look) > most


def format_number(number: int) -> str:
    """A number as short text: a large number as a power of ten."""
    if number < 10**15:
        return f"{number:,}"
    power = int(math.log10(number))
    head = number // 10 ** (power - 2) / 100
    if head >= 10:
        power, head = power + 1, head / 10
    return f"about {head:.2f}·10^{power}"


def format_several(number: int, one: str, many: str) -> str:
    """A number with its noun, as `text.several`, for any number."""
    return f"{format_number(number)} {one if number == 1 else many}"


# Conditions that were given


def placements_in_complete(n: int, part: Graph, given: Sequence[Condition]) -> int | None:
    """The number of placements in a complete graph that satisfy conditions; None if they are too many to count."""
    orders = orders_under(part.vertices, given)
    return None if orders is None else math.comb(n, part.vertices) * orders


def placements(host: Graph, part: Graph, rows: Copies, given: Sequence[Condition], look: Look = no_look) -> int | None:
    """The number of placements that satisfy conditions; None if they are too many to count.

    Incomplete conditions make some copies more than once.  If the part's automorphisms prove that no copy is lost, the
    placements are not listed.

    Raises
    ------
    BadInput
        If the conditions lose a copy; the message names it.
    """
    if set(given) == set(symmetry(part, look).conditions):
        return len(rows)
    kept = lose(part, given, look) is False
    if kept and host.is_complete:
        return placements_in_complete(host.vertices, part, given)
    most, problem = MOST_ENTRIES // len(part.edges), _problem(host, part, given)
    number = _count(problem, most, look)
    if kept:
        return None if number > most else number
    if number > most:
        raise BadInput(f"the conditions leave more than {most:,} placements: expected more conditions")
    placed = np.sort(_list(problem, number, len(part.edges), look), axis=1)
    every = np.sort(rows, axis=1)
    kinds = np.unique(placed, axis=0)
    if len(kinds) < len(every):
        known = {row.tobytes() for row in kinds}
        lost = next(row for row in every if row.tobytes() not in known)
        text = host.text(host.edges[k] for k in lost.tolist())
        raise BadInput(f"the conditions lose the copy {text} and {len(every) - len(kinds) - 1:,} more")
    return len(placed)


# Orbits under a turn


@dataclass(frozen=True, eq=False)
class Orbits:
    """The cyclic group of a turn, and its orbits of edges."""

    power: NDArray[np.int32]  # group × vertices
    of_edge: NDArray[np.int32]  # the orbit of each edge
    sizes: NDArray[np.int64]  # edges in each orbit

    @classmethod
    def of(cls, host: Graph, turn: Turn) -> Orbits:
        order = order_of_turn(turn)
        if order * host.vertices > MOST_ENTRIES:
            raise BadInput(f"the symmetry makes a group of {format_number(order)} permutations: too many to list")
        power = np.empty((order, host.vertices), np.int32)
        power[0] = np.arange(host.vertices)
        for k in range(1, order):
            power[k] = np.array(turn, np.int32)[power[k - 1]]
        # The least edge in the orbit of each edge: by one step, then by two, four, …
        least, reached = np.arange(len(host.edges), dtype=np.int32), 1
        while reached < order:
            least = np.minimum(least, least[_moved(host, power[reached % order])])
            reached *= 2
        _, of_edge = np.unique(least, return_inverse=True)
        return cls(power, of_edge.astype(np.int32), np.bincount(of_edge))

    @property
    def order(self) -> int:
        return len(self.power)

    @property
    def first(self) -> NDArray[np.int32]:
        """The first vertex in the orbit of each vertex."""
        first: NDArray[np.int32] = self.power.min(axis=0)
        return first

    @property
    def move_all(self) -> bool:
        """Whether every power of the turn moves every vertex."""
        return bool((self.power[1:] != self.power[0]).all())

    def edge_power(self, k: int, host: Graph) -> NDArray[np.int32]:
        """The image of each edge under the k-th power of the turn."""
        return _moved(host, self.power[k])

    def images(self, edges: Sequence[int], count: int, host: Graph) -> list[Copy]:
        """The images of a copy under the first `count` powers of the turn."""
        ends = np.array([host.edges[e] for e in edges])
        moved = host.numbers[self.power[:count, ends[:, 0]], self.power[:count, ends[:, 1]]]
        return [tuple(host.edges[e] for e in row) for row in np.sort(moved, axis=1).tolist()]


def order_of_turn(turn: Turn) -> int:
    """The order of a permutation."""
    seen, order = [False] * len(turn), 1
    for first in range(len(turn)):
        length, here = 0, first
        while not seen[here]:
            seen[here] = True
            here, length = turn[here], length + 1
        order = math.lcm(order, length or 1)
    return order


def _moved(host: Graph, images: NDArray[np.int32]) -> NDArray[np.int32]:
    """The image of each edge under a permutation of the vertices."""
    ends = np.array(host.edges)
    moved: NDArray[np.int32] = host.numbers[images[ends[:, 0]], images[ends[:, 1]]]
    return moved


def can_be_made(part: Graph, orbits: Orbits) -> bool:
    """Whether the part is connected, so that edges determine the places of its vertices, and the turn moves every vertex."""
    return part.components == 1 and orbits.move_all


def representatives(host: Graph, part: Graph, orbits: Orbits, look: Look = no_look) -> tuple[Copies, NDArray[np.int64]]:
    """A copy of every orbit, and the number of copies in the orbit."""
    roles = _roles(part, look)
    most = MOST_ENTRIES // (4 * len(part.edges))
    too_many = host.is_complete and number_to_make(host, part, orbits) > most
    roots = [] if too_many else np.unique(orbits.first).tolist()
    places = np.concatenate(
        [np.empty((0, part.vertices), np.int32), *(_placements(host, part, root, most, look) for root in roots)]
    )
    if too_many or len(places) > most:
        raise TooManyCopies(
            f"{host} has too many copies of {part} to make one of each orbit: more than {most:,} at a vertex"
        )
    random = np.random.default_rng(0)
    while True:
        tags = random.integers(1 << 63, size=(2, len(host.edges)), dtype=np.uint64)
        kept, length = np.empty((2, 0), np.uint64), np.empty(0, np.int64)
        rows: Copies = np.empty((0, len(part.edges)), np.int32)
        for first in range(0, len(places), _CHUNK):
            look()
            edges, sums = _turned(host, part, orbits, places[first : first + _CHUNK], roles, tags)
            least = sums[0, 0] == sums[0].min(axis=0)
            rows = np.concatenate([rows, edges[least]])
            kept = np.concatenate([kept, sums[:, 0, least]], axis=1)
            # Roles in the root's orbit that give the same copy: the powers of the turn under which the copy is invariant.
            near = orbits.first[places[first : first + _CHUNK][:, roles]]
            same = ((sums[0] == sums[0, 0]) & (near == near[:, :1]).T).sum(axis=0)[least]
            length = np.concatenate([length, orbits.order // same])
        once, again = (np.sort(np.unique(sums, return_index=True)[1]) for sums in kept)
        if np.array_equal(once, again):  # otherwise two copies have the same sum by chance
            return rows[once], length[once]


def number_to_make(host: Graph, part: Graph, orbits: Orbits) -> int:
    """An upper bound on the copies that are made; the exact number in a complete graph."""
    return number_in_complete(host.vertices, part) * len(_roles(part)) // orbits.order


def _roles(part: Graph, look: Look = no_look) -> list[int]:
    """The orbit of the vertex that is placed first, beginning with this vertex."""
    found = symmetry(part, look)
    root = found.places[0]
    return [root, *(other for lower, other in found.conditions if lower == root)]


def _placements(host: Graph, part: Graph, root: int, most: int, look: Look) -> NDArray[np.int32]:
    """All copies with the part's root on one vertex, as the places of the part's vertices."""
    found = symmetry(part, look)
    problem = _problem(host, part, [pair for pair in found.conditions if found.places[0] not in pair])
    # Renumber the host's vertices: the root's vertex is first, and all others are above it.
    order = np.array([root, *(vertex for vertex in range(host.vertices) if vertex != root)])
    above = problem.above.copy()
    above[0] = host.vertices - 1
    there = problem._replace(edge=host.numbers[np.ix_(order, order)], above=above)
    edges = _list(there, min(_count(there, most, look), most + 1), len(part.edges), look)
    ends = np.array(host.edges, np.int32).sum(axis=1, dtype=np.int32)
    places = np.full((len(edges), part.vertices), root, np.int32)
    for position in range(1, part.vertices):
        column = int(problem.back_start[position])
        before = found.places[int(problem.back[column])]
        places[:, found.places[position]] = ends[edges[:, column]] - places[:, before]
    return places


def _turned(
    host: Graph, part: Graph, orbits: Orbits, places: NDArray[np.int32], roles: list[int], tags: Sums
) -> tuple[Copies, Sums]:
    """The edges of copies, and the sums of the edges of the copies for each role (tags × roles)."""
    power = (orbits.power == orbits.first).argmax(axis=0)  # maps each vertex to the first of its orbit
    ends = np.array(part.edges)
    out = np.empty((len(tags), len(roles), len(places)), np.uint64)
    copies: Copies = np.empty((0, 0), np.int32)
    for k, role in enumerate(roles):
        there = orbits.power[power[places[:, role], None], places]
        edges = host.numbers[there[:, ends[:, 0]], there[:, ends[:, 1]]]
        out[:, k] = tags[:, edges].sum(axis=2, dtype=np.uint64)
        copies = edges if k == 0 else copies
    return copies, out
