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

    def kill(self, name: str) -> None:
        self.running[name].send_signal(signal.SIGKILL)
        self.running[name].wait()

    def stop(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()


def hunt(folder: Path, kills: int, seed: int, arguments: list[str], pause: tuple[float, float]) -> dict[str, Any]:
    """Run a job until it is done while killing something now and then; what it reports, and who was killed."""
    choose = random.Random(seed)
    supervisor = Supervisor(folder, workers=2)
    killed = {"scheduler": 0, "worker": 0, "coordinator": 0}
    job = [*arguments, "--job", "hunted", "--cluster", supervisor.address, "--quiet", "--json"]
    coordinator: subprocess.Popen[bytes] | None = None
    result = folder / "result.json"
    try:
        supervisor.wait_until_up()
        next_kill = time.monotonic() + choose.uniform(*pause)
        while True:
            supervisor.keep_up()
            if coordinator is None or coordinator.poll() is not None:
                if coordinator is not None and coordinator.returncode == 0:
                    break
                if listens(supervisor.port):
                    with result.open("wb") as out:
                        coordinator = supervisor.start(job, stdout=out)
            if sum(killed.values()) < kills and time.monotonic() >= next_kill:
                victim = choose.choice(["scheduler", "worker 0", "worker 1", "coordinator", "coordinator"])
                if victim != "coordinator" and supervisor.running.get(victim):
                    supervisor.kill(victim)
                    killed[victim.split()[0]] += 1
                elif victim == "coordinator" and coordinator is not None and coordinator.poll() is None:
                    coordinator.send_signal(signal.SIGKILL)
                    killed["coordinator"] += 1
                next_kill = time.monotonic() + choose.uniform(*pause)
            time.sleep(0.1)
    finally:
        if coordinator is not None and coordinator.poll() is None:
            coordinator.kill()
        supervisor.stop()
    report: dict[str, Any] = json.loads(result.read_text())
    return {**report, "killed": killed}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Langford 15 has 1.2 × 10⁹ nodes by the bitset kernel: a minute on two cores that nobody disturbs.
        (folder / "problem.dlx").write_text(write(generate.langford(15)))
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
        hunted = hunt(
            folder, given.kills, given.seed, ["cover", "count", "problem.dlx", "--kernel", "bits"], (1.0, 2.5)
        )
        print(f"hunted:      {hunted}")
        same = all(hunted[key] == undisturbed[key] for key in ("solutions", "nodes", "fraction", "status"))
        kills, seconds = sum(hunted["killed"].values()), time.monotonic() - began
        print(f"{kills} kills in {seconds:.0f} s; totals {'the same' if same else 'DIFFER'}")
        sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
