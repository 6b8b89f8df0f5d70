"""Studies of queens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablero.studies.design import Cell, Study
from tablero.studies.figures import look
from tablero.studies.statistics import growth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tablero.studies.run import Table

# A000170 of the OEIS: how many ways n queens can stand on n×n without attacking each other.
PUBLISHED = (
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624,
    4968057848, 39029188884, 314666222712, 2691008701644, 24233937684440, 227514171973736, 2207893435808352,
    22317699616364044, 234907967154122528,
)  # fmt: skip
_COUNTED = 14  # up to here counted by the study, beyond published


def _count(cell: Cell, seed: int) -> Cell:
    from tablero.puzzles.queens.count import count

    n = int(cell["n"])
    if n > _COUNTED:
        return {"solutions": str(PUBLISHED[n]), "origin": "published"}
    return {"solutions": str(1 if n == 0 else count(n)), "origin": "counted"}


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
    "The number of ways to place n queens on n × n so that none attacks another: counted where that takes seconds, "
    "published beyond (A000170 of the OEIS).",
    "Table 1 of the source lists the numbers for n up to 27 from the literature.",
    {"n": tuple(range(28))},
    {"n": tuple(range(28))},
    _count,
    _conclude_counts,
    _draw_counts,
)


def _time(cell: Cell, seed: int) -> Cell:
    from tablero.puzzles.queens.anneal import anneal
    from tablero.runs.runner import Here

    found = anneal(int(cell["n"]), seed=seed, t0=5.0, alpha=0.95, length=1, restarts=0, run=Here(time_limit=60))
    return {"trials": found.nodes, "seconds": round(found.cpu_seconds, 7), "capped": not found.solutions}


def _conclude_times(table: Table) -> list[str]:
    lines = []
    ns, medians = [], []
    for (n,), rows in table.by("n"):
        told = rows.summary("seconds")
        if told.median is None:
            lines.append(f"n = {n:,}: {told.capped} of {told.number} runs did not arrive.")
            continue
        ns.append(float(n))
        medians.append(told.median)
    if ns:
        ends = f"{medians[0]:.2g} s at n = {ns[0]:,.0f} to {medians[-1]:.2g} s at n = {ns[-1]:,.0f}"
        lines.append(f"The median of the CPU time goes from {ends}.")
    fit = growth(ns[len(ns) // 2 :], medians[len(ns) // 2 :])
    if fit:
        lines.append(f"For the larger half of n it grows as n^{fit.power:.2f} (95 %: {fit.low:.2f} to {fit.high:.2f}).")
    return lines


def _draw_times(table: Table, axes: Axes) -> None:
    told = [(n, rows.summary("seconds")) for (n,), rows in table.by("n")]
    known = [(n, one.low, one.median, one.high) for n, one in told if one.low and one.median and one.high]
    ns, low, median, high = ([row[k] for row in known] for k in range(4))
    axes.plot(ns, median, label="median", **look(0))
    axes.fill_between(ns, low, high, alpha=0.2, color=look(0)["color"], label="half of the runs")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("n, queens on a board of n × n")
    axes.set_ylabel("CPU time of a run, s")
    axes.legend()


_LARGE = (8, 10, 25, 50, 100, 200, 300, 400, 500, 750, 1000, 2000, 10_000, 100_000, 1_000_000)
TIMES = Study(
    "queens-times",
    "How long annealing takes",
    "Simulated annealing with the source's settings (T₀ = 5, α = 0.95, L = 1): the CPU time of a run until no queen attacks "
    "another, for n from 8 to a million.",
    "The source reports mean times for n from 8 to 2000, beside those of Masehian and others, and proposes these settings "
    "for all n.",
    {"n": _LARGE},
    {"n": (8, 25, 100, 500, 2000)},
    _time,
    _conclude_times,
    _draw_times,
    repetitions=30,
    quick_repetitions=10,
)

STUDIES = {one.name: one for one in (COUNTS, TIMES)}
