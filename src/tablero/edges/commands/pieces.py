"""`tablero edges generate`, `encode` and `convert`: puzzles made, and written in other ways."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import Manner, Output, Seed, print_json, put, with_manner
from tablero.cli.help import one_of
from tablero.edges.commands.reading import (
    BoardFile,
    Reading,
    SolutionFile,
    layings_in,
    tell_reading,
    with_reading,
)
from tablero.errors import BadInput
from tablero.files import require_writable, write_text
from tablero.words import several, unknown

if TYPE_CHECKING:
    from tablero.edges import EdgePuzzle

VIEWER = "https://e2.bucas.name/"


@with_manner
def generate(
    size: Annotated[str, typer.Argument(help="The side of the board, or rows and columns as 6x9.")],
    colours: Annotated[int | None, typer.Option("--colours", help="Inner colours, from a single pool.")] = None,
    framed: Annotated[str, typer.Option("--framed", help="Colours along the frame and inside, as 5,17.")] = "",
    shape: Annotated[
        str, typer.Option("--shape", help="Of the pieces.", autocompletion=one_of("square", "triangle", "hexagon"))
    ] = "square",
    even: Annotated[bool, typer.Option("--even", help="Spread the colours evenly instead of drawing them.")] = False,
    tetravex: Annotated[bool, typer.Option("--tetravex", help="No border colour, no turning.")] = False,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="No two pieces alike, none alike itself turned.")
    ] = False,
    seed: Seed = 0,
    solution: SolutionFile = None,
    output: Output = None,
    *,
    manner: Manner,
) -> int:
    """Make a puzzle that has a solution.

    Examples:
        tablero edges generate 6 --colours 6 --seed 1 -o pieces.txt
        tablero edges generate 16 --framed 5,17 --solution solution.txt -o pieces.txt
    """
    from tablero.edges import plant, write
    from tablero.edges.formats import write_laying

    pair = re.fullmatch(r"\s*([0-9]{1,5})\s*,\s*([0-9]{1,5})\s*", framed)
    if framed and not pair:
        raise BadInput(f"--framed {framed}: expected the colours along the frame and inside, as 5,17")
    if (colours is None) == (not framed):
        raise BadInput("expected either --colours or --framed")
    _require_writable(solution, output)
    planted = plant(
        size,
        colours=colours,
        framed=(int(pair[1]), int(pair[2])) if pair else None,
        shape=shape,
        even=even,
        border=not tetravex,
        turning=not tetravex,
        distinct=distinct,
        seed=seed,
    )
    how = f"--framed {framed}" if framed else f"--colours {colours}"
    more = (f" --shape {shape}" if shape != "square" else "") + " --even" * even + " --tetravex" * tetravex
    more += " --distinct" * distinct
    if solution is not None:
        write_text(solution, write_laying(planted.puzzle, planted.laying.tolist()))
    text = write(planted.puzzle, f"tablero edges generate {size} {how}{more} --seed {seed}")
    _answer(text, output, _described(planted.puzzle), manner.as_json)
    return 0


@with_manner
@with_reading
def encode(
    encoding: Annotated[
        str,
        typer.Option(
            "--encoding",
            help="Oborný's first or second, or with coloured joins.",
            autocompletion=one_of("1", "2", "xcc"),
        ),
    ] = "xcc",
    full: Annotated[bool, typer.Option("--full", help="Conditions from both sides of a join, as published.")] = False,
    output: Output = None,
    *,
    reading: Reading,
    manner: Manner,
) -> int:
    """Write a puzzle as an exact cover problem in Knuth's format.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt
        tablero edges encode pieces.txt -o pieces.dlx
        tablero cover solve pieces.dlx
    """
    import numpy as np

    from tablero.cover import write
    from tablero.edges.encoding import colours_in_full, sizes
    from tablero.edges.encoding import encode as encode_as

    _require_writable(output)
    document = reading.document()
    puzzle = document.puzzle
    problem = encode_as(puzzle, encoding, savings=not full).cover
    tell_reading(document, manner)
    text = write(problem, f"tablero edges encode {reading.name} --encoding {encoding}{' --full' * full}")
    ones, ones_a_row = len(problem.table.item), int(np.diff(problem.table.start).max(initial=0))
    values = {"columns": len(problem.items), "rows": len(problem), "ones": ones, "ones_a_row": ones_a_row}
    values["primary"] = problem.primary
    _answer(text, output, values, manner.as_json)
    told = (
        f"{several(len(problem.items), 'column')}, {several(len(problem), 'row')}, {several(ones, 'one')}, "
        f"at most {ones_a_row} a row"
    )
    if puzzle.board.shape == "square" and puzzle.board.rows == puzzle.board.columns:
        most = sizes(puzzle.board.rows, colours_in_full(puzzle) if encoding == "1" else puzzle.colours, encoding)
        told += f"; without savings at most {most.columns:,}, {most.rows:,} and {most.ones}"
    manner.say(told)
    return 0


@with_manner
@with_reading
def convert(
    to: Annotated[
        str, typer.Option("--to", help="The format to write.", autocompletion=one_of("pieces", "csv", "viewer"))
    ] = "pieces",
    board: BoardFile = None,
    name: Annotated[str, typer.Option("--name", help="What the viewer calls the puzzle.")] = "tablero",
    viewer: Annotated[
        str,
        typer.Option("--viewer", help="The viewer's own address, so that a board can be clicked; '' leaves it out."),
    ] = VIEWER,
    border_as: Annotated[int, typer.Option("--border-as", help="The border's number in what is written: 0 or 1.")] = 0,
    solution: SolutionFile = None,
    output: Output = None,
    *,
    reading: Reading,
    manner: Manner,
) -> int:
    """Turn one format into another.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt --solution board.txt
        tablero edges convert pieces.txt --to csv -o pieces.csv
        tablero edges convert pieces.txt --board board.txt --to viewer
    """
    from tablero.edges.formats import FORMATS, address, write, write_laying

    if to not in FORMATS:
        raise BadInput(unknown("--to", to, FORMATS))
    _require_writable(solution, output)
    document = reading.document()
    layings = layings_in(document, board)
    if solution is not None and not layings:
        raise BadInput(f"{reading.file}: there is no board in it to keep")
    if to != "viewer":
        text = write(document.puzzle, style=to, border=border_as)
    elif not layings:
        raise BadInput("an address shows a board: say with --board where it is")
    else:
        text = "".join(address(document.puzzle, laying, name, viewer) + "\n" for laying in layings)
    if solution is not None:
        write_text(solution, "\n".join(write_laying(document.puzzle, laying) for laying in layings))
    tell_reading(document, manner)
    _answer(text, output, {**_described(document.puzzle), "format": to}, manner.as_json)
    return 0


def _require_writable(*files: Path | None) -> None:
    for path in files:
        if path is not None:
            require_writable(path)


def _described(puzzle: EdgePuzzle) -> dict[str, Any]:
    """A puzzle in numbers."""
    return {
        "size": puzzle.board.size,
        "shape": puzzle.board.shape,
        "pieces": len(puzzle.pieces),
        "colours": puzzle.inner_colours,
        "border": puzzle.border,
        "turning": puzzle.turning,
        "clues": len(puzzle.clues),
    }


def _answer(text: str, output: Path | None, values: dict[str, Any], as_json: bool) -> None:
    """Write what was made into its file or print it; as JSON, with what is to be said of it."""
    if output is not None or not as_json:
        put(text, output)
    if as_json:
        print_json({"status": "solved", **values, **({} if output is not None else {"problem": text})})
