"""What the kernels of sliding tiles find on small problems, as JSON."""

from __future__ import annotations

import json

import numpy as np

from tablero import sliding
from tablero.sliding import anytime, checking, constructive, optimal
from tablero.sliding.kernels.databases import by_index, by_rank

found: dict[str, object] = {}
for rows, columns in ((4, 4), (2, 5), (5, 3)):
    for seed in range(3):
        board = sliding.generate(rows, columns, seed=seed)
        for method in constructive.METHODS:
            moves, rules = constructive.construct(board, method)
            found[f"{rows}x{columns} {seed} {method}"] = [moves.tolist(), rules.tolist()]
        moves, _ = constructive.construct(board, "carry", effort=2)
        found[f"{rows}x{columns} {seed} carry, choosing"] = moves.tolist()
        shorter, nodes = anytime.one_pass(board, moves, 12, 4, 300)
        found[f"{rows}x{columns} {seed} windows"] = [shorter.tolist(), nodes]
for method in constructive.TILE_BY_TILE:
    found[f"worst {method}"] = sliding.worst(4, method=method).moves
for seed in range(2):
    board = sliding.generate(2, 4, seed=seed)
    for estimate in ("walking", "lines"):
        answer = board.solve(method="optimal", estimate=estimate)
        found[f"optimal {seed} {estimate}"] = [answer.moves, answer.nodes]
easy = sliding.parse("1 2 3/4 0 8/7 6 5")
for name in optimal.Task.of(easy).estimates():
    answer = easy.solve(method="optimal", estimate=name)
    found[f"easy {name}"] = [answer.moves, answer.nodes]
found["ranked pattern"] = by_rank(2, 3, (1, 2, 5)).tolist()
found["checked"] = checking.play_compiled(np.array([1, 2, 0, 3], np.int32), 2, 2, 2, np.array([2, 0, 0], np.uint8))
found["pattern"] = by_index(2, 3, (1, 2, 5)).tolist()
print(json.dumps(found))
