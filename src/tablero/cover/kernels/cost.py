"""The cheapest exact cover, on bitsets, by branch and bound.

Each option's cost is spread evenly over its primary items: its *share*.  Whatever cover is chosen, every open item pays at
least the smallest share among its live options, so the sum of these is a lower bound for the rest of the cover.  Options
are numbered by their share, hence the smallest one of an item is its first live bit.

The tree is that of `cover_bits`; which of its nodes are cut off depends on the best cover known so far (`best[0]`, shared
between threads), so the number of nodes may vary from run to run where several threads work.  The answer does not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.cover.kernels.bits import Numbers, Problem, State, U, Words, _next_dense, _open_level, _record
from tablero.search.compiled import inlined, kernel, lowest, popcount


@inlined
def _fewest_and_bound(
    problem: Problem, share: NDArray[np.float64], live: Words, open_items: Words, groups: np.uint64
) -> tuple[np.uint64, np.uint64, float]:
    """X3, and the least that covering the open items costs."""
    best = U(0xFFFFFFFF)
    chosen = U(0)
    bound = 0.0
    for group in range(groups):
        word = open_items[group]
        while word != U(0):
            item = U(group) * U(64) + lowest(word)
            word &= word - U(1)
            row = problem.options[item]
            count = U(0)
            for w in range(problem.low[item], problem.high[item]):
                count += popcount(live[w] & row[w])
            if count < best:
                best = count
                chosen = item
                if count == U(0):
                    return chosen, best, bound
            w = problem.low[item]
            while live[w] & row[w] == U(0):
                w += U(1)
            bound += share[w * U(64) + lowest(live[w] & row[w])]
    return chosen, best, bound


@kernel
def advance(
    problem: Problem,
    state: State,
    cost: Numbers,
    share: NDArray[np.float64],
    answers: NDArray[np.int32],
    budget: int,
    most: int,
    stop: NDArray[np.uint8],
    best: Numbers,
    slack: float,
) -> tuple[int, int]:
    """Visit up to `budget` nodes or find `most` covers, each cheaper than best[0], which it replaces.

    `slack` is what the sum of shares may be off by: with large costs that is more than nothing.
    """
    groups = U((problem.options.shape[0] + 63) // 64)
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        spent = 0
        for d in range(depth):
            spent += cost[state.chosen[d]]
        item, count, bound = _fewest_and_bound(problem, share, state.live[U(depth)], state.open[U(depth)], groups)
        if spent + bound <= best[0] - 1 + slack:  # costs are whole numbers
            if count == U(0xFFFFFFFF):  # no open item
                best[0] = spent
                if keep:
                    _record(state, depth, answers, found)
                found += 1
            elif count != U(0):
                _open_level(state, depth, item, count)
                depth += 1
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:
            depth -= 1
        if depth == 0:
            depth = -1
        else:
            state.at[depth - 1] += 1
            _next_dense(problem, state, depth - 1)
    state.depth[0] = depth
    return nodes, found
