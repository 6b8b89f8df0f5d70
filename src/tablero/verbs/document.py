"""A text as an answer, for example a generated puzzle or a model in the format of another program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from tablero.verbs.describe import writes


@dataclass(frozen=True)
class Document:
    """A text as an answer.

    Parameters
    ----------
    text
        The text.
    facts
        Further entries of the JSON object.
    key
        The name of the text in JSON; empty if the facts have the same content.
    notes
        Remarks for standard error.
    status
        The status in JSON.
    puzzle
        The puzzle that the text describes.
    """

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    key: str = "problem"
    notes: tuple[str, ...] = ()
    status: str = "solved"
    puzzle: Any = None

    def to_dict(self) -> dict[str, Any]:
        """The facts and the text as JSON can hold them."""
        return {"status": self.status, **self.facts, **({self.key: self.text} if self.text and self.key else {})}

    def without_text(self) -> Self:
        """A copy without the text, for an answer whose text is written to a file."""
        return replace(self, text="")

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text."""
        yield from self.text.splitlines()

    def remarks(self) -> tuple[str, ...]:
        """Remarks for standard error."""
        return self.notes

    def __str__(self) -> str:
        return self.text


@writes()
def output(found: Document) -> str:
    """Write the text to this file instead of standard output."""
    return found.text
