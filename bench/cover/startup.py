"""What the tables leave out: how long the tools take to compile and to start, each time in a new process.

Wall time is what the user waits; CPU time is what it would be on an idle machine with one core.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench import table
from bench.measure import Settings, report
from tablero.cover import formats, generate

_TABLERO = "from tablero.cli import main; main()"
# What each peer does on a problem of two items: import, and find its covers.
_PEERS = {
    "xcover": "import xcover; print(len(list(xcover.covers([['a', 'b'], ['a'], ['b']]))))",
    "exact-cover": (
        "import exact_cover, numpy; print(len(exact_cover.get_all_solutions(numpy.array([[1, 1], [1, 0], [0, 1]]))))"
    ),
    "CP-SAT": (
        "from ortools.sat.python import cp_model; m = cp_model.CpModel(); a, b, c = (m.new_bool_var('') for _ in 'abc'); "
        "m.add_exactly_one([a, b]); m.add_exactly_one([a, c]); print(cp_model.CpSolver().solve(m))"
    ),
}


class Run(NamedTuple):
    """One process from start to end."""

    wall: float
    cpu: float
    output: str


def measure(settings: Settings) -> dict[str, Any]:
    """First use with an empty cache, later starts with a full one, and the first compile of every kernel."""
    starts: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as scratch:
        problem = Path(scratch) / "small.txt"
        problem.write_text(formats.write(generate("langford", 3)), encoding="utf-8")
        commands = {"tablero cover count": [_TABLERO, "cover", "count", str(problem), "--quiet"]}
        commands |= {name: [code] for name, code in _PEERS.items()}
        for name, command in commands.items():
            cache = Path(scratch) / name.replace(" ", "-")
            report(f"start-up: {name}, empty cache")
            first = _run(command, cache)
            report(f"start-up: {name}, full cache")
            later = [_run(command, cache) for _ in range(settings.rounds)]
            starts[name] = {
                "first": first._asdict(),
                "later": [run._asdict() for run in later],
            }
        report("start-up: tablero's kernels, empty cache")
        reported = _run([_TABLERO, "doctor", "--json"], Path(scratch) / "kernels").output
    kernels = {name: s for name, s in json.loads(reported)["kernels"].items() if name.startswith("cover ")}
    return {"starts": starts, "kernels": kernels}


def show(values: dict[str, Any]) -> str:
    rows = []
    for name, runs in values["starts"].items():
        first, later = runs["first"], runs["later"]
        median = {kind: statistics.median(run[kind] for run in later) for kind in ("wall", "cpu")}
        rows.append([name, *(table.seconds(t[kind]) for t in (first, median) for kind in ("wall", "cpu"))])
    starts = table.table(["a small problem, whole process", "first: wall", "CPU", "later: wall", "CPU"], rows)
    kernels = table.table(
        ["tablero's kernels, empty cache", "wall"],
        [[name, f"{value:.2f}"] for name, value in values["kernels"].items()],
    )
    return f"{starts}\n\n{kernels}"


def _run(command: Sequence[str], cache: Path) -> Run:
    """Run Python code with arguments in a new process that keeps what it compiles in a directory of its own."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", *command],
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(wall, cpu, done.stdout)
