"""`tablero edges`: edge-matching puzzles, from Tetravex to Eternity II."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from tablero.edges.commands.boards import estimate, show_board
from tablero.edges.commands.optimise import optimise, show_best
from tablero.edges.commands.pieces import convert, encode, generate
from tablero.edges.commands.solve import count, show_layings, solve
from tablero.edges.commands.trace import trace
from tablero.edges.commands.worksheet import worksheet

if TYPE_CHECKING:
    from tablero.cli.common import Settings
    from tablero.edges import Best, Layings

app = typer.Typer(
    help="Edge-matching puzzles, from Tetravex to Eternity II.", no_args_is_help=True, rich_markup_mode=None
)

_COMMANDS: dict[str, Callable[..., int]] = {  # in the order of the help
    "generate": generate,
    "solve": solve,
    "count": count,
    "optimise": optimise,
    "encode": encode,
    "convert": convert,
    "show": show_board,
    "estimate": estimate,
    "trace": trace,
    "worksheet": worksheet,
}
for _word, _command in _COMMANDS.items():
    app.command(_word)(_command)


def show(found: Layings | Best, settings: Settings) -> int:
    """Print what was found, also of a job that was resumed."""
    from tablero.edges import Best

    return show_best(found, settings) if isinstance(found, Best) else show_layings(found, settings)
