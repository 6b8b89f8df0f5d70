"""What is found is boards: what the results of solving, annealing and counting have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.draw.scene import Scene
from tablero.errors import NothingToKeep
from tablero.queens import checking
from tablero.queens.puzzle import Board, Queens
from tablero.runs.findings import Findings
from tablero.runs.run import Run

_SMALL = 32  # sides up to this are shown as a board


@dataclass(frozen=True, eq=False, repr=False)
class Boards(Findings[Board]):
    """Solutions of a puzzle."""

    parts: ClassVar[tuple[str, ...]] = ("row", "column")

    puzzle: Queens

    @property
    def columns(self) -> NDArray[np.int32]:
        """A row of columns for every solution."""
        return self.result.answers

    @cached_property
    def answers(self) -> Sequence[Board]:
        return [Board.of(columns, self.puzzle.torus) for columns in self.columns]

    @property
    def board(self) -> Board | None:
        """The first of them, where there is one."""
        return self.answers[0] if len(self.columns) else None

    def told(self) -> list[list[int]]:
        """The solutions as lists of columns by row, from 0."""
        found: list[list[int]] = self.columns.tolist()
        return found

    def answer_text(self, before: int) -> str:
        """The columns of every board as a line."""
        return "".join(" ".join(map(str, columns.tolist())) + "\n" for columns in self.columns)

    def board_lines(self) -> list[str]:
        """The one board that was found, where it is small."""
        small = self.solutions == 1 and self.board is not None and self.puzzle.n <= _SMALL
        return [str(self.board)] if small else []

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Rows and columns from 0."""
        return enumerate(answer)

    def verify(self) -> None:
        """Check every solution with code that shares nothing with the kernels."""
        if wrong := checking.first_fault(self.puzzle, self.columns):
            raise AssertionError(f"a search returned what is no solution: {wrong}")

    @property
    def why(self) -> str:
        """Why there is no solution, where that is known without a search; empty elsewhere."""
        return checking.refuted(self.puzzle) if self.status == "none" else ""

    def scene(self) -> Scene | None:
        from tablero.queens.draw import picture

        return None if self.board is None else picture(self.board)


def require_no_search(run: Run, what: str) -> None:
    """Refuse a job or a cluster where a formula or a theorem has the answer."""
    if run.job_name:
        raise NothingToKeep(f"{what} need no search, there is nothing to keep: leave the job out")
    if run.durable:
        raise NothingToKeep(f"{what} need no search, there is nothing to share: leave the cluster out")
