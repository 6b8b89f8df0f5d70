"""What all edge-matching commands share: options, and reading puzzles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import REQUIRED, with_options

if TYPE_CHECKING:
    from tablero.cli.common import Manner
    from tablero.puzzles.edges.formats import Document

File = Annotated[str, typer.Argument(help="Pieces, CSV or a viewer's address; - for standard input.")]
Size = Annotated[str, typer.Option("--size", help="The board, as 8 or 6x9, where the file does not say.")]
SideOrder = Annotated[str, typer.Option("--sides", help="How the file orders a square's sides, as trbl.")]
Border = Annotated[str, typer.Option("--border", help="The number of the border colour in the file, or none.")]
BoardFile = Annotated[
    str | None,
    typer.Option("--board", help="A laying, as solve prints it, its JSON, or a cover as cover solve prints it."),
]
SolutionFile = Annotated[Path | None, typer.Option("--solution", help="Keep the solution in this file.")]
CellOrder = Annotated[
    str, typer.Option("--order", help="Of cells for scan: rows, columns, ring, spiral, diagonal, auto, or r1c1,r1c2,…")
]
Numbers = Annotated[bool, typer.Option("--numbers", help="Write the numbers of the pieces into the picture.")]


@dataclass(frozen=True)
class Reading:
    """A file with a puzzle, and what the options say of it."""

    file: str
    size: str
    sides: str
    border: str

    def document(self) -> Document:
        from tablero.puzzles.edges import read_document

        return read_document(self.file, size=self.size, sides=self.sides, border=self.border)


with_reading = with_options(
    "reading", Reading, file=(File, REQUIRED), size=(Size, ""), sides=(SideOrder, ""), border=(Border, "")
)


def laying_in(document: Document, board: str | None) -> list[int] | None:
    """The board in a file of its own, or else the one that came with the puzzle."""
    from tablero.puzzles.edges.formats import read_laying

    laying = document.laying if board is None else read_laying(document.puzzle, board)
    return None if laying is None else [int(variant) for variant in laying]


def tell_reading(document: Document, manner: Manner) -> None:
    """Say how a file was understood, once it is clear that the rest can be used as well."""
    manner.say(f"read as {document.remark}")
