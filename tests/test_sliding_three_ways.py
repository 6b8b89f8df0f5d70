"""The kernels of sliding tiles give the same results compiled, with bounds checked, and as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json
from tablero import sliding
from tablero.puzzles.sliding import anytime, constructive
from tablero.search.sliding_patterns import database
found = {}
for rows, columns in ((4, 4), (2, 5), (5, 3)):
    for seed in range(3):
        board = sliding.random(rows, columns, seed=seed)
        for method in constructive.METHODS:
            moves, rules = constructive.construct(board, method)
            found[f"{rows}x{columns} {seed} {method}"] = [moves.tolist(), rules.tolist()]
        shorter, nodes = anytime.one_pass(board, moves, 12, 4, 300)
        found[f"{rows}x{columns} {seed} windows"] = [shorter.tolist(), nodes]
for method in constructive.METHODS:
    found[f"worst {method}"] = sliding.worst(4, method).moves
for seed in range(2):
    board = sliding.random(2, 4, seed=seed)
    for estimate in ("walking", "lines"):
        answer = board.solve("optimal", estimate=estimate)
        found[f"optimal {seed} {estimate}"] = [answer.moves, answer.nodes]
easy = sliding.parse("1 2 3/4 0 8/7 6 5")
for estimate in ("patterns", "walking", "lines"):
    answer = easy.solve("optimal", estimate=estimate)
    found[f"easy {estimate}"] = [answer.moves, answer.nodes]
found["pattern"] = database(2, 3, (1, 2, 5)).tolist()
print(json.dumps(found))
"""


def results(home: Path, **environment: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", SCRIPT],
        env={**os.environ, "TABLERO_HOME": str(home), **environment},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """With the cache of everyday use: nothing is compiled a second time."""
    return results(tmp_path_factory.mktemp("compiled"))


def test_plain_python_agrees(compiled: dict[str, object], tmp_path: Path) -> None:
    assert results(tmp_path, NUMBA_DISABLE_JIT="1", NUMBA_CACHE_DIR=str(tmp_path)) == compiled


def test_bounds_are_kept(compiled: dict[str, object], tmp_path: Path) -> None:
    assert results(tmp_path, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path)) == compiled
