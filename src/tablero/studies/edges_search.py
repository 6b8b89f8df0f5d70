"""Studies of the search for a board: how hard puzzles are, how long they take, and which method is best.

The puzzle of repetition k is that of `tablero edges generate … --seed k`, so that methods and workers meet the same
puzzles.  Colours are counted with the border, as the source does: with two, all joins are alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tablero.studies.design import Cell, Study
from tablero.studies.figures import legend_aside, look, mark_capped, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tablero.puzzles.edges.puzzle import EdgePuzzle
    from tablero.studies.run import Table

SINGLE, FRAMED = "single", "framed"
GENERATORS = (SINGLE, FRAMED)
_WORDS = {SINGLE: "one pool of colours", FRAMED: "colours of its own along the frame"}
_MOST_NODES = 300_000_000
_MOST_SECONDS = 10.0
_PATIENCE = 30.0
_FRAME_COLOURS = 3


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
    from tablero.puzzles.edges.generate import generate

    if generator == FRAMED:
        return generate(side, framed=pools(side, colours), seed=seed)
    return generate(side, colours=colours - 1, seed=seed)


def quartiles(table: Table, name: str, digits: str = ",.0f") -> str:
    """Median and quartiles in words; those that stopped runs hide are not told."""
    told = table.summary(name)
    if told.median is None:
        return f"unknown, {told.capped} of {told.number} runs stopped"
    high = "unknown" if told.high is None else format(told.high, digits)
    stopped = f"; {told.capped} of {told.number} stopped" if told.capped else ""
    return f"{format(told.median, digits)} (quartiles {format(told.low or 0, digits)} to {high}{stopped})"


# How many nodes


def _foreseen(puzzle: EdgePuzzle) -> float:
    """log₁₀ of the nodes that theory expects before the first solution.

    The mean-field count has all nodes of the tree.  One corner piece is held, so a quarter of them is searched, in which
    the planted solution lies and a quarter of those expected by chance.  Of S solutions scattered at random the first comes
    after a part of 1 in S + 1.
    """
    from tablero.puzzles.edges.estimate import owen, profile

    nodes = profile(puzzle, tuple(range(puzzle.board.cells))).nodes - math.log10(4)
    chance = max(owen(puzzle) - math.log10(4), -300.0)
    before = nodes - (chance + math.log10(1 + 2 * 10**-chance) if chance > 0 else math.log10(2 + 10**chance))
    return math.log10(10**before + puzzle.board.cells)


def _difficulty(cell: Cell, seed: int) -> Cell:
    from tablero.puzzles.edges.solve import solve
    from tablero.runs.runner import Here

    side, colours = int(cell["side"]), int(cell["colours"])
    puzzle = puzzle_of(side, colours, str(cell["generator"]), int(cell["repetition"]))
    found = solve(puzzle, method="scan", order="rows", run=Here(node_limit=_MOST_NODES))
    return {"nodes": found.nodes, "foreseen": round(_foreseen(puzzle), 3), "capped": found.status != "solved"}


def _known_colours(cell: Cell) -> bool:
    least = 3 if cell.get("generator") == FRAMED else 2
    return least <= int(cell["colours"]) <= most_colours(int(cell["side"]))


def _peak(table: Table, name: str) -> tuple[int, Table]:
    """The number of colours with the largest median, one that stopped runs hide being the largest; with its runs."""

    def height(entry: tuple[int, Table]) -> tuple[float, int]:
        told = entry[1].summary(name)
        return (math.inf if told.median is None else told.median, told.capped)

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
        peaks = []
        for (side,), some in rows.by("side"):
            colours, hardest = _peak(some, "nodes")
            peaks.append(
                f"{side}×{side} {colours} colours, nodes {quartiles(hardest, 'nodes')}, foreseen {_foreseen_peak(some)}"
            )
        lines.append(f"With {_WORDS[generator]} the peak is at: {'; '.join(peaks)}.")
    known = [row for row in table.rows if not row["capped"]]
    errors = sorted(math.log10(max(int(row["nodes"]), 1)) - float(row["foreseen"]) for row in known)
    if errors:
        low, middle, high = (errors[int(share * (len(errors) - 1))] for share in (0.25, 0.5, 0.75))
        lines.append(
            f"Nodes measured over nodes foreseen: median 10^{middle:.2f}, quartiles 10^{low:.2f} to 10^{high:.2f}, of "
            f"{len(known):,} runs that ended."
        )
    stopped = len(table.rows) - len(known)
    lines.append(f"{stopped:,} of {len(table.rows):,} runs were stopped after {_MOST_NODES:,} nodes.")
    return lines


def _draw_difficulty(table: Table, axes: Axes) -> None:
    generators = table.levels("generator")
    made = panels(axes, [_WORDS[one] for one in generators], table.study.title)
    for panel, generator in zip(made, generators, strict=True):
        for k, ((side,), rows) in enumerate(table.where(generator=generator).by("side")):
            _line(panel, rows, "colours", "nodes", f"{side}×{side}", k)
            theory = [(colours, _middle(some.values("foreseen"))) for (colours,), some in rows.by("colours")]
            theory.sort()
            panel.plot(
                [c for c, _ in theory],
                [10**power for _, power in theory],
                color=look(k)["color"],
                linestyle=":",
                linewidth=1.1,
            )
        panel.plot([], [], color="#444444", linestyle=":", linewidth=1.1, label="theory")
        panel.plot([], [], color="#444444", marker="o", markerfacecolor="none", linestyle="none", label="most stopped")
        panel.set_xscale("log")
        _plain_ticks(panel, (2, 3, 5, 10, 20, 40, 80))
        panel.set_yscale("log")
        panel.set_xlim(1.8, 100)
        panel.set_ylim(bottom=5)
        panel.set_xlabel("colours, with the border")
    made[0].set_ylabel("nodes to the first solution, median")
    legend_aside(made[-1])


def _line(axes: Axes, rows: Table, factor: str, name: str, label: str, k: int, shift: float = 0.0) -> None:
    """A line of medians over a factor, and hollow marks where stopped runs hide them, a little aside."""
    told = sorted((int(level), some.summary(name).median, _bound(some, name)) for (level,), some in rows.by(factor))
    axes.plot([x for x, _, _ in told], [math.nan if m is None else m for _, m, _ in told], label=label, **look(k))
    hidden = [(x + shift, bound) for x, median, bound in told if median is None]
    mark_capped(axes, [x for x, _ in hidden], [bound for _, bound in hidden], k)


def _bound(rows: Table, name: str) -> float:
    """What the least of the stopped runs had come to."""
    return min((float(row[name]) for row in rows.rows if row["capped"]), default=math.inf)


def _middle(values: Iterable[Any]) -> float:
    ordered = sorted(float(value) for value in values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _plain_ticks(axes: Axes, ticks: tuple[int, ...]) -> None:
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()


_COLOURS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 20, 25, 32, 41, 61, 85)
DIFFICULTY = Study(
    "edges-difficulty",
    "How hard edge matching is, by colours",
    "Nodes that a scan by rows visits until it has the first solution of a random puzzle, from two colours (the "
    "border's and one more) to as many as there are joins, 1 + 2(N − √N): for several puzzles of each kind, beside "
    "what the mean-field count foresees.",
    "The source finds both ends trivial and a peak between, which moves right and up with the size of the board, from "
    "one pool of colours. It gives single measurements; their tails are heavy, so medians and quartiles are told here, "
    "and what was stopped counts as stopped.",
    {"generator": GENERATORS, "side": (3, 4, 5, 6, 7), "colours": _COLOURS},
    {"generator": GENERATORS, "side": (3, 4, 5, 6), "colours": (2, 3, 4, 5, 6, 8, 11, 13, 25, 41)},
    _difficulty,
    _conclude_difficulty,
    _draw_difficulty,
    repetitions=10,
    quick_repetitions=3,
    allows=_known_colours,
)


# How long


def _time(cell: Cell, seed: int) -> Cell:
    from tablero.puzzles.edges.solve import solve
    from tablero.runs.runner import Here

    puzzle = puzzle_of(int(cell["side"]), int(cell["colours"]), SINGLE, int(cell["repetition"]))
    found = solve(puzzle, run=Here(time_limit=_PATIENCE, threads=int(cell["workers"])))
    return {
        "seconds": round(found.seconds, 6),
        "cpu_seconds": round(found.cpu_seconds, 6),
        "nodes": found.nodes,
        "method": found.method,
        "capped": found.status != "solved",
    }


def _conclude_time(table: Table) -> list[str]:
    lines = []
    for (workers,), rows in table.by("workers"):
        told = []
        for (side,), some in rows.by("side"):
            colours, hardest = _peak(some, "seconds")
            told.append(f"{side}×{side} at {colours} colours {quartiles(hardest, 'seconds', '.2g')} s")
        who = "one worker" if workers == 1 else f"{workers} workers"
        lines.append(f"With {who}, where it takes longest: {'; '.join(told)}.")
    lines += _gain(table)
    stopped = sum(bool(row["capped"]) for row in table.rows)
    lines.append(f"{stopped:,} of {len(table.rows):,} runs were stopped after {_PATIENCE:.0f} s.")
    return lines


def _gain(table: Table) -> list[str]:
    """What more workers bring, on puzzles that are hard enough for it to be seen."""
    alone = {(r["side"], r["colours"], r["repetition"]): r for r in table.where(workers=1).rows}
    lines = []
    for workers in (level for level in table.levels("workers") if level != 1):
        ratios = []
        for row in table.where(workers=workers).rows:
            one = alone.get((row["side"], row["colours"], row["repetition"]))
            if one and not one["capped"] and not row["capped"] and float(one["seconds"]) > 0.5:
                ratios.append(float(one["seconds"]) / float(row["seconds"]))
        if ratios:
            lines.append(
                f"{workers} workers are {_middle(ratios):.1f} times as fast as one, the median of {len(ratios)} puzzles "
                "that one solves in more than half a second; a first solution may be met sooner or later by luck."
            )
    return lines


def _draw_time(table: Table, axes: Axes) -> None:
    workers = table.levels("workers")
    made = panels(axes, [f"{k} worker{'s' if k > 1 else ''}" for k in workers], table.study.title)
    for panel, number in zip(made, workers, strict=True):
        for k, ((side,), rows) in enumerate(table.where(workers=number).by("side")):
            _line(panel, rows, "colours", "seconds", f"{side}×{side}", k)
        panel.set_yscale("log")
        panel.set_xlabel("colours, with the border")
    made[0].set_ylabel("time to the first solution, s, median")
    made[-1].plot([], [], color="#444444", marker="o", markerfacecolor="none", linestyle="none", label="most stopped")
    legend_aside(made[-1])


TIME = Study(
    "edges-time",
    "How long a first solution takes",
    "Wall time until the first solution of a random puzzle from one pool of colours, by the method that the solver "
    "chooses itself, with one worker and with two.",
    "The source shows times on a logarithmic scale, found on a grid of computers whose number it tells with each; 8×8 "
    "at its hardest was not solved in hours by the second source.",
    {"workers": (1, 2), "side": (4, 5, 6, 7, 8), "colours": (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 17)},
    {"workers": (1, 2), "side": (4, 5, 6, 7), "colours": (2, 3, 4, 5, 6, 7, 9, 13)},
    _time,
    _conclude_time,
    _draw_time,
    repetitions=5,
    quick_repetitions=3,
    allows=_known_colours,
)


# Which method


def hardest(side: int, generator: str) -> int:
    """The number of colours at which one solution is expected, turns aside: about there puzzles are hardest."""
    from tablero.puzzles.edges.estimate import critical_colours

    if generator == FRAMED:
        return 1 + _FRAME_COLOURS + round(critical_colours(side, _FRAME_COLOURS))
    return 1 + round(critical_colours(side))


def _method(cell: Cell, seed: int) -> Cell:
    from tablero.puzzles.edges.generate import generate
    from tablero.puzzles.edges.solve import solve
    from tablero.runs.runner import Here

    side, generator = int(cell["side"]), str(cell["generator"])
    colours, k = hardest(side, generator), int(cell["repetition"])
    framed = (_FRAME_COLOURS, colours - 1 - _FRAME_COLOURS) if generator == FRAMED else None
    puzzle = generate(side, colours=None if framed else colours - 1, framed=framed, seed=k)
    found = solve(puzzle, method=str(cell["method"]), run=Here(time_limit=_MOST_SECONDS))
    return {
        "colours": colours,
        "nodes": found.nodes,
        "seconds": round(found.cpu_seconds, 6),
        "capped": found.status != "solved",
    }


def _conclude_methods(table: Table) -> list[str]:
    lines = []
    for (generator, side), rows in table.by("generator", "side"):
        told = {method: some.summary("seconds") for (method,), some in rows.by("method")}
        known = sorted((one.median, method) for method, one in told.items() if one.median is not None)
        others = [f"{method} {one.capped} of {one.number}" for method, one in told.items() if one.capped]
        line = f"{side}×{side}, {_WORDS[generator]} ({rows.rows[0]['colours']} with the border): "
        if known:
            best = rows.where(method=known[0][1])
            line += f"{known[0][1]} is fastest, CPU time {quartiles(best, 'seconds', '.2g')} s"
            line += f"; {known[-1][1]} is slowest of those known, median {known[-1][0]:.2g} s" if known[1:] else ""
        else:
            line += "most runs of every method were stopped"
        lines.append(line + (f"; stopped after {_MOST_SECONDS:.0f} s: {', '.join(others)}." if others else "."))
    return lines


def _draw_methods(table: Table, axes: Axes) -> None:
    generators = table.levels("generator")
    made = panels(axes, [_WORDS[one] for one in generators], table.study.title)
    for panel, generator in zip(made, generators, strict=True):
        for k, ((method,), rows) in enumerate(table.where(generator=generator).by("method")):
            _line(panel, rows, "side", "seconds", method, k, shift=0.08 * (k - 2.5))
        panel.set_yscale("log")
        sides = table.levels("side")
        panel.set_xticks(sides, [f"{side}×{side}" for side in sides])
        panel.set_xlabel("board")
    made[0].set_ylabel("CPU time to the first solution, s, median")
    made[-1].plot([], [], color="#444444", marker="o", markerfacecolor="none", linestyle="none", label="most stopped")
    legend_aside(made[-1])


METHODS = Study(
    "edges-methods",
    "Which method solves edge matching",
    "CPU time to the first solution at the number of colours where one solution is expected, so about the hardest, by "
    "each of the complete methods; with one pool of colours, and with three colours of its own along the frame.",
    "The first source places next where fewest pieces fit (fewest). The second solves by exact cover, in two encodings "
    "(cover1, cover2), 4×4 to 7×7; it could not solve 8×8 in hours.",
    {
        "generator": GENERATORS,
        "side": (4, 5, 6, 7, 8),
        "method": ("fewest", "scan", "frame", "cover1", "cover2", "xcc"),
    },
    {"generator": GENERATORS, "side": (4, 5, 6), "method": ("fewest", "scan", "frame", "cover1", "cover2", "xcc")},
    _method,
    _conclude_methods,
    _draw_methods,
    repetitions=5,
    quick_repetitions=2,
)

STUDIES = {one.name: one for one in (DIFFICULTY, TIME, METHODS)}
