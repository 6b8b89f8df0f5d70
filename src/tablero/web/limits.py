"""Time limits for the requests in a warm worker process; compiling does not count, because it happens once.

The alarm cannot interrupt a kernel, but the kernels of this project return to Python many times a second.  Compiling may
take a minute: the worker writes how much is left to a note, which the waiting page reads.
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

_LOOK = 0.25  # seconds between two checks


class TimeIsUp(BaseException):
    """The time limit is exceeded; not an Exception, so that no handler of ordinary errors catches it."""


class _Compiling:
    """The time that this process has spent compiling.  Compilations may be nested."""

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
    """The clock of this process; Numba's events start and stop it."""
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
    """Raise TimeIsUp when the block takes longer, without compiling.  Only for the main thread.

    `report` is called at every check with whether something is being compiled.
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
    """The notes of all open questions, by the identifier that the page chose."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tablero-")

    def path(self, number: str) -> str:
        """The path of a question's note; empty for a question without an identifier."""
        return str(Path(self._folder.name) / number) if number else ""

    def read(self, number: str) -> dict[str, Any] | None:
        """What is left to compile; None if nothing is being compiled."""
        try:
            found: dict[str, Any] = json.loads(Path(self.path(number)).read_text())
        except OSError:
            return None
        return found

    def drop(self, number: str) -> None:
        """Delete the note of a question."""
        if number:
            Path(self.path(number)).unlink(missing_ok=True)

    def close(self) -> None:
        self._folder.cleanup()


class Writer:
    """Writes the note of a question: the `report` of `within`."""

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
        with suppress(OSError):  # the answer does not depend on the note
            new = Path(f"{self._path}.new")
            new.write_text(json.dumps(values))
            new.replace(self._path)
