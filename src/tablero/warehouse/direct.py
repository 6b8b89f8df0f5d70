"""The direct planner: every tile goes straight to its own slot, along the corridors by a shortest way.

hole      the empty slot; the tile that belongs there comes next, and leaves the next hole
open      a lane whose tile was dug out and has left: digging in reverse brings another in and returns all others
first     of a cycle: its tile waits in a corner of the floor until the last hole is its own
`lanes` defines lanes, digging and gates.

The thesis's exchange takes 12r − 2 moves at level r, because the arriving tile meets the leaving one.  Here they never meet:
the hole exists before the tile arrives.  Digging out and in takes 2(5r − 8) moves of other tiles, once for the leaving and
the arriving tile.  If they use different gates, the waiting tile changes sides (2 moves); if they use different lanes, the
first is closed and the other opened.  These costs decide all choices.  A tile's own moves are nearly its Manhattan distance.
The order of the cycles costs nothing: corridors are empty, and no hole must be brought.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from tablero.warehouse.lanes import Lanes, Path, Way, straight
from tablero.warehouse.plan import GOING_BACK, MAKING_WAY, TRAVEL, Record
from tablero.warehouse.puzzle import Layout

_SHORT = 2  # slots of the longest cycle whose first tile may wait at a crossing


class Stuck(Exception):
    """No way was found, because the floor is too small or walls block it."""


@dataclass
class Hole:
    """The empty slot, and the way in for its tile."""

    slot: int
    way: Way
    open: bool = False


class Direct:
    """The floor during planning.  Tile k + 1 belongs into slot k."""

    def __init__(self, record: Record) -> None:
        self.record, self.cells, self.layout = record, record.cells, record.layout
        self.lanes = Lanes(self.layout)
        self.route = partial(self.lanes.route, self.cells)
        self.where = {self.cells[slot]: slot for slot in self.layout.slots}
        self.planned: dict[int, tuple[Way, Way]] = {}  # the ways out of a slot and into it
        self._hole = Hole(-1, Way(0, 0, 0, 0))  # the last hole

    def order(self) -> int:
        """Move every tile into its slot, cycle by cycle; return the number of cycles."""
        cycles = 0
        for slot in self.layout.slots:
            if self.layout.slots[self.cells[slot] - 1] != slot:
                self._cycle(self._around(slot))
                cycles += 1
        return cycles

    def _around(self, slot: int) -> list[int]:
        """The slots of a cycle, each followed by the slot whose tile belongs into it, from the cheapest start."""
        owner = {target: tile for tile, target in enumerate(self.layout.slots, 1)}
        found = [slot]
        while (following := self.where[owner[found[-1]]]) != slot:
            found.append(following)

        def detour(k: int) -> int:
            if self.cells[found[k]] in self.record.ghosts:
                return -1  # its moves are not made
            a, b = found[k], self.layout.slots[self.cells[found[k]] - 1]
            return min(
                self.lanes.apart(a, w) + self.lanes.apart(w, b) for w in self.lanes.corners()
            ) - self.lanes.apart(a, b)

        if not self.lanes.corners():
            raise Stuck
        first = min(range(len(found)), key=detour)
        return found[first:] + found[:first]

    def _cycle(self, slots: list[int]) -> None:
        first = self.cells[slots[0]]
        last = self.layout.slots[first - 1]
        waiting = sorted(self._waiting(slots), key=lambda w: self.lanes.apart(slots[0], w) + self.lanes.apart(w, last))
        self._plan(slots, waiting[0])
        hole = self._out(slots[0], waiting, slots[1])
        here = next(w for w in waiting if self.cells[w] == first)
        for k in range(1, len(slots)):
            hole = self._bring(slots[k], hole, slots[k + 1] if k + 1 < len(slots) else here)
        self._bring_in(here, hole)

    def _waiting(self, slots: list[int]) -> list[int]:
        """The cells where the first tile of a cycle may wait: corners, which no tile passes; for short cycles, crossings."""
        if len(slots) > _SHORT:
            return self.lanes.corners()
        crossings = {
            a * self.lanes.columns + b
            for slot in slots[:1] + slots[-1:]
            for a, b in self.lanes.crossings(*divmod(slot, self.lanes.columns))
        }
        return [cell for cell in {*crossings, *self.lanes.corners()} if self.lanes.corridor[cell]]

    def _plan(self, slots: list[int], waiting: int) -> None:
        """Choose the ways out of and into all slots of a cycle with the least total cost, by dynamic programming.

        The cost of a slot is the opening of its lane, plus a change if the arriving tile uses another way than the leaving
        one.  The cost between slots is the hop from the way out of one to the way into the other.
        """
        ways = [self.lanes.ways(slot) for slot in slots]
        if not all(ways):
            raise Stuck
        leave = [way.opening + way.level + self.lanes.to_cell(way, waiting) for way in ways[0]]
        out_from: list[list[int]] = [[]]  # for each way out, the way into the slot before
        in_from: list[list[int]] = []  # for each way in, the way out of the same slot
        enter: list[int] = []
        for k, here in enumerate(ways):
            if k:
                hops = [
                    [cost + self.lanes.hop(way, other) for other, cost in zip(ways[k - 1], enter, strict=True)]
                    for way in here
                ]
                out_from.append([min(range(len(row)), key=row.__getitem__) for row in hops])
                leave = [way.opening + way.level + min(row) for way, row in zip(here, hops, strict=True)]
            changes = [
                [cost + self.lanes.change(out, way) for out, cost in zip(here, leave, strict=True)] for way in here
            ]
            in_from.append([min(range(len(row)), key=row.__getitem__) for row in changes])
            enter = [way.level + min(row) for way, row in zip(here, changes, strict=True)]
        entry = min(range(len(enter)), key=lambda j: enter[j] + self.lanes.to_cell(ways[-1][j], waiting))
        for k in range(len(slots) - 1, -1, -1):
            exit_ = in_from[k][entry]
            self.planned[slots[k]] = (ways[k][exit_], ways[k][entry])
            if k:
                entry = out_from[k][exit_]

    # Bringing a tile

    def _out(self, slot: int, waiting: list[int], following: int) -> Hole:
        """Take the first tile of a cycle to a corner."""
        for corner in waiting:
            if self.cells[corner]:
                continue
            others = self._by_cost(slot, following, lambda way: self.lanes.to_cell(way, corner))  # noqa: B023 — used at once
            for way in (self.planned[slot][0], *others):
                if not self._is_clear(way, slot):
                    continue
                path = self.route(way.exit, corner, {*way.park})
                if path is not None:
                    hole = self._open(slot, way)
                    self.record.run(path, TRAVEL)
                    return hole
        raise Stuck

    def _by_cost(self, slot: int, following: int, leaving: Callable[[Way], int]) -> list[Way]:
        """The ways of a slot, sorted by the cost of opening, of the leaving tile and of the arriving tile."""
        return sorted(
            self.lanes.ways(slot),
            key=lambda way: way.opening + 2 * way.level + leaving(way) + self.lanes.from_cell(following, way),
        )

    def _bring(self, slot: int, hole: Hole, following: int) -> Hole:
        """Bring the tile of a slot into the hole; return the new hole, with its lane open if that is cheaper."""
        if hole.open and slot in hole.way.touched:
            self._close(hole)  # its tile is displaced while that lane is open
        for again in range(2):
            for way, shared in self._choices(slot, hole, following):
                if hole.open and way.touched & hole.way.touched:
                    continue  # of two open lanes that meet, closing one would block the other
                for entry in self._entries(hole, slot):
                    if self._carry(slot, way, hole, entry, shared):
                        return self._hole
            if hole.open and not again:
                self._close(hole)
            else:
                break
        raise Stuck

    def _entries(self, hole: Hole, origin: int) -> list[Way]:
        """The ways into a hole, the planned one first: both gates of its open lane, or all ways."""
        if hole.open:
            turned = replace(hole.way, gate=-hole.way.gate)
            return [turned, hole.way] if self.planned[hole.slot][1].gate == turned.gate else [hole.way, turned]
        return [self.planned[hole.slot][1], *self._by_cost(hole.slot, origin, lambda _: 0)]

    def _choices(self, slot: int, hole: Hole, following: int) -> Iterator[tuple[Way, bool]]:
        """Yield the ways out of a slot, cheapest first, and whether the lane stays open for the arriving tile."""
        out, into = self.planned[slot]
        yield out, out.exit == into.exit and out.inward == into.inward
        ways = self.lanes.ways(slot)
        leaving = [way.opening + way.level + self.lanes.hop(way, hole.way) for way in ways]
        coming = [way.level + self.lanes.from_cell(following, way) for way in ways]
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
        """Bring the tile of a slot out by `way` and into the hole by `entry`; False if something blocks it."""
        if not hole.open:
            if any(self.cells[cell] for cell in (entry.exit, entry.exit + entry.gate, *entry.park)):
                return False
            if entry.level > 1 or hole.slot in way.touched:  # in the hole it would block the returning tiles
                return self._carry_to_gate(slot, way, hole, entry)
        path = self._turned(hole, entry, way.exit, {*way.park}, lambda: self._is_clear(way, slot))
        if path is None:
            return False
        left = self._open(slot, way)
        self.record.run(path, TRAVEL)
        self._fill(hole)
        if not shared:
            self._close(left)
        self._hole = left
        return True

    def _turned(
        self, hole: Hole, entry: Way, start: int, barred: set[int], clear: Callable[[], bool] = lambda: True
    ) -> Path | None:
        """The way to the exit of a hole's open lane; if necessary, the waiting tile changes sides first.

        Return None and change nothing if that is not possible or there is no way.
        """
        cells, source, target = self.cells, 0, 0
        if hole.open and entry.level > 1 and entry.gate != hole.way.gate:
            source, target = hole.way.park[0], entry.park[0]
            if cells[entry.exit] or cells[target]:
                return None
        cells[source], cells[target] = cells[target], cells[source]  # as if it had changed sides
        path = self.route(start, entry.exit, barred) if clear() else None
        cells[source], cells[target] = cells[target], cells[source]
        if path is not None:
            if source != target and cells[source]:
                self.record.push(source, entry.exit, MAKING_WAY)
                self.record.push(entry.exit, target, MAKING_WAY)
            hole.way = entry
        return path

    def _carry_to_gate(self, slot: int, way: Way, hole: Hole, entry: Way) -> bool:
        """As `_carry` with the lane of the hole closed: the tile waits at the gate while it is opened."""
        gate = entry.exit + entry.gate
        if (gate == way.exit and way.level > 1) or not self._is_clear(way, slot):
            return False  # there it would block the returning tiles
        path = self.route(way.exit, gate, {*way.park})
        if path is None:
            return False
        left = self._open(slot, way)
        self.record.run(path, TRAVEL)
        self._close(left)  # the other lane's tiles may need its park
        self._enter(hole, entry, gate)
        self._hole = Hole(slot, left.way)
        return True

    def _enter(self, hole: Hole, entry: Way, gate: int) -> None:
        opened = self._open(hole.slot, entry)
        self.record.run([straight(gate, entry.exit, -entry.gate)], TRAVEL)
        self._fill(opened)

    def _bring_in(self, here: int, hole: Hole) -> None:
        """Bring the first tile of a cycle from its corner into the last hole."""
        for _ in range(2):
            for entry in self._entries(hole, here):
                if hole.open or entry.level == 1:
                    path = self._turned(hole, entry, here, set())
                    if path is not None:
                        self.record.run(path, TRAVEL)
                        self._fill(hole)
                        return
                    continue
                gate = entry.exit + entry.gate
                tile, self.cells[here] = self.cells[here], 0
                clear = not any(self.cells[cell] for cell in (entry.exit, *entry.park))
                self.cells[here] = tile
                path = self.route(here, gate) if clear else None
                if path is not None and here not in entry.park and here != entry.exit:
                    self.record.run(path, TRAVEL)
                    self._enter(hole, entry, gate)
                    return
            if not hole.open:
                break
            self._close(hole)
        raise Stuck

    def _open(self, slot: int, way: Way) -> Hole:
        """Dig the tile of a slot out; an empty slot is treated in the same way."""
        for source, target, own in way.digging():
            if self.cells[source]:
                self.record.push(source, target, TRAVEL if own else MAKING_WAY)
        return Hole(slot, way, open=True)

    def _fill(self, hole: Hole) -> None:
        """Bring the tile at the exit of an open lane in, and return all others."""
        self._undo(hole)
        self.where[self.cells[hole.slot]] = hole.slot

    def _close(self, hole: Hole) -> None:
        """Return all other tiles to their places."""
        if hole.way.level > 1:
            self._undo(hole)
        hole.open = False

    def _undo(self, hole: Hole) -> None:
        """Play the digging in reverse, with the tile at the exit, if any."""
        for source, target, own in reversed(hole.way.digging()):
            if self.cells[target]:
                self.record.push(target, source, TRAVEL if own else GOING_BACK)
        hole.open = False


def expected(layout: Layout) -> float:
    """The approximate number of moves: a third of both sides for each tile, plus the opening of lanes."""
    side = layout.side
    levels = [min(r, side + 1 - r, c, side + 1 - c) for r in range(1, side + 1) for c in range(1, side + 1)]
    opening = sum(2 * (5 * level - 8) for level in levels if level > 1) / len(levels)
    return len(layout.slots) * ((layout.rows + layout.columns) / 3 + opening + side / 2)
