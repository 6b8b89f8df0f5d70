"""How a search is to be run: one object says it, for every question.

    Here    threads of this process; the search lives as long as the call
    Job     the same, but kept under a name: it survives any crash and can be resumed
    Grid    the workers of a Dask cluster; with the name of a job, durable as well
    Stored  nothing is run: what a job has found so far; or, with `Standing`, where its search stands

A verb takes one as `run=`; what it says is done by a `Session`.  Neither NumPy nor Numba is imported here.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tablero import interrupts, kinds
from tablero.errors import BadInput, NothingToKeep
from tablero.runs.watch import Snapshot, Watcher

if TYPE_CHECKING:
    from tablero.runs.engines import Engine
    from tablero.runs.findings import Findings
    from tablero.runs.record import Record

MOST_THREADS = 1024
_NAME = "1 to 64 letters, digits, dots, dashes or underscores"
Receiver = Callable[["Findings[Any]"], None]

_KINDS: tuple[tuple[Any, ...], ...] = (
    ("time_limit", kinds.above_zero, "a time limit of {} s"),
    ("node_limit", kinds.whole, "a limit of {} nodes", 1),
    ("unit_nodes", kinds.whole, "units of {} nodes", 1),
    ("log", kinds.path, "the log"),
    ("watch", kinds.function, "{} cannot watch", "a function of a snapshot, as Progress()"),
    ("receive", kinds.function, "{} cannot receive answers", "a function of findings"),
)


class Books(NamedTuple):
    """What a job must know to ask its question again."""

    recipe: dict[str, Any]  # the family, the verb and what was asked of it
    problem: Callable[[], bytes]  # the puzzle as its family writes it down; made only for a job


@dataclass(frozen=True, kw_only=True)
class Run:
    """What all ways to run a search have in common."""

    time_limit: float | None = None  # seconds of searching
    node_limit: int | None = None  # about so many nodes; just so many on one thread
    unit_nodes: int | None = None  # of each unit; else a unit has as many as take a few seconds
    log: str | os.PathLike[str] | None = None  # a file for a line of JSON a unit: see `log`
    watch: Watcher | None = field(default=None, repr=False)
    receive: Receiver | None = field(
        default=None, repr=False
    )  # gets answers that are too many to be kept: see `passes`
    brief: bool = field(
        default=False, repr=False
    )  # after Ctrl-C only a moment's worth of answers: for whoever prints them
    opened: Record | None = field(default=None, repr=False, compare=False)  # the job's file, where it is open already

    books: Books | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, check, form, *more in _KINDS:
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, check(value, form, *more))
        if self.job_name:
            from tablero.runs.jobs import path_of

            path_of(self.job_name)  # refuses what is no name

    @property
    def job_name(self) -> str:
        """The job's name; empty where the search is not kept."""
        return ""

    @property
    def durable(self) -> bool:
        """Whether the search must be one whose nodes can be counted wherever and however often it is continued."""
        return False

    @property
    def passes(self) -> bool:
        """Whether answers come in order and nothing keeps them, so that many go straight to the one who receives them."""
        return False

    def engine(self) -> Engine:
        """The workers."""
        raise NotImplementedError

    def within(self, seconds: float | None) -> Self:
        """The same with another time limit."""
        return replace(self, time_limit=seconds)

    def asking(self, recipe: dict[str, Any], problem: Callable[[], bytes]) -> Self:
        """The same, with what a job must know to ask its question again; the first to say so is the one who asks."""
        return self if self.books is not None else replace(self, books=Books(recipe, problem))

    def tell(self, snapshot: Snapshot) -> None:
        """Let the watcher know, where there is one; a stop is heard here too, except where something ends."""
        if not (snapshot.over or snapshot.remark):
            interrupts.check()
        if self.watch is not None:
            self.watch(snapshot)


@dataclass(frozen=True)
class Here(Run):
    """Threads of this process."""

    threads: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        threads = kinds.whole(self.threads, "{} threads", 1, MOST_THREADS, f"1 to {MOST_THREADS}")
        object.__setattr__(self, "threads", threads)

    @property
    def passes(self) -> bool:
        return self.receive is not None and self.threads == 1 and not self.durable

    def engine(self) -> Engine:
        from tablero.runs.engines import Threads

        return Threads(self.threads)


@dataclass(frozen=True)
class Job(Here):
    """Threads of this process, and books on disk under a name."""

    name: str

    def __post_init__(self) -> None:
        kinds.text(self.name, "the job name", _NAME)
        super().__post_init__()
        if not self.name:
            raise BadInput(f"a job without a name: expected {_NAME}")

    @property
    def job_name(self) -> str:
        return self.name

    @property
    def durable(self) -> bool:
        return True


@dataclass(frozen=True)
class Grid(Run):
    """A Dask cluster: the address of its scheduler, or local:N for N processes of this machine."""

    address: str
    tls: str = field(default="", kw_only=True)  # the folder with the certificates
    insecure: bool = field(default=False, kw_only=True)
    job: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        kinds.text(self.address, "the cluster", "HOST:PORT, tls://HOST:PORT or local:N")
        object.__setattr__(self, "tls", kinds.path(self.tls, "the folder with the certificates"))
        kinds.flag(self.insecure, "insecure")
        kinds.text(self.job, "the job name", f"{_NAME}; '' where there is no job")
        super().__post_init__()

    @property
    def job_name(self) -> str:
        return self.job

    @property
    def durable(self) -> bool:
        return True

    def engine(self) -> Engine:
        from tablero.runs.cluster import Cluster

        return Cluster(self.address, self.tls, self.insecure)


@dataclass(frozen=True)
class Stored(Job):
    """A job as it stands: it is looked at, not worked on."""


@dataclass(frozen=True)
class Standing(Stored):
    """Where a job stands: its one answer is what a unit at work has decided of one; none where that says nothing."""


HERE = Here()


def require_run(run: object) -> None:
    """Refuse what does not say how to run something.  Whatever takes time begins with a session, a clock or this."""
    if not isinstance(run, Run):
        raise BadInput(f"run={kinds.told(run)}: expected Here(…), Job(…) or Grid(…)")


def require_most(most: int | None) -> None:
    """Refuse what is no number of answers; None is all."""
    if most is not None:
        kinds.whole(most, "{} answers", 1, expected="a number from 1, or None for all")


def require_here(run: Run, what: str) -> None:
    """Refuse a job or a grid where there is no search to keep or to share."""
    require_run(run)
    if run.durable:
        raise NothingToKeep(f"{what} is not a search that can be kept or shared: leave the job and the cluster out")
