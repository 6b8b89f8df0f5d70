"""`tablero sudoku worksheet`: puzzles on paper; `generate --pdf` makes the same, and files of the puzzles beside."""

from __future__ import annotations

from typing import Annotated

import typer

from tablero.cli.help import one_of
from tablero.cli.worksheet import Sheet, with_sheet
from tablero.sudoku.commands.boards import HowHard


@with_sheet()
def worksheet(
    side: Annotated[int, typer.Option("--side", help="4, 6, 9, 12, 16 or 25.")] = 9,
    kind: Annotated[
        str,
        typer.Option(
            "--kind", help="The rules; x has diagonals.", autocompletion=one_of("plain", "x", "jigsaw", "killer")
        ),
    ] = "plain",
    rating: HowHard = "",
    *,
    sheet: Sheet,
) -> int:
    """Print puzzles with one solution each; the solutions at the end.

    Examples:
        tablero sudoku worksheet --rating easy --pdf sudoku.pdf
        tablero sudoku worksheet --kind killer --side 6 --title 'Class 5b' --pdf killer.pdf
    """
    from tablero.sudoku.wish import Wish, wanted_rating
    from tablero.sudoku.worksheets import worksheet

    wish = Wish(side, kind, rating=wanted_rating(rating) if rating else None)
    made = worksheet(wish, count=sheet.count, seed=sheet.seed, title=sheet.title, per_page=sheet.per_page)
    return sheet.put(made)
