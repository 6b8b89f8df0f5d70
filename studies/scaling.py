"""How searches scale: one of each kind on one to several threads and workers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from studies.design import Cell, Study
from studies.figures import legend_aside, look
from studies.statistics import summary
from studies.words import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table
    from tablero.runs.run import Run

_LONGEST = 300.0  # seconds


def _search(kind: str, length: str, run: Run) -> Any:
    """A search of a second or less on one thread, or a long one of about ten, beside which starting costs little."""
    from tablero.cover import count as count_covers
    from tablero.cover.generating import queens
    from tablero.edges.generating import generate
    from tablero.edges.solving import count as count_boards
    from tablero.queens.verbs import anneal
    from tablero.queens.verbs import count as count_queens

    long = length == "long"
    if kind == "exact cover":
        return count_covers(queens(16 if long else 13), kernel="bits", run=run)
    if kind == "queens counted":
        return count_queens(18 if long else 15, run=run)
    if kind == "edge matching":
        board = generate(6, colours=4, seed=2) if long else generate(5, colours=3, seed=0)
        return count_boards(board, method="scan", run=run)
    return anneal(20_000, runs=1000 if long else 120, seed=1, run=run)


def _time(cell: Cell, seed: int) -> Cell:
    from tablero.runs.run import Grid, Here

    several = int(cell["number"])
    run: Run = Here(threads=several, time_limit=_LONGEST)
    if cell["on"] == "workers":
        run = Grid(f"local:{several}", time_limit=_LONGEST)
    found = _search(str(cell["search"]), str(cell["length"]), run)
    return {
        "seconds": round(found.seconds, 4),
        "cpu_seconds": round(found.cpu_seconds, 4),
        "solutions": int(found.solutions),
        "processors": os.cpu_count(),
        "capped": found.status == "open",
    }


def speed_up(table: Table) -> list[tuple[int, float]]:
    """How many times as fast as one, in medians; for one search on one kind of hands."""
    medians = {}
    for (several,), rows in table.by("number"):
        values = [float(row["seconds"]) for row in rows.rows]
        median = summary(values, [bool(row["capped"]) for row in rows.rows]).median
        if median:
            medians[int(several)] = median
    one = medians.get(1)
    return [(several, one / median) for several, median in medians.items()] if one else []


def _conclude(table: Table) -> list[str]:
    processors = ", ".join(map(str, table.levels("processors")))
    lines = [f"Measured where there are {processors} processors: more hands than that cannot help."]
    if table.load and table.load.median and table.load.median > 1.5 * max(table.levels("processors"), default=1):
        lines.append(
            f"The machine was busy, with a median load of {number(table.load.median)}: wall times depend more on what else "
            "it did than on the search, and only the CPU times can be relied on."
        )
    for (search, length, on), rows in table.by("search", "length", "on"):
        parts = []
        alone = rows.where(number=1).summary("cpu_seconds").median or 0
        for several, times in speed_up(rows):
            one = rows.where(number=several).summary("seconds")
            spread = f" (quartiles {number(one.low or 0)} to {number(one.high or 0)})" if one.number > 1 else ""
            reported = f"{number(one.median or 0)} s{spread}"
            gain = ""
            if several > 1:
                more = (rows.where(number=several).summary("cpu_seconds").median or 0) / max(alone, 1e-9)
                gain = (
                    f", {times:.2f} times as fast, efficiency {100 * times / several:.0f} %, CPU time {more:.2f} times"
                )
            parts.append(f"{several} {str(on)[: None if several > 1 else -1]}: {reported}{gain}")
        lines.append(f"{search}, {length}. {'; '.join(parts)}.")
        if len(rows.levels("solutions")) != 1:
            lines.append(
                f"{search}, {length}: the runs do not agree on the number of solutions: {rows.levels('solutions')}."
            )
    return lines


def _draw(table: Table, axes: Axes) -> None:
    longest = table.where(length="long") if "long" in table.levels("length") else table
    for k, ((search, on), rows) in enumerate(longest.by("search", "on")):
        gains = speed_up(rows)
        axes.plot([several for several, _ in gains], [times for _, times in gains], label=f"{search}, {on}", **look(k))
    most = max(table.levels("number"))
    axes.plot([1, most], [1, most], color="#111827", linewidth=1, label="as many times as fast")
    processors = [int(value) for value in table.levels("processors")]
    if processors and processors[0] < most:
        axes.axvline(processors[0], color="#111827", linewidth=1, linestyle=":", label="processors of this machine")
    axes.set_xticks(sorted(table.levels("number")))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("threads or workers")
    axes.set_ylabel("speed-up, by wall time")
    legend_aside(axes)


_SEARCHES = ("exact cover", "edge matching", "queens counted", "annealing")
SCALING = Study(
    "scaling",
    "How searches scale",
    "Speed-up of every kind of search on threads and on cluster workers.",
    "One search of each kind, a short one and one of six to twenty seconds (13 and 16 queens counted as exact covers, all "
    "boards of a 5 × 5 and of a 6 × 6 puzzle of edges with 3 and 4 inner colours, 15 and 18 queens counted, 120 and 1,000 "
    "annealing runs of 20,000 queens), on one to as many threads of this process, and workers of a local cluster, as there "
    "are processors: wall time, speed-up, efficiency, and the CPU time of all together. The figure is of the long ones.",
    "The source on edge matching shares its search among the computers of a grid; no speed-up is reported.",
    {
        "search": _SEARCHES,
        "length": ("short", "long"),
        "on": ("threads", "workers"),
        "number": (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64),
    },
    {"search": _SEARCHES, "length": ("short",), "on": ("threads",), "number": (1, 2)},
    _time,
    _conclude,
    _draw,
    repetitions=3,
    quick_repetitions=1,
    timed=("cpu_seconds", "processors", "capped"),
    seeds="The searches have fixed seeds.",
    version=3,
    allows=lambda cell: int(cell["number"]) <= max(2, os.cpu_count() or 1),
)

STUDIES = {one.name: one for one in (SCALING,)}
