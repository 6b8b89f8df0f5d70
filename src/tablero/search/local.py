"""Portfolios of seeded local searches: annealers and their like, run side by side until one arrives.

The state of one is its arrays, random state included: it is stored as they are, and goes on as if never stored.
Not to arrive proves nothing.
"""

from __future__ import annotations

import io
import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tablero.errors import BadInput
from tablero.search.base import Answers, Bound, Flag, Orders, Outcome

_SLICE = 0.02


@dataclass
class Portfolio:
    """One local search for every seed.  A family says how to begin with a seed, how to go on, and what was found."""

    seeds: tuple[int, ...]
    name: str = field(init=False, default="")
    minimises: bool = field(init=False, default=False)
    proves: bool = field(init=False, default=False)
    splits: bool = field(init=False, default=False)

    @property
    def variant(self) -> Hashable:
        return self.name

    @property
    def width(self) -> int:
        raise NotImplementedError

    def digest(self) -> str:
        raise NotImplementedError

    def fresh(self, seed: int) -> tuple[Any, ...]:
        """The arrays to begin with."""
        raise NotImplementedError

    def step(self, arrays: tuple[Any, ...], budget: int, stop: Flag) -> tuple[int, bool]:
        """Make up to `budget` trials on the arrays; return how many, and whether this search has ended."""
        raise NotImplementedError

    def answer(self, arrays: tuple[Any, ...]) -> Answers | None:
        """What an ended search has found, or None when it gave up."""
        raise NotImplementedError

    def value(self, answer: Answers) -> int:
        return 0

    def starts(self) -> list[bytes]:
        return [seed.to_bytes(8, "little") for seed in self.seeds]

    def share(self, state: bytes) -> float:
        return 1 / len(self.seeds)

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        return [state]

    def order(self, state: bytes) -> tuple[int, ...]:
        return (int.from_bytes(state[:8], "little"),)

    def warm(self) -> None:
        arrays = self.fresh(self.seeds[0])
        self.step(arrays, 1, np.zeros(1, np.uint8))

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        began, cpu = time.monotonic(), time.thread_time()
        seed = int.from_bytes(state[:8], "little")
        arrays = self.fresh(seed)
        if len(state) > 8:
            arrays = type(arrays)(*_unpack(state[8:], len(arrays)))
        trials, ended, budget = 0, False, 1024
        while not ended and not stop[0]:
            before = time.monotonic()
            if orders.nodes is not None:
                budget = min(budget, orders.nodes - trials)
            made, ended = self.step(arrays, budget, stop)
            trials += made
            now = time.monotonic()
            if now - began >= orders.seconds or (orders.nodes is not None and trials >= orders.nodes):
                break
            if now - before < _SLICE / 2:
                budget *= 2
            elif now - before > _SLICE * 2:
                budget = max(1024, budget // 2)
        found = self.answer(arrays) if ended else None
        return Outcome(
            nodes=trials,
            found=int(found is not None),
            answers=np.empty((0, self.width), np.int32) if found is None or not orders.keep else found[None, :],
            rest=None if ended else state[:8] + _pack(arrays),
            cpu_seconds=time.thread_time() - cpu,
        )


def _pack(arrays: tuple[Any, ...]) -> bytes:
    out = io.BytesIO()
    for array in arrays:
        np.lib.format.write_array(out, array, allow_pickle=False)
    return out.getvalue()


def _unpack(data: bytes, count: int) -> list[Any]:
    stream = io.BytesIO(data)
    try:
        return [np.lib.format.read_array(stream, allow_pickle=False) for _ in range(count)]
    except (ValueError, EOFError) as error:
        raise BadInput(f"a stored local search is damaged: {error}") from None
