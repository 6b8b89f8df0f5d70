"""Sessions: one or more searches for one question, which share the workers, the time limit and the job's file.

A verb that needs one search calls `perform`.  A verb that needs several, one after another, opens a `Session`.
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

_COMPILED: set[Hashable] = set()  # variants of searches whose kernels this process has loaded
_NOTHING = Outcome.empty(0)


@contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """Turn SIGTERM into a KeyboardInterrupt, so that a program returns what was found instead of dying.

    'jobs stop' and batch systems send SIGTERM.  A handler of the program is left alone.  Only the main thread can do this.
    """
    ends = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not ends or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


latest: Result | None = None  # of the last search, for a front end that is interrupted while it prints


class Session:
    """One or more searches for one question, one after another; a context manager.

    Parameters
    ----------
    run
        How the searches are run.

    Attributes
    ----------
    run
        How the searches are run.
    spent
        A result with the nodes and seconds of all searches so far; for a job also of earlier runs.
    setup_seconds
        Seconds of setup before a search, for example to build a matrix.
    """

    def __init__(self, run: Run) -> None:
        require_run(run)
        self.run = run
        self.spent = Result("open", 0, _NOTHING)
        self._seconds, self._nodes = 0.0, 0  # of this session, which its limits are about
        self._last: Result | None = None  # of the last search
        self.setup_seconds = 0.0
        self._engine: Engine | None = None
        self._store: Store | None = None
        self._log = None if run.log is None else Log(Path(run.log))
        self._sigterm = sigterm_interrupts()  # also during the setup before a search

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
        """The job as its file describes it; None if there is no job yet."""
        name, opened = self.run.job_name, self.run.opened
        if opened is not None:
            return opened.info
        if not name or not jobs.path_of(name).exists():
            return None
        with jobs.read_job(name) as record:
            return record.info

    @property
    def stage(self) -> dict[str, Any]:
        """What the job has stored about its present search (see `perform`); empty if no job has asked this question."""
        info, question = self.info, self.run.question
        if info is None or question is None or info.problem != question.problem():
            return {}
        same = all(info.recipe.get(key) == question.recipe[key] for key in ("family", "verb"))
        stage: dict[str, Any] = info.recipe.get("stage", {})
        return stage if same else {}

    @property
    def left(self) -> float | None:
        """Seconds until the time limit; None if there is none."""
        limit = self.run.time_limit
        return None if limit is None else max(limit - self._seconds, 0.001)

    @property
    def over(self) -> bool:
        """Whether the time limit or the node limit is met."""
        interrupts.check()
        time_limit, node_limit = self.run.time_limit, self.run.node_limit
        late = time_limit is not None and self._seconds >= time_limit
        return late or (node_limit is not None and self._nodes >= node_limit)

    def charge(self, clock: Clock) -> None:
        """Add the seconds of a clock, for work beside the searches, to the session's time and cost."""
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
        """Run a search until it is done, a limit of the session is met, or `patience` or `nodes` are used up.

        Compiling does not count as time.

        Parameters
        ----------
        search
            The search.
        most
            The number of answers that are enough; None for all.
        keep
            Whether answers are kept, and not only counted.
        patience, nodes
            Seconds and nodes for this search alone.  A number of nodes means the same on every machine.
        stage
            What a job must store to make this search again, if the question needs several: which of them it is, and the
            cost of those before it (`before`).
        progress_text
            How the progress is shown.
        of
            Makes findings of answers; if given, many answers are checked as they come.

        Returns
        -------
        The result, which contains everything found so far if the search was stopped.

        Raises
        ------
        Interrupted
            If Ctrl-C came while the answers of a complete search were read.
        JobError
            If the job's file cannot be written, or belongs to another question.
        """
        require_most(most)
        global latest
        interrupts.check()
        store = self._open_store(search, most, stage) if self.run.job_name else None
        earlier = None if store is None else result_of(search, store, most, answers=False)
        latest = latest if earlier is None else earlier
        try:
            engine = self._engine_for(search)
        except KeyboardInterrupt:  # as after any Ctrl-C, everything found so far is returned
            return self._stopped(search, most, keep)
        streaming = None
        if of is not None and keep and not search.minimises and patience is None and isinstance(self.run, Here):
            streaming = StreamingCheck(search, of, self.run.receive if self.run.streams else None)
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
                watch=self._watcher(4 * search.width if keep and not self.run.streams else 0),
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
        self._seconds += time.monotonic() - began  # including the checking and printing of answers
        self._nodes += result.nodes - (earlier.nodes if earlier else 0)
        self._account(search, result)
        return result

    def _account(self, search: Search, result: Result) -> None:
        """Add the cost of a search, and report why it ended."""
        if self._log is not None:
            self._log.search(search, result)
        self.spent = self.spent.after(result)  # includes the earlier runs of a job
        if result.interrupted:
            self._report_interrupt(result)
        if result.full:
            self.run.report(Snapshot(remark=result.full))

    def _engine_for(self, search: Search) -> Engine:
        """Start the workers, if there are none yet, and compile the search."""
        if self._engine is None:
            self.run.report(Snapshot())  # ends the message about compiling: to connect to a cluster may take a while
            self._engine = self.run.engine()
        self._compile(search)
        return self._engine

    def _stopped(self, search: Search, most: int | None, keep: bool) -> Result:
        """The result of a search that was interrupted before it began."""
        if self._store is None:
            return Result("open", 0, Outcome.empty(search.width), fraction=0.0, interrupted=True, kept=keep)
        result = interrupted_result(search, self._store, most, keep=keep)
        self._report_interrupt(result)
        return result

    def _report_interrupt(self, result: Result) -> None:
        name, some = self.run.job_name, len(result.answers)
        if name:
            self.run.report(Snapshot(remark=f"interrupted; 'tablero jobs resume {name}' continues the job"))
        if result.kept and 0 < some < result.solutions:
            rest = f"'tablero jobs export {name}' prints all of them" if name else "a job keeps all of them"
            self.run.report(Snapshot(remark=f"{some:,} of {result.solutions:,} answers are printed; {rest}"))

    def _watcher(self, size: int) -> Watcher | None:
        """The watcher of the run, called with the time and the nodes of the whole session instead of one search.

        It also gets a warning when the answers, of `size` bytes each, will probably not fit on the disk.
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
                            f"{format_size(free)} free: the search stops before the disk is full; counting needs no disk"
                        )
                    )
            watch(replace(now, seconds=now.seconds + seconds, nodes=now.nodes + nodes, time_limit=limit))

        return report

    def _open_store(self, search: Search, most: int | None, stage: Mapping[str, Any] | None) -> Store:
        """Create or open the job's file, or replace its search by the next one.

        The recipe that it stores includes the number of answers that are enough, and the stage.
        """
        name, question = self.run.job_name, self.run.question
        assert question is not None  # without it the job could not be resumed
        recipe = question.recipe if most is None else {**question.recipe, "most": most}
        if stage is not None:
            recipe = {**recipe, "stage": dict(stage)}
        if self._store is None:
            opened = cast("Store | None", self.run.opened)
            self._store, new = jobs.begin(name, search, recipe, question.problem(), opened)
            self._store.hold()  # also while kernels are compiled and the next search is made
            if not new:
                percent = 100 * self._store.totals().fraction
                self.run.report(Snapshot(remark=f"job {name!r} continues from {percent:.2f} %"))
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
    """Run one search; see `Session.perform` for the parameters."""
    with Session(run) as session:
        return session.perform(search, most=most, keep=keep, progress_text=progress_text, of=of)
