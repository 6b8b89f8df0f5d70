"""A study of the encodings of edge matching as exact cover: how large each is, and what each saving saves.

    border   options that put the border's colour elsewhere than on the border, or the reverse, are not made
    joins    conditions are made once a join instead of from both of its sides, and cells become items of their own
    turns    turns of a piece that look alike make one option

The ones are counted from the definition, without making the matrix, so that each saving can be taken by itself; what
`encode` makes, with and without the saving of joins, must agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from studies.design import Cell, Study
from studies.edges_search import SEEDS
from studies.figures import look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table
    from tablero.edges.puzzle import EdgePuzzle

ENCODINGS = ("1", "2", "xcc")
SAVINGS = ("none", "border", "joins", "turns", "all")
_NAMES = {"1": "first encoding", "2": "second encoding", "xcc": "coloured joins"}


def sizes_with(puzzle: EdgePuzzle, encoding: str, *, border: bool, joins: bool, turns: bool) -> tuple[int, int, int]:
    """Columns, rows and ones of an encoding with these savings."""
    import numpy as np

    board, shown, colours = puzzle.board, puzzle.turned, puzzle.colours
    cells, bits = board.cells, (2 * colours - 1).bit_length()
    made = np.ones((cells, len(shown)), bool)
    if turns:
        alike = np.ones(len(shown), bool)
        alike[puzzle.variants] = False
        made[:, alike] = False
    if border:
        made &= (board.border[:, None, :] == (shown == 0)[None, :, :]).all(axis=2)
    in_join = board.neighbours >= 0
    if encoding == "xcc":
        columns, ones = 2 * cells + len(board.joins), 2 + in_join.sum(axis=1)[:, None]
    elif not joins:
        # From both sides: on its own sides all colours but its own, or the code, and on the neighbours' what is left.
        columns = cells + 4 * cells * (colours if encoding == "1" else bits)
        per_cell = 1 + 4 * (colours - 1) + in_join.sum(axis=1) if encoding == "1" else np.full(cells, 1 + 4 * bits)
        ones = per_cell[:, None]
    else:
        columns = 2 * cells + len(board.joins) * (colours if encoding == "1" else bits)
        first = np.zeros_like(in_join)
        for cell, side, _, _ in board.joins:
            first[cell, side] = True
        if encoding == "1":
            ones = (2 + np.where(first, colours - 1, in_join).sum(axis=1))[:, None]
        else:
            code = np.bitwise_count(shown.astype(np.int64)).astype(np.int64) + 1  # one bit is always set
            later = in_join & ~first
            ones = 2 + first.astype(np.int64) @ code.T + later.astype(np.int64) @ (bits - code).T
    return columns, int(made.sum()), int((made * ones).sum())


def _sizes(cell: Cell, seed: int) -> Cell:
    from tablero.edges.encoding import sizes
    from tablero.edges.generating import generate

    side, colours, encoding, saving = int(cell["side"]), int(cell["colours"]), str(cell["encoding"]), cell["saving"]
    puzzle = generate(side, colours=colours - 1, seed=int(cell["repetition"]))
    taken = {one: saving in (one, "all") for one in ("border", "joins", "turns")}
    columns, rows, ones = sizes_with(puzzle, encoding, **taken)
    most = sizes(side, colours, encoding)
    bounds = {"most_columns": most.columns, "most_rows": most.rows, "most_ones_a_row": most.ones}
    return {"columns": columns, "rows": rows, "ones": ones, **bounds}


def _means_something(cell: Cell) -> bool:
    return not (cell["encoding"] == "xcc" and cell["saving"] == "joins")  # its joins are items once in any case


def _left(table: Table, saving: str, name: str) -> list[float]:
    """What a saving leaves of a size, in per cent, for each puzzle."""
    whole = {row["repetition"]: int(row[name]) for row in table.where(saving="none").rows}
    return [
        100 * int(row[name]) / whole[row["repetition"]]
        for row in table.where(saving=saving).rows
        if row["repetition"] in whole
    ]


def _conclude(table: Table) -> list[str]:
    lines: list[str] = []
    if not table.rows:
        return lines
    for (side, colours), rows in table.by("side", "colours"):
        if side in (4, 16) and colours in (5, 23) and {"1", "2"} <= set(rows.levels("encoding")):
            bounds = {one: rows.where(encoding=one).rows[0] for one in ("1", "2")}
            first, second = (bounds[one] for one in ("1", "2"))
            lines.append(
                f"{side}×{side}, {colours} colours: {int(first['most_columns']):,} columns of the first encoding, "
                f"{int(second['most_columns']):,} of the second; at most {int(first['most_rows']):,} rows, with at most "
                f"{first['most_ones_a_row']} and {second['most_ones_a_row']} ones."
            )
    side, colours = max(table.levels("side")), max(table.levels("colours"))
    for (encoding,), rows in table.where(side=side, colours=colours).by("encoding"):
        reported = []
        for saving in (one for one in SAVINGS if one != "none" and one in rows.levels("saving")):
            if left := _left(rows, saving, "ones"):
                low, middle, high = _three(left)
                reported.append(f"{saving} {middle:.1f} % ({low:.1f} to {high:.1f})")
        lines.append(
            f"{side}×{side}, {colours} colours, {_NAMES[encoding]}: of the ones are left, median and quartiles, by the "
            f"saving of {', '.join(reported)}."
        )
    few = table.where(side=min(table.levels("side")), colours=min(table.levels("colours")), encoding="1")
    left = _left(few, "turns", "rows")
    if not left:
        return lines
    turns = _three(left)
    lines.append(
        f"Turns that look alike are worth little but with few colours: on {few.rows[0]['side']}×{few.rows[0]['side']} with "
        f"{few.rows[0]['colours']} they leave {turns[1]:.1f} % of the rows ({turns[0]:.1f} to {turns[2]:.1f})."
    )
    return lines


def _three(values: list[float]) -> tuple[float, float, float]:
    from studies.statistics import summary

    reported = summary(values)
    return reported.low or 0.0, reported.median or 0.0, reported.high or 0.0


def _draw(table: Table, axes: Axes) -> None:
    side, colours = max(table.levels("side")), max(table.levels("colours"))
    rows = table.where(side=side, colours=colours)
    names = [one for one in SAVINGS if one != "none"]
    hatches = ("", "///", "xx")
    encodings = rows.levels("encoding")
    for k, encoding in enumerate(encodings):
        some = rows.where(encoding=encoding)
        places = [x for x, one in enumerate(names) if _left(some, one, "ones")]
        heights = [_three(_left(some, names[x], "ones"))[1] for x in places]
        at = [x + 0.26 * (k - (len(encodings) - 1) / 2) for x in places]
        bars = axes.bar(
            at, heights, 0.24, color=look(k)["color"], hatch=hatches[k], edgecolor="white", label=_NAMES[encoding]
        )
        axes.bar_label(bars, fmt="%.0f", padding=1, fontsize=8)
    axes.set_xticks(range(len(names)), names)
    axes.set_xlabel(f"saving, by itself and all together ({side}×{side}, {colours} colours)")
    axes.set_ylabel("ones left, % of those without savings")
    axes.set_ylim(0, 115)
    axes.grid(axis="x", visible=False)
    axes.legend(ncols=3, loc="upper left")


_BOARDS = {"side": (4, 8, 16), "colours": (3, 5, 9, 23), "encoding": ENCODINGS, "saving": SAVINGS}
ENCODED = Study(
    "edges-encodings",
    "How large edge matching is as exact cover",
    "Columns, rows and ones of three exact-cover encodings of edge matching.",
    "Columns, rows and ones of the two exact-cover encodings of the source and of one with coloured joins, for random "
    "puzzles from one pool; and what each saving leaves: rows that the border forbids are not made, conditions are "
    "made once a join, turns that look alike are made once.",
    "Table 7.4 gives columns, rows and ones a row at most, without savings: 336 and 272 columns for 4×4 with 5 "
    "colours, 23,808 and 6,400 for 16×16 with 23. It names three savings too.",
    _BOARDS,
    _BOARDS,
    _sizes,
    _conclude,
    _draw,
    repetitions=5,
    quick_repetitions=3,
    allows=_means_something,
    seeds=SEEDS,
)

STUDIES = {ENCODED.name: ENCODED}
