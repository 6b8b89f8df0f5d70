"""How a warehouse is put in order: the blocks are formed, tiles get their slots, and a planner brings them there.

exchange  the source's procedure (`exchange`): within its bound
direct    every tile goes straight to its slot (`direct`): far fewer moves, and it knows walls
auto      both, and the plan with fewer moves

What `direct` makes is made shorter (`shorten`), and where there are few tiles the fewest moves are searched for (`search`);
the same with `exchange` where slots are empty, of which the source says nothing.

Where walls bar the lanes of the direct planner, small floors are searched exactly (`exact`: shortest moves, or the proof
that there are none), and on others tiles are settled one by one (`settle`).  Where that finds nothing either, it is open.
Where numbers repeat, a tile may go to any slot that shall hold its number: which one is an assignment of least distance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tablero import interrupts
from tablero.errors import BadInput, JobError
from tablero.runs.findings import Result
from tablero.runs.run import HERE, Run, require_here
from tablero.runs.session import Clock
from tablero.runs.watch import Snapshot
from tablero.warehouse import checking, direct, shorten
from tablero.warehouse.assign import assigned
from tablero.warehouse.direct import Direct, Stuck
from tablero.warehouse.exact import shortest
from tablero.warehouse.exchange import Exchange
from tablero.warehouse.form import form
from tablero.warehouse.plan import FORMING, SEARCHED, Plan
from tablero.warehouse.puzzle import Layout, Warehouse
from tablero.warehouse.record import OutOfTime, Record, require_room
from tablero.warehouse.regions import goal_cells, misplaced, neighbours, regions
from tablero.warehouse.search import Steps
from tablero.warehouse.settle import settled
from tablero.words import unknown

METHODS = ("exchange", "direct", "auto")
_NO_ROWS = np.empty((0, 0), np.int32)
_MISPLACED = "walls cut the floor into parts, and one has other tiles than its slots shall hold"
_BARRED = "no moves lead past the walls: every position was searched"
_UNKNOWN = "no way was found past the walls; whether there is one is not known"


def solve(warehouse: Warehouse, *, method: str = "", run: Run = HERE) -> Plan:
    """Put every tile into its slot; all moves are checked.

    Without a method it is the source's, or `direct` where there are walls or empty slots.

    The status is "none" where it is proved that walls forbid it, and "open" where no way was found.
    """
    require_here(run, "putting a warehouse in order")
    layout = warehouse.layout
    full = warehouse.tiles == len(layout.slots)
    method = method or ("exchange" if full and not layout.walls else "direct")
    if method not in METHODS:
        raise BadInput(unknown("the method", method, METHODS))
    if layout.walls and method == "exchange":
        raise BadInput("the method 'exchange' knows no walls: expected direct")
    require_possible(layout, method)
    clock = Clock(run)
    try:
        if misplaced(warehouse):
            planner = "direct" if method == "auto" else method
            return _ended(warehouse, Record(warehouse, [], clock), planner, "none", _MISPLACED)
        if method != "auto":
            return _planned(warehouse, method, clock)
        plans = [_planned(warehouse, one, clock) for one in (("direct",) if layout.walls else ("direct", "exchange"))]
        return min(plans, key=lambda plan: (plan.status != "solved", len(plan)))
    finally:
        run.tell(Snapshot(over=True))


def require_possible(layout: Layout, method: str = "") -> None:
    """Refuse a floor whose plan would be too long, before anything stands on it."""
    require_room(direct.expected(layout) if method == "direct" else 0.6 * layout.estimate)


@interrupts.Polling()
def _planned(warehouse: Warehouse, method: str, clock: Clock) -> Plan:
    record, cycles, interrupted = Record(warehouse, list(warehouse.cells), clock), 0, False
    try:
        try:
            cycles = _by_planner(warehouse, method, record)
        except Stuck:
            record = Record(warehouse, list(warehouse.cells), clock)
            if not warehouse.layout.walls:
                cycles = _by_planner(warehouse, "exchange", record)
            elif remark := _search(warehouse, record):
                return _ended(warehouse, record, method, "none" if remark == _BARRED else "open", remark)
    except OutOfTime:
        return _ended(warehouse, record, method, "open")
    except KeyboardInterrupt:
        return _ended(warehouse, record, method, "open", interrupted=True)
    if method == "direct" or warehouse.tiles < len(warehouse.layout.slots):
        try:
            _shorten(warehouse, record)
        except OutOfTime:
            pass  # what is there by then is a plan
        except KeyboardInterrupt:
            interrupted = True
    plan = _ended(warehouse, record, method, "solved", cycles=cycles, interrupted=interrupted)
    plan.verify()
    return plan


def _by_planner(warehouse: Warehouse, method: str, record: Record) -> int:
    """Form the blocks and put every tile into its slot; return how many cycles there were."""
    if not warehouse.formed:
        for source, target in form(warehouse):
            record.push(source, target, FORMING)
    numbers = assigned(warehouse, record.cells)
    record.ghosts = frozenset(numbers[slot] for slot in warehouse.layout.slots if not record.cells[slot])
    record.cells[:] = numbers
    return Direct(record).order() if method == "direct" else Exchange(record).order()


def _shorten(warehouse: Warehouse, record: Record) -> None:
    """Make a plan shorter, region by region: moves in different ones have nothing to do with each other."""
    if not 0 < len(record) <= shorten.MOST_MOVES or len(warehouse.cells) > shorten.MOST_CELLS:
        return
    layout = warehouse.layout
    region, goal = regions(layout), goal_cells(warehouse)
    floor = shorten.Floor(warehouse.cells, goal, neighbours(layout), SEARCHED)
    for number in range(max(region) + 1):
        moves = record.moves()
        mine = [move for move in moves if region[move[0]] == number]
        if not mine:
            continue
        others = [move for move in moves if region[move[0]] != number]
        cells = [cell for cell, one in enumerate(region) if one == number]
        for shorter in shorten.shortened(floor, cells, mine, record.look):
            record.rewrite(others + shorter)


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
    return Plan(warehouse, result, *arrays, record.reasons.count(FORMING), cycles, method, remark)


def resume(recipe: dict[str, Any], problem: bytes, run: Run) -> Plan:
    """There is nothing to go on with: a warehouse needs no search."""
    raise JobError("a warehouse is put in order at once: there are no jobs of this family")


def kernels() -> dict[str, Callable[[], object]]:
    """The planners are plain Python; what checks their moves is compiled."""

    def warm() -> object:
        nothing = np.zeros(1, np.int32)
        return checking.played(nothing, 1, nothing, nothing, nothing)

    return {"warehouse check": warm}
