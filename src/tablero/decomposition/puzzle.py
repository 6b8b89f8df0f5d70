"""Decompositions of graphs: what is decomposed into what, and what an answer is.

host            the graph whose edges are divided
part            the graph that every piece looks like; several may be mixed, each with how many times or freely
copy            a set of the host's edges that looks like a part
fold            how many copies each edge of the host is in (λ of the literature); 1 unless it is said
decomposition   copies that together have every edge of the host just that often: a set of copies, and with a fold
                above 1 a multiset, for a copy may be taken again.  Neither has an order
symmetry        a permutation of the host's vertices that is to leave the decomposition as it is
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
    """A host to be decomposed into parts."""

    host: Graph
    parts: tuple[Part, ...]
    fold: int = 1
    symmetry: tuple[int, ...] | None = None  # where each vertex of the host goes
    perfect: bool = False  # perfect matchings whose unions are Hamilton cycles
    conditions: tuple[Condition, ...] | None = None  # of the source; checked, then not needed
    given: tuple[Copy, ...] = ()  # copies that were laid before: the host is what they have left
    made: CoverModel | None = field(default=None, compare=False)  # of a task: its exact cover, made and compared

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
        """How many edges a decomposition has in all its parts."""
        return self.fold * len(self.host.edges) + sum(map(len, self.given))

    @property
    def whole(self) -> DecompositionPuzzle:
        """The same with the given copies still in the host."""
        if not self.given:
            return self
        edges = sorted({*self.host.edges, *(edge for copy in self.given for edge in copy)})
        host = Graph(self.host.vertices, tuple(edges), self.host.labels, self.host.name)
        return replace(self, host=host, given=(), made=None)

    def scene(self) -> Scene:
        """The host and the parts as a picture."""
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
    """An answer: the parts, each a tuple of edges in order."""

    host: Graph
    parts: tuple[Copy, ...]
    title: str = ""

    @property
    def answer(self) -> list[list[list[Label]]]:
        """A list of parts, each a list of edges [u, v], by the names of the vertices."""
        return [[list(self.host.named(edge)) for edge in part] for part in self.parts]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[list[tuple[Label, Label]]]:
        """The parts as lists of pairs of names, as networkx takes them."""
        return ([self.host.named(edge) for edge in part] for part in self.parts)

    def __str__(self) -> str:
        return "\n".join(" ".join(f"{u}-{v}" for u, v in part) for part in self)

    def __repr__(self) -> str:
        return f"<{self.title or self.host}: {len(self)} part{'' if len(self) == 1 else 's'}>"

    def to_networkx(self) -> Any:
        """The host for networkx: every edge has the number of its part, from 1, as `part`.

        Where an edge is in several parts (a fold of the host), it is a multigraph with an edge for each.
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
    """Two graphs that are the same up to the names of their vertices."""
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
    """A host to be decomposed: `decompose("K16", into="double-star").solve().first`.

    The host is a word (see `words`), a file's `Path`, a graph of networkx or a `Graph`; so is `into`, or a list of them
    for a mixture, or a mapping from each to how many times it is wanted (None: as many as it takes); double stars where it
    is left out.  Conditions are in the part's own names of vertices.  `given` are copies that a decomposition must have:
    what they leave is decomposed.
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
    """The problem itself, one that a text or a file has, or a host that is decomposed into double stars."""
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
    """Conditions in the names of the part's vertices, by their numbers."""
    numbers = {label: k for k, label in enumerate(part.labels)}
    for i, j in conditions:
        if i not in numbers or j not in numbers or i == j:
            names = f"from 0 to {part.vertices - 1}"
            if part.labels != tuple(range(part.vertices)):
                names = "of " + ", ".join(map(str, part.labels[:20])) + (" …" if part.vertices > 20 else "")
            raise BadInput(f"the condition ({i},{j}): expected two different vertices {names}")
    by_number = tuple((numbers[i], numbers[j]) for i, j in conditions)
    if any(vertex in greater for vertex, greater in enumerate(closure(part.vertices, by_number))):
        raise BadInput("the conditions contradict each other: no copy fulfils them all")
    return by_number


def _given_copy(copy: Any, host: Graph) -> Copy:
    """A copy that is given as an edge list, in the host's own names."""
    piece = words.host_of(copy)
    numbers = {label: k for k, label in enumerate(host.labels)}
    for label in piece.labels:
        if label not in numbers:
            raise BadInput(f"the given copy {piece}: {label} is no vertex of {host}")
    ends = ([numbers[label] for label in piece.named(edge)] for edge in piece.edges)
    return tuple(sorted((min(pair), max(pair)) for pair in ends))


def _less(whole: DecompositionPuzzle, given: tuple[Copy, ...]) -> DecompositionPuzzle:
    """The problem that is left once given copies are laid."""
    from tablero.decomposition.checking import Checker

    if whole.fold > 1 or whole.symmetry is not None or whole.perfect or any(p.times is not None for p in whole.parts):
        raise BadInput("given copies go with a fold of 1, without symmetry, numbers of times or perfect ones")
    checker, host = Checker(whole), whole.host
    left = set(host.edges)
    for copy in given:
        text = host.text(copy)
        if checker.kind(copy) is None:
            raise BadInput(
                f"the given copy {text} is no copy of {' or '.join(str(p.graph) for p in whole.parts)} in {host}"
            )
        if not left.issuperset(copy):
            raise BadInput(f"the given copy {text} shares an edge with one before")
        left -= set(copy)
    rest = Graph(host.vertices, tuple(sorted(left)), host.labels, host.name)
    return replace(whole, host=rest, given=given)
