"""Annealing runs: the parameters, what is recommended for which n, and statistics over runs.

    T₀      the first temperature            α    what geometric cooling multiplies the temperature by
    L       trials a temperature             β    what linear cooling takes off the temperature
    stall   trials in a row without a swap   run  one seed, from a random permutation to a solution or to giving up

Without β linear cooling takes T₀ (1 − α) a step, which is what geometric cooling takes at its first.
"""

from __future__ import annotations

import csv
import io
import math
import statistics
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.queens.construct import exists
from tablero.puzzles.queens.findings import FAMILY, Boards, require_no_job
from tablero.puzzles.queens.kernels.anneal import (
    COOLINGS,
    COST,
    HEAD,
    SWAPS,
    TRIALS,
    Arrival,
    QueensAnneal,
    Schedule,
    State,
    from_answer,
)
from tablero.puzzles.queens.puzzle import MOST_SIDE, Queens, as_puzzle, check_side
from tablero.runs.findings import Result
from tablero.runs.runner import HERE, Books, Run, perform
from tablero.runs.watch import Telling

MOST_RUNS = 100_000
MOST_TRIALS = 10**15
MOST_TRACED = 1000  # points of a trace


@dataclass(frozen=True)
class Settings:
    """How to anneal a board; `for_side` fills in what the source recommends."""

    n: int
    t0: float
    alpha: float
    length: int
    max_stall: int
    max_trials: int
    cooling: str = COOLINGS[0]
    swap: str = SWAPS[0]
    beta: float | None = None

    def __post_init__(self) -> None:
        check_side(self.n)
        _within("T0", self.t0, 0 <= self.t0 <= 1e9, "a temperature from 0 to 10^9")
        _within("alpha", self.alpha, 0 < self.alpha < 1, "a number between 0 and 1")
        if self.beta is not None:
            _within("beta", self.beta, 0 < self.beta <= 1e9, "a number above 0")
        for name, value in (("L", self.length), ("max stall", self.max_stall), ("max trials", self.max_trials)):
            _within(name, value, 1 <= value <= MOST_TRIALS, "a whole number from 1 to 10^15")
        if self.cooling not in COOLINGS:
            raise BadInput(f"the cooling {self.cooling!r}: expected one of {', '.join(COOLINGS)}")
        if self.swap not in SWAPS:
            raise BadInput(f"the swap {self.swap!r}: expected one of {', '.join(SWAPS)}")

    @classmethod
    def for_side(
        cls,
        n: int,
        *,
        t0: float | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        length: int | None = None,
        max_stall: int | None = None,
        max_trials: int | None = None,
        cooling: str = COOLINGS[0],
        swap: str = SWAPS[0],
    ) -> Settings:
        """The source's recommendation for n, changed where something else is given (None is not given).

        It begins at 8 queens.  Below, its cooling is over before a run can leave a dead end (82 % end in one at n = 6), so
        there these boards get a slow one.
        """
        check_side(n)
        recommended = (
            (8, (1.0, 0.999, n)),
            (50, (5.0, 0.9, 1)),
            (201, (100.0, 0.9, 1)),
            (MOST_SIDE + 1, (5.0, 0.85, 15)),
        )
        first, factor, steps = next(values for below, values in recommended if n < below)
        return cls(
            n,
            first if t0 is None else t0,
            factor if alpha is None else alpha,
            steps if length is None else length,
            50 * n + 10_000 if max_stall is None else max_stall,
            1000 * n + 1_000_000 if max_trials is None else max_trials,
            cooling,
            swap,
            beta,
        )

    def schedule(self) -> Schedule:
        beta = self.t0 * (1 - self.alpha) if self.beta is None else self.beta
        return Schedule(
            float(self.t0),  # the digest of a job is made of these: 5 and 5.0 must not be two problems
            float(self.alpha),
            float(beta),
            self.length,
            COOLINGS.index(self.cooling),
            SWAPS.index(self.swap),
            self.max_stall,
            self.max_trials,
        )


def _within(name: str, value: float, fits: bool, expected: str) -> None:
    if not fits:  # also where the value is no number
        raise BadInput(f"{name} of {value:g}: expected {expected}")


class Spread(NamedTuple):
    """Figures over runs."""

    mean: float
    deviation: float
    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: list[float]) -> Spread | None:
        if not values:
            return None
        deviation = statistics.stdev(values) if len(values) > 1 else 0.0
        return cls(statistics.fmean(values), deviation, statistics.median(values), min(values), max(values))


@dataclass(frozen=True, eq=False, repr=False)
class Annealed(Boards):
    """What became of the runs.  `result.answers` has a row for each that arrived, as `from_answer` reads it."""

    settings: Settings
    seed: int  # of the first run
    runs: int

    @property
    def columns(self) -> NDArray[np.int32]:
        return self.result.answers[:, HEAD:]

    @cached_property
    def arrivals(self) -> list[Arrival]:
        return [from_answer(answer) for answer in self.result.answers]

    @property
    def success(self) -> float:
        """The part of the runs that arrived."""
        return self.solutions / self.runs

    @property
    def cpu_statistics(self) -> Spread | None:
        """CPU seconds of the runs that arrived."""
        return Spread.of([arrival.seconds for arrival in self.arrivals])

    @property
    def trials(self) -> Spread | None:
        """Trials of the runs that arrived."""
        return Spread.of([float(arrival.trials) for arrival in self.arrivals])

    def values(self) -> dict[str, Any]:
        cpu, trials = self.cpu_statistics, self.trials
        return {
            **super().values(),
            **({"why": self.why} if self.why else {}),
            "runs": self.runs,
            "success": self.success,
            "cpu": cpu._asdict() if cpu else None,
            "trials": trials._asdict() if trials else None,
            "each": [{"cpu": arrival.seconds, "trials": arrival.trials} for arrival in self.arrivals],
        }

    def page(self) -> str:
        """A page that plays the first run, made again, as HTML; of up to 200 queens."""
        from tablero.puzzles.queens.player import page

        return page(self.settings, self.seed)


def seeds_from(seed: int, runs: int) -> tuple[int, ...]:
    """The seeds of so many runs: one after another."""
    if not 0 <= seed < 1 << 62:
        raise BadInput(f"the seed {seed}: expected a whole number from 0 to 2^62")
    if not 1 <= runs <= MOST_RUNS:
        raise BadInput(f"{runs} runs: expected 1 to {MOST_RUNS:,}")
    return tuple(range(seed, seed + runs))


def search_for(settings: Settings, seed: int, runs: int) -> QueensAnneal | None:
    """The runs as one search; None where a theorem says that there is nothing to find."""
    seeds = seeds_from(seed, runs)
    return QueensAnneal(seeds, settings.n, settings.schedule()) if exists(settings.n) else None


def anneal(
    puzzle: Queens | int,
    *,
    seed: int = 0,
    runs: int = 1,
    t0: float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    length: int | None = None,
    max_stall: int | None = None,
    max_trials: int | None = None,
    cooling: str = COOLINGS[0],
    swap: str = SWAPS[0],
    run: Run = HERE,
) -> Annealed:
    """Anneal a board of n queens, once for each of `runs` seeds; what is not given is as the source recommends for n."""
    puzzle = as_puzzle(puzzle)
    if not puzzle.plain:
        raise BadInput("annealing knows only empty boards: expected no squares given or blocked, and no torus")
    settings = Settings.for_side(
        puzzle.n,
        t0=t0,
        alpha=alpha,
        beta=beta,
        length=length,
        max_stall=max_stall,
        max_trials=max_trials,
        cooling=cooling,
        swap=swap,
    )
    return anneal_with(settings, seed=seed, runs=runs, run=run)


def anneal_with(settings: Settings, *, seed: int = 0, runs: int = 1, run: Run = HERE) -> Annealed:
    """The same with settings that are there already."""
    n = settings.n
    search = search_for(settings, seed, runs)
    if search is None:
        require_no_job(run, f"{n} queens")
        result = Result("none", 0, np.empty((0, n + HEAD), np.int32))
    else:
        recipe = {"family": FAMILY, "verb": "anneal", "seed": seed, "runs": runs, "annealing": asdict(settings)}
        telling = Telling(words=lambda found, _: f"{found:,} of {runs:,} run{'' if runs == 1 else 's'} arrived")
        result = perform(search, run, books=Books(recipe, lambda: b""), most=runs, telling=telling)
    annealed = Annealed(Queens(n), result, settings, seed, runs)
    annealed.verify()
    return annealed


# Runs one by one, made again or made for a study.


class OneRun(NamedTuple):
    """One run, arrived or not."""

    arrived: bool
    trials: int
    cost: int
    seconds: float


def run_once(settings: Settings, seed: int) -> OneRun:
    """One run without books, for studies of many short ones."""
    search = QueensAnneal((seed,), settings.n, settings.schedule())
    state = search.fresh(seed)
    search.step(state, MOST_TRIALS, np.zeros(1, np.uint8))
    cost = int(state.numbers[COST])
    return OneRun(cost == 0, int(state.numbers[TRIALS]), cost, float(state.reals[1]))


def trace(settings: Settings, seed: int) -> list[tuple[int, int]]:
    """The run of a seed, made again, as (trials, cost): all trials of a short one, and evenly spread ones of a long one."""
    whole = run_once(settings, seed)
    stride = max(1, math.ceil(whole.trials / MOST_TRACED))
    return [(int(state.numbers[TRIALS]), int(state.numbers[COST])) for state in replay(settings, seed, stride)]


def replay(settings: Settings, seed: int, stride: int) -> Iterator[State]:
    """The states of a run every `stride` trials, the first and the last included: one state, changed in between."""
    search = QueensAnneal((seed,), settings.n, settings.schedule())
    state, stop = search.fresh(seed), np.zeros(1, np.uint8)
    ended = False
    yield state
    while not ended:
        made, ended = search.step(state, stride, stop)
        if made:
            yield state


def trace_csv(points: list[tuple[int, int]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["trial", "cost"])
    writer.writerows(points)
    return out.getvalue()
