"""Annealing runs: parameters, recommended values for each n, statistics over runs, the page that plays a run.

    T₀      the first temperature            α    the factor of geometric cooling
    L       trials at each temperature       β    the step of linear cooling
    stall   trials in a row without a swap   run  one seed, from a random permutation until it succeeds or gives up
    restart a stalled run starts again from another permutation
    warm    logarithmic cooling stays too warm to stall: a run restarts after as many trials without a gain

Without β, linear cooling lowers the temperature by T₀ (1 − α), the first step of geometric cooling.
"""

from __future__ import annotations

import csv
import io
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tablero import interrupts
from tablero.draw.pages import bar, shell
from tablero.errors import BadInput
from tablero.queens.checking import refuted
from tablero.queens.kernels.anneal import (
    BEST,
    BEST_AT,
    COST,
    RESTARTED,
    TRIALS,
    QueensAnneal,
    Schedule,
    State,
)
from tablero.queens.kernels.ground import HEAD, Arrival, from_answer
from tablero.queens.puzzle import Boards, Queens, check_side, require_no_search
from tablero.queens.verbs import MOST_PLAYED, MOST_SIDE, MOST_TRIALS, CoolingName, SwapName
from tablero.runs.findings import Result
from tablero.runs.progress import ProgressText
from tablero.runs.run import HERE, Clock, Run
from tablero.runs.session import perform
from tablero.text import several

COOLINGS, SWAPS = get_args(CoolingName), get_args(SwapName)  # in the order of the kernel's numbers
RESTARTS = 1000  # by default; the total number of trials is limited too
LOGARITHMIC_T0 = 1.0
_AGAIN = 1 << 18  # trials between checks of the clock when a run is repeated
MOST_TRACED = 1000  # points of a trace
MOST_MOVES = 20_000  # swaps of a run on a page

Start = Sequence[int] | NDArray[np.int32] | None


@dataclass(frozen=True)
class Settings:
    """The parameters of annealing; `for_side` fills in the recommended values."""

    n: int
    t0: float
    alpha: float
    length: int
    max_stall: int
    max_trials: int
    cooling: str = COOLINGS[0]
    swap: str = SWAPS[0]
    beta: float | None = None
    restarts: int = 0  # the most

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
        restarts: int | None = None,
    ) -> Settings:
        """The values that Robayo Pardo (2020) recommends for n; a value that is not None replaces its recommendation.

        The recommendation begins at 8 queens.  Below that its cooling ends before a run can leave a dead end (82 % of the
        runs end in one at n = 6), so that small boards are cooled slowly.  Logarithmic cooling stays above T₀ / 16 for any
        practical time, so that its T₀ is low.  With `max_stall` given, a run does not restart.
        """
        check_side(n)
        recommended = (
            (8, (1.0, 0.999, n)),
            (50, (5.0, 0.9, 1)),
            (201, (100.0, 0.9, 1)),
            (MOST_SIDE + 1, (5.0, 0.85, 15)),
        )
        first, factor, steps = next(values for below, values in recommended if n < below)
        if cooling == "logarithmic":
            first = LOGARITHMIC_T0
        if restarts is None:
            restarts = RESTARTS if max_stall is None else 0
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
            restarts,
        )

    def schedule(self) -> Schedule:
        beta = self.t0 * (1 - self.alpha) if self.beta is None else self.beta
        return Schedule(
            float(self.t0),  # 5 and 5.0 must have the same digest
            float(self.alpha),
            float(beta),
            self.length,
            COOLINGS.index(self.cooling),
            SWAPS.index(self.swap),
            self.max_stall,
            self.max_trials,
        )


class Spread(NamedTuple):
    """Statistics over runs."""

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


class GaveUp(NamedTuple):
    """A run that gave up."""

    seed: int
    trials: int
    restarts: int
    cost: int  # of its last board
    best_cost: int
    best: NDArray[np.int32]  # the columns of its best board


@dataclass(frozen=True, eq=False, repr=False)
class Annealed(Boards):
    """The results of the runs.  `result.answers` has one row for each that succeeded, as `from_answer` reads it."""

    settings: Settings
    seed: int  # of the first run
    runs: int
    start: Start = None
    gave_up: GaveUp | None = None  # the first that gave up, if there was time to repeat it

    @property
    def columns(self) -> NDArray[np.int32]:
        return self.result.answers[:, HEAD : HEAD + self.puzzle.n]

    @cached_property
    def arrivals(self) -> list[Arrival]:
        return [from_answer(answer, self.puzzle.n) for answer in self.result.answers]

    @property
    def success(self) -> float:
        """The fraction of runs that succeeded."""
        return self.solutions / self.runs

    @property
    def cpu_statistics(self) -> Spread | None:
        """CPU seconds of the runs that succeeded."""
        return Spread.of([arrival.seconds for arrival in self.arrivals])

    @property
    def trials(self) -> Spread | None:
        """Trials of the runs that succeeded."""
        return Spread.of([float(arrival.trials) for arrival in self.arrivals])

    @property
    def restarts(self) -> int:
        """The number of restarts of runs that succeeded."""
        return sum(arrival.restarts for arrival in self.arrivals)

    def values(self) -> dict[str, Any]:
        cpu, trials, lost = self.cpu_statistics, self.trials, self.gave_up
        return {
            **super().values(),
            **({"why": self.why} if self.why else {}),
            "runs": self.runs,
            "success": self.success,
            "restarts": self.restarts,
            "cpu": cpu._asdict() if cpu else None,
            "trials": trials._asdict() if trials else None,
            "each": [
                {"cpu": arrival.seconds, "trials": arrival.trials, "restarts": arrival.restarts}
                for arrival in self.arrivals
            ],
            **({"gave_up": {**lost._asdict(), "best": lost.best.tolist()}} if lost else {}),
        }

    def answer_text(self, before: int) -> str:
        # One run prints its board, several print the table; their boards are in the JSON.
        return super().answer_text(before) if self.runs == 1 else "\n".join(self._table()) + "\n" * bool(self.arrivals)

    def remarks(self) -> Iterator[str]:
        if self.runs == 1:
            yield from self.board_lines()
        if self.why:
            yield self.why
            return
        gave_up = "" if self.solutions == self.runs else "; the others gave up or were stopped"
        anew = f", {several(self.restarts, 'restart')}" if self.restarts else ""
        yield f"{self.solutions} of {several(self.runs, 'run')} succeeded ({100 * self.success:.0f} %){anew}{gave_up}"
        if lost := self.gave_up:
            yield (
                f"seed {lost.seed} gave up after {several(lost.trials, 'trial')} and {several(lost.restarts, 'restart')} "
                f"at a cost of {lost.cost:,}; its best board, of cost {lost.best_cost:,}:"
            )
            yield " ".join(map(str, lost.best.tolist()))
        if self.runs == 1:
            yield from self._table()

    def _table(self) -> list[str]:
        cpu, trials = self.cpu_statistics, self.trials
        if cpu is None or trials is None:
            return []
        return [
            f"{'':<10}{'mean':>12}{'deviation':>12}{'median':>12}{'least':>12}{'most':>12}",
            "CPU, ms   " + "".join(f"{1000 * value:>12.3f}" for value in cpu),
            "trials    " + "".join(f"{value:>12,.0f}" for value in trials),
        ]

    def page(self) -> str | None:
        """A page that plays the first run, as HTML; the run is repeated.  At most 200 queens."""
        return None if self.status == "none" else play_page(self._first_run(), self.settings)

    def trace_csv(self) -> str | None:
        """Cost against trials of the first run, as CSV; the run is repeated."""
        return None if self.status == "none" else csv_text([["trial", "cost"], *trace_of(self._first_run())])

    def _first_run(self) -> QueensAnneal:
        return search_for(self.puzzle, self.settings, self.seed, 1, self.start)


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def search_for(puzzle: Queens, settings: Settings, seed: int, runs: int, start: Start = None) -> QueensAnneal:
    """The runs as one search."""
    first = () if start is None else start_of(puzzle, start)
    return QueensAnneal(
        tuple(range(seed, seed + runs)),
        puzzle.n,
        settings.schedule(),
        puzzle.given,
        puzzle.blocked,
        settings.restarts,
        first,
    )


def start_of(puzzle: Queens, start: Sequence[int] | NDArray[np.int32]) -> tuple[int, ...]:
    """The columns to start from, by row from 0; `BadInput` unless they are a permutation with the given queens in place."""
    columns = np.array(start)
    n = puzzle.n
    if columns.shape != (n,) or columns.dtype.kind not in "iu":
        raise BadInput(f"a start of {columns.size} columns: expected {n} whole numbers, one column for each row")
    if not np.array_equal(np.sort(columns), np.arange(n)):
        raise BadInput(
            f"the start has two queens in a column or one off the board: expected each from 0 to {n - 1} once"
        )
    for row, column in puzzle.given:
        if columns[row] != column:
            raise BadInput(f"the start has no queen on the given square r{row + 1}c{column + 1}")
    return tuple(columns.tolist())


def anneal(
    puzzle: Queens, settings: Settings, *, seed: int = 0, runs: int = 1, start: Start = None, run: Run = HERE
) -> Annealed:
    """Anneal a board of n queens once for each of `runs` seeds.

    A stalled run restarts, as often as the settings allow.  `start` is the columns to start from, by row from 0; without it
    every run starts from its own permutation.
    """
    search = search_for(puzzle, settings, seed, runs, start)
    if refuted(puzzle):
        require_no_search(run, f"{puzzle.n} queens")
        return Annealed(puzzle, Result("none", 0, np.empty((0, search.width), np.int32)), settings, seed, runs)
    progress_text = ProgressText(words=lambda found, _: f"{found:,} of {several(runs, 'run')} succeeded")
    clock = Clock(run)
    result = perform(search, run, most=runs, progress_text=progress_text)
    found = Annealed(puzzle, result, settings, seed, runs, start)
    found.verify()
    return with_lost(found, search, clock)


def with_lost(found: Annealed, search: QueensAnneal, clock: Clock) -> Annealed:
    """The same with the first run that gave up, repeated, if all runs have ended."""
    result = found.result
    if result.solutions == found.runs or result.fraction < 1 or result.interrupted or result.quarantined:
        return found
    succeeded = {arrival.member for arrival in found.arrivals}
    member = next(k for k in range(found.runs) if k not in succeeded)
    return replace(found, gave_up=_made_again(search, found.seed + member, clock))


# Single runs: repeated, or made for a study


class OneRun(NamedTuple):
    """The outcome of one run."""

    succeeded: bool
    trials: int
    cost: int
    seconds: float


def run_once(settings: Settings, seed: int) -> OneRun:
    """One run on an empty board without a store, for studies of many short runs."""
    search = search_for(Queens(settings.n), settings, seed, 1)
    state, stop = search.fresh(seed), np.zeros(1, np.uint8)
    while not search.step(state, _AGAIN, stop)[1]:
        interrupts.check()
    cost = int(state.numbers[COST])
    return OneRun(cost == 0, int(state.numbers[TRIALS]), cost, float(state.reals[1]))


def _made_again(search: QueensAnneal, seed: int, clock: Clock) -> GaveUp | None:
    """Repeat a run that gave up, to its end and to its best board; None if the time is up first."""
    stop = np.zeros(1, np.uint8)

    def run_to(trials: int) -> State | None:
        state = search.fresh(seed)
        while (left := trials - int(state.numbers[TRIALS])) > 0 or not state.ready:
            if clock.is_up(0):
                return None
            if search.step(state, min(left, _AGAIN), stop)[1]:
                break
        return state

    try:
        last = run_to(MOST_TRIALS)
        best = last and run_to(int(last.numbers[BEST_AT]))
    except KeyboardInterrupt:
        return None
    if last is None or best is None:
        return None
    trials, restarts, cost, least = (int(last.numbers[k]) for k in (TRIALS, RESTARTED, COST, BEST))
    return GaveUp(seed, trials, restarts, cost, least, best.columns)


def trace_of(search: QueensAnneal) -> list[tuple[int, int]]:
    """The first run, repeated, as (trials, cost): every trial of a short run, evenly spaced trials of a long one."""
    trials = 0
    for state in replay(search, MOST_TRIALS):
        trials = int(state.numbers[TRIALS])
    stride = max(1, math.ceil(trials / MOST_TRACED))
    return [(int(state.numbers[TRIALS]), int(state.numbers[COST])) for state in replay(search, stride)]


def replay(search: QueensAnneal, stride: int) -> Iterator[State]:
    """The state of the first run every `stride` trials, including the first and the last; it is changed in place."""
    stop = np.zeros(1, np.uint8)
    state = search.fresh(search.seeds[0])
    ended = False
    while not state.ready:
        search.step(state, 0, stop)
    yield state
    while not ended:
        made, ended = search.step(state, stride, stop)
        if made:
            yield state


# The page that plays a run


def require_playable(puzzle: Queens) -> None:
    """Reject a board that is too large for a page."""
    if puzzle.n > MOST_PLAYED:
        raise BadInput(f"a page that plays {puzzle.n} queens: expected at most {MOST_PLAYED}")


def record(search: QueensAnneal) -> dict[str, Any]:
    """The first run, repeated trial by trial: the first board, and every swap with its trial, cost and temperature.

    A run that restarted is recorded from its last restart on.
    """
    moves: list[list[float]] = []
    first: list[int] = []
    before = np.empty(0, np.int32)
    first_cost = trials = 0
    heat = 0.0
    for state in replay(search, 1):
        trials = int(state.numbers[TRIALS])
        changed = np.flatnonzero(state.columns != before) if first else range(search.side)
        if len(changed) > 2 or not first:
            first, first_cost = state.columns.tolist(), int(state.numbers[COST])
            heat = float(state.reals[0])
            moves = []
        elif len(changed):
            i, j = changed
            if len(moves) < MOST_MOVES:
                moves.append([trials, int(i), int(j), int(state.numbers[COST]), round(float(state.reals[0]), 4)])
        before = state.columns.copy()
    return {"n": search.side, "board": first, "cost": first_cost, "moves": moves, "trials": trials, "heat": heat}


def play_page(search: QueensAnneal, settings: Settings) -> str:
    """The page as HTML."""
    require_playable(Queens(search.side))
    run = record(search)
    title = f"{settings.n} queens, annealed"
    words = (
        f"T₀ = {settings.t0:g}, α = {settings.alpha:g}, L = {settings.length}, {settings.cooling} cooling, "
        f"{settings.swap} swaps, seed {search.seeds[0]}"
    )
    body = f"""<div class="two">
<canvas id="board" role="img" aria-label="the board"></canvas>
<div class="card"><canvas id="curve" role="img" aria-label="cost and temperature against trials"></canvas>
<dl><div><dt>trial</dt><dd id="trial"></dd></div><div><dt>cost</dt><dd id="cost"></dd></div>
<div><dt>temperature</dt><dd id="heat"></dd></div></dl>
{bar("swaps")}<p class="note">Red queens share a diagonal with another; rings mark the last swap.
A click on the curve goes to that trial.</p></div>
</div>"""
    script, style = (Path(__file__).with_name(f"player.{end}").read_text(encoding="utf-8") for end in ("js", "css"))
    return shell(title, words, body, script=script, data=run, style=style, left="32rem")
