"""Boards with pencil marks: their candidates, and the formats in which programs store them.

    grid         a word of candidates for each cell, with or without frames around the boxes: the pencil-mark grid that
                 HoDoKu and Simple Sudoku copy to the clipboard.  A single digit is a filled cell, unless a cell of its units
                 still has the digit as a candidate
    line         one character for each digit of each cell, the digit or a point: 729 characters for 9×9
    .sdx         the format of SudoCue: a grid in which u marks a filled cell that was not given.  As written here, a point
                 follows a single candidate, as in 5., and 0. is a cell without candidates, so that reading is exact
    SadMan       an .sdk with sections: [Puzzle] for clues, [State] for filled cells, [PencilMarks] for candidates
    sections     the format of tablero: board: for the clues and candidates:, where +5 is a filled cell that was not given.
                 It holds boards of every side and kind completely

HoDoKu's library lines are a format of their own: this module reads their cells, and `logic.library` reads their positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablero.errors import BadInput
from tablero.sudoku.puzzle import BOXES, SIDES, SYMBOLS, Cells, Layout, Sudoku, cell_name, to_line
from tablero.sudoku.reasons import Pencil, Reason, marks_of, pencil_of, reason
from tablero.text import unknown
from tablero.verbs import BadValue, Document

if TYPE_CHECKING:
    from tablero.sudoku.reading import Many

_FORM_OF = {".sdx": "sdx", ".sdk": "sadman", ".sdm": "line"}  # by suffix; a grid for other suffixes
_LINES = {side**3: side for side in SIDES}
_BLANK = ".0*_-"
_LIBRARY = 81  # cells of a library line
_COLONS = 2  # the most colons in a row of a framed grid
_FRAME = str.maketrans(dict.fromkeys("|:│+'*", " "))


@dataclass(frozen=True)
class Candidates:
    """The candidates of each empty cell of a board, and the reason of one of them."""

    pencil: Pencil
    why: Reason | None = None
    form: str | None = None

    status = "complete"

    def text(self, suffix: str = "") -> str:
        """The candidates as text, in the requested form or the form of files with this suffix."""
        plain = self.pencil.puzzle.layout.is_plain
        return write(self.pencil, self.form or _FORM_OF.get(suffix, "grid" if plain else "sections"))

    def text_for(self, path: Path) -> str:
        return self.text(path.suffix.lower())

    def to_dict(self) -> dict[str, Any]:
        """The candidates as a JSON object."""
        values = {"status": self.status, "cells": self.pencil.puzzle.line(), "candidates": self.pencil.values()}
        return {**values, **({"of": self.why.values()} if self.why else {})}

    def lines(self) -> Iterator[str]:
        yield from [self.why.sentence] if self.why else self.text().splitlines()

    def remarks(self) -> Iterator[str]:
        yield from ()

    def without_text(self) -> Candidates | Document:
        """The rest of the answer after the text was written to a file."""
        return self if self.why else Document("", self.to_dict(), status=self.status)

    def __str__(self) -> str:
        return "\n".join(self.lines())


def candidates(puzzle: Sudoku | Many, *, of: str = "", form: str | None = None) -> Candidates:
    """Return the candidates that the file of a puzzle has, or else those of the puzzle; explain those of the cell `of`."""
    from tablero.sudoku.logic.library import parse_position
    from tablero.sudoku.reading import Given, one

    puzzle = one(puzzle)
    if not isinstance(puzzle, Given) or not puzzle.marks:
        pencil = pencil_of(puzzle)
    elif line := library_line(puzzle.marks):
        position = parse_position(line, puzzle.where)
        pencil = Pencil(Sudoku(tuple(position.values), puzzle.layout), tuple(position.cands), position.puzzle.cells)
    else:
        pencil = parse(puzzle.marks, puzzle.where)
    board = pencil.puzzle
    found = Candidates(pencil, reason(board.layout, board.cells, _cell(of, board.side)) if of else None, form)
    if form is not None:
        found.text()  # raises an error if the form cannot hold the board
    return found


def _cell(name: str, side: int) -> int:
    """Parse the name of a cell, such as r6c3."""
    found = re.fullmatch(r"r(\d{1,2})c(\d{1,2})", name.strip().lower(), re.ASCII)
    if not found or not (1 <= int(found[1]) <= side and 1 <= int(found[2]) <= side):
        raise BadValue("of", name, f"row and column from 1 to {side}, as r6c3")
    return side * (int(found[1]) - 1) + int(found[2]) - 1


# Reading


def is_library_line(line: str) -> bool:
    """Whether a line is a library line of HoDoKu, `:code:digits:cells:…`."""
    return line.lstrip().startswith(":") and line.count(":") > _COLONS


def library_cells(line: str, where: str) -> tuple[Cells, Cells]:
    """The given cells of a library line, and its filled cells, which are marked with +."""
    fields = line.strip().split(":")
    if fields[0] or len(fields) < 5:
        raise BadInput(f"{where}: expected a library line, :code:digits:cells:deleted:…")
    given, filled = [0] * _LIBRARY, [0] * _LIBRARY
    at, plus = 0, False
    for column, mark in enumerate(fields[3].strip(), 1):
        if mark == "+" and not plus:
            plus = True
            continue
        if mark not in "0123456789." or at == _LIBRARY or (plus and mark in "0."):
            raise BadInput(
                f"{where}: cells, character {column} is {mark!r}: expected 81 digits or points, + before a digit"
            )
        (filled if plus else given)[at] = int(mark) if mark != "." else 0
        at, plus = at + 1, False
    if at != _LIBRARY or plus:
        raise BadInput(f"{where}: {at} cells: expected {_LIBRARY}")
    return tuple(given), tuple(filled)


def is_pencil(text: str) -> bool:
    """Whether a text is a board with candidates or with filled cells that were not given."""
    lines = _body(text)
    if any(map(is_library_line, lines)):
        return False
    if any(re.match(r"\s*(\[PencilMarks\]|candidates\s*:)", line, re.IGNORECASE) for line in lines):
        return True
    if len(lines) == 1 and len(lines[0].strip()) in _LINES:
        return True
    words = _rows(lines)
    side = len(words)
    square = side in SIDES and all(len(row) == side for row in words)
    return square and (_is_framed(_lines(text)) or any(len(word) > 1 for row in words for word in row))


def parse(text: str, source: str = "text") -> Pencil:
    """Read a board with candidates in any of the forms.

    Parameters
    ----------
    text
        The content of the file.
    source
        The name of the text in error messages.

    Raises
    ------
    BadInput
        If the text is not such a board.
    """
    lines = _body(text)
    if not lines:
        raise BadInput(f"{source}: empty; expected a board with candidates")
    try:
        first = _lines(text)[0]  # `formats.parse` decides by this line, too
        if first.strip().startswith("["):
            return _parse_sadman(_lines(text))
        if re.match(r"\s*[A-Za-z]+\s*:", first):
            return _parse_sections(text, source)
        words = _rows(lines)
        return _parse_words(words) if len(words) > 1 else _parse_line(lines[0].strip())
    except BadInput as error:
        text = str(error)
        raise BadInput(text if text.startswith(source) else f"{source}: {text}") from None


def _lines(text: str) -> list[str]:
    """The lines that are not comments."""
    return [line for line in text.removeprefix("\ufeff").splitlines() if line.strip() and not line.startswith("#")]


def _body(text: str) -> list[str]:
    """The lines that are not frames.  A row of a framed grid, or a `line`, can consist of points alone."""
    lines = _lines(text)
    if _is_framed(lines) and (rows := [line for line in lines if line.lstrip().startswith("|")]):
        return rows
    if len(lines) == 1 and len(lines[0].strip()) in _LINES and not lines[0].strip().strip("."):
        return lines
    return [line for line in lines if re.search(r"[0-9A-Za-z]", line)]


def _is_framed(lines: Sequence[str]) -> bool:
    """Whether the first line is the upper edge of a grid, as `.-----.-----.`."""
    return bool(lines) and bool(re.fullmatch(r"\s*\.(-+\.)+\s*", lines[0]))


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """The words of each row; all rows can be in one line."""
    rows = [line.translate(_FRAME).split() for line in lines]
    side = isqrt(len(rows[0])) if len(rows) == 1 else 0
    if side in SIDES and side * side == len(rows[0]):
        return [rows[0][k : k + side] for k in range(0, side * side, side)]
    return rows


def _mask(word: str, side: int, where: str) -> int:
    """Parse the candidates of a cell."""
    digits = 0
    for mark in word.upper():
        digit = SYMBOLS.find(mark)
        if not 1 <= digit <= side or digits >> digit & 1:
            raise BadInput(f"{where}: the candidates {word[:30]!r}: expected different digits from 1 to {side}")
        digits |= 1 << digit
    return digits


def _masks(words: Iterable[str], side: int) -> list[int]:
    """Parse the candidates of each cell."""
    return [0 if word in _BLANK else _mask(word, side, cell_name(cell, side)) for cell, word in enumerate(words)]


def _checked(rows: Sequence[Sequence[str]], side: int, what: str, fields: str) -> list[str]:
    """The words of `side` rows with `side` words each."""
    if len(rows) != side or any(len(row) != side for row in rows):
        raise BadInput(f"{what}: expected {side} rows of {side} {fields}")
    return [word for row in rows for word in row]


def _parse_words(rows: Sequence[Sequence[str]]) -> Pencil:
    side = len(rows)
    if side not in SIDES or any(len(row) != side for row in rows):
        wrong = next((row for row in rows if len(row) != side), ())
        raise BadInput(f"{side} rows of candidates, one with {len(wrong)} cells: expected as many cells as rows")
    words = [word for row in rows for word in row]
    placed = {k for k, word in enumerate(words) if len(word) == 2 and word[0] == "u"}  # SudoCue: filled, not given
    lone = {k for k, word in enumerate(words) if len(word) == 2 and word[0] != "u" and word[1] == "."}
    words = [word[1:] if k in placed else word[:1] if k in lone else word for k, word in enumerate(words)]
    return _from_masks(_masks(words, side), Layout(side), placed, lone)


def _from_masks(masks: Sequence[int], layout: Layout, placed: Iterable[int] = (), lone: Iterable[int] = ()) -> Pencil:
    """Decide which cells with one digit are filled: those in whose units and cages no other cell has the digit.

    The cells in `placed` are filled; the cells in `lone` are empty and have one candidate.
    """
    near: list[set[int]] = [set() for _ in range(layout.size)]
    for group in [*(unit.cells for unit in layout.units), *(cage.cells for cage in layout.cages)]:
        for cell in group:
            near[cell].update(group)
    known, open_cells = set(placed), set(lone)
    filled = [0] * layout.size
    for cell, digits in enumerate(masks):
        if digits.bit_count() != 1 or cell in open_cells:
            continue
        if cell in known or not any(masks[other] & digits for other in near[cell] - {cell}):
            filled[cell] = digits.bit_length() - 1
    given = [0 if cell in known else digit for cell, digit in enumerate(filled)] if known else ()
    return _pencil(filled, masks, layout, given)


def _pencil(cells: Sequence[int], masks: Sequence[int], layout: Layout, given: Sequence[int]) -> Pencil:
    """A board with the candidates of its empty cells."""
    kept = tuple(0 if digit else mask for digit, mask in zip(cells, masks, strict=True))
    return Pencil(Sudoku(tuple(cells), layout), kept, tuple(given))


def _parse_line(line: str) -> Pencil:
    side = _LINES.get(len(line))
    if side is None:
        raise BadInput(f"{len(line)} characters: expected {', '.join(map(str, _LINES))}, a place for each candidate")
    masks = []
    for cell in range(side * side):
        part = line[cell * side : (cell + 1) * side].upper()
        for k, mark in enumerate(part, 1):
            if mark not in _BLANK and mark != SYMBOLS[k]:
                raise BadInput(f"character {cell * side + k} is {mark!r}: expected {SYMBOLS[k]} or a point")
        masks.append(sum(1 << k for k, mark in enumerate(part, 1) if mark not in _BLANK))
    return _from_masks(masks, Layout(side))


def _parse_sadman(lines: Sequence[str]) -> Pencil:
    parts: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        if found := re.fullmatch(r"\s*\[(\w+)\]\s*", line):
            name = found[1].lower()
            parts[name] = []
        else:
            parts.setdefault(name, []).append(line)
    if not parts.get("puzzle"):
        raise BadInput("no section [Puzzle] with rows")
    given = _board(parts["puzzle"])
    side = len(parts["puzzle"])
    cells = _board(parts["state"]) if parts.get("state") else given
    if len(cells) != len(given):
        raise BadInput(f"[State]: expected {side} rows of {side} cells")
    whole = Sudoku(tuple(one or two for one, two in zip(cells, given, strict=True)), Layout(side))
    if not parts.get("pencilmarks"):
        return Pencil(whole, pencil_of(whole).candidates, given)
    rows = [[word.strip() for word in line.split(",")] for line in parts["pencilmarks"]]
    return _pencil(whole.cells, _masks(_checked(rows, side, "[PencilMarks]", "fields"), side), whole.layout, given)


def _board(rows: Sequence[str]) -> Cells:
    side = len(rows)
    if side not in SIDES or any(len(row.strip()) != side for row in rows):
        raise BadInput(f"a board of {side} rows: expected as many cells in each")
    cells = []
    for cell, mark in enumerate("".join(row.strip() for row in rows).upper()):
        if mark not in _BLANK + "X" and mark not in SYMBOLS:
            raise BadInput(f"{cell_name(cell, side)}: {mark!r}: expected a digit or a point")
        cells.append(0 if mark in _BLANK + "X" else SYMBOLS.index(mark))
    return tuple(cells)


def _parse_sections(text: str, source: str) -> Pencil:
    from tablero.sudoku import formats

    puzzle = formats.parse_clues(text, source)
    side = puzzle.side
    words = _checked([line.split() for line in formats.section(text, "candidates")], side, "candidates", "words")
    masks = _masks([word if word in _BLANK else word.lstrip("+") for word in words], side)
    filled = list(puzzle.cells)
    for cell, (word, mask) in enumerate(zip(words, masks, strict=True)):
        if word.startswith("+"):
            if mask.bit_count() != 1 or puzzle.cells[cell]:
                raise BadInput(
                    f"{cell_name(cell, side)}: {word[:20]!r}: expected + and a digit, in a cell that is not given"
                )
            filled[cell] = mask.bit_length() - 1
    return _pencil(filled, masks, puzzle.layout, puzzle.cells)


def library_line(text: str) -> str:
    """The library line that a text consists of; empty for any other text."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return lines[0] if len(lines) == 1 and is_library_line(lines[0]) else ""


def is_position(text: str) -> bool:
    """Whether a text is a position with candidates and not only a puzzle."""
    return bool(library_line(text)) or is_pencil(text)


# Writing


def write(pencil: Pencil, form: str = "grid") -> str:
    """A board with its candidates as text.

    Raises
    ------
    BadInput
        If there is no such form, or it cannot hold the board.
    """
    if form not in _WRITERS:
        raise BadInput(unknown("the form", form, _WRITERS))
    layout = pencil.puzzle.layout
    if form != "sections" and not layout.is_plain:
        raise BadInput(f"the form {form!r} holds no {layout.kind} board: expected sections")
    return _WRITERS[form](pencil)


def _split(items: Sequence[str], side: int) -> list[Sequence[str]]:
    """The rows of a board."""
    return [items[k : k + side] for k in range(0, len(items), side)]


def _words(pencil: Pencil) -> list[str]:
    """The digit or the candidates of each cell."""
    both = zip(pencil.puzzle.cells, pencil.candidates, strict=True)
    return [SYMBOLS[digit] if digit else marks_of(digits) or "." for digit, digits in both]


def _grid(pencil: Pencil) -> str:
    """Columns are aligned, and boxes have frames."""
    side = pencil.puzzle.side
    rows = _split(_words(pencil), side)
    tall, wide = BOXES[side]
    width = [max(len(row[k]) for row in rows) for k in range(side)]
    stacks = [range(k, k + wide) for k in range(0, side, wide)]
    dashes = ["-" * (sum(width[k] + 1 for k in stack) + 1) for stack in stacks]
    lines = ["." + ".".join(dashes) + "."]
    for number, row in enumerate(rows):
        if number and number % tall == 0:
            lines.append(":" + "+".join(dashes) + ":")
        parts = [" ".join(row[k].ljust(width[k]) for k in stack) for stack in stacks]
        lines.append("| " + " | ".join(parts) + " |")
    return "\n".join([*lines, "'" + "'".join(dashes) + "'"]) + "\n"


def _line(pencil: Pencil) -> str:
    held = [
        1 << digit if digit else digits for digit, digits in zip(pencil.puzzle.cells, pencil.candidates, strict=True)
    ]
    sides = range(1, pencil.puzzle.side + 1)
    return "".join(SYMBOLS[k] if digits >> k & 1 else "." for digits in held for k in sides) + "\n"


def _sdx(pencil: Pencil) -> str:
    """A filled cell that was not given begins with u; an empty cell has two characters or more."""
    words = _words(pencil)
    for cell, (digit, given) in enumerate(zip(pencil.puzzle.cells, pencil.known_given, strict=True)):
        if digit and not given:
            words[cell] = "u" + words[cell]
        elif not digit and len(words[cell]) == 1:
            words[cell] = words[cell].replace(".", "0") + "."
    return "".join(" ".join(row) + "\n" for row in _split(words, pencil.puzzle.side))


def _sadman(pencil: Pencil) -> str:
    side = pencil.puzzle.side
    marks = [marks_of(digits) for digits in pencil.candidates]
    given, filled = (map("".join, _split(to_line(cells), side)) for cells in (pencil.known_given, pencil.puzzle.cells))
    table = map(",".join, _split(marks, side))
    return "\n".join(["[Puzzle]", *given, "[State]", *filled, "[PencilMarks]", *table]) + "\n"


def _sections(pencil: Pencil) -> str:
    from tablero.sudoku import formats

    clues = Sudoku(pencil.known_given, pencil.puzzle.layout)
    cells = zip(pencil.puzzle.cells, clues.cells, _words(pencil), strict=True)
    words = ["." if given else f"+{SYMBOLS[digit]}" if digit else word for digit, given, word in cells]
    rows = "".join(" ".join(row) + "\n" for row in _split(words, clues.side))
    return f"{formats.write_sections(clues)}candidates:\n{rows}"


_WRITERS = {"grid": _grid, "line": _line, "sdx": _sdx, "sadman": _sadman, "sections": _sections}
