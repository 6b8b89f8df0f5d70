"""The direct planner: every tile goes from its slot to its own in one go, along the corridors by a shortest way.

hole      the slot that is empty; the tile that belongs there comes next, and leaves the next hole behind
lane      the cells from an exit (a corridor cell) inward to a slot
digging   the moves that bring the tile of a slot out to the exit: the first tile of the lane stands aside in the corridor
          (the *park*), which makes room for one step of the tile; for every further one the room behind it goes round it
gate      the side of the exit, opposite the park, that tiles come and go by
open      a lane whose tile was dug out and is gone: digging backwards brings another in, and puts all others back
first     of a cycle: its tile waits in a corner of the floor until the last hole is its own

The source's exchange takes 12r − 2 moves at level r, because the tile that comes in meets the one that goes out.  Here they
never meet: the hole is there before the tile comes.  Digging out and in takes 2(5r − 8) moves of others, once for the tile
that leaves and the one that comes.  If they use different gates, the tile that stands aside changes sides (2 moves); if
different lanes, the first is closed and the other opened.  All is chosen by these costs.  A tile's own moves are nearly its
Manhattan distance.  In which order cycles are followed costs nothing: corridors are empty, and no hole has to be brought.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
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
    aside: int = 0  # what a step into the column adds by which room goes round the tile; from level 3 on

    @property
    def park(self) -> range:
        """The cell where a tile stands aside; there is none at level 1."""
        return range(self.exit - self.gate, self.exit - 2 * self.gate, -self.gate) if self.level > 1 else range(0)

    @property
    def opening(self) -> int:
        """The moves of others to dig a tile out and to put them back."""
        return 2 * (5 * self.level - 8) if self.level > 1 else 0

    @property
    def room(self) -> frozenset[int]:
        """The slots that digging touches."""
        lane = range(self.exit + self.inward, self.exit + (self.level + 1) * self.inward, self.inward)
        return frozenset(lane).union(cell + self.aside for cell in lane) if self.aside else frozenset(lane)

    def digging(self) -> list[tuple[int, int, bool]]:
        """The moves that bring a tile from the slot to the exit: from, to, and whether it is that tile's."""
        if self.level == 1:
            return [(self.exit + self.inward, self.exit, True)]
        lane = range(self.exit, self.exit + (self.level + 1) * self.inward, self.inward)
        moves = [(lane[1], self.exit, False), (self.exit, self.exit - self.gate, False)]
        moves += [(lane[k], lane[k - 1], False) for k in range(2, self.level)]
        moves.append((lane[self.level], lane[self.level - 1], True))
        for k in range(self.level - 1, 1, -1):
            beyond, beside, before = lane[k + 1] + self.aside, lane[k] + self.aside, lane[k - 1] + self.aside
            moves += [(beyond, lane[k + 1], False), (beside, beyond, False), (before, beside, False)]
            moves += [(lane[k - 1], before, False), (lane[k], lane[k - 1], True)]
        moves.append((lane[1], self.exit, True))
        return moves


@dataclass
class Hole:
    """The slot that is empty, and how its tile is to come in."""

    slot: int
    way: Way
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

        A slot costs the opening of its lane, and the change where the tile that comes takes another way than the one that
        leaves; between slots it is the hop from the way out of one to the way into the other.
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
            changes = [[cost + self._change(out, way) for out, cost in zip(here, leave, strict=True)] for way in here]
            in_from.append([min(range(len(row)), key=row.__getitem__) for row in changes])
            enter = [way.level + min(row) for way, row in zip(here, changes, strict=True)]
        entry = min(range(len(enter)), key=lambda j: enter[j] + self._to_cell(ways[-1][j], waiting))
        for k in range(len(slots) - 1, -1, -1):
            exit_ = in_from[k][entry]
            self.planned[slots[k]] = (ways[k][exit_], ways[k][entry])
            if k:
                entry = out_from[k][exit_]

    # What a way costs

    def _change(self, out: Way, into: Way) -> int:
        """What it costs that a tile comes by another way than the one before left by."""
        if out.exit != into.exit or out.inward != into.inward:
            return into.opening
        return 2 if out.gate != into.gate and out.level > 1 else 0

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
                    sides = (gate, -gate) if level > 2 else (0,)
                    ways = (Way(exit_, -outward, level, gate, aside) for aside in sides)
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
        return not way.aside or not any(self.corridor[cell] or cell in self.walls for cell in way.room)

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
                    self.record.run(path, TRAVEL)
                    return hole
        raise Stuck

    def _by_cost(self, slot: int, following: int, leaving: Callable[[Way], int]) -> list[Way]:
        """The ways of a slot by the cost of opening, of the tile that leaves, and of the one that comes."""
        return sorted(
            self.ways(slot), key=lambda way: way.opening + 2 * way.level + leaving(way) + self._from(following, way)
        )

    def _bring(self, slot: int, hole: Hole, following: int) -> Hole:
        """Bring the tile of a slot into the hole; return the hole that it leaves, its lane open where that is worth it."""
        if hole.open and slot in hole.way.room:
            self._close(hole)  # its tile is not where it belongs while that lane is open
        for again in range(2):
            for way, shared in self._choices(slot, hole, following):
                if hole.open and way.room & hole.way.room:
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
        """The ways into a hole: by either gate of its open lane, or all; the planned one first."""
        if hole.open:
            turned = replace(hole.way, gate=-hole.way.gate)
            return [turned, hole.way] if self.planned[hole.slot][1].gate == turned.gate else [hole.way, turned]
        return [self.planned[hole.slot][1], *self._by_cost(hole.slot, origin, lambda _: 0)]

    def _choices(self, slot: int, hole: Hole, following: int) -> Iterator[tuple[Way, bool]]:
        """The ways out of a slot, and whether the lane stays open for the tile that comes: the cheapest first."""
        out, into = self.planned[slot]
        yield out, out.exit == into.exit and out.inward == into.inward
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
        if not hole.open:
            if any(self.cells[cell] for cell in (entry.exit, entry.exit + entry.gate, *entry.park)):
                return False
            if entry.level > 1 or hole.slot in way.room:  # in the hole it would bar those that go back
                return self._carry_to_gate(slot, way, hole, entry)
        turns = self._turns(hole, entry)
        if turns is None:
            return False
        self._put_aside(turns)
        path = self._route(way.exit, entry.exit, {*way.park}) if self._is_clear(way, slot) else None
        self._put_aside(turns[::-1])
        if path is None:
            return False
        self._turn(hole, entry, turns)
        left = self._open(slot, way)
        self.record.run(path, TRAVEL)
        self._fill(hole)
        if not shared:
            self._close(left)
        self._hole = left
        return True

    def _turns(self, hole: Hole, entry: Way) -> tuple[int, ...] | None:
        """Where the tile that stands aside goes from and to, if it must change sides; None when it cannot."""
        if not hole.open or entry.level == 1 or entry.gate == hole.way.gate:
            return ()
        free = not self.cells[entry.exit] and not self.cells[entry.park[0]]
        return (hole.way.park[0], entry.park[0]) if free else None

    def _put_aside(self, turns: tuple[int, ...]) -> None:
        """As if the tile that stands aside had changed sides."""
        if turns:
            cells, (source, target) = self.cells, turns
            cells[source], cells[target] = cells[target], cells[source]

    def _turn(self, hole: Hole, entry: Way, turns: tuple[int, ...]) -> None:
        if turns and self.cells[turns[0]]:
            self.record.push(turns[0], entry.exit, MAKING_WAY)
            self.record.push(entry.exit, turns[1], MAKING_WAY)
        hole.way = entry

    def _carry_to_gate(self, slot: int, way: Way, hole: Hole, entry: Way) -> bool:
        """The same where the lane of the hole is closed: the tile waits at the gate while it is opened."""
        gate = entry.exit + entry.gate
        if (gate == way.exit and way.level > 1) or not self._is_clear(way, slot):
            return False  # there it would bar those that go back
        path = self._route(way.exit, gate, {*way.park})
        if path is None:
            return False
        left = self._open(slot, way)
        self.record.run(path, TRAVEL)
        self._close(left)  # its park may be where the other lane's tiles go
        self._enter(hole, entry, gate)
        self._hole = Hole(slot, left.way)
        return True

    def _enter(self, hole: Hole, entry: Way, gate: int) -> None:
        opened = self._open(hole.slot, entry)
        self.record.run([_line(gate, entry.exit, -entry.gate)], TRAVEL)
        self._fill(opened)

    def _bring_in(self, here: int, hole: Hole) -> None:
        """Bring the first tile of a cycle from its corner into the last hole."""
        for _ in range(2):
            for entry in self._entries(hole, here):
                if hole.open or entry.level == 1:
                    turns = self._turns(hole, entry)
                    if turns is None:
                        continue
                    self._put_aside(turns)
                    path = self._route(here, entry.exit, set())
                    self._put_aside(turns[::-1])
                    if path is not None:
                        self._turn(hole, entry, turns)
                        self.record.run(path, TRAVEL)
                        self._fill(hole)
                        return
                    continue
                gate = entry.exit + entry.gate
                tile, self.cells[here] = self.cells[here], 0
                clear = not any(self.cells[cell] for cell in (entry.exit, *entry.park))
                self.cells[here] = tile
                path = self._route(here, gate, set()) if clear else None
                if path is not None and here not in entry.park and here != entry.exit:
                    self.record.run(path, TRAVEL)
                    self._enter(hole, entry, gate)
                    return
            if not hole.open:
                break
            self._close(hole)
        raise Stuck

    def _open(self, slot: int, way: Way) -> Hole:
        """Dig the tile of a slot out; where none stands there, make room for one as if it were dug out."""
        for source, target, own in way.digging():
            if self.cells[source]:
                self.record.push(source, target, TRAVEL if own else MAKING_WAY)
        return Hole(slot, way, open=True)

    def _fill(self, hole: Hole) -> None:
        """Bring the tile at the exit of an open lane in, and all others back."""
        self._undo(hole)
        self.where[self.cells[hole.slot]] = hole.slot

    def _close(self, hole: Hole) -> None:
        """Bring all others back."""
        if hole.way.level > 1:
            self._undo(hole)
        hole.open = False

    def _undo(self, hole: Hole) -> None:
        """Play the digging backwards, with the tile that stands at the exit, if one does."""
        for source, target, own in reversed(hole.way.digging()):
            if self.cells[target]:
                self.record.push(target, source, TRAVEL if own else GOING_BACK)
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
    opening = sum(2 * (5 * level - 8) for level in levels if level > 1) / len(levels)
    return len(layout.slots) * ((layout.rows + layout.columns) / 3 + opening + side / 2)
