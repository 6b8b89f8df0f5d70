"""The search for answers within a threshold: tables and states.

patterns  3×3, 4×4 and 5×5 with the goal's blank in the last cell; see `databases.py`
walking   boards of up to 4×4: the least number of vertical moves if all tiles of one home row were identical, plus the
          same for columns.  The sum is never too high and includes all vertical and all horizontal linear conflicts
lines     any board

matrix    of walking distance: for each row, the number of its tiles with each home row
state     a matrix and the blank's row; 24,964 of them on 4×4
step      the blank goes to the row above or below, and a tile of some home row moves the other way
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.base import Answers, Bound, Flag
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor
from tablero.sliding.kernels import databases, ida

MOST_WALKING = 4  # lines and cells a line: 5×5 would have millions of states


@dataclass
class SlidingSearch(TreeSearch):
    """Finds answers of at most `threshold` moves.  An answer is its moves (0 N, 1 S, 2 E, 3 W), followed by −1.

    Tiles are numbered by their places in the goal, whose blank is on cell `home`.
    """

    rows: int
    columns: int
    tiles: NDArray[np.int64]
    home: int
    estimate: str
    threshold: int
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = f"sliding.{self.estimate}/1"

    @property
    def width(self) -> int:
        return self.threshold

    def digest(self) -> str:
        head = f"{self.rows} {self.columns} {self.home} {self.threshold} ".encode()
        return hashlib.sha256(head + self.tiles.astype("<i8").tobytes()).hexdigest()

    def begin(self, cursor: Cursor) -> ida.State:
        problem = problem_for(self.rows, self.columns, self.home, self.estimate)
        state = new_state(problem, self.tiles, self.threshold, self.home)
        write_cursor(state, cursor)
        ida.replay(problem, state)
        return state

    def decided(self, state: Any, row: Answers) -> bool:
        depth = max(int(state.depth[0]), 0)
        row[:depth] = state.came[1 : depth + 1]
        return True

    def step(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        problem = problem_for(self.rows, self.columns, self.home, self.estimate)
        nodes, found = ida.advance(problem, state, answers, budget, most, stop)
        return int(nodes), int(found)


def least(rows: int, columns: int, tiles: NDArray[np.int64], home: int, estimate: str) -> int:
    """The estimate of a board, a lower bound of its moves."""
    problem = problem_for(rows, columns, home, estimate)
    return int(new_state(problem, tiles, 0, home).estimate[0])


def new_state(problem: ida.Problem, tiles: NDArray[np.int64], threshold: int, home: int) -> ida.State:
    """A state at the root."""
    groups = max(2, len(problem.base))
    rows, columns = len(problem.neighbour) // problem.columns, problem.columns

    def numbers(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    depth = threshold + 2
    state = ida.State(
        board=np.array(tiles, np.int64),
        threshold=np.array([threshold]),
        blank=numbers(depth),
        came=numbers(depth),
        estimate=numbers(depth),
        parts=numbers(depth, 2, groups),
        worth=numbers(depth, 2, groups + 1),
        conflict=numbers(rows + columns),
        old=numbers(depth, 2),
        tails=numbers(max(rows, columns) + 1),
        move=numbers(depth, 4),
        promise=numbers(depth, 4),
        at=numbers(depth),
        last=numbers(depth),
        width=numbers(depth),
        depth=numbers(1),
    )
    if problem.estimate == ida.WALKING:
        cells, order = np.arange(rows * columns), tiles.tolist()
        by_row, by_column = _walking(rows, columns, home // columns), _walking(columns, rows, home % columns)
        state.tails[0] = _state_of(by_row, (cells // columns).tolist(), problem.home_row.tolist(), order)
        state.tails[1] = _state_of(by_column, (cells % columns).tolist(), problem.home_column.tolist(), order)
    ida.set_up(problem, state)
    return state


Matrix = tuple[tuple[int, ...], ...]


class Walking(NamedTuple):
    """The table of walking distance for one axis, found breadth first."""

    number: dict[tuple[Matrix, int], int]
    step: NDArray[np.int32]  # state × (blank to a lower line, to a higher) × home line → state
    distance: NDArray[np.uint8]


@cache
def _walking(lines: int, length: int, blank: int) -> Walking:
    """The table for lines of `length` cells; the goal's blank is in line `blank`."""
    matrix = tuple(
        tuple((length - (line == blank)) if home == line else 0 for home in range(lines)) for line in range(lines)
    )
    goal = (matrix, blank)
    number, order, distance = {goal: 0}, [goal], [0]
    steps: list[list[int]] = []
    for k, (now, hole) in enumerate(order):  # grows during the iteration
        following = [0] * (2 * lines)
        for direction, line in ((0, hole - 1), (1, hole + 1)):
            if not 0 <= line < lines:
                continue
            for home in range(lines):
                if now[line][home] == 0:
                    continue
                rows = list(now)
                rows[line] = (*now[line][:home], now[line][home] - 1, *now[line][home + 1 :])
                rows[hole] = (*now[hole][:home], now[hole][home] + 1, *now[hole][home + 1 :])
                state = (tuple(rows), line)
                if state not in number:
                    number[state] = len(order)
                    order.append(state)
                    distance.append(distance[k] + 1)
                following[direction * lines + home] = number[state]
        steps.append(following)
    return Walking(number, np.array(steps, np.int32).reshape(-1, 2, lines), np.array(distance, np.uint8))


def _state_of(walking: Walking, line_of_cell: Sequence[int], home: Sequence[int], tiles: Sequence[int]) -> int:
    """The state of a board along one axis, from each cell's line, each tile's home line and the tiles."""
    lines = walking.step.shape[2]
    matrix = [[0] * lines for _ in range(lines)]
    hole = 0
    for line, tile in zip(line_of_cell, tiles, strict=True):
        if tile == 0:
            hole = line
        else:
            matrix[line][home[tile]] += 1
    return walking.number[tuple(map(tuple, matrix)), hole]


def best_estimate(rows: int, columns: int, home: int) -> str:
    """The strongest estimate that needs no building."""
    if has_patterns(rows, columns, home):
        there = {3: lambda: True, 4: databases.cache_file().exists, 5: databases.twenty_four_is_there}
        if there[rows]():
            return "patterns"
    return "walking" if max(rows, columns) <= MOST_WALKING else "lines"


def has_patterns(rows: int, columns: int, home: int) -> bool:
    """Whether there are databases for this size and goal."""
    return (rows, columns, home) in ((3, 3, 8), (4, 4, 15), (5, 5, 24))


@cache
def problem_for(rows: int, columns: int, home: int, estimate: str) -> ida.Problem:
    """The tables for a size, a goal and an estimate."""
    cells = rows * columns
    place = np.arange(cells)
    home_cell = np.where(place <= home, place - 1, place)  # of tile k; tile 0 is the blank
    home_cell[0] = home
    problem = ida.Problem(
        estimate=ida.LINES,
        columns=columns,
        neighbour=databases.neighbours(rows, columns),
        home_row=home_cell // columns,
        home_column=home_cell % columns,
        group=np.zeros((2, 1), np.int64),
        shift=np.zeros((2, 1), np.int64),
        frame=np.zeros((2, 1, 1), np.int64),
        change=np.zeros((2, 1, 1), np.int64),
        ranked=0,
        base=np.zeros(1, np.int64),
        far=np.zeros(1, np.uint8),
        step=np.zeros((2, 1, 2, 1), np.int32),
        walk=np.zeros((2, 1), np.uint8),
    )
    if estimate == "patterns":
        if rows == 3:
            return with_patterns(problem, databases.EIGHT, tuple(databases.by_index(3, 3, p) for p in databases.EIGHT))
        if rows == 4:
            return with_patterns(problem, databases.FIFTEEN, databases.fifteen())
        return with_ranked(problem, databases.CORNER, databases.REST, databases.twenty_four())
    if estimate == "walking":
        return _with_walking(problem, rows, columns, home)
    return problem


def with_patterns(
    problem: ida.Problem, groups: tuple[tuple[int, ...], ...], tables: tuple[NDArray[np.uint8], ...]
) -> ida.Problem:
    """The problem with additive databases by index, for the board and its reflection: a square, the goal's blank last."""
    frames = np.arange(len(problem.neighbour))[None, :].repeat(len(groups), axis=0)
    return _with_databases(problem, groups, frames, tables, np.cumsum([0, *map(len, tables)])[:-1])


def with_ranked(
    problem: ida.Problem,
    block: tuple[int, ...],
    rest: tuple[int, ...],
    tables: tuple[NDArray[np.uint8], ...],
) -> ida.Problem:
    """The problem of a square with databases by rank.

    The first is of a block in the first corner, and is used for the rotated blocks in two other corners too.  The second is
    of the remaining tiles around the blank.
    """
    side = problem.columns
    place = np.arange(side * side)
    row, column = np.divmod(place, side)
    # The cell after its block is rotated into the first corner.
    turns = np.stack([place, (side - 1 - column) * side + row, column * side + side - 1 - row, place])
    groups = tuple(
        tuple(int(np.flatnonzero(turn == tile - 1)[0]) + 1 for tile in (rest if k == 3 else block))
        for k, turn in enumerate(turns)
    )
    assert sorted(tile for tiles in groups for tile in tiles) == list(range(1, side * side))
    return _with_databases(problem, groups, turns, tables, np.array([0, 0, 0, len(tables[0])]), len(block))


def _with_databases(
    problem: ida.Problem,
    groups: tuple[tuple[int, ...], ...],
    frames: NDArray[np.int64],
    tables: tuple[NDArray[np.uint8], ...],
    base: NDArray[np.int64],
    ranked: int = 0,
) -> ida.Problem:
    """The problem with databases for the board and its mirror image; `frames` maps cells into each group's database."""
    place, columns = np.arange(len(problem.neighbour)), problem.columns
    mirror = place % columns * columns + place // columns  # the cell on the other side of the diagonal
    frames = np.stack([frames, frames[:, mirror]])
    there = np.where(problem.neighbour < 0, 0, problem.neighbour)
    group, shift = np.zeros((2, len(mirror)), np.int64), np.zeros((2, len(mirror)), np.int64)
    for k, tiles in enumerate(groups):
        for slot, tile in enumerate(tiles):
            other = int(mirror[tile - 1]) + 1  # the tile of the same place in the mirror image
            group[0, tile] = group[1, other] = k
            shift[0, tile] = shift[1, other] = (databases.BITS if ranked else 4) * slot
    return problem._replace(
        estimate=ida.PATTERNS,
        group=group,
        shift=shift,
        frame=frames,
        # A move of the blank changes a group's cells by the exclusive or of both cells in its database.
        change=(frames[:, :, :, None] ^ frames[:, :, there]).reshape(*frames.shape[:2], -1),
        ranked=ranked,
        base=base,
        far=np.concatenate(tables),
    )


def _with_walking(problem: ida.Problem, rows: int, columns: int, home: int) -> ida.Problem:
    tables = _walking(rows, columns, home // columns), _walking(columns, rows, home % columns)
    states, lines = max(len(t.distance) for t in tables), max(rows, columns)
    step, walk = np.zeros((2, states, 2, lines), np.int32), np.zeros((2, states), np.uint8)
    for axis, t in enumerate(tables):
        step[axis, : len(t.distance), :, : t.step.shape[2]] = t.step
        walk[axis, : len(t.distance)] = t.distance
    return problem._replace(estimate=ida.WALKING, step=step, walk=walk)
