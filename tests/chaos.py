"""A job on a real cluster whose scheduler, workers and coordinator are killed at random, and its exact totals at the end.

A short run of it is a test; `python -m tests.chaos --kills 100` (`make chaos`) is a long one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tablero.puzzles.cover import generate, write

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


class Hunt:
    """Kills something now and then, until enough was killed."""

    def __init__(self, supervisor: Supervisor, kills: int, seed: int, pause: tuple[float, float]) -> None:
        self.supervisor, self.left, self.pause = supervisor, kills, pause
        self.choose = random.Random(seed)
        self.killed = {"scheduler": 0, "worker": 0, "coordinator": 0}
        self.next = time.monotonic() + self.choose.uniform(*pause)

    def perhaps_kill(self) -> None:
        """Kill whoever it strikes, if it is time and he is alive."""
        if not self.left or time.monotonic() < self.next:
            return
        victim = self.choose.choice(["scheduler", "worker 0", "worker 1", "coordinator", "coordinator"])
        process = self.supervisor.running.get(victim)
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.killed[victim.split()[0]] += 1
            self.left -= 1
        self.next = time.monotonic() + self.choose.uniform(*self.pause)


def hunt(
    folder: Path, kills: int, seed: int, arguments: list[str], pause: tuple[float, float]
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Run a job until it is done, and another until there were enough kills: what each reports, and who was killed."""
    supervisor = Supervisor(folder, workers=2)
    reports: list[dict[str, Any]] = []
    result = folder / "result.json"
    try:
        supervisor.wait_until_up()
        hunter = Hunt(supervisor, kills, seed, pause)
        while hunter.left or not reports:
            job = [*arguments, "--job", f"hunted-{len(reports)}", "--cluster", supervisor.address, "--quiet", "--json"]
            coordinator: subprocess.Popen[bytes] | None = None
            while coordinator is None or coordinator.poll() != 0:
                supervisor.keep_up()
                if (coordinator is None or coordinator.poll() is not None) and listens(supervisor.port):
                    with result.open("wb") as out:
                        coordinator = supervisor.running["coordinator"] = supervisor.start(job, stdout=out)
                hunter.perhaps_kill()
                time.sleep(0.1)
            reports.append(json.loads(result.read_text()))
    finally:
        supervisor.stop()
    return reports, hunter.killed


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Langford 15 has 1.2 × 10⁹ nodes by the bitset kernel: a minute on two cores that nobody disturbs.
        (folder / "problem.dlx").write_text(write(generate("langford", 15)))
        command = [
            sys.executable,
            "-m",
            "tablero",
            "cover",
            "count",
            "problem.dlx",
            "--kernel",
            "bits",
            "--json",
            "-t",
            "2",
        ]
        undisturbed = json.loads(subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout)
        print(f"undisturbed: {undisturbed}", flush=True)
        began = time.monotonic()
        reports, killed = hunt(
            folder, given.kills, given.seed, ["cover", "count", "problem.dlx", "--kernel", "bits"], (1.0, 2.5)
        )
        for hunted in reports:
            print(f"hunted:      {hunted}")
        same = all(hunted[key] == undisturbed[key] for hunted in reports for key in EXACT)
        seconds = time.monotonic() - began
        print(f"{sum(killed.values())} kills in {seconds:.0f} s {killed}; totals {'the same' if same else 'DIFFER'}")
        sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
