"""Checks decompositions by the definition, with sets of edges and igraph; shares no code with the kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.decomposition.formats import read_edge_lists
from tablero.decomposition.graph import Copy, Graph, ask_igraph, igraph_of
from tablero.decomposition.puzzle import Decomposition, DecompositionPuzzle
from tablero.text import several

_CHUNK = 10_000  # answers that are checked together


class Checker:
    """Checks decompositions of one problem; each distinct copy is examined once."""

    def __init__(self, puzzle: DecompositionPuzzle) -> None:
        self.puzzle = puzzle
        self._wanted = [(Counter(part.graph.degrees), igraph_of(part.graph)) for part in puzzle.parts]
        self._edges = set(puzzle.host.edges)
        self._kinds: dict[Copy, int | None] = {}
        self._forms: dict[Copy, int | None] = {}  # the same for copies with their vertices renumbered in order

    def kind(self, copy: Copy) -> int | None:
        """The index of the part that a copy is isomorphic to, or None."""
        if copy not in self._kinds:
            self._kinds[copy] = self._look(copy)
        return self._kinds[copy]

    def _look(self, copy: Copy) -> int | None:
        if len(set(copy)) < len(copy) or not self._edges.issuperset(copy):
            return None
        rank = {vertex: k for k, vertex in enumerate(sorted({end for edge in copy for end in edge}))}
        form = tuple((rank[u], rank[v]) for u, v in copy)
        if form not in self._forms:
            self._forms[form] = self._compare(Graph.of_pairs(form))
        return self._forms[form]

    def _compare(self, piece: Graph) -> int | None:
        for k, (degrees, wanted) in enumerate(self._wanted):
            if Counter(piece.degrees) == degrees and ask_igraph(igraph_of(piece).isomorphic, other=wanted):
                return k
        return None

    def fault(self, parts: Iterable[Copy]) -> str | None:
        """What is wrong with a decomposition, or None."""
        pieces = list(parts)
        used: Counter[int] = Counter()
        for piece in pieces:
            kind = self.kind(piece)
            if kind is None:
                return f"{piece} is not a copy of a part"
            used[kind] += 1
        for k, part in enumerate(self.puzzle.parts):
            if part.times is not None and used[k] != part.times:
                return f"{several(used[k], 'copy', 'copies')} of {part.graph} instead of {part.times}"
        covered = Counter(edge for piece in pieces for edge in piece)
        for edge in self.puzzle.host.edges:
            if covered[edge] != self.puzzle.fold:
                return f"the edge {edge} is in {covered[edge]} parts instead of {self.puzzle.fold}"
        return self._symmetry_fault(pieces) or (self._perfect_fault(pieces) if self.puzzle.perfect else None)

    def fault_of_many(self, copies: Mapping[int, Copy], answers: NDArray[np.int32]) -> str | None:
        """What is wrong with many answers without symmetry, rows of numbers of copies filled up with −1, or None.

        Answers share their copies: each copy is examined once, and all rows are added together.
        """
        edge = {pair: k for k, pair in enumerate(self.puzzle.host.edges)}
        last = max(copies) + 1  # the row for −1, which is not a copy
        has = np.zeros((last + 1, len(edge)), np.int32)
        is_of = np.zeros((last + 1, len(self.puzzle.parts)), np.int32)
        for number, copy in copies.items():
            kind = self.kind(copy)
            if kind is None:
                return f"{copy} is not a copy of a part"
            is_of[number, kind] = 1
            for pair in copy:
                has[number, edge[pair]] += 1
        wanted = [(k, part.times) for k, part in enumerate(self.puzzle.parts) if part.times is not None]
        for first in range(0, len(answers), _CHUNK):
            rows = np.where(answers[first : first + _CHUNK] < 0, last, answers[first : first + _CHUNK])
            covered = sum(has[column] for column in rows.T)
            if (covered != self.puzzle.fold).any():
                return f"an edge is not in {self.puzzle.fold} parts"
            used = sum(is_of[column] for column in rows.T)
            if any((used[:, k] != times).any() for k, times in wanted):
                return "a part does not have the requested number of copies"
        ordered = np.sort(answers, axis=1)
        ordered = ordered[np.lexsort(ordered.T)]
        if (ordered[1:] == ordered[:-1]).all(axis=1).any():
            return "the same decomposition was found twice"
        return None

    def _symmetry_fault(self, pieces: list[Copy]) -> str | None:
        turn = self.puzzle.symmetry
        if turn is None:
            return None
        moved = Counter(
            tuple(sorted((min(turn[u], turn[v]), max(turn[u], turn[v])) for u, v in piece)) for piece in pieces
        )
        if moved != Counter(tuple(sorted(piece)) for piece in pieces):
            return "it is not invariant under the symmetry"
        return None

    def _perfect_fault(self, pieces: list[Copy]) -> str | None:
        for k, piece in enumerate(pieces):
            for other in pieces[:k]:
                if Graph(self.puzzle.host.vertices, tuple(sorted((*piece, *other)))).components > 1:
                    return f"the union of {piece} and {other} is not a Hamilton cycle"
        return None


@dataclass(frozen=True)
class Checked:
    """Decompositions from a file, each with its fault or None."""

    puzzle: DecompositionPuzzle
    decompositions: tuple[Decomposition, ...]
    faults: tuple[str | None, ...]

    @property
    def good(self) -> int:
        """The number of correct decompositions."""
        return self.faults.count(None)

    @property
    def status(self) -> str:
        """`complete` if all are correct, else `none`; the exit status follows from it."""
        return "complete" if self.good == len(self.faults) else "none"

    def to_dict(self) -> dict[str, Any]:
        status = "complete" if self.good else "none"
        return {"status": status, "solutions": self.good, "faults": list(self.faults)}

    def lines(self) -> Iterator[str]:
        for k, fault in enumerate(self.faults, 1):
            yield f"decomposition {k}: {'right' if fault is None else f'wrong: {fault}'}"

    def remarks(self) -> Iterator[str]:
        yield f"{self.puzzle}: {self.good:,} of {len(self.faults):,} are decompositions"

    def to_svg(self) -> str | None:
        """The first decomposition as a picture."""
        return self.decompositions[0]._repr_svg_()


def check(puzzle: DecompositionPuzzle, answers: str) -> Checked:
    """Check each decomposition in a file."""
    whole = puzzle.whole
    found = read_edge_lists(answers, whole)
    checker = Checker(whole)
    faults = [_missing(puzzle, one) or checker.fault(one.parts) for one in found]
    seen: dict[frozenset[Copy], int] = {}
    for k, one in enumerate(found):
        before = seen.setdefault(frozenset(one.parts), k)
        if before != k and faults[k] is None and puzzle.fold == 1:
            faults[k] = f"the same as decomposition {before + 1}"
    return Checked(puzzle, tuple(found), tuple(faults))


def _missing(puzzle: DecompositionPuzzle, found: Decomposition) -> str | None:
    """A message if the decomposition lacks a given copy, or None."""
    for copy in puzzle.given:
        if copy not in found.parts:
            return f"the given copy {puzzle.host.text(copy, ' ')} is not in it"
    return None
