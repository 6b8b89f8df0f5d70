"""What is timed: annealing (tablero and the source's algorithm in plain Python), local search, construction, counting.

A call that is repeated takes the next seed each time, so that its times are those of different runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from bench.measure import Found, Tool


@dataclass(frozen=True)
class Task:
    """What to do with how many queens."""

    n: int
    what: str  # anneal, descend, local, construct, count
    threads: int = 1


def tablero(task: Task) -> Callable[[], Found]:
    from tablero.queens.verbs import anneal, solve
    from tablero.queens.verbs import count as count_all
    from tablero.runs.run import Here

    seeds = count()

    def call() -> Found:
        if task.what == "count":
            return Found(count_all(task.n, run=Here(threads=task.threads)).solutions)
        if task.what == "anneal":
            annealed = anneal(task.n, seed=next(seeds))
            cpu = annealed.cpu_statistics
            return Found(annealed.solutions, cpu.mean if cpu else None)
        if task.what == "descend":
            return Found(anneal(task.n, seed=next(seeds), t0=0.0).solutions)
        method: Any = task.what
        return Found(solve(task.n, method=method, seed=next(seeds)).solutions)

    return call


def source(task: Task) -> Callable[[], Found]:
    from bench.queens.source import anneal
    from tablero.queens.annealing import Settings
    from tablero.queens.checking import fault

    settings, seeds = Settings.for_side(task.n), count()

    def call() -> Found:
        columns = anneal(task.n, settings.t0, settings.alpha, settings.length, settings.max_trials, next(seeds))
        return Found(int(columns is not None and fault(columns) is None))

    return call


TABLERO = Tool("tablero", tablero)
SOURCE = Tool("plain Python", source)
