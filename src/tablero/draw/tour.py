"""One stop of the tour: what a family shows of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Stop:
    """A puzzle, solved and drawn."""

    title: str
    command: str  # what a reader types to see the same
    words: str
    svg: str
    text: Callable[[bool], str]  # for a terminal, with colours or without
