"""How a run of annealing goes, in points: few, and closest at the beginning, where the temperature falls.

point     trials made so far, and the temperature and the cost then
due       the next point is one trial after the last at first, and later some hundredths more trials: so a run of any
          length has some hundreds of points, and its first moments are among them
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

MOST_POINTS = 1200  # of a run of 10¹⁵ trials, which is more than any makes
_RATIO = 2 ** (1 / 24)


class Point(NamedTuple):
    """Where a run was."""

    trials: int
    temperature: float
    cost: int


def due_after(trials: int) -> int:
    """After how many trials the next point is due."""
    return max(trials + 1, math.ceil(_RATIO * trials))


def thinned(points: Iterable[Point]) -> list[Point]:
    """The points that were due, and the last one."""
    kept: list[Point] = []
    last = None
    for point in points:
        if not kept or point.trials >= due_after(kept[-1].trials):
            kept.append(point)
        last = point
    return kept if last is None or last == kept[-1] else [*kept, last]


class Recorder:
    """Notes where a run is while it goes on."""

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._due = 0

    def room(self, now: Point | None, budget: int) -> int:
        """Note where the run is, if that is due; how many of so many trials it may make before the next is.

        A run that is nowhere yet (None) is being prepared, and makes no trial before it has been noted.
        """
        if now is None:
            return 0
        if now.trials >= self._due:
            self._points.append(now)
            self._due = due_after(now.trials)
        return min(budget, self._due - now.trials)

    def ended(self, now: Point | None) -> tuple[Point, ...]:
        """All that was noted, and where the run is now."""
        if now is not None and (not self._points or self._points[-1] != now):
            self._points.append(now)
        return tuple(self._points)
