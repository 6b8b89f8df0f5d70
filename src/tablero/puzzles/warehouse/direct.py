"""The direct planner: every tile goes from its slot to its own in one go, along the corridors by a shortest way.

hole      the slot that is empty; the tile that belongs there comes next, and leaves the next hole behind
lane      the cells from an exit (a corridor cell) inward to a slot
open      a lane is open when the tiles before the slot stand aside in the corridor, on one side of the exit: the *park*;
          on the other side, the *gate*, tiles come and go
first     of a cycle: its tile waits in a corner of the floor until the last hole is its own

The source's exchange takes 12r − 2 moves at level r, because the tile that comes in meets the one that goes out.  Here they
never meet: the hole is there before the tile comes.  Opening and closing a lane takes 2r(r − 1) moves, and once is enough
for the tile that leaves and the one that comes, if both can use the same gate; where that is a detour for one of them, the
lane is closed and opened again.  All is chosen by these costs.  A tile's own moves are nearly its Manhattan distance.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from tablero.puzzles.warehouse.puzzle import Layout
from tablero.puzzles.warehouse.record import Record

TRAVEL, MAKING_WAY, GOING_BACK = 1, 6, 7  # reasons, as in `solve`
_SHORT = 2  # slots of a cycle whose first tile may wait at a crossing: longer, and it is in the way
_DEEPER = 1  # an exit may be a level farther than the nearest
Path = list[range]


class Stuck(Exception):
    """No way was found: the floor is too small or walled up."""


@dataclass(frozen=True)
class Way:
    """A lane to a slot, with the side of its exit that tiles come and go by."""

    exit: int
    inward: int  # what a step inward adds to a cell
    level: int
    gate: int  # what a step from the exit towards the gate adds

    @property
    def lane(self) -> range:
        """The cells from the exit, which is left out, to the slot."""
        return range(self.exit + self.inward, self.exit + (self.level + 1) * self.inward, self.inward)

    @property
    def park(self) -> range:
        """The cells where tiles stand aside, the nearest first."""
        return range(self.exit - self.gate, self.exit - self.level * self.gate, -self.gate)

    @property
    def opening(self) -> int:
        """The moves to open the lane and to close it again."""
        return 2 * self.level * (self.level - 1)


@dataclass
class Hole:
    """The slot that is empty, and how its tile is to come in."""

    slot: int
    way: Way
    parked: list[tuple[int, int]] = field(default_factory=list)  # of an open lane: where a tile stands, and its slot
    open: bool = False


class Direct:
    """The floor while it is worked on.  Tile k + 1 belongs into slot k."""

    def __init__(self, record: Record) -> None:
        self.record, self.cells, self.layout = record, record.cells, record.layout
        layout = self.layout
        self.rows, self.columns, self.step = layout.rows, layout.columns, layout.side + 1
        self.corridor = bytearray(layout.rows * layout.columns)
        for cell in layout.corridors:
            self.corridor[cell] = 1
        self.walls = set(layout.walls)
        self.where = {self.cells[slot]: slot for slot in layout.slots}
        self.ways = cache(self._ways)
        self.planned: dict[int, tuple[Way, Way]] = {}  # the ways out of a slot and into it
        self._hole = Hole(-1, Way(0, 0, 0, 0))  # the one that was left last

    def order(self) -> int:
        """Put every tile into its slot, cycle by cycle; return how many cycles there were."""
        cycles = 0
        for slot in self.layout.slots:
            if self.layout.slots[self.cells[slot] - 1] != slot:
                self._cycle(self._around(slot))
                cycles += 1
        return cycles

    def _around(self, slot: int) -> list[int]:
        """The slots of a cycle, each followed by the one whose tile belongs into it; the first is cheap to begin with."""
        owner = {target: tile for tile, target in enumerate(self.layout.slots, 1)}
        found = [slot]
        while (following := self.where[owner[found[-1]]]) != slot:
            found.append(following)

        def detour(k: int) -> int:
            a, b = found[k], self.layout.slots[self.cells[found[k]] - 1]
            return min(self._apart(a, w) + self._apart(w, b) for w in self._corners()) - self._apart(a, b)

        if not self._corners():
            raise Stuck
        first = min(range(len(found)), key=detour)
        return found[first:] + found[:first]

    def _corners(self) -> list[int]:
        last = (self.rows - 1) * self.columns
        return [cell for cell in (0, self.columns - 1, last, last + self.columns - 1) if self.corridor[cell]]

    def _cycle(self, slots: list[int]) -> None:
        first = self.cells[slots[0]]
        last = self.layout.slots[first - 1]
        waiting = sorted(self._waiting(slots), key=lambda w: self._apart(slots[0], w) + self._apart(w, last))
        self._plan(slots, waiting[0])
        hole = self._out(slots[0], waiting, slots[1])
        here = next(w for w in waiting if self.cells[w] == first)
        for k in range(1, len(slots)):
            hole = self._bring(slots[k], hole, slots[k + 1] if k + 1 < len(slots) else here)
        self._bring_in(here, hole)

    def _waiting(self, slots: list[int]) -> list[int]:
        """Where the first tile of a cycle may wait: in a corner, where nobody passes; for a short time at a crossing too."""
        if len(slots) > _SHORT:
            return self._corners()
        crossings = {
            a * self.columns + b
            for slot in slots[:1] + slots[-1:]
            for a, b in self._crossings(*divmod(slot, self.columns))
        }
        return [cell for cell in {*crossings, *self._corners()} if self.corridor[cell]]

    def _plan(self, slots: list[int], waiting: int) -> None:
        """Choose the ways out of and into all slots of a cycle so that the whole is shortest: dynamic programming along it.

        A slot costs the opening of its lane once where the tile that leaves and the one that comes use the same way, else
        twice; between slots it is the hop from the way out of one to the way into the other.
        """
        ways = [self.ways(slot) for slot in slots]
        if not all(ways):
            raise Stuck
        leave = [way.opening + way.level + self._to_cell(way, waiting) for way in ways[0]]
        out_from: list[list[int]] = [[]]  # for every way out, the way into the slot before
        in_from: list[list[int]] = []  # for every way in, the way out of the same slot
        enter: list[int] = []
        for k, here in enumerate(ways):
            if k:
                hops = [
                    [cost + self._hop(way, other) for other, cost in zip(ways[k - 1], enter, strict=True)]
                    for way in here
                ]
                out_from.append([min(range(len(row)), key=row.__getitem__) for row in hops])
                leave = [way.opening + way.level + min(row) for way, row in zip(here, hops, strict=True)]
            cheapest = min(range(len(here)), key=leave.__getitem__)
            shared = [leave[j] <= leave[cheapest] + way.opening for j, way in enumerate(here)]
            in_from.append([j if shared[j] else cheapest for j in range(len(here))])
            enter = [
                way.level + (leave[j] if shared[j] else leave[cheapest] + way.opening) for j, way in enumerate(here)
            ]
        entry = min(range(len(enter)), key=lambda j: enter[j] + self._to_cell(ways[-1][j], waiting))
        for k in range(len(slots) - 1, -1, -1):
            exit_ = in_from[k][entry]
            self.planned[slots[k]] = (ways[k][exit_], ways[k][entry])
            if k:
                entry = out_from[k][exit_]

    # What a way costs

    def _apart(self, a: int, b: int) -> int:
        return abs(a // self.columns - b // self.columns) + abs(a % self.columns - b % self.columns)

    def _distance(self, a: int, b: int) -> int:
        """Between two corridor cells: Manhattan's, unless both lie in parallel corridors between the same crossings."""
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

    def _crossing(self, way: Way) -> tuple[int, int]:
        """The crossing beyond the gate, and how far it is."""
        place = way.exit % self.columns if abs(way.gate) == 1 else way.exit // self.columns
        far = self.step - place % self.step if way.gate > 0 else place % self.step
        return way.exit + far * way.gate, far

    def _hop(self, one: Way, other: Way) -> int:
        """From exit to exit, by the gates of both."""
        if one.exit == other.exit:
            return 0 if one.gate == other.gate else 2
        gap = other.exit - one.exit
        if one.gate == -other.gate and gap % one.gate == 0 and gap // one.gate > 0 and self._in_line(one, other):
            return gap // one.gate
        (a, far), (b, near) = self._crossing(one), self._crossing(other)
        return far + self._distance(a, b) + near

    def _in_line(self, one: Way, other: Way) -> bool:
        if abs(one.gate) == 1:
            return one.exit // self.columns == other.exit // self.columns
        return one.exit % self.columns == other.exit % self.columns

    def _to_cell(self, way: Way, cell: int) -> int:
        crossing, far = self._crossing(way)
        return far + self._distance(crossing, cell)

    def _ways(self, slot: int) -> tuple[Way, ...]:
        """The lanes to a slot, each with either side for its gate, those from far exits left out."""
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
                    way = Way(exit_, -outward, level, gate)
                    if self._fits(way):
                        found.append(way)
        least = min((way.level for way in found), default=0)
        return tuple(way for way in found if way.level <= least + _DEEPER)

    def _fits(self, way: Way) -> bool:
        """Whether the park and the gate are on the floor."""
        if abs(way.gate) == 1:
            low, high = (way.exit // self.columns) * self.columns, (way.exit // self.columns + 1) * self.columns
        else:
            low, high = 0, self.rows * self.columns
        cells = [*way.park, way.exit + way.gate]
        return all(low <= cell < high and cell not in self.walls for cell in cells)

    def _from(self, origin: int, way: Way) -> int:
        """About how far it is from a slot, or a corridor cell, to the exit of a lane."""
        if self.corridor[origin]:
            return self._to_cell(way, origin)
        return min((other.level + self._hop(other, way) for other in self.ways(origin)), default=0)

    # Bringing a tile

    def _out(self, slot: int, waiting: list[int], following: int) -> Hole:
        """Take the first tile of a cycle to a corner."""
        for corner in waiting:
            if self.cells[corner]:
                continue
            others = self._by_cost(slot, following, lambda way: self._to_cell(way, corner))  # noqa: B023 — used at once
            for way in (self.planned[slot][0], *others):
                if not self._is_clear(way, slot):
                    continue
                path = self._route(way.exit, corner, {*way.park})
                if path is not None:
                    hole = self._open(slot, way)
                    self.record.run([_line(slot, way.exit, -way.inward), *path], TRAVEL)
                    return hole
        raise Stuck

    def _by_cost(self, slot: int, following: int, leaving: Callable[[Way], int]) -> list[Way]:
        """The ways of a slot by the cost of opening, of the tile that leaves, and of the one that comes."""
        return sorted(
            self.ways(slot), key=lambda way: way.opening + 2 * way.level + leaving(way) + self._from(following, way)
        )

    def _bring(self, slot: int, hole: Hole, following: int) -> Hole:
        """Bring the tile of a slot into the hole; return the hole that it leaves, its lane open where that is worth it."""
        tile = self.cells[slot]
        if hole.open and (self.cells[slot] == 0 or tile not in self.where or self.where[tile] != slot):
            self._close(hole)  # it stands aside in the park of the hole's own lane
        for again in range(2):
            for way, shared in self._choices(slot, hole, following):
                if not self._is_clear(way, slot) or (hole.open and set(way.lane) & set(hole.way.lane)):
                    continue  # of two open lanes that meet, the one that is closed first would bar the other
                for entry in self._entries(hole, slot):
                    if self._carry(slot, way, hole, entry, shared):
                        return self._hole
            if hole.open and not again:
                self._close(hole)
            else:
                break
        raise Stuck

    def _entries(self, hole: Hole, origin: int) -> list[Way]:
        """The ways into a hole: that of its open lane, or all, the planned one first."""
        if hole.open:
            return [hole.way]
        return [self.planned[hole.slot][1], *self._by_cost(hole.slot, origin, lambda _: 0)]

    def _choices(self, slot: int, hole: Hole, following: int) -> Iterator[tuple[Way, bool]]:
        """The ways out of a slot, and whether the lane stays open for the tile that comes: the cheapest first."""
        out, into = self.planned[slot]
        yield out, out == into
        ways = self.ways(slot)
        leaving = [way.opening + way.level + self._hop(way, hole.way) for way in ways]
        coming = [way.level + self._from(following, way) for way in ways]
        reopened = min((way.opening + cost for way, cost in zip(ways, coming, strict=True)), default=0)
        costs = []
        for k, way in enumerate(ways):
            costs.append((leaving[k] + coming[k], k, True))
            if way.level > 1:
                costs.append((leaving[k] + reopened, k, False))
        for _, k, shared in sorted(costs):
            yield ways[k], shared

    def _is_clear(self, way: Way, slot: int) -> bool:
        """Whether a lane can be opened now."""
        cells = self.cells
        return cells[way.exit] == 0 and not any(cells[cell] for cell in way.park) and cells[slot] > 0

    def _carry(self, slot: int, way: Way, hole: Hole, entry: Way, shared: bool) -> bool:
        """Bring the tile of a slot by this way into the hole by that one; False when something is in the way."""
        park = {*way.park}
        if not hole.open:
            if any(self.cells[cell] for cell in (entry.exit, entry.exit + entry.gate, *entry.park)):
                return False
            if entry.level > 1 or hole.slot in way.lane:  # in the hole it would bar those that go back
                return self._carry_to_gate(slot, way, hole, entry)
        path = self._route(way.exit, entry.exit, park)
        if path is None:
            return False
        left = self._open(slot, way)
        inside = _line(entry.exit, hole.slot, entry.inward)
        self.record.run([_line(slot, way.exit, -way.inward), *path, inside], TRAVEL)
        self._settle(hole, left, shared)
        return True

    def _carry_to_gate(self, slot: int, way: Way, hole: Hole, entry: Way) -> bool:
        """The same where the lane of the hole is closed: the tile waits at the gate while it is opened."""
        gate = entry.exit + entry.gate
        if gate == way.exit and way.level > 1:
            return False  # there it would bar those that go back
        path = self._route(way.exit, gate, {*way.park})
        if path is None:
            return False
        left = self._open(slot, way)
        self.record.run([_line(slot, way.exit, -way.inward), *path], TRAVEL)
        self._close(left)  # its park may be where the other lane's tiles go
        self._enter(hole, entry, gate)
        self._hole = Hole(slot, left.way)
        self.where[self.cells[hole.slot]] = hole.slot
        return True

    def _enter(self, hole: Hole, entry: Way, gate: int) -> None:
        opened = self._open(hole.slot, entry)
        self.record.run([_line(gate, entry.exit, -entry.gate), _line(entry.exit, hole.slot, entry.inward)], TRAVEL)
        self._close(opened)

    def _settle(self, hole: Hole, left: Hole, shared: bool) -> None:
        self.where[self.cells[hole.slot]] = hole.slot
        if hole.open:
            self._close(hole)
        if not shared:
            self._close(left)
        self._hole = left

    def _bring_in(self, here: int, hole: Hole) -> None:
        """Bring the first tile of a cycle from its corner into the last hole."""
        for _ in range(2):
            for entry in self._entries(hole, here):
                if hole.open or entry.level == 1:
                    path = self._route(here, entry.exit, set())
                    if path is not None:
                        self.record.run([*path, _line(entry.exit, hole.slot, entry.inward)], TRAVEL)
                        self.where[self.cells[hole.slot]] = hole.slot
                        self._close(hole)
                        return
                    continue
                gate = entry.exit + entry.gate
                tile, self.cells[here] = self.cells[here], 0
                clear = not any(self.cells[cell] for cell in (entry.exit, *entry.park))
                self.cells[here] = tile
                path = self._route(here, gate, set()) if clear else None
                if path is not None and here not in entry.park:
                    self.record.run(path, TRAVEL)
                    self._enter(hole, entry, gate)
                    self.where[self.cells[hole.slot]] = hole.slot
                    return
            if not hole.open:
                break
            self._close(hole)
        raise Stuck

    def _open(self, slot: int, way: Way) -> Hole:
        """Let the tiles before a slot stand aside."""
        before = [cell for cell in way.lane if cell != slot and self.cells[cell]]
        hole = Hole(slot, way, [], True)
        for cell, aside in zip(before, reversed(way.park[: len(before)]), strict=True):
            self.record.run([_line(cell, way.exit, -way.inward), _line(way.exit, aside, -way.gate)], MAKING_WAY)
            hole.parked.append((aside, cell))
        return hole

    def _close(self, hole: Hole) -> None:
        """Let those that stand aside go back."""
        way = hole.way
        for aside, cell in reversed(hole.parked):
            self.record.run([_line(aside, way.exit, way.gate), _line(way.exit, cell, way.inward)], GOING_BACK)
        hole.parked.clear()
        hole.open = False

    # Ways along the corridors

    def _route(self, start: int, goal: int, barred: set[int]) -> Path | None:
        """A shortest way along the corridors past all that stands there; None where there is none.

        What stands on the start is what is to move.
        """
        if start == goal:
            return []
        if goal in barred or self.cells[goal]:
            return None
        if not self.walls:
            direct = self._distance(start, goal)
            for length, corners in sorted(self._candidates(start, goal), key=lambda found: found[0]):
                if length > direct + 2 * self.step:
                    break
                path = [_line(a, b, self._unit(a, b)) for a, b in pairwise(corners) if a != b]
                if self._is_free(path, start, barred):
                    return path
        return self._searched(start, goal, barred)

    def _unit(self, a: int, b: int) -> int:
        size = 1 if a // self.columns == b // self.columns else self.columns
        return size if b > a else -size

    def _candidates(self, start: int, goal: int) -> Iterator[tuple[int, list[int]]]:
        """Ways with few turns."""
        step, columns = self.step, self.columns
        (r, c), (s, d) = divmod(start, columns), divmod(goal, columns)
        if (r == s and r % step == 0) or (c == d and c % step == 0):
            yield abs(r - s) + abs(c - d), [start, goal]
        for a, b in self._crossings(r, c):
            for e, f in self._crossings(s, d):
                for turn in (a * columns + f, e * columns + b):
                    corners = [start, a * columns + b, turn, e * columns + f, goal]
                    yield sum(map(self._apart, corners, corners[1:])), corners

    def _crossings(self, row: int, column: int) -> list[tuple[int, int]]:
        """The crossings next to a corridor cell, or the one that it is."""
        step = self.step
        rows = [row] if row % step == 0 else [row - row % step, row - row % step + step]
        columns = [column] if column % step == 0 else [column - column % step, column - column % step + step]
        return [(a, b) for a in rows for b in columns]

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
        columns, cells = self.columns, self.cells
        before = {start: start}
        cost = {start: 0}
        heap = [(self._apart(start, goal), start)]
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
                    heapq.heappush(heap, (cost[other] + self._apart(other, goal), other))
        if goal not in before:
            return None
        found = [goal]
        while found[-1] != start:
            found.append(before[found[-1]])
        found.reverse()
        return [range(a, b + (b - a), b - a) for a, b in pairwise(found)]


def _line(a: int, b: int, unit: int) -> range:
    """The cells from a to b, both included."""
    return range(a, b + unit, unit)


def expected(layout: Layout) -> float:
    """About how many moves an order of tiles takes: two thirds of the way across either way, and lanes opened."""
    side = layout.side
    levels = [min(r, side + 1 - r, c, side + 1 - c) for r in range(1, side + 1) for c in range(1, side + 1)]
    opening = sum(2 * level * (level - 1) for level in levels) / len(levels)
    return len(layout.slots) * ((layout.rows + layout.columns) / 3 + opening + 2)
