"""Solving as people do: always the easiest step that applies, told in a sentence.

Ratings are those of Sudoku Explainer 1.2.1, where it knows the technique.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tablero.draw.scene import Scene
from tablero.puzzles.sudoku.logic import (
    chains,
    colouring,
    fish,
    forcing,
    intersections,
    singles,
    subsets,
    uniqueness,
    wings,
)
from tablero.puzzles.sudoku.logic.position import Candidate, Position, Step
from tablero.puzzles.sudoku.puzzle import Cells, Sudoku, to_line
from tablero.runs.runner import HERE, Run, require_here
from tablero.words import several

__all__ = [
    "TECHNIQUES",
    "Candidate",
    "Hint",
    "Path",
    "Position",
    "Step",
    "Technique",
    "explain",
    "hint",
    "next_step",
    "walk",
    "way",
]


class Technique(NamedTuple):
    """A way to find a step.  `needs_one`: it is right only where there is one solution."""

    name: str
    rating: float
    find: Callable[[Position], Step | None]
    needs_one: bool = False


# From the easiest to the hardest; the rating is that of its easiest form.
TECHNIQUES = (
    Technique("last value", 1.0, singles.last_value),
    Technique("hidden single in a box", 1.2, singles.hidden_in_box),
    Technique("hidden single", 1.5, singles.hidden_in_line),
    Technique("direct pointing", 1.7, intersections.direct_pointing),
    Technique("direct claiming", 1.9, intersections.direct_claiming),
    Technique("direct hidden pair", 2.0, subsets.direct_hidden(2, 2.0)),
    Technique("naked single", 2.3, singles.naked),
    Technique("direct hidden triplet", 2.5, subsets.direct_hidden(3, 2.5)),
    Technique("pointing", 2.6, intersections.pointing),
    Technique("claiming", 2.8, intersections.claiming),
    Technique("naked pair", 3.0, subsets.naked(2, 3.0)),
    Technique("X-wing", 3.2, fish.fish(2, 3.2)),
    Technique("hidden pair", 3.4, subsets.hidden(2, 3.4)),
    Technique("naked triplet", 3.6, subsets.naked(3, 3.6)),
    Technique("swordfish", 3.8, fish.fish(3, 3.8)),
    Technique("hidden triplet", 4.0, subsets.hidden(3, 4.0)),
    Technique("XY-wing", 4.2, wings.xy_wing),
    Technique("XYZ-wing", 4.4, wings.xyz_wing),
    Technique("unique rectangle", 4.5, uniqueness.unique_rectangle, needs_one=True),
    Technique("naked quad", 5.0, subsets.naked(4, 5.0)),
    Technique("jellyfish", 5.2, fish.fish(4, 5.2)),
    Technique("hidden quad", 5.4, subsets.hidden(4, 5.4)),
    Technique("BUG", 5.6, uniqueness.bug, needs_one=True),
    Technique("simple colouring", 6.5, colouring.simple_colouring),
    Technique("X-chain", 6.6, chains.x_chain),
    Technique("XY-chain", 7.0, chains.xy_chain),
    Technique("chain", 7.2, chains.chain),
    Technique("forcing chain", 8.5, forcing.contradiction),
)


def next_step(position: Position) -> Step | None:
    """The easiest step that applies."""
    for technique in TECHNIQUES:
        if position.unique or not technique.needs_one:
            step = technique.find(position)
            if step is not None:
                return step
    return None


def walk(position: Position) -> Iterator[Step]:
    """Step after step until the board is full or nothing applies; the position moves on after each."""
    while position.empty and not position.fault():
        step = next_step(position)
        if step is None:
            return
        yield step
        position.apply(step)


@dataclass(frozen=True, repr=False)
class Path:
    """The way of a puzzle by logic."""

    puzzle: Sudoku
    steps: tuple[Step, ...]
    left: tuple[int, ...]  # empty cells after each step
    cells: Cells  # the board at the end
    fault: str = ""

    @property
    def solved(self) -> bool:
        return 0 not in self.cells

    @property
    def status(self) -> str:
        """solved, none (a fault was met: there is no solution) or open (stuck)."""
        return "none" if self.fault else "solved" if self.solved else "open"

    @property
    def sentence(self) -> str:
        """How it ended, told once."""
        if self.fault:
            return f"{self.fault}: the puzzle has no solution"
        if self.solved:
            return f"solved in {several(len(self.steps), 'step')}"
        return f"stuck: no technique applies, {self.cells.count(0)} cells stay empty; 'solve' finds the solutions"

    def positions(self) -> Iterator[tuple[Position, Step]]:
        """Every step with the position that it begins at; the position moves on after each."""
        position = Position(self.puzzle)
        for step in self.steps:
            yield position, step
            position.apply(step)

    def values(self) -> dict[str, Any]:
        """What is told of it, as JSON can hold it."""
        return {
            "status": self.status,
            "method": "logic",
            "left": list(self.left),
            "steps": [step.values(self.puzzle.side) for step in self.steps],
            "answers": [to_line(self.cells)] if self.solved else [],
            "sentence": self.sentence,
            "why": self.sentence,
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence}>"

    def __str__(self) -> str:
        return "\n".join([*(f"{step.technique}: {step.sentence}" for step in self.steps), self.sentence])

    def _repr_svg_(self) -> str:
        from tablero.draw.svg import to_svg
        from tablero.puzzles.sudoku.draw import board

        return to_svg(board(self.puzzle, self.cells))


@dataclass(frozen=True, repr=False)
class Hint:
    """The easiest next step of a puzzle, or why there is none."""

    puzzle: Sudoku
    step: Step | None
    fault: str = ""

    @property
    def status(self) -> str:
        """solved (there is a step), complete (nothing is left to fill), none (there is no solution) or open."""
        if self.step is not None:
            return "solved"
        return "none" if self.fault else "open" if 0 in self.puzzle.cells else "complete"

    @property
    def sentence(self) -> str:
        """The step in a sentence, or why there is none."""
        if self.step is not None:
            return self.step.sentence
        if self.fault:
            return f"{self.fault}: the puzzle has no solution"
        return "no technique applies" if 0 in self.puzzle.cells else "the board is full"

    def values(self) -> dict[str, Any]:
        """What is told of it, as JSON can hold it."""
        told = {"sentence": self.sentence, "why": self.sentence}
        return {"status": self.status, **(told if self.step is None else self.step.values(self.puzzle.side))}

    def scene(self) -> Scene:
        """The board with its candidates, and what the step looks at."""
        from tablero.puzzles.sudoku.draw import board, step_scene

        return board(self.puzzle) if self.step is None else step_scene(Position(self.puzzle), self.step)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def __str__(self) -> str:
        return self.sentence if self.step is None else f"{self.step.technique} ({self.step.rating}): {self.sentence}"

    def _repr_svg_(self) -> str:
        from tablero.draw.svg import to_svg

        return to_svg(self.scene())


def _start(puzzle: Sudoku, what: str, run: Run) -> Position:
    from tablero.puzzles.sudoku.solve import how_many

    require_here(run, what)
    position = Position(puzzle)  # refuses what logic does not know, before anything is searched
    try:
        position.unique = how_many(puzzle, run=run) == 1
    except TimeoutError:  # then nothing may rest on it
        position.unique = False
    return position


def explain(puzzle: Sudoku, *, run: Run = HERE) -> Path:
    """Solve a puzzle by logic as far as it goes."""
    return way(_start(puzzle, "solving by logic", run))


def way(position: Position) -> Path:
    """All steps from a position on."""
    steps, left = [], []
    for step in walk(position):
        steps.append(step)
        left.append(position.left - len(step.placed))
    fault = position.fault() if position.empty else ""
    return Path(position.puzzle, tuple(steps), tuple(left), tuple(position.values), fault)


def hint(puzzle: Sudoku, *, run: Run = HERE) -> Hint:
    """The easiest next step."""
    position = _start(puzzle, "a hint", run)
    return Hint(puzzle, next(walk(position), None), position.fault() if position.empty else "")
