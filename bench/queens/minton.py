"""Min-conflicts as Minton, Johnston, Philips and Laird published it (1992), to be measured beside the searches of tablero.

    board      a queen in every row, in any column: unlike `kernels.anneal` columns can conflict too
    conflicts  of a square: the queens of other rows that attack it
    greedy     rows from the top: a queen goes to a column with the fewest conflicts with those above, ties broken at random
    repair     a queen in conflict, drawn at random, goes to a column of its row with the fewest conflicts, ties at random

A repair looks at n squares, and a large board needs about 50 of them, however large it is; setting the queens takes n².
A small board may go in circles: after so many repairs the search begins anew.  Given queens stay, blocked squares are left
out (`kernels.ground`).
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.queens.kernels.ground import HEAD, Ground, to_answer
from tablero.search.base import Answers, Flag
from tablero.search.compiled import inlined, kernel
from tablero.search.portfolio import Portfolio
from tablero.search.random import below, draw, mixed, random_state

U = np.uint64
Counts = NDArray[np.int32]
_FRESH, _GREEDY, _REPAIR, _DONE = range(4)
# Places in `numbers`; the cost is the number of pairs that attack each other.
PHASE, TRIALS, _ROW, _COST, _REPAIRS = range(5)


class State(NamedTuple):
    """The board, and how many queens stand on every column and diagonal."""

    columns: Counts
    column: Counts
    rising: Counts
    falling: Counts
    numbers: NDArray[np.int64]
    seconds: NDArray[np.float64]
    random: NDArray[np.uint64]


@inlined
def _attackers(state: State, r: np.uint64, c: np.uint64, n: np.uint64) -> int:
    """How many queens attack a square of a row whose own queen is off the board."""
    return int(state.column[c]) + int(state.rising[r + c]) + int(state.falling[r + n - c])


@inlined
def _set(state: State, r: np.uint64, n: np.uint64, one: int) -> None:
    c = U(state.columns[r])
    state.column[c] += np.int32(one)
    state.rising[r + c] += np.int32(one)
    state.falling[r + n - c] += np.int32(one)


@inlined
def _fewest(ground: Ground, state: State, r: np.uint64, n: np.uint64, x: np.uint64) -> tuple[np.uint64, int]:
    """Put the queen of a row, which is off the board, where the fewest attack it: the random state, and how many do."""
    least, ties = 1 << 30, 0
    k = end = 0
    if len(ground.columns) > 0:
        k, end = ground.start[r], ground.start[r + U(1)]
    for c in range(n):
        if k < end and ground.columns[k] == c:  # blocked, in order
            k += 1
            continue
        attackers = _attackers(state, r, U(c), n)
        if attackers <= least:
            if attackers < least:
                least, ties = attackers, 0
            ties += 1
            if ties > 1:
                x = draw(x)
            if ties == 1 or below(mixed(x), U(ties)) == U(0):
                state.columns[r] = np.int32(c)
    _set(state, r, n, 1)
    return x, least


@kernel
def advance(ground: Ground, state: State, budget: int, patience: int, stop: NDArray[np.uint8]) -> tuple[int, bool]:
    """Set or move up to `budget` queens; return how many, and whether a solution is found."""
    n, free = U(len(state.columns)), U(len(ground.free))
    x = state.random[0]
    phase, row, cost, repairs = (
        state.numbers[PHASE], state.numbers[_ROW], state.numbers[_COST], state.numbers[_REPAIRS],
    )  # fmt: skip
    made = 0
    while phase != _DONE and made < budget and stop[0] == 0:
        if phase == _FRESH:
            state.column[:] = 0
            state.rising[:] = 0
            state.falling[:] = 0
            for k in range(len(ground.fixed)):
                r = U(ground.fixed[k])
                state.columns[r] = ground.base[r]
                _set(state, r, n, 1)
            row = cost = repairs = 0
            phase = _GREEDY if free > U(0) else _DONE
        elif phase == _GREEDY:
            made += 1
            x, attackers = _fewest(ground, state, U(ground.free[row]), n, x)
            cost += attackers
            row += 1
            if row == len(ground.free):
                phase = _REPAIR if cost > 0 else _DONE
        else:
            x = draw(x)
            r = U(ground.free[below(mixed(x), free)])
            before = _attackers(state, r, U(state.columns[r]), n) - 3  # itself on each of its lines
            if before == 0:
                continue
            made += 1
            repairs += 1
            _set(state, r, n, -1)
            x, attackers = _fewest(ground, state, r, n, x)
            cost += attackers - before
            if cost == 0:
                phase = _DONE
            elif repairs >= patience:
                phase = _FRESH
    state.random[0] = x
    state.numbers[PHASE], state.numbers[_ROW], state.numbers[_COST] = phase, row, cost
    state.numbers[_REPAIRS] = repairs
    state.numbers[TRIALS] += made
    return made, phase == _DONE


@dataclass
class QueensMinton(Portfolio):
    """A search for every seed.  It ends with a solution, or gives up after `most_trials` (0: not at all).  Its state stays
    in memory."""

    side: int
    given: tuple[tuple[int, int], ...] = ()
    blocked: tuple[tuple[int, int], ...] = ()
    most_trials: int = 0
    name: str = field(init=False, default="queens.minton/1")

    @cached_property
    def ground(self) -> Ground:
        return Ground.of(self.side, self.given, self.blocked)

    @property
    def width(self) -> int:
        return self.side + HEAD

    @property
    def patience(self) -> int:
        """Repairs after which the search begins anew."""
        return 200 + 10 * self.side

    def digest(self) -> str:
        text = f"minton {self.seeds} {self.side} {self.ground.digest()} {self.most_trials}"
        return hashlib.sha256(text.encode()).hexdigest()

    def fresh(self, seed: int) -> State:
        n = self.side
        return State(
            np.zeros(n, np.int32),
            np.zeros(n, np.int32),
            np.zeros(2 * n, np.int32),
            np.zeros(2 * n, np.int32),
            np.zeros(5, np.int64),
            np.zeros(1),
            random_state(seed),
        )

    def step(self, arrays: tuple[Any, ...], budget: int, stop: Flag) -> tuple[int, bool]:
        began = time.thread_time()
        state = State(*arrays)
        made, ended = advance(self.ground, state, budget, self.patience, stop)
        state.seconds[0] += time.thread_time() - began
        return int(made), bool(ended) or 0 < self.most_trials <= state.numbers[TRIALS]

    def answer(self, arrays: tuple[Any, ...]) -> Answers | None:
        state = State(*arrays)
        if state.numbers[PHASE] != _DONE:
            return None
        return to_answer(state.columns, int(state.numbers[TRIALS]), float(state.seconds[0]))
