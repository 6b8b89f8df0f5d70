"""Many answers: they are never all in memory at once.

piece      answers of at most `PIECE` bytes, which are returned by a unit, stored and printed together
modest     answers of at most `MODEST` bytes in all, which are an array in memory
many       more answers than that: an array in an unnamed file, which is deleted with the array
streaming  each piece of many answers is checked as it comes, and passed on at once if no file keeps the answers
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
_MOMENT = 0.05  # seconds that printing a piece should take
_HELD = 1 << 20  # bytes of answers that are kept before the first are passed on: printing them must not take long
MARGIN = 1 << 28  # bytes of a disk that are left free
_WINDOW = 1 << 24  # rows that are compared with each other


def format_size(size: float) -> str:
    """A size with its unit: 12.3 GB."""
    size, unit = scaled(size, ("bytes", "kB", "MB", "GB", "TB", "PB", "EB"))
    return f"{size:.3g} {unit}" if unit != "bytes" else f"{size:.0f} bytes"


def scratch_folder() -> Path:
    """The folder for unnamed files: the one that SQLite uses for its temporary files."""
    for folder in (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp"):
        if folder and Path(folder).is_dir() and os.access(folder, os.W_OK | os.X_OK):
            return Path(folder)
    return Path(tempfile.gettempdir())


def free_space(folder: Path) -> int:
    """Free bytes on the disk of a folder; a huge number if they are unknown."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 1 << 62


def pieces(answers: NDArray[Number]) -> Iterator[NDArray[Number]]:
    """Yield the answers piece by piece.  If they are in a file, the memory of a piece is released after use."""
    step = rows_of_a_piece(answers.shape[1])
    mapped = getattr(answers, "_mmap", None)
    for first in range(0, len(answers), step):
        yield answers[first : first + step]
        if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            mapped.madvise(mmap.MADV_DONTNEED)


def rows_of_a_piece(width: int) -> int:
    return max(1, PIECE // max(4 * width, 1))


def collect(search: Search, store: Record, most: int | None = None) -> Answers:
    """The answers in the order in which a single worker finds them."""
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
    """Yield the first answers, up to this number."""
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
    """Whether two rows are equal; with `sets` also if they have the same numbers in another order.

    Only rows with equal sums of hashes are compared in full.  Very many rows are compared only within windows.
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
    """A search that checks its answers as they come, if they are many.

    Parameters
    ----------
    search
        The search that finds the answers.
    of
        Makes findings of answers, to check them.
    receive
        Gets findings of many answers in order; they are then not kept.
    """

    def __init__(self, search: Search, of: Callable[[Answers], Findings[Any]], receive: Receiver | None) -> None:
        self._search, self._of, self._receive = search, of, receive
        self._held: list[Answers] = []
        self._size = 0
        self._some = 256  # answers that are passed on at a time
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._search, name)

    @property
    def many(self) -> bool:
        """Whether so many answers were found that they are checked as they come."""
        return self._size > (MODEST if self._receive is None else _HELD)

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        if self._receive is not None:  # only as many as take a moment to print: Ctrl-C and the time limit wait for them
            held = max(0, _HELD - self._size) // max(4 * self._search.width, 1)  # these need not be printed yet
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
        """The result of the search, with its answers unless they were passed on.

        Parameters
        ----------
        result
            The result as the coordinator returns it.
        most
            The number of answers that are enough; None for all.
        earlier
            Whether the job has answers of earlier runs, which were not checked in this one.
        """
        if self.many:
            return replace(result, checked=not earlier, streamed=self._receive is not None)
        if self._receive is not None and self._held:
            return replace(result, answers=np.concatenate(self._held)[:most])
        return result
