"""What all commands share: what their options say of a run, and how answers are printed."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tablero import interrupts
from tablero.cli.plain import plain_json
from tablero.errors import BadInput
from tablero.files import require_writable

if TYPE_CHECKING:
    from tablero.runs.findings import Findings
    from tablero.runs.run import Run
    from tablero.runs.watch import Watcher

_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True)
class Settings:
    """How a search is run and an answer is printed, as the options say."""

    as_json: bool = False
    quiet: bool = False
    threads: int = 1
    time_limit: float | None = None
    node_limit: int | None = None
    job: str = ""
    cluster: str = ""
    tls: str = ""
    insecure: bool = False
    as_lines: bool = False  # JSON too, but lines of it
    unit_nodes: int | None = None
    log: Path | None = None

    @property
    def talks(self) -> bool:
        """Whether remarks are welcome on standard error."""
        return not self.quiet

    def say(self, *lines: str) -> None:
        """Remarks, unless they are unwelcome."""
        if lines and not self.quiet:
            print(*lines, sep="\n", file=sys.stderr)

    @contextmanager
    def compiling(self, what: str) -> Iterator[None]:
        """Say what is compiled when that takes long."""
        from tablero.runs.watch import Snapshot

        watch = self.watcher() or (lambda _: None)
        watch(Snapshot(doing=f"compiling {what}"))
        try:
            yield
        finally:
            watch(Snapshot(over=True))

    def watcher(self) -> Watcher | None:
        """The display of progress."""
        from tablero.runs.progress import Progress

        return None if self.quiet else Progress()

    @classmethod
    def of(
        cls,
        *,
        threads: int = 1,
        time_limit: str | None = None,
        node_limit: int | None = None,
        job: str | None = None,
        cluster: str | None = None,
        tls: str = "",
        insecure: bool = False,
        unit_nodes: int | None = None,
        log: Path | None = None,
        as_json: bool = False,
        as_lines: bool = False,
        quiet: bool = False,
    ) -> Settings:
        if as_json and as_lines:
            raise BadInput("--json is one object, --jsonl is one a line: expected only one of them")
        if job == "":
            raise BadInput("--job '': expected a name of 1 to 64 letters, digits, dots, dashes or underscores")
        if cluster == "":
            raise BadInput("--cluster '': expected HOST:PORT, tls://HOST:PORT or local:N")
        if (tls or insecure) and not cluster:
            raise BadInput(f"{'--tls' if tls else '--insecure'} goes with --cluster")
        if log is not None:
            require_writable(log, option="--log")
        limits = (threads, duration(time_limit), node_limit)
        units: dict[str, Any] = {"as_lines": as_lines, "unit_nodes": unit_nodes, "log": log}
        found = cls(as_json or as_lines, quiet, *limits, job or "", cluster or "", tls, insecure, **units)
        found.run()  # refuses numbers out of range before anything is read
        return found

    def run(self, outlet: Outlet | None = None) -> Run:
        """The runner's word for it; with an outlet, answers that are too many to be kept go there as they come."""
        from tablero.runs.run import Grid, Here, Job

        limits: dict[str, Any] = {"time_limit": self.time_limit, "node_limit": self.node_limit, "watch": self.watcher()}
        limits |= {"unit_nodes": self.unit_nodes, "log": self.log}
        limits |= {"receive": outlet, "brief": True}
        if self.cluster:
            return Grid(self.cluster, tls=self.tls, insecure=self.insecure, job=self.job, **limits)
        if self.job:
            return Job(self.job, threads=self.threads, **limits)
        return Here(threads=self.threads, **limits)


def duration(text: str | None) -> float | None:
    """A time as 60s, 5m, 2h or 1d in seconds; None is no limit."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(s|m|min|h|d|)", text.strip())
    if not found or float(found[1]) == 0:
        raise BadInput(f"the time {text!r}: expected a time above 0 as 60s, 5m, 2h or 1d")
    return float(found[1]) * _SECONDS[found[2]]


# What a command answers


told = False  # whether this command has told what was found, or has begun to
all_told = False  # whether it has told all that it had when Ctrl-C came
known: dict[str, Any] = {}  # of a job, before its search is made again: what its file says


def ended(interrupted: bool) -> int:
    """The status of a command that has told what it found: all it was asked for, or what it had at Ctrl-C."""
    global told, all_told
    told, all_told = told or interrupted, interrupted
    return 130 if interrupted else 0


def print_json(values: dict[str, Any]) -> None:
    global told
    told = True
    # Not json.dump: only the encoder of whole texts is compiled, and answers may come in millions.
    sys.stdout.write(plain_json(json.dumps(values, ensure_ascii=False)) + "\n")


def print_found(found: Findings[Any], settings: Settings, **more: Any) -> None:
    """Findings as JSON, with their answers unless only their number was wanted: one object, or lines; however many."""
    values = {**found.values(), **more}
    if settings.as_lines:
        if found.result.kept and not found.result.passed:
            Outlet(settings)(found)
        print_json(values)
        return
    if not found.result.kept:
        print_json(values)
        return
    global told
    told = True
    if found.result.passed:  # the list was begun with the first of them, and its numbers are known now
        sys.stdout.write("], " + json.dumps(values, ensure_ascii=False)[1:] + "\n")
        return
    with interrupts.Polling():
        sys.stdout.write(json.dumps(values, ensure_ascii=False)[:-1] + ', "answers": ')
        write_list(found, sys.stdout)
        sys.stdout.write("}\n")
        sys.stdout.flush()
        interrupts.check()


def write_list(found: Findings[Any], out: IO[str], edit: Callable[[str], str] = str) -> int:
    """Write the answers as a JSON list, some at a time, until a stop is requested; return how many."""
    number, between = 0, "["
    for text in found.in_json():
        out.write(between + edit(text))
        number, between = number + 1, ", "
        if interrupts.stop_requested():
            break
    out.write("[]" if not number else "]")
    return number


class Outlet:
    """Where answers leave: as JSON lines, as the list that a JSON object begins with, or as the family's lines of text."""

    def __init__(self, settings: Settings, lines: Callable[[Any, int], str] | None = None) -> None:
        self._lines = None if settings.as_json else lines
        self._first, self._form = ('{"answers": [%s', ", %s") if not settings.as_lines else ('{"answer": %s}\n',) * 2
        self._number = 0

    def __call__(self, found: Findings[Any]) -> None:
        """Write all answers; `lines` hears the number of those before."""
        global told
        told = True
        with interrupts.Polling():
            self._write(found)
            interrupts.check()

    def _write(self, found: Findings[Any]) -> None:
        """Write until a stop is requested: no line or object is cut."""
        if self._lines is None:
            for text in found.in_json():
                sys.stdout.write((self._form if self._number else self._first) % text)
                self._number += 1
                if interrupts.stop_requested():
                    break
            return
        for piece in found.pieces():
            sys.stdout.write(self._lines(piece, self._number))
            self._number += len(piece.result.answers)
            if interrupts.stop_requested():
                break
