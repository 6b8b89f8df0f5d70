"""Ways along the corridors past all tiles there: with few turns if one is free, else a shortest one by search."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import pairwise

from tablero.warehouse.lanes import Lanes

Path = list[range]


def straight(a: int, b: int, unit: int) -> range:
    """The cells from a to b, both included."""
    return range(a, b + unit, unit)


class Routes:
    """Ways on a floor that changes while it is worked on."""

    def __init__(self, lanes: Lanes, cells: list[int]) -> None:
        self.lanes, self.cells = lanes, cells

    def route(self, start: int, goal: int, barred: set[int]) -> Path | None:
        """A shortest way along the corridors past all tiles there; None where there is none.

        The tile on the start is the one to move.
        """
        if start == goal:
            return []
        if goal in barred or self.cells[goal]:
            return None
        if not self.lanes.walls:
            direct = self.lanes.distance(start, goal)
            for length, corners in sorted(self._candidates(start, goal), key=lambda found: found[0]):
                if length > direct + 2 * self.lanes.step:
                    break
                path = [straight(a, b, self._unit(a, b)) for a, b in pairwise(corners) if a != b]
                if self._is_free(path, start, barred):
                    return path
        return self._searched(start, goal, barred)

    def _unit(self, a: int, b: int) -> int:
        size = 1 if a // self.lanes.columns == b // self.lanes.columns else self.lanes.columns
        return size if b > a else -size

    def _candidates(self, start: int, goal: int) -> Iterator[tuple[int, list[int]]]:
        """Ways with few turns."""
        step, columns = self.lanes.step, self.lanes.columns
        (r, c), (s, d) = divmod(start, columns), divmod(goal, columns)
        if (r == s and r % step == 0) or (c == d and c % step == 0):
            yield abs(r - s) + abs(c - d), [start, goal]
        for a, b in self.lanes.crossings(r, c):
            for e, f in self.lanes.crossings(s, d):
                for turn in (a * columns + f, e * columns + b):
                    corners = [start, a * columns + b, turn, e * columns + f, goal]
                    yield sum(map(self.lanes.apart, corners, corners[1:])), corners

    def _is_free(self, path: Path, start: int, barred: set[int]) -> bool:
        cells = self.cells
        tile, cells[start] = cells[start], 0
        free = all(
            not any(cells[min(line) : max(line) + 1 : abs(line.step)]) and not any(cell in line for cell in barred)
            for line in path
        )
        cells[start] = tile
        return free

    def _searched(self, start: int, goal: int, barred: set[int]) -> Path | None:
        """A shortest way by A*."""
        columns, cells = self.lanes.columns, self.cells
        before = {start: start}
        cost = {start: 0}
        heap = [(self.lanes.apart(start, goal), start)]
        while heap:
            _, cell = heapq.heappop(heap)
            if cell == goal:
                break
            for other in (cell - columns, cell + columns, cell - 1, cell + 1):
                if not 0 <= other < len(cells) or not self.lanes.corridor[other] or cells[other] or other in barred:
                    continue
                if abs(other - cell) == 1 and other // columns != cell // columns:
                    continue
                if cost[cell] + 1 < cost.get(other, 1 << 60):
                    cost[other] = cost[cell] + 1
                    before[other] = cell
                    heapq.heappush(heap, (cost[other] + self.lanes.apart(other, goal), other))
        if goal not in before:
            return None
        found = [goal]
        while found[-1] != start:
            found.append(before[found[-1]])
        found.reverse()
        return [range(a, b + (b - a), b - a) for a, b in pairwise(found)]
