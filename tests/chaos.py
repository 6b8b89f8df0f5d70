"""A job on a real cluster while its scheduler, workers and coordinator are struck at random, and its exact totals.

    kill      SIGKILL to the scheduler, a worker or the coordinator; whoever supervises them starts them again
    freeze    SIGSTOP to a worker and its nanny, and SIGCONT some seconds later
    start     the coordinator is killed and six are started in its place at once; all but one are refused

A short run of it is a test; `python -m tests.chaos --kills 100` (`make chaos`) is a long one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from tablero.cover import generate, write
from tests.doors import family

KILLS = ("scheduler", "worker", "coordinator")
ALL = (*KILLS, "freeze", "start")
STARTS = 6
REFUSED = ("works on job", "has taken this job over")
EXACT = ("solutions", "nodes", "fraction", "status")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Supervisor:
    """Keeps processes running, as systemd or a batch system would, while someone else kills them."""

    def __init__(self, folder: Path, workers: int, tls: str = "") -> None:
        self.folder = folder
        self.port = free_port()
        self.environment = {**os.environ, "TABLERO_HOME": str(folder / "home")}
        secure = ["--tls", tls] if tls else []
        self.commands = {
            "scheduler": ["cluster", "scheduler", "--port", str(self.port), *secure],
            **{
                f"worker {k}": ["cluster", "worker", f"127.0.0.1:{self.port}", *secure, "--quiet"]
                for k in range(workers)
            },
        }
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self, arguments: list[str], **streams: Any) -> subprocess.Popen[bytes]:
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **streams}
        command = [sys.executable, "-m", "tablero", *arguments]
        return subprocess.Popen(command, env=self.environment, cwd=self.folder, **streams)

    def keep_up(self) -> None:
        """Start what is not running; workers only when there is a scheduler to join."""
        for name, arguments in self.commands.items():
            process = self.running.get(name)
            if (process is None or process.poll() is not None) and (name == "scheduler" or listens(self.port)):
                self.running[name] = self.start(arguments)

    def wait_until_up(self, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and len(self.running) < len(self.commands):
            self.keep_up()
            time.sleep(0.2)

    def stop(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()


class Coordinators:
    """Those who want to work on the job: one, or six at once."""

    def __init__(self, supervisor: Supervisor, arguments: list[str]) -> None:
        self.supervisor, self.arguments = supervisor, arguments
        self.running: list[tuple[subprocess.Popen[bytes], Path]] = []
        self.next_start = 1  # how many are started when none is left
        self.started = self.refused = 0
        self.job, self._epoch = "", 0

    @property
    def has_begun(self) -> bool:
        """Whether one has come through since the last was killed, and all others were refused: else nothing is struck."""
        return len(self.running) == 1 and self._epoch_now() > self._epoch

    def _epoch_now(self) -> int:
        """The number of the job's coordinator."""
        path = self.supervisor.folder / "home" / "jobs" / f"{self.job}.job"
        if not path.exists():
            return 0
        with closing(sqlite3.connect(path)) as db:
            epoch: int = db.execute("SELECT epoch FROM job").fetchone()[0]
        return epoch

    def keep_up(self, job: str) -> list[dict[str, Any]]:
        """Start some when none is left; what those report that have ended well."""
        if job != self.job:
            self.job, self._epoch = job, 0
        reports = []
        for process, path in list(self.running):
            if process.poll() is None:
                continue
            self.running.remove((process, path))
            if process.returncode == 0:
                reports.append(json.loads(path.read_text()))
            self.refused += any(word in path.with_suffix(".err").read_text() for word in REFUSED)
        if not self.running and not reports and listens(self.supervisor.port):
            for _ in range(self.next_start):
                self._start(job)
            self.next_start = 1
        return reports

    def _start(self, job: str) -> None:
        path = self.supervisor.folder / f"coordinator-{self.started}.out"
        self.started += 1
        command = [*self.arguments, "--job", job, "--cluster", self.supervisor.address, "--quiet", "--json"]
        with path.open("wb") as out, path.with_suffix(".err").open("wb") as err:
            self.running.append((self.supervisor.start(command, stdout=out, stderr=err), path))

    def kill(self) -> None:
        for process, _ in self.running:
            process.kill()
            process.wait()
        self._epoch = self._epoch_now()


class Hunt:
    """Strikes something now and then, until it has struck often enough."""

    def __init__(
        self,
        supervisor: Supervisor,
        coordinators: Coordinators,
        strikes: int,
        seed: int,
        pause: tuple[float, float],
        kinds: Sequence[str],
    ) -> None:
        self.supervisor, self.coordinators, self.left, self.pause = supervisor, coordinators, strikes, pause
        self.choose = random.Random(seed)
        self.struck = dict.fromkeys(kinds, 0)
        self.kinds = [*kinds, "worker", "coordinator"]
        self.next = time.monotonic() + self.choose.uniform(*pause)
        self.frozen: list[tuple[float, list[int]]] = []

    def perhaps_strike(self) -> None:
        """Strike whoever it hits, if it is time and he is alive."""
        self.thaw(time.monotonic())
        if not self.left or time.monotonic() < self.next:
            return
        unstruck = [kind for kind, count in self.struck.items() if not count]  # each kind has its turn before the end
        kind = self.choose.choice(unstruck if len(unstruck) >= self.left else self.kinds)
        if self._strike(kind):
            self.struck[kind] += 1
            self.left -= 1
        self.next = time.monotonic() + self.choose.uniform(*self.pause)

    def _strike(self, kind: str) -> bool:
        if kind in ("coordinator", "start"):
            if not self.coordinators.has_begun:
                return False
            if kind == "start":
                self.coordinators.next_start = STARTS
            self.coordinators.kill()
            return True
        victim = kind if kind == "scheduler" else f"worker {self.choose.randrange(2)}"
        process = self.supervisor.running.get(victim)
        if process is None or process.poll() is not None:
            return False
        if kind == "freeze":
            pids = family(process.pid)
            for pid in pids:
                _send(pid, signal.SIGSTOP)
            self.frozen.append((time.monotonic() + self.choose.uniform(1, 15), pids))
        else:
            process.kill()
            process.wait()
        return True

    def thaw(self, now: float) -> None:
        """Wake those whose time has come."""
        for wakes, pids in list(self.frozen):
            if now >= wakes:
                self.frozen.remove((wakes, pids))
                for pid in pids:
                    _send(pid, signal.SIGCONT)


def _send(pid: int, signal_number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal_number)


def hunt(
    folder: Path,
    strikes: int,
    seed: int,
    arguments: list[str],
    pause: tuple[float, float],
    kinds: Sequence[str] = KILLS,
    seconds: float = float("inf"),
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Run a job until it is done, and another until there were enough strikes: what each reports, and what was struck.

    After so many seconds nothing is struck any more, and after twice as many it is given up.
    """
    supervisor = Supervisor(folder, workers=2)
    coordinators = Coordinators(supervisor, arguments)
    reports: list[dict[str, Any]] = []
    jobs = 0
    try:
        supervisor.wait_until_up()
        hunter = Hunt(supervisor, coordinators, strikes, seed, pause, kinds)
        began = time.monotonic()
        while hunter.left or not jobs or coordinators.running:
            if time.monotonic() - began > seconds:
                hunter.left = 0
            if time.monotonic() - began > 2 * seconds:
                raise TimeoutError(f"not done in {2 * seconds:.0f} s; struck: {hunter.struck}")
            supervisor.keep_up()
            done = coordinators.keep_up(f"hunted-{jobs}")
            reports += done
            jobs += bool(done) and not coordinators.running
            hunter.perhaps_strike()
            time.sleep(0.1)
        hunter.thaw(float("inf"))
    finally:
        coordinators.kill()
        supervisor.stop()
    return reports, {**hunter.struck, **({"refused": coordinators.refused} if "start" in kinds else {})}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kills", type=int, default=100, help="strikes of any kind (100)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--pairs", type=int, default=15, help="the job: Langford pairs (15)")
    options.add_argument(
        "--minutes", type=float, default=15, help="how long to strike at most; twice as long in all (15)"
    )
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "problem.dlx").write_text(write(generate("langford", given.pairs)))
        job = ["cover", "count", "problem.dlx", "--kernel", "bits"]
        command = [sys.executable, "-m", "tablero", *job, "--json", "-t", "2"]
        undisturbed = json.loads(subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout)
        print(f"undisturbed: {undisturbed}", flush=True)
        began = time.monotonic()
        reports, struck = hunt(folder, given.kills, given.seed, job, (1.0, 2.5), ALL, 60 * given.minutes)
        for hunted in reports:
            print(f"hunted:      {hunted}")
        same = all(hunted[key] == undisturbed[key] for hunted in reports for key in EXACT)
        words = {
            **{kind: f"{struck[kind]} kills of a {kind}" for kind in KILLS},
            "freeze": f"{struck['freeze']} frozen workers",
            "start": f"{struck['start']} starts of {STARTS} at once ({struck['refused']} were refused)",
        }
        strikes = sum(struck[kind] for kind in ALL)
        print(f"{strikes} strikes in {time.monotonic() - began:.0f} s: {', '.join(words.values())}")
        print(f"{len(reports)} reports; totals {'the same in all' if same else 'DIFFER'}")
        sys.exit(0 if same and strikes == given.kills else 1)


if __name__ == "__main__":
    main()
