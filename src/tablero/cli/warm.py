"""All kernels compiled at once, by processes of their own: Numba compiles one at a time in a process.

What a process compiles it leaves in the cache on disk, where all others find it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context

from tablero.errors import BadInput, MissingExtra
from tablero.families import FAMILIES

MOST_PROCESSES = 16  # of some 300 MB each


def kernel_names() -> Iterator[tuple[str, str]]:
    """The rooms and names of all kernels, as far as the packages that they need are there."""
    for family in FAMILIES:
        try:
            names = list(family.module("solve").kernels())
        except MissingExtra:
            continue
        yield from ((family.name, name) for name in names)


def compile_one(room: str, name: str) -> float:
    """Compile one kernel on a small problem, in this process; the seconds that it took."""
    family = next(family for family in FAMILIES if family.name == room)
    began = time.monotonic()
    family.module("solve").kernels()[name]()
    return round(time.monotonic() - began, 2)


def warm(processes: int | None = None, *, talks: bool = True) -> dict[str, float]:
    """Compile every kernel, several at a time, and count down what is left; seconds for each, in the families' order."""
    kernels = list(kernel_names())
    number = min(processes or os.cpu_count() or 1, MOST_PROCESSES, len(kernels))
    seconds: dict[str, float] = {}
    with workers(number) as pool:
        futures = {pool.submit(compile_one, room, name): name for room, name in kernels}
        counter = _Countdown(len(kernels), number) if talks else None
        try:
            for future in as_completed(futures):
                seconds[futures[future]] = _outcome(future, futures[future])
                if counter:
                    counter.done(futures[future])
        finally:
            if counter:
                counter.end()
    return {name: seconds[name] for _, name in kernels}


@contextmanager
def workers(number: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that work until what was asked of them is done; Ctrl-C ends them at once."""
    pool = ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=_end_silently)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in active_children():
            child.terminate()
        raise
    pool.shutdown()


def _end_silently() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback beside that of the command


def _outcome(future: Future[float], name: str) -> float:
    try:
        return future.result()
    except BrokenProcessPool:
        raise BadInput(
            f"the process that compiled the kernel {name!r} was killed, maybe for want of memory: try --processes 1"
        ) from None


class _Countdown:
    """A line on standard error that tells how many are left, and about how long that takes; without a terminal, lines."""

    def __init__(self, total: int, processes: int) -> None:
        self._total, self._left, self._began = total, total, time.monotonic()
        self._lively = sys.stderr.isatty()
        print(f"compiling {total} kernels, {processes} at a time; once on this machine …", file=sys.stderr, flush=True)

    def done(self, name: str) -> None:
        self._left -= 1
        so_far = time.monotonic() - self._began
        left = so_far / (self._total - self._left) * self._left
        words = f"{self._left} left, about {left:.0f} s" if self._left else f"all done in {so_far:.0f} s"
        start, end = ("\r\x1b[K", "") if self._lively else ("", "\n")
        print(f"{start}{name} is ready; {words}", end=end, file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._lively:
            print(file=sys.stderr)
