"""Decompositions with a prescribed automorphism.

A permutation of the host's vertices, the *turn*, generates a cyclic group.  A decomposition that the turn leaves as it is
consists of whole orbits of copies.

    cyclic      one cycle of all n vertices where n is odd; of n − 1, and a vertex that stays, where n is even
    bicyclic    two cycles of n/2 vertices
    K           a number: as many cycles of K vertices as there is room for; the vertices left over stay.
                So cyclic is n or n − 1, and bicyclic is n/2
    (0 1 2)(3 4 5)   any permutation, by its cycles

Two ways lead there.  *Orbits*: list all copies, gather them into orbits, and cover the orbits of edges exactly; any problem
with copies that fit in memory.  *Base*: one copy with an edge in every orbit of edges, found without listing copies
(`kernels.labelling`); where all orbits are as long as the group, as many as the part has edges, and no copy can be left as
it is by part of the group.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.cover.kernels.multicover import MulticoverSearch
from tablero.puzzles.cover.kernels.multicover import Options as MultiOptions
from tablero.puzzles.cover.puzzle import ExactCover
from tablero.puzzles.cover.solve import search_for as cover_search
from tablero.puzzles.decomposition.automorphisms import Look, no_look, number_in_complete, orbit
from tablero.puzzles.decomposition.check import Copy
from tablero.puzzles.decomposition.copies import MOST_ENTRIES, flat, told_number
from tablero.puzzles.decomposition.graph import Graph, Label, ask_igraph, require_igraph
from tablero.puzzles.decomposition.kernels.labelling import LabellingSearch
from tablero.puzzles.decomposition.kernels.labelling import Problem as LabellingProblem
from tablero.puzzles.decomposition.models import Model, Table, fault_of_each
from tablero.puzzles.decomposition.necessary import times_bind
from tablero.puzzles.decomposition.puzzle import DecompositionPuzzle
from tablero.search.base import Answers, Search

MOST_LISTED = 200_000  # copies up to which they are listed where a base copy would do as well

Turn = tuple[int, ...]


# The turn


def permutation_of(given: str | Mapping[Label, Label], host: Graph) -> Turn:
    """The turn from a word or a mapping; it must keep the host, and move something."""
    n = host.vertices
    if isinstance(given, Mapping):
        turn = _of_mapping(given, host)
    elif given == "cyclic":
        turn = _cycles(n, n if n % 2 else n - 1)
    elif given == "bicyclic":
        if n % 2:
            raise BadInput(f"bicyclic: {host} has {n} vertices, expected an even number")
        turn = _cycles(n, n // 2)
    elif re.fullmatch(r"\d{1,9}", given):
        if not 2 <= int(given) <= n:
            raise BadInput(f"a symmetry of order {given}: expected 2 to {n}")
        turn = _cycles(n, int(given))
    elif given.startswith("("):
        turn = _of_cycles(given, host)
    else:
        raise BadInput(f"the symmetry {given!r}: expected cyclic, bicyclic, an order or cycles as (0 1 2)(3 4 5)")
    if turn == tuple(range(n)):
        raise BadInput(f"the symmetry {given!r} moves no vertex of {host}")
    edges = set(host.edges)
    for u, v in host.edges:
        image = (min(turn[u], turn[v]), max(turn[u], turn[v]))
        if image not in edges:
            raise BadInput(
                f"the symmetry takes the edge {'-'.join(map(str, host.named((u, v))))} to "
                f"{'-'.join(map(str, host.named(image)))}, which is no edge of {host}"
            )
    return turn


def _cycles(n: int, length: int) -> Turn:
    """Cycles of that many vertices, one after another; those left over stay."""
    whole = n - n % length
    return tuple(v // length * length + (v + 1) % length if v < whole else v for v in range(n))


def _of_mapping(given: Mapping[Label, Label], host: Graph) -> Turn:
    number = {label: k for k, label in enumerate(host.labels)}
    for label in [*given.keys(), *given.values()]:
        if label not in number:
            raise BadInput(f"the symmetry moves {label!r}, which is no vertex of {host}")
    turn = tuple(number[given.get(label, label)] for label in host.labels)
    if len(set(turn)) < len(turn):
        raise BadInput("the symmetry takes two vertices to one: expected a permutation")
    return turn


def _of_cycles(text: str, host: Graph) -> Turn:
    if not re.fullmatch(r"(\s*\([^()]*\)\s*)+", text):
        raise BadInput(f"the symmetry {text!r}: expected cycles as (0 1 2)(3 4 5)")
    names = {str(label): label for label in host.labels}
    image: dict[Label, Label] = {}
    for body in re.findall(r"\(([^()]*)\)", text):
        words = body.replace(",", " ").split()
        for word in words:
            if word not in names:
                raise BadInput(f"the symmetry {text!r}: {word!r} is no vertex of {host}")
        for word, after in zip(words, words[1:] + words[:1], strict=True):
            if names[word] in image:
                raise BadInput(f"the symmetry {text!r}: the vertex {word} occurs twice")
            image[names[word]] = names[after]
    return _of_mapping(image, host)


@dataclass(frozen=True, eq=False)
class Orbits:
    """The group of a turn, and what it does to the host's edges."""

    power: NDArray[np.int32]  # group × vertices
    of_edge: NDArray[np.int32]  # the orbit of each edge
    sizes: NDArray[np.int64]  # edges in each orbit

    @classmethod
    def of(cls, host: Graph, turn: Turn) -> Orbits:
        order = order_of_turn(turn)
        if order * host.vertices > MOST_ENTRIES:
            raise BadInput(f"the symmetry makes a group of {told_number(order)} permutations: too many to list")
        power = np.empty((order, host.vertices), np.int32)
        power[0] = np.arange(host.vertices)
        for k in range(1, order):
            power[k] = np.array(turn, np.int32)[power[k - 1]]
        # The least edge that each can be taken to: first by one step, then by two, four, …
        least, reached = np.arange(len(host.edges), dtype=np.int32), 1
        while reached < order:
            least = np.minimum(least, least[_moved(host, power[reached % order])])
            reached *= 2
        _, of_edge = np.unique(least, return_inverse=True)
        return cls(power, of_edge.astype(np.int32), np.bincount(of_edge))

    @property
    def order(self) -> int:
        return len(self.power)

    def edge_power(self, k: int, host: Graph) -> NDArray[np.int32]:
        """Where the k-th power of the turn takes each edge."""
        return _moved(host, self.power[k])

    def images(self, edges: NDArray[np.int32], count: int, host: Graph) -> list[Copy]:
        """A copy under the first powers of the turn."""
        ends = np.array([host.edges[e] for e in edges.tolist()])
        moved = host.numbers[self.power[:count, ends[:, 0]], self.power[:count, ends[:, 1]]]
        return [tuple(host.edges[e] for e in row) for row in np.sort(moved, axis=1).tolist()]


def order_of_turn(turn: Turn) -> int:
    """How many powers a permutation has."""
    seen, order = [False] * len(turn), 1
    for first in range(len(turn)):
        length, here = 0, first
        while not seen[here]:
            seen[here] = True
            here, length = turn[here], length + 1
        order = math.lcm(order, length or 1)
    return order


def _moved(host: Graph, images: NDArray[np.int32]) -> NDArray[np.int32]:
    """Where a permutation of the vertices takes each edge."""
    ends = np.array(host.edges)
    moved: NDArray[np.int32] = host.numbers[images[ends[:, 0]], images[ends[:, 1]]]
    return moved


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
    by_option = True

    @classmethod
    def of(cls, puzzle: DecompositionPuzzle, look: Look = no_look) -> OrbitModel:
        assert puzzle.symmetry is not None
        table = Table.of(puzzle, look)
        orbits = Orbits.of(puzzle.host, puzzle.symmetry)
        first, length = _representatives(puzzle.host, table, orbits, look)
        options, kept = _orbit_options(puzzle, table, orbits, first, length)
        return cls(puzzle, table, orbits, first[kept], length[kept], options)

    @property
    def copies(self) -> int:
        return len(self.table)

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


def symmetric_model(puzzle: DecompositionPuzzle, method: str = "auto", look: Look = no_look) -> Model:
    """A base copy where that is possible and the copies are many; else all copies by orbits."""
    assert puzzle.symmetry is not None
    if method == "base":
        return BaseModel.of(puzzle, look)
    if method == "auto" and _are_many(puzzle):
        reason = _not_by_base(puzzle, Orbits.of(puzzle.host, puzzle.symmetry))
        if reason is None:
            return BaseModel.of(puzzle, look)
        if _are_many(puzzle, MOST_ENTRIES // len(puzzle.parts[0].graph.edges)) and puzzle.host.is_complete:
            raise BadInput(f"too many copies to list, and no single base copy can do: {reason}")
    return OrbitModel.of(puzzle, look)


def _are_many(puzzle: DecompositionPuzzle, most: int = MOST_LISTED) -> bool:
    n = puzzle.host.vertices
    return any(number_in_complete(n, part.graph) > most for part in puzzle.parts)
