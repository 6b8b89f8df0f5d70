"""`tablero queens worksheet`: boards to complete, on paper."""

from __future__ import annotations

from typing import Annotated

import typer

from tablero.cli.worksheet import Sheet, with_sheet


@with_sheet()
def worksheet(
    n: Annotated[int, typer.Argument(metavar="N", help="Queens, and rows and columns of the board: 4 to 16.")] = 8,
    *,
    sheet: Sheet,
) -> int:
    """Print boards with some queens given, to be completed in the one way there is; answers at the end.

    Examples:
        tablero queens worksheet --pdf queens.pdf
        tablero queens worksheet 6 -n 12 --per-page 12 --title 'Class 5b' --pdf queens.pdf
    """
    from tablero.puzzles.queens.worksheet import worksheet

    made = worksheet(n, count=sheet.count, seed=sheet.seed, title=sheet.title, per_page=sheet.per_page)
    return sheet.put(made)
