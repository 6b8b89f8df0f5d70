"""Many pages watch one job: `python -m tests.web_load --pages 50 --seconds 60` tells whether an event is lost.

Every page is a stream of its own, as a browser opens it.  The job counts queens row by row, where every node costs the
same; its speed with and without the pages, in turns, shows what looking on costs it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path


class Page(threading.Thread):
    """A page that looks on and notes the numbers of the events that it gets."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.numbers: list[int] = []
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())

    def run(self) -> None:
        left = b""
        try:
            while piece := self._socket.recv(1 << 16):
                *whole, left = (left + piece).split(b"\n")
                self.numbers += [int(found[1]) for line in whole if (found := re.match(rb"id: (\d+)", line))]
        except OSError:
            pass

    def close(self) -> None:
        self._socket.close()


def nodes(home: Path) -> int:
    command = [sys.executable, "-m", "tablero", "jobs", "show", "watched", "--json"]
    reported = subprocess.check_output(command, env={**os.environ, "TABLERO_HOME": str(home)})
    return int(json.loads(reported)["nodes"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        environment = {**os.environ, "TABLERO_HOME": folder}
        tablero = [sys.executable, "-m", "tablero"]
        job = subprocess.Popen(
            [*tablero, "queens", "count", "21", "--fundamental", "--job", "watched", "--quiet"],
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        server = subprocess.Popen(
            [*tablero, "serve", "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            reported = re.search(r":(\d+)/", server.stdout.readline())
            assert reported
            while not (home / "jobs" / "watched.job").exists():
                time.sleep(0.1)
            time.sleep(5)
            speeds: dict[int, list[float]] = {0: [], given.pages: []}
            lost = events = 0
            for _ in range(2):
                for number in speeds:
                    pages = [Page(int(reported[1])) for _ in range(number)]
                    for page in pages:
                        page.start()
                    before, began, cpu = nodes(home), time.monotonic(), _cpu(job.pid)
                    time.sleep(given.seconds / 2)
                    done, passed = nodes(home) - before, time.monotonic() - began
                    speeds[number].append(done / (_cpu(job.pid) - cpu))
                    rates = f"{done / passed / 1e6:.1f} M nodes a second, {speeds[number][-1] / 1e6:.1f} M a CPU second"
                    print(f"{number} pages: {rates}")
                    for page in pages:
                        page.close()
                    if pages:
                        first, last = max(p.numbers[0] for p in pages), min(p.numbers[-1] for p in pages)
                        for page in pages:
                            seen = [k for k in page.numbers if first <= k <= last]
                            lost += last - first + 1 - len(seen)
                        events += last - first + 1
            slower = 1 - max(speeds[given.pages]) / max(speeds[0])
            print(
                f"{events} events to each of {given.pages} pages, {lost} lost; the search is slower by {100 * slower:.1f} %"
            )
            return 0 if lost == 0 else 1
        finally:
            for process in (job, server):
                process.terminate()
                process.wait()


def _cpu(pid: int) -> float:
    """CPU seconds of a process, where /proc tells them."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
