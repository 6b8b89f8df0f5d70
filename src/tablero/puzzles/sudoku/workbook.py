"""Workbooks (.xlsx, .xlsm, .ods) read row by row, by the standard library alone, whoever may have written them.

    part     a file inside the workbook, which is a zip archive of XML texts
    row      its number from 0, and what its cells hold by their columns from 0; rows without anything are left out
    blank    a cell that has a format of its own (a border, a colour), and nothing in it: the empty text
    formula  told as such: what it came to is not looked at, as the file may not even hold it

Nothing is believed: the sizes that a file tells of itself reserve no memory, cells are kept by their places, and every part
is read in pieces.  What is larger than any board or table of puzzles is refused.
"""

from __future__ import annotations

import io
import lzma
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, NamedTuple
from xml.parsers import expat

from tablero.errors import BadInput

MOST_BYTES = 1 << 28  # of a workbook
MOST_EXPANDED = 1 << 29  # of one of its parts
MOST_CELLS = 5_000_000  # of a sheet that are read: seconds, not minutes
MOST_ROWS, MOST_COLUMNS = 1 << 20, 1 << 14  # of a sheet: no program has more
_MOST_DIRECTORY = 1 << 22  # bytes of the list of parts
_MOST_TEXT = 1 << 15  # characters of a cell: no program allows more
_MOST_STRINGS = 1 << 28  # characters of all shared texts
_MOST_DEPTH = 64  # elements inside each other
_MOST_TOKEN = 1 << 20  # bytes of a tag or a comment: the parser begins it anew with every piece that comes
_MOST_ELEMENTS = 5 * MOST_CELLS  # of a part: a cell has up to four, and some cells are blank
_MOST_LINKS = 100_000  # elements of a list of sheets, or of parts
_MOST_NAMES = 10_000  # of elements and attributes: the parser keeps each
_MOST_BLANKS = 2_000_000  # cells of a sheet with a format and nothing in them
_PIECE = 1 << 16
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", re.ASCII)
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    expat.ExpatError,
    EOFError,
    KeyError,
    OSError,
    RuntimeError,  # among them: a password is needed, or a method of packing is unknown
    ValueError,
)


def _nothing(*_: object) -> None:
    pass


class Formula(NamedTuple):
    """A cell that is computed."""

    text: str


Value = str | int | float | bool | Formula
Row = tuple[int, dict[int, Value]]
Attributes = dict[str, str]


def cell_at(row: int, column: int) -> str:
    """The sheet's name of a cell, rows and columns from 0: C5 for (4, 2)."""
    return f"{column_at(column)}{row + 1}"


def column_at(column: int) -> str:
    """The sheet's name of a column from 0: C for 2."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(65 + letter) + name
    return name


def column_of(letters: str) -> int:
    """The number from 0 of a column named as C."""
    column = 0
    for letter in letters.upper():
        column = 26 * column + ord(letter) - 64
    return column - 1


def place_of(name: str) -> tuple[int, int]:
    """Row and column from 0 of a cell named as C5."""
    found = re.fullmatch(r"([A-Za-z]{1,3})([1-9]\d{0,6})", name.strip(), re.ASCII)
    if found:
        row, column = int(found[2]) - 1, column_of(found[1])
        if row < MOST_ROWS and column < MOST_COLUMNS:
            return row, column
    raise BadInput(f"the cell {name!r}: expected a letter and a number, as B2")


class Workbook:
    """A workbook: its sheets by name, and their rows."""

    def __init__(self, data: bytes | Path, source: str) -> None:
        """Of the bytes of a workbook, or of a file, which is read from where it is."""
        self._source = source
        try:
            with data.open("rb") if isinstance(data, Path) else io.BytesIO(data) as stream:
                self._check(stream)
            self._zip = zipfile.ZipFile(data if isinstance(data, Path) else io.BytesIO(data))
            parts = set(self._zip.namelist())
            self._is_ods = "content.xml" in parts
            self._targets = {} if self._is_ods else self._find_sheets()
            self.sheets = list(self._targets) if not self._is_ods else self._tables()
        except _BROKEN as error:
            raise self._broken(error) from None
        if not self.sheets:
            raise BadInput(f"{source}: a workbook without sheets")

    def _check(self, stream: IO[bytes]) -> None:
        """Refuse what is no workbook, or has a list of parts longer than any workbook has, before that is read."""
        if stream.read(4) == b"\xd0\xcf\x11\xe0":
            raise BadInput(f"{self._source}: an old or locked workbook: save it as .xlsx or .ods, without a password")
        size = stream.seek(0, io.SEEK_END)
        if size > MOST_BYTES:
            raise BadInput(f"{self._source}: a workbook of more than the {MOST_BYTES:,} bytes that are read")
        stream.seek(max(0, size - 66_000))
        tail = stream.read()
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) < at + 22:
            raise zipfile.BadZipFile("it is no zip archive")
        long = int.from_bytes(tail[at + 12 : at + 16], "little") > _MOST_DIRECTORY
        if long or tail[max(0, at - 20) : at].startswith(b"PK\x06\x07"):
            raise zipfile.BadZipFile("more parts than a workbook has")

    def rows(self, sheet: str) -> Iterator[Row]:
        """The rows of a sheet that hold something."""
        try:
            count = 0
            for row, cells in self._ods_rows(sheet) if self._is_ods else self._xlsx_rows(sheet):
                count += len(cells)
                if row >= MOST_ROWS or count > MOST_CELLS:
                    what = f"{MOST_ROWS:,} rows" if row >= MOST_ROWS else f"{MOST_CELLS:,} cells"
                    raise BadInput(f"{self._source}: the sheet {sheet!r} has more than the {what} that are read")
                if cells:
                    yield row, cells
        except _BROKEN as error:
            raise self._broken(error) from None

    def _broken(self, error: Exception) -> BadInput:
        if isinstance(error, BadInput) and str(error).startswith(self._source):
            return error
        words = " ".join(str(error).split()) or type(error).__name__
        return BadInput(f"{self._source}: not a spreadsheet that can be read ({words[:120]})")

    def _parse(
        self,
        part: str,
        start: Callable[[str, Attributes], None],
        most: int | None = None,
        **handlers: Callable[..., None],
    ) -> Iterator[None]:
        """Read a part of at most so many elements; control comes back after every piece.  Prefixes of names are left out."""
        most = _MOST_ELEMENTS if most is None else most
        info = self._zip.getinfo(part)
        if info.file_size > MOST_EXPANDED:
            raise BadInput(f"{self._source}: {part} holds more than the {MOST_EXPANDED:,} bytes that are read")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others are not read in pieces
            raise BadInput(f"{self._source}: {part} is packed as no spreadsheet is: expected a plain zip archive")
        parser = expat.ParserCreate()
        parser.buffer_text = True
        depth = elements = 0
        end = handlers.get("end", _nothing)

        def enter(tag: str, attributes: Attributes) -> None:
            nonlocal depth, elements
            depth += 1
            elements += 1
            if depth > _MOST_DEPTH:
                raise BadInput(f"{self._source}: {part} is nested more deeply than any spreadsheet")
            start(tag.rpartition(":")[2] if ":" in tag else tag, attributes)

        def leave(tag: str) -> None:
            nonlocal depth
            depth -= 1
            end(tag.rpartition(":")[2] if ":" in tag else tag)

        parser.StartElementHandler, parser.EndElementHandler = enter, leave
        parser.CharacterDataHandler = handlers.get("text", _nothing)
        parser.StartDoctypeDeclHandler = self._refuse_types
        with self._zip.open(info) as stream:
            fed = 0
            while piece := stream.read(_PIECE):
                parser.Parse(piece, False)
                fed += len(piece)
                if fed - parser.CurrentByteIndex > _MOST_TOKEN:
                    raise BadInput(f"{self._source}: {part} has a tag or a comment of more than {_MOST_TOKEN:,} bytes")
                if elements > most or len(parser.intern) > _MOST_NAMES:
                    what = f"{most:,} elements" if elements > most else f"{_MOST_NAMES:,} names of elements"
                    raise BadInput(f"{self._source}: {part} has more than the {what} that are read")
                yield
        parser.Parse(b"", True)
        yield

    def _refuse_types(self, *_: object) -> None:
        raise BadInput(f"{self._source}: declares types of its own, which no spreadsheet does")

    # .xlsx

    def _find_sheets(self) -> dict[str, str]:
        """The part of each sheet."""
        main = next(iter(self._links("_rels/.rels", "", "/officeDocument").values()))
        folder = posixpath.dirname(main)
        self._links_of_book = self._links(f"{folder}/_rels/{posixpath.basename(main)}.rels", folder, "")
        sheets = self._links(f"{folder}/_rels/{posixpath.basename(main)}.rels", folder, "/worksheet")
        found: dict[str, str] = {}

        def start(tag: str, attributes: Attributes) -> None:
            if tag == "sheet":
                link = next((value for name, value in attributes.items() if name.rpartition(":")[2] == "id"), "")
                if link in sheets:
                    found[attributes["name"]] = sheets[link]

        for _ in self._parse(main, start, _MOST_LINKS):
            pass
        return found

    def _links(self, part: str, folder: str, kind: str) -> dict[str, str]:
        """What a part of links leads to, by the names of the links; those of one kind only."""
        found: dict[str, str] = {}

        def start(tag: str, attributes: Attributes) -> None:
            if tag == "Relationship" and attributes["Type"].endswith(kind):
                target = attributes["Target"]
                whole = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
                found[attributes["Id"]] = posixpath.normpath(whole)

        for _ in self._parse(part, start, _MOST_LINKS):
            pass
        if not found:
            raise BadInput(f"{self._source}: not a spreadsheet that can be read (no {kind.strip('/')})")
        return found

    @cached_property
    def _strings(self) -> list[str]:
        """The texts that sheets share."""
        part = next((part for part in self._links_of_book.values() if part.endswith("sharedStrings.xml")), "")
        out: list[str] = []
        text = _Text()
        total = 0

        def end(tag: str) -> None:
            nonlocal total
            if tag == "si":
                out.append(text.take())
                total += len(out[-1])
                if total > _MOST_STRINGS or len(out) > MOST_CELLS:
                    raise BadInput(f"{self._source}: more text than the {_MOST_STRINGS:,} characters that are read")
            text.end(tag)

        if part:
            for _ in self._parse(part, text.start, end=end, text=text.add):
                pass
        return out

    def _xlsx_rows(self, sheet: str) -> Iterator[Row]:
        done: list[Row] = []
        cells: dict[int, Value] = {}
        row, column, kind = -1, -1, ""
        text, formula = _Text(), _Text("f")
        is_formula = is_formatted = False
        seen = blanks = 0

        def start(tag: str, attributes: Attributes) -> None:
            nonlocal row, column, kind, is_formula, is_formatted, cells, seen
            if tag == "row":
                row = int(attributes["r"][:10]) - 1 if "r" in attributes else row + 1
                column, cells = -1, {}
            elif tag == "c":
                seen += 1
                if seen > MOST_CELLS + _MOST_BLANKS:  # also where one place is filled again and again
                    what = f"{MOST_CELLS:,} cells"
                    raise BadInput(f"{self._source}: the sheet {sheet!r} has more than the {what} that are read")
                if "r" in attributes:
                    row, column = place_of(attributes["r"])
                else:
                    column += 1
                if column >= MOST_COLUMNS:
                    raise BadInput(
                        f"{self._source}: row {row + 1} has more than {MOST_COLUMNS:,} columns: no sheet has"
                    )
                kind, is_formula = attributes.get("t", "n"), False
                is_formatted = attributes.get("s", "0") != "0"
                text.take(), formula.take()
            else:
                is_formula = is_formula or tag == "f"
                text.start(tag, attributes)
                formula.start(tag, attributes)

        def end(tag: str) -> None:
            nonlocal blanks
            if tag == "c":
                value = self._value(kind, text.take())
                if is_formula:
                    value = Formula(f"={formula.take() or '…'}")
                if value != "":
                    cells[column] = value
                elif is_formatted:
                    cells[column] = ""
                    blanks += 1
                    if blanks > _MOST_BLANKS:
                        raise BadInput(f"{self._source}: more than {_MOST_BLANKS:,} blank cells with formats")
            elif tag == "row" and cells:
                if not 0 <= row < MOST_ROWS:
                    raise BadInput(f"{self._source}: row {row + 1:,}: no sheet has one")
                done.append((row, cells))
            text.end(tag)
            formula.end(tag)

        def add(data: str) -> None:
            text.add(data)
            formula.add(data)

        for _ in self._parse(self._targets[sheet], start, end=end, text=add):
            yield from done
            done.clear()

    def _value(self, kind: str, text: str) -> Value:
        match kind:
            case "s":
                strings = self._strings
                if not text.isdecimal() or int(text) >= len(strings):
                    raise BadInput(
                        f"{self._source}: not a spreadsheet that can be read (there is no text {text[:9]!r})"
                    )
                return strings[int(text)].strip()
            case "n":
                return number_of(text)
            case "b":
                return text.strip() == "1"
            case _:
                return text.strip()

    # .ods

    def _tables(self) -> list[str]:
        found: list[str] = []

        def start(tag: str, attributes: Attributes) -> None:
            if tag == "table" and "table:name" in attributes:
                found.append(attributes["table:name"])

        for _ in self._parse("content.xml", start):
            pass
        return found

    def _ods_rows(self, sheet: str) -> Iterator[Row]:
        done: list[tuple[int, int, dict[int, Value]]] = []  # row, how often it is repeated, cells
        cells: dict[int, Value] = {}
        here, row, column, repeat, again = False, 0, 0, 1, 1
        value: Value | None = None
        text = _Text("p")

        def times(attributes: Attributes, name: str, most: int) -> int:
            told = attributes.get(f"table:number-{name}-repeated", "1")
            count = int(told) if len(told) < 10 else most + 1
            if not 1 <= count <= most:
                raise BadInput(f"{self._source}: {told[:20]} {name} alike: no sheet is so large")
            return count

        def start(tag: str, attributes: Attributes) -> None:
            nonlocal here, row, column, repeat, again, value, cells
            if tag == "table":
                here = attributes.get("table:name") == sheet
            elif tag == "table-row":
                again, column, cells = times(attributes, "rows", MOST_ROWS), 0, {}
            elif tag in ("table-cell", "covered-table-cell"):
                repeat = times(attributes, "columns", MOST_COLUMNS)
                text.take()
                value = None
                if "table:formula" in attributes:
                    value = Formula("=" + attributes["table:formula"].partition("=")[2])
                elif attributes.get("office:value-type") == "float":
                    value = number_of(attributes.get("office:value", ""))
                elif attributes.get("office:value-type") == "boolean":
                    value = attributes.get("office:boolean-value") == "true"
            text.start(tag, attributes)

        def end(tag: str) -> None:
            nonlocal row, column
            text.end(tag)
            if tag in ("table-cell", "covered-table-cell") and here:
                shown = text.take().strip() if value is None else value
                if shown != "":
                    if column + repeat > MOST_COLUMNS:
                        raise BadInput(f"{self._source}: row {row + 1} has {column + repeat:,} columns: no sheet has")
                    cells.update(dict.fromkeys(range(column, column + repeat), shown))
                column += repeat
            elif tag == "table-row" and here:
                if cells:
                    done.append((row, again, cells))
                row += again

        for _ in self._parse("content.xml", start, end=end, text=text.add):
            for first, count, held in done:
                yield from ((first + k, held) for k in range(count))
            done.clear()


class _Text:
    """The text inside elements of some names, gathered until it is taken; readings of Japanese signs are left out."""

    def __init__(self, *tags: str) -> None:
        self._tags = tags or ("t", "v")
        self._inside = self._reading = 0
        self._pieces: list[str] = []
        self._length = 0

    def start(self, tag: str, attributes: Attributes) -> None:
        self._inside += tag in self._tags
        self._reading += tag == "rPh"

    def end(self, tag: str) -> None:
        self._inside -= tag in self._tags
        self._reading -= tag == "rPh"

    def add(self, data: str) -> None:
        if self._inside and not self._reading and self._length < _MOST_TEXT:
            self._pieces.append(data[: _MOST_TEXT - self._length])
            self._length += len(self._pieces[-1])

    def take(self) -> str:
        if not self._pieces:
            return ""
        whole = "".join(self._pieces)
        self._pieces, self._length = [], 0
        return whole


def number_of(text: str) -> Value:
    """A number as a file writes it; what is none, or is not finite, stays a text."""
    text = text.strip()
    if not _NUMBER.fullmatch(text) or len(text) > 30:
        return text
    value = float(text)
    if abs(value) > 1e15:
        return text
    return int(value) if value == int(value) else value
