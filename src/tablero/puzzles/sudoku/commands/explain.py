"""`tablero sudoku step`, `hint` and `rate`: logic told in sentences."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import Json, Quiet, compile_notice, print_json
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

if TYPE_CHECKING:
    from tablero.puzzles.sudoku import Sudoku
    from tablero.puzzles.sudoku.logic import Step


def _step_values(puzzle: Sudoku, step: Step) -> dict[str, Any]:
    from tablero.puzzles.sudoku.puzzle import SYMBOLS, cell_name

    def listed(candidates: Sequence[tuple[int, int]]) -> list[list[str]]:
        return [[cell_name(cell, puzzle.side), SYMBOLS[digit]] for cell, digit in candidates]

    return {
        "technique": step.technique,
        "rating": step.rating,
        "sentence": step.sentence,
        "placed": listed(step.placed),
        "removed": listed(step.removed),
    }


def step(
    puzzle: Puzzle,
    method: Annotated[
        str, typer.Option("--method", help="logic (all techniques) or sweeps (naked singles).")
    ] = "logic",
    pause: Annotated[bool, typer.Option("--pause", help="Wait for Enter after each step.")] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Show the board after each step, as sweeps do.")] = False,
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    output: Output = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw every step into this folder.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Solve step by step, each told in a sentence."""
    if method not in ("logic", "sweeps"):
        raise BadInput(f"--method {method}: expected logic or sweeps")
    require_writable(output)
    given = read_one(puzzle, sheet, cell, side, diagonals)
    wait = _pauser(pause and not as_json)
    if method == "sweeps":
        return _sweeps(given, wait, output, svg, as_json, quiet)
    return _logic(given, wait, boards, output, svg, as_json, quiet)


def _pauser(wanted: bool) -> Callable[[], None]:
    def wait() -> None:
        if wanted:
            sys.stderr.write("Enter goes on … ")
            sys.stderr.flush()
            if not sys.stdin.readline():
                raise KeyboardInterrupt

    return wait


def _folder(path: Path | None) -> None:
    if path is not None:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"cannot write to {path}: {error.strerror or error}") from None


def _sweeps(
    puzzle: Sudoku, wait: Callable[[], None], output: Path | None, svg: Path | None, as_json: bool, quiet: bool
) -> int:
    from tablero.puzzles.sudoku.draw import Marks, board, board_text
    from tablero.puzzles.sudoku.puzzle import to_line
    from tablero.puzzles.sudoku.sweeps import sweep

    _folder(svg)
    found = sweep(puzzle)
    if not as_json:
        print(board_text(puzzle.layout, puzzle.cells))
        print(f"{puzzle.cells.count(0)} cells to fill")
    for number, turn in enumerate(found.sweeps, 1):
        if svg is not None:
            marks = Marks(placed={cell: turn.cells[cell] for cell in turn.filled})
            draw([board(puzzle, turn.cells, marks=marks)], svg / f"sweep-{number:02}.svg", None)
        if not as_json:
            wait()
            print(board_text(puzzle.layout, turn.cells, clues=puzzle.cells, colours=sys.stdout.isatty()))
            print(f"sweep {number}: {turn.left} cells left")
    if output is not None:
        write_board(output, puzzle, found.cells)
    status = "none" if found.fault else "solved" if found.solved else "open"
    if as_json:
        values: dict[str, Any] = {"status": status, "method": "sweeps", "left": found.left}
        values["steps"] = [{"cells": to_line(turn.cells), "filled": len(turn.filled)} for turn in found.sweeps]
        print_json({**values, "answers": [to_line(found.cells)] if found.solved else [], "sentence": found.sentence})
    elif not quiet or not found.solved:
        print(found.sentence, file=sys.stderr)
    return {"solved": 0, "none": 1, "open": 3}[status]


def _logic(
    puzzle: Sudoku,
    wait: Callable[[], None],
    boards: bool,
    output: Path | None,
    svg: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    from tablero.puzzles.sudoku.draw import board_text, step_scene
    from tablero.puzzles.sudoku.logic import Position, explain
    from tablero.puzzles.sudoku.puzzle import to_line

    _folder(svg)
    with compile_notice("the kernel sudoku.bands", quiet):
        path = explain(puzzle)
    position = Position(puzzle)
    for number, (turn, left) in enumerate(zip(path.steps, path.left, strict=True), 1):
        if svg is not None:
            draw([step_scene(position, turn)], svg / f"step-{number:03}.svg", None)
        position.apply(turn)
        if not as_json:
            print(f"{number:>3}  {turn.rating}  {turn.technique}: {turn.sentence}")
            if boards:
                print(board_text(puzzle.layout, position.values, clues=puzzle.cells, colours=sys.stdout.isatty()))
                print(f"{left} cells left")
            wait()
    if output is not None:
        write_board(output, puzzle, path.cells)
    status = "none" if path.fault else "solved" if path.solved else "open"
    if as_json:
        values: dict[str, Any] = {"status": status, "method": "logic", "left": list(path.left)}
        values["steps"] = [_step_values(puzzle, turn) for turn in path.steps]
        print_json({**values, "answers": [to_line(path.cells)] if path.solved else [], "sentence": path.sentence})
    else:
        if not quiet and not boards:
            print(board_text(puzzle.layout, path.cells, clues=puzzle.cells, colours=sys.stdout.isatty()))
        print(path.sentence, file=sys.stderr)
    return {"solved": 0, "none": 1, "open": 3}[status]


def hint(
    puzzle: Puzzle,
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    svg: SvgOut = None,
    pdf: PdfOut = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """The easiest next step."""
    from tablero.puzzles.sudoku.draw import step_scene
    from tablero.puzzles.sudoku.logic import Position

    require_writable(svg, pdf)
    given = read_one(puzzle, sheet, cell, side, diagonals)
    position = Position(given)
    with compile_notice("the kernel sudoku.bands", quiet):
        found = given.hint()
    fault = position.fault() if position.empty else ""
    status = "solved" if found else "none" if fault else "open" if position.empty else "complete"
    if found:
        draw([step_scene(position, found)], svg, pdf, 40.0)
    if as_json:
        print_json({"status": status, **(_step_values(given, found) if found else {"sentence": fault})})
    elif found:
        print(f"{found.technique} ({found.rating}): {found.sentence}")
    else:
        told = {
            "none": f"{fault}: the puzzle has no solution",
            "open": "no technique applies",
            "complete": "the board is full",
        }
        print(told[status])
    return {"solved": 0, "complete": 0, "none": 1, "open": 3}[status]


def rate(
    puzzle: Puzzle,
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """How hard it is: the hardest technique that is needed, and a word."""
    from tablero.puzzles.sudoku import formats

    if has_many(puzzle, diagonals, side):
        source = Path(puzzle)
        given = list(formats.parse_many(formats.read_text(source), str(source)))
    else:
        given = [read_one(puzzle, sheet, cell, side, diagonals)]
    ratings = []
    for one in given:
        with compile_notice("the kernel sudoku.bands", quiet):
            found = one.rate()
        ratings.append(
            {"rating": found.value, "word": found.word, "technique": found.technique or None, "steps": found.steps}
        )
        if not as_json:
            print(found)
    if as_json:
        print_json(
            {"status": "solved", **ratings[0]} if len(given) == 1 else {"status": "complete", "ratings": ratings}
        )
    return 0
