"""Run the kernels for 9×9 boards: search one puzzle with a cursor, or solve and make many puzzles in threads.

Boards of other sizes and rules are solved as exact covers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tablero.search.base import Answers, Bound, Flag
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor
from tablero.sudoku.kernels import bands as sudoku_bands
from tablero.sudoku.kernels import make as sudoku_make
from tablero.sudoku.kernels.bands import CELLS, TABLES, Bytes, Numbers, State, new_state

_SHAPE = (32, 8)  # number of words, and of digits that are processed side by side
_LEAST = 64  # puzzles per thread


@dataclass
class BandSearch(TreeSearch):
    """The search for the solutions of one plain 9×9 puzzle.  An answer has 81 digits."""

    puzzle: Bytes  # 81 digits, 0 for empty cells
    name: str = field(init=False, default="sudoku.bands/1")

    @property
    def width(self) -> int:
        return CELLS

    def digest(self) -> str:
        return hashlib.sha256(self.puzzle.tobytes()).hexdigest()

    def begin(self, cursor: Cursor) -> State:
        state = new_state()
        write_cursor(state, cursor)
        sudoku_bands.replay(TABLES, state, self.puzzle, np.zeros(1, np.uint8), *_SHAPE)
        return state

    def decided(self, state: State, row: Answers) -> bool:
        """Write the digits of the cells with one candidate at the end of the path."""
        left = np.zeros((9, CELLS), np.bool_)
        for digit in range(9):
            for band in range(3):
                word = int(state.flat[8 * band + digit if digit < 8 else 24 + band])  # as in `word_at`
                for bit in range(27):
                    left[digit, TABLES.cell[27 * band + bit]] = word >> bit & 1
        row[:] = np.where(left.sum(axis=0) == 1, left.argmax(axis=0) + 1, 0)
        return True

    def step(self, state: State, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        nodes, found = sudoku_bands.advance(TABLES, state, answers, budget, most, stop, *_SHAPE)
        return int(nodes), int(found)


def _spread(count: int, threads: int, work: Callable[[slice], int]) -> int:
    """Divide the work among threads; return the number of puzzles done."""
    parts = max(1, min(threads, count // _LEAST))
    cuts = [count * k // parts for k in range(parts + 1)]
    slices = [slice(first, end) for first, end in pairwise(cuts)]
    if parts == 1:
        return work(slices[0])
    with ThreadPoolExecutor(parts, thread_name_prefix="tablero") as pool:
        return sum(pool.map(work, slices))


def solve_many(puzzles: Bytes, limit: int = 2, *, threads: int = 1, stop: Flag | None = None) -> tuple[Bytes, Numbers]:
    """Return the first solution of each puzzle and the number of its solutions up to a limit.

    A puzzle without a solution has a row of zeros.  A puzzle that was not searched before the stop flag was set has the
    number −1.
    """
    puzzles = np.ascontiguousarray(puzzles, np.uint8)
    answers, counts = np.zeros_like(puzzles), np.full(len(puzzles), -1, np.int64)
    flag = np.zeros(1, np.uint8) if stop is None else stop

    def work(part: slice) -> int:
        done, _ = sudoku_bands.solve_batch(
            TABLES, new_state(), puzzles[part], limit, answers[part], counts[part], flag, *_SHAPE
        )
        return int(done)

    _spread(len(puzzles), threads, work)
    return answers, counts


def make_many(seeds: NDArray[np.uint64], groups: Numbers, clues: int, *, threads: int = 1) -> tuple[Bytes, Bytes]:
    """Make a puzzle for each seed; return the puzzles and their solutions."""
    puzzles, answers = np.zeros((len(seeds), CELLS), np.uint8), np.zeros((len(seeds), CELLS), np.uint8)
    flag = np.zeros(1, np.uint8)

    def work(part: slice) -> int:
        order = np.zeros(len(groups), np.int64)
        return int(
            sudoku_make.make_batch(
                TABLES, new_state(), seeds[part], groups, order, clues, puzzles[part], answers[part], flag, *_SHAPE
            )
        )

    _spread(len(seeds), threads, work)
    return puzzles, answers
