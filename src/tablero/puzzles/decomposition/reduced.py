"""Counting up to isomorphism of what is left.

How many ways there are to go on depends only on the graph that is left of the host, up to isomorphism.  So an edge is
taken, each copy that has it is taken out of what is left, and what is left then is gathered by canonical form (BLISS, in
igraph), with the number of ways that lead to it.  After a few rounds some graphs stand for very many beginnings, and what
each of them still has is counted by an exact cover of its own.
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.cover.puzzle import ExactCover
from tablero.puzzles.cover.solve import search_for as cover_search
from tablero.puzzles.decomposition.graph import Graph, require_igraph
from tablero.puzzles.decomposition.models import CoverModel, Table
from tablero.runs.findings import Result
from tablero.runs.here import run_here

MOST_FORMS = 30_000  # canonical forms that a round may cost
MOST_CLASSES = 300
PATIENCE = 1.0  # seconds that a plain count gets before this is tried

Left = NDArray[np.bool_]  # which of the host's edges are left


@dataclass(frozen=True)
class Beginning:
    """What is left after copies were taken out, and how many ways lead to it."""

    left: Left
    ways: int


def applies(model: Any) -> bool:
    """Only plain exact covers: there the edges that are left say everything."""
    return isinstance(model, CoverModel) and not model.puzzle.perfect


def beginnings(model: CoverModel, deadline: float = math.inf) -> list[Beginning]:
    """Few graphs that stand for many beginnings; those of the last round that was done before the deadline."""
    host, table = model.puzzle.host, model.table
    level = [Beginning(np.ones(len(host.edges), bool), 1)]
    while True:
        plans = [(one, _with_edge(table, one.left, _edge(host, one.left))) for one in level]
        if sum(len(rows) for _, rows in plans) > MOST_FORMS:
            return level
        found: dict[Any, Beginning] = {}
        for one, rows in plans:
            if time.monotonic() > deadline:
                return level
            for k in rows.tolist():
                left = one.left.copy()
                left[table.edge[table.start[k] : table.start[k + 1]]] = False
                form = _form(host, left)
                before = found.get(form)
                found[form] = Beginning(left, one.ways + (before.ways if before else 0))
        # A beginning with nothing left is an end, and leaves no graph to go on with.
        if len(found) > MOST_CLASSES or not found or not all(one.left.any() for one in found.values()):
            return level
        level = list(found.values())


def _edge(host: Graph, left: Left) -> int:
    """An edge of the vertex with the fewest edges left: that one vertex is dealt with first makes few classes."""
    ends = np.array(host.edges)[left]
    degrees = np.bincount(ends.ravel(), minlength=host.vertices)
    degrees[degrees == 0] = degrees.max() + 1
    vertex = int(degrees.argmin())
    return int(np.flatnonzero(left)[(ends == vertex).any(axis=1).argmax()])


def _with_edge(table: Table, left: Left, edge: int) -> NDArray[np.int64]:
    """The copies that have the edge and lie in what is left."""
    inside = np.logical_and.reduceat(left[table.edge], table.start[:-1])
    has = np.logical_or.reduceat(table.edge == edge, table.start[:-1])
    return np.flatnonzero(inside & has)


def _form(host: Graph, left: Left) -> Any:
    edges = [host.edges[k] for k in np.flatnonzero(left).tolist()]
    graph = require_igraph().Graph(n=host.vertices, edges=edges)
    form = graph.permute_vertices(graph.canonical_permutation())
    return tuple(sorted((min(edge), max(edge)) for edge in form.get_edgelist()))


def _rest(model: CoverModel, left: Left) -> ExactCover:
    """What a beginning still has to do."""
    table = model.table
    inside = np.logical_and.reduceat(left[table.edge], table.start[:-1])
    number = np.cumsum(left) - 1
    lengths = np.diff(table.start)
    item = number[table.edge[np.repeat(inside, lengths)]].astype(np.int32)
    start = np.concatenate([[0], np.cumsum(lengths[inside])]).astype(np.int64)
    return ExactCover.of_arrays(range(int(left.sum())), int(left.sum()), start, item)


def count(model: CoverModel, *, threads: int = 1, time_limit: float | None = None, tell: bool = False) -> Result:
    """The number of decompositions.  When it is stopped, `solutions` is what was counted until then."""
    began = time.monotonic()
    level = beginnings(model, math.inf if time_limit is None else began + time_limit)
    total = sum(one.ways for one in level)
    found = nodes = done = 0
    cpu = 0.0
    kernel = "auto"
    status, interrupted = "complete", False
    for k, one in enumerate(level, 1):
        search = cover_search(_rest(model, one.left), "count", kernel)
        kernel = search.kernel  # found out once: the others are alike
        remaining = None if time_limit is None else time_limit - (time.monotonic() - began)
        if remaining is not None and remaining <= 0:
            status = "open"
            break
        result = run_here(search, threads, kernel=search.name, keep=False, time_limit=remaining)
        found += one.ways * result.solutions
        nodes += result.nodes
        cpu += result.cpu_seconds
        if result.status == "open":
            status, interrupted = "open", result.interrupted
            break
        done += one.ways
        if tell:
            sys.stderr.write(f"\r\x1b[K{k} of {len(level)} beginnings up to isomorphism, {found:,} found")
            sys.stderr.flush()
    if tell:
        sys.stderr.write("\r\x1b[K")
    if status == "complete" and not found:
        status = "none"
    nothing = np.empty((0, 0), np.int32)
    seconds = time.monotonic() - began
    return Result(status, found, nothing, nodes, seconds, cpu, done / total, interrupted=interrupted)
