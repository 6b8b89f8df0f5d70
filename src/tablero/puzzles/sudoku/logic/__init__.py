"""Solving as people do: always the easiest step that applies, told in a sentence.

Ratings are those of Sudoku Explainer 1.2.1, where it knows the technique.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

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
from tablero.puzzles.sudoku.puzzle import Cells, Sudoku

__all__ = ["TECHNIQUES", "Candidate", "Path", "Position", "Step", "Technique", "explain", "hint", "next_step", "walk"]


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


@dataclass(frozen=True)
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
    def sentence(self) -> str:
        """How it ended, told once."""
        if self.fault:
            return f"{self.fault}: the puzzle has no solution"
        if self.solved:
            return f"solved in {len(self.steps)} steps"
        return f"stuck: no technique applies, {self.cells.count(0)} cells stay empty; 'solve' finds the solutions"


def _start(puzzle: Sudoku) -> Position:
    from tablero.puzzles.sudoku.solve import is_unique

    position = Position(puzzle)  # refuses what logic does not know, before anything is searched
    position.unique = is_unique(puzzle)
    return position


def explain(puzzle: Sudoku) -> Path:
    """Solve a puzzle by logic as far as it goes."""
    position = _start(puzzle)
    steps, left = [], []
    for step in walk(position):
        steps.append(step)
        left.append(position.left - len(step.placed))
    return Path(puzzle, tuple(steps), tuple(left), tuple(position.values), position.fault() if position.empty else "")


def hint(puzzle: Sudoku) -> Step | None:
    """The easiest next step."""
    return next(walk(_start(puzzle)), None)
