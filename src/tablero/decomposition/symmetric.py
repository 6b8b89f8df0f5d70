"""Decompositions with a prescribed automorphism.

A permutation of the host's vertices, the *turn*, generates a cyclic group (see `orbits`).  A decomposition that the turn
leaves as it is consists of whole orbits of copies.

Two ways lead there.  *Orbits*: list all copies, gather them into orbits, and cover the orbits of edges exactly; any problem
with copies that fit in memory.  Where they are many, one copy of each orbit is made at once (`representatives`), if the turn
allows it.  *Base*: one copy with an edge in every orbit of edges, found without listing copies
(`kernels.labelling`); where all orbits are as long as the group, as many as the part has edges, and no copy can be left as
it is by part of the group.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.cover.kernels.multicover import MulticoverSearch
from tablero.cover.kernels.multicover import Options as MultiOptions
from tablero.cover.puzzle import ExactCover
from tablero.cover.solving import search_for as cover_search
from tablero.decomposition.automorphisms import Look, no_look, number_in_complete, orbit
from tablero.decomposition.checking import Copy
from tablero.decomposition.copies import MOST_ENTRIES, flat
from tablero.decomposition.graph import Graph, ask_igraph, require_igraph
from tablero.decomposition.kernels.labelling import LabellingSearch
from tablero.decomposition.kernels.labelling import Problem as LabellingProblem
from tablero.decomposition.models import LAYING, MOST_LISTED, Model, Table, fault_of_each
from tablero.decomposition.necessary import times_bind
from tablero.decomposition.orbits import Orbits
from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.decomposition.representatives import can_be_made, number_to_make, representatives
from tablero.errors import BadInput
from tablero.search.base import Answers, Search

# All copies, orbit by orbit


@dataclass(frozen=True, eq=False)
class OrbitModel:
    """An item an orbit of edges, an option an orbit of copies."""

    puzzle: DecompositionPuzzle
    table: Table
    orbits: Orbits
    first: NDArray[np.int64]  # the copy that stands for each option
    length: NDArray[np.int64]  # how many copies the option has
    options: MultiOptions
    copies: int  # in all orbits
    by_option = True
    method = "orbits"

    @classmethod
    def of(cls, puzzle: DecompositionPuzzle, look: Look = no_look) -> OrbitModel:
        """From a list of all copies."""
        assert puzzle.symmetry is not None
        table = Table.of(puzzle, look)
        orbits = Orbits.of(puzzle.host, puzzle.symmetry)
        return cls._of(puzzle, table, orbits, *_representatives(puzzle.host, table, orbits, look))

    @classmethod
    def of_few(cls, puzzle: DecompositionPuzzle, orbits: Orbits, look: Look = no_look) -> OrbitModel:
        """From one copy of each orbit."""
        made = [representatives(puzzle.host, part.graph, orbits, look) for part in puzzle.parts]
        table = Table.of_lists([rows for rows, _ in made])
        return cls._of(puzzle, table, orbits, np.arange(len(table)), np.concatenate([length for _, length in made]))

    @classmethod
    def _of(
        cls,
        puzzle: DecompositionPuzzle,
        table: Table,
        orbits: Orbits,
        first: NDArray[np.int64],
        length: NDArray[np.int64],
    ) -> OrbitModel:
        options, kept = _orbit_options(puzzle, table, orbits, first, length)
        return cls(puzzle, table, orbits, first[kept], length[kept], options, int(length.sum()))

    def shuffled(self, seed: int) -> OrbitModel:
        """The same with options and items in another order: a search that goes another way."""
        random, start = np.random.default_rng(seed), self.options.start
        order = random.permutation(len(self.first))
        sizes = np.diff(start)[order]
        entry = np.arange(sizes.sum()) + np.repeat(start[order] - np.cumsum(sizes) + sizes, sizes)
        number = random.permutation(len(self.options.need)).astype(np.int32)
        need = np.empty_like(self.options.need)
        need[number] = self.options.need
        options = MultiOptions(
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            number[self.options.item[entry]],
            self.options.amount[entry],
            need,
        )
        return replace(self, first=self.first[order], length=self.length[order], options=options)

    @property
    def size(self) -> tuple[int, int, int]:
        return self.options.rows, len(self.options.need), len(self.options.item)

    def search(self, verb: str, *, durable: bool = False) -> Search:
        if (self.options.need > 1).any():
            return MulticoverSearch(self.options)
        items = len(self.options.need)
        cover = ExactCover.of_arrays(range(items), items, self.options.start, self.options.item)
        return cover_search(cover, verb, durable=durable)

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        out: list[Copy] = []
        for k in answer:
            if k >= 0:
                copy = self.first[k]
                edges = self.table.edge[self.table.start[copy] : self.table.start[copy + 1]]
                out += self.orbits.images(edges, int(self.length[k]), self.puzzle.host)
        return tuple(out)

    def fault(self, answers: Answers) -> str | None:
        return fault_of_each(self, self.puzzle, answers)


def _representatives(
    host: Graph, table: Table, orbits: Orbits, look: Look
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One copy of every orbit, and how long the orbit is.

    Copies are told apart by sums of random numbers for their edges, which are tested to be different.
    """
    if not len(table):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    random = np.random.default_rng(0)
    while True:
        tags = np.asarray(random.integers(1 << 63, size=len(host.edges), dtype=np.uint64))
        own = _sums(tags, table)
        if len(np.unique(own)) == len(table):
            break
    least, length = own.copy(), np.full(len(table), orbits.order)
    for k in range(orbits.order - 1, 0, -1):
        look()
        image = _sums(tags[orbits.edge_power(k, host)], table)
        length[image == own] = k
        np.minimum(least, image, out=least)
    first = np.flatnonzero(least == own)
    return first, length[first]


def _sums(tags: NDArray[np.uint64], table: Table) -> NDArray[np.uint64]:
    """The sum over each copy's edges, modulo 2⁶⁴."""
    sums: Any = np.add.reduceat(tags[table.edge], table.start[:-1])
    return np.asarray(sums, np.uint64)


def _orbit_options(
    puzzle: DecompositionPuzzle,
    table: Table,
    orbits: Orbits,
    first: NDArray[np.int64],
    length: NDArray[np.int64],
) -> tuple[MultiOptions, NDArray[np.int64]]:
    """The options that cover no edge too often, and which of the orbits of copies they are."""
    sizes = np.diff(table.start)[first]
    entry = np.arange(sizes.sum()) + np.repeat(table.start[first] - np.cumsum(sizes) + sizes, sizes)
    items = len(orbits.sizes)
    option = np.repeat(np.arange(len(first)), sizes)
    key, times = np.unique(option * items + orbits.of_edge[table.edge[entry]], return_counts=True)
    option, item = key // items, key % items
    amount = times * length[option] // orbits.sizes[item]
    need = np.full(items, puzzle.fold)
    if times_bind(puzzle):
        timed = np.array([-1 if part.times is None else part.times for part in puzzle.parts])
        number = np.where(timed >= 0, items + np.cumsum(timed >= 0) - 1, -1)
        kind = table.kind[first]
        has = np.flatnonzero(number[kind] >= 0)
        option = np.concatenate([option, has])
        item = np.concatenate([item, number[kind[has]]])
        amount = np.concatenate([amount, length[has]])
        need = np.concatenate([need, timed[timed >= 0]])
        order = np.argsort(option, kind="stable")
        option, item, amount = option[order], item[order], amount[order]
    good = np.ones(len(first), bool)
    good[option[amount > need[item]]] = False
    kept = np.flatnonzero(good)
    keep = good[option]
    start = np.concatenate([[0], np.cumsum(np.bincount(option[keep], minlength=len(first))[kept])])
    options = MultiOptions(
        start.astype(np.int64), item[keep].astype(np.int32), amount[keep].astype(np.int32), need.astype(np.int64)
    )
    return options, kept


# One base copy


@dataclass(frozen=True, eq=False)
class BaseModel:
    """One copy whose images are the decomposition."""

    puzzle: DecompositionPuzzle
    orbits: Orbits
    problem: LabellingProblem

    @classmethod
    def of(cls, puzzle: DecompositionPuzzle, look: Look = no_look) -> BaseModel:
        assert puzzle.symmetry is not None
        orbits = Orbits.of(puzzle.host, puzzle.symmetry)
        if reason := _not_by_base(puzzle, orbits):
            raise BadInput(f"no single base copy can do: {reason}")
        return cls(puzzle, orbits, _labelling(puzzle.host, puzzle.parts[0].graph, orbits, look))

    by_option = False  # an answer is the places of one copy
    method = "base"
    copies = None

    @property
    def size(self) -> tuple[int, int, int]:
        """As one row would have it: an edge in every orbit."""
        return 1, len(self.orbits.sizes), len(self.orbits.sizes)

    def search(self, verb: str, *, durable: bool = False) -> Search:
        return LabellingSearch(self.problem)

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        place, host = list(answer), self.puzzle.host
        ends = self.puzzle.parts[0].graph.edges
        edges = np.array([host.numbers[place[u], place[v]] for u, v in ends], np.int32)
        return tuple(self.orbits.images(edges, self.orbits.order, host))

    def fault(self, answers: Answers) -> str | None:
        return fault_of_each(self, self.puzzle, answers)


def _not_by_base(puzzle: DecompositionPuzzle, orbits: Orbits) -> str | None:
    """Why one base copy is not what the decompositions consist of, or None."""
    if len(puzzle.parts) > 1 or puzzle.fold > 1:
        return "it is for one part and a fold of 1"
    if (orbits.sizes != orbits.order).any():
        return f"there are orbits of {orbits.sizes.min()} edges under a group of order {orbits.order}"
    edges = len(puzzle.parts[0].graph.edges)
    if len(orbits.sizes) != edges:
        return f"there are {len(orbits.sizes)} orbits of edges, and the part has {edges} edges"
    if math.gcd(edges, orbits.order) > 1:
        # A copy that a power of the turn leaves as it is has orbits of edges of that power, all of its order.
        return f"{edges} edges and a group of order {orbits.order} allow copies that the turn leaves as they are"
    return None


def _labelling(host: Graph, part: Graph, orbits: Orbits, look: Look) -> LabellingProblem:
    """The kernel's lists.  Leaves hang on the core; the core is placed under conditions from its own automorphisms."""
    leaves: list[list[int]] = [[] for _ in range(part.vertices)]
    for vertex, degree in enumerate(part.degrees):
        neighbour = part.neighbours[vertex][0]
        if degree == 1 and part.degrees[neighbour] > 1:  # of an edge on its own neither end is a leaf
            leaves[neighbour].append(vertex)
    hanging = {leaf for row in leaves for leaf in row}
    inner = [v for v in range(part.vertices) if v not in hanging]
    core, conditions, rivals = _core_symmetry(part, inner, leaves, look)
    low: list[list[int]] = [[] for _ in range(part.vertices)]
    high: list[list[int]] = [[] for _ in range(part.vertices)]
    for lower, higher in conditions:
        low[higher].append(lower)
        high[lower].append(higher)
    numbers = host.numbers
    roots = np.zeros(host.vertices, np.uint8)
    roots[np.unique(orbits.power.min(axis=0))] = 1
    return LabellingProblem(
        np.where(numbers >= 0, orbits.of_edge[numbers], -1).astype(np.int32),
        numbers,
        orbits.power,
        roots,
        *flat([list(row) for row in part.neighbours]),
        *flat(low),
        *flat(high),
        *flat(leaves),
        np.array(core, np.int64),
        np.array(rivals, np.int64),
        np.array(part.edges, np.int64),
    )


def _core_symmetry(
    part: Graph, core: list[int], leaves: list[list[int]], look: Look
) -> tuple[list[int], list[tuple[int, int]], list[int]]:
    """The core in an order to place it, conditions that outweigh its automorphisms, and the first vertex's rivals."""
    inner = {vertex: k for k, vertex in enumerate(core)}
    edges = [(inner[u], inner[v]) for u, v in part.edges if u in inner and v in inner]
    graph = require_igraph().Graph(n=len(core), edges=edges)
    colours = [len(leaves[vertex]) for vertex in core]
    group = ask_igraph(graph.automorphism_group, color=colours)
    # The first vertex goes to one place an orbit, which no condition sees: the fewer can take its place the better.
    first = min(range(len(core)), key=lambda k: (len(orbit(k, group)), -part.degrees[core[k]], k))
    rivals = [core[k] for k in sorted(orbit(first, group))]
    conditions = []
    held = len(leaves) + 1
    colours[first] = held
    left = int(ask_igraph(graph.count_automorphisms, color=colours))
    for k in range(len(core)):
        if left == 1:
            break
        look()
        moved = orbit(k, ask_igraph(graph.automorphism_group, color=colours))
        conditions += [(core[k], core[other]) for other in sorted(moved) if other != k]
        left //= len(moved)
        held += 1
        colours[k] = held
    return [core[first], *(vertex for vertex in core if vertex != core[first])], conditions, rivals


_FEW = 1_000_000  # copies that are made for the sake of one of each orbit, where another way does as well


def symmetric_model(puzzle: DecompositionPuzzle, method: str = "auto", look: Look = no_look) -> Model:
    """All copies by orbits; where they are many, a base copy, one copy of each orbit, or base copies laid."""
    from tablero.decomposition.laying import LayingModel, kind_of, not_by_laying

    assert puzzle.symmetry is not None
    if method == "base":
        return BaseModel.of(puzzle, look)
    if method == LAYING:
        return LayingModel.of(puzzle, puzzle.symmetry, look=look)
    if not _are_many(puzzle):
        return OrbitModel.of(puzzle, look)
    orbits, part = Orbits.of(puzzle.host, puzzle.symmetry), puzzle.parts[0].graph
    reason = _not_by_base(puzzle, orbits)
    if method == "auto" and reason is None:
        return BaseModel.of(puzzle, look)
    are_few = all(can_be_made(part.graph, orbits) for part in puzzle.parts)
    is_laid = method == "auto" and not_by_laying(puzzle) is None and kind_of(puzzle, orbits) is not None
    if is_laid and (
        not are_few or part.vertices == puzzle.host.vertices or number_to_make(puzzle.host, part, orbits) > _FEW
    ):
        return LayingModel.of(puzzle, puzzle.symmetry, look=look)
    if are_few:
        return OrbitModel.of_few(puzzle, orbits, look)
    if puzzle.host.is_complete and _are_many(puzzle, MOST_ENTRIES // len(part.edges)):
        raise BadInput(f"too many copies to list, and no base copies can do: {reason}")
    return OrbitModel.of(puzzle, look)


def _are_many(puzzle: DecompositionPuzzle, most: int = MOST_LISTED) -> bool:
    n = puzzle.host.vertices
    return any(number_in_complete(n, part.graph) > most for part in puzzle.parts)
