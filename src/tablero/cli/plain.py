"""Text from elsewhere, fit for a terminal: what would move its cursor, ring its bell or reverse its letters is shown."""

from __future__ import annotations

import re

_UNUSUAL = re.compile(r"[^\n -~]")  # all that is not plain ASCII: a look at these alone keeps long texts quick


def plain(text: object) -> str:
    """One line of text: every character that does not print itself is written out, as \\x1b."""
    line = str(text)
    return line if line.isprintable() else "".join(c if c.isprintable() else _written(c) for c in line)


def plain_json(text: str) -> str:
    """The same JSON, in which every character that does not print itself is escaped."""
    return _UNUSUAL.sub(lambda found: found[0] if found[0].isprintable() else _escaped(found[0]), text)


def _written(character: str) -> str:
    return character.encode("unicode_escape").decode()


def _escaped(character: str) -> str:
    """As JSON has it: in two halves beyond 16 bits."""
    raw = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[k : k + 2].hex()}" for k in range(0, len(raw), 2))
