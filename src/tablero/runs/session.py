"""Sessions: searches for one question, which share the workers, the time and the job's file.

A question that needs one search calls `perform`; one that needs several, one after another, opens a `Session`.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from tablero import interrupts
from tablero.runs import jobs
from tablero.runs.answers import MODEST, StreamingCheck, format_size, free_space, scratch_folder
from tablero.runs.coordinator import interrupted_result, result_of, run
from tablero.runs.findings import Findings, Interrupted, Result
from tablero.runs.progress import PLAIN_PROGRESS, ProgressText, Snapshot, Watcher
from tablero.runs.reports import Log
from tablero.runs.run import Clock, Here, Run, require_most, require_run
from tablero.search.base import Answers, Outcome, Search

if TYPE_CHECKING:
    from tablero.runs.engines import Engine
    from tablero.runs.record import JobInfo
    from tablero.runs.store import Store

_COMPILED: set[Hashable] = set()  # kernels that this process has used
_NOTHING = Outcome.empty(0)


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


latest: Result | None = None  # of the last search, whose answers may not have been printed yet


class Session:
    """Searches that follow one another for one question: they share workers, time and the job's file."""

    def __init__(self, run: Run) -> None:
        require_run(run)
        self.run = run
        self.spent = Result("open", 0, _NOTHING)  # by the searches until now; of a job, in earlier runs too
        self._seconds, self._nodes = 0.0, 0  # in this session alone: its limits are about these
        self._last: Result | None = None  # what became of the last search
        self.setup_seconds = 0.0  # before any search, for example to build a matrix
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
            end = Snapshot(seconds=self._seconds, time_limit=self.run.time_limit, nodes=self._nodes, over=True)
            if (last := self._last) is not None:
                end = replace(
                    end, found=last.solutions, fraction=last.fraction, best=last.best, quarantined=last.quarantined
                )
            self.run.report(end)
            if self._engine is not None:
                self._engine.close()
        finally:
            self._sigterm.__exit__(None, None, None)
            if self._log is not None:
                self._log.close()
            if self._store is not None and self._store is not self.run.opened:
                self._store.close()

    @property
    def info(self) -> JobInfo | None:
        """What the job of that name is, where there is one already."""
        name, opened = self.run.job_name, self.run.opened
        if opened is not None:
            return opened.info
        if not name or not jobs.path_of(name).exists():
            return None
        with jobs.read_job(name) as record:
            return record.info

    @property
    def stage(self) -> dict[str, Any]:
        """What the job knows of its present search: see `perform`.  Empty where there is no job of this question yet."""
        info, question = self.info, self.run.question
        if info is None or question is None or info.problem != question.problem():
            return {}
        same = all(info.recipe.get(key) == question.recipe[key] for key in ("family", "verb"))
        stage: dict[str, Any] = info.recipe.get("stage", {})
        return stage if same else {}

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

    def add_setup_time(self, seconds: float, *, charged: bool = True) -> None:
        """Report seconds of setup, which are not part of the search.

        They count against the time limit unless the setup was done before the session (`charged=False`).
        """
        self.setup_seconds += seconds
        if charged:
            self._seconds += seconds
        if self._log is not None:
            self._log.made(seconds)

    def perform(
        self,
        search: Search,
        *,
        most: int | None = None,
        keep: bool = True,
        patience: float | None = None,
        nodes: int | None = None,
        stage: Mapping[str, Any] | None = None,
        progress_text: ProgressText = PLAIN_PROGRESS,
        of: Callable[[Answers], Findings[Any]] | None = None,
    ) -> Result:
        """Run a search until it is done, the time of the session is up, or the patience with this one is over.

        `stage` is what a job must know of this search to make it again, where the question alone does not say it: which
        of several it is, and what those before it cost (`before`).

        Patience is of seconds, or of nodes, which are the same on a slow machine.
        Compiling does not count as time.  `of` tells what answers mean: with it, many are checked while they come.
        """
        require_most(most)
        global latest
        interrupts.check()
        store = self._open_store(search, most, stage) if self.run.job_name else None
        earlier = None if store is None else result_of(search, store, most, answers=False)
        latest = latest if earlier is None else earlier
        try:
            engine = self._engine_for(search)
        except KeyboardInterrupt:  # as after any Ctrl-C, what was found until now is returned
            return self._stopped(search, most, keep)
        streaming = None
        if of is not None and keep and not search.minimises and patience is None and isinstance(self.run, Here):
            streaming = StreamingCheck(search, of, self.run.receive if self.run.passes else None)
        limits = [limit for limit in (self.left, patience) if limit is not None]
        if self.run.node_limit is not None:
            left = max(self.run.node_limit - self._nodes, 1)
            nodes = left if nodes is None else min(nodes, left)
        began = time.monotonic()
        try:
            result = run(
                search if streaming is None else cast(Search, streaming),
                most=most,
                keep=keep,
                engine=engine,
                time_limit=min(limits, default=None),
                node_limit=nodes,
                store=store,
                watch=self._watcher(4 * search.width if keep and not self.run.passes else 0),
                progress_text=progress_text,
                unit_nodes=self.run.unit_nodes,
                log=self._log,
                brief=self.run.brief,
            )
        except Interrupted as error:
            latest = error.result
            raise
        latest = self._last = result
        if streaming is not None:
            result = streaming.conclude(result, most, earlier=earlier is not None and earlier.solutions > 0)
        self._seconds += time.monotonic() - began  # also in which answers were checked and passed on
        self._nodes += result.nodes - (earlier.nodes if earlier else 0)
        self._account(search, result)
        return result

    def _account(self, search: Search, result: Result) -> None:
        """Add the cost of a search, and report how it ended."""
        if self._log is not None:
            self._log.search(search, result)
        self.spent = self.spent.after(result)  # with what a job has cost before
        if result.interrupted:
            self._tell_interrupted(result)
        if result.full:
            self.run.report(Snapshot(remark=result.full))

    def _engine_for(self, search: Search) -> Engine:
        """What works for the session, once the search is compiled."""
        if self._engine is None:
            self.run.report(Snapshot())  # whatever was compiled is; to find a cluster may take a while
            self._engine = self.run.engine()
        self._compile(search)
        return self._engine

    def _stopped(self, search: Search, most: int | None, keep: bool) -> Result:
        """What is known of a search that was interrupted before it began."""
        if self._store is None:
            return Result("open", 0, Outcome.empty(search.width), fraction=0.0, interrupted=True, kept=keep)
        result = interrupted_result(search, self._store, most, keep=keep)
        self._tell_interrupted(result)
        return result

    def _tell_interrupted(self, result: Result) -> None:
        name, some = self.run.job_name, len(result.answers)
        if name:
            self.run.report(Snapshot(remark=f"interrupted; 'tablero jobs resume {name}' goes on"))
        if result.kept and 0 < some < result.solutions:
            whole = f"'tablero jobs export {name}' has them all" if name else "a job would have kept them all"
            self.run.report(Snapshot(remark=f"{some:,} of {result.solutions:,} answers are told; {whole}"))

    def _watcher(self, size: int) -> Watcher | None:
        """The watcher of the run, with the time and the nodes of the whole session in place of those of one search.

        It also gets a warning when the answers, of so many bytes each, will hardly fit on the disk.
        """
        watch, seconds, nodes = self.run.watch, self._seconds, self._nodes
        if watch is None:
            return None
        store = self._store
        folder = scratch_folder() if store is None or store.path is None else store.path.parent
        warned = False

        def report(now: Snapshot) -> None:
            nonlocal warned
            limit = self.run.time_limit
            if not warned and now.found * size > MODEST and now.fraction:
                foreseen, free = now.found * size / now.fraction, free_space(folder)
                if warned := foreseen > free:
                    watch(
                        Snapshot(
                            remark=f"all answers will take about {format_size(foreseen)}, and {folder} has "
                            f"{format_size(free)} free: the search stops before it is full; to count them needs no room"
                        )
                    )
            watch(replace(now, seconds=now.seconds + seconds, nodes=now.nodes + nodes, time_limit=limit))

        return report

    def _open_store(self, search: Search, most: int | None, stage: Mapping[str, Any] | None) -> Store:
        """The job's file: made, found again, or begun anew for the search that follows another.

        Its recipe has the number of answers that are enough, where not all are wanted, and the stage.
        """
        name, question = self.run.job_name, self.run.question
        assert question is not None  # without them it could not be resumed
        recipe = question.recipe if most is None else {**question.recipe, "most": most}
        if stage is not None:
            recipe = {**recipe, "stage": dict(stage)}
        if self._store is None:
            opened = cast("Store | None", self.run.opened)
            self._store, new = jobs.begin(name, search, recipe, question.problem(), opened)
            self._store.hold()  # also while kernels are compiled, and the search that follows is made
            if not new:
                percent = 100 * self._store.totals().fraction
                self.run.report(Snapshot(remark=f"job {name!r} goes on from {percent:.2f} %"))
        else:
            jobs.follow(self._store, search, recipe)
        return self._store

    def _compile(self, search: Search) -> None:
        if search.variant not in _COMPILED:
            self.run.report(Snapshot(doing=f"compiling the kernel {search.name.partition('/')[0]}"))
            search.warm()
            _COMPILED.add(search.variant)


def perform(
    search: Search,
    run: Run,
    *,
    most: int | None = None,
    keep: bool = True,
    progress_text: ProgressText = PLAIN_PROGRESS,
    of: Callable[[Answers], Findings[Any]] | None = None,
) -> Result:
    """Run one search."""
    with Session(run) as session:
        return session.perform(search, most=most, keep=keep, progress_text=progress_text, of=of)
