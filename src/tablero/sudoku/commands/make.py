"""`tablero sudoku generate`: puzzles, and sheets of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Json,
    PerPage,
    Quiet,
    Seed,
    Settings,
    ThreadCount,
    TimeLimit,
    Title,
    print_json,
    require_pictures,
)
from tablero.cli.help import one_of
from tablero.sudoku.commands.boards import HowHard, Output, PdfOut, SvgOut, draw

if TYPE_CHECKING:
    from tablero.sudoku.generating import Made


def generate(
    how_many: Annotated[int, typer.Option("--count", "-n", help="How many puzzles.")] = 1,
    side: Annotated[int, typer.Option("--side", help="4, 6, 9, 12, 16 or 25.")] = 9,
    kind: Annotated[
        str,
        typer.Option(
            "--kind", help="The rules; x has diagonals.", autocompletion=one_of("plain", "x", "jigsaw", "killer")
        ),
    ] = "plain",
    symmetry: Annotated[
        str,
        typer.Option(
            "--symmetry",
            help="Of the clues.",
            autocompletion=one_of("none", "half-turn", "quarter-turn", "mirror", "diagonal"),
        ),
    ] = "none",
    minimal: Annotated[bool, typer.Option("--minimal", help="No clue can be taken away.")] = False,
    clues: Annotated[int, typer.Option("--clues", help="Stop taking clues away at so many.", show_default=False)] = -1,
    rating: HowHard = "",
    seed: Seed = 0,
    output: Output = None,
    svg: SvgOut = None,
    pdf: PdfOut = None,
    per_page: PerPage = 6,
    title: Title = "",
    threads: ThreadCount = 1,
    time_limit: TimeLimit = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Make puzzles with one solution each; drawings have the answers at the end.

    Examples:
        tablero sudoku generate --seed 1
        tablero sudoku generate -n 12 --rating hard --pdf class.pdf --title 'Class 5b'
        tablero sudoku generate --kind killer --svg killer.svg
    """
    from tablero.draw.pdf import require_letters
    from tablero.draw.sheet import require_sheet
    from tablero.sudoku.generating import make
    from tablero.sudoku.saving import require_board, require_many
    from tablero.sudoku.wish import Wish, wanted_rating
    from tablero.sudoku.worksheets import handout

    settings = Settings.of(threads=threads, time_limit=time_limit, as_json=as_json, quiet=quiet)
    require_sheet(per_page, title)
    if pdf is not None:
        require_letters(title)
    wish = Wish(
        side, kind, symmetry, minimal, None if clues == -1 else clues, wanted_rating(rating) if rating else None
    )
    require_board(output, "--output")
    if how_many > 1:
        require_many(output, "--output", kind)
    require_pictures(svg=svg, pdf=pdf)
    made = make(how_many, wish, seed=seed, run=settings.run())
    _write(made, output, as_json)
    if made.puzzles and (svg or pdf):
        draw(handout(made.puzzles, per_page, title), svg, pdf)
    if as_json:
        print_json(made.values())
    else:
        number = len(made.puzzles)
        told = "1 puzzle with one solution" if number == 1 else f"{number:,} puzzles with one solution each"
        settings.say(f"{told}, in {made.seconds:.2f} s")
    return 130 if made.interrupted else 0 if made.status == "complete" else 3


def _write(made: Made, output: Path | None, as_json: bool) -> None:
    """The puzzles into the file that was named, or printed."""
    from tablero.sudoku.formats import write
    from tablero.sudoku.saving import save, save_many

    if output is not None and len(made.puzzles) == 1:
        save(output, made.puzzles[0])
    elif output is not None and made.puzzles:
        save_many(output, made.puzzles)
    elif output is None and not as_json:
        for k, puzzle in enumerate(made.puzzles):
            sys.stdout.write(("\n" if k and not puzzle.layout.is_plain else "") + write(puzzle))
