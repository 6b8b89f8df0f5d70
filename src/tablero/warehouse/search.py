"""Searches for the fewest moves.

`fewest` is for few tiles: A* over their places, while all other tiles and the walls stay in place.

estimate  the distance of every tile from its goal without other tiles (for equal numbers, from the nearest such cell); it
          is never too high, and exact if no tile blocks another
weight    of the estimate: with 1 the moves are the fewest; with more they are found sooner and may be more
Among equally good positions the latest is followed, so that without conflicts the search goes straight to the goal.

`shortest` is for small floors: breadth-first search from both ends, where a position is the content of every cell of a
region and tiles of one number are identical.  Moves can be undone, so that the positions reached from the goal are those
that reach it.  If one search has visited all that it can reach without meeting the other, there is no way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

Steps = list[tuple[int, int]]  # cells before and after
Position = tuple[int, ...]  # the cell of every tile, those of one number in order
_LOOK = 256  # positions between checks of the clock
MOST_CELLS = 200  # of a region
MOST_POSITIONS = 150_000


class TooMany(Exception):
    """The limit of positions is exceeded."""


def distances(
    goals: Sequence[int], beside: Sequence[Sequence[int]], barred: Collection[int] = (), most: int = 1 << 60
) -> dict[int, int]:
    """The distances of cells from the nearest goal, avoiding barred cells; cells farther than `most` are left out."""
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
    """Tiles by number: their places, and the distances of all cells from their goals."""

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
        """A lower bound of the moves; None if a tile cannot reach its goal."""
        if any(cell not in far for cell, far in zip(self.start, self.far, strict=True)):
            return None
        return sum(far[cell] for cell, far in zip(self.start, self.far, strict=True))


def fewest(
    groups: Groups, most: int, look: Callable[[], None], *, weight: int = 1, below: int | None = None
) -> tuple[Steps | None, int]:
    """Find the fewest moves; return them and the number of tried moves.

    Without moves, or without fewer than `below`, the first is None.  TooMany is raised after `most` tried moves.
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


def shortest(
    start: Sequence[int],
    goal: Sequence[int],
    beside: Sequence[tuple[int, ...]],
    look: Callable[[], None],
    most: int | None = None,
) -> Steps | None:
    """Find the shortest moves from one position to another; None means that there provably are none.

    OverflowError is raised if there are too many positions to decide.
    """
    most = MOST_POSITIONS if most is None else most
    numbers = {0: 0}
    for tile in start:
        numbers.setdefault(tile, len(numbers))
    if len(start) > MOST_CELLS or len(numbers) > 255:
        raise OverflowError
    first, last = (bytes(numbers[tile] for tile in cells) for cells in (start, goal))
    if first == last:
        return []
    seen: list[dict[bytes, tuple[bytes, int, int]]] = [{first: (first, 0, 0)}, {last: (last, 0, 0)}]
    edges = [[first], [last]]
    looked = 0
    while edges[0] and edges[1]:
        end = 0 if len(edges[0]) <= len(edges[1]) else 1
        mine, other, further = seen[end], seen[1 - end], []
        for position in edges[end]:
            if len(seen[0]) + len(seen[1]) > most:
                raise OverflowError
            looked += 1
            if looked % _LOOK == 0:
                look()
            for cell, tile in enumerate(position):
                if tile == 0:
                    continue
                for target in beside[cell]:
                    if position[target]:
                        continue
                    after = bytearray(position)
                    after[target], after[cell] = tile, 0
                    key = bytes(after)
                    if key not in mine:
                        mine[key] = (position, cell, target)
                        if key in other:
                            return _joined(seen, key)
                        further.append(key)
        edges[end] = further
    return None


def _joined(seen: list[dict[bytes, tuple[bytes, int, int]]], meeting: bytes) -> Steps:
    """The moves from the start to the meeting position, and from there to the goal."""
    halves: list[Steps] = [[], []]
    for known, steps in zip(seen, halves, strict=True):
        position = meeting
        while (move := known[position])[0] != position:
            position = move[0]
            steps.append(move[1:])
    return halves[0][::-1] + [(target, source) for source, target in halves[1]]
