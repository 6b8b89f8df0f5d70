"""Where a search stands: a stored state replayed into part of an answer, checked by the rules of each family."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tablero as tb
from tablero.cli import run
from tablero.edges.checking import colour_at, touching
from tablero.families import board
from tablero.runs import jobs, reports
from tablero.runs.run import Job
from tablero.web import work


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))


def edges_fault(found: Any) -> str | None:
    puzzle, laying = found.puzzle, found.layings[0].tolist()
    pieces = [variant // puzzle.sides for variant in laying if variant >= 0]
    if len(set(pieces)) < len(pieces):
        return "a piece lies twice"
    for one, other in touching(puzzle.board)[0]:
        laid = laying[one[0]] >= 0 and laying[other[0]] >= 0
        if laid and colour_at(puzzle, laying, one) != colour_at(puzzle, laying, other):
            return "a join does not match"
    return None


def cover_fault(found: Any) -> str | None:
    items = Counter(item for option in found.chosen[0] for item in found.puzzle.option(option))
    return "an item is covered twice" if max(items.values(), default=0) > 1 else None


def queens_fault(found: Any) -> str | None:
    queens = [(row, column) for row, column in enumerate(found.columns[0].tolist()) if column >= 0]
    kinds: list[Callable[[int, int], int]] = [lambda r, c: c, lambda r, c: r + c, lambda r, c: r - c]
    return None if all(len({of(*q) for q in queens}) == len(queens) for of in kinds) else "two queens attack"


def sudoku_fault(found: Any) -> str | None:
    puzzle, board = found.puzzle, found.boards[0]
    for unit in puzzle.layout.units:
        digits = [board[cell] for cell in unit.cells if board[cell]]
        if len(set(digits)) < len(digits):
            return "a digit stands twice"
    return None if all(board[k] == given for k, given in enumerate(puzzle.cells) if given) else "a clue is gone"


def decomposition_fault(found: Any) -> str | None:
    edges = Counter(edge for part in found.answers[0].parts for edge in part)
    if any(edge not in found.puzzle.host.edges for edge in edges):
        return "an edge that the host has not"
    return "an edge is covered twice" if max(edges.values(), default=0) > 1 else None


def sliding_fault(found: Any) -> str | None:
    """Every move stays on the board."""
    board, blank = found.puzzle, found.puzzle.blank
    row, column = divmod(blank, board.columns)
    for move in found.answers[0]:
        row += {"N": -1, "S": 1}.get(move, 0)
        column += {"W": -1, "E": 1}.get(move, 0)
        if not (0 <= row < board.rows and 0 <= column < board.columns):
            return "off the board"
    return None


PUZZLE = tb.edges.generate(8, colours=6, seed=1)
CASES: list[tuple[str, Callable[[Job], Any], Callable[[Any], str | None]]] = [
    ("scan", lambda run: PUZZLE.solve(None, method="scan", run=run), edges_fault),
    ("fewest", lambda run: PUZZLE.solve(None, method="fewest", run=run), edges_fault),
    ("frame", lambda run: PUZZLE.solve(None, method="frame", run=run), edges_fault),
    ("xcc", lambda run: PUZZLE.solve(None, method="xcc", run=run), edges_fault),
    ("pentominoes", lambda run: tb.cover.generate("pentominoes", "6x10").solve(None, run=run), cover_fault),
    ("sparse", lambda run: tb.cover.generate("pentominoes", "6x10").solve(None, kernel="sparse", run=run), cover_fault),
    ("count", lambda run: tb.queens.count(12, fundamental=True, run=run), queens_fault),
    ("exact", lambda run: tb.queens.Queens(14).solve(None, method="exact", run=run), queens_fault),
    ("bands", lambda run: tb.sudoku.parse("1" + "." * 80).solve(None, run=run), sudoku_fault),
    ("larger", lambda run: tb.sudoku.parse("1" + "." * 255).solve(None, run=run), sudoku_fault),
    ("stars", lambda run: tb.decompose("K10", "double-star").solve(None, run=run), decomposition_fault),
    (
        "laid",
        lambda run: tb.decompose("K12", "double-star").solve(None, method="laying", run=run),
        decomposition_fault,
    ),
    (
        "slide",
        lambda run: tb.sliding.generate(4, seed=7).solve(method="optimal", estimate="lines", run=run),
        sliding_fault,
    ),
]


@pytest.mark.parametrize(("name", "search", "fault"), CASES, ids=[case[0] for case in CASES])
def test_a_stored_state_is_part_of_an_answer(
    name: str, search: Callable[[Job], Any], fault: Callable[[Any], str | None]
) -> None:
    for nodes in (1, 300, 900):
        search(Job(name, node_limit=nodes))
        with jobs.read_job(name) as record:
            found = board(record)
        assert found.result.partial
        assert len(found.result.answers) == 1
        assert fault(found) is None
        shown = work.board(name, False)
        assert shown["shows"] == "standing", shown
        assert shown["svg"].startswith("<svg")


def test_a_search_that_has_no_board_on_its_way_shows_what_was_asked() -> None:
    tb.queens.count(14, run=Job("joined", node_limit=5))  # halves are joined: no queen is set before another
    assert work.board("joined", False)["shows"] == "puzzle"


def test_a_local_search_shows_the_board_that_it_has() -> None:
    tb.queens.Queens(400).anneal(seed=1, run=Job("cooling", node_limit=2000))
    assert work.board("cooling", False)["shows"] == "standing"
    PUZZLE.optimise(width=50, run=Job("best", node_limit=100_000))
    assert work.board("best", True)["shows"] == "answer"
    assert work.board("best", False)["maximum"] == PUZZLE.maximum


def test_jobs_board_shows_where_a_search_stands(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tb.queens.Queens(14).solve(None, method="exact", run=Job("exact", node_limit=300))
    assert run(["jobs", "board", "exact", "--svg", str(tmp_path / "board.svg")]) == 0
    out, err = capfd.readouterr()
    assert len(out.splitlines()) == 14
    assert 0 < out.count("♛") < 14
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert run(["jobs", "board", "exact", "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert sum(column >= 0 for column in answer["board"]) == out.count("♛")
    tb.queens.count(14, run=Job("joined", node_limit=5))
    assert run(["jobs", "board", "joined"]) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert "no board yet" in err
    assert run(["jobs", "board", "nowhere"]) == 2


def test_a_score_is_told_of_an_optimisation(capfd: pytest.CaptureFixture[str]) -> None:
    found = PUZZLE.optimise(width=50, run=Job("best", node_limit=100_000))
    reached = f"{found.score} of {found.maximum}"
    for words in (["list"], ["show", "best"], ["board", "best"]):
        assert run(["jobs", *words]) == 0
        out, err = capfd.readouterr()
        assert reached in out + err
        assert "1 found" not in out
    assert run(["jobs", "board", "best", "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["maximum"] == found.maximum


def test_the_worker_list_is_there_while_a_job_runs_and_gone_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablero.runs.coordinator._BEAT", 0.0)
    seen: list[dict[str, Any]] = []
    path = jobs.path_of("many")
    run = Job("many", threads=2, node_limit=10**7, watch=lambda _: seen.append(reports.read_workers(path)))
    tb.queens.count(18, run=run)
    reported = [one for one in seen if one.get("workers")]
    assert reported, "nobody was seen at work"
    assert {row["worker"] for one in reported for row in one["workers"]} <= {"thread 0", "thread 1"}
    assert any("unit" in row and row["seconds"] >= 0 for one in reported for row in one["workers"])
    assert max(sum(row["nodes"] for row in one["workers"]) for one in reported) > 0
    assert not reports.workers_file(path).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"host": 1}', json.dumps({"host": "a", "workers": [1]}), "\ud800"])
def test_what_is_no_worker_list_is_none(tmp_path: Path, text: str) -> None:
    job = tmp_path / "x.job"
    reports.workers_file(job).write_bytes(text.encode("utf-8", "surrogatepass"))
    assert reports.read_workers(job) == {}


def test_the_board_of_a_finished_search_is_its_first_answer(capfd: pytest.CaptureFixture[str]) -> None:
    puzzle = tb.edges.generate(4, colours=4, seed=1)
    first = puzzle.solve(1, run=Job("enough")).to_list()[0]
    assert run(["jobs", "board", "enough", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["board"] == first


def test_the_board_of_an_optimisation_is_the_best_that_is_stored(capfd: pytest.CaptureFixture[str]) -> None:
    puzzle = tb.edges.generate(8, framed=(3, 8), seed=1)
    best = puzzle.optimise(width=50, run=Job("best", node_limit=200_000))
    assert run(["jobs", "board", "best", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["score"] >= best.score
