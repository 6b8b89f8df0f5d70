"""Studies of edge matching that count and search nothing: kinds of pieces, the space of boards, expected nodes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from studies.design import NO_CHANCE, Cell, Study
from studies.figures import look, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table
    from tablero.edges.puzzle import EdgePuzzle

_FRAME_COLOURS = 5  # as Eternity II has them


def _kinds(cell: Cell, seed: int) -> Cell:
    """Corner, border and inner pieces of a square board with a frame."""
    side = int(cell["side"])
    corner, border, inner = 4, 4 * (side - 2), (side - 2) ** 2
    return {"pieces": side * side, "corner": corner, "border": border, "inner": inner}


def _conclude_kinds(table: Table) -> list[str]:
    first = next((row for row in table.rows if int(row["inner"]) > int(row["corner"]) + int(row["border"])), None)
    if first is None:
        return []
    last = table.rows[-1]
    share = int(last["inner"]) / int(last["pieces"])
    return [
        f"Inner pieces are more than those of the contour from {first['pieces']} pieces on.",
        f"On {last['side']}×{last['side']} they are {100 * share:.1f} % of all.",
    ]


def _draw_kinds(table: Table, axes: Axes) -> None:
    pieces = [int(value) for value in table.values("pieces")]
    for k, kind in enumerate(("corner", "border", "inner")):
        shares = [100 * int(row[kind]) / int(row["pieces"]) for row in table.rows]
        axes.plot(pieces, shares, label=kind, **look(k))
    axes.set_xlabel("pieces")
    axes.set_ylabel("share, %")
    axes.set_ylim(0, 100)
    axes.legend()


PIECES = Study(
    "edges-pieces",
    "Which pieces a board has",
    "The numbers of corner, border and inner pieces for each size of board.",
    "A square board with a frame has four corners, a border, and pieces inside. How many of each there are decides how "
    "much the frame helps.",
    "The source remarks that inner pieces exceed those of the contour from 49 pieces on.",
    {"side": tuple(range(2, 25))},
    {"side": tuple(range(2, 25))},
    _kinds,
    _conclude_kinds,
    _draw_kinds,
    seeds=NO_CHANCE,
)


def critical_colours(side: int, frame_colours: float | None = None) -> float:
    """The number of inner colours at which one solution is expected, turns aside; None: single pool."""
    low, high = 1.0, 1000.0
    for _ in range(100):
        middle = (low + high) / 2
        expected = _expected_solutions(side, frame_colours or middle, middle) - math.log10(4)
        low, high = (middle, high) if expected > 0 else (low, middle)
    return low


def _expected_solutions(side: int, frame_colours: float, inner_colours: float) -> float:
    """log₁₀ of E for random n×n puzzles with a border, boards turned counted apart."""
    inner, rim = (side - 2) ** 2, 4 * (side - 2)
    ln = math.lgamma(5) + math.lgamma(rim + 1) + math.lgamma(inner + 1) + inner * math.log(4)
    ln -= 4 * (side - 1) * math.log(frame_colours) + 2 * (side - 1) * (side - 2) * math.log(inner_colours)
    return ln / math.log(10)


def _space(cell: Cell, seed: int) -> Cell:
    """Powers of ten: ways to lay all pieces, any anywhere and each kind where it belongs; nodes that a scan should visit.

    There are as many colours as let the simple count expect one solution.  That takes every join to match with a chance of
    one in the number of colours.  A puzzle has so many sides of each colour, and given these more solutions and more nodes
    are expected: these are told for a puzzle whose colours are spread evenly over the board.
    """
    from tablero.edges.estimating import owen
    from tablero.edges.generating import generate

    side = int(cell["side"])
    pool, inside = (max(1, round(critical_colours(side, frame))) for frame in (None, _FRAME_COLOURS))
    single = generate(side, colours=pool, even=True)
    framed = generate(side, framed=(_FRAME_COLOURS, inside), even=True)
    n, border, inner = side * side, 4 * (side - 2), (side - 2) ** 2

    def digits(number: int) -> float:
        return math.lgamma(number + 1) / math.log(10)

    anywhere = n * math.log10(4) + digits(n)
    by_kind = digits(4) + digits(border) + digits(inner) + inner * math.log10(4)
    return {
        "pieces": n,
        "anywhere": round(anywhere, 4),
        "by_kind": round(by_kind, 4),
        "inner_colours": pool,
        "solutions": round(owen(single) - math.log10(4), 4),
        "nodes": round(mean_field_nodes(single), 4),
        "simple_nodes": round(simple_nodes(side, pool), 4),
        "framed_inner_colours": inside,
        "framed_solutions": round(owen(framed) - math.log10(4), 4),
        "framed_nodes": round(mean_field_nodes(framed), 4),
    }


def mean_field_nodes(puzzle: EdgePuzzle, order: Sequence[int] | None = None) -> float:
    """log₁₀ of the partial boards of a scan, by rows or in another order, if joins match independently.

    Sides are drawn with replacement.

    `tablero edges estimate` draws them without replacement, which is closer (see docs/edges.md).
    """
    matching = []  # log₁₀ of the chance that two sides show one colour, along the frame and inside
    for along in (True, False):
        sides = Counter(
            colour
            for row in puzzle.pieces.tolist()
            for side, colour in enumerate(row)
            if colour and (row[side - 1] == 0 or row[(side + 1) % 4] == 0) == along
        )
        total = sides.total()
        matching.append(math.log10(sum((n / total) ** 2 for n in sides.values())) if total else 0.0)
    borders = [int(row.sum()) for row in puzzle.board.border]
    left = Counter(borders)
    boards, depths = 0.0, []
    filled: set[int] = set()
    for cell in range(len(borders)) if order is None else order:
        border = borders[cell]
        boards += math.log10(left[border] * (1 if border else 4))
        left[border] -= 1
        for across in puzzle.board.neighbours[cell].tolist():
            if across >= 0 and across // 4 in filled:
                boards += matching[0 if border and borders[across // 4] else 1]
        filled.add(cell)
        depths.append(boards)
    return max(depths) + math.log10(sum(10 ** (depth - max(depths)) for depth in depths))


def simple_nodes(side: int, colours: int) -> float:
    """log₁₀ of the partial boards of a scan by rows, if every join matches with a chance of one in the number of colours."""
    left = {0: (side - 2) ** 2, 1: 4 * (side - 2), 2: 4}  # pieces, by how many of their sides lie at the border
    boards, depths = 0.0, []
    for row in range(side):
        for column in range(side):
            kind = (row in (0, side - 1)) + (column in (0, side - 1))
            boards += math.log10(left[kind] * (1 if kind else 4)) - ((row > 0) + (column > 0)) * math.log10(colours)
            left[kind] -= 1
            depths.append(boards)
    return max(depths) + math.log10(sum(10 ** (depth - max(depths)) for depth in depths))


def _conclude_space(table: Table) -> list[str]:
    lines = []
    for row in table.rows:
        if row["side"] in (4, 8, 16):
            lines.append(
                f"{row['side']}×{row['side']}: 10^{float(row['anywhere']):.2f} ways if any piece may lie anywhere, "
                f"10^{float(row['by_kind']):.2f} with each kind in its place; 10^{float(row['nodes']):.1f} nodes expected "
                f"of a scan with {row['inner_colours']} inner colours (10^{float(row['simple_nodes']):.1f} by the simple "
                f"count), 10^{float(row['framed_nodes']):.1f} with {_FRAME_COLOURS} along the frame and "
                f"{row['framed_inner_colours']} inside."
            )
    given = [
        f"10^{float(row['solutions']):.1f} for {row['side']}×{row['side']} with {row['inner_colours']} inner colours"
        for row in table.rows
        if row["side"] in (4, 8, 16)
    ]
    lines.append(
        "These are the numbers of colours at which the simple count expects about one solution up to turning. It does not "
        "look at how many sides of each colour there are; given these, Owen's count expects more: "
        + ", ".join(given)
        + "."
    )
    return lines


def _draw_space(table: Table, axes: Axes) -> None:
    left, right = panels(
        axes, ("Ways to lay all pieces", "Nodes expected of a scan by rows"), width=5.0, one_scale=False
    )
    pieces = [int(value) for value in table.values("pieces")]
    lines = {
        "anywhere": (left, 0, "4^N · N!"),
        "by_kind": (left, 1, "each kind in its place"),
        "nodes": (right, 0, "one pool of colours"),
        "framed_nodes": (right, 1, f"{_FRAME_COLOURS} colours along the frame"),
    }
    for name, (panel, k, label) in lines.items():
        panel.plot(pieces, [float(value) for value in table.values(name)], label=label, **look(k))
    for panel in (left, right):
        panel.set_xlabel("pieces")
        panel.set_ylabel("number, as a power of ten")
        panel.legend()


SPACE = Study(
    "edges-space",
    "How large the space of boards is",
    "The size of the search space, and the nodes that a row scan is expected to visit.",
    "All ways to lay N pieces on a square board: 4^N · N! if each may lie anywhere and be turned; fewer where corners, "
    "border pieces and inner pieces keep to their places, of which only the inner ones can be turned. Beside them the nodes "
    "that a scan by rows is expected to visit, at the number of colours where the simple count, in which every join matches "
    "with a chance of one in that number, expects one solution up to turning. The nodes are those of the mean-field count "
    "given how many sides of each colour a puzzle has whose colours are spread evenly over the board.",
    "The source prints 2·10^660 for 16×16 with any piece anywhere, and misprints the number by kinds. Owen puts a good "
    "backtracker at about 10^47 nodes.",
    {"side": tuple(range(3, 21))},
    {"side": tuple(range(3, 21))},
    _space,
    _conclude_space,
    _draw_space,
    seeds=NO_CHANCE,
    version=3,
)

STUDIES = {one.name: one for one in (PIECES, SPACE)}
