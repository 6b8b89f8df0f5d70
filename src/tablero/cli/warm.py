"""Compile all kernels in several processes, because Numba compiles one at a time in a process.

The compiled kernels are in the cache on disk, which all processes share.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import NamedTuple

from tablero import interrupts
from tablero.cli.options import MOST_PROCESSES
from tablero.errors import BadInput, MissingExtra
from tablero.families import families
from tablero.runs.progress import short_time

_LOOK_EVERY = 0.5  # seconds between two updates of the terminal

# CPU seconds of a first compilation, to start with the longest and to estimate the time left.  `tablero doctor --warm
# --json` measures them.  Kernels that are not listed take about SHORT seconds.
LONG = {
    "sudoku nets": 21.0,
    "slide table": 19.0,
    "copies laid": 9.8,
    "edges beam": 7.8,
    "slide worst": 7.4,
    "slide optimal": 5.1,
    "sudoku bands": 4.3,
    "queens count by halves": 3.7,
    "edges frame": 3.5,
    "queens anneal": 3.1,
    "cover sparse": 2.8,
    "cover bits": 2.7,
}
SHORT = 1.5


class Took(NamedTuple):
    """The time of compiling a kernel."""

    seconds: float
    cpu_seconds: float


def kernel_names() -> Iterator[tuple[str, str]]:
    """The families and names of all kernels whose packages are installed."""
    for family in families().values():
        if not family.has("solving"):
            continue
        try:
            names = list(getattr(family.module("solving"), "kernels", dict)())
        except MissingExtra:
            continue
        yield from ((family.name, name) for name in names)


def compile_one(family: str, name: str) -> Took:
    """Compile one kernel on a small problem, in this process."""
    solving = families()[family].module("solving")
    began, cpu_began = time.monotonic(), time.process_time()
    solving.kernels()[name]()
    return Took(round(time.monotonic() - began, 2), round(time.process_time() - cpu_began, 2))


def compile_in_turn() -> dict[str, Took]:
    """Compile every kernel in this process, one after another."""
    return {name: compile_one(family, name) for family, name in kernel_names()}


def warm(processes: int | None = None, *, talks: bool = True) -> dict[str, Took]:
    """Compile every kernel, several at a time, with a countdown; return the times in the order of the families."""
    kernels = sorted(kernel_names(), key=lambda kernel: -_cost(kernel[1]))  # the longest first
    number = min(processes or os.cpu_count() or 1, MOST_PROCESSES, len(kernels))
    took: dict[str, Took] = {}
    countdown = Countdown([name for _, name in kernels], number, talks=talks)
    try:
        with workers(number) as pool:
            pending = {pool.submit(compile_one, family, name): name for family, name in kernels}
            while pending:
                for future in wait(pending, _LOOK_EVERY, FIRST_COMPLETED).done:
                    name = pending.pop(future)
                    took[name] = _outcome(future, name)
                    countdown.done(name, took[name].seconds)
                countdown.look()
                interrupts.check()
    finally:
        countdown.end()
    return {name: took[name] for _, name in kernel_names()}


def _cost(name: str) -> float:
    return LONG.get(name, SHORT)


class Countdown:
    """Shows how many kernels are left and the estimated time: an updated line on a terminal, else a line for each kernel."""

    def __init__(self, names: list[str], processes: int, *, talks: bool) -> None:
        self._left = {name: _cost(name) for name in names}
        self._processes = processes
        self._spent = self._expected = 0.0  # seconds that the finished kernels took, and were expected to take
        self._began = self._since = time.monotonic()
        self._talks, self._lively = talks, talks and sys.stderr.isatty()
        kernels = f"compiling {len(names)} kernels, {processes} at a time, once on this machine"
        self._say(f"{kernels}: about {short_time(self.seconds_left())} on idle cores")

    def done(self, name: str, seconds: float) -> None:
        """Record that a kernel was compiled in this time."""
        self._expected += self._left.pop(name)
        self._spent += seconds
        self._since = time.monotonic()
        if not self._lively:
            self._say(f"{name} is ready; {self._words()}")

    def seconds_left(self) -> float:
        """The estimated time of the rest, from the speed so far."""
        slower = self._spent / self._expected if self._expected else 1.0
        whole = max(max(self._left.values(), default=0.0), sum(self._left.values()) / self._processes)
        return max(0.0, slower * whole - (time.monotonic() - self._since))

    def look(self) -> None:
        """Update the line on a terminal."""
        if self._lively:
            print(f"\r\x1b[K{self._words()}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._lively:
            print(file=sys.stderr)

    def _words(self) -> str:
        if not self._left:
            return f"all done in {short_time(time.monotonic() - self._began)}"
        seconds = self.seconds_left()
        return f"{len(self._left)} left" + (f", about {short_time(seconds)}" if seconds else "")

    def _say(self, text: str) -> None:
        if self._talks:
            print(text, file=sys.stderr, flush=True)


@contextmanager
def workers(number: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes; Ctrl-C ends them at once."""
    pool = ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=_end_silently)
    try:
        with _interrupts_blocked():  # a starting process would print a traceback
            for _ in range(number):
                pool.submit(os.getpid)  # starts a process
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in active_children():
            child.kill()  # SIGTERM would only stop a search
        raise
    pool.shutdown()


_CAN_BLOCK = hasattr(signal, "pthread_sigmask")  # not on Windows


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Delay Ctrl-C, also in the processes started meanwhile: see `_end_silently`."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if _CAN_BLOCK else set()
    try:
        yield
    finally:
        if _CAN_BLOCK:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_silently() -> None:
    """Let Ctrl-C end this process without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if _CAN_BLOCK:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _outcome(future: Future[Took], name: str) -> Took:
    try:
        return future.result()
    except BrokenProcessPool:
        raise BadInput(
            f"the process that compiled the kernel {name!r} was killed, maybe for lack of memory: try --processes 1"
        ) from None
