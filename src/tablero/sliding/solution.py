"""What solving a board brought: moves, why each was made, and what is known about shorter ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.runs.findings import Findings
from tablero.sliding import checking
from tablero.sliding.formats import letters
from tablero.sliding.puzzle import Board
from tablero.words import several

NO_ROWS = np.empty((0, 0), np.int32)


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Findings[str]):
    """An answer; or without codes a search that was stopped ("open"), or a board that cannot be solved ("none").

    `lower` moves are proved to be needed; the answer is optimal when it has no more.  `rules` has a number a move where
    a constructive method made them: see `rules.py`.
    """

    parts: ClassVar[tuple[str, ...]] = ("move", "way")

    puzzle: Board
    method: str
    codes: NDArray[np.uint8] | None = None  # moves as numbers: 0 N, 1 S, 2 E, 3 W
    lower: int = 0
    rules: NDArray[np.uint8] | None = None
    first_length: int | None = None  # of the answer of `table`, where one was improved
    start: str = ""  # the constructive method whose answer was improved
    start_length: int = 0
    heuristic: str = ""

    @property
    def board(self) -> Board:
        """The board that was solved."""
        return self.puzzle

    @cached_property
    def moves(self) -> str:
        """The way the blank goes, as a word of N, S, E and W."""
        return "" if self.codes is None else letters(self.codes)

    @cached_property
    def answers(self) -> Sequence[str]:
        """The moves, where there is an answer."""
        return [] if self.codes is None else [self.moves]

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Moves from 1, each with the way that the blank goes."""
        return enumerate(answer, 1)

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
        if self.codes is not None and (wrong := checking.fault_of_codes(self.puzzle, self.codes)):
            raise AssertionError(f"a method returned moves that are no solution: {wrong}")

    def values(self) -> dict[str, Any]:
        """The keys that every search reports, and what is known about the moves."""
        from tablero.sliding.rules import tally

        values = super().values()
        values["method"] = self.method
        values["moves"] = len(self) if self.codes is not None else None
        values["lower"] = self.lower
        values["optimal"] = self.optimal
        if self.heuristic:
            values["estimate"] = self.heuristic
        if self.first_length is not None:
            values["table_moves"] = self.first_length
            values["start"] = self.start
            values["start_moves"] = self.start_length
        if self.rules is not None:
            values["rules"] = tally(self.rules)
        if self.status == "none":
            values["why"] = self.puzzle.reason
        return values

    def scene(self) -> Scene | None:
        """The board that was to be solved, unless it is too large."""
        from tablero.sliding.draw import can_draw, scene

        return scene(self.puzzle) if can_draw(self.puzzle) else None

    @property
    def needed(self) -> str:
        """The lower bound in words."""
        return f"at least {several(self.lower, 'move')} {'is' if self.lower == 1 else 'are'} needed"

    def __repr__(self) -> str:
        if self.codes is None:
            return f"<Solution: {self.status}, {self.seconds:.3g} s>"
        proof = ", proved shortest" if self.optimal else ""
        return f"<Solution: {several(len(self), 'move')} by {self.method}{proof}, {self.seconds:.3g} s>"

    def __str__(self) -> str:
        return self.moves if self.codes is not None else repr(self)

    def _repr_html_(self) -> str | None:
        """The page that plays the moves; nothing where there are none, or too many."""
        from tablero.draw.page import in_notebook
        from tablero.sliding.draw import player

        if self.codes is None:
            return None
        try:
            return in_notebook(player(self))
        except BadInput:
            return None
