"""`tablero sudoku generate`: puzzles, and sheets of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import Json, Quiet, Settings, ThreadCount, TimeLimit, compile_notice, print_json, write_text
from tablero.errors import BadInput
from tablero.puzzles.sudoku.commands.boards import Output, PdfOut, SvgOut, draw, require_writable, write_board

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.puzzles.sudoku import Sudoku


def generate(
    how_many: Annotated[int, typer.Option("--count", "-n", help="How many puzzles.")] = 1,
    side: Annotated[int, typer.Option("--side", help="4, 6, 9, 12, 16 or 25.")] = 9,
    kind: Annotated[str, typer.Option("--kind", help="plain, x (diagonals), jigsaw or killer.")] = "plain",
    symmetry: Annotated[
        str, typer.Option("--symmetry", help="Of the clues: none, half-turn, quarter-turn, mirror, diagonal.")
    ] = "none",
    minimal: Annotated[bool, typer.Option("--minimal", help="No clue can be taken away.")] = False,
    clues: Annotated[int, typer.Option("--clues", help="Stop taking clues away at so many.")] = -1,
    rating: Annotated[str, typer.Option("--rating", help="easy … diabolical, a number, or a range as 3.0-4.2.")] = "",
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same puzzles.")] = 0,
    output: Output = None,
    svg: SvgOut = None,
    pdf: PdfOut = None,
    per_page: Annotated[int, typer.Option("--per-page", help="Puzzles on a page of a drawing: 1, 2, 4, 6 or 12.")] = 6,
    threads: ThreadCount = 1,
    time_limit: TimeLimit = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Make puzzles with one solution each; drawings have the answers at the end."""
    from tablero.puzzles.sudoku.generate import Wish, require_count, wanted_rating
    from tablero.puzzles.sudoku.generate import generate as make

    settings = Settings.of(threads, time_limit, "", as_json, quiet)
    if seed < 0:
        raise BadInput(f"--seed {seed}: expected a number from 0")
    if per_page not in _PAGES:
        raise BadInput(f"--per-page {per_page}: expected one of {', '.join(map(str, _PAGES))}")
    wish = Wish(
        side, kind, symmetry, minimal, None if clues == -1 else clues, wanted_rating(rating) if rating else None
    )
    if how_many > 1 and output is not None and not (kind == "plain" and output.suffix.lower() in (".sdm", ".txt", "")):
        raise BadInput(f"--output {output}: several puzzles go into a .sdm or .txt file, plain ones only")
    require_writable(output, svg, pdf)
    require_count(how_many)
    with compile_notice("the kernels of Sudoku", quiet):
        next(make(1, Wish(side if kind == "plain" else 9)))
    began = time.monotonic()
    puzzles = list(make(how_many, wish, seed=seed, threads=threads, time_limit=settings.time_limit))
    seconds = time.monotonic() - began
    _deliver(puzzles, output, as_json, seconds, how_many)
    if puzzles and (svg or pdf):
        draw(_pages(puzzles, per_page), svg, pdf)
    if not quiet and not as_json:
        told = "1 puzzle with one solution" if len(puzzles) == 1 else f"{len(puzzles):,} puzzles with one solution each"
        print(f"{told}, in {seconds:.2f} s", file=sys.stderr)
    return 0 if len(puzzles) == how_many else 3


_PAGES = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}  # across and down


def _deliver(puzzles: Sequence[Sudoku], output: Path | None, as_json: bool, seconds: float, wanted: int) -> None:
    from tablero.puzzles.sudoku.formats import write

    if output is not None and puzzles:
        if len(puzzles) == 1:
            write_board(output, puzzles[0], None)
        else:
            write_text(output, "".join(puzzle.line() + "\n" for puzzle in puzzles))
    if as_json:
        status = "complete" if len(puzzles) == wanted else "open"
        values: dict[str, Any] = {"status": status, "solutions": len(puzzles), "seconds": round(seconds, 6)}
        values["answers"] = [puzzle.line() for puzzle in puzzles]
        if puzzles and not puzzles[0].layout.is_plain:
            values["puzzles"] = [write(puzzle) for puzzle in puzzles]
        print_json(values)
    elif output is None:
        for k, puzzle in enumerate(puzzles):
            sys.stdout.write(("\n" if k and not puzzle.layout.is_plain else "") + write(puzzle))


def _pages(puzzles: Sequence[Sudoku], per_page: int) -> list[Scene]:
    """Pages of puzzles, then pages of their solutions, smaller."""
    from tablero.draw.sheet import pages
    from tablero.puzzles.sudoku.draw import board
    from tablero.puzzles.sudoku.rate import rate as rate_one

    across, down = _PAGES[per_page]
    captions = []
    for number, puzzle in enumerate(puzzles, 1):
        rated = not puzzle.layout.cages and puzzle.side <= 9 and len(puzzles) <= 500
        captions.append(f"{number}. {rate_one(puzzle).word}" if rated else f"{number}.")
    solved = [board(puzzle, puzzle.solve().boards[0]) for puzzle in puzzles]
    out = pages([board(puzzle) for puzzle in puzzles], captions, across=across, down=down, head="Sudoku")
    numbers = [f"{number}." for number in range(1, len(puzzles) + 1)]
    return out + pages(solved, numbers, across=max(across, 3), down=max(down, 4), head="Solutions")
