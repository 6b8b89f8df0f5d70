"""Studies of Sudoku: what the sweeps of the source solve, and what logic solves with more and more techniques."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studies.design import Cell, Study
from studies.figures import draw_shares, panels
from studies.statistics import Share, share
from studies.words import percent, summary_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table


def _share(table: Table, name: str) -> Share:
    return share(sum(bool(row[name]) for row in table.rows), len(table.rows))


# Sweeps

_CELLS = 81
_MOST_CLUES = {"easy": 40, "medium": 36, "hard": 32}  # such puzzles with more clues are too rare to be looked for


def _sweep(cell: Cell, seed: int) -> Cell:
    from tablero.sudoku.generating import generate
    from tablero.sudoku.sweeps import sweep

    puzzle = generate(rating=str(cell["rating"]), clues=int(cell["clues"]), seed=seed)
    found = sweep(puzzle)
    empty = puzzle.cells.count(0)
    return {"solved": found.solved, "sweeps": len(found.sweeps), "empty": empty, "filled": empty - found.cells.count(0)}


def _conclude_sweeps(table: Table) -> list[str]:
    lines = []
    for (rating,), rows in table.by("rating"):
        shares = [
            f"{percent(_share(part, 'solved'))} of {len(part.rows)} with {clues} clues{_more(part, int(clues))}"
            for (clues,), part in rows.by("clues")
        ]
        lines.append(f"{rating}: sweeps solve {', '.join(shares)}.")
        filled = [(clues, part.summary("filled"), part.summary("empty")) for (clues,), part in rows.by("clues")]
        clues, one, empty = filled[0]
        lines.append(
            f"{rating}, {clues} clues: sweeps fill {summary_text(one)} of {empty.median or 0:.0f} empty cells."
        )
    return lines


def _more(rows: Table, clues: int) -> str:
    """How many have more clues than was asked: where none can be taken away, that is all there is."""
    more = sum(_CELLS - int(row["empty"]) > clues for row in rows.rows)
    return f" ({more} of them with more)" if more else ""


def _draw_sweeps(table: Table, axes: Axes) -> None:
    for k, ((rating,), rows) in enumerate(table.by("rating")):
        clues = rows.levels("clues")
        draw_shares(axes, clues, [_share(rows.where(clues=one), "solved") for one in clues], str(rating), k)
    axes.set_xticks(sorted(table.levels("clues")))
    axes.set_ylim(-2, 102)
    axes.set_xlabel("clues asked for")
    axes.set_ylabel("puzzles that sweeps solve, %, and 95 % intervals")
    axes.legend(title="rating")


SWEEPS = Study(
    "sudoku-sweeps",
    "What sweeps solve",
    "The share of puzzles that the sweeps of the source solve.",
    "The method of the source: sweep the board and fill every cell whose row, column and box leave one digit, until a sweep "
    "fills nothing. Which part of generated puzzles does it solve, by their rating and their clues? A puzzle may have a "
    "clue more than was asked for, where none can be taken away.",
    "The source (Vásquez and Magallanes 2013) shows one example, of 41 clues, which sweeps solve (28, 11, 2 and 0 cells are "
    "left), and says of others that the method gets stuck. It does not say how often.",
    {"rating": tuple(_MOST_CLUES), "clues": (26, 28, 30, 32, 36, 40)},
    {"rating": tuple(_MOST_CLUES), "clues": (26, 28, 36)},
    _sweep,
    _conclude_sweeps,
    _draw_sweeps,
    repetitions=50,
    quick_repetitions=20,
    allows=lambda cell: int(cell["clues"]) <= _MOST_CLUES[cell["rating"]],
)

# Techniques

# Each set has all techniques up to a rating; the first is the source's, which has no rating.
SETS = (
    ("sweeps", 0.0),
    ("hidden singles", 1.5),
    ("singles, direct pairs", 2.3),
    ("locked candidates", 2.8),
    ("pairs, X-wing", 3.4),
    ("triplets, wings", 4.4),
    ("rectangles, quads", 5.7),
    ("chains", 7.5),
    ("all", 19.9),  # 20 is what none of them solves
)


def _rate(cell: Cell, seed: int) -> Cell:
    from tablero.sudoku.generating import generate
    from tablero.sudoku.rating import rate
    from tablero.sudoku.sweeps import sweep

    asked = cell["clues"]
    puzzle = generate(minimal=True, seed=seed) if asked == "fewest" else generate(clues=int(asked), seed=seed)
    rating = rate(puzzle)
    clues = sum(1 for digit in puzzle.cells if digit)
    return {
        "given": clues,
        "rating": rating.value,
        "word": rating.word,
        "technique": rating.technique,
        "sweeps": sweep(puzzle).solved,
    }


def solves(row: Cell, most: float) -> bool:
    """Whether the techniques up to a rating solve a puzzle; 0 stands for the sweeps."""
    return bool(row["sweeps"]) if most == 0 else float(row["rating"]) <= most


def _share_of(table: Table, most: float) -> Share:
    return share(sum(solves(row, most) for row in table.rows), len(table.rows))


def _conclude_techniques(table: Table) -> list[str]:
    lines = []
    for (clues,), rows in table.by("clues"):
        shares = ", ".join(f"{name} {percent(_share_of(rows, most))}" for name, most in SETS)
        given = rows.summary("given").median or 0
        lines.append(f"{clues} clues (median {given:.0f}), {len(rows.rows)} puzzles: solved by {shares}.")
        lines.append(f"{clues} clues: rating {summary_text(rows.summary('rating'))}.")
    return lines


def _draw_techniques(table: Table, axes: Axes) -> None:
    left, right = panels(axes, ("With techniques up to these", "Rating against clues"), width=5.4, one_scale=False)
    levels = table.levels("clues")
    places = range(len(SETS))
    for k, ((clues,), rows) in enumerate(table.by("clues")):
        draw_shares(left, places, [_share_of(rows, most) for _, most in SETS], str(clues), k)
    left.set_xticks(places, [name for name, _ in SETS], rotation=40, ha="right")
    left.set_ylim(-2, 102)
    left.set_ylabel("puzzles solved, %")
    left.legend(title="clues")
    groups = [[float(value) for value in table.where(clues=clues).values("rating")] for clues in levels]
    right.boxplot(groups, medianprops={"color": "#111827", "linewidth": 1.6}, flierprops={"markersize": 3})
    right.set_xticks(range(1, len(levels) + 1), [str(clues) for clues in levels])
    right.set_xlabel("clues")
    right.set_ylabel("rating, scale of Sudoku Explainer")


TECHNIQUES = Study(
    "sudoku-techniques",
    "What logic solves",
    "The share of puzzles that each set of techniques solves, by number of clues.",
    "Puzzles made at random with so many clues, or with the fewest (none can be taken away): the part that each set of "
    "techniques solves, where a set has all up to a rating, and how the rating depends on the clues.",
    "The source knows one technique, the cell that is left one digit. Nothing else is said of how far it goes.",
    {"clues": ("fewest", 24, 26, 28, 30, 32, 36)},
    {"clues": ("fewest", 28, 36)},
    _rate,
    _conclude_techniques,
    _draw_techniques,
    repetitions=200,
    quick_repetitions=30,
    version=2,
)

STUDIES = {one.name: one for one in (SWEEPS, TECHNIQUES)}
