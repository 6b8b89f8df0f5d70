"""A limit on what a warm process does for one request: compiling does not count, since it is done once and then kept.

A kernel does not hear the alarm; those of this project come back to Python many times a second.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

_LOOK = 0.25  # seconds between two looks at the clock


class TimeIsUp(BaseException):
    """Raised in the midst of whatever goes on: no handler of ordinary errors may swallow it."""


class _Compiling:
    """How long this process has compiled.  One function may be compiled within another."""

    def __init__(self) -> None:
        self.depth = 0
        self._since = self._spent = 0.0

    def begin(self) -> None:
        if self.depth == 0:
            self._since = time.monotonic()
        self.depth += 1

    def end(self) -> None:
        self.depth -= 1
        if self.depth == 0:
            self._spent += time.monotonic() - self._since

    @property
    def seconds(self) -> float:
        return self._spent + (time.monotonic() - self._since if self.depth else 0.0)


@cache
def _compiling() -> _Compiling:
    """The clock of this process, which numba moves."""
    from numba.core import event

    clock = _Compiling()

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            clock.begin()

        def on_end(self, event: Any) -> None:
            clock.end()

    register: Callable[..., None] = event.register  # not typed
    register("numba:compile", Listener())
    return clock


@contextmanager
def within(seconds: float, tell: Callable[[bool], None] = lambda compiling: None) -> Iterator[None]:
    """Raise TimeIsUp when the work within takes longer, compiling left out.  For the main thread of a process.

    `tell` hears at every look at the clock whether something is being compiled.
    """
    compiling = _compiling()
    began, compiled = time.monotonic(), compiling.seconds

    def look(number: int, frame: FrameType | None) -> None:
        tell(compiling.depth > 0)
        if not compiling.depth and time.monotonic() - began - (compiling.seconds - compiled) > seconds:
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
