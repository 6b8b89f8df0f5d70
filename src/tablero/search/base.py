"""What every search offers to those who run it, and the driver that all tree searches share.

    state     where a search stands, as bytes: a stored cursor, or a local search's arrays and random state
    unit      a state and what is to be done with it: one piece of work
    outcome   what the work brought: nodes, answers, and the state that is left (None when there is nothing left)

An answer is a row of int32 whose meaning the search's family knows.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.search.cursor import Cursor, Level

Answers = NDArray[np.int32]
Flag = NDArray[np.uint8]
Bound = NDArray[np.int64]

UNBOUNDED = np.iinfo(np.int64).max
_ROOM = 4096  # answers between two looks round
_SLICE = 0.02  # seconds a kernel runs before the driver looks round


class Orders(NamedTuple):
    """How far to go with a unit."""

    seconds: float  # work about this long
    most: int | None = None  # stop when so many answers are found
    keep: bool = True  # record answers, or only count them
    nodes: int | None = None  # visit no more than so many nodes


@dataclass(frozen=True)
class Outcome:
    """What became of a unit."""

    nodes: int
    found: int
    answers: Answers
    rest: bytes | None
    cpu_seconds: float

    @staticmethod
    def empty(width: int) -> Answers:
        """No answers."""
        return np.empty((0, width), np.int32)


class Search(Protocol):
    """A problem ready to be searched.  It can be pickled, and does not change while it is worked on."""

    @property
    def name(self) -> str:
        """The kernel's name and version, as `cover.bits/1`: work stored under another name is not continued."""

    @property
    def variant(self) -> Hashable:
        """What tells the compiled forms of kernels apart: searches of one variant need compiling once."""

    @property
    def width(self) -> int:
        """How many numbers an answer has."""

    @property
    def minimises(self) -> bool:
        """Whether only the best answer is wanted, and each one found bounds those to come."""

    @property
    def proves(self) -> bool:
        """Whether having searched everything in vain proves that there is no answer."""

    @property
    def splits(self) -> bool:
        """Whether a state can be divided at all."""

    def digest(self) -> str:
        """A fingerprint of the problem."""

    def starts(self) -> list[bytes]:
        """The states to begin with: the root of a tree, or one a seed."""

    def share(self, state: bytes) -> float:
        """The part of all the work that this state has left."""

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        """Up to so many states that together have just the work of this one."""

    def order(self, state: bytes) -> tuple[int, ...]:
        """A key: answers of states with lower keys come first."""

    def value(self, answer: Answers) -> int:
        """What an answer costs, where the search minimises."""

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        """Work on a unit until it is done, its time is up, or the flag is raised."""

    def warm(self) -> None:
        """Compile the kernels that `advance` uses."""


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
    """The cursor in a kernel's arrays, or None when the search is over."""
    depth = int(state.depth[0])
    if depth < 0:
        return None
    columns = zip(state.at[:depth].tolist(), state.last[:depth].tolist(), state.width[:depth].tolist(), strict=True)
    return Cursor(tuple(Level(*column) for column in columns))


@dataclass
class TreeSearch:
    """A search whose state is a cursor.  A family says how to begin at a cursor and how to take a step."""

    name: str = field(init=False, default="")
    minimises: bool = field(init=False, default=False)
    proves: bool = field(init=False, default=True)
    splits: bool = field(init=False, default=True)

    @property
    def variant(self) -> Hashable:
        return self.name

    @property
    def width(self) -> int:
        raise NotImplementedError

    def digest(self) -> str:
        raise NotImplementedError

    def begin(self, cursor: Cursor) -> Any:
        """A kernel's state that stands at the cursor; its `depth` is −2 where the cursor does not fit the problem."""
        raise NotImplementedError

    def step(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        """Let the kernel visit up to `budget` nodes; return nodes and answers."""
        raise NotImplementedError

    def end(self, state: Any) -> None:
        """A unit is over: its state will not be used again."""

    def value(self, answer: Answers) -> int:
        return 0

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
        began = time.monotonic()
        cpu = time.thread_time()
        kernel_state = self.begin(Cursor.load(state))
        if kernel_state.depth[0] == -2:
            raise BadInput("a stored cursor does not fit this problem")
        room = 0 if not orders.keep else _ROOM if orders.most is None else min(orders.most, _ROOM)
        buffer = np.empty((room, self.width), np.int32)
        kept: list[Answers] = []
        nodes = found = 0
        budget = 64
        while kernel_state.depth[0] >= 0 and (orders.most is None or found < orders.most) and not stop[0]:
            before = time.monotonic()
            most = UNBOUNDED if orders.most is None else orders.most - found
            if orders.keep:
                most = min(most, room)
            if orders.nodes is not None:
                budget = min(budget, orders.nodes - nodes)
            visited, more = self.step(kernel_state, buffer, budget, most, stop, bound)
            nodes += visited
            found += more
            if orders.keep and more:
                kept.append(buffer[:more].copy())
            now = time.monotonic()
            if now - began >= orders.seconds or (orders.nodes is not None and nodes >= orders.nodes):
                break
            if visited == budget and now - before < _SLICE / 2:
                budget *= 2
            elif now - before > _SLICE * 2:
                budget = max(64, budget // 2)
        rest = read_cursor(kernel_state)
        self.end(kernel_state)
        return Outcome(
            nodes=nodes,
            found=found,
            answers=np.concatenate(kept) if kept else Outcome.empty(self.width),
            rest=None if rest is None else rest.store(),
            cpu_seconds=time.thread_time() - cpu,
        )
