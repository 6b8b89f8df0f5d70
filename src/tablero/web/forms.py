"""What a family's page offers: fields, verbs, pictures.  A room's `page` module says it with these words.

    field    something to fill in: a text, a number, a choice, a tick
    form     fields that were filled in, each value of its field's kind
    verb     something that can be asked: fields, and the function of the room that answers
    shown    a puzzle as the page shows it: its fields, a picture, a line of words
    page     all that a family offers

Labels are English; `static/words_es.json` has them in Spanish, and `sayings_es.json` what is refused or explained.  Nothing
here, and nothing at the top of a room's `page`, may import NumPy or Numba: the server reads forms, others answer them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.verbs import Above, Not

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.runs.findings import Findings
    from tablero.runs.run import Run

MOST_TEXT = 1 << 21  # characters of one field
Kind = Literal["line", "area", "number", "choice", "tick"]
Value = str | int | bool


Values = tuple[Value, ...] | Not | Above
Never = Mapping[str, Values]  # values of fields that do not go together


def _rules(some: tuple[Never, ...]) -> list[dict[str, Any]]:
    """As JSON can hold them; form.js has `meets`, which reads them."""

    def reported(values: Values) -> Any:
        match values:
            case Not(but):
                return {"not": list(but)}
            case Above(number):
                return {"above": number}
        return list(values)

    return [{name: reported(values) for name, values in one.items()} for one in some]


class BadField(BadInput):
    """A value that its field cannot have; the page shows the message there."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class NotThere(BadInput):
    """Something was asked for by a name that nothing here has."""


@dataclass(frozen=True)
class Field:
    """Something to fill in."""

    name: str
    label: str
    kind: Kind = "line"
    default: Value = ""
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 1_000_000_000
    hint: str = ""

    def value(self, given: Any) -> Value:
        """What was given, as a value of this kind."""
        match self.kind:
            case "number":
                return self._number(given)
            case "tick":
                if not isinstance(given, bool):
                    raise self._bad(given, "true or false")
                return given
            case "choice":
                if given not in self.choices:
                    raise self._bad(given, f"one of {', '.join(self.choices)}")
                return str(given)
        if not isinstance(given, str) or len(given) > MOST_TEXT:
            raise self._bad(given, f"a text of at most {MOST_TEXT:,} characters")
        return given

    def _number(self, given: Any) -> int:
        if isinstance(given, str) and re.fullmatch(r"\s*-?[0-9]{1,12}\s*", given):
            given = int(given)
        if isinstance(given, bool) or not isinstance(given, int) or not self.least <= given <= self.most:
            raise self._bad(given, f"a whole number from {self.least:,} to {self.most:,}")
        return given

    def _bad(self, given: Any, expected: str) -> BadField:
        shown = repr(given)
        return BadField(
            self.name, f"{self.label}: {shown if len(shown) <= 60 else shown[:57] + '…'}: expected {expected}"
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        empty = ("", ()) if self.kind == "number" else ("", (), self.least, self.most)
        return {key: value for key, value in vars(self).items() if key == "default" or value not in empty}


class Form(dict[str, Any]):
    """Fields that were filled in: a value by name."""

    @classmethod
    def of(cls, fields: tuple[Field, ...], given: Mapping[str, Any]) -> Form:
        """Values for all fields: those given, checked, and else their defaults."""
        known = {one.name: one for one in fields}
        for name in given:
            if name not in known:
                raise BadInput(f"there is no field {str(name)[:60]!r}: expected {', '.join(known) or 'none'}")
        return cls({name: one.value(given.get(name, one.default)) for name, one in known.items()})


@dataclass(frozen=True)
class Cells:
    """Where in a picture the cells of a board are, so that they can be clicked: the corner of the first, in its units."""

    rows: int
    columns: int
    x: float = 0.0
    y: float = 0.0
    side: float = 1.0


@dataclass(frozen=True)
class Shown:
    """A puzzle, or a position in it, as the page shows it."""

    fields: Mapping[str, Value]  # of the puzzle, so that it can be asked about, kept and sent
    words: str = ""
    scene: Scene | None = None
    cells: Cells | None = None
    more: Mapping[str, Any] = field(default_factory=dict)  # what the family's own script knows

    def to_dict(self) -> dict[str, Any]:
        return {
            "puzzle": dict(self.fields),
            "words": self.words,
            "svg": None if self.scene is None else to_svg(self.scene),
            "cells": None if self.cells is None else vars(self.cells),
            **self.more,
        }


Answer = Callable[[Form, "Run"], "Findings[Any] | Shown | dict[str, Any]"]


@dataclass(frozen=True)
class Verb:
    """Something that can be asked of a puzzle."""

    name: str
    label: str
    answer: Answer
    fields: tuple[Field, ...] = ()
    searches: bool = False  # it may take long: the page offers to keep it as a job
    makes: bool = False  # it makes a puzzle, and asks nothing of one
    light: bool = False  # it takes a moment, as a drawing does
    seconds: float = 10.0  # that it may take at most, where it is no search
    command: str = ""  # that does the same on the command line, where it is called otherwise
    never: tuple[Never, ...] = ()  # what is always refused, and so not offered
    at_once: tuple[Never, ...] = ()  # of a search: what is answered without one, so that there is no job to keep
    check: Callable[[Form], None] = lambda form: None  # refuses what could not become a job, before any search


@dataclass(frozen=True)
class Page:
    """All that a family offers."""

    title: str
    about: str
    puzzle: tuple[Field, ...]
    show: Callable[[Form], Shown]  # the puzzle that the fields say
    verbs: tuple[Verb, ...]
    examples: tuple[tuple[str, Mapping[str, Value]], ...]
    load: Callable[[bytes, str], Shown] | None = None  # a file that was given, and its name
    picture: Callable[[Findings[Any], int], Scene | None] | None = None  # of the answer of that number
    guides: Callable[[], list[dict[str, Any]]] | None = None  # what is explained: name, title and grade of each
    guide: Callable[[str], dict[str, Any]] | None = None  # one of these, by its name
    says: tuple[str, ...] = ()  # what it says in words, with # for numbers, @ for cells and % for units
    script: bool = False  # whether page.js stands beside page.py
    info: Mapping[str, Value] | None = None  # the puzzle of the home page, where that is not the first example

    def verb(self, name: str) -> Verb:
        for verb in self.verbs:
            if verb.name == name:
                return verb
        raise NotThere(f"there is no verb {name[:60]!r}: expected {', '.join(verb.name for verb in self.verbs)}")

    def fields_of(self, verb: Verb) -> tuple[Field, ...]:
        """What a verb must know: the puzzle, unless it makes one, and what is its own."""
        return verb.fields if verb.makes else (*self.puzzle, *verb.fields)

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "about": self.about,
            "puzzle": [one.to_dict() for one in self.puzzle],
            "verbs": [
                {
                    "name": verb.name,
                    "label": verb.label,
                    "fields": [one.to_dict() for one in verb.fields],
                    "searches": verb.searches,
                    "makes": verb.makes,
                    "never": _rules(verb.never),
                    "at_once": _rules(verb.at_once),
                }
                for verb in self.verbs
            ],
            "examples": [{"label": label, "puzzle": dict(values)} for label, values in self.examples],
            "loads": self.load is not None,
            "guides": self.guide is not None,
            "script": self.script,
            "card": dict(self.examples[0][1] if self.info is None else self.info),
        }
