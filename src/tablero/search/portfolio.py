"""Portfolios: local searches with different seeds, such as annealing, run in parallel until enough of them succeed.

The state of a local search is its arrays, including its random state.  A stored search continues exactly as if it had not
been stored.  Finding nothing proves nothing.

A stored state may be damaged or made with bad intent, and kernels do not check indices.  A state is therefore refused unless
every array has the type and shape of a fresh one, and its values could have come from the kernel.
"""

from __future__ import annotations

import io
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from tablero.errors import BadInput
from tablero.search.base import Answers, Bound, Flag, NodeBudget, Orders, Outcome, Search
from tablero.search.trace import Point, Recorder

_LEAST = 1024  # trials after which a kernel returns to its driver at first
_MOST_HEADER = 1 << 10  # bytes before an array
_LIVE = b"live"  # in a state, instead of arrays that are kept in this process


@dataclass
class Portfolio(Search):
    """A local search for every seed.  A subclass defines how one begins, takes a step and is read."""

    seeds: tuple[int, ...]
    proves: bool = field(init=False, default=False)
    splits: bool = field(init=False, default=False)
    traces: bool = field(init=False, default=False)  # whether outcomes have points of a trace
    per_process: ClassVar[frozenset[str]] = frozenset({"_live"})

    def fresh(self, seed: int) -> tuple[Any, ...]:
        """The first arrays for a seed."""
        raise NotImplementedError

    def step(self, arrays: tuple[Any, ...], budget: int, stop: Flag) -> tuple[int, bool]:
        """Make up to `budget` trials on the arrays; return their number, and whether the search has ended."""
        raise NotImplementedError

    def answer(self, arrays: tuple[Any, ...]) -> Answers | None:
        """The answer of an ended search; None if it found none."""
        raise NotImplementedError

    def fault(self, arrays: tuple[Any, ...], scratch: tuple[Any, ...]) -> str | None:
        """What is wrong with stored arrays of the right shapes; None if nothing is.

        All values that the kernel uses as an index or a bound are checked, and values that follow from others are computed
        again.  `scratch` are arrays of the same shapes.
        """
        raise NotImplementedError

    def board(self, arrays: tuple[Any, ...]) -> Answers | None:
        """The present answer of a running search, however bad; None if it has none yet."""
        return None

    def point(self, arrays: tuple[Any, ...]) -> Point | None:
        """The point of the trace of a running search; None while it is being prepared."""
        return None

    def partial(self, state: bytes) -> Answers | None:
        arrays = self._stored(state)
        return None if arrays is None else self.board(arrays)

    def _stored(self, state: bytes) -> tuple[Any, ...] | None:
        """The arrays in a state; None if it has none."""
        if len(state) <= 8 or state[8:] == _LIVE:
            return None
        return self.restored(state, self.fresh(int.from_bytes(state[:8], "little")))

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
        budget, cpu = NodeBudget(orders, _LEAST), time.thread_time()
        seed = int.from_bytes(state[:8], "little")
        if len(state) < 8 or seed not in self._seeds:
            raise BadInput("a stored local search is damaged: its seed is none of this search")
        if state[8:] == _LIVE and seed in self._live:
            arrays = self._live.pop(seed)
        else:
            arrays = self.fresh(seed)
            if len(state) > 8:
                arrays = self.restored(state, arrays)
        ended = False
        # Only the first seed is traced, and only if the state is stored.
        recorder = Recorder() if self.traces and seed == self.seeds[0] and not orders.live else None
        while not ended and not stop[0]:
            trials = budget.next if recorder is None else recorder.allowed(self.point(arrays), budget.next)
            made, ended = self.step(arrays, trials, stop)
            if budget.is_over(made):
                break
        found = self.answer(arrays) if ended else None
        rest = None
        if not ended and orders.live:
            self._live[seed], rest = arrays, state[:8] + _LIVE
        elif not ended:
            rest = state[:8] + pack(arrays)
        return Outcome(
            nodes=budget.nodes,
            found=int(found is not None),
            answers=np.empty((0, self.width), np.int32) if found is None or not orders.keep else found[None, :],
            rest=rest,
            cpu_seconds=time.thread_time() - cpu,
            trace=() if recorder is None else recorder.ended(self.point(arrays)),
        )

    @cached_property
    def _live(self) -> dict[int, tuple[Any, ...]]:
        """The arrays of running searches that are not encoded."""
        return {}

    @cached_property
    def _seeds(self) -> frozenset[int]:
        return frozenset(self.seeds)

    def restored(self, state: bytes, fresh: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arrays in a state.

        Raises
        ------
        BadInput
            If they are not arrays of this search.
        """
        stored = type(fresh)(*_unpack(memoryview(state)[8:], fresh))
        if wrong := self.fault(stored, fresh):
            raise BadInput(f"a stored local search is damaged: {wrong}")
        return stored


def pack(arrays: tuple[Any, ...]) -> bytes:
    """Encode arrays as bytes."""
    out = io.BytesIO()
    for array in arrays:
        np.lib.format.write_array(out, array, allow_pickle=False)
    return out.getvalue()


def _unpack(data: memoryview, like: tuple[Any, ...]) -> list[Any]:
    """Decode arrays of the types and shapes of those given.  Headers are compared, not parsed: none sets a size."""
    found, place = [], 0
    for array in like:
        prefix, header = _header(array)
        length = int.from_bytes(data[place + len(prefix) : place + len(prefix) + 2], "little")
        begin = place + len(prefix) + 2 + length
        text = bytes(data[place + len(prefix) + 2 : min(begin, place + _MOST_HEADER)])
        end = begin + array.nbytes
        if data[place : place + len(prefix)] != prefix or text.rstrip() != header or end > len(data):
            raise BadInput("a stored local search is damaged: an array is not of the kind that it should be")
        found.append(np.frombuffer(data[begin:end], array.dtype).reshape(array.shape).copy())
        place = end
    if place != len(data):
        raise BadInput("a stored local search is damaged: something follows its arrays")
    return found


def _header(array: Any) -> tuple[bytes, bytes]:
    """The first bytes and the header of NumPy's format, without the trailing spaces, which differ between versions."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, np.lib.format.header_data_from_array_1_0(array))
    written = out.getvalue()
    return written[:8], written[10:].rstrip()
