"""`tablero edges optimise`: the most joins matched within a time."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import Settings, SvgFile, perform, print_json, summary, with_settings, write_text
from tablero.errors import BadInput
from tablero.puzzles.edges.commands.boards import (
    Border,
    File,
    Numbers,
    Seed,
    SideOrder,
    Size,
    read_document,
    tell_reading,
    told_mismatches,
)

if TYPE_CHECKING:
    from tablero.puzzles.edges import EdgePuzzle
    from tablero.puzzles.edges.kernels.optimise import BeamSearch
    from tablero.runs.findings import Result
    from tablero.runs.store import Store


@with_settings(time_limit="10s")
def optimise(
    file: File,
    width: Annotated[
        int | None, typer.Option("--width", help="Boards in the beam; by the time limit otherwise.")
    ] = None,
    clues: Annotated[str, typer.Option("--clues", help="Which clues to keep: all, none, or how many.")] = "all",
    seed: Seed = 0,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    svg: SvgFile = None,
    numbers: Numbers = False,
    *,
    settings: Settings,
) -> int:
    """Find a board with as many joins matched as the time allows."""
    from tablero.puzzles.edges import EdgePuzzle
    from tablero.puzzles.edges.formats import write
    from tablero.puzzles.edges.optimise import optimiser_for, recipe_for, width_for

    document = read_document(file, size, sides, border)
    puzzle = document.puzzle
    if clues != "all":
        if not re.fullmatch(r"none|\d{1,4}", clues) or (clues != "none" and int(clues) > len(puzzle.clues)):
            raise BadInput(f"--clues {clues}: expected all, none, or a number up to the {len(puzzle.clues)} there are")
        kept = puzzle.clues[: 0 if clues == "none" else int(clues)]
        puzzle = EdgePuzzle(
            puzzle.pieces.tolist(), puzzle.board, border=puzzle.border, turning=puzzle.turning, clues=kept
        )
    search = optimiser_for(puzzle, width_for(puzzle, settings.time_limit) if width is None else width, seed)
    tell_reading(document, settings.quiet)
    text = write(puzzle).encode() if settings.job else b""
    result = perform(search, settings, recipe=recipe_for(search), problem=text)
    return _finish_optimise(puzzle, search, result, settings, svg, numbers)


def resume_optimise(store: Store, settings: Settings) -> int:
    from tablero.puzzles.edges.optimise import search_again

    puzzle, search = search_again(store.card.recipe, store.card.problem)
    result = perform(search, settings, store=store)
    return _finish_optimise(puzzle, search, result, settings, None, False)


def _finish_optimise(
    puzzle: EdgePuzzle, search: BeamSearch, result: Result, settings: Settings, svg: Path | None, numbers: bool
) -> int:
    """The best board, its score and where it does not match.  A score is an answer: only no board at all leaves it open."""
    from tablero.draw.svg import to_svg
    from tablero.puzzles.edges.draw import scene
    from tablero.puzzles.edges.formats import write_laying
    from tablero.puzzles.edges.optimise import Best, curve_of

    best = Best(puzzle, result, curve_of(puzzle, search))
    best.verify()
    status = 130 if result.interrupted else 3 if best.laying is None else 0
    if svg is not None and best.laying is not None:
        write_text(svg, to_svg(scene(puzzle, best.laying, f"{best.score} of {best.maximum} joins", numbers=numbers)))
    if settings.as_json:
        values = {**summary(result), "score": best.score, "maximum": best.maximum, "clues": len(puzzle.clues)}
        curve = [list(point) for point in best.curve]
        print_json(
            {**values, "mismatches": told_mismatches(puzzle, best.mismatches), "curve": curve, "answers": best.answers}
        )
        return status
    if best.laying is not None:
        sys.stdout.write(write_laying(puzzle, best.laying.tolist()))
    if not settings.quiet:
        if best.curve:
            points = ", ".join(f"{score} at {seconds:.1f} s" for seconds, score in best.curve)
            print(f"score against time: {points}", file=sys.stderr)
        pairs = " ".join("-".join(pair) for pair in told_mismatches(puzzle, best.mismatches))
        print(
            f"{best.score} of {best.maximum} joins match with {best.regime}; {result.nodes:,} boards in "
            f"{result.seconds:.1f} s" + (f"; mismatches at {pairs}" if pairs else ""),
            file=sys.stderr,
        )
    return status
