"""The steps of the thesis's method (table, hierarchy and special cases) and of Parberry's algorithm.

    window    a 2×2 part of the board with tile and blank and without walls; its twelve configurations form one cycle
    front     a free side of the tile from which the blank can bring it nearer
    case 11…  moves for U and the blank when they block each other at the pocket (the thesis's numbers)

The blank must touch the tile.

Parberry's greedy algorithm (1995) moves a tile diagonally as long as possible, then straight.  Columns are rows of the
transposed board.

    side      the blank goes to the nearest side of the tile, and from there around it to the nearest useful side
    push      the blank exchanges with the tile.  With a turn it takes 3 moves, so that a diagonal step takes 6; straight, 5
    last      of a line: the tile goes to the cell inward of its place.  The shortest sequence in a 2×3 window, which moves
              the tile beside it for a time, brings it in.  All other tiles go to their places directly
"""

from __future__ import annotations

from tablero.search.compiled import inlined, kernel
from tablero.sliding.kernels.ground import (
    APPROACH,
    BY_TABLE,
    CORNER,
    HIERARCHY,
    NOTHING,
    NOWHERE,
    PUSH,
    STRIP,
    Ground,
    Plan,
    arc_is_free,
    distance,
    emit,
    emit_turned,
    move_to,
    ring_place,
    walk,
)


@inlined
def _place_in_window(corner: int, width: int, k: int) -> int:
    """The cell of a window at place k, clockwise from the north-west corner."""
    return corner + (1 if k == 1 or k == 2 else 0) + (width if k >= 2 else 0)


@inlined
def _turns(tile: int, blank: int, goal: int, sense: int) -> int:
    """The number of moves of the blank around a window, in one sense, that bring the tile to the goal place."""
    moves = 0
    while tile != goal:
        ahead = (blank + sense) & 3
        if ahead == tile:
            tile = blank
        blank = ahead
        moves += 1
    return moves


@kernel
def by_table(ground: Ground, plan: Plan, tile: int, blank: int, target: int) -> tuple[int, int]:
    """Move the blank around the best window, if one brings the tile nearer; else change nothing."""
    width = ground.width
    top, left = min(tile // width, blank // width), min(tile % width, blank % width)
    now = distance(width, tile, target)
    best, fewest, best_corner, best_goal, best_sense = now, 0, -1, 0, 1
    for shift in range(2):  # if they touch by a side there are two windows: this corner, and one further up or left
        corner = top * width + left
        if shift == 1:
            if tile // width == blank // width:
                corner -= width
            elif tile % width == blank % width:
                corner -= 1
            else:
                break
        t, b, nearest, reach, clear = 0, 0, 0, 1 << 30, True
        for k in range(4):
            cell = _place_in_window(corner, width, k)
            if ground.wall[cell] != 0:
                clear = False
                break
            if cell == tile:
                t = k
            if cell == blank:
                b = k
            far = distance(width, cell, target)
            if far < reach:
                nearest, reach = k, far
        if not clear or reach >= now:
            continue
        clockwise, counter = _turns(t, b, nearest, 1), _turns(t, b, nearest, -1)
        moves = min(clockwise, counter)
        if reach < best or (reach == best and moves < fewest):
            best, fewest, best_corner, best_goal = reach, moves, corner, nearest
            best_sense = 1 if clockwise <= counter else -1
    if best_corner < 0:
        return tile, blank
    goal = _place_in_window(best_corner, width, best_goal)
    while tile != goal:
        b = 0
        for k in range(4):
            if _place_in_window(best_corner, width, k) == blank:
                b = k
        ahead = _place_in_window(best_corner, width, (b + best_sense) & 3)
        emit(plan, move_to(width, blank, ahead), int(BY_TABLE))
        if ahead == tile:
            tile = blank
        blank = ahead
    return tile, blank


@kernel
def by_hierarchy(ground: Ground, plan: Plan, tile: int, blank: int, target: int, whole: bool) -> tuple[int, int]:
    """Move the blank around the tile towards its front: one step, or all the way and through the tile."""
    width = ground.width
    now = distance(width, tile, target)
    here = ring_place(ground, tile, blank)
    for front in (0, 4, 2, 6):  # vertical first
        cell = tile + ground.ring[front]
        if ground.wall[cell] != 0 or distance(width, cell, target) >= now:
            continue
        if here == front:
            emit(plan, move_to(width, blank, tile), int(HIERARCHY))
            return cell, tile
        sense = -1 if front == 0 or front == 2 else 1  # counter-clockwise for up and right
        if not arc_is_free(ground, tile, here, front, sense):
            sense = -sense
            if not arc_is_free(ground, tile, here, front, sense):
                continue
        while True:
            here = (here + sense) & 7
            there = tile + ground.ring[here]
            emit(plan, move_to(width, blank, there), int(HIERARCHY))
            blank = there
            if not whole:
                return tile, blank
            if here == front:
                emit(plan, move_to(width, blank, tile), int(HIERARCHY))
                return cell, tile
    return -1, blank


@kernel
def by_special_case(ground: Ground, plan: Plan, tile: int, blank: int, pocket: int, column: bool) -> tuple[int, int]:
    """Apply one of the special cases 11 to 20 of U, if one matches.  Columns are transposed rows."""
    along = ground.width if column else 1
    inward = 1 if column else ground.width
    lift = 0
    if tile == pocket + inward and blank == pocket:
        rule = 15 if column else 11
    elif tile == pocket + inward - along and blank == pocket:
        emit_turned(plan, 1, 18 if column else 14, column)
        return tile, pocket + inward
    elif tile == pocket and blank == pocket + inward:
        rule, lift = 16 if column else 12, 1
    elif tile == pocket and blank == pocket + inward - along:
        rule, lift = 17 if column else 13, 1
        emit_turned(plan, 2, rule, column)
    elif tile == pocket and blank == pocket + inward + along:
        rule, lift = 20 if column else 19, 1
        emit_turned(plan, 3, rule, column)
    else:
        return tile, blank
    if lift == 1:
        emit_turned(plan, 0, rule, column)
    for move in (3, 1, 1, 2, 2, 0, 3, 3, 0, 2):
        emit_turned(plan, move, rule, column)
    return pocket + inward + along, pocket


@kernel
def out_of_the_trap(ground: Ground, plan: Plan, tile: int, blank: int, pocket: int, column: bool) -> tuple[int, int]:
    """Solve a line of two cells with U in the pocket or under the blank there, breadth first in a 2×3 window."""
    along = ground.width if column else 1
    inward = 1 if column else ground.width
    if blank != pocket:
        blank = walk(ground, plan, blank, pocket + inward, tile, int(NOTHING), int(STRIP))
    search_window(ground, plan, 1, tile, blank, pocket, column, 1, 3, 0, int(STRIP))
    return pocket + along + inward, pocket


@kernel
def search_window(
    ground: Ground,
    plan: Plan,
    first: int,
    tile: int,
    blank: int,
    pocket: int,
    column: bool,
    first_goal: int,
    second_goal: int,
    hole_goal: int,
    rule: int,
) -> int:
    """Bring PU and U to places of a 2×3 window at the end of a line with the fewest moves; return the blank's last cell.

    Window places 0..5: along the line 0..1 (0 is the pocket), inward 0..2.  PU is on place `first`, U is the tile.  The
    blank is in the window and must end on `hole_goal` (−1: anywhere).  A state is PU, U and blank in base 6.
    """
    along = ground.width if column else 1
    inward = 1 if column else ground.width
    second, hole = 0, 0
    for k in range(6):
        cell = pocket + (k % 2) * along + (k // 2) * inward
        if cell == tile:
            second = k
        if cell == blank:
            hole = k
    start = (first * 6 + second) * 6 + hole
    ground.stamp[0] += 1
    stamp = ground.stamp[0]
    ground.mark[start] = stamp
    ground.queue[0] = start
    head, tail, state = 0, 1, start
    while True:
        state = ground.queue[head]
        head += 1
        p, u, h = state // 36, state // 6 % 6, state % 6
        if p == first_goal and u == second_goal and (hole_goal < 0 or h == hole_goal):
            break
        for m in range(4):  # 0 against the line's inside, 1 inward, 2 along, 3 back: a row's N, S, E, W
            if (m == 0 and h < 2) or (m == 1 and h >= 4) or (m == 2 and h % 2 == 1) or (m == 3 and h % 2 == 0):
                continue
            there = h + (-2 if m == 0 else 2 if m == 1 else 1 if m == 2 else -1)
            moved = ((h if p == there else p) * 6 + (h if u == there else u)) * 6 + there
            if ground.mark[moved] != stamp:
                ground.mark[moved] = stamp
                ground.origin[moved] = state * 4 + m
                ground.queue[tail] = moved
                tail += 1
    hole, length = state % 6, 0
    while state != start:
        ground.queue[length] = ground.origin[state] % 4
        state = ground.origin[state] // 4
        length += 1
    while length > 0:
        length -= 1
        emit_turned(plan, ground.queue[length], rule, column)
    last: int = pocket + (hole % 2) * along + (hole // 2) * inward
    return last


@kernel
def _push(ground: Ground, plan: Plan, tile: int, blank: int, target: int) -> tuple[int, int]:
    """Move the blank around the tile to the nearest useful side, and through it; (−1, blank) if there is no way.

    Of two equally near sides, the one above or below is used.
    """
    here, now = ring_place(ground, tile, blank), distance(ground.width, tile, target)
    best, best_front, best_sense = 9, -1, 1
    for front in (0, 4, 2, 6):
        cell = tile + ground.ring[front]
        if ground.wall[cell] != 0 or distance(ground.width, cell, target) >= now:
            continue
        for sense in (1, -1):
            steps = (front - here) * sense & 7
            if steps < best and arc_is_free(ground, tile, here, front, sense):
                best, best_front, best_sense = steps, front, sense
    if best_front < 0:
        return -1, blank
    while here != best_front:
        here = (here + best_sense) & 7
        there = tile + ground.ring[here]
        emit(plan, move_to(ground.width, blank, there), int(PUSH))
        blank = there
    emit(plan, move_to(ground.width, blank, tile), int(PUSH))
    return blank, tile


@kernel
def push_home(ground: Ground, plan: Plan, tile: int, blank: int, target: int, pocket: int) -> int:
    """Bring a tile to its target in a row; return the blank's cell, or −1 if there is no way.

    With a pocket the tile is the last of the row, and the pocket is the cell of the tile placed before it.
    """
    last = pocket >= 0
    goal = target + ground.width if last else target
    while tile != target:
        if distance(ground.width, tile, blank) != 1:
            blank = walk(ground, plan, blank, int(NOWHERE), tile, 4, int(APPROACH))
            if blank < 0:
                return -1
        if last and tile == goal:
            return search_window(ground, plan, int(NOTHING), tile, blank, pocket, False, 0, 1, -1, int(CORNER))
        tile, blank = _push(ground, plan, tile, blank, goal)
        if tile < 0:
            return -1
    return blank
