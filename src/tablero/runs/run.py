"""How a search is to be run: one object says it, for every question.

    Here    threads of this process; the search lives as long as the call
    Job     the same, but kept under a name: it survives any crash and can be resumed
    Grid    the workers of a Dask cluster; with the name of a job, durable as well

A verb takes one as `run=`; what it says is done by a `Session`.  Work that is no search has a `Clock`; work that can be cut
anywhere, as random walks, calls `until_stopped`.  Neither NumPy nor Numba is imported here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from tablero import interrupts
from tablero.errors import BadInput, NothingToKeep
from tablero.runs.progress import Snapshot, Watcher
from tablero.text import several, short

if TYPE_CHECKING:
    from tablero.runs.engines import Engine
    from tablero.runs.findings import Findings
    from tablero.runs.record import Record

MOST_THREADS = 1024
_BEAT = 0.1  # seconds between two snapshots
_NAME = "1 to 64 letters, digits, dots, dashes or underscores"
Receiver = Callable[["Findings[Any]"], None]

# The type of every parameter, what its values are, and which values will do where not all of the type.
_WHOLE = (Integral, "a whole number from 1", lambda number: number >= 1)
_FUNCTION = (Callable, "a function", lambda function: not isinstance(function, type))
_PATH = (str, os.PathLike)
_FIELDS: dict[str, tuple[Any, str, Callable[[Any], bool]]] = {
    "time_limit": (Real, "a number above 0", lambda seconds: float(seconds) > 0),
    "node_limit": _WHOLE,
    "unit_nodes": _WHOLE,
    "most": _WHOLE,
    "threads": (Integral, f"a whole number from 1 to {MOST_THREADS}", lambda number: 1 <= number <= MOST_THREADS),
    "log": (_PATH, "a path", lambda path: isinstance(os.fspath(path), str)),
    "tls": (_PATH, "a path", lambda path: isinstance(os.fspath(path), str)),
    "watch": _FUNCTION,
    "receive": _FUNCTION,
    "name": (str, _NAME, bool),
    "job": (str, f"{_NAME}; '' where there is no job", lambda _: True),
    "address": (str, "HOST:PORT, tls://HOST:PORT or local:N", lambda _: True),
    "insecure": (bool, "True or False", lambda _: True),
}


def _checked(name: str, value: Any) -> Any:
    """A parameter's value as it is used; NumPy's numbers are numbers too."""
    of, expected, fits = _FIELDS[name]
    try:
        good = isinstance(value, of) and (of is bool or not isinstance(value, bool)) and fits(value)
    except OverflowError:  # a whole number that is too large for a float
        good = False
    if not good:
        raise BadInput(f"{name} {short(value)}: expected {expected}")
    return float(value) if of is Real else int(value) if of is Integral else os.fspath(value) if of is _PATH else value


class Question(NamedTuple):
    """What a job must know to ask its question again."""

    recipe: dict[str, Any]  # the family, the verb and what was asked of it
    problem: Callable[[], bytes]  # the puzzle as its family writes it down; made only for a job


@dataclass(frozen=True, kw_only=True)
class Run:
    """What all ways to run a search have in common."""

    time_limit: float | None = None  # seconds of searching
    node_limit: int | None = None  # about so many nodes; just so many on one thread
    unit_nodes: int | None = None  # of each unit; else a unit has as many as take a few seconds
    log: str | os.PathLike[str] | None = None  # a file for a line of JSON a unit: see `reports`
    watch: Watcher | None = field(default=None, repr=False)
    # Gets answers that are too many to be kept: see `passes`.
    receive: Receiver | None = field(default=None, repr=False)
    # Whether Ctrl-C leaves only as many answers as are printed in a moment.
    brief: bool = field(default=False, repr=False)
    # The job's file, where it is open already.
    opened: Record | None = field(default=None, repr=False, compare=False)
    question: Question | None = field(default=None, repr=False, compare=False)

    durable: ClassVar[bool] = False
    """Whether the search must be one whose nodes can be counted wherever and however often it is continued."""

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in _FIELDS and not (value is one.default is None):
                object.__setattr__(self, one.name, _checked(one.name, value))
        if self.job_name:
            from tablero.runs.jobs import path_of

            path_of(self.job_name)  # refuses what is no name

    @property
    def job_name(self) -> str:
        """The job's name; empty where the search is not kept."""
        return ""

    @property
    def passes(self) -> bool:
        """Whether answers come in order and nothing keeps them, so that many go straight to the one who receives them."""
        return isinstance(self, Here) and self.threads == 1 and not self.durable and self.receive is not None

    def engine(self) -> Engine:
        """The workers."""
        raise NotImplementedError

    def within(self, seconds: float | None) -> Self:
        """The same with another time limit."""
        return replace(self, time_limit=seconds)

    def asking(self, recipe: dict[str, Any], problem: Callable[[], bytes]) -> Self:
        """The same, with what a job must know to ask its question again; the first to say so is the one who asks."""
        return self if self.question is not None else replace(self, question=Question(recipe, problem))

    def report(self, snapshot: Snapshot) -> None:
        """Let the watcher know, where there is one; a stop is heard here too, except where something ends."""
        if not (snapshot.over or snapshot.remark):
            interrupts.check()
        if self.watch is not None:
            self.watch(snapshot)


@dataclass(frozen=True)
class Here(Run):
    """Threads of this process."""

    threads: int = field(default=1, kw_only=True)

    def engine(self) -> Engine:
        from tablero.runs.engines import Threads

        return Threads(self.threads)


@dataclass(frozen=True)
class Job(Here):
    """Threads of this process, and a file under a name."""

    name: str
    durable: ClassVar[bool] = True

    @property
    def job_name(self) -> str:
        return self.name


@dataclass(frozen=True)
class Grid(Run):
    """A Dask cluster: the address of its scheduler, or local:N for N processes of this machine."""

    address: str
    tls: str = field(default="", kw_only=True)  # the folder with the certificates
    insecure: bool = field(default=False, kw_only=True)
    job: str = field(default="", kw_only=True)
    durable: ClassVar[bool] = True

    @property
    def job_name(self) -> str:
        return self.job

    def engine(self) -> Engine:
        from tablero.runs.cluster import Cluster

        return Cluster(self.address, self.tls, self.insecure)


HERE = Here()


def require_run(run: object) -> None:
    """Refuse what does not say how to run something.  Whatever takes time begins with a session, a clock or this."""
    if not isinstance(run, Run):
        raise BadInput(f"run={short(run)}: expected Here(…), Job(…) or Grid(…)")


def require_most(most: int | None) -> None:
    """Refuse what is no number of answers; None is all."""
    if most is not None:
        _checked("most", most)


def require_here(run: Run, what: str) -> None:
    """Refuse a job or a grid where there is no search to keep or to share."""
    require_run(run)
    if run.durable:
        raise NothingToKeep(f"{what} is not a search that can be kept or shared: leave the job and the cluster out")


class Clock:
    """For work that is no search: time since it was made, whether a limit of the run is met, a word to those who watch."""

    def __init__(self, run: Run) -> None:
        require_run(run)
        self.run = run
        self._began, self._cpu = time.monotonic(), time.thread_time()
        self._next = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def cpu_seconds(self) -> float:
        return time.thread_time() - self._cpu

    def is_up(self, nodes: int) -> bool:
        """Whether the time of the run is over, or its nodes are visited."""
        interrupts.check()
        run = self.run
        if run.node_limit is not None and nodes >= run.node_limit:
            return True
        return run.time_limit is not None and self.seconds >= run.time_limit

    def report(self, words: str, *, fraction: float | None = None, nodes: int = 0) -> None:
        """Let the watcher know, ten times a second at most."""
        seconds = self.seconds
        if seconds >= self._next:
            self._next = seconds + _BEAT
            limit = self.run.time_limit
            self.run.report(Snapshot(seconds=seconds, time_limit=limit, fraction=fraction, nodes=nodes, words=words))


@interrupts.Polling()
def until_stopped(slices: Iterable[int], total: int, what: str, run: Run) -> tuple[int, bool]:
    """Go through slices, each of which says how many there are by then: how many were made, and whether Ctrl-C ended it.

    The first slice is made whatever the limit; Ctrl-C before its end leaves nothing to tell, and is passed on.
    """
    clock, made = Clock(run), 0
    try:
        for made in slices:
            clock.report(several(made, what), fraction=made / total)
            if clock.is_up(0):
                break
    except KeyboardInterrupt:
        if not made:
            raise
        return made, True
    finally:
        run.report(Snapshot(over=True))
    return made, False
