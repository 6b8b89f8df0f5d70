"""Warm worker processes, and caches of their results: boards of jobs and player pages.

One process draws, two answer questions, so drawings do not wait for questions.  Each request has a time limit (see
`limits`).  A hung process is killed and replaced.  When a client disconnects, its request is cancelled.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import multiprocessing
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import TimeoutError as TookTooLong
from typing import Any

from fastapi import Request
from pebble import ProcessExpired, ProcessPool

from tablero.web import work

THINKERS = 2  # processes that answer questions
MOST_WAITING = 32  # requests in each of the two queues
_LONGEST = 180.0  # seconds for a request, with compiling
_LOOK = 0.5  # seconds between two checks whether the client is connected
_LEAST = 1.5  # seconds between two boards of a job
_MOST_BOARDS = 200
_MOST_PAGES = 40
_MOST_TEXT = 1 << 26  # characters of all pages
_SHORT = 4.0  # seconds before work is cancelled: starting a new process takes as long


class Busy(Exception):
    """Too many requests are waiting."""


class Slow(Exception):
    """A request took too long."""


class Closing(Exception):
    """The server is being closed."""


class _Lane:
    """Some processes and their queue.  A task is scheduled when a process is free, so waiting tasks can be cancelled."""

    def __init__(self, workers: int) -> None:
        # Spawned, not forked, because the server has threads.
        self.pool = ProcessPool(max_workers=workers, context=multiprocessing.get_context("spawn"))
        self.workers = workers
        self.free = asyncio.Semaphore(workers)
        self.asked: set[asyncio.Task[work.Reply]] = set()

    async def run(self, task: Callable[..., work.Reply], arguments: tuple[Any, ...], begun: list[float]) -> work.Reply:
        """Run a task and return its reply; the time at which it starts is appended to `begun`."""
        async with self.free:
            begun.append(time.monotonic())
            future: Any = self.pool.schedule(task, args=arguments, timeout=_LONGEST)  # not typed
            return dict(await asyncio.wrap_future(future))


class Pool:
    """The worker processes: see the head of this module."""

    def __init__(self) -> None:
        self._drawing, self._thinking = _Lane(1), _Lane(THINKERS)
        self._closing = False

    async def warm(self) -> None:
        """Start the processes; the one for drawings first, because the first page needs it."""
        for lane in (self._drawing, self._thinking):
            ready = [lane.pool.schedule(work.warm) for _ in range(lane.workers)]
            for one in ready:
                await asyncio.wait([asyncio.wrap_future(one)])

    async def draw(
        self, task: Callable[..., work.Reply], *arguments: Any, request: Request | None = None
    ) -> work.Reply:
        """The reply of a fast function of `work`."""
        return await self._do(self._drawing, task, arguments, request)

    async def think(self, task: Callable[..., work.Reply], *arguments: Any, request: Request) -> work.Reply:
        """The reply of a function of `work` that may take some seconds."""
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
            raise Slow("the worker process has ended: maybe there was not enough memory") from None
        except asyncio.CancelledError:
            if asked.cancelled():
                raise Closing from None  # the server is closing, or the client has disconnected
            asked.cancel()
            raise
        finally:
            lane.asked.discard(asked)

    async def close(self) -> None:
        """Cancel all requests and end the processes."""
        self._closing = True
        for lane in (self._drawing, self._thinking):
            for asked in list(lane.asked):
                asked.cancel()
            await asyncio.to_thread(_end, lane.pool)


def _end(pool: Any) -> None:
    pool.stop()
    pool.join(timeout=5)


class Boards:
    """The boards of jobs, drawn once for all pages.

    A board is drawn again when the job has changed, but not more often than every `_LEAST` seconds.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._made: OrderedDict[tuple[str, bool], tuple[float, Any, work.Reply]] = OrderedDict()
        self._making: dict[tuple[str, bool], asyncio.Task[work.Reply]] = {}
        self._number = int(time.time() * 1000)  # grows across restarts of the server

    async def board(self, name: str, best: bool, seen: int, state: Any) -> work.Reply:
        """The board of a job in this state; only `same` if the page already shows the board with that number."""
        key = (name, best)
        made = self._made.get(key)
        if made is None or (made[1] != state and time.monotonic() - made[0] >= _LEAST):
            reply = await self._make(key, state)
        else:
            reply = made[2]
        return {"same": True, "number": seen} if reply.get("number") == seen else reply

    async def _make(self, key: tuple[str, bool], state: Any) -> work.Reply:
        """Draw a board; requests during the drawing share it."""
        task = self._making.get(key)
        if task is None:
            task = asyncio.create_task(self._ask(key, state))
            self._making[key] = task
            task.add_done_callback(lambda _: self._making.pop(key, None))
        return await asyncio.shield(task)

    async def _ask(self, key: tuple[str, bool], state: Any) -> work.Reply:
        reply = await self._pool.draw(work.board, *key)
        before = self._made.get(key)
        if before is not None and before[2].get("svg") == reply.get("svg"):
            reply = before[2]
        elif "refused" not in reply:
            self._number += 1
            reply = {**reply, "number": self._number}
        if "refused" not in reply:
            self._made[key] = (time.monotonic(), state, reply)
            self._made.move_to_end(key)
            while len(self._made) > _MOST_BOARDS:
                self._made.popitem(last=False)
        return reply


class Plays:
    """The latest player pages, by an identifier that cannot be guessed."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, str] = OrderedDict()

    def keep(self, page: str) -> str:
        """Store a page and return its address."""
        number = secrets.token_urlsafe(16)
        self._pages[number] = page
        while len(self._pages) > 1 and (
            len(self._pages) > _MOST_PAGES or sum(map(len, self._pages.values())) > _MOST_TEXT
        ):
            self._pages.popitem(last=False)
        return f"/play/{number}"

    def find(self, number: str) -> str | None:
        return self._pages.get(number)


def policy_of(page: str) -> str:
    """The content security policy of a player page: its own scripts, by their hashes, in a sandbox."""
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts)
    allowed = hashes or "'none'"
    return (
        f"sandbox allow-scripts; default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    )
