"""The group `cover`: all tools on the suite, tablero on one and two threads, and what starting costs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from bench import table
from bench.cores import free_cores
from bench.cover import startup
from bench.cover.suite import SUITE, Instance, Task, pentominoes
from bench.cover.tools import PEERS, TABLERO
from bench.measure import Measured, Settings, Worker, hush, race

PARTS = (*(instance.name for instance in SUITE), "threads", "start-up")
PACKAGES = ("tablero", "numba", "numpy", "xcover", "exact-cover", "ortools")
_DASH = "–"
_IDLE = 1.8  # free cores of two, from which the wall time of two threads is worth something


def run(settings: Settings) -> dict[str, Any]:
    """Measure what is wanted, print it, and return it."""
    values: dict[str, Any] = {"faults": []}
    chosen = [i for i in SUITE if settings.wants(i.name) and (i.quick or not settings.quick or settings.only)]
    with ExitStack() as stack:
        workers = [Worker(tool) for tool in (TABLERO, *PEERS)]
        for worker in workers:
            stack.callback(worker.close)
        if chosen:
            results = [(instance, *_race(instance, workers, settings)) for instance in chosen]
            hush()
            print(
                f"\nAll covers of each problem: CPU seconds on one core, median (least); the peers' × is their "
                f"median by tablero's\n{_show(results)}"
            )
            values["instances"] = {
                instance.name: {"title": instance.title, "covers": task.covers}
                | {"tools": {name: measured.as_json() for name, measured in by_tool.items()}}
                for instance, task, by_tool in results
            }
            values["faults"] += _faults(results)
        if settings.wants("threads") and (not settings.quick or settings.only):
            totals, free = _threads(workers[0], settings)
            hush()
            values["threads"] = {str(threads): total.as_json() for threads, total in totals.items()}
            values["threads"]["free cores"] = free
            faults = [
                f"tablero on {threads} threads: {fault} {total.error}".rstrip()
                for threads, total in totals.items()
                if (fault := total.fault(pentominoes().covers))
            ]
            values["faults"] += faults
            if not faults:
                print(f"\n{_show_threads(totals, free)}")
    if settings.wants("start-up") and (not settings.quick or settings.only):
        values["start-up"] = startup.measure(settings)
        hush()
        print(
            f"\nCompiling and starting, in seconds; none of it is in the figures above\n{startup.show(values['start-up'])}"
        )
    return values


Row = tuple[Instance, Task, dict[str, Measured]]


def _race(instance: Instance, workers: Sequence[Worker[Task]], settings: Settings) -> tuple[Task, dict[str, Measured]]:
    task = instance.make()
    fit = [w for w in workers if w.tool.name == TABLERO.name or w.tool.name in instance.peers]
    return task, race(f"cover {instance.name}", fit, task, instance.warm_up(), settings)


def _show(results: Sequence[Row]) -> str:
    """The table, and below it what does not go into its cells."""
    head = ["", "covers", "tablero", "its kernel"]
    for peer in PEERS:
        head += [peer.name, ""]
    rows, remarks = [], []
    for instance, task, by_tool in results:
        ours = by_tool[TABLERO.name]
        kernel = table.seconds(statistics.median(ours.kernel)) if ours.kernel else _DASH
        row = [instance.title, f"{task.covers:,}", _cell(ours, task.covers), kernel]
        for peer in PEERS:
            theirs = by_tool.get(peer.name)
            row += [_DASH, ""] if theirs is None else [_cell(theirs, task.covers), _ratio(theirs, ours, task.covers)]
        rows.append(row)
        for name, measured in by_tool.items():
            if note := measured.error or measured.remark:
                remarks.append(f"  {name} on {instance.title}: {note}")
    return "\n".join([table.table(head, rows), *remarks])


def _cell(measured: Measured, covers: int) -> str:
    median = measured.median()
    if (fault := measured.fault(covers)) or median is None:
        return fault
    return f"{table.seconds(median)} ({table.seconds(min(measured.cpu))})"


def _ratio(theirs: Measured, ours: Measured, covers: int) -> str:
    """How many times as long a peer takes; nothing where one of the two has no right answer."""
    our_median, median = ours.median(), theirs.median()
    if our_median is None or ours.fault(covers):
        return ""
    if theirs.cut is not None:
        return ">" + table.ratio(theirs.cut / our_median)
    return "" if median is None or theirs.fault(covers) else table.ratio(median / our_median)


def _faults(results: Sequence[Row]) -> list[str]:
    """Where tablero itself failed: a benchmark of wrong answers is worth nothing."""
    return [
        f"tablero on {instance.title}: {fault} {by_tool[TABLERO.name].error}".rstrip()
        for instance, task, by_tool in results
        if (fault := by_tool[TABLERO.name].fault(task.covers))
    ]


def _threads(worker: Worker[Task], settings: Settings) -> tuple[dict[int, Measured], list[float]]:
    """Pentominoes on one thread and on two, in turns; and how many of two cores were free before each turn of two."""
    totals = {1: Measured(), 2: Measured()}
    free: list[float] = []
    one_round = Settings(rounds=1, limit=settings.limit)
    for _ in range(settings.rounds):
        for threads, total in totals.items():
            if threads == 2:
                free.append(free_cores(threads))
            name = f"cover threads: {threads}"
            total.add(race(name, [worker], pentominoes(threads), SUITE[0].warm_up(), one_round)[TABLERO.name])
    return totals, free


def _show_threads(totals: dict[int, Measured], free: Sequence[float]) -> str:
    rows = []
    for threads, total in totals.items():
        row = [f"{threads} thread{'s' if threads > 1 else ''}"]
        for mine, single in ((total.wall, totals[1].wall), (total.cpu, totals[1].cpu)):
            median = statistics.median(mine)
            row += [f"{table.seconds(median)} ({table.seconds(min(mine))})"]
            row += [table.ratio(statistics.median(single) / median)]
        rows.append(row)
    text = table.table(["tablero, pentominoes 6×10", "wall", "speed", "CPU", "speed"], rows)
    text += f"\n  two processes that only spin got {statistics.median(free):.2f} cores at the same time"
    return text + ("" if min(free) >= _IDLE else ": the machine was busy, the speed by wall time says nothing")
