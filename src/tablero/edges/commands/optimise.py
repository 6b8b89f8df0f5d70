"""`tablero edges optimise`: the most joins matched within a time."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Seed,
    Settings,
    SvgFile,
    ended,
    print_values,
    require_pictures,
    with_settings,
    write_svg,
)
from tablero.edges.commands.reading import Numbers, Reading, tell_reading, with_reading
from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.edges import Best, EdgePuzzle


@with_settings(time_limit="10s")
@with_reading
def optimise(
    width: Annotated[
        int | None, typer.Option("--width", help="Boards in the beam; by the time limit otherwise.")
    ] = None,
    clues: Annotated[str, typer.Option("--clues", help="Which clues to keep: all, none, or how many.")] = "all",
    seed: Seed = 0,
    svg: SvgFile = None,
    numbers: Numbers = False,
    *,
    reading: Reading,
    settings: Settings,
) -> int:
    """Find a board with as many joins matched as the time allows.

    Examples:
        tablero edges generate 16 --framed 5,17 -o pieces.txt
        tablero edges optimise pieces.txt --time-limit 60s --svg best.svg
        tablero edges optimise pieces.txt --time-limit 8h --threads 2 --job tonight
    """
    from tablero.edges.draw import require_drawable
    from tablero.edges.methods import require_beam

    require_pictures(svg=svg)
    document = reading.document()
    puzzle = _with_clues(document.puzzle, clues)
    if svg is not None:
        require_drawable(puzzle.board)
    require_beam(puzzle, width, seed)
    tell_reading(document, settings)
    best = puzzle.optimise(width=width, seed=seed, run=settings.run())
    status = show_best(best, settings)
    write_svg(svg, best.scene(numbers=numbers))
    return status


def _with_clues(puzzle: EdgePuzzle, clues: str) -> EdgePuzzle:
    if clues == "all":
        return puzzle
    if not re.fullmatch(r"none|[0-9]{1,4}", clues) or (clues != "none" and int(clues) > len(puzzle.clues)):
        raise BadInput(f"--clues {clues}: expected all, none, or a number up to the {len(puzzle.clues)} there are")
    return puzzle.with_clues(0 if clues == "none" else int(clues))


def show_best(best: Best, settings: Settings) -> int:
    """The best board, its score and where it does not match.  A score is an answer: only no board at all leaves it open."""
    from tablero.edges.formats import write_laying

    status = ended(best.interrupted) or (3 if best.laying is None else 0)
    if settings.as_json:
        print_values({**best.values(), "answers": best.told()}, settings)
        return status
    if best.laying is not None:
        sys.stdout.write(write_laying(best.puzzle, best.laying.tolist()))
    if best.curve:
        settings.say("score against time: " + ", ".join(f"{score} at {when:.1f} s" for when, score in best.curve))
    pairs = " ".join("-".join(pair) for pair in best.puzzle.names_of(best.mismatches))
    reached = "no board yet" if best.laying is None else f"{best.score} of {best.maximum} joins match"
    settings.say(
        f"{reached} with {best.regime}; {best.nodes:,} boards in {best.seconds:.1f} s"
        + (f"; mismatches at {pairs}" if pairs else "")
    )
    return status
