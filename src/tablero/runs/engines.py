"""Where units are worked on: an engine takes a unit and promises its outcome."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

import numpy as np

from tablero.search.base import UNBOUNDED, Orders, Outcome, Search


class Engine(Protocol):
    """Runs units; `recall` asks those under way to come back at once with what they have left."""

    @property
    def slots(self) -> int:
        """How many units it can work on at a time."""

    @property
    def workers(self) -> int:
        """How many processes or threads that is."""

    @property
    def patience(self) -> float:
        """Seconds that a unit should take, once the search is under way."""

    @property
    def shares_memory(self) -> bool:
        """Whether units are worked on in this process."""

    def begin(self) -> None:
        """Another search: no bound of an earlier one holds, and nothing is recalled."""

    def submit(self, search: Search, state: bytes, orders: Orders) -> Future[Outcome]: ...

    def recall(self) -> None: ...

    def go_on(self) -> None:
        """Units that are submitted from now on are not recalled."""

    def tighten(self, bound: int) -> None:
        """Answers that cost this much or more are of no use."""

    def losses(self, error: Exception) -> int | None:
        """How many workers a failed unit has cost, so that it should be tried again; None when its search failed."""

    def close(self) -> None: ...


class Threads:
    """Threads of this process.  Kernels release the interpreter lock, so they use all cores and share all tables."""

    patience = 1.0
    shares_memory = True

    def __init__(self, threads: int | None = None) -> None:
        self.slots = threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.slots, thread_name_prefix="tablero")
        self._stop = np.zeros(1, np.uint8)
        self._bound = np.full(1, UNBOUNDED, np.int64)

    def begin(self) -> None:
        self._bound[0] = UNBOUNDED
        self.go_on()

    def submit(self, search: Search, state: bytes, orders: Orders) -> Future[Outcome]:
        return self._pool.submit(search.advance, state, orders, self._stop, self._bound)

    def recall(self) -> None:
        self._stop[0] = 1

    def go_on(self) -> None:
        self._stop[0] = 0

    def tighten(self, bound: int) -> None:
        self._bound[0] = min(bound, self._bound[0])

    def losses(self, error: Exception) -> int | None:
        return None

    @property
    def workers(self) -> int:
        return self.slots

    def close(self) -> None:
        self.recall()
        self._pool.shutdown(wait=True, cancel_futures=True)
