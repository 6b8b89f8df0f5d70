"""The puzzle, or the file of many puzzles, that a command-line argument, a text or a Python value stands for."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablero.errors import BadInput
from tablero.files import Source, is_there, names_files, read_text, suffix_of
from tablero.sudoku.formats import SPREADSHEETS, make, names_file, parse, parse_line, read
from tablero.sudoku.pencil import is_position
from tablero.sudoku.puzzle import Layout, Sudoku
from tablero.sudoku.tables import Many, is_spreadsheet, many_in
from tablero.verbs.parameters import spell

_MOST_MARKS = 1 << 16  # bytes of a board with candidates

Asked = Sudoku | Many
SudokuLike = Sudoku | Many | Source | Sequence[int]


@dataclass(frozen=True, repr=False)
class Given(Sudoku):
    """A puzzle with candidates, or from a table with one puzzle."""

    marks: str = ""  # the text of a board with candidates, or of a library line
    where: str = ""
    table: Many | None = None


def as_puzzle(value: SudokuLike) -> Asked:
    """The puzzle itself, or what a text, a path or a list of digits stands for."""
    match value:
        case Sudoku() | Many():
            return value
        case str() | os.PathLike():
            return named(str(value))
        case io.IOBase():
            stream = getattr(value, "buffer", value)  # the bytes of a text file
            return many_in(stream) or read(stream)
        case Sequence() if all(isinstance(digit, int) for digit in value):
            return make([int(digit) for digit in value], None, "the puzzle")
    raise BadInput(f"a {type(value).__name__} as a Sudoku: expected its cells as a text, a list of digits, or a file")


def named(
    word: str, *, diagonals: bool = False, side: int | None = None, sheet: str = "", cell: str = "", column: str = ""
) -> Asked:
    """The puzzle, or the puzzles, that a word stands for: cells, or a file."""
    layout = Layout(side or 9, diagonals=True) if diagonals else Layout(side) if side else None
    if not names_files() or "\n" in word:
        return _given(parse(word, "the puzzle", layout), word, word)
    if not (diagonals or cell or side not in (None, 9)):  # the puzzles of a table are plain
        many = many_in(word, column=column, sheet=sheet)
        if many is not None:
            return _given(one(many), "", "", many) if many.single else many
    elif column:
        others = ", ".join(map(spell, ("cell", "side", "diagonals")))
        raise BadInput(f"{spell('column')} is for plain puzzles in a table: leave {others} out")
    if diagonals and side is None and not is_spreadsheet(word):  # the cells tell the side
        plain = read_word(word, sheet=sheet, cell=cell)
        if not plain.layout.is_plain:
            raise BadInput(f"{word}: a file with sections says its own rules: leave {spell('diagonals')} out")
        return make(plain.cells, Layout(plain.side, diagonals=True), word if names_file(word) else "the puzzle")
    puzzle = read_word(word, sheet=sheet, cell=cell, layout=layout)
    # A board with candidates is read without a side and without diagonals.
    return puzzle if diagonals or side else _given(puzzle, _marks(word), word)


def read_word(word: str, *, sheet: str = "", cell: str = "", layout: Layout | None = None) -> Sudoku:
    """The puzzle that a word stands for: the cells themselves, or else a file."""
    if names_file(word):
        return read(word, sheet=sheet, cell=cell, layout=layout)
    return parse_line(word, "the puzzle", layout)


def read_many(source: Source, layout: Layout | None = None, *, column: str = "", sheet: str = "") -> Iterator[Sudoku]:
    """Read the puzzles of a file one by one: lines, a column of a table (.csv, .xlsx), boards of a workbook; or just one."""
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
    """The text of a word, or of a small file, that may hold candidates."""
    if not is_there(word):
        return word
    path = Path(word)
    if not path.is_file() or suffix_of(word) in SPREADSHEETS or path.stat().st_size > _MOST_MARKS:
        return ""
    return read_text(word)


def one(puzzle: Any) -> Sudoku:
    """The one puzzle; a file of many is refused."""
    if isinstance(puzzle, Sudoku):
        return puzzle
    entries = list(puzzle.entries())
    if len(entries) != 1:
        places = ", ".join(entry.name for entry in entries[:5] if entry.name)
        sheet, cell = spell("sheet"), spell("cell")
        which = f": say which with {sheet} and {cell} ({places})" if places else ""
        raise BadInput(f"{puzzle.source}: {len(entries):,} puzzles, expected one{which}")
    return parse_line(entries[0].text, entries[0].place)
