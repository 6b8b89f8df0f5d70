"""Moves of a warehouse played one by one on a dictionary."""

from __future__ import annotations

from collections.abc import Iterable

from tablero.text import out_of_place
from tablero.warehouse import Warehouse


def fault(warehouse: Warehouse, moves: Iterable[tuple[int, int, int]]) -> str | None:
    """What is wrong with moves of (tile, from, to), or None when all are legal and every slot has what it must hold."""
    layout = warehouse.layout
    rows, columns, step, walls = layout.rows, layout.columns, layout.side + 1, set(layout.walls)
    standing = {cell: tile for cell, tile in enumerate(warehouse.cells) if tile}
    number = 0
    for number, (tile, source, target) in enumerate(moves, 1):
        if standing.get(source) != tile:
            return f"move {number}: tile {tile} is not on cell {source}"
        if not 0 <= target < rows * columns or target in standing or target in walls:
            return f"move {number}: cell {target} is not free"
        if abs(source // columns - target // columns) + abs(source % columns - target % columns) != 1:
            return f"move {number}: cells {source} and {target} are not neighbours"
        standing[target] = standing.pop(source)
    slots = [k for k in range(rows * columns) if k // columns % step and k % columns % step and k not in walls]
    wanted = warehouse.goal or [tile if tile <= len(standing) else 0 for tile in range(1, len(slots) + 1)]
    wrong = sum(standing.get(cell, 0) != tile for cell, tile in zip(slots, wanted, strict=True))
    return out_of_place(wrong, "slot", number)
