"""Parberry's greedy algorithm (1995): a tile goes diagonally as long as it can, then straight.

    side      the blank walks to the nearest side of the tile, and from there round it to the nearest useful side
    push      the blank goes through the tile.  Round a corner it takes 3 moves, so a diagonal step 6; straight on, 5
    last      of a line: the tile goes to the cell inward of its place, and a short fixed sequence, which lends the cell of
              the tile beside it, lets it in: the shortest one in a 2×3 window

All other tiles of a line go to their places directly.  Columns are rows of the transposed board.
"""

from __future__ import annotations

from tablero.search.compiled import kernel
from tablero.sliding.kernels.ground import (
    APPROACH,
    CORNER,
    NOTHING,
    NOWHERE,
    PUSH,
    Ground,
    Plan,
    arc_is_free,
    distance,
    emit,
    move_to,
    ring_place,
    walk,
)
from tablero.sliding.kernels.table import search_window


@kernel
def _push(ground: Ground, plan: Plan, tile: int, blank: int, target: int) -> tuple[int, int]:
    """Lead the blank round the tile to the nearest useful side, and through it; (−1, blank) where there is no way.

    Of two sides as near the one above or below is taken.
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
    """Bring a tile to its target in a row; return where the blank ends, or −1 if there is no way.

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
