"""Watch all jobs and send their changes to all pages; one reader serves each job, however many pages there are.

    event    the current values of a job, or its removal; numbered, so that a page can request the events it missed
    curve    the history of a job: in memory, and in a small file beside the job for the next server; a file that cannot be
             read is ignored
    trace    the history of a job's annealing, which the job stores itself

Jobs of the page, the command line and the library are alike.  The file of an idle job is read when its size or time has
changed; that of a running job is kept open, and SQLite reports when another process has written.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tablero.errors import JobError
from tablero.runs import jobfile, jobs
from tablero.runs.record import Record
from tablero.search.trace import Point as TracePoint
from tablero.web.starting import Processes

_LOOK = 0.1  # seconds between two checks
_SURE = 1.0  # seconds after which a running job is read again even if unchanged: its process may have died
_KEPT = 2000  # events
_BEHIND = 500  # events that a page may be behind before it gets all jobs again
MOST_PAGES = 200
MOST = 600  # points of a curve; above it, every other point is dropped
_MOST_BYTES = 1 << 18  # size of a curve's file
_SAVE = 2.0  # seconds between two writes

Values = dict[str, Any]


class Event(NamedTuple):
    number: int
    kind: str
    data: str


class _Reader:
    """A running job, kept open."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._record = Record.read(jobs.path_of(name))
        self._version = -1
        self._sure = 0.0
        self.trace: list[TracePoint] = []

    def look(self) -> Values | None:
        """The job's values; None if they are unchanged."""
        now = time.monotonic()
        version = self._record.version()
        if version == self._version and now < self._sure:
            return None
        record = self._record
        values = jobs.Listing.of(record).values()
        if version != self._version:
            self.trace = []
            with suppress(JobError):  # an invalid trace is ignored
                self.trace = record.trace()
        self._version, self._sure = version, now + _SURE
        return {**values, "trials": self.trace[-1].trials} if self.trace else values

    def close(self) -> None:
        self._record.close()


# Seconds of work, fraction, nodes a second, how many are found, best value.
Point = tuple[float, float, float | None, float, float | None]


class _Stored(msgspec.Struct):
    """The file of a curve."""

    job: str
    points: list[Point]


class Curves:
    """The curves of one job."""

    def __init__(self, name: str, job: str) -> None:
        self._path = jobs.path_of(name).with_suffix(".curves")
        self.job = job  # identifies the job, because another one may have had the same name
        self._saved = 0.0
        self._changed = False
        self.points: list[Point] = _read(self._path, job)

    def note(self, values: dict[str, Any]) -> None:
        """Add the job's current values."""
        found = min(values["solutions"], 10**15)
        speed = values.get("nodes_per_second") or None  # 0: no unit has ended since the last read
        self._add((values["seconds"], values["fraction"], speed, found, values.get("best")))
        self.save(over=values["state"] != "running")

    def _add(self, point: Point) -> None:
        if not self.points and point[0]:
            self.points.append((0.0, 0.0, None, 0, None))
        points = self.points
        if points and points[-1] == point:
            return
        if points and points[-1][0] == point[0]:
            speed = points[-1][2] if point[2] is None else point[2]  # keep the last known speed
            points[-1] = (*point[:2], speed, *point[3:])
        else:
            points.append(point)
        if len(points) > MOST:
            self.points = [*points[:-1:2], points[-1]]
        self._changed = True

    def save(self, *, over: bool) -> None:
        """Write the file every `_SAVE` seconds, and when the job is over."""
        now = time.monotonic()
        if not self._changed or (not over and now < self._saved + _SAVE):
            return
        self._saved, self._changed = now, False
        text = json.dumps({"job": self.job, "points": self.points}, separators=(",", ":"))
        with suppress(OSError):  # a full disk or a read-only folder: the curves are in memory only
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=".curves")
            try:
                with os.fdopen(handle, "w") as stream:
                    stream.write(text)
                Path(name).replace(self._path)
            except BaseException:
                Path(name).unlink()
                raise


def _read(path: Path, job: str) -> list[Point]:
    """The points in a file; empty if it is invalid or belongs to another job."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as stream:
            found = msgspec.json.decode(stream.read(_MOST_BYTES), type=_Stored)
    except (OSError, ValueError, RecursionError):
        return []
    return found.points[:MOST] if found.job == job else []


class Watch:
    """Watches all jobs: see the head of this module."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self.jobs: dict[str, Values] = {}
        self.curves: dict[str, Curves] = {}
        self.traces: dict[str, list[TracePoint]] = {}
        self._signs: dict[str, tuple[int, ...]] = {}
        self._readers: dict[str, _Reader] = {}
        # Numbers grow across restarts of the server.
        self._number = int(time.time() * 1000)
        self._events: deque[Event] = deque(maxlen=_KEPT)
        self._pages: set[asyncio.Queue[Event | None]] = set()

    async def run(self) -> None:
        """Check all jobs regularly until cancelled."""
        # One thread, because an SQLite connection belongs to the thread that made it.
        with ThreadPoolExecutor(1, "watch") as thread:
            loop = asyncio.get_running_loop()
            try:
                while True:
                    changed, gone = await loop.run_in_executor(thread, self._look_round)
                    for values in changed:
                        self._report("job", values)
                    for name in gone:
                        self._report("gone", {"name": name})
                    await asyncio.sleep(_LOOK)
            finally:
                thread.submit(self._close)

    def _close(self) -> None:
        for name in list(self._readers):
            self._let_go(name)

    def _look_round(self) -> tuple[list[Values], list[str]]:
        changed: list[Values] = []
        there = {path.stem: path for path in jobs.home().glob("*.job")}
        for name, path in there.items():
            try:
                values = self._look_at(name, path)
            except JobError as error:
                self._let_go(name)
                values = {"name": name, "state": "damaged", "error": str(error)}
            if values is None and self._processes.is_starting(name):
                values = self.jobs.get(name)  # its process has not yet written anything
            if values is not None:
                values = self._with_start(name, values)
            if values is not None and values != self.jobs.get(name):
                self.jobs[name] = values
                self._note(name, values)
                changed.append(values)
        gone = [name for name in self.jobs if name not in there]
        for name in gone:
            self._let_go(name)
            self.jobs.pop(name)
            self.curves.pop(name, None)
            self.traces.pop(name, None)
            self._signs.pop(name, None)
        return changed, gone

    def _with_start(self, name: str, values: Values) -> Values:
        """The values of a job, with the state `starting` until its process has opened the file."""
        if values["state"] in ("running", "finished"):
            self._processes.has_begun(name)
        elif values["state"] == "stopped" and self._processes.is_starting(name):
            self._signs.pop(name, None)  # read it again next time
            return {**values, "state": "starting"}
        return values

    def _look_at(self, name: str, path: Path) -> Values | None:
        reader = self._readers.get(name)
        known = reader is not None
        if reader is None:
            sign = _sign(path)
            if sign == self._signs.get(name):
                return None
            self._signs[name] = sign
            reader = self._readers[name] = _Reader(name)
        values = reader.look()
        if values is not None:
            self.traces[name] = reader.trace
            if values["state"] != "running":
                self._let_go(name)
                if known:
                    self._signs.pop(name, None)  # read it once more when its process has closed it
        return values

    def _let_go(self, name: str) -> None:
        reader = self._readers.pop(name, None)
        if reader is not None:
            reader.close()

    def _note(self, name: str, values: Values) -> None:
        """Add a point to the job's curves."""
        if "fraction" not in values:
            return
        job = f"{values['digest']} {values['created']}"
        curves = self.curves.get(name)
        if curves is None or curves.job != job:
            curves = self.curves[name] = Curves(name, job)
        curves.note(values)

    def _report(self, kind: str, values: Values) -> None:
        self._number += 1
        event = Event(self._number, kind, json.dumps(values))
        self._events.append(event)
        for page in list(self._pages):
            if page.qsize() >= _BEHIND:
                self._pages.discard(page)
                page.put_nowait(None)  # it reconnects and gets all jobs
            else:
                page.put_nowait(event)

    def close(self) -> None:
        """End the event streams of all pages."""
        for page in list(self._pages):
            page.put_nowait(None)

    @property
    def full(self) -> bool:
        return len(self._pages) >= MOST_PAGES

    async def events(self, last: int | None) -> AsyncIterator[Event]:
        """The events from now on, after those since the event `last`, or after one event with all jobs."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        missed = [event for event in self._events if last is not None and event.number > last]
        known = last is not None and (last == self._number or (missed and missed[0].number == last + 1))
        self._pages.add(queue)
        try:
            if known:
                for event in missed:
                    yield event
            else:
                yield Event(self._number, "all", json.dumps({"jobs": list(self.jobs.values())}))
            while (event_or_end := await queue.get()) is not None:
                yield event_or_end
        finally:
            self._pages.discard(queue)


def _sign(path: Path) -> tuple[int, ...]:
    """Times, sizes and inodes of a job's files, which change when they are written."""
    sign = []
    for file in (path, *jobfile.side_files(path)):
        try:
            state = file.stat()
            sign += [state.st_mtime_ns, state.st_size, state.st_ino]
        except OSError:
            sign += [0, 0, 0]
    return tuple(sign)
