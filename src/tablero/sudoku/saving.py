"""Write boards to files.  The suffix of the file decides the format; a file is written completely or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tablero.errors import BadInput, need
from tablero.files import require_writable, write_bytes, write_text, writing
from tablero.runs.findings import Findings
from tablero.sudoku.formats import SPREADSHEETS, write, write_csv, write_sdk
from tablero.sudoku.puzzle import Sudoku, side_of, to_line
from tablero.sudoku.workbook import MOST_ROWS, column_at
from tablero.verbs.parameters import spell

if TYPE_CHECKING:
    from tablero.sudoku.batch import SolvedFile
    from tablero.sudoku.solving import Solutions

Add = Callable[[Sequence[object]], None]

_BOARDS = ("puzzle", "solution")  # columns of cells
_ONLY_CELLS = (".xlsx", ".csv", ".sdk")
_NOT_BOARDS = (".svg", ".pdf", ".png", ".html", ".json")  # formats without boards


def save(file: str | PathLike[str], puzzle: Sudoku, answer: Sequence[int] | None = None) -> None:
    """Write a puzzle or its solution to a file.

    Parameters
    ----------
    file
        Path of the file.  The suffix decides the format: .xlsx, .csv, .sdk; text for other names.
    puzzle
        The puzzle.
    answer
        A solution to write instead of the clues.

    Raises
    ------
    BadInput
        If the format cannot hold the puzzle, or if the file cannot be written.
    """
    path = Path(file)
    require_board(path)
    if answer is None and not puzzle.layout.is_plain:
        _require_rules(path, path.name)
    suffix = path.suffix.lower()
    cells = tuple(answer or puzzle.cells)
    if suffix == ".xlsx":
        write_bytes(path, workbook(puzzle, cells))
    elif suffix == ".csv":
        write_text(path, write_csv(cells, puzzle.side))
    elif suffix == ".sdk":
        write_text(path, write_sdk(cells, puzzle.side))
    else:
        write_text(path, to_line(cells) + "\n" if answer else write(puzzle))


def save_many(path: Path, puzzles: Iterable[Sudoku]) -> None:
    """Write one puzzle as `save` does; write several plain puzzles as a table, as boards or one per line."""
    found = list(puzzles)
    if len(found) == 1:
        save(path, found[0])
    elif found:
        with writing_many(path, ("puzzle", "clues")) as add:
            for puzzle in found:
                add((puzzle.line(), puzzle.clues))


def save_found(path: Path, found: Solutions | SolvedFile) -> None:
    """Write one solution as a board, several as a table, and those of a file of puzzles beside the puzzles."""
    if not isinstance(found, Findings):
        found.save(path)
    elif found.solutions > 1:
        with writing_many(path, ("solution",), board="solution") as add:
            for line in found.answers:
                add((line,))
    elif found.board is not None:
        save(path, found.puzzle, found.board)


@contextmanager
def writing_many(path: Path, columns: Sequence[str], board: str = "puzzle") -> Iterator[Add]:
    """Open a file of many puzzles and return a function that writes the values of one puzzle, in the order of the columns.

    A table (.xlsx, .csv) has all columns.  A file of lines (.sdm and others) or boards (.sdk) has the column `board`, with
    the other numbers and words as comments.
    """
    require_board(path)
    suffix = path.suffix.lower()
    with (
        writing(path) as out,
        _in_workbook(out, columns) if suffix == ".xlsx" else _in_text(out, suffix, columns, board) as add,
    ):
        yield add


@contextmanager
def _in_text(out: IO[bytes], suffix: str, columns: Sequence[str], board: str) -> Iterator[Add]:
    at = columns.index(board)
    remarks = [k for k, name in enumerate(columns) if name not in (*_BOARDS, "clues")]
    text = io.TextIOWrapper(out, "utf-8", newline="")
    lines = csv.writer(text, lineterminator="\n")
    count = 0

    def add(row: Sequence[object]) -> None:
        nonlocal count
        count += 1
        cells, words = str(row[at]), " ".join(str(row[k]) for k in remarks if row[k] not in ("", None))
        if suffix == ".csv":
            lines.writerow(row)
        elif suffix == ".sdk":
            side = side_of(len(cells)) or 9
            rows = [cells[k : k + side] for k in range(0, len(cells), side)]
            text.write("\n" * (count > 1) + "\n".join([f"# {count} {words}".rstrip(), *rows]) + "\n")
        else:
            text.write(cells + (f" # {words}" if words else "") + "\n")

    if suffix == ".csv":
        lines.writerow(columns)
    yield add
    text.flush()
    text.detach()  # the caller closes the file


# Workbooks, by openpyxl (the extra `sheets`)


def workbook(puzzle: Sudoku, answer: Sequence[int] | None = None) -> bytes:
    """Return a board as a workbook: bold clues on grey, the answer in blue, frames around boxes."""
    openpyxl = need("openpyxl", "writing Excel", "sheets")
    styles = openpyxl.styles
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Sudoku"
    layout, side = puzzle.layout, puzzle.side
    thin, thick = (styles.Side(style=name, color=ink) for name, ink in (("thin", "B0B0B0"), ("medium", "000000")))
    for cell, digit in enumerate(answer or puzzle.cells):
        row, column = divmod(cell, side)
        place = page.cell(row + 1, column + 1)
        place.value = digit or None
        clue = bool(puzzle.cells[cell])
        place.font = styles.Font(bold=clue, color="000000" if clue else "1D4ED8", size=14)
        place.alignment = styles.Alignment(horizontal="center", vertical="center")
        if clue:
            place.fill = styles.PatternFill("solid", start_color="E8E8E8")
        beside = {
            "left": (cell - 1, column > 0),
            "right": (cell + 1, column < side - 1),
            "top": (cell - side, row > 0),
            "bottom": (cell + side, row < side - 1),
        }
        here = layout.region(cell)
        place.border = styles.Border(
            **{edge: thin if on and layout.region(other) == here else thick for edge, (other, on) in beside.items()}
        )
    for k in range(side):
        page.column_dimensions[column_at(k)].width = 4.5
        page.row_dimensions[k + 1].height = 24
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@contextmanager
def _in_workbook(out: IO[bytes], columns: Sequence[str]) -> Iterator[Add]:
    """Write a workbook with one row per puzzle; begin another sheet when one is full."""
    openpyxl = need("openpyxl", "writing Excel", "sheets")
    forbidden = openpyxl.cell.cell.ILLEGAL_CHARACTERS_RE  # characters that XML excludes
    book = openpyxl.Workbook(write_only=True)

    def begin() -> Any:
        page = book.create_sheet()
        page.freeze_panes = "A2"
        head = [openpyxl.cell.WriteOnlyCell(page, name) for name in columns]
        for k, cell in enumerate(head):
            page.column_dimensions[column_at(k)].width = 95 if columns[k] in _BOARDS else 14
            cell.font = openpyxl.styles.Font(bold=True)
        page.append(head)
        return page

    page, rows = begin(), 1

    def add(row: Sequence[object]) -> None:
        nonlocal page, rows
        if rows == MOST_ROWS:
            page, rows = begin(), 1
        page.append([value if value is None or isinstance(value, (int, float)) else plain(value) for value in row])
        rows += 1

    def plain(value: object) -> str:
        return str(forbidden.sub("", str(value)))[:32_000]

    try:
        yield add
    except BaseException:  # close the temporary files of the sheets
        for one in book.worksheets:
            if not one.closed:
                one.close()
                one._writer.cleanup()
        raise
    book.save(out)


# Checks before the search


def require_board(path: Path, option: str = "") -> None:
    """Check that a board can be written to a file with this name."""
    name = f"{option} {path}".lstrip()
    if path.suffix.lower() in SPREADSHEETS and path.suffix.lower() != ".xlsx":
        raise BadInput(f"{name}: spreadsheets are written as .xlsx only")
    if path.suffix.lower() in _NOT_BOARDS:
        raise BadInput(f"{name}: expected a name that ends in .xlsx, .csv, .sdk, .sdm or .txt")
    require_writable(path, option=option, text=False)  # a spreadsheet is allowed


def require_output(path: Path) -> None:
    """Check that a board can be written to an output file."""
    require_board(path, spell("output"))


def require_made(path: Path, count: int, kind: str) -> None:
    """Check that an output file can hold these puzzles."""
    name = f"{spell('output')} {path}"
    if count > 1 and kind != "plain":
        raise BadInput(f"{name}: a file of several puzzles can hold only plain ones")
    require_output(path)
    if kind != "plain":
        _require_rules(path, name)


def _require_rules(path: Path, name: str) -> None:
    """Check that a format can hold diagonals, regions and cages."""
    if path.suffix.lower() in _ONLY_CELLS:
        raise BadInput(f"{name}: the format cannot hold diagonals, regions or cages: expected a name that ends in .txt")
