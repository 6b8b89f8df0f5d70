"""The puzzle: a grid of cells, and the lengths of the runs of filled cells in every column and row.

A picture is a text: a line a row, # for a filled cell and a dot for an empty one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nonograms import verbs
from tablero.errors import BadInput
from tablero.text import several

Runs = tuple[int, ...]


@dataclass(frozen=True)
class Nonogram:
    """The runs of every column, from top to bottom, and of every row, from left to right."""

    columns: tuple[Runs, ...]
    rows: tuple[Runs, ...]

    def __post_init__(self) -> None:
        for name, lines, across in (("columns", self.columns, self.rows), ("rows", self.rows, self.columns)):
            if not 1 <= len(lines) <= verbs.MOST_SIDE:
                raise BadInput(f"{len(lines)} {name}: expected 1 to {verbs.MOST_SIDE}")
            for number, runs in enumerate(lines, 1):
                if min(runs, default=1) < 1 or sum(runs) + len(runs) - 1 > len(across):
                    cells = several(len(across), "cell")
                    raise BadInput(f"line {number} of the {name}: expected runs that fit into {cells}")

    def __str__(self) -> str:
        from nonograms.formats import write

        return write(self).rstrip()

    def _repr_svg_(self) -> str:
        from nonograms.draw import scene
        from tablero.draw.svg import to_svg

        return to_svg(scene(self))

    solve = verbs.solve
    count = verbs.count


def puzzle_of(picture: str) -> Nonogram:
    """The puzzle of which a picture is a solution."""
    rows = picture.split("\n")
    columns = map("".join, zip(*rows, strict=True))
    return Nonogram(
        *(tuple(tuple(map(len, line.replace(".", " ").split())) for line in some) for some in (columns, rows))
    )


def as_puzzle(value: Nonogram | str | Path) -> Nonogram:
    """The puzzle itself, or that of a text or a path."""
    from nonograms.formats import parse, read
    from tablero.files import is_there

    if isinstance(value, Nonogram):
        return value
    return parse(value) if isinstance(value, str) and value != "-" and not is_there(value) else read(value)


def as_bytes(puzzle: Nonogram) -> bytes:
    return str(puzzle).encode()


def from_bytes(data: bytes) -> Nonogram:
    return as_puzzle(data.decode())
