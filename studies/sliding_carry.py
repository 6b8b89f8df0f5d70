"""The study of `carry`: how far below 8/3·n³ moves a blank gets that carries other tiles towards their places."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from studies.design import Cell, Study
from studies.figures import look, panels
from studies.statistics import growth
from studies.words import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table

_CHOOSING = "carry, choosing"
_METHODS = ("table", "parberry", "transport", "carry", _CHOOSING)
_EFFORT = 2  # of `carry, choosing`: eight ways for every tile, judged a tile later
_MOST_CHOOSING = 50  # n of it: ten times as long as `carry`
_FITTED = 12  # from this n on growth is fitted: below, the last 3×3 and the ends of lines are much of a board


def _carried(cell: Cell, seed: int) -> Cell:
    """Moves on a random board, by what they are for, and CPU seconds."""
    from tablero.sliding.constructive import construct
    from tablero.sliding.generating import generate
    from tablero.sliding.solution import tally

    n, method = int(cell["n"]), str(cell["method"])
    word, effort = ("carry", _EFFORT) if method == _CHOOSING else (method, 0)
    construct(generate(4, seed=1), word, effort=effort)  # compiled
    board = generate(n, seed=_board_seed(n, int(cell["repetition"])))
    began = time.thread_time()
    moves, rules = construct(board, word, effort=effort)
    seconds = time.thread_time() - began
    made = tally(rules)
    return {
        "moves": len(moves),
        "over": len(moves) / n**3,
        "manhattan": _manhattan(n, board.tiles),
        "approach": made.get("approach", 0),
        "carry": made.get("carry", 0),
        "seconds": seconds,
    }


def _board_seed(n: int, repetition: int) -> int:
    """Every method gets the same boards; none of those on which the numbers of `carry` were chosen (seeds 1 to 4)."""
    return 100_000 + 1000 * n + repetition


def _manhattan(n: int, tiles: tuple[int, ...]) -> int:
    """What all tiles have to go at least."""
    board = np.array(tiles)
    cells = np.flatnonzero(board)
    homes = board[cells] - 1
    return int((abs(cells // n - homes // n) + abs(cells % n - homes % n)).sum())


def _limit(rows: Table) -> tuple[float, float] | None:
    """a and b of moves = a·n³ + b·n², by least squares over the boards from n = 12 on."""
    points = [(int(row["n"]), float(row["over"])) for row in rows.rows if int(row["n"]) >= _FITTED]
    if len({n for n, _ in points}) < 2:
        return None
    slope, start = np.polyfit([1 / n for n, _ in points], [over for _, over in points], 1)
    return float(start), float(slope)


def _useful(rows: Table) -> float:
    """The part of the moves that bring a tile nearer: those that lead it away are as many less the distance at first."""
    moves, distance = (sum(int(row[name]) for row in rows.rows) for name in ("moves", "manhattan"))
    return (moves + distance) / (2 * moves)


def _conclude(table: Table) -> list[str]:
    lines = []
    for (method,), rows in table.by("method"):
        largest = max(rows.levels("n"))
        some = rows.where(n=largest)
        one = some.summary("over")
        if one.median is not None and one.low is not None and one.high is not None:
            lines.append(
                f"{method}, n = {largest}: {one.median:.3f}·n³ moves (half of the boards {one.low:.3f} to "
                f"{one.high:.3f}), {100 * _useful(some):.0f} % of which bring a tile nearer to its place."
            )
        large = [row for row in rows.rows if int(row["n"]) >= _FITTED]
        fit = growth([int(row["n"]) for row in large], [int(row["moves"]) for row in large])
        limit = _limit(rows)
        if fit and limit:
            sign = "+" if limit[1] >= 0 else "−"
            lines.append(
                f"{method}: from n = {_FITTED} on moves grow as n^{fit.power:.3f} (95 %: {fit.low:.3f} to {fit.high:.3f}), "
                f"and {limit[0]:.2f}·n³ {sign} {abs(limit[1]):.1f}·n² fits them."
            )
    carried = table.where(method="carry")
    largest = max(carried.levels("n"))
    some = carried.where(n=largest)
    moves, led, bore = (sum(int(row[name]) for row in some.rows) for name in ("moves", "approach", "carry"))
    lines.append(
        f"Of the moves of carry at n = {largest}, {100 * led / moves:.0f} % lead the blank to a tile, "
        f"{100 * bore / moves:.0f} % bring the tile in hand to its place; both carry others on the way."
    )
    took = some.summary("seconds").median
    fit = growth([int(row["n"]) for row in carried.rows], [float(row["seconds"]) for row in carried.rows])
    if took is not None:
        grows = f", and time grows as n^{fit.power:.1f}" if fit else ""
        lines.append(f"At n = {largest} carry takes {number(took)} s of CPU time{grows}.")
    return lines


def _draw(table: Table, axes: Axes) -> None:
    left, right = panels(
        axes, ("Moves: median, half of the boards", "Moves that bring a tile nearer"), width=5.4, one_scale=False
    )
    for k, ((method,), rows) in enumerate(table.by("method")):
        ns = [int(n) for n in rows.levels("n")]
        known = [rows.where(n=n).summary("over") for n in ns]
        left.plot(ns, [one.median or 0 for one in known], label=method, **look(k))
        left.fill_between(
            ns, [one.low or 0 for one in known], [one.high or 0 for one in known], alpha=0.18, color=look(k)["color"]
        )
        right.plot(ns, [100 * _useful(rows.where(n=n)) for n in ns], label=method, **look(k))
    left.axhline(8 / 3, color="#111827", linestyle=":", linewidth=1, label="8/3, Parberry 2015")
    left.axhline(2 / 3, color="#111827", linestyle="--", linewidth=1, label="2/3, Manhattan distance")
    ns = [int(n) for n in table.levels("n")]
    for one, label in ((left, "moves / n³"), (right, "part of all moves, %")):
        one.set_xscale("log")
        one.set_xticks(ns, [str(n) for n in ns], minor=False)
        one.set_xticks([], minor=True)
        one.set_xlabel("n, board of n × n")
        one.set_ylabel(label)
    left.set_ylim(0, 3.4)
    left.legend(ncols=2, loc="upper left", fontsize=8)
    right.legend(fontsize=8, loc="center right")


CARRY = Study(
    "sliding-carry",
    "How many moves a blank saves that carries other tiles along",
    "Moves of `carry` and of greedy methods on the same random boards.",
    "The method `carry` beside greedy ones on the same random boards of n × n: moves over n³, what they are for, CPU time. "
    "`carry, choosing` places every tile in eight ways and keeps the best, judged when the next tile is placed too.",
    "Parberry (2015) finds 8/3·n³ moves in the mean for the greedy method of 1995, and no published constructive method was "
    "found that makes fewer in the leading term; the sum of Manhattan distances, which no answer can be below, is 2/3·n³.",
    {"method": _METHODS, "n": (6, 8, 12, 20, 32, 50, 70, 100)},
    {"method": _METHODS, "n": (6, 8, 12, 20, 32)},
    _carried,
    _conclude,
    _draw,
    repetitions=12,
    quick_repetitions=4,
    allows=lambda cell: cell["method"] != _CHOOSING or int(cell["n"]) <= _MOST_CHOOSING,
    seeds="The board of a cell has the seed 100,000 + 1000·n + repetition: every method gets the same ones, and none of "
    "those on which the numbers of `carry` were chosen.",
)

STUDIES = {CARRY.name: CARRY}
