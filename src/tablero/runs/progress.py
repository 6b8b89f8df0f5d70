"""The one display of how a search is going: rich's, on a terminal and in a notebook; elsewhere a line now and then.

tb.cover.read("problem.dlx").count(run=tb.Here(watch=tb.Progress()))
"""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Any, TextIO

from tablero.errors import BadInput
from tablero.runs.watch import Snapshot
from tablero.text import scaled, several, short

if TYPE_CHECKING:
    from rich.live import Live

_QUIET_AT_FIRST = 0.5  # seconds before the line appears: short searches show none
_GLANCE = 1.5  # seconds: a kernel that is only loaded takes less, even on a busy machine
_COUNT_EVERY = 0.5  # seconds between two looks at what is left to compile
_LOG_EVERY = 30.0  # seconds between lines where they cannot be overwritten


def short_number(value: float) -> str:
    """Three digits and a unit: 950, 12.3k, 4.56M."""
    value, unit = scaled(value, ("", "k", "M", "G", "T", "P"))
    digits = 0 if not unit else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:.{digits}f}{unit}"


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
    """How far it is, how fast it goes, and the time that is left if the rest goes as what is done."""
    parts = [] if snapshot.doing == "searching" else [snapshot.doing]
    if snapshot.words:
        parts.append(snapshot.words)
    elif snapshot.best is not None:
        parts.append(f"best {snapshot.best:,}")
    elif snapshot.found or not parts:
        parts.append(f"{snapshot.found:,} found")
    if snapshot.fraction is not None:
        parts.append(f"{100 * snapshot.fraction:.2f} %")
    if snapshot.nodes:
        parts.append(f"{short_number(snapshot.nodes / max(snapshot.seconds, 1e-9))} nodes/s")
    if snapshot.time_limit is not None:
        parts.append(f"{snapshot.seconds:.0f} of {snapshot.time_limit:.0f} s")
    gained = 0.0 if snapshot.fraction is None else snapshot.fraction - snapshot.fraction_before
    if snapshot.ends and gained > 1e-6:
        left = snapshot.seconds * (1 - gained - snapshot.fraction_before) / gained
        if snapshot.time_limit is None or left < snapshot.time_limit - snapshot.seconds:
            parts.append(f"about {short_time(left)} left")
    if snapshot.quarantined:
        parts.append(f"{several(snapshot.quarantined, 'unit')} quarantined")
    return " · ".join(parts)


class Progress:
    """A watcher that shows what it hears: give it to `Here`, `Job` or `Grid` as `watch`."""

    def __init__(self, out: TextIO | None = None) -> None:
        if out is not None and not hasattr(out, "write"):
            raise BadInput(f"{short(out)} cannot show progress: expected an open file")
        self._out = out or sys.stderr
        self._notebook = out is None and _in_notebook()
        self._alive = self._notebook or self._out.isatty()
        self._live: Live | None = None
        self._next = _QUIET_AT_FIRST if self._alive else _LOG_EVERY
        self._compiling = ""
        self._began = 0.0
        self._reported = self._ready = threading.Event()
        self._thread: threading.Thread | None = None

    def __call__(self, snapshot: Snapshot) -> None:
        if snapshot.doing != self._compiling:
            self._end_compiling()
        if snapshot.remark:
            self._take_away()
            self._say(snapshot.remark)
        elif snapshot.over:
            self._take_away()
        elif snapshot.doing.startswith("compiling"):
            if not self._compiling:
                self._begin_compiling(snapshot.doing)
        elif snapshot.seconds >= self._next:
            self._show(snapshot)

    # What is being waited for is said when it takes longer than a glance, and then how much of it is left.

    def _begin_compiling(self, what: str) -> None:
        self._take_away()
        self._compiling, self._began = what, time.monotonic()
        self._reported, self._ready = threading.Event(), threading.Event()
        self._thread = threading.Thread(
            target=self._tell_compiling, args=(what, self._reported, self._ready), daemon=True
        )
        self._thread.start()

    def _tell_compiling(self, what: str, reported: threading.Event, ready: threading.Event) -> None:
        pace = CompilingPace()
        wait, said, next_line = _GLANCE, "", _LOG_EVERY
        while not ready.wait(wait):
            wait = _COUNT_EVERY
            seconds = time.monotonic() - self._began
            left, parts = parts_left()
            words = pace.words(left, parts, seconds)
            reported.set()
            doing = f"{what}, once on this machine …" if words else f"{what.replace('compiling', 'loading', 1)} …"
            if doing != said and (words or not said):
                self._take_away()
                self._say(doing)
                said = doing
            elif words and (self._alive or seconds >= next_line):
                next_line = seconds + _LOG_EVERY
                self._show(Snapshot(doing=what, seconds=seconds, words=words))

    def _end_compiling(self) -> None:
        if self._thread is not None:
            self._ready.set()
            if self._thread.is_alive():  # not when Ctrl-C came while it was started
                self._thread.join()
            self._thread = None
            self._take_away()
            if self._reported.is_set():
                self._say(f"ready in {time.monotonic() - self._began:.1f} s")
        self._compiling = ""

    # The line itself.

    def _say(self, text: str) -> None:
        self._out.write(text + "\n")
        self._out.flush()

    def _show(self, snapshot: Snapshot) -> None:
        if not self._alive:
            self._say(line(snapshot))
            self._next = snapshot.seconds + _LOG_EVERY
            return
        picture = _picture(snapshot)
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            console = Console() if self._notebook else Console(file=self._out, stderr=True)
            self._live = Live(
                picture,
                console=console,
                transient=True,
                auto_refresh=False,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        self._live.update(picture, refresh=True)

    def _take_away(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


def parts_left() -> tuple[int, int]:
    """Kernels and their helpers that are still to be compiled, and how many there are."""
    count = getattr(sys.modules.get("tablero.search.compiled"), "parts_left", None)  # not yet, while it is imported
    return (0, 0) if count is None else count()


class CompilingPace:
    """How fast parts are compiled, and how long the rest takes at that pace."""

    def __init__(self) -> None:
        self._known = parts_left()[1]
        self._began: tuple[int, float] | None = None  # parts done and seconds, when compiling was first seen
        self._latest = (0, 0.0)  # the same, when a part was last seen done

    def rest(self, left: int, parts: int, seconds: float) -> float | None:
        """Seconds for what is left; 0 where they are not known, or have run out; None as long as kernels are only loaded."""
        if parts <= self._known:
            return None
        if self._began is None:
            self._began = self._latest = (parts - left, seconds)
        elif parts - left > self._latest[0]:
            self._latest = (parts - left, seconds)
        done, took = self._latest[0] - self._began[0], self._latest[1] - self._began[1]
        return max(took * left / done - (seconds - self._latest[1]), 0.0) if done else 0.0

    def words(self, left: int, parts: int, seconds: float) -> str:
        """The same in words: nothing as long as kernels are only loaded."""
        rest = self.rest(left, parts, seconds)
        if rest is None:
            return ""
        words = f"{left} of {several(parts, 'part')} left"
        return f"{words}, about {short_time(rest)}" if rest else words


def _picture(snapshot: Snapshot) -> Any:
    """A bar where the fraction says something, and the line."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    row = Table.grid(padding=(0, 1))
    words = Text(line(snapshot), no_wrap=True, overflow="ellipsis")
    if snapshot.fraction is None:
        row.add_row(words)
    else:
        row.add_row(ProgressBar(total=1.0, completed=snapshot.fraction, width=20), words)
    return row


def _in_notebook() -> bool:
    """Whether this process is a notebook's kernel."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return type(running).__name__ == "ZMQInteractiveShell"
