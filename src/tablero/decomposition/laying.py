"""Decompositions without a list of copies: copies are laid one after another, each made when it is tried.

The kernel (`kernels.laying`) gets the part's arcs, and conditions that outweigh the automorphisms which leave an arc where
it is; with a cyclic group it gets the orbits of edges, and lays base copies.  Two kinds of groups are of use:

    full        every orbit of edges is as long as the group, and so is every orbit of copies.  With n/2 copies of a tree on
                the n vertices of a complete graph the group's order must be odd: a power of order two turns some edge
                round, and with it the copy that has it
    mirrored    the group has an even order and moves every vertex.  Its element of order two joins every vertex with
                another, by a *diameter*; each copy has one diameter, and is its own mirror image.  Half of it is laid,
                its twins follow
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.decomposition.automorphisms import Look, centres, hang, is_tree, no_look, orbit
from tablero.decomposition.checking import Copy
from tablero.decomposition.copies import flat
from tablero.decomposition.graph import Edge, Graph, ask_igraph, igraph_of, require_igraph
from tablero.decomposition.kernels.laying import LayingSearch, Problem
from tablero.decomposition.models import LAYING, fault_of_each
from tablero.decomposition.orbits import Orbits, Turn, turn_of_cycles
from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.errors import BadInput
from tablero.search.base import Answers, Search

MOST_ROOM = 130_000_000  # numbers that the levels of a search may take, of four bytes each


@dataclass(frozen=True, eq=False)
class LayingModel:
    """Copies laid one after another; with a turn, base copies that it multiplies."""

    puzzle: DecompositionPuzzle
    orbits: Orbits | None  # None: every edge is its own
    problem: Problem
    images: int  # how many copies a base copy stands for
    given: tuple[Copy, ...] = ()  # laid before the search
    proves: bool = True

    by_option = False  # an answer is the places of the copies
    copies = None
    method = LAYING

    @classmethod
    def of(
        cls,
        puzzle: DecompositionPuzzle,
        turn: Turn | None = None,
        *,
        given: Sequence[Copy] = (),
        seed: int = 0,
        look: Look = no_look,
    ) -> LayingModel:
        part, host = puzzle.parts[0].graph, puzzle.host
        if reason := not_by_laying(puzzle):
            raise BadInput(f"copies cannot be laid one after another: {reason}")
        if turn is None:
            problem = _Maker(host, part, None, given, seed, look).problem()
            return cls(puzzle, None, problem, 1, tuple(given))
        orbits = Orbits.of(host, turn)
        kind = kind_of(puzzle, orbits)
        if kind is None:
            raise BadInput(f"base copies cannot be laid: {not_full(puzzle, orbits)}")
        problem = _Maker(host, part, orbits, (), seed, look, mirrored=kind == "mirrored").problem()
        whole = kind == "mirrored" or math.gcd(len(part.edges), orbits.order) == 1
        return cls(puzzle, orbits, problem, orbits.order // (2 if kind == "mirrored" else 1), proves=whole)

    @property
    def turn_order(self) -> int:
        """The order of the group under which base copies are laid; 1 where there is none."""
        return 1 if self.orbits is None else self.orbits.order

    @property
    def size(self) -> tuple[int, int, int]:
        """Copies to lay, orbits of edges, and the edges of those copies."""
        copies = int(self.problem.shape[0])
        return copies, len(self.problem.covered), copies * len(self.puzzle.parts[0].graph.edges)

    def search(self, verb: str, *, durable: bool = False) -> Search:
        return LayingSearch(self.problem, proves=self.proves)

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        return self.given + copies_at(self.puzzle, self.orbits, self.images, answer)

    def fault(self, answers: Answers) -> str | None:
        return fault_of_each(self, self.puzzle, answers)


def copies_at(
    puzzle: DecompositionPuzzle, orbits: Orbits | None, images: int, answer: Iterable[int]
) -> tuple[Copy, ...]:
    """The copies at the places that an answer tells, copy after copy, each with so many images under the group."""
    host, part = puzzle.host, puzzle.parts[0].graph
    out: list[Copy] = []
    places = list(answer)
    for first in range(0, len(places), part.vertices):
        place = places[first : first + part.vertices]
        laid = [(place[u], place[v]) for u, v in part.edges if place[u] >= 0 and place[v] >= 0]
        edges = [int(host.numbers[u, v]) for u, v in laid]
        if not edges:  # of a decomposition that is not whole yet
            continue
        if orbits is None:
            out.append(tuple(host.edges[e] for e in sorted(edges)))
        else:
            out += orbits.images(np.array(edges, np.int32), images, host)
    return tuple(out)


def classes_of(
    host: Graph, orbits: Orbits | None, given: Sequence[Copy] = (), images: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The class of every vertex, how many each has, and how many ends of edges base copies must take from it.

    A base copy has so many images under the group, where it has not as many as the group.
    """
    degrees = np.array(host.degrees, np.int64)
    for copy in given:
        for edge in copy:
            degrees[list(edge)] -= 1
    if orbits is None:
        return np.arange(len(degrees)), np.ones(len(degrees), np.int64), degrees
    _, first, group = np.unique(orbits.power.min(axis=0), return_index=True, return_inverse=True)
    size = np.bincount(group)
    return group.astype(np.int64), size, degrees[first] * size // (images or orbits.order)


def not_by_laying(puzzle: DecompositionPuzzle) -> str | None:
    """Why copies cannot be laid one after another, or None."""
    if len(puzzle.parts) > 1 or puzzle.fold > 1 or puzzle.perfect:
        return "it is for one part and a fold of 1"
    part, host = puzzle.parts[0].graph, puzzle.host
    if part.vertices < 3:
        return "an edge needs no search"
    if len(host.edges) * max(2 * host.vertices, 2 * len(part.edges)) > MOST_ROOM:
        return f"{host} is too large, with {len(host.edges):,} edges"
    return None


def kind_of(puzzle: DecompositionPuzzle, orbits: Orbits) -> str | None:
    """Whether base copies do under a group, and of which kind: "full" or "mirrored"."""
    if not_full(puzzle, orbits) is None:
        return "full"
    part, host = puzzle.parts[0].graph, puzzle.host
    free = (orbits.power[1:] != orbits.power[0]).all()
    spanning = host.is_complete and is_tree(part) and part.vertices == host.vertices
    return "mirrored" if orbits.order % 2 == 0 and free and spanning and mirror_of(part) is not None else None


def not_full(puzzle: DecompositionPuzzle, orbits: Orbits) -> str | None:
    """Why not all orbits of edges are as long as the group and the part's edges divide them, or None."""
    if (orbits.sizes != orbits.order).any():
        return f"there are orbits of {orbits.sizes.min()} edges under a group of order {orbits.order}"
    edges = len(puzzle.parts[0].graph.edges)
    if len(orbits.sizes) % edges:
        return f"there are {len(orbits.sizes)} orbits of edges, and the part has {edges} edges"
    return None


def mirror_of(tree: Graph) -> list[int] | None:
    """Where each vertex of a tree goes when its two halves change places, if they look alike."""
    middle = centres(tree)
    if len(middle) < 2:
        return None
    hung = hang(tree, middle[0])
    twin = [-1] * tree.vertices
    stack = [(middle[0], middle[1])]
    while stack:
        one, other = stack.pop()
        twin[one], twin[other] = other, one
        mine = sorted((c for c in hung.children[one] if c not in middle), key=hung.form.__getitem__)
        theirs = sorted((c for c in hung.children[other] if c not in middle), key=hung.form.__getitem__)
        if [hung.form[c] for c in mine] != [hung.form[c] for c in theirs]:
            return None
        stack += zip(mine, theirs, strict=True)
    return twin


def odd_turn(n: int) -> Turn | None:
    """Cycles of the largest odd length that divides n: under it all orbits of edges of a complete graph are full."""
    length = n // (n & -n)
    return None if length == 1 else turn_of_cycles(n, length)


@dataclass
class _Maker:
    """Makes the kernel's arrays."""

    host: Graph
    part: Graph
    orbits: Orbits | None
    given: Sequence[Copy]
    seed: int
    look: Look
    mirrored: bool = False
    leaves: list[list[int]] = field(init=False)
    twin: list[int] = field(init=False)

    def __post_init__(self) -> None:
        part = self.part
        self.leaves = [[] for _ in range(part.vertices)]
        for vertex, degree in enumerate(part.degrees):
            neighbour = part.neighbours[vertex][0]
            if degree == 1 and part.degrees[neighbour] > 1:  # of an edge on its own neither end is a leaf
                self.leaves[neighbour].append(vertex)
        self.twin = (mirror_of(part) if self.mirrored else None) or list(range(part.vertices))
        if self.mirrored:  # twins in the same order, so that the next leaf's twin is the next leaf
            for vertex in self._half():
                self.leaves[self.twin[vertex]] = [self.twin[leaf] for leaf in self.leaves[vertex]]

    def _half(self) -> list[int]:
        """The vertices on one side of the edge in the middle."""
        first, other = centres(self.part)
        seen, stack = {first, other}, [first]
        while stack:
            for near in self.part.neighbours[stack.pop()]:
                if near not in seen:
                    seen.add(near)
                    stack.append(near)
        return sorted(seen - {other})

    def problem(self) -> Problem:
        host, part = self.host, self.part
        hanging = {leaf for row in self.leaves for leaf in row}
        laid = set(self._half()) if self.mirrored else set(range(part.vertices))
        core = [v for v in range(part.vertices) if v in laid and v not in hanging]
        arcs = [tuple(centres(part))] if self.mirrored else self._arcs()
        low: list[list[int]] = []
        high: list[list[int]] = []
        for arc in arcs:
            self.look()
            lower, higher = self._conditions(core, arc)
            low += lower
            high += higher
        number, ends, flip = self._orbits()
        covered = np.zeros(len(ends), np.uint8)
        for copy in self.given:
            for u, v in copy:
                covered[number[u, v]] = 1
        sizes = 1 if self.orbits is None else self.orbits.order
        images = sizes // 2 if self.mirrored else sizes
        edges = len(host.edges) - len(self.given) * len(part.edges)
        copies = edges // (images * len(part.edges))
        group, size, left = classes_of(self.host, self.orbits, self.given, images)
        sums, top = self._degrees(int(copies * size.max()), int(left.max()))
        steps = (part.vertices - 2) // (2 if self.mirrored else 1)
        order = np.arange(host.vertices)
        if self.seed:
            order = np.random.default_rng(self.seed).permutation(host.vertices)
        spanning, alike = part.vertices == host.vertices, size.min() == size.max()
        shape = [copies, steps, int(spanning), int(self.orbits is None), int(alike)]
        return Problem(
            number,
            ends,
            flip,
            order.astype(np.int64),
            np.array(part.degrees, np.int64),
            np.array(self.twin, np.int64),
            *flat([list(row) for row in part.neighbours]),
            *flat(self.leaves),
            np.array(core, np.int64),
            np.array(arcs, np.int64),
            *flat(low),
            *flat(high),
            covered,
            group,
            size,
            left,
            sums,
            top,
            np.array(shape, np.int64),
        )

    def _orbits(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
        """The orbit of every two vertices, an edge of each orbit, where twins go; short orbits come first."""
        host, numbers = self.host, self.host.numbers
        flip = np.arange(host.vertices, dtype=np.int64)
        if self.orbits is None:
            return numbers, np.array(host.edges, np.int64), flip
        rank = np.argsort(np.argsort(self.orbits.sizes, kind="stable"), kind="stable")
        of_edge = rank[self.orbits.of_edge]
        first = np.unique(of_edge, return_index=True)[1]
        if self.mirrored:
            flip = self.orbits.power[self.orbits.order // 2].astype(np.int64)
        table = np.where(numbers >= 0, of_edge[numbers], -1).astype(np.int32)
        return table, np.array(host.edges, np.int64)[first], flip

    def _degrees(self, places: int, most: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """What so many places can take, and the part's largest degrees added up."""
        host, part = self.host, self.part
        top = np.cumsum([0, *sorted(part.degrees, reverse=True)]).astype(np.int64)
        top = np.concatenate([top, np.full(host.vertices - part.vertices, top[-1])])
        kinds = set(part.degrees) | ({0} if part.vertices < host.vertices else set())
        sums = np.zeros((places + 1, most + 1), np.uint8)
        sums[0, 0] = 1
        for k in range(places):
            for degree in kinds:
                if degree <= most:
                    sums[k + 1, degree:] |= sums[k, : most + 1 - degree]
        return sums, top

    def _arcs(self) -> list[tuple[int, int]]:
        """One of the arcs that automorphisms can exchange; a leaf in it is the first of its vertex."""
        part = self.part
        self.look()
        generators = ask_igraph(igraph_of(part).automorphism_group)
        met: set[Edge] = set()
        arcs: list[Edge] = []
        first = list(range(part.vertices))
        for row in self.leaves:
            for leaf in row:
                first[leaf] = row[0]
        for edge in part.edges:
            for arc in (edge, edge[::-1]):
                if arc in met:
                    continue
                arcs.append((first[arc[0]], first[arc[1]]))
                stack = [arc]
                met.add(arc)
                while stack:
                    u, v = stack.pop()
                    for images in generators:
                        there = (images[u], images[v])
                        if there not in met:
                            met.add(there)
                            stack.append(there)
        return arcs

    def _conditions(self, core: list[int], arc: Sequence[int]) -> tuple[list[list[int]], list[list[int]]]:
        """For every vertex the core vertices that must be lower, and those that must be higher, once an arc is laid."""
        inner = {vertex: k for k, vertex in enumerate(core)}
        edges = [(inner[u], inner[v]) for u, v in self.part.edges if u in inner and v in inner]
        graph: Any = require_igraph().Graph(n=len(core), edges=edges)
        colours = [len(self.leaves[vertex]) for vertex in core]
        held = self.part.vertices
        # A leaf on the edge holds the vertex that it hangs on.
        for end in arc:
            if end in inner:
                held += 1
                colours[inner[end]] = held
        low: list[list[int]] = [[] for _ in range(self.part.vertices)]
        high: list[list[int]] = [[] for _ in range(self.part.vertices)]
        left = int(ask_igraph(graph.count_automorphisms, color=colours))
        for k in range(len(core)):
            if left == 1:
                break
            moved = orbit(k, ask_igraph(graph.automorphism_group, color=colours))
            for other in sorted(moved - {k}):
                low[core[other]].append(core[k])
                high[core[k]].append(core[other])
            left //= len(moved)
            held += 1
            colours[k] = held
        return low, high
