"""A text as an answer: a puzzle that was made, a model in a format of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from tablero.verbs.describe import writes


@dataclass(frozen=True)
class Document:
    """A text, and what is to be said of it."""

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)  # as JSON can hold them
    key: str = "problem"  # the text's name in JSON; empty where the facts say the same
    notes: tuple[str, ...] = ()  # remarks
    status: str = "solved"
    puzzle: Any = None  # that the text is of

    def to_dict(self) -> dict[str, Any]:
        """The facts, and the text unless a file has it."""
        return {"status": self.status, **self.facts, **({self.key: self.text} if self.text and self.key else {})}

    def without_text(self) -> Self:
        """What is left to say when a file has the text."""
        return replace(self, text="")

    def lines(self) -> Iterator[str]:
        yield from self.text.splitlines()

    def remarks(self) -> tuple[str, ...]:
        return self.notes

    def __str__(self) -> str:
        return self.text


@writes()
def output(found: Document) -> str:
    """Write it to this file instead of standard output."""
    return found.text
