"""The group `queens`: annealing beside the source's algorithm, large boards, boards with given queens, and counting on one
and two threads."""

from __future__ import annotations

import math
import statistics
import time
from contextlib import ExitStack
from typing import Any

from bench import table
from bench.cores import free_cores
from bench.measure import Measured, Settings, Worker, hush, race
from bench.queens.minton import QueensMinton
from bench.queens.tools import SOURCE, TABLERO, Task
from tablero.queens.checking import first_fault
from tablero.queens.generating import generate
from tablero.queens.kernels.count import QueensCount
from tablero.queens.kernels.ground import HEAD
from tablero.queens.kernels.halves import HalfCount
from tablero.queens.puzzle import Queens
from tablero.queens.solving import LOCAL
from tablero.runs.findings import Result
from tablero.runs.run import HERE
from tablero.runs.session import perform

PARTS = ("queens-source", "queens-large", "queens-given", "queens-count")
PACKAGES = ("tablero", "numba", "numpy")
_SMALL = (8, 25, 100, 200, 500)
_LARGE = (2_000, 10_000, 100_000, 1_000_000)
_SIDES = (4, 5, 6, 7, 8, 12, 24, 100, 1000, 10_000, 100_000, 1_000_000)
_GIVEN = (0, 10, 1000)
_MIN_CONFLICTS, _MOST_PLAIN = "min-conflicts", 10_000  # it takes n²
_COUNTED, _SOLUTIONS = 18, 666_090_624
_KNOWN = {14: 365_596, 15: 2_279_184, 16: 14_772_512, 17: 95_815_104, 18: _SOLUTIONS, 19: 4_968_057_848}
_MOST_ROWS = 17  # that are also counted row by row: 18 take more than a minute
_IDLE = 1.8  # free cores of two, from which the wall time of two threads is worth something
Runs = dict[str, Measured]


def run(settings: Settings) -> dict[str, Any]:
    """Measure what is wanted, print it, and return it."""
    values: dict[str, Any] = {"faults": []}
    with ExitStack() as stack:
        ours, theirs = Worker(TABLERO), Worker(SOURCE)
        stack.callback(ours.close)
        stack.callback(theirs.close)
        if settings.wants("queens-source"):
            values["source"] = _beside_the_source(ours, theirs, settings, values["faults"])
        if settings.wants("queens-large"):
            values["large"] = _large(ours, settings, values["faults"])
        if settings.wants("queens-given"):
            values["given"] = _given(settings, values["faults"])
        if settings.wants("queens-count") and (not settings.quick or settings.only):
            values["kernels"] = _kernels(values["faults"])
            values["count"] = _count(ours, settings, values["faults"])
    return values


def _race(workers: list[Worker[Task]], task: Task, settings: Settings) -> Runs:
    return race(f"queens {task.what} {task.n}", workers, task, [Task(8, task.what)], settings)


def _mean(measured: Measured) -> float:
    """The mean, as in the source's tables: a run's time depends on its luck."""
    return statistics.fmean(measured.cpu) if measured.cpu else math.nan


def _rate(measured: Measured) -> str:
    """How many of the runs arrived; annealing may give up."""
    return f"{sum(measured.counts)}/{len(measured.counts)}"


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.3g}"


def _beside_the_source(
    ours: Worker[Task], theirs: Worker[Task], settings: Settings, faults: list[str]
) -> dict[str, Any]:
    rows, values = [], {}
    for n in _SMALL:
        runs = _race([ours, theirs], Task(n, "anneal"), settings)
        mine, peer = runs[TABLERO.name], runs[SOURCE.name]
        faults += [f"queens anneal {n}, {name}: {found.error}" for name, found in runs.items() if found.error]
        kernel = statistics.fmean(mine.kernel) if mine.kernel else math.nan
        rows.append(
            [
                str(n),
                _ms(_mean(mine)),
                _ms(kernel),
                _rate(mine),
                _ms(_mean(peer)),
                _rate(peer),
                table.ratio(_mean(peer) / _mean(mine)),
                table.ratio(_mean(peer) / kernel),
            ]
        )
        values[str(n)] = {name: found.as_json() for name, found in runs.items()}
    hush()
    head = ["queens", "tablero", "its kernel", "arrived", "plain Python", "arrived", "by all", "by kernel"]
    print("\nAnnealing beside the source's algorithm in plain Python: CPU milliseconds a run, mean")
    print(table.table(head, rows))
    return values


def _large(ours: Worker[Task], settings: Settings, faults: list[str]) -> dict[str, Any]:
    whats = ("anneal", "descend", "local", "construct")
    values: dict[str, Any] = {}
    means: dict[str, list[float]] = {what: [] for what in whats}
    rows = []
    for n in _LARGE:
        row = [f"{n:,}"]
        for what in whats:
            found = _race([ours], Task(n, what), settings)[TABLERO.name]
            if wrong := found.fault(1):
                faults.append(f"queens {what} {n}: {wrong} {found.error}".rstrip())
            means[what].append(_mean(found))
            row += [_ms(_mean(found)), f"± {_ms(statistics.stdev(found.cpu) if len(found.cpu) > 1 else 0.0)}"]
            values[f"{what} {n}"] = found.as_json()
        rows.append(row)
    slopes = {what: _slope(_LARGE, times) for what, times in means.items()}
    hush()
    head = ["queens", *(cell for what in whats for cell in (what, ""))]
    print(
        "\nLarge boards: CPU milliseconds a run, mean ± deviation, books and check included; descend is anneal at T₀ = 0"
    )
    print(table.table(head, rows))
    print("  slope of log time against log n: " + ", ".join(f"{what} {slope:.2f}" for what, slope in slopes.items()))
    return {**values, "slopes": slopes}


def _given(settings: Settings, faults: list[str]) -> dict[str, Any]:
    """Local search, annealing and min-conflicts as published, with queens given; here, since it is about trials."""
    rows, values, methods = [], {}, (*LOCAL, _MIN_CONFLICTS)
    for n in _SIDES:
        for given in _GIVEN:
            if given > n // 4:
                continue
            count = 1 if n >= 100_000 else 3 if settings.quick or n >= 10_000 else 20
            row = [f"{n:,}", f"{given:,}"]
            for method in methods:
                if method == _MIN_CONFLICTS and n > _MOST_PLAIN:
                    row += ["", "", ""]
                    continue
                arrived, trials, cpu = 0, [], []
                for seed in range(count):
                    found = _settled(generate(n, given=given, seed=seed), method, seed)
                    arrived += found.solutions
                    trials.append(found.nodes)
                    cpu.append(found.cpu_seconds)
                if arrived < count:
                    faults.append(f"{n} queens, {given} given, by {method}: {arrived} of {count} arrived")
                row += [f"{arrived}/{count}", f"{statistics.fmean(trials):,.0f}", _ms(statistics.fmean(cpu))]
                values[f"{method} {n} {given}"] = {"arrived": arrived, "trials": trials, "cpu": cpu}
            rows.append(row)
    hush()
    print(
        "\nBoards with queens given: runs that arrived, mean trials (min-conflicts: queens set or moved), CPU milliseconds"
    )
    head = ["queens", "given", *(word for method in methods for word in (method, "trials", "ms"))]
    print(table.table(head, rows))
    return values


def _settled(puzzle: Queens, method: Any, seed: int) -> Result:
    """What a run of a method found, checked."""
    if method != _MIN_CONFLICTS:
        return puzzle.solve(method=method, seed=seed).result
    found = perform(QueensMinton((seed,), puzzle.n, puzzle.given, puzzle.blocked), HERE, most=1)
    if wrong := first_fault(puzzle, found.answers[:, HEAD:]):
        raise AssertionError(f"{method} with seed {seed}: {wrong}")
    return found


def _slope(sizes: tuple[int, ...], times: list[float]) -> float:
    """The exponent of the power of n that fits the times best."""
    x, y = [math.log(n) for n in sizes], [math.log(t) for t in times]
    return statistics.linear_regression(x, y).slope


def _kernels(faults: list[str]) -> dict[str, Any]:
    """Counting row by row and by halves, on one thread."""
    rows, values = [], {}
    for n, known in _KNOWN.items():
        row = [str(n), f"{known:,}"]
        for name, search in (("rows", QueensCount(n)), ("halves", HalfCount(n))):
            if name == "rows" and n > _MOST_ROWS:
                row.append("")
                continue
            search.warm()
            began = time.process_time()
            found = perform(search, HERE, keep=False).solutions
            cpu = time.process_time() - began
            if found != known:
                faults.append(f"{n} queens by {name}: {found} solutions, known are {known}")
            row.append(table.seconds(cpu))
            values[f"{name} {n}"] = cpu
        rows.append(row)
    hush()
    print("\nCounting on one thread: CPU seconds")
    print(table.table(["queens", "solutions", "row by row", "by halves"], rows))
    return values


def _count(ours: Worker[Task], settings: Settings, faults: list[str]) -> dict[str, Any]:
    totals = {1: Measured(), 2: Measured()}
    free = []
    one_round = Settings(rounds=1, limit=settings.limit)
    for _ in range(settings.rounds):
        for threads, total in totals.items():
            if threads == 2:
                free.append(free_cores(2))
            total.add(_race([ours], Task(_COUNTED, "count", threads), one_round)[TABLERO.name])
    hush()
    for threads, total in totals.items():
        if wrong := total.fault(_SOLUTIONS):
            faults.append(f"counting {_COUNTED} queens on {threads} threads: {wrong} {total.error}".rstrip())
    if not any(total.fault(_SOLUTIONS) for total in totals.values()):
        rows = [
            [
                f"{threads} thread{'s' if threads > 1 else ''}",
                f"{table.seconds(statistics.median(total.wall))} ({table.seconds(min(total.wall))})",
                table.ratio(min(totals[1].wall) / min(total.wall)),
                f"{table.seconds(statistics.median(total.cpu))} ({table.seconds(min(total.cpu))})",
            ]
            for threads, total in totals.items()
        ]
        print(f"\nCounting {_COUNTED} queens: seconds, median (least); the speed is that of the least")
        print(table.table(["", "wall", "speed", "CPU"], rows))
        text = f"  two processes that only spin got {statistics.median(free):.2f} cores at the same time"
        print(text + ("" if min(free) >= _IDLE else ": the machine was busy, the speed by wall time says little"))
    return {**{str(threads): total.as_json() for threads, total in totals.items()}, "free cores": free}
