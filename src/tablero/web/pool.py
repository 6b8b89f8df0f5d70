"""A few warm processes for what must answer at once: one for drawings and moves, two for questions.

So a board is drawn however long others think.  What a process does for one request is limited there (see `limits`); one that
does not come back is ended, and another takes its place.  Whoever goes away is not waited for: what nobody has begun is
dropped, and a question under way is ended.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as TookTooLong
from typing import Any

from fastapi import Request
from pebble import ProcessExpired, ProcessPool

from tablero.web import work

THINKERS = 2
MOST_WAITING = 32  # in each of the two queues
_LONGEST = 180.0  # seconds: a kernel may have to be compiled first, and all else is limited where it is done
_LOOK = 0.5  # seconds between two looks whether somebody still waits
_SHORT = 4.0  # seconds of work that is let come to its end though nobody waits: a new process costs as much


class Busy(Exception):
    """More is asked for than can be answered."""


class Slow(Exception):
    """It takes longer than anyone waits."""


class Closing(Exception):
    """The server is being closed."""


class _Lane:
    """Some processes, and those who wait for them: a process gets a task when it is free, so what waits can be dropped."""

    def __init__(self, workers: int) -> None:
        # Spawned, not forked: the server has threads, and its workers load what it must not.
        self.pool = ProcessPool(max_workers=workers, context=multiprocessing.get_context("spawn"))
        self.workers = workers
        self.free = asyncio.Semaphore(workers)
        self.asked: set[asyncio.Task[work.Reply]] = set()

    async def run(self, task: Callable[..., work.Reply], arguments: tuple[Any, ...], begun: list[float]) -> work.Reply:
        """What the task answers; `begun` is told when a process gets it."""
        async with self.free:
            begun.append(time.monotonic())
            future: Any = self.pool.schedule(task, args=arguments, timeout=_LONGEST)  # not typed
            return dict(await asyncio.wrap_future(future))


class Pool:
    """The processes: see the head of this module."""

    def __init__(self) -> None:
        self._drawing, self._thinking = _Lane(1), _Lane(THINKERS)
        self._closing = False

    async def warm(self) -> None:
        """Get the processes ready, the one for drawings first: the first page needs it."""
        for lane in (self._drawing, self._thinking):
            ready = [lane.pool.schedule(work.warm) for _ in range(lane.workers)]
            for one in ready:
                await asyncio.wait([asyncio.wrap_future(one)])

    async def draw(
        self, task: Callable[..., work.Reply], *arguments: Any, request: Request | None = None
    ) -> work.Reply:
        """What a function of `work` answers that takes a moment."""
        return await self._do(self._drawing, task, arguments, request)

    async def think(self, task: Callable[..., work.Reply], *arguments: Any, request: Request) -> work.Reply:
        """What a function of `work` answers that may take some seconds."""
        return await self._do(self._thinking, task, arguments, request)

    async def _do(
        self, lane: _Lane, task: Callable[..., work.Reply], arguments: tuple[Any, ...], request: Request | None
    ) -> work.Reply:
        if self._closing:
            raise Closing
        if len(lane.asked) >= MOST_WAITING:
            raise Busy(f"{MOST_WAITING} requests are waiting already: try again in a moment")
        begun: list[float] = []
        asked = asyncio.create_task(lane.run(task, arguments, begun))
        lane.asked.add(asked)
        try:
            while not (await asyncio.wait([asked], timeout=_LOOK))[0]:
                short = begun and time.monotonic() - begun[0] < _SHORT
                if request is not None and not short and await request.is_disconnected():
                    asked.cancel()  # which ends the process that works on it
            return asked.result()
        except TookTooLong:
            raise Slow(f"it takes longer than {_LONGEST:.0f} s") from None
        except ProcessExpired:
            if self._closing:
                raise Closing from None
            raise Slow("the process that worked on it has ended: it may need more memory than there is") from None
        except asyncio.CancelledError:
            if asked.cancelled():
                raise Closing from None  # nobody hears it: the server, or who asked, is going
            asked.cancel()
            raise
        finally:
            lane.asked.discard(asked)

    async def close(self) -> None:
        """End the processes; whoever waits is told."""
        self._closing = True
        for lane in (self._drawing, self._thinking):
            for asked in list(lane.asked):
                asked.cancel()
            await asyncio.to_thread(_end, lane.pool)


def _end(pool: Any) -> None:
    pool.stop()
    pool.join(timeout=5)
