"""Which parameters anneal best: Optuna over T₀, α, L and the cooling, or the grid of the source.

What is minimised is the mean number of trials over some runs, so the outcome does not depend on the machine.  A run that
gives up counts as many trials as it made, and `success` says how many arrived.
"""

from __future__ import annotations

import csv
import io
import statistics
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tablero.errors import BadInput, MissingExtra
from tablero.puzzles.queens.anneal import Settings, run_once, seeds_from
from tablero.puzzles.queens.construct import exists
from tablero.puzzles.queens.kernels.anneal import COOLINGS

GRID_T0 = (5.0, 10.0, 50.0, 100.0)
GRID_ALPHA = (0.99, 0.95, 0.9, 0.85)
GRID_LENGTH = (1, 2, 5, 10, 15, 20)
MOST_TRIED = 10_000
MOST_SIDE = 100_000


@dataclass(frozen=True)
class Tried:
    """One set of parameters and what its runs brought."""

    t0: float
    alpha: float
    length: int
    cooling: str
    trials: float  # mean over runs
    deviation: float
    seconds: float  # mean, CPU
    success: float


@dataclass(frozen=True)
class Tuned:
    """All that was tried, the best first, and what each parameter matters (parts of 1; empty for the grid)."""

    n: int
    runs: int
    tried: tuple[Tried, ...]
    importance: dict[str, float]

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["t0", "alpha", "length", "cooling", "trials", "deviation", "seconds", "success"])
        for one in self.tried:
            numbers = (f"{one.trials:.1f}", f"{one.deviation:.1f}", f"{one.seconds:.6f}", f"{one.success:.4f}")
            writer.writerow([one.t0, one.alpha, one.length, one.cooling, *numbers])
        return out.getvalue()


def try_out(n: int, t0: float, alpha: float, length: int, cooling: str, seeds: Sequence[int]) -> Tried:
    """Some runs with one set of parameters."""
    settings = Settings.for_side(n, t0=t0, alpha=alpha, length=length, cooling=cooling, max_trials=100 * n + 10_000)
    runs = [run_once(settings, seed) for seed in seeds]
    trials = [float(run.trials) for run in runs]
    deviation = statistics.stdev(trials) if len(trials) > 1 else 0.0
    seconds = statistics.fmean(run.seconds for run in runs)
    arrived = sum(run.arrived for run in runs) / len(runs)
    return Tried(t0, alpha, length, cooling, statistics.fmean(trials), deviation, seconds, arrived)


def _check(n: int, tries: int) -> None:
    if not 1 <= n <= MOST_SIDE or not exists(n):
        raise BadInput(f"tuning for {n} queens: expected 1 or 4 to {MOST_SIDE:,}")
    if not 1 <= tries <= MOST_TRIED:
        raise BadInput(f"{tries} sets of parameters: expected 1 to {MOST_TRIED:,}")


def _best_first(tried: Sequence[Tried]) -> tuple[Tried, ...]:
    return tuple(sorted(tried, key=lambda one: (-one.success, one.trials)))


def grid(n: int, *, runs: int = 30, seed: int = 0) -> Tuned:
    """The grid of the source: T₀ by α by L, geometric cooling."""
    _check(n, 1)
    return Tuned(n, runs, _best_first(list(grid_steps(n, seeds_from(seed, runs)))), {})


def grid_steps(n: int, seeds: Sequence[int]) -> Iterator[Tried]:
    for t0, alpha, length in product(GRID_T0, GRID_ALPHA, GRID_LENGTH):
        yield try_out(n, t0, alpha, length, COOLINGS[0], seeds)


def tune(n: int, *, tries: int = 100, runs: int = 30, seed: int = 0) -> Tuned:
    """Let Optuna choose `tries` sets of parameters, each better informed than the last."""
    _check(n, tries)
    seeds = seeds_from(seed, runs)
    try:
        import optuna
    except ImportError:
        raise MissingExtra("tuning", "tune") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    tried: list[Tried] = []

    def objective(trial: Any) -> float:
        one = try_out(
            n,
            trial.suggest_float("T0", 0.01, 100.0, log=True),
            trial.suggest_float("alpha", 0.5, 0.999),
            trial.suggest_int("L", 1, 50, log=True),
            trial.suggest_categorical("cooling", COOLINGS),
            seeds,
        )
        tried.append(one)
        return one.trials

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of experimental features
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed % 2**32))
        study.optimize(objective, n_trials=tries)
        importance: dict[str, float] = {}
        if tries > 3:
            evaluator = optuna.importance.PedAnovaImportanceEvaluator()
            importance = dict(optuna.importance.get_param_importances(study, evaluator=evaluator))
    return Tuned(n, runs, _best_first(tried), importance)
