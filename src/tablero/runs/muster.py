"""Who works on a job now: written beside its file while it runs, for those who look on.

    worker    a thread of this machine, or the address of a worker of the cluster
    muster    the workers: what each has in hand and since when, and what it has brought since the coordinator began

These are no books: nothing is decided by them.  They are written whole every other second, and end with the coordinator.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablero.runs.engines import Engine, Promise
    from tablero.runs.lending import Loan
    from tablero.search.base import Outcome

MOST_SHOWN = 1000  # workers
_MOST_BYTES = 1 << 20
_KINDS: dict[str, type] = {"worker": str, "unit": int, "seconds": float, "units": int, "nodes": int, "found": int}


def path_of(job: Path) -> Path:
    """Where the muster of a job is."""
    return job.with_suffix(".workers")


@dataclass(slots=True)
class _Tally:
    """What a worker has brought."""

    units: int = 0
    nodes: int = 0
    found: int = 0


class Muster:
    """See the head of this module."""

    def __init__(self, job: Path | None, scheduler: str) -> None:
        self._path = None if job is None else path_of(job)
        self._scheduler = scheduler
        self._tallies: dict[str, _Tally] = {}

    def book(self, outcome: Outcome) -> None:
        """A worker has brought a unit back."""
        if self._path is None or not outcome.worker:
            return
        tally = self._tallies.setdefault(outcome.worker, _Tally())
        tally.units += 1
        tally.nodes += outcome.nodes
        tally.found += outcome.found

    def write(self, out: Mapping[Promise, Loan], engine: Engine, now: float) -> None:
        """Write who has what in hand.  A disk that is full or a folder that is gone keeps nobody from working."""
        if self._path is None:
            return
        where = engine.where()
        rows: dict[str, dict[str, Any]] = {
            name: {"worker": name, "units": tally.units, "nodes": tally.nodes, "found": tally.found}
            for name, tally in self._tallies.items()
        }
        for promise, loan in out.items():
            name = where.get(promise)
            if name is not None:
                row = rows.setdefault(name, {"worker": name, "units": 0, "nodes": 0, "found": 0})
                row |= {"unit": loan.units[0].id, "seconds": round(now - loan.lent, 3)}
        told = {
            "host": socket.gethostname(),
            "scheduler": self._scheduler,
            "written": time.time(),
            "workers": sorted(rows.values(), key=lambda row: row["worker"])[:MOST_SHOWN],
        }
        fresh = self._path.with_suffix(f".workers-{os.getpid()}")
        with suppress(OSError):
            handle = os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(told, stream)
            fresh.replace(self._path)

    def end(self) -> None:
        """Nobody works any more."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink()


def read(job: Path) -> dict[str, Any]:
    """The muster of a job; empty where there is none, or where what is there is none."""
    try:
        with path_of(job).open("rb") as stream:
            told = json.loads(stream.read(_MOST_BYTES))
        return {
            "host": str(told["host"])[:300],
            "scheduler": str(told["scheduler"])[:300],
            "written": float(told["written"]),
            "workers": [
                {key: kind(row[key]) for key, kind in _KINDS.items() if key in row}
                for row in told["workers"][:MOST_SHOWN]
            ],
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}
