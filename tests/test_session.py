"""Searches that follow one another in a session: each is answered by itself, and the limits are about all of them."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tablero import cover, sliding
from tablero.cover import ExactCover, generate
from tablero.cover.solving import search_for
from tablero.errors import JobError
from tablero.runs import jobs
from tablero.runs.coordinator import run
from tablero.runs.engines import Threads
from tablero.runs.progress import Snapshot
from tablero.runs.run import Grid, Here, Job, Question
from tablero.runs.session import Session


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))


def choice(*weights: int) -> ExactCover:
    return ExactCover([["a"] for _ in weights], weights=weights)


def test_the_best_of_one_search_does_not_bound_the_next() -> None:
    """One engine, many searches: with books, so that the engine is used and not only the first burst."""
    engine = Threads(1)
    for k, weights in enumerate(((5, 3), (9, 7), (2, 4))):
        search = search_for(choice(*weights), "cheapest")
        store, _ = jobs.begin(f"costs-{k}", search, {"verb": "cheapest"}, b"")
        found = run(search, engine=engine, store=store)
        store.close()
        assert (found.status, found.best) == ("solved", min(weights))
    engine.close()


def test_a_grid_works_on_the_search_that_it_is_given() -> None:
    """Each tree of a shortest answer is another search: one that is searched in the place of the next proves too much."""
    pytest.importorskip("distributed")
    board = sliding.generate(4, seed=7)
    whole = board.solve(method="optimal", estimate="walking")
    found = board.solve(method="optimal", estimate="walking", run=Grid("local:1", job="trees"))
    assert (found.moves, found.lower, found.nodes) == (whole.moves, whole.lower, whole.nodes)


def test_limits_are_about_all_searches_of_a_session() -> None:
    problem = generate("pentominoes", "6x10")
    search = search_for(problem, "solve", "bits")
    with Session(Here(node_limit=1000)) as session:
        assert session.perform(search, most=None).nodes == 1000  # just so many, wherever they were visited
        assert session.over
    with Session(Here(node_limit=100_000)) as session:
        small = session.perform(search_for(generate("langford", 7), "solve"), most=None)
        assert small.status == "complete"
        assert not session.over
        assert session.perform(search, most=None).nodes == 100_000 - small.nodes
        assert session.over


def test_those_who_watch_hear_of_the_whole_session() -> None:
    heard: list[Snapshot] = []
    with Session(Here(node_limit=400_000, time_limit=600.0, watch=heard.append)) as session:
        small = session.perform(search_for(generate("langford", 8), "solve", "sparse"), keep=False)
        heard.clear()
        session.perform(search_for(generate("pentominoes", "6x10"), "solve", "sparse"), keep=False)
    reported = [snapshot for snapshot in heard if not snapshot.over and not snapshot.doing.startswith("compiling")]
    assert all((snapshot.time_limit, snapshot.nodes >= small.nodes) == (600.0, True) for snapshot in reported)
    assert heard[-1].over


def test_limits_are_not_about_the_earlier_runs_of_a_job() -> None:
    search = search_for(generate("pentominoes", "6x10"), "solve", "bits")
    question = Question({"verb": "solve"}, lambda: b"")
    for turn in range(1, 4):
        with Session(Job("long", node_limit=5000, question=question)) as session:
            assert session.perform(search).nodes == 5000 * turn
            assert session.over


def test_a_program_that_is_told_to_end_keeps_what_it_found(tmp_path: Path) -> None:
    """As 'jobs stop' tells it: by SIGTERM, which would kill a program that has no other plan for it."""
    program = """
import os, signal, tablero as tb
told = []
def watch(now):
    if now.nodes and not told:
        told.append(now)
        os.kill(os.getpid(), signal.SIGTERM)
found = tb.cover.count(tb.cover.generate("langford", 15), kernel="sparse", run=tb.Job("long", watch=watch))
print(found.status, found.interrupted, found.nodes > 0, signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "open True True True\n", done.stderr


def test_a_job_belongs_to_its_process_before_its_search_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """While kernels are compiled, while a search is made again, and between two searches: nobody may remove it meanwhile."""
    monkeypatch.setattr("tablero.runs.process._BEAT", 0.01)
    search = search_for(generate("langford", 7), "count", "bits")
    question = Question({"family": "cover", "verb": "count", "kernel": "bits", "most": None}, lambda: b"")
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        assert jobs.describe("early").state == "running"
        with pytest.raises(JobError, match="is running"):
            jobs.remove("early")
        record = jobs.read_job("early")
        first, deadline = record.owner().seen, time.monotonic() + 60
        while record.owner().seen == first and time.monotonic() < deadline:
            time.sleep(0.01)
        assert record.owner().seen != first, "no heartbeat"
        record.close()

    def compiling(*_: object) -> None:
        look()

    monkeypatch.setattr(Session, "_compile", compiling)
    for _ in range(2):  # a new job, and one that is there
        with Session(Job("early", question=question)) as session:
            found = session.perform(search, keep=False)
            look()
        assert (found.status, found.solutions) == ("complete", 52)
        assert jobs.describe("early").state == "finished"
    with jobs.resuming("early") as store:
        assert store.info.kernel == search.name
        look()
    assert looks == 5
    jobs.remove("early")


def test_a_job_whose_process_died_before_its_search_began_can_be_resumed(tmp_path: Path) -> None:
    program = """
import os, tablero as tb
from tablero.runs.session import Session
Session._compile = lambda *_: os._exit(9)
tb.cover.count(tb.cover.generate("langford", 7), kernel="bits", run=tb.Job("dead"))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 9, done.stderr
    assert jobs.describe("dead").state == "stopped"
    found = cover.count(generate("langford", 7), kernel="bits", run=Job("dead"))
    assert (found.status, found.solutions) == ("complete", 52)


def test_signals_are_left_as_they_were_also_by_a_watcher_that_fails() -> None:
    def fail(now: Snapshot) -> None:
        raise ZeroDivisionError

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(ZeroDivisionError), Session(Here(watch=fail)):
        pass
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
