"""Forms the blocks of a scattered start, and assigns slots to tiles, both by minimum-cost matchings (scipy).

Forming: every hole goes to a corridor cell.  A move of a tile is a move of a hole by one cell in the other direction.
Forming the blocks therefore takes at least the minimum-cost matching of holes to corridor cells by distance (Manhattan, or
around walls), and this is enough: if the way of a hole meets another hole, the two exchange their targets at no cost, and
the one in front continues.  With fewer tiles than slots, some holes have no target and stay in their block.

Assigning: a tile goes to the slot of its number; if numbers repeat, the sum of the distances is minimised.  Empty slots
count as tiles of number 0, so that every slot has one; their moves are not made.  If walls divide the floor, a tile goes to
a slot of its own region.  For numbers that occur very often, and without scipy, tiles and slots are paired row by row, and
pairs exchange their slots as long as that shortens the ways (2-opt).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput, MissingExtra
from tablero.warehouse.puzzle import Layout, Warehouse

Numbers = NDArray[np.int64]

MOST_MATCHED = 2000
_TRIES = 40  # exchanges that 2-opt tries for each tile
MOST_HOLES = 5000  # the matching needs a matrix of all pairs
MOST_FAR = 100_000_000  # with walls: corridor cells times cells
_PIECE = 100  # corridor cells whose distances are computed together
_FAR = 30_000  # the distance of unreachable cells


def assigned(warehouse: Warehouse, cells: Sequence[int]) -> list[int]:
    """The floor with a unique number for every tile: k + 1 for the tile that goes to slot k."""
    layout = warehouse.layout
    if not warehouse.goal and warehouse.tiles == len(layout.slots):
        return list(cells)
    region = layout.regions
    standing: dict[tuple[int, int], list[int]] = defaultdict(list)
    wanted: dict[tuple[int, int], list[int]] = defaultdict(list)
    for slot, number in zip(layout.slots, warehouse.wanted, strict=True):
        standing[cells[slot], region[slot]].append(slot)
        wanted[number, region[slot]].append(slot)
    place = {slot: k for k, slot in enumerate(layout.slots, 1)}
    found = [0] * len(cells)
    for kind, starts in standing.items():
        # A tile at home stays: moving it costs more than it could save.
        goals = set(wanted[kind])
        home = goals.intersection(starts)
        for slot in home:
            found[slot] = place[slot]
        away, left = [slot for slot in starts if slot not in home], sorted(goals - home)
        for start, goal in _paired(layout, away, left):
            found[start] = place[goal]
    return found


def _paired(layout: Layout, starts: list[int], goals: list[int]) -> list[tuple[int, int]]:
    if len(starts) > 1:
        order: Sequence[int] | Numbers = range(0)
        if len(starts) <= MOST_MATCHED:
            with suppress(ImportError):
                order = _cheapest(_apart(layout, np.array(starts), np.array(goals)))[1]
        goals = [goals[k] for k in (order if len(order) else _improved(layout, starts, goals))]
    return list(zip(starts, goals, strict=True))


def _apart(layout: Layout, a: Numbers, b: Numbers) -> Numbers:
    """The distances between two sets of cells, one row for each cell of the first."""
    (r, c), (s, d) = np.divmod(a[:, None], layout.columns), np.divmod(b[None, :], layout.columns)
    found: Numbers = np.abs(r - s) + np.abs(c - d)
    return found


def _cheapest(cost: Numbers) -> tuple[Numbers, Numbers]:
    """The minimum-cost matching: rows, and the column of each."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(cost)
    return rows, columns


def _improved(layout: Layout, starts: list[int], goals: list[int]) -> list[int]:
    """Improve pairs by 2-opt."""
    columns, choose, order = layout.columns, random.Random(len(starts)), list(range(len(goals)))

    def apart(i: int, j: int) -> int:
        s, g = starts[i], goals[order[j]]
        return abs(s // columns - g // columns) + abs(s % columns - g % columns)

    for _ in range(_TRIES * len(starts)):
        i, j = choose.randrange(len(starts)), choose.randrange(len(starts))
        if apart(i, j) + apart(j, i) < apart(i, i) + apart(j, j):
            order[i], order[j] = order[j], order[i]
    return order


def matching(warehouse: Warehouse) -> tuple[dict[int, int], int]:
    """The corridor cell for every hole, and the total cost."""
    layout, walls = warehouse.layout, set(warehouse.walls)
    holes = np.array([cell for cell, tile in enumerate(warehouse.cells) if tile == 0 and cell not in walls])
    if len(holes) > MOST_HOLES:
        raise BadInput(f"{len(holes):,} empty cells to match: expected at most {MOST_HOLES:,}")
    targets = np.array(layout.corridors)
    if walls:
        cost = past_walls(layout)[:, holes].T.astype(np.int64)
        cost[cost == _FAR] = len(targets) * _FAR  # every region has enough holes, so that no such pair is chosen
    else:
        cost = _apart(layout, holes, targets)
    try:
        rows, chosen = _cheapest(cost)
    except ImportError:
        raise MissingExtra("forming the blocks from a scattered start", "warehouse") from None
    pairs = zip(holes[rows].tolist(), targets[chosen].tolist(), strict=True)
    return dict(pairs), int(cost[rows, chosen].sum())


def past_walls(layout: Layout) -> NDArray[np.int16]:
    """The distance of every cell from every corridor cell, around walls."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    size, corridors = layout.rows * layout.columns, layout.corridors
    if len(corridors) * size > MOST_FAR:
        raise BadInput(f"a scattered start with walls on {layout.rows}×{layout.columns} cells: expected fewer cells")
    pairs = [(cell, other) for cell, others in enumerate(layout.neighbours) for other in others]
    ends = np.array(pairs, np.int64).reshape(-1, 2).T
    graph = csr_array((np.ones(len(pairs), np.int8), (ends[0], ends[1])), shape=(size, size))
    far = np.empty((len(corridors), size), np.int16)
    for k in range(0, len(corridors), _PIECE):
        found = dijkstra(graph, indices=corridors[k : k + _PIECE], unweighted=True)
        far[k : k + _PIECE] = np.minimum(found, _FAR)
    return far


def form(warehouse: Warehouse) -> Iterator[tuple[int, int]]:
    """Yield the moves of tiles that form the blocks; their number is the cost of the matching."""
    target_of, left = matching(warehouse)
    layout = warehouse.layout
    columns, walls = layout.columns, set(layout.walls)
    if walls:
        far, place = past_walls(layout), {cell: k for k, cell in enumerate(layout.corridors)}
    for cell, tile in enumerate(warehouse.cells):
        if tile == 0 and cell not in walls:
            target_of.setdefault(cell, cell)  # a hole without a target stays

    def nearer(hole: int, target: int) -> list[int]:
        """The offsets of the steps of a hole towards a target."""
        if walls:
            to = far[place[target]]
            return [other - hole for other in layout.neighbours[hole] if to[other] < to[hole]]
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
            if ahead in target_of:  # another hole: exchange the targets, and let the other continue
                target_of[hole], target_of[ahead] = target_of[ahead], target
                if target_of[hole] == ahead and not layout.is_corridor(ahead):
                    target_of[hole] = hole  # the other had no target
                if target_of[hole] != hole:
                    waiting.append(hole)
                hole = ahead
                continue
            yield ahead, hole  # the tile goes into the hole
            left -= 1
            del target_of[hole]
            hole = ahead
            target_of[hole] = target
    assert left == 0, "the ways of the holes became longer"
