"""Checks plans by playing the moves one by one.  Nothing is shared with the planners."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import kernel
from tablero.text import out_of_place
from tablero.warehouse.puzzle import Warehouse

_PIECE = 1 << 20  # moves between checks for Ctrl-C

Numbers = NDArray[np.int32]


def play(warehouse: Warehouse, sources: Numbers, targets: Numbers) -> tuple[Numbers, str | None, str | None]:
    """Play the moves: the tile of each, the fault of the first illegal move, and the fault of the final slots."""
    rows, columns, step = warehouse.layout.rows, warehouse.layout.columns, warehouse.layout.side + 1
    cells, tiles = np.array(warehouse.cells, np.int32), np.empty(len(sources), np.int32)
    cells[list(warehouse.walls)] = -1
    row, column = np.divmod(np.arange(rows * columns), columns)
    slots = np.flatnonzero((row % step != 0) & (column % step != 0) & (cells >= 0))
    count = int((cells > 0).sum())
    wanted = warehouse.goal or [*range(1, count + 1), *[0] * (len(slots) - count)]
    for first in range(0, len(sources), _PIECE):
        part = slice(first, first + _PIECE)
        k = first + int(played(cells, columns, sources[part], targets[part], tiles[part]))
        if k < min(part.stop, len(sources)):
            return tiles, f"move {k + 1} from cell {sources[k]} to cell {targets[k]} is not legal", None
    wrong = int((cells[slots] != np.array(wanted)).sum())
    return tiles, None, out_of_place(wrong, "slot", len(sources))


@kernel
def played(
    cells: NDArray[np.int32],
    columns: int,
    sources: NDArray[np.int32],
    targets: NDArray[np.int32],
    tiles: NDArray[np.int32],
) -> int:
    """Play moves until one is illegal; return the number of legal ones."""
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
