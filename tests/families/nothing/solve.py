"""From the puzzle to a search and back.  This is the one place that chooses how a question is answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tablero.nothing import check, formats
from tablero.nothing.draw import scene
from tablero.nothing.kernels.steps import StepSearch
from tablero.nothing.puzzle import Nothing

from tablero.draw.scene import Scene
from tablero.runs.findings import Findings
from tablero.runs.run import HERE, Books, Run
from tablero.runs.session import perform

FAMILY = "nothing"


@dataclass(frozen=True, eq=False, repr=False)
class Nowhere(Findings[int]):
    """What was found: an answer would be a step that leads somewhere."""

    puzzle: Nothing

    @cached_property
    def answers(self) -> Sequence[int]:
        return [int(row[0]) for row in self.result.answers]

    def verify(self) -> None:
        for answer in self.answers:
            raise AssertionError(f"a kernel returned what is no answer: {check.fault(self.puzzle, answer)}")

    def scene(self) -> Scene:
        return scene(self.puzzle)


def solve(puzzle: Nothing, most: int | None = 1, *, run: Run = HERE) -> Nowhere:
    """Up to `most` answers (None: all)."""
    return _find(puzzle, "solve", most, run)


def count(puzzle: Nothing, *, run: Run = HERE) -> Nowhere:
    """The number of answers, without the answers."""
    return _find(puzzle, "count", None, run)


def _find(puzzle: Nothing, verb: str, most: int | None, run: Run) -> Nowhere:
    books = Books({"family": FAMILY, "verb": verb, "most": most}, lambda: formats.write(puzzle).encode())
    found = Nowhere(puzzle, perform(StepSearch(puzzle.steps), run, books=books, most=most, keep=verb != "count"))
    found.verify()
    return found


def resume(recipe: dict[str, Any], problem: bytes, run: Run) -> Nowhere:
    """Go on with a stored job."""
    return _find(formats.parse(problem.decode(), "the job's puzzle"), recipe["verb"], recipe["most"], run)


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand."""
    return {"nothing": StepSearch(3).warm}
