"""Forming the blocks from a scattered start: every hole goes to a corridor cell.

A move of a tile is a move of a hole by one cell the other way.  So forming the blocks takes at least the cheapest matching
of holes to corridor cells by their distance (Manhattan's, or past the walls), and exactly that: where the way of a hole
meets another hole, the two exchange their targets and the one in front goes on, which costs nothing.  Where there are
fewer tiles than slots, some holes have no target and stay in their block.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput, MissingExtra
from tablero.warehouse.puzzle import Layout, Warehouse
from tablero.warehouse.regions import neighbours

MOST_HOLES = 5000  # the matching has a number for every pair
MOST_FAR = 100_000_000  # with walls: corridor cells times cells
_PIECE = 100  # corridor cells whose distances are found at a time
_FAR = 30_000  # out of reach


def matching(warehouse: Warehouse) -> tuple[dict[int, int], int]:
    """The corridor cell of every hole, and what all ways cost together."""
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        raise MissingExtra("forming the blocks from a scattered start", "warehouse") from None
    layout = warehouse.layout
    columns, walls = layout.columns, set(layout.walls)
    holes = np.array([cell for cell, tile in enumerate(warehouse.cells) if tile == 0 and cell not in walls])
    if len(holes) > MOST_HOLES:
        raise BadInput(f"{len(holes):,} empty cells to match: expected at most {MOST_HOLES:,}")
    targets = np.array(layout.corridors)
    if walls:
        cost = past_walls(layout)[:, holes].T.astype(np.int64)
        cost[cost == _FAR] = len(targets) * _FAR  # regions hold as many holes as they need, so that none is chosen
    else:
        cost = np.abs(holes[:, None] // columns - targets[None, :] // columns)
        cost += np.abs(holes[:, None] % columns - targets[None, :] % columns)
    rows, chosen = linear_sum_assignment(cost)
    pairs = zip(holes[rows].tolist(), targets[chosen].tolist(), strict=True)
    return dict(pairs), int(cost[rows, chosen].sum())


def past_walls(layout: Layout) -> NDArray[np.int16]:
    """How far every cell is from every corridor cell."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    size, corridors = layout.rows * layout.columns, layout.corridors
    if len(corridors) * size > MOST_FAR:
        raise BadInput(f"a scattered start with walls on {layout.rows}×{layout.columns} cells: expected fewer")
    pairs = [(cell, other) for cell, others in enumerate(neighbours(layout)) for other in others]
    ends = np.array(pairs, np.int64).reshape(-1, 2).T
    graph = csr_array((np.ones(len(pairs), np.int8), (ends[0], ends[1])), shape=(size, size))
    far = np.empty((len(corridors), size), np.int16)
    for k in range(0, len(corridors), _PIECE):
        found = dijkstra(graph, indices=corridors[k : k + _PIECE], unweighted=True)
        far[k : k + _PIECE] = np.minimum(found, _FAR)
    return far


def form(warehouse: Warehouse) -> Iterator[tuple[int, int]]:
    """The moves of tiles, from and to, that form the blocks: as many as the matching costs."""
    target_of, left = matching(warehouse)
    layout = warehouse.layout
    columns, walls = layout.columns, set(layout.walls)
    if walls:
        far, place, beside = past_walls(layout), {c: k for k, c in enumerate(layout.corridors)}, neighbours(layout)
    for cell, tile in enumerate(warehouse.cells):
        if tile == 0 and cell not in walls:
            target_of.setdefault(cell, cell)  # a hole without a target stays

    def nearer(hole: int, target: int) -> list[int]:
        """What the next steps of a hole can add."""
        if walls:
            to = far[place[target]]
            return [other - hole for other in beside[hole] if to[other] < to[hole]]
        down, right = target // columns - hole // columns, target % columns - hole % columns
        return ([columns if down > 0 else -columns] if down else []) + ([1 if right > 0 else -1] if right else [])

    waiting = [hole for hole, target in target_of.items() if hole != target]
    while waiting:
        hole = waiting.pop()
        if hole not in target_of:
            continue
        target = target_of[hole]
        while hole != target:
            steps = nearer(hole, target)
            ahead = next((hole + step for step in steps if hole + step not in target_of), hole + steps[0])
            if ahead in target_of:  # another hole: it takes over the way, and this one its target
                target_of[hole], target_of[ahead] = target_of[ahead], target
                if target_of[hole] == ahead and not layout.is_corridor(ahead):
                    target_of[hole] = hole  # the other had none
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
