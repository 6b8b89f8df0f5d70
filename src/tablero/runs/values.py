"""Checks of values that are read from a job's file, which may be damaged or made with bad intent.

Each function returns the value if its type and range are right, and otherwise raises `Damaged` with a message that names it.
"""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

MOST_COUNT = 1 << 62  # of anything that is counted in 64 bits, so that adding does not overflow
MOST_PROBLEM = 1 << 30  # bytes of a problem
_MOST_DIGITS = 1000  # of the number of answers
_MOST_RECIPE = 1 << 20  # characters
_MOST_DEPTH = 8
_LAST_SECOND = 253_402_300_799  # of the year 9999
_FREE_BYTES = 1 << 24  # a problem may have this many bytes
_BYTES_PER_BYTE = 200  # and this many for each compressed byte


class Damaged(ValueError):
    """A value that no job can contain."""


def whole(what: str, value: Any, least: int = 0, most: int = MOST_COUNT) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Damaged(f"{what} is {_short(value)}")
    return value


def real(what: str, value: Any, least: float = 0.0, most: float = 1e18) -> float:
    """A finite number."""
    if type(value) not in (int, float) or not least <= value <= most:  # NaN is in no range
        raise Damaged(f"{what} is {_short(value)}")
    return float(value)


def moment(what: str, value: Any) -> float:
    """A time in seconds since 1970."""
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
    """A whole number of any size, written in digits."""
    if type(value) is not str or len(value) > _MOST_DIGITS or not re.fullmatch(r"0|[1-9][0-9]*", value):
        raise Damaged(f"{what} is {_short(value)}")
    return int(value)


def recipe(value: Any) -> dict[str, Any]:
    """The recipe: a JSON object; the entries that all families use have the right types."""
    if type(value) is not str or len(value) > _MOST_RECIPE:
        raise Damaged(f"the recipe is {_short(value)}")
    try:
        found = json.loads(value, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"the recipe is not JSON ({error})") from None
    if type(found) is not dict or not _is_shallow(found, _MOST_DEPTH):
        raise Damaged("the recipe is not a plain JSON object")
    if not _fits(found):
        key = next(key for key in _ENTRIES if not _fits(found, key))
        raise Damaged(f"the recipe's {key} is {_short(found[key])}")
    return found


def _fits(entries: dict[str, Any], *keys: str) -> bool:
    """Whether the known entries, or those of these names, have the right types."""
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
    """Whether a value is nested no deeper than this, and all its numbers are below 2⁶⁴."""
    if isinstance(value, (dict, list)):
        inner = value.values() if isinstance(value, dict) else value
        return depth > 0 and all(_is_shallow(one, depth - 1) for one in inner)
    return not isinstance(value, (int, float)) or abs(value) < 2**64


def pack(problem: bytes) -> bytes:
    """Compress a problem to store it.  A problem that compresses too well for `unpack` is stored uncompressed."""
    packed = zlib.compress(problem)
    return packed if len(problem) <= _most_bytes(packed) else zlib.compress(problem, 0)


def unpack(value: Any) -> bytes:
    """Decompress a problem from `pack`.  The size is limited, so that a few bytes cannot fill the memory."""
    packed, machine = blob("the problem", value), zlib.decompressobj()
    try:
        problem = machine.decompress(packed, _most_bytes(packed))
    except zlib.error as error:
        raise Damaged(f"the problem cannot be unpacked ({error})") from None
    if machine.unconsumed_tail:
        raise Damaged(f"the problem unpacks to more than {_most_bytes(packed):,} bytes")
    if not machine.eof or machine.unused_data:
        raise Damaged("the problem is cut off, or something follows it")
    return problem


def _most_bytes(packed: bytes) -> int:
    return min(MOST_PROBLEM, _FREE_BYTES + _BYTES_PER_BYTE * len(packed))


def _short(value: Any) -> str:
    """A value in a message, shortened."""
    if isinstance(value, (bytes, str, list, dict, tuple)) and len(value) > 40:
        return f"{type(value).__name__} of length {len(value)}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
