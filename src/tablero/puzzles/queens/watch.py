"""A clock for work that is no stored search: it knows the limits of a run, and tells those who watch how the work goes."""

from __future__ import annotations

import time

from tablero.runs.runner import Run
from tablero.runs.watch import Snapshot

_BEAT = 0.1  # seconds between two snapshots


class Clock:
    """Wall and CPU time since it was made, and what the run says of them."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._began, self._cpu = time.monotonic(), time.thread_time()
        self._next = _BEAT

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def cpu_seconds(self) -> float:
        return time.thread_time() - self._cpu

    def is_up(self, nodes: int) -> bool:
        """Whether the time of the run is over, or its nodes are visited."""
        run = self.run
        if run.node_limit is not None and nodes >= run.node_limit:
            return True
        return run.time_limit is not None and self.seconds >= run.time_limit

    def tell(self, fraction: float, nodes: int, words: str) -> None:
        """Let the watcher know, ten times a second at most."""
        seconds = self.seconds
        if seconds >= self._next:
            self._next = seconds + _BEAT
            limit = self.run.time_limit
            self.run.tell(Snapshot(seconds=seconds, time_limit=limit, fraction=fraction, nodes=nodes, words=words))
