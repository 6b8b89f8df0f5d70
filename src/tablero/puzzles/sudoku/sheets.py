"""Sudoku in Excel: read with python-calamine, written with openpyxl (the extra `sheets`).

A cell of the sheet is a digit, blank or 0.  Anything else is refused with its name, as C5: words, dates, fractions, and
formulas, whose value the file may not even hold.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from tablero.errors import BadInput, MissingExtra
from tablero.puzzles.sudoku.formats import make
from tablero.puzzles.sudoku.puzzle import SIDES, Cells, Layout, Sudoku

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_REL = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_MOST_XML = 1 << 26


def cell_at(row: int, column: int) -> str:
    """The sheet's name of a cell, rows and columns from 0: C5 for (4, 2)."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(65 + letter) + name
    return f"{name}{row + 1}"


def place_of(name: str) -> tuple[int, int]:
    """Row and column from 0 of a cell named as C5."""
    found = re.fullmatch(r"([A-Za-z]{1,3})([1-9]\d{0,6})", name.strip())
    if not found:
        raise BadInput(f"the cell {name!r}: expected a letter and a number, as B2")
    column = 0
    for letter in found[1].upper():
        column = 26 * column + ord(letter) - 64
    return int(found[2]) - 1, column - 1


def parse(
    data: bytes, source: str = "the sheet", *, sheet: str = "", cell: str = "A1", layout: Layout | None = None
) -> Sudoku:
    """Read a board from a sheet (the first without a name), its top-left corner at a cell."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise MissingExtra("reading Excel", "sheets") from None
    top, left = place_of(cell)
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            names = book.sheet_names
            if sheet and sheet not in names:
                raise BadInput(f"{source}: no sheet {sheet!r}: there are {', '.join(map(repr, names))}")
            if not names:
                raise BadInput(f"{source}: a workbook without sheets")
            chosen = sheet or names[0]
            grid = book.get_sheet_by_name(chosen).to_python(skip_empty_area=False)
    except (CalamineError, OSError) as error:
        raise BadInput(f"{source}: not a spreadsheet that can be read ({error})") from None
    formulas = _formulas(data, source, chosen)
    side = layout.side if layout else _side(grid, formulas, top, left, source)
    cells = []
    for row in range(top, top + side):
        for column in range(left, left + side):
            value = grid[row][column] if row < len(grid) and column < len(grid[row]) else ""
            where = f"{source}: {cell_at(row, column)}"
            if (row, column) in formulas:
                raise BadInput(f"{where}: a formula ({formulas[row, column]}): expected a digit or a blank")
            cells.append(_digit(value, where, side))
    return make(cells, layout or Layout(side), source)


def _side(grid: Sequence[Sequence[Any]], formulas: dict[tuple[int, int], str], top: int, left: int, source: str) -> int:
    """The smallest board that holds what the sheet has from the corner on; 9 where that says little."""
    far = 0
    for row, values in enumerate(grid):
        for column, value in enumerate(values):
            if row >= top and column >= left and (value != "" or (row, column) in formulas):
                far = max(far, row - top + 1, column - left + 1)
    if far == 0:
        raise BadInput(f"{source}: the sheet is empty from that cell on: expected a board")
    if far in (4, 6):
        return far
    if far > max(SIDES):
        raise BadInput(f"{source}: the sheet has {far} rows or columns from that cell on: name the side, as --side 9")
    return next(side for side in SIDES if side >= max(far, 9))


def _digit(value: Any, where: str, side: int) -> int:
    if isinstance(value, str):
        text = value.strip()
        if text in ("", "."):
            return 0
        if not re.fullmatch(r"\d{1,3}", text):
            raise BadInput(f"{where}: {text!r}: expected a digit from 1 to {side}, 0 or a blank")
        value = int(text)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise BadInput(f"{where}: {value!s}: expected a digit from 1 to {side}, 0 or a blank")
    if not 0 <= value <= side:
        raise BadInput(f"{where}: {int(value)}: expected a digit from 1 to {side}, 0 or a blank")
    return int(value)


def _formulas(data: bytes, source: str, sheet: str) -> dict[tuple[int, int], str]:
    """The cells of a sheet that hold formulas: readers of values show what they last came to, or nothing.

    Only the workbooks of today's Excel (.xlsx, .xlsm) are looked into.
    """
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return {}
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        if "xl/workbook.xml" not in book.namelist():
            return {}

        def tree(name: str) -> ElementTree.Element:
            if book.getinfo(name).file_size > _MOST_XML:
                raise BadInput(f"{source}: {name} is larger than {_MOST_XML:,} bytes")
            return ElementTree.fromstring(book.read(name))

        try:
            links = {link.get("Id"): link.get("Target", "") for link in tree("xl/_rels/workbook.xml.rels")}
            entries = {entry.get("name"): entry.get(_REL) for entry in tree("xl/workbook.xml").iter(f"{_MAIN}sheet")}
            target = links[entries[sheet]]
            cells = tree(target.lstrip("/") if target.startswith("/") else f"xl/{target}").iter(f"{_MAIN}c")
            found = {}
            for cell in cells:
                formula = cell.find(f"{_MAIN}f")
                if formula is not None:
                    found[place_of(cell.get("r", ""))] = f"={formula.text or '…'}"
            return found
        except (KeyError, ElementTree.ParseError, zipfile.BadZipFile, zlib.error):
            raise BadInput(f"{source}: its parts do not fit together: not a sound .xlsx file") from None


def write(puzzle: Sudoku, answer: Cells | None = None) -> bytes:
    """A board as a workbook: clues bold on grey, the answer in blue, boxes framed."""
    try:
        from openpyxl import Workbook
        from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
    except ImportError:
        raise MissingExtra("writing Excel", "sheets") from None
    book = Workbook()
    page = book.active
    assert page is not None
    page.title = "Sudoku"
    layout, side = puzzle.layout, puzzle.side
    thin, thick = Side(style="thin", color="B0B0B0"), Side(style="medium", color="000000")
    shown = answer or puzzle.cells
    for cell in range(layout.size):
        row, column = divmod(cell, side)
        place: Any = page.cell(row + 1, column + 1)
        place.value = shown[cell] or None
        clue = bool(puzzle.cells[cell])
        place.font = Font(bold=clue, color="000000" if clue else "1D4ED8", size=14)
        place.alignment = Alignment(horizontal="center", vertical="center")
        if clue:
            place.fill = PatternFill("solid", start_color="E8E8E8")

        def edge(other: int, inside: bool, here: int = cell) -> Side:
            return thin if inside and layout.region(other) == layout.region(here) else thick

        place.border = Border(
            left=edge(cell - 1, column > 0),
            right=edge(cell + 1, column < side - 1),
            top=edge(cell - side, row > 0),
            bottom=edge(cell + side, row < side - 1),
        )
    for k in range(side):
        page.column_dimensions[cell_at(0, k)[:-1]].width = 4.5
        page.row_dimensions[k + 1].height = 24
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
