"""How a warehouse is put in order: the blocks are formed, tiles get their slots, and a planner brings them there.

exchange  the source's procedure (`exchange`): within its bound
direct    every tile goes straight to its slot (`direct`): far fewer moves, and it knows walls
auto      both, and the plan with fewer moves

Where walls bar the lanes of the direct planner, small floors are searched exactly (`exact`: shortest moves, or the proof
that there are none), and on others tiles are settled one by one (`settle`).  Where that finds nothing either, it is open.
Where numbers repeat, a tile may go to any slot that shall hold its number: which one is an assignment of least distance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.draw.scene import Scene
from tablero.errors import BadInput, JobError
from tablero.puzzles.warehouse import check, direct
from tablero.puzzles.warehouse.assign import assigned
from tablero.puzzles.warehouse.direct import Direct, Stuck
from tablero.puzzles.warehouse.exact import Steps, shortest
from tablero.puzzles.warehouse.exchange import Exchange
from tablero.puzzles.warehouse.form import form
from tablero.puzzles.warehouse.puzzle import Layout, Warehouse
from tablero.puzzles.warehouse.record import WAYS, OutOfTime, Record, require_room
from tablero.puzzles.warehouse.regions import goal_cells, misplaced, neighbours, regions
from tablero.puzzles.warehouse.settle import settled
from tablero.runs.findings import Findings, Result
from tablero.runs.runner import HERE, Clock, Run, require_here
from tablero.runs.watch import Snapshot
from tablero.words import unknown

METHODS = ("exchange", "direct", "auto")
FORMING, SEARCHED = 0, 8
WORDS = {
    FORMING: ("forming", "a hole moves one cell towards the corridor cell that it is matched with"),
    1: ("travel", "the tile goes along the corridors to its slot"),
    2: ("taking out", "three tiles beside the exit go out into the corridor, to leave room"),
    3: ("going in", "the tile changes places with one tile after another down the column"),
    4: ("coming out", "the same backwards: the slot's old tile comes out, all others return to their places"),
    5: ("at the corridor", "the slot's tile steps out and aside, and the waiting tile goes in"),
    6: ("making way", "a tile before the slot goes out into the corridor and stands aside"),
    7: ("going back", "a tile that made way goes back to where it was"),
    SEARCHED: ("past the walls", "a move of a search over the whole floor"),
}
_NO_ROWS = np.empty((0, 0), np.int32)
_PIECE = 1 << 20  # moves that are played at a time when a plan is checked
MOST_TOLD = 1_000_000  # moves that are told as an answer
_MISPLACED = "walls cut the floor into parts, and one has other tiles than its slots shall hold"
_BARRED = "no moves lead past the walls: every position was searched"
_UNKNOWN = "no way was found past the walls; whether there is one is not known"

Move = tuple[int, int, int]  # a tile, the cell it leaves, the cell it goes to


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Findings[list[Move]]):
    """All moves, each a cell that a tile leaves, the way it goes and why, as packed arrays.

    Without an answer, because the time was up, there are none.
    """

    parts: ClassVar[tuple[str, ...]] = ("move", "tile", "way", "row", "column")

    puzzle: Warehouse
    sources: NDArray[np.int32]
    ways: NDArray[np.uint8]  # places in "NSEW"
    reasons: NDArray[np.uint8]
    forming: int  # moves spent on forming the blocks
    cycles: int
    method: str
    remark: str = ""  # why there is no plan

    @property
    def warehouse(self) -> Warehouse:
        """The warehouse that was put in order."""
        return self.puzzle

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def targets(self) -> NDArray[np.int32]:
        """The cells that tiles go to."""
        columns = self.puzzle.layout.columns
        return self.sources + np.array([-columns, columns, 1, -1], np.int32)[self.ways]

    @cached_property
    def tiles(self) -> NDArray[np.int32]:
        """Which tile each move is of."""
        found = np.empty(len(self), np.int32)
        board = check.Board(self.puzzle)
        for part in self._pieces():
            board.play(self.sources[part], self.targets[part], found[part])
        return found

    def _pieces(self) -> Iterator[slice]:
        for k in range(0, len(self), _PIECE):
            yield slice(k, k + _PIECE)

    @cached_property
    def answers(self) -> Sequence[list[Move]]:
        """One list of moves; none where the time was up, or nothing can be done."""
        if self.status != "solved":
            return []
        return [list(zip(self.tiles.tolist(), self.sources.tolist(), self.targets.tolist(), strict=True))]

    def told(self) -> list[list[list[Any]]]:
        """The moves, each a tile, a direction, and the row and column it leaves (from 1, as in a move list: where numbers
        repeat, the tile alone does not say which); left out where there are more than a million."""
        if self.status != "solved" or len(self) > MOST_TOLD:
            return []
        rows, columns = np.divmod(self.sources, self.puzzle.layout.columns)
        steps = zip(self.tiles.tolist(), self.ways.tolist(), rows.tolist(), columns.tolist(), strict=True)
        return [[[tile, WAYS[way], row + 1, column + 1] for tile, way, row, column in steps]]

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Moves from 1, each of a tile, a way, and the row and column that it leaves."""
        return ((number, *move) for number, move in enumerate(answer, 1))

    @property
    def ordering(self) -> int:
        """Moves spent on the permutation."""
        return len(self) - self.forming

    def verify(self) -> None:
        """Play every move with code that shares nothing with the planners."""
        board, tiles = check.Board(self.puzzle), np.empty(_PIECE, np.int32)
        for part in self._pieces():
            if wrong := board.play(self.sources[part], self.targets[part], tiles):
                raise AssertionError(f"the planner made an illegal move: {wrong}")
        if self.status == "solved" and (wrong := board.fault()):
            raise AssertionError(f"the planner is not done: {wrong}")

    def values(self) -> dict[str, Any]:
        """The keys that every search reports, and what is known about the moves."""
        layout = self.puzzle.layout
        return (
            super().values()
            | {
                "method": self.method,
                "moves": len(self) if self.status == "solved" else None,
                "bound": self.puzzle.bound,
                "estimate": layout.estimate,
                "forming": self.forming,
                "tiles": self.puzzle.tiles,
                "rows": layout.rows,
                "columns": layout.columns,
                "cycles": self.cycles,
            }
            | ({"remark": self.remark} if self.remark else {})
        )

    def scene(self) -> Scene | None:
        """The warehouse that was to be put in order, unless it is too large."""
        from tablero.puzzles.warehouse.draw import can_draw, scene

        return scene(self.puzzle) if can_draw(self.puzzle.layout) else None

    def __repr__(self) -> str:
        return f"<Plan: {len(self):,} moves for {self.puzzle.tiles:,} tiles, {self.seconds:.3g} s>"

    def __str__(self) -> str:
        return repr(self)  # the moves would be lines without end

    def _repr_html_(self) -> str | None:
        """The page that plays the moves; nothing where there are too many."""
        from tablero.draw.page import in_notebook
        from tablero.puzzles.warehouse.draw import player

        try:
            return in_notebook(player(self))
        except BadInput:
            return None


def solve(warehouse: Warehouse, *, method: str = "", run: Run = HERE) -> Plan:
    """Put every tile into its slot; all moves are checked.  Without a method the source's, or `direct` with walls.

    The status is "none" where it is proved that walls forbid it, and "open" where no way was found.
    """
    require_here(run, "putting a warehouse in order")
    layout = warehouse.layout
    method = method or ("direct" if layout.walls else "exchange")
    if method not in METHODS:
        raise BadInput(unknown("the method", method, METHODS))
    if layout.walls and method == "exchange":
        raise BadInput("the method 'exchange' knows no walls: expected direct")
    require_possible(layout, method)
    clock = Clock(run)
    try:
        if misplaced(warehouse):
            return _ended(warehouse, Record(warehouse, [], clock), method, "none", _MISPLACED)
        if method != "auto":
            return _planned(warehouse, method, clock)
        plans = [_planned(warehouse, one, clock) for one in (("direct",) if layout.walls else ("direct", "exchange"))]
        return min(plans, key=lambda plan: (plan.status != "solved", len(plan)))
    finally:
        run.tell(Snapshot(over=True))


def require_possible(layout: Layout, method: str = "") -> None:
    """Refuse a floor whose plan would be too long, before anything stands on it."""
    require_room(direct.expected(layout) if method == "direct" else 0.6 * layout.estimate)


def _planned(warehouse: Warehouse, method: str, clock: Clock) -> Plan:
    record, forming, cycles = Record(warehouse, list(warehouse.cells), clock), 0, 0
    try:
        try:
            if not warehouse.formed:
                for source, target in form(warehouse):
                    record.push(source, target, FORMING)
            forming = len(record)
            numbers = assigned(warehouse, record.cells)
            record.ghosts = frozenset(numbers[slot] for slot in warehouse.layout.slots if not record.cells[slot])
            record.cells[:] = numbers
            cycles = Direct(record).order() if method == "direct" else Exchange(record).order()
        except Stuck:
            if not warehouse.layout.walls:
                return _planned(warehouse, "exchange", clock)
            record, forming = Record(warehouse, list(warehouse.cells), clock), 0
            if remark := _search(warehouse, record):
                return _ended(warehouse, record, method, "none" if remark == _BARRED else "open", remark)
    except OutOfTime:
        return _ended(warehouse, record, method, "open", forming=forming)
    except KeyboardInterrupt:
        return _ended(warehouse, record, method, "open", forming=forming, interrupted=True)
    plan = _ended(warehouse, record, method, "solved", forming=forming, cycles=cycles)
    plan.verify()
    return plan


def _search(warehouse: Warehouse, record: Record) -> str:
    """Order a floor whose lanes are barred, region by region; return why that did not succeed, or nothing."""
    layout, goal, remark = warehouse.layout, goal_cells(warehouse), ""
    region, beside = regions(layout), neighbours(layout)
    for number in range(max(region) + 1):
        cells = [cell for cell, one in enumerate(region) if one == number]
        place = {cell: k for k, cell in enumerate(cells)}
        start, wanted = [record.cells[cell] for cell in cells], [goal[cell] for cell in cells]
        near = [tuple(place[other] for other in beside[cell]) for cell in cells]
        steps: Steps | None
        try:
            steps = shortest(start, wanted, near, record.look)
            if steps is None:
                return _BARRED  # of one region is enough
        except OverflowError:
            slots = frozenset(place[cell] for cell in cells if not layout.is_corridor(cell))
            steps = settled(start, wanted, slots, near, record.look)
        if steps is None:
            remark = _UNKNOWN  # another region may still be proved to be barred
            continue
        for source, target in steps:
            record.push(cells[source], cells[target], SEARCHED)
    return remark


def _ended(
    warehouse: Warehouse,
    record: Record,
    method: str,
    status: str,
    remark: str = "",
    *,
    forming: int = 0,
    cycles: int = 0,
    interrupted: bool = False,
) -> Plan:
    result = Result(
        status,
        int(status == "solved"),
        _NO_ROWS,
        nodes=len(record),
        seconds=record.clock.seconds,
        cpu_seconds=record.clock.cpu_seconds,
        fraction=0.0 if status == "open" else 1.0,
        interrupted=interrupted,
    )
    arrays = (
        np.frombuffer(record.sources, np.int32) if len(record) else np.empty(0, np.int32),
        np.frombuffer(record.ways, np.uint8) if len(record) else np.empty(0, np.uint8),
        np.frombuffer(record.reasons, np.uint8) if len(record) else np.empty(0, np.uint8),
    )
    return Plan(warehouse, result, *arrays, forming, cycles, method, remark)


def resume(recipe: dict[str, Any], problem: bytes, run: Run) -> Plan:
    """There is nothing to go on with: a warehouse needs no search."""
    raise JobError("a warehouse is put in order at once: there are no jobs of this family")


def kernels() -> dict[str, Callable[[], object]]:
    """The planners are plain Python; what checks their moves is compiled."""

    def warm() -> object:
        nothing = np.zeros(1, np.int32)
        return check.played(nothing, 1, nothing, nothing, nothing)

    return {"warehouse check": warm}
