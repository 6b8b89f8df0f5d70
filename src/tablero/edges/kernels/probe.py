"""Knuth's estimator on the tree of a scan: random walks from the root, each node weighted by the choices before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.scan import Problem
from tablero.search.compiled import kernel
from tablero.search.random import draw, mixed

U = np.uint64
Words = NDArray[np.uint64]


@kernel
def probe(
    problem: Problem, used: NDArray[np.uint8], chosen: Words, state: Words, probes: int, sums: NDArray[np.float64]
) -> None:
    """Add the estimates of so many walks, and their squares, to `sums`."""
    cells = U(len(problem.cell))
    shift = problem.shift[0]
    for _ in range(probes):
        weight, total = 1.0, 1.0
        depth = U(0)
        while depth < cells:
            row = problem.plan[depth]
            key = row[0]
            if depth > U(0):
                key += chosen[depth - U(1)] & row[1]
            for k in range(U(2), U(problem.plan.shape[1]), U(2)):
                key += chosen[row[k]] & row[k + U(1)]
            first = U(problem.start[key])
            live = U(0)
            place = first
            while problem.word[place] != 0:
                live += U(used[U(problem.word[place]) >> shift] == 0)
                place += U(1)
            if live == U(0):
                break
            state[0] = draw(state[0])
            which = (mixed(state[0]) >> U(11)) % live
            place = first
            while True:
                word = U(problem.word[place])
                if used[word >> shift] == 0:
                    if which == U(0):
                        break
                    which -= U(1)
                place += U(1)
            weight *= float(live)
            total += weight
            chosen[depth] = word
            used[word >> shift] = 1
            depth += U(1)
        for d in range(depth):
            used[chosen[d] >> shift] = 0
        sums[0] += total
        sums[1] += total * total
