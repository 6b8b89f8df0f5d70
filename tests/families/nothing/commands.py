"""`tablero nothing`: options in, words out; everything else is done in the room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Json,
    Output,
    Quiet,
    Seed,
    Settings,
    Solutions,
    SvgFile,
    exit_status,
    number_of_solutions,
    print_json,
    put,
    require_pictures,
    sentence,
    with_settings,
    write_svg,
)

if TYPE_CHECKING:
    from tablero.nothing import Nowhere

app = typer.Typer(help="Steps that lead nowhere.", no_args_is_help=True, rich_markup_mode=None)

Puzzle = Annotated[str, typer.Argument(help="The number of steps.")]


@app.command()
@with_settings()
def solve(puzzle: Puzzle, solutions: Solutions = "1", svg: SvgFile = None, *, settings: Settings) -> int:
    """Find a step that leads somewhere."""
    from tablero.nothing import parse

    require_pictures(svg=svg)
    found = parse(puzzle).solve(number_of_solutions(solutions), run=settings.run())
    write_svg(svg, found.scene())
    return show(found, settings)


@app.command()
@with_settings()
def count(puzzle: Puzzle, *, settings: Settings) -> int:
    """Count the steps that lead somewhere."""
    from tablero.nothing import count as count_steps
    from tablero.nothing import parse

    return show(count_steps(parse(puzzle), run=settings.run()), settings)


@app.command()
def generate(seed: Seed = 0, output: Output = None, as_json: Json = False, quiet: Quiet = False) -> int:
    """Make a puzzle."""
    from tablero.nothing import generate as make
    from tablero.nothing import write

    puzzle = make(seed=seed)
    if as_json:
        print_json({"status": "solved", "steps": puzzle.steps})
    if not as_json or output is not None:
        put(write(puzzle), output)
    return 0


def show(found: Nowhere, settings: Settings) -> int:
    """Print what was found, also of a job that was resumed."""
    if settings.as_json:
        print_json({**found.values(), **({"answers": found.told()} if found.result.kept else {})})
        return exit_status(found)
    if not found.result.kept:
        print(found.solutions)
    settings.say(sentence(found, "step that leads somewhere", "steps that lead somewhere"))
    return exit_status(found)
