"""Answers when there are many: never all of them in memory.

piece     answers of at most `PIECE` bytes: what a unit returns, what is stored and what is printed at a time
modest    what fits into `MODEST` bytes is an array in memory, as ever
many      more than that: an array too, but in a file without a name that vanishes with it
streaming each piece of many is checked as it comes; where nothing keeps the answers, it is passed on at once
"""

from __future__ import annotations

import mmap
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tablero import interrupts
from tablero.errors import BadInput, JobError
from tablero.search.base import PIECE, Answers, Bound, Flag, Orders, Outcome, Search
from tablero.text import scaled

if TYPE_CHECKING:
    from tablero.runs.findings import Findings, Result
    from tablero.runs.record import Record
    from tablero.runs.run import Receiver

Number = TypeVar("Number", bound=np.generic)

MODEST = 1 << 26  # bytes
_MOMENT = 0.05  # seconds in which a piece is printed
_HELD = 1 << 20  # bytes that are kept before the first go to the one who receives them: to tell them must not take long
MARGIN = 1 << 28  # bytes of a disk that are left to others
_WINDOW = 1 << 24  # rows of which no two may be the same


def format_size(size: float) -> str:
    """Bytes in words: 12.3 GB."""
    size, unit = scaled(size, ("bytes", "kB", "MB", "GB", "TB", "PB", "EB"))
    return f"{size:.3g} {unit}" if unit != "bytes" else f"{size:.0f} bytes"


def scratch_folder() -> Path:
    """Where files without a name are kept: the folder that SQLite takes for its own."""
    for folder in (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp"):
        if folder and Path(folder).is_dir() and os.access(folder, os.W_OK | os.X_OK):
            return Path(folder)
    return Path(tempfile.gettempdir())


def free_space(folder: Path) -> int:
    """Bytes that can still be written there."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 1 << 62


def pieces(answers: NDArray[Number]) -> Iterator[NDArray[Number]]:
    """The answers one piece after another; of those in a file, a piece that was looked at takes no memory any more."""
    step = rows_of_a_piece(answers.shape[1])
    mapped = getattr(answers, "_mmap", None)
    for first in range(0, len(answers), step):
        yield answers[first : first + step]
        if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            mapped.madvise(mmap.MADV_DONTNEED)


def rows_of_a_piece(width: int) -> int:
    return max(1, PIECE // max(4 * width, 1))


def collect(search: Search, store: Record, most: int | None = None) -> Answers:
    """The answers in the order in which one worker finds them, however many there were."""
    with store.snapshot():
        try:
            batches = sorted(store.index(search.width), key=lambda batch: search.order(batch.start))
        except JobError:
            raise
        except BadInput as error:
            raise store.damaged(f"a batch begins where none can: {error}") from None
        rows = sum(batch.rows for batch in batches)
        rows = rows if most is None else min(rows, most)
        size = 4 * rows * search.width
        if not size:
            return np.empty((rows, search.width), np.int32)
        bodies = _first(store.bodies((batch.number for batch in batches), search.width), rows)
        if size > MODEST:
            return _in_a_file(bodies, rows, search.width)
        found, place = np.empty((rows, search.width), np.int32), 0
        for body in bodies:
            found[place : place + len(body)] = body
            place += len(body)
        return found


def _first(bodies: Iterator[Answers], rows: int) -> Iterator[Answers]:
    """The first so many answers."""
    for body in bodies:
        interrupts.check()
        yield body[:rows]
        rows -= len(body)
        if rows <= 0:
            return


def _in_a_file(bodies: Iterator[Answers], rows: int, width: int) -> Answers:
    folder, size = scratch_folder(), 4 * rows * width
    free = free_space(folder)
    if size + MARGIN > free:
        raise BadInput(
            f"{rows:,} answers take {format_size(size)}, and {folder} has {format_size(free)} free: "
            "set TMPDIR to a folder with more room"
        )
    with tempfile.TemporaryFile(dir=folder, prefix="tablero-") as file:
        for body in bodies:
            file.write(np.ascontiguousarray(body, np.int32).data)
        file.flush()
        return np.memmap(file, np.int32, "r", shape=(rows, width))


def has_twins(rows: NDArray[np.integer[Any]], *, sets: bool = False) -> bool:
    """Whether two rows are the same; with `sets` also where they hold the same numbers in another order.

    Only rows with equal sums of hashes are compared in full.  Of very many rows, those are compared that lie within a
    window of each other.
    """
    if len(rows) < 2:
        return False
    tags = np.random.default_rng(0).integers(1 << 63, size=rows.shape[1], dtype=np.uint64) | np.uint64(1)
    for first in range(0, len(rows), _WINDOW):
        window = rows[first : first + _WINDOW]
        sums = np.concatenate(
            [_hashed(piece).sum(axis=1) if sets else piece.astype(np.uint64) @ tags for piece in pieces(window)]
        )
        ordered = np.sort(sums)
        if not (ordered[1:] == ordered[:-1]).any():
            continue
        order = np.argsort(sums, kind="stable")
        for k in np.flatnonzero(sums[order[1:]] == sums[order[:-1]]).tolist():
            one, two = window[order[k]], window[order[k + 1]]
            if ((np.sort(one) == np.sort(two)) if sets else (one == two)).all():
                return True
    return False


def _hashed(rows: NDArray[np.integer[Any]]) -> NDArray[np.uint64]:
    """A hash of every number (the finalizer of SplitMix64)."""
    x = rows.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ x >> np.uint64(31))


class StreamingCheck:
    """A search whose answers are kept while they are modest; those of one that finds many are checked as they come.

    Where there is somebody to receive them, they go there then, in order, and are not kept any more.
    """

    def __init__(self, search: Search, of: Callable[[Answers], Findings[Any]], receive: Receiver | None) -> None:
        self._search, self._of, self._receive = search, of, receive
        self._held: list[Answers] = []
        self._size = 0
        self._some = 256  # answers at once, where they are passed on
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._search, name)

    @property
    def many(self) -> bool:
        return self._size > (MODEST if self._receive is None else _HELD)

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        if self._receive is not None:  # no more at once than are told in a moment: Ctrl-C and the time wait for them
            held = max(0, _HELD - self._size) // max(4 * self._search.width, 1)  # so many more need not be told yet
            some = max(self._some, held)
            orders = orders._replace(most=some if orders.most is None else min(some, orders.most))
        outcome = self._search.advance(state, orders, stop, bound)
        if not len(outcome.answers):
            return outcome
        began = time.monotonic()
        with self._lock:
            self._size += outcome.answers.nbytes
            self._held.append(outcome.answers)
            due: list[Answers] = []
            if self.many:
                due, self._held = self._held, due
        for piece in chain.from_iterable(map(pieces, due)):
            found = self._of(piece)
            found.verify()
            if self._receive is not None:
                self._pass_on(found, len(piece), self._receive)
        answers = outcome.answers if self._receive is None else outcome.answers[:0]
        return replace(outcome, answers=answers, beside=time.monotonic() - began)

    def _pass_on(self, found: Findings[Any], rows: int, receive: Receiver) -> None:
        began = time.monotonic()
        receive(found)
        took = (time.monotonic() - began) * self._some / rows
        if took < _MOMENT / 2:
            self._some *= 2
        elif took > 2 * _MOMENT:
            self._some = max(16, self._some // 2)

    def conclude(self, result: Result, most: int | None, *, earlier: bool) -> Result:
        """What became of the search, with its answers if they are still there; `earlier` where some came before."""
        if self.many:
            return replace(result, checked=not earlier, passed=self._receive is not None)
        if self._receive is not None and self._held:
            return replace(result, answers=np.concatenate(self._held)[:most])
        return result
