"""The boards of jobs, made once for all pages that look on: a page asks again and again, and there may be many.

A board is made again when the job has changed since, and not oftener than every so many seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import Any

from tablero.web import work
from tablero.web.pool import Pool

_LEAST = 1.5  # seconds between two boards of a job
_KEPT = 200


class Boards:
    """See the head of this module."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._made: OrderedDict[tuple[str, bool], tuple[float, Any, work.Reply]] = OrderedDict()
        self._making: dict[tuple[str, bool], asyncio.Task[work.Reply]] = {}
        self._number = int(time.time() * 1000)  # goes on growing when the server is started again

    async def board(self, name: str, best: bool, seen: int, state: Any) -> work.Reply:
        """The board of a job whose books say this; only that it is the same for a page that has seen it."""
        key = (name, best)
        made = self._made.get(key)
        if made is None or (made[1] != state and time.monotonic() - made[0] >= _LEAST):
            reply = await self._make(key, state)
        else:
            reply = made[2]
        return {"same": True, "number": seen} if reply.get("number") == seen else reply

    async def _make(self, key: tuple[str, bool], state: Any) -> work.Reply:
        """Whoever asks while it is being made gets the same."""
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
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        return reply
