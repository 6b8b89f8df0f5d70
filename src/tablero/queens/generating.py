"""Generating boards: solutions by formula, puzzles by seed, worksheets.

The formula is the staircases of Hoffman, Loessi and Moore (1969), for every n except 2 and 3.  It counts columns from 1.
Even columns in the upper half and odd ones below are a solution unless n mod 6 is 2 or 3; then a few queens change places.
On a torus, knight's moves give a solution when neither 2 nor 3 divides n; otherwise there is none (Pólya 1918).
"""

from __future__ import annotations

import math

import numpy as np

from tablero.draw.sheet import Task, Worksheet, various
from tablero.errors import BadInput
from tablero.queens.draw import picture, puzzle_picture
from tablero.queens.formats import write
from tablero.queens.kernels.local import QueensLocal, State
from tablero.queens.puzzle import Columns, Queens, check_side
from tablero.text import several
from tablero.verbs.parameters import spell


def exists(n: int, *, torus: bool = False) -> bool:
    """Whether n queens can be placed on an empty board."""
    return math.gcd(n, 6) == 1 if torus else n not in (2, 3)


def construct(n: int, *, torus: bool = False) -> Columns | None:
    """Construct a solution by formula.

    Parameters
    ----------
    n
        The number of queens.
    torus
        Whether opposite edges meet.

    Returns
    -------
    numpy.ndarray or None
        The column of the queen in each row, from 0; None if there is no solution.

    Examples
    --------
    >>> from tablero import queens
    >>> queens.construct(6).tolist()
    [1, 3, 5, 0, 2, 4]
    >>> queens.construct(3) is None
    True
    """
    check_side(n)
    if not exists(n, torus=torus):
        return None
    if torus:
        return (2 * np.arange(n, dtype=np.int64) % n).astype(np.int32)
    even, odd = np.arange(2, n + 1, 2, dtype=np.int32), np.arange(1, n + 1, 2, dtype=np.int32)
    if n % 6 == 2:
        odd[:2] = 3, 1  # 3 1 7 9 … 5
        odd[2:-1], odd[-1] = odd[3:].copy(), 5
    elif n % 6 == 3:
        even[:-1], even[-1] = even[1:].copy(), 2  # 4 6 … 2
        odd[:-2], odd[-2:] = odd[2:].copy(), (1, 3)  # 5 7 … 1 3
    return np.concatenate([even, odd]) - 1


def generate(n: int, *, given: int = 0, blocked: int = 0, seed: int = 0) -> Queens:
    """A board with `given` queens and `blocked` squares that has a solution."""
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


def worksheet(n: int, *, count: int, seed: int, title: str, per_page: int) -> Worksheet:
    """A sheet of `count` boards of n queens to complete, with the answers at the end."""
    tasks = various(lambda number: _task(n, number), count, seed)
    return Worksheet(tasks, title or f"{n} queens: no two may attack each other", per_page=per_page, wanted=count)


def unique(n: int, seed: int) -> Queens:
    """A board with one completion: given queens are added in random order until only one is left."""
    queens = generate(n, given=n, seed=seed).given
    order = np.random.default_rng([n, seed]).permutation(n)
    for number in range(1, n):
        puzzle = Queens(n, tuple(sorted(queens[k] for k in order[:number])))
        if puzzle.solve(2).solutions == 1:
            return puzzle
    return Queens(n, queens)


def _task(n: int, seed: int) -> Task:
    puzzle = unique(n, seed)
    (board,) = puzzle.solve(None).answers
    words = f"{several(n - len(puzzle.given), 'queen')} to set"
    whole = Queens(n, tuple(enumerate(board.columns.tolist())))
    return Task(puzzle_picture(puzzle), words, picture(board), write(puzzle), write(whole))
