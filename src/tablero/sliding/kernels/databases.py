"""The pattern databases that are worth keeping: built once, and kept in the user's cache folder with a checksum.

    fifteen       4×4: 6, 6 and 3 tiles, 34 MB, some seconds
    twenty-four   5×5: four times 6 tiles, a minute or two.  Three of the patterns are blocks of 2×3 in a corner, so that one
                  database serves them, turned: two of 127.5 MB in all

A file that is not just as it was written (cut short, changed, of another size) is refused and made again.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from tablero.sliding.kernels import patterns, ranked

Bytes = NDArray[np.uint8]
Tell = Callable[[float], None]

# For 5×5 with the blank last: the block in the first corner, and what is left about the blank.
CORNER, REST = (1, 2, 3, 6, 7, 8), (13, 18, 19, 20, 23, 24)
_TILES = 6
_FIFTEEN, _TWENTY_FOUR = b"tablero patterns 1\n", b"tablero patterns 24 1\n"
_building = threading.Lock()


def cache_file(name: str = "fifteen") -> Path:
    """Where databases are kept: below TABLERO_HOME, or in the user's cache folder."""
    base = os.environ.get("TABLERO_HOME")
    return (Path(base) / "cache" if base else Path(platformdirs.user_cache_dir("tablero"))) / f"{name}.patterns"


def fifteen() -> tuple[Bytes, ...]:
    """The databases of 4×4: from the disk where they are, else built and kept (if the disk lets us)."""
    sizes = [1 << (4 * len(pattern)) for pattern in patterns.FIFTEEN]
    with _building:
        found = load(cache_file(), _FIFTEEN, sizes)
        if found is None:
            found = tuple(patterns.database(4, 4, pattern) for pattern in patterns.FIFTEEN)
            keep(cache_file(), _FIFTEEN, found)
        return found


def twenty_four(tell: Tell = lambda part: None) -> tuple[Bytes, ...]:
    """The databases of 5×5, of the corner's block and of the rest; `tell` hears which part of them is built."""
    with _building:
        path = cache_file("twenty-four")
        found = _ready(path, _stamp(path))
        if found is None:
            found = (
                ranked.database(5, 5, CORNER, lambda part: tell(part / 2)),
                ranked.database(5, 5, REST, lambda part: tell((1 + part) / 2)),
            )
            keep(path, _TWENTY_FOUR, found)
        return found


def twenty_four_is_there() -> bool:
    """Whether the databases of 5×5 are on the disk, as they were written."""
    path = cache_file("twenty-four")
    return _ready(path, _stamp(path)) is not None


def _stamp(path: Path) -> tuple[int, int]:
    """What tells a file from another of the same name."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


@cache
def _ready(path: Path, stamp: tuple[int, int]) -> tuple[Bytes, ...] | None:
    """Read once in a process; again only when the file has changed."""
    return load(path, _TWENTY_FOUR, [ranked.size(25, _TILES)] * 2)


def load(path: Path, head: bytes, sizes: Sequence[int]) -> tuple[Bytes, ...] | None:
    """The databases in a file, or None where it is not there or not as it was written."""
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


def keep(path: Path, head: bytes, databases: Sequence[Bytes]) -> None:
    """Write the file whole or not at all; without it they are built again next time."""
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
