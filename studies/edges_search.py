"""How hard edge matching is: nodes by size and colours; and what studies of the search for a board share.

The puzzle of repetition k is that of `tablero edges generate … --seed k`, so that methods and workers meet the same
puzzles.  Colours are counted with the border, as the source does: with two, all joins are alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from studies import words
from studies.design import Cell, Study
from studies.edges import mean_field_nodes
from studies.figures import draw_medians, legend_aside, look, panels
from tablero.text import several

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table
    from tablero.edges.puzzle import EdgePuzzle

SINGLE, FRAMED = "single", "framed"
GENERATORS = (SINGLE, FRAMED)
WORDS = {SINGLE: "one pool of colours", FRAMED: "colours of its own along the frame"}
_MOST_NODES = 300_000_000
SEEDS = "The seed of a puzzle is the number of the repetition: `tablero edges generate … --seed K`."


def most_colours(side: int) -> int:
    """1 + 2(N − √N): every join another colour, and the border."""
    return 1 + 2 * side * (side - 1)


def pools(side: int, colours: int) -> tuple[int, int]:
    """How many colours the frame gets and how many the inside, in Eternity II's proportion of 5 to 17."""
    inner = colours - 1
    room_in_frame, room_inside = 4 * (side - 1), 2 * (side - 1) * (side - 2)
    frame = min(max(1, round(inner * 5 / 22)), room_in_frame)
    frame = max(frame, inner - room_inside)
    return frame, inner - frame


def puzzle_of(side: int, colours: int, generator: str, seed: int) -> EdgePuzzle:
    """A puzzle with so many colours, the border's included."""
    from tablero.edges.generating import generate

    if generator == FRAMED:
        return generate(side, framed=pools(side, colours), seed=seed)
    return generate(side, colours=colours - 1, seed=seed)


# How many nodes


def _foreseen(puzzle: EdgePuzzle) -> float:
    """log₁₀ of the nodes that theory expects before the first solution.

    The mean-field count has all nodes of the tree.  One corner piece is held, so a quarter of them is searched, in which
    the planted solution lies and a quarter of those expected by chance.  Of S solutions scattered at random the first comes
    after a part of 1 in S + 1.
    """
    from tablero.edges.estimating import owen

    nodes = mean_field_nodes(puzzle) - math.log10(4)
    chance = max(owen(puzzle) - math.log10(4), -300.0)
    before = nodes - (chance + math.log10(1 + 2 * 10**-chance) if chance > 0 else math.log10(2 + 10**chance))
    return math.log10(10**before + puzzle.board.cells)


def _difficulty(cell: Cell, seed: int) -> Cell:
    from tablero.edges.solving import solve
    from tablero.runs.run import Here

    side, colours = int(cell["side"]), int(cell["colours"])
    puzzle = puzzle_of(side, colours, str(cell["generator"]), int(cell["repetition"]))
    found = solve(puzzle, method="scan", order="rows", alike=False, run=Here(node_limit=_MOST_NODES))
    return {"nodes": found.nodes, "foreseen": round(_foreseen(puzzle), 3), "capped": found.status != "solved"}


def has_room(cell: Cell) -> bool:
    least = 3 if cell.get("generator") == FRAMED else 2
    return least <= int(cell["colours"]) <= most_colours(int(cell["side"]))


def peak(table: Table, name: str) -> tuple[int, Table]:
    """The number of colours with the largest median, one that stopped runs hide being the largest; with its runs."""

    def height(entry: tuple[int, Table]) -> tuple[float, int]:
        reported = entry[1].summary(name)
        return (math.inf if reported.median is None else reported.median, reported.capped)

    return max(((int(colours), rows) for (colours,), rows in table.by("colours")), key=height)


def _foreseen_peak(table: Table) -> int:
    def height(entry: tuple[tuple[Any, ...], Table]) -> float:
        return entry[1].summary("foreseen").median or 0.0

    # What theory foresees is known of runs that were stopped, too.
    plain = type(table)(table.study, tuple({**row, "capped": False} for row in table.rows))
    return int(max(plain.by("colours"), key=height)[0][0])


def _conclude_difficulty(table: Table) -> list[str]:
    lines = []
    for (generator,), rows in table.by("generator"):
        peaks, heights = [], []
        for (side,), some in rows.by("side"):
            colours, hardest = peak(some, "nodes")
            reported = hardest.summary("nodes")
            height = math.inf if reported.median is None else reported.median
            if height > 4 * side * side:  # else it hardly stands out
                heights.append((colours, height))
            peaks.append(
                f"{side}×{side} {colours} colours, nodes {words.summary_text(reported)}, foreseen {_foreseen_peak(some)}"
            )
        lines.append(f"With {WORDS[generator]} the peak is at: {'; '.join(peaks)}.")
        if len(heights) > 1:
            up = all(two[1] >= one[1] for one, two in pairwise(heights))
            right = heights[-1][0] > heights[0][0] and all(two[0] >= one[0] for one, two in pairwise(heights))
            lines.append(
                f"Where there is more than a trace of it, it moves {'up' if up else 'not always up'} and "
                f"{'to the right' if right else 'not always to the right'} with the size of the board."
            )
    lines += [_error(where, errors, capped) for where, (errors, capped) in by_region(table).items() if errors]
    return lines + words.stopped_after(table.rows, f"{_MOST_NODES:,} nodes")


BELOW, ABOUT, BEYOND = (
    "with fewer colours than at the peak that theory foresees",
    "from that peak to twice as many colours",
    "with yet more colours, or with joins that are all alike",
)


def by_region(table: Table) -> dict[str, tuple[list[float], list[bool]]]:
    """log₁₀ of nodes measured over nodes foreseen, and whether that is a bound only, where theory is differently good.

    Most puzzles have many colours and are trivial, for the search as for theory: all in one they would hide the others.
    """
    found: dict[str, tuple[list[float], list[bool]]] = {words: ([], []) for words in (BELOW, ABOUT, BEYOND)}
    for (generator, _), rows in table.by("generator", "side"):
        summit, alike = _foreseen_peak(rows), 3 if generator == FRAMED else 2
        for row in rows.rows:
            colours = int(row["colours"])
            where = BEYOND if colours == alike or colours >= 2 * summit else BELOW if colours < summit else ABOUT
            found[where][0].append(math.log10(max(int(row["nodes"]), 1)) - float(row["foreseen"]))
            found[where][1].append(bool(row["capped"]))
    return found


def _error(where: str, errors: list[float], capped: list[bool]) -> str:
    """Of runs that were stopped a bound is known: with that, and with more than all others, it is told on both sides."""
    beyond = [math.inf if stopped else error for error, stopped in zip(errors, capped, strict=True)]

    def part(share: float) -> str:
        low, high = (sorted(values)[round(share * (len(values) - 1))] for values in (errors, beyond))
        text = f"10^{low:.2f}"
        if math.isinf(high):
            return f"more than {text}"
        return text if f"10^{high:.2f}" == text else f"{text} to 10^{high:.2f}"

    largest = max(range(len(errors)), key=errors.__getitem__)
    most = f"{'more than ' if capped[largest] else ''}10^{errors[largest]:.2f}"
    stopped = f", {sum(capped)} of which {'was' if sum(capped) == 1 else 'were'} stopped" if any(capped) else ""
    return (
        f"Nodes measured over nodes foreseen {where}: median {part(0.5)}, quartiles {part(0.25)} and {part(0.75)}, from "
        f"10^{min(errors):.2f} to {most}, of {several(len(errors), 'run')}{stopped}."
    )


def _draw_difficulty(table: Table, axes: Axes) -> None:
    generators = table.levels("generator")
    made = panels(axes, [WORDS[one] for one in generators])
    for panel, generator in zip(made, generators, strict=True):
        for k, ((side,), rows) in enumerate(table.where(generator=generator).by("side")):
            draw_medians(panel, rows, "colours", "nodes", f"{side}×{side}", k)
            theory = [(colours, middle(some.values("foreseen"))) for (colours,), some in rows.by("colours")]
            theory.sort()
            panel.plot(
                [c for c, _ in theory],
                [10**power for _, power in theory],
                color=look(k)["color"],
                linestyle=":",
                linewidth=1.1,
            )
        panel.plot([], [], color="#444444", linestyle=":", linewidth=1.1, label="theory")
        panel.set_xscale("log")
        _plain_ticks(panel, (2, 3, 5, 10, 20, 40, 80))
        panel.set_yscale("log")
        panel.set_xlim(1.8, 100)
        panel.set_xlabel("colours, with the border")
    made[0].set_ylim(bottom=5)  # of both, and after both are drawn: it ends the fitting
    made[0].set_ylabel("nodes to the first solution: median, half of the runs")
    legend_aside(made[-1], capped=True)


def middle(values: Iterable[Any]) -> float:
    ordered = sorted(float(value) for value in values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _plain_ticks(axes: Axes, ticks: tuple[int, ...]) -> None:
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()


_COLOURS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 20, 25, 32, 41, 61, 85)
DIFFICULTY = Study(
    "edges-difficulty",
    "How hard edge matching is, by colours",
    "Median number of nodes to the first solution, by the number of colours.",
    "Nodes that a scan by rows visits until it has the first solution of a random puzzle, from two colours (the "
    "border's and one more) to as many as there are joins, 1 + 2(N − √N): for several puzzles of each kind, beside "
    "what the mean-field count foresees.",
    "The source finds both ends trivial and a peak between, which moves right and up with the size of the board. Tails are "
    "heavy, so medians and quartiles are told here, and what was stopped counts as stopped.",
    {"generator": GENERATORS, "side": (3, 4, 5, 6, 7), "colours": _COLOURS},
    {"generator": GENERATORS, "side": (3, 4, 5, 6), "colours": (2, 3, 4, 5, 6, 8, 11, 13, 25, 41)},
    _difficulty,
    _conclude_difficulty,
    _draw_difficulty,
    repetitions=10,
    quick_repetitions=3,
    allows=has_room,
    seeds=SEEDS,
    version=2,
)

STUDIES = {DIFFICULTY.name: DIFFICULTY}
