"""The ground of sliding tiles: cells, walls and moves, and the paths of the blank around walls.

cell      a place in a grid with a border of walls: row r, column c is (r + 1)·width + c + 1
wall      a cell that must not be changed: the border, and every placed tile
move      of the blank: 0 N, 1 S, 2 E, 3 W; m ^ 1 is the reverse and 3 − m the transposed move
ring      the eight neighbours of a tile, clockwise from the north
line      a row or column of the remaining board; its last two tiles, PU and U, are placed together
pocket    the true cell of PU; the blank is there before the last two moves of a line
rule      the reason of a move: see the constants
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel

# Methods
TABLE, SIDES, TRANSPORT, PARBERRY = 0, 1, 2, 3
# Stages
SINGLE, ROW_PAIR, COLUMN_PAIR, LAST = 0, 1, 2, 3
# Rules; 11 to 20 are the special cases of the same numbers
APPROACH, BY_TABLE, HIERARCHY, PAIR, STRIP, JOURNEY, SMALL, TAIL, CARRY, PUSH, CORNER = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    21,
)

# Numba compiles a copy of a kernel for every constant argument.  A constant in `int()` is an ordinary number, so that one
# copy is enough: the first compilation takes two thirds of the time.
NOWHERE = -1
NOTHING = 0

Cells = NDArray[np.int64]
Bytes = NDArray[np.uint8]


class Ground(NamedTuple):
    """The board's walls, and buffers as long as the grid (four times as long for journeys)."""

    width: int  # of the grid, border included
    wall: Bytes
    step: Cells  # the offset of each move
    ring: Cells  # the offset of each place of the ring
    seen: Cells  # the stamp of the walk that reached a cell
    came: Bytes  # by which move
    queue: Cells
    stamp: Cells  # one number
    cost: Cells  # of journeys: the least cost of a state, valid if its mark is the stamp
    mark: Cells
    origin: Cells
    heap: Cells


class Plan(NamedTuple):
    """The first `size[0]` moves, and the rule of each."""

    moves: Bytes
    rules: Bytes
    size: Cells


def make_ground(rows: int, columns: int) -> Ground:
    """An empty board with its border."""
    width, cells = columns + 2, (rows + 2) * (columns + 2)
    wall = np.ones((rows + 2, width), np.uint8)
    wall[1:-1, 1:-1] = 0

    def numbers(count: int) -> Cells:
        return np.zeros(max(count, 256), np.int64)

    return Ground(
        width=width,
        wall=wall.ravel(),
        step=np.array([-width, width, 1, -1]),
        ring=np.array([-width, 1 - width, 1, 1 + width, width, width - 1, -1, -1 - width]),
        seen=numbers(cells),
        came=np.zeros(cells, np.uint8),
        queue=numbers(cells),
        stamp=np.zeros(1, np.int64),
        cost=numbers(4 * cells),
        mark=numbers(4 * cells),
        origin=numbers(4 * cells),
        heap=numbers(16 * cells),
    )


def make_plan(moves: int) -> Plan:
    return Plan(np.zeros(moves, np.uint8), np.zeros(moves, np.uint8), np.zeros(1, np.int64))


@inlined
def emit(plan: Plan, move: int, rule: int) -> None:
    size = plan.size[0]
    plan.moves[size] = move
    plan.rules[size] = rule
    plan.size[0] = size + 1


@inlined
def emit_turned(plan: Plan, move: int, rule: int, column: bool) -> None:
    emit(plan, 3 - move if column else move, rule)


@inlined
def distance(width: int, a: int, b: int) -> int:
    return abs(a // width - b // width) + abs(a % width - b % width)


@inlined
def move_to(width: int, here: int, there: int) -> int:
    """The move from a cell to its neighbour."""
    if there == here - width:
        return 0
    if there == here + width:
        return 1
    return 2 if there == here + 1 else 3


@inlined
def is_clear(ground: Ground, blank: int, down: int, right: int, tile: int) -> int:
    """Whether the way by rows and then columns is free: 0 if it is, 1 if a wall blocks it, 2 if the tile does."""
    cell, step = blank, ground.width if down > 0 else -ground.width
    for _ in range(abs(down)):
        cell += step
        if cell == tile:
            return 2
        if ground.wall[cell] != 0:
            return 1
    step = 1 if right > 0 else -1
    for _ in range(abs(right)):
        cell += step
        if cell == tile:
            return 2
        if ground.wall[cell] != 0:
            return 1
    return 0


@inlined
def go_straight(ground: Ground, plan: Plan, blank: int, down: int, right: int, rule: int) -> int:
    """Go `down` rows and then `right` columns; return the blank's cell."""
    for _ in range(abs(down)):
        emit(plan, 1 if down > 0 else 0, rule)
    for _ in range(abs(right)):
        emit(plan, 2 if right > 0 else 3, rule)
    return blank + down * ground.width + right


@kernel
def _walk_straight(ground: Ground, plan: Plan, blank: int, goal: int, tile: int, reach: int, rule: int) -> int:
    """The path that `walk` would find, if it has a single corner; else −1.

    A breadth-first search that tries N, S, E, W in this order finds, of all shortest paths to the nearest goals, the first
    in the order of that alphabet.  Without walls nearby, this is the path with the rows first.
    """
    width = ground.width
    best, best_down, best_right = 1 << 60, int(NOTHING), int(NOTHING)
    for k in range(1 if reach == 0 else 8):
        if reach == 4 and k & 1 == 1:
            continue
        cell = goal if reach == 0 else tile + ground.ring[k]
        if ground.wall[cell] != 0:
            continue
        down, right = cell // width - blank // width, cell % width - blank % width
        # Nearest first; then the first word: north before south before none, many rows before few, east before west.
        letter = 0 if down < 0 else 1 if down > 0 else 2
        key = (((abs(down) + abs(right)) * 3 + letter) * (1 << 20) - abs(down)) * 2 + (0 if right >= 0 else 1)
        if key < best:
            best, best_down, best_right = key, down, right
    if best == 1 << 60 or is_clear(ground, blank, best_down, best_right, tile) != 0:
        return -1
    return go_straight(ground, plan, blank, best_down, best_right, rule)


@kernel
def walk(ground: Ground, plan: Plan, blank: int, goal: int, tile: int, reach: int, rule: int) -> int:
    """Move the blank by a shortest path around walls and the tile; return its last cell, or −1 if there is no path.

    The target is the cell `goal` with `reach` 0, the nearest side of the tile with 4, and its nearest neighbour with 8.
    """
    width = ground.width
    if reach == 0 and blank == goal:
        return blank
    straight = _walk_straight(ground, plan, blank, goal, tile, reach, rule)
    if straight >= 0:
        return straight
    ground.stamp[0] += 1
    stamp = ground.stamp[0]
    ground.seen[blank] = stamp
    ground.queue[0] = blank
    head, tail, found = 0, 1, -1
    while head < tail and found < 0:
        cell = ground.queue[head]
        head += 1
        for m in range(4):
            there = cell + ground.step[m]
            if ground.wall[there] != 0 or there == tile or ground.seen[there] == stamp:
                continue
            ground.seen[there] = stamp
            ground.came[there] = m
            ground.queue[tail] = there
            tail += 1
            if reach == 0:
                arrived = there == goal
            else:
                down, across = abs(there // width - tile // width), abs(there % width - tile % width)
                arrived = (down <= 1 and across <= 1) if reach == 8 else down + across == 1
            if arrived:
                found = there
                break
    if found < 0:
        return -1
    cell, length = found, 0
    while cell != blank:  # the path back, written over the queue
        ground.queue[length] = ground.came[cell]
        length += 1
        cell -= ground.step[ground.came[cell]]
    while length > 0:
        length -= 1
        emit(plan, ground.queue[length], rule)
    return found


@inlined
def turn(ground: Ground, across: Ground, cell: int) -> int:
    """The same cell on the transposed board."""
    return cell % ground.width * across.width + cell // ground.width


@inlined
def fix(ground: Ground, across: Ground, cell: int) -> None:
    """Make a cell a wall, on the board and on the transposed one."""
    ground.wall[cell] = 1
    across.wall[turn(ground, across, cell)] = 1


@inlined
def ring_place(ground: Ground, tile: int, cell: int) -> int:
    for k in range(8):
        if tile + ground.ring[k] == cell:
            return k
    return -1


@inlined
def arc_is_free(ground: Ground, tile: int, first: int, last: int, sense: int) -> bool:
    """Whether the ring from one place to another (without the first) has no wall."""
    k = first
    while k != last:
        k = (k + sense) & 7
        if ground.wall[tile + ground.ring[k]] != 0:
            return False
    return True


@kernel
def finish_line(ground: Ground, plan: Plan, blank: int, pocket: int, kind: int) -> int:
    """Finish a line with PU at its end and U inward of it: move the blank to the pocket, then make the last two moves."""
    column = kind == COLUMN_PAIR
    along = ground.width if column else 1
    inward = 1 if column else ground.width
    blank = walk(ground, plan, blank, pocket, pocket + along + inward, int(NOTHING), int(PAIR))
    if blank < 0:
        return -1
    emit_turned(plan, 2, int(PAIR), column)
    emit_turned(plan, 1, int(PAIR), column)
    return pocket + along + inward


@kernel
def play(ground: Ground, plan: Plan, first: int, board: Cells, where: Cells) -> None:
    """Play the moves of a plan from `first` on a board, given as tiles by cell and cells by tile."""
    blank = where[0]
    for k in range(first, plan.size[0]):
        there = blank + ground.step[plan.moves[k]]
        tile = board[there]
        board[blank], where[tile] = tile, blank
        blank = there
    board[blank], where[0] = 0, blank
