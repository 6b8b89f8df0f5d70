"""One runner: whoever asks says with one object how a search is to be run.

    Here    threads of this process; the search lives as long as the call
    Job     the same, but kept under a name: it survives any crash and can be resumed
    Grid    the workers of a Dask cluster; with the name of a job, durable as well
    Stored  nothing is run: what a job has found so far; or, with `Standing`, where its search stands

A family's verbs take one as `run=`, and pass it on to `perform`.  A verb that needs several searches, one after another,
opens a `Session`: they share the workers, the time, and the job's file.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np

from tablero import interrupts, kinds
from tablero.errors import BadInput, JobError, NothingToKeep
from tablero.runs.answers import MODEST, Passing, free_space, scratch_folder, told_size
from tablero.runs.findings import Findings, Interrupted, Result
from tablero.runs.log import Log
from tablero.runs.watch import PLAINLY, Snapshot, Telling, Watcher
from tablero.search.base import Answers, Search

if TYPE_CHECKING:
    from tablero.runs.engines import Engine
    from tablero.runs.record import Card, Record
    from tablero.runs.store import Store

MOST_THREADS = 1024
_NAME = "1 to 64 letters, digits, dots, dashes or underscores"
Receiver = Callable[[Findings[Any]], None]
_COMPILED: set[Hashable] = set()  # kernels that this process has used
_NOTHING = np.empty((0, 0), np.int32)
_BEAT = 0.1  # seconds between two snapshots


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

    def tell(self, words: str, *, fraction: float | None = None, nodes: int = 0) -> None:
        """Let the watcher know, ten times a second at most."""
        seconds = self.seconds
        if seconds >= self._next:
            self._next = seconds + _BEAT
            limit = self.run.time_limit
            self.run.tell(Snapshot(seconds=seconds, time_limit=limit, fraction=fraction, nodes=nodes, words=words))


@contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """SIGTERM, by which 'jobs stop' and batch systems ask a process to end, is a KeyboardInterrupt meanwhile: a program that
    has no other plan for it keeps what it found instead of dying.  Only the main thread of a program can say so."""
    ends = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not ends or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


latest: Result | None = None  # of the last search, for whoever must tell of it when its answers were not yet told


class Session:
    """Searches that follow one another for one question: they share workers, time and the job's file."""

    def __init__(self, run: Run) -> None:
        require_run(run)
        self.run = run
        self.spent = Result("open", 0, _NOTHING)  # by the searches until now; of a job, in earlier runs too
        self._seconds, self._nodes = 0.0, 0  # in this session alone: its limits are about these
        self._last: Result | None = None  # what became of the last search
        self.aside = 0.0  # seconds before any search, as for making a matrix
        self._engine: Engine | None = None
        self._store: Store | None = None
        self._log = None if run.log is None else Log(Path(run.log))
        self._sigterm = sigterm_interrupts()  # also while something is loaded or made before a search

    def __enter__(self) -> Session:
        self._sigterm.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.run.tell(self._farewell())
            if self._engine is not None:
                self._engine.close()
        finally:
            self._sigterm.__exit__(None, None, None)
            if self._log is not None:
                self._log.close()
            if self._store is not None and self._store is not self.run.opened:
                self._store.close()

    def _farewell(self) -> Snapshot:
        """The last that a watcher hears: how it ended."""
        now = Snapshot(seconds=self._seconds, time_limit=self.run.time_limit, nodes=self._nodes, over=True)
        if self._last is None:
            return now
        last = self._last
        return replace(now, found=last.solutions, fraction=last.fraction, best=last.best, aside=last.aside)

    @property
    def card(self) -> Card | None:
        """What the job of that name is, where there is one already."""
        from tablero.runs import jobs

        name, opened = self.run.job_name, self.run.opened
        if opened is not None:
            return opened.card
        if not name or not jobs.path_of(name).exists():
            return None
        with jobs.read_job(name) as record:
            return record.card

    @property
    def left(self) -> float | None:
        """Seconds until the time limit."""
        limit = self.run.time_limit
        return None if limit is None else max(limit - self._seconds, 0.001)

    @property
    def over(self) -> bool:
        """Whether a limit of the session is met."""
        interrupts.check()
        time_limit, node_limit = self.run.time_limit, self.run.node_limit
        late = time_limit is not None and self._seconds >= time_limit
        return late or (node_limit is not None and self._nodes >= node_limit)

    def charge(self, clock: Clock) -> None:
        """Work beside the searches is part of the session's time."""
        cost = Result("open", 0, _NOTHING, seconds=clock.seconds, cpu_seconds=clock.cpu_seconds)
        self.spent = self.spent.after(cost)
        self._seconds += cost.seconds

    def set_aside(self, seconds: float) -> None:
        """What is made before a search takes of the session's time, but is no part of the search."""
        self.made_before(seconds)
        self._seconds += seconds

    def made_before(self, seconds: float) -> None:
        """What was made before the session takes none of its time, but is told as well."""
        self.aside += seconds
        if self._log is not None:
            self._log.made(seconds)

    def perform(
        self,
        search: Search,
        *,
        books: Books | None = None,
        most: int | None = None,
        keep: bool = True,
        patience: float | None = None,
        nodes: int | None = None,
        telling: Telling = PLAINLY,
        of: Callable[[Answers], Findings[Any]] | None = None,
    ) -> Result:
        """Run a search until it is done, the time of the session is up, or the patience with this one is over.

        Patience is of seconds, or of nodes, which are the same on a slow machine.
        Compiling does not count as time.  `of` tells what answers mean: with it, many are checked while they come.
        """
        from tablero.runs.coordinator import result_of, run

        require_most(most)
        if isinstance(self.run, Stored):
            return _look_up(self.run, search, most, keep)
        global latest
        interrupts.check()
        store = self._books_of(search, books or self.run.books) if self.run.job_name else None
        earlier = None if store is None else result_of(search, store, most, answers=False)
        latest = latest if earlier is None else earlier
        try:
            engine = self._engine_for(search)
        except KeyboardInterrupt:  # as after any Ctrl-C: what was found until now is told
            return self._stopped(search, most, keep)
        passing = None
        if of is not None and keep and not search.minimises and patience is None and isinstance(self.run, Here):
            passing = self._passing(search, of)
        limits = [limit for limit in (self.left, patience) if limit is not None]
        if self.run.node_limit is not None:
            left = max(self.run.node_limit - self._nodes, 1)
            nodes = left if nodes is None else min(nodes, left)
        began = time.monotonic()
        try:
            result = run(
                search if passing is None else cast(Search, passing),
                most=most,
                keep=keep,
                engine=engine,
                time_limit=min(limits) if limits else None,
                node_limit=nodes,
                store=store,
                watch=self._watcher(4 * search.width if keep and not self.run.passes else 0),
                telling=telling,
                unit_nodes=self.run.unit_nodes,
                log=self._log,
                brief=self.run.brief,
            )
        except Interrupted as error:
            latest = error.result
            raise
        latest = self._last = result
        if passing is not None:
            result = passing.conclude(result, most, earlier=earlier is not None and earlier.solutions > 0)
        if self._log is not None:
            self._log.search(search, result)
        self.spent = self.spent.after(result)  # with what a job has cost before
        self._seconds += time.monotonic() - began  # also in which answers were checked and passed on
        self._nodes += result.nodes - (earlier.nodes if earlier else 0)
        if result.interrupted:
            self._tell_interrupted(result)
        if result.full:
            self.run.tell(Snapshot(remark=result.full))
        return result

    def _engine_for(self, search: Search) -> Engine:
        """What works for the session, once the search is compiled."""
        if self._engine is None:
            self.run.tell(Snapshot())  # whatever was compiled is; to find a cluster may take a while
            self._engine = self.run.engine()
        self._compile(search)
        return self._engine

    def _passing(self, search: Search, of: Callable[[Answers], Findings[Any]]) -> Passing:
        receive = self.run.receive if self.run.passes else None
        return Passing(
            search, lambda rows: of(rows).verify(), None if receive is None else lambda rows: receive(of(rows))
        )

    def _stopped(self, search: Search, most: int | None, keep: bool) -> Result:
        """What is known of a search that was interrupted before it began."""
        from tablero.runs.coordinator import interrupted_result

        if self._store is not None:
            result = interrupted_result(search, self._store, most, keep=keep)
            self._tell_interrupted(result)
            return result
        nothing = np.empty((0, search.width), np.int32)
        return Result("open", 0, nothing, fraction=0.0, interrupted=True, kept=keep)

    def _tell_interrupted(self, result: Result) -> None:
        name, some = self.run.job_name, len(result.answers)
        if name:
            self.run.tell(Snapshot(remark=f"interrupted; 'tablero jobs resume {name}' goes on"))
        if result.kept and 0 < some < result.solutions:
            whole = f"'tablero jobs export {name}' has them all" if name else "a job would have kept them all"
            self.run.tell(Snapshot(remark=f"{some:,} of {result.solutions:,} answers are told; {whole}"))

    def _watcher(self, size: int) -> Watcher | None:
        """What the watcher of the run hears is told of the whole session, not of one of its searches.

        It also hears when the answers, of so many bytes each, will hardly find room.
        """
        watch, seconds, nodes = self.run.watch, self._seconds, self._nodes
        if watch is None:
            return None
        store = self._store
        folder = scratch_folder() if store is None or store.path is None else store.path.parent
        told = False

        def tell(now: Snapshot) -> None:
            nonlocal told
            limit = self.run.time_limit
            if not told and now.found * size > MODEST and now.fraction:
                foreseen, free = now.found * size / now.fraction, free_space(folder)
                if told := foreseen > free:
                    watch(
                        Snapshot(
                            remark=f"all answers will take about {told_size(foreseen)}, and {folder} has "
                            f"{told_size(free)} free: the search stops before it is full; to count them needs no room"
                        )
                    )
            watch(replace(now, seconds=now.seconds + seconds, nodes=now.nodes + nodes, time_limit=limit))

        return tell

    def _books_of(self, search: Search, books: Books | None) -> Store:
        """The job's file: made, found again, or begun anew for the search that follows another."""
        from tablero.runs import jobs

        name = self.run.job_name
        assert books is not None  # without them nobody could resume it
        if self._store is None:
            opened = cast("Store | None", self.run.opened)
            self._store, new = jobs.begin(name, search, books.recipe, books.problem(), opened)
            self._store.hold()  # also while kernels are compiled, and the search that follows is made
            if not new:
                percent = 100 * self._store.totals().fraction
                self.run.tell(Snapshot(remark=f"job {name!r} goes on from {percent:.2f} %"))
        else:
            jobs.follow(self._store, search, books.recipe)
        return self._store

    def _compile(self, search: Search) -> None:
        if search.variant not in _COMPILED:
            self.run.tell(Snapshot(doing=f"compiling the kernel {search.name.partition('/')[0]}"))
            search.warm()
            _COMPILED.add(search.variant)


def _look_up(run: Stored, search: Search, most: int | None, keep: bool) -> Result:
    """What a job has found so far, also while another process works on it; or its current board."""
    from tablero.runs import jobs
    from tablero.runs.coordinator import result_of

    with nullcontext(run.opened) if run.opened is not None else jobs.read_job(run.name) as record:
        card = record.card
        if (card.kernel, card.digest) != (search.name, search.digest()):
            raise JobError(f"job {card.name!r} is of another problem or of another kernel, {card.kernel}")
        if not isinstance(run, Standing):
            return result_of(search, record, most, keep=keep)
        state = record.last_state()
    row = None if state is None else search.partial(state)
    rows = np.empty((0, search.width), np.int32) if row is None else row[None, :]
    return Result("open", 0, rows, fraction=0.0, checked=True, partial=True)


def perform(
    search: Search,
    run: Run,
    *,
    books: Books | None = None,
    most: int | None = None,
    keep: bool = True,
    telling: Telling = PLAINLY,
    of: Callable[[Answers], Findings[Any]] | None = None,
) -> Result:
    """Run one search."""
    with Session(run) as session:
        return session.perform(search, books=books, most=most, keep=keep, telling=telling, of=of)


def require_here(run: Run, what: str) -> None:
    """Refuse a job or a grid where there is no search to keep or to share."""
    require_run(run)
    if run.durable:
        raise NothingToKeep(f"{what} is not a search that can be kept or shared: leave the job and the cluster out")
