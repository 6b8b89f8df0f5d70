"""Signs of life of a process that has a job: while kernels are compiled and models are made, nobody else writes any."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

from tablero.runs import schema
from tablero.runs.process import this_process

_BEAT = 2.0  # seconds between two of them
_GIVE = "UPDATE job SET seen = ? WHERE pid = ? AND host = ? AND birth IS ?"


class SignsOfLife:
    """A thread that writes into a job's file that its process is there, as long as the file says that it has the job."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._give, name="signs of life", daemon=True)
        self._thread.start()

    def _give(self) -> None:
        pid, host, birth, _ = this_process()
        while not self._over.wait(_BEAT):
            # The coordinator may be writing, or the disk be full, or the file gone: then the next one has to do.
            with (
                suppress(sqlite3.Error, OSError),
                closing(
                    sqlite3.connect(f"{self._path.as_uri()}?mode=rw", uri=True, timeout=1, isolation_level=None)
                ) as db,
            ):
                schema.harden(db)
                db.execute("PRAGMA synchronous = NORMAL")  # it need not survive a power cut
                db.execute(_GIVE, (time.time(), pid, host, birth))

    def end(self) -> None:
        self._over.set()
        self._thread.join()
