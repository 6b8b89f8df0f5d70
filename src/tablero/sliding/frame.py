"""Any goal as the usual one: tiles in order, blank last.

A board with another goal is turned over until the goal's blank is as near to the last cell as can be, the tiles are given
the numbers of their places, and where the blank's goal is not a corner, the last few moves (the *tail*) are set aside: the
goal before them has its blank in the corner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablero.sliding.puzzle import Board


@dataclass(frozen=True)
class Frame:
    """A board with the usual goal that is another board in disguise."""

    rows: int
    columns: int
    tiles: NDArray[np.int64]  # row by row
    turned: NDArray[np.uint8]  # what each move is on the board itself
    tail: NDArray[np.uint8]  # moves to be made after the solution, on the framed board

    def moves(self, solution: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The moves on the board itself that a solution of the framed board stands for, tail included."""
        codes: NDArray[np.uint8] = self.turned[np.concatenate([solution, self.tail])]
        return codes


def framed(board: Board, *, tail: bool = True) -> Frame:
    """The board as one with the usual goal.  Without a tail, the blank's goal cell may be anywhere (see `goal_blank`)."""
    rows, columns = board.rows, board.columns
    tiles = np.array(board.tiles, np.int64).reshape(rows, columns)
    goal = np.array(board.goal, np.int64).reshape(rows, columns)
    row, column = divmod(board.goal.index(0), columns)
    turned = np.arange(4, dtype=np.uint8)
    if 2 * row < rows - 1:
        tiles, goal, row = tiles[::-1], goal[::-1], rows - 1 - row
        turned[:2] = (1, 0)
    if 2 * column < columns - 1:
        tiles, goal, column = tiles[:, ::-1], goal[:, ::-1], columns - 1 - column
        turned[2:] = (3, 2)
    wanted = goal.copy()
    last: list[int] = []
    if tail:  # lead the goal's blank to the corner, backwards in time
        while row < rows - 1:
            wanted[row, column], wanted[row + 1, column] = wanted[row + 1, column], 0
            row += 1
            last.append(0)
        while column < columns - 1:
            wanted[row, column], wanted[row, column + 1] = wanted[row, column + 1], 0
            column += 1
            last.append(3)
    # Tile number = its place in the goal, counted from 1; places behind the blank's count one less.
    number = np.zeros(rows * columns, np.int64)
    order = wanted.ravel()
    home = int(np.flatnonzero(order == 0)[0])
    number[order] = np.where(np.arange(rows * columns) < home, np.arange(rows * columns) + 1, np.arange(rows * columns))
    number[0] = 0
    return Frame(rows, columns, number[tiles.ravel()], turned, np.array(last[::-1], np.uint8))
