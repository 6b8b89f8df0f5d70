"""The copies of a part in a host, each made once.

A copy is a set of edges of the host that looks like the part.  Of the placements that make one copy a single one fulfils
the conditions that outweigh the part's automorphisms: see `automorphisms`.
The source asked the user for such conditions; where they are given they are checked against the copies made without:
they must lose none, and may make some more than once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablero.decomposition.automorphisms import Condition, Look, closure, no_look, number_in_complete, symmetry
from tablero.decomposition.conditions import lose, orders_under
from tablero.decomposition.graph import Graph, require_igraph
from tablero.decomposition.kernels import embeddings
from tablero.errors import BadInput

Copies = NDArray[np.int32]  # a row a copy, of numbers of the host's edges

MOST_ENTRIES = 100_000_000  # edges of all copies together
_SLICE = 1_000_000  # steps between two chances to interrupt


def embedding_problem(
    host: Graph, part: Graph, places: Sequence[int], conditions: Sequence[Condition]
) -> embeddings.Problem:
    """The kernel's lists; positions are numbered in the order of placing."""
    position = {vertex: k for k, vertex in enumerate(places)}
    count = part.vertices
    back: list[list[int]] = [[] for _ in range(count)]
    low: list[list[int]] = [[] for _ in range(count)]
    high: list[list[int]] = [[] for _ in range(count)]
    for u, v in part.edges:
        first, second = sorted((position[u], position[v]))
        back[second].append(first)
    greater: list[set[int]] = [set() for _ in range(count)]
    for u, v in conditions:
        i, j = position[u], position[v]
        greater[i].add(j)
        if i < j:
            low[j].append(i)
        else:
            high[i].append(j)
    reach = closure(greater)
    above = [sum(other > k for other in reach[k]) for k in range(count)]
    below = [sum(k in reach[other] for other in range(k + 1, count)) for k in range(count)]
    return embeddings.Problem(
        host.numbers, *flat(back), *flat(low), *flat(high), np.array(above, np.int64), np.array(below, np.int64)
    )


def flat(rows: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lists one after another, with where each begins."""
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return starts, np.array([value for row in rows for value in row], np.int64)


def _state(problem: embeddings.Problem) -> embeddings.State:
    """Nothing is placed yet."""
    return embeddings.State(
        np.full(len(problem.above) + 1, -1, np.int64), np.zeros(len(problem.edge), np.uint8), np.zeros(1, np.int64)
    )


def _generate(host: Graph, part: Graph, conditions: Sequence[Condition], most: int, look: Look = no_look) -> Copies:
    """Up to `most` copies."""
    problem = embedding_problem(host, part, symmetry(part).places, conditions)
    if host.is_complete and conditions == symmetry(part).conditions:
        room = min(most, number_in_complete(host.vertices, part))
    else:
        room = _count(problem, most - 1, look)
    return _fill(problem, np.empty((min(room, most), len(part.edges)), np.int32), look)


def made(problem: embeddings.Problem, edges: int, most: int, look: Look = no_look) -> Copies:
    """Up to `most` copies of so many edges, as the kernel makes them."""
    return _fill(problem, np.empty((min(_count(problem, most - 1, look), most), edges), np.int32), look)


def _count(problem: embeddings.Problem, most: int, look: Look) -> int:
    """How many copies there are; counting ends when they are more than `most`."""
    state, met, nothing = _state(problem), 0, np.empty((0, 0), np.int32)
    while state.depth[0] >= 0 and met <= most:
        look()
        met += int(embeddings.advance(problem, state, nothing, _SLICE))
    return met


def _fill(problem: embeddings.Problem, rows: Copies, look: Look) -> Copies:
    state, done = _state(problem), 0
    while done < len(rows) and state.depth[0] >= 0:
        look()
        done += int(embeddings.advance(problem, state, rows[done:], _SLICE))
    return rows[:done]


def warm() -> None:
    """Load igraph, which takes seconds as well, and compile the kernel."""
    require_igraph()
    edge = Graph(2, ((0, 1),))
    _generate(edge, edge, (), 1)


class TooManyCopies(BadInput):
    """There are more copies than can be listed; another way may do without the list."""


def copies(host: Graph, part: Graph, look: Look = no_look) -> Copies:
    """All copies of the part, each once."""
    most = MOST_ENTRIES // len(part.edges)
    number = number_in_complete(host.vertices, part) if host.is_complete else 0
    rows = _generate(host, part, symmetry(part, look).conditions, most + 1, look) if number <= most else None
    if rows is None or len(rows) > most:
        many = told_copies(number) if number else f"more than {most:,} copies"
        raise TooManyCopies(f"{host} has {many} of {part}, more than fit in a matrix")
    return rows


def are_more(host: Graph, part: Graph, most: int, look: Look = no_look) -> bool:
    """Whether the host has more copies than that: by a formula or a bound where they say it, else by counting so far."""
    in_complete = number_in_complete(host.vertices, part)
    if in_complete <= most or host.is_complete:
        return in_complete > most
    return _number(host, part, symmetry(part, look).conditions, most, look) > most


def _number(host: Graph, part: Graph, conditions: Sequence[Condition], most: int, look: Look) -> int:
    """How many placements fulfil the conditions; counting ends when they are more than `most`."""
    return _count(embedding_problem(host, part, symmetry(part, look).places, conditions), most, look)


def told_number(number: int) -> str:
    """A number in words that a line has room for: a large one as a power of ten."""
    if number < 10**15:
        return f"{number:,}"
    power = int(math.log10(number))
    head = number // 10 ** (power - 2) / 100
    if head >= 10:
        power, head = power + 1, head / 10
    return f"about {head:.2f}·10^{power}"


def told_copies(number: int) -> str:
    """So many copies in words."""
    return f"{told_number(number)} {'copy' if number == 1 else 'copies'}"


def placements_in_complete(n: int, part: Graph, given: Sequence[Condition]) -> int | None:
    """How many placements in a complete graph fulfil conditions; None where they are too many to count."""
    orders = orders_under(part.vertices, given)
    return None if orders is None else math.comb(n, part.vertices) * orders


def placements(host: Graph, part: Graph, rows: Copies, given: Sequence[Condition], look: Look = no_look) -> int | None:
    """How many placements fulfil conditions; those that lose one of the copies are refused with it.

    Conditions that are not complete make some copies more than once.  Where the part's automorphisms say that none is lost,
    placements are not listed; None where they are too many to count.
    """
    if set(given) == set(symmetry(part, look).conditions):
        return len(rows)
    most = MOST_ENTRIES // len(part.edges)
    if lose(part, given, look) is False:
        if host.is_complete:
            return placements_in_complete(host.vertices, part, given)
        number = _number(host, part, given, most, look)
        return None if number > most else number
    placed = np.sort(_generate(host, part, tuple(given), most + 1, look), axis=1)
    if len(placed) > most:
        raise BadInput(f"the conditions leave more than {most:,} placements: expected more conditions")
    every = np.sort(rows, axis=1)
    kinds = np.unique(placed, axis=0)
    if len(kinds) < len(every):
        known = {row.tobytes() for row in kinds}
        lost = next(row for row in every if row.tobytes() not in known)
        raise BadInput(f"the conditions lose the copy {edge_text(host, lost)} and {len(every) - len(kinds) - 1:,} more")
    return len(placed)


def edge_text(host: Graph, edges: NDArray[np.int32]) -> str:
    """Edges as 0-1,1-2."""
    return ",".join("{}-{}".format(*host.named(host.edges[k])) for k in sorted(edges.tolist()))
