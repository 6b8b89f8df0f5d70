"""A limit on what a warm process does for one request: compiling does not count, since it is done once and then kept.

A kernel does not hear the alarm; those of this project come back to Python many times a second.  A kernel is compiled once
on a machine, which may take a minute: the process notes how much is left, and the page that waits reads that.
"""

from __future__ import annotations

import json
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from tablero.runs.progress import CompilingEstimate, parts_left

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
def within(seconds: float, report: Callable[[bool], None] = lambda compiling: None) -> Iterator[None]:
    """Raise TimeIsUp when the work within takes longer, compiling left out.  For the main thread of a process.

    `tell` hears at every look at the clock whether something is being compiled.
    """
    compiling = _compiling()
    began, compiled = time.monotonic(), compiling.seconds

    def look(number: int, frame: FrameType | None) -> None:
        report(compiling.depth > 0)
        if not compiling.depth and time.monotonic() - began - (compiling.seconds - compiled) > seconds:
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Notes:
    """A note for every question that is being answered, by the number that the page gave it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tablero-")

    def path(self, number: str) -> str:
        """Where the note of a question stands; nowhere for a question without a number."""
        return str(Path(self._folder.name) / number) if number else ""

    def read(self, number: str) -> dict[str, Any] | None:
        """What is left to compile; None where nothing is compiled."""
        try:
            found: dict[str, Any] = json.loads(Path(self.path(number)).read_text())
        except OSError:
            return None
        return found

    def drop(self, number: str) -> None:
        """The question is answered, or nobody waits any more."""
        if number:
            Path(self.path(number)).unlink(missing_ok=True)

    def close(self) -> None:
        self._folder.cleanup()


class Writer:
    """Writes the note: called now and then, and told whether something is being compiled."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._estimate = CompilingEstimate()
        self._written = False

    def __call__(self, compiling: bool) -> None:
        if compiling:
            self._write()
        elif self._written:
            self._estimate = CompilingEstimate()
            Path(self._path).unlink(missing_ok=True)
        self._written = compiling

    def _write(self) -> None:
        left, parts = parts_left()
        values: dict[str, Any] = {"left": left, "parts": parts}
        if rest := self._estimate.seconds_left(left, parts, time.monotonic()):
            values["seconds"] = round(rest, 1)
        with suppress(OSError):  # a note is no part of the answer
            new = Path(f"{self._path}.new")
            new.write_text(json.dumps(values))
            new.replace(self._path)
