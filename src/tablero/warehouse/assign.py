"""Which tile goes to which slot: by its number, and where numbers repeat so that the ways are short together.

Slots that are empty count as tiles of number 0, so that every slot has one; their moves are not made.  Where walls part the
floor, a tile goes to a slot of its own region.

For numbers that occur up to some thousand times it is the cheapest matching (scipy); for others, and without scipy, tiles
and slots are paired row by row, and pairs exchange their slots as long as that shortens the ways (2-opt).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablero.warehouse.puzzle import Layout, Warehouse
from tablero.warehouse.regions import regions

MOST_MATCHED = 2000
_TRIES = 40  # exchanges looked at a tile, by 2-opt


def assigned(warehouse: Warehouse, cells: Sequence[int]) -> list[int]:
    """The floor with a number of its own for every tile: k + 1 for the one that goes to slot k."""
    layout = warehouse.layout
    if not warehouse.goal and warehouse.tiles == len(layout.slots):
        return list(cells)
    region = regions(layout)
    standing: dict[tuple[int, int], list[int]] = defaultdict(list)
    wanted: dict[tuple[int, int], list[int]] = defaultdict(list)
    for slot, number in zip(layout.slots, warehouse.wanted, strict=True):
        standing[cells[slot], region[slot]].append(slot)
        wanted[number, region[slot]].append(slot)
    place = {slot: k for k, slot in enumerate(layout.slots, 1)}
    found = [0] * len(cells)
    for kind, starts in standing.items():
        # A tile at home stays: leaving and coming back costs more than any way that it could shorten.
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
        a, b = np.array(starts), np.array(goals)
        order = _matched(layout, a, b) if len(starts) <= MOST_MATCHED else None
        goals = b[_improved(layout, a, b) if order is None else order].tolist()
    return list(zip(starts, goals, strict=True))


def _apart(layout: Layout, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    down, right = a // layout.columns - b // layout.columns, a % layout.columns - b % layout.columns
    found: NDArray[np.int64] = np.abs(down) + np.abs(right)
    return found


def _matched(layout: Layout, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64] | None:
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        return None
    _, chosen = linear_sum_assignment(_apart(layout, a[:, None], b[None, :]))
    return np.asarray(chosen, np.int64)


def _improved(layout: Layout, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs by 2-opt."""
    columns, choose = layout.columns, random.Random(len(a))
    starts, goals, order = a.tolist(), b.tolist(), list(range(len(b)))

    def apart(i: int, j: int) -> int:
        s, g = starts[i], goals[order[j]]
        return int(abs(s // columns - g // columns) + abs(s % columns - g % columns))

    for _ in range(_TRIES * len(starts)):
        i, j = choose.randrange(len(starts)), choose.randrange(len(starts))
        if apart(i, j) + apart(j, i) < apart(i, i) + apart(j, j):
            order[i], order[j] = order[j], order[i]
    return np.array(order, np.int64)
