"""A worker that is frozen (SIGSTOP) neither blocks stopping nor the end, and nothing is counted twice when it wakes."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablero.runs.cluster import Cluster
from tablero.runs.coordinator import run as search_with
from tablero.runs.progress import Snapshot
from tablero.runs.record import JobInfo
from tablero.runs.store import Store
from tablero.search.base import Bound, Flag, Orders, Outcome
from tablero.search.cursor import Cursor, Level
from tablero.search.tree import TreeSearch
from tests.doors import family

pytest.importorskip("distributed")

LEAVES = 300


class Slow(TreeSearch):
    """A root with many leaves, each an answer that takes a hundredth of a second."""

    name = "test.slow/1"
    width = 1

    def digest(self) -> str:
        return "slow"

    def starts(self) -> list[bytes]:
        return [Cursor((Level(0, LEAVES - 1, LEAVES),)).store()]

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        ((at, last, width),) = Cursor.load(state).levels
        first, end = at, time.monotonic() + orders.seconds
        while at <= last and not stop[0] and time.monotonic() < end:
            time.sleep(0.01)
            at += 1
        rest = None if at > last else Cursor((Level(at, last, width),)).store()
        return Outcome(at - first, at - first, Outcome.empty(1), rest, 0.0)


class Frost:
    """Freezes a worker as soon as work is under way."""

    def __init__(self) -> None:
        self.frozen: int | None = None

    def watch(self, now: Snapshot) -> None:
        if self.frozen is None and now.nodes:
            self.frozen = next(pid for pid in family(os.getpid())[1:] if b"spawn_main" in _command(pid))
            os.kill(self.frozen, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self.frozen is not None, "the search was over before anybody could be frozen"
        os.kill(self.frozen, signal.SIGCONT)


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setattr(Cluster, "grace", 0.5)
    made = Cluster("local:2")
    yield made
    made.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    search: Any = Slow()
    starts = [(state, search.share(state)) for state in search.starts()]
    made = Store.create(tmp_path / "slow.job", JobInfo("slow", {}, b"", search.name, search.digest()), starts)
    yield made
    made.close()


def test_a_limit_does_not_wait_for_a_frozen_worker(engine: Cluster, store: Store) -> None:
    frost = Frost()
    # A limit on nodes, because it does not depend on the speed of the machine; all limits stop alike.
    stopped = search_with(Slow(), engine=engine, store=store, node_limit=LEAVES // 3, keep=False, watch=frost.watch)
    assert stopped.status == "open"
    assert 0 < stopped.nodes < LEAVES
    totals = store.totals()
    assert (totals.leased, totals.lost) == (0, 0), "what the frozen one had is given back"
    frost.thaw()
    resumed = search_with(Slow(), engine=engine, store=store, keep=False)
    assert (resumed.status, resumed.nodes, resumed.solutions) == ("complete", LEAVES, LEAVES)


def test_others_finish_what_a_frozen_worker_has(engine: Cluster, store: Store) -> None:
    frost = Frost()
    done = search_with(Slow(), engine=engine, store=store, keep=False, watch=frost.watch)
    frost.thaw()
    assert (done.status, done.nodes, done.solutions) == ("complete", LEAVES, LEAVES)


def test_a_frozen_worker_does_not_outlive_its_cluster(engine: Cluster, store: Store) -> None:
    frost = Frost()
    search_with(Slow(), engine=engine, store=store, node_limit=LEAVES // 3, keep=False, watch=frost.watch)
    engine.close()
    assert frost.frozen not in family(os.getpid())


def test_a_worker_that_freezes_as_it_starts_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    monkeypatch.setattr("tablero.runs.cluster.CONNECT", 1)
    frozen: list[int] = []

    def freeze_one() -> None:
        while not frozen:
            for pid in family(os.getpid())[1:]:
                if b"spawn_main" in _command(pid):
                    os.kill(pid, signal.SIGSTOP)
                    frozen.append(pid)
                    return
            time.sleep(0.01)

    cold = threading.Thread(target=freeze_one)
    cold.start()
    engine = Cluster("local:2")
    cold.join()
    assert engine.workers == 1
    done = search_with(Slow(), engine=engine, store=store, keep=False)
    engine.close()
    assert (done.status, done.nodes, done.solutions) == ("complete", LEAVES, LEAVES)
    assert not set(frozen) & set(family(os.getpid()))
