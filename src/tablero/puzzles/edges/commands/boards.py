"""What all edge-matching commands share: options, reading puzzles, telling what does not match."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import write_text

if TYPE_CHECKING:
    from tablero.puzzles.edges import EdgePuzzle
    from tablero.puzzles.edges.formats import Document

app = typer.Typer(
    help="Edge-matching puzzles, from Tetravex to Eternity II.", no_args_is_help=True, rich_markup_mode=None
)

File = Annotated[Path, typer.Argument(help="Pieces, CSV or a viewer's address; - for standard input.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")]
Seed = Annotated[int, typer.Option("--seed", help="What the random numbers begin with.")]
Size = Annotated[str, typer.Option("--size", help="The board, as 8 or 6x9, where the file does not say.")]
SideOrder = Annotated[str, typer.Option("--sides", help="How the file orders a square's sides, as trbl.")]
Border = Annotated[str, typer.Option("--border", help="The number of the border colour in the file, or none.")]
Method = Annotated[str, typer.Option("--method", "-m", help="auto, fewest, scan, frame, beam, cover1, cover2 or xcc.")]
CellOrder = Annotated[
    str, typer.Option("--order", help="Of cells for scan: rows, columns, ring, spiral, diagonal, auto, or r1c1,r1c2,…")
]
UpToTurning = Annotated[bool, typer.Option("--up-to-turning", help="Of boards that are turns of each other only one.")]
Numbers = Annotated[bool, typer.Option("--numbers", help="Write the numbers of the pieces into the picture.")]


def read_document(path: Path, size: str, sides: str, border: str) -> Document:
    from tablero.puzzles.edges.formats import Reading, decode, parse, read

    reading = Reading(size, sides, border)
    if str(path) == "-":
        return parse(decode(sys.stdin.buffer.read(), "standard input"), "standard input", reading)
    return read(path, reading)


def tell_reading(found: Document, quiet: bool) -> None:
    """Say how a file was understood, once it is clear that the rest can be used as well."""
    if not quiet:
        print(f"read as {found.remark}", file=sys.stderr)


def put(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(output, text)


def told_mismatches(puzzle: EdgePuzzle, wrong: list[Any]) -> list[list[str]]:
    return [[puzzle.board.name(one[0]), puzzle.board.name(other[0])] for one, other in wrong]
