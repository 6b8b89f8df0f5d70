"""Local search for n-queens after Sosic and Gu (1991): a million queens in a fraction of a second.

    board     a permutation, as in `kernels.anneal`: only diagonals can conflict
    greedy    rows from the top: a remaining column is drawn and kept if its diagonals are free; there are 3.08 n draws
    rest      the rows without a column after that (22 to 30 for any size) take the remaining columns
    repair    a queen of the rest in conflict is swapped with a random queen, unless the cost increases

A small board may reach a point where no swap helps: then the search starts again with the next random numbers.  Given
queens stay in place, and a queen on a blocked square is in conflict (`kernels.ground`).
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.queens.kernels.ground import (
    FIXED,
    HEAD,
    MOST_ON_DIAGONAL,
    MOST_SECONDS,
    Ground,
    GroundSearch,
    change_of,
    columns_fault,
    in_conflict,
    is_blocked,
    pool_fault,
    to_answer,
)
from tablero.search.base import Answers, Flag
from tablero.search.compiled import inlined, kernel
from tablero.search.random import below, draw, mixed, random_state

U = np.uint64
DRAWS = 3.08  # for each row, from Sosic and Gu; more draws leave fewer conflicts, at a growing price for each
_FRESH, _GREEDY, _REPAIR, _DONE = range(4)
# Places in `numbers`
PHASE, TRIALS, _ROW, _DRAWN, _COST, _STALL, _POOLED = range(7)


class State(NamedTuple):
    """The board and its counts; one byte counts the queens of a diagonal, as in `kernels.anneal`."""

    columns: NDArray[np.int32]
    rising: NDArray[np.uint8]
    falling: NDArray[np.uint8]
    pool: NDArray[np.int32]  # the rows that repair may find in conflict
    pooled: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    seconds: NDArray[np.float64]
    random: NDArray[np.uint64]


@inlined
def _set(state: State, i: np.uint64, n: np.uint64, one: int) -> None:
    """Add queen i to its diagonals (one = 1) or remove it (one = 255: bytes count modulo 256)."""
    c = U(state.columns[i])
    state.rising[i + c] = np.uint8((int(state.rising[i + c]) + one) & 255)
    state.falling[i + n - c] = np.uint8((int(state.falling[i + n - c]) + one) & 255)


@inlined
def _excess(state: State, i: np.uint64, c: np.uint64, n: np.uint64) -> int:
    """The increase of the cost when a queen is placed on a square."""
    return int(state.rising[i + c] > 0) + int(state.falling[i + n - c] > 0)


@inlined
def _draw_column(ground: Ground, state: State, word: np.uint64, row: np.uint64) -> np.uint64:
    """Give a free row, by number, a random column of those that it and the rows below hold; return the row."""
    free = U(len(ground.free))
    other = row + below(word, free - row)
    i, j = (U(ground.free[row]), U(ground.free[other])) if free < U(len(state.columns)) else (row, other)
    state.columns[i], state.columns[j] = state.columns[j], state.columns[i]
    return i


@kernel
def advance(ground: Ground, state: State, budget: int, patience: int, stop: NDArray[np.uint8]) -> tuple[int, bool]:
    """Make up to `budget` draws and swaps; return their number and whether a solution is found."""
    n, free = U(len(state.columns)), U(len(ground.free))
    given = free < n
    draws = np.int64(DRAWS * free)
    x = state.random[0]
    phase, row, drawn = state.numbers[PHASE], U(state.numbers[_ROW]), state.numbers[_DRAWN]
    cost, stall, pooled = state.numbers[_COST], state.numbers[_STALL], U(state.numbers[_POOLED])
    made = 0
    while phase != _DONE and made < budget and stop[0] == 0:
        if phase == _FRESH:
            for r in range(n):
                state.columns[r] = ground.base[r]
                state.pooled[r] = 0
            state.rising[:] = 0
            state.falling[:] = 0
            for place in range(len(ground.fixed)):
                state.pooled[ground.fixed[place]] = np.uint8(FIXED)
                _set(state, U(ground.fixed[place]), n, 1)
            row = pooled = U(0)
            drawn = cost = stall = 0
            phase = _GREEDY if free > U(0) else _DONE
        elif phase == _GREEDY:
            made += 1
            drawn += 1
            x = draw(x)
            i = _draw_column(ground, state, mixed(x), row)
            c = U(state.columns[i])
            if _excess(state, i, c, n) == 0 and is_blocked(ground, i, c) == 0:
                _set(state, i, n, 1)
                row += U(1)
            if drawn >= draws or row == free:
                while row < free:
                    x = draw(x)
                    i = _draw_column(ground, state, mixed(x), row)
                    c = U(state.columns[i])
                    cost += _excess(state, i, c, n) + is_blocked(ground, i, c)
                    _set(state, i, n, 1)
                    state.pool[pooled] = np.int32(i)
                    state.pooled[i] = 1
                    pooled += U(1)
                    row += U(1)
                phase = _REPAIR if cost > 0 else _DONE
        else:
            x = draw(x)
            k = below(mixed(x), pooled)
            i = U(state.pool[k])
            if not in_conflict(ground, state, i, n):  # no longer: remove it and draw again
                pooled -= U(1)
                state.pool[k] = state.pool[pooled]
                state.pooled[i] = 0
                continue
            x = draw(x)
            j = U(ground.free[below(mixed(x), free)]) if given else below(mixed(x), n)
            if i == j:
                if free < U(2):  # no partner for a swap
                    break
                continue
            made += 1
            stall += 1
            change = change_of(ground, state, i, j, n)
            if change <= 0:
                _set(state, i, n, 255)
                _set(state, j, n, 255)
                state.columns[i], state.columns[j] = state.columns[j], state.columns[i]
                _set(state, i, n, 1)
                _set(state, j, n, 1)
                cost += change
                for moved in (i, j):
                    if state.pooled[moved] == 0 and in_conflict(ground, state, moved, n):
                        state.pooled[moved] = 1
                        state.pool[pooled] = np.int32(moved)
                        pooled += U(1)
                if change < 0:
                    stall = 0
            if cost == 0:
                phase = _DONE
            elif stall >= patience:
                phase = _FRESH
    state.random[0] = x
    state.numbers[PHASE], state.numbers[_ROW], state.numbers[_DRAWN] = phase, np.int64(row), drawn
    state.numbers[_COST], state.numbers[_STALL], state.numbers[_POOLED] = cost, stall, np.int64(pooled)
    state.numbers[TRIALS] += made
    return made, phase == _DONE


@dataclass
class QueensLocal(GroundSearch):
    """One local search for each seed.

    It ends with a solution, or gives up after `most_trials` (0: never).  `from_answer` reads the answers.
    """

    side: int
    given: tuple[tuple[int, int], ...] = ()
    blocked: tuple[tuple[int, int], ...] = ()
    most_trials: int = 0
    name: str = field(init=False, default="queens.local/1")

    @property
    def width(self) -> int:
        return self.side + HEAD

    def digest(self) -> str:
        text = f"local {self.seeds} {self.side}"
        if not self.ground.plain or self.most_trials:
            text += f" {self.ground.digest()} {self.most_trials}"
        return hashlib.sha256(text.encode()).hexdigest()

    def fresh(self, seed: int) -> State:
        n = self.side
        return State(
            np.empty(n, np.int32),
            np.empty(2 * n, np.uint8),
            np.empty(2 * n, np.uint8),
            np.empty(n, np.int32),
            np.empty(n, np.uint8),
            np.zeros(7, np.int64),
            np.zeros(1),
            random_state(seed),
        )

    @property
    def patience(self) -> int:
        """Swaps without a gain after which the search starts again."""
        return 1000 + 100 * self.side

    def fault(self, arrays: tuple[Any, ...], scratch: tuple[Any, ...]) -> str | None:
        state, again, n = State(*arrays), State(*scratch), self.side
        phase, trials, row, drawn, cost, stall, pooled = state.numbers.tolist()
        if phase not in (_FRESH, _GREEDY, _REPAIR) or not 0 <= trials < 2**62:
            return f"phase {phase} after {trials} trials"
        if not 0 <= state.seconds[0] <= MOST_SECONDS:
            return f"{state.seconds[0]:g} seconds"
        if not state.random[0]:
            return "a random state of 0"
        if phase == _FRESH:
            return None  # the rest will be set up again
        if wrong := columns_fault(self.ground, state.columns, again.pooled):
            return wrong
        free = self.ground.free
        m = len(free)
        if not (row < m and row <= drawn < int(DRAWS * m) if phase == _GREEDY else row == m) or row < 0:
            return f"row {row} of {m} after {drawn} draws"
        rows = np.concatenate([free[:row], self.ground.fixed]).astype(np.int64)
        rising = np.bincount(rows + state.columns[rows], minlength=2 * n)
        falling = np.bincount(rows - state.columns[rows] + n, minlength=2 * n)
        if max(rising.max(), falling.max()) > (1 if phase == _GREEDY else MOST_ON_DIAGONAL):
            return "too many queens on a diagonal"
        if not (np.array_equal(rising, state.rising) and np.array_equal(falling, state.falling)):
            return "the counts of its diagonals do not fit its board"
        known = int(np.maximum(rising - 1, 0).sum() + np.maximum(falling - 1, 0).sum())
        known += int(self.ground.on_blocked(state.columns)[rows].sum())
        if cost != known or not (0 <= stall < self.patience) or (phase == _REPAIR) != (cost > 0):
            return f"a cost of {cost} where the board has {known}, {stall} swaps without a gain"
        if phase == _GREEDY:
            again.pooled[:] = 0
            again.pooled[self.ground.fixed] = FIXED
            marked = not np.array_equal(again.pooled, state.pooled)
            return f"{pooled} queens in the pool" if pooled or marked else None
        return pool_fault(self.ground, state, pooled, again)

    def step(self, arrays: tuple[Any, ...], budget: int, stop: Flag) -> tuple[int, bool]:
        began = time.thread_time()
        state = State(*arrays)
        made, ended = advance(self.ground, state, budget, self.patience, stop)
        state.seconds[0] += time.thread_time() - began
        given_up = 0 < self.most_trials <= state.numbers[TRIALS] or (not ended and len(self.ground.free) < 2)
        return int(made), bool(ended) or given_up

    def answer(self, arrays: tuple[Any, ...]) -> Answers | None:
        state = State(*arrays)
        if state.numbers[PHASE] != _DONE:
            return None
        return to_answer(state.columns, int(state.numbers[TRIALS]), float(state.seconds[0]))

    def board(self, arrays: tuple[Any, ...]) -> Answers | None:
        state = State(*arrays)
        return None if state.numbers[PHASE] == _FRESH else to_answer(state.columns, 0, 0.0)
