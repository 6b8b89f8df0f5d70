"""Numbers and what they are of, as people write them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def several(number: int, one: str, many: str = "") -> str:
    """1 row, 2 rows, 1,000 rows."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def scaled(number: float, units: Sequence[str]) -> tuple[float, str]:
    """A number below 1000, and the one of these units that it counts, each a thousand times the one before."""
    place = 0
    while abs(number) >= 999.5 and place < len(units) - 1:
        number, place = number / 1000, place + 1
    return number, units[place]


def a_second(number: int, seconds: float) -> str:
    """How fast it went: 1,234 a second, and few with two digits, 0.088 a second."""
    speed = number / max(seconds, 1e-9)
    return f"{speed:,.0f} a second" if speed >= 10 else f"{speed:.2g} a second"


def out_of_place(tiles: int, where: str, moves: int) -> str | None:
    """Of moves that should have brought all tiles home: how many are still away, or None."""
    if not tiles:
        return None
    away = f"tile is not in its {where}" if tiles == 1 else f"tiles are not in their {where}s"
    return f"{tiles} {away} after {several(moves, 'move')}"


def short(value: object, most: int = 60) -> str:
    """A value in a message, a text in quotes; only its beginning where it is long."""
    if isinstance(value, str):
        return repr(value if len(value) <= most else value[:most] + "…")
    try:
        text = repr(value)
    except ValueError:  # a number of too many digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= most else text[:most] + "…"


def unknown(what: str, given: str, known: Iterable[str], also: str = "") -> str:
    """A line for a name that nobody knows: those that are known, and which of them may have been meant."""
    names = list(known)
    given = given if isinstance(given, str) else repr(given)  # a program may give anything
    begun = [name for name in names if len(given) > 1 and name.startswith(given.lower())]
    near = begun or difflib.get_close_matches(given.lower(), names, 1, 0.5)
    listed = ", ".join([*names, *([also] if also else [])])
    return f"{what} {short(given)}: expected one of {listed}" + (f"; did you mean {near[0]}?" if near else "")
