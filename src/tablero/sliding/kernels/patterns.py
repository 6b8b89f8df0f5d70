"""Pattern databases: how many moves some of the tiles need at least, wherever the others are (Korf and Felner 2002).

    pattern   a few tiles; moves of other tiles are not counted, so that the distances of disjoint patterns may be added
    index     the cells of the pattern's tiles, four bits each: boards of up to 16 cells
    region    the cells that the blank can reach without moving a tile of the pattern, as a mask of bits

Made breadth first from the goal, by counted moves.  A position of the pattern is met with several regions of the blank, so
each keeps the mask of the blank's cells that are done; its distance is that of the first region.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel

UNSEEN = 255
EIGHT = ((1, 2, 4, 5), (3, 6, 7, 8))  # for 3×3
# For 4×4 with the blank last: 6, 6 and 3 tiles, 34 MB in all.  The partition is Korf and Felner's, turned by 180°.
FIFTEEN = ((15, 11, 10, 7, 6, 3), (9, 8, 5, 4, 2, 1), (14, 13, 12))


class _Work(NamedTuple):
    """Scratch for one database."""

    done: NDArray[np.uint16]  # by index: cells of the blank
    fresh: NDArray[np.uint16]  # 2 × index: cells met at this level and at the next
    queue: NDArray[np.uint32]  # 2 × positions
    neighbour: NDArray[np.int64]  # cell × move


@inlined
def _flood(mask: np.int64, free: np.int64, columns: int, first: int, last: int) -> np.int64:
    """All free cells that can be reached from those of the mask; `first` and `last` are the columns at the edge."""
    while True:
        wider = mask | (mask << columns) | (mask >> columns) | ((mask & ~last) << 1) | ((mask & ~first) >> 1)
        wider &= free
        if wider == mask:
            return mask
        mask = wider


@kernel
def _fill(work: _Work, table: NDArray[np.uint8], tiles: int, columns: int, start: int, blank: int) -> int:
    """Fill the database from the goal's index and the blank's cell; return how many positions there are."""
    cells = len(work.neighbour)
    first = last = 0
    for edge in range(0, cells, columns):
        first |= 1 << edge
        last |= 1 << (edge + columns - 1)
    work.queue[0, 0] = start
    work.fresh[0, start] = 1 << blank
    here, count, level, positions = 0, 1, 0, 0
    while count > 0:
        following = 0
        for k in range(count):
            index = np.int64(work.queue[here, k])
            met = np.int64(work.fresh[here, index])
            work.fresh[here, index] = 0
            met &= ~np.int64(work.done[index])
            if met == 0:
                continue
            free = np.int64((1 << cells) - 1)
            for tile in range(tiles):
                free &= ~(1 << ((index >> (4 * tile)) & 15))
            region = _flood(met, free, columns, first, last)
            work.done[index] |= np.uint16(region)
            if table[index] == UNSEEN:
                table[index] = level
                positions += 1
            for tile in range(tiles):
                cell = (index >> (4 * tile)) & 15
                for move in range(4):
                    there = work.neighbour[cell, move]
                    if there < 0 or (region >> there) & 1 == 0:
                        continue
                    moved = index ^ ((cell ^ there) << (4 * tile))
                    if (np.int64(work.done[moved]) >> cell) & 1 != 0:
                        continue
                    if work.fresh[1 - here, moved] == 0:
                        work.queue[1 - here, following] = moved
                        following += 1
                    work.fresh[1 - here, moved] |= np.uint16(1 << cell)
        here, count = 1 - here, following
        level += 1
    return positions


def neighbours(rows: int, columns: int) -> NDArray[np.int64]:
    """For every cell the cell north, south, east and west of it, −1 off the board."""
    cell = np.arange(rows * columns)
    row, column = np.divmod(cell, columns)
    out = np.stack([cell - columns, cell + columns, cell + 1, cell - 1], axis=1)
    out[row == 0, 0] = out[row == rows - 1, 1] = out[column == columns - 1, 2] = out[column == 0, 3] = -1
    return out


def database(rows: int, columns: int, pattern: Sequence[int]) -> NDArray[np.uint8]:
    """The distances of a pattern, by index: the first tile in the lowest four bits.  The goal's blank is last."""
    cells, size = rows * columns, 1 << (4 * len(pattern))
    positions = int(np.prod([cells - k for k in range(len(pattern))]))
    work = _Work(
        done=np.zeros(size, np.uint16),
        fresh=np.zeros((2, size), np.uint16),
        queue=np.zeros((2, positions), np.uint32),
        neighbour=neighbours(rows, columns),
    )
    table = np.full(size, UNSEEN, np.uint8)
    start = sum((tile - 1) << (4 * k) for k, tile in enumerate(pattern))
    found = _fill(work, table, len(pattern), columns, start, cells - 1)
    assert found <= positions
    return table
