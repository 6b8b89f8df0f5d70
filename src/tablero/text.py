"""Numbers, units and values in messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def several(number: int, one: str, many: str = "") -> str:
    """A number with its noun: 1 row, 2 rows, 1,000 rows."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def scaled(number: float, units: Sequence[str]) -> tuple[float, str]:
    """Scale a number below 1000 and return it with its unit; each unit is a thousand times the one before."""
    place = 0
    while abs(number) >= 999.5 and place < len(units) - 1:
        number, place = number / 1000, place + 1
    return number, units[place]


def a_second(number: int, seconds: float) -> str:
    """A rate: 1,234 a second; below ten with two digits, 0.088 a second."""
    speed = number / max(seconds, 1e-9)
    return f"{speed:,.0f} a second" if speed >= 10 else f"{speed:.2g} a second"


def out_of_place(tiles: int, where: str, moves: int) -> str | None:
    """How many tiles are not in place after moves that should solve a board; None if all are."""
    if not tiles:
        return None
    away = f"tile is not in its {where}" if tiles == 1 else f"tiles are not in their {where}s"
    return f"{tiles} {away} after {several(moves, 'move')}"


def short(value: object, most: int = 60) -> str:
    """A value in a message: text in quotes, and only the beginning of a long value."""
    if isinstance(value, str):
        return repr(value if len(value) <= most else value[:most] + "…")
    try:
        text = repr(value)
    except ValueError:  # a number of too many digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= most else text[:most] + "…"


def unknown(what: str, given: str, known: Iterable[str], also: str = "") -> str:
    """The message for an unknown name: the known names, and the one that is most similar."""
    names = list(known)
    given = given if isinstance(given, str) else repr(given)  # a program may give anything
    begun = [name for name in names if len(given) > 1 and name.startswith(given.lower())]
    near = begun or difflib.get_close_matches(given.lower(), names, 1, 0.5)
    listed = ", ".join([*names, *([also] if also else [])])
    return f"{what} {short(given)}: expected one of {listed}" + (f"; did you mean {near[0]}?" if near else "")
