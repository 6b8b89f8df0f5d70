"""Worksheets: boards with some queens given, which can be completed in one way only."""

from __future__ import annotations

import numpy as np

from tablero.draw.sheet import Task, Worksheet, require_count, various
from tablero.errors import BadInput
from tablero.puzzles.queens.draw import picture, puzzle_picture
from tablero.puzzles.queens.formats import to_text
from tablero.puzzles.queens.generate import generate
from tablero.puzzles.queens.puzzle import Queens
from tablero.words import several

MOST = 16  # queens: whether a board has one completion only is searched for


def worksheet(n: int = 8, *, count: int = 6, seed: int = 0, title: str = "", per_page: int = 6) -> Worksheet:
    """So many boards of n queens to complete; drawn as PDF or SVG, with the answers at the end."""
    require_count(count)
    if not 4 <= n <= MOST:
        raise BadInput(f"{n} queens on a worksheet: expected 4 to {MOST}")
    if seed < 0:
        raise BadInput(f"the seed {seed}: expected a number from 0")
    tasks = various(lambda number: _task(n, number), count, seed)
    return Worksheet(tasks, title or f"{n} queens: no two may attack each other", per_page=per_page)


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
    (board,) = puzzle.all()
    words = f"{several(n - len(puzzle.given), 'queen')} to set"
    whole = Queens(n, tuple(enumerate(board.columns.tolist())))
    return Task(puzzle_picture(puzzle), words, picture(board), to_text(puzzle), to_text(whole))
