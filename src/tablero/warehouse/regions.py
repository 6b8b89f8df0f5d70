"""Parts of a floor that walls cut off from each other: nothing ever goes from one to another.

So every region must hold, at the start, just the tiles that its slots must hold.  Where one does not, that is a proof that
the tiles cannot be put in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tablero.warehouse.puzzle import Layout, Warehouse


def neighbours(layout: Layout) -> list[tuple[int, ...]]:
    """The cells beside each cell that are on the floor and no walls."""
    rows, columns, walls = layout.rows, layout.columns, set(layout.walls)
    found: list[tuple[int, ...]] = []
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        beside = (
            (row > 0, cell - columns), (row + 1 < rows, cell + columns), (column + 1 < columns, cell + 1),
            (column > 0, cell - 1),
        )  # fmt: skip
        found.append(() if cell in walls else tuple(b for on, b in beside if on and b not in walls))
    return found


def regions(layout: Layout) -> list[int]:
    """The number of the region of every cell; −1 for walls."""
    if not layout.walls:
        return [0] * (layout.rows * layout.columns)
    beside, found, count = neighbours(layout), [-1] * (layout.rows * layout.columns), 0
    walls = set(layout.walls)
    for first in range(len(found)):
        if found[first] < 0 and first not in walls:
            found[first] = count
            queue = [first]
            for cell in queue:
                for other in beside[cell]:
                    if found[other] < 0:
                        found[other] = count
                        queue.append(other)
            count += 1
    return found


def goal_cells(warehouse: Warehouse) -> list[int]:
    """What every cell of the floor must hold."""
    found = [0] * len(warehouse.cells)
    for slot, tile in zip(warehouse.layout.slots, warehouse.wanted, strict=True):
        found[slot] = tile
    return found


def misplaced(warehouse: Warehouse) -> bool:
    """Whether a region has other tiles than it must hold: then nothing can be done."""
    if not warehouse.layout.walls:
        return False
    where = regions(warehouse.layout)

    def held(cells: Sequence[int]) -> Counter[tuple[int, int]]:
        return Counter((region, tile) for region, tile in zip(where, cells, strict=True) if tile)

    return held(warehouse.cells) != held(goal_cells(warehouse))
