"""The interface of a search.  The drivers in `tree` and `portfolio` implement most of it.

    state     the position of a search, as bytes: a stored cursor, or the arrays and the random state of a local search
    unit      a state to be advanced: one piece of work
    outcome   the result of a unit: nodes, answers, and the state that is left (None if the unit is done)

An answer is a row of int32, whose meaning the family of the search knows.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.trace import Point

Answers = NDArray[np.int32]
Flag = NDArray[np.uint8]
Bound = NDArray[np.int64]

UNBOUNDED = np.iinfo(np.int64).max
PIECE = 1 << 22  # bytes of answers after which a unit returns: these are sent, stored and printed together
_SLICE = 0.02  # seconds that a kernel runs before it returns to its driver


class Orders(NamedTuple):
    """The limits of a unit."""

    seconds: float  # work about this long
    most: int | None = None  # stop when this many answers are found
    keep: bool = True  # keep answers, or only count them
    nodes: int | None = None  # visit at most this many nodes
    live: bool = False  # the remainder stays in this process and need not be encoded


@dataclass(frozen=True)
class Outcome:
    """The result of a unit."""

    nodes: int  # visited
    found: int  # number of answers
    answers: Answers  # empty if they are only counted
    rest: bytes | None  # the state that is left; None if the unit is done
    cpu_seconds: float
    beside: float = 0.0  # seconds beside the search, for checking and printing answers
    worker: str = ""  # the worker that did it
    trace: tuple[Point, ...] = ()  # points of the trace, if the search has one

    @staticmethod
    def empty(width: int) -> Answers:
        """No answers."""
        return np.empty((0, width), np.int32)


@dataclass
class Search:
    """A problem ready to be searched.  It can be pickled, and does not change during the search."""

    name: str = field(init=False, default="")
    """The name and version of the kernel, as `cover.bits/1`; a job stored under another name cannot be continued."""
    minimises: bool = field(init=False, default=False)
    """Whether only the best answer is sought, and each answer found is a bound for the next."""
    proves: bool = field(init=False, default=True)
    """Whether finding nothing proves that there is no answer."""
    splits: bool = field(init=False, default=True)
    """Whether a state can be divided."""

    per_process: ClassVar[frozenset[str]] = frozenset()
    """Attributes that are not pickled: each process makes its own."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in self.per_process}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._reset()

    def _reset(self) -> None:
        """Set the attributes of `per_process` to their initial values."""

    @property
    def variant(self) -> Hashable:
        """Identifies the compiled form of the kernels: searches of one variant are compiled once."""
        return self.name

    @property
    def width(self) -> int:
        """The number of numbers in an answer."""
        raise NotImplementedError

    def digest(self) -> str:
        """A fingerprint of the problem."""
        raise NotImplementedError

    def starts(self) -> list[bytes]:
        """The first states: the root of a tree, or a state for each seed."""
        raise NotImplementedError

    def share(self, state: bytes) -> float:
        """The fraction of all work that this state has left."""
        raise NotImplementedError

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        """Up to this many states that together have exactly the work of this one."""
        raise NotImplementedError

    def order(self, state: bytes) -> tuple[int, ...]:
        """A sort key: answers of states with lower keys come first."""
        raise NotImplementedError

    def value(self, answer: Answers) -> int:
        """The cost of an answer, if the search minimises."""
        return 0

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        """Advance a unit until it is done, a limit is met, or the flag is set.

        Parameters
        ----------
        state
            The state to advance.
        orders
            The limits.
        stop
            An array of one number; the search returns soon after it is set to 1.
        bound
            An array of one number; only answers that cost less are of use to a search that minimises.
        """
        raise NotImplementedError

    def partial(self, state: bytes) -> Answers | None:
        """The part of an answer that a state has decided, as a row; None if it cannot be shown."""
        return None

    def warm(self) -> None:
        """Compile the kernels that `advance` uses."""
        raise NotImplementedError


class NodeBudget:
    """How many nodes a kernel may visit before it returns to its driver: as many as take about a slice of time."""

    def __init__(self, orders: Orders, least: int) -> None:
        self._orders, self._least, self._budget = orders, least, least
        self._began = self._slice = time.monotonic()
        self.nodes = 0

    @property
    def next(self) -> int:
        """Nodes for the next call of the kernel."""
        most = self._orders.nodes
        return self._budget if most is None else min(self._budget, most - self.nodes)

    def is_over(self, visited: int) -> bool:
        """Add the visited nodes; return whether a limit of the orders is met."""
        given, now = self.next, time.monotonic()
        self.nodes += visited
        if visited >= given and now - self._slice < _SLICE / 2:
            self._budget = 2 * given
        elif now - self._slice > _SLICE * 2:
            self._budget = max(self._least, given // 2)
        self._slice = now
        late = now - self._began >= self._orders.seconds
        return late or (self._orders.nodes is not None and self.nodes >= self._orders.nodes)
