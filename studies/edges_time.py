"""How long a first board takes, and by which method; the puzzles are those of `edges_search`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from studies import words
from studies.design import Cell, Study
from studies.edges import critical_colours, mean_field_nodes
from studies.edges_search import (
    FRAMED,
    GENERATORS,
    SEEDS,
    SINGLE,
    WORDS,
    has_room,
    peak,
    puzzle_of,
)
from studies.figures import draw_medians, legend_aside, panels
from studies.statistics import bounds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table
    from tablero.edges import verbs
    from tablero.edges.puzzle import EdgePuzzle

# Nodes after which a method is stopped, such that each has some three seconds: so the table does not hang on the machine.
_MOST_NODES = {
    "fewest": 30_000_000,
    "scan": 200_000_000,
    "frame": 15_000_000,
    "cover1": 15_000_000,
    "cover2": 2_000_000,
    "xcc": 6_000_000,
}
_HARD = 0.1  # seconds
_MOST_NODES_ASKED = 20_000_000  # some seven seconds of the method that the solver takes where it is hard
_FRAME_COLOURS = 3


# How long


def _time(cell: Cell, seed: int) -> Cell:
    """By the method that the mean-field count predicts to be faster.  The solver's first try depends on the machine."""
    from tablero.edges.solving import solve
    from tablero.runs.run import Here

    puzzle = puzzle_of(int(cell["side"]), int(cell["colours"]), SINGLE, int(cell["repetition"]))
    method, order = _faster(puzzle)
    run = Here(node_limit=_MOST_NODES_ASKED, threads=int(cell["workers"]))
    found = solve(puzzle, method=method, order=order, alike=False, run=run)
    return {
        "seconds": round(found.seconds, 6),
        "cpu_seconds": round(found.cpu_seconds, 6),
        "nodes": found.nodes,
        "method": found.method,
        "capped": found.status != "solved",
    }


def _faster(puzzle: EdgePuzzle) -> tuple[verbs.MethodName, str]:
    """Scan, with its order, or frame: a scan visits 20 nodes in the time of one node of frame."""
    from tablero.edges.board import order_of

    scans = {name: mean_field_nodes(puzzle, order_of(puzzle.board, name)) for name in ("rows", "columns", "diagonal")}
    order = min(scans, key=lambda name: round(scans[name], 6))
    frame = mean_field_nodes(puzzle, order_of(puzzle.board, "spiral"))
    return ("scan", order) if scans[order] < frame + 1.3 else ("frame", "")


_BUSY = "busy"


def _with_busy(table: Table) -> Table:
    """With the CPU time a worker: the wall time, where nothing else wants the processors."""
    rows = ({**row, _BUSY: float(row["cpu_seconds"]) / int(row["workers"])} for row in table.rows)
    return replace(table, rows=tuple(rows))


def _conclude_time(table: Table) -> list[str]:
    lines = []
    for (workers,), rows in _with_busy(table).by("workers"):
        reported = []
        for (side,), some in rows.by("side"):
            colours, hardest = peak(some, _BUSY)
            time = words.summary_text(hardest.summary(_BUSY), show=words.seconds)
            wall = words.summary_text(hardest.summary("seconds")._replace(interval=None), show=words.seconds)
            reported.append(f"{side}×{side} at {colours} colours {time}, wall time {wall}")
        who = "one worker" if workers == 1 else f"{workers} workers"
        lines.append(f"With {who}, CPU time a worker where it takes longest: {'; '.join(reported)}.")
    lines += _gain(table)
    return lines + words.stopped_after(table.rows, f"{_MOST_NODES_ASKED:,} nodes")


def gains(table: Table, workers: int, name: str) -> list[tuple[float, float]]:
    """How many times as long one worker takes as several, puzzle by puzzle: at least, and at most.

    Of puzzles that are hard enough for it to be seen: those for which one or the other has more than a moment's work, since
    to ask this of one alone would choose the puzzles on which it had bad luck.  Where one of them was stopped, it would have
    taken longer; where both were, nothing is known.
    """
    table = _with_busy(table)
    alone = {(r["side"], r["colours"], r["repetition"]): r for r in table.where(workers=1).rows}
    found = []
    for row in table.where(workers=workers).rows:
        one = alone.get((row["side"], row["colours"], row["repetition"]))
        if not one or max(float(one[_BUSY]), float(row[_BUSY])) <= _HARD:
            continue
        ratio = float(one[name]) / float(row[name])
        found.append((0.0 if row["capped"] else ratio, math.inf if one["capped"] else ratio))
    return sorted(found)


def _gain(table: Table) -> list[str]:
    """What more workers bring."""
    lines = []
    for workers in (level for level in table.levels("workers") if level != 1):
        reported, known = [], gains(table, workers, "seconds")
        if not known:
            continue
        for name, what in (("seconds", "wall time"), (_BUSY, "CPU time a worker")):
            lows, highs = zip(*gains(table, workers, name), strict=True)
            low, half, high = (
                words.between(*bounds(lows, highs, share), lambda value: f"{value:.1f}") for share in (0.25, 0.5, 0.75)
            )
            reported.append(f"{half} times the {what} of {workers} (lower quartile {low}, upper {high})")
        stopped = sum(low == 0 or math.isinf(high) for low, high in known)
        both = sum(low == 0 and math.isinf(high) for low, high in known)
        rest = f"; {stopped} of them were stopped with one or the other, {both} with both" if stopped else ""
        lines.append(
            f"One worker takes {' and '.join(reported)}, the median of {len(known)} puzzles that one or the other has more "
            f"than {_HARD} s of work for{rest}. A first solution may be met sooner or later by luck, so single "
            "puzzles differ widely."
        )
    return lines


def _draw_time(table: Table, axes: Axes) -> None:
    workers = table.levels("workers")
    made = panels(axes, [f"{k} worker{'s' if k > 1 else ''}" for k in workers])
    for panel, number in zip(made, workers, strict=True):
        for k, ((side,), rows) in enumerate(_with_busy(table).where(workers=number).by("side")):
            draw_medians(panel, rows, "colours", _BUSY, f"{side}×{side}", k)
        panel.set_yscale("log")
        panel.set_xticks(sorted(table.levels("colours")))
        panel.set_xlabel("colours, with the border")
    made[0].set_ylabel("CPU time a worker, s: median, half of the runs")
    legend_aside(made[-1], capped=True)


TIME = Study(
    "edges-time",
    "How long a first solution takes",
    "Time to the first solution of a random puzzle, with one and with two workers.",
    "Time until the first solution of a random puzzle from one pool of colours, by the method that the mean-field count "
    "foresees as the faster (scan or frame, as a search that is kept or shared takes it), with one worker and with two: CPU "
    "time a worker, which is the wall time where nothing else wants the processors, and the wall time as it was.",
    "The source shows times on a logarithmic scale, from a grid of computers. The second source could not solve 8×8 in "
    "hours.",
    {"workers": (1, 2), "side": (4, 5, 6, 7, 8), "colours": (2, 3, 4, 5, 6, 7, 8, 9, 11, 13)},
    {"workers": (1, 2), "side": (4, 5, 6, 7), "colours": (2, 3, 4, 5, 6, 7, 9, 13)},
    _time,
    _conclude_time,
    _draw_time,
    repetitions=5,
    quick_repetitions=3,
    allows=has_room,
    timed=("cpu_seconds", "nodes", "capped"),  # of two workers it is chance which is first; one visits the same nodes
    seeds=SEEDS,
    version=3,
)


# Which method


def hardest(side: int, generator: str) -> int:
    """The number of colours at which the simple count expects one solution, turns aside: puzzles are hardest about there."""
    if generator == FRAMED:
        return 1 + _FRAME_COLOURS + round(critical_colours(side, _FRAME_COLOURS))
    return 1 + round(critical_colours(side))


def _method(cell: Cell, seed: int) -> Cell:
    from tablero.edges.generating import generate
    from tablero.edges.solving import solve
    from tablero.runs.run import Here

    side, generator = int(cell["side"]), str(cell["generator"])
    colours, k = hardest(side, generator), int(cell["repetition"])
    framed = (_FRAME_COLOURS, colours - 1 - _FRAME_COLOURS) if generator == FRAMED else None
    puzzle = generate(side, colours=None if framed else colours - 1, framed=framed, seed=k)
    method = str(cell["method"])
    found = solve(puzzle, method=method, alike=False, run=Here(node_limit=_MOST_NODES[method]))
    return {
        "colours": colours,
        "nodes": found.nodes,
        "seconds": round(found.cpu_seconds, 6),
        "capped": found.status != "solved",
    }


def _conclude_methods(table: Table) -> list[str]:
    lines = []
    every = max((len(rows.rows) for _, rows in table.by("generator", "side", "method")), default=0)
    methods = table.levels("method")
    for (generator, side), rows in table.by("generator", "side"):
        reported = {method: some.summary("seconds") for (method,), some in rows.by("method")}
        known = sorted((one.median, method) for method, one in reported.items() if one.median is not None)
        others = [f"{method} {one.capped} of {one.number}" for method, one in reported.items() if one.capped]
        line = f"{side}×{side}, {WORDS[generator]} ({rows.rows[0]['colours']} with the border): "
        if known:
            best = rows.where(method=known[0][1])
            line += (
                f"{known[0][1]} is fastest, CPU time {words.summary_text(best.summary('seconds'), show=words.seconds)}"
            )
            line += (
                f"; {known[-1][1]} is slowest of those known, median {words.seconds(known[-1][0])}" if known[1:] else ""
            )
        else:
            line += (
                f"most runs of every method{'' if len(reported) == len(methods) else ' that was measured'} were stopped"
            )
        line += f"; stopped: {', '.join(others)}" if others else ""
        lacking = [
            f"{method} {every - reported[method].number if method in reported else every} of {every}"
            for method in methods
            if method not in reported or reported[method].number < every
        ]
        lines.append(line + (f"; not measured yet: {', '.join(lacking)}." if lacking else "."))
    return lines


def _draw_methods(table: Table, axes: Axes) -> None:
    generators = table.levels("generator")
    made = panels(axes, [WORDS[one] for one in generators])
    for panel, generator in zip(made, generators, strict=True):
        for k, ((method,), rows) in enumerate(table.where(generator=generator).by("method")):
            draw_medians(panel, rows, "side", "seconds", method, k, shift=0.08 * (k - 2.5))
        panel.set_yscale("log")
        sides = table.levels("side")
        panel.set_xticks(sides, [f"{side}×{side}" for side in sides])
        panel.set_xlabel("board")
    made[0].set_ylabel("CPU time, s: median, half of the runs")
    legend_aside(made[-1], capped=True)


METHODS = Study(
    "edges-methods",
    "Which method solves edge matching",
    "CPU time of the exact methods on the hardest puzzles of each size.",
    "CPU time to the first solution at the number of colours where the simple count expects one, so about the hardest, by "
    "each of the complete methods; with one pool of colours, and with three colours of its own along the frame. A method is "
    "stopped after as many nodes as it visits in some three seconds.",
    "The first source places next where fewest pieces fit (fewest). The second solves by exact cover, in two encodings "
    "(cover1, cover2), and could not solve 8×8 in hours.",
    {
        "generator": GENERATORS,
        "side": (4, 5, 6, 7, 8),
        "method": tuple(_MOST_NODES),
    },
    {"generator": GENERATORS, "side": (4, 5, 6), "method": tuple(_MOST_NODES)},
    _method,
    _conclude_methods,
    _draw_methods,
    repetitions=5,
    quick_repetitions=2,
    seeds=SEEDS,
    version=2,
)

STUDIES = {one.name: one for one in (TIME, METHODS)}
