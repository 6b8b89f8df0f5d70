"""The text format: the number of steps."""

from __future__ import annotations

import re

from tablero.nothing.puzzle import Nothing

from tablero.errors import BadInput
from tablero.files import Source, name_of, read_text


def read(source: Source) -> Nothing:
    """Read a file, an open one, or "-" for standard input."""
    return parse(read_text(source), name_of(source))


def parse(text: str, source: str = "text") -> Nothing:
    """Read a puzzle; what does not fit is refused with what was expected."""
    if not re.fullmatch(r"\s*\d{1,9}\s*", text):
        raise BadInput(f"{source}: expected a number of steps")
    return Nothing(int(text))


def write(puzzle: Nothing) -> str:
    return f"{puzzle.steps}\n"
