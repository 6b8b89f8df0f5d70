"""The most joins matched within a time: from a puzzle to the beam and back.

Scores are told with the clues that were kept, as the community does: none, the starter, all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.edges import check
from tablero.puzzles.edges.kernels.optimise import BeamSearch
from tablero.puzzles.edges.puzzle import EdgePuzzle
from tablero.puzzles.edges.solve import FAMILY, as_pairs, tiles_of
from tablero.runs.findings import Result
from tablero.runs.here import run_here

_LAST_ROWS = 4  # filled column by column
_WIDTH_A_MINUTE = 24_000  # for 256 cells: a time then holds some thirty restarts
_MOST_WIDTH = 100_000
_SOLVER_WIDTH = 50_000


@dataclass(frozen=True)
class Best:
    """The best laying that was found, and how the score grew."""

    puzzle: EdgePuzzle
    result: Result
    curve: tuple[tuple[float, int], ...] = ()  # seconds, score

    @property
    def maximum(self) -> int:
        return self.puzzle.maximum

    @property
    def laying(self) -> NDArray[np.int32] | None:
        return self.result.answers[0] if len(self.result.answers) else None

    @property
    def score(self) -> int:
        """How many joins match, counted by independent code."""
        return 0 if self.laying is None else check.score(self.puzzle, self.laying.tolist())

    @property
    def answers(self) -> list[list[list[int]]]:
        return [] if self.laying is None else [as_pairs(self.puzzle, self.laying.tolist())]

    @property
    def mismatches(self) -> list[tuple[check.Side, check.Side]]:
        return [] if self.laying is None else check.mismatches(self.puzzle, self.laying.tolist())

    @property
    def regime(self) -> str:
        """The clues that were kept."""
        number = len(self.puzzle.clues)
        return "no clues" if not number else "the starter" if number == 1 else f"{number} clues"

    def verify(self) -> None:
        """Check the board with code that shares nothing with the kernels."""
        if self.laying is None:
            return
        wrong = check.laying_fault(self.puzzle, self.laying.tolist())
        if wrong or self.maximum - self.score != self.result.best:
            raise AssertionError(f"a kernel returned a wrong board or score: {wrong or self.score}")

    def _repr_svg_(self) -> str | None:
        from tablero.draw.svg import to_svg
        from tablero.puzzles.edges.draw import scene

        return None if self.laying is None else to_svg(scene(self.puzzle, self.laying))


def width_for(puzzle: EdgePuzzle, seconds: float | None) -> int:
    """The width of a beam of which a time holds some thirty; a minute where there is no limit."""
    share = (60.0 if seconds is None else seconds) / 60.0
    width = _WIDTH_A_MINUTE * share * 256 / max(puzzle.board.cells, 16)
    return int(min(max(width, 50), _MOST_WIDTH))


def _cells(puzzle: EdgePuzzle) -> tuple[int, ...]:
    """Row by row, but the last rows of a square board column by column: the beam then sees its end from further off."""
    board = puzzle.board
    late = board.rows - _LAST_ROWS if board.shape == "square" and board.rows > _LAST_ROWS else board.cells
    early = [cell for cell, (row, _) in enumerate(board.places) if row < late]
    block = [cell for cell, (row, _) in enumerate(board.places) if row >= late]
    return (*early, *sorted(block, key=lambda cell: board.places[cell][::-1]))


def optimiser_for(puzzle: EdgePuzzle, width: int, seed: int = 0) -> BeamSearch:
    """The search for the fewest mismatches."""
    if not 1 <= width <= 10 * _MOST_WIDTH:
        raise BadInput(f"a beam of {width} boards: expected 1 to {10 * _MOST_WIDTH:,}")
    if seed < 0:
        raise BadInput(f"the seed {seed}: expected a number from 0")
    laid = tuple(puzzle.fixed().items())
    return BeamSearch(tiles_of(puzzle), laid, _cells(puzzle), puzzle.board.places, puzzle.border, width, seed)


def beam_for(puzzle: EdgePuzzle, width: int = _SOLVER_WIDTH, seed: int = 0) -> BeamSearch:
    """The same beam without mismatches, as a solver that may miss solutions."""
    laid = tuple(puzzle.fixed().items())
    rows = tuple(range(puzzle.board.cells))
    return BeamSearch(tiles_of(puzzle), laid, rows, puzzle.board.places, puzzle.border, width, seed, exact=True)


def optimise(
    puzzle: EdgePuzzle,
    seconds: float = 10.0,
    *,
    threads: int = 1,
    seed: int = 0,
    width: int | None = None,
    **limits: Any,
) -> Best:
    """The best board that is found in so many seconds."""
    if threads < 1 or not seconds > 0:
        raise BadInput(f"{threads} threads for {seconds} s: expected at least 1, and a time above 0")
    search = optimiser_for(puzzle, width_for(puzzle, seconds) if width is None else width, seed)
    result = run_here(search, threads, time_limit=seconds, **limits)
    best = Best(puzzle, result, curve_of(puzzle, search))
    best.verify()
    return best


def curve_of(puzzle: EdgePuzzle, search: BeamSearch) -> tuple[tuple[float, int], ...]:
    """When which score was reached: seconds and joins matched, growing."""
    out: list[tuple[float, int]] = []
    for seconds, breaks in sorted(search.curve):
        if not out or puzzle.maximum - breaks > out[-1][1]:
            out.append((round(seconds, 3), puzzle.maximum - breaks))
    return tuple(out)


def recipe_for(search: BeamSearch) -> dict[str, Any]:
    """What a job must know to make its search again from its puzzle."""
    return {"family": FAMILY, "verb": "optimise", "width": search.beam_width, "seed": search.seed}


def search_again(recipe: dict[str, Any], problem: bytes) -> tuple[EdgePuzzle, BeamSearch]:
    """The puzzle and the search of a stored job."""
    from tablero.puzzles.edges.formats import parse

    puzzle = parse(problem.decode(), "the job's puzzle").puzzle
    return puzzle, optimiser_for(puzzle, recipe["width"], recipe["seed"])
