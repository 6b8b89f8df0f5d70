"""Words that several commands of the queens have in common."""

from __future__ import annotations

from typing import Annotated

import typer

Side = Annotated[int, typer.Argument(metavar="N", help="Queens, and rows and columns of the board.")]
Seed = Annotated[int, typer.Option("--seed", help="Of the random numbers; runs take it and those that follow.")]
