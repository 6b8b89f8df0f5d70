"""How a search is run: the values of a verb's parameter `run`.

    Here    threads of this process; the search ends with the call
    Job     threads of this process and a file: the search survives any crash and can be resumed
    Grid    the workers of a Dask cluster; with the name of a job it can be resumed as well

A `Session` runs searches accordingly.  Work that is not a search uses a `Clock`, and work that can stop after any
step, such as random walks, `until_stopped`.  This module imports neither NumPy nor Numba.
"""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar

from tablero import interrupts
from tablero.errors import BadInput, NothingToKeep
from tablero.runs.progress import Snapshot, Watcher
from tablero.text import several, short

if TYPE_CHECKING:
    from tablero.runs.engines import Engine
    from tablero.runs.findings import Findings
    from tablero.runs.record import Record

MOST_THREADS = 1024
_BETWEEN = 0.1  # seconds between two snapshots
_NAME = "1 to 64 letters, digits, dots, dashes or underscores"
R = TypeVar("R")
Receiver = Callable[["Findings[Any]"], None]

# The type of each parameter, the expected values in words, and a test for values of the type.
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
    """The value of a parameter, checked and converted; numbers of NumPy are accepted."""
    of, expected, fits = _FIELDS[name]
    try:
        good = isinstance(value, of) and (of is bool or not isinstance(value, bool)) and fits(value)
    except OverflowError:  # a whole number that is too large for a float
        good = False
    if not good:
        raise BadInput(f"{name} {short(value)}: expected {expected}")
    return float(value) if of is Real else int(value) if of is Integral else os.fspath(value) if of is _PATH else value


class Question(NamedTuple):
    """What a job stores to ask its question again."""

    recipe: dict[str, Any]  # the family, the verb and its options
    problem: Callable[[], bytes]  # encodes the puzzle; called only for a job


_SHARED_PARAMETERS = """\
time_limit
    Stop after this many seconds of searching; compiling does not count.
node_limit
    Stop after this many nodes: exactly on one thread, approximately on several.
unit_nodes
    Nodes of each unit of work; if not given, a unit takes a few seconds.
log
    A file that gets a line of JSON for every unit of work.
watch
    A function that is called with a `Snapshot` of the progress ten times a second, for example ``tb.Progress()``.
receive
    For front ends: a function that is called with findings as they come, if there are too many answers to keep.
brief
    For front ends: whether only as many answers are returned after Ctrl-C as can be printed in a moment.
opened
    For front ends: the file of the job, if it is open already.
question
    For verbs: what the job stores to ask its question again.
"""


def _documented(kind: type[R]) -> type[R]:
    """Add the parameters that all runs share to the docstring of a class."""
    text, heading, examples = inspect.cleandoc(kind.__doc__ or "").partition("\n\nExamples\n")
    kind.__doc__ = f"{text}\n{_SHARED_PARAMETERS}{heading[1:]}{examples}"
    return kind


@dataclass(frozen=True, kw_only=True)
class Run:
    """The base of `Here`, `Job` and `Grid`."""

    time_limit: float | None = None
    node_limit: int | None = None
    unit_nodes: int | None = None
    log: str | os.PathLike[str] | None = None
    watch: Watcher | None = field(default=None, repr=False)
    receive: Receiver | None = field(default=None, repr=False)
    brief: bool = field(default=False, repr=False)
    opened: Record | None = field(default=None, repr=False, compare=False)
    question: Question | None = field(default=None, repr=False, compare=False)

    durable: ClassVar[bool] = False
    """Whether the search may be interrupted and continued, here or elsewhere, with the same nodes and answers."""

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in _FIELDS and not (value is one.default is None):
                object.__setattr__(self, one.name, _checked(one.name, value))
        if self.job_name:
            from tablero.runs.jobs import path_of

            path_of(self.job_name)  # refuses an invalid name

    @property
    def job_name(self) -> str:
        """The name of the job; empty if there is none."""
        return ""

    @property
    def streams(self) -> bool:
        """Whether many answers go to `receive` as they come: they come in order, and no file keeps them."""
        return isinstance(self, Here) and self.threads == 1 and not self.durable and self.receive is not None

    def engine(self) -> Engine:
        """Start the workers."""
        raise NotImplementedError

    def within(self, seconds: float | None) -> Self:
        """A copy with another time limit."""
        return replace(self, time_limit=seconds)

    def asking(self, recipe: dict[str, Any], problem: Callable[[], bytes]) -> Self:
        """A copy with the question that a job stores, unless an outer verb has set one already."""
        return self if self.question is not None else replace(self, question=Question(recipe, problem))

    def report(self, snapshot: Snapshot) -> None:
        """Pass a snapshot to the watcher.  Except at the end, a request to stop raises KeyboardInterrupt."""
        if not (snapshot.over or snapshot.remark):
            interrupts.check()
        if self.watch is not None:
            self.watch(snapshot)


@_documented
@dataclass(frozen=True)
class Here(Run):
    """Run a search on threads of this process.

    The search ends with the call: at Ctrl-C or a limit the result contains everything found so far.

    Parameters
    ----------
    threads
        Number of threads, 1 to 1024.

    Examples
    --------
    >>> import tablero as tb
    >>> tb.queens.Queens(8).count(run=tb.Here(threads=2, time_limit=60)).solutions
    92
    """

    threads: int = field(default=1, kw_only=True)

    def engine(self) -> Engine:
        from tablero.runs.engines import Threads

        return Threads(self.threads)


@_documented
@dataclass(frozen=True)
class Job(Here):
    """Run a search on threads of this process and keep it in a file.

    The search survives any crash.  The same question with the same name continues it.

    Parameters
    ----------
    name
        The name of the job: 1 to 64 letters, digits, dots, dashes or underscores.
    threads
        Number of threads, 1 to 1024.

    Examples
    --------
    >>> import tablero as tb
    >>> tb.queens.Queens(10).count(run=tb.Job("ten", threads=2)).solutions  # doctest: +SKIP
    724
    """

    name: str
    durable: ClassVar[bool] = True

    @property
    def job_name(self) -> str:
        return self.name


@_documented
@dataclass(frozen=True)
class Grid(Run):
    """Run a search on the workers of a Dask cluster.

    Parameters
    ----------
    address
        The address of the scheduler as HOST:PORT or tls://HOST:PORT, or local:N for N processes of this machine.
    tls
        The folder with the certificates of the cluster.
    insecure
        Whether other machines may be used without TLS.
    job
        The name of a job that keeps the search, as in `Job`.

    Examples
    --------
    >>> import tablero as tb
    >>> tb.queens.Queens(14).count(run=tb.Grid("local:4", job="fourteen")).solutions  # doctest: +SKIP
    365596
    """

    address: str
    tls: str = field(default="", kw_only=True)
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
    """Refuse a value of a parameter `run` that is not a `Run`.  A `Session` and a `Clock` call this too."""
    if not isinstance(run, Run):
        raise BadInput(f"run={short(run)}: expected Here(…), Job(…) or Grid(…)")


def require_most(most: int | None) -> None:
    """Refuse an invalid number of answers; None means all."""
    if most is not None:
        _checked("most", most)


def require_here(run: Run, what: str) -> None:
    """Refuse a job or a cluster for work that is not a search."""
    require_run(run)
    if run.durable:
        raise NothingToKeep(f"{what} is not a search that can be kept or shared: leave the job and the cluster out")


class Clock:
    """Measures work that is not a search: its time, the limits of the run, and its progress.

    Parameters
    ----------
    run
        How the work is run; the clock starts now.
    """

    def __init__(self, run: Run) -> None:
        require_run(run)
        self.run = run
        self._began, self._cpu = time.monotonic(), time.thread_time()
        self._next = 0.0

    @property
    def seconds(self) -> float:
        """Seconds since the clock was made."""
        return time.monotonic() - self._began

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of this thread since the clock was made."""
        return time.thread_time() - self._cpu

    def is_up(self, nodes: int) -> bool:
        """Whether the time limit or the node limit of the run is met."""
        interrupts.check()
        run = self.run
        if run.node_limit is not None and nodes >= run.node_limit:
            return True
        return run.time_limit is not None and self.seconds >= run.time_limit

    def report(self, words: str, *, fraction: float | None = None, nodes: int = 0) -> None:
        """Pass the progress to the watcher, at most ten times a second."""
        seconds = self.seconds
        if seconds >= self._next:
            self._next = seconds + _BETWEEN
            limit = self.run.time_limit
            self.run.report(Snapshot(seconds=seconds, time_limit=limit, fraction=fraction, nodes=nodes, words=words))


@interrupts.Polling()
def until_stopped(slices: Iterable[int], total: int, what: str, run: Run) -> tuple[int, bool]:
    """Do work slice by slice until a limit is met or Ctrl-C comes.

    The first slice is always completed.  Ctrl-C before its end raises KeyboardInterrupt.

    Parameters
    ----------
    slices
        An iterator that does a slice of the work and yields the number of things made so far.
    total
        The number that are made if nothing stops the work.
    what
        What one of them is called, for the progress.
    run
        How the work is run.

    Returns
    -------
    The number made, and whether Ctrl-C ended the work.
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
