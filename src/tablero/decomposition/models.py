"""A problem of decompositions as options over items, and back.

    plain     an item an edge, an option a copy: an exact cover
    counted   the same where an edge is in several copies, or a part has a number of times that the edges do not settle:
              a multicover, with an item for every such part
    perfect   an exact cover with a secondary item for every two matchings that do not make a Hamilton cycle together
The models of symmetric decompositions are in `symmetric`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tablero.cover.kernels.multicover import MulticoverSearch
from tablero.cover.kernels.multicover import Options as MultiOptions
from tablero.cover.kernels.search import CoverSearch, Options, default_kernel
from tablero.cover.puzzle import ExactCover
from tablero.cover.solving import search_for as cover_search
from tablero.decomposition.automorphisms import Look, no_look
from tablero.decomposition.checking import Checker, Copy
from tablero.decomposition.copies import Copies, TooManyCopies, are_more, copies, placements
from tablero.decomposition.graph import Edge, Graph
from tablero.decomposition.necessary import times_bind
from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.errors import BadInput
from tablero.search.base import Answers, Search

AUTO, MATRIX, LAYING, ANNEAL = "auto", "matrix", "laying", "anneal"
SYMMETRIC = ("orbits", "base")
MOST_LISTED = 200_000  # copies up to which they are listed where another way does as well
_MANY = 50  # answers from which they are checked in bulk


class Model(Protocol):
    """A problem made ready for a search, and the way back from its answers."""

    @property
    def puzzle(self) -> DecompositionPuzzle: ...

    @property
    def method(self) -> str:
        """How decompositions are found."""

    @property
    def by_option(self) -> bool:
        """Whether an answer is a row of options, each with copies of its own."""

    @property
    def copies(self) -> int | None:
        """How many copies the host has, where they were listed."""

    @property
    def size(self) -> tuple[int, int, int]:
        """Rows, columns and ones of the matrix, as the source counts them."""

    def search(self, verb: str, *, durable: bool = False) -> Search: ...

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        """The copies of an answer, each a sorted tuple of edges."""

    def fault(self, answers: Answers) -> str | None:
        """What is wrong with the first faulty answer."""


@dataclass(frozen=True, eq=False)
class Table:
    """The copies of all parts, one after another; `kind` says of which part each is."""

    start: NDArray[np.int64]
    edge: NDArray[np.int32]
    kind: NDArray[np.int32]
    placements: int | None = None  # under conditions that were given
    compared: bool = False  # whether conditions were compared with all copies
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
        """Lists of the copies of each part."""
        lengths = np.repeat([rows.shape[1] for rows in lists], [len(rows) for rows in lists])
        return cls(
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            lists[0].ravel() if len(lists) == 1 else np.concatenate([rows.ravel() for rows in lists]),
            np.repeat(np.arange(len(lists), dtype=np.int32), [len(rows) for rows in lists]),
        )

    def __len__(self) -> int:
        return len(self.kind)

    def copy(self, k: int, host: Graph) -> Copy:
        """Copy k as a tuple of edges, made once: a few copies make up millions of answers."""
        if k not in self._made:
            edges = sorted(self.edge[self.start[k] : self.start[k + 1]].tolist())
            self._made[k] = tuple(host.edges[e] for e in edges)
        return self._made[k]


class _LargeCover(CoverSearch):
    """A cover whose tables take long to make: the kernel is compiled on a small one."""

    def warm(self) -> None:
        tiny = Options(np.arange(2), np.zeros(1, np.int32), np.zeros(1, np.int32), 1, 1)
        CoverSearch(tiny, self.kernel).warm()


@dataclass(frozen=True, eq=False)
class CoverModel:
    """Plain and perfect: an exact cover.  Options beyond the copies there are do not occur."""

    puzzle: DecompositionPuzzle
    table: Table
    cover: ExactCover
    seconds: float = 0.0  # that it took to read and make, where that was before anything was asked
    by_option = True
    method = MATRIX

    @classmethod
    def of(cls, puzzle: DecompositionPuzzle, look: Look = no_look) -> CoverModel:
        table = Table.of(puzzle, look)
        items = [edge_name(puzzle.host, edge) for edge in puzzle.host.edges]
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
    def copies(self) -> int:
        return len(self.table)

    @property
    def size(self) -> tuple[int, int, int]:
        return len(self.cover), len(self.cover.items), len(self.cover.table.item)

    def search(self, verb: str, *, durable: bool = False) -> Search:
        if default_kernel(self.cover.table) == "sparse":
            return _LargeCover(self.cover.table, "sparse")
        # The pairs of a perfect one are too many for the keys of a memo.
        kernel = "bits" if self.puzzle.perfect else "auto"
        return cover_search(self.cover, verb, kernel, durable=durable)

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        return tuple(self.table.copy(k, self.puzzle.host) for k in answer if k >= 0)

    def fault(self, answers: Answers) -> str | None:
        if len(answers) < _MANY or self.puzzle.perfect:
            return fault_of_each(self, self.puzzle, answers)
        used = np.unique(answers)
        chosen = {k: self.table.copy(k, self.puzzle.host) for k in used[used >= 0].tolist()}
        return Checker(self.puzzle).fault_of_many(chosen, answers)


@dataclass(frozen=True, eq=False)
class CountedModel:
    """Counted: a multicover."""

    puzzle: DecompositionPuzzle
    table: Table
    options: MultiOptions
    by_option = True
    method = MATRIX

    @classmethod
    def of(cls, puzzle: DecompositionPuzzle, look: Look = no_look) -> CountedModel:
        table = Table.of(puzzle, look)
        return cls(puzzle, table, counted_options(puzzle, table))

    @property
    def copies(self) -> int:
        return len(self.table)

    @property
    def size(self) -> tuple[int, int, int]:
        return self.options.rows, len(self.options.need), len(self.options.item)

    def search(self, verb: str, *, durable: bool = False) -> Search:
        return MulticoverSearch(self.options)

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        return tuple(self.table.copy(k, self.puzzle.host) for k in answer if k >= 0)

    def fault(self, answers: Answers) -> str | None:
        return fault_of_each(self, self.puzzle, answers)


def counted_options(puzzle: DecompositionPuzzle, table: Table) -> MultiOptions:
    """Every copy, with one more item where its part has a number of times."""
    edges = len(puzzle.host.edges)
    timed = [k for k, part in enumerate(puzzle.parts) if part.times is not None]
    need = np.array([puzzle.fold] * edges + [puzzle.parts[k].times for k in timed], np.int64)
    extra = np.full(len(puzzle.parts), -1)
    extra[timed] = np.arange(edges, edges + len(timed))
    more = extra[table.kind]
    # The additional item goes in behind the last edge of its copy.
    has = more >= 0
    item = np.insert(table.edge, table.start[1:][has], more[has]).astype(np.int32)
    start = table.start + np.concatenate([[0], np.cumsum(has)])
    return MultiOptions(start, item, np.ones(len(item), np.int32), need)


def _no_hamilton_cycle(host: Graph, table: Table, look: Look) -> list[tuple[int, int]]:
    """The pairs of disjoint perfect matchings whose union falls into several cycles."""
    partner = np.empty((len(table), host.vertices), np.int64)
    ends = np.array(host.edges)[table.edge.reshape(len(table), -1)]
    rows = np.arange(len(table))[:, None]
    partner[rows, ends[:, :, 0]] = ends[:, :, 1]
    partner[rows, ends[:, :, 1]] = ends[:, :, 0]
    if len(table) > 20_000:
        raise BadInput(f"{host} has {len(table):,} perfect matchings: expected at most 20,000 for perfect ones")
    pairs = []
    for k in range(len(table)):
        look()
        others = partner[k + 1 :]
        apart = (others != partner[k]).all(axis=1)
        # Walk from vertex 0, an edge of one and an edge of the other, until it is met again.
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


def fault_of_each(model: Model, puzzle: DecompositionPuzzle, answers: Answers) -> str | None:
    """Check answers one by one, and that no two are the same."""
    checker = Checker(puzzle)
    seen = set()
    for row in answers.tolist():
        parts = model.parts(row)
        if wrong := checker.fault(parts):
            return wrong
        seen.add(tuple(sorted(parts)))
    return "the same decomposition was found twice" if len(seen) < len(answers) else None


def edge_name(host: Graph, edge: Edge) -> str:
    return "{}-{}".format(*host.named(edge))


def model_of(puzzle: DecompositionPuzzle, method: str = AUTO, look: Look = no_look) -> Model:
    """The model that a problem asks for; `look` is called now and then, and may raise."""
    if method in SYMMETRIC and puzzle.symmetry is None:
        raise BadInput(f"the method {method!r} is for decompositions with a symmetry")
    if method == MATRIX and puzzle.symmetry is not None:
        raise BadInput(f"the method {method!r} is for decompositions without a symmetry")
    if method == ANNEAL:
        from tablero.decomposition.annealing import AnnealModel

        return AnnealModel.of(puzzle, puzzle.symmetry)
    if puzzle.symmetry is not None:
        from tablero.decomposition.symmetric import symmetric_model

        return symmetric_model(puzzle, method, look)
    if method == LAYING or (method == AUTO and is_laid(puzzle, look)):
        from tablero.decomposition.laying import LayingModel

        return LayingModel.of(puzzle, look=look)
    listed = CountedModel if puzzle.fold > 1 or times_bind(puzzle) else CoverModel
    try:
        return listed.of(puzzle, look)
    except TooManyCopies as wrong:
        from tablero.decomposition.laying import not_by_laying

        if method == AUTO and (reason := not_by_laying(puzzle)):
            raise BadInput(f"{wrong}; nor can they be laid one after another: {reason}") from None
        raise


def is_laid(puzzle: DecompositionPuzzle, look: Look = no_look) -> bool:
    """Whether copies are too many to list, and can be laid one after another."""
    from tablero.decomposition.laying import not_by_laying

    if puzzle.symmetry is not None or not_by_laying(puzzle):
        return False
    return are_more(puzzle.host, puzzle.parts[0].graph, MOST_LISTED, look)
