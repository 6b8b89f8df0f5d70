"""`tablero sudoku candidates`: what every empty cell can be, or why one of them can be what it can."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import Manner, print_json, put, with_manner
from tablero.cli.help import one_of
from tablero.errors import BadInput
from tablero.files import require_writable
from tablero.sudoku.commands.boards import Given, with_given

if TYPE_CHECKING:
    from tablero.sudoku.pencil import Pencil

_FORM_OF = {".sdx": "sdx", ".sdk": "sadman", ".sdm": "line"}  # other names: a grid


@with_manner
@with_given
def candidates(
    of: Annotated[
        str, typer.Option("--of", help="Explain this cell, as r6c3: what its row, column and box miss.")
    ] = "",
    form: Annotated[
        str,
        typer.Option(
            "--form",
            help="The format; without it as the file's name says.",
            autocompletion=one_of("grid", "line", "sdx", "sadman", "sections"),
        ),
    ] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")] = None,
    *,
    given: Given,
    manner: Manner,
) -> int:
    """What every empty cell can be, by its row, column and box; candidates that the file has taken away stay away.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku candidates puzzle.txt --of r6c1
        tablero sudoku candidates puzzle.txt --form sadman -o puzzle.sdk
    """
    from tablero.sudoku.pencil import reason, write

    if output is not None:
        require_writable(output, option="--output")
    pencil = _pencil(given)
    puzzle = pencil.puzzle
    cell = _cell(of, puzzle.side) if of else None
    why = None if cell is None else reason(puzzle.layout, puzzle.cells, cell)
    default = "grid" if puzzle.layout.is_plain else "sections"
    chosen = form or (_FORM_OF.get(output.suffix.lower(), default) if output is not None else default)
    text = write(pencil, chosen)
    if output is not None:
        put(text, output)
    if manner.as_json:
        values = {"status": "complete", "cells": puzzle.line(), "candidates": pencil.values()}
        print_json({**values, **({"of": why.values()} if why else {})})
    elif why is not None:
        print(why.sentence)
    elif output is None:
        print(text, end="")
    return 0


def _pencil(given: Given) -> Pencil:
    """The candidates that a file tells, or those of its puzzle."""
    from tablero.sudoku.logic.pencil import parse_position_text
    from tablero.sudoku.pencil import Pencil, is_pencil, parse, pencil_of
    from tablero.sudoku.puzzle import Sudoku

    text = given.marked()
    if text is None:
        return pencil_of(given.one())
    where = given.puzzle if len(given.puzzle) < 80 else "the board"
    if is_pencil(text):
        return parse(text, where)
    position = parse_position_text(text, where)
    puzzle = Sudoku(tuple(position.values), position.puzzle.layout)
    return Pencil(puzzle, tuple(position.cands), position.puzzle.cells)


def _cell(name: str, side: int) -> int:
    found = re.fullmatch(r"r(\d{1,2})c(\d{1,2})", name.strip().lower(), re.ASCII)
    if not found or not (1 <= int(found[1]) <= side and 1 <= int(found[2]) <= side):
        raise BadInput(f"--of {name}: expected row and column from 1 to {side}, as r6c3")
    return side * (int(found[1]) - 1) + int(found[2]) - 1
