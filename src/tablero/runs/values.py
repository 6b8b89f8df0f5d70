"""What is read from a job's file, checked: a file may be damaged, or come from somebody who means no good.

Each function returns the value if it is of the right kind and within reason, and raises `Damaged` otherwise, which says
what is wrong.
"""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

MOST_COUNT = 1 << 62  # of anything that is counted in 64 bits: room is left for what is added to it
MOST_PROBLEM = 1 << 30  # bytes of a problem: as large as a problem's file may be
_MOST_DIGITS = 1000  # of the number of answers
_MOST_RECIPE = 1 << 20  # characters
_MOST_DEPTH = 8
_LAST_SECOND = 253_402_300_799  # of the year 9999
_AT_ONCE = 1 << 24  # bytes that any problem may have
_TIMES = 200  # and a longer one that many times its compressed size


class Damaged(ValueError):
    """What no job can hold."""


def whole(what: str, value: Any, least: int = 0, most: int = MOST_COUNT) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Damaged(f"{what} is {_short(value)}")
    return value


def real(what: str, value: Any, least: float = 0.0, most: float = 1e18) -> float:
    """A finite number."""
    if type(value) not in (int, float) or not least <= value <= most:  # a NaN is not within anything
        raise Damaged(f"{what} is {_short(value)}")
    return float(value)


def moment(what: str, value: Any) -> float:
    """A time of the calendar."""
    return real(what, value, 0, _LAST_SECOND)


def word(what: str, value: Any, most: int = 200) -> str:
    """A short text of printable characters."""
    if type(value) is not str or len(value) > most or not value.isprintable():
        raise Damaged(f"{what} is {_short(value)}")
    return value


def blob(what: str, value: Any, length: int | None = None) -> bytes:
    if type(value) is not bytes or (length is not None and len(value) != length):
        raise Damaged(f"{what} is {_short(value)}")
    return value


def digits(what: str, value: Any) -> int:
    """A number of any size, written out."""
    if type(value) is not str or len(value) > _MOST_DIGITS or not re.fullmatch(r"0|[1-9][0-9]*", value):
        raise Damaged(f"{what} is {_short(value)}")
    return int(value)


def recipe(value: Any) -> dict[str, Any]:
    """The recipe: a JSON object whose entries of common use are of the kind that they must be."""
    if type(value) is not str or len(value) > _MOST_RECIPE:
        raise Damaged(f"the recipe is {_short(value)}")
    try:
        found = json.loads(value, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"the recipe is no JSON ({error})") from None
    if type(found) is not dict or not _is_shallow(found, _MOST_DEPTH):
        raise Damaged("the recipe is no plain JSON object")
    if not _fits(found):
        key = next(key for key in _ENTRIES if not _fits(found, key))
        raise Damaged(f"the recipe's {key} is {_short(found[key])}")
    return found


def _fits(entries: dict[str, Any], *keys: str) -> bool:
    """Whether the entries of these names, or of all, are of the kind that they must be."""
    return all(_ENTRIES[key](entries[key]) for key in keys or _ENTRIES if key in entries)


def _number(least: int, most: int) -> Any:
    return lambda value: type(value) is int and least <= value <= most


def _of(kind: type) -> Any:
    return lambda value: type(value) is kind


_ENTRIES = {
    **dict.fromkeys(("family", "verb", "method", "order", "estimate"), _of(str)),
    **dict.fromkeys(("before", "options"), _of(dict)),
    "one": _of(bool),
    "why": lambda value: type(value) is str and len(value) <= 200 and value.isprintable(),
    "most": lambda value: value is None or (type(value) is int and 1 <= value <= MOST_COUNT),
    **dict.fromkeys(("threshold", "round"), _number(0, 1 << 20)),
    "width": _number(1, 1 << 24),
    "stage": lambda value: type(value) is dict and _fits(value),
}


def _no_constant(text: str) -> Any:
    raise Damaged(f"{text} in it")


def _is_shallow(value: Any, depth: int) -> bool:
    """Whether it is nested no deeper than this, and its numbers are numbers that a program uses."""
    if isinstance(value, (dict, list)):
        inner = value.values() if isinstance(value, dict) else value
        return depth > 0 and all(_is_shallow(one, depth - 1) for one in inner)
    return not isinstance(value, (int, float)) or abs(value) < 2**64


def pack(problem: bytes) -> bytes:
    """A problem as it is stored: compressed, unless it is so regular that `unpack` would not believe it."""
    packed = zlib.compress(problem)
    return packed if len(problem) <= _room(packed) else zlib.compress(problem, 0)


def unpack(value: Any) -> bytes:
    """What `pack` was given.  A few bytes cannot claim gigabytes."""
    packed, machine = blob("the problem", value), zlib.decompressobj()
    try:
        problem = machine.decompress(packed, _room(packed))
    except zlib.error as error:
        raise Damaged(f"the problem cannot be unpacked ({error})") from None
    if machine.unconsumed_tail:
        raise Damaged(f"the problem unpacks to more than {_room(packed):,} bytes")
    if not machine.eof or machine.unused_data:
        raise Damaged("the problem is cut off, or something follows it")
    return problem


def _room(packed: bytes) -> int:
    return min(MOST_PROBLEM, _AT_ONCE + _TIMES * len(packed))


def _short(value: Any) -> str:
    """A value in a message: never long."""
    if isinstance(value, (bytes, str, list, dict, tuple)) and len(value) > 40:
        return f"{type(value).__name__} of length {len(value)}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
