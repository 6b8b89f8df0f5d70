"""Studies of sliding tiles: the moves of the constructive methods against n, beside what is promised and what is worst."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablero.studies.design import Cell, Study
from tablero.studies.figures import look, panels
from tablero.studies.words import number, told

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tablero.studies.run import Table

_METHODS = ("table", "sides", "parberry", "transport", "carry")
_MOST_WORST = 12  # the exact worst case is computed up to this n: its time grows as n^6


def promised(bound: str, n: int) -> float:
    """What the thesis (theorem 2) and Parberry promise for n×n, from n = 4 on."""
    if bound == "thesis":
        return 5 * n**3 - 17 * n**2 / 2 + 31 * n / 2 - 71
    return 5 * n**3 - 9 * n**2 / 2 + 19 * n / 2 - 89


def _moves(cell: Cell, seed: int) -> Cell:
    """Moves on a random board; with the first repetition the exact worst case, which needs no board."""
    from tablero.puzzles.sliding.constructive import TILE_BY_TILE, construct
    from tablero.puzzles.sliding.generate import generate
    from tablero.puzzles.sliding.rules import tally
    from tablero.puzzles.sliding.worst import worst

    n, method = int(cell["n"]), str(cell["method"])
    moves, rules = construct(generate(n, seed=seed), method)
    row: Cell = {"moves": len(moves), "worst": None, "special": 0}
    if method == "table":
        counts = tally(rules)
        row["by_table"] = counts.get("table", 0)
        row["approach"] = counts.get("approach", 0)
        row["hierarchy"] = counts.get("hierarchy", 0)
        row["special"] = sum(moves for rule, moves in counts.items() if rule.startswith("special"))
    if cell["repetition"] == 0 and method in TILE_BY_TILE and n <= _MOST_WORST:
        row["worst"] = worst(n, method).moves
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
            f"{method}, n = {largest}: {told(one, ' moves')}{share}; mean {number(sum(values) / len(values))}."
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
    rules = table.where(method="table", n=largest).rows
    if rules:
        total = sum(int(row["moves"]) for row in rules)
        parts = [
            f"{words} {100 * sum(int(row[key]) for row in rules) / total:.2f} %"
            for key, words in (
                ("by_table", "the table of windows"),
                ("approach", "walks to a tile"),
                ("hierarchy", "the hierarchy"),
                ("special", "special cases 11 to 20"),
            )
        ]
        lines.append(f"Of the moves of table at n = {largest}: {', '.join(parts)}.")
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
    "Boards of n × n in a random order, solved by each method: the moves, beside the exact worst case over all boards (by a "
    "dynamic programme, with a board that attains it) and beside what the literature promises.",
    "Theorem 2 of the thesis promises at most 5n³ − 17n²/2 + 31n/2 − 71 moves (its own sum, with the true worst case of 31 "
    "for 3×3, is 3 less) where Parberry's method has 5n³ − 9n²/2 + 19n/2 − 89; Parberry (2015) finds 8/3·n³ in the mean.",
    {"method": _METHODS, "n": (4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20, 24, 32, 50, 100)},
    {"method": _METHODS, "n": (4, 5, 6, 8, 20, 40)},
    _moves,
    _conclude_moves,
    _draw_moves,
    repetitions=100,
    quick_repetitions=10,
)

STUDIES = {one.name: one for one in (MOVES,)}
