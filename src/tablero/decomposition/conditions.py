"""Conditions on copies, "the image of i is lower than that of j", that a user gives: do they lose a copy?

They lose none where for every order of the part's vertices some automorphism brings it in line with them; in a complete
graph every order occurs, so that there they lose one otherwise.  No list of copies is needed to decide it:

    kept    the conditions follow from a chain of stabilisers.  Take a vertex that is not above another, all those above it
            in its orbit: some automorphism makes its image the lowest of the orbit.  Go on with the automorphisms that
            leave it where it is.  The same with the highest
    lost    a condition joins two orbits: put the second before the first
    lost    the orders in line with the conditions, times the automorphisms, are fewer than all orders
    either  few vertices can be moved to those in the conditions: all their orders are looked at
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

import numpy as np

from tablero.decomposition.automorphisms import Condition, Look, closure, no_look, orbit, order_of, symmetry
from tablero.decomposition.graph import Graph, ask_igraph, igraph_of

_MOST_ASKED = 300  # questions to BLISS for a chain
_MOST_ORDERED = 7  # vertices whose orders are all looked at
_MOST_SETS = 20_000  # sets of lowest vertices, while orders are counted


def lose(part: Graph, conditions: Sequence[Condition], look: Look = no_look) -> bool | None:
    """Whether the conditions lose copies of the part in a complete graph; None where that is not decided."""
    if set(conditions) <= set(symmetry(part, look).conditions):
        return False  # those that are made here
    needed = _reduced(part.vertices, conditions)
    if not needed:
        return False
    graph = igraph_of(part)
    look()
    generators = ask_igraph(graph.automorphism_group)
    number = _orbits(part.vertices, generators)
    if any(number[i] != number[j] for i, j in needed):
        return True
    if _Chain(part, look).has(frozenset(needed), ()):
        return False
    orders = orders_under(part.vertices, conditions)
    if orders is not None and orders * order_of(part) < math.factorial(part.vertices):
        return True
    of_them = {number[i] for i, _ in needed}
    moved = [vertex for vertex in range(part.vertices) if number[vertex] in of_them]
    return _look_at_all(moved, needed, generators) if len(moved) <= _MOST_ORDERED else None


def _reduced(count: int, conditions: Iterable[Condition]) -> list[Condition]:
    """Those conditions that do not follow from the others."""
    greater: list[set[int]] = [set() for _ in range(count)]
    for i, j in conditions:
        greater[i].add(j)
    reach = closure(greater)
    return [(i, j) for i in range(count) for j in sorted(greater[i]) if not any(j in reach[m] for m in greater[i])]


def _orbits(count: int, generators: Sequence[Sequence[int]]) -> list[int]:
    """A number for every vertex; those that automorphisms can exchange share it."""
    number = [-1] * count
    for vertex in range(count):
        if number[vertex] < 0:
            for other in orbit(vertex, generators):
                number[other] = vertex
    return number


class _Chain:
    """Looks for a chain of stabilisers from which conditions follow."""

    def __init__(self, part: Graph, look: Look) -> None:
        self._graph, self._vertices, self._look = igraph_of(part), part.vertices, look
        self._asked = 0
        self._dead: set[frozenset[int]] = set()  # vertices held fast, in whatever order

    def has(self, needed: frozenset[Condition], fixed: tuple[int, ...]) -> bool:
        """Whether the conditions follow from a chain that goes on after these vertices."""
        if not needed:
            return True
        if frozenset(fixed) in self._dead or self._asked >= _MOST_ASKED:
            return False
        self._look()
        self._asked += 1
        colours = [0] * self._vertices
        for k, vertex in enumerate(fixed, 1):
            colours[vertex] = k
        generators = ask_igraph(self._graph.automorphism_group, color=colours)
        lower, higher = {i for i, _ in needed}, {j for _, j in needed}
        number = _orbits(self._vertices, generators)
        sizes = Counter(number)
        # A small orbit leaves many automorphisms for what is still needed.
        for vertex in sorted(lower ^ higher, key=lambda vertex: (sizes[number[vertex]], vertex)):
            mine = frozenset(pair for pair in needed if vertex in pair)
            if all(number[i] == number[j] for i, j in mine) and self.has(needed - mine, (*fixed, vertex)):
                return True
        self._dead.add(frozenset(fixed))
        return False


def _look_at_all(moved: list[int], needed: list[Condition], generators: Sequence[Sequence[int]]) -> bool:
    """Whether there is an order of these vertices that no automorphism brings in line; they are moved among themselves."""
    orders = np.array(list(permutations(range(len(moved)))), np.int8)
    place = {vertex: k for k, vertex in enumerate(moved)}
    start = frozenset((place[i], place[j]) for i, j in needed)
    turns = [[place[images[vertex]] for vertex in moved] for images in generators]
    seen, stack = {start}, [start]
    kept = np.zeros(len(orders), bool)
    while stack:
        pairs = stack.pop()
        kept |= np.logical_and.reduce([orders[:, i] < orders[:, j] for i, j in pairs])
        for turn in turns:
            there = frozenset((turn[i], turn[j]) for i, j in pairs)
            if there not in seen:
                seen.add(there)
                stack.append(there)
    return not kept.all()


# How many orders are in line with conditions


def orders_under(count: int, conditions: Sequence[Condition]) -> int | None:
    """How many orders of so many vertices are in line with the conditions; None where they are too many to count."""
    needed = _reduced(count, conditions)
    above: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    for i, j in needed:
        for vertex in (i, j):
            above.setdefault(vertex, [])
            below.setdefault(vertex, [])
        above[i].append(j)
        below[j].append(i)
    total = math.factorial(count)
    for piece in _pieces(above, below):
        orders = _orders_of_piece(piece, above, below)
        if orders is None:
            return None
        total = total * orders // math.factorial(len(piece))
    return total


def _pieces(above: dict[int, list[int]], below: dict[int, list[int]]) -> list[list[int]]:
    """The vertices that conditions join."""
    seen: set[int] = set()
    pieces = []
    for first in above:
        if first not in seen:
            seen.add(first)
            piece = [first]
            for vertex in piece:
                for other in above[vertex] + below[vertex]:
                    if other not in seen:
                        seen.add(other)
                        piece.append(other)
            pieces.append(piece)
    return pieces


def _orders_of_piece(piece: list[int], above: dict[int, list[int]], below: dict[int, list[int]]) -> int | None:
    for up, down in ((above, below), (below, above)):
        if all(len(down[vertex]) <= 1 for vertex in piece):  # a tree: the hook formula
            return math.factorial(len(piece)) // math.prod(_branch_sizes(piece, up, down))
    level = {frozenset[int](): 1}  # sets of lowest vertices, and how many orders each has
    met = 0
    for _ in piece:
        after: dict[frozenset[int], int] = {}
        for lowest, orders in level.items():
            for vertex in piece:
                if vertex not in lowest and lowest.issuperset(below[vertex]):
                    more = lowest | {vertex}
                    after[more] = after.get(more, 0) + orders
        met += len(after)
        if met > _MOST_SETS:
            return None
        level = after
    return level[frozenset(piece)]


def _branch_sizes(piece: list[int], up: dict[int, list[int]], down: dict[int, list[int]]) -> list[int]:
    """How many vertices each has above it, itself among them."""
    order = [vertex for vertex in piece if not down[vertex]]
    for vertex in order:
        order += up[vertex]
    size = dict.fromkeys(order, 1)
    for vertex in reversed(order):
        for other in down[vertex]:
            size[other] += size[vertex]
    return list(size.values())
