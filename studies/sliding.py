"""Studies of sliding tiles: the moves of the constructive methods against n, beside what is promised and what is worst."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from studies.design import Cell, Study
from studies.figures import look, panels
from studies.statistics import share
from studies.words import number, percent, summary_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table
    from tablero.sliding.verbs import TileByTile

_METHODS = ("table", "sides", "parberry", "transport", "carry")
_MOST_WORST = 12  # the exact worst case is computed up to this n: its time grows as n^6


def promised(bound: str, n: int) -> float:
    """What the thesis (theorem 2) and Parberry promise for n×n, from n = 4 on."""
    if bound == "thesis":
        return 5 * n**3 - 17 * n**2 / 2 + 31 * n / 2 - 71
    return 5 * n**3 - 9 * n**2 / 2 + 19 * n / 2 - 89


def _moves(cell: Cell, seed: int) -> Cell:
    """Moves on a random board; with the first repetition the exact worst case, which needs no board."""
    from tablero.sliding.constructive import TILE_BY_TILE, construct
    from tablero.sliding.generating import generate
    from tablero.sliding.verbs import worst

    n, method = int(cell["n"]), str(cell["method"])
    row: Cell = {"moves": len(construct(generate(n, seed=seed), method)[0]), "worst": None}
    if cell["repetition"] == 0 and method in TILE_BY_TILE and n <= _MOST_WORST:
        row["worst"] = worst(n, method=cast("TileByTile", method)).moves
    return row


def _worst(table: Table) -> dict[int, int]:
    """The exact worst case by n, where it was computed."""
    return {int(row["n"]): int(row["worst"]) for row in table.rows if row.get("worst") is not None}


def _conclude_moves(table: Table) -> list[str]:
    lines = []
    largest = max(table.levels("n"))
    for (method,), rows in table.where(n=largest).by("method"):
        one = rows.summary("moves")
        share = "" if one.median is None else f", {one.median / largest**3:.2f}·n³"
        values = [float(value) for value in rows.values("moves")]
        lines.append(
            f"{method}, n = {largest}: {summary_text(one, ' moves')}{share}; mean {number(sum(values) / len(values))}."
        )
    for method, bound in (("table", "thesis"), ("parberry", "parberry")):
        exact = _worst(table.where(method=method))
        if exact:
            slack = [f"{most:,} of {number(promised(bound, n), 6)} (n = {n})" for n, most in exact.items()]
            over = [n for n, most in exact.items() if most > promised(bound, n)]
            lines.append(f"{method}: the exact worst cases, and what is promised: {'; '.join(slack)}.")
            lines.append(
                f"{method}: the promise is broken at n = {over}."
                if over
                else f"{method}: no worst case is above its bound."
            )
    exact = _worst(table.where(method="table"))
    fits = [n for n, most in exact.items() if n >= 5 and most == 5 * n**3 - 10 * n**2 + 9 * n - 46]
    if fits:
        lines.append(f"The worst case of table is 5n³ − 10n² + 9n − 46 at n = {', '.join(map(str, fits))}.")
    return lines


def _draw_moves(table: Table, axes: Axes) -> None:
    """Everything in parts of n³, so that what differs is seen."""
    left, right = panels(
        axes, ("Random boards: median, half of them", "Exact worst cases, and bounds"), width=5.4, one_scale=False
    )
    for k, ((method,), rows) in enumerate(table.by("method")):
        known = [(int(n), rows.where(n=n).summary("moves")) for n in rows.levels("n")]
        ns = [n for n, _ in known]
        left.plot(ns, [(one.median or 0) / n**3 for n, one in known], label=method, **look(k))
        low = [(one.low or 0) / n**3 for n, one in known]
        high = [(one.high or 0) / n**3 for n, one in known]
        left.fill_between(ns, low, high, alpha=0.18, color=look(k)["color"])
        if exact := _worst(rows):
            right.plot(list(exact), [most / n**3 for n, most in exact.items()], label=method, **look(k))
    ns = sorted(n for n in table.levels("n") if n <= _MOST_WORST)
    for bound, style in (("thesis", "-"), ("parberry", "--")):
        name = "bound of the thesis" if bound == "thesis" else "bound of Parberry"
        right.plot(
            ns, [promised(bound, n) / n**3 for n in ns], color="#111827", linestyle=style, linewidth=1, label=name
        )
    left.axhline(8 / 3, color="#111827", linestyle=":", linewidth=1, label="8/3, Parberry 2015")
    left.set_xscale("log")
    sides = [n for n in table.levels("n") if n in (4, 6, 8, 12, 20, 40, 50, 100)]
    left.set_xticks(sides, [str(n) for n in sides], minor=False)
    left.set_xticks([], minor=True)
    right.set_xticks(sorted(n for n in table.levels("n") if n <= _MOST_WORST))
    for one in (left, right):
        one.set_xlabel("n, board of n × n")
        one.set_ylabel("moves / n³")
    left.set_ylim(bottom=0)
    left.legend(ncols=2, loc="lower right")
    right.legend(ncols=2, loc="lower right")


MOVES = Study(
    "sliding-moves",
    "How many moves the constructive methods make",
    "Moves of the constructive methods beside the exact worst case and the proven bound.",
    "Boards of n × n in a random order, solved by each method: the moves, beside the exact worst case over all boards (by a "
    "dynamic programme, with a board that attains it) and beside what the literature promises.",
    "Theorem 2 of the thesis promises at most 5n³ − 17n²/2 + 31n/2 − 71 moves (its own sum, with the true worst case of 31 "
    "for 3×3, is 3 less) where Parberry's method has 5n³ − 9n²/2 + 19n/2 − 89; Parberry (2015) finds 8/3·n³ in the mean.",
    {"method": _METHODS, "n": (4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20, 24, 32, 50, 100)},
    {"method": _METHODS, "n": (4, 5, 6, 8, 20, 32)},
    _moves,
    _conclude_moves,
    _draw_moves,
    repetitions=40,
    quick_repetitions=10,
    version=2,
)


# The table of cases

_SHARED = {
    "table": "table of windows",
    "approach": "walks to a tile",
    "hierarchy": "hierarchy",
    "last pair": "last pair",
}
_SPECIAL = tuple(range(11, 21))


def _cases(cell: Cell, seed: int) -> Cell:
    """Moves that each rule of `table` makes, and how often each of the special cases is met."""
    from tablero.sliding.constructive import construct
    from tablero.sliding.generating import generate
    from tablero.sliding.solution import RULES, runs, tally

    n = int(cell["n"])
    moves, rules = construct(generate(n, seed=seed), "table")
    made, met = tally(rules), [RULES[rule][0] for rule, _ in runs(rules) if rule in _SPECIAL]
    return {
        "moves": len(moves),
        "lines": 2 * (n - 3),  # rows and columns that are laid before the last 3×3
        **{rule.replace(" ", "_"): made.get(rule, 0) for rule in _SHARED},
        "special": sum(made.get(f"special case {case}", 0) for case in _SPECIAL),
        **{f"case_{case}": met.count(f"special case {case}") for case in _SPECIAL},
    }


def _conclude_cases(table: Table) -> list[str]:
    lines = []
    largest = max(table.levels("n"))
    rows = table.where(n=largest).rows
    total = sum(int(row["moves"]) for row in rows)
    shares = {words: sum(int(row[rule.replace(" ", "_")]) for row in rows) for rule, words in _SHARED.items()}
    shares["special cases 11 to 20"] = sum(int(row["special"]) for row in rows)
    told_shares = ", ".join(f"{words} {100 * made / total:.3g} %" for words, made in shares.items())
    lines.append(f"Of the moves at n = {largest}, all boards together: {told_shares}.")
    everything = table.rows
    laid = sum(int(row["lines"]) for row in everything)
    met = {case: sum(int(row[f"case_{case}"]) for row in everything) for case in _SPECIAL}
    lines.append(
        f"How often each special case was met while {laid:,} lines were laid on {len(everything):,} boards: "
        f"{', '.join(f'case {case} {number}' for case, number in met.items())}."
    )
    one = share(sum(met.values()), laid)
    lines.append(f"So a line meets one with a chance of {percent(one)}.")
    return lines


def _draw_cases(table: Table, axes: Axes) -> None:
    left, right = panels(axes, ("Who makes the moves", "How often each case is met"), width=5.4, one_scale=False)
    ns = [int(n) for n in table.levels("n")]
    names = {**_SHARED, "special": "cases 11 to 20"}
    for k, (rule, words) in enumerate(names.items()):
        parts = []
        for n in ns:
            rows = table.where(n=n).rows
            made = sum(int(row[rule.replace(" ", "_")]) for row in rows)
            parts.append(100 * made / sum(int(row["moves"]) for row in rows) or math.nan)
        left.plot(ns, parts, label=words, **look(k))
    left.set_xscale("log")
    left.set_yscale("log")
    left.set_xticks(ns, [str(n) for n in ns], minor=False)
    left.set_xticks([], minor=True)
    left.set_xlabel("n, board of n × n")
    left.set_ylabel("part of all moves, %")
    left.legend(fontsize=8)
    laid = sum(int(row["lines"]) for row in table.rows)
    rate = [1000 * sum(int(row[f"case_{case}"]) for row in table.rows) / laid for case in _SPECIAL]
    bars = right.bar(range(len(_SPECIAL)), rate, 0.7, color=look(0)["color"])
    right.bar_label(bars, fmt="%.2g", padding=1, fontsize=8)
    right.set_xticks(range(len(_SPECIAL)), [str(case) for case in _SPECIAL])
    right.set_xlabel("special case (11 to 14 and 19 of rows, the others of columns)")
    right.set_ylabel("met in a thousand lines")
    right.grid(axis="x", visible=False)


CASES = Study(
    "sliding-cases",
    "Which cases the table of the thesis meets",
    "How often each rule and each special case of the thesis is used.",
    "The method `table` on random boards: how many of its moves each rule makes, and how often each of the special cases "
    "11 to 20 is met, which free the last tile of a row or column.",
    "The thesis lists the 12 positions of a 2×2 window (its table 3.1). Where no window helps there is a hierarchy, with "
    "twenty special cases (section 3.4, figures 3.13 to 3.17), of which 1 to 10 come to going round the other way. It does "
    "not say how often each is met.",
    {"n": (4, 5, 6, 8, 12, 16, 24, 32, 50)},
    {"n": (4, 6, 8, 16, 24)},
    _cases,
    _conclude_cases,
    _draw_cases,
    repetitions=100,
    quick_repetitions=20,
)

STUDIES = {one.name: one for one in (MOVES, CASES)}
