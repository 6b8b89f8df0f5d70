"""The text format, that of Simon Tatham's Pattern: 3x2:1/2/1/3/1 has runs of three columns, then of two rows.

Runs of one line are joined by dots; a line without any is empty.
"""

from __future__ import annotations

import re

from nonograms.puzzle import Nonogram, Runs
from tablero.errors import BadInput
from tablero.files import Source, name_of, plain_text, read_text


def read(source: Source) -> Nonogram:
    """Read a file, an open one, or "-" for standard input."""
    return parse(read_text(source), name_of(source))


def parse(text: str, source: str = "the puzzle") -> Nonogram:
    """Read a puzzle; what does not fit is refused with what was expected."""
    found = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2}):([0-9./]*)", "".join(plain_text(text, source).split()))
    if found is None:
        raise BadInput(f"{source}: expected width, height and runs, as 3x2:1/2/1/3/1")
    width, height = int(found[1]), int(found[2])
    lines = [_runs(line, source) for line in found[3].split("/")]
    if len(lines) != width + height:
        raise BadInput(f"{source}: {len(lines)} lines: expected {width + height}, for the columns and the rows")
    return Nonogram(tuple(lines[:width]), tuple(lines[width:]))


def _runs(line: str, source: str) -> Runs:
    if not re.fullmatch(r"([0-9]{1,2}(\.[0-9]{1,2})*)?", line):
        raise BadInput(f"{source}: the line {line[:60]!r}: expected lengths of runs, as 2.1")
    return tuple(map(int, filter(None, line.split("."))))


def write(puzzle: Nonogram) -> str:
    """The puzzle as `parse` reads it."""
    lines = (".".join(map(str, runs)) for runs in (*puzzle.columns, *puzzle.rows))
    return f"{len(puzzle.columns)}x{len(puzzle.rows)}:{'/'.join(lines)}\n"
