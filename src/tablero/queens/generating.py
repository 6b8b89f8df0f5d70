"""Puzzles by seed: a solution is made first, so that there is one, and some of it is shown."""

from __future__ import annotations

import numpy as np

from tablero.errors import BadInput
from tablero.queens.construct import exists
from tablero.queens.kernels.local import QueensLocal, State
from tablero.queens.puzzle import Queens
from tablero.verbs.parameters import spell


def generate(n: int, *, given: int = 0, blocked: int = 0, seed: int = 0) -> Queens:
    """A board of n queens with so many given and so many squares blocked, which has a solution."""
    if not exists(n):
        raise BadInput(f"a puzzle of {n} queens that has a solution: expected 1 queen, or 4 and more")
    if given > n:
        raise BadInput(f"{spell('given')} {given}: expected 0 to {n}")
    if blocked > n * (n - 1) // 2:
        raise BadInput(
            f"{spell('blocked')} {blocked}: expected 0 to {n * (n - 1) // 2}, half of the squares without a queen"
        )
    search = QueensLocal((seed,), n)
    state, stop = search.fresh(seed), np.zeros(1, np.uint8)
    while not search.step(state, 1 << 20, stop)[1]:
        pass
    columns = State(*state).columns
    choose = np.random.default_rng([n, given, blocked, seed])
    rows = np.sort(choose.choice(n, given, replace=False))
    barred: set[tuple[int, int]] = set()
    while len(barred) < blocked:
        pairs = choose.integers(0, n, (blocked - len(barred), 2))
        barred.update((r, c) for r, c in pairs.tolist() if columns[r] != c)
    shown = tuple((r, int(columns[r])) for r in rows.tolist())
    return Queens(n, shown, tuple(sorted(barred)))
