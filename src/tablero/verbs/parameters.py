"""Parameters: the values that a function takes, as its signature describes them.

A parameter's type and constraints are annotations that msgspec understands:

    runs: Annotated[int, Meta(ge=1, le=100_000, description="Number of runs, each with its own seed.")] = 1
    cooling: Annotated[Literal["geometric", "linear"], Meta(description="How the temperature falls.")] = "geometric"

`Spelling` adds what a shell, a form or JSON needs: a metavar, a label, words for special values, a function that reads a
text.  Values are checked only here, whether they come from Python, a shell, a form or JSON.  A value that does not fit
raises `BadValue`, which names the parameter as the user wrote it.
"""

from __future__ import annotations

import difflib
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, reduce
from importlib import import_module
from numbers import Integral, Real
from operator import or_
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Meta
from msgspec.inspect import (
    BoolType,
    FloatType,
    IntType,
    ListType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    VarTupleType,
    type_info,
)
from msgspec.inspect import UnionType as UnionInfo

from tablero.errors import BadInput

REQUIRED: Any = inspect.Parameter.empty
_LONGEST = 60  # characters of a value in a message

_spelling: ContextVar[Callable[[str], str]] = ContextVar("spelling", default=str)
_between: ContextVar[str] = ContextVar("between", default=" ")  # what separates a name from its value in a message


@contextmanager
def spelled(spell: Callable[[str], str], between: str = " ") -> Iterator[None]:
    """Name parameters in messages as a front end writes them: `--max-stall` in a shell, `max_stall` in Python.

    A value that does not fit follows its name after `between`: ": " where the name is a label.
    """
    tokens = _spelling.set(spell), _between.set(between)
    try:
        yield
    finally:
        _spelling.reset(tokens[0])
        _between.reset(tokens[1])


def spell(name: str) -> str:
    """The name of a parameter as the user of the present front end writes it."""
    return _spelling.get()(name)


class BadValue(BadInput):
    """A value that does not fit its parameter."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        super().__init__(f"{spell(name)}{_between.get()}{shown(value)}: expected {expected}")
        self.name = name


def shown(value: object) -> str:
    """A value in a message, shortened."""
    try:
        text = value if isinstance(value, str) and value and value.isprintable() and " " not in value else repr(value)
    except ValueError:  # a number of too many digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


@dataclass(frozen=True)
class Spelling:
    """How a parameter is written in a shell or a form, if its type does not say it.

    Parameters
    ----------
    metavar
        The placeholder of the value in the help, as TIME.
    option
        The name in a shell, a form and JSON, if it differs from the name in Python.
    short
        A short option for a shell, as -n.
    label
        The label in a form.
    words
        Words for special values, as ``{"all": None}``.
    meanings
        What each choice means, where its name does not say it: ``{"scan": "cells in a fixed order"}``.
    reads
        The function that reads a text, as ``"tablero.queens.formats:columns"``.  A value that is not a text is not
        changed.
    expected
        The expected text, in words.
    complete
        The function that lists the completions for a shell, as ``"tablero.runs.jobs:names"``.
    lines
        Whether a form shows a field of several lines.
    hidden
        Whether only the complete help lists it.
    """

    metavar: str = ""
    option: str = ""
    short: str = ""
    label: str = ""
    words: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    meanings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    reads: str = ""
    expected: str = ""
    complete: str = ""
    lines: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function: see `parameters`."""

    name: str  # in Python
    type: Any  # as msgspec checks it
    default: Any
    help: str
    positional: bool
    spelling: Spelling

    @property
    def option(self) -> str:
        """The name in a shell, a form and JSON."""
        return self.spelling.option or self.name

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is REQUIRED

    @property
    def info(self) -> Any:
        """The type as `msgspec.inspect` describes it, without None."""
        return _unwrapped(type_info(self.type))[0]

    @property
    def optional(self) -> bool:
        """Whether None is allowed."""
        return _unwrapped(type_info(self.type))[1]

    @property
    def is_flag(self) -> bool:
        """Whether it is true or false."""
        return isinstance(self.info, BoolType)

    @property
    def is_list(self) -> bool:
        """Whether a shell accepts the option several times."""
        return isinstance(self.info, ListType) and not self.spelling.reads

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of a choice; empty if it is not a choice."""
        return _literals(self.type)

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest value of a whole number."""
        info = self.info
        if not hasattr(info, "ge"):  # a union of types has none
            return None, None
        least = info.ge if info.ge is not None else None if info.gt is None else info.gt + 1
        most = info.le if info.le is not None else None if info.lt is None else info.lt - 1
        return least, most

    def check(self, value: Any) -> Any:
        """Check and convert a value from Python or JSON.

        Raises
        ------
        BadValue
            If the value does not fit.
        """
        if isinstance(value, str):
            if self.spelling.reads:
                return self.read(value)
            if value in self.spelling.words:
                return self.spelling.words[value]
        elif isinstance(value, Integral) and not isinstance(value, bool):
            value = int(value)  # also a number of NumPy
        elif isinstance(value, Real) and not isinstance(value, bool):
            value = float(value)
        elif hasattr(value, "tolist"):
            value = value.tolist()
        elif isinstance(value, tuple):
            value = list(value)
        try:
            return msgspec.convert(value, self.type)
        except (msgspec.ValidationError, TypeError, OverflowError):
            raise self.bad(value) from None

    def read(self, text: str) -> Any:
        """Read a value from a shell or a form.

        Raises
        ------
        BadValue
            If the text does not fit.
        """
        words = self.spelling.words
        if text.strip().lower() in words:
            return words[text.strip().lower()]
        if self.spelling.reads:
            return self.check(load(self.spelling.reads)(text))
        numbers = isinstance(self.info, LiteralType) and all(isinstance(one, int) for one in self.info.values)
        if numbers or isinstance(self.info, IntType | FloatType):
            if not text.isascii() or "_" in text:  # Python accepts more as a number, for example 1_000
                raise self.bad(text)
            try:
                value: Any = float(text) if isinstance(self.info, FloatType) else int(text[:40])
            except ValueError:
                raise self.bad(text) from None
            return self.check(value)
        return self.check(text)

    def take(self, value: Any) -> Any:
        """Check a value of JSON; a word for a special value is read."""
        return self.read(value) if isinstance(value, str) and self.spelling.words else self.check(value)

    def bad(self, value: object) -> BadValue:
        """The error for a value that does not fit."""
        near = difflib.get_close_matches(value.lower(), self.choices, 1, 0.5) if isinstance(value, str) else []
        return BadValue(self.name, value, self.expected() + (f"; did you mean {near[0]}?" if near else ""))

    def expected(self) -> str:
        """The expected values, in words."""
        also = "".join(f", or {word}" for word in self.spelling.words)
        own = f"one of {', '.join(self.choices)}" if self.choices else _expected(self.info)
        return (self.spelling.expected or own) + also

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a value."""
        if self.spelling.reads:
            return {"type": "string"}
        made: dict[str, Any] = msgspec.json.schema(self.type)
        return made


def _expected(info: Any) -> str:
    match info:
        case IntType() | FloatType():
            kind = "a whole number" if isinstance(info, IntType) else "a number"
            least = f" from {_number(info.ge)}" if info.ge is not None else ""
            least = f" above {_number(info.gt)}" if info.gt is not None else least
            if info.le is not None:
                return f"{kind}{least or ' up'} to {_number(info.le)}"
            return kind + least + ("" if info.lt is None else f"{' and' * bool(least)} below {_number(info.lt)}")
        case BoolType():
            return "true or false"
        case ListType() | VarTupleType():
            return f"values of which each is {_expected(info.item_type)}"
        case StrType():
            return "a text" if info.max_length is None else f"a text of at most {info.max_length:,} characters"
    return "another value"


def _number(value: float) -> str:
    """A bound in words: 1,000, 0.5, 10^15, 2^62 - 1."""
    if value != int(value):
        return f"{value:g}"
    whole = int(value)
    if whole >= 10**15:
        for less in (0, 1):
            for base in (10, 2):
                power = round(math.log(whole, base))
                if base**power - less == whole:
                    return f"{base}^{power}" + " - 1" * less
    return f"{whole:,}"


def _unwrapped(info: Any) -> tuple[Any, bool]:
    """A type without its constraints and None, and whether None is one of its values."""
    while isinstance(info, Metadata):
        info = info.type
    if not isinstance(info, UnionInfo):
        return info, False
    rest = [one for one in info.types if not isinstance(one, NoneType)]
    return _unwrapped(rest[0])[0] if len(rest) == 1 else info, len(rest) < len(info.types)


def _literals(kind: Any) -> tuple[str, ...]:
    """The values of a choice in their order; msgspec does not keep it."""
    if get_origin(kind) is Literal:
        return tuple(map(str, get_args(kind)))
    return tuple(value for part in get_args(kind) if get_origin(kind) is not None for value in _literals(part))


def load(place: str) -> Any:
    """Import an object by its place, as ``"package.module:name"``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


@cache
def parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters of a function, from its signature.  Annotations that are only for type checkers may stay unresolved."""
    scope = function.__globals__
    found = []
    for name, one in inspect.signature(function).parameters.items():
        base, notes = _parts(_evaluated(name, one.annotation, scope))
        spelling = next((note for note in notes if isinstance(note, Spelling)), Spelling())
        metas = [note for note in notes if isinstance(note, Meta)]
        about = next((meta.description for meta in reversed(metas) if meta.description), "")
        positional = one.kind is not inspect.Parameter.KEYWORD_ONLY and not spelling.option
        found.append(Parameter(name, _constrained(base, metas), one.default, about, positional, spelling))
    return tuple(found)


def _evaluated(name: str, annotation: Any, scope: dict[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, scope)
    except NameError:
        if name in _UNREAD:
            return annotation
        raise


_UNREAD = ("puzzle", "run", "found", "path")  # parameters that front ends do not read


def _constrained(kind: Any, metas: list[Meta]) -> Any:
    """The type with its constraints, which do not apply to None."""
    if type(None) in get_args(kind) and get_origin(kind) in (Union, UnionType):
        inner: Any = reduce(or_, [one for one in get_args(kind) if one is not type(None)])
        return _constrained(inner, metas) | None
    for meta in metas:
        kind = Annotated[kind, meta]
    return kind


def _parts(kind: Any) -> tuple[Any, list[Any]]:
    """A type and its annotations, the outermost last."""
    if get_origin(kind) is Annotated:
        base, *notes = get_args(kind)
        inner, more = _parts(base)
        return inner, [*more, *notes]
    return kind, []
