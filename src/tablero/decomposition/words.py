"""Reads graphs from words and files.

K16  K5,6  K2,2,2             complete, complete bipartite, complete multipartite
path-5  star-5  cycle-4       parts by name and number of vertices; also double-star, matching, clique
path  star  cycle …           without a number: on as many vertices as the host
hamiltonian-path, -cycle      the same as path and cycle
triangle  edge                cycle-3, path-2
0-1,1-2   edges 0-1,1-2       an edge list; also in the form [(0,1),(1,2)]
@FILE                         a graph in a file, @- on standard input: an edge on each line as "0 1" or 0-1, or graph6
petersen  cube  heawood       a named graph: the usual name, or that of networkx (without "_graph") or igraph (its famous
                              graphs); made by networkx, igraph or a formula
DQc  graph6:DQc               graph6, as nauty and networkx write it
7 x triangle                  a part with a number of copies
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from tablero.decomposition import graph as graphs
from tablero.decomposition.graph import MOST_VERTICES, Edge, Graph, Label, Part
from tablero.errors import BadInput
from tablero.files import STANDARD_INPUT, Source, name_of, plain_text, read_text
from tablero.text import unknown
from tablero.verbs.parameters import spell

MOST_BYTES = 10_000_000
_HAMILTONIAN = {"hamiltonian-path": "path", "hamiltonian-cycle": "cycle"}

# name: function, minimum number of vertices, whether the number must be even
_SHAPES: dict[str, tuple[Callable[[int], Graph], int, bool]] = {
    "double-star": (graphs.double_star, 2, True),
    "path": (graphs.path, 2, False),
    "star": (graphs.star, 2, False),
    "cycle": (graphs.cycle, 3, False),
    "matching": (graphs.matching, 2, True),
    "clique": (graphs.complete, 2, False),
}
_FIXED = {
    "triangle": Graph(3, graphs.cycle(3).edges, name="triangle"),
    "edge": Graph(2, graphs.path(2).edges, name="edge"),
}
_WORDS = [*_SHAPES, *_HAMILTONIAN, *_FIXED]

_ALIKE = """
bull chvatal diamond frucht heawood house petersen tutte cubical octahedral tetrahedral dodecahedral icosahedral desargues
pappus moebius-kantor hoffman-singleton truncated-cube truncated-tetrahedron krackhardt-kite coxeter grotzsch franklin
herschel levi mcgee meredith nauru folkman robertson sedgewick-maze davis-southern-women florentine-families
les-miserables thomassen walther nonline noperfectmatching smallestcyclicgroup uniquely3colorable
"""
# Each name with the names in networkx and igraph.
FAMOUS = {name: (name.replace("-", "_"), name.replace("-", "_")) for name in _ALIKE.split()}
FAMOUS |= {
    "cube": FAMOUS["cubical"],
    "tetrahedron": FAMOUS["tetrahedral"],
    "octahedron": FAMOUS["octahedral"],
    "dodecahedron": ("dodecahedral", "dodecahedron"),
    "icosahedron": ("icosahedral", "icosahedron"),
    "groetzsch": FAMOUS["grotzsch"],
    "house-x": ("house_x", "HouseX"),
    "housex": ("house_x", "HouseX"),
    "karate-club": ("karate_club", "Zachary"),
    "zachary": ("karate_club", "Zachary"),
}
_BY_LETTERS = {name.replace("-", ""): name for name in FAMOUS}  # dashes are optional

# Cubic graphs with a Hamilton cycle in LCF notation: the chord of vertex k leads this many vertices further.
_CHORDS = {
    "desargues": ((5, -5, 9, -9), 5),
    "moebius-kantor": ((5, -5), 8),
    "nauru": ((5, -9, 7, -7, 9, -5), 4),
    "pappus": ((5, 7, -7, 7, -7, -5), 3),
    "truncated-cube": ((2, 9, -2, 2, -9, -2), 4),
    "truncated-tetrahedron": ((2, 6, -2), 4),
}


def part_names() -> list[str]:
    """The names of parts for shell completion."""
    return list(_WORDS)


def operands(host: str, more: Sequence[str], into: Sequence[str]) -> tuple[str, list[str]]:
    """The host and the parts; if one of them is the word "edges", the next word is its list."""
    rest = list(more)
    if host == "edges" and rest:
        host = f"edges {rest.pop(0)}"
    parts = []
    for part in into:
        if re.fullmatch(r"([0-9]+\s*[x×*]\s*)?edges", part) and rest:
            part = f"{part} {rest.pop(0)}"
        parts.append(part)
    if rest:
        raise BadInput(f"{rest[0]!r} is one word too many: expected a host, and parts after {spell('into')}")
    return host, parts


def host_of(given: Any) -> Graph:
    """A host from a word, a path, an edge list, a networkx graph or a `Graph`."""
    found = _graph_of(given)
    if found is None:
        also = "or K16, K5,6, an edge list as 0-1,1-2, @FILE, graph6"
        raise BadInput(unknown("the host", str(given), sorted(FAMOUS), also))
    return found


def part_of(given: Any, host: Graph, times: int | None = None, *, disconnected: bool = False) -> Part:
    """A part from the same values, or from a name, which may need the host's number of vertices."""
    if isinstance(given, str) and (found := re.fullmatch(r"\s*([0-9]{1,9})\s*[x×*]\s*(.+?)\s*", given, re.DOTALL)):
        if times is not None:
            raise BadInput(f"the part {given!r}: the number of copies is given twice")
        times, given = int(found[1]), found[2]
    named = _named(given.strip(), host) if isinstance(given, str) else None
    graph = named or _graph_of(given)
    if graph is None:
        also = "one of the first as path-5, an edge list, @FILE, graph6"
        raise BadInput(unknown("the part", str(given), [*_WORDS, *sorted(FAMOUS)], also))
    if named is None and graph.edges and graph.components > 1 and 0 not in graph.degrees and not disconnected:
        raise BadInput(f"the part {graph} has {graph.components} components: {spell('disconnected')} allows that")
    return Part(graph, times)


def _named(word: str, host: Graph) -> Graph | None:
    if word in _FIXED:
        return _FIXED[word]
    name, _, size = word.rpartition("-") if re.search(r"-[0-9]+$", word) else (word, "", "")
    name = _HAMILTONIAN.get(name, name)
    if name not in _SHAPES or (size and word.startswith("hamiltonian")):
        return None
    make, fewest, even = _SHAPES[name]
    if len(size) > 9:
        raise BadInput(f"the part {short(word)}: expected {fewest} to {MOST_VERTICES} vertices")
    n = int(size) if size else host.vertices
    if not fewest <= n <= MOST_VERTICES:
        raise BadInput(f"the part {word!r} on {n} vertices: expected {fewest} to {MOST_VERTICES}")
    if even and n % 2:
        raise BadInput(f"the part {word!r} on {n} vertices: expected an even number of vertices")
    return make(n)


def _graph_of(given: Any) -> Graph | None:
    """A graph from any value except the name of a shape; None if it is not recognised."""
    if isinstance(given, Graph):
        return given
    if hasattr(given, "nodes") and hasattr(given, "edges") and hasattr(given, "is_directed"):
        return Graph.of_networkx(given)
    if is_edge_list(given):
        return _of_pairs(given)
    if isinstance(given, os.PathLike):
        return read_graph(given)
    if not isinstance(given, str):
        return None
    word = given.strip()
    if found := re.fullmatch(r"[Kk]_?([0-9]+(?:,[0-9]+)*)", word):
        return _complete([int(size[:9]) for size in found[1].split(",")], word)
    if word.startswith("@"):
        return read_graph(word[1:])
    if word.startswith("graph6:"):
        return of_graph6(word[7:])
    if found := re.fullmatch(r"edges[\s:]*(.*)", word, re.DOTALL):
        return _of_text(found[1])
    if (known := famous(word)) is not None:
        return known
    if re.search(r"[0-9]", word) or word.startswith("["):
        return _of_text(word)
    if _like_graph6(word):
        with suppress(BadInput):  # an invalid graph6 word may be a misspelled name
            return of_graph6(word)
    return None


def walk_of(edges: Sequence[Edge]) -> list[int] | None:
    """The vertices of a path or a cycle in order, for a cycle with the first again at the end; None for other graphs."""
    near: dict[int, list[int]] = {}
    for u, v in edges:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    ends = sorted(vertex for vertex, row in near.items() if len(row) == 1)
    if len(edges) < 3 or len(ends) not in (0, 2) or any(len(row) > 2 for row in near.values()):
        return None
    walk = [ends[0] if ends else min(near)]
    before = -1
    while len(walk) <= len(edges):
        after = [vertex for vertex in near[walk[-1]] if vertex != before]
        if not after:
            return None  # a path with other components
        before = walk[-1]
        walk.append(min(after) if len(walk) == 1 else after[0])
        if not ends and walk[-1] == walk[0]:
            break
    return walk if len(walk) == len(edges) + 1 else None


def is_edge_list(given: Any) -> bool:
    """Whether the value is a sequence of pairs."""
    return isinstance(given, Sequence) and not isinstance(given, str) and all(
        isinstance(pair, Sequence) and not isinstance(pair, str) and len(pair) == 2 for pair in given
    )  # fmt: skip


def _complete(sizes: list[int], word: str) -> Graph:
    if min(sizes) < 1 or sum(sizes) > MOST_VERTICES:
        raise BadInput(f"{word}: expected 1 to {MOST_VERTICES:,} vertices")
    return graphs.complete(sizes[0]) if len(sizes) == 1 else graphs.multipartite(sizes)


# Named graphs


def famous(word: str) -> Graph | None:
    """A named graph; None if the word is not a name."""
    key = _BY_LETTERS.get(re.sub("[-_]", "", word.lower().removesuffix("graph")))
    if key is None:
        return None
    in_networkx, in_igraph = FAMOUS[key]
    with suppress(ImportError):
        import networkx

        if make := getattr(networkx, f"{in_networkx}_graph", None):
            return Graph.of_pairs([(_word(u), _word(v)) for u, v in make().edges()], key)
    with suppress(ImportError):
        import igraph

        with suppress(igraph.InternalError):
            return Graph.of_pairs(igraph.Graph.Famous(in_igraph).get_edgelist(), key)
    if key in _CHORDS:
        return _with_chords(key)
    if key == "hoffman-singleton":
        return _hoffman_singleton()
    raise BadInput(f"the graph {word!r}: expected one that an installed networkx or igraph has")


def _word(label: Any) -> Any:
    """The name of a vertex without blanks and dashes, so that an edge can be written as a-b."""
    return re.sub(r"[\s-]+", "_", label) if isinstance(label, str) else label


def _with_chords(key: str) -> Graph:
    steps, times = _CHORDS[key]
    n = len(steps) * times
    chords = {frozenset((k, (k + step) % n)) for k, step in enumerate(steps * times)}
    pairs = chords | {frozenset((k, (k + 1) % n)) for k in range(n)}
    return Graph.of_pairs([(min(pair), max(pair)) for pair in pairs], key)


def _hoffman_singleton() -> Graph:
    """Five pentagons and five pentagrams; vertex j of pentagon h is adjacent to vertex hi + j of pentagram i."""
    pairs = []
    for h in range(5):
        for j in range(5):
            pairs += [(5 * h + j, 5 * h + (j + 1) % 5), (25 + 5 * h + j, 25 + 5 * h + (j + 2) % 5)]
            pairs += [(5 * h + j, 25 + 5 * i + (h * i + j) % 5) for i in range(5)]
    return Graph.of_pairs(pairs, "hoffman-singleton")


# Edge lists


def _of_text(text: str) -> Graph:
    """A graph from an edge list as 0-1,1-2 or as [(0,1),(1,2)]."""
    body = text.strip()
    if body.startswith("["):
        pairs = source_pairs(body, "edge")
    else:
        pairs = []
        for word in filter(None, re.split(r"[,;\s]+", body)):
            found = re.fullmatch(r"([0-9]{1,9})[-–]([0-9]{1,9})", word)
            if not found:
                raise BadInput(f"the edge {word!r}: expected two vertices as 0-1")
            pairs.append((int(found[1]), int(found[2])))
    return _of_pairs(pairs)


def source_pairs(text: str, what: str) -> list[tuple[int, int]]:
    """Pairs from text as [(0,1),(1,2)]."""
    if not re.fullmatch(r"\s*\[.*\]\s*", text, re.DOTALL):
        raise BadInput(f"the {what} list {short(text)}: expected pairs in brackets as [(0,1),(1,2)]")
    inner = text.strip()[1:-1].strip()
    pairs = []
    # Match one pair at a time, so that the message can show the first invalid one.
    place = 0
    while place < len(inner):
        found = re.compile(r"\s*\(\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\)\s*(,|$)").match(inner, place)
        if not found:
            raise BadInput(
                f"the {what} list: {short(inner[place:])}: expected a pair as (0,1), pairs separated by commas"
            )
        pairs.append((int(found[1]), int(found[2])))
        place = found.end()
        if found[3] == "," and not inner[place:].strip():
            raise BadInput(f"the {what} list ends with a comma: expected another pair")
    return pairs


def _of_pairs(pairs: Sequence[Sequence[Any]]) -> Graph:
    if not pairs:
        raise BadInput("an edge list without edges: expected at least one as 0-1")
    name = ",".join(f"{u}-{v}" for u, v in pairs[:12]) + (" …" if len(pairs) > 12 else "")
    return Graph.of_pairs([(u, v) for u, v in pairs], name)


# Graphs in files


def read_graph(source: Source) -> Graph:
    """A graph from a path, an open file, or "-" for standard input."""
    return parse_graph(read_text(source, MOST_BYTES), name_of(source), stem_of(source))


def stem_of(source: Source) -> str:
    """The name for a graph from a file."""
    name = name_of(source)
    return "" if name == STANDARD_INPUT else Path(name).stem


def parse_graph(text: str, source: str = "text", name: str = "") -> Graph:
    """A graph from an edge list with an edge on each line, or from a graph6 word."""
    text = plain_text(text, source)
    word = text.strip().removeprefix(">>graph6<<").removeprefix("graph6:")
    pairs = None if _like_graph6(word) else _lines_of_pairs(text, source)
    try:
        if pairs is not None:
            return Graph.of_pairs(pairs, name)
        found = of_graph6(word)
    except BadInput as error:
        raise BadInput(f"{source}: {error}") from None
    return Graph(found.vertices, found.edges, name=name or word)


def _lines_of_pairs(text: str, source: str) -> list[tuple[Label, Label]]:
    pairs: list[tuple[Label, Label]] = []
    for place, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace("-", " ").replace(",", " ").split()
        if "\ufeff" in line or any(len(word) > 100 for word in words):
            raise BadInput(f"{source}:{place}: {short(line)}: expected two names of at most 100 characters as 0 1")
        if not words:
            continue
        if len(words) != 2:
            raise BadInput(f"{source}:{place}: {short(line)}: expected the two ends of an edge as 0 1")
        first, second = (int(word) if re.fullmatch(r"[0-9]{1,18}", word) else word for word in words)
        pairs.append((first, second))
    if not pairs:
        raise BadInput(f"{source}: no edges; expected an edge on each line as 0 1")
    return pairs


def short(text: str) -> str:
    return repr(text if len(text) <= 30 else text[:29] + "…")


# graph6: six bits in each character, plus 63; the number of vertices, then the upper triangle column by column


def _like_graph6(word: str) -> bool:
    return bool(word) and all(63 <= ord(mark) <= 126 for mark in word)


def of_graph6(word: str) -> Graph:
    values = [ord(mark) - 63 for mark in word]
    if not _like_graph6(word):
        raise BadInput(f"graph6 {short(word)}: expected characters from ? to ~")
    if values[0] < 63:
        n, body = values[0], values[1:]
    elif len(values) >= 4 and values[1] < 63:
        n, body = values[1] << 12 | values[2] << 6 | values[3], values[4:]
    else:
        raise BadInput(f"graph6 {short(word)}: expected a graph of at most 258,047 vertices")
    if n > MOST_VERTICES:
        raise BadInput(f"graph6 {short(word)} has {n:,} vertices: expected at most {MOST_VERTICES:,}")
    pairs = n * (n - 1) // 2
    length = -(-pairs // 6)
    if len(body) != length:
        raise BadInput(f"{short(word)}: expected a known word, or graph6 of {n} vertices with {length + 1} characters")
    bits = (np.array(body, np.int64)[:, None] >> np.arange(5, -1, -1) & 1).ravel()[:pairs] > 0
    v, u = (ends[bits].tolist() for ends in np.tril_indices(n, -1))
    return Graph(n, tuple(sorted(zip(u, v, strict=True))), name=word)


def to_graph6(graph: Graph) -> str:
    n = graph.vertices
    bits = graph.numbers[np.tril_indices(n, -1)] >= 0
    body = np.append(bits, np.zeros(-len(bits) % 6, bool)).reshape(-1, 6) @ (1 << np.arange(5, -1, -1))
    size = [n] if n < 63 else [63, n >> 12 & 63, n >> 6 & 63, n & 63]
    return "".join(chr(value + 63) for value in [*size, *body.tolist()])


def typed(graph: Graph, read: Callable[[str], Graph]) -> str:
    """A word that `read` converts to this graph: its name, its edges or graph6."""
    for word in (graph.name, graph.text(graph.edges)):
        with suppress(BadInput):
            if word and read(word).edges == graph.edges:
                return word
    return f"graph6:{to_graph6(graph)}"
