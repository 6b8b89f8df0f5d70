"""Pattern databases of 5×5: six tiles each, 127,512,000 positions, a byte a position (Korf and Felner 2002).

    packed    the cells of the six tiles, five bits each: what a search keeps, and changes with one exclusive or
    rank      the number of a position among all in which no two tiles share a cell: its place in the database
    region    the cells that the blank can reach without moving a tile of the pattern, as a mask of bits; see `patterns.py`

Made breadth first by counted moves, without queues: the positions are looked through level by level.  Each keeps the mask of
the blank's cells that are done, and of those just reached; that these belong to the next level is marked by one bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel
from tablero.sliding.kernels.patterns import UNSEEN, neighbours

BITS = 5
MOST_CELLS = 25
_PARITY = 31  # the bit of a fresh mask that tells its level
_SLICE = 1 << 22  # positions looked through before the caller is told


class Work(NamedTuple):
    """Scratch for one database."""

    done: NDArray[np.uint32]  # by rank: cells of the blank
    fresh: NDArray[np.uint32]
    neighbour: NDArray[np.int64]  # cell × move
    cell: NDArray[np.int64]  # of each tile
    counts: NDArray[np.int64]  # the level, positions met so far, fresh ones of this level


@inlined
def _bits(mask: int) -> int:
    """How many of the lowest 25 bits are set."""
    mask = mask - ((mask >> 1) & 0x55555555)
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return (mask * 0x01010101 & 0xFFFFFFFF) >> 24


@inlined
def rank(packed: int, tiles: int, cells: int) -> int:
    """The number of a position: its first tile is in the lowest five bits."""
    number, used = 0, 0
    for k in range(tiles):
        cell = (packed >> (BITS * k)) & 31
        number = number * (cells - k) + cell - _bits(used & ((1 << cell) - 1))
        used |= 1 << cell
    return number


@inlined
def _unrank(work: Work, number: int, tiles: int, cells: int) -> int:
    """The cells of a position, into `work.cell`; returns their mask."""
    for k in range(tiles - 1, -1, -1):
        work.cell[k] = number % (cells - k)
        number //= cells - k
    used = 0
    for k in range(tiles):
        # The place among the cells that are free becomes a cell: step over those that are not.
        left, cell = work.cell[k], 0
        while True:
            if (used >> cell) & 1 == 0:
                if left == 0:
                    break
                left -= 1
            cell += 1
        work.cell[k] = cell
        used |= 1 << cell
    return used


@kernel
def _look_through(work: Work, table: NDArray[np.uint8], tiles: int, columns: int, first: int, upto: int) -> None:
    """Take the fresh positions of this level from `first` on, and make those of the next one."""
    cells, level = len(work.neighbour), work.counts[0]
    edge_first = edge_last = 0
    for edge in range(0, cells, columns):
        edge_first |= 1 << edge
        edge_last |= 1 << (edge + columns - 1)
    everything = (1 << cells) - 1
    for number in range(first, upto):
        fresh = np.int64(work.fresh[number])
        if fresh == 0 or (fresh >> _PARITY) != (level & 1):
            continue
        work.fresh[number] = 0
        mask = fresh & everything & ~np.int64(work.done[number])
        if mask == 0:
            continue
        used = _unrank(work, number, tiles, cells)
        free = everything & ~used
        while True:  # the region
            wider = mask | (mask << columns) | (mask >> columns)
            wider |= ((mask & ~edge_last) << 1) | ((mask & ~edge_first) >> 1)
            wider &= free
            if wider == mask:
                break
            mask = wider
        work.done[number] |= np.uint32(mask)
        if table[number] == UNSEEN:
            table[number] = level
            work.counts[1] += 1
        work.counts[2] += 1
        packed = 0
        for k in range(tiles):
            packed |= work.cell[k] << (BITS * k)
        for k in range(tiles):
            cell = work.cell[k]
            for move in range(4):
                there = work.neighbour[cell, move]
                if there < 0 or (mask >> there) & 1 == 0:
                    continue
                moved = rank(packed ^ ((cell ^ there) << (BITS * k)), tiles, cells)
                if (np.int64(work.done[moved]) >> cell) & 1 == 0:
                    met = np.int64(work.fresh[moved]) | (1 << cell) | (((level + 1) & 1) << _PARITY)
                    work.fresh[moved] = np.uint32(met)


def size(cells: int, tiles: int) -> int:
    """How many positions so many tiles have."""
    return int(np.prod([cells - k for k in range(tiles)]))


def database(
    rows: int, columns: int, pattern: Sequence[int], tell: Callable[[float], None] = lambda part: None
) -> NDArray[np.uint8]:
    """The distances of a pattern by rank; `tell` hears several times a second which part of it is done."""
    cells, tiles = rows * columns, len(pattern)
    assert cells <= MOST_CELLS
    count = size(cells, tiles)
    table = np.full(count, UNSEEN, np.uint8)
    work = Work(
        done=np.zeros(count, np.uint32),
        fresh=np.zeros(count, np.uint32),
        neighbour=neighbours(rows, columns),
        cell=np.zeros(tiles, np.int64),
        counts=np.zeros(3, np.int64),
    )
    start = rank(sum((tile - 1) << (BITS * k) for k, tile in enumerate(pattern)), tiles, cells)
    work.fresh[start] = 1 << (cells - 1)  # the goal's blank is last
    while True:
        work.counts[2] = 0
        for first in range(0, count, _SLICE):
            _look_through(work, table, tiles, columns, first, min(first + _SLICE, count))
            tell(int(work.counts[1]) / count)
        if work.counts[2] == 0:
            return table
        work.counts[0] += 1
