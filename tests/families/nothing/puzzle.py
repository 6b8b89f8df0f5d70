"""The puzzle: what it is, and that it is one.

step    one after another, n of them; each has one that follows, the last has none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablero.errors import BadInput
from tablero.runs.run import HERE, Run

if TYPE_CHECKING:
    from tablero.nothing.solve import Nowhere

MOST_STEPS = 1_000_000


@dataclass(frozen=True)
class Nothing:
    """A row of steps that lead nowhere."""

    steps: int

    def __post_init__(self) -> None:
        if not 1 <= self.steps <= MOST_STEPS:
            raise BadInput(f"{self.steps} steps: expected 1 to {MOST_STEPS:,}")

    def __str__(self) -> str:
        return "·" * min(self.steps, 80)

    def _repr_svg_(self) -> str:
        from tablero.nothing.draw import scene

        from tablero.draw.svg import to_svg

        return to_svg(scene(self))

    def solve(self, most: int | None = 1, *, run: Run = HERE) -> Nowhere:
        """Look for up to `most` answers; None finds all."""
        from tablero.nothing.solve import solve

        return solve(self, most, run=run)

    def first(self, *, run: Run = HERE) -> int | None:
        """An answer, or None when it is proved that there is none."""
        return self.solve(1, run=run).first

    def all(self, *, run: Run = HERE) -> Sequence[int]:
        """Every answer."""
        found = self.solve(None, run=run)
        found.require_all()
        return found.answers

    def count(self, *, run: Run = HERE) -> int:
        """How many answers there are."""
        from tablero.nothing.solve import count

        found = count(self, run=run)
        found.require_all()
        return found.solutions
