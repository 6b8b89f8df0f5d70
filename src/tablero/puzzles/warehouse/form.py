"""Forming the blocks from a scattered start: every hole goes to a corridor cell.

A move of a tile is a move of a hole by one cell the other way.  So forming the blocks takes at least the cheapest matching
of holes to corridor cells by Manhattan distance, and exactly that: where the way of a hole meets another hole, the two
exchange their targets and the one in front goes on, which costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tablero.errors import BadInput, MissingExtra
from tablero.puzzles.warehouse.puzzle import Warehouse

MOST_HOLES = 5000  # the matching has a number for every pair


def matching(warehouse: Warehouse) -> tuple[dict[int, int], int]:
    """The corridor cell of every hole, and what all ways cost together."""
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        raise MissingExtra("forming the blocks from a scattered start", "warehouse") from None
    if warehouse.layout.walls:
        raise BadInput("blocks are formed on floors without walls only: expected every tile in a block")
    columns = warehouse.layout.columns
    holes = np.array([cell for cell, tile in enumerate(warehouse.cells) if tile == 0])
    if len(holes) > MOST_HOLES:
        raise BadInput(f"{len(holes):,} empty cells to match: expected at most {MOST_HOLES:,}")
    targets = np.array(warehouse.layout.corridors)
    cost = np.abs(holes[:, None] // columns - targets[None, :] // columns)
    cost += np.abs(holes[:, None] % columns - targets[None, :] % columns)
    rows, chosen = linear_sum_assignment(cost)
    pairs = zip(holes[rows].tolist(), targets[chosen].tolist(), strict=True)
    return dict(pairs), int(cost[rows, chosen].sum())


def form(warehouse: Warehouse) -> Iterator[tuple[int, int]]:
    """The moves of tiles, from and to, that form the blocks: as many as the matching costs."""
    target_of, left = matching(warehouse)
    columns = warehouse.layout.columns
    waiting = [hole for hole, target in target_of.items() if hole != target]
    while waiting:
        hole = waiting.pop()
        if hole not in target_of:
            continue
        target = target_of[hole]
        while hole != target:
            down, right = target // columns - hole // columns, target % columns - hole % columns
            steps = ([columns if down > 0 else -columns] if down else []) + ([1 if right > 0 else -1] if right else [])
            ahead = next((hole + step for step in steps if hole + step not in target_of), hole + steps[0])
            if ahead in target_of:  # another hole: it takes over the way, and this one its target
                target_of[hole], target_of[ahead] = target_of[ahead], target
                if target_of[hole] != hole:
                    waiting.append(hole)
                hole = ahead
                continue
            yield ahead, hole  # the tile goes where the hole was
            left -= 1
            del target_of[hole]
            hole = ahead
            target_of[hole] = target
    assert left == 0, "the ways of the holes became longer"
