"""Decompositions by annealing: base copies lie anywhere, and exchange vertices until every edge is covered.

It finds first decompositions where laying copy after copy runs into dead ends, and proves nothing.  The kernel
(`kernels.anneal`) gets the orbits of edges under a cyclic group, or the edges themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tablero.decomposition.checking import Copy
from tablero.decomposition.copies import flat
from tablero.decomposition.kernels.anneal import CopiesAnneal, Problem
from tablero.decomposition.laying import classes_of, copies_at, not_by_laying, not_full
from tablero.decomposition.models import ANNEAL, fault_of_each
from tablero.decomposition.orbits import Orbits, Turn
from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.errors import BadInput
from tablero.search.base import Answers

SEEDS = 64  # searches side by side, where nobody says otherwise


@dataclass(frozen=True, eq=False)
class AnnealModel:
    """Copies that exchange vertices; with a turn, base copies that it multiplies."""

    puzzle: DecompositionPuzzle
    orbits: Orbits | None  # None: every edge is its own
    problem: Problem
    seeds: tuple[int, ...]

    by_option = False  # an answer is the places of the copies
    copies = None
    method = ANNEAL

    @classmethod
    def of(
        cls, puzzle: DecompositionPuzzle, turn: Turn | None = None, *, seeds: Iterable[int] = range(SEEDS)
    ) -> AnnealModel:
        if reason := not_by_laying(puzzle):
            raise BadInput(f"copies cannot be annealed: {reason}")
        host, part = puzzle.host, puzzle.parts[0].graph
        orbits = None if turn is None else Orbits.of(host, turn)
        if orbits is not None and (reason := not_full(puzzle, orbits)):
            raise BadInput(f"base copies cannot be annealed: {reason}")
        of_edge = np.arange(len(host.edges)) if orbits is None else orbits.of_edge
        orbit = np.where(host.numbers >= 0, of_edge[host.numbers], of_edge.max() + 1)
        unused: list[list[int]] = [[]] * (host.vertices - part.vertices)
        start, near = flat([*map(list, part.neighbours), *unused])
        group, _, wanted = classes_of(host, orbits)
        if part.vertices < host.vertices:
            # A vertex that moves to one left out would add much to the excess: with one class for all there is none.
            group, wanted = np.zeros_like(group), wanted.sum(keepdims=True)
        problem = Problem(*(array.astype(np.int32) for array in (orbit, start, near, group, wanted)))
        return cls(puzzle, orbits, problem, tuple(seeds))

    @property
    def turn_order(self) -> int:
        """The order of the group under which base copies are annealed; 1 where there is none."""
        return 1 if self.orbits is None else self.orbits.order

    @property
    def size(self) -> tuple[int, int, int]:
        """Copies to lay, orbits of edges, and the edges of those copies."""
        orbits = int(self.problem.orbit.max())
        return orbits // len(self.puzzle.parts[0].graph.edges), orbits, orbits

    def search(self, verb: str, *, durable: bool = False) -> CopiesAnneal:
        return CopiesAnneal(self.seeds, self.problem, self.puzzle.parts[0].graph.vertices)

    def parts(self, answer: Iterable[int]) -> tuple[Copy, ...]:
        return copies_at(self.puzzle, self.orbits, self.turn_order, answer)

    def fault(self, answers: Answers) -> str | None:
        return fault_of_each(self, self.puzzle, answers)
