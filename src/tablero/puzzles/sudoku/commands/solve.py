"""`tablero sudoku solve` and `count`, and their jobs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import (
    Settings,
    Solutions,
    exit_status,
    number_of_solutions,
    perform,
    print_json,
    sentence,
    summary,
    with_settings,
)
from tablero.errors import BadInput
from tablero.puzzles.sudoku.commands.boards import (
    Corner,
    Diagonals,
    Output,
    PdfOut,
    Puzzle,
    Sheet,
    Side,
    SvgOut,
    draw,
    has_many,
    read_one,
    require_writable,
    write_board,
)
from tablero.puzzles.sudoku.commands.many import solve_file

if TYPE_CHECKING:
    from tablero.puzzles.sudoku import Sudoku
    from tablero.puzzles.sudoku.solve import Model
    from tablero.puzzles.sudoku.solve import Solutions as Found
    from tablero.runs.store import Store


@with_settings()
def solve(
    puzzle: Puzzle,
    solutions: Solutions = "1",
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    output: Output = None,
    svg: SvgOut = None,
    pdf: PdfOut = None,
    *,
    settings: Settings,
) -> int:
    """Find the solution, and tell whether it is the only one; of a file of many puzzles, each in turn."""
    most = number_of_solutions(solutions)
    require_writable(output, svg, pdf)
    if has_many(puzzle, diagonals, side):
        if settings.job or settings.cluster or svg or pdf or most != 1:
            raise BadInput("a file of many puzzles: --job, --cluster, --svg, --pdf and --solutions are for one")
        return solve_file(Path(puzzle), 2, output, settings, keep=True)
    return _run(read_one(puzzle, sheet, cell, side, diagonals), "solve", most, settings, output, svg, pdf)


@with_settings()
def count(
    puzzle: Puzzle,
    limit: Annotated[str, typer.Option("--limit", help="Stop at so many: a number, or all. (all; many: 2)")] = "",
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    *,
    settings: Settings,
) -> int:
    """Count solutions up to a limit; of a file of many puzzles, of each."""
    many = has_many(puzzle, diagonals, side)
    try:
        most = number_of_solutions(limit or ("2" if many else "all"))
    except BadInput:
        raise BadInput(f"--limit {limit}: expected a number from 1, or all") from None
    if many:
        if settings.job or settings.cluster or most is None:
            raise BadInput("a file of many puzzles: --limit must be a number, --job and --cluster are for one")
        return solve_file(Path(puzzle), most, None, settings, keep=False)
    return _run(read_one(puzzle, sheet, cell, side, diagonals), "count", most, settings, None, None, None)


def _run(
    puzzle: Sudoku,
    verb: str,
    most: int | None,
    settings: Settings,
    output: Path | None,
    svg: Path | None,
    pdf: Path | None,
) -> int:
    from tablero.puzzles.sudoku.formats import write
    from tablero.puzzles.sudoku.solve import model_for, recipe_for

    model = model_for(puzzle)
    recipe = recipe_for(verb, most)
    found = _perform(puzzle, model, verb, most, settings, recipe=recipe, problem=write(puzzle).encode())
    _show(found, verb, settings)
    if found.boards:
        from tablero.puzzles.sudoku.draw import board

        if output is not None:
            write_board(output, puzzle, found.boards[0])
        draw([board(puzzle, found.boards[0])], svg, pdf, 40.0)
    return _status(found)


def _perform(puzzle: Sudoku, model: Model, verb: str, most: int | None, settings: Settings, **books: Any) -> Found:
    from tablero.puzzles.sudoku.solve import Solutions as Found
    from tablero.puzzles.sudoku.solve import wanted

    sought = wanted(most) if verb == "solve" else most
    result = perform(model.search, settings, most=sought, keep=verb == "solve", **books)
    return Found(puzzle, result, model.decode, most)


def _status(found: Found) -> int:
    return 0 if found.status == "solved" and not found.result.interrupted else exit_status(found.result)


def _show(found: Found, verb: str, settings: Settings) -> None:
    from tablero.puzzles.sudoku.draw import board_text

    if settings.as_json:
        values = {**summary(found.result), "status": found.status, "solutions": found.solutions}
        if verb == "solve":
            values |= {"unique": found.unique, "answers": found.answers}
        print_json(values)
        return
    if verb == "count":
        print(found.solutions)
    for answer in found.answers:
        print(answer)
    if settings.quiet:
        return
    if len(found.boards) == 1:
        colours = sys.stderr.isatty()
        layout, clues = found.puzzle.layout, found.puzzle.cells
        print(board_text(layout, found.boards[0], clues=clues, colours=colours), file=sys.stderr)
    told = {True: "the only solution", False: "there are more solutions", None: "whether there are more is open"}
    remark = f"{told[found.unique]}; " if verb == "solve" and found.boards and found.most == 1 else ""
    print(remark + sentence(found.result, "solution", "solutions"), file=sys.stderr)


def resume(store: Store, settings: Settings) -> int:
    """Go on with a stored job."""
    from tablero.puzzles.sudoku.solve import search_again

    recipe = store.card.recipe
    puzzle, model = search_again(store.card.problem)
    found = _perform(puzzle, model, recipe["verb"], recipe["most"], settings, store=store)
    _show(found, recipe["verb"], settings)
    return _status(found)


def answers_of(store: Store) -> list[Any]:
    """The answers that a job holds, as strings of cells."""
    from tablero.puzzles.sudoku.puzzle import to_line
    from tablero.puzzles.sudoku.solve import search_again
    from tablero.runs.coordinator import collect

    _, model = search_again(store.card.problem)
    return [to_line(model.decode(row)) for row in collect(model.search, store)]
