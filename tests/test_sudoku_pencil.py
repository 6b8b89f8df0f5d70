"""Candidates: why a cell can be what it can, and the ways in which people write them down."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablero as tb
from tablero.cli import run
from tablero.errors import BadInput
from tablero.sudoku import pencil
from tablero.sudoku.puzzle import Layout, Sudoku
from tablero.sudoku.reasons import Pencil, candidates_of, pencil_of, reason
from tablero.sudoku.sweeps import sweep
from tablero.sudoku.verbs import FormName

SOURCE = "050036704687000002304000860063900408025040070410307020042060005500400087079582040".replace("0", ".")
SOLUTION = "251836794687194532394275861763921458925648173418357629842763915536419287179582346"
R6C3 = "row 6 misses 5, 6, 8 and 9; column 3 misses 1, 6 and 8; box 4 misses 7, 8 and 9: r6c3 is 8."


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    capfd.readouterr()
    assert run([*arguments, "--json"]) == status
    return json.loads(capfd.readouterr().out)


def test_a_cell_as_the_source_explains_it(capfd: pytest.CaptureFixture[str]) -> None:
    reported = ask(capfd, "sudoku", "candidates", SOURCE, "--of", "r6c3")
    assert reported["of"] == {
        "cell": "r6c3",
        "misses": {"row 6": "5689", "column 3": "168", "box 4": "789"},
        "candidates": "8",
        "sentence": R6C3,
    }
    assert (reported["candidates"]["r6c3"], reported["candidates"]["r1c1"]) == ("8", "129")
    assert len(reported["candidates"]) == SOURCE.count(".")
    assert run(["sudoku", "candidates", SOURCE, "--of", "R6C3"]) == 0
    assert capfd.readouterr().out == R6C3 + "\n"
    for cell, says in (("r1c2", "r1c2 is filled: 5."), ("r1c1", ": r1c1 can be 1, 2 or 9.")):
        assert run(["sudoku", "candidates", SOURCE, "--of", cell]) == 0
        assert capfd.readouterr().out.endswith(says + "\n")
    for cell in ("r0c1", "r1c10", "6,3", "r٣c1"):
        assert run(["sudoku", "candidates", SOURCE, "--of", cell]) == 2
        assert "expected row and column from 1 to 9" in capfd.readouterr().err


def test_nothing_is_left() -> None:
    hopeless = tb.sudoku.parse("12345678." + "........9" + "." * 63)
    assert reason(hopeless.layout, hopeless.cells, 8).sentence.endswith(": r1c9 can be nothing.")
    assert "row 1 misses 9" in reason(hopeless.layout, hopeless.cells, 8).sentence


def test_what_each_sweep_filled(capfd: pytest.CaptureFixture[str]) -> None:
    reported = ask(capfd, "sudoku", "step", SOURCE, "--method", "sweeps")
    assert [turn["filled"] for turn in reported["steps"]] == [12, 17, 9, 2]
    assert ["r6c3", "8"] in reported["steps"][0]["placed"]
    assert reported["candidates"]["r6c3"] == "8"
    board = SOURCE
    for turn in reported["steps"]:
        assert len(turn["placed"]) == len(turn["sentences"]) == turn["filled"]
        for (cell, digit), sentence in zip(turn["placed"], turn["sentences"], strict=True):
            assert sentence.endswith(f": {cell} is {digit}.")
            k = 9 * (int(cell[1]) - 1) + int(cell[3]) - 1
            assert (board[k], SOLUTION[k]) == (".", digit)
            board = board[:k] + digit + board[k + 1 :]
        assert turn["cells"] == board
        assert len(turn["candidates"]) == board.count(".")
    assert run(["sudoku", "step", SOURCE, "--method", "sweeps"]) == 0
    out = capfd.readouterr().out
    assert out.count(" misses ") == 3 * 40
    assert sweep(tb.sudoku.parse(SOURCE)).sweeps[0].filled[0] == 2


# In and out


def positions() -> list[Pencil]:
    """Boards on the way to their solutions, with candidates taken away."""
    out = []
    for line in (SOURCE, tb.sudoku.generate(minimal=True, seed=8).line()):
        position = tb.sudoku.logic.Position(tb.sudoku.parse(line))
        given = tb.sudoku.parse(line).cells
        for k, step in enumerate(tb.sudoku.parse(line).step().steps[:40]):
            if k % 4 == 0:
                out.append(Pencil(Sudoku(tuple(position.values)), tuple(position.cands), given))
            position.apply(step)
    return out


def test_logic_reads_every_form(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`hint`, `steps` and `step` begin where the candidates of a file stand, in whatever form."""
    board = positions()[-2]
    wanted = tb.sudoku.logic.position_of(pencil.write(board, "grid"))
    step = tb.sudoku.logic.hint_at(wanted.copy()).step
    assert step is not None
    for form in get_args(FormName):
        file = tmp_path / f"{form}.txt"
        file.write_text(pencil.write(board, form), encoding="utf-8")
        position = tb.sudoku.logic.position_of(file.read_text(encoding="utf-8"))
        assert (position.values, position.cands) == (wanted.values, wanted.cands)
        for command in ("hint", "steps", "step"):
            reported = ask(capfd, "sudoku", command, str(file))
            first = reported if command == "hint" else reported["steps"][0]
            assert first["sentence"] == step.sentence
    one_line = " ".join(pencil.write(board, "sdx").split()).replace("u", "")
    assert tb.sudoku.logic.position_of(one_line).cands == wanted.cands


def test_every_form_is_read_again() -> None:
    for board in positions():
        for form in get_args(FormName):
            text = pencil.write(board, form)
            assert pencil.is_pencil(text)
            again = pencil.parse(text)
            # What was a naked single may be a filled cell now: most programs write both in the same way.
            for cell, digit in enumerate(again.puzzle.cells):
                before = board.puzzle.cells[cell]
                assert digit == before or board.candidates[cell] == 1 << digit
                assert again.candidates[cell] == (0 if digit else board.candidates[cell])
            if form in ("sections", "sadman"):
                assert (again.puzzle, again.candidates) == (board.puzzle, board.candidates)
                assert again.given == board.given
            assert tb.sudoku.parse(text).cells == again.puzzle.cells


@st.composite
def any_positions(draw: st.DrawFn) -> Pencil:
    """Boards with some cells given, some filled, and any of the candidates that are possible in the others: also none."""
    side, line = draw(st.sampled_from([(4, "1234341221434321"), (9, SOLUTION)]))
    kinds = draw(st.lists(st.sampled_from("gfo" + draw(st.sampled_from(["", "gggggg", "fffff", "oooo"]))), min_size=81))
    cells = tuple(int(mark) if kind != "o" else 0 for mark, kind in zip(line, kinds, strict=False))
    cells += tuple(map(int, line[len(cells) :]))
    given = tuple(0 if kind == "f" else digit for digit, kind in zip(cells, kinds, strict=False))
    puzzle = Sudoku(cells, Layout(side))
    kept = draw(st.lists(st.integers(0, 1023), min_size=len(cells), max_size=len(cells)))
    few = draw(st.sampled_from([-1, 1 << 1 | 1 << 4, 0]))
    candidates = tuple(a & b & few for a, b in zip(candidates_of(puzzle.layout, puzzle.cells), kept, strict=True))
    return Pencil(puzzle, candidates, given)


@settings(max_examples=150)
@given(any_positions())
def test_sdx_holds_every_position(board: Pencil) -> None:
    text = pencil.write(board, "sdx")
    again = pencil.parse(text)
    assert (again.puzzle, again.candidates) == (board.puzzle, board.candidates)
    assert (again.given or again.puzzle.cells) == board.given
    assert tb.sudoku.parse(text).cells == board.puzzle.cells
    if board.given != board.puzzle.cells or 0 in board.puzzle.cells:
        assert pencil.is_pencil(text)  # and where all is given it is a board as any other


def test_sdx_as_others_write_it(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A digit alone is a given one, unless a cell that sees it has the same candidate; ours tell a lone candidate."""
    board = pencil.parse("u1 2 34 34\n3 34 12 12\n24 134 13 3\n34 13 2 1\n")
    assert (board.puzzle.cells[:5], board.given[:2]) == ((1, 2, 0, 0, 0), (0, 2))
    assert board.candidates[4] == 1 << 3  # as r2c2 can be 3, too
    Path("full.sdx").write_text(
        pencil.write(Pencil(Sudoku(tuple(map(int, SOLUTION))), (0,) * 81, (2,) + (0,) * 80), "sdx")
    )
    reported = ask(capfd, "sudoku", "candidates", "full.sdx")
    assert (reported["cells"], reported["candidates"]) == (SOLUTION, {})
    assert ask(capfd, "sudoku", "solve", "full.sdx")["answers"] == [SOLUTION]


def test_a_library_line_of_any_length(capfd: pytest.CaptureFixture[str]) -> None:
    """One that is as long as a line of candidates, or has as many words as a board has cells, is a library line."""
    line = ":0000:6:" + SOURCE + "::"
    wanted = ask(capfd, "sudoku", "candidates", SOURCE)
    for size in (64, 216, 729):
        reported = line + "1" * max(0, size - len(line) - 2) + "::"
        assert ask(capfd, "sudoku", "candidates", reported)["candidates"] == wanted["candidates"]
    for words in (16, 36, 81):
        reported = ":0000:6:" + SOURCE + "::" + " ".join(["111"] * (words - 3)) + "::"
        assert not pencil.is_pencil(reported)
        assert ask(capfd, "sudoku", "candidates", reported)["candidates"] == wanted["candidates"]
    assert not pencil.is_pencil(":0:1:.1.1:\n" * 4)


def test_filled_cells_of_library_lines(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What reads boards reads such lines, one or several, in a file or as the word itself."""
    line = ":0300:6:+2" + SOURCE[1:] + ":111:::"
    Path("one.txt").write_text("# a remark\n" + line + "\n")
    Path("two.txt").write_text(line + "\n:0000::" + SOURCE + "::::\n")
    for word in ("one.txt", line):
        assert ask(capfd, "sudoku", "solve", word)["answers"] == [SOLUTION]
        assert ask(capfd, "sudoku", "count", word)["solutions"] == 1
        assert ask(capfd, "sudoku", "rate", word)["status"] == "solved"
    assert [one.line() for one in tb.sudoku.read_many("two.txt")] == ["2" + SOURCE[1:], SOURCE]
    assert [one["puzzle"] for one in ask(capfd, "sudoku", "rate", "two.txt")["ratings"]] == ["2" + SOURCE[1:], SOURCE]
    Path("bad.txt").write_text(line + "\n:0300::" + "." * 80 + "::::\n")
    with pytest.raises(BadInput, match=r"^bad.txt:2: 80 cells: expected 81$"):
        list(tb.sudoku.read_many("bad.txt"))
    with pytest.raises(BadInput, match="2 puzzles, expected one"):
        tb.sudoku.read("two.txt")


def test_cells_tell_the_side_of_a_diagonal_board(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("small.txt").write_text("1...\n....\n....\n....\n")
    for word in ("1" + "." * 15, "small.txt"):
        assert ask(capfd, "sudoku", "count", word, "-x")["solutions"] == 12  # of 48 with any digit there
    assert run(["sudoku", "count", "1" + "." * 15, "-x", "--side", "9"]) == 2
    assert "16 cells: expected 81" in capfd.readouterr().err
    Path("rules.txt").write_text("board:\n....\n....\n....\n....\nregions:\n1122\n1122\n3344\n3344\n")
    assert run(["sudoku", "count", "rules.txt", "-x"]) == 2
    assert "the sections define the rules: leave --diagonals out" in capfd.readouterr().err


def test_boards_without_two_candidates_anywhere_are_read_again(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Full boards, lone candidates, and cells that have none left: the frame tells a grid, the length a line."""
    for side, line in ((9, SOLUTION), (9, "." + SOLUTION[1:]), (4, "1234341221434321"), (9, "." * 81), (4, "." * 16)):
        puzzle = Sudoku(tuple(0 if mark == "." else int(mark) for mark in line), Layout(side))
        for form in ("grid", "line"):
            text = pencil.write(Pencil(puzzle, (0,) * side**2, puzzle.cells), form)
            assert pencil.is_pencil(text)
            again = pencil.parse(text)
            assert (again.puzzle.cells, set(again.candidates)) == (puzzle.cells, {0})
            assert tb.sudoku.parse(text).cells == puzzle.cells
    for line in (SOLUTION, "." + SOLUTION[1:]):
        assert run(["sudoku", "candidates", line, "--form", "grid", "-o", "grid.txt"]) == 0
        assert ask(capfd, "sudoku", "candidates", "grid.txt")["cells"] == SOLUTION
        assert ask(capfd, "sudoku", "solve", "grid.txt")["answers"] == [SOLUTION]


def test_sections_tell_what_was_filled() -> None:
    given = (1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3)
    filled = Sudoku((1, 0, 0, 4, *given[4:]), Layout(4))
    board = Pencil(filled, candidates_of(filled.layout, filled.cells), given)
    text = pencil.write(board, "sections")
    assert text.startswith("board:\n1...\n..2.\n....\n...3\ncandidates:\n. 23 3 +4\n")
    assert pencil.parse(text) == board
    for word, says in (
        ("+43", "r1c4: '+43'"),
        ("+", "r1c4"),
        ("+9", "r1c4"),
        ("+1", "the digit 1 occurs twice in row 1"),
    ):
        with pytest.raises(BadInput, match=re.escape(says)):
            pencil.parse(text.replace("+4", word))
    with pytest.raises(BadInput, match=r"r1c1: '\+1': expected"):
        pencil.parse(text.replace("\n. 2", "\n+1 2"))


def test_grids_of_others() -> None:
    plain = "\n".join(" ".join(row) for row in pencil._split(pencil._words(pencil_of(tb.sudoku.parse(SOURCE))), 9))
    barred = "\n".join(
        ("*---+---+---*\n" if k % 3 == 0 else "") + "|" + line.replace(" ", "   ") + "|"
        for k, line in enumerate(plain.split("\n"))
    )
    for text in (plain, barred, "# remark\n" + plain + "\n\n"):
        assert pencil.is_pencil(text)
        assert pencil.parse(text).candidates[0] == 0b1000000110
    marked = plain.replace("5 1 ", "u5 1 ", 1)
    board = pencil.parse(marked)
    assert (board.given[1], board.puzzle.cells[1], board.given[4]) == (0, 5, 3)
    assert not pencil.is_pencil(SOURCE)
    assert not pencil.is_pencil(str(tb.sudoku.parse(SOURCE)))


@pytest.mark.parametrize("side", [4, 6, 16])
def test_other_sides(side: Any) -> None:
    board = pencil_of(tb.sudoku.generate(side, seed=2))
    for form in get_args(FormName):
        assert pencil.parse(pencil.write(board, form)).puzzle.side == side
    assert pencil.parse(pencil.write(board, "sections")).candidates == board.candidates


def test_boards_with_further_rules() -> None:
    for kind in ("x", "jigsaw", "killer"):
        board = pencil_of(tb.sudoku.generate(6, kind=kind, seed=2))
        again = pencil.parse(pencil.write(board, "sections"))
        assert (again.puzzle, again.candidates) == (board.puzzle, board.candidates)
        with pytest.raises(BadInput, match="expected sections"):
            pencil.write(board, "grid")


def test_files_by_their_names(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    board = positions()[-1]
    Path("in.txt").write_text(pencil.write(board, "sections"))
    for name, begins in (("a.sdx", ""), ("a.sdk", "[Puzzle]"), ("a.sdm", ""), ("a.txt", ".---")):
        reported = ask(capfd, "sudoku", "candidates", "in.txt", "-o", name)
        assert reported["candidates"] == board.values()
        assert Path(name).read_text().startswith(begins)
        again = ask(capfd, "sudoku", "candidates", name)
        assert again["candidates"].items() <= reported["candidates"].items()
        assert ask(capfd, "sudoku", "solve", name)["unique"]
    assert run(["sudoku", "candidates", "in.txt", "--form", "rune"]) == 2
    assert "expected one of grid, line" in capfd.readouterr().err


def test_what_cannot_be() -> None:
    for text, says in (
        ("12 3 44 1\n" * 4, "r1c3: the candidates '44'"),
        ("12 3 5 1\n" * 4, "r1c3: the candidates '5'"),
        ("12 3 4\n" * 4, "4 rows of candidates, one with 3 cells"),
        ("2" + "." * 63, "character 1 is '2': expected 1 or a point"),
        ("[Puzzle]\n[State]\n", r"no section \[Puzzle\]"),
        ("[Puzzle]\n1.\n..\n", "a board of 2 rows"),
        ("[Puzzle]\n1...\n....\n....\n....\n[PencilMarks]\n1,2\n", r"\[PencilMarks\]: expected 4 rows"),
        ("", "empty"),
    ):
        with pytest.raises(BadInput, match=says):
            pencil.parse(text)


@settings(max_examples=200)
@given(st.text(alphabet="1234.u|-+[]PuzleState\n, :candidates", max_size=120))
def test_any_text(text: str) -> None:
    for read in (pencil.parse, tb.sudoku.parse):
        try:
            assert read(text) is not None
        except BadInput as error:
            assert str(error)  # noqa: PT017


def test_candidates_that_a_rule_forbids() -> None:
    with pytest.raises(BadInput, match="r1c2: the candidate 1 is ruled out"):
        Pencil(Sudoku((1, *(0,) * 15), Layout(4)), (0, 0b10, *(0,) * 14))


def test_a_table_of_one_puzzle_is_rated_into_a_table(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("one.csv").write_text(f"name,puzzle\nfirst,{SOURCE}\n")
    assert run(["sudoku", "rate", "one.csv", "-o", "out.csv"]) == 0
    lines = Path("out.csv").read_text().splitlines()
    assert (len(lines), lines[1].startswith(f"first,{SOURCE},")) == (2, True)
    assert ask(capfd, "sudoku", "rate", "one.csv")["status"] == "solved"
    assert run(["sudoku", "rate", SOURCE, "-o", "none.csv"]) == 2
    assert "only for a file of many" in capfd.readouterr().err
