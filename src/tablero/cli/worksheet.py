"""What the commands that print worksheets share: their options, and how a sheet is written and told.

Every family calls it `worksheet`, and it takes the same options everywhere: how many puzzles, the title, how many on a page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Command,
    Json,
    Manner,
    PerPage,
    Quiet,
    Seed,
    Title,
    print_json,
    require_pictures,
    with_options,
)
from tablero.errors import BadInput
from tablero.files import write_bytes, write_text
from tablero.words import several

if TYPE_CHECKING:
    from tablero.draw.sheet import Worksheet

HowMany = Annotated[int, typer.Option("--count", "-n", help="How many puzzles.")]
PdfOut = Annotated[Path | None, typer.Option("--pdf", help="Draw pages of A4 into this file.")]
SvgOut = Annotated[Path | None, typer.Option("--svg", help="Draw all pages, one below the other, into this file.")]


@dataclass(frozen=True)
class Sheet(Manner):
    """What the options say of a worksheet."""

    count: int = 6
    seed: int = 0
    title: str = ""
    per_page: int = 6
    pdf: Path | None = None
    svg: Path | None = None

    def __post_init__(self) -> None:
        if self.pdf is None and self.svg is None and not self.as_json:
            raise BadInput("a worksheet goes into a file: expected --pdf FILE or --svg FILE, or --json for its content")
        require_pictures(svg=self.svg, pdf=self.pdf)
        if self.pdf is not None:
            from tablero.draw.pdf import require_letters

            require_letters(self.title)

    def put(self, sheet: Worksheet) -> int:
        """Write the sheet, and say so."""
        if self.pdf is not None:
            write_bytes(self.pdf, sheet.to_pdf())
        if self.svg is not None:
            write_text(self.svg, sheet.to_svg())
        files = [str(path) for path in (self.pdf, self.svg) if path is not None]
        if self.as_json:
            tasks = [{"caption": one.caption, "puzzle": one.given, "answer": one.solved} for one in sheet.tasks]
            values = {"title": sheet.title, "puzzles": tasks, "pages": len(sheet.pages), "files": files}
            print_json({"status": "complete", **values})
        else:
            told = f"{several(len(sheet.tasks), 'puzzle')} on {several(len(sheet.pages), 'page')}, answers at the end"
            self.say(f"{told}: {', '.join(files)}")
        if len(sheet.tasks) < self.count:
            self.say(f"no more than {len(sheet.tasks)} that differ were found, of the {self.count} asked for")
        twice = len(sheet.tasks) - len({one.solved for one in sheet.tasks})
        if twice:
            self.say(f"{several(twice, 'answer')} stand a second time, from another start: no others were found")
        return 0


def with_sheet(*, count: int = 6, per_page: int = 6) -> Callable[[Command], Command]:
    """Give a command the options of a worksheet; it gets what they say as `sheet`."""
    return with_options(
        "sheet",
        Sheet,
        count=(HowMany, count),
        seed=(Seed, 0),
        title=(Title, ""),
        per_page=(PerPage, per_page),
        pdf=(PdfOut, None),
        svg=(SvgOut, None),
        as_json=(Json, False),
        quiet=(Quiet, False),
    )
