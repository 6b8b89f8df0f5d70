"""The group `edges`: nodes a second, time to the first solution beside CP-SAT, hard boards, and the score against time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from bench import table
from bench.edges import score
from bench.edges.peers import cp_sat
from bench.measure import Settings, hush, report
from tablero.edges import EdgePuzzle, generate
from tablero.edges.methods import search_for
from tablero.edges.solving import solve
from tablero.runs.run import Here
from tablero.search.base import UNBOUNDED, Orders

PARTS = (
    "edges-speed",
    "edges-easy",
    "edges-first",
    "edges-hard",
    "edges-framed",
    "edges-methods",
    "edges-score",
    "edges-eternity",
    "edges-long",
)
PACKAGES = ("tablero", "numba", "numpy", "ortools")
_SEEDS = 10
_LEAST = {"scan": 60e6, "fewest": 6e6}  # nodes a CPU second
_MOST_NODES = 200_000_000  # of one search by one method
_MINUTES = PARTS[4:]  # what takes minutes, and more


def run(settings: Settings) -> dict[str, Any]:
    """Measure what is wanted, print it, and return it."""
    values: dict[str, Any] = {"faults": []}
    parts = {
        "edges-speed": _speed,
        "edges-easy": _easy,
        "edges-first": _first,
        "edges-hard": _hard,
        "edges-framed": _framed,
        "edges-methods": _methods,
        "edges-score": score.score,
        "edges-eternity": score.eternity,
        "edges-long": score.long,
    }
    for name, part in parts.items():
        if settings.wants(name) and not (settings.quick and not settings.only and name in _MINUTES):
            values[name] = part(settings, values["faults"])
    return values


def _speed(settings: Settings, faults: list[str]) -> dict[str, float]:
    """Nodes a CPU second, the best of some rounds of three seconds."""
    speeds = {}
    stop, bound = np.zeros(1, np.uint8), np.full(1, UNBOUNDED, np.int64)
    for method, puzzle in (("scan", generate(16, framed=(5, 17), seed=1)), ("fewest", generate(6, colours=4, seed=1))):
        report(f"edges speed: {method}")
        search = search_for(puzzle, method)
        search.warm()
        best = 0.0
        for _ in range(settings.rounds):
            out = search.advance(search.starts()[0], Orders(3.0, keep=False), stop, bound)
            best = max(best, out.nodes / out.cpu_seconds)
        speeds[method] = best
    hush()
    rows = [[method, f"{speed / 1e6:.1f}", f"{_LEAST[method] / 1e6:.0f}"] for method, speed in speeds.items()]
    print("\nNodes a CPU second in millions: scan on 16×16 with 5 and 17 colours, fewest on 6×6 with 4")
    print(table.table(["", "best", "goal"], rows))
    return speeds


def _solve_times(puzzles: Sequence[EdgePuzzle], limit: float, threads: int, faults: list[str]) -> list[float]:
    times = []
    for puzzle in puzzles:
        began = time.monotonic()
        found = solve(puzzle, run=Here(threads=threads, time_limit=limit))
        times.append(time.monotonic() - began)
        if found.status == "none":
            faults.append(f"{puzzle!r} was planted, but no solution is said to be there")
    return times


def _easy(settings: Settings, faults: list[str]) -> dict[str, float]:
    """Past the transition."""
    solve(generate(5, colours=8, seed=0))
    values = {}
    for size, colours in ((8, 12), (10, 16)):
        times = _solve_times([generate(size, colours=colours, seed=s) for s in range(_SEEDS)], 60.0, 1, faults)
        values[f"{size}×{size}, {colours} colours"] = max(times)
    print("\nPast the transition: seconds to the first solution, the longest of ten (goal: 0.1)")
    print(table.table(["", "seconds"], [[name, table.seconds(value)] for name, value in values.items()]))
    return values


def _first(settings: Settings, faults: list[str]) -> dict[str, Any]:
    """Time to the first solution beside CP-SAT, single pool."""
    values: dict[str, Any] = {}
    rows = []
    limit = min(settings.limit, 55.0)
    for size, colours in ((6, 4), (7, 8), (8, 10)):
        ours, theirs = [], []
        for seed in range(3 if settings.quick else _SEEDS):
            report(f"edges first solution: {size}×{size}, {colours} colours, seed {seed}")
            puzzle = generate(size, colours=colours, seed=seed)
            ours += _solve_times([puzzle], limit, 1, faults)
            theirs.append(cp_sat(puzzle, limit))
        hush()
        name = f"{size}×{size}, {colours} colours"
        values[name] = {"tablero": ours, "CP-SAT": theirs}
        mine, other = statistics.median(ours), statistics.median(theirs)
        rows.append([name, table.seconds(mine), table.seconds(other), table.ratio(other / mine)])
        if mine > other:
            faults.append(f"{name}: {mine:.3f} s in the median, CP-SAT {other:.3f} s")
    print(f"\nSeconds to the first solution, single pool, median (a run that is cut off counts as {limit:g} s)")
    print(table.table(["", "tablero", "CP-SAT", ""], rows))
    return values


def _hard(settings: Settings, faults: list[str]) -> dict[str, Any]:
    """The hardest number of colours on 8×8, two threads."""
    times = []
    for seed in range(_SEEDS):
        report(f"edges hard: 8×8, 6 colours, seed {seed}")
        times += _solve_times([generate(8, colours=6, seed=seed)], min(settings.limit, 120.0), 2, faults)
    hush()
    print(
        f"\n8×8 with 6 colours from a single pool, two threads: median {statistics.median(times):.1f} s (goal: 1.5), "
        f"each {' '.join(f'{value:.1f}' for value in times)}"
    )
    return {"seconds": times}


def _framed(settings: Settings, faults: list[str]) -> dict[str, Any]:
    """The hardest framed boards of 8×8, two threads."""
    limit = min(settings.limit, 60.0)
    times: dict[int, float] = {}  # of the seeds that were solved
    for seed in range(_SEEDS):
        report(f"edges framed: 8×8, 3 and 8 colours, seed {seed}")
        found = solve(generate(8, framed=(3, 8), seed=seed), run=Here(threads=2, time_limit=limit))
        if found.status == "none":
            faults.append(f"8×8 with 3 and 8 colours, seed {seed}, was planted, but no solution is said to be there")
        elif found.status == "solved":
            times[seed] = found.seconds
    hush()
    reported = ", ".join(f"seed {seed} {value:.1f} s" for seed, value in times.items()) or "none"
    print(
        f"\n8×8 with 3 and 8 colours, two threads: {len(times)} of {_SEEDS} in {limit:g} s (goal: {_SEEDS // 2}): {reported}"
    )
    return {"seconds": times, "solved": len(times)}


def _methods(settings: Settings, faults: list[str]) -> dict[str, Any]:
    """Exact methods side by side on the hardest framed boards that most of them solve, one thread."""
    values: dict[str, Any] = {}
    rows = []
    for method in ("scan", "fewest", "frame", "ranked"):
        spent = []  # nodes and CPU seconds of each seed
        solved = 0
        for seed in range(_SEEDS):
            report(f"edges methods: 7×7, 3 and 7 colours, {method}, seed {seed}")
            run = Here(threads=1, node_limit=_MOST_NODES)
            found = solve(generate(7, framed=(3, 7), seed=seed), method=method, run=run)
            if found.status == "none":
                faults.append(
                    f"7×7 with 3 and 7 colours, seed {seed}, was planted, but {method} says that there is none"
                )
            solved += found.status == "solved"
            spent.append((found.nodes, found.cpu_seconds))
        values[method] = {"solved": solved, "spent": spent}
        nodes, seconds = (statistics.median(column) for column in zip(*spent, strict=True))
        total = sum(cpu for _, cpu in spent)
        rows.append([method, str(solved), f"{nodes / 1e6:.1f}", table.seconds(seconds), table.seconds(total)])
    hush()
    print(
        f"\n7×7 with 3 and 7 colours, one thread: what of {_SEEDS} is solved within {_MOST_NODES / 1e6:.0f} million nodes, "
        "medians (searches that were cut off too), and CPU seconds of all"
    )
    print(table.table(["", "solved", "million nodes", "CPU seconds", "of all"], rows))
    return values
