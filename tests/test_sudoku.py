"""Sudoku read, written, swept, solved and drawn; the commands."""

from __future__ import annotations

import io
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tablero as tb
from tablero.cli import run
from tablero.draw.pdf import to_pdf
from tablero.draw.scene import Circle, Line, Polygon, Rect, Scene, Text
from tablero.draw.sheet import pages
from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.extras import how_to_add
from tablero.sudoku import Cage, Layout, Sudoku, checking, formats, parse, parse_many, write
from tablero.sudoku.draw import board, board_text
from tablero.sudoku.generating import Options, generate_many
from tablero.sudoku.puzzle import to_line
from tablero.sudoku.sweeps import sweep

SOURCE = "050036704687000002304000860063900408025040070410307020042060005500400087079582040"
SOLUTION = "251836794687194532394275861763921458925648173418357629842763915536419287179582346"

# Of our own: a jigsaw and a killer, each with one solution.
JIGSAW = write(next(generate_many(1, Options(kind="jigsaw"), seed=11)))
KILLER = write(next(generate_many(1, Options(kind="killer"), seed=11)))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    capfd.readouterr()
    assert run([*arguments, "--json"]) == status
    return json.loads(capfd.readouterr().out)


def workbook(path: Path, line: str, blank: Any, at: tuple[int, int] = (1, 1), sheet: str = "Hoja1") -> None:
    from openpyxl import Workbook

    book = Workbook()
    page = book.active
    page.title = sheet
    for k, mark in enumerate(line):
        page.cell(at[0] + k // 9, at[1] + k % 9, int(mark) or blank)
    book.save(path)


# The example of the source


def test_the_sweeps_of_the_source() -> None:
    found = sweep(parse(SOURCE))
    assert found.left == [28, 11, 2, 0]
    assert to_line(found.cells) == SOLUTION
    assert found.sentence == "solved in 4 sweeps"
    assert parse(SOURCE).cells[5 * 9 + 2] == 0
    assert found.cells[5 * 9 + 2] == 8


@pytest.mark.parametrize("blank", [None, 0])
def test_the_source_from_excel(place: Path, blank: Any, capfd: pytest.CaptureFixture[str]) -> None:
    workbook(place / "sudoku.xlsx", SOURCE, blank)
    reported = ask(capfd, "sudoku", "step", "sudoku.xlsx", "--method", "sweeps")
    assert reported["left"] == [28, 11, 2, 0]
    assert reported["answers"] == [SOLUTION]
    assert ask(capfd, "sudoku", "solve", "sudoku.xlsx", "-o", "solved.xlsx")["answers"] == [SOLUTION]
    assert tb.sudoku.read(place / "solved.xlsx").line() == SOLUTION
    from openpyxl import load_workbook

    page = load_workbook(place / "solved.xlsx").active
    assert [page.cell(1, k).font.bold for k in (1, 2)] == [False, True]  # the clue is told apart


def test_a_board_anywhere_in_a_sheet(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    workbook(place / "two.xlsx", SOURCE, None, at=(5, 3), sheet="mine")
    reported = ask(capfd, "sudoku", "solve", "two.xlsx", "--sheet", "mine", "--cell", "C5")
    assert reported["answers"] == [SOLUTION]


def test_stuck_is_told_once(capfd: pytest.CaptureFixture[str]) -> None:
    (puzzle,) = generate_many(1, Options(minimal=True), seed=2)
    assert run(["sudoku", "step", puzzle.line(), "--method", "sweeps"]) == 3
    out, err = capfd.readouterr()
    assert err.count("stuck") == 1
    assert "stuck" not in out


def test_a_board_without_a_solution_is_seen_by_sweeps(capfd: pytest.CaptureFixture[str]) -> None:
    hopeless = "12345678." + "........9" + "." * 63
    assert "no digit is left for r1c9" in sweep(parse(hopeless)).sentence
    assert ask(capfd, "sudoku", "solve", hopeless, status=1)["status"] == "none"
    assert ask(capfd, "sudoku", "step", hopeless, status=1)["status"] == "none"


# Formats


@given(st.integers(0, 10**6), st.sampled_from([4, 6, 9, 12, 16]))
def test_what_is_written_is_read(seed: int, side: int) -> None:
    cells = [0] * side**2
    cells[seed % side**2] = seed % side + 1
    puzzle = Sudoku(tuple(cells), Layout(side))
    for text in (
        write(puzzle),
        formats.write_sdk(puzzle.cells, side),
        formats.write_csv(puzzle.cells, side),
        board_text(puzzle.layout, puzzle.cells),
        board_text(puzzle.layout, puzzle.cells).translate(str.maketrans("│─┌┬┐├┼┤└┴┘", "|-+++++++++")),
    ):
        assert parse(text) == puzzle


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadInput):
        parse(text)


def test_blanks_of_every_kind() -> None:
    for blank in ".0X*_ ":
        assert parse(SOURCE.replace("0", blank)).line() == SOURCE.replace("0", ".")
    assert parse(f"#a remark\n{SOURCE} # and another\n").clues == 41
    assert [puzzle.clues for puzzle in parse_many(f"{SOURCE}\n\n{SOLUTION}\n")] == [41, 81]


@pytest.mark.parametrize(
    ("top", "middle", "bottom"),
    [
        (" *-----------*", " |---+---+---|", " *-----------*"),
        (".---.---.---.", ":---+---+---:", "'---'---'---'"),
        ("*---*---*---*", "*---*---*---*", "*---*---*---*"),
    ],
)
def test_frames_of_simple_sudoku(top: str, middle: str, bottom: str) -> None:
    rows = [SOURCE.replace("0", ".")[k : k + 9] for k in range(0, 81, 9)]
    lines = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in rows]
    text = "\n".join([top, *lines[:3], middle, *lines[3:6], middle, *lines[6:], bottom])
    assert parse(text).line() == SOURCE.replace("0", ".")
    assert [puzzle.line() for puzzle in parse_many(f"{text}\n\n{text}\n")] == [SOURCE.replace("0", ".")] * 2


def test_variants_are_written_and_read() -> None:
    for text in (JIGSAW, KILLER, write(next(generate_many(1, Options(kind="x"), seed=1)))):
        assert write(parse(text)) == text


# Other boards


@pytest.mark.parametrize("text", [JIGSAW, KILLER], ids=["jigsaw", "killer"])
def test_variants_have_one_solution(text: str, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (place / "puzzle.txt").write_text(text)
    reported = ask(capfd, "sudoku", "solve", "puzzle.txt", "--threads", "2", "--svg", "p.svg", "--pdf", "p.pdf")
    assert (reported["unique"], reported["solutions"], reported["fraction"]) == (True, 1, 1)
    puzzle = parse(text)
    assert checking.fault(puzzle, [int(mark) for mark in reported["answers"][0]]) is None
    assert ask(capfd, "sudoku", "count", "puzzle.txt")["solutions"] == 1


@pytest.mark.parametrize("side", [16, 25])
def test_large_boards(side: int, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["sudoku", "generate", "--side", str(side), "--seed", "3", "-o", "large.txt", "-q"]) == 0
    reported = ask(capfd, "sudoku", "solve", "large.txt")
    assert (reported["unique"], len(reported["answers"][0])) == (True, side * side)


def test_the_checker_sees_every_rule() -> None:
    puzzle = parse(KILLER)
    (answer,) = puzzle.solve().boards
    assert checking.fault(puzzle, answer) is None
    cages = (Cage(puzzle.layout.cages[0].total + 1, puzzle.layout.cages[0].cells), *puzzle.layout.cages[1:])
    assert checking.fault(Sudoku(puzzle.cells, Layout(cages=cages)), answer) == "cage 1"
    swapped = [answer[9 * (k // 9) + {0: 1, 1: 0}.get(k % 9, k % 9)] for k in range(81)]
    assert checking.fault(Sudoku((0,) * 81), swapped) is None  # still a board: two columns of one stack
    broken = list(answer)
    broken[0] = broken[1]
    assert checking.fault(Sudoku((0,) * 81), broken) == "row 1"
    assert "diagonal" in str(checking.fault(Sudoku((0,) * 81, Layout(diagonals=True)), [int(d) for d in SOLUTION]))
    assert "clue" in str(checking.fault(parse(SOURCE), swapped))


# The library and the commands


def test_the_library() -> None:
    found = tb.sudoku.parse(SOURCE).solve()
    assert (found.first, found.unique, found.status) == (SOLUTION, True, "solved")
    empty = parse("." * 81).solve(3)
    assert (len(empty.answers), empty.unique) == (3, False)
    assert parse("." * 81).count(1000).solutions == 1000
    assert parse(SOURCE)._repr_svg_().startswith("<svg")
    assert str(found).count("│") == 36


def test_solving_a_file_of_many(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["sudoku", "generate", "--count", "300", "--minimal", "-o", "many.sdm", "-q"]) == 0
    reported = ask(capfd, "sudoku", "solve", "many.sdm", "--threads", "2")
    assert (reported["status"], reported["puzzles"], reported["unique"], len(reported["answers"])) == (
        "complete",
        300,
        300,
        300,
    )
    for puzzle, answer in zip(parse_many(Path("many.sdm").read_text()), reported["answers"], strict=True):
        assert checking.fault(puzzle, [int(mark) for mark in answer]) is None
    assert run(["sudoku", "solve", "many.sdm", "-o", "solved.sdm", "-q"]) == 0
    assert Path("solved.sdm").read_text().split() == reported["answers"]
    with Path("many.sdm").open("a") as file:
        file.write("." * 81 + "\n")
    assert ask(capfd, "sudoku", "count", "many.sdm", "--solutions", "3")["counts"] == [1] * 300 + [3]
    Path("few.sdm").write_text("".join(Path("many.sdm").read_text().splitlines(keepends=True)[:3]))
    assert len(ask(capfd, "sudoku", "rate", "few.sdm")["ratings"]) == 3


def test_many_puzzles_in_an_open_file(place: Path) -> None:
    text = f"{SOURCE}\n{SOLUTION}\n"
    Path("many.sdm").write_text(text)
    with Path("many.sdm").open() as file:
        streams: list[IO[Any]] = [io.StringIO(text), io.BytesIO(text.encode()), file]
        for stream in streams:
            for ask_for, key, expected in (
                (tb.sudoku.solve, "answers", [SOLUTION, SOLUTION]),
                (tb.sudoku.count, "counts", [1, 1]),
            ):
                stream.seek(0)
                assert ask_for(stream).to_dict()[key] == expected
            stream.seek(0)
            assert [rated["rating"] for rated in tb.sudoku.rate(stream).to_dict()["ratings"]] == [1.2, 1.0]
            stream.seek(0)
            assert [puzzle.clues for puzzle in tb.sudoku.read_many(stream)] == [41, 81]


def test_a_job_goes_on(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    few = SOURCE[:27] + "." * 54
    part = ask(capfd, "sudoku", "count", few, "--solutions", "5000", "--job", "few")
    assert (part["status"], part["solutions"]) == ("solved", 5000)
    assert ask(capfd, "jobs", "resume", "few")["solutions"] == 5000
    found = ask(capfd, "sudoku", "solve", SOURCE, "--job", "source")
    assert found["answers"] == [SOLUTION]
    assert run(["jobs", "export", "source", "-o", "source.json"]) == 0
    assert json.loads(Path("source.json").read_text())["answers"] == [SOLUTION]
    open_ended = ask(capfd, "sudoku", "count", "." * 81, "--node-limit", "5000", status=3)
    assert open_ended["status"] == "open"


def test_steps_hints_and_ratings(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    reported = ask(capfd, "sudoku", "step", SOURCE, "--svg", "steps")
    assert reported["left"][-1] == 0
    assert reported["answers"] == [SOLUTION]
    assert len(reported["steps"]) == len(reported["left"]) == len(list(Path("steps").iterdir()))
    first = ask(capfd, "sudoku", "hint", SOURCE, "--svg", "hint.svg", "--pdf", "hint.pdf")
    assert {key: reported["steps"][0][key] for key in first if key != "status"} == {
        key: value for key, value in first.items() if key != "status"
    }
    rated = ask(capfd, "sudoku", "rate", SOURCE)
    assert (rated["rating"], rated["word"]) == (1.2, "easy")
    assert ask(capfd, "sudoku", "hint", SOLUTION)["status"] == "complete"
    assert run(["sudoku", "step", SOURCE, "--boards"]) == 0
    assert "0 cells left" in capfd.readouterr().out


def test_pausing(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n\n\n"))
    assert run(["sudoku", "step", SOURCE, "--method", "sweeps", "--pause"]) == 0
    assert capfd.readouterr().err.count("Enter") == 4


@pytest.mark.parametrize("suffix", [".xlsx", ".csv", ".sdk"])
def test_files_without_a_place_for_rules_are_refused(
    suffix: str, place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for kind in ("x", "killer", "jigsaw"):
        assert run(["sudoku", "generate", "--kind", kind, "-o", f"v{suffix}", "-q"]) == 2
        assert f"--output v{suffix}: the format cannot hold diagonals" in capfd.readouterr().err
    with pytest.raises(BadInput, match="the format cannot hold diagonals"):
        tb.sudoku.save(place / f"v{suffix}", parse(KILLER))
    assert not list(place.glob("v.*"))
    assert run(["sudoku", "generate", "--kind", "killer", "-o", "v.txt", "-q"]) == 0
    assert run(["sudoku", "solve", "v.txt", "-o", f"solved{suffix}", "-q"]) == 0


def test_what_nobody_asked_for_is_said(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["sudoku", "generate", "--clues", "20", "-n", "3"]) == 0
    err = capfd.readouterr().err
    assert "3 of 3 puzzles with more than 20 clues, up to " in err
    assert "made with --seed 0: another number makes other puzzles" in err
    assert run(["sudoku", "generate", "--clues", "40", "--seed", "1"]) == 0
    err = capfd.readouterr().err
    assert "clues" not in err
    assert "made with" not in err
    assert run(["sudoku", "worksheet", "--side", "4", "--svg", "sheet.svg"]) == 0
    assert "made with --seed 0" in capfd.readouterr().err


# Drawings


def test_sheets_of_puzzles(place: Path) -> None:
    assert run(["sudoku", "generate", "-n", "7", "--svg", "s.svg", "--pdf", "s.pdf", "--per-page", "4", "-q"]) == 0
    assert ElementTree.parse("s.svg").getroot().tag.endswith("svg")
    data = Path("s.pdf").read_bytes()
    assert data.startswith(b"%PDF-1.4")
    assert data.count(b"/Type /Page\n") == 3  # two of puzzles, one of answers
    place_of_table = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    assert data[place_of_table:].startswith(b"xref")


def test_a_pdf_says_where_its_objects_are() -> None:
    shapes = (
        Rect(0, 0, 1, 1, "#ff0000", "#000000", 0.1, round=0.2),
        Line(0, 0, 1, 1),
        Circle(0.5, 0.5, 0.25),
        Polygon(((0, 0), (1, 0), (0, 1)), "#00ff00"),
        Text(0.5, 0.5, "(a\\b) ü", bold=True),
        Text(0.5, 0.5, "end", anchor="end"),
    )
    data = to_pdf(pages([Scene(1, 1, shapes)] * 3, ["1", "2", "3"], across=2, down=1, head="pages"))
    table = data[data.rindex(b"xref\n0 ") :].splitlines()[3:]
    for number, entry in enumerate(table, 1):
        if not entry.endswith(b"n "):
            break
        assert data[int(entry[:10]) :].startswith(b"%d 0 obj" % number)


def test_a_board_is_drawn_with_all_its_digits() -> None:
    svg = ElementTree.fromstring(to_svg(board(parse(SOURCE), [int(mark) for mark in SOLUTION])))
    digits = [element for element in svg if element.tag.endswith("text")]
    assert "".join(element.text or "" for element in digits) == SOLUTION
    assert sum(element.get("font-weight") == "bold" for element in digits) == 41


# What a spreadsheet can have wrong


@pytest.mark.parametrize(
    ("place_in_sheet", "value", "says"),
    [
        ((5, 3), "x", "bad.xlsx: C5: 'x': expected a digit from 1 to 9, 0 or a blank"),
        ((1, 1), "=1+1", "bad.xlsx: A1: the formula =1+1 has no stored value: expected a digit or a blank"),
        ((2, 2), 2.5, "bad.xlsx: B2: 2.5: expected a digit"),
        ((9, 9), 10, "bad.xlsx: I9: 10: expected a digit from 1 to 9, 0 or a blank"),
        ((3, 3), -4, "bad.xlsx: C3: -4: expected a digit"),
        ((4, 4), True, "bad.xlsx: D4: True: expected a digit"),
        ((1, 1), 5, "the digit 5 occurs twice in row 1: at r1c1 and r1c2"),
    ],
)
def test_cells_that_are_no_digits(
    place: Path, place_in_sheet: tuple[int, int], value: Any, says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    from openpyxl import load_workbook

    workbook(place / "good.xlsx", SOURCE, None)
    book = load_workbook(place / "good.xlsx")
    book.active.cell(*place_in_sheet, value)
    book.save(place / "bad.xlsx")
    assert run(["sudoku", "solve", "bad.xlsx", "-q"]) == 2
    assert says in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["good.xlsx", "--sheet", "mine"], "good.xlsx: no sheet 'mine': expected one of 'Hoja1'"),
        (["good.xlsx", "--cell", "5C"], "the cell '5C': expected a letter and a number, such as B2"),
        (["good.xlsx", "--cell", "Z99"], "there are no digits from that cell on: expected a board"),
        (["text.xlsx"], "text.xlsx: not a valid spreadsheet"),
        (["nowhere.xlsx"], "nowhere.xlsx: No such file or directory"),
        (["good.xlsx", "--side", "5"], "--side 5: expected one of 4, 6, 9"),
        (["good.xlsx", "-o", "out.ods"], "out.ods: spreadsheets are written as .xlsx only"),
    ],
)
def test_sheets_that_are_none(place: Path, arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]) -> None:
    workbook(place / "good.xlsx", SOURCE, None)
    (place / "text.xlsx").write_text("no workbook")
    assert run(["sudoku", "solve", *arguments, "-q"]) == 2
    err = capfd.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 1


def test_without_the_extra(place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    workbook(place / "good.xlsx", SOURCE, None)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert ask(capfd, "sudoku", "solve", "good.xlsx")["answers"] == [SOLUTION]
    assert run(["sudoku", "solve", SOURCE, "-o", "out.xlsx", "-q"]) == 2
    assert f"needs the extra 'sheets': {how_to_add('sheets')}\n" in capfd.readouterr().err
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    assert run(["sudoku", "solve", "good.xlsx", "-q"]) == 2
    assert f"needs the extra 'sheets': {how_to_add('sheets')}\n" in capfd.readouterr().err
