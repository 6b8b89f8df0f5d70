"""Models of a decomposition as an exact cover or a multicover, with the way back from its answers.

    plain     items are edges, options are copies: an exact cover
    counted   the same for a fold above 1, or for a part with a number of copies that does not follow from the number of
              edges: a multicover, with an additional item for every such part
    perfect   an exact cover with a secondary item for every two matchings whose union is not a Hamilton cycle
    orbits    items are orbits of edges, options are orbits of copies, for decompositions with a given symmetry: these
              consist of whole orbits of copies.  Made from a list of all copies, or from one copy of each orbit
Models without a list of copies are in `laying`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.cover.kernels.multicover import MulticoverSearch
from tablero.cover.kernels.multicover import Options as MultiOptions
from tablero.cover.kernels.search import CoverSearch, Options, default_kernel
from tablero.cover.puzzle import ExactCover
from tablero.cover.solving import search_for as cover_search
from tablero.decomposition.automorphisms import Look, no_look
from tablero.decomposition.checking import Checker
from tablero.decomposition.copies import Copies, Orbits, copies, placements, representatives
from tablero.decomposition.graph import Copy, Graph
from tablero.decomposition.necessary import times_bind
from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.errors import BadInput
from tablero.search.base import Answers, Search

_MANY = 50  # answers from which they are checked together


@dataclass(frozen=True, eq=False)
class Model:
    """A problem prepared for a search, and the way back from its answers."""

    puzzle: DecompositionPuzzle

    method: ClassVar[str]  # the method's name
    by_option: ClassVar[bool] = False  # whether an answer is a row of options, each with its own copies

    @property
    def copies(self) -> int | None:
        """The number of copies in the host, or None if they were not listed."""
        return None

    @property
    def listed(self) -> Table | None:
        """The list of copies, or None."""
        return None

    @property
    def turn_order(self) -> int:
        """The order of the group under which base copies are placed; 1 without a group."""
        return 1

    @property
    def size(self) -> tuple[int, int, int]:
        """The number of rows, columns and ones of the matrix."""
        raise NotImplementedError

    def search(self, verb: str, *, durable: bool = False) -> Search:
        raise NotImplementedError

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        """The copies of an answer, each a sorted tuple of edges."""
        raise NotImplementedError

    def fault(self, answers: Answers) -> str | None:
        """What is wrong with the first faulty answer, or a message if two answers are the same, or None."""
        checker, seen = Checker(self.puzzle), set()
        for row in answers.tolist():
            parts = self.parts(row)
            if wrong := checker.fault(parts):
                return wrong
            seen.add(tuple(sorted(parts)))
        return "the same decomposition was found twice" if len(seen) < len(answers) else None


@dataclass(frozen=True, eq=False)
class Table:
    """The copies of all parts, one after another; `kind` is the part of each."""

    start: NDArray[np.int64]
    edge: NDArray[np.int32]
    kind: NDArray[np.int32]
    placements: int | None = None  # under the given conditions
    compared: bool = False  # whether the given conditions were compared with all copies
    _made: dict[int, Copy] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, puzzle: DecompositionPuzzle, look: Look = no_look) -> Table:
        lists = [copies(puzzle.host, part.graph, look) for part in puzzle.parts]
        placed = None
        if puzzle.conditions is not None:
            placed = placements(puzzle.host, puzzle.parts[0].graph, lists[0], puzzle.conditions, look)
        return replace(cls.of_lists(lists), placements=placed, compared=puzzle.conditions is not None)

    @classmethod
    def of_lists(cls, lists: Sequence[Copies]) -> Table:
        """A table from the copies of each part."""
        lengths = np.repeat([rows.shape[1] for rows in lists], [len(rows) for rows in lists])
        return cls(
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            lists[0].ravel() if len(lists) == 1 else np.concatenate([rows.ravel() for rows in lists]),
            np.repeat(np.arange(len(lists), dtype=np.int32), [len(rows) for rows in lists]),
        )

    def __len__(self) -> int:
        return len(self.kind)

    def copy(self, k: int, host: Graph) -> Copy:
        """Copy k as a tuple of edges, made once: millions of answers share few copies."""
        if k not in self._made:
            edges = sorted(self.edge[self.start[k] : self.start[k + 1]].tolist())
            self._made[k] = tuple(host.edges[e] for e in edges)
        return self._made[k]


class _LargeCover(CoverSearch):
    """A cover with tables that take long to make: the kernel is compiled with a small problem."""

    def warm(self) -> None:
        tiny = Options(np.arange(2), np.zeros(1, np.int32), np.zeros(1, np.int32), 1, 1)
        CoverSearch(tiny, self.kernel).warm()


@dataclass(frozen=True, eq=False)
class ListedModel(Model):
    """A model whose options are copies."""

    table: Table
    by_option = True
    method = "matrix"

    @property
    def listed(self) -> Table:
        return self.table

    @property
    def copies(self) -> int:
        return len(self.table)

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        return tuple(self.table.copy(k, self.puzzle.host) for k in answer if k >= 0)


@dataclass(frozen=True, eq=False)
class CoverModel(ListedModel):
    """Plain and perfect decompositions: an exact cover."""

    cover: ExactCover
    seconds: float = 0.0  # the time to read and make it, if it was made while a file was read

    @classmethod
    def of(cls, puzzle: DecompositionPuzzle, look: Look = no_look) -> CoverModel:
        table = Table.of(puzzle, look)
        items = [puzzle.host.text([edge]) for edge in puzzle.host.edges]
        if not puzzle.perfect:
            return cls(puzzle, table, ExactCover.of_arrays(items, len(items), table.start, table.edge))
        rivals = _no_hamilton_cycle(puzzle.host, table, look)
        options = [table.edge[table.start[k] : table.start[k + 1]].tolist() for k in range(len(table))]
        for pair, (k, j) in enumerate(rivals):
            options[k].append(len(items) + pair)
            options[j].append(len(items) + pair)
        start = np.cumsum([0, *map(len, options)]).astype(np.int64)
        entries = np.array([item for option in options for item in option], np.int32)
        names = [*items, *(f"{k}/{j}" for k, j in rivals)]
        return cls(puzzle, table, ExactCover.of_arrays(names, len(items), start, entries))

    @property
    def size(self) -> tuple[int, int, int]:
        return len(self.cover), len(self.cover.items), len(self.cover.table.item)

    def search(self, verb: str, *, durable: bool = False) -> Search:
        if default_kernel(self.cover.table) == "sparse":
            return _LargeCover(self.cover.table, "sparse")
        # The pairs of a perfect decomposition are too many for the keys of a memo.
        kernel = "bits" if self.puzzle.perfect else "auto"
        return cover_search(self.cover, verb, kernel, durable=durable)

    def fault(self, answers: Answers) -> str | None:
        if len(answers) < _MANY or self.puzzle.perfect:
            return super().fault(answers)
        used = np.unique(answers)
        chosen = {k: self.table.copy(k, self.puzzle.host) for k in used[used >= 0].tolist()}
        return Checker(self.puzzle).fault_of_many(chosen, answers)


@dataclass(frozen=True, eq=False)
class CountedModel(ListedModel):
    """A multicover."""

    options: MultiOptions

    @classmethod
    def of(cls, puzzle: DecompositionPuzzle, look: Look = no_look) -> CountedModel:
        table = Table.of(puzzle, look)
        return cls(puzzle, table, _counted_options(puzzle, table))

    @property
    def size(self) -> tuple[int, int, int]:
        return self.options.rows, len(self.options.need), len(self.options.item)

    def search(self, verb: str, *, durable: bool = False) -> Search:
        return MulticoverSearch(self.options)


def _counted_options(puzzle: DecompositionPuzzle, table: Table) -> MultiOptions:
    """All copies, with an additional item if the part has a number of copies."""
    edges = len(puzzle.host.edges)
    timed = [k for k, part in enumerate(puzzle.parts) if part.times is not None]
    need = np.array([puzzle.fold] * edges + [puzzle.parts[k].times for k in timed], np.int64)
    extra = np.full(len(puzzle.parts), -1)
    extra[timed] = np.arange(edges, edges + len(timed))
    more = extra[table.kind]
    # Insert the additional item after the last edge of its copy.
    has = more >= 0
    item = np.insert(table.edge, table.start[1:][has], more[has]).astype(np.int32)
    start = table.start + np.concatenate([[0], np.cumsum(has)])
    return MultiOptions(start, item, np.ones(len(item), np.int32), need)


def _no_hamilton_cycle(host: Graph, table: Table, look: Look) -> list[tuple[int, int]]:
    """The pairs of disjoint perfect matchings whose union has several cycles."""
    partner = np.empty((len(table), host.vertices), np.int64)
    ends = np.array(host.edges)[table.edge.reshape(len(table), -1)]
    rows = np.arange(len(table))[:, None]
    partner[rows, ends[:, :, 0]] = ends[:, :, 1]
    partner[rows, ends[:, :, 1]] = ends[:, :, 0]
    if len(table) > 20_000:
        raise BadInput(
            f"{host} has {len(table):,} perfect matchings: expected at most 20,000 for a perfect decomposition"
        )
    pairs = []
    for k in range(len(table)):
        look()
        others = partner[k + 1 :]
        apart = (others != partner[k]).all(axis=1)
        # Walk from vertex 0 with edges of both matchings in turn, back to vertex 0.
        here, steps, home = (
            np.zeros(len(others), np.int64),
            np.zeros(len(others), np.int64),
            np.zeros(len(others), bool),
        )
        for _ in range(host.vertices // 2):
            here = others[np.arange(len(others)), partner[k][here]]
            steps += ~home
            home |= here == 0
        pairs += [(k, k + 1 + int(j)) for j in np.flatnonzero(apart & (steps < host.vertices // 2))]
    return pairs


@dataclass(frozen=True, eq=False)
class OrbitModel(CountedModel):
    """Orbits of copies: an exact cover, or a multicover."""

    orbits: Orbits
    first: NDArray[np.int64]  # the copy that represents each option
    length: NDArray[np.int64]  # how many copies the option has
    in_orbits: int  # copies in all orbits
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
        return cls(puzzle, table, options, orbits, first[kept], length[kept], int(length.sum()))

    @property
    def copies(self) -> int:
        return self.in_orbits

    def shuffled(self, seed: int) -> OrbitModel:
        """The same with options and items in another order, so that the search takes another path."""
        random, start = np.random.default_rng(seed), self.options.start
        order = random.permutation(len(self.first))
        sizes, entry = _entries(start, order)
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

    def search(self, verb: str, *, durable: bool = False) -> Search:
        if (self.options.need > 1).any():
            return super().search(verb, durable=durable)
        items = len(self.options.need)
        cover = ExactCover.of_arrays(range(items), items, self.options.start, self.options.item)
        return cover_search(cover, verb, durable=durable)

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        out: list[Copy] = []
        for k in answer:
            if k >= 0:
                copy = self.first[k]
                edges = self.table.edge[self.table.start[copy] : self.table.start[copy + 1]]
                out += self.orbits.images(edges.tolist(), int(self.length[k]), self.puzzle.host)
        return tuple(out)


def _entries(start: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The number of entries of each row, and the positions of all entries, row after row."""
    sizes = np.diff(start)[rows]
    return sizes, np.arange(sizes.sum()) + np.repeat(start[rows] - np.cumsum(sizes) + sizes, sizes)


def _representatives(
    host: Graph, table: Table, orbits: Orbits, look: Look
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One copy of every orbit, and the length of the orbit.

    Copies are identified by sums of random numbers of their edges; the sums are checked to be different.
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
    """The options that cover no edge too often, and the numbers of their orbits of copies."""
    sizes, entry = _entries(table.start, first)
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
