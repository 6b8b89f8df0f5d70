"""Exact covers as verbs: what is taken as a problem, what commands print, what a job knows of its question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tablero as tb
from tablero.cli import run
from tablero.runs.jobs import describe

TEXT = "a b\na |5\nb |4\na b |10\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    (tmp_path / "p.dlx").write_text(TEXT)
    return tmp_path


@pytest.mark.parametrize("problem", [[["a"], ["b"], ["a", "b"]], TEXT, "p.dlx", Path("p.dlx"), tb.cover.parse(TEXT)])
def test_a_problem_is_taken_in_every_form(problem: Any) -> None:
    assert tb.cover.count(problem).solutions == 2
    assert tb.cover.solve(problem, None).status == "complete"
    assert tb.cover.trace(problem).nodes > 2


@pytest.mark.parametrize("wrong", [5, None, [5], ["ab"], [[["a"]]], {"a": ["b"]}, b"a", "nowhere.dlx"])
def test_what_is_no_problem_is_refused_in_one_line(wrong: Any) -> None:
    with pytest.raises(tb.BadInput, match=r"^[^\n]+(: expected [^\n]+|: No such file or directory)$"):
        tb.cover.count(wrong)


def test_the_cheapest_cover_is_one_that_is_solved_for() -> None:
    problem = tb.cover.parse(TEXT)
    found = problem.solve(cheapest=True)
    assert (found.status, found.cost, found.first) == ("solved", 9, [["a"], ["b"]])
    with pytest.raises(tb.BadInput, match="cheapest finds one cover: leave most out"):
        problem.solve(None, cheapest=True)
    with pytest.raises(tb.BadInput, match="kernel memo: expected one of auto, bits, sparse"):
        problem.solve(kernel="memo")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "words", [["cover", "count", "d.dlx", "--kernel", "bits"], ["queens", "count", "14", "--fundamental"]]
)
def test_a_count_that_stopped_prints_a_bound(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    Path("d.dlx").write_text(tb.cover.write(tb.cover.generate("dominoes", "20x20")))
    assert run([*words, "--node-limit", "200000", "-q"]) == 3
    out, err = capfd.readouterr()
    assert out.startswith(">= ")
    assert int(out[3:]) > 0
    assert err == ""
    assert run([*words, "--node-limit", "200000", "-q", "--json"]) == 3
    assert json.loads(capfd.readouterr().out)["solutions"] == int(out[3:])


def test_a_page_takes_the_place_of_the_steps(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["cover", "trace", "p.dlx", "--page", "trace.html"]) == 0
    assert capfd.readouterr().out == ""
    assert run(["cover", "trace", "p.dlx", "--page", "trace.html", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["solutions"] == 2


def test_a_job_knows_what_is_enough(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["cover", "make", "queens", "8", "-o", "q.dlx"]) == 0
    assert run(["cover", "solve", "q.dlx", "-n", "2", "--job", "two", "-q"]) == 0
    assert describe("two").state == "finished"
    assert run(["cover", "solve", "q.dlx", "-n", "all", "--job", "two", "--node-limit", "50", "-q"]) == 3
    assert describe("two").state == "stopped"
    assert run(["cover", "solve", "p.dlx", "--cheapest", "--job", "cheap", "-q"]) == 0
    capfd.readouterr()
    assert run(["jobs", "resume", "cheap", "--json", "-q"]) == 0
    assert json.loads(capfd.readouterr().out)["cost"] == 9
