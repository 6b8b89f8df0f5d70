"""The shortest joint path of a tile and the blank that brings the tile to its target.

    state     the tile's cell and the side of the blank: cell·4 + move towards the blank
    push      the blank exchanges with the tile: 1 move
    turn      the blank goes around the tile to another side, along the ring: 2, 4 or 6 moves

The estimate of A* is the cost on an open board.  It is exact there, so that few other states are visited.
"""

from __future__ import annotations

from tablero.search.compiled import inlined, kernel
from tablero.sliding.kernels.ground import (
    JOURNEY,
    NOTHING,
    NOWHERE,
    Cells,
    Ground,
    Plan,
    arc_is_free,
    emit,
    go_straight,
    is_clear,
    move_to,
    ring_place,
)


@inlined
def _pushes(first: int, other: int) -> int:
    """The cost of `first` pushes along one axis and `other` along the other on an open board, the first along `first`.

    Each push takes 1 move.  The blank needs 2 more moves before a push along the other axis, 4 before one along the same.
    """
    turns = 2 * other if first > other else 2 * first - 1
    return first + other + 4 * (first + other - 1) - 2 * turns


@inlined
def open_board(ground: Ground, state: int, target: int) -> int:
    """The remaining cost on an open board: the blank goes to the side of the first push, then the pushes follow."""
    tile, side, width = state >> 2, state & 3, ground.width
    down, right = target // width - tile // width, target % width - tile % width
    best = 0 if down == 0 and right == 0 else 1 << 40
    if down != 0:
        towards = 1 if down > 0 else 0
        best = min(best, (0 if side == towards else 4 if side ^ 1 == towards else 2) + _pushes(abs(down), abs(right)))
    if right != 0:
        towards = 2 if right > 0 else 3
        best = min(best, (0 if side == towards else 4 if side ^ 1 == towards else 2) + _pushes(abs(right), abs(down)))
    return best


@inlined
def _heap_push(heap: Cells, size: int, key: int) -> int:
    k = size
    while k > 0 and heap[(k - 1) >> 1] > key:
        heap[k] = heap[(k - 1) >> 1]
        k = (k - 1) >> 1
    heap[k] = key
    return size + 1


@inlined
def _heap_pop(heap: Cells, size: int) -> int:
    """Remove the least key, which the caller has read as heap[0]."""
    size -= 1
    key, k = heap[size], 0
    while 2 * k + 1 < size:
        child = 2 * k + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[k] = heap[child]
        k = child
    heap[k] = key
    return size


@kernel
def _offer(ground: Ground, size: int, state: int, cost: int, origin: int, stamp: int, target: int) -> int:
    """Store a way to a state if it is the cheapest so far, and queue the state by its least total cost."""
    if ground.mark[state] == stamp and ground.cost[state] <= cost:
        return size
    ground.mark[state] = stamp
    ground.cost[state] = cost
    ground.origin[state] = origin
    total = cost + open_board(ground, state, target)
    # By total, then the highest cost, then the state: each in its own bits.
    key = (total << 44) | ((0xFFFFF - cost) << 24) | (0xFFFFFF - state)
    return _heap_push(ground.heap, size, key)


@kernel
def _begin_straight(ground: Ground, tile: int, blank: int, target: int) -> int:
    """Queue the sides that the blank reaches by rows and then columns; return 0 if a wall blocks one of these ways.

    A side that is blocked only by the tile is reached at the same cost along the ring from another side.
    """
    width, size, stamp = ground.width, int(NOTHING), ground.stamp[0]
    for d in range(4):
        side = tile + ground.step[d]
        if ground.wall[side] != 0:
            continue
        down, right = side // width - blank // width, side % width - blank % width
        blocked = is_clear(ground, blank, down, right, tile)
        if blocked == 1:
            return 0
        if blocked == 0:
            size = _offer(ground, size, tile * 4 + d, abs(down) + abs(right), int(NOWHERE), stamp, target)
    return size


@kernel
def _begin_searching(ground: Ground, tile: int, blank: int, target: int) -> int:
    """Queue all sides that the blank can reach, found breadth first; `came` keeps its moves."""
    ground.stamp[0] += 1
    stamp = ground.stamp[0]
    sides = 0
    for d in range(4):
        if ground.wall[tile + ground.step[d]] == 0:
            sides += 1
    ground.seen[blank] = stamp
    ground.queue[0] = blank
    head, tail, size = 0, 1, int(NOTHING)
    level_end, far = 1, 0
    for d in range(4):
        if tile + ground.step[d] == blank:
            size = _offer(ground, size, tile * 4 + d, int(NOTHING), int(NOWHERE), stamp, target)
            sides -= 1
    while head < tail and sides > 0:
        if head == level_end:
            level_end = tail
            far += 1
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
            for d in range(4):
                if tile + ground.step[d] == there:
                    size = _offer(ground, size, tile * 4 + d, far + 1, int(NOWHERE), stamp, target)
                    sides -= 1
    return size


@kernel
def journey(ground: Ground, plan: Plan, tile: int, blank: int, target: int) -> tuple[int, int]:
    """Append a shortest joint path of tile and blank to the plan; return both cells, or (−1, blank) if there is none."""
    ground.stamp[0] += 1
    size, searched = _begin_straight(ground, tile, blank, target), False
    if size == 0:
        size, searched = _begin_searching(ground, tile, blank, target), True
    stamp = ground.stamp[0]
    found = -1
    while size > 0:
        key = ground.heap[0]
        size = _heap_pop(ground.heap, size)
        state = 0xFFFFFF - (key & 0xFFFFFF)
        cost = 0xFFFFF - ((key >> 24) & 0xFFFFF)
        if cost != ground.cost[state]:
            continue
        here, side = state >> 2, state & 3
        if here == target:
            found = state
            break
        there = here + ground.step[side]  # the blank's cell, which is no wall
        size = _offer(ground, size, there * 4 + (side ^ 1), cost + 1, state, stamp, target)
        start = 0 if side == 0 else 4 if side == 1 else 2 if side == 2 else 6
        for d in range(4):
            end = 0 if d == 0 else 4 if d == 1 else 2 if d == 2 else 6
            if d == side:
                continue
            for sense in (1, -1):
                if arc_is_free(ground, here, start, end, sense):
                    size = _offer(ground, size, here * 4 + d, cost + ((end - start) * sense & 7), state, stamp, target)
    if found < 0:
        return -1, blank
    # The states on the way, last first, into the heap; then the moves.
    length, state = 0, found
    while state >= 0:
        ground.heap[length] = state
        length += 1
        state = ground.origin[state]
    length -= 1
    state = ground.heap[length]
    first = tile + ground.step[state & 3]
    if searched:
        cell, steps = first, 0
        while cell != blank:
            ground.queue[steps] = ground.came[cell]
            steps += 1
            cell -= ground.step[ground.came[cell]]
        while steps > 0:
            steps -= 1
            emit(plan, ground.queue[steps], int(JOURNEY))
    else:
        width = ground.width
        go_straight(ground, plan, blank, first // width - blank // width, first % width - blank % width, int(JOURNEY))
    blank = first
    while length > 0:
        length -= 1
        following = ground.heap[length]
        if following >> 2 != state >> 2:  # a push: the blank goes through the tile
            emit(plan, (state & 3) ^ 1, int(JOURNEY))
            blank = state >> 2
        else:
            here, last = state >> 2, (following >> 2) + ground.step[following & 3]
            k, end = ring_place(ground, here, blank), ring_place(ground, here, last)
            sense = 1
            if not arc_is_free(ground, here, k, end, 1) or (
                ((end - k) & 7) > 4 and arc_is_free(ground, here, k, end, -1)
            ):
                sense = -1
            while blank != last:
                k = (k + sense) & 7
                there = here + ground.ring[k]
                emit(plan, move_to(ground.width, blank, there), int(JOURNEY))
                blank = there
        state = following
    return target, blank
