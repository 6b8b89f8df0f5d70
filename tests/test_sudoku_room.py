"""Sudoku by the library: reading by suffix, how searches are run, what is shown, and the commands that say the same."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablero as tb
from tablero.cli import run
from tablero.draw.pages import Stop
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot
from tablero.sudoku import batch, checking, reading
from tablero.sudoku.examples import EXAMPLES
from tablero.sudoku.logic import TECHNIQUES, Position, limit, steps_at
from tablero.sudoku.saving import save_many
from tablero.sudoku.solving import kernels
from tablero.sudoku.tour import stop

SOURCE = "050036704687000002304000860063900408025040070410307020042060005500400087079582040"
SOLUTION = "251836794687194532394275861763921458925648173418357629842763915536419287179582346"
FEW = SOURCE[:27] + "." * 54  # many solutions
HOPELESS = "12345678." + "........9" + "." * 63


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    capfd.readouterr()
    assert run([*arguments, "--json"]) == status
    return json.loads(capfd.readouterr().out)


# Reading and writing


def test_the_suffix_tells_the_format(place: Path) -> None:
    puzzle = tb.sudoku.parse(SOURCE)
    for name in ("board.xlsx", "board.csv", "board.sdk", "board.sdm", "board.txt", "BOARD.XLSX", "board"):
        path = place / name
        tb.sudoku.save(path, puzzle)
        tb.sudoku.save(str(path), puzzle)
        assert tb.sudoku.read(str(path)) == tb.sudoku.read(path) == puzzle
        with path.open("rb") as file:
            assert tb.sudoku.read(file) == puzzle
        assert not list(place.glob("*.part"))
    assert tb.sudoku.read(io.BytesIO((place / "board.xlsx").read_bytes())) == puzzle  # no name: its first bytes tell
    assert tb.sudoku.read(io.StringIO(SOURCE)) == puzzle


def test_standard_input(place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    tb.sudoku.save(place / "board.xlsx", tb.sudoku.parse(SOURCE))
    for data in (b"\xef\xbb\xbf" + SOURCE.encode(), (place / "board.xlsx").read_bytes()):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert ask(capfd, "sudoku", "solve", "-")["answers"] == [SOLUTION]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SOURCE.encode())))
    assert tb.sudoku.read("-").line() == SOURCE.replace("0", ".")


def test_a_board_somewhere_in_a_workbook(place: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "empty"
    page = book.create_sheet("mine")
    for k, mark in enumerate(SOURCE):
        page.cell(3 + k // 9, 2 + k % 9, int(mark) or None)
    book.save(place / "any.xlsx")
    assert tb.sudoku.read("any.xlsx", sheet="mine", cell="B3").solve().first == SOLUTION
    with pytest.raises(BadInput, match="the digit 4 occurs twice in the falling diagonal"):
        tb.sudoku.read("any.xlsx", sheet="mine", cell="B3", layout=tb.sudoku.Layout(diagonals=True))
    assert tb.sudoku.read("any.xlsx").solve().first == SOLUTION  # found on any sheet
    with pytest.raises(BadInput, match=r"any\.xlsx: the sheet is empty"):
        tb.sudoku.read("any.xlsx", sheet="empty")
    with pytest.raises(BadInput, match="a board of side 5"):
        tb.sudoku.read("any.xlsx", sheet="mine", cell="B3", side=5)


def test_texts_have_no_sheets(place: Path) -> None:
    Path("board.txt").write_text(SOURCE)
    with pytest.raises(BadInput, match=r"board\.txt: not a spreadsheet: leave cell out"):
        tb.sudoku.read("board.txt", cell="B2")
    with pytest.raises(BadInput, match="expected 16"):
        tb.sudoku.read("board.txt", side=4)
    with pytest.raises(BadInput, match="No such file"):
        tb.sudoku.read("nowhere.txt")


def test_many_puzzles_are_read(place: Path) -> None:
    Path("many.sdm").write_text(f"{SOURCE}\n# a remark\n{SOLUTION} # another\n", encoding="utf-8-sig")
    lines = [SOURCE.replace("0", "."), SOLUTION]
    assert [puzzle.line() for puzzle in tb.sudoku.read_many("many.sdm")] == lines
    assert [puzzle.line() for puzzle in tb.sudoku.parse_many(f"{SOURCE}\n{SOLUTION}")] == lines
    assert reading.many_in("many.sdm") is not None
    assert reading.many_in(SOURCE) is None
    with pytest.raises(BadInput, match=r"many\.sdm: 2 puzzles, expected one"):
        tb.sudoku.read("many.sdm")


def test_a_file_that_cannot_be_written_leaves_the_old_one(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("board.sdk").write_text("old")
    with pytest.raises(BadInput, match=r"spreadsheets are written as \.xlsx only"):
        tb.sudoku.save(Path("board.xls"), tb.sudoku.parse(SOURCE))
    with pytest.raises(BadInput, match="expected a name that ends in"):
        tb.sudoku.save(Path("board.pdf"), tb.sudoku.parse(SOURCE))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(BadInput, match="No space left"):
        tb.sudoku.save(Path("board.sdk"), tb.sudoku.parse(SOURCE))
    assert [path.name for path in place.iterdir()] == ["board.sdk"]
    assert Path("board.sdk").read_text() == "old"


# Searches


def test_the_words_of_every_family() -> None:
    puzzle = tb.sudoku.parse(SOURCE)
    assert puzzle.solve().first == SOLUTION
    assert puzzle.solve(None).answers == [SOLUTION]
    assert puzzle.count().solutions == 1
    assert tb.sudoku.parse(HOPELESS).solve().first is None
    few = tb.sudoku.parse(FEW)
    assert len(few.solve(7).answers) == few.count(7).solutions == 7
    assert few.solve(7, run=tb.Here(threads=2)).answers == few.solve(7).answers
    found = puzzle.solve()
    assert isinstance(found, tb.Findings)
    assert found.to_list() == [SOLUTION]
    assert found.values()["unique"] is True
    assert repr(puzzle) == "<sudoku: 9×9, 41 clues>"
    assert repr(found).startswith("<Solutions: solved, 1 found, ")
    assert str(found) == str(tb.sudoku.parse(SOLUTION))
    assert str(tb.sudoku.parse(HOPELESS).solve()).startswith("<Solutions: none")
    assert tb.sudoku.count(puzzle).values().keys() == found.values().keys() - {"unique"}


def test_what_is_open_is_not_answered() -> None:
    empty = tb.sudoku.parse("." * 81)
    for found in (empty.solve(None, run=tb.Here(node_limit=500)), empty.count(run=tb.Here(node_limit=500))):
        with pytest.raises(TimeoutError, match="there may be more"):
            found.require_all()
    found = empty.solve(run=tb.Here(node_limit=3))
    with pytest.raises(TimeoutError, match="the answer is open"):
        assert found.first
    assert empty.solve(None, run=tb.Here(node_limit=500)).status == "open"


def test_many_answers_are_checked_side_by_side() -> None:
    killer = tb.sudoku.generate(4, kind="killer", seed=2)
    layouts = [tb.sudoku.parse(FEW), killer, tb.sudoku.Sudoku((0,) * 16, tb.sudoku.Layout(4, diagonals=True))]
    for puzzle in [*layouts, tb.sudoku.generate(6, kind="jigsaw", seed=1)]:
        found = puzzle.solve(20, run=tb.Here(node_limit=2_000))
        rows = np.array([list(map(int, line)) for line in found.answers], np.int32)
        clues = np.array(puzzle.cells)
        assert checking.first_fault(puzzle.layout, clues, rows) is None
        for cell in range(puzzle.layout.size):  # one digit is wrong in one of them
            for digit in (0, 1, puzzle.side, puzzle.side + 1):
                bad = rows.copy()
                bad[-1, cell] = digit
                assert bool(checking.first_fault(puzzle.layout, clues, bad)) == (digit != rows[-1, cell])
    assert checking.first_fault(killer.layout, clues, np.ones((2, 3), np.int32))


def test_a_large_board_given_as_a_word() -> None:
    assert reading.read_word("." * 256).side == 16


def test_unknown_keywords_are_refused() -> None:
    puzzle: Any = tb.sudoku.parse(SOURCE)
    for question in (puzzle.solve, puzzle.count, puzzle.hint, puzzle.step, puzzle.steps, puzzle.rate):
        with pytest.raises(TypeError):
            question(threads=2)
    makers: list[Any] = [tb.sudoku.generate, tb.sudoku.generate_many]
    for make in makers:
        with pytest.raises(TypeError):
            make(colour="red")


def test_a_job_by_the_library(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    few = tb.sudoku.parse(FEW)
    part = few.solve(200, run=tb.Job("few", node_limit=100))
    assert (part.status, part.nodes) == ("open", 100)
    whole = few.solve(200, run=tb.Job("few"))
    assert (whole.status, whole.answers) == ("solved", few.solve(200).answers)
    reported = ask(capfd, "jobs", "resume", "few", "--quiet")
    assert (reported["answers"], reported["unique"]) == (whole.to_list(), False)
    killer = tb.sudoku.generate(4, kind="killer", seed=2)
    assert killer.solve(run=tb.Job("killer")).first == killer.solve().first
    for refused in (killer.count, tb.sudoku.parse(SOURCE).count):
        with pytest.raises(BadInput, match="job 'few' is of another problem"):
            refused(run=tb.Job("few"))
    for question in (few.hint, few.step, few.rate, tb.sudoku.generate):
        with pytest.raises(BadInput, match="not a search that can be kept or shared"):
            question(run=tb.Job("x"))


def test_command_and_library_say_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    for line in (SOURCE, HOPELESS, FEW, tb.sudoku.write(tb.sudoku.generate(6, seed=3)).strip()):
        puzzle = tb.sudoku.parse(line)
        found = puzzle.solve()
        reported = ask(capfd, "sudoku", "solve", line, status=0 if found.answers else 1)
        assert (reported["status"], reported["unique"], reported["answers"]) == (
            found.status,
            found.unique,
            found.to_list(),
        )
        counted = ask(capfd, "sudoku", "count", line, "-n", "3", status=0 if found.answers else 1)
        assert counted["solutions"] == puzzle.count(3).solutions
        hint = puzzle.hint()
        assert ask(capfd, "sudoku", "hint", line, status=0 if hint.step else 1 if hint.fault else 3) == hint.to_dict()
        steps = puzzle.step()
        reported = ask(capfd, "sudoku", "step", line, status={"solved": 0, "none": 1, "open": 3}[steps.status])
        assert reported == steps.to_dict()


# Logic


def test_a_hint_can_be_shown() -> None:
    puzzle = tb.sudoku.parse(SOURCE)
    hint = puzzle.hint()
    assert hint.step is not None
    assert hint.sentence == hint.step.sentence
    assert str(hint) == f"{hint.step.technique} ({hint.step.rating}): {hint.sentence}"
    assert repr(hint) == f"<Hint: {hint}>"
    assert hint._repr_svg_().startswith("<svg")
    assert hint.step == puzzle.step().steps[0]


def test_why_there_is_no_hint() -> None:
    reported = {
        SOLUTION: ("complete", "the board is full"),
        HOPELESS: ("none", "no digit is left for r1c9: the puzzle has no solution"),
        "." * 81: ("open", "no technique applies"),
    }
    for line, (status, why) in reported.items():
        hint = tb.sudoku.parse(line).hint()
        assert (hint.status, hint.sentence, hint.to_dict()["why"]) == (status, why, why)
        assert hint._repr_svg_().startswith("<svg")


def test_what_is_wrong_with_a_board_is_said(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    wrong = "1" + SOURCE[1:]  # the solution has a 2 there
    (cells,) = tb.sudoku.parse(SOURCE).solve().boards
    assert cells[0] == 2
    words = "the puzzle has no solution: without the 1 in r1c1 it has one"
    assert tb.sudoku.hint(wrong).warning == words
    assert tb.sudoku.step(wrong).warning == words
    assert run(["sudoku", "hint", wrong]) == 1
    assert capfd.readouterr().err.splitlines()[-1] == words
    several = "the puzzle has more than one solution"
    assert ask(capfd, "sudoku", "hint", "." * 81, status=3)["warning"] == several
    assert ask(capfd, "sudoku", "step", "." * 81, status=3)["warning"] == several
    assert "warning" not in tb.sudoku.hint(SOURCE).to_dict()
    marks = f":0000::{'+1' if SOURCE[0] == '0' else ''}{SOURCE[1:].replace('0', '.')}::::"
    (place / "filled.txt").write_text(marks)
    assert tb.sudoku.hint("filled.txt").warning == "a wrong digit is filled in: look at r1c1"
    (place / "lost.txt").write_text(f":0000::{SOURCE.replace('0', '.')}:211:::")
    assert tb.sudoku.hint("lost.txt").warning == "a candidate of the solution is missing: look at r1c1"


def test_where_it_is_not_known_whether_there_is_one_solution() -> None:
    """Nothing may rest on it; a rating must know."""
    puzzle = tb.sudoku.parse("......765..8...1.2.............32...562......3.1.975..6...7..93......6...7...18..")
    brief = tb.Here(node_limit=1)
    rests_on_it = {technique.name for technique in TECHNIQUES if technique.needs_one}
    assert rests_on_it & {step.technique for step in puzzle.step().steps}
    assert not rests_on_it & {step.technique for step in puzzle.step(run=brief).steps}
    with pytest.raises(TimeoutError):
        assert puzzle.rate(run=brief).value


NUGGET = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."


def test_logic_hears_its_time_limit(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Long before the end of a puzzle that takes some seconds: what is known by then, and open."""
    puzzle, brief = tb.sudoku.parse(NUGGET), tb.Here(time_limit=0.01)
    with pytest.raises(TimeoutError):
        assert puzzle.rate(run=brief).value
    way = puzzle.step(run=brief)
    assert (way.status, way.stopped, way.solved) == ("open", True, False)
    assert "the time is up after" in way.sentence
    assert puzzle.hint(run=brief).sentence == "the time is up before a step is found"
    options = (NUGGET, "--time-limit", "0.01s")
    reported = ask(capfd, "sudoku", "rate", *options, status=3)
    assert (reported["status"], reported["rating"], bool(reported["why"])) == ("open", None, True)
    assert ask(capfd, "sudoku", "step", *options, status=3)["status"] == "open"
    assert ask(capfd, "sudoku", "hint", *options, status=3)["why"] == "the time is up before a step is found"
    reported = ask(capfd, "sudoku", "steps", "--all", *options, status=3)
    assert reported["why"] == "the time is up: there may be more steps"
    (tmp_path / "one.csv").write_text(f"name,puzzle\nnugget,{NUGGET}\n")
    reported = ask(capfd, "sudoku", "rate", str(tmp_path / "one.csv"), "--time-limit", "0.01s", status=3)
    assert (reported["status"], reported["rating"]) == ("open", None)
    (tmp_path / "two.sdm").write_text(f"{NUGGET}\n" * 2)
    reported = ask(capfd, "sudoku", "rate", str(tmp_path / "two.sdm"), "--time-limit", "0.01s", status=3)
    assert (reported["puzzles"], reported["untried"]) == (0, 2)
    (tmp_path / "lines.txt").write_text((EXAMPLES["finned mutant whale"] + "\n") * 3)
    reported = ask(capfd, "sudoku", "library", str(tmp_path / "lines.txt"), "--time-limit", "0.000001s", status=3)
    assert (reported["status"], reported["untried"], reported["positions"]) == ("open", 3, 0)


def test_ctrl_c_leaves_the_steps_that_are_known(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Wherever it comes: one whole object, in which steps, board and numbers belong together."""
    whole = tb.sudoku.parse(SOURCE).step()
    every = steps_at(Position(tb.sudoku.parse(SOURCE), unique=True)).steps
    (tmp_path / "lines.txt").write_text((EXAMPLES["X-wing"] + "\n") * 5)
    looked = 0

    def pressed(position: Position) -> None:
        nonlocal looked
        looked -= 1
        if looked < 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(Position, "check", pressed)
    for after in (0, 1, 55):
        looked = after
        reported = ask(capfd, "sudoku", "step", SOURCE, status=130)
        count = len(reported["steps"])
        assert (reported["status"], reported["answers"], len(reported["left"])) == ("open", [], count)
        assert [step["sentence"] for step in reported["steps"]] == [step.sentence for step in whole.steps[:count]]
        assert reported["left"] == list(whole.left[:count])
        assert reported["why"].startswith(f"interrupted after {count} step")
        looked = after
        reported = ask(capfd, "sudoku", "steps", SOURCE, "--all", status=130)
        assert (reported["status"], reported["why"]) == ("open", "interrupted: there may be more steps")
        assert [step["sentence"] for step in reported["steps"]] == [
            step.sentence for step in every[: len(reported["steps"])]
        ]
        looked = after // 10
        reported = ask(capfd, "sudoku", "library", str(tmp_path / "lines.txt"), status=130)
        assert reported["status"] == "open"
        assert reported["found"] + len(reported["missed"]) == reported["positions"] == 5 - reported["untried"]
    looked = 20
    rated = tb.sudoku.parse(SOURCE).rate()
    assert rated.status == "open"
    with pytest.raises(KeyboardInterrupt):
        assert rated.value


def test_ctrl_c_has_the_keys_of_a_limit(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint and a rating tell the same object whether the time is up or Ctrl-C comes, and never that of a search."""

    def stopped(error: type[BaseException], status: int) -> list[dict[str, Any]]:
        def check(position: Position) -> None:
            raise error

        monkeypatch.setattr(Position, "check", check)
        return [ask(capfd, "sudoku", verb, SOURCE, status=status) for verb in ("hint", "rate")]

    late, pressed = stopped(TimeoutError, 3), stopped(KeyboardInterrupt, 130)
    assert [list(reported) for reported in pressed] == [list(reported) for reported in late]
    assert [reported["why"] for reported in pressed] == [
        "interrupted before a step is found",
        "interrupted after 0 steps: 40 cells stay empty: the rating is open",
    ]
    assert pressed[1] == {**late[1], "why": pressed[1]["why"]}

    def count(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["tablero.sudoku.solving"], "how_many", count)
    assert ask(capfd, "sudoku", "rate", SOURCE, status=130) == {**late[1], "why": "interrupted: the rating is open"}


def test_what_is_compiled_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The forcing nets take up to a minute the first time, which is not the run's."""
    heard: list[Snapshot] = []
    monkeypatch.setattr("tablero.sudoku.logic.techniques._compiled", False)
    start = Position(tb.sudoku.parse(NUGGET))
    assert steps_at(limit(start, tb.Here(watch=heard.append)), technique="Nishio").steps == ()
    assert [snapshot.doing for snapshot in heard if not snapshot.over] == ["compiling the forcing nets of Sudoku"]
    assert heard[-1].over
    heard.clear()
    steps_at(limit(start, tb.Here(watch=heard.append)), technique="Nishio")
    assert heard == []


def test_notebook_pictures() -> None:
    puzzle = tb.sudoku.parse(SOURCE)
    for thing in (puzzle, puzzle.solve(), puzzle.hint(), puzzle.step(), tb.sudoku.generate(kind="jigsaw")):
        assert (thing._repr_svg_() or "").startswith("<svg")
        assert len(repr(thing)) < 120
    assert tb.sudoku.parse(HOPELESS).solve()._repr_svg_() is None


# Making puzzles


def test_generate_gives_one_puzzle() -> None:
    puzzle = tb.sudoku.generate(seed=5)
    assert puzzle == tb.sudoku.generate(seed=5) == next(tb.sudoku.generate_many(1, seed=5))
    assert puzzle.count(2).solutions == 1
    assert tb.sudoku.generate(6, kind="x", minimal=True, seed=1).layout.diagonals
    assert tb.sudoku.generate(clues=40, symmetry="half-turn").clues == 40
    assert tb.sudoku.generate(rating="hard", minimal=True).rate().word == "hard"
    assert list(tb.sudoku.generate_many(3, seed=5))[:1] == [puzzle]
    with pytest.raises(BadInput, match="0 puzzles"):
        tb.sudoku.generate_many(0)
    with pytest.raises(BadInput, match="the rating 'mild'"):
        tb.sudoku.generate(rating="mild")
    with pytest.raises(BadInput, match="has no node limit: use time_limit"):
        tb.sudoku.generate(run=tb.Here(node_limit=5))
    with pytest.raises(TimeoutError, match="no such puzzle"):
        tb.sudoku.generate(run=tb.Here(time_limit=1e-9))


def test_what_was_made_before_the_time_was_up(capfd: pytest.CaptureFixture[str]) -> None:
    reported = ask(capfd, "sudoku", "generate", "-n", "5", "--rating", "8.5-9", "--time-limit", "0.000001s", status=3)
    assert (reported["status"], reported["answers"]) == ("open", [])


def test_what_was_made_before_ctrl_c(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def two(*_: object, **__: object) -> Any:
        yield tb.sudoku.parse(SOURCE)
        yield tb.sudoku.parse(SOLUTION)
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["tablero.sudoku.generating"], "generate_many", two)
    reported = ask(capfd, "sudoku", "generate", "-n", "5", status=130)
    assert (reported["status"], reported["answers"]) == ("open", [SOURCE.replace("0", "."), SOLUTION])


# Files of many


def test_a_file_of_many(place: Path) -> None:
    puzzles = [*tb.sudoku.generate_many(150, seed=1), tb.sudoku.parse(FEW), tb.sudoku.parse(HOPELESS)]
    save_many(Path("many.sdm"), puzzles)
    heard: list[Snapshot] = []
    found: Any = tb.sudoku.solve("many.sdm", run=tb.Here(threads=2, watch=heard.append))
    answers = [line for part in found for line in part.lines()]
    tally = found.tally
    assert (tally.puzzles, tally.unique, tally.several, tally.none, tally.status) == (152, 150, 1, 1, "complete")
    assert answers[:150] == [puzzle.solve().first for puzzle in puzzles[:150]]
    assert heard[0].doing.startswith("compiling")
    assert heard[-1].over
    (reported,) = [snapshot for snapshot in heard if snapshot.words]
    assert reported.words.startswith("152 puzzles, ")
    assert reported.fraction == 1
    with Path("many.sdm").open("rb") as binary, Path("many.sdm").open() as text:
        again = [tb.sudoku.solve(file).to_dict() for file in (binary, text)]
    for values in again:
        assert {**values, "seconds": 0, "cpu_seconds": 0} == {
            **tally.to_dict(),
            "seconds": 0,
            "cpu_seconds": 0,
            "answers": answers,
        }
    assert set(tb.sudoku.count("many.sdm", 1).to_dict()["counts"]) == {0, 1}
    with pytest.raises(BadInput, match="not a search that can be kept"):
        tb.sudoku.solve("many.sdm", run=tb.Job("x"))
    with pytest.raises(BadInput, match="No such file"):
        tb.sudoku.solve("nowhere.sdm")


def test_what_stands_for_a_puzzle(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    puzzle = tb.sudoku.parse(SOURCE)
    Path("one.sdk").write_text("\n".join(SOURCE[k : k + 9] for k in range(0, 81, 9)))
    for value in (puzzle, SOURCE, Path("one.sdk").read_text(), "one.sdk", Path("one.sdk"), list(puzzle.cells)):
        assert tb.sudoku.solve(value).first == SOLUTION
    for wrong in (5, None, 2.5):
        with pytest.raises(BadInput, match="expected a text, a list of digits or a file"):
            tb.sudoku.solve(wrong)
    Path("two.sdm").write_text(f"{SOURCE}\n{SOLUTION}\n")
    found: Any = tb.sudoku.solve("two.sdm")
    assert list(found.lines()) == [f"{SOLUTION}\n{SOLUTION}"]
    assert (found.tally.unique, found.status) == (2, "complete")
    assert tb.sudoku.count("two.sdm").to_dict()["counts"] == [1, 1]
    assert [str(one) for one in tb.sudoku.rate("two.sdm")][1] == "1.0 easy (nothing to fill)"  # type: ignore[attr-defined]
    with pytest.raises(BadInput, match=r"two\.sdm: 2 puzzles, expected one"):
        tb.sudoku.hint("two.sdm")
    with pytest.raises(BadInput, match="most cannot be combined with a file of many puzzles"):
        tb.sudoku.solve("two.sdm", 2)
    assert run(["sudoku", "solve", "two.sdm", "--jsonl", "-q"]) == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert lines[:2] == [{"answer": SOLUTION}] * 2
    assert (lines[2]["puzzles"], "answers" in lines[2]) == (2, False)


def test_a_file_of_many_is_interrupted(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_many(Path("many.sdm"), tb.sudoku.generate_many(10, seed=1))
    monkeypatch.setattr(batch, "SIZE", 4)

    found: Any = tb.sudoku.solve("many.sdm")
    parts = iter(found)
    next(parts), next(parts)
    with pytest.raises(StopIteration):
        parts.throw(KeyboardInterrupt())
    tally = found.tally
    assert (tally.puzzles, tally.interrupted, tally.status) == (8, True, "open")


def test_the_time_for_many_is_up(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    save_many(Path("many.sdm"), [tb.sudoku.parse("." * 81)] * 20)
    reported = ask(capfd, "sudoku", "count", "many.sdm", "-n", str(10**15), "--time-limit", "0.05s", status=3)
    assert (reported["status"], reported["puzzles"], reported["counts"]) == ("open", 0, [])


def test_a_bad_line_leaves_no_output(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("many.sdm").write_text(f"{SOURCE}\n" * 3 + "11" + "." * 79 + "\n")
    assert run(["sudoku", "solve", "many.sdm", "-o", "out.sdm", "-q"]) == 2
    assert "many.sdm:4: the digit 1 occurs twice" in capfd.readouterr().err
    assert not list(place.glob("out*"))


# What those need who walk all families


def test_the_tour_and_the_doctor() -> None:
    assert isinstance(stop(), Stop)
    assert stop().svg.startswith("<svg")
    assert stop().text(False).count("│") == 36
    assert list(kernels()) == ["sudoku bands", "sudoku make", "sudoku cells", "sudoku nets"]
    for compile_one in kernels().values():
        compile_one()
