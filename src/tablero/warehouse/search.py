"""Few tiles, fewest moves: A* over where some tiles stand, all others and the walls standing still.

estimate  how far every tile is from its goal, if it were alone (of tiles of one number, from the nearest such
          cell): never too much, and exact where no tile is in another's way
weight    of the estimate: with 1 the moves are the fewest; with more they are found sooner, and may be more
Of positions that look equally good the latest is followed, so that without any conflict it goes straight to the goal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

Steps = list[tuple[int, int]]  # cells that a tile leaves and goes to
Position = tuple[int, ...]  # the cell of every tile, those of one number in order
_LOOK = 256  # positions between two looks at the clock


class TooMany(Exception):
    """More positions than may be looked at."""


def distances(
    goals: Sequence[int], beside: Sequence[Sequence[int]], barred: Collection[int], most: int
) -> dict[int, int]:
    """How far cells are from the nearest of some goals, past what is barred; those farther than `most` are left out."""
    far, queue = dict.fromkeys(goals, 0), deque(goals)
    while queue:
        cell = queue.popleft()
        if far[cell] == most:
            break
        for other in beside[cell]:
            if other not in far and other not in barred:
                far[other] = far[cell] + 1
                queue.append(other)
    return far


class Groups:
    """Tiles by number: where those of each stand, and how far all cells are from their goals."""

    def __init__(
        self,
        standing: Mapping[int, Sequence[int]],
        wanted: Mapping[int, Sequence[int]],
        beside: Sequence[Sequence[int]],
        barred: Collection[int] = (),
        most: int = 1 << 60,
    ) -> None:
        self.beside = beside
        self.start: Position = ()
        self.ends: list[tuple[int, int]] = []  # for every tile, the places of the tiles of its number
        self.far: list[dict[int, int]] = []
        for number, cells in standing.items():
            ends = len(self.start), len(self.start) + len(cells)
            self.start += tuple(sorted(cells))
            self.ends += [ends] * len(cells)
            self.far += [distances(wanted[number], beside, barred, most)] * len(cells)

    @property
    def least(self) -> int | None:
        """Moves that are needed at least; None where a tile cannot get there."""
        if any(cell not in far for cell, far in zip(self.start, self.far, strict=True)):
            return None
        return sum(far[cell] for cell, far in zip(self.start, self.far, strict=True))


def fewest(
    groups: Groups, most: int, look: Callable[[], None], *, weight: int = 1, below: int | None = None
) -> tuple[Steps | None, int]:
    """The moves, or None where there are none (of fewer than `below`); and how many moves were looked at.

    Raises TooMany after `most` of these.
    """
    beside, far, ends = groups.beside, groups.far, groups.ends
    least = groups.least
    if least is None:
        return None, 0
    made = {groups.start: 0}
    before: dict[Position, tuple[Position, int, int]] = {}
    levels: list[list[tuple[Position, int]]] = [[(groups.start, least)]]  # by moves and estimate, from the least
    level = tried = looked = 0
    base = weight * least
    done: set[Position] = set()
    while level < len(levels):
        if not levels[level]:
            level += 1
            continue
        position, left = levels[level].pop()
        if left == 0:
            return _traced(before, position), tried
        if position in done:
            continue
        done.add(position)
        looked += 1
        if looked % _LOOK == 0:
            look()
        after = made[position] + 1
        for k, cell in enumerate(position):
            mine = far[k]
            first, last = ends[k]
            for target in beside[cell]:
                if target in position or target not in mine:
                    continue
                tried += 1
                rest = left + mine[target] - mine[cell]
                if below is not None and after + rest >= below:
                    continue
                if last - first == 1:
                    new = (*position[:k], target, *position[k + 1 :])
                else:
                    group = sorted((*position[first:k], target, *position[k + 1 : last]))
                    new = (*position[:first], *group, *position[last:])
                if after >= made.get(new, 1 << 60):
                    continue
                made[new] = after
                before[new] = (position, cell, target)
                place = after + weight * rest - base
                while len(levels) <= place:
                    levels.append([])
                levels[max(place, level)].append((new, rest))
        if tried > most:
            raise TooMany
    return None, tried


def _traced(before: Mapping[Position, tuple[Position, int, int]], position: Position) -> Steps:
    steps: Steps = []
    while position in before:
        position, source, target = before[position]
        steps.append((source, target))
    steps.reverse()
    return steps
