"""Lanes and corridors of a floor: the ways in and out of a slot, and the distances between them.

lane      the cells from an exit (a corridor cell) inward to a slot
digging   the moves that bring the tile of a slot out to the exit: the first tile of the lane waits in the corridor (the
          *park*), which frees a cell for one step of the tile; for every further step the empty cell behind it goes around
          it
gate      the side of the exit, opposite the park, where tiles arrive and leave

Everything except the ways around tiles in the corridors follows from the layout alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from tablero.warehouse.puzzle import Layout

_DEEPER = 1  # levels by which an exit may be farther than the nearest

Path = list[range]


def straight(a: int, b: int, unit: int) -> range:
    """The cells from a to b, both included."""
    return range(a, b + unit, unit)


@dataclass(frozen=True)
class Way:
    """A lane to a slot, with the gate at its exit."""

    exit: int
    inward: int  # the offset of a step inward
    level: int
    gate: int  # the offset of a step from the exit towards the gate
    sideways: int = 0  # the offset of the column in which the empty cell goes around the tile; from level 3 on

    @property
    def park(self) -> range:
        """The cell where a tile waits; empty at level 1."""
        return range(self.exit - self.gate, self.exit - 2 * self.gate, -self.gate) if self.level > 1 else range(0)

    @property
    def opening(self) -> int:
        """The number of moves of other tiles to dig a tile out and to return."""
        return 2 * (5 * self.level - 8) if self.level > 1 else 0

    @property
    def touched(self) -> frozenset[int]:
        """The slots that digging touches."""
        lane = range(self.exit + self.inward, self.exit + (self.level + 1) * self.inward, self.inward)
        return frozenset(lane).union(cell + self.sideways for cell in lane) if self.sideways else frozenset(lane)

    def digging(self) -> list[tuple[int, int, bool]]:
        """The moves that bring a tile from the slot to the exit: from, to, and whether that tile moves."""
        if self.level == 1:
            return [(self.exit + self.inward, self.exit, True)]
        lane = range(self.exit, self.exit + (self.level + 1) * self.inward, self.inward)
        moves = [(lane[1], self.exit, False), (self.exit, self.exit - self.gate, False)]
        moves += [(lane[k], lane[k - 1], False) for k in range(2, self.level)]
        moves.append((lane[self.level], lane[self.level - 1], True))
        for k in range(self.level - 1, 1, -1):
            beyond, beside, before = lane[k + 1] + self.sideways, lane[k] + self.sideways, lane[k - 1] + self.sideways
            moves += [(beyond, lane[k + 1], False), (beside, beyond, False), (before, beside, False)]
            moves += [(lane[k - 1], before, False), (lane[k], lane[k - 1], True)]
        moves.append((lane[1], self.exit, True))
        return moves


class Lanes:
    """The lanes of a layout, and their costs."""

    def __init__(self, layout: Layout) -> None:
        self.rows, self.columns, self.step = layout.rows, layout.columns, layout.side + 1
        self.corridor = bytearray(layout.rows * layout.columns)
        for cell in layout.corridors:
            self.corridor[cell] = 1
        self.walls = set(layout.walls)
        self.ways = cache(self._ways)

    def change(self, out: Way, into: Way) -> int:
        """The cost of arriving by another way than the earlier tile left by."""
        if out.exit != into.exit or out.inward != into.inward:
            return into.opening
        return 2 if out.gate != into.gate and out.level > 1 else 0

    def apart(self, a: int, b: int) -> int:
        return abs(a // self.columns - b // self.columns) + abs(a % self.columns - b % self.columns)

    def distance(self, a: int, b: int) -> int:
        """The distance of two corridor cells: Manhattan unless both are in parallel corridors between the same crossings."""
        step = self.step
        (r, c), (s, d) = divmod(a, self.columns), divmod(b, self.columns)
        apart = abs(r - s) + abs(c - d)
        if r != s and c % step and d % step and c // step == d // step:
            low = min(c % step, d % step)
            return apart + 2 * min(low, step - max(c % step, d % step))
        if c != d and r % step and s % step and r // step == s // step:
            low = min(r % step, s % step)
            return apart + 2 * min(low, step - max(r % step, s % step))
        return apart

    def crossing(self, way: Way) -> tuple[int, int]:
        """The crossing beyond the gate, and its distance."""
        place = way.exit % self.columns if abs(way.gate) == 1 else way.exit // self.columns
        far = self.step - place % self.step if way.gate > 0 else place % self.step
        return way.exit + far * way.gate, far

    def hop(self, one: Way, other: Way) -> int:
        """The distance from exit to exit by both gates."""
        if one.exit == other.exit:
            return 0 if one.gate == other.gate else 2
        gap = other.exit - one.exit
        if one.gate == -other.gate and gap % one.gate == 0 and gap // one.gate > 0 and self._in_line(one, other):
            return gap // one.gate
        (a, far), (b, near) = self.crossing(one), self.crossing(other)
        return far + self.distance(a, b) + near

    def _in_line(self, one: Way, other: Way) -> bool:
        if abs(one.gate) == 1:
            return one.exit // self.columns == other.exit // self.columns
        return one.exit % self.columns == other.exit % self.columns

    def to_cell(self, way: Way, cell: int) -> int:
        crossing, far = self.crossing(way)
        return far + self.distance(crossing, cell)

    def _ways(self, slot: int) -> tuple[Way, ...]:
        """The lanes to a slot, with a gate on either side, without those from far exits."""
        step, columns = self.step, self.columns
        row, column = divmod(slot, columns)
        lanes = (
            (-columns, row % step), (columns, step - row % step), (-1, column % step), (1, step - column % step),
        )  # fmt: skip
        found = []
        for outward, level in lanes:
            exit_ = slot + level * outward
            lane = range(slot, exit_ + outward, outward)
            if not self.walls or not self.walls.intersection(lane):
                along = 1 if abs(outward) == columns else columns
                for gate in (along, -along):
                    sides = (gate, -gate) if level > 2 else (0,)
                    ways = (Way(exit_, -outward, level, gate, sideways) for sideways in sides)
                    found += [way for way in ways if self._fits(way)][:1]
        least = min((way.level for way in found), default=0)
        return tuple(way for way in found if way.level <= least + _DEEPER)

    def _fits(self, way: Way) -> bool:
        """Whether the park and the gate are on the floor, and the column beside the lane in the block."""
        if abs(way.gate) == 1:
            low, high = (way.exit // self.columns) * self.columns, (way.exit // self.columns + 1) * self.columns
        else:
            low, high = 0, self.rows * self.columns
        cells = [*way.park, way.exit + way.gate]
        if not all(low <= cell < high and cell not in self.walls for cell in cells):
            return False
        return not way.sideways or not any(self.corridor[cell] or cell in self.walls for cell in way.touched)

    def from_cell(self, origin: int, way: Way) -> int:
        """The approximate distance from a slot or a corridor cell to the exit of a lane."""
        if self.corridor[origin]:
            return self.to_cell(way, origin)
        return min((other.level + self.hop(other, way) for other in self.ways(origin)), default=0)

    def corners(self) -> list[int]:
        last = (self.rows - 1) * self.columns
        return [cell for cell in (0, self.columns - 1, last, last + self.columns - 1) if self.corridor[cell]]

    def crossings(self, row: int, column: int) -> list[tuple[int, int]]:
        """The crossings next to a corridor cell, or the cell itself if it is one."""
        step = self.step
        rows = [row] if row % step == 0 else [row - row % step, row - row % step + step]
        columns = [column] if column % step == 0 else [column - column % step, column - column % step + step]
        return [(a, b) for a in rows for b in columns]

    # Ways around tiles in the corridors

    def route(self, cells: list[int], start: int, goal: int, barred: Set[int] = frozenset()) -> Path | None:
        """A shortest way along the corridors around all tiles there; None if there is none.

        The tile on the start is the one to move.
        """
        if start == goal:
            return []
        if goal in barred or cells[goal]:
            return None
        if not self.walls:
            direct = self.distance(start, goal)
            for length, corners in sorted(self._candidates(start, goal), key=lambda found: found[0]):
                if length > direct + 2 * self.step:
                    break
                path = [straight(a, b, self._unit(a, b)) for a, b in pairwise(corners) if a != b]
                if self._is_free(cells, path, start, barred):
                    return path
        return self._searched(cells, start, goal, barred)

    def _unit(self, a: int, b: int) -> int:
        size = 1 if a // self.columns == b // self.columns else self.columns
        return size if b > a else -size

    def _candidates(self, start: int, goal: int) -> Iterator[tuple[int, list[int]]]:
        """Ways with few turns."""
        step, columns = self.step, self.columns
        (r, c), (s, d) = divmod(start, columns), divmod(goal, columns)
        if (r == s and r % step == 0) or (c == d and c % step == 0):
            yield abs(r - s) + abs(c - d), [start, goal]
        for a, b in self.crossings(r, c):
            for e, f in self.crossings(s, d):
                for turn in (a * columns + f, e * columns + b):
                    corners = [start, a * columns + b, turn, e * columns + f, goal]
                    yield sum(map(self.apart, corners, corners[1:])), corners

    def _is_free(self, cells: list[int], path: Path, start: int, barred: Set[int]) -> bool:
        tile, cells[start] = cells[start], 0
        free = all(
            not any(cells[min(line) : max(line) + 1 : abs(line.step)]) and not any(cell in line for cell in barred)
            for line in path
        )
        cells[start] = tile
        return free

    def _searched(self, cells: list[int], start: int, goal: int, barred: Set[int]) -> Path | None:
        """A shortest way by A*."""
        columns = self.columns
        before = {start: start}
        cost = {start: 0}
        heap = [(self.apart(start, goal), start)]
        while heap:
            _, cell = heapq.heappop(heap)
            if cell == goal:
                break
            for other in (cell - columns, cell + columns, cell - 1, cell + 1):
                if not 0 <= other < len(cells) or not self.corridor[other] or cells[other] or other in barred:
                    continue
                if abs(other - cell) == 1 and other // columns != cell // columns:
                    continue
                if cost[cell] + 1 < cost.get(other, 1 << 60):
                    cost[other] = cost[cell] + 1
                    before[other] = cell
                    heapq.heappush(heap, (cost[other] + self.apart(other, goal), other))
        if goal not in before:
            return None
        found = [goal]
        while found[-1] != start:
            found.append(before[found[-1]])
        found.reverse()
        return [range(a, b + (b - a), b - a) for a, b in pairwise(found)]
