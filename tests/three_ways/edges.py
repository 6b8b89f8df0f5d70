"""What the kernels of edge matching find on small problems, as JSON."""

from __future__ import annotations

import json

import numpy as np

from tablero.edges.estimating import knuth
from tablero.edges.generating import example, generate
from tablero.edges.kernels.rounds import rounds_of
from tablero.edges.methods import beam_for, can_rank, optimiser_for, search_for, views_of
from tablero.edges.solving import solve
from tablero.search.base import UNBOUNDED, Orders, Search

puzzles = {
    "example": example(),
    "clues": example().up_to_turning() or example(),
    "tetravex": generate(3, colours=4, border=False, turning=False, seed=1),
    "triangles": generate(3, colours=3, shape="triangle", seed=1),
    "framed": generate(4, framed=(2, 4), seed=1),
    "hexagons": generate(2, colours=3, shape="hexagon", seed=2),
}
found: dict[str, object] = {}
for name, puzzle in puzzles.items():
    for method in ("scan", "fewest", "frame"):
        if puzzle.border or method != "frame":
            result = solve(puzzle, None, method=method).result
            found[f"{name} {method}"] = [result.nodes, result.answers.tolist()]
            alike = search_for(puzzle, method, alike=True)
            whole = alike.advance(alike.starts()[0], Orders(600.0), np.zeros(1, np.uint8), np.full(1, UNBOUNDED))
            found[f"{name} {method} alike"] = [whole.nodes, whole.answers.tolist()]
    probes = knuth(puzzle, 50)
    found[f"{name} knuth"] = [probes.mean, probes.error]
    for number, round in enumerate(rounds_of(views_of(puzzle)) if can_rank(puzzle) else []):
        whole = round.search.advance(
            round.search.starts()[0], Orders(600.0), np.zeros(1, np.uint8), np.full(1, UNBOUNDED)
        )
        found[f"{name} ranked {number}"] = [round.search.digest(), whole.nodes, whole.answers.tolist()]
    searches: list[Search] = [optimiser_for(puzzle, 3), beam_for(puzzle, 3)]
    for search in searches:
        state: bytes | None = search.starts()[0]
        stop, bound = np.zeros(1, np.uint8), np.full(1, UNBOUNDED)
        for step in range(3):
            if state is not None:
                outcome = search.advance(state, Orders(0.0), stop, bound)
                state = outcome.rest
                found[f"{name} {search.name} {step}"] = [outcome.nodes, outcome.answers.tolist(), (state or b"").hex()]
# A puzzle that is not solved at once: repairs, too.
search = optimiser_for(generate(5, framed=(2, 4), seed=1), 3)
state = search.starts()[0]
for step in range(6):
    if state is not None:
        outcome = search.advance(state, Orders(0.0), np.zeros(1, np.uint8), np.full(1, UNBOUNDED))
        state = outcome.rest
        found[f"repairs {step}"] = [outcome.nodes, outcome.answers.tolist(), (state or b"").hex()]
print(json.dumps(found))
