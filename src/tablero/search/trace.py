"""The trace of an annealing run: its temperature and cost at points that are closest at the beginning.

At first every trial is a point, and later each point is 3 % more trials after the one before.  A run of any length therefore
has some hundreds of points, including its first moments.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

MOST_POINTS = 1200  # of a run of 10¹⁵ trials, which is more than any makes
_RATIO = 2 ** (1 / 24)


class Point(NamedTuple):
    """The temperature and the cost of a run after this many trials."""

    trials: int
    temperature: float
    cost: int


def due_after(trials: int) -> int:
    """The number of trials after which the next point is due."""
    return max(trials + 1, math.ceil(_RATIO * trials))


def thinned(points: Iterable[Point]) -> list[Point]:
    """The points that are due, and the last one."""
    kept: list[Point] = []
    last = None
    for point in points:
        if not kept or point.trials >= due_after(kept[-1].trials):
            kept.append(point)
        last = point
    return kept if last is None or last == kept[-1] else [*kept, last]


class Recorder:
    """Records the points of a run."""

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._due = 0

    def allowed(self, now: Point | None, budget: int) -> int:
        """Record a point if it is due, and return how many trials of the budget may be made before the next one.

        A run that is being prepared (None) may make no trial before its first point.
        """
        if now is None:
            return 0
        if now.trials >= self._due:
            self._points.append(now)
            self._due = due_after(now.trials)
        return min(budget, self._due - now.trials)

    def ended(self, now: Point | None) -> tuple[Point, ...]:
        """All points, including the present one."""
        if now is not None and (not self._points or self._points[-1] != now):
            self._points.append(now)
        return tuple(self._points)
