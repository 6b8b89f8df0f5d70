"""The group `grid`: what a cluster costs over threads, how many units a coordinator can book and Dask can pass on, and a
simulation of up to ten thousand workers."""

from __future__ import annotations

import pickle
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from bench.grid_simulation import Weather, simulate
from bench.measure import Settings
from tablero.cover import generate
from tablero.cover.kernels.search import CoverSearch
from tablero.runs.cluster import Cluster
from tablero.runs.coordinator import run as search_with
from tablero.runs.engines import Engine, Promise, Threads, advance_all
from tablero.runs.record import JobInfo
from tablero.runs.store import Store
from tablero.search.base import UNBOUNDED, Bound, Flag, Orders, Outcome, Search
from tablero.search.cursor import Cursor, Level
from tablero.search.tree import TreeSearch

PARTS = ("grid overhead", "grid books", "simulation")
PACKAGES = ("tablero", "distributed")


class Relay(TreeSearch):
    """A tree that never ends and costs nothing: every unit comes back at once, one child further on."""

    name = "bench.relay/1"
    width = 1

    def __init__(self, units: int = 1000) -> None:
        self.units = units

    def digest(self) -> str:
        return "relay"

    def starts(self) -> list[bytes]:
        count = self.units
        return [Cursor((Level(k, k, count), Level(0, 10**9, 2 * 10**9))).store() for k in range(count)]

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        return [state]

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        first, (at, last, width) = Cursor.load(state).levels
        rest = Cursor((first, Level(at + 1, last, width))).store()
        return Outcome(1, 0, Outcome.empty(1), rest, 0.0)


class Instant:
    """An engine of a thousand workers that take no time."""

    slots = workers = 1000
    patience = grace = 5.0
    shares_memory = True
    scheduler = ""

    def submit(self, search: Search, states: Sequence[bytes], orders: Orders) -> Promise:
        promise = Promise()
        promise.set_result(advance_all(search, states, orders, _FLAG, _BOUND))
        return promise

    def begin(self) -> None: ...
    def recall(self) -> None: ...
    def go_on(self) -> None: ...
    def tighten(self, bound: int) -> None: ...
    def close(self) -> None: ...

    def losses(self, error: BaseException) -> int | None:
        return None

    def where(self) -> dict[Promise, str]:
        return {}


_TASKS = 2000
_GRIDS = [(1, 300), (10, 300), (100, 300), (1000, 300), (1000, 900), (10_000, 300)]  # workers, and seconds for the tree
_FLAG, _BOUND = np.zeros(1, np.uint8), np.full(1, UNBOUNDED)


class Crowd(Cluster):
    """A cluster that is given many more units than it has workers, to see what its scheduler can do."""

    slots = 500
    bundles = 0

    def submit(self, search: Search, states: Sequence[bytes], orders: Orders) -> Promise:
        self.bundles += 1
        return super().submit(search, states, orders)

    def bare(self, tasks: int) -> int:
        """Let Dask do so many tasks that do nothing, as many on their way as there are places."""
        from distributed import as_completed

        first = self._client.map(_nothing, range(self.slots), pure=False)
        on_their_way = as_completed(first, loop=self._client.loop, with_results=True)
        for done, _ in enumerate(on_their_way, self.slots):
            if done < tasks:
                on_their_way.add(self._client.submit(_nothing, done, pure=False))
        return tasks


def _nothing(number: int) -> int:
    return number


def run(settings: Settings) -> dict[str, Any]:
    """Measure what is wanted, print it, and return it."""
    values: dict[str, Any] = {"faults": []}
    if settings.wants("grid books"):
        values["books"] = _books(1.0 if settings.quick else 5.0)
    if settings.wants("simulation"):
        values["simulation"] = _simulation(settings.quick, values["faults"])
    if settings.wants("grid overhead") and (not settings.quick or settings.only):
        values["overhead"] = _overhead(settings.rounds, values["faults"])
    return values


def _books(seconds: float) -> dict[str, Any]:
    """Units a second that one coordinator hands out and books, on disk, when workers cost nothing."""
    search: Any = Relay()
    with tempfile.TemporaryDirectory() as folder:
        starts = [(state, search.share(state)) for state in search.starts()]
        path = Path(folder) / "relay.job"
        store = Store.create(path, JobInfo("relay", {}, b"", search.name, search.digest()), starts)
        began, cpu = time.monotonic(), time.process_time()
        result = search_with(search, engine=Instant(), store=store, time_limit=seconds, keep=False)
        took, used = time.monotonic() - began, time.process_time() - cpu
        store.close()
        size = sqlite3.connect(path).execute("PRAGMA page_count").fetchone()[0] * 4096
    state = len(search.starts()[0])
    unit = len(pickle.dumps((search.starts()[0], Orders(5.0), 0, "tablero-0123456789ab-0", "0.1.0")))
    back = len(pickle.dumps(search.advance(search.starts()[0], Orders(5.0), _FLAG, _BOUND)))
    rate = result.nodes / took
    print(
        f"\nThe books, on disk, a thousand workers that cost nothing: {rate:,.0f} units a second "
        f"({1e3 * used / result.nodes:.2f} ms of CPU each)\n"
        f"a unit: {state} bytes of state, {unit} bytes pickled to the worker, {back} back; store {size:,} bytes"
    )
    return {
        "units_per_second": rate,
        "cpu_ms": 1e3 * used / result.nodes,
        "unit_bytes": unit,
        "outcome_bytes": back,
        "through_dask": _through_dask(),
    }


def _through_dask() -> list[dict[str, Any]]:
    """What passes through Dask: tasks that do nothing and belong to nobody, units, and units of which there are many."""
    engine = Crowd("local:2")

    def relay(ready: int, units: int) -> int:
        search: Any = Relay(ready)
        return search_with(search, engine=engine, node_limit=units, keep=False).nodes

    ways: list[tuple[str, Callable[[], int]]] = [
        ("bare Dask, tasks that do nothing", lambda: engine.bare(_TASKS)),
        ("units, two ready for each place", lambda: relay(2 * Crowd.slots, _TASKS)),
        ("units, 16 ready for each place", lambda: relay(16 * Crowd.slots, 10 * _TASKS)),
    ]
    print(f"\nThrough Dask, two workers, {Crowd.slots} places: a second, and CPU of scheduler, client and coordinator")
    print(f"{'':<34}{'tasks':>8}{'units':>8}{'a task':>12}")
    rows = []
    for name, way in (*ways, ways[0]):
        before, began, cpu = engine.bundles, time.monotonic(), time.process_time()
        units = way()
        took, used = time.monotonic() - began, time.process_time() - cpu
        tasks = engine.bundles - before or units
        print(f"{name:<34}{tasks / took:8,.0f}{units / took:8,.0f}{1e3 * used / tasks:9.2f} ms", flush=True)
        rows.append({"way": name, "tasks": tasks, "units": units, "seconds": took, "cpu_seconds": used})
    engine.close()
    return rows


def _simulation(quick: bool, faults: list[str]) -> list[dict[str, Any]]:
    """The table of simulated grids."""
    grids = [(1, 60), (10, 60), (100, 60)] if quick else _GRIDS
    print(
        "\nSimulated: a tree that all workers together need so long for, messages of 50 ms, a scheduler that passes on\n"
        "1,000 bundles a second, a death a second (fewer below a thousand workers), replaced half a minute later"
    )
    print(
        f"{'workers':>8}{'tree':>7}{'took':>7}{'busy':>8}{'useful':>8}{'units/s':>9}{'tasks/s':>9}{'kB/s':>7}"
        f"{'longest idle':>14}{'deaths':>8}{'recalls':>9}{'CPU':>7}{'store':>10}  totals"
    )
    rows = []
    for workers, seconds in grids:
        with tempfile.TemporaryDirectory() as folder:
            weather = Weather(deaths=min(workers / 1000, 1.0), passing=0.001)
            report = simulate(Path(folder) / "simulated.job", workers, seconds, weather)
        tally, took = report.tally, report.seconds
        print(
            f"{workers:8,}{seconds:5} s{took:5.0f} s"
            f"{tally.busy / tally.life:8.1%}{(tally.busy - tally.lost) / tally.life:8.1%}"
            f"{report.units / took:9.1f}{tally.bundles / took:9.1f}{tally.sent / took / 1e3:7.1f}{tally.idle:12.1f} s"
            f"{tally.deaths:8}{tally.recalls:9}{tally.cpu / took:7.1%}{report.store / 1e3:7.0f} kB"
            f"  {'exact' if report.exact else 'DIFFER'}",
            flush=True,
        )
        if not report.exact:
            faults.append(f"the totals of {workers} simulated workers differ")
        rows.append(
            {**asdict(tally), "workers": workers, "seconds": took, "units": report.units, "store": report.store}
        )
    return rows


def _overhead(rounds: int, faults: list[str]) -> dict[str, Any]:
    """Wall time of a search of about a minute on one thread, one and two worker processes, in turn.

    The speed of a rented core drifts by more than what is measured here, so the CPU seconds of the kernel stand beside.
    """
    search = CoverSearch(generate("langford", 15).table, "bits")
    search.warm()
    engines: dict[str, Callable[[], Engine]] = {
        "one thread": lambda: Threads(1),
        "local:1": lambda: Cluster("local:1"),
        "local:2": lambda: Cluster("local:2"),
    }
    walls: dict[str, list[float]] = {name: [] for name in engines}
    kernels: dict[str, list[float]] = {name: [] for name in engines}
    nodes: set[int] = set()
    for _ in range(rounds):
        for name, make in engines.items():
            engine = make()
            search_with(CoverSearch(generate("langford", 7).table, "bits"), engine=engine, keep=False)
            began = time.monotonic()
            result = search_with(search, engine=engine, keep=False)
            walls[name].append(time.monotonic() - began)
            kernels[name].append(result.cpu_seconds)
            nodes.add(result.nodes)
            engine.close()
    if len(nodes) > 1:
        faults.append(f"nodes differ: {sorted(nodes)}")
    wall = {name: statistics.median(taken) for name, taken in walls.items()}
    print(f"\nLangford 15 counted by 'bits', {min(nodes):,} nodes; seconds, the medians of {rounds}")
    print(f"{'':<12}{'wall':>8}{'kernel CPU':>12}{'wall by CPU':>13}")
    for name in engines:
        cpu = statistics.median(kernels[name])
        print(f"{name:<12}{wall[name]:8.1f}{cpu:12.1f}{wall[name] / cpu:13.3f}")
    print(
        f"local:1 by one thread {wall['local:1'] / wall['one thread']:.3f}; "
        f"two workers are {wall['local:1'] / wall['local:2']:.2f} times as fast as one"
    )
    return {"wall": walls, "kernel_cpu": kernels}
