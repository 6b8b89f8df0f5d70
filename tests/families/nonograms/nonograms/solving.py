"""From the puzzle to a search and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nonograms import checking
from nonograms.draw import scene
from nonograms.kernel import Numbers, PictureSearch, Problem
from nonograms.puzzle import Nonogram, Runs
from tablero.draw.scene import Scene
from tablero.runs.findings import Findings
from tablero.runs.run import HERE, Run
from tablero.runs.session import perform
from tablero.runs.viewing import State


@dataclass(frozen=True, eq=False, repr=False)
class Pictures(Findings[str]):
    """What was found."""

    puzzle: Nonogram

    @cached_property
    def answers(self) -> Sequence[str]:
        shape = (-1, len(self.puzzle.rows), len(self.puzzle.columns))
        pictures = self.result.answers.reshape(shape).tolist()
        return ["\n".join("".join(".#"[cell] for cell in row) for row in picture) for picture in pictures]

    def verify(self) -> None:
        for picture in self.answers:
            if wrong := checking.fault(self.puzzle, picture):
                raise AssertionError(f"the search returned what is no solution: {wrong}")

    def scene(self) -> Scene | None:
        return scene(self.puzzle, self.answers[0]) if self.answers else None


def find(puzzle: Nonogram, most: int | None = None, run: Run = HERE, *, keep: bool = True) -> Pictures:
    """Up to `most` pictures (None: all), or only their number."""
    found = Pictures(puzzle, perform(search_for(puzzle), run, most=most, keep=keep))
    found.verify()
    return found


def view(state: State) -> Pictures:
    """What a stored job has found."""
    return Pictures(state.puzzle, state.result(search_for(state.puzzle), keep=state.verb != "count"))


def search_for(puzzle: Nonogram) -> PictureSearch:
    """The search, with an automaton for every line."""
    lines = (*puzzle.rows, *puzzle.columns)
    states = max(sum(runs) + len(runs) for runs in lines) + 1
    after = np.full((len(lines), states, 2), -1)
    needs = np.zeros((len(lines), states), np.int64)
    for k, runs in enumerate(lines):
        _automaton(runs, after[k], needs[k])
    return PictureSearch(Problem(after, needs, np.array([len(puzzle.rows), len(puzzle.columns)])))


def _automaton(runs: Runs, after: Numbers, needs: Numbers) -> None:
    """The steps of a line: by state and colour the next state."""
    pattern = [colour for length in runs for colour in (*[1] * length, 0)]
    for state, colour in enumerate(pattern):
        after[state, colour] = state + 1
        if colour and (state == 0 or not pattern[state - 1]):
            after[state, 0] = state  # empty cells before a run
        needs[state] = len(pattern) - state - 1  # the gap behind the last run may be left out
    after[len(pattern), 0] = len(pattern)


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand."""
    return {"nonograms": search_for(Nonogram(((1,),), ((1,),))).warm}
