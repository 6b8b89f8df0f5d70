"""The search: cell by cell, row by row, each cell filled or empty as the automata of its row and column allow.

automaton   reads a line cell by cell; its state is the number of cells behind in the shortest form of the line, the runs
            with one gap behind each
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.base import Answers, Bound, Flag
from tablero.search.compiled import inlined, kernel
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor

Numbers = NDArray[np.int64]


class Problem(NamedTuple):
    """The automata of all lines: rows first, then columns."""

    after: Numbers  # by line, state and colour: the next state, or −1
    needs: Numbers  # by line and state: the fewest cells that complete the line
    size: Numbers  # height, width


class State(NamedTuple):
    """The cells that are decided, with the states of their row and column behind them; the rest is the cursor."""

    colour: Numbers
    across: Numbers
    down: Numbers
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers


@inlined
def _set(problem: Problem, state: State, cell: int, colour: int) -> bool:
    """Give a cell a colour; whether its row and column can still be completed."""
    height, width = problem.size
    row, column = cell // width, cell % width
    across = problem.after[row, state.across[cell - 1] if column else 0, colour]
    down = problem.after[height + column, state.down[cell - width] if row else 0, colour]
    if across < 0 or problem.needs[row, across] >= width - column:
        return False
    if down < 0 or problem.needs[height + column, down] >= height - row:
        return False
    state.colour[cell], state.across[cell], state.down[cell] = colour, across, down
    return True


@inlined
def _children(problem: Problem, state: State, cell: int) -> int:
    """How many colours a cell can have; it is left with the first child, filled before empty."""
    empty = _set(problem, state, cell, 0)
    return int(_set(problem, state, cell, 1)) + int(empty)


@kernel
def replay(problem: Problem, state: State) -> None:
    """Walk down to where the cursor stands; depth −2 says that it does not fit."""
    for cell in range(state.depth[0]):
        if _children(problem, state, cell) != state.width[cell]:
            state.depth[0] = -2
            return
        if state.at[cell] == 1:
            _set(problem, state, cell, 0)


@kernel
def advance(problem: Problem, state: State, answers: Answers, budget: int, most: int, stop: Flag) -> tuple[int, int]:
    """Visit up to `budget` nodes or find `most` pictures; return how many of each."""
    nodes = found = 0
    cells = len(state.at)
    while nodes < budget and found < most and state.depth[0] >= 0 and not stop[0]:
        nodes += 1
        cell = state.depth[0]
        width = 0
        if cell < cells:
            width = _children(problem, state, cell)
            state.at[cell], state.last[cell], state.width[cell] = 0, width - 1, width
        else:
            for k in range(cells if len(answers) else 0):
                answers[found, k] = state.colour[k]
            found += 1
        if width == 0:  # back to the last cell that is left another colour
            cell -= 1
            while cell >= 0 and state.at[cell] == state.last[cell]:
                cell -= 1
            if cell >= 0:
                state.at[cell] = 1
                _set(problem, state, cell, 0)
        state.depth[0] = cell + 1 if cell >= 0 else -1
    return nodes, found


@dataclass
class PictureSearch(TreeSearch):
    """The search as the runner knows it."""

    problem: Problem
    name: str = field(init=False, default="nonograms.cells/1")

    @property
    def width(self) -> int:
        return int(self.problem.size.prod())

    def digest(self) -> str:
        return sha256(b"".join(array.tobytes() for array in self.problem)).hexdigest()

    def begin(self, cursor: Cursor) -> State:
        state = State(*(np.zeros(self.width, np.int64) for _ in range(6)), np.zeros(1, np.int64))
        write_cursor(state, cursor)
        replay(self.problem, state)
        return state

    def step(self, state: State, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        nodes, found = advance(self.problem, state, answers, budget, most, stop)
        return int(nodes), int(found)
