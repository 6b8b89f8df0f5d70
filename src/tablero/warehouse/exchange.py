"""The thesis's procedure: tiles are exchanged one after another along the cycles of the permutation.

exit      the corridor cell before a slot, on the slot's nearest side; the *column* runs from it inward to the slot
FD        the tile in transport, brought to the exit; it goes in, and the tile of the slot comes out
frame     cells around an exit: (a, i) is a cells along the corridor and i inward; (0, 0) is the exit
phantom   a cycle begins with a virtual FD, whose moves are free, and ends when it comes out again

Exchange at level r ≥ 2: three tiles beside the exit are taken out, which leaves space to exchange two tiles.  FD exchanges
places with one tile after another down the column (swap), and the tile of the slot comes out by the same moves in reverse.
All other tiles return to their places.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from tablero.warehouse.lanes import Lanes
from tablero.warehouse.plan import ASIDE, BACK, INWARD, OUT, TRAVEL, Record

# A move in the frame of an exit: from (a, i) to (b, j).
FrameMove = tuple[int, int, int, int]


def going_in(level: int, corner: bool = False) -> list[tuple[FrameMove, int]]:
    """The moves, with reasons, that bring FD from the exit to a level of 2 or more; the last swap is at the end.

    With `corner` the corridor ends two cells from the exit (a single block of side 3), and the first tile that is taken out
    waits around the corner.
    """
    moves: list[tuple[FrameMove, int]] = []

    def path(reason: int, *cells: tuple[int, int]) -> None:
        moves.extend(((*a, *b), reason) for a, b in pairwise(cells))

    def swap(j: int) -> None:
        path(INWARD, (0, j + 1), (1, j + 1))
        path(INWARD, (0, j), (0, j + 1))
        path(INWARD, (1, j + 1), (1, j), (0, j))

    path(OUT, (1, 1), (1, 0), (2, 0), (2, 1) if corner else (3, 0))
    path(OUT, (1, 2), (1, 1), (1, 0), (2, 0))
    path(OUT, (0, 1), (1, 1), (1, 0))
    path(INWARD, (0, 0), (0, 1))
    swap(1)
    for j in range(2, level):
        path(INWARD, (1, j + 1), (1, j), (1, j - 1))
        swap(j)
    return moves


@dataclass(frozen=True)
class _Exit:
    cell: int
    inward: int  # the offset of a step inward
    level: int


class Exchange:
    """The floor during planning.  Tile k + 1 belongs into slot k."""

    def __init__(self, record: Record) -> None:
        self.record, self.cells = record, record.cells
        self.layout, self.lanes = record.layout, Lanes(record.layout)

    def push(self, source: int, target: int, reason: int) -> None:
        """Move the tile on a cell; the phantom has no tile, and nothing moves."""
        if self.cells[source]:
            self.record.push(source, target, reason)

    def order(self) -> int:
        """Move every tile into its slot, cycle by cycle; return the number of cycles."""
        slots, cycles = self.layout.slots, 0
        for first in slots:
            if slots[self.cells[first] - 1] == first:
                continue
            cycles += 1
            tile = self.cells[first]
            here = self._exchange(None, first, self._nearest(first, slots[tile - 1]))
            while True:
                target = slots[tile - 1]
                following = self.cells[target]  # 0: the phantom's slot, which ends the cycle
                here = self._exchange(here, target, self._nearest(target, here))
                if following == 0:
                    break
                tile = following
        return cycles

    def _exits(self, slot: int) -> list[_Exit]:
        """The exits of a slot on its nearest sides."""
        step, columns = self.layout.side + 1, self.layout.columns
        row, column = divmod(slot, columns)
        ways = [
            _Exit(slot - row % step * columns, columns, row % step),
            _Exit(slot + (step - row % step) * columns, -columns, step - row % step),
            _Exit(slot - column % step, 1, column % step),
            _Exit(slot + step - column % step, -1, step - column % step),
        ]
        least = min(way.level for way in ways)
        return [way for way in ways if way.level == least]

    def _nearest(self, slot: int, other: int) -> _Exit:
        """The exit of a slot that is nearest to another cell, along corridors if that is a corridor cell."""
        apart = self.lanes.distance if self.lanes.corridor[other] else self.lanes.apart
        return min(self._exits(slot), key=lambda way: apart(way.cell, other))

    def _travel(self, here: int, target: int, short: int = 0) -> int:
        """Bring FD along the corridors to a cell, or `short` cells before it; return its cell."""
        path = self.lanes.route(self.cells, here, target)
        assert path is not None, "corridors are empty"
        if short:
            path[-1] = path[-1][:-short]
        self.record.run(path, TRAVEL)
        return path[-1][-1] if path else here

    def _exchange(self, here: int | None, slot: int, way: _Exit) -> int:
        """Bring FD from a corridor cell (None: the phantom) into a slot; return the exit of the slot's tile."""
        if way.level == 1:
            return self._exchange_at_corridor(here, slot, way)
        if here is not None:
            self._travel(here, way.cell)
        along, corner = self._free_side(way)
        moves = going_in(way.level, corner)

        def cell(a: int, i: int) -> int:
            return way.cell + a * along + i * way.inward

        for (a, i, b, j), reason in moves:
            self.push(cell(a, i), cell(b, j), reason)
        for (a, i, b, j), _ in reversed(moves[:-4]):  # the last swap stays
            self.push(cell(b, j), cell(a, i), BACK)
        return way.cell

    def _free_side(self, way: _Exit) -> tuple[int, bool]:
        """The direction along the corridor with three cells on the floor, and whether both directions have only two."""
        columns = self.layout.columns
        along = 1 if abs(way.inward) == columns else columns
        row, column = divmod(way.cell, columns)
        ahead = columns - 1 - column if along == 1 else self.layout.rows - 1 - row
        behind = column if along == 1 else row
        return (along, False) if ahead >= 3 else (-along, behind < 3)

    def _exchange_at_corridor(self, here: int | None, slot: int, way: _Exit) -> int:
        """Exchange at level 1: FD waits beside the exit, the slot's tile goes to the other side, and FD goes in."""
        if here is None:
            self.push(slot, way.cell, ASIDE)
            return way.cell
        if self.cells[slot] == 0:  # the end of the cycle
            self._travel(here, way.cell)
            self.push(way.cell, slot, ASIDE)
            return way.cell
        if here == way.cell:  # FD came out here: it moves to the side first
            waiting = here + (1 if abs(way.inward) == self.layout.columns else self.layout.columns)
            self.push(here, waiting, TRAVEL)
        else:
            waiting = self._travel(here, way.cell, short=1)
        opposite = 2 * way.cell - waiting
        self.push(slot, way.cell, ASIDE)
        self.push(way.cell, opposite, ASIDE)
        self.push(waiting, way.cell, TRAVEL)
        self.push(way.cell, slot, ASIDE)
        return opposite
