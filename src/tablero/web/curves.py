"""Where jobs have been, for curves: kept in memory, and in a small file beside the job, so that a server that is started
again still has them.

    point    [seconds of work, fraction, nodes a second or nothing, found, best value or nothing]

These are no books: nothing is decided by them, and a file that cannot be read is as good as none.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tablero.runs import jobs

Point = list[float | None]
MOST = 600  # points of a curve: when there are more, every other one is left out
_MOST_BYTES = 1 << 18
_WIDTH = 5
_FIRST: Point = [0.0, 0.0, None, 0, None]  # where every job has begun
_SAVE = 2.0  # seconds between two writings


def path_of(name: str) -> Path:
    """Where the curves of a job are."""
    return jobs.path_of(name).with_suffix(".curves")


class Curves:
    """The curves of one job."""

    def __init__(self, name: str, job: str) -> None:
        self._path = path_of(name)
        self.job = job  # which one of that name: another one's curves are not its own
        self._saved = 0.0
        self._changed = False
        self.points: list[Point] = _read(self._path, job)

    def note(self, values: dict[str, Any]) -> None:
        """Where the job is now."""
        found = min(values["solutions"], 10**15)
        speed = values.get("nodes_per_second") or None  # 0: nothing was booked since the last look
        point = [values["seconds"], values["fraction"], speed, found, values.get("best")]
        self._add(point)
        self.save(over=values["state"] != "running")

    def _add(self, point: Point) -> None:
        if not self.points and point[0]:
            self.points.append([*_FIRST])
        points = self.points
        if points and points[-1] == point:
            return
        if points and points[-1][0] == point[0]:
            if point[2] is None:
                point[2] = points[-1][2]  # when nothing was booked, the last speed stays known
            points[-1] = point
        else:
            points.append(point)
        if len(points) > MOST:
            self.points = [*points[:-1:2], points[-1]]
        self._changed = True

    def save(self, *, over: bool) -> None:
        """Write them down now and then, and when the job rests."""
        now = time.monotonic()
        if not self._changed or (not over and now < self._saved + _SAVE):
            return
        self._saved, self._changed = now, False
        text = json.dumps({"job": self.job, "points": self.points}, separators=(",", ":"))
        with suppress(OSError):  # a full disk, a folder that may only be read: then they are in memory alone
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=".curves")
            try:
                with os.fdopen(handle, "w") as stream:
                    stream.write(text)
                Path(name).replace(self._path)
            except BaseException:
                Path(name).unlink()
                raise


def _read(path: Path, job: str) -> list[Point]:
    """What a file has, if it is of this job and sound."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as stream:
            told = json.loads(stream.read(_MOST_BYTES))
        if told["job"] != job:
            return []
        return [_point(point) for point in told["points"][:MOST]]
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return []


def _point(told: Any) -> Point:
    if not isinstance(told, list) or len(told) != _WIDTH or told[0] is None:
        raise ValueError
    for value in told:
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise ValueError
        if value is not None and not math.isfinite(value):
            raise ValueError
    return told
