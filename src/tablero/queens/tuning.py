"""Finds good annealing parameters: Optuna over T₀, α, L and the cooling, or the grid of Robayo Pardo (2020).

The mean number of trials over some runs is minimised, so that the result does not depend on the machine.  A run that gives
up counts with the trials that it made; `success` is the fraction of runs that succeeded.
"""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from tablero import interrupts
from tablero.errors import BadInput, need
from tablero.queens.annealing import COOLINGS, Settings, csv_text, run_once, search_for
from tablero.queens.generating import exists
from tablero.queens.puzzle import Queens
from tablero.runs.findings import Findings, Result
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Clock, Run
from tablero.text import several
from tablero.verbs.parameters import spell

GRID_T0 = (5.0, 10.0, 50.0, 100.0)
GRID_ALPHA = (0.99, 0.95, 0.9, 0.85)
GRID_LENGTH = (1, 2, 5, 10, 15, 20)
_SHOWN = 10  # sets that are printed


@dataclass(frozen=True)
class Tried:
    """One set of parameters and the results of its runs."""

    t0: float
    alpha: float
    length: int
    cooling: str
    max_stall: int
    trials: float  # mean over runs
    deviation: float
    seconds: float  # mean, CPU
    success: float


@dataclass(frozen=True, eq=False, repr=False)
class Tuned(Findings[Tried]):
    """All sets of parameters that were tried, the best first.

    `importance` is the fraction of the outcome that each parameter explains; it is empty for the grid.  The status is
    "open" if a limit stopped the search before all sets were tried.
    """

    puzzle: Queens
    runs: int
    tried: tuple[Tried, ...]
    importance: dict[str, float]

    @property
    def n(self) -> int:
        return self.puzzle.n

    @cached_property
    def answers(self) -> Sequence[Tried]:
        return self.tried

    def to_list(self) -> list[dict[str, Any]]:
        return [asdict(one) for one in self.tried]

    def verify(self) -> None:
        """Nothing to check: the result contains no boards."""

    def values(self) -> dict[str, Any]:
        return {
            **super().values(),
            "n": self.n,
            "runs": self.runs,
            "tried": len(self.tried),
            "best": asdict(self.tried[0]) if self.tried else None,
            "importance": self.importance,
        }

    def to_dict(self) -> dict[str, Any]:
        """The values without the sets; the table has these."""
        return self.values()

    def answer_text(self, before: int) -> str:
        """The best sets as a table."""
        return self._table(self.tried[:_SHOWN])

    def quiet_text(self) -> str:
        """The best set alone."""
        return self._table(self.tried[:1])

    def _table(self, some: Sequence[Tried]) -> str:
        stalls = len({one.max_stall for one in self.tried}) > 1
        lines = [
            f"{'T0':>9} {'alpha':>7} {'L':>4}  {'cooling':<12}{'trials':>12}{'deviation':>12}{'CPU, ms':>10}{'success':>9}"
            + (f"{'max stall':>11}" if stalls else "")
        ]
        for one in some:
            lines.append(
                f"{one.t0:>9.4g} {one.alpha:>7.4g} {one.length:>4}  {one.cooling:<12}{one.trials:>12,.1f}"
                f"{one.deviation:>12,.1f}{1000 * one.seconds:>10.3f}{100 * one.success:>8.0f}%"
                + (f"{one.max_stall:>11,}" if stalls else "")
            )
        return "\n".join(lines) + "\n"

    def remarks(self) -> Iterator[str]:
        if self.importance:
            shares = ", ".join(f"{name} {100 * part:.0f} %" for name, part in self.importance.items())
            yield f"importance of the parameters (PED-ANOVA): {shares}"
        if self.status == "open":
            yield f"stopped after {100 * self.fraction:.0f} % of the sets"

    def csv(self) -> str:
        head = ["t0", "alpha", "length", "cooling", "trials", "deviation", "seconds", "success", "max_stall"]
        rows = [
            [
                *(one.t0, one.alpha, one.length, one.cooling, f"{one.trials:.1f}", f"{one.deviation:.1f}"),
                *(f"{one.seconds:.6f}", f"{one.success:.4f}", one.max_stall),
            ]
            for one in self.tried
        ]
        return csv_text([head, *rows])


class _Trials:
    """Tries sets of parameters one after another, within the limits of a run."""

    def __init__(self, n: int, tries: int, runs: int, seed: int, run: Run) -> None:
        self.n, self.tries, self.runs, self.run = n, tries, runs, run
        self.seeds = range(seed, seed + runs)
        self.tried: list[Tried] = []
        self.made = 0  # trials of annealing
        self.interrupted = False
        search = search_for(Queens(n), Settings.for_side(n), seed, 1)
        run.report(Snapshot(doing=f"compiling the kernel {search.name.partition('/')[0]}"))
        search.warm()  # not counted as tuning
        run.report(Snapshot())
        self.clock = Clock(run)

    def until_over(self, try_next: Callable[[], object]) -> None:
        """Try one set after another until all are tried, a limit is met or Ctrl-C ends it."""
        try:
            with interrupts.Polling():
                while len(self.tried) < self.tries and not self.clock.is_up(self.made):
                    try_next()
        except KeyboardInterrupt:
            self.interrupted = True

    def try_out(self, t0: float, alpha: float, length: int, cooling: str, max_stall: int | None) -> Tried:
        """Make the runs of one set, without restarts, so that single boards are measured."""
        most = 100 * self.n + 10_000
        settings = Settings.for_side(
            self.n, t0=t0, alpha=alpha, length=length, cooling=cooling, max_trials=most, max_stall=max_stall, restarts=0
        )
        runs = [run_once(settings, seed) for seed in self.seeds]
        trials = [float(run.trials) for run in runs]
        one = Tried(
            t0,
            alpha,
            length,
            cooling,
            settings.max_stall,
            trials=statistics.fmean(trials),
            deviation=statistics.stdev(trials) if len(trials) > 1 else 0.0,
            seconds=statistics.fmean(run.seconds for run in runs),
            success=sum(run.succeeded for run in runs) / len(runs),
        )
        self.tried.append(one)
        self.made += round(one.trials * self.runs)
        done, best = len(self.tried), min(self.tried, key=_rank)
        words = f"{done:,} of {several(self.tries, 'set')}, at best {several(round(best.trials), 'trial')}"
        self.clock.report(words, fraction=done / self.tries, nodes=self.made)
        return one

    def tuned(self, importance: dict[str, float]) -> Tuned:
        self.run.report(Snapshot(over=True))
        done = len(self.tried)
        result = Result(
            status="solved" if done == self.tries else "open",
            solutions=done,
            answers=np.empty((0, 0), np.int32),
            nodes=self.made,
            seconds=self.clock.seconds,
            cpu_seconds=self.clock.cpu_seconds,
            fraction=done / self.tries,
            interrupted=self.interrupted,
        )
        return Tuned(Queens(self.n), result, self.runs, tuple(sorted(self.tried, key=_rank)), importance)


def _rank(one: Tried) -> tuple[float, float]:
    """The sort key: by success, then by trials."""
    return -one.success, one.trials


def tune(
    n: int,
    *,
    tries: int = 100,
    grid: bool = False,
    max_stall: Sequence[int] = (),
    runs: int = 30,
    seed: int = 0,
    run: Run = HERE,
) -> Tuned:
    """Let Optuna choose `tries` sets of parameters one after another, or try those of the grid.

    `max_stall` is the number of trials without a swap after which a run gives up.  The grid tries all values, Optuna uses
    one.
    """
    if not exists(n):
        raise BadInput(f"tuning for {n} queens: expected 1, or 4 and more")
    stalls: list[int | None] = [*max_stall] or [None]
    if not grid:
        if len(stalls) > 1:
            raise BadInput(f"{spell('max_stall')}: {len(stalls)} values: expected one, or several with the grid")
        return _by_optuna(n, tries, runs, seed, run, stalls[0])
    places = list(product(GRID_T0, GRID_ALPHA, GRID_LENGTH, COOLINGS[:1], stalls))
    trials = _Trials(n, len(places), runs, seed, run)
    trials.until_over(lambda: trials.try_out(*places[len(trials.tried)]))
    return trials.tuned({})


def _by_optuna(n: int, tries: int, runs: int, seed: int, run: Run, max_stall: int | None) -> Tuned:
    optuna = need("optuna", "tuning", "tune")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    trials = _Trials(n, tries, runs, seed, run)
    importance: dict[str, float] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about experimental features
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed % 2**32))

        def try_next() -> None:
            trial = study.ask()
            one = trials.try_out(
                trial.suggest_float("T0", 0.01, 100.0, log=True),
                trial.suggest_float("alpha", 0.5, 0.999),
                trial.suggest_int("L", 1, 50, log=True),
                trial.suggest_categorical("cooling", COOLINGS),
                max_stall,
            )
            study.tell(trial, one.trials)

        trials.until_over(try_next)
        if len(trials.tried) > 3:
            evaluator = optuna.importance.PedAnovaImportanceEvaluator()
            importance = dict(optuna.importance.get_param_importances(study, evaluator=evaluator))
    return trials.tuned(importance)
