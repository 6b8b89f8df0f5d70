"""Whether what a program gives is of the right kind: each function returns it as it is used, or says what was expected."""

from __future__ import annotations

import os
from numbers import Integral, Real
from typing import Any

from tablero.errors import BadInput

_LONGEST = 60  # characters of a value


def told(value: object) -> str:
    """A value in a message: never long."""
    try:
        text = repr(value)
    except ValueError:  # a number of too many digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def whole(value: Any, form: str, least: int, most: int | None = None, expected: str = "") -> int:
    """A whole number, also one of NumPy; `form` is what is said of it, with {} in its place."""
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or int(value) < least or (most is not None and int(value) > most):
        wanted = expected if is_whole else ""  # of 1.5 it is not the range that is wrong
        raise BadInput(f"{form.format(told(value))}: expected {wanted or f'a whole number from {least}'}")
    return int(value)


def above_zero(value: Any, form: str) -> float:
    """A number above 0."""
    try:
        number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else 0.0
    except OverflowError:
        raise BadInput(f"{form.format(told(value))}: expected a smaller number") from None
    if not number > 0:
        raise BadInput(f"{form.format(told(value))}: expected a number above 0")
    return number


def text(value: Any, what: str, expected: str) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{what} {told(value)}: expected {expected}")
    return value


def path(value: Any, what: str) -> str:
    """The name of a file or a folder."""
    name = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(name, str):
        raise BadInput(f"{what} {told(value)}: expected a path")
    return name


def function(value: Any, form: str, expected: str) -> Any:
    """Something that can be called; not a class, which would make something of what it is told."""
    if not callable(value) or isinstance(value, type):
        raise BadInput(f"{form.format(told(value))}: expected {expected}")
    return value


def flag(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise BadInput(f"{what} {told(value)}: expected True or False")
    return value
