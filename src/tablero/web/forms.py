"""The description of a family's page: fields, verbs, pictures.  The family's module `page` uses these classes.

    Field    an input: a text, a number, a choice or a check box
    Form     the values of the fields
    Verb     a question: its fields, and the function that answers it
    Shown    a puzzle as the page shows it: its fields, a picture, a caption
    Page     everything that a family offers

Labels are English; `static/words_es.json` has the Spanish labels, `sayings_es.json` the Spanish messages.  Neither this
module nor the top level of a `page` module may import NumPy or Numba, because the server imports them.
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
Never = Mapping[str, Values]  # values of fields that cannot be combined


def _rules(some: tuple[Never, ...]) -> list[dict[str, Any]]:
    """The rules for JSON; `meets` in form.js evaluates them."""

    def encoded(values: Values) -> Any:
        match values:
            case Not(but):
                return {"not": list(but)}
            case Above(number):
                return {"above": number}
        return list(values)

    return [{name: encoded(values) for name, values in one.items()} for one in some]


class BadField(BadInput):
    """An invalid value of a field; the page shows the message there."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class NotThere(BadInput):
    """A name in a request that does not exist."""


@dataclass(frozen=True)
class Field:
    """An input of a form."""

    name: str
    label: str
    kind: Kind = "line"
    default: Value = ""
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 1_000_000_000
    hint: str = ""

    def value(self, given: Any) -> Value:
        """Check and convert a value of a request."""
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
        """The field for JSON, without empty properties."""
        empty = ("", ()) if self.kind == "number" else ("", (), self.least, self.most)
        return {key: value for key, value in vars(self).items() if key == "default" or value not in empty}


class Form(dict[str, Any]):
    """The values of a form's fields by name."""

    @classmethod
    def of(cls, fields: tuple[Field, ...], given: Mapping[str, Any]) -> Form:
        """Check the given values, and use defaults for the other fields."""
        known = {one.name: one for one in fields}
        for name in given:
            if name not in known:
                raise BadInput(f"there is no field {str(name)[:60]!r}: expected {', '.join(known) or 'none'}")
        return cls({name: one.value(given.get(name, one.default)) for name, one in known.items()})


@dataclass(frozen=True)
class Cells:
    """The position of a board's cells in its picture, for clicks: the corner of the first cell, in the picture's units."""

    rows: int
    columns: int
    x: float = 0.0
    y: float = 0.0
    side: float = 1.0


@dataclass(frozen=True)
class Shown:
    """A puzzle, or a position of it, as the page shows it."""

    fields: Mapping[str, Value]  # the form's values for this puzzle
    words: str = ""
    scene: Scene | None = None
    cells: Cells | None = None
    more: Mapping[str, Any] = field(default_factory=dict)  # values for the family's own script

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
    """A question about a puzzle."""

    name: str
    label: str
    answer: Answer
    fields: tuple[Field, ...] = ()
    searches: bool = False  # it may take long: the page offers to run it as a job
    makes: bool = False  # it makes a puzzle and needs none
    light: bool = False  # it is as fast as a drawing
    seconds: float = 10.0  # the time limit, if it is not a search
    command: str = ""  # the verb on the command line, if its name differs
    never: tuple[Never, ...] = ()  # combinations that are always refused, so the form disables them
    at_once: tuple[Never, ...] = ()  # combinations that need no search, so the form offers no job
    check: Callable[[Form], None] = lambda form: None  # refuses a form that could not become a job


@dataclass(frozen=True)
class Page:
    """Everything that a family offers."""

    title: str
    about: str
    puzzle: tuple[Field, ...]
    show: Callable[[Form], Shown]  # the puzzle of the fields
    verbs: tuple[Verb, ...]
    examples: tuple[tuple[str, Mapping[str, Value]], ...]
    load: Callable[[bytes, str], Shown] | None = None  # reads the content of a file with this name
    picture: Callable[[Findings[Any], int], Scene | None] | None = None  # draws the answer with this number
    guides: Callable[[], list[dict[str, Any]]] | None = None  # the explanations: name, title and rating of each
    guide: Callable[[str], dict[str, Any]] | None = None  # the explanation with this name
    says: tuple[str, ...] = ()  # its sentences for translation, with # for numbers, @ for cells and % for units
    script: bool = False  # whether the family has a page.js
    info: Mapping[str, Value] | None = None  # the puzzle of the home page; by default, the first example

    def verb(self, name: str) -> Verb:
        for verb in self.verbs:
            if verb.name == name:
                return verb
        raise NotThere(f"there is no verb {name[:60]!r}: expected {', '.join(verb.name for verb in self.verbs)}")

    def fields_of(self, verb: Verb) -> tuple[Field, ...]:
        """All fields that a verb needs: those of the puzzle, unless it makes one, and its own."""
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
