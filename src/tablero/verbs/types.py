"""Parameter types that several families share, and the options that write worksheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from tablero.verbs.describe import writes
from tablero.verbs.parameters import Spelling

if TYPE_CHECKING:
    from tablero.draw.sheet import Worksheet

MOST_SEED = (1 << 62) - 1

Seed = Annotated[
    int,
    Meta(ge=0, le=MOST_SEED, description="Seed of the random numbers: the same seed, the same result."),
]
Most = Annotated[
    int | None,
    Meta(ge=1, description="Number of solutions to find, or all."),
    Spelling(option="solutions", short="-n", metavar="N", label="How many", words={"all": None}),
]
Puzzles = Annotated[
    int, Meta(ge=1, le=1000, description="Number of puzzles."), Spelling(option="count", short="-n", label="Puzzles")
]
Title = Annotated[str, Meta(max_length=60, description="Title at the top of every page.")]
PerPage = Annotated[Literal[1, 2, 4, 6, 12], Meta(description="Number of puzzles on a page."), Spelling(metavar="N")]


def require_title(title: str) -> None:
    """Refuse a title that a PDF cannot show."""
    from tablero.draw.pdf import require_letters

    require_letters(title)


@writes(".pdf", name="pdf", before="tablero.verbs.types:require_title")
def sheet_pdf(found: Worksheet) -> bytes:
    """Write A4 pages to this PDF file."""
    return found.to_pdf()


@writes(".svg", name="svg")
def sheet_svg(found: Worksheet) -> str:
    """Write all pages, one below the other, to this SVG file."""
    return found.to_svg()
