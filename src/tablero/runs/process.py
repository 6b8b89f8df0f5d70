"""Which process works on a job: told apart from every other one, so that no other is ever taken for it, or signalled.

    birth     a text that no other process of this machine has had since it was switched on: the boot and the moment of
              its start
    owner     who works on a job, as its file says: process, machine, birth, and the last sign of life

A number alone names no process: numbers are used again, and a file may hold any.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

_ALIVE = 10.0  # seconds without a sign of life after which a coordinator is taken for dead
_SKEW = 5.0  # seconds that the clock of another machine may be ahead
_PROC = Path("/proc")


class Owner(NamedTuple):
    """Who works on a job; nothing where nobody does."""

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
        return self.is_here and self.pid == os.getpid() and self.birth == birth_of(os.getpid())

    def is_alive(self, now: float | None = None) -> bool:
        """Whether it gave a sign of life lately and, if it is of this machine, still exists."""
        if self.pid is None or self.seen is None:
            return False
        if not -_SKEW <= (time.time() if now is None else now) - self.seen <= _ALIVE:
            return False
        return not self.is_here or self._exists()

    def _exists(self) -> bool:
        assert self.pid is not None
        if self.pid < 1:
            return False
        if self.birth is not None:
            return birth_of(self.pid) == self.birth
        try:
            os.kill(self.pid, 0)  # an older version of tablero, or a system that tells no births
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            return True
        return True

    def interrupt(self, file: Path) -> bool:
        """Ask this very process to stop; False where it is gone, cannot be told from others, or does not have the job's file
        open: whoever made the file may have put any process's birth into it."""
        if not self.is_here or self.pid is None or self.pid <= 1 or self.birth is None:
            return False
        handle = None
        if sys.platform == "linux":
            # A handle stays with the process: its number may be another's between the look and the signal.
            try:
                handle = os.pidfd_open(self.pid)
            except ProcessLookupError:
                return False
            except OSError:  # not allowed in here
                handle = None
        try:
            if birth_of(self.pid) != self.birth or not _has_open(self.pid, file):
                return False
            # Not SIGINT: a job in the background may not hear it.
            if sys.platform == "linux" and handle is not None:
                signal.pidfd_send_signal(handle, signal.SIGTERM)
            else:
                os.kill(self.pid, signal.SIGTERM)
        except OSError:  # gone, or another user's
            return False
        finally:
            if handle is not None:
                os.close(handle)
        return True


def _has_open(pid: int, file: Path) -> bool:
    """Whether a process has a file open; where the system does not tell, its birth has to do."""
    folder = _PROC / str(pid) / "fd"
    if not (_PROC / "self" / "fd").is_dir():
        return True
    wanted = file.stat()
    for handle in folder.iterdir():
        try:
            found = handle.stat()
        except OSError:  # closed meanwhile
            continue
        if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino):
            return True
    return False


def this_process() -> Owner:
    return Owner(os.getpid(), socket.gethostname(), birth_of(os.getpid()), time.time())


def birth_of(pid: int) -> str | None:
    """The birth of a living process; None where there is none of this number, or the system does not tell."""
    if (_PROC / "self" / "stat").exists():
        return _birth_from_proc(pid)
    return _birth_from_ps(pid)


def _birth_from_proc(pid: int) -> str | None:
    try:
        # The second field, in brackets, may hold anything; the state is the third, the start the 22nd.
        state, *fields = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        return None if state in "ZX" else f"{_boot()} {fields[18]}"
    except (OSError, ValueError, IndexError):
        return None


@cache
def _boot() -> str:
    try:
        return (_PROC / "sys" / "kernel" / "random" / "boot_id").read_text().strip()
    except OSError:
        return ""


def _birth_from_ps(pid: int) -> str | None:
    try:
        told = subprocess.run(
            ["ps", "-o", "stat=,lstart=", "-p", str(pid)],
            env={**os.environ, "LC_ALL": "C", "TZ": "UTC0"},
            capture_output=True,
            text=True,
            check=True,
            timeout=5,
        ).stdout.split()
    except (OSError, subprocess.SubprocessError):
        return None
    return " ".join(told[1:]) if len(told) > 1 and not told[0].startswith("Z") else None
