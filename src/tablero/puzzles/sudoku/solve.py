"""From a puzzle to a search and back: plain 9×9 boards by bands, all others as exact covers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.cover.kernels.search import CoverSearch, default_kernel
from tablero.puzzles.sudoku import check
from tablero.puzzles.sudoku.cover import to_cover
from tablero.puzzles.sudoku.puzzle import Cells, Sudoku, to_line
from tablero.runs.findings import Result
from tablero.runs.here import Findings, run_here
from tablero.search.base import TreeSearch

FAMILY = "sudoku"


@dataclass(frozen=True)
class Model:
    """A search for a puzzle, and what its answers mean."""

    search: TreeSearch
    decode: Callable[[NDArray[np.int32]], Cells]


@dataclass(frozen=True)
class Solutions(Findings):
    """What a search found; one more than was asked for is looked for, to know whether there are others."""

    puzzle: Sudoku
    result: Result
    decode: Callable[[NDArray[np.int32]], Cells]
    most: int | None = None

    @property
    def status(self) -> str:
        """As everywhere: solved, complete, none or open."""
        if self.most is not None and self.result.solutions >= self.most:
            return "solved"
        return self.result.status

    @property
    def solutions(self) -> int:
        return self.result.solutions if self.most is None else min(self.result.solutions, self.most)

    @property
    def unique(self) -> bool | None:
        """Whether there is just one solution; None where the search stopped before it knew."""
        if self.result.solutions > 1:
            return False
        return None if self.result.status == "open" else self.result.solutions == 1

    @cached_property
    def boards(self) -> list[Cells]:
        """The solutions, each checked by the rules."""
        boards = [self.decode(row) for row in self.result.answers]
        for board in boards:
            if wrong := check.fault(self.puzzle, board):
                raise AssertionError(f"a kernel returned what is no solution: {wrong}")
        if len(set(boards)) < len(boards):
            raise AssertionError("a kernel returned a solution twice")
        return boards[: self.most]

    @property
    def answers(self) -> list[str]:
        """The solutions as strings of cells, row by row."""
        return [to_line(board) for board in self.boards]

    @property
    def first(self) -> str | None:
        return self.answers[0] if self.boards else None

    def __str__(self) -> str:
        from tablero.puzzles.sudoku.draw import board_text

        return "\n\n".join(board_text(self.puzzle.layout, board) for board in self.boards) or "no solution"

    def _repr_svg_(self) -> str:
        from tablero.draw.svg import to_svg
        from tablero.puzzles.sudoku.draw import board

        return to_svg(board(self.puzzle, self.boards[0] if self.boards else None))


def model_for(puzzle: Sudoku) -> Model:
    """The search that finds a puzzle's solutions."""
    if puzzle.layout.is_plain and puzzle.side == 9:
        from tablero.puzzles.sudoku.kernels.search import BandSearch

        return Model(BandSearch(np.array(puzzle.cells, np.uint8)), lambda row: tuple(row.tolist()))
    problem, meaning = to_cover(puzzle)

    def decode(row: NDArray[np.int32]) -> Cells:
        cells = [0] * puzzle.layout.size
        for option in row[row >= 0].tolist():
            cell, digit = meaning[option]
            if cell >= 0:
                cells[cell] = digit
        return tuple(cells)

    return Model(CoverSearch(problem.table, default_kernel(problem.table)), decode)


def recipe_for(verb: str, most: int | None) -> dict[str, Any]:
    """What a job must know beside its problem."""
    return {"family": FAMILY, "verb": verb, "most": most}


def search_again(problem: bytes) -> tuple[Sudoku, Model]:
    """The puzzle and the search of a stored job."""
    from tablero.puzzles.sudoku.formats import parse

    puzzle = parse(problem.decode(), "the job's puzzle")
    return puzzle, model_for(puzzle)


def wanted(most: int | None) -> int | None:
    """How many solutions a search must look for: one more, where only the first is asked for."""
    return 2 if most == 1 else most


def solve(puzzle: Sudoku, most: int | None = 1, *, threads: int = 1, **limits: Any) -> Solutions:
    """Up to `most` solutions (None: all).  `limits` are those of `tablero.runs.coordinator.run`."""
    return _run(puzzle, threads, most, most=wanted(most), **limits)


def count(puzzle: Sudoku, limit: int | None = None, *, threads: int = 1, **limits: Any) -> Solutions:
    """The number of solutions up to a limit (None: all), without the solutions."""
    return _run(puzzle, threads, limit, most=limit, keep=False, **limits)


def is_unique(puzzle: Sudoku) -> bool:
    """Whether a puzzle has just one solution."""
    return count(puzzle, 2).solutions == 1


def _run(puzzle: Sudoku, threads: int, shown: int | None, **limits: Any) -> Solutions:
    model = model_for(puzzle)
    found = Solutions(puzzle, run_here(model.search, threads, **limits), model.decode, shown)
    assert len(found.boards) <= found.solutions
    return found
