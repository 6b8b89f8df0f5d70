"""The search: a tree in which every node but the last has one child.

Steps are named as in the literature; the cursor's arrays are those of every tree search (`tablero.search.base`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.base import Answers, Bound, Flag
from tablero.search.compiled import kernel
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor

Numbers = NDArray[np.int64]


class State(NamedTuple):
    """Where the search stands: for each depth the child, the last child it may try, and how many there are."""

    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers


@kernel
def replay(state: State) -> None:
    """Walk down to where the cursor stands; depth −2 says that it does not fit."""
    for d in range(state.depth[0]):
        if state.width[d] != 1 or state.at[d] != 0 or state.last[d] != 0:
            state.depth[0] = -2
            return


@kernel
def advance(state: State, steps: int, budget: int, stop: Flag) -> int:
    """Visit up to `budget` nodes; −1 is the depth of a search that is over."""
    nodes = 0
    while nodes < budget and state.depth[0] >= 0 and not stop[0]:
        nodes += 1
        d = state.depth[0]
        if d == steps:
            state.depth[0] = -1
        else:
            state.at[d], state.last[d], state.width[d] = 0, 0, 1
            state.depth[0] = d + 1
    return nodes


@dataclass
class StepSearch(TreeSearch):
    """The search as the runner knows it."""

    steps: int
    name: str = field(init=False, default="nothing.steps/1")

    @property
    def width(self) -> int:
        return 1

    def digest(self) -> str:
        return hashlib.sha256(f"{self.steps}".encode()).hexdigest()

    def begin(self, cursor: Cursor) -> State:
        state = State(*(np.zeros(self.steps, np.int64) for _ in range(3)), np.zeros(1, np.int64))
        write_cursor(state, cursor)
        replay(state)
        return state

    def step(self, state: State, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        return int(advance(state, self.steps, budget, stop)), 0
