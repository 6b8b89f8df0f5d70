"""Boards on sheets: found wherever they are, or asked for; and workbooks that were made to do harm."""

from __future__ import annotations

import contextlib
import io
import random
import resource
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

import tablero as tb
from tablero.cli import run
from tablero.errors import BadInput
from tablero.sudoku import saving, sheets
from tablero.sudoku import workbook as reading
from tablero.sudoku.puzzle import SYMBOLS, Layout, Sudoku, to_line
from tablero.sudoku.workbook import Workbook as Reader
from tablero.sudoku.workbook import cell_at, place_of

SOURCE = "050036704687000002304000860063900408025040070410307020042060005500400087079582040".replace("0", ".")
SOLUTION = "251836794687194532394275861763921458925648173418357629842763915536419287179582346"
SPARSE = "....7..2.8.......6.1.2.5...9.54....8.........3....85.1...3.2.8.4.......9.7..6...."  # a puzzle of our own
FOUR = "1.3..4...2.....4"

Cells = Mapping[tuple[int, int], Any]


def written(line: str, at: tuple[int, int] = (1, 1), blank: Any = None, letters: bool = False) -> dict[Any, Any]:
    """A board as cells of a sheet, rows and columns from 1."""
    side = int(len(line) ** 0.5)

    def value(mark: str) -> Any:
        digit = SYMBOLS.index(mark)
        return blank if not digit else mark if letters and digit > 9 else digit

    return {(at[0] + k // side, at[1] + k % side): value(mark) for k, mark in enumerate(line)}


def workbook(*pages: Cells) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for number, cells in enumerate(pages, 1):
        page = book.create_sheet(f"page {number}")
        for (row, column), value in cells.items():
            page.cell(row, column, value)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def lines(data: bytes, **where: Any) -> list[str]:
    return [one.puzzle.line() for one in sheets.boards(data, "book.xlsx", **where)]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Found


@pytest.fixture(scope="module")
def minimal() -> list[str]:
    """Puzzles with few clues: often a row or a column at the edge has none."""
    made = [puzzle.line() for puzzle in tb.sudoku.generate_many(300, tb.sudoku.Options(minimal=True), seed=4)]
    bare = [line for line in made if not line[:9].strip(".") or not line[72:].strip(".") or not line[::9].strip(".")]
    assert bare
    return [*bare[:6], *made[:6]]


@pytest.mark.parametrize("at", [(1, 1), (2, 2), (7, 4)])
def test_a_board_anywhere(at: tuple[int, int], minimal: list[str]) -> None:
    for line in [SOURCE, SPARSE, SOLUTION, *minimal]:
        (found,) = sheets.boards(workbook(written(line, at)), "x")
        assert (found.puzzle.line(), found.window.name) == (line, cell_at(at[0] - 1, at[1] - 1))
        assert lines(workbook(written(line, at, 0))) == [line]


def test_whatever_else_is_written_there(minimal: list[str]) -> None:
    random_numbers = random.Random(3)
    labels = {(1, 2 + k): k + 1 for k in range(9)} | {(2 + k, 1): k + 1 for k in range(9)}
    words = {(1, 1): "My Sudoku", (1, 20): "page 7", (13, 2): 2026, (14, 3): 4.5, (15, 1): "=SUM(A1:A9)", (16, 5): True}
    table = {(20 + k // 6, 2 + k % 6): random_numbers.randint(1, 9) for k in range(90)}
    for line in [SOURCE, SPARSE, *minimal]:
        for more in (labels, words, words | table):
            assert lines(workbook({**more, **written(line, (2, 2))})) == [line]


def test_all_boards_of_all_sheets(minimal: list[str]) -> None:
    beside = {**written(SOURCE, (2, 2)), **written(SPARSE, (2, 12)), **written(minimal[0], (12, 2))}
    book = workbook({(1, 1): "nothing"}, beside, written(minimal[-1], (3, 3)))
    assert sorted(lines(book)) == sorted([SOURCE, SPARSE, minimal[0], minimal[-1]])
    assert lines(book, sheet="page 3") == [minimal[-1]]
    assert lines(book, sheet="page 2", cell="L2") == [SPARSE]
    with pytest.raises(
        BadInput, match=r"4 puzzles, expected one: choose one with sheet and cell .*B2 of 'page 2', L2 of 'page 2'"
    ):
        sheets.parse(book, "book.xlsx")


def test_the_solution_beside_it_is_not_asked_about() -> None:
    assert sheets.parse(workbook({**written(SOURCE), **written(SOLUTION, (1, 11))})).line() == SOURCE


@pytest.mark.parametrize("letters", [False, True])
@pytest.mark.parametrize("side", [4, 6, 12, 16])
def test_other_sides(side: Any, letters: bool) -> None:
    line = tb.sudoku.generate(side, seed=5).line()
    page = {(1, 1): "a board", **written(line, (3, 3), letters=letters)}
    assert lines(workbook(page)) == [line]
    assert lines(workbook(page), cell="C3") == [line]
    assert lines(workbook(page), layout=Layout(side)) == [line]


def test_letters_are_no_digits_on_small_boards() -> None:
    with pytest.raises(BadInput, match="B1: 'A': expected a digit from 1 to 9"):
        lines(workbook({**written(SOURCE), (1, 2): "a"}))
    with pytest.raises(BadInput, match="A1: 12: expected a digit from 1 to 9"):
        lines(workbook({**written(SOURCE), (1, 1): 12}))


@settings(max_examples=20)
@given(st.lists(st.integers(0, 80), max_size=30), st.sampled_from([SOLUTION]))
def test_what_is_written_is_read_again(kept: list[int], solution: str) -> None:
    """Also with few clues or none: the frame tells where the board is."""
    puzzle = tb.sudoku.parse("".join(mark if k in kept else "." for k, mark in enumerate(solution)))
    assert sheets.parse(saving.workbook(puzzle)) == puzzle


def test_where_it_begins_is_asked_for() -> None:
    few = SOURCE[:9] + "." * 63 + SOURCE[72:]  # several solutions, and six rows without a clue
    with pytest.raises(BadInput, match="such as B2"):
        lines(workbook(written("." * 9 + SOURCE[9:18] + "." * 63, (2, 2))))
    assert lines(workbook(written(few, (2, 2))), cell="B2") == [few]
    loose = SOURCE[:9].replace("5", ".") + SOURCE[9:72] + "." * 9
    assert tb.sudoku.parse(loose).count(2).solutions == 2
    with pytest.raises(BadInput, match="name its top left cell with cell, such as B2"):
        lines(workbook(written(loose, (2, 2))))
    assert lines(workbook(written(loose, (2, 2))), cell="B2") == [loose]


def test_a_wrong_cell_is_told() -> None:
    for value, says in (
        ("x", "C5: 'x'"),
        ("=A1", "C5: the formula =A1"),
        (-3, "C5: -3"),
        (0.5, "C5: 0.5"),
        ("nan", "'nan'"),
    ):
        with pytest.raises(BadInput, match=says):
            lines(workbook({**written(SOURCE), (5, 3): value}))


def test_a_formula_in_a_board_that_is_not_framed_is_told() -> None:
    with pytest.raises(
        BadInput, match=r"no board was found .*the formula in C5 has no stored value.*: name its top left cell"
    ):
        lines(workbook({**written(SOURCE[:72] + "." * 9, (2, 2)), (5, 3): "=1+1"}))


def test_names_of_cells() -> None:
    for name in ("A1", "Z9", "AA10", "XFD1048576"):
        assert cell_at(*place_of(name)) == name
    assert place_of("B1") == (0, 1)
    for name in ("", "A0", "1A", "AAAA1", "XFE1", "A1048577", "Á1"):
        with pytest.raises(BadInput, match="expected a letter and a number"):
            place_of(name)


# OpenDocument

_ODS_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_ODS = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet>
<table:table table:name="one">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"""


def archive(**parts: str | bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name.replace("META_INF", "META-INF").replace("__", "/").replace("_DOT_", "."), text)
    return out.getvalue()


def ods(rows: str) -> bytes:
    return archive(mimetype=_ODS_TYPE, META_INF__manifest_DOT_xml="<manifest/>", content_DOT_xml=_ODS.format(rows=rows))


def ods_cell(mark: str) -> str:
    if mark == ".":
        return "<table:table-cell/>"
    return (
        f'<table:table-cell office:value-type="float" office:value="{mark}"><text:p>{mark}</text:p></table:table-cell>'
    )


def test_open_document() -> None:
    rows = ['<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>']
    for k in range(0, 81, 9):
        cells = "".join(map(ods_cell, SOURCE[k : k + 9]))
        rows.append(f'<table:table-row><table:table-cell table:number-columns-repeated="2"/>{cells}</table:table-row>')
    rows.append('<table:table-row table:number-rows-repeated="1048564"><table:table-cell/></table:table-row>')
    (found,) = sheets.boards(ods("".join(rows)), "x.ods")
    assert (found.puzzle.line(), found.window.name, found.sheet) == (SOURCE, "C4", "one")


def test_every_format_has_the_same_board() -> None:
    """The .xls was written by xlwt: the board from C4 on, some of its digits as texts."""
    (found,) = sheets.boards(Path(__file__).with_name("data") / "board.xls", "board.xls")
    assert (found.puzzle.line(), found.window.name, found.sheet) == (SOURCE, "C4", "one")
    assert lines(workbook(written(SOURCE, (4, 3)))) == [SOURCE]


def test_a_formula_is_read_by_its_value() -> None:
    rows = []
    for r in range(9):
        cells = (f"<c><f>1+{mark}-1</f><v>{mark}</v></c>" if mark != "." else "<c/>" for mark in SOURCE[9 * r :][:9])
        rows.append(f"<row>{''.join(cells)}</row>")
    assert lines(xlsx("".join(rows))) == [SOURCE]


def test_merged_cells_have_the_value_of_the_first() -> None:
    book = Workbook()
    book.active.title = "S"
    book.active["B2"] = "words over three columns"
    book.active.merge_cells("B2:D3")
    out = io.BytesIO()
    book.save(out)
    assert list(Reader(out.getvalue(), "x").rows("S")) == [(1, {1: "words over three columns"})]


# Made to do harm


def xlsx(sheet: str, strings: str = "", book: str = "") -> bytes:
    """A workbook by hand."""
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    links = [("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "sharedStrings", "sharedStrings.xml")]
    reported = "".join(f'<Relationship Id="{key}" Type="{relation}/{kind}" Target="{to}"/>' for key, kind, to in links)
    parts = {
        "_rels/.rels": f'<Relationships><Relationship Id="r" Type="{relation}/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>",
        "xl/workbook.xml": book
        or f'<workbook xmlns:r="{relation}"><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f"<Relationships>{reported}</Relationships>",
        "xl/sharedStrings.xml": f"<sst>{strings}</sst>",
        "xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{sheet}</sheetData></worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return out.getvalue()


def packed_by(method: int) -> bytes:
    """A sound workbook, but for a sheet of 400 MB of blanks that such a method packs into some kilobytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx("<row/>"))) as before, zipfile.ZipFile(out, "w", method) as after:
        for name in before.namelist():
            with after.open(name, "w") as part:
                part.write(before.read(name))
                if "sheet1" in name:
                    for _ in range(40):
                        part.write(b" " * 10_000_000)
    return out.getvalue()


_ENTITIES = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">]>'
HARMFUL: dict[str, Callable[[], bytes]] = {
    "a cell in the last corner": lambda: xlsx('<row r="1048576"><c r="XFD1048576"><v>5</v></c></row>'),
    "a cell off the sheet": lambda: xlsx('<row r="9"><c r="XFE9"><v>5</v></c></row>'),
    "a row off the sheet": lambda: xlsx('<row r="99999999999"><c><v>5</v></c></row>'),
    "a row of a word": lambda: xlsx('<row r="two"><c><v>5</v></c></row>'),
    "a row of -1": lambda: xlsx('<row r="-1"><c><v>5</v></c></row>'),
    "a text that is not there": lambda: xlsx('<row><c t="s"><v>4000000000</v></c></row>'),
    "a text by a sign": lambda: xlsx('<row><c t="s"><v>²</v></c></row>'),
    "types of its own": lambda: xlsx("", book=_ENTITIES + "<workbook/>"),
    "no sheets": lambda: xlsx("", book="<workbook/>"),
    "open elements": lambda: xlsx("<row><c>"),
    "no end": lambda: xlsx('<row r="1"><c r="A1"><v>5</v></c></row>')[:-30],
    "no middle": lambda: (data := xlsx("<row/>" * 999))[: len(data) // 2],
    "another archive": lambda: archive(hello="world"),
    "no archive": lambda: b"PK\x03\x04 and nothing else",
    "columns without end": lambda: ods(
        '<table:table-row><table:table-cell table:number-columns-repeated="2000000000" office:value-type="float" '
        'office:value="5"/></table:table-row>'
    ),
    "rows without end": lambda: ods(
        f'<table:table-row table:number-rows-repeated="1000000000">{ods_cell("5")}</table:table-row>'
    ),
    "a full sheet": lambda: ods(
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" '
        'office:value-type="float" office:value="5"/></table:table-row>'
    ),
    "rows of a word": lambda: ods('<table:table-row table:number-rows-repeated="two"/>'),
    "millions of cells": lambda: xlsx("<row>" + "<c><v>5</v></c>" * 600_000 + "</row>"),
    "millions of texts": lambda: xlsx('<row><c t="s"><v>0</v></c></row>', "<si/>" * 1_000_000),
    "long numbers": lambda: xlsx(f"<row><c><v>{'9' * 5000}</v></c></row>"),
    "elements inside elements": lambda: xlsx("<row><c><v>" + "<x>" * 3_000_000),
    "a comment without end": lambda: xlsx(f"<!--{' ' * 2_000_000}--><row><c><v>5</v></c></row>"),
    "a tag without end": lambda: xlsx(f"<row{' ' * 2_000_000}><c><v>5</v></c></row>"),
    "names without end": lambda: xlsx("".join(f"<a{k}/>" for k in range(20_000))),
    "attributes without end": lambda: xlsx("".join(f'<a b{k}="0"/>' for k in range(20_000))),
    "blanks in bzip2": lambda: packed_by(zipfile.ZIP_BZIP2),
    "blanks in lzma": lambda: packed_by(zipfile.ZIP_LZMA),
    "rows of 5,000 digits": lambda: ods(f'<table:table-row table:number-rows-repeated="{"9" * 5000}"/>'),
    "a row of 5,000 digits": lambda: xlsx(f'<row r="{"9" * 5000}"><c><v>5</v></c></row>'),
    "sheets without end": lambda: xlsx("", book="<workbook>" + "<sheet/>" * 200_000 + "</workbook>"),
    "an old workbook": lambda: b"\xd0\xcf\x11\xe0" + bytes(500),
    "two far corners": lambda: xlsx(
        '<row r="1"><c r="A1"><v>5</v></c></row><row r="1048576"><c r="XFD1048576"><v>5</v></c></row>'
    ),
    "rows beyond the sheet": lambda: xlsx(
        '<row r="1"><c r="A1"><v>5</v></c></row><row r="4000000000"><c r="A4000000000"><v>5</v></c></row>'
    ),
    "a list of parts without end": lambda: archive(**{f"part{k}": "" for k in range(100_000)}),
}


@pytest.mark.parametrize("what", HARMFUL)
def test_harmful_workbooks(
    what: str, place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, and little memory."""
    monkeypatch.setattr(reading, "_MOST_MEMORY", 1 << 28)
    data = HARMFUL[what]()
    Path("harm.ods").write_bytes(data)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert run(["sudoku", "solve", "harm.ods", "-q"]) == 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("tablero: harm.ods: ")
    assert len(err.splitlines()) == 1


def test_too_many_cells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_CELLS", 500)
    with pytest.raises(BadInput, match="the sheet 'S': expected at most 500 cells"):
        lines(xlsx("".join(f'<row r="{k}"><c r="A{k}"><v>5</v></c></row>' for k in range(1, 502))))


def test_the_reader_has_little_memory_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    many = xlsx("<row>" + "<c><v>5</v></c>" * 600_000 + "</row>")
    monkeypatch.setattr(reading, "_MOST_MEMORY", 64 << 20)
    with pytest.raises(BadInput, match="cannot be read in 64 MiB of memory"):
        lines(many)
    monkeypatch.setattr(reading, "_MOST_MEMORY", 1 << 31)
    monkeypatch.setattr(reading, "_MOST_EXPANDED", 1 << 20)
    with pytest.raises(BadInput, match="expected at most 1,048,576 bytes of uncompressed parts"):
        lines(many)


def test_counts_that_lie_are_not_believed() -> None:
    rows = []
    for r in range(9):
        marks = [(c, SOURCE[9 * r + c]) for c in range(9) if SOURCE[9 * r + c] != "."]
        reported = "".join(f'<c r="{cell_at(r, c)}" t="s"><v>{mark}</v></c>' for c, mark in marks)
        rows.append(f'<row r="{r + 1}">{reported}</row>')
    data = xlsx("".join(rows), "".join(f"<si><t>{k}</t></si>" for k in range(10)))
    lie = archive_with(data, "xl/worksheets/sheet1.xml", b"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>')
    assert lines(lie) == [SOURCE]
    lie = archive_with(data, "xl/sharedStrings.xml", b"<sst>", b'<sst count="4000000000" uniqueCount="4000000000">')
    with pytest.raises(BadInput, match="cannot be read in 2,048 MiB of memory"):
        lines(lie)


def archive_with(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """An archive with a text of one part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            text = before.read(name)
            after.writestr(name, text.replace(old, new) if name == part else text)
    return out.getvalue()


def test_numbers_that_are_none() -> None:
    numbers = [("5", 5), ("5.0", 5), ("5E0", 5), ("2.5", 2.5), ("-1", -1)]
    for text, value in numbers:
        assert list(Reader(xlsx(f"<row><c><v>{text}</v></c></row>"), "x").rows("S")) == [(0, {0: value})]
    good = workbook({**written(SOLUTION), (1, 1): 77})
    for text, shown in (("inf", "inf"), ("nan", "nan"), ("1e999", "inf")):
        with pytest.raises(BadInput, match=f"A1: '{shown}': expected a digit"):
            lines(archive_with(good, "xl/worksheets/sheet1.xml", b"77", text.encode()))


def _packed(kind: int) -> bytes:
    out = io.BytesIO()
    data = saving.workbook(tb.sudoku.parse(SOURCE))
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w", kind) as after:
        for name in before.namelist():
            after.writestr(name, before.read(name))
    return out.getvalue()


_SOUND = {kind: _packed(kind) for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)}


@settings(max_examples=60)
@given(st.data())
def test_damaged_workbooks(data: st.DataObject) -> None:
    """Bytes changed, taken away or added, packed or not: a board, or one line."""
    kind = zipfile.ZIP_STORED if data.draw(st.booleans()) else zipfile.ZIP_DEFLATED
    book = bytearray(_SOUND[kind])
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(book) - 1))
        book[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    with contextlib.suppress(BadInput):
        assert all(isinstance(one.puzzle, Sudoku) for one in sheets.boards(bytes(book), "x"))


def test_rich_text_and_readings() -> None:
    strings = "<si><r><t>ab</t></r><r><t>cd</t></r><rPh><t>no</t></rPh></si>"
    data = xlsx(
        '<row r="3"><c t="s"><v>0</v></c><c t="inlineStr"><is><t>ef</t></is></c><c t="b"><v>1</v></c></row>', strings
    )
    assert list(Reader(data, "x").rows("S")) == [(2, {0: "abcd", 1: "ef", 2: True})]


def test_regions_and_diagonals_come_from_the_layout() -> None:
    puzzle = tb.sudoku.generate(kind="x", seed=3)
    data = workbook(written(puzzle.line(), (2, 3)))
    assert sheets.parse(data, layout=Layout(diagonals=True)) == puzzle
    assert to_line(sheets.parse(data).cells) == puzzle.line()
