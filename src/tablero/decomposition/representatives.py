"""One copy of every orbit of copies, without a list of the others.

Where every power of the turn moves every vertex, the place of one vertex of the part, the *root*, tells the copies of an
orbit apart: just one power takes it to the first vertex of its orbit.  So copies are made with the root on first vertices
only: these are fewer by the order of the group.  An orbit is met as often as the part has vertices that can stand for the
root, its *roles*; of the copies that these lead to, the one with the least sum of random numbers for its edges is kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.decomposition.automorphisms import Look, no_look, number_in_complete, symmetry
from tablero.decomposition.copies import MOST_ENTRIES, Copies, TooManyCopies, embedding_problem, made
from tablero.decomposition.graph import Graph
from tablero.decomposition.orbits import Orbits

Sums = NDArray[np.uint64]

_CHUNK = 100_000  # copies that are turned together


def can_be_made(part: Graph, orbits: Orbits) -> bool:
    """Whether the part is in one piece, so that edges tell where its vertices lie, and the turn moves every vertex."""
    return part.components == 1 and bool((orbits.power[1:] != orbits.power[0]).all())


def representatives(host: Graph, part: Graph, orbits: Orbits, look: Look = no_look) -> tuple[Copies, NDArray[np.int64]]:
    """A copy of every orbit, and how many copies the orbit has."""
    roles = _roles(part, look)
    most = MOST_ENTRIES // (4 * len(part.edges))
    if host.is_complete and number_to_make(host, part, orbits) > most:
        raise _too_many(host, part, most)
    firsts = orbits.power.min(axis=0)
    placed = [_placements(host, part, root, most, look) for root in np.unique(firsts).tolist()]
    places = np.concatenate(placed)
    if len(places) > most:
        raise _too_many(host, part, most)
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
            # Roles in the root's orbit that lead to the same copy: the powers of the turn that leave the copy as it is.
            near = firsts[places[first : first + _CHUNK][:, roles]]
            same = ((sums[0] == sums[0, 0]) & (near == near[:, :1]).T).sum(axis=0)[least]
            length = np.concatenate([length, orbits.order // same])
        once, again = (np.sort(np.unique(sums, return_index=True)[1]) for sums in kept)
        if np.array_equal(once, again):  # else two copies have the same sum by chance
            return rows[once], length[once]


def _too_many(host: Graph, part: Graph, most: int) -> TooManyCopies:
    return TooManyCopies(
        f"{host} has too many copies of {part} to make one of each orbit: more than {most:,} at a vertex"
    )


def number_to_make(host: Graph, part: Graph, orbits: Orbits) -> int:
    """How many copies are made at the most; just so many in a complete graph."""
    return number_in_complete(host.vertices, part) * len(_roles(part)) // orbits.order


def _roles(part: Graph, look: Look = no_look) -> list[int]:
    """The vertices that automorphisms can exchange with the one that is placed first, itself before the others."""
    found = symmetry(part, look)
    root = found.places[0]
    return [root, *(other for lower, other in found.conditions if lower == root)]


def _placements(host: Graph, part: Graph, root: int, most: int, look: Look) -> NDArray[np.int32]:
    """All copies with the part's root on one vertex, as where each vertex of the part lies."""
    found = symmetry(part, look)
    conditions = [pair for pair in found.conditions if found.places[0] not in pair]
    problem = embedding_problem(host, part, found.places, conditions)
    # The root's vertex comes before the others, and all others are to be above it.
    order = np.array([root, *(vertex for vertex in range(host.vertices) if vertex != root)])
    above = problem.above.copy()
    above[0] = host.vertices - 1
    edges = made(
        problem._replace(edge=host.numbers[np.ix_(order, order)], above=above), len(part.edges), most + 1, look
    )
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
    """The edges of copies; and of the copies that each of the roles leads to, the sums over their edges (tags × roles)."""
    first = orbits.power.min(axis=0)
    power = np.empty(host.vertices, np.int64)  # that takes each vertex to the first of its orbit
    for k, images in enumerate(orbits.power):
        power[images == first] = k
    ends = np.array(part.edges)
    out = np.empty((len(tags), len(roles), len(places)), np.uint64)
    copies: Copies = np.empty((0, 0), np.int32)
    for k, role in enumerate(roles):
        there = orbits.power[power[places[:, role], None], places]
        edges = host.numbers[there[:, ends[:, 0]], there[:, ends[:, 1]]]
        out[:, k] = tags[:, edges].sum(axis=2, dtype=np.uint64)
        copies = edges if k == 0 else copies
    return copies, out
