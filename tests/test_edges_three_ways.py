"""The kernels of edge matching give the same results compiled, with bounds checked, and as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json
import numpy as np
from tablero.puzzles.edges.estimate import knuth
from tablero.puzzles.edges.generate import example, generate
from tablero.puzzles.edges.optimise import beam_for, optimiser_for
from tablero.puzzles.edges.solve import solve
from tablero.search.base import UNBOUNDED, Orders
puzzles = {
    "example": example(),
    "clues": example().up_to_turning(),
    "tetravex": generate(3, colours=4, border=False, turning=False, seed=1),
    "triangles": generate(3, colours=3, shape="triangle", seed=1),
    "hexagons": generate(2, colours=3, shape="hexagon", seed=2),
}
found = {}
for name, puzzle in puzzles.items():
    for method in ("scan", "fewest", "frame"):
        if puzzle.border or method != "frame":
            result = solve(puzzle, None, method=method).result
            found[f"{name} {method}"] = [result.nodes, result.answers.tolist()]
    probes = knuth(puzzle, 50)
    found[f"{name} knuth"] = [probes.mean, probes.error]
    for search in (optimiser_for(puzzle, 3), beam_for(puzzle, 3)):
        state, stop, bound = search.starts()[0], np.zeros(1, np.uint8), np.full(1, UNBOUNDED)
        for step in range(3):
            if state is not None:
                outcome = search.advance(state, Orders(0.0), stop, bound)
                state = outcome.rest
                found[f"{name} {search.name} {step}"] = [outcome.nodes, outcome.answers.tolist(), (state or b"").hex()]
print(json.dumps(found))
"""


def results(cache: Path, **environment: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", SCRIPT],
        env={**os.environ, **environment, "NUMBA_CACHE_DIR": str(cache)},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return results(tmp_path_factory.mktemp("plain"), NUMBA_DISABLE_JIT="1")


def test_compiled_code_agrees(plain: dict[str, object], tmp_path: Path) -> None:
    assert results(tmp_path) == plain


def test_bounds_are_kept(plain: dict[str, object], tmp_path: Path) -> None:
    assert results(tmp_path, NUMBA_BOUNDSCHECK="1") == plain
