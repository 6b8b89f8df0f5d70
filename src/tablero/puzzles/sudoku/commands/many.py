"""Files of many puzzles, a line each: their solutions or the numbers of them, a line each."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablero.cli.common import STATUS, Settings, print_json
from tablero.files import writing

if TYPE_CHECKING:
    from tablero.puzzles.sudoku import Tally
    from tablero.puzzles.sudoku.batch import Solved


def solve_many(file: str, output: Path | None, settings: Settings) -> int:
    """The solution of each puzzle."""
    from tablero.puzzles.sudoku import solve_file
    from tablero.puzzles.sudoku.saving import require_lines

    require_lines(output, "--output")
    answers: list[str] = []
    with nullcontext() if output is None else writing(output) as out:

        def deliver(part: Solved) -> None:
            if out is not None:
                out.write(part.lines())
            elif settings.as_json:
                answers.extend(part.lines().decode().split())
            else:
                sys.stdout.write(part.lines().decode())

        tally = solve_file(file, each=deliver, run=settings.run())
    return _show(tally, {} if output is not None else {"answers": answers}, settings)


def count_many(file: str, most: int, settings: Settings) -> int:
    """How many solutions each puzzle has."""
    from tablero.puzzles.sudoku import solve_file

    counts: list[int] = []

    def deliver(part: Solved) -> None:
        if settings.as_json:
            counts.extend(part.counts[part.known].tolist())
        else:
            print(*part.counts[part.known].tolist(), sep="\n")

    return _show(solve_file(file, most, each=deliver, run=settings.run()), {"counts": counts}, settings)


def _show(tally: Tally, more: dict[str, Any], settings: Settings) -> int:
    if settings.as_json:
        print_json({**tally.values(), **more})
    else:
        settings.say(str(tally))
    return 130 if tally.interrupted else STATUS[tally.status]
