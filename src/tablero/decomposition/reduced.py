"""Counts decompositions up to isomorphism of the remaining graph.

The number of ways to complete a decomposition depends only on the remaining graph, up to isomorphism.  In each round, an
edge is chosen, each copy that contains it is removed from the remaining graph, and the results are collected by canonical
form (BLISS, in igraph), with the number of ways that lead to each.  After a few rounds, some graphs represent very many
beginnings.  The completions of each are counted by an exact cover: these are the units of one search.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tablero import interrupts
from tablero.cover.kernels.search import CoverSearch
from tablero.cover.puzzle import ExactCover
from tablero.cover.solving import search_for as cover_search
from tablero.decomposition.graph import Graph, ask_igraph, require_igraph
from tablero.decomposition.models import CoverModel, Model, Table
from tablero.errors import BadInput
from tablero.runs.findings import Result
from tablero.runs.run import Clock
from tablero.runs.session import Session
from tablero.search.base import Bound, Flag, Orders, Outcome, Search
from tablero.search.cursor import Cursor

MOST_FORMS = 30_000  # canonical forms in a round
MOST_CLASSES = 300
PATIENCE = 1.0  # seconds of a plain count before this method is tried
_HEAD = 4  # bytes of a state with the number of its beginning
_MOST_TABLES = 8  # beginnings whose tables are kept

Left = NDArray[np.bool_]  # which of the host's edges are left


@dataclass(frozen=True)
class Beginning:
    """The remaining edges after copies were removed, and the number of ways that lead to them."""

    left: Left
    ways: int


def applies(model: Model | None) -> TypeGuard[CoverModel]:
    """Whether the remaining edges determine the rest of the search: only for plain exact covers."""
    return isinstance(model, CoverModel) and not model.puzzle.perfect


@interrupts.Polling()
def count(model: CoverModel, session: Session) -> Result:
    """Count the decompositions; if it is stopped, `solutions` is the number counted so far."""
    clock = Clock(session.run)
    deadline = math.inf if session.left is None else time.monotonic() + session.left

    def look(gathered: int) -> None:
        clock.report(f"collecting beginnings up to isomorphism, {gathered} so far")

    try:
        search = BeginningsSearch.of(model, beginnings(model, deadline, look), durable=False)
    except KeyboardInterrupt:
        return Result("open", 0, np.empty((0, 0), np.int32), fraction=0.0, interrupted=True, kept=False)
    finally:
        session.charge(clock)
    return session.perform(search, keep=False)


def beginnings(
    model: CoverModel, deadline: float = math.inf, look: Callable[[int], None] = lambda gathered: None
) -> list[Beginning]:
    """Few graphs that represent many beginnings: those of the last round before the deadline."""
    host, table = model.puzzle.host, model.table
    level = [Beginning(np.ones(len(host.edges), bool), 1)]
    while True:
        plans = [(one, _with_edge(table, one.left, _edge(host, one.left))) for one in level]
        if sum(len(rows) for _, rows in plans) > MOST_FORMS:
            return level
        found: dict[Any, Beginning] = {}
        for one, rows in plans:
            for k in rows.tolist():
                if time.monotonic() > deadline or len(found) > MOST_CLASSES:
                    return level
                look(len(found))
                left = one.left.copy()
                left[table.edge[table.start[k] : table.start[k + 1]]] = False
                form = _form(host, left)
                before = found.get(form)
                found[form] = Beginning(left, one.ways + (before.ways if before else 0))
        # A beginning without remaining edges is a decomposition, which has no next round.
        if len(found) > MOST_CLASSES or not found or not all(one.left.any() for one in found.values()):
            return level
        level = list(found.values())


def _edge(host: Graph, left: Left) -> int:
    """An edge of the vertex with the fewest remaining edges: this order makes few classes."""
    ends = np.array(host.edges)[left]
    degrees = np.bincount(ends.ravel(), minlength=host.vertices)
    degrees[degrees == 0] = degrees.max() + 1
    vertex = int(degrees.argmin())
    return int(np.flatnonzero(left)[(ends == vertex).any(axis=1).argmax()])


def _with_edge(table: Table, left: Left, edge: int) -> NDArray[np.int64]:
    """The copies that contain the edge and only remaining edges."""
    inside = np.logical_and.reduceat(left[table.edge], table.start[:-1])
    has = np.logical_or.reduceat(table.edge == edge, table.start[:-1])
    return np.flatnonzero(inside & has)


def _form(host: Graph, left: Left) -> Any:
    edges = [host.edges[k] for k in np.flatnonzero(left).tolist()]
    graph = require_igraph().Graph(n=host.vertices, edges=edges)
    form = graph.permute_vertices(ask_igraph(graph.canonical_permutation))
    return tuple(sorted((min(edge), max(edge)) for edge in form.get_edgelist()))


def _rest(table: Table, left: Left) -> ExactCover:
    """The exact cover of the remaining edges of a beginning."""
    inside = np.logical_and.reduceat(left[table.edge], table.start[:-1])
    number = np.cumsum(left) - 1
    lengths = np.diff(table.start)
    item = number[table.edge[np.repeat(inside, lengths)]].astype(np.int32)
    start = np.concatenate([[0], np.cumsum(lengths[inside])]).astype(np.int64)
    return ExactCover.of_arrays(range(int(left.sum())), int(left.sum()), start, item)


@dataclass
class BeginningsSearch(Search):
    """A search that counts every beginning separately, times the number of ways that lead to it.

    A state is the number of a beginning, in four bytes, and the cursor of its search.
    """

    table: Table
    level: tuple[Beginning, ...]
    kernel: str
    name: str = field(init=False)
    per_process: ClassVar[frozenset[str]] = frozenset({"_lock", "_searches"})

    @classmethod
    def of(cls, model: CoverModel, level: list[Beginning], *, durable: bool = True) -> BeginningsSearch:
        cover = model.cover if durable else _rest(model.table, level[0].left)
        return cls(model.table, tuple(level), cover_search(cover, "count", durable=durable).kernel)

    def __post_init__(self) -> None:
        self.name = f"decomposition.beginnings.{self.kernel}/1"
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._searches: OrderedDict[int, CoverSearch] = OrderedDict()

    @property
    def width(self) -> int:
        return 1  # the search keeps no answers

    def digest(self) -> str:
        parts = hashlib.sha256()
        for array in (self.table.start, self.table.edge, *(one.left for one in self.level)):
            parts.update(np.ascontiguousarray(array).tobytes())
        parts.update(repr([one.ways for one in self.level]).encode())
        return parts.hexdigest()

    def _split(self, state: bytes) -> tuple[int, bytes]:
        """The number of the beginning, and the state of its search."""
        k = int.from_bytes(state[:_HEAD], "big")
        if len(state) < _HEAD or k >= len(self.level):
            raise BadInput("a stored cursor does not fit this problem")
        return k, state[_HEAD:]

    def _search(self, k: int) -> CoverSearch:
        """The search of a beginning.  Tables may be large, so only the latest are kept."""
        with self._lock:
            if k not in self._searches:
                self._searches[k] = cover_search(_rest(self.table, self.level[k].left), "count", self.kernel)
            self._searches.move_to_end(k)
            while len(self._searches) > _MOST_TABLES:
                self._searches.popitem(last=False)
            return self._searches[k]

    def starts(self) -> list[bytes]:
        return [k.to_bytes(_HEAD, "big") + Cursor().store() for k in range(len(self.level))]

    def share(self, state: bytes) -> float:
        k, rest = self._split(state)
        return self.level[k].ways / sum(one.ways for one in self.level) * float(Cursor.load(rest).share())

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        _, rest = self._split(state)
        return [state[:_HEAD] + piece.store() for piece in Cursor.load(rest).divide(parts)]

    def order(self, state: bytes) -> tuple[int, ...]:
        k, rest = self._split(state)
        return (k, *Cursor.load(rest).path)

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        k, rest = self._split(state)
        done = self._search(k).advance(rest, orders, stop, bound)
        return replace(
            done,
            found=done.found * self.level[k].ways,
            answers=Outcome.empty(self.width),
            rest=None if done.rest is None else state[:_HEAD] + done.rest,
        )

    def warm(self) -> None:
        for k in {0, len(self.level) - 1}:
            self._search(k).warm()
