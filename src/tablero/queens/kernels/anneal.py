"""Simulated annealing for n-queens, O(1) for each trial, after Robayo Pardo (2020) and Masehian and others (2013).

    board       a permutation: the queen of row r is in column `columns[r]`, so that only diagonals can conflict
    diagonals   rising ones by row + column, falling ones by row − column + n; `rising` and `falling` hold the number of
                queens on each
    cost        the sum over all diagonals of max(0, queens − 1); 0 is a solution
    swap        two queens exchange their columns; the cost changes by at most 4
    effective   a swap whose first queen is in conflict
    trial       a proposed swap, made or not
    mates       for each diagonal the XOR of the rows of its queens: of two queens, each gives the other
    pool        all queens in conflict, and some that no longer are; never a given queen
    ground      given and blocked squares (`kernels.ground`); a queen on a blocked square is in conflict and costs 1
    restart     a stalled run starts again, with the next random numbers.  It has stalled after `most_stall` trials without
                a swap or, when no worsening can be accepted any more, without a gain (a plateau)
    warm        logarithmic cooling never becomes that cold: there it is enough that few worsenings are accepted

A queen that moves to an occupied diagonal enters the pool, and so does a queen that was alone there (its mates give it).
A queen leaves the pool only when it is drawn and found without conflict.  A rejected trial, the usual case, therefore reads
two columns and eight counts of one byte, which for 10⁵ queens fit into the cache.  Only an accepted swap touches the rest.

Differences from Robayo Pardo's printed algorithm, which has errors:
- The printed rule accepts every worsening.  Here it is accepted if a random number is below exp(−worsening / T).
- A change of 0 is accepted; otherwise only 25 to 63 % of the runs succeed.
- A run ends at cost 0.
- Every swap resets the count of trials without a change, so that the total number of trials is limited too.
- T₀ / log(1 + i) is undefined at i = 0 and above T₀ at i = 1.  Here it is T₀ / log(e + i).
- T₀ − iβ becomes negative.  Here it stops at 0, where no worsening is accepted.
"""

from __future__ import annotations

import hashlib
import math
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
from tablero.search.random import below, draw, mixed, random_state, unit
from tablero.search.trace import Point

U = np.uint64

_GEOMETRIC, _LINEAR, _LOGARITHMIC = range(3)  # coolings
_RANDOM, _MIN_CONFLICTS = 1, 2  # swaps; 0: of queens in conflict
_PARTNERS = 8  # among which min-conflicts chooses the best
_FROZEN = 1 / 64  # a temperature at which exp(−1 / T) is below 10⁻²⁷: no worsening is accepted
_COOL = 1 / 4  # at which one in 55 worsenings by 1 is accepted: a warmer run still moves freely
# Places in `numbers`
COST, TRIALS, _STALL, _POOLED, _STEP, _HERE, PHASE, _AT = range(8)
BEST, BEST_AT, RESTARTED, _SINCE, _MEMBER, _LOW, _LOW_AT, _NUMBERS = range(8, 16)
_SHUFFLE, _COUNT, _POOL, _RUN = range(4)  # phases
_CHUNK = 1 << 16  # rows between checks of the limits while a board is set up
_TAIL = 2  # numbers after the columns in an answer: restarts and the number of the run


class Schedule(NamedTuple):
    """The parameters of a run: T₀, α, L, the cooling, the swaps and the limits."""

    t0: float
    alpha: float
    beta: float  # by which each step of linear cooling lowers the temperature
    length: int  # trials at each temperature
    cooling: int
    swap: int
    most_stall: int  # trials without a swap after which a run gives up
    most_trials: int


class State(NamedTuple):
    """The board and its counts.

    A diagonal of 256 queens would overflow its byte.  In a random permutation of any length the probability of one is below
    10⁻⁵⁰⁰, and annealing only lowers it.
    """

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

    @property
    def ready(self) -> bool:
        """Whether the board is set up."""
        return bool(self.numbers[PHASE] == _RUN)


@kernel
def prepare(ground: Ground, state: State, rows: int) -> int:
    """Continue to set up a board, by about `rows` rows; return its phase.

    The board is shuffled, its diagonals are counted, and its queens in conflict are found.
    """
    n, free = len(state.columns), len(ground.free)
    phase, at = state.numbers[PHASE], state.numbers[_AT]
    x = state.random[0]
    while rows > 0 and phase != _RUN:
        limit = free if phase == _SHUFFLE else n
        end = min(limit, at + rows)
        if phase == _SHUFFLE:
            if at == 0:
                for r in range(n):
                    state.columns[r] = ground.base[r]
            for k in range(free - 1 - at, free - 1 - end, -1):
                if k > 0:
                    x = draw(x)
                    i, j = ground.free[k], ground.free[below(mixed(x), U(k + 1))]
                    state.columns[i], state.columns[j] = state.columns[j], state.columns[i]
        elif phase == _COUNT:
            if at == 0:
                state.rising[:] = 0
                state.falling[:] = 0
                state.rising_mates[:] = 0
                state.falling_mates[:] = 0
                state.numbers[COST] = 0
            cost = 0
            for r in range(at, end):
                c = state.columns[r]
                cost += int(state.rising[r + c] > 0) + int(state.falling[r - c + n] > 0)
                cost += is_blocked(ground, U(r), U(c))
                state.rising[r + c] += np.uint8(1)
                state.falling[r - c + n] += np.uint8(1)
                state.rising_mates[r + c] ^= np.int32(r)
                state.falling_mates[r - c + n] ^= np.int32(r)
                state.pooled[r] = 0
            state.numbers[COST] += cost
        else:
            if at == 0:
                for k in range(len(ground.fixed)):
                    state.pooled[ground.fixed[k]] = np.uint8(FIXED)
                state.numbers[_POOLED] = 0
            pooled = state.numbers[_POOLED]
            for r in range(at, end):
                if state.pooled[r] == 0 and in_conflict(ground, state, U(r), U(n)):
                    state.pool[pooled] = r
                    state.pooled[r] = 1
                    pooled += 1
            state.numbers[_POOLED] = pooled
        rows -= end - at + 1
        at = end
        if at == limit:
            phase += 1
            at = 0
    state.numbers[PHASE], state.numbers[_AT] = phase, at
    state.random[0] = x
    return int(phase)


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
def _enlist(state: State, i: np.uint64, pooled: np.uint64) -> np.uint64:
    """Put a queen into the pool unless it is there; return the size of the pool."""
    if state.pooled[i] == 0:
        state.pooled[i] = 1
        state.pool[pooled] = np.int32(i)
        return pooled + U(1)
    return pooled


@inlined
def _arrived(ground: Ground, state: State, i: np.uint64, n: np.uint64, pooled: np.uint64) -> np.uint64:
    """Put a queen that moved into the pool if it is in conflict, and with it a queen that was alone before."""
    c = U(state.columns[i])
    up, down = i + c, i + n - c
    if is_blocked(ground, i, c) > 0:
        pooled = _enlist(state, i, pooled)
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
def advance(
    schedule: Schedule, ground: Ground, state: State, restarts: int, budget: int, stop: NDArray[np.uint8]
) -> tuple[int, bool]:
    """Make up to `budget` trials on a board that is set up; return their number and whether the run has ended.

    A run that restarts is left in the phase that sets up a board.
    """
    n, free = U(len(state.columns)), U(len(ground.free))
    given = free < n
    x = state.random[0]
    cost, trials, stall, pooled = (
        state.numbers[COST],
        state.numbers[TRIALS],
        state.numbers[_STALL],
        U(state.numbers[_POOLED]),
    )
    step, here = state.numbers[_STEP], state.numbers[_HERE]
    low, low_at = state.numbers[_LOW], state.numbers[_LOW_AT]  # the best cost since the board was set up, and its trial
    if low < 0:  # the board was just set up
        low, low_at = cost, trials
    idle = schedule.most_trials if restarts == 0 else schedule.most_stall
    cold = _COOL if schedule.cooling == _LOGARITHMIC else _FROZEN  # or colder: a run without a gain has stalled
    temperature = state.reals[0]
    made = 0
    hopeless = free < U(2)  # no partner for a swap
    while cost > 0 and made < budget and trials < schedule.most_trials and stall < schedule.most_stall and stop[0] == 0:
        if hopeless or (trials - low_at >= idle and temperature <= cold):
            break
        x = draw(x)
        word = mixed(x)
        if schedule.swap == _RANDOM:
            i = U(ground.free[below(word, free)]) if given else below(word, n)
        else:
            k = below(word, pooled)
            i = U(state.pool[k])
            if not in_conflict(ground, state, i, n):  # no longer: remove it and draw again
                pooled -= U(1)
                state.pool[k] = state.pool[pooled]
                state.pooled[i] = 0
                continue
        j = U(ground.free[below(word << U(32), free)]) if given else below(word << U(32), n)
        if i == j:
            continue
        change = change_of(ground, state, i, j, n)
        if schedule.swap == _MIN_CONFLICTS:
            for _ in range(_PARTNERS - 1):
                x = draw(x)
                other = U(ground.free[below(mixed(x), free)]) if given else below(mixed(x), n)
                if other != i:
                    better = change_of(ground, state, i, other, n)
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
            if cost < low:
                low = cost
                low_at = trials
            pooled = _arrived(ground, state, i, n, pooled)
            pooled = _arrived(ground, state, j, n, pooled)
        here += 1
        if here == schedule.length:
            here = 0
            step += 1
            temperature = _temperature(schedule, step, temperature)
    ended = cost == 0 or trials >= schedule.most_trials or stall >= schedule.most_stall or hopeless
    if state.numbers[BEST] < 0 or low < state.numbers[BEST]:
        state.numbers[BEST], state.numbers[BEST_AT] = low, low_at
    idled = trials - low_at >= idle and temperature <= cold
    ended = ended or idled
    stalled = (stall >= schedule.most_stall or idled) and trials < schedule.most_trials and not hopeless
    if cost > 0 and stalled and state.numbers[RESTARTED] < restarts:
        ended = False
        low = -1
        state.numbers[RESTARTED] += 1
        state.numbers[_SINCE] = trials
        state.numbers[PHASE] = _SHUFFLE
        stall = step = here = 0
        temperature = schedule.t0
    state.numbers[_LOW], state.numbers[_LOW_AT] = low, low_at
    state.random[0] = x
    state.numbers[COST], state.numbers[TRIALS], state.numbers[_STALL] = cost, trials, stall
    state.numbers[_POOLED], state.numbers[_STEP], state.numbers[_HERE] = np.int64(pooled), step, here
    state.reals[0] = temperature
    return made, bool(ended)


def _temperature_after(schedule: Schedule, step: int) -> float:
    """The temperature at a step, without the rounding errors of the steps before."""
    if schedule.cooling == _GEOMETRIC:
        return schedule.t0 * schedule.alpha**step
    if schedule.cooling == _LINEAR:
        return max(0.0, schedule.t0 - step * schedule.beta)
    return schedule.t0 / math.log(math.e + step)


@dataclass
class QueensAnneal(GroundSearch):
    """One annealing run for each seed.  `from_answer` reads the answers."""

    side: int
    schedule: Schedule
    given: tuple[tuple[int, int], ...] = ()
    blocked: tuple[tuple[int, int], ...] = ()
    restarts: int = 0
    first: tuple[int, ...] = ()  # the board that runs start from; empty for a random one
    name: str = field(init=False, default="queens.anneal/1")
    traces: bool = field(init=False, default=True)

    @property
    def width(self) -> int:
        return self.side + HEAD + _TAIL

    def digest(self) -> str:
        text = f"{self.seeds} {self.side} {tuple(self.schedule)} {self.restarts} {self.first} {self.ground.digest()}"
        return hashlib.sha256(text.encode()).hexdigest()

    def fresh(self, seed: int) -> State:
        """A state whose board is to be set up; a small board is set up at once."""
        began = time.thread_time()
        n = self.side
        state = State(
            np.zeros(n, np.int32),
            np.empty(2 * n, np.uint8),
            np.empty(2 * n, np.uint8),
            np.empty(2 * n, np.int32),
            np.empty(2 * n, np.int32),
            np.empty(n, np.int32),
            np.empty(n, np.uint8),
            np.zeros(_NUMBERS, np.int64),
            np.array([self.schedule.t0, 0.0]),
            random_state(seed),
        )
        state.numbers[BEST] = state.numbers[_LOW] = -1
        state.numbers[_MEMBER] = self.seeds.index(seed)
        if self.first:
            state.columns[:] = self.first
            state.numbers[PHASE] = _COUNT
        if n <= _CHUNK // 4:
            while prepare(self.ground, state, _CHUNK) != _RUN:
                pass
        state.reals[1] = time.thread_time() - began
        return state

    def fault(self, arrays: tuple[Any, ...], scratch: tuple[Any, ...]) -> str | None:
        state, again = State(*arrays), State(*scratch)
        numbers = state.numbers.tolist()
        cost, trials, stall, pooled, step, here, phase, at = numbers[:BEST]
        best, best_at, restarts, since, member, low, low_at = numbers[BEST:]
        temperature, seconds = state.reals.tolist()
        plan, ground = self.schedule, self.ground
        if not 0 <= member < len(self.seeds):
            return f"run {member} of {len(self.seeds)}"
        if not (_SHUFFLE <= phase <= _RUN and 0 <= at <= self.side and (phase != _SHUFFLE or at <= len(ground.free))):
            return f"phase {phase} at row {at}"
        if not (0 <= restarts <= self.restarts and 0 <= since <= trials):
            return f"{restarts} restarts, the last after {since} of {trials} trials"
        if not (best >= -1 and low >= -1 and 0 <= best_at <= trials and 0 <= low_at <= trials):
            return f"best boards of cost {best} after {best_at} trials and {low} after {low_at}, of {trials}"
        if not (0 <= stall <= trials - since and trials <= plan.most_trials and stall <= plan.most_stall):
            return f"{trials} trials, {stall} without a swap"
        if not (0 <= here < plan.length and step >= 0 and step * plan.length + here == trials - since):
            return f"step {step} and {here} trials of it, {trials} in all"
        known = _temperature_after(plan, step)
        if not math.isclose(temperature, known, rel_tol=max(1e-9, step * 2.0**-51), abs_tol=1e-290):
            return f"a temperature of {temperature:g} at step {step}"
        if not 0 <= seconds <= MOST_SECONDS:
            return f"{seconds:g} seconds"
        if not state.random[0]:
            return "a random state of 0"
        if phase == _SHUFFLE and at == 0:
            return None  # the rest will be set up again
        if wrong := columns_fault(ground, state.columns, again.pooled):
            return wrong
        if phase != _RUN:
            if phase != _SHUFFLE:  # counting again is faster than checking the counts
                state.numbers[PHASE], state.numbers[_AT] = _COUNT, 0
            return None
        return self._counts_fault(state, again, cost) or pool_fault(ground, state, pooled, again)

    def _counts_fault(self, state: State, again: State, cost: int) -> str | None:
        """The fault of the diagonals and the cost of a board whose columns are a permutation."""
        again.columns[:] = state.columns
        numbers = np.zeros(_NUMBERS, np.int64)
        numbers[PHASE] = _COUNT
        again = again._replace(numbers=numbers)
        while prepare(self.ground, again, _CHUNK) != _RUN:
            pass
        for counts, stored in ((again.rising, state.rising), (again.falling, state.falling)):
            # An overflowed byte is missing from the sum; half of its range is beyond what a run can reach.
            if int(counts.sum(dtype=np.int64)) != self.side or counts.max() > MOST_ON_DIAGONAL:
                return "too many queens on a diagonal"
            if not np.array_equal(counts, stored):
                return "the counts of its diagonals do not fit its board"
        known_mates = (again.rising_mates, again.falling_mates)
        if not all(map(np.array_equal, (state.rising_mates, state.falling_mates), known_mates)):
            return "its mates do not fit its board"
        known = int(again.numbers[COST])
        return f"a cost of {cost} where the board has {known}" if cost != known else None

    def step(self, arrays: tuple[Any, ...], budget: int, stop: Flag) -> tuple[int, bool]:
        began = time.thread_time()
        state = State(*arrays)
        made, ended = 0, False
        if prepare(self.ground, state, _CHUNK) == _RUN:
            made, ended = advance(self.schedule, self.ground, state, self.restarts, budget, stop)
        state.reals[1] += time.thread_time() - began
        return int(made), bool(ended)

    def answer(self, arrays: tuple[Any, ...]) -> Answers | None:
        state = State(*arrays)
        if state.numbers[COST]:
            return None
        trials, restarted, member = (int(state.numbers[k]) for k in (TRIALS, RESTARTED, _MEMBER))
        return to_answer(state.columns, trials, float(state.reals[1]), restarted, member)

    def board(self, arrays: tuple[Any, ...]) -> Answers | None:
        state = State(*arrays)
        return None if not state.ready else to_answer(state.columns, 0, 0.0, 0, 0)

    def point(self, arrays: tuple[Any, ...]) -> Point | None:
        state = State(*arrays)
        if not state.ready:
            return None
        return Point(int(state.numbers[TRIALS]), float(state.reals[0]), int(state.numbers[COST]))
