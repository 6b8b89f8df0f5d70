"""`tablero queens`: n queens annealed, searched for, constructed and counted."""

import typer

from tablero.puzzles.queens.commands.anneal import anneal, tune
from tablero.puzzles.queens.commands.other import armies, model
from tablero.puzzles.queens.commands.show import show
from tablero.puzzles.queens.commands.solve import count, solve
from tablero.puzzles.queens.commands.worksheet import worksheet

app = typer.Typer(
    help="n queens: annealed, searched for, constructed, counted.", no_args_is_help=True, rich_markup_mode=None
)
# In this order they stand in the help.
for command in (anneal, solve, count, model, armies, tune, worksheet):
    app.command(command.__name__)(command)

__all__ = ["app", "show"]
