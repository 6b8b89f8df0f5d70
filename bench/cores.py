"""How many cores are free: without that, the wall time of several threads means nothing.

One thread's wall time does not tell: while somebody else has the second core, it still has the first one to itself.
"""

from __future__ import annotations

import multiprocessing
import time
from multiprocessing.connection import Connection

_SECONDS = 0.5


def free_cores(count: int) -> float:
    """The cores that `count` processes which do nothing but spin get between them."""
    context = multiprocessing.get_context("spawn")
    lines, processes = [], []
    for _ in range(count):
        mine, theirs = context.Pipe()
        process = context.Process(target=_spin, args=(theirs,), daemon=True)
        process.start()
        lines.append(mine)
        processes.append(process)
    for line in lines:
        line.recv()  # all are there
    for line in lines:
        line.send(None)
    shares: list[float] = [line.recv() for line in lines]
    for process in processes:
        process.join()
    return sum(shares)


def _spin(line: Connection) -> None:
    line.send(None)
    line.recv()
    wall, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < _SECONDS:
        pass
    line.send((time.process_time() - cpu) / (time.perf_counter() - wall))
