"""The ground of sliding tiles: cells, walls and moves, and how the blank walks round what it must not touch.

cell      a place on the board, in a grid with a border of walls all round: row r, column c is (r + 1)·width + c + 1
wall      a cell that must not be touched any more: the border, and every placed tile
move      of the blank: 0 N, 1 S, 2 E, 3 W, so that m ^ 1 goes back and 3 − m is the transposed move
ring      the eight neighbours of a tile, clockwise from the north
line      a row or a column of what is left of the board; its last two tiles, PU and U, are placed together
pocket    the true cell of PU: the blank ends there before the two last moves of a line
rule      why a move was made: see the constants
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

# Numba compiles a copy of a kernel for every constant that it is called with.  A constant in `int()` is just a number, so
# that one copy does: the first compile takes two thirds of the time.
NOWHERE = -1
NOTHING = 0

Cells = NDArray[np.int64]
Bytes = NDArray[np.uint8]


class Ground(NamedTuple):
    """The board's walls, and scratch arrays as long as the grid (four times as long for journeys)."""

    width: int  # of the grid, border included
    wall: Bytes
    step: Cells  # what each move adds to a cell
    ring: Cells  # what each ring place adds to a cell
    seen: Cells  # the stamp of the walk that reached a cell
    came: Bytes  # by which move
    queue: Cells
    stamp: Cells  # one number
    cost: Cells  # of journeys: the least cost to a state, valid where its stamp is
    mark: Cells
    origin: Cells
    heap: Cells


class Plan(NamedTuple):
    """Moves and the rule of each, written one after another; `size[0]` of them."""

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
    """The way of so many rows and then so many columns: 0 when it is free, 1 where a wall, 2 where the tile is in it."""
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
    """Go so many rows and then so many columns; return where the blank ends."""
    for _ in range(abs(down)):
        emit(plan, 1 if down > 0 else 0, rule)
    for _ in range(abs(right)):
        emit(plan, 2 if right > 0 else 3, rule)
    return blank + down * ground.width + right


@kernel
def _walk_straight(ground: Ground, plan: Plan, blank: int, goal: int, tile: int, reach: int, rule: int) -> int:
    """What `walk` would find, where that has a single corner; else −1.

    A breadth-first search that tries N, S, E, W in this order finds, of all shortest ways to the nearest goals, the first
    in the order of the alphabet N, S, E, W.  Where no wall is near, that is the one with the rows first.
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
        # Nearest first; then the earliest word: north before south before none, many rows before few, east before west.
        letter = 0 if down < 0 else 1 if down > 0 else 2
        key = (((abs(down) + abs(right)) * 3 + letter) * (1 << 20) - abs(down)) * 2 + (0 if right >= 0 else 1)
        if key < best:
            best, best_down, best_right = key, down, right
    if best == 1 << 60 or is_clear(ground, blank, best_down, best_right, tile) != 0:
        return -1
    return go_straight(ground, plan, blank, best_down, best_right, rule)


@kernel
def walk(ground: Ground, plan: Plan, blank: int, goal: int, tile: int, reach: int, rule: int) -> int:
    """Lead the blank by a shortest path round walls and the tile; return where it ends, or −1 when there is no way.

    With `reach` 0 to the cell `goal`, with 4 to a side of the tile, with 8 to any neighbour of it, whichever is nearest.
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
    while cell != blank:  # the way back, kept where the queue was
        ground.queue[length] = ground.came[cell]
        length += 1
        cell -= ground.step[ground.came[cell]]
    while length > 0:
        length -= 1
        emit(plan, ground.queue[length], rule)
    return found


@inlined
def turn(ground: Ground, across: Ground, cell: int) -> int:
    """The cell of the transposed board that a cell is."""
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
    """Whether the ring from one place to another (the first left out) has no wall."""
    k = first
    while k != last:
        k = (k + sense) & 7
        if ground.wall[tile + ground.ring[k]] != 0:
            return False
    return True


@kernel
def finish_line(ground: Ground, plan: Plan, blank: int, pocket: int, kind: int) -> int:
    """PU parked at the line's end and U inward of it: lead the blank to the pocket and play the two last moves."""
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
    """Play the moves of a plan from `first` on, on a board: tiles by cell, and cells by tile."""
    blank = where[0]
    for k in range(first, plan.size[0]):
        there = blank + ground.step[plan.moves[k]]
        tile = board[there]
        board[blank], where[tile] = tile, blank
        blank = there
    board[blank], where[0] = 0, blank
