"""`tablero slide` and `tablero warehouse` as a user calls them; a job of several trees."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pytest

from tablero import sliding, warehouse
from tablero.cli import run
from tablero.runs.progress import Snapshot
from tablero.runs.run import Here
from tablero.sliding import checking, optimal
from tablero.sliding.kernels import databases

HARD = "3 14 7 9/13 11 4 5/12 8 1 0/15 6 2 10"  # 55 moves


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


def test_solve_by_every_method(capfd: pytest.CaptureFixture[str]) -> None:
    board = sliding.generate(3, seed=5)
    for method in ("auto", "table", "sides", "parberry", "transport", "carry", "optimal", "anytime"):
        limit = ("--node-limit", "100000") if method == "anytime" else ()
        answer = ask(capfd, "slide", "solve", sliding.write(board), "-m", method, *limit)
        assert answer["status"] == "solved"
        assert checking.fault(board, answer["answers"][0]) is None
        assert len(answer["answers"][0]) == answer["moves"] >= answer["lower"]
        assert {"solutions", "nodes", "seconds", "fraction"} <= set(answer)
    assert "answers" not in ask(capfd, "slide", "solve", sliding.write(board), "--count")


def test_files_and_pages(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["slide", "random", "5", "--seed", "3"]) == 0
    Path("board.txt").write_text(capfd.readouterr().out.replace("/", "\n"))
    files = ["--output", "moves.txt", "--svg", "board.svg", "--page", "page.html"]
    assert run(["slide", "solve", "board.txt", "-m", "table", *files, "--quiet"]) == 0
    assert capfd.readouterr() == ("", "")
    assert run(["slide", "check", "board.txt", "--moves", "moves.txt"]) == 0
    assert "moves solve it" in capfd.readouterr().out
    assert "<svg" in Path("board.svg").read_text()
    assert "hierarchy" in Path("page.html").read_text()
    assert run(["slide", "solve", "board.txt", "-m", "table", "--explain"]) == 0
    out, err = capfd.readouterr()
    assert out.startswith(("table", "approach", "hierarchy"))
    assert "the bound for 5×5 is 419" in err


def test_a_file_of_several_boards(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["slide", "random", "3", "-n", "3"]) == 0
    text = capfd.readouterr().out
    Path("boards.txt").write_text(text)
    boards = sliding.read_all("boards.txt")
    assert [sliding.write(board) for board in boards] == text.split("\n")[:-1]
    answer = ask(capfd, "slide", "solve", "boards.txt")
    assert (answer["status"], answer["solutions"], len(answer["boards"])) == ("solved", 3, 3)
    for key in ("nodes", "seconds", "cpu_seconds"):
        assert answer[key] == pytest.approx(sum(one[key] for one in answer["boards"]))
    assert run(["slide", "solve", "boards.txt", "-o", "moves.txt", "--quiet"]) == 0
    assert capfd.readouterr().out == ""
    moves = Path("moves.txt").read_text().splitlines()
    for board, word, values in zip(boards, moves, answer["boards"], strict=True):
        assert checking.fault(board, word) is None
        assert values["answers"] == [word]
    assert ask(capfd, "slide", "check", "boards.txt")["status"] == "solved"
    Path("boards.txt").write_text(text + "2 1 3/4 5 6/7 8 _\n")
    assert ask(capfd, "slide", "solve", "boards.txt", status=1)["solutions"] == 3
    assert [one["solvable"] for one in ask(capfd, "slide", "check", "boards.txt", status=1)["boards"]] == [True] * 3 + [
        False
    ]


def test_every_board_of_a_file_has_its_line(capfd: pytest.CaptureFixture[str]) -> None:
    Path("boards.txt").write_text("1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/8 7 0\n1 2 3/4 5 6/0 7 8\n")
    for more, lines in (([], ["E", "none", "EE"]), (["--count"], ["1", "none", "2"])):
        assert run(["slide", "solve", "boards.txt", "-q", *more]) == 1
        assert capfd.readouterr().out.splitlines() == lines
    assert run(["slide", "solve", "boards.txt", "-q", "-o", "moves.txt"]) == 1
    assert Path("moves.txt").read_text().splitlines() == ["E", "none", "EE"]
    capfd.readouterr()
    assert run(["slide", "solve", "boards.txt", "--jsonl"]) == 1
    *answers, summary = map(json.loads, capfd.readouterr().out.splitlines())
    assert answers == [
        {"board": 1, "answer": "E"},
        {"board": 2, "answer": None},
        {"board": 3, "answer": "EE"},
    ]
    assert run(["slide", "solve", "boards.txt", "--jsonl", "--count"]) == 1
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert lines[:3] == [{"board": 1, "moves": 1}, {"board": 2, "moves": None}, {"board": 3, "moves": 2}]
    assert (summary["status"], summary["solutions"]) == ("complete", 2)
    assert [one["status"] for one in summary["boards"]] == ["solved", "none", "solved"]
    Path("boards.txt").write_text("2 1 3/4 5 6/7 8 0\n1 2 3/4 5 6/8 7 0\n")
    assert ask(capfd, "slide", "solve", "boards.txt", status=1)["status"] == "none"
    for more, words in (["--json"], "this board cannot be solved: the permutation is odd"), (["--json", "-q"], ""):
        assert run(["slide", "solve", "2 1 3/4 5 6/7 8 0", *more]) == 1
        out, err = capfd.readouterr()
        assert json.loads(out)["status"] == "none"
        assert err.startswith(words)
        assert bool(err) == bool(words)


def test_an_interrupted_database_is_told_as_every_answer(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while those of 5×5 are built, at the first look round."""

    def interrupted(report: Any = None) -> Any:
        report(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(databases, "twenty_four", interrupted)
    board = sliding.write(sliding.generate(5, seed=1))
    answer = ask(capfd, "slide", "solve", board, "-m", "optimal", "--estimate", "patterns", status=130)
    assert (answer["status"], answer["method"], answer["moves"], answer["answers"]) == ("open", "optimal", None, [])
    assert answer["lower"] > 0


def test_the_time_that_a_database_takes_is_told_when_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def built(report: Any) -> None:
        report(0.01)
        report(0.5)

    monkeypatch.setattr(databases, "twenty_four", built)
    reported: list[Snapshot] = []
    optimal.Task.of(sliding.generate(5, seed=1)).make_ready("patterns", Here(watch=reported.append))
    assert [one.fraction for one in reported] == [None, 0.5]


def test_worst_random_and_check(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "slide", "worst", "4", "--svg", "worst.svg", "--page", "worst.html")
    assert "<svg" in Path("worst.svg").read_text()
    assert (answer["moves"], answer["bound"]) == (152, 175)
    assert len(sliding.parse(answer["board"]).solve(method="table")) == 152
    boards = ask(capfd, "slide", "random", "3x4", "--seed", "9", "-n", "3")["boards"]
    assert boards[1] == sliding.write(sliding.generate(3, 4, seed=10))
    assert ask(capfd, "slide", "check", boards[0])["solvable"] is True
    answer = ask(capfd, "slide", "check", "2 1/3 0", status=1)
    assert answer["status"] == "none"
    assert "the permutation is odd" in answer["why"]
    assert ask(capfd, "slide", "check", "1 2/0 3", "--moves", "e")["fault"] is None
    assert "off the board" in ask(capfd, "slide", "check", "1 2/0 3", "--moves", "W", status=1)["fault"]


def test_both_words_for_the_family(capfd: pytest.CaptureFixture[str]) -> None:
    for word in ("slide", "sliding"):
        assert ask(capfd, word, "solve", "1 2 3/4 5 6/7 0 8")["answers"] == ["E"]


def test_a_worst_case_can_be_stopped(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "slide", "worst", "30", "--time-limit", "0.2s", status=3)
    assert answer["status"] == "open"
    assert answer["placed"] > 0
    assert len(sliding.parse(answer["board"]).solve(method="table")) == answer["moves"] >= 31


def test_moves_are_played_in_the_terminal(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    assert run(["slide", "solve", "1 2 3/4 5 6/7 0 8", "--animate", "--count"]) == 0
    out, err = capfd.readouterr()
    assert out == "1\n"
    assert "1 of 1 move" in err
    assert run(["slide", "solve", "1 2 3/4 5 6/7 0 8", "--animate", "--json", "-q"]) == 0
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (("1 2 3/4 5 6/8 7 0",), "cannot be solved: the permutation is odd"),
        (
            ("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0", "--goal", "blank-first"),
            "cannot be solved: the permutation is odd and the blank is 6 moves from its goal cell, which is even",
        ),
    ],
)
def test_what_cannot_be_solved_is_a_proof(
    board: tuple[str, ...], words: str, place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for more in ((), ("-m", "table"), ("-m", "anytime", "--time-limit", "1s"), ("--job", "none", "--page", "no.html")):
        assert run(["slide", "solve", *board, *more]) == 1
        out, err = capfd.readouterr()
        assert out == ""
        assert words in err
        answer = ask(capfd, "slide", "solve", *board, *more, status=1)
        assert (answer["status"], answer["solutions"], answer["answers"]) == ("none", 0, [])
        assert answer["moves"] is None
        assert answer["why"] in err
    assert run(["slide", "solve", *board, "--quiet"]) == 1
    assert capfd.readouterr() == ("", "")
    assert not list(place.iterdir())  # no job, no page


def test_the_library_and_the_command_say_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    board = sliding.generate(3, 4, seed=2)
    for method in ("table", "sides", "parberry", "transport", "carry", "optimal"):
        answer, found = ask(capfd, "slide", "solve", sliding.write(board), "-m", method), board.solve(method=method)
        assert answer["answers"] == found.to_list() == [board.solve(method=method).first]
        assert (answer["nodes"], answer["lower"], answer["optimal"]) == (found.nodes, found.lower, found.optimal)
    answer = ask(capfd, "slide", "solve", sliding.write(board), "-m", "anytime", "--node-limit", "5000")
    assert answer["answers"] == board.solve(method="anytime", run=Here(node_limit=5000)).to_list()


def test_files_with_a_mark_and_words_of_any_length(capfd: pytest.CaptureFixture[str]) -> None:
    board = sliding.generate(20, seed=3)
    Path("board.txt").write_bytes(codecs.BOM_UTF8 + sliding.write(board).replace("/", "\n").encode())
    assert ask(capfd, "slide", "check", "board.txt")["solvable"] is True
    moves = board.solve(method="table").moves
    Path("moves.txt").write_bytes(codecs.BOM_UTF8 + moves.encode())
    assert ask(capfd, "slide", "check", "board.txt", "--moves", "moves.txt")["moves"] == len(moves)
    assert ask(capfd, "slide", "check", sliding.write(board), "--moves", moves)["fault"] is None
    assert run(["slide", "random", "5", "--quiet"]) == 0
    assert capfd.readouterr().err == ""


def test_a_search_that_stops_is_open(capfd: pytest.CaptureFixture[str]) -> None:
    solve = ["slide", "solve", HARD, "--estimate", "walking", "--node-limit", "1000"]
    answer = ask(capfd, *solve, status=3)
    assert (answer["status"], answer["nodes"], answer["answers"], answer["moves"]) == ("open", 1000, [], None)
    assert run(solve) == 3
    out, err = capfd.readouterr()
    assert out == ""
    assert f"no answer yet: at least {answer['lower']} moves are needed" in err


def test_a_job_of_several_trees(capfd: pytest.CaptureFixture[str]) -> None:
    solve = ("slide", "solve", HARD, "--estimate", "walking", "--quiet")
    whole = ask(capfd, *solve)
    assert (whole["moves"], whole["optimal"]) == (55, True)
    first = ask(capfd, *solve, "--job", "hard", "--node-limit", "50000", status=3)
    assert first["answers"] == []
    assert first["lower"] <= 55
    assert ask(capfd, "jobs", "show", "hard")["family"] == "sliding"
    rounds, answer = 0, first
    while answer["status"] == "open" and rounds < 50:
        again = ["jobs", "resume", "hard", "--quiet"] if rounds % 2 else [*solve, "--job", "hard"]
        run([*again, "--node-limit", "100000", "--json"])
        answer = json.loads(capfd.readouterr().out)
        rounds += 1
    assert rounds > 2
    assert (answer["moves"], answer["optimal"]) == (55, True)
    assert answer["nodes"] == whole["nodes"]  # every position was counted once, whatever the interruptions
    assert run(["jobs", "export", "hard", "-o", "hard.json"]) == 0
    exported = json.loads(Path("hard.json").read_text())
    assert exported["answers"] == answer["answers"]
    assert checking.fault(sliding.parse(HARD), exported["answers"][0]) is None
    capfd.readouterr()
    assert run(["slide", "solve", "1 2/0 3", "--job", "hard"]) == 2
    assert "is of another problem" in capfd.readouterr().err
    assert run([*solve[:3], "--estimate", "lines", "--job", "hard"]) == 2
    assert "was begun with the estimate walking" in capfd.readouterr().err
    assert run(["jobs", "resume", "hard"]) == 0
    assert "continues at the threshold 55" in capfd.readouterr().err


def test_warehouse(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "warehouse", "solve", "9", "--seed", "3", "-o", "moves.json", "--page", "page.html")
    assert answer["moves"] <= answer["bound"] == 1080
    assert len(json.loads(Path("moves.json").read_text())["moves"]) == answer["moves"]
    order = ask(capfd, "warehouse", "random", "9", "--seed", "3")["order"]
    Path("order.txt").write_text(" ".join(map(str, order)))
    assert ask(capfd, "warehouse", "solve", "9", "--order", "order.txt")["moves"] == answer["moves"]
    Path("order.txt").write_bytes(codecs.BOM_UTF8 + Path("order.txt").read_bytes())
    assert ask(capfd, "warehouse", "solve", "9", "--order", "order.txt")["moves"] == answer["moves"]
    assert {"status", "solutions", "nodes", "seconds", "cpu_seconds", "fraction"} <= set(answer)
    assert len(warehouse.generate(9, seed=3).solve()) == answer["moves"]
    capfd.readouterr()
    assert run(["warehouse", "random", "9", "--quiet"]) == 0
    assert capfd.readouterr().err == ""
    assert ask(capfd, "warehouse", "solve", "1x2", "--side", "4", "--order", "scattered")["forming"] > 0
    assert run(["warehouse", "solve", "9", "--order", "reversed", "--svg", "w.svg"]) == 0
    assert "all legal" in capfd.readouterr().err
