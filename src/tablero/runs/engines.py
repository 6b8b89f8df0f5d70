"""Engines: the workers of a search.  An engine takes bundles of units and promises their outcomes.

    bundle    units that one worker takes one after another.  Usually one; several if units are so short that sending them
              would take longer than the work
    recall    asks the running bundles to return at once with their remainders

A recalled bundle stays recalled when others are submitted.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Protocol

import numpy as np

from tablero.search.base import UNBOUNDED, Bound, Flag, Orders, Outcome, Search

Outcomes = list[Outcome]
Promise = Future[Outcomes]


class Time:
    """The clock of a coordinator.  A simulation has its own."""

    def now(self) -> float:
        return time.monotonic()

    def used(self) -> float:
        """CPU seconds that the coordinator has used; with many short units more than the units themselves."""
        return time.thread_time()

    def wait(self, inbox: SimpleQueue[Promise], seconds: float) -> list[Promise]:
        """The promises that are done; waits for the first of them up to this many seconds."""
        found = []
        with suppress(Empty):
            found.append(inbox.get(timeout=seconds))
            while True:
                found.append(inbox.get_nowait())
        return found


REAL_TIME = Time()


class Engine(Protocol):
    """The workers of a search: threads, or the processes of a cluster."""

    @property
    def slots(self) -> int:
        """How many bundles can run at a time."""

    @property
    def workers(self) -> int:
        """The number of processes or threads."""

    @property
    def patience(self) -> float:
        """Seconds that a unit should take once the search has spread to all workers."""

    @property
    def shares_memory(self) -> bool:
        """Whether units run in this process."""

    @property
    def grace(self) -> float:
        """Seconds after which a late bundle is no longer waited for, as its worker may be frozen."""

    def begin(self) -> None:
        """Begin another search: the bound and the recall of an earlier one do not hold for it."""

    def submit(self, search: Search, states: Sequence[bytes], orders: Orders) -> Promise:
        """Let a worker advance these states: see `advance_all`."""

    def recall(self) -> None:
        """Ask all running bundles to return at once."""

    def go_on(self) -> None:
        """End the recall: bundles that are submitted from now on run as usual."""

    def tighten(self, bound: int) -> None:
        """Set the bound: only answers that cost less are of use."""

    def where(self) -> Mapping[Promise, str]:
        """The worker of each bundle, as far as it is known without waiting."""

    @property
    def scheduler(self) -> str:
        """The address at which further workers may join; empty if none can."""

    def losses(self, error: BaseException) -> int | None:
        """How many workers a failed bundle has cost; None if the search itself failed, so that another try is useless."""

    def close(self) -> None:
        """Stop the workers."""


def advance_all(
    search: Search, states: Sequence[bytes], orders: Orders, stop: Flag, bound: Bound, worker: str = ""
) -> Outcomes:
    """Advance states one after another until the orders are fulfilled; states that were not reached have no outcome."""
    end = time.monotonic() + orders.seconds
    outcomes: Outcomes = []
    for state in states:
        outcomes.append(replace(search.advance(state, orders, stop, bound), worker=worker))
        done = outcomes[-1]
        orders = orders._replace(
            seconds=end - time.monotonic(),
            most=None if orders.most is None else orders.most - done.found,
            nodes=None if orders.nodes is None else orders.nodes - done.nodes,
        )
        enough = orders.most is not None and orders.most <= 0
        if enough or stop[0] or orders.seconds <= 0 or orders.nodes == 0:
            break
    return outcomes


class Threads:
    """Threads of this process.  Kernels release the interpreter lock, so threads use all cores and share all tables."""

    patience = 1.0
    shares_memory = True
    scheduler = ""
    grace = math.inf  # a thread is always waited for

    def __init__(self, threads: int | None = None) -> None:
        self.slots = self.workers = threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.slots, thread_name_prefix="tablero")
        self._stop = np.zeros(1, np.uint8)
        self._bound = np.full(1, UNBOUNDED, np.int64)
        self._where: dict[Promise, list[str]] = {}

    def begin(self) -> None:
        self._bound[0] = UNBOUNDED
        self.go_on()

    def submit(self, search: Search, states: Sequence[bytes], orders: Orders) -> Promise:
        here: list[str] = []  # gets the name of the thread that runs it
        promise = self._pool.submit(self._work, here, search, states, orders, self._stop, self._bound)
        self._where[promise] = here
        promise.add_done_callback(lambda done: self._where.pop(done, None))
        return promise

    @staticmethod
    def _work(
        here: list[str], search: Search, states: Sequence[bytes], orders: Orders, stop: Flag, bound: Bound
    ) -> Outcomes:
        here.append("thread " + threading.current_thread().name.rpartition("_")[2])
        return advance_all(search, states, orders, stop, bound, here[0])

    def where(self) -> Mapping[Promise, str]:
        return {promise: here[0] for promise, here in list(self._where.items()) if here}

    def recall(self) -> None:
        self._stop[0] = 1

    def go_on(self) -> None:
        self._stop = np.zeros(1, np.uint8)  # recalled bundles keep the old flag

    def tighten(self, bound: int) -> None:
        self._bound[0] = min(bound, self._bound[0])

    def losses(self, error: BaseException) -> int | None:
        return None

    def close(self) -> None:
        self.recall()
        self._pool.shutdown(wait=True, cancel_futures=True)
