"""Decompositions up to isomorphism: one of each class, and the order of its automorphism group.

Two decompositions are isomorphic when a permutation of the vertices that keeps the host takes the parts of one to the parts
of the other.  A decomposition becomes a coloured graph, with a node for every vertex, every part and every edge of a part;
BLISS (in igraph) gives its canonical form and its group.  A class has |Aut(host)|/|Aut| labelled members.  So when the
sizes of the classes met add up to the number of all labelled decompositions, no class is missing: most decompositions need
never be looked at, and the sum is the proof.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from tablero.errors import BadInput
from tablero.puzzles.decomposition.graph import igraph_of, require_igraph
from tablero.puzzles.decomposition.puzzle import Decomposition, DecompositionPuzzle
from tablero.puzzles.decomposition.solve import Found, solve


@dataclass(frozen=True)
class Class:
    """One class: an example, the order of its group, how many labelled decompositions belong to it."""

    example: Decomposition
    group: int
    labelled: int


@dataclass(frozen=True)
class Classes:
    """All classes; `complete` says that their sizes add up to the labelled decompositions there are."""

    classes: tuple[Class, ...]
    labelled: int
    symmetries: int  # the order of the host's group
    found: Found

    @property
    def complete(self) -> bool:
        return sum(one.labelled for one in self.classes) == self.labelled and self.found.status != "open"

    @property
    def groups(self) -> list[int]:
        return [one.group for one in self.classes]


def classes(puzzle: DecompositionPuzzle, **settings: Any) -> Classes:
    """Find all decompositions, and sort them into classes."""
    if puzzle.symmetry is not None:
        raise BadInput("classes are made of all decompositions, not of those with a symmetry")
    found = solve(puzzle, None, **settings)
    order = int(igraph_of(puzzle.host).count_automorphisms())
    sample: dict[Any, Class] = {}
    left = found.solutions
    for row in _scattered(len(found.result.answers)):
        if left == 0 or found.model is None:
            break
        example = Decomposition(puzzle.host, found.model.parts(found.result.answers[row].tolist()), str(puzzle))
        form, group = canonical(example)
        if form not in sample:
            sample[form] = Class(example, group, order // group)
            left -= order // group
    kept = sorted(sample.values(), key=lambda one: (one.labelled, one.example.parts))
    result = Classes(tuple(kept), found.solutions, order, found)
    if found.status != "open" and not result.complete:
        raise AssertionError("the sizes of the classes do not add up to the decompositions there are")
    return result


def _scattered(count: int) -> Any:
    """All numbers below `count`, in an order that jumps about: neighbours are often of one class."""
    return np.random.default_rng(0).permutation(count)


def canonical(found: Decomposition) -> tuple[Any, int]:
    """A form that isomorphic decompositions share, and the order of the group."""
    host = found.host
    pieces = Counter(found.parts)  # a copy that is taken several times is one part, coloured by how often
    colours = [0] * host.vertices
    links: list[tuple[int, int]] = []
    for piece, times in sorted(pieces.items()):
        centre = len(colours)
        colours.append(1 + times)
        for u, v in piece:
            node = len(colours)
            colours.append(1)
            links += [(u, node), (v, node), (centre, node)]
    graph = require_igraph().Graph(n=len(colours), edges=links)
    graph.vs["colour"] = colours
    # Versions of igraph differ in which way a permutation goes; `permute_vertices` goes along with each.
    form = graph.permute_vertices(graph.canonical_permutation(color=colours))
    edges = tuple(sorted((min(edge), max(edge)) for edge in form.get_edgelist()))
    return (edges, tuple(form.vs["colour"])), int(graph.count_automorphisms(color=colours))
