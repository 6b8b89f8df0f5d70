"""Convert a command-line argument, a text, a file or a list of digits to one puzzle or a file of many puzzles.

A file of many puzzles has one puzzle per line, a column of puzzles in a table (.csv, .xlsx, .ods), or several boards in a
workbook.

    entry     the text of a puzzle, its place in the file, and its name if the table has names
    column    the column of puzzles in a table: the one requested, or the first that holds puzzles; puzzles with empty
              cells are preferred to full boards, because solutions are often stored beside their puzzles

Entries are read one at a time, so files may be larger than the memory.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from tablero.errors import BadInput
from tablero.files import Source, is_there, name_of, names_files, read_bytes, read_text, suffix_of
from tablero.sudoku.formats import (
    MOST_BYTES,
    SPREADSHEETS,
    blocks_of,
    is_many,
    is_workbook,
    make,
    names_file,
    parse,
    parse_line,
    read,
    values_of,
)
from tablero.sudoku.pencil import is_pencil, is_position
from tablero.sudoku.puzzle import Layout, Sudoku, side_of
from tablero.verbs.parameters import spell

_HEAD = 1 << 16  # bytes read to detect the format of a file
_LONGEST = 1 << 16  # bytes of a line
_CELLS = re.compile(r"[0-9.]*[0-9][0-9.]*")  # digits and empty cells, of any number
_ROWS = 30  # rows read to find the column of puzzles
_COLUMNS = 256  # columns of a sheet that are searched for puzzles
_SHOWN = 40  # characters of a formula in a message
_NAMES = ("name", "id", "title")  # headers of the column of names
_TABLES = (".csv", ".tsv")
_MOST_MARKS = 1 << 16  # bytes of a board with candidates


class Entry(NamedTuple):
    """The text of a puzzle in a file."""

    place: str
    text: str
    name: str = ""


@dataclass(frozen=True)
class Many:
    """A file of many puzzles: `entries` reads them, and `fraction` returns the fraction read so far."""

    source: str
    entries: Callable[[], Iterator[Entry]]
    fraction: Callable[[], float | None] = lambda: None
    single: bool = False  # whether it is a table or workbook with a single puzzle
    named: bool = False  # whether its puzzles have names
    many = True  # tested by the conditions on options


Asked = Sudoku | Many
SudokuLike = Sudoku | Many | Source | Sequence[int]


@dataclass(frozen=True, repr=False)
class Given(Sudoku):
    """A puzzle that was read with candidates, or from a table with one puzzle."""

    marks: str = ""  # a board with candidates, or a library line
    where: str = ""  # the source in messages about the candidates
    table: Many | None = None


def as_puzzle(value: SudokuLike) -> Asked:
    """Convert a text, a path, an open file or a list of digits to a puzzle, or to a file of many puzzles."""
    match value:
        case Sudoku() | Many():
            return value
        case str() | os.PathLike():
            return named(str(value))
        case io.IOBase():
            stream = _binary(value)
            return many_in(stream) or read(stream)
        case Sequence() if all(isinstance(digit, int) for digit in value):
            return make([int(digit) for digit in value], None, "the puzzle")
    raise BadInput(
        f"a Sudoku cannot be read from a {type(value).__name__}: expected a text, a list of digits or a file"
    )


def named(
    word: str, *, diagonals: bool = False, side: int | None = None, sheet: str = "", cell: str = "", column: str = ""
) -> Asked:
    """Read a puzzle, or a file of many puzzles, from a word: the cells themselves or the name of a file."""
    layout = Layout(side or 9, diagonals=True) if diagonals else Layout(side) if side else None
    if not names_files() or "\n" in word:
        return _given(parse(word, "the puzzle", layout), word, word)
    if not (diagonals or cell or side not in (None, 9)):  # puzzles in a table are plain
        many = many_in(word, column=column, sheet=sheet)
        if many is not None:
            return _given(one(many), "", "", many) if many.single else many
    elif column:
        others = " or ".join(map(spell, ("cell", "side", "diagonals")))
        raise BadInput(f"{spell('column')} cannot be combined with {others}")
    if diagonals and side is None and not is_spreadsheet(word):  # the number of cells gives the side
        plain = read_word(word, sheet=sheet, cell=cell)
        if not plain.layout.is_plain:
            raise BadInput(f"{word}: the sections define the rules: leave {spell('diagonals')} out")
        return make(plain.cells, Layout(plain.side, diagonals=True), word if names_file(word) else "the puzzle")
    puzzle = read_word(word, sheet=sheet, cell=cell, layout=layout)
    # Only a board without these options can have candidates.
    return puzzle if diagonals or side else _given(puzzle, _marks(word), word)


def read_word(word: str, *, sheet: str = "", cell: str = "", layout: Layout | None = None) -> Sudoku:
    """Read a puzzle from its cells or from a file."""
    if names_file(word):
        if _CELLS.fullmatch(word) and not is_there(word):
            raise BadInput(f"the puzzle {word}: {len(word)} cells: expected 16, 36, 81, 144, 256 or 625, or a file")
        return read(word, sheet=sheet, cell=cell, layout=layout)
    return parse_line(word, "the puzzle", layout)


def read_many(source: Source, layout: Layout | None = None, *, column: str = "", sheet: str = "") -> Iterator[Sudoku]:
    """Read the puzzles of a file one at a time.

    Parameters
    ----------
    source
        A path, an open file, or "-" for standard input: a file with one puzzle per line, a table (.csv, .xlsx, .ods), a
        workbook with several boards, or a file with one puzzle.
    layout
        Rules of the puzzles; by default, the plain rules.
    column
        Column of the puzzles in a table: header, number or letter.
    sheet
        Sheet of the workbook; by default, all sheets.

    Yields
    ------
    Sudoku
        The next puzzle.

    Raises
    ------
    BadInput
        If the file cannot be read or an entry is not a puzzle.
    """
    source = _binary(source)
    many = many_in(source, column=column, sheet=sheet)
    if many is None:
        yield read(source, sheet=sheet, layout=layout)
    else:
        for entry in many.entries():
            yield parse_line(entry.text, entry.place, layout)


def _given(puzzle: Sudoku, text: str, word: str, table: Many | None = None) -> Sudoku:
    marks = text if text and is_position(text) else ""
    if not marks and table is None:
        return puzzle
    return Given(puzzle.cells, puzzle.layout, marks, word if len(word) < 80 else "the position", table)


def _marks(word: str) -> str:
    """Return the text of a word or of a small file that may hold candidates."""
    if not is_there(word):
        return word
    path = Path(word)
    if not path.is_file() or suffix_of(word) in SPREADSHEETS or path.stat().st_size > _MOST_MARKS:
        return ""
    return read_text(word)


def one(puzzle: Any) -> Sudoku:
    """Return the only puzzle; a file of several puzzles is an error."""
    if isinstance(puzzle, Sudoku):
        return puzzle
    entries = list(puzzle.entries())
    if len(entries) != 1:
        places = ", ".join(entry.name for entry in entries[:5] if entry.name)
        sheet, cell = spell("sheet"), spell("cell")
        which = f": choose one with {sheet} and {cell} ({places})" if places else ""
        raise BadInput(f"{puzzle.source}: {len(entries):,} puzzles, expected one{which}")
    return parse_line(entries[0].text, entries[0].place)


# Files of many puzzles


class Column(NamedTuple):
    """The column of puzzles in a table."""

    at: int
    name: int | None  # the column of names
    has_head: bool


def many_in(source: Source, *, column: str = "", sheet: str = "") -> Many | None:
    """Return the puzzles of a file of several; None if it holds one puzzle or none."""
    name = name_of(source)
    if isinstance(source, str) and not names_file(source):
        return None
    head = _head(source)
    if suffix_of(source) in SPREADSHEETS or is_workbook(head):
        is_path = isinstance(source, (str, os.PathLike)) and Path(source).is_file()
        return _in_workbook(Path(name) if is_path else read_bytes(source, MOST_BYTES), name, column, sheet)
    if sheet:
        raise BadInput(f"{name}: not a spreadsheet: leave {spell('sheet')} out")
    whole = head if len(head) < _HEAD else head[: head.rfind(b"\n") + 1]
    text = whole.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    if len(head) < _HEAD and is_pencil(text):
        return None
    separator = _separator(text)
    if column or suffix_of(source) in _TABLES or not is_many(text):
        try:
            rows = [row for _, row in islice(_parsed(io.StringIO(text, newline=""), separator), _ROWS)]
        except BadInput:
            if column or suffix_of(source) in _TABLES:
                raise
            rows = []
        if found := _column(rows, column, name):
            many = _streamed(source, lambda stream: _from_csv(stream, name, separator, found))
            return replace(many, single=_is_single(rows, found), named=found.name is not None)
    if is_many(text):
        return _streamed(source, lambda stream: _from_lines(stream, name))
    if blocks := blocks_of(text) if len(head) < _HEAD else None:
        return Many(name, lambda: (Entry(f"{name}:{line}", cells) for line, cells in blocks))
    return None


def is_spreadsheet(word: str) -> bool:
    """Whether a word names a spreadsheet."""
    return names_file(word) and (suffix_of(word) in SPREADSHEETS or is_workbook(_head(word)))


def _binary(source: Source) -> Source:
    """The source; for a text stream, a stream of its bytes."""
    if not isinstance(source, io.TextIOBase):
        return source
    stream = getattr(source, "buffer", None)
    if stream is None:  # text in memory
        stream = io.BytesIO(read_bytes(source, MOST_BYTES))
        stream.name = name_of(source)
    return stream


def _head(source: Source) -> bytes:
    """Return the first bytes of a source without consuming them; nothing if it cannot be read twice."""
    try:
        if isinstance(source, (str, os.PathLike)) and str(source) != "-":
            if not Path(source).is_file():
                return b""
            with Path(source).open("rb") as file:
                return file.read(_HEAD)
        stream = sys.stdin.buffer if isinstance(source, (str, os.PathLike)) else source
        if isinstance(stream, io.BufferedReader):
            return bytes(stream.peek(_HEAD))
        if isinstance(stream, io.BufferedIOBase) and stream.seekable():
            at = stream.tell()
            head = stream.read(_HEAD)
            stream.seek(at)
            return bytes(head)
    except (OSError, ValueError) as error:
        raise BadInput(f"{name_of(source)}: {getattr(error, 'strerror', None) or error}") from None
    return b""


@contextmanager
def _opened(source: Source) -> Iterator[IO[bytes]]:
    """Open a source as a stream of bytes."""
    if not isinstance(source, (str, os.PathLike)):
        yield source if isinstance(source, io.BufferedIOBase) else io.BytesIO(read_bytes(source, MOST_BYTES))
    elif str(source) == "-":
        yield sys.stdin.buffer
    else:
        with ExitStack() as stack:
            try:
                stream = stack.enter_context(Path(source).open("rb"))
            except OSError as error:
                raise BadInput(f"{source}: {error.strerror or error}") from None
            yield stream


def _streamed(source: Source, read: Callable[[IO[bytes]], Iterator[Entry]]) -> Many:
    """Return a file of many puzzles that is read on demand."""
    reading: IO[bytes] | None = None
    is_over = False

    def entries() -> Iterator[Entry]:
        nonlocal reading, is_over
        with _opened(source) as reading:
            yield from read(reading)
            is_over = True

    def fraction() -> float | None:
        try:
            return 1.0 if is_over or reading is None else reading.tell() / os.fstat(reading.fileno()).st_size
        except (OSError, ValueError, ZeroDivisionError):  # the length of a pipe is unknown
            return None

    return Many(name_of(source), entries, fraction)


def _from_lines(stream: IO[bytes], source: str) -> Iterator[Entry]:
    """Yield the puzzle of each line; skip comments and blank lines."""
    for number, line in enumerate(_lines(stream, source), 1):
        text = line.rstrip("\r\n")
        if not text.startswith("#") and (text.strip() or side_of(len(text))):
            yield Entry(f"{source}:{number}", text)


def _lines(stream: IO[bytes], source: str) -> Iterator[str]:
    """Yield the lines of a stream; a line that is too long for a puzzle and its comment is an error."""
    number = 0
    while line := stream.readline(_LONGEST):
        number += 1
        if len(line) == _LONGEST:
            raise BadInput(f"{source}:{number}: a line of {_LONGEST:,} bytes or more: expected a puzzle")
        text = line.decode("utf-8", "replace")
        yield text.removeprefix("\ufeff") if number == 1 else text


# Columns of tables


def _separator(text: str) -> str:
    """Return the separator of the fields of a table."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=first.count)


def _parsed(stream: Iterable[str], separator: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the rows of a table with their line numbers."""
    reader = csv.reader(stream, delimiter=separator)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadInput(f"line {reader.line_num}: {error}: expected fields separated by {separator!r}") from None
        if any(row):
            yield reader.line_num, row


def _column(rows: Sequence[Sequence[str]], wanted: str, source: str) -> Column | None:
    """Return the column of puzzles in a table with these first rows."""
    if not rows:
        return None
    head = [field.strip() for field in rows[0]]
    width = max(map(len, rows))
    held = [[row[k].strip() for row in rows if k < len(row) and row[k].strip()] for k in range(width)]
    puzzles = [[values for field in fields if (values := values_of(field))] for fields in held]
    if wanted:
        index = _named(wanted, head, width, source)
        if not puzzles[index]:
            raise BadInput(
                f"{source}: the column {wanted!r} holds no puzzles: expected the cells of a puzzle in each row"
            )
    else:
        likely = [k for k in range(width) if puzzles[k] and 2 * len(puzzles[k]) >= len(held[k]) - 1]
        if not likely:
            return None
        index = next((k for k in likely if any(0 in values for values in puzzles[k])), likely[0])
    has_head = index >= len(head) or not values_of(head[index])
    low = [field.lower() for field in head]
    names = [low.index(name) for name in _NAMES if has_head and name in low and low.index(name) != index]
    return Column(index, names[0] if names else None, has_head)


def _is_single(rows: Sequence[Sequence[str]], column: Column) -> bool:
    """Whether a table with these first rows has one puzzle."""
    return len(rows) < _ROWS and len(list(_from_rows((("", row) for row in rows), column))) == 1


def _named(wanted: str, head: Sequence[str], width: int, source: str) -> int:
    """Find a column by its header, its number from 1, or its letter."""
    low = [field.lower() for field in head]
    if wanted.lower() in low:
        return low.index(wanted.lower())
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:6]) <= width:
        return int(wanted) - 1
    if len(wanted) == 1 and "A" <= wanted.upper() <= "Z" and ord(wanted.upper()) - 65 < width:
        return ord(wanted.upper()) - 65
    shown = ", ".join(repr(field[:20]) for field in head[:8])
    raise BadInput(f"{source}: no column {wanted!r}: expected one of {shown}")


def _from_rows(rows: Iterable[tuple[str, Sequence[str]]], column: Column) -> Iterator[Entry]:
    """Yield the puzzles in a column; skip rows without one."""
    for place, row in islice(rows, int(column.has_head), None):
        text = row[column.at].strip() if column.at < len(row) else ""
        if text:
            name = row[column.name].strip() if column.name is not None and column.name < len(row) else ""
            yield Entry(place, text, name)


def _from_csv(stream: IO[bytes], source: str, separator: str, column: Column) -> Iterator[Entry]:
    rows = ((f"{source}:{number}", row) for number, row in _parsed(_lines(stream, source), separator))
    yield from _from_rows(rows, column)


def _in_workbook(data: bytes | Path, source: str, column: str, sheet: str) -> Many | None:
    """Return the puzzles in columns of the sheets, or the boards on them."""
    from tablero.sudoku import sheets
    from tablero.sudoku.workbook import Formula, Workbook, cell_at

    book = Workbook(data, source)
    sheets_asked = book.named(sheet)

    def rows(name: str, puzzles: Column | None = None) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows of a sheet; a formula in the column of puzzles is an error."""
        is_head = puzzles is not None and puzzles.has_head
        for number, cells in book.rows(name):
            if any(value != "" for value in cells.values()):
                value = cells.get(puzzles.at) if puzzles is not None and not is_head else None
                if isinstance(value, Formula) and puzzles is not None:
                    where = f"{source}: {name!r} {cell_at(number, puzzles.at)}"
                    raise BadInput(f"{where}: the formula {value.text[:_SHOWN]} has no stored value: expected a puzzle")
                is_head = False
                yield number, [_shown(cells.get(k, "")) for k in range(min(max(cells) + 1, _COLUMNS))]

    tables: list[tuple[str, Column]] = []
    refusals: list[BadInput] = []
    single = True
    for name in sheets_asked:
        head = [row for _, row in islice(rows(name), _ROWS)]
        try:
            found = _column(head, column, source)
        except BadInput as error:  # the column may be on another sheet
            refusals.append(error)
            try:
                at = _named(column, [field.strip() for field in head[0]], max(map(len, head)), source)
                deque(islice(rows(name, Column(at, None, has_head=False)), _ROWS), maxlen=0)
            except BadInput as why:  # the column holds formulas
                refusals[-1] = why
            continue
        if found is not None:
            single = single and not tables and _is_single(head, found)
            tables.append((name, found))
    if tables:

        def entries(name: str, found: Column) -> Iterator[Entry]:
            where = f"{source}: " if len(book.sheets) == 1 else f"{source}: {name!r} "
            return _from_rows(((where + cell_at(number, found.at), row) for number, row in rows(name, found)), found)

        named = any(found.name is not None for _, found in tables)
        return Many(
            source, lambda: chain.from_iterable(entries(*table) for table in tables), single=single, named=named
        )
    if column:
        raise next(iter(refusals), BadInput(f"{source}: no column {column!r}: the sheet is empty"))
    found_boards = sheets.open_ones(sheets.boards(data, source, sheet=sheet))
    placed = [Entry(f"{source}: {one.name}", one.puzzle.line(), one.name) for one in found_boards]
    return Many(source, lambda: iter(placed), single=len(placed) == 1, named=True)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else str(getattr(value, "text", value))  # the text of a formula
