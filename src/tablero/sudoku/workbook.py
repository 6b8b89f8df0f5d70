"""Read workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods) row by row with calamine (the extra `sheets`).

    row      its number from 0 and the values of its cells by column from 0; empty rows are skipped
    blank    an empty cell of an .xlsx with a format (a border, a colour): the empty text
    formula  its stored value; a `Formula` if the file has no value

calamine runs in a separate process with limited memory and time.  A malicious file ends that process, and an error is
reported.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import weakref
from collections import deque
from collections.abc import Iterator
from functools import reduce
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from tablero.errors import BadInput, MissingExtra

MOST_BYTES = 1 << 28  # bytes of a workbook
MOST_CELLS = 5_000_000  # cells of a sheet, read in seconds
MOST_ROWS, MOST_COLUMNS = 1 << 20, 1 << 14  # of a sheet, in all programs
_MOST_MEMORY = 1 << 31  # bytes of memory for calamine
_MOST_SECONDS = 60  # seconds of processor time
_MOST_EXPANDED = 1 << 30  # bytes of all uncompressed parts
_READER = Path(__file__).with_name("workbook_reader.py")


class Formula(NamedTuple):
    """A formula without a stored value."""

    text: str


Value = str | int | float | bool | Formula
Row = tuple[int, dict[int, Value]]


def cell_at(row: int, column: int) -> str:
    """Return the name of a cell from its row and column from 0: C5 for (4, 2)."""
    return f"{column_at(column)}{row + 1}"


def column_at(column: int) -> str:
    """Return the name of a column from 0: C for 2."""
    return "" if column < 0 else column_at(column // 26 - 1) + chr(65 + column % 26)


def place_of(name: str) -> tuple[int, int]:
    """Return the row and column from 0 of a cell with a name such as C5."""
    found = re.fullmatch(r"([A-Za-z]{1,3})([1-9]\d{0,6})", name.strip(), re.ASCII)
    if found:
        row = int(found[2]) - 1
        column = reduce(lambda number, letter: 26 * number + ord(letter) - 64, found[1].upper(), 0) - 1
        if row < MOST_ROWS and column < MOST_COLUMNS:
            return row, column
    raise BadInput(f"the cell {name!r}: expected a letter and a number, such as B2")


class Workbook:
    """The sheets of a workbook."""

    def __init__(self, data: bytes | Path, source: str) -> None:
        self._source = source
        if find_spec("python_calamine") is None:
            raise MissingExtra("reading a spreadsheet", "sheets")
        self._out = tempfile.TemporaryFile()  # noqa: SIM115  (closed by the finalizer)
        weakref.finalize(self, self._out.close)
        try:
            with data.open("rb") if isinstance(data, Path) else tempfile.TemporaryFile() as stream:
                if isinstance(data, bytes):
                    stream.write(data)
                    stream.seek(0)
                self._read(stream)
        except OSError as error:
            raise BadInput(f"{source}: {error.strerror or error}") from None
        self.sheets: list[str] = json.loads(next(self._lines()))
        if not self.sheets:
            raise BadInput(f"{source}: the workbook has no sheets")

    def named(self, sheet: str) -> list[str]:
        """Return the sheet of this name, or all sheets for an empty name."""
        if sheet and sheet not in self.sheets:
            raise BadInput(f"{self._source}: no sheet {sheet!r}: expected one of {', '.join(map(repr, self.sheets))}")
        return [sheet] if sheet else self.sheets

    def _read(self, stream: IO[bytes]) -> None:
        """Run the reader, which writes all sheets to a temporary file."""
        if os.fstat(stream.fileno()).st_size > MOST_BYTES:
            raise BadInput(f"{self._source}: expected a workbook of at most {MOST_BYTES:,} bytes")
        limits = map(str, (_MOST_MEMORY, _MOST_SECONDS, _MOST_EXPANDED))
        command = [sys.executable, "-P", str(_READER), *limits]
        done = subprocess.run(command, stdin=stream, stdout=self._out, stderr=subprocess.DEVNULL, check=False)
        last = next(iter(deque(self._lines(), maxlen=1)), b"")
        if last.startswith(b"{"):
            refusal = json.loads(last)
            match refusal["why"]:
                case "locked":
                    raise BadInput(f"{self._source}: the workbook is locked with a password")
                case "large":
                    raise BadInput(f"{self._source}: expected at most {_MOST_EXPANDED:,} bytes of uncompressed parts")
                case _:
                    raise BadInput(f"{self._source}: not a valid spreadsheet ({refusal['detail']})")
        if done.returncode or not last:
            memory, seconds = _MOST_MEMORY >> 20, _MOST_SECONDS
            raise BadInput(
                f"{self._source}: the spreadsheet cannot be read in {memory:,} MiB of memory and {seconds} s"
            )

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines that the reader printed; several iterations may run at once."""
        at, rest = 0, b""
        while self._out.seek(at) == at and (piece := self._out.read(1 << 20)):
            at += len(piece)
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines

    def rows(self, sheet: str) -> Iterator[Row]:
        """Yield the rows of a sheet that are not empty."""
        mark = b"[%d, " % self.sheets.index(sheet)
        count = 0
        for line in islice(self._lines(), 1, None):
            if not line.startswith(mark):
                continue
            _, row, held = json.loads(line)
            cells = {column: Formula(value) if kind else value for column, value, *kind in held}
            count += len(cells)
            if row >= MOST_ROWS or max(cells) >= MOST_COLUMNS:
                raise BadInput(f"{self._source}: the cell {cell_at(row, max(cells))} is beyond the largest sheet")
            if count > MOST_CELLS:
                raise BadInput(f"{self._source}: the sheet {sheet!r}: expected at most {MOST_CELLS:,} cells")
            yield row, cells
