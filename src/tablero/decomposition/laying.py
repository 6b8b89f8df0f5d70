"""Models without a list of copies: an answer has the places of the part's vertices, copy after copy.

    laying      copies are placed one after another, each made when it is tried (`kernels.laying`).  The kernel gets the
                part's arcs, and conditions that remove the symmetry of the automorphisms that fix an arc
    annealing   all copies are placed at random, and exchange vertices until every edge is covered (`kernels.anneal`).
                This finds first decompositions where laying meets dead ends, and proves nothing

With a symmetry, base copies are placed, and the cyclic group generates the other copies: the kernels get the orbits of
edges.  Two kinds of groups can be used:

    full        every orbit of edges is as long as the group, and so is every orbit of copies.  With n/2 copies of a tree on
                the n vertices of a complete graph, the order of the group must be odd: a power of order two reverses some
                edge, and maps the copy that contains it to itself
    mirrored    the group has an even order and moves every vertex.  Its element of order two joins every vertex with
                another one, by a *diameter*; each copy contains one diameter, and is its own mirror image.  Half of the
                copy is placed, the twins follow
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.decomposition.automorphisms import Core, Look, centres, is_tree, mirrored, no_look
from tablero.decomposition.copies import Orbits, flat
from tablero.decomposition.graph import Copy, Edge, Graph, Turn, ask_igraph, igraph_of, turn_of_cycles
from tablero.decomposition.kernels import anneal, laying
from tablero.decomposition.models import Model
from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.errors import BadInput
from tablero.search.base import Search

MOST_CHILDREN = 130_000_000  # size limit of the array of children, in numbers of four bytes
SEEDS = 64  # default number of independent annealing searches


@dataclass(frozen=True, eq=False)
class PlacedModel(Model):
    """A model whose answers are places of copies, or with a symmetry of base copies."""

    orbits: Orbits | None  # None: every edge is its own

    @property
    def turn_order(self) -> int:
        return 1 if self.orbits is None else self.orbits.order

    @property
    def images(self) -> int:
        """How many copies a base copy generates."""
        return self.turn_order

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        host, part = self.puzzle.host, self.puzzle.parts[0].graph
        out: list[Copy] = []
        places = list(answer)
        for first in range(0, len(places), part.vertices):
            place = places[first : first + part.vertices]
            laid = [(place[u], place[v]) for u, v in part.edges if place[u] >= 0 and place[v] >= 0]
            edges = sorted(int(host.numbers[u, v]) for u, v in laid)
            if not edges:  # the decomposition is not complete yet
                continue
            if self.orbits is None:
                out.append(tuple(host.edges[e] for e in edges))
            else:
                out += self.orbits.images(edges, self.images, host)
        return tuple(out)


def not_by_laying(puzzle: DecompositionPuzzle) -> str | None:
    """Why copies cannot be placed one after another, or None."""
    if len(puzzle.parts) > 1 or puzzle.fold > 1 or puzzle.perfect:
        return "it is for one part and a fold of 1"
    part, host = puzzle.parts[0].graph, puzzle.host
    if part.vertices < 3:
        return "an edge needs no search"
    if len(host.edges) * max(2 * host.vertices, 2 * len(part.edges)) > MOST_CHILDREN:
        return f"{host} is too large, with {len(host.edges):,} edges"
    return None


def kind_of(puzzle: DecompositionPuzzle, orbits: Orbits) -> str | None:
    """The kind of the group, "full" or "mirrored", if base copies can be placed under it, or None."""
    if _not_full(puzzle, orbits) is None:
        return "full"
    part, host = puzzle.parts[0].graph, puzzle.host
    spanning = host.is_complete and is_tree(part) and part.vertices == host.vertices
    return "mirrored" if orbits.order % 2 == 0 and orbits.move_all and spanning and mirrored(part) else None


def _short_orbits(orbits: Orbits) -> str | None:
    """A message if orbits of edges are shorter than the group, or None."""
    if (orbits.sizes == orbits.order).all():
        return None
    return f"there are orbits of {orbits.sizes.min()} edges under a group of order {orbits.order}"


def _not_full(puzzle: DecompositionPuzzle, orbits: Orbits) -> str | None:
    """Why base copies with full orbits cannot cover all edges, or None."""
    edges = len(puzzle.parts[0].graph.edges)
    odd = f"there are {len(orbits.sizes)} orbits of edges, and the part has {edges} edges"
    return _short_orbits(orbits) or (odd if len(orbits.sizes) % edges else None)


def not_by_base(puzzle: DecompositionPuzzle, orbits: Orbits) -> str | None:
    """Why the decompositions do not consist of the images of one base copy, or None."""
    if len(puzzle.parts) > 1 or puzzle.fold > 1:
        return "it is for one part and a fold of 1"
    edges = len(puzzle.parts[0].graph.edges)
    if short := _short_orbits(orbits):
        return short
    if len(orbits.sizes) != edges:
        return f"there are {len(orbits.sizes)} orbits of edges, and the part has {edges} edges"
    if math.gcd(edges, orbits.order) > 1:
        # The edges of a copy that is invariant under a power of the turn are full orbits of this power.
        return f"{edges} edges and a group of order {orbits.order} allow copies that are invariant under the symmetry"
    return None


def odd_turn(n: int) -> Turn | None:
    """Cycles of the largest odd length that divides n: all orbits of edges of a complete graph are then full."""
    length = n // (n & -n)
    return None if length == 1 else turn_of_cycles(n, length)


def _orbit_table(host: Graph, of_edge: NDArray[Any], none: int) -> NDArray[np.int32]:
    """The orbit of the edge between every two vertices, `none` if there is no edge."""
    return np.where(host.numbers >= 0, of_edge[host.numbers], none).astype(np.int32)


def _classes(
    host: Graph, orbits: Orbits | None, given: Sequence[Copy] = (), images: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The class of every vertex, the size of each class, and how many edge ends base copies must cover in it.

    `images` is the number of images of a base copy, by default the order of the group.
    """
    degrees = np.array(host.degrees, np.int64)
    for copy in given:
        for edge in copy:
            degrees[list(edge)] -= 1
    if orbits is None:
        return np.arange(len(degrees)), np.ones(len(degrees), np.int64), degrees
    _, first, group = np.unique(orbits.first, return_index=True, return_inverse=True)
    size = np.bincount(group)
    return group.astype(np.int64), size, degrees[first] * size // (images or orbits.order)


# Annealing


@dataclass(frozen=True, eq=False)
class AnnealModel(PlacedModel):
    """All copies are placed at once and exchange vertices."""

    problem: anneal.Problem
    seeds: tuple[int, ...]
    method = "anneal"

    @classmethod
    def of(
        cls, puzzle: DecompositionPuzzle, turn: Turn | None = None, *, seeds: Iterable[int] = range(SEEDS)
    ) -> AnnealModel:
        if reason := not_by_laying(puzzle):
            raise BadInput(f"copies cannot be annealed: {reason}")
        host, part = puzzle.host, puzzle.parts[0].graph
        orbits = None if turn is None else Orbits.of(host, turn)
        if orbits is not None and (reason := _not_full(puzzle, orbits)):
            raise BadInput(f"base copies cannot be annealed: {reason}")
        of_edge = np.arange(len(host.edges), dtype=np.int32) if orbits is None else orbits.of_edge
        unused: list[tuple[int, ...]] = [()] * (host.vertices - part.vertices)
        group, _, wanted = _classes(host, orbits)
        if part.vertices < host.vertices:
            # Moving a vertex to an unused place would change the excess much; a single class has no excess.
            group, wanted = np.zeros_like(group), wanted.sum(keepdims=True)
        arrays = (_orbit_table(host, of_edge, of_edge.max() + 1), *flat([*part.neighbours, *unused]), group, wanted)
        return cls(puzzle, orbits, anneal.Problem(*(array.astype(np.int32) for array in arrays)), tuple(seeds))

    @property
    def size(self) -> tuple[int, int, int]:
        """The number of copies to place, of orbits of edges, and of edges of these copies."""
        orbits = int(self.problem.orbit.max())
        return orbits // len(self.puzzle.parts[0].graph.edges), orbits, orbits

    def search(self, verb: str, *, durable: bool = False) -> anneal.CopiesAnneal:
        return anneal.CopiesAnneal(self.seeds, self.problem, self.puzzle.parts[0].graph.vertices)


# Laying


@dataclass(frozen=True, eq=False)
class LayingModel(PlacedModel):
    """Copies are placed one after another."""

    problem: laying.Problem
    given: tuple[Copy, ...] = ()  # placed before the search
    mirrored: bool = False
    method = "laying"

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
        if reason := not_by_laying(puzzle):
            raise BadInput(f"copies cannot be laid one after another: {reason}")
        orbits = None if turn is None else Orbits.of(puzzle.host, turn)
        kind = None if orbits is None else kind_of(puzzle, orbits)
        if orbits is not None and kind is None:
            raise BadInput(f"base copies cannot be laid: {_not_full(puzzle, orbits)}")
        problem = _laying(puzzle.host, puzzle.parts[0].graph, orbits, given, seed, look, kind == "mirrored")
        return cls(puzzle, orbits, problem, tuple(given), kind == "mirrored")

    @property
    def images(self) -> int:
        return self.turn_order // 2 if self.mirrored else self.turn_order

    @property
    def proves(self) -> bool:
        """Whether every decomposition consists of copies with full orbits."""
        return self.mirrored or math.gcd(len(self.puzzle.parts[0].graph.edges), self.turn_order) == 1

    @property
    def size(self) -> tuple[int, int, int]:
        """The number of copies to place, of orbits of edges, and of edges of these copies."""
        copies = int(self.problem.shape[0])
        return copies, len(self.problem.covered), copies * len(self.puzzle.parts[0].graph.edges)

    def search(self, verb: str, *, durable: bool = False) -> Search:
        return laying.LayingSearch(self.problem, proves=self.proves)

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        return self.given + super().parts(answer)


def _laying(
    host: Graph,
    part: Graph,
    orbits: Orbits | None,
    given: Sequence[Copy],
    seed: int,
    look: Look,
    mirror: bool,
) -> laying.Problem:
    """The input arrays of the kernel."""
    pairs = mirrored(part) if mirror else []
    half = [one for one, _ in pairs]
    core = Core.of(part, half or None)
    twin = list(range(part.vertices))
    for one, other in pairs:
        twin[one], twin[other] = other, one
    for one, other in pairs:  # in the same order, so that the twin of the next leaf is the next leaf of the twin
        core.leaves[other][:] = [twin[leaf] for leaf in core.leaves[one]]
    arcs = [tuple(centres(part))] if mirror else _arcs(part, core.leaves, look)
    low: list[list[int]] = []
    high: list[list[int]] = []
    for arc in arcs:
        lower, higher = core.conditions(arc, look)
        low += lower
        high += higher
    # Short orbits come first; without a group, every edge is its own orbit.
    number, ends = host.numbers, np.array(host.edges, np.int64)
    order, images, flip = 1, 1, np.arange(host.vertices, dtype=np.int64)
    if orbits is not None:
        rank = np.argsort(np.argsort(orbits.sizes, kind="stable"), kind="stable")
        of_edge = rank[orbits.of_edge]
        number, ends = _orbit_table(host, of_edge, -1), ends[np.unique(of_edge, return_index=True)[1]]
        order = orbits.order
        images = order // 2 if mirror else order
        flip = orbits.power[order // 2].astype(np.int64) if mirror else flip
    covered = np.zeros(len(ends), np.uint8)
    for u, v in (edge for copy in given for edge in copy):
        covered[number[u, v]] = 1
    copies = (len(host.edges) - len(given) * len(part.edges)) // (images * len(part.edges))
    group, size, left = _classes(host, orbits, given, images)
    sums, top = _degrees(host, part, int(copies * size.max()), int(left.max()))
    tried = np.random.default_rng(seed).permutation(host.vertices) if seed else np.arange(host.vertices)
    spanning, alike = part.vertices == host.vertices, size.min() == size.max()
    shape = [copies, (part.vertices - 2) // (2 if mirror else 1), int(spanning), int(orbits is None), int(alike)]
    return laying.Problem(
        number,
        ends,
        flip,
        tried.astype(np.int64),
        np.array(part.degrees, np.int64),
        np.array(twin, np.int64),
        *flat(part.neighbours),
        *flat(core.leaves),
        np.array(core.vertices, np.int64),
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


def _degrees(host: Graph, part: Graph, places: int, most: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Which sums of degrees are possible on so many places, and the sums of the part's largest degrees."""
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


def _arcs(part: Graph, leaves: Sequence[Sequence[int]], look: Look) -> list[tuple[int, int]]:
    """One arc of each orbit of arcs under the automorphisms; a leaf in it is the first leaf of its vertex."""
    look()
    generators = ask_igraph(igraph_of(part).automorphism_group)
    first = {leaf: row[0] for row in leaves for leaf in row}
    met: set[Edge] = set()
    arcs: list[Edge] = []
    for edge in part.edges:
        for arc in (edge, edge[::-1]):
            if arc in met:
                continue
            arcs.append((first.get(arc[0], arc[0]), first.get(arc[1], arc[1])))
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
