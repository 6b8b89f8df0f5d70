"""The family queens: the same words in library and command, jobs of all kinds, what is refused, and notebooks' pictures."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import tablero as tb
from tablero.cli import run
from tablero.errors import BadInput
from tablero.queens.annealing import Settings
from tablero.queens.kernels.anneal import QueensAnneal
from tablero.queens.kernels.local import QueensLocal
from tablero.queens.solving import kernels
from tablero.queens.tour import stop
from tablero.runs.progress import Snapshot
from tablero.runs.run import Job
from tests.stored_jobs import stored

Queens = tb.queens.Queens


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert run([*arguments, "--json"]) == status
    answer: dict[str, Any] = json.loads(capfd.readouterr().out)
    return answer


# The library's words


def test_what_is_given_with_a_number_counts() -> None:
    corner = tb.queens.solve(Queens(8, ((0, 0),)), None)
    assert {columns[0] for columns in corner.to_list()} == {0}
    assert corner.solutions == tb.queens.count(Queens(8, ((0, 0),))).solutions == 4
    assert tb.queens.count(Queens(8, blocked=((0, 0),))).solutions == 92 - 4
    assert tb.queens.solve(Queens(5, torus=True)).puzzle == Queens(5, torus=True)
    assert tb.queens.count(Queens(5, torus=True)).solutions == 10


def test_what_means_a_puzzle_is_one(place: Path) -> None:
    text = "Q . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n"
    path = place / "five.txt"
    path.write_text(text, encoding="utf-8")
    corner = Queens(5, ((0, 0),))
    for puzzle in (corner, text, path, str(path)):
        assert tb.queens.count(puzzle).puzzle == corner
        assert tb.queens.solve(puzzle, None).to_list() == corner.solve(None).to_list()
        assert tb.queens.anneal(puzzle).to_list() == corner.anneal().to_list()
    six: Any = np.int64(6)
    for number in (6, six, "6"):
        assert (tb.queens.count(number).solutions, len(tb.queens.fundamental(number))) == (4, 1)
    wrong: list[Any] = [8.0, True, None, [8], "eight", b"8"]
    for puzzle in wrong:
        with pytest.raises(BadInput, match="expected"):
            tb.queens.count(puzzle)


@pytest.mark.parametrize("verb", ["solve", "count", "fundamental", "anneal", "armies", "tune"])
def test_nothing_unknown_is_swallowed(verb: str) -> None:
    for words in ({"threads": 2}, {"time_limit": 1.0}, {"given": [(0, 0)]}, {"torus": True}):
        with pytest.raises(TypeError, match="unexpected keyword"):
            getattr(tb.queens, verb)(8, **words)


def test_the_words_of_a_puzzle() -> None:
    puzzle = Queens(6)
    assert puzzle.solve().first == tb.queens.solve(6).board
    assert [board.tolist() for board in puzzle.solve(None).answers] == tb.queens.solve(6, None).to_list()
    numbers = puzzle.count().solutions, puzzle.count(fundamental=True).solutions, len(tb.queens.fundamental(puzzle))
    assert numbers == (4, 1, 1)
    assert Queens(3).solve().first is None
    assert Queens(3).solve(None).answers == []
    assert (Queens(3).count().solutions, list(tb.queens.fundamental(3))) == (0, [])
    annealed = Queens(2000).anneal(seed=1)
    assert annealed.to_list() == tb.queens.anneal(2000, seed=1).to_list()
    assert annealed.first == annealed.answers[0] == annealed.board
    with pytest.raises(BadInput, match="annealing does not support a torus"):
        Queens(7, torus=True).anneal()


def test_what_is_stopped_is_told() -> None:
    short = tb.Here(node_limit=20)
    given = Queens(20, ((0, 9),), ((1, 1),))
    with pytest.raises(TimeoutError, match="the answer is open"):
        _ = given.solve(run=tb.Here(node_limit=3)).first
    with pytest.raises(TimeoutError, match="there may be more"):
        Queens(9).solve(None, run=short).require_all()
    with pytest.raises(TimeoutError, match="there may be more"):
        Queens(9).count(run=short).require_all()
    with pytest.raises(TimeoutError, match="there may be more"):
        tb.queens.fundamental(9, run=short)
    found = tb.queens.count(9, run=short)
    assert (found.status, found.nodes, found.result.kept) == ("open", 20, False)
    gave_up = tb.queens.solve(500, method="anneal", run=tb.Here(node_limit=100))
    assert (gave_up.status, gave_up.nodes) == ("open", 100)


def test_findings_are_told_alike() -> None:
    solved, annealed, counted = tb.queens.solve(8), tb.queens.anneal(8, seed=2), tb.queens.count(8)
    for found in (solved, annealed, counted, tb.queens.armies(4)):
        assert isinstance(found, tb.Findings)
        assert {"status", "solutions", "nodes", "seconds", "cpu_seconds", "fraction"} <= set(found.values())
        json.dumps({**found.values(), "answers": found.to_list()})
        assert len(repr(found)) < 80
    assert all(isinstance(board, tb.queens.Board) for board in (*solved.answers, *annealed.answers))
    assert str(solved) == str(solved.board)
    assert (counted.solutions, counted.answers, str(counted)) == (92, [], "92")
    assert tb.queens.solve(Queens(12, torus=True)).why.endswith("2 or 3 divides 12 (Pólya 1918)")
    assert "why" not in solved.values()
    assert tb.queens.anneal(3).values()["why"] == (
        "3 queens cannot be placed on a board of 3×3 (proved): it holds at most 2 queens"
    )


def test_armies_are_findings() -> None:
    found = tb.queens.armies(5)
    assert (found.status, found.size, found.fraction) == ("solved", 4, 1.0)
    assert found.answers == [(found.white, found.black)]
    assert str(found).count("♕") == str(found).count("♛") == 4
    assert tb.queens.armies(2).to_list() == []


def test_limits_of_tuning() -> None:
    whole = tb.queens.tune(12, grid=True, runs=2)
    assert (whole.status, whole.fraction, len(whole.answers)) == ("solved", 1.0, 96)
    part = tb.queens.tune(12, grid=True, runs=2, run=tb.Here(node_limit=whole.nodes // 2))
    assert part.status == "open"
    assert 0 < len(part.tried) < 96
    nothing = tb.queens.tune(12, grid=True, runs=2, run=tb.Here(time_limit=1e-9))
    assert (nothing.tried, nothing.values()["best"]) == ((), None)
    with pytest.raises(BadInput, match="tries: the grid has its own number of sets"):
        tb.queens.tune(12, grid=True, tries=5)


def test_those_who_watch_hear_of_it() -> None:
    heard: list[Snapshot] = []
    run_here = tb.Here(watch=heard.append)
    tb.queens.tune(2000, grid=True, runs=10, run=run_here)
    assert any(snapshot.doing == "compiling the kernel queens.anneal" for snapshot in heard)
    assert all("of 96 sets, at best" in snapshot.words for snapshot in heard if snapshot.words)
    assert heard[-1].over
    heard.clear()
    tb.queens.armies(6, run=run_here)
    assert heard[-1].over


def test_what_is_no_square_and_no_number() -> None:
    squares: list[Any] = [[0, 0], ["r1c1"], [(1, 2, 3)], [(0.5, 1)]]
    for given in squares:
        with pytest.raises(BadInput, match="expected a row and a column from 0"):
            Queens(8, given)
    with pytest.raises(BadInput, match="most 0: expected a whole number from 1"):
        Queens(8).solve(0)
    eight: Any = np.int64(8)
    assert type(Queens(eight).n) is int


# Library and command


@pytest.mark.parametrize(("command", "asked"), [
    ("solve 8 -n all", lambda: tb.queens.solve(8, None)),
    ("solve 9 --given r1c2 --blocked r2c4,r3c1 -n 5",
     lambda: tb.queens.solve(Queens(9, ((0, 1),), ((1, 3), (2, 0))), 5)),
    ("solve 300 --method local --seed 4", lambda: Queens(300).solve(method="local", seed=4)),
    ("solve 300 --method anneal --seed 4", lambda: Queens(300).solve(method="anneal", seed=4)),
    ("anneal 60 --runs 3 --t0 2 --cooling linear --swap min-conflicts --seed 7",
     lambda: Queens(60).anneal(runs=3, t0=2, cooling="linear", swap="min-conflicts", seed=7)),
    ("count 9 --blocked r1c1", lambda: tb.queens.count(Queens(9, blocked=((0, 0),)))),
    ("count 9 --fundamental", lambda: tb.queens.count(9, fundamental=True)),
    ("armies 6", lambda: tb.queens.armies(6)),
])  # fmt: skip
def test_library_and_command_agree(command: str, asked: Any, capfd: pytest.CaptureFixture[str]) -> None:
    reported, found = ask(capfd, "queens", *command.split()), asked()
    assert reported.get("answers", []) == found.to_list()
    values = found.values()
    for key in set(values) - {"seconds", "cpu_seconds", "cpu", "each"}:
        assert reported[key] == json.loads(json.dumps(values[key]))
    assert set(reported) - {"answers"} == set(values)


def test_the_model_is_told_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    reported = ask(capfd, "queens", "model", "4", "--format", "mps")
    assert (reported["variables"], reported["constraints"]) == (16, 18)
    assert reported["model"].endswith("ENDATA\n")
    assert "model" not in ask(capfd, "queens", "model", "4", "-o", "four.mps", "--quiet")
    assert Path("four.mps").read_text() == reported["model"]  # the name says the format
    assert run(["queens", "model", "4", "-o", "four.lp"]) == 0
    assert Path("four.lp").read_text().startswith("\\ 4 queens")
    assert run(["queens", "model", "4", "-o", "four.lp", "--format", "mps"]) == 2


def test_the_page_of_the_command_is_that_of_the_library(capfd: pytest.CaptureFixture[str]) -> None:
    ask(capfd, "queens", "anneal", "20", "--page", "run.html")
    assert Path("run.html").read_text() == Queens(20).anneal().page()


def test_limits_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask(capfd, "queens", "armies", "11", "--node-limit", "50", status=3)["nodes"] == 50
    stopped = ask(capfd, "queens", "tune", "12", "--grid", "--runs", "1", "--node-limit", "1", status=3)
    assert (stopped["status"], stopped["tried"]) == ("open", 1)
    run(["queens", "tune", "12", "--grid", "--runs", "1", "--node-limit", "1"])
    assert "stopped after 1 % of the sets" in capfd.readouterr().err


# Jobs


def test_a_job_by_the_library_goes_on(capfd: pytest.CaptureFixture[str]) -> None:
    puzzle = Queens(9, blocked=((4, 4),))
    whole = puzzle.solve(None)
    part = puzzle.solve(None, run=Job("nine", node_limit=200))
    assert (part.status, part.nodes) == ("open", 200)
    assert stored("nine").to_list() == part.to_list()
    found = puzzle.solve(None, run=Job("nine"))
    assert (found.status, found.nodes, found.to_list()) == ("complete", whole.nodes, whole.to_list())
    assert ask(capfd, "jobs", "resume", "nine")["answers"] == whole.to_list()


def test_temperatures_that_are_equal_are_one_job(capfd: pytest.CaptureFixture[str]) -> None:
    first = tb.queens.anneal(50, t0=2, run=Job("warm"))
    assert ask(capfd, "queens", "anneal", "50", "--t0", "2", "--job", "warm")["answers"] == first.to_list()


def test_what_cannot_be_kept_is_refused() -> None:
    job = Job("no")
    for refused in (
        lambda: tb.queens.solve(8, run=job),
        lambda: tb.queens.anneal(3, run=job),
        lambda: tb.queens.armies(5, run=job),
        lambda: tb.queens.tune(12, grid=True, run=job),
        lambda: tb.queens.fundamental(8, run=job),
    ):
        with pytest.raises(BadInput, match="leave the job"):
            refused()
    with pytest.raises(BadInput, match="name 5: expected 1 to 64"):
        Job(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("verb", ["armies", "tune"])
def test_what_knows_only_a_number_refuses_a_puzzle(verb: str) -> None:
    for other in (Queens(8), "8", 8.0, True):
        with pytest.raises(BadInput, match=r"^n .*: expected a whole number from 1 to"):
            getattr(tb.queens, verb)(other)


# Notebooks


def test_puzzles_and_findings_show_as_pictures() -> None:
    puzzle = Queens(6, ((0, 1),), ((1, 1), (2, 2)))
    assert repr(puzzle) == "<6 queens, 1 given, 2 blocked>"
    assert str(puzzle).splitlines()[:3] == ["· ♛ · · · ·", "· × · · · ·", "· · × · · ·"]
    assert puzzle._repr_svg_().count("<line") == 4
    assert repr(Queens(7, torus=True)) == str(Queens(10_000, torus=True)).replace("10,000", "7") == "<7 queens, torus>"
    for shown in (puzzle, Queens(300, ((0, 1),), ((9, 9),)), puzzle.solve(), Queens(20).anneal(), tb.queens.armies(4)):
        picture = shown._repr_svg_()
        assert picture is not None
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert tb.queens.solve(3)._repr_svg_() is None
    assert tb.queens.count(6)._repr_svg_() is None


# What stands still


def test_a_seed_is_the_same_run_for_ever() -> None:
    """The numbers of the version before: whoever has written down a seed finds the board again."""
    flag = np.zeros(1, np.uint8)
    anneal, local = QueensAnneal((7,), 50, Settings.for_side(50).schedule()), QueensLocal((7,), 50)
    annealed, settled = anneal.fresh(7), local.fresh(7)
    assert (anneal.step(annealed, 10**9, flag), local.step(settled, 10**9, flag)) == ((407, True), (295, True))
    assert annealed.columns[:8].tolist() == [32, 15, 0, 25, 39, 14, 23, 45]
    assert settled.columns[:8].tolist() == [16, 6, 9, 17, 35, 28, 42, 3]


def test_the_page_of_the_docs_is_true() -> None:
    page = (Path(__file__).parent.parent / "docs" / "queens.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(examples, {}, "docs/queens.md", None, 0))
    assert (runner.failures, runner.tries) == (0, 9)


def test_the_tour_and_the_doctor_find_what_they_need() -> None:
    shown = stop()
    assert "92 ways" in shown.words
    assert "12 remain" in shown.words
    assert shown.svg.count("<polygon") == 12 * 8
    assert shown.text(False).count("♛") == 8
    counting = ["queens count", "queens count by halves"]
    assert list(kernels()) == [*counting, "queens anneal", "queens local"]
