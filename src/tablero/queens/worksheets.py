"""Worksheets: boards with some queens given, which can be completed in one way only."""

from __future__ import annotations

import numpy as np

from tablero.draw.sheet import Task, Worksheet, various
from tablero.queens.draw import picture, puzzle_picture
from tablero.queens.formats import write
from tablero.queens.generating import generate
from tablero.queens.puzzle import Queens
from tablero.words import several


def worksheet(n: int, *, count: int, seed: int, title: str, per_page: int) -> Worksheet:
    """So many boards of n queens to complete; drawn as PDF or SVG, with the answers at the end."""
    tasks = various(lambda number: _task(n, number), count, seed)
    return Worksheet(tasks, title or f"{n} queens: no two may attack each other", per_page=per_page, wanted=count)


def unique(n: int, seed: int) -> Queens:
    """A board with as few queens given, one after another in a random order, as leave one completion."""
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
