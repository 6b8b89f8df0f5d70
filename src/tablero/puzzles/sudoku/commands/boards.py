"""What all Sudoku commands share: options, reading puzzles, writing and drawing boards."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import require_folder, write_text
from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.puzzles.sudoku import Sudoku
    from tablero.puzzles.sudoku.puzzle import Layout

app = typer.Typer(help="Sudoku: solve, explain, rate, make and count.", no_args_is_help=True, rich_markup_mode=None)

Puzzle = Annotated[
    str, typer.Argument(help="A file (text, CSV, Excel), the cells themselves, or - for standard input.")
]
Sheet = Annotated[str, typer.Option("--sheet", help="The sheet of an Excel file; the first without it.")]
Corner = Annotated[str, typer.Option("--cell", help="Where the board begins in the sheet, as B2.")]
Side = Annotated[int, typer.Option("--side", help="4, 6, 9, 12, 16 or 25, where the file does not tell.")]
Diagonals = Annotated[bool, typer.Option("--diagonals", "-x", help="Both diagonals hold every digit, too.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write there: .xlsx, .csv, .sdk, .sdm or text.")]
SvgOut = Annotated[Path | None, typer.Option("--svg", help="Draw into this file.")]
PdfOut = Annotated[Path | None, typer.Option("--pdf", help="Draw into this file.")]

_MANY_BYTES = 1 << 16  # how much of a file tells whether it holds many puzzles


# Reading


def _layout(diagonals: bool, side: int) -> Layout | None:
    from tablero.puzzles.sudoku.puzzle import Layout

    return Layout(side or 9, diagonals=diagonals) if diagonals or side else None


def _is_file(text: str) -> bool:
    """Whether an argument is a file's name rather than a puzzle."""
    from tablero.puzzles.sudoku.formats import is_cells

    return text != "-" and (Path(text).exists() or not is_cells(text))


def read_one(puzzle: str, sheet: str, cell: str, side: int, diagonals: bool) -> Sudoku:
    """The puzzle that an argument stands for."""
    from tablero.puzzles.sudoku import formats, sheets

    layout = _layout(diagonals, side)
    if not _is_file(puzzle):
        if puzzle == "-":
            return formats.parse(sys.stdin.read(), "standard input", layout)
        return formats.parse_line(puzzle, "the puzzle", layout)
    path = Path(puzzle)
    if path.suffix.lower() in sheets.SUFFIXES:
        return sheets.read(path, sheet=sheet, cell=cell or "A1", side=side or None, layout=layout)
    if sheet or cell:
        raise BadInput(f"--sheet and --cell: {path} is no spreadsheet")
    return formats.read(path, layout)


def has_many(puzzle: str, diagonals: bool, side: int) -> bool:
    """Whether a file holds plain 9×9 puzzles, a line each: its beginning tells."""
    from tablero.puzzles.sudoku.formats import is_many
    from tablero.puzzles.sudoku.sheets import SUFFIXES

    path = Path(puzzle)
    if diagonals or side not in (0, 9) or not _is_file(puzzle) or path.suffix.lower() in SUFFIXES or not path.is_file():
        return False
    with path.open("rb") as stream:
        head = stream.read(_MANY_BYTES)
    whole = head if len(head) < _MANY_BYTES else head[: head.rfind(b"\n") + 1]
    return is_many(whole.decode("utf-8", "replace"))


# Writing


def require_writable(*files: Path | None) -> None:
    """Refuse files that could not be written, before there is anything to write."""
    from tablero.puzzles.sudoku.sheets import SUFFIXES

    for file in files:
        if file is not None:
            require_folder(file)
            if file.suffix.lower() in SUFFIXES and file.suffix.lower() != ".xlsx":
                raise BadInput(f"{file}: of spreadsheets only .xlsx is written")


def _write_bytes(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


def write_board(path: Path, puzzle: Sudoku, answer: Sequence[int] | None) -> None:
    """A board in the format that the file's name asks for."""
    from tablero.puzzles.sudoku import formats, sheets
    from tablero.puzzles.sudoku.puzzle import to_line

    cells = tuple(answer or puzzle.cells)
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        sheets.write(path, puzzle, cells)
    elif suffix == ".csv":
        write_text(path, formats.write_csv(cells, puzzle.side))
    elif suffix == ".sdk":
        write_text(path, formats.write_sdk(cells, puzzle.side))
    else:
        write_text(path, to_line(cells) + "\n" if answer or puzzle.layout.is_plain else formats.write(puzzle))


def draw(scenes: Sequence[Scene], svg: Path | None, pdf: Path | None, unit: float | None = None) -> None:
    from tablero.draw.pdf import to_pdf
    from tablero.draw.sheet import stacked
    from tablero.draw.svg import to_svg

    if svg is not None and scenes:
        write_text(svg, to_svg(stacked(scenes)))
    if pdf is not None and scenes:
        _write_bytes(pdf, to_pdf(scenes, unit) if unit else to_pdf(scenes))
