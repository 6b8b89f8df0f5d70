"""The automorphisms of a part: how many there are, and the conditions that outweigh them.

Placing the part's vertices in all ways makes each copy as often as the part has automorphisms.  So one placement of each is
kept, by conditions "the image of i is lower than that of j" from a chain of stabilisers: take a vertex that automorphisms
move, ask that its image be the lowest among the images of all vertices it can be moved to, go on with the automorphisms
that leave it where it is.

Trees need no general method: hung up at one vertex, a child can be exchanged with just those of its siblings whose branches
look like its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from tablero.decomposition.graph import Graph, ask_igraph, igraph_of

Condition = tuple[int, int]  # the image of the first vertex is lower than that of the second
Look = Callable[[], None]  # called now and then while something long is made; raises when it is to stop


def no_look() -> None:
    """Nobody wants to stop."""


@dataclass(frozen=True)
class Symmetry:
    """The part's automorphisms: how many, the conditions that outweigh them, and a good order to place vertices in."""

    order: int
    conditions: tuple[Condition, ...]
    places: tuple[int, ...]


@lru_cache(maxsize=64)
def order_of(part: Graph) -> int:
    """How many automorphisms a graph has."""
    return _order_of_tree(part) if is_tree(part) else int(ask_igraph(igraph_of(part).count_automorphisms))


def number_in_complete(n: int, part: Graph) -> int:
    """How many copies a complete graph has."""
    return math.perm(n, part.vertices) // order_of(part)


def placing_order(part: Graph) -> list[int]:
    """Every vertex next to those before it where possible, those with many neighbours first."""
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


def symmetry(part: Graph, look: Look = no_look) -> Symmetry:
    """The part's automorphisms; `look` is called between two questions to BLISS."""
    if part not in _KNOWN:
        while len(_KNOWN) >= 64:
            _KNOWN.pop(next(iter(_KNOWN)))
        _KNOWN[part] = _of_tree(part) if is_tree(part) else _by_bliss(part, look)
    return _KNOWN[part]


_KNOWN: dict[Graph, Symmetry] = {}


def _by_bliss(part: Graph, look: Look) -> Symmetry:
    """BLISS on the part with ever more vertices held fast."""
    graph = igraph_of(part)
    places = placing_order(part)
    colours = [0] * part.vertices
    conditions: list[Condition] = []
    size, order = 1, order_of(part)
    for step, vertex in enumerate(places, 1):
        if size == order:
            break  # what is left leaves every vertex where it is
        look()
        moved = orbit(vertex, ask_igraph(graph.automorphism_group, color=colours))
        size *= len(moved)
        conditions += [(vertex, other) for other in sorted(moved) if other != vertex]
        colours[vertex] = step
    return Symmetry(size, tuple(conditions), tuple(places))


def orbit(vertex: int, generators: Sequence[Sequence[int]]) -> set[int]:
    """Where products of the permutations take a vertex."""
    seen, stack = {vertex}, [vertex]
    while stack:
        here = stack.pop()
        for permutation in generators:
            there = permutation[here]
            if there not in seen:
                seen.add(there)
                stack.append(there)
    return seen


# Trees


def is_tree(graph: Graph) -> bool:
    return len(graph.edges) == graph.vertices - 1 and graph.components == 1


@dataclass(frozen=True)
class Hung:
    """A tree hung up at one vertex: branches that look alike have the same `form`."""

    parent: list[int]  # −1 of the top
    children: list[list[int]]
    form: list[int]


def hang(tree: Graph, top: int) -> Hung:
    """Hang a tree up."""
    forms: dict[tuple[int, ...], int] = {}
    parent = [-1] * tree.vertices
    children: list[list[int]] = [[] for _ in range(tree.vertices)]
    order = [top]
    for vertex in order:
        for other in tree.neighbours[vertex]:
            if other != parent[vertex]:
                parent[other] = vertex
                children[vertex].append(other)
                order.append(other)
    form = [0] * tree.vertices
    for vertex in reversed(order):
        key = tuple(sorted(form[child] for child in children[vertex]))
        form[vertex] = forms.setdefault(key, len(forms))
    return Hung(parent, children, form)


def centres(tree: Graph) -> list[int]:
    """The one or two vertices in the middle, found by taking off leaves."""
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


def _is_mirrored(middle: list[int], hung: Hung) -> bool:
    """Whether the two halves on both sides of an edge in the middle look alike; it is hung up at the first."""
    if len(middle) < 2:
        return False
    mine = tuple(sorted(hung.form[child] for child in hung.children[middle[0]] if child != middle[1]))
    other = tuple(sorted(hung.form[child] for child in hung.children[middle[1]]))
    return mine == other


def _order_of_tree(tree: Graph) -> int:
    middle = centres(tree)
    hung = hang(tree, middle[0])
    order = 2 if _is_mirrored(middle, hung) else 1
    for row in hung.children:
        for times in Counter(hung.form[child] for child in row).values():
            order *= math.factorial(times)
    return order


def _orbits_of_tree(tree: Graph) -> list[int]:
    """A number for every vertex; those that automorphisms can exchange share it."""
    middle = centres(tree)
    hung = hang(tree, middle[0])
    mirrored = _is_mirrored(middle, hung)
    numbers: dict[tuple[int, int], int] = {}
    number = [-1] * tree.vertices
    number[middle[0]] = 0
    stack = [middle[0]]
    if mirrored:
        number[middle[1]] = 0
        stack.append(middle[1])
    while stack:
        vertex = stack.pop()
        for child in hung.children[vertex]:
            if number[child] < 0:
                number[child] = 1 + numbers.setdefault((number[vertex], hung.form[child]), len(numbers))
                stack.append(child)
    return number


def _of_tree(tree: Graph) -> Symmetry:
    """The same chain as BLISS finds: vertices are placed next to those before, so only unplaced siblings can take part."""
    places = placing_order(tree)
    hung = hang(tree, places[0])
    number = _orbits_of_tree(tree)
    conditions = [(places[0], v) for v in range(tree.vertices) if v != places[0] and number[v] == number[places[0]]]
    placed = [False] * tree.vertices
    for vertex in places:
        if hung.parent[vertex] >= 0:
            for other in hung.children[hung.parent[vertex]]:
                if other != vertex and not placed[other] and hung.form[other] == hung.form[vertex]:
                    conditions.append((vertex, other))
        placed[vertex] = True
    return Symmetry(order_of(tree), tuple(conditions), tuple(places))


def closure(greater: list[set[int]]) -> list[set[int]]:
    """All that is greater, directly or through others."""
    reach = [set(row) for row in greater]
    for middle in range(len(reach)):
        for row in reach:
            if middle in row:
                row |= reach[middle]
    return reach


def contradict(conditions: Sequence[Condition]) -> bool:
    """Whether the conditions form a cycle."""
    order: TopologicalSorter[int] = TopologicalSorter()
    for i, j in conditions:
        order.add(i, j)
    try:
        order.prepare()
    except CycleError:
        return True
    return False
