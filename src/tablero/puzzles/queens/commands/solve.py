"""`tablero queens solve` and `count`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tablero.cli.common import (
    Settings,
    Solutions,
    SvgFile,
    number_of_solutions,
    require_pictures,
    with_settings,
    write_svg,
)
from tablero.cli.help import one_of
from tablero.errors import BadInput
from tablero.puzzles.queens.commands.show import show
from tablero.puzzles.queens.commands.words import Blocked, Given, Seed, Side, puzzle_of

Torus = Annotated[bool, typer.Option("--toroidal", help="Diagonals go on at the other edge.")]


@with_settings()
def solve(
    n: Side,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="The search.",
            autocompletion=one_of("auto", "construct", "local", "anneal", "exact"),
        ),
    ] = "auto",
    solutions: Solutions = "1",
    given: Given = None,
    blocked: Blocked = None,
    torus: Torus = False,
    seed: Seed = 0,
    svg: SvgFile = None,
    *,
    settings: Settings,
) -> int:
    """Set n queens, or prove that it cannot be done.

    Examples:
        tablero queens solve 8 --svg board.svg
        tablero queens solve 20 --given r1c3,r4c5 -n 2
        tablero queens solve 1000000 --quiet
    """
    require_pictures(svg=svg)
    most = number_of_solutions(solutions)
    found = puzzle_of(n, given, blocked, torus).solve(most, method=method, seed=seed, run=settings.run())
    status = show(found, settings)
    write_svg(svg, found.scene())
    return status


@with_settings()
def count(
    n: Side,
    fundamental: Annotated[
        bool, typer.Option("--fundamental", help="Only those different under turns and reflections.")
    ] = False,
    given: Given = None,
    blocked: Blocked = None,
    torus: Torus = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw all fundamental solutions into this file.")] = None,
    *,
    settings: Settings,
) -> int:
    """Count the ways to set n queens.

    Examples:
        tablero queens count 12
        tablero queens count 16 --threads 2 --job sixteen
    """
    from tablero.puzzles.queens import counted
    from tablero.puzzles.queens import fundamental as list_fundamental
    from tablero.puzzles.queens.draw import fundamental_gallery, require_gallery

    if svg is not None and not fundamental:
        raise BadInput("--svg draws fundamental solutions: expected --fundamental with it")
    require_pictures(svg=svg)
    puzzle = puzzle_of(n, given, blocked, torus, least=0)
    if svg is not None:
        require_gallery(puzzle.n)
    found = counted(puzzle, fundamental=fundamental, run=settings.run())
    if svg is not None and found.status == "complete":
        write_svg(svg, fundamental_gallery(list_fundamental(puzzle)))
    return show(found, settings)
