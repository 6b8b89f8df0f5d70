"""Decompositions of graphs: the problem and its answers.

host            the graph whose edges are divided
part            a graph; every piece is isomorphic to a part.  Parts can be mixed, with or without fixed numbers of copies
copy            a set of the host's edges that is isomorphic to a part
fold            the number of copies that contain each edge of the host (λ in the literature); by default 1
decomposition   copies that together contain every edge of the host `fold` times: a set of copies, or with a fold above 1
                a multiset, because a copy may be repeated.  The copies have no order
symmetry        a permutation of the host's vertices under which the decomposition must be invariant
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablero.decomposition import draw, verbs, words
from tablero.decomposition.automorphisms import Condition, closure
from tablero.decomposition.graph import Copy, Graph, Label, Part, ask_igraph, igraph_of, permutation_of
from tablero.draw.svg import to_svg
from tablero.errors import BadInput, need
from tablero.verbs.parameters import spell

if TYPE_CHECKING:
    from tablero.decomposition.models import CoverModel
    from tablero.draw.scene import Scene

MOST_FOLD = 100
MOST_PARTS = 20


@dataclass(frozen=True, repr=False)
class DecompositionPuzzle:
    """A host to be decomposed into parts; usually made by `decompose`.

    Examples
    --------
    >>> import tablero as tb
    >>> puzzle = tb.decompose("K6", into="path")
    >>> puzzle
    <decomposition of K6 into path-6>
    >>> puzzle.count().solutions
    960
    """

    host: Graph
    parts: tuple[Part, ...]
    fold: int = 1
    symmetry: tuple[int, ...] | None = None  # the image of each vertex of the host
    perfect: bool = False  # perfect matchings; the union of every two must be a Hamilton cycle
    conditions: tuple[Condition, ...] | None = None  # checked, but not needed
    given: tuple[Copy, ...] = ()  # required copies; the host does not contain their edges
    made: CoverModel | None = field(default=None, compare=False)  # the exact cover, if the problem is from a task

    def __post_init__(self) -> None:
        if not self.host.edges and not self.given:
            raise BadInput(f"{self.host} has no edges: nothing to decompose")
        if not 1 <= self.fold <= MOST_FOLD:
            raise BadInput(f"a fold of {self.fold}: expected 1 to {MOST_FOLD}")
        if not 1 <= len(self.parts) <= MOST_PARTS:
            raise BadInput(f"{len(self.parts)} parts: expected 1 to {MOST_PARTS}")
        for part in self.parts:
            self._validate(part)
        if twins := _twins([part.graph for part in self.parts]):
            raise BadInput(f"the parts {twins[0]} and {twins[1]} are the same graph: give it once")
        if self.conditions is not None and len(self.parts) > 1:
            raise BadInput("conditions are for one part, not for several")
        if self.perfect and (len(self.parts) > 1 or self.fold > 1 or not self._is_factor()):
            raise BadInput("only decompositions into perfect matchings can be perfect")
        if self.perfect and self.symmetry is not None:
            raise BadInput("perfect decompositions are not searched for by symmetry")

    def _validate(self, part: Part) -> None:
        graph = part.graph
        if not graph.edges:
            raise BadInput(f"the part {graph} has no edges")
        if 0 in graph.degrees:
            lonely = graph.labels[graph.degrees.index(0)]
            raise BadInput(f"vertex {lonely} of the part {graph} has no edge: leave it out")
        if graph.vertices > self.host.vertices:
            raise BadInput(
                f"the part {graph} has {graph.vertices} vertices, {self.host} only {self.host.vertices}: it is too big"
            )
        edges = len(self.host.edges) + sum(map(len, self.given))
        if len(graph.edges) > edges:
            raise BadInput(f"the part {graph} has {len(graph.edges)} edges, {self.host} only {edges}: it is too big")
        if part.times is not None and part.times < 1:
            raise BadInput(f"{part.times} copies of {graph}: expected at least 1")

    def _is_factor(self) -> bool:
        part = self.parts[0].graph
        return set(part.degrees) == {1} and part.vertices == self.host.vertices

    def __str__(self) -> str:
        fold = f"{self.fold}-fold " if self.fold > 1 else ""
        less = f" less {len(self.given)} given" if self.given else ""
        return f"{fold}{self.host}{less} into {' and '.join(map(str, self.parts))}"

    def __repr__(self) -> str:
        return f"<decomposition of {self}>"

    @property
    def lines(self) -> int:
        """The number of edges in all parts of a decomposition."""
        return self.fold * len(self.host.edges) + sum(map(len, self.given))

    @property
    def whole(self) -> DecompositionPuzzle:
        """The problem with the edges of the given copies in the host."""
        if not self.given:
            return self
        edges = sorted({*self.host.edges, *(edge for copy in self.given for edge in copy)})
        host = Graph(self.host.vertices, tuple(edges), self.host.labels, self.host.name)
        return replace(self, host=host, given=(), made=None)

    def scene(self) -> Scene:
        """Return a picture of the host and the parts."""
        return draw.puzzle_scene(self)

    def _repr_svg_(self) -> str | None:
        return to_svg(self.scene()) if draw.is_drawable(self.lines) else None

    solve = verbs.solve
    count = verbs.count
    classes = verbs.classes
    check = verbs.check
    task = verbs.task


@dataclass(frozen=True, repr=False)
class Decomposition:
    """An answer: the parts, each a sorted tuple of edges.

    Examples
    --------
    >>> import tablero as tb
    >>> found = tb.decompose("K4", into="path").solve().first
    >>> len(found)
    2
    """

    host: Graph
    parts: tuple[Copy, ...]
    title: str = ""

    @property
    def answer(self) -> list[list[list[Label]]]:
        """A list of parts, each a list of edges [u, v] with the names of the vertices."""
        return [[list(self.host.named(edge)) for edge in part] for part in self.parts]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[list[tuple[Label, Label]]]:
        """The parts as lists of pairs of names, which networkx accepts."""
        return ([self.host.named(edge) for edge in part] for part in self.parts)

    def __str__(self) -> str:
        return "\n".join(" ".join(f"{u}-{v}" for u, v in part) for part in self)

    def __repr__(self) -> str:
        return f"<{self.title or self.host}: {len(self)} part{'' if len(self) == 1 else 's'}>"

    def to_networkx(self) -> Any:
        """Return the host as a networkx graph; the attribute `part` of an edge is the number of its part, from 1.

        If an edge is in several parts, the graph is a multigraph with an edge for each part.
        """
        networkx = need("networkx", "a graph of networkx", "notebooks")
        edges = [(*self.host.named(edge), number) for number, part in enumerate(self.parts, 1) for edge in part]
        once = len({frozenset(edge[:2]) for edge in edges}) == len(edges)
        out = (networkx.Graph if once else networkx.MultiGraph)(name=self.title)
        out.add_nodes_from(self.host.labels)
        for u, v, number in edges:
            out.add_edge(u, v, part=number)
        return out

    def scene(self) -> Scene:
        return draw.scene(self)

    def _repr_svg_(self) -> str | None:
        return to_svg(self.scene()) if draw.is_drawable(sum(map(len, self.parts))) else None


def _twins(graphs: list[Graph]) -> tuple[Graph, Graph] | None:
    """The first two isomorphic graphs, or None."""
    for k, graph in enumerate(graphs):
        for other in graphs[:k]:
            alike = Counter(graph.degrees) == Counter(other.degrees)
            if alike and ask_igraph(igraph_of(graph).isomorphic, other=igraph_of(other)):
                return other, graph
    return None


def decompose(
    host: Any,
    into: Any = None,
    *,
    fold: int = 1,
    symmetry: str | Mapping[Label, Label] | None = None,
    perfect: bool = False,
    conditions: Iterable[Condition] | None = None,
    disconnected: bool = False,
    given: Iterable[Any] = (),
) -> DecompositionPuzzle:
    """Make a decomposition problem.

    Parameters
    ----------
    host
        The graph whose edges are divided: a word as "K16", an edge list, a file's `Path`, a networkx graph or a `Graph`.
    into
        The part, in the same forms; a list of parts for a mixture; or a mapping from parts to numbers of copies (None for
        any number).  The default is a double star that spans the host.
    fold
        The number of copies that contain each edge of the host.
    symmetry
        "cyclic", "bicyclic", an order, cycles as "(0 1 2)(3 4 5)", or a mapping: search only for decompositions that are
        invariant under this automorphism.
    perfect
        For perfect matchings: the union of every two must be a Hamilton cycle.
    conditions
        Pairs (i, j) of vertices of the part: the image of i must be lower than that of j.  They are only checked.
    disconnected
        Allow a part that is not connected.
    given
        Copies that the decomposition must contain, as edge lists.

    Returns
    -------
    DecompositionPuzzle
        The problem, with the methods `solve`, `count`, `classes`, `check` and `task`.

    Raises
    ------
    BadInput
        If the graphs cannot be read, or if the settings contradict each other.

    Examples
    --------
    >>> import tablero as tb
    >>> tb.decompose("K8", into="double-star").count().solutions
    6720
    """
    graph = words.host_of(host)
    if isinstance(into, Mapping):
        wanted = [(part, times) for part, times in into.items()]
    elif isinstance(into, (list, tuple)) and not words.is_edge_list(into):
        wanted = [(part, None) for part in into]
    else:
        wanted = [("double-star" if into is None else into, None)]
    try:
        parts = tuple(words.part_of(part, graph, times, disconnected=disconnected) for part, times in wanted)
    except BadInput as error:
        if into is not None:
            raise
        raise BadInput(
            f"{error}; no part was named, so a double star was assumed: {spell('into')} changes it"
        ) from None
    permutation = None if symmetry is None else permutation_of(symmetry, graph)
    named = None if conditions is None else by_number(list(conditions), parts[0].graph)
    whole = DecompositionPuzzle(graph, parts, fold, permutation, perfect, named)
    laid = tuple(_given_copy(copy, graph) for copy in given)
    return _less(whole, laid) if laid else whole


def as_puzzle(value: Any) -> DecompositionPuzzle:
    """A problem from a problem, a text, a file, or a host that is decomposed into double stars."""
    from tablero.decomposition import formats

    match value:
        case DecompositionPuzzle():
            return value
        case Path():
            return formats.read(value)
        case str() if "\n" in value or value.lstrip().startswith(("{", "|")):
            return formats.parse(value)
        case str():
            return formats.named(value)
    return decompose(value)


def as_bytes(puzzle: DecompositionPuzzle) -> bytes:
    from tablero.decomposition.formats import write

    return write(puzzle).rstrip().encode()


def from_bytes(data: bytes) -> DecompositionPuzzle:
    from tablero.decomposition.formats import load

    return load(data, "the job's problem")


def by_number(conditions: list[tuple[Any, Any]], part: Graph) -> tuple[Condition, ...]:
    """Convert conditions from names of the part's vertices to numbers."""
    numbers = {label: k for k, label in enumerate(part.labels)}
    for i, j in conditions:
        if i not in numbers or j not in numbers or i == j:
            names = f"from 0 to {part.vertices - 1}"
            if part.labels != tuple(range(part.vertices)):
                names = "of " + ", ".join(map(str, part.labels[:20])) + (" …" if part.vertices > 20 else "")
            raise BadInput(f"the condition ({i},{j}): expected two different vertices {names}")
    by_number = tuple((numbers[i], numbers[j]) for i, j in conditions)
    if any(vertex in greater for vertex, greater in enumerate(closure(part.vertices, by_number))):
        raise BadInput("the conditions contradict each other: no copy satisfies them all")
    return by_number


def _given_copy(copy: Any, host: Graph) -> Copy:
    """A given copy from an edge list with the names of the host's vertices."""
    piece = words.host_of(copy)
    numbers = {label: k for k, label in enumerate(host.labels)}
    for label in piece.labels:
        if label not in numbers:
            raise BadInput(f"the given copy {piece}: {label} is not a vertex of {host}")
    ends = ([numbers[label] for label in piece.named(edge)] for edge in piece.edges)
    return tuple(sorted((min(pair), max(pair)) for pair in ends))


def _less(whole: DecompositionPuzzle, given: tuple[Copy, ...]) -> DecompositionPuzzle:
    """The problem that remains when the given copies are removed from the host."""
    from tablero.decomposition.checking import Checker

    if whole.fold > 1 or whole.symmetry is not None or whole.perfect or any(p.times is not None for p in whole.parts):
        raise BadInput("given copies need a fold of 1, without symmetry, numbers of copies or perfect")
    checker, host = Checker(whole), whole.host
    left = set(host.edges)
    for copy in given:
        text = host.text(copy)
        if checker.kind(copy) is None:
            raise BadInput(
                f"the given copy {text} is not a copy of {' or '.join(str(p.graph) for p in whole.parts)} in {host}"
            )
        if not left.issuperset(copy):
            raise BadInput(f"the given copy {text} shares an edge with an earlier one")
        left -= set(copy)
    rest = Graph(host.vertices, tuple(sorted(left)), host.labels, host.name)
    return replace(whole, host=rest, given=given)
