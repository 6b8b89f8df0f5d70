"""More answers than memory should hold: batches of a size, arrays in files, answers that pass through."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablero as tb
from tablero.cli import run as command
from tablero.cover import generate
from tablero.cover.checking import first_fault
from tablero.errors import BadInput
from tablero.runs import answers, jobs, store
from tablero.runs.findings import Findings
from tablero.runs.record import JobInfo
from tablero.search import base, tree
from tests.stored_jobs import stored

Capture = pytest.CaptureFixture[str]
COVERS = 36  # of the 4×4 board by dominoes
WIDTH = 8


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As if thirty-six covers were many, and four of them a piece."""
    piece = 4 * 4 * WIDTH
    for module in (base, tree, answers):
        monkeypatch.setattr(module, "PIECE", piece)
    monkeypatch.setattr("tablero.runs.findings.PIECE", piece)
    monkeypatch.setattr(answers, "MODEST", 2 * piece)
    monkeypatch.setattr(answers, "_HELD", 2 * piece)
    monkeypatch.setattr(tree, "_BUFFER", 3)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))


@pytest.fixture
def board(tmp_path: Path) -> str:
    path = tmp_path / "dominoes.dlx"
    path.write_text(tb.cover.write(generate("dominoes", "4x4")))
    return str(path)


def test_many_are_an_array_in_a_file_and_the_same() -> None:
    problem = generate("dominoes", "4x4")
    found = problem.solve(None, run=tb.Here(threads=2))
    assert isinstance(found.result.answers, np.memmap)
    assert found.result.checked
    assert found.solutions == len(found.answers) == len(list(found.each())) == COVERS
    assert list(found.each()) == found.answers
    assert first_fault(problem, found.result.answers) is None
    assert len(list(found.pieces())) >= COVERS // 4


def test_answers_of_a_job_are_stored_in_batches_of_a_size(capfd: Capture, board: str, tmp_path: Path) -> None:
    assert command(["cover", "solve", board, "-n", "all", "--job", "many", "--quiet"]) == 0
    printed = capfd.readouterr().out
    record = jobs.read_job("many")
    batches = record.index(WIDTH)
    record.close()
    assert sum(batch.rows for batch in batches) == COVERS
    assert max(batch.rows for batch in batches) <= 6
    assert printed.count("cover ") == COVERS
    out = tmp_path / "out.json"
    assert command(["jobs", "export", "many", "-o", str(out), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["answers"] == COVERS
    whole = json.loads(out.read_text())
    assert len(whole["answers"]) == whole["solutions"] == COVERS
    assert command(["jobs", "export", "many", "--jsonl"]) == 0
    first, *lines = map(json.loads, capfd.readouterr().out.splitlines())
    assert first["name"] == "many"
    assert [line["answer"] for line in lines] == whole["answers"]


def test_a_unit_that_brings_too_much_at_once_is_stored_in_pieces() -> None:
    info = JobInfo("test", {}, b"", "toy/1", "digest")
    question = store.Store.create(None, info, [(b"all", 1.0)])
    question.take_over()
    (unit,) = question.lease(1)
    rows = np.arange(10 * WIDTH, dtype=np.int32).reshape(10, WIDTH)
    question.commit(unit, 1, 10, rows, [], 0.0)
    batches = question.index(WIDTH)
    assert [batch.rows for batch in batches] == [4, 4, 2]
    assert np.array_equal(np.concatenate(list(question.bodies([b.number for b in batches], WIDTH))), rows)
    question.close()


def test_text_and_lines_pass_through_in_the_same_order(capfd: Capture, board: str) -> None:
    texts = []
    for more in ([], ["--threads", "2"]):
        assert command(["cover", "solve", board, "-n", "all", "--quiet", *more]) == 0
        texts.append(capfd.readouterr().out)
    assert texts[0] == texts[1]
    assert command(["cover", "solve", board, "-n", "all", "--json"]) == 0
    one = json.loads(capfd.readouterr().out)
    for more in ([], ["--threads", "2"]):
        assert command(["cover", "solve", board, "-n", "all", "--jsonl", *more]) == 0
        *lines, last = map(json.loads, capfd.readouterr().out.splitlines())
        assert [line["answer"] for line in lines] == one["answers"]
        assert (last["status"], last["solutions"]) == ("complete", COVERS)
        assert "answers" not in last


def test_who_receives_gets_every_answer_once() -> None:
    got: list[object] = []

    def receive(piece: Findings[object]) -> None:
        got.extend(piece.answers)

    found = generate("dominoes", "4x4").solve(None, run=tb.Here(receive=receive))
    assert found.result.streamed
    assert len(found.answers) == 0
    assert got == generate("dominoes", "4x4").solve(None).answers
    few: list[object] = []
    assert len(generate("dominoes", "2x2").solve(None, run=tb.Here(receive=few.append)).answers) == 2
    assert few == [], "a modest number is kept as ever"


def test_a_false_answer_on_its_way_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablero.cover.checking.first_fault", lambda *_: "of the test")
    with pytest.raises(AssertionError, match="of the test"):
        generate("dominoes", "4x4").solve(None, run=tb.Here(receive=lambda _: None))


def slow(work: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    """The same function, which takes its time and tells how long it took."""

    def slowly(*args: Any) -> Any:
        began = time.monotonic()
        time.sleep(0.02)
        found = work(*args)
        spent.append(time.monotonic() - began)
        return found

    return slowly


@pytest.mark.parametrize("run", [tb.Here(), tb.Here(threads=2), tb.Job("slow")])
def test_seconds_are_of_the_search_alone(run: tb.Here, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither checking answers nor passing them on is searching; of several threads each has its part of both."""
    spent: list[float] = []
    monkeypatch.setattr("tablero.cover.checking.first_fault", slow(first_fault, spent))
    run = replace(run, receive=slow(lambda _: None, spent))
    began = time.monotonic()
    found = generate("dominoes", "4x4").solve(None, run=run)
    wall = time.monotonic() - began
    assert found.solutions == COVERS
    assert len(spent) >= COVERS // 6
    assert 0 < found.seconds <= wall - sum(spent) / run.threads


def test_a_time_limit_is_about_all_that_is_done_meanwhile() -> None:
    spent: list[float] = []
    run = tb.Here(receive=slow(lambda _: None, spent), time_limit=0.05)
    found = generate("dominoes", "4x4").solve(None, run=run)
    assert (found.status, found.result.fraction < 1) == ("open", True)
    assert len(spent) < COVERS // 4


def test_a_search_stops_before_the_disk_is_full(monkeypatch: pytest.MonkeyPatch, capfd: Capture, board: str) -> None:
    monkeypatch.setattr(store, "_LOOK", 1)
    monkeypatch.setattr(store, "free_space", lambda folder: 1000)
    assert command(["cover", "solve", board, "-n", "all", "--job", "full", "--jsonl"]) == 3
    out, err = capfd.readouterr()
    last = json.loads(out.splitlines()[-1])
    assert last["status"] == "open"
    assert 0 < last["solutions"] < COVERS
    assert "nearly full: 1 kB" in err
    monkeypatch.setattr(store, "free_space", lambda folder: 1 << 40)
    assert command(["jobs", "resume", "full", "--json"]) == 0, "with room it goes on"
    assert json.loads(capfd.readouterr().out)["solutions"] == COVERS


def test_no_file_is_begun_for_which_there_is_no_room(
    monkeypatch: pytest.MonkeyPatch, capfd: Capture, board: str, tmp_path: Path
) -> None:
    assert command(["cover", "solve", board, "-n", "all", "--job", "many", "--quiet"]) == 0
    capfd.readouterr()
    monkeypatch.setattr(answers, "free_space", lambda folder: 1000)
    with pytest.raises(BadInput, match="set TMPDIR"):
        stored("many")
    monkeypatch.setattr(answers, "MODEST", 1 << 12)
    assert command(["jobs", "export", "many", "-o", str(tmp_path / "out.json")]) == 2
    assert "36 answers need about" in capfd.readouterr().err
    assert not (tmp_path / "out.json").exists()


def test_lines_and_one_object_exclude_each_other(capfd: Capture, board: str) -> None:
    assert command(["cover", "solve", board, "--json", "--jsonl"]) == 2
    assert "expected only one of them" in capfd.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["sudoku", "solve", "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"],
        ["queens", "solve", "5", "-n", "all"],
        ["slide", "solve", "1 2 3/4 5 6/7 0 8"],
        ["decompose", "K4", "--into", "matching", "-n", "all"],
    ],
)
def test_lines_of_every_family_say_what_the_object_says(capfd: Capture, words: list[str]) -> None:
    status = command([*words, "--json"])
    one = json.loads(capfd.readouterr().out)
    assert command([*words, "--jsonl"]) == status
    *lines, last = map(json.loads, capfd.readouterr().out.splitlines())
    assert [line["answer"] for line in lines] == one.pop("answers")
    assert last.keys() == one.keys()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_before_the_search_is_told_as_json(
    monkeypatch: pytest.MonkeyPatch, capfd: Capture, board: str, tmp_path: Path
) -> None:
    keys = {"status", "solutions", "nodes", "seconds", "cpu_seconds", "fraction"}
    monkeypatch.setattr("tablero.runs.session.Session._compile", _interrupt)
    for more in ([], ["--job", "early"]):
        assert command(["cover", "solve", board, "--json", *more]) == 130
        reported = json.loads(capfd.readouterr().out)
        assert keys < reported.keys()
        assert (reported["status"], reported["answers"]) == ("open", [])
    monkeypatch.setattr(import_module("tablero.cover.solving"), "fastest_counter", _interrupt)
    assert command(["cover", "count", board, "--json"]) == 130
    assert json.loads(capfd.readouterr().out).keys() == keys


def test_the_race_of_counters_ends_with_the_patience() -> None:
    from tablero.cover.kernels.search import fastest_counter

    table = generate("dominoes", "8x8").table
    assert fastest_counter(table)[0] in ("memo", "frontier")
    assert fastest_counter(table, 0.0)[0] == "bits"


def test_one_object_begins_with_many_answers(capfd: Capture, board: str) -> None:
    assert command(["cover", "solve", board, "-n", "all", "--json", "-q"]) == 0
    out = capfd.readouterr().out
    assert out.startswith('{"answers": [')
    reported = json.loads(out)
    assert (reported["status"], reported["solutions"], len(reported["answers"])) == ("complete", COVERS, COVERS)
    assert command(["cover", "solve", board, "-n", "2", "--json", "-q"]) == 0
    assert next(iter(json.loads(capfd.readouterr().out))) == "status"
