"""Boards into files: the name's ending decides the format, and a file is written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from tablero.errors import BadInput
from tablero.files import require_writable, write_bytes, write_text
from tablero.puzzles.sudoku.formats import SPREADSHEETS, write, write_csv, write_sdk
from tablero.puzzles.sudoku.puzzle import Sudoku, to_line

_ONE_BOARD = (".xlsx", ".csv", ".sdk")  # formats that hold one board
_NOT_BOARDS = (".svg", ".pdf", ".png", ".html", ".json")  # formats that no board is written in


def save(file: str | PathLike[str], puzzle: Sudoku, answer: Sequence[int] | None = None) -> None:
    """Write a puzzle, or an answer to it, in the format that the file's name asks for."""
    path = Path(file)
    require_board(path)
    suffix = path.suffix.lower()
    cells = tuple(answer or puzzle.cells)
    if suffix == ".xlsx":
        from tablero.puzzles.sudoku import excel

        write_bytes(path, excel.write(puzzle, cells))
    elif suffix == ".csv":
        write_text(path, write_csv(cells, puzzle.side))
    elif suffix == ".sdk":
        write_text(path, write_sdk(cells, puzzle.side))
    else:
        write_text(path, to_line(cells) + "\n" if answer else write(puzzle))


def save_many(path: Path, puzzles: Iterable[Sudoku]) -> None:
    """Write plain puzzles, a line each."""
    require_lines(path)
    write_text(path, "".join(puzzle.line() + "\n" for puzzle in puzzles))


def require_board(path: Path | None, option: str = "") -> None:
    """Refuse a file that no board could be written to, before there is one to write."""
    if path is None:
        return
    told = f"{option} {path}".lstrip()
    if path.suffix.lower() in SPREADSHEETS and path.suffix.lower() != ".xlsx":
        raise BadInput(f"{told}: of spreadsheets only .xlsx is written")
    if path.suffix.lower() in _NOT_BOARDS:
        raise BadInput(f"{told}: expected a name that ends in .xlsx, .csv, .sdk, .sdm or .txt")
    require_writable(path, option=option, text=False)  # a board may go into a spreadsheet


def require_lines(path: Path | None, option: str = "", kind: str = "plain") -> None:
    """Refuse a file that several boards could not be written to, a line each: others than plain ones need more."""
    if path is not None and (kind != "plain" or path.suffix.lower() in _ONE_BOARD):
        told = f"{option} {path}".lstrip()
        raise BadInput(f"{told}: several puzzles go into a .sdm or .txt file, plain ones only")
    require_board(path, option)
