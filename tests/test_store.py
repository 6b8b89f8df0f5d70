"""The books: what is left and what is done always add up, whoever writes and whenever it is cut off."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tablero.cover import generate
from tablero.cover.kernels.search import CoverSearch
from tablero.cover.solving import search_for
from tablero.errors import JobError
from tablero.runs import jobs
from tablero.runs.answers import collect
from tablero.runs.coordinator import run
from tablero.runs.engines import Threads
from tablero.runs.record import MOST_TRIES, JobInfo
from tablero.runs.store import Store

CARD = JobInfo("test", {"verb": "count"}, b"problem", "toy/1", "digest")
NOTHING = np.empty((0, 1), np.int32)


_opened: list[Store | sqlite3.Connection] = []


@pytest.fixture(autouse=True)
def close_all() -> Iterator[None]:
    """What a test has opened is closed after it."""
    yield
    while _opened:
        _opened.pop().close()


def new_store(path: Path | None = None) -> Store:
    store = Store.create(path, CARD, [(b"left", 0.25), (b"right", 0.75)])
    _opened.append(store)
    store.take_over()
    return store


def test_a_unit_is_replaced_by_what_follows_from_it() -> None:
    store = new_store()
    (unit,) = store.lease(1)
    assert unit.state == b"right", "the largest comes first"
    answers = np.array([[1, 2], [3, 4]], np.int32)
    store.commit(unit, 100, 2, answers, [(b"a", 0.5), (b"b", 0.125)], 0.5)
    totals = store.totals()
    assert (totals.nodes, totals.found, totals.done, totals.ready, totals.leased) == (100, 2, 1, 3, 0)
    assert totals.fraction == pytest.approx(0.125)
    (batch,) = store.index()
    assert (batch.start, batch.rows) == (b"right", 2)
    assert [rows.tolist() for rows in store.bodies([batch.number], 2)] == [[[1, 2], [3, 4]]]


def test_a_result_counts_once() -> None:
    store = new_store()
    (unit,) = store.lease(1)
    store.commit(unit, 10, 0, NOTHING, [], 0.0)
    with pytest.raises(JobError, match="not leased"):
        store.commit(unit, 10, 0, NOTHING, [], 0.0)
    assert store.totals().nodes == 10


def test_counts_are_exact_beyond_64_bits() -> None:
    store = new_store()
    for unit in store.lease(2):
        store.commit(unit, 1, 1 << 100, NOTHING, [], 0.0)
    assert store.totals().found == 1 << 101
    assert store.totals().fraction == 1.0


def test_an_older_coordinator_is_fenced_off(tmp_path: Path) -> None:
    old = new_store(tmp_path / "x.job")
    (unit, _) = old.lease(2)
    new = Store.open(tmp_path / "x.job")
    _opened.append(new)
    new.take_over()
    assert new.totals().ready == 2, "what the older one had leased is ready again"
    for write in (
        lambda: old.commit(unit, 1, 0, NOTHING, [], 0.0),
        lambda: old.lease(1),
        lambda: old.give_back(unit, 1),
        lambda: old.add_time(1.0),
        old.leave,
    ):
        with pytest.raises(JobError, match="taken this job over"):
            write()
    (again, _) = new.lease(2)
    new.commit(again, 1, 0, NOTHING, [], 0.0)
    assert new.totals().nodes == 1


def test_a_unit_that_is_lost_three_times_is_quarantined() -> None:
    store = new_store()
    for _ in range(MOST_TRIES):
        units = {unit.state: unit for unit in store.lease(2)}
        store.give_back(units[b"left"], 1)
        store.give_back(units[b"right"], 0)
    totals = store.totals()
    assert (totals.ready, totals.quarantined, totals.lost) == (1, 1, MOST_TRIES)
    assert not totals.finished


def test_a_failed_transaction_leaves_the_last_good_state(tmp_path: Path) -> None:
    store = new_store(tmp_path / "x.job")
    (unit,) = store.lease(1)
    with pytest.raises(JobError, match="cannot be written"):
        store.commit(unit, 5, 0, NOTHING, [(b"good", 0.5), (None, 0.25)], 0.0)  # type: ignore[list-item]
    totals = store.totals()
    assert (totals.nodes, totals.leased, totals.ready) == (0, 1, 1)


def test_a_locked_store_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **how: connect(path, **{**how, "timeout": 0.05}))
    store = new_store(tmp_path / "x.job")
    other = connect(tmp_path / "x.job", isolation_level=None)
    _opened.append(other)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(JobError, match="locked"):
        store.lease(1)
    other.execute("ROLLBACK")
    assert len(store.lease(2)) == 2


def test_a_full_disk_is_told_and_the_job_goes_on_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    problem = generate("queens", 9)
    search = search_for(problem, "solve")
    store, _ = jobs.begin("full", search, {"verb": "solve"}, b"")
    store._db.execute("PRAGMA max_page_count = 1")  # not a page more than it has
    engine = Threads(1)
    with pytest.raises(JobError, match="full"):
        run(search, store=store, engine=engine)
    engine.close()
    store.close()
    store, new = jobs.begin("full", search, {"verb": "solve"}, b"")
    assert not new
    result = run(search, store=store)
    assert (result.solutions, len(result.answers), result.status) == (352, 352, "complete")
    assert result.nodes == run(search).nodes
    store.close()


def test_a_limit_on_nodes_is_kept_to_the_node() -> None:
    search = CoverSearch(generate("pentominoes", "4x15").table, "bits")
    for limit in (1, 63, 64, 1000, 250_000):
        found = run(search, node_limit=limit)
        assert (found.nodes, found.status) == (limit, "open")
    assert run(search, node_limit=10**9).status == "complete"


def test_a_job_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    search = CoverSearch(generate("pentominoes", "4x15").table, "bits")
    undisturbed = run(search)
    stops = 0
    while True:
        store, _ = jobs.begin("stops", search, {"verb": "solve"}, b"")
        result = run(search, store=store, node_limit=50_000)
        if result.status == "complete":
            break
        stops += 1
        store.close()
    assert stops == (undisturbed.nodes - 1) // 50_000 > 2
    assert (result.nodes, result.answers.tolist()) == (undisturbed.nodes, undisturbed.answers.tolist())
    assert collect(search, store).tolist() == undisturbed.answers.tolist()
    assert not store.owner().is_alive()
    store.close()
