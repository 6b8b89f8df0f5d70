"""What a run writes beside the store: the worker list of a job, and a log.

The worker list says which unit each worker works on and since when, and what it has done since the coordinator began.  A
worker is a thread of this machine, or the address of a worker of the cluster.  The list is only for display.  It is
rewritten every other second, and removed when the coordinator ends.

The log has JSON lines: one for the setup before a search, one for every unit, and one for every search that ended.

    {"event": "made", "seconds": 0.31}
    {"event": "unit", "unit": 1, "nodes": 5000, "solutions": 12, "seconds": 0.02, "cpu_seconds": 0.02, "left": 1}
    {"event": "search", "kernel": "cover.bits/1", "status": "complete", "nodes": 16101, "solutions": 6720, …}

`seconds` of a unit is the wall time from its submission until its result is stored; `left` is the number of units that its
remainder is divided into.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.runs.engines import Engine, Promise
    from tablero.runs.findings import Result
    from tablero.runs.leases import Lease
    from tablero.search.base import Outcome, Search

MOST_SHOWN = 1000  # workers
_MOST_BYTES = 1 << 20
_TYPES: dict[str, type] = {"worker": str, "unit": int, "seconds": float, "units": int, "nodes": int, "found": int}


def workers_file(job: Path) -> Path:
    """The file with the worker list of a job."""
    return job.with_suffix(".workers")


class WorkerList:
    """Writes the worker list of a job; for a search in memory it writes nothing."""

    def __init__(self, job: Path | None, scheduler: str) -> None:
        self._path = None if job is None else workers_file(job)
        self._scheduler = scheduler
        self._done: dict[str, dict[str, Any]] = {}

    def add(self, outcome: Outcome) -> None:
        """Add a finished unit to the totals of its worker."""
        if self._path is not None and outcome.worker:
            row = self._row_of(self._done, outcome.worker)
            row["units"] += 1
            row["nodes"] += outcome.nodes
            row["found"] += outcome.found

    @staticmethod
    def _row_of(rows: dict[str, dict[str, Any]], worker: str) -> dict[str, Any]:
        return rows.setdefault(worker, {"units": 0, "nodes": 0, "found": 0})

    def write(self, out: Mapping[Promise, Lease], engine: Engine, now: float) -> None:
        """Write the list.  An error of the file system is ignored: the list is not worth stopping a search."""
        if self._path is None:
            return
        where = engine.where()
        rows: dict[str, dict[str, Any]] = {name: dict(row) for name, row in self._done.items()}
        for promise, lease in out.items():
            if (name := where.get(promise)) is not None:
                current = {"unit": lease.units[0].id, "seconds": round(now - lease.began, 3)}
                self._row_of(rows, name).update(current)
        content = {
            "host": socket.gethostname(),
            "scheduler": self._scheduler,
            "written": time.time(),
            "workers": [{"worker": name, **rows[name]} for name in sorted(rows)[:MOST_SHOWN]],
        }
        fresh = self._path.with_suffix(f".workers-{os.getpid()}")
        with suppress(OSError):
            handle = os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(content, stream)
            fresh.replace(self._path)

    def end(self) -> None:
        """Remove the list."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink()


def read_workers(job: Path) -> dict[str, Any]:
    """Read the worker list of a job; empty if there is none, or if the file is not a worker list."""
    try:
        with workers_file(job).open("rb") as stream:
            found = json.loads(stream.read(_MOST_BYTES))
        return {
            "host": str(found["host"])[:300],
            "scheduler": str(found["scheduler"])[:300],
            "written": float(found["written"]),
            "workers": [
                {key: of(row[key]) for key, of in _TYPES.items() if key in row} for row in found["workers"][:MOST_SHOWN]
            ],
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


class Log:
    """The log of one session.  It replaces an existing file."""

    def __init__(self, path: Path) -> None:
        self._path, self._units = path, 0
        try:
            self._file: IO[str] = path.open("w", encoding="utf-8", buffering=1)
        except OSError as error:
            raise self._cannot_write(error) from None

    def _cannot_write(self, error: OSError) -> BadInput:
        return BadInput(f"the log {self._path}: cannot write it: {error.strerror or error}")

    def made(self, seconds: float) -> None:
        self._write("made", seconds=seconds)

    def unit(self, outcome: Outcome, seconds: float, left: int) -> None:
        self._units += 1
        counts = {"unit": self._units, "nodes": outcome.nodes, "solutions": outcome.found}
        self._write("unit", **counts, seconds=seconds, cpu_seconds=outcome.cpu_seconds, left=left)

    def search(self, search: Search, result: Result) -> None:
        counts = {"status": result.status, "nodes": result.nodes, "solutions": result.solutions}
        times = {"seconds": result.seconds, "cpu_seconds": result.cpu_seconds}
        self._write("search", kernel=search.name, **counts, **times, fraction=result.fraction)

    def _write(self, event: str, **values: Any) -> None:
        for key in ("seconds", "cpu_seconds"):
            if key in values:
                values[key] = round(values[key], 6)
        try:
            self._file.write(json.dumps({"event": event, **values}) + "\n")
        except OSError as error:
            raise self._cannot_write(error) from None

    def close(self) -> None:
        self._file.close()
