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
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tablero import interrupts
from tablero.decomposition.findings import Found, told
from tablero.decomposition.formats import copy_text
from tablero.decomposition.graph import ask_igraph, igraph_of, require_igraph
from tablero.decomposition.puzzle import Decomposition, DecompositionPuzzle
from tablero.decomposition.solving import find
from tablero.draw.scene import Scene
from tablero.runs.findings import Findings
from tablero.runs.run import HERE, Run
from tablero.runs.session import Clock, Session
from tablero.words import several

_FEW = 2_000  # decompositions that are looked at first, and how many times as many the next time
_MORE = 8
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
        from tablero.decomposition.draw import is_drawable

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


def classes(puzzle: DecompositionPuzzle, *, run: Run = HERE) -> Classes:
    """Find all decompositions, and sort them into classes."""
    with Session(run) as session:
        order = int(ask_igraph(igraph_of(puzzle.host).count_automorphisms))
        sample: dict[Any, Class] = {}
        if run.durable:
            found = find(puzzle, None, session)
            total, all_found = found.solutions, found.status != "open"
            ended = _sort(found, 0, total, order, sample, session)
        else:
            found, total, ended = _sample(puzzle, order, sample, session)
            all_found = True  # they were counted; otherwise there is none in the sample
    result = replace(found.result, solutions=total)
    if not ended or not all_found or total > sum(one.labelled for one in sample.values()):
        result = replace(result, status="open", interrupted=result.interrupted or (not ended and not session.over))
    elif total:
        result = replace(result, status="complete", fraction=1.0)
    kept = sorted(sample.values(), key=lambda one: (one.labelled, one.example.parts))
    sorted_out = Classes(puzzle, result, found, tuple(kept), order)
    sorted_out.verify()
    return sorted_out


def _sample(
    puzzle: DecompositionPuzzle, order: int, sample: dict[Any, Class], session: Session
) -> tuple[Found, int, bool]:
    """Count first: then as many decompositions are looked at as it takes until the classes met add up to that number."""
    counted = find(puzzle, None, session, keep=False)
    if counted.status != "complete":
        kept = replace(counted.result, kept=True)
        return replace(counted, result=kept), counted.solutions, not counted.interrupted
    total, most, seen = counted.solutions, _FEW, 0
    while True:
        found = find(puzzle, most, session, model=counted.model, conditions=counted.conditions)
        spent = replace(found.result, nodes=session.spent.nodes, seconds=session.spent.seconds)
        found = replace(found, result=replace(spent, cpu_seconds=session.spent.cpu_seconds))
        ended = _sort(found, seen, total, order, sample, session)
        known = sum(one.labelled for one in sample.values())
        if known >= total or not ended or found.status != "solved" or session.over:
            return found, total, ended and not found.interrupted
        seen, most = found.solutions, most * _MORE


@interrupts.Polling()
def _sort(found: Found, seen: int, total: int, order: int, sample: dict[Any, Class], session: Session) -> bool:
    """Put an example of every class into the sample; as soon as their sizes add up the others need not be looked at.

    The first `seen` were looked at before.  False when it was stopped; after Ctrl-C only a moment is spent on it.
    """
    clock, limit = Clock(session.run), _MOMENT if found.interrupted else session.left
    left, answers = total - sum(one.labelled for one in sample.values()), found.answers
    try:
        for done, k in enumerate(_scattered(len(answers) - seen).tolist()):
            if left <= 0:
                break
            if limit is not None and clock.seconds > limit:
                return False
            clock.tell(f"telling them apart: {len(sample)} classes among {done:,} of {len(answers) - seen:,}")
            form, group = canonical(answers[seen + k])
            if form not in sample:
                sample[form] = Class(answers[seen + k], group, order // group)
                left -= order // group
    except KeyboardInterrupt:
        return False
    finally:
        session.charge(clock)
    return True


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
    form = graph.permute_vertices(ask_igraph(graph.canonical_permutation, color=colours))
    edges = tuple(sorted((min(edge), max(edge)) for edge in form.get_edgelist()))
    return (edges, tuple(form.vs["colour"])), int(ask_igraph(graph.count_automorphisms, color=colours))
