"""A few warm processes for what must answer at once: a hint, a drawing, a small search.

A process that takes too long is ended and another takes its place; whoever waits is told to make a job of it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import TimeoutError as TookTooLong
from typing import Any, cast

from pebble import ProcessExpired, ProcessPool

from tablero.web import work

WORKERS = 2
MOST_WAITING = 32
_LONGEST = 180.0  # seconds: a kernel may have to be compiled first, and searches limit themselves


class Busy(Exception):
    """More is asked for than can be answered."""


class Slow(Exception):
    """It takes longer than anyone waits."""


class Pool:
    """The processes: see the head of this module."""

    def __init__(self) -> None:
        # Spawned, not forked: the server has threads, and its workers load what it must not.
        self._pool = ProcessPool(max_workers=WORKERS, context=multiprocessing.get_context("spawn"))
        self._waiting = 0

    def warm(self) -> None:
        for _ in range(WORKERS):
            self._pool.schedule(work.warm)

    async def do(self, task: Callable[..., work.Reply], *arguments: Any, limit: float = _LONGEST) -> work.Reply:
        """What a function of `work` answers."""
        if self._waiting >= MOST_WAITING:
            raise Busy(f"{MOST_WAITING} requests are waiting already: try again in a moment")
        self._waiting += 1
        try:
            return dict(await asyncio.wrap_future(self._pool.schedule(task, args=arguments, timeout=limit)))
        except TookTooLong:
            raise Slow(f"it takes longer than {limit:.0f} s: start it as a job") from None
        except ProcessExpired:
            raise Slow("the process that worked on it has ended: it may need more memory than there is") from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        pool = cast(Any, self._pool)  # not typed
        pool.stop()
        pool.join(timeout=5)
