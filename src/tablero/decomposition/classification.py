"""Decompositions up to isomorphism: one of each class, and the order of its automorphism group.

Two decompositions are isomorphic when a permutation of the vertices that keeps the host takes the parts of one to the parts
of the other.  A decomposition becomes a coloured graph, with a node for every vertex, every part and every edge of a part;
BLISS (in igraph) gives its canonical form and its group.  A class has |Aut(host)|/|Aut| labelled members.  So when the
sizes of the classes met add up to the number of all labelled decompositions, no class is missing: most decompositions need
never be looked at, and the sum is the proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tablero import interrupts
from tablero.decomposition.draw import is_drawable
from tablero.decomposition.findings import Found
from tablero.decomposition.formats import copy_text, edges_to_json
from tablero.decomposition.graph import ask_igraph, require_igraph
from tablero.decomposition.puzzle import Decomposition, DecompositionPuzzle
from tablero.draw.scene import Scene
from tablero.runs.findings import Findings, Result
from tablero.runs.run import HERE, Clock
from tablero.runs.session import Session
from tablero.text import several

_MOMENT = 0.3  # seconds


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

    @classmethod
    def of(cls, found: Found, result: Result, sample: dict[Any, Class], order: int) -> Classes:
        """The classes of a sample, small ones first."""
        kept = sorted(sample.values(), key=lambda one: (one.labelled, one.example.parts))
        return cls(found.puzzle, result, found, tuple(kept), order)

    @cached_property
    def answers(self) -> Sequence[Class]:
        return self.classes

    def to_list(self) -> list[Any]:
        """One decomposition of each class."""
        host = self.puzzle.host
        return [[edges_to_json(host, part) for part in one.example.parts] for one in self.classes]

    def verify(self) -> None:
        """Check every decomposition, and that the sizes of the classes add up."""
        self.found.verify()
        if self.status != "open" and not self.complete:
            raise AssertionError("the sizes of the classes do not add up to the decompositions there are")

    def scene(self) -> Scene | None:
        """The decomposition that stands for the first class."""
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

    def pieces(self) -> Iterator[Classes]:
        yield self  # the result has the labelled decompositions, not the classes

    def answer_text(self, before: int) -> str:
        """The classes, each with its example: a part a line, paths and cycles as walks."""
        text = copy_text(self.puzzle.host)
        blocks = []
        for k, one in enumerate(self.classes, 1):
            head = f"{'' if k == 1 else chr(10)}class {k}: group of order {one.group}, {one.labelled:,} labelled"
            blocks.append("\n".join([head, *map(text, one.example.parts)]) + "\n")
        return "".join(blocks)

    def edge_lists(self) -> Iterator[str] | None:
        """The examples as `check` reads them, one after another; None where there are none."""
        blocks = enumerate(one.example for one in self.classes)
        return ("\n" * (k > 0) + f"{example}\n" for k, example in blocks) if self.classes else None

    def remarks(self) -> Iterator[str]:
        if self.why:
            yield f"no decomposition: {self.why}"
            return
        number = several(len(self.classes), "class", "classes")
        members = f"Σ {self.symmetries:,}/|Aut| = {sum(one.labelled for one in self.classes):,}"
        if self.complete:
            yield f"{number}; {members} of {self.labelled:,} labelled: all there are"
        else:  # a class that was met has all its members, whether they were found or not
            yield f"{number} so far, with {members} members; {self.labelled:,} labelled were found, not all"
        yield self.sentence("decomposition", "decompositions")

    def __repr__(self) -> str:
        return f"<Classes: {self.status}, {len(self.classes)} among {self.labelled:,} labelled, {self.seconds:.3g} s>"

    def __str__(self) -> str:
        return "\n\n".join(f"class {k}: {one}" for k, one in enumerate(self.classes, 1)) or repr(self)


@interrupts.Polling()
def sort_out(
    found: Found, seen: int, total: int, order: int, sample: dict[Any, Class], session: Session | None = None
) -> bool:
    """Put an example of every class into the sample; as soon as their sizes add up the others need not be looked at.

    The first `seen` were looked at before.  False when it was stopped; after Ctrl-C only a moment is spent on it.
    """
    run, left_seconds = (HERE, None) if session is None else (session.run, session.left)
    clock, limit = Clock(run), _MOMENT if found.interrupted else left_seconds
    left, answers = total - sum(one.labelled for one in sample.values()), found.answers
    # In an order that jumps about: neighbours are often of one class.
    numbers = np.random.default_rng(0).permutation(len(answers) - seen).tolist()
    try:
        for done, k in enumerate(numbers):
            if left <= 0:
                break
            if limit is not None and clock.seconds > limit:
                return False
            clock.report(f"telling them apart: {len(sample)} classes among {done:,} of {len(numbers):,}")
            form, group = canonical(answers[seen + k])
            if form not in sample:
                sample[form] = Class(answers[seen + k], group, order // group)
                left -= order // group
    except KeyboardInterrupt:
        return False
    finally:
        if session is not None:
            session.charge(clock)
    return True


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
    form = graph.permute_vertices(ask_igraph(graph.canonical_permutation, color=colours))
    edges = tuple(sorted((min(edge), max(edge)) for edge in form.get_edgelist()))
    return (edges, tuple(form.vs["colour"])), int(ask_igraph(graph.count_automorphisms, color=colours))
