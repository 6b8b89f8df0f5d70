"""What the kernels of exact covers find on small problems, as JSON."""

from __future__ import annotations

import json
from typing import Any

import tablero.cover.kernels.search as cover
from tablero.cover import estimate
from tablero.cover.puzzle import ExactCover
from tests import problems

found: dict[str, object] = {}
kernel: Any
for name, (problem, known) in problems.SMALL.items():
    if known > 1000:
        continue
    for kernel in cover.KERNELS:
        if kernel in cover.COUNTERS:
            if not problem.colours:
                found[f"{name} {kernel}"] = problem.count(kernel=kernel).solutions
        else:
            result = problem.solve(None, kernel=kernel).result
            found[f"{name} {kernel}"] = [result.nodes, result.answers.tolist()]
            weights = [(7 * k) % 11 for k in range(len(problem))]
            rows = [problem.option(k) for k in range(len(problem))]
            names = problem.items
            dear = ExactCover(
                rows, primary=names[: problem.primary], secondary=names[problem.primary :], weights=weights
            )
            found[f"{name} {kernel} cheapest"] = dear.solve(cheapest=True, kernel=kernel).cost
    dives = estimate(problem, 20)
    found[f"{name} dives"] = [dives.met, round(dives.nodes.log10, 9), round(dives.nodes.log10_error, 6)]
    cover.PACKED_FROM = 0
    found[f"{name} packed"] = problem.solve(None, kernel="bits").result.answers.tolist()
    cover.PACKED_FROM = 48
twice = ExactCover([[i, j] for i in range(5) for j in range(i)], need=dict.fromkeys(range(5), 2))
found["twice dives"] = [(dives := estimate(twice, 20)).met, round(dives.covers.log10, 9), round(dives.nodes.log10, 9)]
print(json.dumps(found))
