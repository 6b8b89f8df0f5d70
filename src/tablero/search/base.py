"""What every search offers to those who run it.  Its drivers are in `tree` and `portfolio`.

    state     where a search stands, as bytes: a stored cursor, or a local search's arrays and random state
    unit      a state and what is to be done with it: one piece of work
    outcome   what the work brought: nodes, answers, and the state that is left (None when there is nothing left)

An answer is a row of int32 whose meaning the search's family knows.
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
PIECE = 1 << 22  # bytes of answers after which a unit comes back: so many are sent, stored and told together
_SLICE = 0.02  # seconds a kernel runs before its driver looks round


class Orders(NamedTuple):
    """How far to go with a unit."""

    seconds: float  # work about this long
    most: int | None = None  # stop when so many answers are found
    keep: bool = True  # record answers, or only count them
    nodes: int | None = None  # visit no more than so many nodes
    live: bool = False  # what is left stays in this process: it need not be written down


@dataclass(frozen=True)
class Outcome:
    """What became of a unit."""

    nodes: int
    found: int
    answers: Answers
    rest: bytes | None
    cpu_seconds: float
    beside: float = 0.0  # seconds beside the search, in which answers were checked and passed on
    worker: str = ""  # who has done it
    trace: tuple[Point, ...] = ()  # how it went on the way, where the search traces

    @staticmethod
    def empty(width: int) -> Answers:
        """No answers."""
        return np.empty((0, width), np.int32)


@dataclass
class Search:
    """A problem ready to be searched.  It can be pickled, and does not change while it is worked on."""

    name: str = field(init=False, default="")
    """The kernel's name and version, as `cover.bits/1`: work stored under another name is not continued."""
    minimises: bool = field(init=False, default=False)
    """Whether only the best answer is wanted, and each one found bounds those to come."""
    proves: bool = field(init=False, default=True)
    """Whether having searched everything in vain proves that there is no answer."""
    splits: bool = field(init=False, default=True)
    """Whether a state can be divided at all."""

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
        """What tells the compiled forms of kernels apart: searches of one variant need compiling once."""
        return self.name

    @property
    def width(self) -> int:
        """How many numbers an answer has."""
        raise NotImplementedError

    def digest(self) -> str:
        """A fingerprint of the problem."""
        raise NotImplementedError

    def starts(self) -> list[bytes]:
        """The states to begin with: the root of a tree, or one a seed."""
        raise NotImplementedError

    def share(self, state: bytes) -> float:
        """The part of all the work that this state has left."""
        raise NotImplementedError

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        """Up to so many states that together have just the work of this one."""
        raise NotImplementedError

    def order(self, state: bytes) -> tuple[int, ...]:
        """A key: answers of states with lower keys come first."""
        raise NotImplementedError

    def value(self, answer: Answers) -> int:
        """What an answer costs, where the search minimises."""
        return 0

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        """Work on a unit until it is done, its time is up, or the flag is raised."""
        raise NotImplementedError

    def partial(self, state: bytes) -> Answers | None:
        """What a state has decided of an answer, in the form of one; None where nothing of it can be shown."""
        return None

    def warm(self) -> None:
        """Compile the kernels that `advance` uses."""
        raise NotImplementedError


class Pace:
    """How many nodes a kernel may visit before its driver looks round: as many as take about a slice of time."""

    def __init__(self, orders: Orders, least: int) -> None:
        self._orders, self._least, self._budget = orders, least, least
        self._began = self._slice = time.monotonic()
        self.nodes = 0

    @property
    def budget(self) -> int:
        most = self._orders.nodes
        return self._budget if most is None else min(self._budget, most - self.nodes)

    def is_over(self, visited: int) -> bool:
        """Book what was visited; whether the orders are carried out."""
        given, now = self.budget, time.monotonic()
        self.nodes += visited
        if visited >= given and now - self._slice < _SLICE / 2:
            self._budget = 2 * given
        elif now - self._slice > _SLICE * 2:
            self._budget = max(self._least, given // 2)
        self._slice = now
        late = now - self._began >= self._orders.seconds
        return late or (self._orders.nodes is not None and self.nodes >= self._orders.nodes)
