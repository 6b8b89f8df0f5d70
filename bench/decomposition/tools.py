"""tablero and the way that Python has without it, from the words of a question to its answer: copies and search are timed.

The other way is networkx's matcher, which finds every placement of the part, a set that keeps one of those with the same
edges, and xcover on what is left.  (Sage has a function for it, but is no package that can be installed beside others.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.measure import Found, Tool


@dataclass(frozen=True)
class Task:
    """A host, a part, and what is asked: `copies`, `first`, `count`, or `list` for all of them."""

    host: str
    part: str
    verb: str
    symmetry: str | None = None


def tablero(task: Task) -> Callable[[], Found]:
    from tablero.decomposition import decompose
    from tablero.decomposition.models import Table

    puzzle = decompose(task.host, task.part, symmetry=task.symmetry)

    def call() -> Found:
        if task.verb == "copies":
            return Found(len(Table.of(puzzle)))
        if task.verb == "count":
            return Found(puzzle.count().solutions)
        found = puzzle.solve(1 if task.verb == "first" else None)
        return Found(found.solutions, found.result.cpu_seconds)

    return call


def networkx(task: Task) -> Callable[[], Found]:
    import networkx as nx
    from xcover import covers

    from tablero.decomposition import decompose

    puzzle = decompose(task.host, task.part)
    host, part = nx.Graph(puzzle.host.edges), nx.Graph(puzzle.parts[0].graph.edges)
    matcher: Any = nx.algorithms.isomorphism.GraphMatcher

    def call() -> Found:
        copies = set()
        for image in matcher(host, part).subgraph_monomorphisms_iter():
            back = {v: u for u, v in image.items()}
            copies.add(frozenset(tuple(sorted((back[u], back[v]))) for u, v in part.edges))
        if task.verb == "copies":
            return Found(len(copies))
        answers = covers([sorted(copy) for copy in copies])
        return Found(int(next(answers, None) is not None) if task.verb == "first" else sum(1 for _ in answers))

    return call


TABLERO = Tool("tablero", tablero)
PEER = Tool("networkx, xcover", networkx)
