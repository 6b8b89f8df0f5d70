"""Studies of the warehouse: moves to put it in order, what an exchange costs by level, how full the floor is."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, cast

import numpy as np

from studies.design import Cell, Study
from studies.figures import look, panels
from studies.words import number, summary_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table
    from tablero.warehouse.verbs import Arrangement, Method

_MOST_MATCHED = 49  # scattered starts and the slow case of the direct planner only up to this n
_TRAVEL = 1  # the reason of a move along the corridors


def _moves(cell: Cell, seed: int) -> Cell:
    """Moves of a plan, those of them that form the blocks and that travel; and of an n²−1 puzzle of the same side."""
    from tablero.sliding.constructive import construct
    from tablero.sliding.generating import generate as board
    from tablero.warehouse.verbs import generate, solve

    n = int(cell["n"])
    start = generate(n, cast("Arrangement", cell["order"]), seed=seed)
    plan = solve(start, method=cast("Method", cell["method"]))
    layout = plan.puzzle.layout
    row: Cell = {
        "tiles": len(layout.slots),
        "moves": len(plan),
        "forming": plan.forming,
        "travel": int(np.count_nonzero(plan.reasons == _TRAVEL)),
        "bound": layout.bound,
        "forming_bound": layout.forming_bound,
        "estimate": layout.estimate,
    }
    if cell["order"] == "random" and cell["method"] == "exchange":
        row["sliding"] = len(construct(board(n, seed=seed), "table")[0])
    return row


def _allows(cell: Cell) -> bool:
    slow = cell["order"] in ("scattered", "corner") or (cell["order"], cell["method"]) == ("reversed", "direct")
    again = cell["order"] == "reversed" and cell["repetition"] > 0  # there is one reversed order
    return not again and (not slow or int(cell["n"]) <= _MOST_MATCHED)


def _conclude_moves(table: Table) -> list[str]:
    lines = []
    for n in table.levels("n"):
        rows = table.where(n=n, order="random", method="exchange")
        one = rows.summary("moves")
        if one.median:
            bound, estimate = int(rows.rows[0]["bound"]), int(rows.rows[0]["estimate"])
            ratio = rows.summary("sliding").median
            beside = f"; an n²−1 puzzle of this side takes {ratio / one.median:.2f} times as many" if ratio else ""
            lines.append(
                f"n = {n}, random, exchange: {summary_text(one, ' moves')}; the thesis's bound of {bound:,} is "
                f"{bound / one.median:.2f} times that, the corrected estimate of {estimate:,} "
                f"{estimate / one.median:.2f} times{beside}."
            )
    largest = max(table.levels("n"))
    for (order, method), rows in table.where(n=largest).by("order", "method"):
        if (order, method) != ("random", "exchange"):
            lines.append(f"n = {largest}, {order}, {method}: {summary_text(rows.summary('moves'), ' moves')}.")
    travel = table.where(n=largest, order="random", method="exchange")
    one = travel.summary("travel")
    if one.median:
        tiles = int(travel.rows[0]["tiles"])
        lines.append(
            f"n = {largest}: a tile travels {one.median / tiles:.1f} cells (median of boards), n − 1 = {largest - 1}."
        )
    for order in ("scattered", "corner"):
        for n in table.levels("n"):
            rows = table.where(n=n, order=order, method="exchange")
            if rows.rows:
                allowed = int(rows.rows[0]["forming_bound"])
                spread = summary_text(rows.summary("forming"), " moves")
                lines.append(f"n = {n}, {order}: the blocks are formed in {spread}; the thesis allows {allowed:,}.")
    return lines


def _draw_moves(table: Table, axes: Axes) -> None:
    left, right = panels(axes, ("To put it in order", "From a scattered start"), width=5.4, one_scale=False)
    for k, ((order, method), rows) in enumerate(table.where(forming=0).by("order", "method")):
        known = [(int(n), rows.where(n=n).summary("moves").median or 0) for n in rows.levels("n")]
        left.plot([n for n, _ in known], [moves / n**3 for n, moves in known], label=f"{order}, {method}", **look(k))
    ns = table.levels("n")
    for key, label, style in (("bound", "bound of the thesis", "-"), ("estimate", "corrected estimate", "--")):
        values = [int(table.where(n=n).rows[0][key]) / n**3 for n in ns]
        left.plot(ns, values, color="#111827", linestyle=style, linewidth=1, label=label)
    left.set_ylabel("moves / n³")
    left.set_ylim(0, 2.8)
    left.legend(ncols=2, loc="upper left", fontsize=8)
    for k, order in enumerate(("scattered", "corner")):
        rows = table.where(order=order, method="exchange")
        if rows.rows:
            known = [(int(n), rows.where(n=n).summary("forming").median or 0) for n in rows.levels("n")]
            right.plot([n for n, _ in known], [moves for _, moves in known], label=order, **look(k))
    formed = [(n, int(table.where(n=n).rows[0]["forming_bound"])) for n in ns if n <= _MOST_MATCHED]
    right.plot(
        [n for n, _ in formed],
        [most for _, most in formed],
        color="#111827",
        linewidth=1,
        label="2n^¾ a tile, the thesis",
    )
    right.set_yscale("log")
    right.set_ylabel("moves to form the blocks")
    right.legend()
    for one in (left, right):
        one.set_xlabel("n, floor of n × n")


_ORDERS = ("random", "reversed", "scattered", "corner")
_PLANNERS = ("exchange", "direct")
MOVES = Study(
    "warehouse-moves",
    "How many moves put a warehouse in order",
    "Moves that put a warehouse in order, beside the proven bound.",
    "Warehouses of n × n cells with blocks of √n × √n: moves to put a random or a reversed order right, by the source's "
    "exchange and by the direct planner, beside the source's bound and an n²−1 puzzle of the same side; and the moves "
    "that form the blocks where tiles begin scattered, or packed into a corner.",
    "The thesis bounds the moves by 2n³ − 6n² + 4n√n and allows 2n^¾ moves a tile for forming the blocks. Its sum of "
    "distances is about √n times too large; done right the estimate is n³ − 4n√n + 3n.",
    {"n": (9, 16, 25, 36, 49, 64, 81), "order": _ORDERS, "method": _PLANNERS},
    {"n": (9, 16, 25, 36), "order": _ORDERS, "method": _PLANNERS},
    _moves,
    _conclude_moves,
    _draw_moves,
    repetitions=10,
    quick_repetitions=3,
    allows=_allows,
    version=3,
)


# Levels


def tiles_on(side: int, level: int) -> int:
    """How many tiles of a block of that side are so far from its nearest corridor."""
    inner = side - 2 * (level - 1)
    return inner**2 - max(inner - 2, 0) ** 2


def _levels(cell: Cell, seed: int) -> Cell:
    """An exchange at every level, counted move by move from the procedure, and its mean over a block."""
    from tablero.warehouse.exchange import going_in

    n = int(cell["n"])
    side = isqrt(n)
    # In: as the procedure says.  Out: the same backwards but for the last swap, which is done already.
    costs = [3] + [2 * len(going_in(level)) - 4 for level in range(2, (side + 1) // 2 + 1)]
    total = sum(tiles_on(side, level) * cost for level, cost in enumerate(costs, 1))
    tiles = n * n - 2 * n * side + n
    return {
        "side": side,
        "tiles": tiles,
        "occupancy": round(tiles / n**2, 6),
        "levels": len(costs),
        "deepest_cost": costs[-1],
        "mean_cost": round(total / side**2, 3),
        "costs": " ".join(map(str, costs[:12])),
    }


def _conclude_levels(table: Table) -> list[str]:
    lines = []
    for row in table.rows:
        if row["n"] in (81, 40000):
            first = ", ".join(str(row["costs"]).split())
            told_costs = f" (by level from the corridor inward: {first}{' …' if int(row['levels']) > 12 else ''})"
            lines.append(
                f"n = {int(row['n']):,}: {int(row['tiles']):,} tiles in blocks of {row['side']}×{row['side']}, "
                f"{100 * float(row['occupancy']):.1f} % of the floor; an exchange costs "
                f"{number(float(row['mean_cost']), 4)} moves in the mean of a block, "
                f"{row['deepest_cost']} at most{told_costs}."
            )
    full = next((row for row in table.rows if float(row["occupancy"]) >= 0.99), None)
    if full:
        lines.append(f"99 % of the floor are tiles from n = {int(full['n']):,} on, of those that were looked at.")
    large = table.rows[-1]
    lines.append(
        f"The mean cost is {float(large['mean_cost']) / int(large['side']):.2f}·√n at n = {int(large['n']):,}."
    )
    return lines


def _draw_levels(table: Table, axes: Axes) -> None:
    left, right = panels(axes, ("What an exchange costs", "How full the floor is"), width=5.4, one_scale=False)
    ns = [int(n) for n in table.values("n")]
    for k, (key, label) in enumerate((("deepest_cost", "deepest level"), ("mean_cost", "mean of a block"))):
        left.plot(ns, [float(value) for value in table.values(key)], label=label, **look(k))
    left.plot(ns, [2 * isqrt(n) + 4 for n in ns], color="#111827", linewidth=1, label="2√n + 4")
    left.set_yscale("log")
    left.set_ylabel("moves of an exchange")
    left.legend()
    right.plot(ns, [100 * float(value) for value in table.values("occupancy")], **look(0))
    right.axhline(99, color="#111827", linewidth=1, linestyle="--")
    right.annotate("99 %", (ns[0], 99), textcoords="offset points", xytext=(0, -12))
    right.set_ylim(40, 102)
    right.set_ylabel("cells with a tile, %")
    for one in (left, right):
        one.set_xscale("log")
        one.set_xlabel("n, floor of n × n")


_SQUARES = tuple(side * side for side in (3, 4, 5, 6, 7, 8, 9, 12, 16, 20, 30, 50, 70, 100, 150, 200))
LEVELS = Study(
    "warehouse-levels",
    "What an exchange costs, and how full the floor is",
    "The cost of an exchange, by the number of tiles on the floor.",
    "An exchange brings a tile into its slot and takes out the one that stood there. Its moves by level, which is the "
    "distance from the slot to the nearest corridor, and in the mean of a block; and the part of the floor "
    "that holds tiles.",
    "The thesis exchanges tiles at level r in at most 12r − 2 moves, and in 3 beside the corridor; it has no table of "
    "these costs (its table 4.1 is of blocks and colours). It says that the floor is 99 % full at n = 40000.",
    {"n": _SQUARES},
    {"n": _SQUARES},
    _levels,
    _conclude_levels,
    _draw_levels,
)

STUDIES = {one.name: one for one in (MOVES, LEVELS)}
