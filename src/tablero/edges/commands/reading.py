"""What all edge-matching commands share: options, and reading puzzles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import REQUIRED, with_options
from tablero.cli.help import one_of

if TYPE_CHECKING:
    from tablero.cli.common import Manner
    from tablero.edges.formats import Document

File = Annotated[
    str, typer.Argument(help="A file with pieces, CSV or a viewer's address, or the address; - for stdin.")
]
Size = Annotated[str, typer.Option("--size", help="The board, as 8 or 6x9, where the file does not say.")]
SideOrder = Annotated[str, typer.Option("--sides", help="How the file orders a square's sides, as trbl.")]
Clues = Annotated[
    list[str] | None, typer.Option("--clue", help="A clue more: cell, piece and turn as r2c3,6,1; may be repeated.")
]
Border = Annotated[str, typer.Option("--border", help="The number of the border colour in the file, or none.")]
BoardFile = Annotated[
    str | None,
    typer.Option("--board", help="Boards as solve prints them, covers as cover solve does, their JSON, or an address."),
]
SolutionFile = Annotated[Path | None, typer.Option("--solution", help="Keep the solution in this file.")]
CellOrder = Annotated[
    str,
    typer.Option(
        "--order",
        help="Of cells for scan.",
        autocompletion=one_of(
            "auto", "rows", "columns", "ring", "spiral", "diagonal", more="or all cells as r1c1,r1c2,…"
        ),
    ),
]
Numbers = Annotated[bool, typer.Option("--numbers", help="Write the numbers of the pieces into the picture.")]


@dataclass(frozen=True)
class Reading:
    """A file with a puzzle, and what the options say of it."""

    file: str
    size: str
    sides: str
    border: str
    more_clues: list[str] | None

    def document(self) -> Document:
        from tablero.edges import read_document

        return read_document(
            self.file, size=self.size, sides=self.sides, border=self.border, clues=self.more_clues or ()
        )

    @property
    def name(self) -> str:
        """What to call it: an address is long."""
        from tablero.edges.viewer import is_address

        return "the address" if is_address(self.file) else Path(self.file).name


with_reading = with_options(
    "reading",
    Reading,
    file=(File, REQUIRED),
    size=(Size, ""),
    sides=(SideOrder, ""),
    border=(Border, ""),
    more_clues=(Clues, None),
)


def layings_in(document: Document, board: str | None) -> list[list[int]]:
    """The boards in a file of their own, or else the one that came with the puzzle; perhaps none."""
    from tablero.edges.formats import read_layings

    if board is None:
        return [] if document.laying is None else [document.laying.tolist()]
    return [laying.tolist() for laying in read_layings(document.puzzle, board)]


def tell_reading(document: Document, manner: Manner) -> None:
    """Say how a file was understood, once it is clear that the rest can be used as well."""
    manner.say(f"read as {document.remark}")
