"""What can be asked about nonograms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from tablero.runs.run import HERE, Run
from tablero.verbs import Meta, Spelling, maker, output, verb, writes
from tablero.verbs.types import Most, Seed

if TYPE_CHECKING:
    from nonograms.puzzle import Nonogram
    from nonograms.solving import Pictures

MOST_SIDE = 64

Text = Annotated[
    str,
    Meta(description="Width, height and runs, columns first, as 3x2:1/2/1/3/1; or a file with that."),
    Spelling(metavar="PUZZLE"),
]


def named(nonogram: Text) -> Nonogram:
    """The puzzle that a text or a file has."""
    from nonograms.puzzle import as_puzzle

    return as_puzzle(nonogram)


@writes(".svg")
def svg(found: Pictures) -> str | None:
    """Draw the first picture into this file."""
    return found.to_svg()


@verb(reads=named, durable=True, writes=[svg])
def solve(puzzle: Nonogram, most: Most = 1, *, run: Run = HERE) -> Pictures:
    """Find pictures that have these runs, or prove that there is none.

    Examples:
        tablero nonograms solve 5x5:2/4/4/4/2/1.1/5/5/3/1
        tablero nonograms solve puzzle.txt -n all --svg picture.svg
    """
    from nonograms.solving import find

    return find(puzzle, most, run)


@verb(reads=named, durable=True)
def count(puzzle: Nonogram, *, run: Run = HERE) -> Pictures:
    """Count the pictures that have these runs."""
    from nonograms.solving import find

    return find(puzzle, None, run, keep=False)


@maker(writes=[output])
def generate(
    side: Annotated[int, Meta(ge=1, le=MOST_SIDE, description="Rows and columns of the picture.")] = 10,
    *,
    filled: Annotated[int, Meta(ge=0, le=100, description="Percentage of filled cells.")] = 60,
    seed: Seed = 0,
) -> Nonogram:
    """Take the runs of a random picture."""
    from random import Random

    from nonograms.puzzle import puzzle_of

    draw = Random(seed)
    return puzzle_of("\n".join("".join(".#"[draw.randrange(100) < filled] for _ in range(side)) for _ in range(side)))
