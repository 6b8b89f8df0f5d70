"""Boards to look at, with their scores; without a board, the pieces as they are numbered."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tablero.draw.svg import to_svg
from tablero.edges import checking
from tablero.edges.draw import scene, to_text
from tablero.edges.puzzle import EdgePuzzle


@dataclass(frozen=True)
class Shown:
    """The boards that came with a puzzle."""

    puzzle: EdgePuzzle
    status = "solved"

    @property
    def marks(self) -> bool:
        """Whether mismatches are marked: pieces that lie side by side by their numbers are not meant to match."""
        return bool(self.puzzle.boards)

    @cached_property
    def boards(self) -> list[list[int]]:
        return [laying.tolist() for laying in self.puzzle.boards] or [self.puzzle.unlaid.tolist()]

    @cached_property
    def scores(self) -> list[dict[str, Any]]:
        """Of every board the joins that match, what is wrong with it, and the joins that do not match."""
        puzzle, found = self.puzzle, []
        for laying in self.boards:
            wrong = checking.mismatches(puzzle, laying)
            fault = "cells are empty" if -1 in laying else checking.laying_fault(puzzle, laying)
            names = puzzle.names_of(wrong)
            score = puzzle.maximum - len(wrong)
            found.append({"score": score, "fault": fault if self.marks else None, "mismatches": names})
        return found

    def to_dict(self) -> dict[str, Any]:
        many = {"boards": self.scores} if len(self.boards) > 1 else {}
        answers = [self.puzzle.pairs(laying) for laying in self.boards]
        return {"status": self.status, "maximum": self.puzzle.maximum, **self.scores[0], **many, "answers": answers}

    def to_svg(self, *, numbers: bool = False) -> str:
        """The first board as a drawing."""
        return to_svg(scene(self.puzzle, self.boards[0], "an edge-matching board", numbers=numbers, marks=self.marks))

    def _repr_svg_(self) -> str:
        return self.to_svg()

    @cached_property
    def _wide(self) -> list[int]:
        """Of every board the columns of its drawing."""
        texts = [to_text(self.puzzle, laying, marks=self.marks) for laying in self.boards]
        return [max(map(len, text.splitlines())) for text in texts]

    def lines(self) -> Iterator[str]:
        for k, (laying, wide) in enumerate(zip(self.boards, self._wide, strict=True), 1):
            if len(self.boards) > 1:
                yield from [""] * (k > 1) + [f"# board {k}"]
            if wide <= _room():
                yield from to_text(self.puzzle, laying, colours=sys.stdout.isatty(), marks=self.marks).splitlines()

    def remarks(self) -> Iterator[str]:
        yield from self.puzzle.reading
        for k, (score, wide) in enumerate(zip(self.scores, self._wide, strict=True), 1):
            if wide > (room := _room()):
                yield f"the drawing is {wide} columns wide and this terminal {room}: --svg FILE has it"
            if self.marks:
                which = f"board {k}: " if len(self.boards) > 1 else ""
                fault = f"; {score['fault']}" if score["fault"] else ""
                yield f"{which}{score['score']} of {self.puzzle.maximum} joins match{fault}"


def _room() -> float:
    """Columns for a drawing: those of the terminal, as lines that it wraps would not be readable."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else math.inf
