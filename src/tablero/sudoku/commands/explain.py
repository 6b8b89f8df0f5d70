"""`tablero sudoku step`, `hint` and `rate`: logic told in sentences."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    STATUS,
    Manner,
    Settings,
    ThreadCount,
    TimeLimit,
    ended,
    print_json,
    require_pictures,
    with_manner,
)
from tablero.cli.help import one_of
from tablero.errors import BadInput
from tablero.files import write_text
from tablero.sudoku.commands.boards import Given, Output, PdfOut, SvgOut, draw, with_given
from tablero.sudoku.commands.logic import hint_of, way_of
from tablero.sudoku.commands.many import rate_many
from tablero.words import several

if TYPE_CHECKING:
    from tablero.sudoku import Sweeps
    from tablero.sudoku.logic import Path as Way


@with_manner
@with_given
def step(
    method: Annotated[
        str,
        typer.Option(
            "--method", help="All techniques, or naked singles in sweeps.", autocompletion=one_of("logic", "sweeps")
        ),
    ] = "logic",
    pause: Annotated[bool, typer.Option("--pause", help="Wait for Enter after each step.")] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Show the board after each step, as sweeps do.")] = False,
    output: Output = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw every step into this folder.")] = None,
    page: Annotated[Path | None, typer.Option("--page", help="Write a page with all steps to click through.")] = None,
    time_limit: TimeLimit = None,
    *,
    given: Given,
    manner: Manner,
) -> int:
    """Solve step by step, each told in a sentence.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku step puzzle.txt --page steps.html
        tablero sudoku step puzzle.txt --method sweeps
    """
    from tablero.sudoku.saving import require_board, save
    from tablero.sudoku.sweeps import sweep

    if method not in ("logic", "sweeps"):
        raise BadInput(f"--method {method}: expected logic or sweeps")
    require_board(output, "--output")
    require_pictures(page=page)
    way = way_of(given, manner.here(time_limit)) if method == "logic" else None
    puzzle = given.one() if way is None else way.puzzle
    sweeps = sweep(puzzle) if way is None else None
    found = way or sweeps
    assert found is not None
    interrupted = way is not None and way.interrupted
    # Files first: whoever reads what is printed may stop reading.
    if svg is not None:
        _draw_steps(found, svg)
    if page is not None:
        write_text(page, _page(found))
    if output is not None:
        save(output, puzzle, found.cells)
    if manner.as_json:
        print_json(found.values())
        return ended(interrupted) or STATUS[found.status]
    if way is not None:
        _tell_steps(way, _pauser(pause), boards=boards, last=not manner.quiet)
    elif sweeps is not None:
        _tell_sweeps(sweeps, _pauser(pause))
    manner.say(found.sentence)
    return ended(interrupted) or STATUS[found.status]


def _page(found: Sweeps | Way) -> str:
    from tablero.sudoku.steps_page import steps_page, sweeps_page
    from tablero.sudoku.sweeps import Sweeps

    return sweeps_page(found) if isinstance(found, Sweeps) else steps_page(found)


def _pauser(wanted: bool) -> Callable[[], None]:
    def wait() -> None:
        if wanted:
            sys.stderr.write("Enter goes on … ")
            sys.stderr.flush()
            if not sys.stdin.readline():
                raise KeyboardInterrupt

    return wait


def _draw_steps(found: Sweeps | Way, folder: Path) -> None:
    from tablero.sudoku.draw import step_scene
    from tablero.sudoku.sweeps import Sweeps

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error.strerror or error}") from None
    if isinstance(found, Sweeps):
        for number, turn in enumerate(found.sweeps, 1):
            draw([found.scene(turn)], folder / f"sweep-{number:02}.svg", None)
    else:
        for number, (position, step) in enumerate(found.positions(), 1):
            draw([step_scene(position, step)], folder / f"step-{number:03}.svg", None)


def _tell_sweeps(found: Sweeps, wait: Callable[[], None]) -> None:
    from tablero.sudoku.draw import board_text

    puzzle = found.puzzle
    print(board_text(puzzle.layout, puzzle.cells))
    print(f"{several(puzzle.cells.count(0), 'cell')} to fill")
    for number, turn in enumerate(found.sweeps, 1):
        wait()
        print(board_text(puzzle.layout, turn.cells, clues=puzzle.cells, colours=sys.stdout.isatty()))
        print(*(f"  {why.sentence}" for why in turn.reasons), sep="\n")
        print(f"sweep {number}: {several(turn.left, 'cell')} left")


def _tell_steps(path: Way, wait: Callable[[], None], *, boards: bool, last: bool) -> None:
    """Every step in a sentence; with the board after each, or after the last one."""
    from tablero.sudoku.draw import board_text

    puzzle = path.puzzle
    cells, colours = list(path.begin.values if path.begin else puzzle.cells), sys.stdout.isatty()
    for number, (turn, left) in enumerate(zip(path.steps, path.left, strict=True), 1):
        for cell, digit in turn.placed:
            cells[cell] = digit
        print(f"{number:>3}  {turn.rating}  {turn.technique}: {turn.sentence}")
        if boards:
            print(board_text(puzzle.layout, cells, clues=puzzle.cells, colours=colours))
            print(f"{several(left, 'cell')} left")
        wait()
    if last and not boards:
        print(board_text(puzzle.layout, path.cells, clues=puzzle.cells, colours=colours))


@with_manner
@with_given
def hint(
    svg: SvgOut = None,
    pdf: PdfOut = None,
    time_limit: TimeLimit = None,
    *,
    given: Given,
    manner: Manner,
) -> int:
    """The easiest next step.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku hint puzzle.txt --svg hint.svg
    """
    require_pictures(svg=svg, pdf=pdf)
    found = hint_of(given, manner.here(time_limit))
    if found.step is not None:
        draw([found.scene()], svg, pdf, 40.0)
    if manner.as_json:
        print_json(found.values())
    else:
        print(found)
    return ended(found.interrupted) or STATUS[found.status]


@with_manner
@with_given
def rate(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the ratings of many there: .xlsx, .csv, .sdm or .sdk.")
    ] = None,
    threads: ThreadCount = 1,
    time_limit: TimeLimit = None,
    *,
    given: Given,
    manner: Manner,
) -> int:
    """How hard it is: the hardest technique that is needed, and a word; of a file of many puzzles, each.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku rate puzzle.txt
        tablero sudoku generate -n 12 --seed 1 -o puzzles.csv
        tablero sudoku rate puzzles.csv -o ratings.csv
    """
    from tablero.sudoku.rating import Rating
    from tablero.sudoku.saving import require_many

    settings = Settings.of(threads=threads, time_limit=time_limit, as_json=manner.as_json, quiet=manner.quiet)
    require_many(output, "--output")
    if given.many is not None and (given.is_many or output is not None):  # a table with one puzzle is a table, too
        return rate_many(given.many, output, settings)
    puzzle = given.one()
    if output is not None:
        raise BadInput(f"--output {output}: goes with a file of many puzzles")
    try:
        rating = puzzle.rate(run=manner.here(time_limit))
    except (TimeoutError, KeyboardInterrupt) as early:
        interrupted = isinstance(early, KeyboardInterrupt)
        why = str(early) or "interrupted: the rating is open"
        if manner.as_json:
            print_json({"status": "open", **dict.fromkeys(Rating(0.0, "", 0).values()), "why": why})
        else:
            print(why)
        return ended(interrupted) or STATUS["open"]
    if manner.as_json:
        print_json({"status": "solved", **rating.values()})
    else:
        print(rating)
    return 0
