"""Graphs that have a name: people's names for them, and those of networkx (before "_graph") and igraph (its famous graphs).

A graph is taken from networkx or igraph, whichever is installed and has it, or else made by a formula.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from tablero.decomposition.graph import Graph
from tablero.errors import BadInput

_ALIKE = """
bull chvatal diamond frucht heawood house petersen tutte cubical octahedral tetrahedral dodecahedral icosahedral desargues
pappus moebius-kantor hoffman-singleton truncated-cube truncated-tetrahedron krackhardt-kite coxeter grotzsch franklin
herschel levi mcgee meredith nauru folkman robertson sedgewick-maze davis-southern-women florentine-families
les-miserables thomassen walther nonline noperfectmatching smallestcyclicgroup uniquely3colorable
"""
# Each name with the names that networkx and igraph have for it.
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
_BY_LETTERS = {name.replace("-", ""): name for name in FAMOUS}  # dashes are put here and there

# Cubic graphs with a Hamilton cycle: from vertex k of the cycle a chord leads so many vertices on (LCF notation).
_CHORDS = {
    "desargues": ((5, -5, 9, -9), 5),
    "moebius-kantor": ((5, -5), 8),
    "nauru": ((5, -9, 7, -7, 9, -5), 4),
    "pappus": ((5, 7, -7, 7, -7, -5), 3),
    "truncated-cube": ((2, 9, -2, 2, -9, -2), 4),
    "truncated-tetrahedron": ((2, 6, -2), 4),
}


def famous(word: str) -> Graph | None:
    """A graph that has a name; None where the word is none."""
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

        try:
            return Graph.of_pairs(igraph.Graph.Famous(in_igraph).get_edgelist(), key)
        except igraph.InternalError:
            pass
    if key in _CHORDS:
        return _with_chords(key)
    if key == "hoffman-singleton":
        return _hoffman_singleton()
    raise BadInput(f"the graph {word!r}: neither networkx nor igraph, as far as they are installed, has it")


def _word(label: Any) -> Any:
    """A vertex's name as one word, so that an edge can be written as a-b."""
    return re.sub(r"[\s-]+", "_", label) if isinstance(label, str) else label


def _with_chords(key: str) -> Graph:
    steps, times = _CHORDS[key]
    n = len(steps) * times
    chords = {frozenset((k, (k + step) % n)) for k, step in enumerate(steps * times)}
    pairs = chords | {frozenset((k, (k + 1) % n)) for k in range(n)}
    return Graph.of_pairs([(min(pair), max(pair)) for pair in pairs], key)


def _hoffman_singleton() -> Graph:
    """Five pentagons and five pentagrams; vertex j of pentagon h is next to vertex hi + j of pentagram i."""
    pairs = []
    for h in range(5):
        for j in range(5):
            pairs += [(5 * h + j, 5 * h + (j + 1) % 5), (25 + 5 * h + j, 25 + 5 * h + (j + 2) % 5)]
            pairs += [(5 * h + j, 25 + 5 * i + (h * i + j) % 5) for i in range(5)]
    return Graph.of_pairs(pairs, "hoffman-singleton")
