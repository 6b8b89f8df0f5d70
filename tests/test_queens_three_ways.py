"""The kernels of the queens give the same results compiled, with bounds checked, and as plain Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_kernels_three_ways import results

SCRIPT = """
import json
from tablero.puzzles.queens.anneal import anneal
from tablero.puzzles.queens.solve import solve
from tablero.runs.here import run_here
from tablero.search.cursor import Cursor
from tablero.search.queens_anneal import COOLINGS, SWAPS
from tablero.search.queens_count import QueensCount
found = {}
for n in (1, 2, 3, 4, 5, 6, 8, 9):
    for classes in (False, True):
        result = run_here(QueensCount(n, classes), 1, keep=classes)
        found[f"count {n} {classes}"] = [result.solutions, result.nodes, result.answers.tolist()]
for cooling in COOLINGS:
    for swap in SWAPS:
        for n in (1, 4, 20):
            result = anneal(n, seed=3, cooling=cooling, swap=swap, max_trials=3000)
            found[f"anneal {n} {cooling} {swap}"] = [result.answers, result.result.nodes]
for n in (1, 4, 6, 8, 50):
    result = solve(n, method="local", seed=5)
    found[f"local {n}"] = [result.answers, result.result.nodes]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return results(tmp_path_factory.mktemp("compiled"), SCRIPT)


def test_plain_python_agrees(compiled: dict[str, object], tmp_path: Path) -> None:
    assert results(tmp_path, SCRIPT, NUMBA_DISABLE_JIT="1") == compiled


def test_bounds_are_kept(compiled: dict[str, object], tmp_path: Path) -> None:
    assert results(tmp_path, SCRIPT, NUMBA_BOUNDSCHECK="1") == compiled
