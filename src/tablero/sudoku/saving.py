"""Boards into files: the name's ending decides the format, and a file is written whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from tablero.errors import BadInput
from tablero.files import require_writable, write_bytes, write_text, writing
from tablero.runs.findings import Findings
from tablero.sudoku.formats import SPREADSHEETS, write, write_csv, write_sdk
from tablero.sudoku.puzzle import Sudoku, side_of, to_line
from tablero.verbs.parameters import spell

if TYPE_CHECKING:
    from tablero.sudoku.batch import SolvedFile
    from tablero.sudoku.solving import Solutions

_BOARDS = ("puzzle", "solution")  # columns of cells
_ONLY_CELLS = (".xlsx", ".csv", ".sdk")
_NOT_BOARDS = (".svg", ".pdf", ".png", ".html", ".json")  # formats that no board is written in


def save(file: str | PathLike[str], puzzle: Sudoku, answer: Sequence[int] | None = None) -> None:
    """Write a puzzle, or an answer to it, in the format that the file's name asks for."""
    path = Path(file)
    require_board(path)
    if answer is None and not puzzle.layout.is_plain:
        _require_rules(path, path.name)
    suffix = path.suffix.lower()
    cells = tuple(answer or puzzle.cells)
    if suffix == ".xlsx":
        from tablero.sudoku import excel

        write_bytes(path, excel.write(puzzle, cells))
    elif suffix == ".csv":
        write_text(path, write_csv(cells, puzzle.side))
    elif suffix == ".sdk":
        write_text(path, write_sdk(cells, puzzle.side))
    else:
        write_text(path, to_line(cells) + "\n" if answer else write(puzzle))


def save_many(path: Path, puzzles: Iterable[Sudoku]) -> None:
    """Write plain puzzles in the format that the file's name asks for: a table, boards, or a line each."""
    with writing_many(path, ("puzzle", "clues")) as add:
        for puzzle in puzzles:
            add((puzzle.line(), puzzle.clues))


def save_made(path: Path, puzzles: Sequence[Sudoku]) -> None:
    """Write puzzles that were made."""
    if len(puzzles) == 1:
        save(path, puzzles[0])
    elif puzzles:
        save_many(path, puzzles)


def save_found(path: Path, found: Solutions | SolvedFile) -> None:
    """Write what was found: a solution as a board, several as a table, those of a file of puzzles beside them."""
    if not isinstance(found, Findings):
        found.save(path)
    elif found.solutions > 1:
        with writing_many(path, ("solution",), board="solution") as add:
            for line in found.answers:
                add((line,))
    elif found.board is not None:
        save(path, found.puzzle, found.board)


@contextmanager
def writing_many(
    path: Path, columns: Sequence[str], board: str = "puzzle"
) -> Iterator[Callable[[Sequence[object]], None]]:
    """A file for many puzzles, written as they come: a function that adds the values of one, in the order of the columns.

    A table (.xlsx, .csv) has them all; in a file of lines (.sdm and others) or of boards (.sdk) the column `board` is
    what is written, and numbers and words beside it are remarks.
    """
    require_board(path)
    suffix = path.suffix.lower()
    at = columns.index(board)
    remarks = [k for k, name in enumerate(columns) if name not in _BOARDS and name != "clues"]
    with writing(path) as out:
        if suffix == ".xlsx":
            from tablero.sudoku import excel

            table = excel.Table(columns, _BOARDS)
            try:
                yield table.add
            except BaseException:
                table.drop()
                raise
            table.write(out)
            return
        text = io.TextIOWrapper(out, "utf-8", newline="")
        lines = csv.writer(text, lineterminator="\n")
        count = 0

        def add(row: Sequence[object]) -> None:
            nonlocal count
            cells, words = str(row[at]), " ".join(str(row[k]) for k in remarks if row[k] not in ("", None))
            if suffix == ".csv":
                lines.writerow(row)
            elif suffix == ".sdk":
                side = side_of(len(cells)) or 9
                head = " ".join(["#", str(count + 1), *([words] if words else [])])
                text.write(("\n" if count else "") + "\n".join([head, *_rows(cells, side)]) + "\n")
            else:
                text.write(cells + (f" # {words}" if words else "") + "\n")
            count += 1

        if suffix == ".csv":
            lines.writerow(columns)
        yield add
        text.flush()
        text.detach()  # the file is closed by those who opened it


def _rows(cells: str, side: int) -> list[str]:
    return [cells[k : k + side] for k in range(0, len(cells), side)]


def require_board(path: Path, option: str = "") -> None:
    """Refuse a file that no board could be written to, before there is one to write."""
    name = f"{option} {path}".lstrip()
    if path.suffix.lower() in SPREADSHEETS and path.suffix.lower() != ".xlsx":
        raise BadInput(f"{name}: of spreadsheets only .xlsx is written")
    if path.suffix.lower() in _NOT_BOARDS:
        raise BadInput(f"{name}: expected a name that ends in .xlsx, .csv, .sdk, .sdm or .txt")
    require_writable(path, option=option, text=False)  # a board may go into a spreadsheet


def require_output(path: Path) -> None:
    """Refuse what a shell named for a board."""
    require_board(path, spell("output"))


def require_made(path: Path, count: int, kind: str) -> None:
    """Refuse a file for several puzzles of which each needs more than its cells."""
    name = f"{spell('output')} {path}"
    if count > 1 and kind != "plain":
        raise BadInput(f"{name}: several puzzles in a file must be plain ones")
    require_output(path)
    if kind != "plain":
        _require_rules(path, name)


def _require_rules(path: Path, name: str) -> None:
    """Refuse a format that has no place for diagonals, regions and cages."""
    if path.suffix.lower() in _ONLY_CELLS:
        raise BadInput(f"{name}: the format holds no diagonals, regions or cages: expected a name that ends in .txt")
