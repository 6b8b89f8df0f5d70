"""Best ways of a blank that carries other tiles along: to a tile, and round it so that it moves one cell.

worth     of a way of the blank: the sum of what its moves are worth to the tiles that they move, less what moves cost
sweep     a best way of the blank that never turns back along one axis: it goes on line by line, and within each line
          up or down as far as it likes.  No cell is met twice, so that a dynamic programme finds the best in one look
          at every cell, detours that pay included
step      a tile moves one cell: a best short way of the blank to a useful side of it, and through it
"""

from __future__ import annotations

import numpy as np

from tablero.search.compiled import inlined, kernel
from tablero.sliding.kernels.ground import APPROACH, CARRY, NOWHERE, Ground, Plan, distance
from tablero.sliding.kernels.journey import open_board
from tablero.sliding.kernels.load import BOTTOM, LEFT, LONGEST, NEVER, RIGHT, TOP, Load, gain, go, is_front

U = np.uint64
FAR = 64  # a sweep leads over so many lines at most: the time for a tile does not grow with the board
WIDE = 12  # lines beside blank and tile that a sweep may touch


@inlined
def _along(ground: Ground, load: Load, x: int, before: int, blank: int, tile: int, k: int, move: int) -> None:
    """The best way to a cell from its neighbour in the same line, which was not reached the other way along the line."""
    ground.cost[3 * x + k] = NEVER
    if ground.wall[x] != 0 or x in (tile, blank):
        return
    last = 3 * before
    if ground.cost[3 * before + k] > ground.cost[last]:
        last = 3 * before + k
    if ground.cost[last] > NEVER:
        ground.cost[3 * x + k] = ground.cost[last] - load.price[0] + gain(load, x, move)
        ground.origin[3 * x + k] = last


@kernel
def _spread(ground: Ground, load: Load, forward: int, lines: int, tile: int, first: int, last: int) -> None:
    """The best sweep to every cell of some lines in a direction: its worth, by cell and by how the cell was reached.

    Reached forward (0), along the line with growing places (1) or with falling ones (2); the places go from `first` to
    `last`.  The tile is not touched.
    """
    blank, vertical = load.where[0], forward < 2
    side = 1 if vertical else ground.width
    base = blank - (load.column[blank] if vertical else load.row[blank] * ground.width)
    growing, falling = (2, 3) if vertical else (1, 0)
    ahead = ground.step[forward]
    for line in range(lines + 1):
        for place in range(first, last + 1):
            x = base + line * ahead + place * side
            ground.cost[3 * x] = 0 if x == blank else NEVER
            if line == 0 or ground.wall[x] != 0 or x == tile:
                continue
            before = 3 * (x - ahead)
            best = before
            if ground.cost[before + 1] > ground.cost[best]:
                best = before + 1
            if ground.cost[before + 2] > ground.cost[best]:
                best = before + 2
            if ground.cost[best] > NEVER:
                ground.cost[3 * x] = ground.cost[best] - load.price[0] + gain(load, x, forward)
                ground.origin[3 * x] = best
        x = base + line * ahead + first * side
        ground.cost[3 * x + 1] = NEVER
        for _ in range(first, last):
            x += side
            _along(ground, load, x, x - side, blank, tile, 1, growing)
        ground.cost[3 * x + 2] = NEVER
        for _ in range(first, last):
            x -= side
            _along(ground, load, x, x + side, blank, tile, 2, falling)


@kernel
def _sweep(ground: Ground, plan: Plan, load: Load, tile: int, target: int, halt: int) -> bool:
    """Lead the blank by a best sweep to a useful side of the tile, or to the cell `halt`; False where none leads there."""
    best, size, blank = int(NEVER), -1, load.where[0]
    row, column = load.row[blank], load.column[blank]
    goal = tile if halt < 0 else halt
    for forward in range(4):
        if forward < 2:
            lines = load.row[goal] - row if forward == 1 else row - load.row[goal]
            lines = min(lines + 1, load.left[BOTTOM] - row if forward == 1 else row - load.left[TOP])
            first = max(load.left[LEFT], min(column, load.column[goal]) - WIDE)
            last = min(load.left[RIGHT], max(column, load.column[goal]) + WIDE)
        else:
            lines = load.column[goal] - column if forward == 2 else column - load.column[goal]
            lines = min(lines + 1, load.left[RIGHT] - column if forward == 2 else column - load.left[LEFT])
            first = max(load.left[TOP], min(row, load.row[goal]) - WIDE)
            last = min(load.left[BOTTOM], max(row, load.row[goal]) + WIDE)
        if lines < 0:
            continue
        _spread(ground, load, forward, lines, tile, first, last)
        state = -1
        for m in range(4 if halt < 0 else 1):
            front = tile + ground.step[m] if halt < 0 else halt
            if halt < 0 and not is_front(ground, tile, target, front):
                continue
            ahead = load.row[front] - row if forward < 2 else load.column[front] - column
            if forward == 0 or forward == 3:
                ahead = -ahead
            place = load.column[front] if forward < 2 else load.row[front]
            if ahead < 0 or ahead > lines or place < first or place > last:
                continue
            rest = load.price[0] * open_board(ground, 4 * front + (m ^ 1), target) if halt < 0 else 0
            for k in range(3):
                if ground.cost[3 * front + k] - rest > best:
                    best, state = ground.cost[3 * front + k] - rest, 3 * front + k
        if state >= 0:
            size = 0
            while state // 3 != blank:
                load.way[size] = state // 3
                size += 1
                state = ground.origin[state]
    for k in range(size - 1, -1, -1):
        here, there = load.where[0], load.way[k]
        move = 2 if there == here + 1 else 3 if there == here - 1 else 1 if there > here else 0
        go(ground, plan, load, move, int(APPROACH))
    return size >= 0


@kernel
def approach(ground: Ground, plan: Plan, load: Load, tile: int, target: int) -> bool:
    """Lead the blank to a useful side of the tile; False where no sweep leads there."""
    blank = load.where[0]
    down, right = load.row[tile] - load.row[blank], load.column[tile] - load.column[blank]
    if abs(down) <= FAR and abs(right) <= FAR:
        return _sweep(ground, plan, load, tile, target, int(NOWHERE))
    down, right = max(-FAR, min(FAR, down)), max(-FAR, min(FAR, right))
    halt = blank + down * ground.width + right
    return ground.wall[halt] == 0 and _sweep(ground, plan, load, tile, target, halt)


@kernel
def step(ground: Ground, plan: Plan, load: Load, tile: int, target: int) -> bool:
    """Move the tile one cell nearer: depth first over all short ways to a useful side; False where there is none.

    What is still to come costs at least what it would on an open board: so the longer side goes first.
    """
    best, size, through = int(NEVER), -1, 0
    depth, x, price = 0, load.where[0], load.price[0]
    longest, near = load.reach[0], load.reach[1]
    load.worth[0], load.tried[0] = 0, 0
    ground.stamp[0] += 1
    stamp = ground.stamp[0]
    ground.seen[x] = stamp
    while depth >= 0:
        if load.tried[depth] == 0 and distance(ground.width, x, tile) == 1 and is_front(ground, tile, target, x):
            push = 0 if x > tile + 1 else 1 if x < tile - 1 else 3 if x > tile else 2
            value = load.worth[depth] - price * open_board(ground, 4 * x + push, target)
            if value > best:
                best, size, through = value, depth, push
                for k in range(depth):
                    load.way[LONGEST + k] = load.way[k]
        move = load.tried[depth]
        if move == 4 or depth == longest:
            ground.seen[x] = 0
            depth -= 1
            if depth >= 0:
                x -= ground.step[load.way[depth]]
            continue
        load.tried[depth] = move + 1
        there = x + ground.step[move]
        if ground.wall[there] != 0 or there == tile or ground.seen[there] == stamp:
            continue
        if abs(load.row[there] - load.row[tile]) > near or abs(load.column[there] - load.column[tile]) > near:
            continue
        load.way[depth] = move
        load.worth[depth + 1] = load.worth[depth] - price + gain(load, there, move)
        depth += 1
        load.tried[depth] = 0
        x = there
        ground.seen[x] = stamp
    if size < 0:
        return False
    for k in range(size):
        go(ground, plan, load, load.way[LONGEST + k], int(CARRY))
    go(ground, plan, load, through, int(CARRY))
    return True


@inlined
def _best_front(ground: Ground, load: Load, tile: int, target: int, x: int, worth: int) -> tuple[int, int]:
    """What it is worth to push the tile from a cell, less what is then left, and the push; NEVER where it is no use."""
    if distance(ground.width, x, tile) != 1 or not is_front(ground, tile, target, x):
        return NEVER, 0
    push = 0 if x > tile + 1 else 1 if x < tile - 1 else 3 if x > tile else 2
    return worth - load.price[0] * open_board(ground, 4 * x + push, target), push


@kernel
def long_step(ground: Ground, plan: Plan, load: Load, tile: int, target: int) -> bool:
    """As `step`, but of all ways of a length that end in a cell only the best is followed: not all, but far longer ones.

    No way meets a cell twice: `met` has a bit for every cell of the window, and `moves` two for every move of the way.
    """
    longest, near, price, width = load.reach[0], load.reach[1], load.price[0], ground.width
    side = 2 * near + 1
    corner = tile - near * (width + 1)
    top, left = load.row[tile] - near, load.column[tile] - near
    size = side * side
    blank = load.where[0]
    for k in range(2 * size):
        load.best[k] = NEVER
    k = (load.row[blank] - top) * side + load.column[blank] - left
    load.best[k], load.met[k], load.moves[k] = 0, U(1) << U(k), U(0)
    best, length, through, found = NEVER, -1, 0, U(0)
    for depth in range(longest + 1):
        this, other = (depth & 1) * size, (1 - (depth & 1)) * size
        for k in range(size):
            worth = load.best[this + k]
            if worth == NEVER:
                continue
            load.best[this + k] = NEVER
            r, c = k // side, k % side
            x = corner + r * width + c
            value, push = _best_front(ground, load, tile, target, x, worth)
            if value > best:
                best, length, through, found = value, depth, push, load.moves[this + k]
            if depth == longest:
                continue
            for move in range(4):
                if (move == 0 and r == 0) or (move == 1 and r == side - 1):
                    continue
                if (move == 2 and c == side - 1) or (move == 3 and c == 0):
                    continue
                there = x + ground.step[move]
                to = k + (-side if move == 0 else side if move == 1 else 1 if move == 2 else -1)
                bit = U(1) << U(to)
                if ground.wall[there] != 0 or there == tile or load.met[this + k] & bit != U(0):
                    continue
                gained = worth - price + gain(load, there, move)
                if gained > load.best[other + to]:
                    load.best[other + to] = gained
                    load.met[other + to] = load.met[this + k] | bit
                    load.moves[other + to] = load.moves[this + k] | (U(move) << U(2 * depth))
    if length < 0:
        return False
    for k in range(length):
        go(ground, plan, load, int((found >> U(2 * k)) & U(3)), int(CARRY))
    go(ground, plan, load, through, int(CARRY))
    return True
