"""Studies of queens that are counted; `annealing` has those that are annealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studies.design import NO_CHANCE, Cell, Study
from studies.figures import look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table

# A000170 of the OEIS: how many ways n queens can stand on n×n without attacking each other.
PUBLISHED = (
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624,
    4968057848, 39029188884, 314666222712, 2691008701644, 24233937684440, 227514171973736, 2207893435808352,
    22317699616364044, 234907967154122528,
)  # fmt: skip
_COUNTED = 14  # up to here counted by the study, beyond published


def _count(cell: Cell, seed: int) -> Cell:
    from tablero.queens import Queens

    n = int(cell["n"])
    if n > _COUNTED:
        return {"solutions": str(PUBLISHED[n]), "origin": "published"}
    return {"solutions": str(1 if n == 0 else Queens(n).count().solutions), "origin": "counted"}


def _conclude_counts(table: Table) -> list[str]:
    counted = [row for row in table.rows if row["origin"] == "counted"]
    wrong = [row["n"] for row in counted if int(row["solutions"]) != PUBLISHED[int(row["n"])]]
    agree = "all agree with the published numbers" if not wrong else f"n = {wrong} differ from the published numbers"
    lines = [f"{len(counted)} numbers were counted here: {agree}."]
    ratios = [
        int(two["solutions"]) / int(one["solutions"])
        for one, two in zip(table.rows[7:], table.rows[8:], strict=False)
        if int(one["solutions"])
    ]
    if len(ratios) > 2:
        lines.append(
            f"From one n to the next the number grows by {ratios[0]:.1f} at first, and by {ratios[-1]:.1f} at last."
        )
    return lines


def _draw_counts(table: Table, axes: Axes) -> None:
    for k, (origin, label) in enumerate((("counted", "counted here"), ("published", "published"))):
        rows = [row for row in table.where(origin=origin).rows if int(row["solutions"])]
        if rows:
            axes.plot([int(r["n"]) for r in rows], [int(r["solutions"]) for r in rows], label=label, **look(k))
    axes.set_yscale("log")
    axes.set_xlabel("n, queens on a board of n × n")
    axes.set_ylabel("solutions")
    axes.legend()


COUNTS = Study(
    "queens-counts",
    "How many ways n queens can stand",
    "The number of solutions of the n-queens problem, counted and published.",
    "The number of ways to place n queens on n × n so that none attacks another: counted where that takes seconds, "
    "published beyond (A000170 of the OEIS).",
    "Table 1 of the source lists the numbers for n up to 27 from the literature.",
    {"n": tuple(range(28))},
    {"n": tuple(range(28))},
    _count,
    _conclude_counts,
    _draw_counts,
    seeds=NO_CHANCE,
)

STUDIES = {one.name: one for one in (COUNTS,)}
