"""Words that several commands of the queens have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tablero.puzzles.queens import Queens

Side = Annotated[
    str, typer.Argument(metavar="N", help="Queens, and rows and columns of the board; or a file with a board.")
]
Count = Annotated[int, typer.Argument(metavar="N", help="Queens, and rows and columns of the board.")]
Seed = Annotated[int, typer.Option("--seed", help="Of the random numbers; runs take it and those that follow.")]
Given = Annotated[
    str | None,
    typer.Option("--given", help="Squares that have a queen, as r1c3,r4c5 (from 1), or a file with such squares."),
]
Blocked = Annotated[
    str | None,
    typer.Option("--blocked", help="Squares that must stay empty, as r1c3,r4c5, or a file with such squares."),
]


def puzzle_of(
    size: str, given: str | None = None, blocked: str | None = None, torus: bool = False, least: int = 1
) -> Queens:
    """The puzzle that the words of a command mean; of so many queens at least."""
    from tablero.puzzles.queens.formats import named

    return named(size, given, blocked, torus, least)
