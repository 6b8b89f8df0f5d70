"""Kernels give the same results compiled, with bounds checked, and as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json, sys
import tablero.search.cover as cover
from tablero.puzzles.cover.puzzle import ExactCover
from tests import problems
found = {}
for name, (problem, known) in problems.SMALL.items():
    if known > 1000:
        continue
    for kernel in cover.KERNELS:
        if kernel in cover.COUNTERS:
            if not problem.colours:
                found[f"{name} {kernel}"] = problem.count(kernel=kernel)
        else:
            result = problem.solve(None, kernel=kernel).result
            found[f"{name} {kernel}"] = [result.nodes, result.answers.tolist()]
            weights = [(7 * k) % 11 for k in range(len(problem))]
            rows = [problem.option(k) for k in range(len(problem))]
            names = problem.items
            dear = ExactCover(rows, primary=names[:problem.primary], secondary=names[problem.primary:], weights=weights)
            found[f"{name} {kernel} cheapest"] = dear.cheapest(kernel=kernel).cost
    cover.PACKED_FROM = 0
    found[f"{name} packed"] = problem.solve(None, kernel="bits").result.answers.tolist()
    cover.PACKED_FROM = 48
print(json.dumps(found))
"""


def results(cache: Path, script: str = SCRIPT, **environment: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", script],
        env={**os.environ, **environment, "NUMBA_CACHE_DIR": str(cache)},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return results(tmp_path_factory.mktemp("compiled"))


def test_plain_python_agrees(compiled: dict[str, object], tmp_path: Path) -> None:
    assert results(tmp_path, NUMBA_DISABLE_JIT="1") == compiled


def test_bounds_are_kept(compiled: dict[str, object], tmp_path: Path) -> None:
    assert results(tmp_path, NUMBA_BOUNDSCHECK="1") == compiled
