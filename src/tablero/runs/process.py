"""The process that works on a job, identified so that no other process is mistaken for it or gets its signal.

    birth      the seconds from the start of the machine to the start of the process
    owner      the process that works on a job, as its file says: number, machine, birth, and the last heartbeat
    heartbeat  the time that the owner writes into the file every other second

A process number alone does not identify a process: numbers are reused, and a file may contain any number.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from tablero.runs.jobfile import harden

_BEAT = 2.0  # seconds between two heartbeats
_ALIVE = 10.0  # seconds without a heartbeat after which a coordinator is taken for dead
_SKEW = 5.0  # seconds that the clock of another machine may be ahead


class Owner(NamedTuple):
    """The process that works on a job; all fields are None if there is none."""

    pid: int | None = None
    host: str | None = None
    birth: str | None = None
    seen: float | None = None

    @property
    def is_here(self) -> bool:
        """Whether it is a process of this machine."""
        return self.host == socket.gethostname()

    @property
    def is_me(self) -> bool:
        """Whether it is this process."""
        return self.is_here and self.pid == os.getpid() and self.birth == birth_of(os.getpid())

    def is_alive(self, now: float | None = None) -> bool:
        """Whether its last heartbeat is recent and, on this machine, whether the process exists."""
        if self.pid is None or self.seen is None:
            return False
        if not -_SKEW <= (time.time() if now is None else now) - self.seen <= _ALIVE:
            return False
        return not self.is_here or (self.birth is not None and birth_of(self.pid) == self.birth)

    def interrupt(self, file: Path) -> bool:
        """Ask the process to stop.

        Returns False if the process is gone, belongs to another user, or does not have the job's file open.  The last is
        checked because a file from elsewhere may name any process.
        """
        import psutil

        if not self.is_here or self.pid is None or self.pid <= 1 or self.birth is None:
            return False
        try:
            process = psutil.Process(self.pid)
            files = {opened.path for opened in process.open_files()}
            if birth_of(self.pid) != self.birth or str(file.resolve()) not in files:
                return False
            process.terminate()  # not SIGINT: a job in the background may ignore it
        except (psutil.Error, ValueError):
            return False
        return True


def this_process() -> Owner:
    return Owner(os.getpid(), socket.gethostname(), birth_of(os.getpid()), time.time())


def birth_of(pid: int) -> str | None:
    """The birth of a running process; None if there is no process of this number."""
    import psutil

    try:
        process = psutil.Process(pid)
        if process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
            return None
        # Counted from the start of the machine, as setting the clock changes the time of day.
        return f"{process.create_time() - psutil.boot_time():.2f}"
    except (psutil.Error, ValueError):
        return None


class Heartbeat:
    """A thread that writes heartbeats into a job's file while this process owns the job.

    It is needed while kernels are compiled and models are built, when the coordinator does not write.
    """

    def __init__(self, path: Path) -> None:
        self._address = f"{path.absolute().as_uri()}?mode=rw"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        pid, host, birth, _ = this_process()
        while not self._over.wait(_BEAT):
            # A heartbeat may fail, as while the coordinator writes or if the disk is full; the next one is tried as usual.
            with suppress(sqlite3.Error, OSError), closing(self._connect()) as db:
                harden(db)
                db.execute("PRAGMA synchronous = NORMAL")  # a heartbeat need not survive a power cut
                place = "WHERE pid = ? AND host = ? AND birth IS ?"
                db.execute(f"UPDATE job SET seen = ? {place}", (time.time(), pid, host, birth))

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._address, uri=True, timeout=1, isolation_level=None)

    def end(self) -> None:
        self._over.set()
        self._thread.join()
