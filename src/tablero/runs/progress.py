"""Progress of a search: the snapshots that a watcher gets, and the display that shows them to people.

A watcher is any function of a `Snapshot`.  It is called when a kernel is compiled, ten times a second during a search, and
at the end.  `Progress` is the watcher that shows a live line on a terminal and in a notebook, and prints a line now and
then elsewhere.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from tablero.errors import BadInput
from tablero.text import scaled, several, short

if TYPE_CHECKING:
    from rich.live import Live

_QUIET_AT_FIRST = 0.5  # seconds before the line appears: short searches show none
_GLANCE = 1.5  # seconds: a kernel that is only loaded takes less, even on a busy machine
_COUNT_EVERY = 0.5  # seconds between two counts of the parts that are left to compile
_LOG_EVERY = 30.0  # seconds between lines where they cannot be overwritten


@dataclass(frozen=True)
class Snapshot:
    """The progress of a search at one moment, as a watcher gets it.

    Attributes
    ----------
    doing
        What is done now: "searching", or for example "compiling the kernel cover.bits".
    seconds
        Seconds since the work began.
    time_limit
        The time limit in seconds; None if there is none.
    fraction
        The fraction of the search tree that has been searched, from 0 to 1; None if it says nothing about the work left.
    fraction_before
        The fraction at which this run began; more than 0 for a resumed job.
    ends
        Whether the search is over at fraction 1.  It is not if another search follows.
    nodes
        Nodes visited in this run; 0 if their number says nothing.
    found
        Number of answers found.
    best
        The value of the best answer found by an optimisation, else None.
    quarantined
        Number of units that no worker could finish.
    words
        The progress in words, as the family puts it; empty if the family has none.
    remark
        A message to show once.
    over
        Whether this is the last snapshot.
    """

    doing: str = "searching"
    seconds: float = 0.0
    time_limit: float | None = None
    fraction: float | None = None
    fraction_before: float = 0.0
    ends: bool = True
    nodes: int = 0
    found: int = 0
    best: int | None = None
    quarantined: int = 0
    words: str = ""
    remark: str = ""
    over: bool = False


Watcher = Callable[[Snapshot], None]


@dataclass(frozen=True)
class ProgressText:
    """How the progress of a family's search is shown."""

    words: Callable[[int, int | None], str] | None = None  # makes a text of the number found and the best value
    fraction: bool = True  # whether the fraction of the tree says how much is done
    ends: bool = True  # whether the search is over when its tree is searched: not if another tree follows


PLAIN_PROGRESS = ProgressText()


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
    """The progress in one line: how much is done, the speed, and the time left at the average speed so far."""
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
    """Show the progress of a search: pass it as `watch` to `Here`, `Job` or `Grid`.

    A terminal and a notebook show one line that is overwritten.  Any other file gets a line every 30 seconds.

    Parameters
    ----------
    out
        An open text file; standard error if not given.

    Examples
    --------
    >>> import tablero as tb
    >>> tb.cover.generate("pentominoes", "3x20").count(run=tb.Here(watch=tb.Progress())).solutions
    8
    """

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
        self._compiling_shown = self._ready = threading.Event()
        self._thread: threading.Thread | None = None

    def __call__(self, snapshot: Snapshot) -> None:
        if snapshot.doing != self._compiling:
            self._end_compiling()
        if snapshot.remark:
            self._remove_live_line()
            self._print(snapshot.remark)
        elif snapshot.over:
            self._remove_live_line()
        elif snapshot.doing.startswith("compiling"):
            if not self._compiling:
                self._begin_compiling(snapshot.doing)
        elif snapshot.seconds >= self._next:
            self._show(snapshot)

    # Compiling is shown once it takes longer than a glance, with the number of parts left.

    def _begin_compiling(self, what: str) -> None:
        self._remove_live_line()
        self._compiling, self._began = what, time.monotonic()
        self._compiling_shown, self._ready = threading.Event(), threading.Event()
        self._thread = threading.Thread(
            target=self._show_compiling, args=(what, self._compiling_shown, self._ready), daemon=True
        )
        self._thread.start()

    def _show_compiling(self, what: str, shown: threading.Event, ready: threading.Event) -> None:
        estimate = CompilingEstimate()
        wait, said, next_line = _GLANCE, "", _LOG_EVERY
        while not ready.wait(wait):
            wait = _COUNT_EVERY
            seconds = time.monotonic() - self._began
            left, parts = parts_left()
            words = estimate.text(left, parts, seconds)
            shown.set()
            doing = f"{what}, once on this machine …" if words else f"{what.replace('compiling', 'loading', 1)} …"
            if doing != said and (words or not said):
                self._remove_live_line()
                self._print(doing)
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
            self._remove_live_line()
            if self._compiling_shown.is_set():
                self._print(f"ready in {time.monotonic() - self._began:.1f} s")
        self._compiling = ""

    # Printing and the live line.

    def _print(self, text: str) -> None:
        self._out.write(text + "\n")
        self._out.flush()

    def _show(self, snapshot: Snapshot) -> None:
        if not self._alive:
            self._print(line(snapshot))
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

    def _remove_live_line(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


def parts_left() -> tuple[int, int]:
    """The number of kernels and helpers that are still to be compiled, and the number asked for in all."""
    count = getattr(sys.modules.get("tablero.search.compiled"), "parts_left", None)  # not yet, while it is imported
    return (0, 0) if count is None else count()


class CompilingEstimate:
    """Estimates how long the remaining parts take to compile, from the time that the parts so far have taken."""

    def __init__(self) -> None:
        self._known = parts_left()[1]
        self._began: tuple[int, float] | None = None  # parts done and seconds, when compiling was first seen
        self._latest = (0, 0.0)  # parts done and seconds, when a part was last seen done

    def seconds_left(self, left: int, parts: int, seconds: float) -> float | None:
        """Seconds until all is compiled: 0 if unknown or if the estimate has run out; None while kernels are only loaded."""
        if parts <= self._known:
            return None
        if self._began is None:
            self._began = self._latest = (parts - left, seconds)
        elif parts - left > self._latest[0]:
            self._latest = (parts - left, seconds)
        done, took = self._latest[0] - self._began[0], self._latest[1] - self._began[1]
        return max(took * left / done - (seconds - self._latest[1]), 0.0) if done else 0.0

    def text(self, left: int, parts: int, seconds: float) -> str:
        """The parts and the time left in words; empty while kernels are only loaded."""
        rest = self.seconds_left(left, parts, seconds)
        if rest is None:
            return ""
        words = f"{left} of {several(parts, 'part')} left"
        return f"{words}, about {short_time(rest)}" if rest else words


def _picture(snapshot: Snapshot) -> Any:
    """The line, with a bar before it if the fraction is known."""
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
