"""Where units are worked on: an engine takes a bundle of units and promises their outcomes.

    bundle    the states of units that one worker takes in turn.  Mostly one; several where units are so short that the way
              to the worker and back would take longer than the work
    recall    asks the bundles under way to come back at once with what they have left

A bundle that was recalled stays so when others are handed out.
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
    """The clock of a coordinator, and how it waits.  A simulation has another."""

    def now(self) -> float:
        return time.monotonic()

    def used(self) -> float:
        """Seconds of a processor that the coordinator has used: with many short units more than the units have."""
        return time.thread_time()

    def wait(self, inbox: SimpleQueue[Promise], seconds: float) -> list[Promise]:
        """What has come in; when there is nothing, what comes within so many seconds."""
        found = []
        with suppress(Empty):
            found.append(inbox.get(timeout=seconds))
            while True:
                found.append(inbox.get_nowait())
        return found


REAL_TIME = Time()


class Engine(Protocol):
    """Runs bundles of units."""

    @property
    def slots(self) -> int:
        """How many bundles it can work on at a time."""

    @property
    def workers(self) -> int:
        """How many processes or threads that is."""

    @property
    def patience(self) -> float:
        """Seconds that a unit should take, once the search is under way."""

    @property
    def shares_memory(self) -> bool:
        """Whether units are worked on in this process."""

    @property
    def grace(self) -> float:
        """Seconds after which a bundle that should be back is no longer waited for: its worker may be frozen."""

    def begin(self) -> None:
        """Another search: no bound of an earlier one holds, and nothing is recalled."""

    def submit(self, search: Search, states: Sequence[bytes], orders: Orders) -> Promise:
        """Have a worker carry out the orders on these states: see `advance_all`."""

    def recall(self) -> None: ...

    def go_on(self) -> None:
        """Units that are submitted from now on are not recalled."""

    def tighten(self, bound: int) -> None:
        """Answers that cost this much or more are of no use."""

    def where(self) -> Mapping[Promise, str]:
        """Who works on what, as far as that is known without waiting."""

    @property
    def scheduler(self) -> str:
        """Where further workers may join; empty where none can."""

    def losses(self, error: BaseException) -> int | None:
        """How many workers a failed unit has cost, so that it should be tried again; None when its search failed."""

    def close(self) -> None: ...


def advance_all(
    search: Search, states: Sequence[bytes], orders: Orders, stop: Flag, bound: Bound, worker: str = ""
) -> Outcomes:
    """Work on states in turn until the orders are carried out; those that were not reached have no outcome."""
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
    """Threads of this process.  Kernels release the interpreter lock, so they use all cores and share all tables."""

    patience = 1.0
    shares_memory = True
    scheduler = ""
    grace = math.inf  # a thread cannot be left behind

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
        here: list[str] = []  # gets the name of the thread that takes it
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
        self._stop = np.zeros(1, np.uint8)  # those that were recalled keep the old one

    def tighten(self, bound: int) -> None:
        self._bound[0] = min(bound, self._bound[0])

    def losses(self, error: BaseException) -> int | None:
        return None

    def close(self) -> None:
        self.recall()
        self._pool.shutdown(wait=True, cancel_futures=True)
