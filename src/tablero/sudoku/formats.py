"""Read and write Sudoku puzzles as text; `sheets` reads spreadsheets, `saving` writes files.

    a line      all cells row by row, one character each: 81 for 9×9; 16, 36, 144, 256 or 625 for other sizes
    .sdm        one such line per puzzle; text after a blank, a comma or a # is a comment
    .sdk        one puzzle, one line per row; lines that begin with # are comments
    CSV         one line per row, numbers separated by commas, semicolons or tabs
    library     HoDoKu library lines, :code:digits:cells:…; the filled cells are the puzzle
    sections    board:, regions:, cages:, sums:, diagonals:; one puzzle with further rules, see below
    Excel       a sheet with a digit, a blank or 0 in each cell

Digits are 1 to 9, then A to P; an empty cell is 0 . X * _ or a blank.  Frames around boxes are ignored.

    diagonals: yes
    board:              one line per row, as in .sdk
    regions:            one line per row, one character per region
    cages:              one line per row, one character per cage, . for cells outside cages
    sums: a=10 b=7      the sum of each cage
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tablero import files
from tablero.errors import BadInput
from tablero.files import Source, name_of, plain_text, read_bytes, suffix_of
from tablero.sudoku import pencil
from tablero.sudoku.puzzle import SIDES, SYMBOLS, Cage, Cells, Layout, Sudoku, side_of, to_line
from tablero.text import short, unknown
from tablero.verbs.parameters import spell

MOST_BYTES = 1 << 31
SPREADSHEETS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
_SPREADSHEET_STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # the first bytes
_BLANKS = "0.Xx*_ "
_VALUE = dict.fromkeys(_BLANKS, 0) | {mark: k for k, mark in enumerate(SYMBOLS)}
_VALUE |= {mark.lower(): k for k, mark in enumerate(SYMBOLS) if mark.isalpha()}
_SECTIONS = ("board", "regions", "cages", "sums", "diagonals", "candidates")
_LINES = tuple(side * side for side in SIDES)
_FRAME = "|+│┼├┤┌┐└┘┬┴"
_RULE = _FRAME + "-=─"

Numbered = list[tuple[int, str]]


def read(
    source: Source, *, sheet: str = "", cell: str = "", side: int | None = None, layout: Layout | None = None
) -> Sudoku:
    """Read one puzzle from a file.

    Parameters
    ----------
    source
        A path, an open file, or "-" for standard input.  The format is detected.
    sheet
        Sheet of a workbook; by default, all sheets are searched for the board.
    cell
        Top left cell of the board in the sheet, such as B2; by default, it is detected.
    side
        Number of rows, columns and digits; by default, the number of cells decides.
    layout
        Rules of the puzzle; by default, the rules in the file or the plain rules.

    Returns
    -------
    Sudoku
        The puzzle.

    Raises
    ------
    BadInput
        If the file cannot be read or does not hold exactly one puzzle.
    """
    if layout is None and side:
        layout = Layout(side)
    data = read_bytes(source, MOST_BYTES)
    name = name_of(source)
    if suffix_of(source) in SPREADSHEETS or is_workbook(data):
        from tablero.sudoku import sheets

        return sheets.parse(data, name, sheet=sheet, cell=cell, layout=layout)
    if sheet or cell:
        given = " and ".join(spell(name) for name, value in (("sheet", sheet), ("cell", cell)) if value)
        raise BadInput(f"{name}: not a spreadsheet: leave {given} out")
    return parse(files.decode(data, name), name, layout)


def names_file(word: str) -> bool:
    """Whether a word is the name of a file and not a puzzle in a line."""
    if word == "-" or files.is_there(word):
        return True
    is_cells = side_of(len(word)) or (len(word) > 9 and all(mark in _VALUE for mark in word))
    return not (is_cells or pencil.is_library_line(word))


def parse(text: str, source: str = "text", layout: Layout | None = None) -> Sudoku:
    """Read one puzzle from a text in any format.

    Parameters
    ----------
    text
        The puzzle.
    source
        Name of the source in error messages.
    layout
        Rules of the puzzle; by default, the rules in the text or the plain rules.

    Returns
    -------
    Sudoku
        The puzzle.

    Raises
    ------
    BadInput
        If the text is not a puzzle; the message names the line.

    Examples
    --------
    >>> import tablero as tb
    >>> tb.sudoku.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    <sudoku: 9×9, 30 clues>
    """
    lines = _lines(plain_text(text, source))
    if not lines:
        raise BadInput(f"{source}: empty: expected a puzzle")
    if _is_pencil(text, lines):
        return make(pencil.parse(text, source).puzzle.cells, layout, source)
    if _section(lines[0][1]):
        if layout is not None:
            raise BadInput(f"{source}: the sections define the rules: expected no other layout")
        if section(text, "candidates"):  # which may include filled cells
            return pencil.parse(text, source).puzzle
        return _parse_sections(lines, source)
    if _is_line(lines[0][1]):
        if len(lines) > 1 and not _is_board(lines):
            raise BadInput(f"{source}: {len(lines)} puzzles, expected one")
        if len(lines) == 1:
            return parse_line(lines[0][1], f"{source}:{lines[0][0]}", layout)
    cells = _csv(lines, source) if _separator(lines[0][1]) else _rows(lines, source)
    return make(cells, layout, source)


def parse_many(text: str, source: str = "text", layout: Layout | None = None) -> Iterator[Sudoku]:
    """Read several puzzles, one per line or separated by blank lines, or one puzzle in any format.

    Parameters
    ----------
    text
        The puzzles.
    source
        Name of the source in error messages.
    layout
        Rules of the puzzles; by default, the plain rules.

    Yields
    ------
    Sudoku
        The next puzzle.

    Raises
    ------
    BadInput
        If an entry is not a puzzle; the message names the line.
    """
    lines = _lines(plain_text(text, source))
    puzzles = lines if _are_puzzles(lines) else blocks_of(text)
    if not puzzles:
        yield parse(text, source, layout)
    for number, line in puzzles:
        yield parse_line(line, f"{source}:{number}", layout)


def is_many(text: str) -> bool:
    """Whether a text holds several puzzles, one per line."""
    lines = _lines(text)
    return len(lines) > 1 and _are_puzzles(lines)


def blocks_of(text: str) -> list[tuple[int, str]]:
    """Return the first line number and the cells of several boards separated by blank lines; nothing for other texts."""
    found = []
    block: Numbered = []
    for number, line in [*_lines(text, blank=True), (0, "")]:
        if line.strip():
            block.append((number, line))
        elif block:
            try:
                found.append((block[0][0], to_line(_csv(block, "") if _separator(block[0][1]) else _rows(block, ""))))
            except BadInput:
                return []
            block = []
    return found if len(found) > 1 else []


def values_of(text: str) -> Cells | None:
    """Return the digits of a puzzle in a line; None for another text."""
    side = side_of(len(text))
    if not side or not all(mark in _VALUE for mark in text):
        return None
    values = tuple(_VALUE[mark] for mark in text)
    return values if max(values) <= side else None


def is_workbook(data: bytes) -> bool:
    """Whether the first bytes are those of a spreadsheet."""
    return data.startswith(_SPREADSHEET_STARTS)


def parse_line(line: str, source: str = "text", layout: Layout | None = None) -> Sudoku:
    """Read a puzzle from one line; from a library line of HoDoKu, read the filled cells."""
    if pencil.is_library_line(line):
        given, filled = pencil.library_cells(line, source)
        return make([one or other for one, other in zip(given, filled, strict=True)], layout, source)
    body = _body(line)
    if body is None:
        count = len(line.strip())
        raise BadInput(f"{source}: {count} characters: expected {', '.join(map(str, _LINES))} cells")
    cells = tuple(_digit(mark, source, f"character {k}") for k, mark in enumerate(body, 1))
    return make(cells, layout, source)


def make(cells: Sequence[int], layout: Layout | None, source: str) -> Sudoku:
    """Make a puzzle; error messages begin with the source."""
    side = side_of(len(cells))
    try:
        if layout is None:
            layout = Layout(side or 9)
        return Sudoku(tuple(cells), layout)
    except BadInput as error:
        raise BadInput(f"{source}: {error}") from None


def _lines(text: str, blank: bool = False) -> Numbered:
    """Return the lines that are neither comments nor frames, with their numbers; blank lines on request."""
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("#") and not _is_rule(line) and (blank or line.strip() or len(line) in _LINES):
            out.append((number, line))
    return out


def _is_rule(line: str) -> bool:
    """Whether a line is part of a frame, such as |---+---|, or *-------* and .---. of Simple Sudoku."""
    corners = ".*:'" if "--" in line else ""
    return bool(line.strip()) and not line.strip(_RULE + corners + " \t")


def _body(line: str) -> str | None:
    """Return the cells of a line that is a complete puzzle; None for other lines."""
    for text in (line, line.strip(), re.split(r"[\s,;#]", line.strip(), maxsplit=1)[0]):
        if side_of(len(text)) and all(mark in _VALUE for mark in text):
            return text
    first = re.split(r"[\s,;#]", line.strip(), maxsplit=1)[0]
    return first if side_of(len(first)) else None


def _is_line(line: str) -> bool:
    if pencil.is_library_line(line):
        return True
    if any(mark in _FRAME for mark in line) or _is_spaced(line):
        return False
    return _body(line) is not None or (len(line.strip()) > max(SIDES) and not _separator(line))


def _are_puzzles(lines: Numbered) -> bool:
    """Whether every line is a complete puzzle, judged by the first."""
    return bool(lines) and _is_line(lines[0][1]) and not _is_board(lines)


def _is_spaced(line: str) -> bool:
    """Whether a line is a row with cells separated by blanks."""
    words = line.split()
    return len(words) in SIDES and all(len(word) == 1 for word in words) and len(line.strip()) >= 2 * len(words) - 1


def _is_board(lines: Numbered) -> bool:
    """Whether sixteen lines of sixteen cells are one large board and not sixteen small ones."""
    return len(lines) == 16 and all(len(line.strip()) == 16 for _, line in lines)


def _digit(mark: str, source: str, where: str) -> int:
    value = _VALUE.get(mark)
    if value is None:
        raise BadInput(
            f"{source}: {where} is {mark!r}: expected a digit, or one of {_BLANKS.strip()} for an empty cell"
        )
    return value


def _rows(lines: Numbered, source: str) -> Cells:
    """Read a board with one line per row; frames are ignored."""
    rows = []
    for number, line in lines:
        text = line.translate(dict.fromkeys(map(ord, _FRAME)))
        packed = "".join(text.split())
        if text == line and not _is_spaced(line):  # blanks may be empty cells
            packed = next((part for part in (line, line.strip()) if len(part) in SIDES), packed)
        rows.append((number, [_digit(mark, f"{source}:{number}", f"cell {k}") for k, mark in enumerate(packed, 1)]))
    return _square(rows, source)


def _separator(line: str) -> str | None:
    return next((mark for mark in ",;\t" if mark in line), None)


def _csv(lines: Numbered, source: str) -> Cells:
    """Read a board of numbers or symbols with separators; an empty field is an empty cell."""
    separator = _separator(lines[0][1])
    rows = []
    for number, line in lines:
        row = []
        for k, field in enumerate(line.split(separator), 1):
            word = field.strip().strip('"')
            if word.isascii() and word.isdigit() and len(word) < 4:
                row.append(int(word))
            elif len(word) < 2:
                row.append(_digit(word or ".", f"{source}:{number}", f"field {k}"))
            else:
                raise BadInput(f"{source}:{number}: field {k} is {short(word)}: expected a digit or nothing")
        rows.append((number, row))
    return _square(rows, source)


def _square(rows: Sequence[tuple[int, list[int]]], source: str) -> Cells:
    if not rows:
        raise BadInput(f"{source}: no rows: expected one row per column")
    side, width = len(rows), len(rows[0][1])
    if width not in SIDES:
        place = f"{source}:{rows[0][0]}"
        raise BadInput(f"{place}: a row of {width} cells: expected one of {', '.join(map(str, SIDES))}")
    for number, row in rows:
        if len(row) != width:
            raise BadInput(f"{source}:{number}: a row of {len(row)} cells: expected {width}")
    if side != width:
        raise BadInput(f"{source}: {side} rows of {width} cells: expected {width} rows")
    return tuple(digit for _, row in rows for digit in row)


def _is_pencil(text: str, lines: Numbered) -> bool:
    """Whether a text is a board with candidates in the format of another program."""
    if lines[0][1].lstrip().startswith("["):  # SadMan, with or without candidates
        return True
    return not _section(lines[0][1]) and not _separator(lines[0][1]) and pencil.is_pencil(text)


# Puzzles with further rules


def _section(line: str) -> tuple[str, str] | None:
    """Return the name of the section that begins with a line, and the rest of the line."""
    found = re.match(r"\s*([A-Za-z]+)\s*:(.*)$", line)
    return (found[1].lower(), found[2].strip()) if found else None


def parse_clues(text: str, source: str) -> Sudoku:
    """Read the clues of a puzzle in sections."""
    return _parse_sections(_lines(plain_text(text, source)), source)


def section(text: str, wanted: str) -> list[str]:
    """Return the lines of a section."""
    out: list[str] = []
    here = False
    for _, line in _lines(text):
        if head := _section(line):
            here = head[0] == wanted
        elif here:
            out.append(line)
    return out


def _parse_sections(lines: Numbered, source: str) -> Sudoku:
    parts: dict[str, Numbered] = {}
    name = ""
    for number, line in lines:
        if head := _section(line):
            name, rest = head
            if name not in _SECTIONS:
                raise BadInput(unknown(f"{source}:{number}: the section", name, _SECTIONS))
            if name in parts:
                raise BadInput(f"{source}:{number}: the section {name!r} occurs twice")
            parts[name] = [(number, rest)] if rest else []
        else:
            parts[name].append((number, line))
    if "board" in parts:
        cells = _rows(parts["board"], source)
    elif marks := parts.get("cages") or parts.get("regions"):
        cells = (0,) * len(_characters(marks, source))
    else:
        raise BadInput(f"{source}: expected a section 'board' with rows")
    side = side_of(len(cells)) or 0
    diagonals = " ".join(line for _, line in parts.get("diagonals", [(0, "no")])).strip().lower()
    if diagonals not in ("yes", "no"):
        raise BadInput(f"{source}: diagonals: {diagonals!r}: expected yes or no")
    regions, cages = _regions(parts, side, source), _cages(parts, side, source)
    try:
        layout = Layout(side, regions, diagonals == "yes", cages)
    except BadInput as error:
        raise BadInput(f"{source}: {error}") from None
    return make(cells, layout, source)


def _characters(lines: Numbered, source: str) -> str:
    """Return the characters of a square, row by row."""
    rows = [(number, list("".join(line.split()))) for number, line in lines]
    return "".join(chr(k) for k in _square([(number, [ord(mark) for mark in row]) for number, row in rows], source))


def _marked(parts: dict[str, Numbered], name: str, side: int, source: str) -> tuple[str, str]:
    """Return the marks of the regions or cages, or an empty text, and their place in the source."""
    if name not in parts:
        return "", ""
    marks = _characters(parts[name], source)
    place = f"{source}:{parts[name][0][0]}"
    if len(marks) != side * side:
        raise BadInput(f"{place}: {len(marks)} cells in the section {name!r}: expected {side * side}")
    return marks, place


def _regions(parts: dict[str, Numbered], side: int, source: str) -> Cells:
    marks, place = _marked(parts, "regions", side, source)
    numbers = {mark: k for k, mark in enumerate(dict.fromkeys(marks))}
    for mark in numbers:
        if marks.count(mark) != side:
            raise BadInput(f"{place}: region {mark!r} has {marks.count(mark)} cells: expected {side} regions of {side}")
    return tuple(numbers[mark] for mark in marks)


def _cages(parts: dict[str, Numbered], side: int, source: str) -> tuple[Cage, ...]:
    marks, place = _marked(parts, "cages", side, source)
    totals: dict[str, int] = {}
    for number, line in parts.get("sums", []):
        for word in re.split(r"[\s,]+", line.strip()):
            found = re.fullmatch(r"(\S)=([0-9]{1,4})", word)
            if not found or found[1] not in marks or found[1] == ".":
                raise BadInput(f"{source}:{number}: {word!r}: expected the sum of a cage, such as a=10")
            totals[found[1]] = int(found[2])
    cages = []
    for mark in dict.fromkeys(marks.replace(".", "")):
        if mark not in totals:
            raise BadInput(f"{place}: cage {mark!r} has no sum: expected {mark}=… in the section 'sums'")
        cages.append(Cage(totals[mark], tuple(k for k, other in enumerate(marks) if other == mark)))
    return tuple(cages)


# Writing


def write(puzzle: Sudoku) -> str:
    """Write a puzzle as text.

    Parameters
    ----------
    puzzle
        The puzzle.

    Returns
    -------
    str
        One line for a plain puzzle, sections with all rules otherwise; `parse` reads both.
    """
    return puzzle.line() + "\n" if puzzle.layout.is_plain else write_sections(puzzle)


def write_sections(puzzle: Sudoku) -> str:
    """Write a puzzle in sections, even if it is plain."""
    layout, side = puzzle.layout, puzzle.side
    out = ["diagonals: yes"] if layout.diagonals else []
    out += ["board:", *_cut(puzzle.line(), side)]
    if layout.regions:
        out += ["regions:", *_cut("".join(SYMBOLS[k + 1] for k in layout.regions), side)]
    if layout.cages:
        marks = ["."] * layout.size
        sums = []
        for name, cage in zip(_names(), layout.cages, strict=False):
            sums.append(f"{name}={cage.total}")
            for cell in cage.cells:
                marks[cell] = name
        out += ["cages:", *_cut("".join(marks), side), "sums:"]
        out += [" ".join(sums[k : k + 12]) for k in range(0, len(sums), 12)]
    return "\n".join(out) + "\n"


def _names() -> Iterator[str]:
    """Yield names for cages, more than a board can have."""
    yield from "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    yield from map(chr, range(0xC0, 0x400))


def _cut(text: str, side: int) -> list[str]:
    return [text[k : k + side] for k in range(0, len(text), side)]


def write_sdk(cells: Iterable[int], side: int) -> str:
    """Write a board with one line per row."""
    return "\n".join(_cut(to_line(cells), side)) + "\n"


def write_csv(cells: Sequence[int], side: int) -> str:
    """Write a board as numbers separated by commas; an empty cell is an empty field."""
    rows = [cells[k : k + side] for k in range(0, len(cells), side)]
    return "".join(",".join(str(digit) if digit else "" for digit in row) + "\n" for row in rows)
