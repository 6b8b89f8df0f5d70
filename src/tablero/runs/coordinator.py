"""The coordinator: submits units to workers, stores their results, divides remainders, and stops the search.

Only the coordinator writes to the store.  A unit that returns unfinished is replaced by its remainder, which is divided if
other workers need work.  When a worker is idle, enough answers are found, a limit is met or the user presses Ctrl-C, the
running units are recalled: each returns at once with its results and its remainder, and nothing is lost.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from time import monotonic, thread_time

import numpy as np

from tablero import interrupts
from tablero.runs.answers import collect
from tablero.runs.engines import REAL_TIME, Engine, Promise, Threads, Time
from tablero.runs.findings import Interrupted, Result
from tablero.runs.leases import FIRST_UNIT, Leases, UnitSizing
from tablero.runs.progress import PLAIN_PROGRESS, ProgressText, Snapshot, Watcher
from tablero.runs.record import MOST_TRIES, JobInfo, Record
from tablero.runs.reports import Log, WorkerList
from tablero.runs.store import Store, Unit
from tablero.search.base import UNBOUNDED, Answers, Orders, Outcome, Search

_TICK = 0.1  # seconds between looks at the clock
_BEAT = 2.0  # seconds between heartbeats in the store
_AFTER_CTRL_C = 1 << 20  # bytes of answers, which take a moment to print
_NO_END = 1e9  # seconds of a unit that is limited by nodes
_SLOW = 2.0  # seconds of a round; in a longer one the coordinator was asleep, and the workers are not late


def run(
    search: Search,
    *,
    most: int | None = None,
    keep: bool = True,
    engine: Engine | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    store: Store | None = None,
    watch: Watcher | None = None,
    progress_text: ProgressText = PLAIN_PROGRESS,
    unit_nodes: int | None = None,
    log: Log | None = None,
    brief: bool = False,
    time: Time = REAL_TIME,
) -> Result:
    """Run a search until enough answers are found or a limit is met.

    Parameters
    ----------
    search
        The search.
    most
        The number of answers that are enough; None for all.
    keep
        Whether answers are kept, and not only counted.
    engine
        The workers; one thread if not given.
    time_limit, node_limit
        Seconds and nodes after which the search stops.  The node limit is exact on one worker only.
    store
        The job's file; memory if not given.
    watch, progress_text
        The watcher, and how the progress is shown.
    unit_nodes
        Nodes of every unit; a unit ends earlier only if its work ends or it is recalled.
    log
        Gets a line for every unit.
    brief
        Whether only as many answers are returned after Ctrl-C as can be printed in a moment, even if no file keeps the rest.
    time
        The clock; a simulation has its own.
    """
    with ExitStack() as at_end:
        if store is None:
            began = monotonic()
            seconds = FIRST_UNIT if time_limit is None else min(time_limit, FIRST_UNIT)
            live = engine is None or engine.shares_memory
            burst = _first_burst(search, Orders(seconds, most, keep, node_limit, live), log, begins=unit_nodes is None)
            if isinstance(burst, Result):
                return burst
            store = at_end.enter_context(burst)
            time_limit = None if time_limit is None else time_limit - (monotonic() - began)
            node_limit = None if node_limit is None else node_limit - store.totals().nodes
        if engine is None:
            engine = Threads(1)
            at_end.callback(engine.close)
        most = None if search.minimises else most
        limits = (time_limit, node_limit, unit_nodes)
        try:
            return _Coordinator(
                search, engine, store, most, keep, *limits, watch, progress_text, log, brief, time
            ).run()
        except BaseException:
            engine.recall()
            raise


def _first_burst(search: Search, orders: Orders, log: Log | None, *, begins: bool) -> Result | Store:
    """Begin a search that no file keeps, in this thread: most end at once, and need neither a store nor workers.

    For a search that does not end, the result of the burst is stored and the store returned.
    """
    began, used = monotonic(), thread_time()
    starts, beside = search.starts(), 0.0
    own, used = thread_time() - used, thread_time()
    outcome = None
    if len(starts) == 1 and begins:
        if search.minimises:
            orders = orders._replace(most=None)
        bound = np.full(1, UNBOUNDED, np.int64)
        outcome = search.advance(starts[0], orders, np.zeros(1, np.uint8), bound)
        seconds, beside, used = monotonic() - began, outcome.beside, thread_time()
        if log is not None:
            log.unit(outcome, seconds, int(outcome.rest is not None))
        status = _status(search, orders.most, outcome.found, outcome.rest is None)
        if not search.minimises and (status == "solved" or outcome.rest is None):
            return Result(
                status=status,
                solutions=outcome.found,
                answers=outcome.answers,
                nodes=outcome.nodes,
                seconds=seconds - beside,
                cpu_seconds=outcome.cpu_seconds,
                fraction=1.0 if outcome.rest is None else 1 - search.share(outcome.rest),
                kept=orders.keep,
            )
    info = JobInfo("", {}, b"", search.name, "")
    store = Store.create(None, info, [(state, search.share(state)) for state in starts])
    store.take_over()
    if outcome is not None:
        answers, found, best = _best_of(search, outcome, None)
        (unit,) = store.lease(1)
        rest = [] if outcome.rest is None else [(outcome.rest, search.share(outcome.rest))]
        store.commit(unit, outcome.nodes, found, answers, rest, outcome.cpu_seconds, best)
    store.add_time(monotonic() - began - beside, own + thread_time() - used)
    return store


def _best_of(search: Search, outcome: Outcome, known: int | None) -> tuple[Answers, int, int | None]:
    """The part of an outcome to store: all answers, or if the search minimises, its best answer if that beats the known one.

    Returns the answers, their number, and the best value if it is new.
    """
    if not search.minimises:
        return outcome.answers, outcome.found, None
    values = [search.value(answer) for answer in outcome.answers]
    k = int(np.argmin(values)) if values else -1
    if k < 0 or (known is not None and values[k] >= known):
        return outcome.answers[:0], 0, None
    return outcome.answers[k : k + 1], 1, values[k]


@dataclass
class _Coordinator:
    search: Search
    engine: Engine
    store: Store
    most: int | None
    keep: bool
    time_limit: float | None
    node_limit: int | None
    unit_nodes: int | None
    watch: Watcher | None
    progress_text: ProgressText
    log: Log | None
    brief: bool
    time: Time

    def __post_init__(self) -> None:
        self.live = self.store.in_memory and self.engine.shares_memory
        self.leases = Leases(self.engine.grace)
        self.workers = WorkerList(self.store.path, self.engine.scheduler)
        self.beside = 0.0  # seconds that units spent beside the search since time was last stored
        self.stopping = self.recalled = self.interrupted = False

    @interrupts.Polling()
    def run(self) -> Result:
        self.store.take_over()
        self.engine.begin()
        self.began = self.beat = self.measured = self.timed = self.looked = self.time.now()
        self.used = self.time.used()
        self.sizing = UnitSizing(self.engine, self.began)
        at_start = self.store.totals()
        self.nodes_before, self.fraction_before = at_start.nodes, at_start.fraction
        self.nodes_measured = at_start.nodes
        self._recount()
        if self.best is not None:
            self.engine.tighten(self.best)
        while True:
            try:
                if not self._turn():
                    break
            except KeyboardInterrupt:
                if self.stopping:
                    raise  # a second Ctrl-C does not wait for the units
                self.interrupted = True
                self._recount()  # Ctrl-C may have come between writing to the store and counting that here
                self.leases.recover(self.store.leased())
                self._stop()
        self._store_speed()
        try:
            # A transaction that only reads, so that heartbeats can be written meanwhile.
            with self.store.snapshot():
                if self.interrupted:
                    return interrupted_result(self.search, self.store, self.most, keep=self.keep, brief=self.brief)
                return result_of(self.search, self.store, self.most, keep=self.keep)
        except KeyboardInterrupt:
            raise Interrupted(result_of(self.search, self.store, self.most, answers=False)) from None
        finally:
            self.store.leave()  # refused if another coordinator has taken over
            self.workers.end()

    def _recount(self) -> None:
        """Read the counts from the store."""
        totals = self.store.totals()
        self.ready, self.found, self.best = totals.ready, totals.found, totals.best
        self.nodes_here = totals.nodes - self.nodes_before

    def _turn(self) -> bool:
        """One round: submit units, wait, store results.  Returns False when there is nothing more to do."""
        interrupts.check()
        now = self.time.now()
        self.leases.find_late(now, asleep=now - self.looked - _SLOW)
        self.looked = now
        left = _TICK if self.time_limit is None else self.began + self.time_limit - now
        enough = self.most is not None and self.found >= self.most
        visited = self.node_limit is not None and self.nodes_here >= self.node_limit
        if enough or visited or left <= 0 or self.store.full:
            self._stop()
        if not self.stopping:
            self._submit()
        if not self.leases.holds_any and not self.ready:
            return False
        if self.stopping and not self.leases.in_time:
            return False  # late and orphaned units go back to the store
        done = self.time.wait(self.leases.inbox, min(_TICK, max(left, 0.001)))
        if self.stopping:
            done = [
                promise for promise in self.leases.out if promise.done()
            ]  # also those whose message a Ctrl-C has lost
        if done:
            with self.store.together():
                for promise in done:
                    self._store_bundle(promise)
                self._store_time()  # in the same transaction as the results
            for promise in done:
                self.leases.end(promise)
        self._balance()
        now = self.time.now()
        if now - self.beat >= _TICK and self.watch:
            self.beat = now
            self.watch(self._snapshot(now - self.began))
        if now - self.measured >= _BEAT:
            self._store_speed()
        return True

    def _snapshot(self, seconds: float) -> Snapshot:
        totals, progress_text = self.store.totals(), self.progress_text
        return Snapshot(
            seconds=seconds,
            time_limit=self.time_limit,
            fraction=totals.fraction if progress_text.fraction else None,
            fraction_before=self.fraction_before,
            ends=progress_text.ends,
            nodes=totals.nodes - self.nodes_before,
            found=totals.found,
            best=totals.best,
            quarantined=totals.quarantined,
            words=progress_text.words(totals.found, totals.best) if progress_text.words else "",
        )

    def _stop(self) -> None:
        self.stopping = True
        self._recall()

    def _recall(self) -> None:
        if not self.recalled:
            self.recalled = True
            self.leases.recall(self.time.now())
            self.engine.recall()

    def _submit(self) -> None:
        slots = self.engine.slots
        free = slots - self.leases.taken(slots)
        if free <= 0 or not (self.ready or self.leases.orphaned):
            return
        if self.recalled:
            self.recalled = False
            self.engine.go_on()
        wanted = None if self.most is None else self.most - self.found
        bundled = 1 if self.unit_nodes is not None else self.sizing.bundle(self.ready)
        units = self.store.lease(free * bundled) if self.ready else []
        self.ready -= len(units)
        bundles = self.leases.bundles(units, free)
        seconds = self.sizing.seconds(self.time.now(), len(self.leases.out) + len(bundles))
        for bundle in bundles:
            # A unit that was lost with its worker is tried for a shorter time, so that it can return before the next loss.
            nodes = None if self.node_limit is None else self.node_limit - self.nodes_here
            lasting = seconds / 4 ** bundle[0].tries
            if self.unit_nodes is not None:
                lasting, nodes = _NO_END, self.unit_nodes if nodes is None else min(nodes, self.unit_nodes)
            orders = Orders(lasting, wanted, self.keep, nodes, self.live)
            promise = self.engine.submit(self.search, [unit.state for unit in bundle], orders)
            self.leases.add(promise, bundle, orders.seconds, self.time.now())

    def _balance(self) -> None:
        """Recall the running units when idle workers have waited longer than the recall costs."""
        if not self.search.splits:
            return
        slots = self.engine.slots
        idle = max(slots - self.leases.taken(slots), 0)
        starving = idle > 0 and not self.ready and not self.stopping and self.leases.in_time > 0
        if self.sizing.is_time_to_share(self.time.now(), idle, self.leases.in_time, self.ready, starving=starving):
            self._recall()

    def _store_bundle(self, promise: Promise) -> None:
        """Store the results of a bundle of units, with the units that their remainders are divided into."""
        lease = self.leases.out[promise]
        try:
            outcomes = promise.result()
        except Exception as error:
            losses = self.engine.losses(error)
            self._give_back(lease.units, losses or 0)
            if losses is None:
                raise  # an error of the search would come again
            return
        self.sizing.learn(self.time.now(), lease, outcomes)
        took = (self.time.now() - lease.began) / max(len(outcomes), 1)
        for unit, outcome in zip(lease.units, outcomes, strict=False):
            if self.leases.holds(unit):  # its result is not stored yet
                self._store_unit(unit, outcome, took)
        self._give_back(lease.units[len(outcomes) :], 0)

    def _give_back(self, units: list[Unit], losses: int) -> None:
        for unit in filter(self.leases.holds, units):
            self.store.give_back(unit, losses)
            self.leases.settle(unit)
            self.ready += unit.tries + losses < MOST_TRIES

    def _store_unit(self, unit: Unit, outcome: Outcome, seconds: float) -> None:
        pieces: list[bytes] = []
        if outcome.rest is not None:
            pieces = self.search.divide(outcome.rest, self.sizing.parts(self.ready, self.leases.recalled))
        answers, found, best = _best_of(self.search, outcome, self.best)
        if best is not None:
            self.best = best
            self.engine.tighten(best)
        successors = [(piece, self.search.share(piece)) for piece in pieces]
        self.store.commit(unit, outcome.nodes, found, answers, successors, outcome.cpu_seconds, best, outcome.trace)
        self.workers.add(outcome)
        if self.log is not None:
            self.log.unit(outcome, seconds, len(pieces))
        self.leases.settle(unit)
        self.beside += outcome.beside
        self.nodes_here += outcome.nodes
        self.ready += len(pieces)
        self.found = found if best is not None else self.found + found

    def _store_time(self) -> None:
        now, used = self.time.now(), self.time.used()
        self.store.add_time(now - self.timed - self.beside / max(self.engine.slots, 1), used - self.used)
        self.timed, self.used, self.beside = now, used, 0.0

    def _store_speed(self) -> None:
        now = self.time.now()
        nodes = self.store.totals().nodes
        speed = (nodes - self.nodes_measured) / max(now - self.measured, 1e-9)
        with self.store.together():
            self._store_time()
            self.store.put_speed(self.engine.workers, speed)
        self.measured, self.nodes_measured = now, nodes
        self.workers.write(self.leases.out, self.engine, now)


def interrupted_result(search: Search, store: Record, most: int | None, *, keep: bool, brief: bool = False) -> Result:
    """The result of a search that Ctrl-C has stopped.

    If a file keeps the answers and they are many, only the first of them are returned; with `brief` also if no file does.
    """
    known = result_of(search, store, most, keep=keep, answers=False, interrupted=True)
    some = max(1, _AFTER_CTRL_C // max(4 * search.width, 1))
    if not keep or known.solutions <= some or (store.in_memory and not brief):
        return replace(known, answers=collect(search, store, most))
    if known.status != "open" and not store.in_memory:
        raise Interrupted(known)
    return replace(known, answers=collect(search, store, some))


def result_of(
    search: Search,
    store: Record,
    most: int | None = None,
    *,
    keep: bool = True,
    answers: bool = True,
    interrupted: bool = False,
) -> Result:
    """The result of a search as its store has it, with or without the answers."""
    totals = store.totals()
    most = None if search.minimises else most
    return Result(
        status=_status(search, most, totals.found, totals.finished),
        solutions=totals.found if most is None else min(totals.found, most),
        answers=collect(search, store, most) if answers else Outcome.empty(search.width),
        nodes=totals.nodes,
        seconds=totals.seconds,
        cpu_seconds=totals.cpu_seconds,
        fraction=totals.fraction,
        best=totals.best,
        quarantined=totals.quarantined,
        interrupted=interrupted,
        kept=keep,
        full=store.full,
    )


def _status(search: Search, most: int | None, found: int, finished: bool) -> str:
    if search.minimises:
        return "open" if not finished else "solved" if found else "none"
    if most is not None and found >= most:
        return "solved"
    if not finished:
        return "open"
    return "complete" if found else "none" if search.proves else "open"
