"""Files of many puzzles: their solutions, the numbers of them or their ratings, printed line by line or as a table."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablero.cli.common import STATUS, Settings, print_json

if TYPE_CHECKING:
    from tablero.sudoku.batch import Solved
    from tablero.sudoku.rated import Rated
    from tablero.sudoku.tables import Many

_EMPTY = "." * 81  # in a file of lines, where a puzzle has no solution


def solve_many(many: Many, output: Path | None, settings: Settings) -> int:
    """The solution of each puzzle."""
    from tablero.sudoku import solve_file
    from tablero.sudoku.batch import table_rows
    from tablero.sudoku.saving import writing_many

    columns = ("name", "puzzle", "solution", "solutions")
    lines = output is not None and output.suffix.lower() not in (".xlsx", ".csv")
    shown = slice(2, 3) if lines else slice(0 if many.named else 1, None)
    answers: list[str] = []
    with nullcontext() if output is None else writing_many(output, columns[shown], "solution") as add:

        def deliver(part: Solved) -> None:
            if add is not None:
                for row in map(list, table_rows(part)):
                    add([row[2] or _EMPTY] if lines else row[shown])
            elif settings.as_json:
                answers.extend(part.lines().decode().split())
            else:
                sys.stdout.write(part.lines().decode())

        tally = solve_file(many, each=deliver, run=settings.run())
    return _show(tally, {} if output is not None else {"answers": answers}, settings)


def count_many(many: Many, most: int, settings: Settings) -> int:
    """How many solutions each puzzle has."""
    from tablero.sudoku import solve_file

    counts: list[int] = []

    def deliver(part: Solved) -> None:
        if settings.as_json:
            counts.extend(part.counts[part.known].tolist())
        else:
            print(*part.counts[part.known].tolist(), sep="\n")

    return _show(solve_file(many, most, each=deliver, run=settings.run()), {"counts": counts}, settings)


def rate_many(many: Many, output: Path | None, settings: Settings) -> int:
    """How hard each puzzle is."""
    from tablero.sudoku.rated import COLUMNS, rate_file
    from tablero.sudoku.saving import writing_many

    told: list[dict[str, Any]] = []
    columns = COLUMNS if many.named else COLUMNS[1:]
    with nullcontext() if output is None else writing_many(output, columns) as add:

        def deliver(one: Rated) -> None:
            if add is not None:
                add([one.values.get(name) for name in columns])
            elif settings.as_json:
                told.append(one.values)
            else:
                print(one)

        tally = rate_file(many, each=deliver, run=settings.run())
    return _show(tally, {} if output is not None else {"ratings": told}, settings)


def _show(tally: Any, more: dict[str, Any], settings: Settings) -> int:
    if settings.as_json:
        print_json({**tally.values(), **more})
    else:
        settings.say(str(tally))
    return 130 if tally.interrupted else STATUS[tally.status]
