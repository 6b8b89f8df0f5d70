"""Are the moves legal, and is everything in place?  Played one by one on a dictionary: nothing of the planner is used."""

from __future__ import annotations

from collections.abc import Iterable

from tablero.puzzles.warehouse.puzzle import Warehouse


def fault(warehouse: Warehouse, moves: Iterable[tuple[int, int, int]]) -> str | None:
    """What is wrong with moves of (tile, from, to), or None when all are legal and every tile ends in its slot."""
    rows, columns = warehouse.layout.rows, warehouse.layout.columns
    standing = {cell: tile for cell, tile in enumerate(warehouse.cells) if tile}
    number = 0
    for number, (tile, source, target) in enumerate(moves, 1):
        if standing.get(source) != tile:
            return f"move {number}: tile {tile} is not on cell {source}"
        if not 0 <= target < rows * columns or target in standing:
            return f"move {number}: cell {target} is not free"
        down, right = abs(source // columns - target // columns), abs(source % columns - target % columns)
        if down + right != 1:
            return f"move {number}: cells {source} and {target} are not neighbours"
        del standing[source]
        standing[target] = tile
    step = warehouse.layout.side + 1
    blocks = [cell for cell in range(rows * columns) if cell // columns % step and cell % columns % step]
    wrong = sum(standing.get(cell) != k for k, cell in enumerate(blocks, 1))
    return f"{wrong} tiles are not in their slots after {number} moves" if wrong else None
