"""Decompositions up to isomorphism: one of each class, and the order of its automorphism group.

Two decompositions are isomorphic if an automorphism of the host maps the parts of one to the parts of the other.  A
decomposition is represented by a coloured graph, with a node for every vertex, every part and every edge of a part; BLISS
(in igraph) computes its canonical form and its group.  A class has |Aut(host)|/|Aut| labelled members.  If the sizes of the
classes add up to the number of all labelled decompositions, no class is missing.  So most decompositions need not be
examined, and the sum is the proof.
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
    """One class: an example, the order of its group, and the number of labelled decompositions in it."""

    example: Decomposition
    group: int
    labelled: int

    def __str__(self) -> str:
        return f"group of order {self.group}, {self.labelled:,} labelled\n{self.example}"


@dataclass(frozen=True, eq=False, repr=False)
class Classes(Findings[Class]):
    """All classes; `complete` is True if their sizes add up to the number of labelled decompositions."""

    puzzle: DecompositionPuzzle
    found: Found  # the labelled decompositions
    classes: tuple[Class, ...]
    symmetries: int  # the order of the host's automorphism group

    @classmethod
    def of(cls, found: Found, result: Result, sample: dict[Any, Class], order: int) -> Classes:
        """The classes of a sample, small classes first."""
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
        """Check every decomposition and the sum of the sizes of the classes."""
        self.found.verify()
        if self.status != "open" and not self.complete:
            raise AssertionError("the sizes of the classes do not add up to the number of decompositions")

    def scene(self) -> Scene | None:
        """The example of the first class as a picture."""
        return self.classes[0].example.scene() if self.classes and is_drawable(self.puzzle.lines) else None

    @property
    def labelled(self) -> int:
        """The number of labelled decompositions."""
        return self.solutions

    @property
    def complete(self) -> bool:
        return sum(one.labelled for one in self.classes) == self.labelled and self.status != "open"

    @property
    def groups(self) -> list[int]:
        return [one.group for one in self.classes]

    @property
    def why(self) -> str:
        """The reason if there are no decompositions and no search was needed."""
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
        yield self  # the result contains labelled decompositions, not classes

    def answer_text(self, before: int) -> str:
        """The classes, each with its example: a part on each line, paths and cycles as walks."""
        text = copy_text(self.puzzle.host)
        blocks = []
        for k, one in enumerate(self.classes, 1):
            head = f"{'' if k == 1 else chr(10)}class {k}: group of order {one.group}, {one.labelled:,} labelled"
            blocks.append("\n".join([head, *map(text, one.example.parts)]) + "\n")
        return "".join(blocks)

    def edge_lists(self) -> Iterator[str] | None:
        """The examples in the format that `check` reads, one after another; None if there are none."""
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
        else:  # the size of a class counts all its members, whether they were found or not
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
    """Add an example of every class to the sample, until the sizes of the classes add up to `total`.

    The first `seen` answers have been examined before.  Return False if it was stopped; after Ctrl-C, it stops soon.
    """
    run, left_seconds = (HERE, None) if session is None else (session.run, session.left)
    clock, limit = Clock(run), _MOMENT if found.interrupted else left_seconds
    left, answers = total - sum(one.labelled for one in sample.values()), found.answers
    # In random order: neighbours are often in one class.
    numbers = np.random.default_rng(0).permutation(len(answers) - seen).tolist()
    try:
        for done, k in enumerate(numbers):
            if left <= 0:
                break
            if limit is not None and clock.seconds > limit:
                return False
            clock.report(f"classifying: {len(sample)} classes among {done:,} of {len(numbers):,}")
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
    """The canonical form of a decomposition, and the order of its group."""
    host = found.host
    pieces = Counter(found.parts)  # a repeated copy is one part, coloured by its multiplicity
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
    # Versions of igraph differ in the direction of a permutation; `permute_vertices` agrees with each.
    form = graph.permute_vertices(ask_igraph(graph.canonical_permutation, color=colours))
    edges = tuple(sorted((min(edge), max(edge)) for edge in form.get_edgelist()))
    return (edges, tuple(form.vs["colour"])), int(ask_igraph(graph.count_automorphisms, color=colours))
