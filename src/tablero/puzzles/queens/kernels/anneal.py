"""Simulated annealing for n-queens, O(1) a trial, after Robayo Pardo (2020) and Masehian and others (2013).

    board       a permutation: the queen of row r stands in column `columns[r]`, so only diagonals can conflict
    diagonals   the rising ones by row + column, the falling ones by row − column + n; `rising` and `falling` hold how many
                queens stand on each
    cost        the sum over all diagonals of max(0, queens − 1); 0 is a solution
    swap        two queens exchange their columns; changes the cost by at most 4 either way
    effective   a swap whose first queen stands on a diagonal in conflict
    trial       a swap looked at, and made or not
    mates       per diagonal the XOR of the rows of its queens: of two, either tells the other
    pool        all queens in conflict, and some that no longer are

A queen that arrives on a taken diagonal is put into the pool, and where there was one alone, that one too (its mates say
who).  Nobody is taken out before it is drawn and found at peace.  So a trial that is refused, as most are, reads two
columns and eight counts of one byte, which for 10⁵ queens are in the cache; only a swap made touches the rest.

Done otherwise than printed in the source, where it slipped:
- its rule accepts every worsening; here a change for the worse is accepted when a random number is below exp(−worse / T);
- a change of 0 is accepted: without, only 25 to 63 % of the runs arrive;
- a run ends at cost 0;
- its count of trials without a change begins anew at every swap made, so there is a cap on all trials too;
- T₀ / log(1 + i) has no value at i = 0, and is above T₀ at i = 1: here it is T₀ / log(e + i);
- T₀ − iβ falls below 0: here it stops there, and at 0 nothing worse is accepted.
"""

from __future__ import annotations

import hashlib
import math
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.base import Answers, Bound, Flag, Orders, Outcome
from tablero.search.compiled import inlined, kernel
from tablero.search.portfolio import Portfolio
from tablero.search.random import below, draw, mixed, random_state, unit

U = np.uint64

COOLINGS = ("geometric", "linear", "logarithmic")
SWAPS = ("effective", "random", "min-conflicts")
_GEOMETRIC, _LINEAR = 0, 1
_RANDOM, _MIN_CONFLICTS = 1, 2
_PARTNERS = 8  # that min-conflicts looks at before it proposes the best
_FROZEN = 1 / 64  # a temperature at which exp(−1 / T) is below 10⁻²⁷: nothing worse is accepted any more
_LOW_31 = 0x7FFFFFFF
# Places in `numbers`
COST, TRIALS, _STALL, _POOLED, _STEP, _HERE = range(6)
MOST_ON_DIAGONAL = 128  # queens in a stored state
MOST_SECONDS = 1e12
HEAD = 4  # numbers before the columns in an answer: trials and microseconds, low and high 31 bits of each


class Schedule(NamedTuple):
    """How to anneal: the source's T₀, α, L and maximum of trials without a change, and what else there is."""

    t0: float
    alpha: float
    beta: float  # what linear cooling takes off a step
    length: int  # trials a temperature
    cooling: int
    swap: int
    most_stall: int  # trials without a swap made after which a run gives up
    most_trials: int


class State(NamedTuple):
    """The board and all that goes with it.  A diagonal of 256 queens would overflow its byte; in a random permutation of
    any length the chance of one is below 10⁻⁵⁰⁰, and annealing only makes it smaller."""

    columns: NDArray[np.int32]
    rising: NDArray[np.uint8]
    falling: NDArray[np.uint8]
    rising_mates: NDArray[np.int32]
    falling_mates: NDArray[np.int32]
    pool: NDArray[np.int32]
    pooled: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    reals: NDArray[np.float64]  # temperature, CPU seconds
    random: NDArray[np.uint64]


@kernel
def survey(state: State) -> None:
    """The diagonals of a board, its cost, and its queens in conflict."""
    n = len(state.columns)
    state.rising[:] = 0
    state.falling[:] = 0
    state.rising_mates[:] = 0
    state.falling_mates[:] = 0
    cost = 0
    for r in range(n):
        c = state.columns[r]
        cost += state.rising[r + c] > 0
        cost += state.falling[r - c + n] > 0
        state.rising[r + c] += np.uint8(1)
        state.falling[r - c + n] += np.uint8(1)
        state.rising_mates[r + c] ^= np.int32(r)
        state.falling_mates[r - c + n] ^= np.int32(r)
    pooled = 0
    for r in range(n):
        c = state.columns[r]
        state.pooled[r] = 0
        if state.rising[r + c] > 1 or state.falling[r - c + n] > 1:
            state.pool[pooled] = r
            state.pooled[r] = 1
            pooled += 1
    state.numbers[:] = 0
    state.numbers[COST] = cost
    state.numbers[_POOLED] = pooled


@kernel
def shuffle(state: State) -> None:
    """A random permutation, its diagonals, its cost, and its queens in conflict."""
    n = len(state.columns)
    x = state.random[0]
    for r in range(n):
        state.columns[r] = r
    for r in range(n - 1, 0, -1):
        x = draw(x)
        k = below(mixed(x), U(r + 1))
        state.columns[r], state.columns[k] = state.columns[k], state.columns[r]
    state.random[0] = x
    survey(state)


@inlined
def _left(diagonals: NDArray[np.uint8], a: np.uint64, b: np.uint64) -> int:
    """What the cost loses when one queen leaves diagonal a and one leaves b."""
    if a == b:
        return 2 if diagonals[a] > 2 else 1
    return int(diagonals[a] > 1) + int(diagonals[b] > 1)


@inlined
def _entered(diagonals: NDArray[np.uint8], a: np.uint64, b: np.uint64) -> int:
    """What the cost gains when one queen enters diagonal a and one enters b."""
    if a == b:
        return 2 if diagonals[a] > 0 else 1
    return int(diagonals[a] > 0) + int(diagonals[b] > 0)


@inlined
def _change(state: State, i: np.uint64, j: np.uint64, n: np.uint64) -> int:
    """What swapping queens i and j does to the cost.  Diagonals that are left are never those that are entered."""
    ci, cj = U(state.columns[i]), U(state.columns[j])
    up, down = state.rising, state.falling
    return (
        _entered(up, i + cj, j + ci)
        + _entered(down, i + n - cj, j + n - ci)
        - _left(up, i + ci, j + cj)
        - _left(down, i + n - ci, j + n - cj)
    )


@inlined
def _swap(state: State, i: np.uint64, j: np.uint64, n: np.uint64) -> None:
    """Exchange the columns of queens i and j."""
    ci, cj = U(state.columns[i]), U(state.columns[j])
    one = np.uint8(1)
    state.rising[i + ci] -= one
    state.rising[j + cj] -= one
    state.falling[i + n - ci] -= one
    state.falling[j + n - cj] -= one
    state.rising[i + cj] += one
    state.rising[j + ci] += one
    state.falling[i + n - cj] += one
    state.falling[j + n - ci] += one
    me, you = np.int32(i), np.int32(j)
    state.rising_mates[i + ci] ^= me
    state.rising_mates[j + cj] ^= you
    state.falling_mates[i + n - ci] ^= me
    state.falling_mates[j + n - cj] ^= you
    state.rising_mates[i + cj] ^= me
    state.rising_mates[j + ci] ^= you
    state.falling_mates[i + n - cj] ^= me
    state.falling_mates[j + n - ci] ^= you
    state.columns[i], state.columns[j] = state.columns[j], state.columns[i]


@inlined
def _in_conflict(state: State, i: np.uint64, n: np.uint64) -> bool:
    c = U(state.columns[i])
    return bool(state.rising[i + c] > 1 or state.falling[i + n - c] > 1)


@inlined
def _enlist(state: State, i: np.uint64, pooled: np.uint64) -> np.uint64:
    """Put a queen into the pool unless it is there; return how many are."""
    if state.pooled[i] == 0:
        state.pooled[i] = 1
        state.pool[pooled] = np.int32(i)
        return pooled + U(1)
    return pooled


@inlined
def _arrived(state: State, i: np.uint64, n: np.uint64, pooled: np.uint64) -> np.uint64:
    """Put a queen that has moved into the pool if it is in conflict, and with it the one that was alone before."""
    c = U(state.columns[i])
    up, down = i + c, i + n - c
    if state.rising[up] > 1:
        pooled = _enlist(state, i, pooled)
        if state.rising[up] == 2:
            pooled = _enlist(state, U(state.rising_mates[up]) ^ i, pooled)
    if state.falling[down] > 1:
        pooled = _enlist(state, i, pooled)
        if state.falling[down] == 2:
            pooled = _enlist(state, U(state.falling_mates[down]) ^ i, pooled)
    return pooled


@inlined
def _temperature(schedule: Schedule, step: int, before: float) -> float:
    if schedule.cooling == _GEOMETRIC:
        return before * schedule.alpha
    if schedule.cooling == _LINEAR:
        return max(0.0, schedule.t0 - step * schedule.beta)
    return schedule.t0 / math.log(math.e + step)


@kernel
def advance(schedule: Schedule, state: State, budget: int, stop: NDArray[np.uint8]) -> tuple[int, bool]:
    """Make up to `budget` trials; return how many, and whether the run has ended."""
    n = U(len(state.columns))
    x = state.random[0]
    cost, trials, stall, pooled = (
        state.numbers[COST],
        state.numbers[TRIALS],
        state.numbers[_STALL],
        U(state.numbers[_POOLED]),
    )
    step, here = state.numbers[_STEP], state.numbers[_HERE]
    temperature = state.reals[0]
    made = 0
    while cost > 0 and made < budget and trials < schedule.most_trials and stall < schedule.most_stall and stop[0] == 0:
        x = draw(x)
        word = mixed(x)
        if schedule.swap == _RANDOM:
            i = below(word, n)
        else:
            k = below(word, pooled)
            i = U(state.pool[k])
            if not _in_conflict(state, i, n):  # no longer: put it out, and draw again
                pooled -= U(1)
                state.pool[k] = state.pool[pooled]
                state.pooled[i] = 0
                continue
        j = below(word << U(32), n)
        if i == j:
            continue
        change = _change(state, i, j, n)
        if schedule.swap == _MIN_CONFLICTS:
            for _ in range(_PARTNERS - 1):
                x = draw(x)
                other = below(mixed(x), n)
                if other != i:
                    better = _change(state, i, other, n)
                    if better < change:
                        change = better
                        j = other
        made += 1
        trials += 1
        stall += 1
        accepted = change <= 0
        if not accepted and temperature > _FROZEN:
            x = draw(x)
            accepted = unit(mixed(x)) < math.exp(-change / temperature)
        if accepted:
            _swap(state, i, j, n)
            cost += change
            stall = 0
            pooled = _arrived(state, i, n, pooled)
            pooled = _arrived(state, j, n, pooled)
        here += 1
        if here == schedule.length:
            here = 0
            step += 1
            temperature = _temperature(schedule, step, temperature)
    state.random[0] = x
    state.numbers[COST], state.numbers[TRIALS], state.numbers[_STALL] = cost, trials, stall
    state.numbers[_POOLED], state.numbers[_STEP], state.numbers[_HERE] = np.int64(pooled), step, here
    state.reals[0] = temperature
    return made, cost == 0 or trials >= schedule.most_trials or stall >= schedule.most_stall


def _temperature_after(schedule: Schedule, step: int) -> float:
    """The temperature at a step, but for the roundings on the way to it."""
    if schedule.cooling == _GEOMETRIC:
        return schedule.t0 * schedule.alpha**step
    if schedule.cooling == _LINEAR:
        return max(0.0, schedule.t0 - step * schedule.beta)
    return schedule.t0 / math.log(math.e + step)


def patient(orders: Orders, side: int) -> Orders:
    """Orders for a board of this side: storing and reading a large one must stay a small part of the work."""
    return orders._replace(seconds=max(orders.seconds, 1.5e-6 * side))


class Arrival(NamedTuple):
    """What the answer of an annealer or a local search says."""

    columns: NDArray[np.int32]
    trials: int
    seconds: float  # CPU


def to_answer(columns: NDArray[np.int32], trials: int, seconds: float) -> Answers:
    """An arrival as a row of numbers."""
    micro = round(1e6 * seconds)
    head = [trials & _LOW_31, trials >> 31, micro & _LOW_31, micro >> 31]
    return np.concatenate([np.array(head, np.int32), columns])


def from_answer(answer: Answers) -> Arrival:
    head = answer[:HEAD].tolist()
    return Arrival(answer[HEAD:], head[0] + (head[1] << 31), 1e-6 * (head[2] + (head[3] << 31)))


def is_permutation(columns: NDArray[np.int32], marks: NDArray[np.uint8]) -> bool:
    """Whether every column occurs once; `marks` has room for a byte a column."""
    n = len(columns)
    if columns.min() < 0 or columns.max() >= n:
        return False
    marks[:] = 0
    marks[columns] = 1
    return bool(marks.all())


def pool_fault(state: Any, size: int, scratch: Any) -> str | None:
    """What is wrong with the pool of a board whose columns are a permutation.

    Of the queens of a diagonal at most one may be missing in it: so as long as there is a conflict it is not empty.
    """
    n = len(state.columns)
    if not 0 <= size <= n:
        return f"{size} of {n} queens in the pool"
    pool = state.pool[:size]
    if size and (pool.min() < 0 or pool.max() >= n):
        return "a queen in the pool that is not on the board"
    scratch.pooled[:] = 0
    scratch.pooled[pool] = 1
    if int(scratch.pooled.sum(dtype=np.int64)) != size or not np.array_equal(scratch.pooled, state.pooled):
        return "the pool is not what its marks say"
    missing = np.flatnonzero(state.pooled == 0)
    for marks, diagonals in (
        (scratch.rising, missing + state.columns[missing]),
        (scratch.falling, missing - state.columns[missing] + n),
    ):
        marks[:] = 0
        marks[diagonals] = 1
        if int(marks.sum(dtype=np.int64)) != len(missing):
            return "queens in conflict that are not in the pool"
    return None


@dataclass
class QueensAnneal(Portfolio):
    """An annealing run for every seed.  Answers are read by `from_answer`."""

    side: int
    schedule: Schedule
    name: str = field(init=False, default="queens.anneal/1")

    @property
    def width(self) -> int:
        return self.side + HEAD

    def digest(self) -> str:
        return hashlib.sha256(f"{self.seeds} {self.side} {tuple(self.schedule)}".encode()).hexdigest()

    def fresh(self, seed: int) -> State:
        began = time.thread_time()
        n = self.side
        state = State(
            np.empty(n, np.int32),
            np.empty(2 * n, np.uint8),
            np.empty(2 * n, np.uint8),
            np.empty(2 * n, np.int32),
            np.empty(2 * n, np.int32),
            np.empty(n, np.int32),
            np.empty(n, np.uint8),
            np.empty(6, np.int64),
            np.array([self.schedule.t0, 0.0]),
            random_state(seed),
        )
        shuffle(state)
        state.reals[1] = time.thread_time() - began
        return state

    def fault(self, arrays: tuple[Any, ...], scratch: tuple[Any, ...]) -> str | None:
        state, again = State(*arrays), State(*scratch)
        cost, trials, stall, pooled, step, here = state.numbers.tolist()
        temperature, seconds = state.reals.tolist()
        plan = self.schedule
        if not is_permutation(state.columns, again.pooled):
            return "its columns are no permutation"
        again.columns[:] = state.columns
        survey(again)
        for counts, theirs in ((again.rising, state.rising), (again.falling, state.falling)):
            # A byte that has overflowed is missing in the sum; half of one is far beyond what a run can come to.
            if int(counts.sum(dtype=np.int64)) != self.side or counts.max() > MOST_ON_DIAGONAL:
                return "too many queens on a diagonal"
            if not np.array_equal(counts, theirs):
                return "its diagonals are not those of its board"
        if not np.array_equal(again.rising_mates, state.rising_mates):
            return "its mates are not those of its board"
        if not np.array_equal(again.falling_mates, state.falling_mates):
            return "its mates are not those of its board"
        if cost != again.numbers[COST]:
            return f"a cost of {cost} where the board has {again.numbers[COST]}"
        if not (0 <= stall <= trials <= plan.most_trials and stall <= plan.most_stall):
            return f"{trials} trials, {stall} without a swap"
        if not (0 <= here < plan.length and step >= 0 and step * plan.length + here == trials):
            return f"step {step} and {here} trials of it, {trials} in all"
        known = _temperature_after(plan, step)
        if not math.isclose(temperature, known, rel_tol=max(1e-9, step * 2.0**-51), abs_tol=1e-290):
            return f"a temperature of {temperature:g} at step {step}"
        if not 0 <= seconds <= MOST_SECONDS:
            return f"{seconds:g} seconds"
        if not state.random[0]:
            return "a random state of 0"
        return pool_fault(state, pooled, again)

    def step(self, arrays: tuple[Any, ...], budget: int, stop: Flag) -> tuple[int, bool]:
        began = time.thread_time()
        state = State(*arrays)
        made, ended = advance(self.schedule, state, budget, stop)
        state.reals[1] += time.thread_time() - began
        return int(made), bool(ended)

    def answer(self, arrays: tuple[Any, ...]) -> Answers | None:
        state = State(*arrays)
        if state.numbers[COST]:
            return None
        return to_answer(state.columns, int(state.numbers[TRIALS]), float(state.reals[1]))

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        return super().advance(state, patient(orders, self.side), stop, bound)
