"""Pattern databases: the least number of moves that some tiles need for any places of the others (Korf and Felner 2002).

    pattern   a few tiles; only their moves are counted, so that the distances of disjoint patterns can be added
    packed    the cells of the pattern's tiles, five bits each; a search updates it with one exclusive or
    rank      the number of a position among all positions of distinct cells: its place in a database of 5×5
    index     the cells with four bits each: the place in a database of up to 16 cells, which is faster to compute
    region    the cells that the blank can reach without moving a tile of the pattern, as a mask of bits

A database is built breadth first from the goal by counted moves, without queues: each level scans all positions.  A
position occurs with several regions of the blank, so that each keeps a mask of the blank's cells that are done, and of
those just reached; one bit marks the level of the latter.  Its distance is that of the first region.

Large databases are built once and kept in the user's cache folder with a checksum:

    fifteen       4×4: 6, 6 and 3 tiles, 34 MB, some seconds
    twenty-four   5×5: four times 6 tiles, a minute or two.  Three of the patterns are blocks of 2×3 in a corner and share
                  one database by rotation: two databases of 127.5 MB each

A file that differs from what was written (truncated, changed) is rejected and built again.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from math import perm
from pathlib import Path
from typing import NamedTuple

import numpy as np
import platformdirs
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel, popcount

Bytes = NDArray[np.uint8]
Report = Callable[[float], None]

UNSEEN = 255
BITS = 5
MOST_CELLS = 25
EIGHT = ((1, 2, 4, 5), (3, 6, 7, 8))  # for 3×3
# For 4×4 with the blank last: 6, 6 and 3 tiles, 34 MB in all.  The partition is Korf and Felner's, turned by 180°.
FIFTEEN = ((15, 11, 10, 7, 6, 3), (9, 8, 5, 4, 2, 1), (14, 13, 12))
# For 5×5 with the blank last: the block in the first corner, and the remaining tiles around the blank.
CORNER, REST = (1, 2, 3, 6, 7, 8), (13, 18, 19, 20, 23, 24)
_PARITY = 31  # the bit of a fresh mask for the parity of its level
_SLICE = 1 << 22  # positions scanned between reports to the caller
_FIFTEEN, _TWENTY_FOUR = b"tablero patterns 1\n", b"tablero patterns 24 1\n"
_building = threading.Lock()


class Work(NamedTuple):
    """Buffers for one database."""

    done: NDArray[np.uint32]  # by rank: cells of the blank
    fresh: NDArray[np.uint32]
    neighbour: NDArray[np.int64]  # cell × move
    cell: NDArray[np.int64]  # of each tile
    counts: NDArray[np.int64]  # the level, positions met so far, fresh ones of this level


@inlined
def rank(packed: int, tiles: int, cells: int) -> int:
    """The number of a position; its first tile is in the lowest five bits."""
    number, used = 0, 0
    for k in range(tiles):
        cell = (packed >> (BITS * k)) & 31
        below = np.int64(popcount(np.uint64(used & ((1 << cell) - 1))))
        number = number * (cells - k) + cell - below  # type: ignore[assignment]
        used |= 1 << cell
    return number


@inlined
def _unrank(work: Work, number: int, tiles: int, cells: int) -> int:
    """Write the cells of a position into `work.cell`; return their mask."""
    for k in range(tiles - 1, -1, -1):
        work.cell[k] = number % (cells - k)
        number //= cells - k
    used = 0
    for k in range(tiles):
        # Turn a place among the free cells into a cell: skip the others.
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
def _scan(work: Work, table: NDArray[np.uint8], tiles: int, columns: int, first: int, upto: int) -> None:
    """Process the fresh positions of this level from `first` to `upto`, and mark those of the next level."""
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


@kernel
def _to_index(work: Work, table: Bytes, out: Bytes, tiles: int) -> None:
    """Write the distances by rank to their indices."""
    for number in range(len(table)):
        _unrank(work, number, tiles, len(work.neighbour))
        index = 0
        for k in range(tiles):
            index |= work.cell[k] << (4 * k)
        out[index] = table[number]


def neighbours(rows: int, columns: int) -> NDArray[np.int64]:
    """For each cell, the cells north, south, east and west of it; −1 off the board."""
    cell = np.arange(rows * columns)
    row, column = np.divmod(cell, columns)
    out = np.stack([cell - columns, cell + columns, cell + 1, cell - 1], axis=1)
    out[row == 0, 0] = out[row == rows - 1, 1] = out[column == columns - 1, 2] = out[column == 0, 3] = -1
    return out


def by_rank(rows: int, columns: int, pattern: Sequence[int], report: Report = lambda part: None) -> Bytes:
    """The distances of a pattern by rank; `report` is called several times a second with the fraction that is done."""
    return _made(rows, columns, pattern, report)[1]


def by_index(rows: int, columns: int, pattern: Sequence[int]) -> Bytes:
    """The distances of a pattern by index."""
    work, table = _made(rows, columns, pattern)
    out = np.full(1 << (4 * len(pattern)), UNSEEN, np.uint8)
    _to_index(work, table, out, len(pattern))
    return out


def _made(rows: int, columns: int, pattern: Sequence[int], report: Report = lambda part: None) -> tuple[Work, Bytes]:
    cells, tiles = rows * columns, len(pattern)
    assert cells <= MOST_CELLS
    count = perm(cells, tiles)
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
            _scan(work, table, tiles, columns, first, min(first + _SLICE, count))
            report(int(work.counts[1]) / count)
        if work.counts[2] == 0:
            return work, table
        work.counts[0] += 1


def cache_file(name: str = "fifteen") -> Path:
    """The file of a database, below TABLERO_HOME or in the user's cache folder."""
    base = os.environ.get("TABLERO_HOME")
    return (Path(base) / "cache" if base else Path(platformdirs.user_cache_dir("tablero"))) / f"{name}.patterns"


def fifteen() -> tuple[Bytes, ...]:
    """The databases of 4×4, read from the disk, or built and stored there if possible."""
    sizes = [1 << (4 * len(pattern)) for pattern in FIFTEEN]
    with _building:
        found = load(cache_file(), _FIFTEEN, sizes)
        return found or keep(cache_file(), _FIFTEEN, tuple(by_index(4, 4, pattern) for pattern in FIFTEEN))


def twenty_four(report: Report = lambda part: None) -> tuple[Bytes, ...]:
    """The databases of 5×5, of the corner's block and of the rest; `report` is called with the fraction built."""
    with _building:
        found = _ready()
        if found is None:
            corner = by_rank(5, 5, CORNER, lambda part: report(part / 2))
            rest = by_rank(5, 5, REST, lambda part: report((1 + part) / 2))
            found = keep(cache_file("twenty-four"), _TWENTY_FOUR, (corner, rest))
        return found


def twenty_four_is_there() -> bool:
    """Whether the databases of 5×5 are on the disk and intact."""
    return _ready() is not None


def _ready() -> tuple[Bytes, ...] | None:
    path = cache_file("twenty-four")
    try:
        status = path.stat()
    except OSError:
        return None
    return _read(path, status.st_size, status.st_mtime_ns)


@cache
def _read(path: Path, size: int, time: int) -> tuple[Bytes, ...] | None:
    """Read the file once in a process, and again only if it has changed."""
    return load(path, _TWENTY_FOUR, [perm(25, len(CORNER))] * 2)


def load(path: Path, head: bytes, sizes: Sequence[int]) -> tuple[Bytes, ...] | None:
    """The databases in a file; None if it is missing or damaged."""
    start = len(head) + 32
    try:
        if path.stat().st_size != start + sum(sizes):  # before anything is read
            return None
        data = path.read_bytes()
    except OSError:
        return None
    body = memoryview(data)[start:]
    if data[: len(head)] != head or len(body) != sum(sizes) or hashlib.sha256(body).digest() != data[len(head) : start]:
        return None
    ends = np.cumsum(sizes)
    return tuple(np.frombuffer(body[end - size : end], np.uint8) for end, size in zip(ends, sizes, strict=True))


def keep(path: Path, head: bytes, databases: tuple[Bytes, ...]) -> tuple[Bytes, ...]:
    """Write the file atomically.  If that fails, the databases are built again next time."""
    digest = hashlib.sha256()
    for table in databases:
        digest.update(table.data)
    scratch = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch.open("wb") as file:
            file.write(head + digest.digest())
            for table in databases:
                file.write(table.data)
        scratch.replace(path)
    except OSError:
        scratch.unlink(missing_ok=True)
    return databases
