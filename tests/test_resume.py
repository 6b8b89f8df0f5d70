"""Jobs that are stopped and resumed: each ends with what an undisturbed search finds, and is opened and checked once."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tablero as tb
from tablero.cli import run
from tablero.cover.kernels.search import CoverSearch
from tablero.edges.kernels.search import EdgeSearch
from tablero.runs import jobfile, jobs, process, values

Capture = pytest.CaptureFixture[str]
FILES = {
    "pairs.dlx": lambda: tb.cover.write(tb.cover.generate("langford", 8)),
    "costs.dlx": lambda: tb.cover.write(tb.cover.ExactCover([["a"], ["b"], ["a", "b"]], weights=(3, 2, 4))),
    "five.txt": lambda: tb.edges.write(tb.edges.generate(5, colours=4, seed=1)),
    "four.txt": lambda: tb.edges.write(tb.edges.generate(4, colours=3, seed=1)),
}
FEW = "." * 27 + "050036704687000002304000860063900408025040070410307020042060005"[:54]
# What is asked, and after how many nodes it is stopped first.
QUESTIONS = {
    "cover count pairs.dlx": 500,
    "cover solve pairs.dlx -n all": 500,
    "cover solve pairs.dlx -n all --kernel sparse": 500,
    "cover solve costs.dlx --cheapest": 1,
    "decompose count K15 --into triangle": 2000,
    "decompose count K7 --into triangle --fold 2": 500,
    "decompose K6 --into path --symmetry bicyclic -n all": 5,
    "edges count four.txt --method scan": 100,
    "edges solve five.txt --method fewest": 20,
    "edges solve four.txt --method cover1 -n all": 20,
    "queens count 10": 500,
    "queens solve 9 -n all --given r1c3": 50,
    "queens anneal 60 --seed 1": 500,
    "queens solve 60 --method local --seed 1": 20,
    "slide solve '1 5 3 4/2 6 8 12/9 10 7 11/13 14 15 0' --estimate walking": 20,
    f"sudoku count {FEW[:54] + '.' * 27} --solutions 500": 100,
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


def ask(capfd: Capture, *words: str) -> tuple[int, dict[str, Any]]:
    for word in words:
        if word in FILES:
            Path(word).write_text(FILES[word]())
    capfd.readouterr()
    status = run([*words, "--json", "--quiet"])
    out, err = capfd.readouterr()
    assert err == ""
    return status, json.loads(out)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_job_ends_with_what_an_undisturbed_search_finds(question: str, capfd: Capture) -> None:
    words = shlex.split(question)
    status, whole = ask(capfd, *words, "--job", "whole")
    stopped, part = ask(capfd, *words, "--job", "part", "--node-limit", str(QUESTIONS[question]))
    assert (stopped, part["status"]) == (3, "open"), part["nodes"]
    assert ask(capfd, "jobs", "show", "part")[1]["nodes"] == part["nodes"] < whole["nodes"]
    again, found = ask(capfd, "jobs", "resume", "part")
    assert again == status
    for key in ("status", "solutions", "nodes", "fraction", "answers"):
        assert found.get(key) == whole.get(key), key
    assert run(["jobs", "export", "part"]) == 0
    assert json.loads(capfd.readouterr().out)["answers"] == found.get("answers", [])


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a file is opened and audited, a problem unpacked or hashed, and a heartbeat begun."""
    tally: Counter[str] = Counter()

    def count(target: Any, name: str, what: str) -> None:
        plain: Callable[..., Any] = getattr(target, name)

        def counting(*args: Any, **more: Any) -> Any:
            tally[what] += 1
            return plain(*args, **more)

        monkeypatch.setattr(target, name, counting)

    count(jobfile, "connect", "opened")
    count(jobfile, "require_ours", "audited")
    count(values, "unpack", "unpacked")
    count(process.Heartbeat, "__init__", "heartbeats")
    for search in (CoverSearch, EdgeSearch):
        count(search, "digest", "digests")
    return tally


def epoch_of(name: str) -> int:
    with jobs.read_job(name) as record:
        found: int = record._job("epoch")[0]
        return found


@pytest.mark.parametrize(
    "question",
    ["cover solve pairs.dlx -n all", "edges count four.txt --method scan", "edges solve five.txt --method fewest"],
)
def test_a_job_is_opened_and_checked_once(question: str, capfd: Capture, counted: Counter[str]) -> None:
    words = shlex.split(question)
    ask(capfd, *words, "--job", "one", "--node-limit", "20")
    assert epoch_of("one") == 1
    counted.clear()
    ask(capfd, "jobs", "resume", "one")
    once = {"opened": 1, "audited": 1, "unpacked": 1, "digests": 1}
    assert counted == {**once, "heartbeats": 1}
    assert epoch_of("one") == 2
    counted.clear()
    ask(capfd, "jobs", "export", "one")
    assert counted == once


def test_a_file_that_was_just_made_is_not_audited(capfd: Capture, counted: Counter[str]) -> None:
    ask(capfd, "cover", "solve", "pairs.dlx", "-n", "all", "--job", "new")
    assert (counted["opened"], counted["audited"], counted["unpacked"]) == (1, 0, 0)
