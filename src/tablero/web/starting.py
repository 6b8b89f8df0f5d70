"""Jobs that the page starts: processes of their own, which go on when the server is closed, killed or crashes.

Each writes what it has to say into a log beside the job's file.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from tablero.errors import JobError
from tablero.runs import jobs, muster

MOST_RUNNING = 16
MOST_THREADS = 256
_ENDING = 5.0  # seconds that a process may take to end
_LOG_SHOWN = 1 << 16  # bytes of the end of a log


def log_of(name: str) -> Path:
    """Where a job's process writes what it has to say."""
    return jobs.path_of(name).with_suffix(".log")


def read_log(name: str) -> str:
    """The end of a job's log."""
    try:
        with log_of(name).open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - _LOG_SHOWN))
            return stream.read().decode(errors="replace")
    except OSError:
        return ""


def free_name(family: str, verb: str) -> str:
    """A name that no job has yet."""
    folder = jobs.home()
    taken = {path.stem for path in folder.glob("*.*")} if folder.is_dir() else set()
    number = 1
    while f"{family}-{verb}-{number}" in taken:
        number += 1
    return f"{family}-{verb}-{number}"


def at_work(name: str, job: dict[str, Any]) -> dict[str, Any]:
    """Who works on a job now, and the commands with which other machines join."""
    path = jobs.path_of(name)
    found = muster.read(path) if job["state"] == "running" else {}
    host = found.get("host") or socket.gethostname()
    tls = "--tls certificates"
    if found.get("scheduler"):
        join = [f"tablero cluster worker {found['scheduler']} {tls}"]
    elif job["state"] == "finished":
        join = []
    else:
        join = [
            *([f"tablero jobs stop {name}"] if job["state"] == "running" else []),
            f"tablero cluster certificates certificates --hosts {host},OTHER",
            f"tablero cluster scheduler --host {host} {tls}",
            f"tablero cluster worker {host}:8786 {tls}",
            f"tablero jobs resume {name} --cluster {host}:8786 {tls}",
        ]
    log = log_of(name)
    return {"at_work": found.get("workers", []), "join": join, "log_size": log.stat().st_size if log.exists() else 0}


class Processes:
    """The processes that this server has started, and that have not yet ended."""

    def __init__(self) -> None:
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, request: dict[str, Any]) -> None:
        """A new job."""
        if os.path.lexists(jobs.path_of(name)):
            raise JobError(f"there is a job {name!r} already: choose another name")
        self._launch(
            name, [sys.executable, "-P", "-m", "tablero.web.work", name], json.dumps(request).encode(), new=True
        )

    def resume(self, name: str, threads: int) -> None:
        """Go on with a job, with the command that a user would give."""
        record = jobs.read_job(name)
        try:
            record.require_idle()
        finally:
            record.close()
        command = [sys.executable, "-P", "-m", "tablero", "jobs", "resume", name, "--threads", str(threads)]
        self._launch(name, command, b"", new=False)

    def _launch(self, name: str, command: list[str], text: bytes, *, new: bool) -> None:
        before = self._running.get(name)
        if before is not None:
            try:
                before.wait(_ENDING)  # its job is idle: it is about to end
            except subprocess.TimeoutExpired:
                raise JobError(f"job {name!r} has just been started") from None
        self.reap()
        if len(self._running) >= MOST_RUNNING:
            raise JobError(f"{MOST_RUNNING} jobs are running already: stop one first")
        log = log_of(name)
        try:
            log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(
                log, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW | (os.O_TRUNC if new else os.O_APPEND), 0o600
            )
        except OSError as error:
            raise JobError(f"cannot write the log {log.name}: {error.strerror or error}") from None
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=handle, stderr=handle, start_new_session=True, close_fds=True
            )
        finally:
            os.close(handle)
        assert process.stdin is not None
        try:
            process.stdin.write(text)
            process.stdin.close()
        except BrokenPipeError:  # it has ended at once; its log says why
            pass
        self._running[name] = process

    def reap(self) -> None:
        """Forget those that have ended."""
        self._running = {name: process for name, process in self._running.items() if process.poll() is None}

    def is_starting(self, name: str) -> bool:
        """Whether its process is there, and its file not yet."""
        self.reap()
        return name in self._running and not os.path.lexists(jobs.path_of(name))


def last_words(name: str) -> str:
    """The last line of a log: what a job that never came to be has died of."""
    lines = [line for line in read_log(name).splitlines() if line.strip()]
    return re.sub(r"^[\d-]+ [\d:]+  ", "", lines[-1])[:300] if lines else ""
