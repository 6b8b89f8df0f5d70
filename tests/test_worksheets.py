"""Worksheets of all families: what is asked can be done, in the way that is told, and the pages hold all of it."""

from __future__ import annotations

import json
import re
import unicodedata
import zlib
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import pytest

import tablero as tb
from tablero.cli import run
from tablero.draw.pdf import require_letters, to_pdf
from tablero.draw.scene import Line, Rect, Scene, Text
from tablero.draw.sheet import Worksheet
from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.queens.generating import unique
from tablero.sliding.worksheets import known, tiles_of

COMMANDS = ["queens", "edges", "slide", "cover", "sudoku"]
SMALL = {"queens": ["5"], "edges": ["2", "--colours", "2"], "slide": ["2"], "cover": ["3"], "sudoku": ["--side", "4"]}


def streams(data: bytes) -> list[bytes]:
    """What the streams of a PDF hold."""
    parts = re.findall(rb"stream\n(.*?)\nendstream", data, re.S)
    return [zlib.decompress(part) if part.startswith(b"x") else part for part in parts]


def texts(data: bytes) -> list[str]:
    """The texts of a PDF, read back by the tables of its fonts, as a viewer does that searches or copies."""
    found = []
    tables = [
        {bytes.fromhex(code.decode()): chr(int(mark, 16)) for code, mark in re.findall(rb"<(\w{4})> <(\w{4})>", part)}
        for part in streams(data)
        if b"beginbfchar" in part
    ]
    fonts = list(dict.fromkeys(re.findall(rb"/F(\d) [\d.]+ Tf", b"".join(streams(data)))))
    table_of = dict(zip(sorted(fonts), tables, strict=True))
    for part in streams(data):
        for font, shown in re.findall(rb"/F(\d) [\d.]+ Tf|\(((?:\\.|[^\\)])*)\) Tj", part, re.S):
            if font:
                table = table_of[font]
            else:
                codes = re.sub(rb"\\(.)", lambda escape: {b"r": b"\r"}.get(escape[1], escape[1]), shown, flags=re.S)
                found.append("".join(table[codes[k : k + 2]] for k in range(0, len(codes), 2)))
    return found


@pytest.mark.parametrize("family", COMMANDS)
def test_every_family_prints_one(family: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pdf, svg = tmp_path / "sheet.pdf", tmp_path / "sheet.svg"
    words = [family, "worksheet", *SMALL[family], "-n", "3", "--title", "Übung (5b)", "--json"]
    assert run([*words, "--pdf", str(pdf), "--svg", str(svg)]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert reported["title"] == "Übung (5b)"
    assert len(reported["puzzles"]) == 3
    data = pdf.read_bytes()
    assert data.count(b"/Type /Page\n") == reported["pages"]
    assert "Übung (5b)" in texts(data)
    title = ElementTree.fromstring(svg.read_text(encoding="utf-8"))[0]
    assert title.text is not None
    assert title.text.startswith("Übung (5b)")
    again = tmp_path / "again.pdf"
    assert run([*words, "--pdf", str(again)]) == 0
    assert again.read_bytes() == data


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["queens", "worksheet"], "--pdf FILE or --svg FILE"),
        (["queens", "worksheet", "3", "--pdf", "a.pdf"], "4 to 16"),
        (["queens", "worksheet", "--pdf", "a.svg"], ".pdf"),
        (["queens", "worksheet", "-n", "0", "--pdf", "a.pdf"], "1 to 1,000"),
        (["queens", "worksheet", "--per-page", "5", "--pdf", "a.pdf"], "one of 1, 2, 4, 6, 12"),
        (["cover", "worksheet", "13", "--pdf", "a.pdf"], "3 to 12"),
        (["cover", "worksheet", "--seed", "-1", "--pdf", "a.pdf"], "from 0"),
        (["slide", "worksheet", "5", "--pdf", "a.pdf"], "16 cells"),
        (["slide", "worksheet", "2", "--moves", "30", "--pdf", "a.pdf"], "expected at most 6"),
        (["slide", "worksheet", "3", "--moves", "32", "--pdf", "a.pdf"], "at most 31"),
        (["edges", "worksheet", "9", "--pdf", "a.pdf"], "at most 64"),
        (["queens", "worksheet", "--title", "八王后", "--pdf", "a.pdf"], "'八' is not in the font of the PDF"),
        (["sudoku", "generate", "--title", "数独", "--pdf", "a.pdf"], "'数' is not in the font of the PDF"),
        (["sudoku", "worksheet", "--side", "4", "--title", "x" * 61, "--pdf", "a.pdf"], "at most 60"),
    ],
)
def test_what_makes_no_sheet_is_refused(words: list[str], expected: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 2
    reported = capfd.readouterr().err
    assert expected in reported
    assert reported.count("\n") == 1


@pytest.mark.parametrize("seed", range(4))
def test_queens_have_one_completion(seed: int) -> None:
    puzzle = unique(6, seed)
    assert puzzle.count().solutions == 1
    assert 0 < len(puzzle.given) < 6


def test_tiles_are_named_as_they_slide() -> None:
    board = tb.sliding.parse("1 2 3/4 5 6/0 7 8")
    assert list(tiles_of(board, "EE")) == [7, 8]


def test_boards_take_as_many_moves_as_was_asked() -> None:
    sheet = tb.sliding.worksheet("2x3", moves=6, count=4)
    assert [task.caption for task in sheet.tasks] == ["6 moves are enough"] * 4


@pytest.mark.parametrize("moves", [1, 30, 31])
def test_small_boards_are_drawn_from_all_that_are_so_far(moves: int) -> None:
    boards = known(3, 3, moves, 6, 0)
    number = {1: 2, 30: 6, 31: 2}[moves]  # 2, 221 and 2 there are
    assert len({board.tiles for board in boards}) == len(boards) == number
    assert {len(board.solve(method="optimal")) for board in boards} == {moves}
    assert known(3, 3, moves, 6, 1) != boards or moves != 30


def test_no_puzzle_stands_twice_on_a_sheet(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "a.svg")
    assert run(["slide", "worksheet", "2", "--moves", "6", "--svg", file]) == 0
    assert "1 puzzle on 2 pages" in (reported := capfd.readouterr().err)
    assert "found only 1 different puzzle of 6" in reported
    sheet = tb.queens.worksheet(6, count=6)
    assert len({task.given for task in sheet.tasks}) == 6
    assert len({task.solved for task in sheet.tasks}) == 4  # all there are
    assert run(["queens", "worksheet", "6", "--svg", file]) == 0
    assert "2 answers repeated" in capfd.readouterr().err
    assert len({task.given for task in tb.cover.worksheet(3, count=6).tasks}) <= 6


def test_what_is_told_of_a_sheet_can_be_solved_and_checked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    reported = {}
    for family in COMMANDS:
        words = [family, "worksheet", *SMALL[family], "-n", "2", "--json"]
        assert run([*words, "--svg", str(tmp_path / "a.svg")]) == 0
        reported[family] = json.loads(capfd.readouterr().out)["puzzles"]
    for one in reported["queens"]:
        board = tb.queens.parse(one["answer"])
        assert set(tb.queens.parse(one["puzzle"]).given) <= set(board.given)
        assert board.count().solutions == 1
    for one in reported["slide"]:
        assert len(tb.sliding.parse(one["puzzle"]).solve(method="optimal")) == len(one["answer"])
    for one in reported["sudoku"]:
        assert tb.sudoku.parse(one["answer"]).solve().boards == tb.sudoku.parse(one["puzzle"]).solve().boards
    for one in reported["edges"]:
        assert tb.edges.parse(one["puzzle"]).count().solutions > 0
        assert one["answer"].count("/") == 4
    for one in reported["cover"]:
        problem = tb.cover.parse(one["puzzle"])
        laid = [word for line in one["answer"].splitlines() for word in line.split()]
        assert sorted(laid) == sorted(map(str, problem.items))


def test_pieces_have_the_colours_and_numbers_of_the_answer() -> None:
    for task in tb.cover.worksheet(5, count=3).tasks:
        below = {shape.fill for shape in task.puzzle.shapes if isinstance(shape, Rect)} - {"#ffffff"}
        assert below == {shape.fill for shape in task.answer.shapes if isinstance(shape, Rect)}
    (sheet,) = tb.edges.worksheet(2, colours=2, count=1).tasks
    numbers = [{s.text for s in scene.shapes if isinstance(s, Text)} for scene in (sheet.puzzle, sheet.answer)]
    assert numbers == [{"1", "2", "3", "4"}] * 2


def test_a_library_has_them_too() -> None:
    sheet = tb.cover.worksheet(3, count=2)
    assert isinstance(sheet, Worksheet)
    assert repr(sheet) == "<worksheet: 2 puzzles on 2 pages>"
    assert sheet._repr_svg_() == sheet.to_svg()
    with pytest.raises(BadInput, match="one line"):
        tb.queens.worksheet(4, count=1, title="two\nlines")


def test_bold_text_is_centred_by_its_own_widths() -> None:
    for bold, width in ((True, 0.775 + 2 * 0.343 + 0.343 + 0.678 + 0.493), (False, 0.656 + 3 * 0.278 + 0.615 + 0.411)):
        data = to_pdf([Scene(10, 1, (Text(5, 0.5, "Killer", 1.0, bold=bold),), "K")], unit=100)
        left = re.search(rb"BT ([0-9.]+) ", next(part for part in streams(data) if b" Tj" in part))
        assert left is not None
        assert float(left[1]) == pytest.approx(500 - 100 * width / 2, abs=0.3)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    "text", ["¿Año? ¡Añil!", "Größe", "Żółć (ť)", "Příliš žluťoučký kůň", "Ελληνικά", "Щи, Ґґ", "Tiếng Việt", "♛ → ×"]
)
def test_letters_of_many_languages_are_drawn(text: str, form: Literal["NFC", "NFD"]) -> None:
    require_letters(text)
    scene = Scene(
        10, 1, tuple(Text(5, 0.64, unicodedata.normalize(form, text), bold=bold) for bold in (False, True)), "K"
    )
    assert texts(to_pdf([scene])) == [unicodedata.normalize("NFC", text)] * 2


def test_the_same_scenes_make_the_same_bytes() -> None:
    shapes = (Rect(0, 0, 1, 1, "#ff0000", "#000000", 0.1, round=0.2), Line(0, 0, 1, 1, dash=0.1), Text(1, 1, "a"))
    scenes = [Scene(2, 3, shapes, "one"), Scene(5, 4, shapes, "two")]
    data = to_pdf(scenes, unit=10)
    assert to_pdf(scenes, unit=10) == data
    assert re.findall(rb"/MediaBox \[0 0 (\S+) (\S+)\]\n/Parent", data) == [(b"20.00", b"30.00"), (b"50.00", b"40.00")]
    assert b"/Title (one)" in data


def test_long_titles_fit_on_the_page() -> None:
    (page, *_) = tb.queens.worksheet(4, count=1, title="W" * 60).pages
    (head,) = (shape for shape in page.shapes if isinstance(shape, Text) and shape.text.startswith("W"))
    assert head.size < 0.5


def test_all_frames_are_found_where_there_are_few() -> None:
    sheet = tb.cover.worksheet(3, count=20)
    assert len({task.given for task in sheet.tasks}) == len(sheet.tasks) == 7  # so many sets of three fill 3×5


def test_the_content_needs_no_file(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["queens", "worksheet", "5", "-n", "2", "--title", "八", "--json"]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert (reported["title"], len(reported["puzzles"]), reported["files"]) == ("八", 2, [])


def test_a_picture_has_paper_and_a_title() -> None:
    svg = ElementTree.fromstring(to_svg(Scene(3, 2, (Line(0, 0, 1, 1, dash=0.1), Text(1, 1, "a"), Text(2, 1, "b")))))
    title, paper, line, *texts = svg
    assert title.text == "a picture"
    assert (paper.get("width"), paper.get("height"), paper.get("fill")) == ("3", "2", "#ffffff")
    assert line.get("stroke-dasharray") == "0.1"
    assert svg.get("text-anchor") == "middle"
    assert all(text.get("text-anchor") is None for text in texts)


def test_a_dashed_line_is_one_line() -> None:
    sheet = tb.sudoku.worksheet(4, kind="killer", count=1)
    dashed = [shape for shape in sheet.pages[0].shapes if isinstance(shape, Line) and shape.dash]
    assert 16 <= len(dashed) <= 4 * 16  # at most the four sides of every cell
