"""What the searches that count queens by quadrants share: a tree of cases, pairs of sets and blocks."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tablero.puzzles.queens.kernels.quadrant_cases import Numbers, Plan, plans
from tablero.search.base import Answers, Bound, Flag
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor


@dataclass
class Standing:
    """Where a search stands, and the tables of the case it is in."""

    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers
    number: int = -1  # of the case
    case: Any = None
    tables: Any = None


@dataclass
class CaseSearch(TreeSearch):
    """A search whose nodes are the root, the pairs of sets of all its cases, and the blocks of each pair."""

    side: int

    def _pairs(self, plan: Plan) -> tuple[Numbers, Numbers]:
        """The pairs of sets of a case."""
        raise NotImplementedError

    def _enter(self, plan: Plan, standing: Standing) -> None:
        """Put the case and tables for it into where the search stands."""
        raise NotImplementedError

    def _blocks(self, standing: Standing, pair: int) -> int:
        """How many blocks a pair of the case has."""
        raise NotImplementedError

    def _visit(self, standing: Standing, first: int, beyond: int, budget: int, stop: Flag) -> tuple[int, int]:
        """Visit up to `budget` nodes of the case, whose pairs are children `first` to `beyond` − 1 of the root."""
        raise NotImplementedError

    @cached_property
    def plans(self) -> list[Plan]:
        return plans(self.side)

    @cached_property
    def firsts(self) -> Numbers:
        """The first pair of every case among the children of the root, and how many there are."""
        return np.concatenate([[0], np.cumsum([len(self._pairs(plan)[0]) for plan in self.plans])])

    @property
    def width(self) -> int:
        return self.side

    def digest(self) -> str:
        # That of the kernel that goes row by row: it is the same problem, and a job of that kernel is known as such.
        return hashlib.sha256(f"queens {self.side} False".encode()).hexdigest()

    def begin(self, cursor: Cursor) -> Standing:
        at, last, width = (np.zeros(2, np.int64) for _ in range(3))
        standing = Standing(at, last, width, np.zeros(1, np.int64))
        write_cursor(standing, cursor)
        if cursor.levels:
            wrong = bool(standing.width[0] != self.firsts[-1])
            if not wrong and len(cursor.levels) == 2:
                self._settle(standing)
                wrong = bool(standing.width[1] != self._blocks(standing, int(at[0] - self.firsts[standing.number])))
            if wrong:
                standing.depth[0] = -2
        return standing

    def _settle(self, standing: Standing) -> None:
        """Be in the case that the cursor is in."""
        number = int(np.searchsorted(self.firsts, standing.at[0], side="right")) - 1
        if standing.number != number:
            self._enter(self.plans[number], standing)
            standing.number = number

    def step(
        self, state: Standing, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound
    ) -> tuple[int, int]:
        nodes = found = 0
        if state.depth[0] == 0:
            children = int(self.firsts[-1])
            state.at[0], state.last[0], state.width[0], state.depth[0] = 0, children - 1, children, 1
            nodes = 1
        while state.depth[0] > 0 and nodes < budget and found < most and not stop[0]:
            self._settle(state)
            first, beyond = self.firsts[state.number], self.firsts[state.number + 1]
            visited, more = self._visit(state, first, beyond, budget - nodes, stop)
            nodes, found = nodes + int(visited), found + int(more) * self.plans[state.number].factor
        return nodes, found
