"""What solving a board brought: moves, why each was made, and what is known about shorter ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.sliding import check
from tablero.puzzles.sliding.formats import letters
from tablero.puzzles.sliding.puzzle import Board


@dataclass(frozen=True, eq=False)
class Solution:
    """An answer, or (status "open", no codes) a search that was stopped.

    `lower` moves are proved to be needed; the answer is optimal when it has no more.  `rules` has a number a move where
    a constructive method made them: see `rules.py`.
    """

    board: Board
    method: str
    codes: NDArray[np.uint8] | None  # moves as numbers: 0 N, 1 S, 2 E, 3 W
    lower: int
    rules: NDArray[np.uint8] | None = None
    first_length: int | None = None  # of the constructive answer that was improved
    heuristic: str = ""
    nodes: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    fraction: float = 1.0
    interrupted: bool = False

    @property
    def status(self) -> str:
        return "open" if self.codes is None else "solved"

    @cached_property
    def moves(self) -> str:
        """The way the blank goes, as a word of N, S, E and W."""
        return "" if self.codes is None else letters(self.codes)

    def __len__(self) -> int:
        return 0 if self.codes is None else len(self.codes)

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no answer is shorter."""
        return self.codes is not None and len(self) == self.lower

    @property
    def gap(self) -> float:
        """How much longer the answer may be than the shortest one, as a part of that."""
        return len(self) / self.lower - 1 if self.lower else 0.0

    def verify(self) -> None:
        """Play the moves with code that shares nothing with the kernels."""
        if self.codes is not None and (wrong := check.fault(self.board, self.moves)):
            raise AssertionError(f"a method returned moves that are no solution: {wrong}")

    def __str__(self) -> str:
        return self.moves
