"""Sudoku into Excel, by openpyxl (the extra `sheets`): a board with its frames, or a table of many puzzles."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import IO, Any

from tablero.errors import MissingExtra
from tablero.sudoku.puzzle import Cells, Sudoku
from tablero.sudoku.workbook import MOST_ROWS, column_at

_WIDE = 14  # the width of a column with short words


def write(puzzle: Sudoku, answer: Cells | None = None) -> bytes:
    """A board as a workbook: clues bold on grey, the answer in blue, boxes framed."""
    try:
        from openpyxl import Workbook
        from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
    except ImportError:
        raise MissingExtra("writing Excel", "sheets") from None
    book = Workbook()
    page = book.active
    assert page is not None
    page.title = "Sudoku"
    layout, side = puzzle.layout, puzzle.side
    thin, thick = Side(style="thin", color="B0B0B0"), Side(style="medium", color="000000")
    shown = answer or puzzle.cells
    for cell in range(layout.size):
        row, column = divmod(cell, side)
        place: Any = page.cell(row + 1, column + 1)
        place.value = shown[cell] or None
        clue = bool(puzzle.cells[cell])
        place.font = Font(bold=clue, color="000000" if clue else "1D4ED8", size=14)
        place.alignment = Alignment(horizontal="center", vertical="center")
        if clue:
            place.fill = PatternFill("solid", start_color="E8E8E8")

        def edge(other: int, inside: bool, here: int = cell) -> Side:
            return thin if inside and layout.region(other) == layout.region(here) else thick

        place.border = Border(
            left=edge(cell - 1, column > 0),
            right=edge(cell + 1, column < side - 1),
            top=edge(cell - side, row > 0),
            bottom=edge(cell + side, row < side - 1),
        )
    for k in range(side):
        page.column_dimensions[column_at(k)].width = 4.5
        page.row_dimensions[k + 1].height = 24
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


class Table:
    """A workbook with a row for each puzzle, written as the rows come; a sheet that is full is followed by another."""

    def __init__(self, columns: Sequence[str], wide: Sequence[str] = ()) -> None:
        try:
            from openpyxl import Workbook
        except ImportError:
            raise MissingExtra("writing Excel", "sheets") from None
        self._book: Any = Workbook(write_only=True)
        self._columns, self._wide = columns, wide
        self._begin()

    def _begin(self) -> None:
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.styles import Font

        self._page = self._book.create_sheet()
        self._page.freeze_panes = "A2"
        for k, name in enumerate(self._columns):
            self._page.column_dimensions[column_at(k)].width = 95 if name in self._wide else _WIDE
        head = [WriteOnlyCell(self._page, name) for name in self._columns]
        for cell in head:
            cell.font = Font(bold=True)
        self._page.append(head)
        self._rows = 1

    def add(self, row: Sequence[object]) -> None:
        if self._rows == MOST_ROWS:
            self._begin()
        self._page.append([value if isinstance(value, (int, float)) else _plain(value) for value in row])
        self._rows += 1

    def write(self, out: IO[bytes]) -> None:
        self._book.save(out)

    def drop(self) -> None:
        """End a workbook that nobody wants: its sheets are open files, which complain when they are left alone."""
        for page in self._book.worksheets:
            if not page.closed:
                page.close()
                page._writer.cleanup()


def _plain(value: object) -> str | None:
    """A text as a text: a sign at its beginning does not make a formula of it, and no sign that XML lacks is in it."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    return None if value is None else str(ILLEGAL_CHARACTERS_RE.sub("", str(value)))[:32_000]
