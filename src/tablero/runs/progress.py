"""One line that tells how a search is going, and the notice that something is being compiled."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from tablero.runs.coordinator import Snapshot

_QUIET_AT_FIRST = 0.5  # seconds before the line appears: short searches show none
_GLANCE = 1.5  # seconds: a kernel that is only loaded takes less, even on a busy machine
_LOG_EVERY = 30.0  # seconds between lines where they cannot be overwritten


def short_number(value: float) -> str:
    """Three digits and a unit: 950, 12.3k, 4.56M."""
    for unit in ("", "k", "M", "G", "T", "P"):
        if abs(value) < 999.5 or unit == "P":
            digits = 0 if not unit else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
            return f"{value:.{digits}f}{unit}"
        value /= 1000
    raise AssertionError


def short_time(seconds: float) -> str:
    """Seconds as 0.3 s, 12 s, 3 min 20 s, 5 h 10 min or 12 days."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    if seconds < 48 * 3600:
        return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:.0f} min"
    days = seconds / 86400
    return f"{short_number(days)} days" if days < 1e6 else "ages"


def line(snapshot: Snapshot) -> str:
    """Fraction, speed, answers and the time that is left if the rest goes as what is done."""
    totals = snapshot.totals
    parts = [
        f"{100 * totals.fraction:.2f} %",
        f"{short_number(snapshot.nodes_here / max(snapshot.seconds, 1e-9))} nodes/s",
        f"{totals.found:,} found" if totals.best is None else f"best {totals.best:,}",
    ]
    gained = totals.fraction - snapshot.fraction_here
    if gained > 1e-6:
        parts.append(f"about {short_time(snapshot.seconds * (1 - totals.fraction) / gained)} left")
    if totals.aside:
        parts.append(f"{totals.aside} units set aside")
    return "  ".join(parts)


class ProgressLine:
    """Shows snapshots on a terminal by overwriting one line, elsewhere as a line now and then."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._live = self._out.isatty()
        self._shown = False
        self._next = _QUIET_AT_FIRST if self._live else _LOG_EVERY

    def __call__(self, snapshot: Snapshot) -> None:
        if snapshot.seconds < self._next:
            return
        if self._live:
            self._out.write(f"\r\x1b[K{line(snapshot)}")
        else:
            self._out.write(line(snapshot) + "\n")
            self._next = snapshot.seconds + _LOG_EVERY
        self._out.flush()
        self._shown = True

    def clear(self) -> None:
        """Take the line away again."""
        if self._live and self._shown:
            self._out.write("\r\x1b[K")
            self._out.flush()


@contextmanager
def compiling(what: str, out: TextIO | None = None) -> Iterator[None]:
    """Say what is being waited for when the work inside takes longer than a glance."""
    stream = out or sys.stderr
    told = threading.Event()

    def tell() -> None:
        told.set()
        stream.write(f"compiling {what}, once on this machine …\n")
        stream.flush()

    timer = threading.Timer(_GLANCE, tell)
    timer.daemon = True
    began = time.monotonic()
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if told.is_set():
            stream.write(f"compiled in {time.monotonic() - began:.1f} s\n")
            stream.flush()
