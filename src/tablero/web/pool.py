"""A few warm processes for what must answer at once: one for drawings and moves, two for questions.

So a board is drawn however long others think.  What a process does for one request is limited there (see `limits`); one that
does not come back is ended, and another takes its place.  Whoever goes away is not waited for: what nobody has begun is
dropped, and a question under way is ended.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as TookTooLong
from typing import Any, cast

from fastapi import Request
from pebble import ProcessExpired, ProcessPool

from tablero.web import work

THINKERS = 2
MOST_WAITING = 32  # in each of the two queues
_LONGEST = 180.0  # seconds: a kernel may have to be compiled first, and all else is limited where it is done
_LOOK = 0.5  # seconds between two looks whether somebody still waits
_SHORT = 2.0  # seconds of a question that is let come to its end: a new process costs as much


class Busy(Exception):
    """More is asked for than can be answered."""


class Slow(Exception):
    """It takes longer than anyone waits."""


class Closing(Exception):
    """The server is being closed."""


class _Lane:
    """Some processes, and those who wait for them."""

    def __init__(self, workers: int) -> None:
        # Spawned, not forked: the server has threads, and its workers load what it must not.
        self.pool = ProcessPool(max_workers=workers, context=multiprocessing.get_context("spawn"))
        self.workers = workers
        self.waiting = 0


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
        if lane.waiting >= MOST_WAITING:
            raise Busy(f"{MOST_WAITING} requests are waiting already: try again in a moment")
        lane.waiting += 1
        future: Any = lane.pool.schedule(task, args=arguments, timeout=_LONGEST)  # not typed
        leaving = None
        try:
            if request is not None:
                leaving = asyncio.create_task(_give_up(future, request, kills=lane is self._thinking))
            return dict(await asyncio.wrap_future(future))
        except TookTooLong:
            raise Slow(f"it takes longer than {_LONGEST:.0f} s: start it as a job") from None
        except ProcessExpired:
            if self._closing:
                raise Closing from None
            raise Slow("the process that worked on it has ended: it may need more memory than there is") from None
        except (CancelledError, asyncio.CancelledError):
            if self._closing or future.cancelled():
                raise Closing from None  # nobody hears it: the server, or who asked, is going
            raise
        finally:
            if leaving is not None:
                leaving.cancel()
            lane.waiting -= 1

    def close(self) -> None:
        """End the processes; whoever waits is told."""
        self._closing = True
        for lane in (self._drawing, self._thinking):
            pool = cast(Any, lane.pool)  # not typed
            pool.stop()
            pool.join(timeout=5)


async def _give_up(future: Any, request: Request, *, kills: bool) -> None:
    """Drop a task when the one who asked has gone."""
    gone, begun = False, 0.0
    while not future.done():
        await asyncio.sleep(_LOOK)
        begun += _LOOK if future.running() else 0.0
        gone = gone or await request.is_disconnected()
        if gone and (not future.running() or (kills and begun > _SHORT)):
            future.cancel()
            return
