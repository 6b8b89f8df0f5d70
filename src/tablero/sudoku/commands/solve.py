"""`tablero sudoku solve` and `count`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Outlet,
    Settings,
    Solutions,
    exit_status,
    number_of_solutions,
    print_found,
    require_pictures,
    sentence,
    with_settings,
)
from tablero.errors import BadInput
from tablero.sudoku.commands.boards import Given, Output, PdfOut, SvgOut, draw, with_given
from tablero.sudoku.commands.many import count_many, solve_many

if TYPE_CHECKING:
    from tablero.sudoku import Solutions as Found


@with_settings()
@with_given
def solve(
    solutions: Solutions = "1",
    output: Output = None,
    svg: SvgOut = None,
    pdf: PdfOut = None,
    *,
    given: Given,
    settings: Settings,
) -> int:
    """Find the solution, and tell whether it is the only one; of a file of many puzzles, each in turn.

    Examples:
        tablero sudoku solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
        tablero sudoku generate -n 12 --seed 1 -o puzzles.csv
        tablero sudoku solve puzzles.csv -o solved.csv
    """
    from tablero.sudoku.saving import require_board, save, save_answers

    most = number_of_solutions(solutions)
    require_board(output, "--output")
    require_pictures(svg=svg, pdf=pdf)
    if given.is_many and given.many is not None:
        if settings.job or settings.cluster or settings.as_lines or svg or pdf or most != 1:
            raise BadInput(
                "a file of many puzzles: --job, --cluster, --jsonl, --svg, --pdf and --solutions are for one"
            )
        return solve_many(given.many, output, settings)
    drawn = output or svg or pdf
    found = given.one().solve(most, run=settings.run(None if drawn else _outlet(settings)))
    if output is not None and found.solutions > 1:
        save_answers(output, found)
    elif output is not None and found.board is not None:
        save(output, found.puzzle, found.board)
    if (svg or pdf) and (scene := found.scene()) is not None:
        draw([scene], svg, pdf, 40.0)
    return show(found, settings)


@with_settings()
@with_given
def count(
    solutions: Annotated[
        str,
        typer.Option("--solutions", "-n", help="Stop at so many: a number, or all. (all; of many puzzles 2)"),
    ] = "",
    *,
    given: Given,
    settings: Settings,
) -> int:
    """Count solutions up to a number; of a file of many puzzles, those of each.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku count puzzle.txt --solutions 1000
    """
    from tablero.sudoku import count as count_solutions

    most = number_of_solutions(solutions or ("2" if given.is_many else "all"))
    if given.is_many and given.many is not None:
        if settings.job or settings.cluster or settings.as_lines or most is None:
            raise BadInput(
                "a file of many puzzles: --solutions must be a number, --job, --cluster and --jsonl are for one"
            )
        return count_many(given.many, most, settings)
    return show(count_solutions(given.one(), most, run=settings.run()), settings)


def show(found: Found, settings: Settings) -> int:
    """Print what was found, also of a job that was resumed."""
    if settings.as_json:
        print_found(found, settings)
        return exit_status(found)
    if not found.result.kept:
        print(found.solutions)
    elif not found.result.passed:
        _outlet(settings)(found)
    settings.say(*_remarks(found))
    return exit_status(found)


def _outlet(settings: Settings) -> Outlet:
    return Outlet(settings, lambda found, _: "".join(f"{line}\n" for line in found.answers))


def _remarks(found: Found) -> list[str]:
    """The board, whether it is the only solution, and the summary."""
    from tablero.runs.findings import Findings
    from tablero.sudoku.draw import board_text

    lines = []
    if found.board is not None and found.solutions == 1:
        layout, clues = found.puzzle.layout, found.puzzle.cells
        lines.append(board_text(layout, found.board, clues=clues, colours=sys.stderr.isatty()))
    told = {True: "the only solution", False: "there are more solutions", None: "whether there are more is open"}
    remark = f"{told[found.unique]}; " if found.board is not None and found.most == 1 else ""
    searched: Findings[str] = Findings(found.puzzle, found.result)  # of the search, which may have looked for one more
    return [*lines, remark + sentence(searched, "solution", "solutions")]
