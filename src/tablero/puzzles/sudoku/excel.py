"""Sudoku into Excel, by openpyxl (the extra `sheets`): a board with its frames, or a table of many puzzles."""

from __future__ import annotations

import io
from typing import Any

from tablero.errors import MissingExtra
from tablero.puzzles.sudoku.puzzle import Cells, Sudoku
from tablero.puzzles.sudoku.workbook import column_at


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
