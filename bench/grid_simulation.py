"""The grid at ten thousand workers, simulated: the real coordinator and the real store over workers that are only reckoned.

    tree      irregular, of a size that is known: every node divides what is below it among its children by a hash, so that
              whole subtrees are skipped in a step and a unit of a minute costs a fraction of a millisecond
    answers   the search "finds" the sum of the numbers, in preorder, of the nodes that it visits: a node that was missed or
              counted twice shows in it
    worker    has a speed of its own, dies and is replaced, or freezes for a while; messages to it and back take a while

The clock moves from event to event.  The CPU time that coordinator and store use is added to it (`charge`), and what the
scheduler needs for each bundle that it passes on.
"""

from __future__ import annotations

import hashlib
import heapq
import pickle
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tablero.runs.cluster import Cluster, patience_of
from tablero.runs.coordinator import run as search_with
from tablero.runs.engines import Outcomes, Promise, Time
from tablero.runs.record import JobInfo
from tablero.runs.store import Store
from tablero.search.base import Bound, Flag, Orders, Outcome, Search
from tablero.search.cursor import Cursor, Level
from tablero.search.tree import TreeSearch

# The tree


@lru_cache(1 << 16)
def children(seed: bytes, size: int) -> tuple[tuple[bytes, int], ...]:
    """The children of a node with so many nodes at and below it: their seeds and sizes, one to six, very unequal."""
    if size == 1:
        return ()
    drawn = hashlib.blake2b(seed, digest_size=32).digest()
    width = min(1 + drawn[0] % 6, size - 1)
    weights = [1 + int.from_bytes(drawn[4 * k : 4 * k + 4]) ** 2 for k in range(1, width + 1)]
    shared = size - 1 - width  # beyond the one that each has
    cuts = [shared * total // sum(weights) for total in accumulate(weights)]
    return tuple((drawn[:15] + bytes([k]), 1 + cuts[k] - (cuts[k - 1] if k else 0)) for k in range(width))


class Reckoned(TreeSearch):
    """A search of the tree; `walk` reckons what a worker would do."""

    name = "bench.reckoned/1"
    width = 1

    def __init__(self, size: int, seed: int = 1) -> None:
        self.size, self.root = size, (seed.to_bytes(8), size)

    def digest(self) -> str:
        return f"reckoned-{self.size}"

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        raise NotImplementedError

    def walk(self, state: bytes, most: int) -> Outcome:
        """Visit up to so many nodes of what a state has left."""
        levels: list[list[Any]] = []  # at, last, the siblings, the number of the one it stands on
        (node, number) = (self.root, 0)
        for at, last, _ in Cursor.load(state).levels:
            siblings = children(*node)
            number += 1 + sum(size for _, size in siblings[:at])
            levels.append([at, last, siblings, number])
            node = siblings[at]
        visited = total = 0

        def visit(count: int) -> None:
            nonlocal visited, total
            visited += count
            total += count * number + count * (count - 1) // 2

        while True:
            if most - visited >= node[1]:
                visit(node[1])
                while levels and levels[-1][0] == levels[-1][1]:
                    levels.pop()
                if not levels:
                    return Outcome(visited, total, Outcome.empty(1), None, 0.0)
                level = levels[-1]
                number = level[3] = level[3] + level[2][level[0]][1]
                level[0] += 1
                node = level[2][level[0]]
            elif visited < most:
                visit(1)
                number += 1
                siblings = children(*node)
                levels.append([0, len(siblings) - 1, siblings, number])
                node = siblings[0]
            else:
                rest = Cursor(tuple(Level(at, last, len(siblings)) for at, last, siblings, _ in levels))
                return Outcome(visited, total, Outcome.empty(1), rest.store(), 0.0)


# The workers


@dataclass(frozen=True)
class Weather:
    """What the grid is like; times in seconds."""

    speed: float = 1e6  # nodes a second, the median
    spread: float = 0.25  # of the logarithm of the speed
    latency: float = 0.05  # of a message, the mean
    passing: float = 0.0  # of the scheduler for a bundle, there and back
    deaths: float = 0.0  # a second, of all workers
    downtime: float = 30.0  # until a dead one is replaced, the mean
    freezes: float = 0.0  # a second, of all workers
    frozen: float = 60.0  # how long one freezes, the mean
    charge: float = 1.0  # seconds of the clock for a second of the coordinator's CPU


class Lost(Exception):
    """A worker died."""


@dataclass(eq=False)
class Task:
    """A bundle on its way, or on a worker."""

    promise: Promise
    states: Sequence[bytes]
    orders: Orders
    recall: list[bool]
    began: float = 0.0


@dataclass(eq=False)
class Worker:
    speed: float
    born: float
    free_since: float
    task: Task | None = None
    alive: bool = True
    thaws: float = 0.0
    busy: float = 0.0  # seconds


@dataclass
class Tally:
    """What was measured."""

    busy: float = 0.0
    lost: float = 0.0  # of the busy seconds: brought nothing
    life: float = 0.0  # of all workers
    idle: float = 0.0  # the longest
    deaths: int = 0
    freezes: int = 0
    recalls: int = 0
    bundles: int = 0
    sent: int = 0  # bytes, both ways
    cpu: float = 0.0  # of the coordinator


@dataclass
class Simulation(Time):
    """Engine and clock in one."""

    search: Reckoned
    count: int
    weather: Weather = field(default_factory=Weather)
    seed: int = 1

    grace = Cluster.grace
    shares_memory = False
    scheduler = ""

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        self.tally = Tally()
        self._clock, self._number = 0.0, 0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._queue: deque[Task] = deque()
        self._recall = [False]
        self._scheduler_free = 0.0
        self._workers = [self._new_worker() for _ in range(self.count)]
        self._idle = deque(self._workers)
        for rate, strike in ((self.weather.deaths, self._kill), (self.weather.freezes, self._freeze)):
            if rate:
                self._at(self._clock + self.draw.expovariate(rate), partial(strike, rate))
        self._inside = 0.0
        self._left = time.thread_time()

    # The clock

    def now(self) -> float:
        return self._clock

    def used(self) -> float:
        return self.tally.cpu

    def wait(self, inbox: SimpleQueue[Promise], seconds: float) -> list[Promise]:
        """Let the coordinator pay for what it used, and let happen what happens."""
        used = time.thread_time() - self._left - self._inside
        self.tally.cpu += used
        until = self._clock + used * self.weather.charge
        self._happen(until)
        self._clock, until = until, until + seconds
        while inbox.empty() and self._events and self._events[0][0] <= until:
            self._happen(self._events[0][0])
        if inbox.empty():
            self._clock = until
        found = [inbox.get() for _ in range(inbox.qsize())]
        self._inside, self._left = 0.0, time.thread_time()
        return found

    def _happen(self, until: float) -> None:
        while self._events and self._events[0][0] <= until:
            moment, _, event = heapq.heappop(self._events)
            self._clock = max(self._clock, moment)
            event()

    def _at(self, moment: float, event: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (moment, self._number, event))

    def _on_the_way(self) -> float:
        """When a message of now arrives."""
        return self._clock + self.draw.lognormvariate(-0.125, 0.5) * self.weather.latency

    # The engine

    @property
    def slots(self) -> int:
        return len(self._workers)

    @property
    def workers(self) -> int:
        return len(self._workers)

    @property
    def patience(self) -> float:
        return patience_of(self.slots)

    def begin(self) -> None: ...
    def tighten(self, bound: int) -> None: ...
    def close(self) -> None: ...

    def losses(self, error: BaseException) -> int | None:
        return 1 if isinstance(error, Lost) else None

    def where(self) -> dict[Promise, str]:
        return {}

    def go_on(self) -> None:
        self._recall = [False]

    def recall(self) -> None:
        self.tally.recalls += 1
        self._recall[0] = True
        for worker in self._workers:
            if worker.task is not None and worker.task.recall is self._recall:
                task = worker.task
                self._at(self._on_the_way(), partial(self._finish, worker, task))

    def submit(self, search: Search, states: Sequence[bytes], orders: Orders) -> Promise:
        entered = time.thread_time()
        task = Task(Promise(), states, orders, self._recall)
        self.tally.bundles += 1
        self.tally.sent += len(pickle.dumps((states, orders, 0, "tablero-0123456789ab-0", "0.1.0")))
        self._scheduler_free = max(self._scheduler_free, self._clock) + self.weather.passing
        self._at(self._scheduler_free, lambda: self._pass_on(task))
        self._inside += time.thread_time() - entered
        return task.promise

    # What happens

    def _new_worker(self) -> Worker:
        return Worker(self.weather.speed * self.draw.lognormvariate(0, self.weather.spread), self._clock, self._clock)

    def _pass_on(self, task: Task) -> None:
        """The scheduler gives it to a worker that has nothing to do."""
        while self._idle and not self._idle[0].alive:
            self._idle.popleft()
        if not self._idle:
            self._queue.append(task)
            return
        worker = self._idle.popleft()
        worker.task = task
        self._at(self._on_the_way(), lambda: self._start(worker, task))

    def _start(self, worker: Worker, task: Task) -> None:
        if worker.task is not task:
            return  # it died meanwhile
        self.tally.idle = max(self.tally.idle, self._clock - worker.free_since)
        task.began = self._clock
        if task.recall[0]:
            self._finish(worker, task)
            return
        outcomes = self._work(worker, task, task.orders.seconds)
        took = sum(outcome.nodes for outcome in outcomes) / worker.speed
        self._at(max(self._clock + took, worker.thaws), lambda: self._finish(worker, task, outcomes))

    def _work(self, worker: Worker, task: Task, seconds: float) -> Outcomes:
        left, outcomes = 1 + int(seconds * worker.speed), []
        for state in task.states:
            found = self.search.walk(state, left)
            outcomes.append(replace(found, cpu_seconds=found.nodes / worker.speed))
            left -= outcomes[-1].nodes
            if left <= 0:
                break
        return outcomes

    def _finish(self, worker: Worker, task: Task, outcomes: Outcomes | None = None) -> None:
        if worker.task is not task:
            return  # it died, or has come back already
        if self._clock < worker.thaws:
            self._at(worker.thaws, lambda: self._finish(worker, task, outcomes))
            return
        if outcomes is None:
            if not task.began:
                return  # not there yet: it will see the recall when it begins
            outcomes = self._work(worker, task, min(self._clock - task.began, task.orders.seconds))
        worker.busy += sum(outcome.nodes for outcome in outcomes) / worker.speed
        self._free(worker)
        self.tally.sent += len(pickle.dumps(outcomes))
        promise, brought = task.promise, outcomes
        self._at(self._on_the_way(), lambda: promise.set_result(brought))

    def _free(self, worker: Worker) -> None:
        worker.task, worker.free_since = None, self._clock
        self._idle.append(worker)
        if self._queue:
            self._pass_on(self._queue.popleft())

    def _kill(self, rate: float) -> None:
        self._at(self._clock + self.draw.expovariate(rate), lambda: self._kill(rate))
        if not self._workers:
            return
        worker = self._workers.pop(self.draw.randrange(len(self._workers)))
        worker.alive = False
        self.tally.deaths += 1
        self._bury(worker)
        task, worker.task = worker.task, None
        if task is not None:
            if task.began:
                self.tally.busy += self._clock - task.began
                self.tally.lost += self._clock - task.began
            self._at(self._on_the_way(), lambda: task.promise.set_exception(Lost()))
        self._at(self._clock + self.draw.expovariate(1 / self.weather.downtime), self._join)

    def _join(self) -> None:
        worker = self._new_worker()
        self._workers.append(worker)
        self._free(worker)

    def _freeze(self, rate: float) -> None:
        self._at(self._clock + self.draw.expovariate(rate), lambda: self._freeze(rate))
        if self._workers:
            self.tally.freezes += 1
            self.draw.choice(self._workers).thaws = self._clock + self.draw.expovariate(1 / self.weather.frozen)

    def _bury(self, worker: Worker) -> None:
        self.tally.busy += worker.busy
        self.tally.life += self._clock - worker.born

    def end(self) -> Tally:
        for worker in self._workers:
            self._bury(worker)
        return self.tally


@dataclass(frozen=True)
class Report:
    """A run, in figures."""

    workers: int
    seconds: float  # simulated
    tally: Tally
    units: int  # booked
    store: int  # bytes
    exact: bool


def simulate(
    path: Path | None, workers: int, seconds: float, weather: Weather, seed: int = 1, time_limit: float | None = None
) -> Report:
    """Search a tree that so many workers of median speed would need so many seconds for."""
    search: Any = Reckoned(int(workers * weather.speed * seconds), seed)
    starts = [(state, search.share(state)) for state in search.starts()]
    store = Store.create(path, JobInfo("simulated", {}, b"", search.name, search.digest()), starts)
    try:
        grid = Simulation(search, workers, weather, seed)
        engine: Any = grid
        result = search_with(search, engine=engine, store=store, keep=False, time=grid, time_limit=time_limit)
        nodes, total = search.size, search.size * (search.size - 1) // 2
        exact = (result.status, result.nodes, result.solutions) == ("complete", nodes, total)
        units = store.totals().done
    finally:
        store.close()
    return Report(workers, grid.now(), grid.end(), units, path.stat().st_size if path else 0, exact)
