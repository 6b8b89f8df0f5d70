"""Setting queens by every method, with squares given and blocked, on a torus, in armies; the model; pictures; commands."""

from __future__ import annotations

import json
import math
import random
import re
from itertools import permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import tablero as tb
from tablero.cli import run
from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.queens.checking import armies_fault, fault, fault_of, first_fault
from tablero.queens.draw import gallery, picture
from tablero.queens.peaceable import armies
from tablero.queens.programme import write
from tablero.queens.puzzle import Queens, Square
from tablero.runs.run import Here

METHODS = ("construct", "local", "anneal", "exact")
PEACEABLE = (0, 0, 1, 2, 4, 5, 7, 9)  # A250000, from n = 1


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert run(["queens", *arguments, "--json"]) == status
    answer: dict[str, Any] = json.loads(capfd.readouterr().out)
    return answer


# The independent check


def test_the_check_agrees_with_the_definition() -> None:
    choose = random.Random(3)
    for n in (1, 2, 4, 5, 6):
        for _ in range(300):
            columns = [choose.randrange(n) for _ in range(n)]
            pairs = [(a, b) for a in range(n) for b in range(a)]
            good = not any(columns[a] == columns[b] or abs(columns[a] - columns[b]) == a - b for a, b in pairs)
            assert (fault(columns) is None) == good
    assert fault([1, 3, 0, 4]) == "not 4 columns from 0 to 3"
    assert fault([0, 2, 4, 1, 3], torus=True) is None
    assert fault([1, 3, 0, 2], torus=True) is not None
    assert fault([0, 1]) == "the queens of rows 1 and 2 share a falling diagonal"


@pytest.mark.parametrize("puzzle", [Queens(5), Queens(5, torus=True), Queens(5, given=((1, 3),), blocked=((0, 1),))])
def test_many_boards_are_checked_as_each_of_them(puzzle: Queens) -> None:
    boards = np.array([*permutations(range(5)), (0, 2, 4, 1, 5), (-1, 2, 4, 1, 3), (0, 0, 0, 0, 0)], np.int32)
    faults = [fault_of(puzzle, board) for board in boards]
    good = boards[[wrong is None for wrong in faults]]
    assert 0 < len(good) <= 10
    many = np.concatenate([good] * 20)
    assert first_fault(puzzle, many) is None
    for board, wrong in zip(boards, faults, strict=True):
        assert first_fault(puzzle, np.concatenate([many, board[None]])) == wrong
    assert first_fault(puzzle, many[:, :4]) == "4 queens on a board of 5×5"


# Every method


@pytest.mark.parametrize("n", [1, 4, 5, 6, 7, 8, 9, 12, 14, 15, 20, 27])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_solves(method: Any, n: int) -> None:
    found = tb.queens.solve(n, method=method)
    assert (found.status, found.solutions) == ("solved", 1)
    assert fault(found.to_list()[0]) is None


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("method", METHODS)
def test_two_and_three_are_impossible(method: Any, n: int) -> None:
    assert tb.queens.solve(n, method=method).status == "none"


def test_construction_for_every_side() -> None:
    for n in range(1, 400):
        columns = tb.queens.construct(n)
        assert (columns is None) == (n in (2, 3))
        assert columns is None or fault(columns) is None
        wrapped = tb.queens.construct(n, torus=True)
        assert (wrapped is None) == (math.gcd(n, 6) > 1)
        assert wrapped is None or fault(wrapped, torus=True) is None


def test_all_solutions_in_order() -> None:
    found = tb.queens.solve(6, None)
    assert (found.status, found.solutions) == ("complete", 4)
    assert sorted(found.to_list()) == [list(p) for p in permutations(range(6)) if fault(p) is None]


# Given and blocked squares


def test_completion_and_blocked_squares_against_brute_force() -> None:
    choose = random.Random(5)
    n = 6
    every = [p for p in permutations(range(n)) if fault(p) is None]
    squares = [(r, c) for r in range(n) for c in range(n)]
    for _ in range(60):
        marked = choose.sample(squares, choose.randrange(1, 6))
        given = tuple(marked[: choose.randrange(3)])
        blocked = tuple(square for square in marked if square not in given)
        puzzle = Queens(n, given, blocked)
        known = [p for p in every if all(p[r] == c for r, c in given) and all(p[r] != c for r, c in blocked)]
        found = tb.queens.solve(puzzle, None)
        assert sorted(found.to_list()) == [list(p) for p in known]
        assert found.status == ("complete" if known else "none")
        assert tb.queens.count(puzzle).solutions == len(known)
        assert all(fault_of(puzzle, answer) is None for answer in found.to_list())


def test_a_row_without_a_square_is_a_proof(capfd: pytest.CaptureFixture[str]) -> None:
    row = ",".join(f"r3c{c}" for c in range(1, 9))
    assert ask(capfd, "solve", "8", "--blocked", row, status=1)["status"] == "none"
    assert ask(capfd, "solve", "8", "--given", "r1c1,r2c2", status=1)["status"] == "none"
    assert ask(capfd, "count", "8", "--blocked", row, status=1)["solutions"] == 0


@pytest.mark.parametrize(("n", "given", "blocked"), [
    (-1, (), ()),
    (10**12, (), ()),
    (4, ((4, 0),), ()),
    (4, ((0, 0), (0, 0)), ()),
    (4, ((0, 0),), ((0, 0),)),
])  # fmt: skip
def test_puzzles_that_cannot_be(n: int, given: tuple[Square, ...], blocked: tuple[Square, ...]) -> None:
    with pytest.raises(BadInput):
        Queens(n, given, blocked)


# The model


def _read_mps(text: str) -> tuple[list[str], dict[str, dict[str, float]], dict[str, float]]:
    """Columns, rows by name, and right-hand sides: a reader of its own."""
    rows: dict[str, dict[str, float]] = {}
    columns: list[str] = []
    sides: dict[str, float] = {}
    section = ""
    for line in text.splitlines():
        words = line.split()
        if not line.startswith(" "):
            section = words[0]
        elif section == "ROWS":
            rows[words[1]] = {}
        elif section == "COLUMNS" and "'MARKER'" not in words:
            columns += [words[0]] * (words[0] not in columns)
            rows[words[1]][words[0]] = float(words[2])
        elif section == "RHS":
            sides[words[1]] = float(words[2])
    return columns, rows, sides


def _read_lp(text: str) -> tuple[list[str], dict[str, dict[str, float]], dict[str, float]]:
    head, _, tail = text.partition("Subject To")
    body, _, names = tail.partition("Binary")
    rows = {"COST": dict.fromkeys(re.findall(r"x_\d+_\d+", head), -1.0)}
    sides = {}
    for name, terms, side in re.findall(r"(\w+): ([^<:]+) <= (\d+)", body):
        rows[name] = dict.fromkeys(re.findall(r"x_\d+_\d+", terms), 1.0)
        sides[name] = float(side)
    return re.findall(r"x_\d+_\d+", names), rows, sides


@pytest.mark.parametrize(("form", "read"), [("mps", _read_mps), ("lp", _read_lp)])
@pytest.mark.parametrize(("n", "most"), [(1, 1), (2, 1), (3, 2), (8, 8)])
def test_highs_solves_the_model(form: str, read: Any, n: int, most: int) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    columns, rows, sides = read(write(n, form))
    assert len(columns) == n * n
    matrix = np.array([[rows[name].get(column, 0.0) for column in columns] for name in sides])
    cost = np.array([rows["COST"].get(column, 0.0) for column in columns])
    limits = optimize.LinearConstraint(matrix, -np.inf, list(sides.values()))
    solved = optimize.milp(cost, integrality=np.ones(n * n), bounds=optimize.Bounds(0, 1), constraints=limits)
    assert round(-solved.fun) == most
    if n == most:
        assert fault(np.round(solved.x).reshape(n, n).argmax(axis=1)) is None


# Armies


@pytest.mark.parametrize(("n", "known"), list(enumerate(PEACEABLE, 1)))
def test_peaceable_armies(n: int, known: int) -> None:
    found = armies(n)
    assert (found.size, found.status) == (known, "solved" if known else "none")
    assert armies_fault(n, found.white, found.black) is None


def test_armies_stop_at_a_limit() -> None:
    found = armies(11, run=Here(node_limit=300))
    assert (found.status, found.nodes) == ("open", 300)
    assert found.size > 0
    assert 0 < found.fraction < 1
    assert (armies(11, run=Here(time_limit=1e-9)).status, armies(2, run=Here(time_limit=600)).status) == (
        "open",
        "none",
    )
    assert armies_fault(3, [(0, 0)], [(2, 2)]) == "two queens of different armies share a falling diagonal"


# Pictures


@pytest.mark.parametrize(("n", "most"), [(8, 200), (60, 100), (5000, 7000), (100_000, 7000)])
def test_pictures_stay_small(n: int, most: int) -> None:
    board = tb.queens.solve(n, method="local").board
    assert board is not None
    svg = ElementTree.fromstring(to_svg(picture(board)))
    assert n <= len(svg) <= most or n >= 5000
    assert len(svg) <= most


def test_boards_print() -> None:
    board = tb.queens.Board.of([1, 3, 0, 2])
    assert str(board).splitlines() == ["· ♛ · ·", "· · · ♛", "♛ · · ·", "· · ♛ ·"]
    assert repr(board) == "<4 queens: columns [1, 3, 0, 2]>"
    assert board == tb.queens.Board.of(board.columns)
    assert "<svg" in board._repr_svg_()
    assert len(str(tb.queens.solve(100).board)) < 100


def test_a_gallery_has_them_all() -> None:
    boards = tb.queens.fundamental(8)
    assert len(boards) == 12
    svg = to_svg(gallery(boards, "twelve"))
    assert svg.count("<polygon") == 12 * 8


# The commands


def test_the_source_s_arguments(capfd: pytest.CaptureFixture[str]) -> None:
    reported = ask(
        capfd, "anneal", "40", "--t0", "10", "--alpha", ".95", "--trials", "2", "--max-stall", "500", "--seed", "3"
    )
    assert reported["answers"] == tb.queens.anneal(40, t0=10, alpha=0.95, trials=2, max_stall=500, seed=3).to_list()
    assert run(["queens", "anneal", "40", "10", "0.95", "2", "500"]) == 2
    capfd.readouterr()
    assert {
        "status",
        "solutions",
        "answers",
        "nodes",
        "seconds",
        "fraction",
        "runs",
        "success",
        "cpu",
        "trials",
        "each",
    } <= set(reported)
    assert ask(capfd, "anneal", "3", status=1)["status"] == "none"
    assert ask(capfd, "anneal", "500", "--max-trials", "10", status=3)["status"] == "open"


def test_files_are_written(capfd: pytest.CaptureFixture[str]) -> None:
    ask(capfd, "anneal", "20", "--trace", "t.csv", "--page", "p.html", "--svg", "b.svg")
    assert Path("t.csv").read_text().startswith("trial,cost\n0,")
    assert Path("p.html").read_text().startswith("<!doctype html>")
    ask(capfd, "count", "8", "--fundamental", "--svg", "twelve.svg")
    assert Path("twelve.svg").read_text().count("<polygon") == 96
    assert run(["queens", "model", "4", "--format", "mps", "-o", "four.mps"]) == 0
    assert Path("four.mps").read_text().endswith("ENDATA\n")
    assert run(["queens", "armies", "5", "--svg", "armies.svg"]) == 0
    assert Path("armies.svg").read_text().count("<polygon") == 12  # white ones have an outline below
    assert run(["queens", "tune", "12", "--grid", "--runs", "1", "-o", "grid.csv"]) == 0
    assert len(Path("grid.csv").read_text().splitlines()) == 97


def test_solving_and_counting(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask(capfd, "solve", "8")["answers"] == [[1, 3, 5, 7, 2, 0, 6, 4]]
    assert ask(capfd, "solve", "8", "-n", "all")["solutions"] == 92
    assert ask(capfd, "solve", "3", status=1)["answers"] == []
    assert ask(capfd, "solve", "12", "--toroidal", status=1)["status"] == "none"
    assert ask(capfd, "solve", "13", "--toroidal")["answers"][0][:3] == [0, 2, 4]
    count = ask(capfd, "count", "10", "--threads", "2")
    assert (count["status"], count["solutions"]) == ("complete", 724)
    assert "answers" not in count
    assert ask(capfd, "count", "10", "--fundamental")["solutions"] == 92
    assert run(["queens", "solve", "6"]) == 0
    out, err = capfd.readouterr()
    assert out == "1 3 5 0 2 4\n"
    assert "♛" in err


@pytest.mark.parametrize("command", [
    ("anneal", "300", "--runs", "3"),
    ("count", "11", "--fundamental"),
    ("count", "7", "--toroidal"),
    ("solve", "8", "--given", "r1c1", "-n", "all"),
    ("solve", "100", "--method", "local"),
])  # fmt: skip
def test_jobs(command: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
    first = ask(capfd, *command, "--job", "queens")
    assert run(["jobs", "resume", "queens", "--json"]) == 0
    again = json.loads(capfd.readouterr().out)
    for key in ("status", "solutions", "nodes", "fraction"):
        assert again[key] == first[key]
    assert again.get("answers") == first.get("answers")
    assert run(["jobs", "export", "queens"]) == 0
    assert json.loads(capfd.readouterr().out)["answers"] == first.get("answers", [])


@pytest.mark.parametrize(("method", "n", "most", "status", "solutions"), [
    ("local", "8", "92", "solved", 92),
    ("anneal", "6", "4", "solved", 4),
    ("local", "5", "11", "complete", 10),
])  # fmt: skip
def test_a_job_has_all_boards_of_a_small_side(
    method: str, n: str, most: str, status: str, solutions: int, capfd: pytest.CaptureFixture[str]
) -> None:
    first = ask(capfd, "solve", n, "-n", most, "--method", method, "--job", "all")
    assert (first["status"], first["solutions"], first["method"]) == (status, solutions, "exact")
    for command in (["jobs", "resume", "all"], ["queens", "solve", n, "-n", most, "--method", method, "--job", "all"]):
        assert run(command) == 0
        out, err = capfd.readouterr()
        assert [[int(column) for column in line.split()] for line in out.splitlines()] == first["answers"]
        assert f"by exact instead of {method}" in err
