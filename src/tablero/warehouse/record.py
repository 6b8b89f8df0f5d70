"""Moves while they are planned: packed, counted, and within the limits of a run.

A move is the cell that a tile leaves, the way it goes (N, S, E or W) and a reason: six bytes.  Which tile it is follows from
the floor.  A plan that would not fit is refused before anything is planned.
"""

from __future__ import annotations

from array import array

from tablero.errors import BadInput
from tablero.runs.session import Clock
from tablero.warehouse.puzzle import Warehouse
from tablero.words import several

MOST_MOVES = 100_000_000
WAYS = "NSEW"
_LOOK = 4096  # moves between two looks at the clock


class OutOfTime(Exception):
    """The time of the run is up, or its moves are made."""


def require_capacity(expected: float) -> None:
    """Refuse a plan of more moves than can be held."""
    if expected > MOST_MOVES:
        raise BadInput(
            f"about {round(expected, -6):,.0f} moves are to be expected: at most {MOST_MOVES:,} can be planned"
        )


class Record:
    """The floor, and the moves that were made on it.

    Planners see a tile in every slot.  Those of slots that are empty are ghosts: they move, but that is not written down.
    """

    def __init__(self, warehouse: Warehouse, cells: list[int], clock: Clock) -> None:
        self.layout, self.cells, self.clock = warehouse.layout, cells, clock
        columns = self.layout.columns
        self.sources = array("i")
        self.ways, self.reasons = bytearray(), bytearray()
        self._way = {-columns: 0, columns: 1, 1: 2, -1: 3}
        self._look = _LOOK
        self.ghosts: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.sources)

    def push(self, source: int, target: int, reason: int) -> None:
        """Move the tile on a cell to an empty neighbour."""
        tile = self.cells[source]
        assert tile > 0, (source, target)
        assert self.cells[target] == 0, (source, target)
        self.cells[target], self.cells[source] = tile, 0
        if tile in self.ghosts:
            return
        self.sources.append(source)
        self.ways.append(self._way[target - source])
        self.reasons.append(reason)
        if len(self.sources) >= self._look:
            self.look()

    def run(self, path: list[range], reason: int) -> None:
        """Move a tile along straight lines: the cells of each, the one that it begins on included."""
        ghost = bool(path) and self.cells[path[0][0]] in self.ghosts
        for line in path:
            if len(line) > 1 and not ghost:
                self.sources.extend(line[:-1])
                self.ways.extend(bytes((self._way[line.step],)) * (len(line) - 1))
                self.reasons.extend(bytes((reason,)) * (len(line) - 1))
        if path:
            source, target = path[0][0], path[-1][-1]
            tile, self.cells[source] = self.cells[source], 0
            assert tile > 0, (source, target)
            assert not any(any(self.cells[min(line) : max(line) + 1 : abs(line.step)]) for line in path), (
                source,
                target,
            )
            self.cells[target] = tile
        if len(self.sources) >= self._look:
            self.look()

    def moves(self) -> list[tuple[int, int, int]]:
        """The moves as cells that are left and gone to, and reasons."""
        step = {way: step for step, way in self._way.items()}
        return [
            (source, source + step[way], reason)
            for source, way, reason in zip(self.sources, self.ways, self.reasons, strict=True)
        ]

    def rewrite(self, moves: list[tuple[int, int, int]]) -> None:
        """Other moves to the same end."""
        self.sources = array("i", [source for source, _, _ in moves])
        self.ways = bytearray(self._way[target - source] for source, target, _ in moves)
        self.reasons = bytearray(reason for _, _, reason in moves)

    def look(self) -> None:
        """Stop when the time is up; inform the watcher."""
        made = len(self.sources)
        self._look = made + _LOOK
        if made > MOST_MOVES:
            raise BadInput(f"more than {MOST_MOVES:,} moves: expected a smaller floor")
        self.clock.tell(several(made, "move"), nodes=made)
        if self.clock.is_up(made):
            raise OutOfTime
