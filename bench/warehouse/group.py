"""The group `warehouse`: the source's exchange and the direct planner on the same random orders.

The least is the sum of Manhattan distances: no plan can be shorter.  Every plan is played by the check before it counts.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import Any, get_args

from bench import table
from bench.measure import Settings, hush
from tablero import warehouse
from tablero.warehouse.puzzle import of_order
from tablero.warehouse.solving import Planner

PARTS = ("planners", "repeats")
PACKAGES = ("tablero", "numba", "numpy", "scipy")
_ORDERS = {4: 20, 9: 100, 16: 30, 25: 10, 36: 5, 49: 3, 64: 2, 81: 1, 100: 1, 144: 1, 225: 1, 400: 1}
_QUICK = 100
_METHODS: tuple[Planner, ...] = get_args(Planner)


def run(settings: Settings) -> dict[str, Any]:
    """Measure what is wanted, print it, and return it."""
    values: dict[str, Any] = {"faults": []}
    if settings.wants("planners"):
        values["planners"] = _planners(settings, values["faults"])
    if settings.wants("repeats"):
        values["repeats"] = _repeats()
    return values


def _planners(settings: Settings, faults: list[str]) -> dict[str, Any]:
    rows, values = [], {}
    for n, orders in _ORDERS.items():
        if settings.quick and n > _QUICK:
            continue
        layout = warehouse.square(n)
        starts = [warehouse.generate(n, seed=k) for k in range(1, orders + 1)]
        least = statistics.fmean(_least(start) for start in starts)
        moves, cpu = {}, {}
        for method in _METHODS:
            began = time.process_time()
            plans = [start.solve(method=method) for start in starts]
            cpu[method] = (time.process_time() - began) / orders
            moves[method] = statistics.fmean(map(len, plans))
            if any(plan.method != method for plan in plans):
                faults.append(f"a warehouse of n = {n}: {method} was not used")
            if max(map(len, plans)) > layout.bound:
                faults.append(f"a warehouse of n = {n}: {method} is over the bound {layout.bound}")
            del plans
        source, straight = moves["exchange"], moves["direct"]
        rows.append(
            [
                str(n),
                f"{len(layout.slots):,}",
                f"{orders}",
                f"{least:,.0f}",
                f"{source:,.0f}",
                f"{straight:,.0f}",
                f"{100 * (straight / source - 1):+.1f} %",
                table.ratio(source / least),
                table.ratio(straight / least),
                *(table.seconds(cpu[method]) for method in _METHODS),
            ]
        )
        values[str(n)] = {"least": least, "moves": moves, "cpu": cpu}
    hush()
    head = ["n", "tiles", "orders", "least", "exchange", "direct", "gain", "exchange/least", "direct/least", "s", "s"]
    print("\nWarehouses: mean moves of random orders, by the source's exchange and straight; CPU seconds a plan")
    print(table.table(head, rows))
    return values


def _least(start: warehouse.Warehouse) -> int:
    columns, slots = start.layout.columns, start.layout.slots
    ways = ((cell, slots[tile - 1]) for cell, tile in enumerate(start.cells) if tile)
    return sum(abs(a // columns - b // columns) + abs(a % columns - b % columns) for a, b in ways)


def _repeats() -> dict[str, Any]:
    """Numbers that repeat: the more tiles share one, the shorter the ways."""
    layout, rows, values = warehouse.square(36), [], {}
    for kinds in (900, 300, 100, 30, 10, 3):
        numbers = [1 + k % kinds for k in range(len(layout.slots))]
        random.Random(kinds).shuffle(numbers)
        start = of_order(layout, numbers, sorted(numbers))
        moves = {method: len(start.solve(method=method)) for method in _METHODS}
        rows.append([str(kinds), *(f"{moves[method]:,}" for method in _METHODS)])
        values[str(kinds)] = moves
    hush()
    print("\nNumbers that repeat, n = 36: moves by how many numbers there are")
    print(table.table(["numbers", *_METHODS], rows))
    return values
