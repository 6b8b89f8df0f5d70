"""What `carry` works on: a board that is played while it is planned, and what the blank's moves are worth to its tiles.

due       the stage that will place a tile; the sooner, the more a cell nearer is worth, for what is carried now is
          moved about by all that comes between
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined
from tablero.sliding.kernels.ground import Cells, Ground, Plan, distance, emit

NEVER = -(1 << 50)
LONGEST = 10  # moves of the blank round a tile before it goes through it: never more, where all are tried
WINDOW = 49  # cells round a tile, and the most that a way of many moves can touch: it has a bit for each
# Places in `left`
TOP, BOTTOM, LEFT, RIGHT, STAGE = 0, 1, 2, 3, 4


class Load(NamedTuple):
    """A board that is played while it is planned, and what its moves are worth."""

    board: Cells  # tile by cell, −1 in the border
    where: Cells  # cell by tile
    row: Cells  # of every cell
    column: Cells
    home_row: Cells  # of every tile
    home_column: Cells
    left: Cells  # the first and last row, the first and last column, and the stage
    due: Cells  # by tile: its stage
    weight: Cells  # by stages to go: what it is worth to bring a tile one cell nearer
    price: Cells  # one number: what a move costs
    reach: Cells  # moves of the blank round a tile before it goes through it, cells from the tile that they may touch,
    # and 1 where only the best of them are followed
    way: Cells  # scratch: cells or moves of a way
    tried: Cells  # scratch: by depth, the next move to try
    worth: Cells  # scratch: by depth
    best: Cells  # scratch: by parity of depth and cell of the window round the tile, what the best way there is worth
    met: NDArray[np.uint64]  # scratch: the cells of that way
    moves: NDArray[np.uint64]  # scratch: its moves


@inlined
def gain(load: Load, cell: int, move: int) -> int:
    """What the blank's move into a cell is worth to the tile there, which goes the other way."""
    tile = load.board[cell]
    if move == 0:
        nearer = load.home_row[tile] > load.row[cell]
    elif move == 1:
        nearer = load.home_row[tile] < load.row[cell]
    elif move == 2:
        nearer = load.home_column[tile] < load.column[cell]
    else:
        nearer = load.home_column[tile] > load.column[cell]
    worth: int = load.weight[load.due[tile] - load.left[STAGE]]
    return worth if nearer else -worth


@inlined
def go(ground: Ground, plan: Plan, load: Load, move: int, rule: int) -> None:
    """Make a move on the board, and write it down."""
    blank = load.where[0]
    there = blank + ground.step[move]
    tile = load.board[there]
    load.board[blank], load.where[tile] = tile, blank
    load.board[there], load.where[0] = 0, there
    emit(plan, move, rule)


@inlined
def catch_up(ground: Ground, plan: Plan, load: Load, first: int) -> None:
    """Play what others have written into the plan from `first` on."""
    blank = load.where[0]
    for k in range(first, plan.size[0]):
        there = blank + ground.step[plan.moves[k]]
        tile = load.board[there]
        load.board[blank], load.where[tile] = tile, blank
        blank = there
    load.board[blank], load.where[0] = 0, blank


@inlined
def is_front(ground: Ground, tile: int, target: int, cell: int) -> bool:
    """Whether a tile comes nearer to its target if it moves to a neighbouring cell."""
    return ground.wall[cell] == 0 and distance(ground.width, cell, target) < distance(ground.width, tile, target)
