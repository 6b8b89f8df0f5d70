"""Puts a warehouse in order: forms the blocks, assigns slots to tiles, and plans the moves.

exchange  the thesis's procedure (`exchange`), within its bound
direct    every tile goes straight to its slot (`direct`): far fewer moves; supports walls
auto      the shorter plan of both; `direct` alone with walls, or if planning twice would take long

Plans of `direct` are shortened (`shorten`), and for few tiles the fewest moves are searched for (`search`).  The same
applies to `exchange` with empty slots, which the thesis does not cover.

If walls block the lanes of the direct planner, small floors are searched exactly (`search`: the shortest moves, or the proof
that there are none), and on others tiles are settled one by one (`settle`).  If that finds nothing either, the result is
open.  If numbers repeat, a tile may go to any slot for its number; an assignment of least distance decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from tablero import interrupts
from tablero.runs.findings import Result
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Clock, Run
from tablero.warehouse import checking, direct, shorten
from tablero.warehouse.direct import Direct, Stuck
from tablero.warehouse.exchange import Exchange
from tablero.warehouse.matching import assigned, form
from tablero.warehouse.plan import FORMING, SEARCHED, OutOfTime, Plan, Record, require_capacity
from tablero.warehouse.puzzle import Warehouse
from tablero.warehouse.search import Steps, shortest
from tablero.warehouse.settle import settled
from tablero.warehouse.verbs import Method

Planner = Literal["exchange", "direct"]
_MOST_TWICE = 1_000_000  # moves up to which both planners run, about a second each
_NO_ROWS = np.empty((0, 0), np.int32)
_MISPLACED = "walls divide the floor into parts, and one has other tiles than its slots must hold"
_BARRED = "no moves lead past the walls: every position was searched"
_UNKNOWN = "no way was found past the walls; whether there is one is not known"


@interrupts.Polling()
def solve(warehouse: Warehouse, *, method: Method = "auto", run: Run = HERE) -> Plan:
    """Move every tile into its slot; all moves are checked.

    The status is "none" if walls provably prevent it, and "open" if no plan was found.
    """
    layout = warehouse.layout
    expected = 0.6 * layout.estimate if method == "exchange" else direct.expected(layout)
    require_capacity(expected)
    clock = Clock(run)
    try:
        planners = _planners(warehouse, method, expected)
        if warehouse.misplaced:
            return _ended(warehouse, Record(warehouse, [], clock), planners[-1], "none", _MISPLACED)
        plans: list[Plan] = []
        for planner in planners:
            plans.append(_planned(warehouse, planner, clock))
            if plans[-1].interrupted:
                break
        best = min(plans, key=lambda plan: (plan.status != "solved", len(plan)))
        last = plans[-1].result  # it has the total time
        result = replace(best.result, seconds=last.seconds, cpu_seconds=last.cpu_seconds, interrupted=last.interrupted)
        best = replace(best, result=result)
        best.verify()
        return best
    finally:
        run.report(Snapshot(over=True))


def _planners(warehouse: Warehouse, method: Method, expected: float) -> tuple[Planner, ...]:
    """The planners to try, the fastest first."""
    if method != "auto":
        return (method,)
    return ("direct",) if warehouse.walls or expected > _MOST_TWICE else ("exchange", "direct")


def _planned(warehouse: Warehouse, method: Planner, clock: Clock) -> Plan:
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
            pass  # the moves so far are a plan
        except KeyboardInterrupt:
            interrupted = True
    return _ended(warehouse, record, method, "solved", cycles=cycles, interrupted=interrupted)


def _by_planner(warehouse: Warehouse, method: str, record: Record) -> int:
    """Form the blocks and move every tile into its slot; return the number of cycles."""
    if not warehouse.formed:
        for source, target in form(warehouse):
            record.push(source, target, FORMING)
    numbers = assigned(warehouse, record.cells)
    record.ghosts = frozenset(numbers[slot] for slot in warehouse.layout.slots if not record.cells[slot])
    record.cells[:] = numbers
    return Direct(record).order() if method == "direct" else Exchange(record).order()


def _shorten(warehouse: Warehouse, record: Record) -> None:
    """Shorten a plan region by region; moves in different regions are independent."""
    if not 0 < len(record) <= shorten.MOST_MOVES or len(warehouse.cells) > shorten.MOST_CELLS:
        return
    region = warehouse.layout.regions
    for number in range(max(region) + 1):
        moves = record.moves()
        mine = [move for move in moves if region[move[0]] == number]
        if not mine:
            continue
        others = [move for move in moves if region[move[0]] != number]
        cells = [cell for cell, one in enumerate(region) if one == number]
        for shorter in shorten.shortened(warehouse, cells, mine, record.look):
            record.rewrite(others + shorter)


def _search(warehouse: Warehouse, record: Record) -> str:
    """Order a floor with blocked lanes, region by region; return the reason of a failure, or an empty text."""
    layout, goal, remark = warehouse.layout, warehouse.goal_cells, ""
    region, beside = layout.regions, layout.neighbours
    for number in range(max(region) + 1):
        cells = [cell for cell, one in enumerate(region) if one == number]
        place = {cell: k for k, cell in enumerate(cells)}
        start, wanted = [record.cells[cell] for cell in cells], [goal[cell] for cell in cells]
        near = [tuple(place[other] for other in beside[cell]) for cell in cells]
        steps: Steps | None
        try:
            steps = shortest(start, wanted, near, record.look)
            if steps is None:
                return _BARRED  # one such region is enough
        except OverflowError:
            slots = frozenset(place[cell] for cell in cells if not layout.is_corridor(cell))
            steps = settled(start, wanted, slots, near, record.look)
        if steps is None:
            remark = _UNKNOWN  # another region may still be proved impossible
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
    return Plan(
        warehouse,
        result,
        np.asarray(record.sources, np.int32),
        np.asarray(record.ways, np.uint8),
        np.asarray(record.reasons, np.uint8),
        record.reasons.count(FORMING),
        cycles,
        method,
        remark,
    )


def kernels() -> dict[str, Callable[[], object]]:
    """The kernels to compile ahead of time: only the check of the moves, as planners are plain Python."""
    nothing = np.zeros(1, np.int32)
    return {"warehouse check": lambda: checking.played(nothing, 1, nothing, nothing, nothing)}
