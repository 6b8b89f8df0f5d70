"""`tablero edges solve` and `count`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Outlet,
    Settings,
    Solutions,
    SvgFile,
    exit_status,
    number_of_solutions,
    print_found,
    require_pictures,
    sentence,
    with_settings,
    write_svg,
)
from tablero.cli.help import one_of
from tablero.edges.commands.reading import CellOrder, Numbers, Reading, tell_reading, with_reading

if TYPE_CHECKING:
    from tablero.edges import Layings

Method = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        help="The search; beam proves nothing.",
        autocompletion=one_of("auto", "fewest", "scan", "frame", "cover1", "cover2", "xcc", "ranked", "beam"),
    ),
]
UpToTurning = Annotated[bool, typer.Option("--up-to-turning", help="Of boards that are turns of each other only one.")]
_WIDEST = 16  # columns of a board that a terminal has room for


@with_settings()
@with_reading
def solve(
    solutions: Solutions = "1",
    method: Method = "auto",
    order: CellOrder = "",
    up_to_turning: UpToTurning = False,
    svg: SvgFile = None,
    numbers: Numbers = False,
    *,
    reading: Reading,
    settings: Settings,
) -> int:
    """Find solutions.

    Examples:
        tablero edges generate 6 --colours 6 --seed 1 -o pieces.txt
        tablero edges solve pieces.txt --svg board.svg
    """
    from tablero.edges.draw import require_drawable
    from tablero.edges.methods import require_method

    most = number_of_solutions(solutions)
    require_pictures(svg=svg)
    document = reading.document()
    puzzle = document.puzzle
    if svg is not None:
        require_drawable(puzzle.board)
    require_method(puzzle, method, order, most=most)
    tell_reading(document, settings)
    run = settings.run(None if svg else _outlet(settings))
    found = puzzle.solve(most, method=method, order=order, up_to_turning=up_to_turning, run=run)
    status = show_layings(found, settings)
    write_svg(svg, found.scene(numbers=numbers))
    return status


@with_settings()
@with_reading
def count(
    method: Method = "auto",
    order: CellOrder = "",
    up_to_turning: UpToTurning = False,
    *,
    reading: Reading,
    settings: Settings,
) -> int:
    """Count all solutions.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt
        tablero edges count pieces.txt --up-to-turning
    """
    from tablero.edges import count as count_solutions
    from tablero.edges.methods import require_method

    document = reading.document()
    require_method(document.puzzle, method, order, most=None)
    tell_reading(document, settings)
    found = count_solutions(
        document.puzzle, method=method, order=order, up_to_turning=up_to_turning, run=settings.run()
    )
    return show_layings(found, settings)


def show_layings(found: Layings, settings: Settings) -> int:
    """Print solutions, or their number."""
    from tablero.edges.draw import to_text
    from tablero.edges.formats import write_laying

    if settings.as_json:
        print_found(found, settings)
        return exit_status(found)
    board = found.puzzle.board
    if not found.result.kept:
        print(found.solutions)
    elif len(found.result.answers) == 1:
        sys.stdout.write(write_laying(found.puzzle, found.layings[0].tolist()))
        if board.shape == "square" and board.columns <= _WIDEST:
            settings.say(to_text(found.puzzle, found.layings[0].tolist(), colours=sys.stderr.isatty()))
    elif not found.result.passed:
        _outlet(settings)(found)
    why = f" ({found.why})" if found.why else ""
    settings.say(f"{found.method}{why}: {sentence(found, 'solution', 'solutions')}")
    return exit_status(found)


def _outlet(settings: Settings) -> Outlet:
    return Outlet(settings, _numbered)


def _numbered(found: Layings, before: int) -> str:
    """Boards one below another, each with its number."""
    from tablero.edges.formats import write_laying

    return "".join(
        f"{chr(10) if k > 1 else ''}# board {k}\n{write_laying(found.puzzle, row)}"
        for k, row in enumerate(found.layings.tolist(), before + 1)
    )
