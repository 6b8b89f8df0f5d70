"""Are the moves legal, and is everything in place?  Played one by one: nothing of the planners is used.

`fault` plays moves on a dictionary.  `played` does the same on arrays, compiled, for plans of millions of moves.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import kernel
from tablero.warehouse.puzzle import Warehouse
from tablero.words import out_of_place


def fault(warehouse: Warehouse, moves: Iterable[tuple[int, int, int]]) -> str | None:
    """What is wrong with moves of (tile, from, to), or None when all are legal and every slot has what it must hold."""
    rows, columns = warehouse.layout.rows, warehouse.layout.columns
    standing = {cell: tile for cell, tile in enumerate(warehouse.cells) if tile}
    walls = set(warehouse.layout.walls)
    number = 0
    for number, (tile, source, target) in enumerate(moves, 1):
        if standing.get(source) != tile:
            return f"move {number}: tile {tile} is not on cell {source}"
        if not 0 <= target < rows * columns or target in standing or target in walls:
            return f"move {number}: cell {target} is not free"
        down, right = abs(source // columns - target // columns), abs(source % columns - target % columns)
        if down + right != 1:
            return f"move {number}: cells {source} and {target} are not neighbours"
        del standing[source]
        standing[target] = tile
    wrong = sum(standing.get(cell, 0) != tile for cell, tile in _goal(warehouse))
    return out_of_place(wrong, "slot", number)


def _goal(warehouse: Warehouse) -> list[tuple[int, int]]:
    """The cells of the blocks, and what they must hold: 0 where the tiles do not suffice."""
    rows, columns, step = warehouse.layout.rows, warehouse.layout.columns, warehouse.layout.side + 1
    walls = set(warehouse.layout.walls)
    cells = [k for k in range(rows * columns) if k // columns % step and k % columns % step and k not in walls]
    tiles = len([tile for tile in warehouse.cells if tile])
    return [(cell, warehouse.goal[k] if warehouse.goal else k + 1 if k < tiles else 0) for k, cell in enumerate(cells)]


class Board:
    """A floor on which moves are played in pieces, so that the caller can look at the clock in between."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self.cells = np.array(warehouse.cells, np.int32)
        self.cells[list(warehouse.layout.walls)] = -1
        self.made = 0

    def play(self, sources: NDArray[np.int32], targets: NDArray[np.int32], tiles: NDArray[np.int32]) -> str | None:
        """Play moves, and write down which tile each moves; what is wrong with the first that cannot be made."""
        made = int(played(self.cells, self.warehouse.layout.columns, sources, targets, tiles))
        self.made += made
        if made < len(sources):
            return f"move {self.made + 1} from cell {sources[made]} to cell {targets[made]} is not legal"
        return None

    def fault(self) -> str | None:
        """Whether everything is in place."""
        cells, wanted = (np.array(part) for part in zip(*_goal(self.warehouse), strict=True))
        wrong = int((self.cells[cells] != wanted).sum())
        return out_of_place(wrong, "slot", self.made)


@kernel
def played(
    cells: NDArray[np.int32],
    columns: int,
    sources: NDArray[np.int32],
    targets: NDArray[np.int32],
    tiles: NDArray[np.int32],
) -> int:
    """Play moves until one is not legal; return how many were."""
    for k in range(len(sources)):
        a, b = np.int64(sources[k]), np.int64(targets[k])
        if not (0 <= a < len(cells) and 0 <= b < len(cells)) or cells[a] <= 0 or cells[b] != 0:
            return k
        if abs(a // columns - b // columns) + abs(a % columns - b % columns) != 1:
            return k
        tiles[k] = cells[a]
        cells[b] = cells[a]
        cells[a] = 0
    return len(sources)
