"""The automorphisms of a part: their number, conditions that break the symmetry, and conditions that a user gives.

Placing the part's vertices in all ways makes each copy as often as the part has automorphisms.  Conditions "the image of i
is lower than that of j" keep exactly one placement of each copy.  They come from a chain of stabilisers: take a vertex that
automorphisms move, require that its image be the lowest among the images of all vertices in its orbit, and continue with
the automorphisms that fix this vertex.

Trees need no general method: in a rooted tree, a child can be exchanged exactly with those siblings whose branches are
isomorphic to its own.

Conditions that a user gives lose no copy if for every order of the part's vertices some automorphism makes it satisfy the
conditions.  In a complete graph every order occurs, so otherwise they lose a copy.  This is decided without a list of
copies:

    kept    the conditions follow from a chain of stabilisers.  Take a vertex that is not above another one, with all
            vertices above it in its orbit: some automorphism makes its image the lowest of the orbit.  Continue with the
            automorphisms that fix it.  The same with the highest
    lost    a condition joins two orbits: place the second vertex before the first
    lost    the number of orders that satisfy the conditions, times the automorphisms, is less than the number of all orders
    either  few vertices are in the orbits of those in the conditions: all their orders are checked
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from tablero.decomposition.graph import Graph, ask_igraph, igraph_of, require_igraph

Condition = tuple[int, int]  # the image of the first vertex is lower than that of the second
Look = Callable[[], None]  # called regularly during long work; raises an exception to stop it

_MOST_ASKED = 300  # calls of BLISS for a chain
_MOST_ORDERED = 7  # vertices of which all orders are checked
_MOST_SETS = 20_000  # sets of lowest vertices when orders are counted


def no_look() -> None:
    """Do nothing: the default for work that is not stopped."""


@dataclass(frozen=True)
class Symmetry:
    """The number of the part's automorphisms, the conditions that break the symmetry, and an order to place the vertices."""

    order: int
    conditions: tuple[Condition, ...]
    places: tuple[int, ...]


@lru_cache(maxsize=64)
def order_of(part: Graph) -> int:
    """The number of automorphisms of a graph."""
    if not is_tree(part):
        return int(ask_igraph(igraph_of(part).count_automorphisms))
    middle = centres(part)
    hung = hang(part, *middle)
    alike = (Counter(hung.form[vertex] for vertex in row).values() for row in (middle, *hung.children))
    return math.prod(math.factorial(times) for row in alike for times in row)


def number_in_complete(n: int, part: Graph) -> int:
    """The number of copies in a complete graph."""
    return math.perm(n, part.vertices) // order_of(part)


def placing_order(part: Graph) -> list[int]:
    """An order of the vertices: each adjacent to earlier ones if possible, vertices of high degree first."""
    order: list[int] = []
    near = [0] * part.vertices
    left = set(range(part.vertices))
    while left:
        vertex = max(left, key=lambda v: (near[v], part.degrees[v], -v))
        left.remove(vertex)
        order.append(vertex)
        for other in part.neighbours[vertex]:
            near[other] += 1
    return order


_KNOWN: dict[Graph, Symmetry] = {}


def symmetry(part: Graph, look: Look = no_look) -> Symmetry:
    """The part's automorphisms; `look` is called between two calls of BLISS."""
    if part not in _KNOWN:
        while len(_KNOWN) >= 64:
            _KNOWN.pop(next(iter(_KNOWN)))
        places = placing_order(part)
        if is_tree(part):
            conditions = _conditions_of_tree(part, places)
        else:
            conditions = chain(igraph_of(part), [0] * part.vertices, places, look)
        _KNOWN[part] = Symmetry(order_of(part), tuple(conditions), tuple(places))
    return _KNOWN[part]


def chain(graph: Any, colours: list[int], order: Iterable[int], look: Look = no_look) -> list[Condition]:
    """Conditions that break the symmetry of a coloured graph, from calls of BLISS with more and more vertices fixed."""
    conditions: list[Condition] = []
    fixed, left = max(colours, default=0), int(ask_igraph(graph.count_automorphisms, color=colours))
    for vertex in order:
        if left == 1:
            break  # only the identity is left
        look()
        moved = orbit(vertex, ask_igraph(graph.automorphism_group, color=colours))
        conditions += [(vertex, other) for other in sorted(moved - {vertex})]
        left //= len(moved)
        fixed += 1
        colours[vertex] = fixed
    return conditions


def orbit(vertex: int, generators: Sequence[Sequence[int]]) -> set[int]:
    """The orbit of a vertex under the group that the permutations generate."""
    seen, stack = {vertex}, [vertex]
    while stack:
        here = stack.pop()
        for permutation in generators:
            there = permutation[here]
            if there not in seen:
                seen.add(there)
                stack.append(there)
    return seen


class Core(NamedTuple):
    """A part, or some of its vertices, without the leaves; and the leaves of each vertex."""

    vertices: list[int]
    leaves: list[list[int]]  # of each of the part's vertices
    graph: Any  # of igraph; it numbers the vertices in this order
    colours: list[int]  # the number of leaves of each vertex

    @classmethod
    def of(cls, part: Graph, among: Iterable[int] | None = None) -> Core:
        leaves: list[list[int]] = [[] for _ in range(part.vertices)]
        for vertex, degree in enumerate(part.degrees):
            neighbour = part.neighbours[vertex][0]
            if degree == 1 and part.degrees[neighbour] > 1:  # the ends of an isolated edge are not leaves
                leaves[neighbour].append(vertex)
        hanging = {leaf for row in leaves for leaf in row}
        vertices = sorted(set(range(part.vertices) if among is None else among) - hanging)
        number = {vertex: k for k, vertex in enumerate(vertices)}
        edges = [(number[u], number[v]) for u, v in part.edges if u in number and v in number]
        graph = require_igraph().Graph(n=len(vertices), edges=edges)
        return cls(vertices, leaves, graph, [len(leaves[vertex]) for vertex in vertices])

    def conditions(self, fixed: Iterable[int], look: Look) -> tuple[list[list[int]], list[list[int]]]:
        """For every vertex, the vertices that must be lower and those that must be higher, if some of the core are fixed."""
        colours, held = list(self.colours), len(self.leaves)
        for vertex in fixed:
            if vertex in self.vertices:
                held += 1
                colours[self.vertices.index(vertex)] = held
        low: list[list[int]] = [[] for _ in self.leaves]
        high: list[list[int]] = [[] for _ in self.leaves]
        for i, j in chain(self.graph, colours, range(len(colours)), look):
            low[self.vertices[j]].append(self.vertices[i])
            high[self.vertices[i]].append(self.vertices[j])
        return low, high


# Trees


def is_tree(graph: Graph) -> bool:
    return len(graph.edges) == graph.vertices - 1 and graph.components == 1


class Hung(NamedTuple):
    """A tree rooted at a vertex, or at both ends of an edge; isomorphic branches have the same `form`."""

    order: list[int]  # every vertex after its parent
    parent: list[int]  # −1 at the root
    children: list[list[int]]
    form: list[int]


def hang(tree: Graph, *tops: int) -> Hung:
    """Root a tree at a vertex, or at both ends of an edge."""
    forms: dict[tuple[int, ...], int] = {}
    parent = [-1] * tree.vertices
    children: list[list[int]] = [[] for _ in range(tree.vertices)]
    order = list(tops)
    for vertex in order:
        children[vertex] = [v for v in tree.neighbours[vertex] if v != parent[vertex] and v not in tops]
        for child in children[vertex]:
            parent[child] = vertex
        order += children[vertex]
    form = [0] * tree.vertices
    for vertex in reversed(order):
        form[vertex] = forms.setdefault(tuple(sorted(form[child] for child in children[vertex])), len(forms))
    return Hung(order, parent, children, form)


def centres(tree: Graph) -> list[int]:
    """The one or two central vertices, found by repeatedly removing the leaves."""
    degrees, left = list(tree.degrees), tree.vertices
    leaves = [v for v in range(tree.vertices) if degrees[v] <= 1]
    while left > 2:
        left -= len(leaves)
        after = []
        for leaf in leaves:
            degrees[leaf] = 0
            for other in tree.neighbours[leaf]:
                if degrees[other] > 0:
                    degrees[other] -= 1
                    if degrees[other] == 1:
                        after.append(other)
        leaves = after
    return sorted(leaves)


def mirrored(tree: Graph) -> list[tuple[int, int]]:
    """The vertices of one half of a tree, each with its twin in the other half; empty if the halves are not isomorphic."""
    middle = centres(tree)
    hung = hang(tree, *middle)
    if len(middle) < 2 or hung.form[middle[0]] != hung.form[middle[1]]:
        return []
    pairs = [(middle[0], middle[1])]
    for one, other in pairs:
        mine, theirs = (sorted(hung.children[vertex], key=hung.form.__getitem__) for vertex in (one, other))
        pairs += zip(mine, theirs, strict=True)
    return pairs


def _conditions_of_tree(tree: Graph, places: list[int]) -> list[Condition]:
    """The chain that BLISS finds: vertices are placed next to earlier ones, so only unplaced siblings are in an orbit."""
    hung = hang(tree, *centres(tree))
    number, numbers = [-1] * tree.vertices, dict[tuple[int, int], int]()
    for vertex in hung.order:  # vertices of one orbit have the same number
        above = hung.parent[vertex]
        number[vertex] = numbers.setdefault((-1 if above < 0 else number[above], hung.form[vertex]), len(numbers))
    top = places[0]
    hung = hang(tree, top)
    conditions = [(top, v) for v in range(tree.vertices) if v != top and number[v] == number[top]]
    placed = {top}
    for vertex in places[1:]:
        placed.add(vertex)
        for other in hung.children[hung.parent[vertex]]:
            if other not in placed and hung.form[other] == hung.form[vertex]:
                conditions.append((vertex, other))
    return conditions


# Conditions that a user gives


def lose(part: Graph, conditions: Sequence[Condition], look: Look = no_look) -> bool | None:
    """Whether the conditions lose copies of the part in a complete graph; None if this is not decided."""
    if set(conditions) <= set(symmetry(part, look).conditions):
        return False  # the conditions of this module
    needed = _reduced(part.vertices, conditions)
    if not needed:
        return False
    look()
    generators = ask_igraph(igraph_of(part).automorphism_group)
    number = _orbits(part.vertices, generators)
    if any(number[i] != number[j] for i, j in needed):
        return True
    if _follow(part, needed, look):
        return False
    orders = orders_under(part.vertices, conditions)
    if orders is not None and orders * order_of(part) < math.factorial(part.vertices):
        return True
    of_them = {number[i] for i, _ in needed}
    moved = [vertex for vertex in range(part.vertices) if number[vertex] in of_them]
    return _look_at_all(moved, needed, generators) if len(moved) <= _MOST_ORDERED else None


def closure(count: int, conditions: Iterable[Condition]) -> list[set[int]]:
    """For each of `count` vertices, those that must be greater: the transitive closure."""
    reach: list[set[int]] = [set() for _ in range(count)]
    for i, j in conditions:
        reach[i].add(j)
    for middle in range(count):
        for row in reach:
            if middle in row:
                row |= reach[middle]
    return reach


def _reduced(count: int, conditions: Iterable[Condition]) -> list[Condition]:
    """The conditions that do not follow from the others."""
    reach = closure(count, conditions)
    return [(i, j) for i, j in sorted(set(conditions)) if not any(j in reach[m] for m in reach[i])]


def _orbits(count: int, generators: Sequence[Sequence[int]]) -> list[int]:
    """A number for every vertex; vertices of one orbit have the same number."""
    number = [-1] * count
    for vertex in range(count):
        if number[vertex] < 0:
            for other in orbit(vertex, generators):
                number[other] = vertex
    return number


def _follow(part: Graph, needed: Iterable[Condition], look: Look) -> bool:
    """Whether conditions follow from a chain of stabilisers; False also if the number of calls is exhausted."""
    graph, asked = igraph_of(part), 0
    dead: set[frozenset[int]] = set()  # fixed vertices, in any order

    def has(needed: frozenset[Condition], fixed: tuple[int, ...]) -> bool:
        """Whether the conditions follow from a chain that begins with these vertices."""
        nonlocal asked
        if not needed:
            return True
        if frozenset(fixed) in dead or asked >= _MOST_ASKED:
            return False
        look()
        asked += 1
        colours = [0] * part.vertices
        for k, vertex in enumerate(fixed, 1):
            colours[vertex] = k
        number = _orbits(part.vertices, ask_igraph(graph.automorphism_group, color=colours))
        sizes = Counter(number)
        lower, higher = {i for i, _ in needed}, {j for _, j in needed}
        # A small orbit leaves many automorphisms for the remaining conditions.
        for vertex in sorted(lower ^ higher, key=lambda vertex: (sizes[number[vertex]], vertex)):
            mine = frozenset(pair for pair in needed if vertex in pair)
            if all(number[i] == number[j] for i, j in mine) and has(needed - mine, (*fixed, vertex)):
                return True
        dead.add(frozenset(fixed))
        return False

    return has(frozenset(needed), ())


def _look_at_all(moved: list[int], needed: list[Condition], generators: Sequence[Sequence[int]]) -> bool:
    """Whether no automorphism makes some order of these vertices, an invariant set, satisfy the conditions."""
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


def orders_under(count: int, conditions: Sequence[Condition]) -> int | None:
    """The number of orders of `count` vertices that satisfy the conditions; None if counting takes too long."""
    needed = _reduced(count, conditions)
    graph = require_igraph().Graph(n=count, edges=needed, directed=True)
    above, below = closure(count, needed), closure(count, [(j, i) for i, j in needed])
    total = math.factorial(count)
    for piece in graph.connected_components(mode="weak"):
        orders = None
        for mode, beyond in (("in", above), ("out", below)):
            if max(graph.degree(piece, mode=mode)) <= 1:  # a tree: the hook formula
                orders = math.factorial(len(piece)) // math.prod(1 + len(beyond[vertex]) for vertex in piece)
        if orders is None and (orders := _orders_of_piece(piece, below)) is None:
            return None
        total = total * orders // math.factorial(len(piece))
    return total


def _orders_of_piece(piece: list[int], below: list[set[int]]) -> int | None:
    level = {frozenset[int](): 1}  # sets of lowest vertices, and the number of orders of each
    met = 0
    for _ in piece:
        after: Counter[frozenset[int]] = Counter()
        for lowest, orders in level.items():
            for vertex in piece:
                if vertex not in lowest and lowest.issuperset(below[vertex]):
                    after[lowest | {vertex}] += orders
        met += len(after)
        if met > _MOST_SETS:
            return None
        level = dict(after)
    return level[frozenset(piece)]
