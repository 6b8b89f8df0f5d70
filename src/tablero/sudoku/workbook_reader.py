"""Print the rows of a workbook as lines of JSON.  `workbook` runs this script in a separate process.

calamine trusts the file: two cells in opposite corners of a sheet make it allocate the whole sheet, and a failed
allocation ends the process.  Therefore this process has limits on memory, processor time and output.

The workbook is read from standard input.  The first line has the names of the sheets.  Each other line is
`[sheet, row, cells]`; a cell is `[column, value]`, or `[column, text, "formula"]` for a formula without a stored value.
An error is an object on the last line: broken, large or locked.  The script starts fast because it imports nothing of
tablero.
"""

from __future__ import annotations

import json
import math
import posixpath
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from typing import IO
from xml.etree import ElementTree

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetTypeEnum

_EXACT = 1 << 53  # a float represents smaller whole numbers exactly
_MOST_BLANKS = 500_000  # empty cells with a format that are reported for a sheet

Cell = list[object]
Cells = dict[int, Cell]


def main() -> None:
    memory, seconds, expanded = map(int, sys.argv[1:])
    _limit(memory, seconds, expanded)
    try:
        _print(sys.stdin.buffer, expanded)
    except PasswordError:
        _refuse("locked")
    except (CalamineError, zipfile.BadZipFile, ElementTree.ParseError, OSError, LookupError, ValueError) as error:
        _refuse("broken", " ".join(str(error).split())[:120])


def _limit(memory: int, seconds: int, output: int) -> None:
    """Set the limits of this process; Windows has none."""
    try:
        import resource
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, output),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (least, least))


def _refuse(why: str, detail: str = "") -> None:
    print(json.dumps({"why": why, "detail": detail}))


def _print(stream: IO[bytes], expanded: int) -> None:
    is_zip = zipfile.is_zipfile(stream)
    if is_zip:
        with zipfile.ZipFile(stream) as archive:
            if sum(info.file_size for info in archive.infolist()) > expanded:
                return _refuse("large")
    stream.seek(0)
    book = CalamineWorkbook.from_filelike(stream)
    names = [sheet.name for sheet in book.sheets_metadata if sheet.typ is SheetTypeEnum.WorkSheet]
    print(json.dumps(names))
    for number, name in enumerate(names):
        for row, cells in _rows(book.get_sheet_by_name(name), _unvalued(stream, name) if is_zip else {}):
            if cells:
                print(json.dumps([number, row, list(cells.values())]))
    return None


def _rows(sheet: CalamineSheet, unvalued: dict[int, Cells]) -> Iterator[tuple[int, Cells]]:
    top, left = sheet.start or (0, 0)
    values = sheet.to_python()  # starts at the first cell; `iter_rows` would start at A1
    for row in sorted({*range(top, top + len(values)), *unvalued}):
        held = values[row - top] if top <= row < top + len(values) else []
        cells: Cells = {k: [k, _plain(value)] for k, value in enumerate(held, left) if value != ""}
        yield row, cells | unvalued.get(row, {})


def _plain(value: object) -> object:
    """Convert a value for JSON: whole numbers to integers, dates and non-finite numbers to text."""
    match value:
        case bool():
            return value
        case int() | float():
            if not math.isfinite(value):
                return str(value)
            return int(value) if value == int(value) and abs(value) < _EXACT else value
        case _:
            return str(value).strip()


def _unvalued(stream: IO[bytes], name: str) -> dict[int, Cells]:
    """Return the cells of an .xlsx that calamine omits: empty cells with a format, formulas without a stored value."""
    found: defaultdict[int, Cells] = defaultdict(dict)
    blanks = 0
    with zipfile.ZipFile(stream) as archive:
        part = _part(archive, name)
        if part is None:
            return {}
        with archive.open(part) as sheet:
            row = -1
            for _, element in ElementTree.iterparse(sheet):
                if element.tag.rpartition("}")[2] != "row":
                    continue
                row = int(element.get("r", row + 2)) - 1
                column = -1
                for cell in element:
                    at = cell.get("r", "").rstrip("0123456789")
                    column = _column(at) if at else column + 1
                    formula, value = cell.find("{*}f"), cell.find("{*}v")
                    is_valued = value is not None and value.text
                    if formula is not None and not is_valued and cell.get("t") != "str":
                        found[row][column] = [column, f"={formula.text or '…'}", "formula"]
                    elif not is_valued and cell.find("{*}is") is None and cell.get("s", "0") != "0":
                        blanks += 1
                        if blanks <= _MOST_BLANKS:
                            found[row][column] = [column, ""]
                element.clear()
    return found


def _part(archive: zipfile.ZipFile, name: str) -> str | None:
    """Return the member of the archive with the sheet; None if the archive is not an .xlsx."""
    links = next((part for part in archive.namelist() if part.endswith("_rels/workbook.xml.rels")), None)
    if links is None:
        return None
    folder = posixpath.dirname(posixpath.dirname(links))
    targets = {link.get("Id"): link.get("Target", "") for link in ElementTree.fromstring(archive.read(links))}
    for sheet in ElementTree.fromstring(archive.read(posixpath.join(folder, "workbook.xml"))).findall(".//{*}sheet"):
        if sheet.get("name") == name:
            key = next(value for attribute, value in sheet.items() if attribute.rpartition("}")[2] == "id")
            return posixpath.normpath(posixpath.join("/", folder, targets[key])).lstrip("/")
    return None


def _column(letters: str) -> int:
    return reduce(lambda number, letter: 26 * number + ord(letter) - 64, letters.upper(), 0) - 1


if __name__ == "__main__":
    main()
