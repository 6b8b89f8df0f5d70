"""Studies of queens that are annealed: how long, with which parameters, which cooling and which swap."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from studies.design import Cell, Study
from studies.figures import draw_medians, look, name_capped, panels
from studies.statistics import Summary, growth, share
from studies.words import number, percent, seconds, summary_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table

_SIDE = "n, queens on a board of n × n"
_MOST_TRIALS = 1_000_000  # and a thousand a queen: a run that has not arrived by then is stopped


@cache
def _warm() -> None:
    """Load the kernel, so that the first run is not longer than the others."""
    from tablero.queens.annealing import Settings, run_once

    run_once(Settings.for_side(8), 1)


def _run(n: int, seed: int, **settings: Any) -> Cell:
    """One run from a random board, without restarts: its trials, its CPU time, and the attacks that are left."""
    from tablero.queens.annealing import Settings, run_once

    _warm()
    asked = Settings.for_side(n, restarts=0, max_trials=1000 * n + _MOST_TRIALS, **settings)
    one = run_once(asked, seed)
    return {"trials": one.trials, "seconds": round(one.seconds, 8), "cost": one.cost, "capped": not one.succeeded}


def _by_side(table: Table, name: str) -> list[tuple[int, Summary]]:
    return [(int(n), rows.summary(name)) for (n,), rows in table.by("n")]


def _medians(table: Table, name: str) -> tuple[list[float], list[float]]:
    known = [(float(n), one.median) for n, one in _by_side(table, name) if one.median]
    return [n for n, _ in known], [median for _, median in known]


def _logarithmic(axes: Axes, ylabel: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(_SIDE)
    axes.set_ylabel(ylabel)
    axes.legend()


# Times

# Mean seconds of a run by n: of the source (its last row but one says 100 and means 1000), and of Masehian and others as it
# cites them.
SOURCES_TIMES = {8: 0.0023, 100: 0.0217, 500: 0.514, 1000: 1.97, 2000: 9.25}
MASEHIANS_TIMES = {8: 0.07, 100: 0.6, 500: 26.2, 1000: 218.0, 2000: 1729.0}
_LARGE = 1000  # from here on growth is fitted: below, what a run costs at least is seen as well


def _time(cell: Cell, seed: int) -> Cell:
    return _run(int(cell["n"]), seed, t0=5.0, alpha=0.95, length=1)


def _conclude_times(table: Table) -> list[str]:
    lines = []
    for n, one in _by_side(table, "seconds"):
        if one.median is None:
            lines.append(f"n = {n:,}: {one.capped} of {one.number} runs did not arrive.")
        elif n in SOURCES_TIMES:
            within = f"95 %: {seconds(one.interval[0])} to {seconds(one.interval[1])}; " if one.interval else ""
            spread = f"{seconds(one.median)} ({within}quartiles {seconds(one.low or 0)} to {seconds(one.high or 0)})"
            if one.high is None:
                spread = f"{seconds(one.median)} ({one.capped} of {one.number} did not arrive)"
            lines.append(
                f"n = {n:,}: median {spread}; the source's mean is {seconds(SOURCES_TIMES[n])}, "
                f"{number(SOURCES_TIMES[n] / one.median, 2)} times as long, Masehian's {seconds(MASEHIANS_TIMES[n])}."
            )
    ns, medians = _medians(table, "seconds")
    if ns:
        lines.append(f"At n = {ns[-1]:,.0f} the median is {seconds(medians[-1])}.")
    large = [(n, median) for n, median in zip(ns, medians, strict=True) if n >= _LARGE]
    for name, pairs in (("here", large), ("in the source", [(n, t) for n, t in SOURCES_TIMES.items() if n >= 100])):
        fit = growth([n for n, _ in pairs], [median for _, median in pairs])
        if fit:
            lines.append(
                f"Time {name} grows as n^{fit.power:.2f} (95 %: {fit.low:.2f} to {fit.high:.2f}) "
                f"from n = {pairs[0][0]:,.0f} on."
            )
    ns, trials = _medians(table, "trials")
    if ns:
        lines.append(f"A run takes {trials[-1] / ns[-1]:.1f} trials a queen at n = {ns[-1]:,.0f} (median).")
    return lines


def _draw_times(table: Table, axes: Axes) -> None:
    draw_medians(axes, table, "n", "seconds", "here: median, half of the runs", 0)
    for k, (name, values) in enumerate((("the source, mean", SOURCES_TIMES), ("Masehian, mean", MASEHIANS_TIMES)), 1):
        axes.plot(list(values), list(values.values()), label=name, **look(k))
    _logarithmic(axes, "time of a run, s")


TIMES = Study(
    "queens-times",
    "How long annealing takes",
    "CPU time of an annealing run, for 8 to 1,000,000 queens.",
    "Simulated annealing with the source's settings (T₀ = 5, α = 0.95, L = 1): the CPU time of a run until no queen attacks "
    "another, for n from 8 to a million.",
    "The source reports mean times for n from 8 to 2000, beside those of Masehian and others, and proposes these settings "
    "for all n: 2.3 ms at n = 8, 0.514 s at 500, 9.25 s at 2000 (Masehian: 0.07 s, 26.2 s, 1729 s).",
    {"n": (8, 10, 25, 50, 100, 200, 300, 400, 500, 750, 1000, 2000, 10_000, 100_000, 1_000_000)},
    {"n": (8, 100, 1000, 2000, 10_000)},
    _time,
    _conclude_times,
    _draw_times,
    repetitions=30,
    quick_repetitions=10,
    version=2,
)

# Calibration


def _calibrate(cell: Cell, seed: int) -> Cell:
    settings = {"t0": float(cell["t0"]), "alpha": float(cell["alpha"]), "length": int(cell["length"])}
    return _run(int(cell["n"]), seed, max_stall=500, **settings)


def _share_stuck(table: Table) -> float:
    return sum(bool(row["capped"]) for row in table.rows) / max(len(table.rows), 1)


def _conclude_calibration(table: Table) -> list[str]:
    lines = []
    for (n,), rows in table.by("n"):
        stuck = _share_stuck(rows)
        costs = _costs(rows)
        left = f"; of those, the most attacks that are left are {costs[-1]}" if costs else ""
        if n in (8, 25) or stuck:
            part = percent(share(sum(bool(row["capped"]) for row in rows.rows), len(rows.rows)))
            lines.append(f"n = {n}: {part} of {len(rows.rows):,} runs end with queens that attack{left}.")
        each = [(part.summary("seconds").median, levels) for levels, part in rows.by("t0", "alpha", "length")]
        medians = [(median, levels) for median, levels in each if median]
        if medians:
            (least, best), (most, worst) = min(medians), max(medians)
            lines.append(
                f"n = {n}: the fastest set, T₀ = {best[0]}, α = {best[1]}, L = {best[2]}, has a median of {seconds(least)}; "
                f"the slowest, T₀ = {worst[0]}, α = {worst[1]}, L = {worst[2]}, of {seconds(most)}, "
                f"{most / least:.1f} times as long."
            )
    return lines


def _costs(table: Table) -> list[int]:
    """Attacks that were left, where there are any."""
    return sorted(int(row["cost"]) for row in table.rows if row["cost"])


_BOX: dict[str, Any] = {
    "medianprops": {"color": "#111827", "linewidth": 1.6},
    "flierprops": {"markersize": 3, "alpha": 0.5},
    "widths": 0.6,
}


def _draw_calibration(table: Table, axes: Axes) -> None:
    """Box plots, as the source has them: what is left at the end, and the time of those that arrive."""
    largest = max(table.levels("n"))
    titles = (
        "Attacks left at the end",
        "Runs that arrive, all settings",
        f"Runs that arrive at n = {largest}, by each setting",
    )
    left, middle, right = panels(axes, titles, width=4.6, one_scale=False)
    small = [(n, length) for n in (8, 25) if n in table.levels("n") for length in table.levels("length")]
    parts = [table.where(n=n, length=length) for n, length in small]
    left.boxplot([[int(row["cost"]) for row in part.rows] for part in parts], **_BOX)
    left.set_xticks(range(1, len(small) + 1), [f"{n}, {length}" for n, length in small], rotation=60)
    most = max((int(row["cost"]) for part in parts for row in part.rows), default=0)
    for place, part in enumerate(parts, 1):
        left.annotate(f"{100 * _share_stuck(part):.1f}", (place, most + 0.6), ha="center", fontsize=8)
    left.set_yticks(range(most + 1))
    left.set_ylim(-0.1, most + 0.9)
    left.set_xlabel("n, L (above: runs that do not arrive, %)")
    left.set_ylabel("queens that attack another, cost")
    sides = table.levels("n")
    groups = [_microseconds(table.where(n=n)) for n in sides]
    middle.boxplot(groups, showfliers=False, **_BOX)
    middle.set_xticks(range(1, len(sides) + 1), [str(n) for n in sides])
    middle.set_xlabel(_SIDE)
    middle.set_ylabel("CPU time of a run, µs")
    settings = {"t0": "T₀", "alpha": "α", "length": "L"}
    each = [(words, factor, level) for factor, words in settings.items() for level in table.levels(factor)]
    groups = [_microseconds(table.where(n=largest, **{factor: level})) for _, factor, level in each]
    right.boxplot(groups, showfliers=False, **_BOX)
    right.set_xticks(range(1, len(each) + 1), [f"{words} {level}" for words, _, level in each], rotation=60)
    right.set_ylabel("CPU time of a run, µs")
    for panel in (middle, right):
        panel.set_yscale("log")


def _microseconds(table: Table) -> list[float]:
    return [1e6 * float(row["seconds"]) for row in table.rows if not row["capped"]]


CALIBRATION = Study(
    "queens-calibration",
    "Which parameters suit annealing",
    "Success and cost of annealing over the grid of parameters of the source.",
    "The source's grid: first temperature, cooling factor, trials a temperature and n, 30 runs each, given up after 500 "
    "trials without a change. How many runs arrive, and how long do those take?",
    "The source picks a set for each n from box plots of the final cost (n = 8 and 25) and of the time: (5, 0.9, 1) below "
    "50 queens, (100, 0.9, 1) up to 200 and (5, 0.85, 15) above.",
    {
        "t0": (5, 10, 50, 100),
        "alpha": (0.99, 0.95, 0.9, 0.85),
        "length": (1, 2, 5, 10, 15, 20),
        "n": (8, 25, 50, 75, 100, 200, 300, 500),
    },
    {"t0": (5, 100), "alpha": (0.99, 0.85), "length": (1, 5, 20), "n": (8, 25, 100)},
    _calibrate,
    _conclude_calibration,
    _draw_calibration,
    repetitions=30,
    quick_repetitions=10,
)

# Cooling

_SCHEDULES: dict[str, dict[str, Any]] = {
    "geometric": {"t0": 5.0, "cooling": "geometric"},
    "linear": {"t0": 5.0, "cooling": "linear"},
    "logarithmic": {"t0": 5.0, "cooling": "logarithmic"},
    "logarithmic from 1": {"t0": 1.0, "cooling": "logarithmic"},
    "nothing worse": {"t0": 0.0, "cooling": "geometric"},
    "everything": {"t0": 1e9, "cooling": "logarithmic"},  # stays above 10⁷ for longer than any run lasts
}


def _cool(cell: Cell, seed: int) -> Cell:
    return _run(int(cell["n"]), seed, alpha=0.95, length=1, **_SCHEDULES[cell["cooling"]])


def _conclude_each(factor: str, name: str, sides: Sequence[int] | None = None) -> Any:
    """Sentences: a column for every level of a factor, at the sides given or at all."""

    def conclude(table: Table) -> list[str]:
        lines = []
        for n in table.levels("n"):
            if sides is None or n in sides:
                parts = [
                    f"{level}: {summary_text(rows.summary(name))}" for (level,), rows in table.where(n=n).by(factor)
                ]
                lines.append(f"n = {n:,}, median of the {name}. {'; '.join(parts)}.")
        for (level,), rows in table.by(factor):
            fit = growth(*_medians(rows, name))
            if fit:
                lines.append(f"{level}: {name} grow as n^{fit.power:.2f} (95 %: {fit.low:.2f} to {fit.high:.2f}).")
        return lines

    return conclude


def _draw_each(factor: str) -> Any:
    def draw(table: Table, axes: Axes) -> None:
        for k, ((level,), rows) in enumerate(table.by(factor)):
            draw_medians(axes, rows, "n", "trials", str(level), k)
        if any(row["capped"] for row in table.rows):
            name_capped(axes)
        _logarithmic(axes, "trials of a run: median, half of the runs")

    return draw


COOLING = Study(
    "queens-cooling",
    "Whether cooling matters",
    "Three cooling schedules compared.",
    "Geometric, linear and logarithmic cooling from T₀ = 5, and logarithmic from T₀ = 1. Beside them the two ends: a "
    "temperature of 0, at which nothing worse is ever accepted, and one at which everything is. How many trials does a run "
    "take? One that has made 10⁶ + 1000 n is stopped.",
    "The source describes the three schedules and uses the geometric one. As printed, its rule of acceptance takes every "
    "worsening, T₀/log(1 + i) has no value at i = 0, and T₀ − iβ falls below 0; here the rule has the other sign, the first "
    "is T₀/log(e + i) and the second ends at 0.",
    {"cooling": tuple(_SCHEDULES), "n": (8, 25, 100, 300, 1000, 3000, 10_000)},
    {"cooling": tuple(_SCHEDULES), "n": (8, 25, 100, 1000)},
    _cool,
    _conclude_each("cooling", "trials"),
    _draw_each("cooling"),
    repetitions=30,
    quick_repetitions=7,
)

# Swaps


def _swap(cell: Cell, seed: int) -> Cell:
    return _run(int(cell["n"]), seed, t0=5.0, alpha=0.95, length=1, swap=str(cell["swap"]), max_stall=10**9)


SWAP = Study(
    "queens-swap",
    "What the effective swap saves",
    "Three ways to choose a swap compared.",
    "The effective swap takes one queen from a diagonal in conflict; a random one takes any two; min-conflicts does as the "
    "first, looks at eight partners and takes the best, so its trial costs more. How many trials does a run take?",
    "The source takes the effective swap from Masehian and others (2013) and does not measure it against another.",
    {"swap": ("effective", "random", "min-conflicts"), "n": (8, 25, 50, 100, 200, 500, 1000, 2000)},
    {"swap": ("effective", "random", "min-conflicts"), "n": (8, 25, 100, 500)},
    _swap,
    _conclude_each("swap", "trials"),
    _draw_each("swap"),
    repetitions=30,
    quick_repetitions=10,
)

STUDIES = {one.name: one for one in (TIMES, CALIBRATION, COOLING, SWAP)}
