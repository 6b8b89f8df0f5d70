"""The method `carry`: the blank moves other tiles towards their places on its way.

Lines and their last two tiles are as in `construct.py`, but the board is played during planning, and the blank uses the
ways of greatest worth.  With more effort, the ways around a tile are longer, and every stage is played in several ways, each
with its own prices and weights.  After each way some further stages are played in a usual way; then all moves are undone.
The way with the least sum of moves and remaining work, by weights that fade more slowly, is kept.

due       the stage that will place a tile.  The sooner it is, the more one cell nearer is worth, because later stages move
          the tile again
worth     of a way of the blank: the sum of the values of its moves for the tiles that they move, less the price of the moves
sweep     a best way of the blank that never turns back along one axis: it goes line by line, and any distance within each
          line.  No cell occurs twice, so that a dynamic programme finds the best way, detours included, in one pass
step      a tile moves one cell: a best short way of the blank to a useful side of the tile, and through it
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel
from tablero.sliding.kernels.ground import (
    APPROACH,
    CARRY,
    COLUMN_PAIR,
    NOWHERE,
    SINGLE,
    Cells,
    Ground,
    Plan,
    distance,
    emit,
    finish_line,
    play,
    ring_place,
    walk,
)
from tablero.sliding.kernels.journey import open_board
from tablero.sliding.kernels.table import by_hierarchy, by_special_case, by_table, out_of_the_trap

U = np.uint64
NEVER = -(1 << 50)
LONGEST = 10  # moves of the blank around a tile before it goes through it, if all ways are tried
WINDOW = 49  # cells around a tile that a long way can touch: it has one bit for each
# Places in `left`
TOP, BOTTOM, LEFT, RIGHT, STAGE = 0, 1, 2, 3, 4
FAR = 64  # the most lines of a sweep, so that the time for a tile does not grow with the board
WIDE = 12  # lines beside blank and tile that a sweep may touch


class Load(NamedTuple):
    """A board that is played during planning, and the values of its moves."""

    board: Cells  # tile by cell, −1 in the border
    where: Cells  # cell by tile
    row: Cells  # of every cell
    column: Cells
    home_row: Cells  # of every tile
    home_column: Cells
    left: Cells  # the first and last row, the first and last column, and the stage
    due: Cells  # by tile: its stage
    weight: Cells  # by stages to go: the value of one cell nearer
    price: Cells  # one number: the price of a move
    reach: (
        Cells  # moves of the blank around a tile before it goes through it, distance from the tile that they may touch,
    )
    # and 1 if only the best ways are followed
    way: Cells  # buffer: cells or moves of a way
    tried: Cells  # buffer: by depth, the next move to try
    worth: Cells  # buffer: by depth
    best: Cells  # buffer: by parity of depth and cell of the window around the tile, the worth of the best way there
    met: NDArray[np.uint64]  # buffer: the cells of that way
    moves: NDArray[np.uint64]  # buffer: its moves


class Ways(NamedTuple):
    """Several ways to play a stage, and the data to choose one of them."""

    price: Cells  # by way
    weight: Cells  # by way and stages to go
    value: Cells  # by stages to go: the value of one cell nearer for the choice
    ahead: Cells  # the number of further stages before a way is judged, and their way
    moves: Cells  # buffer: the best way
    rules: Cells


@inlined
def gain(load: Load, cell: int, move: int) -> int:
    """The value of the blank's move into a cell for the tile there, which moves the other way."""
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
    """Make a move on the board and append it to the plan."""
    blank = load.where[0]
    there = blank + ground.step[move]
    tile = load.board[there]
    load.board[blank], load.where[tile] = tile, blank
    load.board[there], load.where[0] = 0, there
    emit(plan, move, rule)


@inlined
def is_front(ground: Ground, tile: int, target: int, cell: int) -> bool:
    """Whether a move to the neighbouring cell brings the tile nearer to its target."""
    return ground.wall[cell] == 0 and distance(ground.width, cell, target) < distance(ground.width, tile, target)


@inlined
def _along(ground: Ground, load: Load, x: int, before: int, blank: int, tile: int, k: int, move: int) -> None:
    """The best way to a cell from its neighbour in the same line, without turning back within the line."""
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
    """The worth of the best sweep to every cell of some lines in a direction, by cell and last step.

    The last step is forward (0), or along the line with increasing (1) or decreasing places (2).  Places go from `first` to
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
    """Move the blank by a best sweep to a useful side of the tile, or to the cell `halt`; False if there is none."""
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
    """Move the blank to a useful side of the tile; False if no sweep leads there."""
    blank = load.where[0]
    down, right = load.row[tile] - load.row[blank], load.column[tile] - load.column[blank]
    if abs(down) <= FAR and abs(right) <= FAR:
        return _sweep(ground, plan, load, tile, target, int(NOWHERE))
    down, right = max(-FAR, min(FAR, down)), max(-FAR, min(FAR, right))
    halt = blank + down * ground.width + right
    return ground.wall[halt] == 0 and _sweep(ground, plan, load, tile, target, halt)


@kernel
def step(ground: Ground, plan: Plan, load: Load, tile: int, target: int) -> bool:
    """Move the tile one cell nearer, depth first over all short ways to a useful side; False if there is none.

    The remaining cost is estimated as on an open board, so that the tile moves along its longer side first.
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
    """The worth of pushing the tile from a cell, less the remaining cost, and the push; NEVER if it does not help."""
    if distance(ground.width, x, tile) != 1 or not is_front(ground, tile, target, x):
        return NEVER, 0
    push = 0 if x > tile + 1 else 1 if x < tile - 1 else 3 if x > tile else 2
    return worth - load.price[0] * open_board(ground, 4 * x + push, target), push


@kernel
def long_step(ground: Ground, plan: Plan, load: Load, tile: int, target: int) -> bool:
    """As `step`, but only the best way of each length to each cell is followed, so that ways can be far longer.

    No way visits a cell twice: `met` has one bit for every cell of the window, and `moves` two for every move of the way.
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


@kernel
def _bring(
    ground: Ground, plan: Plan, load: Load, number: int, target: int, pocket: int, kind: int, short: bool
) -> bool:
    """Bring a tile to its target; see `place` in `construct.py`."""
    column = kind == COLUMN_PAIR
    inward = 1 if column else ground.width
    while load.where[number] != target:
        tile, blank, begun = load.where[number], load.where[0], plan.size[0]
        trapped = pocket >= 0 and (tile == pocket or (tile == pocket + inward and blank == pocket))
        if trapped and short:
            out_of_the_trap(ground, plan, tile, blank, pocket, column)
            play(ground, plan, begun, load.board, load.where)
            continue
        if not trapped:
            down, right = load.row[tile] - load.row[blank], load.column[tile] - load.column[blank]
            near = abs(down) <= load.reach[1] and abs(right) <= load.reach[1]
            long = load.reach[2] != 0
            if near and long and long_step(ground, plan, load, tile, target):
                continue
            if near and not long and step(ground, plan, load, tile, target):
                continue
            if not near and approach(ground, plan, load, tile, target):
                continue
        # Where walls leave no other way, the rules of `table` apply.
        if ring_place(ground, tile, blank) < 0:
            if walk(ground, plan, blank, int(NOWHERE), tile, 8, int(APPROACH)) < 0:
                return False
        else:
            nearer, hole = by_table(ground, plan, tile, blank, target)
            if nearer == tile and pocket >= 0:
                nearer, hole = by_special_case(ground, plan, tile, blank, pocket, column)
            if nearer == tile and hole == blank and by_hierarchy(ground, plan, tile, blank, target, False)[0] < 0:
                return False
        play(ground, plan, begun, load.board, load.where)
    return True


@kernel
def carry(ground: Ground, plan: Plan, stages: Cells, at: int, upto: int, load: Load, margin: int) -> int:
    """Play the stages `at` to `upto` − 1 while `margin` more moves fit into the plan; return the next stage.

    −1 − stage means that no rule applied at that stage; no test has seen this.
    """
    most = len(plan.moves) - margin
    while at < upto and plan.size[0] <= most:
        kind, first, second, short = stages[at, 0], stages[at, 1], stages[at, 2], stages[at, 3] != 0
        tile, other = stages[at, 4], stages[at, 5]
        load.left[STAGE] = at
        if kind == SINGLE:
            if not _bring(ground, plan, load, tile, first, int(NOWHERE), kind, short):
                return -1 - at
        else:
            inward = 1 if kind == COLUMN_PAIR else ground.width
            if load.where[tile] != first or load.where[other] != second:
                if not _bring(ground, plan, load, tile, second, int(NOWHERE), kind, short):
                    return -1 - at
                ground.wall[second] = 1
                if not _bring(ground, plan, load, other, second + inward, first, kind, short):
                    return -1 - at
                begun = plan.size[0]
                if finish_line(ground, plan, load.where[0], first, kind) < 0:
                    return -1 - at
                play(ground, plan, begun, load.board, load.where)
            ground.wall[second] = 1
            load.left[LEFT if kind == COLUMN_PAIR else TOP] += 1
        ground.wall[first] = 1
        at += 1
    return at


@inlined
def _left_to_do(load: Load, ways: Ways, stage: int) -> int:
    """The remaining distance of all tiles that are due at a stage or later, weighted by worth."""
    total = 0
    for tile in range(1, len(load.where)):
        if load.due[tile] >= stage:
            cell = load.where[tile]
            far = abs(load.row[cell] - load.home_row[tile]) + abs(load.column[cell] - load.home_column[tile])
            total += ways.value[load.due[tile] - stage] * far
    return total


@inlined
def _take_back(ground: Ground, plan: Plan, load: Load, first: int) -> None:
    """Undo the moves from number `first` on."""
    blank = load.where[0]
    for k in range(plan.size[0] - 1, first - 1, -1):
        there = blank - ground.step[plan.moves[k]]
        tile = load.board[there]
        load.board[blank], load.where[tile] = tile, blank
        blank = there
    load.board[blank], load.where[0] = 0, blank
    plan.size[0] = first


@inlined
def _play_in(
    ground: Ground, plan: Plan, stages: Cells, at: int, upto: int, load: Load, margin: int, ways: Ways, way: int
) -> int:
    """As `carry`, in one of the ways."""
    load.price[0] = ways.price[way]
    for k in range(len(load.weight)):
        load.weight[k] = ways.weight[way, k]
    return carry(ground, plan, stages, at, upto, load, margin)


@kernel
def carry_choosing(
    ground: Ground, plan: Plan, stages: Cells, at: int, upto: int, load: Load, margin: int, ways: Ways
) -> int:
    """As `carry`, with every stage played in all ways and the best one kept; without ways the same as `carry`."""
    if len(ways.price) == 0:  # one kernel for both, because compiling the common parts twice takes seconds
        return carry(ground, plan, stages, at, upto, load, margin)
    price = load.price[0]
    margin *= 1 + ways.ahead[0]
    most = len(plan.moves) - margin
    while at < upto and plan.size[0] <= most:
        top, left, begun = load.left[TOP], load.left[LEFT], plan.size[0]
        least, size, upon = -1, 0, min(len(stages), at + 1 + ways.ahead[0])
        for way in range(len(ways.price)):
            after = _play_in(ground, plan, stages, at, at + 1, load, 0, ways, way)
            made = plan.size[0] - begun
            if after == at + 1 and after < upon:
                after = _play_in(ground, plan, stages, after, upon, load, 0, ways, ways.ahead[1])
            if after < 0:
                return after
            cost = price * (plan.size[0] - begun) + _left_to_do(load, ways, upon)
            if least < 0 or cost < least:
                least, size = cost, made
                for k in range(size):
                    ways.moves[k], ways.rules[k] = plan.moves[begun + k], plan.rules[begun + k]
            _take_back(ground, plan, load, begun)
            load.left[TOP], load.left[LEFT] = top, left
            for stage in range(at, upon):
                ground.wall[stages[stage, 1]] = 0
                if stages[stage, 0] != SINGLE:
                    ground.wall[stages[stage, 2]] = 0
        for k in range(size):
            emit(plan, ways.moves[k], ways.rules[k])
        play(ground, plan, begun, load.board, load.where)
        ground.wall[stages[at, 1]] = 1
        if stages[at, 0] != SINGLE:
            ground.wall[stages[at, 2]] = 1
            load.left[LEFT if stages[at, 0] == COLUMN_PAIR else TOP] += 1
        at += 1
    load.price[0] = price
    return at
