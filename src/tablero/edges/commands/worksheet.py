"""`tablero edges worksheet`: pieces to cut out, on paper."""

from __future__ import annotations

from typing import Annotated

import typer

from tablero.cli.worksheet import Sheet, with_sheet


@with_sheet(count=2, per_page=1)
def worksheet(
    size: Annotated[str, typer.Argument(help="The board, as 4 or 3x5; at most 64 pieces.")] = "4",
    colours: Annotated[int, typer.Option("--colours", help="Patterns on the sides.")] = 4,
    borderless: Annotated[bool, typer.Option("--no-border", help="No grey sides for the border: harder.")] = False,
    *,
    sheet: Sheet,
) -> int:
    """Print pieces to cut out and a frame to lay them on; answers at the end.

    Examples:
        tablero edges worksheet --pdf pieces.pdf
        tablero edges worksheet 3 --colours 3 -n 4 --per-page 2 --title 'Cut and lay' --pdf pieces.pdf
    """
    from tablero.edges.worksheets import worksheet

    made = worksheet(
        size,
        colours=colours,
        border=not borderless,
        count=sheet.count,
        seed=sheet.seed,
        title=sheet.title,
        per_page=sheet.per_page,
    )
    return sheet.put(made)
