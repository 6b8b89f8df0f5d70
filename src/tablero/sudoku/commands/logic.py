"""`tablero sudoku steps` and `library`: all steps of a position, and what is found in a library of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import STATUS, Manner, TimeLimit, ended, print_json, with_manner
from tablero.sudoku.commands.boards import Given, SvgOut, draw, with_given
from tablero.words import several

if TYPE_CHECKING:
    from tablero.runs.run import Run
    from tablero.sudoku.logic import Hint, Position
    from tablero.sudoku.logic import Path as Way


def position_given(given: Given, run: Run) -> Position | None:
    """The position with candidates that was given, and the time for it; None where it is a puzzle."""
    from tablero.sudoku.logic import limit, position_of

    text = given.marked()
    if text is None:
        return None
    return limit(position_of(text, given.puzzle if len(given.puzzle) < 80 else "the position"), run)


def hint_of(given: Given, run: Run) -> Hint:
    """The easiest next step of a puzzle or a position."""
    from tablero.sudoku.logic import hint_at

    position = position_given(given, run)
    return given.one().hint(run=run) if position is None else hint_at(position)


def way_of(given: Given, run: Run) -> Way:
    """All steps of a puzzle or from a position on."""
    from tablero.sudoku.logic import way

    position = position_given(given, run)
    return given.one().steps(run=run) if position is None else way(position)


@with_manner
@with_given
def steps(
    every: Annotated[bool, typer.Option("--all", help="Of every technique; without it, of the easiest.")] = False,
    technique: Annotated[str, typer.Option("--technique", help="Of this one alone: its name, or HoDoKu's code.")] = "",
    candidates: Annotated[
        bool, typer.Option("--candidates", help="Print the candidates and HoDoKu's library line first.")
    ] = False,
    svg: SvgOut = None,
    time_limit: TimeLimit = None,
    *,
    given: Given,
    manner: Manner,
) -> int:
    """All steps that apply now, grouped by technique and without repeats.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku steps puzzle.txt --all
        tablero sudoku steps puzzle.txt --technique 'hidden single'
    """
    from tablero.cli.common import require_pictures
    from tablero.sudoku.draw import step_scene
    from tablero.sudoku.logic import require_technique, start, steps_at
    from tablero.sudoku.logic.library import to_line
    from tablero.sudoku.logic.pencil import to_grid

    require_pictures(svg=svg, pdf=None)
    require_technique(technique)
    run = manner.here(time_limit)
    position = position_given(given, run) or start(given.one(), "a list of steps", run)
    found = steps_at(position, every=every or bool(technique), technique=technique)
    if svg is not None:
        draw([step_scene(position, step) for step in found.steps[:_DRAWN]], svg, None)
    plain = position.side == 9 and position.puzzle.layout.is_plain
    if manner.as_json:
        more = {"candidates": to_grid(position).split(), "line": to_line(position) if plain else None}
        print_json({**found.values(), **(more if candidates else {})})
    else:
        if candidates:
            print(to_grid(position))
            print(to_line(position) if plain else "")
        print(found)
    return ended(found.interrupted) or STATUS[found.status]


_DRAWN = 100  # steps of a drawing


@with_manner
def library(
    file: Annotated[str, typer.Argument(help="Library lines of HoDoKu, or - for standard input.")],
    misses: Annotated[bool, typer.Option("--misses", help="Also the lines that were not found.")] = False,
    time_limit: TimeLimit = None,
    *,
    manner: Manner,
) -> int:
    """Try every position of a library: is the technique found there, with just that result?

    Examples:
        tablero sudoku library positions.txt --json
    """
    from tablero.runs.watch import Snapshot
    from tablero.sudoku.logic.library import try_library

    watch = manner.watcher()

    def tell(done: int, lines: int) -> None:
        if watch is not None:
            watch(Snapshot(fraction=done / lines, words=f"{done:,} of {lines:,} positions"))

    report = try_library(file, each=tell, run=manner.here(time_limit))
    if watch is not None:
        watch(Snapshot(over=True))
    if manner.as_json:
        print_json(report.values())
        return ended(report.interrupted) or STATUS[report.status]
    for code, told in sorted(report.techniques.items()):
        fails = f", {told['refused']} of {told['fail_cases']} fail cases refused" if "fail_cases" in told else ""
        print(f"{code}: {told['found']} of {told['positions']} found{fails}")
    values = report.values()
    why = "interrupted" if report.interrupted else "the time is up"
    late = f"; {why}, {several(report.untried, 'line')} not tried" if report.untried else ""
    manner.say(f"{values['found']} of {values['positions']} positions found{late}")
    if misses:
        print(*report.missed, sep="\n")
    return ended(report.interrupted) or STATUS[report.status]
