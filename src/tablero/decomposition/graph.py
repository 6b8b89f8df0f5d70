"""Simple undirected graphs with named vertices, and permutations of their vertices.

vertex    a number from 0; `labels` has its name
edge      a pair of vertices, the smaller first; edges are sorted, and edge k is the k-th of them
copy      the sorted edges of a subgraph that is isomorphic to a part
turn      a permutation of the vertices, as a tuple of their images:

    cyclic      one cycle of all n vertices if n is odd; of n − 1 vertices, with one fixed vertex, if n is even
    bicyclic    two cycles of n/2 vertices
    K           a number: as many cycles of K vertices as possible; the other vertices are fixed.
                So cyclic is n or n − 1, and bicyclic is n/2
    (0 1 2)(3 4 5)   any permutation, by its cycles
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput, need

Edge = tuple[int, int]
Copy = tuple[Edge, ...]
Turn = tuple[int, ...]
Label = Hashable

MOST_VERTICES = 1000


@dataclass(frozen=True, repr=False)
class Graph:
    """A simple undirected graph.

    Parameters
    ----------
    vertices
        The number of vertices.
    edges
        The edges as pairs of numbers, the smaller first, sorted.
    labels
        The names of the vertices; by default their numbers.
    name
        The name of the graph in messages.
    """

    vertices: int
    edges: tuple[Edge, ...]
    labels: tuple[Label, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        if not self.labels:
            object.__setattr__(self, "labels", tuple(range(self.vertices)))

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[Label, Label]], name: str = "", *, labels: Iterable[Label] = ()) -> Graph:
        """Make a graph from pairs of names.

        Parameters
        ----------
        pairs
            The edges, each as the names of its two ends.
        name
            The name of the graph in messages.
        labels
            All vertices; by default the names in the edges, sorted if they can be compared.

        Raises
        ------
        BadInput
            If an edge is a loop or given twice, or if there are too many vertices.
        """
        ends = [tuple(pair) for pair in pairs]
        met = list(labels) or _sorted({end for pair in ends for end in pair})
        if len(met) > MOST_VERTICES:
            raise BadInput(f"{name or 'a graph'} of {len(met):,} vertices: expected at most {MOST_VERTICES:,}")
        number = {label: k for k, label in enumerate(met)}
        edges: set[Edge] = set()
        for u, v in ends:
            if u == v:
                raise BadInput(f"the edge {u}-{v} is a loop: expected two different vertices")
            edge = (min(number[u], number[v]), max(number[u], number[v]))
            if edge in edges:
                raise BadInput(f"the edge {u}-{v} is given twice")
            edges.add(edge)
        return cls(len(met), tuple(sorted(edges)), tuple(met), name)

    @classmethod
    def of_networkx(cls, graph: Any) -> Graph:
        """Make a graph from a networkx graph, or an object with its `nodes`, `edges`, `is_directed` and `is_multigraph`."""
        if graph.is_directed() or graph.is_multigraph():
            raise BadInput("a directed graph or a multigraph: expected a simple graph")
        return cls.of_pairs(graph.edges(), str(graph.name or ""), labels=_sorted(set(graph.nodes())))

    def to_networkx(self) -> Any:
        """Return the graph as a networkx graph with the names of the vertices."""
        networkx = need("networkx", "a graph of networkx", "notebooks")
        out = networkx.Graph(name=self.name)
        out.add_nodes_from(self.labels)
        out.add_edges_from(map(self.named, self.edges))
        return out

    @cached_property
    def degrees(self) -> tuple[int, ...]:
        counts = [0] * self.vertices
        for u, v in self.edges:
            counts[u] += 1
            counts[v] += 1
        return tuple(counts)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        lists: list[list[int]] = [[] for _ in range(self.vertices)]
        for u, v in self.edges:
            lists[u].append(v)
            lists[v].append(u)
        return tuple(tuple(sorted(row)) for row in lists)

    @cached_property
    def numbers(self) -> NDArray[np.int32]:
        """The number of the edge between two vertices, −1 if there is none."""
        table = np.full((self.vertices, self.vertices), -1, np.int32)
        for k, (u, v) in enumerate(self.edges):
            table[u, v] = table[v, u] = k
        return table

    @property
    def is_complete(self) -> bool:
        return len(self.edges) == self.vertices * (self.vertices - 1) // 2

    @cached_property
    def components(self) -> int:
        """The number of connected components."""
        seen: set[int] = set()
        pieces = 0
        for first in range(self.vertices):
            if first in seen:
                continue
            pieces += 1
            stack = [first]
            seen.add(first)
            while stack:
                for other in self.neighbours[stack.pop()]:
                    if other not in seen:
                        seen.add(other)
                        stack.append(other)
        return pieces

    def named(self, edge: Edge) -> tuple[Label, Label]:
        """The names of an edge's ends."""
        return self.labels[edge[0]], self.labels[edge[1]]

    def text(self, edges: Iterable[Edge], between: str = ",") -> str:
        """Edges as 0-1,1-2."""
        return between.join("{}-{}".format(*self.named(edge)) for edge in edges)

    def __str__(self) -> str:
        return self.name or f"a graph with {self.vertices} vertices and {len(self.edges)} edges"

    def __repr__(self) -> str:
        name = f" {self.name}" if self.name else ""
        return f"<graph{name}: {self.vertices:,} vertices, {len(self.edges):,} edges>"


@dataclass(frozen=True)
class Part:
    """A part and the required number of its copies; None for any number."""

    graph: Graph
    times: int | None = None

    def __str__(self) -> str:
        return str(self.graph) if self.times is None else f"{self.times} × {self.graph}"


def _sorted(labels: set[Label]) -> list[Label]:
    """Names sorted by value if they can be compared, otherwise by type and text."""
    try:
        return sorted(labels)  # type: ignore[type-var]
    except TypeError:
        return sorted(labels, key=lambda label: (type(label).__name__, str(label)))


def complete(n: int) -> Graph:
    return Graph(n, tuple(combinations(range(n), 2)), name=f"K{n}")


def multipartite(sizes: Iterable[int]) -> Graph:
    """The complete multipartite graph; K5,6 has the classes 0–4 and 5–10."""
    sides = [side for side, size in enumerate(sizes) for _ in range(size)]
    edges = tuple((u, v) for u, v in combinations(range(len(sides)), 2) if sides[u] != sides[v])
    return Graph(len(sides), edges, name="K" + ",".join(map(str, np.bincount(sides).tolist())))


def path(n: int) -> Graph:
    return Graph(n, tuple((k, k + 1) for k in range(n - 1)), name=f"path-{n}")


def cycle(n: int) -> Graph:
    return Graph(n, tuple(sorted([*((k, k + 1) for k in range(n - 1)), (0, n - 1)])), name=f"cycle-{n}")


def star(n: int) -> Graph:
    return Graph(n, tuple((0, k) for k in range(1, n)), name=f"star-{n}")


def matching(n: int) -> Graph:
    return Graph(n, tuple((k, k + 1) for k in range(0, n, 2)), name=f"matching-{n}")


def double_star(n: int) -> Graph:
    """Two adjacent centres, 0 and 1, with n/2 − 1 leaves each."""
    half = n // 2 + 1
    leaves = [(0, k) for k in range(2, half)] + [(1, k) for k in range(half, n)]
    return Graph(n, ((0, 1), *leaves), name=f"double-star-{n}")


def igraph_of(graph: Graph) -> Any:
    """The graph as an igraph graph, for automorphisms and canonical forms by BLISS."""
    return require_igraph().Graph(n=graph.vertices, edges=list(graph.edges))


def ask_igraph(question: Callable[..., Any], **options: Any) -> Any:
    """Call a function of igraph; a SystemError that Ctrl-C caused becomes KeyboardInterrupt."""
    try:
        return question(**options)
    except SystemError as error:
        if isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise


def require_igraph() -> Any:
    return need("igraph", "decompositions of graphs", "graphs")


# Permutations of the vertices


def permutation_of(given: str | Mapping[Label, Label], host: Graph) -> Turn:
    """The permutation that a word or a mapping describes; it must be an automorphism of the host and move a vertex."""
    n = host.vertices
    if isinstance(given, Mapping):
        turn = _of_mapping(given, host)
    elif given == "cyclic":
        turn = turn_of_cycles(n, n if n % 2 else n - 1)
    elif given == "bicyclic":
        if n % 2:
            raise BadInput(f"bicyclic: {host} has {n} vertices, expected an even number")
        turn = turn_of_cycles(n, n // 2)
    elif re.fullmatch(r"[0-9]{1,9}", given):
        if not 2 <= int(given) <= n:
            raise BadInput(f"a symmetry of order {given}: expected 2 to {n}")
        turn = turn_of_cycles(n, int(given))
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
                f"the symmetry maps the edge {'-'.join(map(str, host.named((u, v))))} to "
                f"{'-'.join(map(str, host.named(image)))}, which is not an edge of {host}"
            )
    return turn


def turn_of_cycles(n: int, length: int) -> Turn:
    """Consecutive cycles of this length; the remaining vertices are fixed."""
    whole = n - n % length
    return tuple(v // length * length + (v + 1) % length if v < whole else v for v in range(n))


def _of_mapping(given: Mapping[Label, Label], host: Graph) -> Turn:
    number = {label: k for k, label in enumerate(host.labels)}
    for label in [*given.keys(), *given.values()]:
        if label not in number:
            raise BadInput(f"the symmetry moves {label!r}, which is not a vertex of {host}")
    turn = tuple(number[given.get(label, label)] for label in host.labels)
    if len(set(turn)) < len(turn):
        raise BadInput("the symmetry maps two vertices to one: expected a permutation")
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
                raise BadInput(f"the symmetry {text!r}: {word!r} is not a vertex of {host}")
        for word, after in zip(words, words[1:] + words[:1], strict=True):
            if names[word] in image:
                raise BadInput(f"the symmetry {text!r}: the vertex {word} occurs twice")
            image[names[word]] = names[after]
    return _of_mapping(image, host)
