"""Start jobs for the page, in processes of their own, which continue when the server ends.

The output of each process goes to a log beside the job's file.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections import OrderedDict
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import psutil

from tablero.errors import JobError
from tablero.runs import jobs
from tablero.runs.process import birth_of
from tablero.runs.reports import read_workers

MOST_RUNNING = 16
MOST_THREADS = 256
_ENDING = 5.0  # seconds to wait for the end of a process
_REFUSED = 100  # refused jobs that are remembered
_LOG_SHOWN = 1 << 16  # bytes of the end of a log
_NOTHING_YET = {"solutions": 0, "nodes": 0, "seconds": 0.0, "cpu_seconds": 0.0, "fraction": 0.0}


def log_of(name: str) -> Path:
    """The path of a job's log."""
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
    """A name that no job has."""
    folder = jobs.home()
    taken = {path.stem for path in folder.glob("*.*")} if folder.is_dir() else set()
    return next(name for number in count(1) if (name := f"{family}-{verb}-{number}") not in taken)


def require_new(path: Path) -> None:
    """Refuse the name of an existing job."""
    if os.path.lexists(path):
        raise JobError(f"there is a job {path.stem!r} already: choose another name")


def about_to_be(name: str) -> dict[str, Any]:
    """The values of a job whose process has not created its file yet."""
    return {"name": name, "state": "starting", **_NOTHING_YET}


def at_work(name: str, job: dict[str, Any]) -> dict[str, Any]:
    """The workers of a job, and the commands with which other machines join."""
    path = jobs.path_of(name)
    found = read_workers(path) if job["state"] == "running" else {}
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


def _sign_of(name: str) -> Path:
    """The file with the process of a job, for the next server."""
    return jobs.path_of(name).with_suffix(".process")


def _adopt() -> dict[str, psutil.Process]:
    """The running processes that an earlier server has started."""
    found: dict[str, psutil.Process] = {}
    for path in jobs.home().glob("*.process"):
        try:
            with path.open() as stream:
                reported = re.fullmatch(r"([0-9]{1,10}) (.{1,200})\n?", stream.read(300))
        except (OSError, ValueError):
            continue
        with suppress(psutil.Error):
            if reported and birth_of(int(reported[1])) == reported[2]:
                found[path.stem] = psutil.Process(int(reported[1]))
                continue
        path.unlink(missing_ok=True)
    return found


def _has_ended(process: psutil.Process) -> bool:
    try:
        process.wait(0)
    except psutil.TimeoutExpired:
        return False
    return True


class Processes:
    """The running processes that this server or an earlier one has started.

    A job is starting until its process has opened the job's file or has ended.  If the process ends before there is a file,
    the job was refused: its message is kept here, and nothing remains on the disk.
    """

    def __init__(self) -> None:
        self._running: dict[str, psutil.Process] = _adopt()
        self._starting: set[str] = set(self._running)  # until their jobs are seen to run
        self._refused: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.RLock()  # used by the server's thread, those of requests and that of `Watch`

    def start(self, name: str, request: dict[str, Any]) -> None:
        """Start a new job."""
        require_new(jobs.path_of(name))
        self._launch(name, request, new=True)

    def resume(self, name: str, threads: int) -> None:
        """Resume a job."""
        with jobs.read_job(name) as record:
            record.require_idle()
            if jobs.Listing.of(record).state == "finished":
                raise JobError(f"job {name!r} is finished: there is nothing left to do")
        self._launch(name, {"threads": threads}, new=False)

    def stop(self, name: str) -> bool:
        """Interrupt a job as Ctrl-C does, also while it is starting; False if it is not running."""
        with self._lock:
            if self.is_starting(name):
                self._running[name].terminate()
                return True
        return jobs.stop(name)

    def remove(self, name: str) -> None:
        """Delete a job, once its process has ended."""
        with self._lock:
            self.reap()
            if self._refused.pop(name, None) is not None and not os.path.lexists(jobs.path_of(name)):
                return
            if self.is_starting(name):
                raise JobError(f"job {name!r} is starting: stop it first")
            process = self._running.get(name)
        if process is not None and jobs.describe(name).state != "running":
            self._wait_for(name, process)
            self.reap()
        jobs.remove(name)

    def _wait_for(self, name: str, process: psutil.Process) -> None:
        try:
            process.wait(_ENDING)  # its job is idle, so it ends soon
        except psutil.TimeoutExpired:
            raise JobError(f"the process of job {name!r} has not ended yet: stop it first") from None

    def _launch(self, name: str, request: dict[str, Any], *, new: bool) -> None:
        with self._lock:
            before = None if self.is_starting(name) else self._running.get(name)
        if before is not None:
            self._wait_for(name, before)
        with self._lock:
            self.reap()
            if name in self._running:
                raise JobError(f"job {name!r} has just been started")
            if len(self._running) >= MOST_RUNNING:
                raise JobError(f"{MOST_RUNNING} jobs are running already: stop one first")
            self._refused.pop(name, None)
            process = self._running[name] = _spawn(name, json.dumps(request).encode(), new=new)
            self._starting.add(name)
            if birth := birth_of(process.pid):
                with suppress(OSError):  # only the next server needs it
                    _sign_of(name).write_text(f"{process.pid} {birth}\n")

    def reap(self) -> None:
        """Remove the processes that have ended."""
        with self._lock:
            for name in [name for name, process in self._running.items() if _has_ended(process)]:
                del self._running[name]
                self._starting.discard(name)
                _sign_of(name).unlink(missing_ok=True)
                if not os.path.lexists(jobs.path_of(name)):
                    self._refused[name] = last_line(name)
                    log_of(name).unlink(missing_ok=True)
                    while len(self._refused) > _REFUSED:
                        self._refused.popitem(last=False)

    def has_begun(self, name: str) -> None:
        """Record that the job is running."""
        with self._lock:
            self._starting.discard(name)

    def is_starting(self, name: str) -> bool:
        """Whether the job's process runs, but has not opened the job's file yet."""
        with self._lock:
            if name in self._starting:
                self.reap()
            return name in self._starting

    def without_file(self) -> dict[str, dict[str, Any]]:
        """Jobs without a file: starting ones and refused ones."""
        with self._lock:
            self.reap()
            found: dict[str, dict[str, Any]] = {
                name: {"name": name, "state": "ended", "error": words} for name, words in self._refused.items()
            }
            for name in self._starting:
                if not os.path.lexists(jobs.path_of(name)):
                    found[name] = about_to_be(name)
            return found


def _spawn(name: str, request: bytes, *, new: bool) -> psutil.Popen:
    """Start the process of a job in a session of its own; its output goes to the log."""
    log = log_of(name)
    try:
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW | (os.O_TRUNC if new else os.O_APPEND), 0o600)
    except OSError as error:
        raise JobError(f"cannot write the log {log.name}: {error.strerror or error}") from None
    command = [sys.executable, "-P", "-m", "tablero.web.work", name]
    try:
        process = psutil.Popen(
            command, stdin=subprocess.PIPE, stdout=handle, stderr=handle, start_new_session=True, close_fds=True
        )
    finally:
        os.close(handle)
    try:
        process.stdin.write(request)
        process.stdin.close()
    except BrokenPipeError:  # it has already ended; the log has the reason
        pass
    return process


def last_line(name: str) -> str:
    """The last line of a log: the error of a refused job."""
    lines = [line for line in read_log(name).splitlines() if line.strip()]
    return re.sub(r"^[\d-]+ [\d:]+  (refused: )?", "", lines[-1])[:300] if lines else "its process ended at once"
