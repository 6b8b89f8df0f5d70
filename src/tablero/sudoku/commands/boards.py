"""What all Sudoku commands share: options, the puzzle that an argument stands for, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import REQUIRED, with_options
from tablero.cli.help import one_of
from tablero.errors import BadInput
from tablero.files import write_bytes, write_text

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.sudoku import Sudoku
    from tablero.sudoku.tables import Many

app = typer.Typer(help="Sudoku: solve, explain, rate, make and count.", no_args_is_help=True, rich_markup_mode=None)

Puzzle = Annotated[
    str, typer.Argument(help="A file (text, CSV, Excel), the cells themselves, or - for standard input.")
]
Sheet = Annotated[str, typer.Option("--sheet", help="The sheet of a workbook; all of them without it.")]
Corner = Annotated[str, typer.Option("--cell", help="Where the board begins in the sheet, as B2, if it must be told.")]
ColumnName = Annotated[
    str, typer.Option("--column", help="The column of puzzles in a table (.csv, .xlsx): its head, number or letter.")
]
Side = Annotated[
    int, typer.Option("--side", help="4, 6, 9, 12, 16 or 25, where the file does not tell.", show_default=False)
]
Diagonals = Annotated[bool, typer.Option("--diagonals", "-x", help="Both diagonals hold every digit, too.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write there: .xlsx, .csv, .sdk, .sdm or text.")]
SvgOut = Annotated[Path | None, typer.Option("--svg", help="Draw into this file.")]
PdfOut = Annotated[Path | None, typer.Option("--pdf", help="Draw into this file.")]
HowHard = Annotated[
    str,
    typer.Option(
        "--rating",
        help="How hard it is to be.",
        autocompletion=one_of(
            "easy", "medium", "hard", "fiendish", "diabolical", more="a number, or a range as 3.0-4.2"
        ),
    ),
]


_MOST_MARKS = 1 << 16  # bytes of a board with candidates


@dataclass(frozen=True)
class Given:
    """The puzzle, or the puzzles, that an argument stands for, and what the options say of it."""

    puzzle: str
    diagonals: bool
    side: int
    sheet: str
    cell: str

    column: str = ""

    @cached_property
    def many(self) -> Many | None:
        """The puzzles of a file of many, or of a table: those are plain."""
        from tablero.sudoku.tables import many_in

        if self.diagonals or self.side not in (0, 9) or self.cell:
            if self.column:
                raise BadInput("--column is for plain puzzles in a table: leave --cell, --side and --diagonals out")
            return None
        return many_in(self.puzzle, column=self.column, sheet=self.sheet)

    def one(self) -> Sudoku:
        """The one puzzle."""
        from tablero.sudoku.formats import make, names_file, parse_line, read_word
        from tablero.sudoku.puzzle import Layout
        from tablero.sudoku.tables import is_spreadsheet

        if self.many is not None:
            entries = list(self.many.entries())
            if len(entries) != 1:
                places = ", ".join(entry.name for entry in entries[:5] if entry.name)
                which = f": say which with --sheet and --cell ({places})" if places else ""
                raise BadInput(f"{self.many.source}: {len(entries):,} puzzles, expected one{which}")
            return parse_line(entries[0].text, entries[0].place)
        if self.diagonals and not self.side and not is_spreadsheet(self.puzzle):  # the cells tell the side
            plain = read_word(self.puzzle, sheet=self.sheet, cell=self.cell)
            if not plain.layout.is_plain:
                raise BadInput(f"{self.puzzle}: a file with sections says its own rules: leave --diagonals out")
            where = self.puzzle if names_file(self.puzzle) else "the puzzle"
            return make(plain.cells, Layout(plain.side, diagonals=True), where)
        layout = Layout(self.side or 9, diagonals=True) if self.diagonals else None
        return read_word(self.puzzle, sheet=self.sheet, cell=self.cell, side=self.side or None, layout=layout)

    def marked(self) -> str | None:
        """The text of a board with candidates, or of a library line; None where it is a puzzle alone."""
        from tablero.files import is_there, read_text, suffix_of
        from tablero.sudoku.formats import SPREADSHEETS
        from tablero.sudoku.logic.pencil import is_position

        word = self.puzzle
        if self.diagonals or self.side:  # of which a board with candidates says nothing
            return None
        if is_position(word):
            return word
        if word == "-" or not is_there(word) or not Path(word).is_file() or suffix_of(word) in SPREADSHEETS:
            return None
        if Path(word).stat().st_size > _MOST_MARKS:
            return None
        try:
            text = read_text(word)
        except BadInput:  # the reader of puzzles says what is wrong with it
            return None
        return text if is_position(text) else None

    @property
    def is_many(self) -> bool:
        """Whether it is a file of many puzzles."""
        return self.many is not None and not self.many.single


with_given = with_options(
    "given",
    Given,
    puzzle=(Puzzle, REQUIRED),
    diagonals=(Diagonals, False),
    side=(Side, 0),
    sheet=(Sheet, ""),
    cell=(Corner, ""),
    column=(ColumnName, ""),
)


def draw(scenes: Sequence[Scene], svg: Path | None, pdf: Path | None, unit: float | None = None) -> None:
    """Draw scenes into files, one below the other or a page each."""
    from tablero.draw.pdf import to_pdf
    from tablero.draw.sheet import stacked
    from tablero.draw.svg import to_svg

    if svg is not None and scenes:
        write_text(svg, to_svg(stacked(scenes)))
    if pdf is not None and scenes:
        write_bytes(pdf, to_pdf(scenes, unit) if unit else to_pdf(scenes))
