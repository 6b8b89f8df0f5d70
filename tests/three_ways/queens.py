"""What the kernels of the queens find on small problems, as JSON."""

from __future__ import annotations

import json
from typing import Any

from tablero.queens.annealing import COOLINGS, SWAPS
from tablero.queens.generating import generate
from tablero.queens.kernels.count import QueensCount
from tablero.queens.kernels.halves import HalfCount
from tablero.queens.solving import LOCAL
from tablero.queens.verbs import anneal, solve
from tablero.runs.run import HERE
from tablero.runs.session import perform

found: dict[str, object] = {}
for n in (1, 2, 3, 4, 5, 6, 8, 9):
    for classes in (False, True):
        result = perform(QueensCount(n, classes), HERE, keep=classes)
        found[f"count {n} {classes}"] = [result.solutions, result.nodes, result.answers.tolist()]
for n in (4, 5, 6, 7, 8, 9):
    result = perform(HalfCount(n), HERE, keep=False)
    found[f"halves {n}"] = [result.solutions, result.nodes]
cooling: Any
swap: Any
for cooling in COOLINGS:
    for swap in SWAPS:
        for n in (1, 4, 20):
            annealed = anneal(n, seed=3, cooling=cooling, swap=swap, max_trials=3000)
            found[f"anneal {n} {cooling} {swap}"] = [annealed.to_list(), annealed.nodes]
for n in (1, 4, 6, 8, 50):
    solved = solve(n, method="local", seed=5)
    found[f"local {n}"] = [solved.to_list(), solved.nodes]
for n in (9, 20):
    puzzle = generate(n, given=2, blocked=2 * n, seed=1)
    for method in LOCAL:
        solved = puzzle.solve(2, method=method, seed=5)
        found[f"{method} {n} given"] = [solved.to_list(), solved.nodes]
print(json.dumps(found))
