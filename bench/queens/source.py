"""The source's annealer in plain Python, as it is described: the reference that the kernels are compared with.

Robayo Pardo (2020): one queen a row and column; a swap takes a queen from a diagonal in conflict, looked for from the main
diagonal outwards, and a queen from elsewhere, and exchanges their columns.  Its slips are mended as in the kernel (see
`tablero.queens.kernels.anneal`), for as printed it does not arrive.  Looking through the diagonals takes time that
grows with n, and the trials do too: so a run takes n².
"""

from __future__ import annotations

import math
import random


def anneal(n: int, t0: float, alpha: float, length: int, most_trials: int, seed: int) -> list[int] | None:
    """The columns of a solution, or None when the run gives up."""
    choose = random.Random(seed)
    columns = list(range(n))
    choose.shuffle(columns)
    rising, falling = [0] * (2 * n), [0] * (2 * n)
    for row, column in enumerate(columns):
        rising[row + column] += 1
        falling[n - column + row] += 1
    cost = sum(max(0, crowd - 1) for crowd in rising + falling)
    outwards = [k for step in range(n) for k in ((n - 1 + step, n - 1 - step) if step else (n - 1,))]
    temperature, trials = t0, 0
    while cost and trials < most_trials:
        for _ in range(length):
            trials += 1
            i = _in_conflict(columns, rising, falling, outwards, choose)
            j = choose.randrange(n - 1)
            j += j >= i
            gain = _swap(columns, rising, falling, i, j)
            if gain >= 0 or (temperature > 1e-3 and choose.random() < math.exp(gain / temperature)):
                cost -= gain
            else:
                _swap(columns, rising, falling, i, j)
            if not cost:
                return columns
        temperature *= alpha
    return columns if not cost else None


def _in_conflict(
    columns: list[int], rising: list[int], falling: list[int], outwards: list[int], choose: random.Random
) -> int:
    """A queen on the first diagonal in conflict, from the main ones outwards."""
    n = len(columns)
    for k in outwards:
        if rising[k] > 1:
            return choose.choice([row for row in range(max(0, k - n + 1), min(n, k + 1)) if row + columns[row] == k])
        if falling[k + 1] > 1:
            return choose.choice([row for row in range(n) if n - columns[row] + row == k + 1])
    raise AssertionError("there is no conflict")


def _swap(columns: list[int], rising: list[int], falling: list[int], i: int, j: int) -> int:
    """Exchange two columns; return by how much the cost falls."""
    n, gain = len(columns), 0
    for row in (i, j):
        for crowd, k in ((rising, row + columns[row]), (falling, n - columns[row] + row)):
            crowd[k] -= 1
            gain += crowd[k] > 0
    columns[i], columns[j] = columns[j], columns[i]
    for row in (i, j):
        for crowd, k in ((rising, row + columns[row]), (falling, n - columns[row] + row)):
            gain -= crowd[k] > 0
            crowd[k] += 1
    return gain
