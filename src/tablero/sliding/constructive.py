"""The constructive methods: table, sides, parberry, transport and carry.

frame     the board with any goal turned into one with the usual goal, tiles in order and the blank last.  The board is
          reflected until the goal's blank is nearest to the last cell, and tiles are renumbered by their places.  If the
          goal's blank is not in a corner, the last moves (the *tail*) are added at the end
distances from the goal of all states of boards of up to nine cells, by the lexicographic number of the permutation.  3×3
          has 181,440 solvable states, the worst 31 moves away; half of the table stays empty.  `last_region` in
          `kernels/construct.py` follows the distances to the goal
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from itertools import permutations as all_permutations
from math import factorial
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tablero.sliding.kernels import construct as kernels
from tablero.sliding.kernels.carry import LONGEST, WINDOW, Load, Ways, carry_choosing
from tablero.sliding.kernels.construct import UNREACHED
from tablero.sliding.kernels.databases import neighbours
from tablero.sliding.kernels.ground import PARBERRY, SIDES, TABLE, TAIL, TRANSPORT, make_ground, make_plan
from tablero.sliding.puzzle import Board
from tablero.sliding.verbs import RULED, TileByTile

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]

TILE_BY_TILE = dict(zip(get_args(TileByTile), (TABLE, SIDES, PARBERRY, TRANSPORT), strict=True))
METHODS = RULED
_CHUNK = 1 << 18  # moves written before they are copied out of the plan
_WORK = 4_000_000  # cells that `carry` visits, about, between checks of the clock
# The value of one cell nearer for `carry`, in hundredths.  It falls for tiles that are placed later, down to a tenth after
# 0.63 of all stages.  And the price of a move.  Found by trial on boards of 20×20 to 100×100.
_SOON, _LATEST, _FADING, _PRICE = 100, 10, 0.7, 50
# The ways that it chooses among with more effort: prices and fadings, the fading of the choice (docs/adr/0013), and the way
# used for the stages played ahead.
_PRICES, _FADINGS, _CHOICE, _ONWARD = (30, 41, 57, 80), (0.7, 0.45), 1.0, 1


class Effort(NamedTuple):
    """A level of effort of `carry`."""

    longest: int  # moves of the blank around a tile
    near: int  # distance from the tile that they may touch
    times: float  # running time relative to the least effort, about
    choosing: bool = False  # whether every tile is placed in several ways and the best is kept
    ahead: int = 0  # tiles placed after it before a way is judged


# Times as measured on 50×50 and 100×100.
EFFORTS = (Effort(8, 2, 1.0), *(Effort(12, 3, 5 + 4.6 * k, True, k) for k in (0, 1, 2, 3, 4, 6, 8, 12, 16)))


class TooLate(Exception):
    """The time was up before the board was solved."""


def bound(method: str, n: int) -> int | None:
    """The proven bound for n×n: from the thesis for `table`, from Parberry for `parberry`, None for the others."""
    proved = {
        "table": (10 * n**3 - 17 * n**2 + 31 * n - 142) // 2,
        "parberry": (10 * n**3 - 9 * n**2 + 19 * n - 178) // 2,
    }
    return None if n < 3 or method not in proved else 31 if n == 3 else proved[method]


def margin(rows: int, columns: int) -> int:
    """An upper bound of the moves of a stage: two tiles carried across the board, and the ways to them."""
    return 32 * (rows + columns) + 256


@dataclass(frozen=True)
class Frame:
    """A board with the usual goal that is equivalent to another board."""

    rows: int
    columns: int
    tiles: Numbers  # row by row
    home: int  # the blank's goal cell; anywhere without a tail
    turned: Bytes  # each move as a move of the original board
    tail: Bytes  # moves after the solution, on the framed board

    def moves(self, solution: Bytes) -> Bytes:
        """The moves on the original board for a solution of the framed board, tail included."""
        codes: Bytes = self.turned[np.concatenate([solution, self.tail])]
        return codes


def framed(board: Board, *, tail: bool = True) -> Frame:
    """The equivalent board with the usual goal."""
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
    order, last = goal.copy(), []
    if tail:  # move the goal's blank to the corner, backwards in time
        for k in range(row, rows - 1):
            order[k, column], order[k + 1, column] = order[k + 1, column], 0
        order[-1, column:] = np.roll(order[-1, column:], -1)
        last = [3] * (columns - 1 - column) + [0] * (rows - 1 - row)
    # A tile's number is its place in the goal, from 1; places after the blank's count one less.
    place, home = np.arange(rows * columns), int(order.ravel().argmin())
    number = np.zeros(rows * columns, np.int64)
    number[order.ravel()] = place + (place < home)
    number[0] = 0
    return Frame(rows, columns, number[tiles.ravel()], home, turned, np.array(last, np.uint8))


def rank(boards: NDArray[np.integer]) -> Numbers:
    """The lexicographic number of the permutation in each row."""
    count = boards.shape[1]
    numbers = np.zeros(len(boards), np.int64)
    for k in range(count):
        smaller = (boards[:, k + 1 :] < boards[:, k : k + 1]).sum(axis=1)
        numbers = numbers * (count - k) + smaller
    return numbers


def permutations(count: int) -> Bytes:
    """All permutations of `count` numbers from 0, in lexicographic order."""
    return np.fromiter(chain.from_iterable(all_permutations(range(count))), np.uint8).reshape(-1, count)


@cache
def distances(rows: int, columns: int) -> Bytes:
    """The distance of each state from the goal with the blank last, found breadth first, level by level."""
    count, beside = rows * columns, neighbours(rows, columns)
    table = np.full(factorial(count), UNREACHED, np.uint8)
    level = np.array([[*range(1, count), 0]], np.uint8)
    table[rank(level)] = far = 0
    while len(level):
        far += 1
        found = []
        blank = level.argmin(axis=1)
        for cell in range(count):
            here = level[blank == cell]
            for there in beside[cell][beside[cell] >= 0]:
                moved = here.copy()
                moved[:, cell], moved[:, there] = moved[:, there], 0
                numbers, first = np.unique(rank(moved), return_index=True)
                fresh = table[numbers] == UNREACHED
                table[numbers[fresh]] = far
                found.append(moved[first[fresh]])
        level = np.concatenate(found)
    return table


def construct(
    board: Board, method: str, *, late: Callable[[], bool] | None = None, effort: int = 0
) -> tuple[Bytes, Bytes]:
    """Construct moves that solve the board, and the rule of each.

    `late` is called often; if it returns True, TooLate is raised.  `effort` is an index into EFFORTS, for `carry`.
    """
    board.require_solvable()
    frame, efforts = framed(board), EFFORTS[effort]
    rows, columns = frame.rows, frame.columns
    ground, across = make_ground(rows, columns), make_ground(columns, rows)
    stages, top, left = kernels.make_stages(rows, columns, method == "parberry")
    reserve = margin(rows, columns) * (4 if method == "carry" else 1)
    plan = make_plan(min(_CHUNK, 6 * max(rows, columns) ** 3) + (2 + efforts.ahead) * reserve)
    cells = grid(rows, columns, frame.tiles[None, :])[0]
    where = np.zeros(rows * columns, np.int64)
    where[frame.tiles] = np.flatnonzero(cells >= 0)
    load = _load(rows, columns, stages, cells, where, efforts)
    several = max(1, _WORK // min(len(cells), 90**2) // int(efforts.times))  # stages of `carry` in one call
    ways = _ways(len(stages), reserve, efforts)
    chunks: list[tuple[Bytes, Bytes]] = []

    def copy_moves() -> None:
        size = int(plan.size[0])
        chunks.append((plan.moves[:size].copy(), plan.rules[:size].copy()))
        plan.size[0] = 0

    at = 0
    while at < len(stages):
        if method == "carry":
            at = carry_choosing(ground, plan, stages, at, min(len(stages), at + several), load, reserve, ways)
        else:
            at = kernels.construct(ground, across, plan, TILE_BY_TILE[method], stages, at, cells, where, reserve)
        if at < 0:
            raise AssertionError(f"the rules lead nowhere at stage {-1 - at}")
        copy_moves()
        if late is not None and late():
            raise TooLate
    corner = (top + 1) * ground.width + left + 1
    table = distances(rows - top, columns - left)
    if not kernels.last_region(ground, plan, cells, where, corner, rows - top, columns - left, table):
        raise AssertionError("what is left has the wrong parity")
    copy_moves()
    moves, rules = map(np.concatenate, zip(*chunks, strict=True))
    return frame.moves(moves), np.concatenate([rules, np.full(len(frame.tail), TAIL, np.uint8)])


def _load(rows: int, columns: int, stages: Numbers, cells: Numbers, where: Numbers, effort: Effort) -> Load:
    """The arrays that `carry` needs for a board."""
    place, home = np.arange(len(cells)), np.arange(rows * columns) - 1  # home of tile k is cell k − 1
    count = len(stages)
    due = np.full(rows * columns, count, np.int64)
    due[stages[:, 4]] = np.arange(count)
    pairs = np.flatnonzero(stages[:, 5])
    due[stages[pairs, 5]] = pairs
    return Load(
        board=cells,
        where=where,
        row=place // (columns + 2),
        column=place % (columns + 2),
        home_row=home // columns + 1,
        home_column=home % columns + 1,
        left=np.array([1, rows, 1, columns, 0]),
        due=due,
        weight=_weights(count, _FADING),
        price=np.array([_PRICE]),
        reach=np.array([effort.longest, effort.near, int(effort.choosing)]),
        way=np.zeros(len(cells) + 2 * LONGEST, np.int64),
        tried=np.zeros(LONGEST + 1, np.int64),
        worth=np.zeros(LONGEST + 1, np.int64),
        best=np.zeros(2 * WINDOW, np.int64),
        met=np.zeros(2 * WINDOW, np.uint64),
        moves=np.zeros(2 * WINDOW, np.uint64),
    )


def _weights(stages: int, fading: float) -> Numbers:
    """The value of one cell nearer, by stages to go."""
    to_go = np.arange(stages + 1) / max(1, stages)
    return np.maximum(_SOON * (1 - to_go / fading), _LATEST).astype(np.int64)


def _ways(stages: int, most: int, effort: Effort) -> Ways:
    """The ways that `carry` chooses among, and buffers for the best; empty if it does not choose."""
    if not effort.choosing:
        nothing = np.zeros(0, np.int64)
        return Ways(nothing, np.zeros((0, 0), np.int64), nothing, nothing, nothing, nothing)
    price, fading = (grid.ravel() for grid in np.meshgrid(_PRICES, _FADINGS))
    weight = np.array([_weights(stages, one) for one in fading.tolist()])
    moves, rules = np.zeros((2, most), np.int64)
    ahead = np.array([effort.ahead, _ONWARD])
    return Ways(price, weight, _weights(stages, _CHOICE), ahead, moves, rules)


def grid(rows: int, columns: int, boards: NDArray[np.int64]) -> NDArray[np.int64]:
    """Boards, one in each row, as cells of the ground, with −1 in the border."""
    cells = np.full((len(boards), rows + 2, columns + 2), -1, np.int64)
    cells[:, 1:-1, 1:-1] = boards.reshape(-1, rows, columns)
    return cells.reshape(len(boards), -1)
