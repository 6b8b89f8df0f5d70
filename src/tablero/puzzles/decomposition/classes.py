"""Decompositions up to isomorphism: one of each class, and the order of its automorphism group.

Two decompositions are isomorphic when a permutation of the vertices that keeps the host takes the parts of one to the parts
of the other.  A decomposition becomes a coloured graph, with a node for every vertex, every part and every edge of a part;
BLISS (in igraph) gives its canonical form and its group.  A class has |Aut(host)|/|Aut| labelled members.  So when the
sizes of the classes met add up to the number of all labelled decompositions, no class is missing: most decompositions need
never be looked at, and the sum is the proof.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.puzzles.decomposition.graph import igraph_of, require_igraph
from tablero.puzzles.decomposition.puzzle import Decomposition, DecompositionPuzzle
from tablero.puzzles.decomposition.solve import Found, find, told
from tablero.runs.findings import Findings
from tablero.runs.runner import HERE, Run, Session
from tablero.runs.watch import Snapshot

_LOOK = 0.1  # seconds between two words to those who watch


@dataclass(frozen=True)
class Class:
    """One class: an example, the order of its group, how many labelled decompositions belong to it."""

    example: Decomposition
    group: int
    labelled: int

    def __str__(self) -> str:
        return f"group of order {self.group}, {self.labelled:,} labelled\n{self.example}"


@dataclass(frozen=True, eq=False, repr=False)
class Classes(Findings[Class]):
    """All classes; `complete` says that their sizes add up to the labelled decompositions there are."""

    puzzle: DecompositionPuzzle
    found: Found  # the labelled decompositions
    classes: tuple[Class, ...]
    symmetries: int  # the order of the host's group

    @cached_property
    def answers(self) -> Sequence[Class]:
        return self.classes

    def told(self) -> list[Any]:
        """One decomposition of each class."""
        return told(one.example for one in self.classes)

    def verify(self) -> None:
        """Check every decomposition, and that the sizes of the classes add up."""
        self.found.verify()
        if self.status != "open" and not self.complete:
            raise AssertionError("the sizes of the classes do not add up to the decompositions there are")

    def scene(self) -> Scene | None:
        """The decomposition that stands for the first class."""
        from tablero.puzzles.decomposition.draw import is_drawable

        return self.classes[0].example.scene() if self.classes and is_drawable(self.puzzle.lines) else None

    @property
    def labelled(self) -> int:
        """How many decompositions there are, the host's vertices told apart."""
        return self.solutions

    @property
    def complete(self) -> bool:
        return sum(one.labelled for one in self.classes) == self.labelled and self.status != "open"

    @property
    def groups(self) -> list[int]:
        return [one.group for one in self.classes]

    @property
    def why(self) -> str:
        """The reason why there are none, where it was seen without a search."""
        return self.found.why

    def values(self) -> dict[str, Any]:
        return {
            **self.found.values(),
            **super().values(),
            "classes": [{"group": one.group, "labelled": one.labelled} for one in self.classes],
            "labelled": self.labelled,
            "checked": self.complete,
        }

    def __repr__(self) -> str:
        return f"<Classes: {self.status}, {len(self.classes)} among {self.labelled:,} labelled, {self.seconds:.3g} s>"

    def __str__(self) -> str:
        return "\n\n".join(f"class {k}: {one}" for k, one in enumerate(self.classes, 1)) or repr(self)


def classes(puzzle: DecompositionPuzzle, *, run: Run = HERE) -> Classes:
    """Find all decompositions, and sort them into classes."""
    if puzzle.symmetry is not None:
        raise BadInput("classes are made of all decompositions, not of those with a symmetry")
    with Session(run) as session:
        found = find(puzzle, "classes", None, session)
        order = int(igraph_of(puzzle.host).count_automorphisms())
        sample: dict[Any, Class] = {}
        result = found.result
        try:
            _sort(found, order, sample, run)
        except KeyboardInterrupt:
            result = replace(result, status="open", interrupted=True)
    kept = sorted(sample.values(), key=lambda one: (one.labelled, one.example.parts))
    sorted_out = Classes(puzzle, result, found, tuple(kept), order)
    sorted_out.verify()
    return sorted_out


def _sort(found: Found, order: int, sample: dict[Any, Class], run: Run) -> None:
    """Put an example of every class into the sample; as soon as their sizes add up the others need not be looked at."""
    began = next_look = time.monotonic()
    left, answers = found.solutions, found.answers
    for seen, k in enumerate(_scattered(len(answers)).tolist()):
        if left == 0:
            break
        now = time.monotonic()
        if now >= next_look:
            next_look = now + _LOOK
            words = f"{len(sample)} classes among {seen:,} of {len(answers):,} decompositions"
            run.tell(Snapshot(doing="telling them apart", seconds=now - began, words=words))
        form, group = canonical(answers[k])
        if form not in sample:
            sample[form] = Class(answers[k], group, order // group)
            left -= order // group


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
