"""Jobs that the web page starts: their states, their logs, their curves, and that nothing is left of what was refused."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest

import tablero as tb
from tablero.errors import JobError
from tablero.runs import coordinator, jobs
from tablero.runs.store import Store, Unit
from tablero.search.trace import MOST_POINTS, Point, due_after, thinned
from tablero.web import starting, work
from tablero.web.starting import Processes
from tablero.web.watching import MOST, Curves, Watch

SLEEPER = "import sys; sys.stdin.read()"  # it takes no job in hand, and ends when it is told to


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def slow_start(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[psutil.Popen]]:
    """Processes that have been started and have done nothing yet."""
    started: list[psutil.Popen] = []

    def spawn(name: str, request: bytes, *, new: bool) -> psutil.Popen:
        starting.log_of(name).parent.mkdir(parents=True, exist_ok=True)
        starting.log_of(name).write_text("2026-01-01 10:00:00  refused: 100 queens: expected fewer\n")
        started.append(psutil.Popen([sys.executable, "-c", SLEEPER], stdin=subprocess.PIPE))
        return started[-1]

    monkeypatch.setattr(starting, "_spawn", spawn)
    yield started
    for process in started:
        process.communicate()


def end(process: psutil.Popen) -> None:
    process.communicate()


def stopped_job(name: str, n: int = 12) -> None:
    tb.queens.Queens(n).solve(None, method="exact", run=tb.Job(name, node_limit=500))


def test_a_job_is_starting_until_its_process_has_it_in_hand(slow_start: list[psutil.Popen]) -> None:
    stopped_job("some")
    processes = Processes()
    watch = Watch(processes)
    watch._look_round()
    assert watch.jobs["some"]["state"] == "stopped"
    processes.resume("some", 1)
    watch._look_round()
    assert watch.jobs["some"]["state"] == "starting"
    with pytest.raises(JobError, match="starting"):
        processes.remove("some")
    with pytest.raises(JobError, match="just been started"):
        processes.resume("some", 1)
    end(slow_start[0])
    watch._look_round()
    assert watch.jobs["some"]["state"] == "stopped"
    processes.remove("some")
    assert list(jobs.home().iterdir()) == []


def test_a_server_that_comes_after_knows_who_is_starting(slow_start: list[psutil.Popen]) -> None:
    stopped_job("some")
    Processes().resume("some", 1)
    after = Processes()  # the first one was killed
    watch = Watch(after)
    watch._look_round()
    assert watch.jobs["some"]["state"] == "starting"
    with pytest.raises(JobError, match="starting"):
        after.remove("some")
    end(slow_start[0])
    watch._look_round()
    assert watch.jobs["some"]["state"] == "stopped"
    after.remove("some")
    assert list(jobs.home().iterdir()) == []


@pytest.mark.parametrize("text", ["", "1 x", "x", "PID another birth", "99999999999 x", "9" * 400, "-1 x"])
def test_processes_that_are_not_those_are_left_alone(text: str) -> None:
    jobs.home().mkdir(parents=True)
    jobs.path_of("some").with_suffix(".process").write_text(text.replace("PID", str(os.getpid())))
    assert not Processes().is_starting("some")


def test_a_starting_job_can_be_stopped(slow_start: list[psutil.Popen]) -> None:
    stopped_job("some")
    processes = Processes()
    processes.resume("some", 1)
    assert processes.stop("some")
    slow_start[0].wait(10)
    assert not processes.is_starting("some")


def test_a_job_is_not_deleted_while_its_process_lives(
    slow_start: list[psutil.Popen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "_ENDING", 0.1)
    stopped_job("some")
    processes = Processes()
    processes.resume("some", 1)
    processes.has_begun("some")
    with pytest.raises(JobError, match="not ended"):
        processes.remove("some")
    assert jobs.path_of("some").exists()
    end(slow_start[0])
    processes.remove("some")


def test_what_was_refused_is_told_and_leaves_nothing(slow_start: list[psutil.Popen]) -> None:
    processes = Processes()
    processes.start("never", {"family": "queens"})
    reported = processes.without_file()["never"]
    assert reported["state"] == "starting"
    assert reported["fraction"] == reported["nodes"] == reported["solutions"] == reported["seconds"] == 0
    end(slow_start[0])
    assert processes.without_file()["never"] == {
        "name": "never",
        "state": "ended",
        "error": "100 queens: expected fewer",
    }
    assert list(jobs.home().iterdir()) == []
    processes.remove("never")
    assert processes.without_file() == {}


@pytest.mark.parametrize(
    ("family", "verb", "form", "words"),
    [
        ("queens", "count", {"n": 100}, "expected at most 32 queens"),
        ("queens", "anneal", {"n": 3}, "nothing to keep"),
        ("queens", "solve", {"n": 100, "method": "construct"}, "nothing to keep"),
        ("slide", "solve", {"board": "8 6 7/2 5 4/3 0 1", "method": "parberry"}, "nothing to keep"),
        ("slide", "solve", {"board": "8 6 7/2 5 4/3 0 1", "method": "anytime"}, "nothing to keep"),
    ],
)
def test_what_cannot_be_kept_is_refused_before_it_is_a_job(
    family: str, verb: str, form: dict[str, Any], words: str
) -> None:
    assert words in work.check(family, verb, form)["refused"]
    assert not jobs.home().exists() or list(jobs.home().iterdir()) == []


def test_what_only_the_search_finds_out_is_told_as_the_failure_of_the_job() -> None:
    form = {"board": "2 1 3/4 5 6/7 8 0"}  # which nothing can order
    assert work.check("slide", "solve", form) == {}
    processes = Processes()
    processes.start("new", {"family": "slide", "verb": "solve", "form": form, "threads": 1, "time_limit": None})
    processes._running["new"].wait(120)
    reported = processes.without_file()["new"]
    assert reported["state"] == "ended"
    assert "needs no search" in reported["error"]
    assert list(jobs.home().iterdir()) == []


def test_what_can_be_kept_is_not_refused() -> None:
    for family, verb, form in (
        ("queens", "count", {"n": 20}),
        ("queens", "solve", {"n": 12, "solutions": "all"}),
        ("slide", "solve", {"board": "8 6 7/2 5 4/3 0 1"}),
        ("edges", "optimise", {}),
        ("sudoku", "count", {}),
        ("decompose", "solve", {}),
        ("cover", "count", {}),
    ):
        assert work.check(family, verb, form) == {}


def test_a_job_that_goes_on_writes_no_answers_into_its_log(capfd: pytest.CaptureFixture[str]) -> None:
    """As the server starts it: a process, its request on standard input, its log on standard output."""
    stopped_job("all", 8)
    command = [sys.executable, "-m", "tablero.web.work", "all"]
    done = subprocess.run(command, input=json.dumps({"threads": 1}), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert jobs.describe("all").values()["solutions"] == 92
    assert "resumed, 1 thread" in done.stdout
    assert "complete: 92 found" in done.stdout
    assert len(done.stdout) < 1000


# Curves


def values(seconds: float, fraction: float, state: str = "running", **more: Any) -> dict[str, Any]:
    reported = {"nodes_per_second": 1000} if state == "running" else {}
    return {"state": state, "seconds": seconds, "fraction": fraction, "solutions": 3, **reported, **more}


def test_curves_are_there_again_after_a_restart() -> None:
    jobs.home().mkdir(parents=True)
    curves = Curves("some", "one")
    for k in range(5):
        curves.note(values(k, k / 10))
    curves.note(values(6, 1.0, "finished"))
    curves.note(values(6, 1.0, "finished"))
    again = Curves("some", "one")
    assert again.points == curves.points
    assert [point[0] for point in again.points] == [0, 1, 2, 3, 4, 6]  # seconds of work, whenever it was looked at
    assert again.points[-2] == (4, 0.4, 1000, 3, None)
    assert Curves("some", "another").points == []  # a job that has the name of one that was deleted


def test_curves_are_bounded() -> None:
    jobs.home().mkdir(parents=True)
    curves = Curves("some", "one")
    for k in range(5 * MOST):
        curves.note(values(k, 0.5, best=10**15))
    curves.note(values(5 * MOST, 1.0, "finished"))
    assert len(curves.points) <= MOST
    assert (curves.points[0][0], curves.points[-1][0]) == (0, 5 * MOST)
    assert jobs.path_of("some").with_suffix(".curves").stat().st_size < 100_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 100_000,
        '{"job": "one", "points": [[1, 2]], "trace": []}',
        '{"job": "one", "points": [[null, 0, 0, 0, 0]], "trace": []}',
        '{"job": "one", "points": [["<b>", 0, 0, 0, 0]], "trace": []}',
        '{"job": "one", "points": [[1e999, 0, 0, 0, 0]], "trace": []}',
        '{"job": "one", "points": [[1' + "0" * 400 + ', 0, 0, 0, 0]], "trace": []}',
        '{"job": "one", "points": 5, "trace": {}}',
        "[]",
        "null",
    ],
)
def test_curves_that_are_damaged_are_none(text: str) -> None:
    jobs.home().mkdir(parents=True)
    jobs.path_of("some").with_suffix(".curves").write_text(text)
    assert Curves("some", "one").points == []


def test_a_watched_job_leaves_its_curves_and_takes_them_along() -> None:
    stopped_job("some")
    watch = Watch(Processes())
    watch._look_round()
    assert watch.curves["some"].points
    again = Watch(Processes())
    again._look_round()
    assert again.curves["some"].points == watch.curves["some"].points
    jobs.remove("some")
    assert list(jobs.home().iterdir()) == []


def test_a_curve_begins_where_the_job_began_though_nobody_looked() -> None:
    jobs.home().mkdir(parents=True)
    curves = Curves("some", "one")
    curves.note(values(35.0, 0.5))
    assert curves.points == [(0.0, 0.0, None, 0, None), (35.0, 0.5, 1000, 3, None)]


def test_what_is_found_is_dated_when_it_is_booked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by the last sign of life, which a job gives every other second."""
    monkeypatch.setattr(coordinator, "_BEAT", 1e9)
    seen: list[tuple[int, float]] = []
    leased = Store.lease

    def lease(store: Store, most: int) -> list[Unit]:
        totals = store.totals()
        seen.append((totals.nodes, totals.seconds))
        return leased(store, most)

    monkeypatch.setattr(Store, "lease", lease)
    tb.queens.Queens(14).solve(None, method="exact", run=tb.Job("some", node_limit=1_000_000, unit_nodes=100_000))
    assert len(seen) > 1
    assert all((nodes > 0) == (seconds > 0) for nodes, seconds in seen)
    assert all(before[1] < after[1] for before, after in pairwise(seen))


def annealed(name: str, nodes: int | None = None) -> None:
    tb.queens.anneal(300, seed=1, t0=1000.0, alpha=0.9999, run=tb.Job(name, node_limit=nodes))


def test_annealing_keeps_how_it_goes_though_nobody_looks() -> None:
    annealed("hot", 2000)
    board = work.board("hot", False)
    assert board["shows"] == "standing"
    assert board["svg"].startswith("<svg")
    watch = Watch(Processes())
    watch._look_round()
    trace = watch.traces["hot"]
    assert (trace[0].trials, trace[0].temperature) == (0, 1000.0)
    assert trace[-1].trials == watch.jobs["hot"]["trials"] == 2000
    assert all(one.trials < other.trials for one, other in pairwise(trace))
    assert all(one.temperature >= other.temperature for one, other in pairwise(trace))
    assert 0 < trace[-1].temperature < 1000
    assert trace[-1].cost > 0


@pytest.mark.parametrize("spoilt", ["temperature = 'hot'", "temperature = 9e999", "cost = -1", "cost = x'00'"])
def test_a_spoilt_trace_is_none_and_the_job_goes_on(spoilt: str) -> None:
    annealed("hot", 100)
    db = sqlite3.connect(jobs.path_of("hot"))
    db.execute(f"UPDATE trace SET {spoilt} WHERE trials = 99")
    db.commit()
    db.close()
    record = jobs.read_job("hot")
    with pytest.raises(JobError, match="of a point is"):
        record.trace()
    record.close()
    watch = Watch(Processes())
    watch._look_round()
    assert watch.traces["hot"] == []
    assert watch.jobs["hot"]["state"] == "stopped"
    annealed("hot", 100)


def test_a_run_that_was_stopped_again_and_again_has_the_same_trace() -> None:
    annealed("whole")
    for nodes in (1, 5, 1000, 10_000, None):
        annealed("stopped", nodes)
    traces = []
    for name in ("whole", "stopped"):
        record = jobs.read_job(name)
        traces.append({point.trials: point for point in record.trace()})
        record.close()
    whole, stopped = traces
    assert whole[max(whole)].cost == 0
    assert max(whole) == max(stopped)
    assert len(stopped) <= len(whole) + 5
    for trials in whole.keys() & stopped.keys():
        assert whole[trials] == stopped[trials]


def test_a_trace_is_short_however_long_the_run() -> None:
    trials, points = 0, []
    while trials < 10**15:
        points.append(Point(trials, 1.0, 1))
        trials = due_after(trials)
    assert len(thinned(points)) == len(points) < MOST_POINTS
    often = thinned(Point(trials, 1.0, 1) for trials in range(20_001))
    assert (often[0].trials, often[-1].trials) == (0, 20_000)
    assert len(often) < 400
    assert thinned(often) == often
    assert thinned([]) == []
