"""The driver that all tree searches share: a search whose state is a cursor."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.search.base import PIECE, UNBOUNDED, Answers, Bound, Flag, NodeBudget, Orders, Outcome, Search
from tablero.search.cursor import Cursor, Level

_BUFFER = 4096  # answers after which a kernel returns to its driver
_LEAST = 64  # nodes after which it does so at first
_UNFIT = "a stored cursor does not fit this problem"


class TreeState(Protocol):
    """The part of a kernel's state that is its cursor."""

    @property
    def at(self) -> NDArray[np.int64]: ...
    @property
    def last(self) -> NDArray[np.int64]: ...
    @property
    def width(self) -> NDArray[np.int64]: ...
    @property
    def depth(self) -> NDArray[np.int64]: ...


def write_cursor(state: TreeState, cursor: Cursor) -> None:
    """Put a cursor into a kernel's arrays; the kernel then replays it."""
    depth = len(cursor.levels)
    if depth > len(state.at):
        raise BadInput(f"a stored cursor is {depth} levels deep, this problem at most {len(state.at)}")
    for d, (at, last, width) in enumerate(cursor.levels):
        state.at[d], state.last[d], state.width[d] = at, last, width
    state.depth[0] = depth


def read_cursor(state: TreeState) -> Cursor | None:
    """The cursor in a kernel's arrays; None if the search is over."""
    depth = int(state.depth[0])
    if depth < 0:
        return None
    columns = zip(state.at[:depth].tolist(), state.last[:depth].tolist(), state.width[:depth].tolist(), strict=True)
    return Cursor(tuple(Level(*column) for column in columns))


@dataclass
class TreeSearch(Search):
    """A search whose state is a cursor.  A subclass defines how to begin at a cursor and how to take a step."""

    def begin(self, cursor: Cursor) -> Any:
        """The state of a kernel at the cursor; its `depth` is −2 if the cursor does not fit the problem."""
        raise NotImplementedError

    def step(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        """Let the kernel visit up to `budget` nodes.

        Parameters
        ----------
        state
            The state of the kernel, which it changes.
        answers
            Gets the answers, a row each.
        budget
            The number of nodes.
        most
            The number of answers after which the kernel returns.
        stop, bound
            As in `Search.advance`.

        Returns
        -------
        The number of nodes visited and of answers found.
        """
        raise NotImplementedError

    def end(self, state: Any) -> None:
        """Release the state of a kernel when a unit is over."""

    def decided(self, state: Any, row: Answers) -> bool:
        """Write the decided part of an answer into the row; returns False if the family cannot show it."""
        return False

    def partial(self, state: bytes) -> Answers | None:
        kernel_state = self.begin(Cursor.load(state))
        if kernel_state.depth[0] == -2:
            raise BadInput(_UNFIT)
        row = np.full(self.width, -1, np.int32)
        known = self.decided(kernel_state, row)
        self.end(kernel_state)
        return row if known else None

    def starts(self) -> list[bytes]:
        return [Cursor().store()]

    def share(self, state: bytes) -> float:
        return float(Cursor.load(state).share())

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        return [piece.store() for piece in Cursor.load(state).divide(parts)]

    def order(self, state: bytes) -> tuple[int, ...]:
        return Cursor.load(state).path

    def warm(self) -> None:
        self.advance(self.starts()[0], Orders(0.0, most=1), np.zeros(1, np.uint8), np.full(1, UNBOUNDED))

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        budget, cpu = NodeBudget(orders, _LEAST), time.thread_time()
        kernel_state = self.begin(Cursor.load(state))
        if kernel_state.depth[0] == -2:
            raise BadInput(_UNFIT)
        size_of_buffer = 0 if not orders.keep else _BUFFER if orders.most is None else min(orders.most, _BUFFER)
        buffer = np.empty((size_of_buffer, self.width), np.int32)
        kept: list[Answers] = []
        found = size = 0
        while kernel_state.depth[0] >= 0 and (orders.most is None or found < orders.most) and not stop[0]:
            most = UNBOUNDED if orders.most is None else orders.most - found
            if orders.keep:
                most = min(most, size_of_buffer)
            visited, more = self.step(kernel_state, buffer, budget.next, most, stop, bound)
            found += more
            if orders.keep and more:
                kept.append(buffer[:more].copy())
                size += kept[-1].nbytes
            if budget.is_over(visited) or size >= PIECE:
                break
        rest = read_cursor(kernel_state)
        self.end(kernel_state)
        return Outcome(
            nodes=budget.nodes,
            found=found,
            answers=np.concatenate(kept) if kept else Outcome.empty(self.width),
            rest=None if rest is None else rest.store(),
            cpu_seconds=time.thread_time() - cpu,
        )
