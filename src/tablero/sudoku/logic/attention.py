"""Who looks for steps keeps an eye on the time of the run, and tells what takes long.

Kernels are compiled once in the life of a machine: that time is told, and is not the run's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tablero.runs.run import Run
from tablero.runs.session import Clock
from tablero.runs.watch import Snapshot


class Attention:
    """The time of a run, which begins now, and a word to its watcher."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._clock = Clock(run)
        self._aside = 0.0  # seconds of compiling

    @property
    def is_late(self) -> bool:
        limit = self._run.time_limit
        return limit is not None and self._clock.seconds - self._aside >= limit

    @contextmanager
    def compiling(self, what: str) -> Iterator[None]:
        """While kernels are compiled, or loaded."""
        began = self._clock.seconds
        self._run.tell(Snapshot(doing=f"compiling {what}"))
        try:
            yield
        finally:
            self._run.tell(Snapshot(over=True))
            self._aside += self._clock.seconds - began
