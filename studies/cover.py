"""Studies of exact cover: the kernels against the size of problems, and which column to branch on.

Branching is measured in nodes by a search of a few lines, so that nothing but the choice of the column differs; where it
takes the column with the fewest rows it walks the tree of the kernels `bits` and `sparse`.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from studies import words
from studies.design import NO_CHANCE, Cell, Study
from studies.figures import draw_medians, legend_aside, look, mark_capped, name_capped, panels
from studies.statistics import growth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table
    from tablero.cover.puzzle import ExactCover

_MOST_COUNTED = 30_000_000  # nodes of a kernel
_MOST_NODES = 1_500_000  # of the walk
_ROWS = 6  # of a board for dominoes
# The sizes of each problem: numbers in a row, queens, columns of a board of six rows, vertices.
SIZES: dict[str, tuple[int, ...]] = {
    "langford": (4, 7, 8, 11, 12),
    "queens": (5, 6, 7, 8, 9, 10, 11, 12, 13),
    "dominoes": (3, 5, 7, 9, 11),
    "matchings": (4, 6, 8, 10),
}
_QUICK = (3, 4, 5, 6, 7, 8)
_WORDS = {
    "langford": "Langford pairs of n",
    "queens": "n queens",
    "dominoes": "dominoes on 6×n",
    "matchings": "one-factorisations of Kn",
}


def problem_of(name: str, size: int) -> ExactCover:
    """One of the problems."""
    from tablero.cover.generating import dominoes, langford, one_factorisations, queens

    if name == "dominoes":
        return dominoes(_ROWS, size)
    return {"langford": langford, "queens": queens, "matchings": one_factorisations}[name](size)


_ALL = tuple(sorted({size for some in SIZES.values() for size in some}))


def _exists(cell: Cell) -> bool:
    return int(cell["size"]) in SIZES[str(cell["problem"])]


# Kernels


def _count(cell: Cell, seed: int) -> Cell:
    from tablero.cover import count
    from tablero.runs.run import Here

    problem = problem_of(str(cell["problem"]), int(cell["size"]))
    kernel: Any = cell["kernel"]
    found = count(problem, kernel=kernel, run=Here(node_limit=_MOST_COUNTED))
    return {
        "options": len(problem),
        "items": len(problem.items),
        "covers": found.solutions,
        "nodes": found.nodes,
        "seconds": round(found.cpu_seconds, 7),
        "capped": found.status == "open",
    }


def _conclude_kernels(table: Table) -> list[str]:
    lines = []
    for (problem,), rows in table.by("problem"):
        size = max(rows.levels("size"))
        largest = rows.where(size=size)
        covers = {int(row["covers"]) for row in rows.where(size=size, capped=False).rows}
        reported = [
            f"{kernel} {words.summary_text(some.summary('seconds'), show=words.seconds)}"
            for (kernel,), some in largest.by("kernel")
        ]
        found = f"{covers.pop():,} covers" if len(covers) == 1 else "covers unknown" if not covers else "they disagree"
        lines.append(f"{_WORDS[problem]}, n = {size} ({found}), CPU time: {'; '.join(reported)}.")
    lines.append(_agreement(table))
    lines += _per_node(table)
    return lines


def _agreement(table: Table) -> str:
    groups = [rows for _, rows in table.where(capped=False).by("problem", "size")]
    apart = [rows for rows in groups if len(set(rows.values("covers"))) > 1]
    return f"All kernels that came to their end agree on {len(groups) - len(apart)} of {len(groups)} counts."


def _per_node(table: Table) -> list[str]:
    """How the time of all covers grows with the nodes, for the kernels that walk one tree."""
    lines = []
    for (kernel,), rows in table.where(capped=False).by("kernel"):
        some = [row for row in rows.rows if int(row["nodes"]) >= 100_000 and float(row["seconds"]) > 0]
        fit = growth([float(row["nodes"]) for row in some], [float(row["seconds"]) for row in some])
        if fit:
            lines.append(
                f"{kernel}: from 100,000 nodes on, time grows as nodes^{fit.power:.2f} (95 %: {fit.low:.2f} to "
                f"{fit.high:.2f})."
            )
    return lines


def _draw_kernels(table: Table, axes: Axes) -> None:
    problems = table.levels("problem")
    made = panels(axes, [_WORDS[one] for one in problems])
    for panel, problem in zip(made, problems, strict=True):
        for k, ((kernel,), rows) in enumerate(table.where(problem=problem).by("kernel")):
            draw_medians(panel, rows, "size", "seconds", str(kernel), k)
        panel.set_yscale("log")
        panel.set_xticks(table.where(problem=problem).levels("size"))
        panel.set_xlabel("n")
    for panel in made[::2]:
        panel.set_ylabel("CPU time, s: median, half of the runs")
    legend_aside(made[min(1, len(made) - 1)], capped=True)


KERNELS = Study(
    "cover-kernels",
    "Which kernel counts exact covers",
    "CPU time to count all exact covers, for each kernel.",
    "CPU time to count all covers of problems of growing size, by each kernel: bitsets, sparse sets, and two that keep "
    "a table of what they have counted before. One that has visited 30 million nodes is stopped. Bitsets and sparse sets "
    "visit the same nodes whenever they are run. The others' differ by some in a thousand, and with them how far one that "
    "is stopped has come: their tables grow when the clock says that it is time to look, and until then a full one loses "
    "what it has counted.",
    "The source's program is dancing links. Links are not among these kernels: sparse sets do the same work in the same "
    "tree, and faster.",
    {"problem": tuple(SIZES), "size": _ALL, "kernel": ("bits", "sparse", "memo", "frontier")},
    {"problem": tuple(SIZES), "size": _QUICK, "kernel": ("bits", "sparse", "memo", "frontier")},
    _count,
    _conclude_kernels,
    _draw_kernels,
    repetitions=5,
    quick_repetitions=3,
    allows=_exists,
    timed=("nodes",),  # those of a memo hang on when its table grew; what it counts to the end does not
    seeds=NO_CHANCE,
    version=3,
)


# Branching


def walk(problem: ExactCover, branch: str, most: int) -> tuple[int, int, bool]:
    """Nodes, covers, and whether all was searched within so many nodes: Algorithm X on bitsets, without colours."""
    table = problem.table
    starts, items = table.start.tolist(), table.item.tolist()
    options_of, items_of = [0] * table.items, [0] * table.rows
    for option, (first, last) in enumerate(pairwise(starts)):
        for item in items[first:last]:
            options_of[item] |= 1 << option
            items_of[option] |= 1 << item
    conflicts = []
    for first, last in pairwise(starts):
        union = 0
        for item in items[first:last]:
            union |= options_of[item]
        conflicts.append(union)
    nodes = covers = 0
    stack = [((1 << table.rows) - 1, (1 << table.primary) - 1)]
    while stack:
        if nodes == most:
            return nodes, covers, False
        live, uncovered = stack.pop()
        nodes += 1
        if not uncovered:
            covers += 1
            continue
        rows = live & options_of[(uncovered & -uncovered).bit_length() - 1]
        if branch == "fewest":
            others = uncovered & (uncovered - 1)
            while others and rows:
                low = others & -others
                others ^= low
                more = live & options_of[low.bit_length() - 1]
                if more.bit_count() < rows.bit_count():
                    rows = more
        while rows:
            option = (rows & -rows).bit_length() - 1
            rows &= rows - 1
            stack.append((live & ~conflicts[option], uncovered & ~items_of[option]))
    return nodes, covers, True


def _branch(cell: Cell, seed: int) -> Cell:
    problem = problem_of(str(cell["problem"]), int(cell["size"]))
    nodes, covers, ended = walk(problem, str(cell["branch"]), _MOST_NODES)
    return {"nodes": nodes, "covers": covers, "capped": not ended}


def _conclude_branching(table: Table) -> list[str]:
    lines = []
    for (problem,), rows in table.by("problem"):
        reported = []
        for (size,), some in rows.by("size"):
            by = {row["branch"]: row for row in some.rows}
            first, fewest = by.get("first"), by.get("fewest")
            if not first or not fewest:
                continue
            nodes = [f"more than {row['nodes']:,}" if row["capped"] else f"{row['nodes']:,}" for row in (first, fewest)]
            if fewest["capped"]:
                reported.append(f"n = {size} {nodes[0]} against {nodes[1]}")
                continue
            ratio = f"{'more than ' if first['capped'] else ''}{int(first['nodes']) / int(fewest['nodes']):.1f}"
            reported.append(f"n = {size} {nodes[0]} against {nodes[1]}, {ratio} times")
        lines.append(f"{_WORDS[problem]}, nodes by the first column against the fewest rows: {'; '.join(reported)}.")
    ended = [rows.rows for _, rows in table.where(capped=False).by("problem", "size") if len(rows.rows) == 2]
    alike = sum(one["covers"] == two["covers"] for one, two in ended)
    lines.append(f"Where both came to their end, they count the same covers in {alike} of {len(ended)} cases.")
    return lines + words.stopped_after(table.rows, f"{_MOST_NODES:,} nodes", one="search", many="searches")


def _draw_branching(table: Table, axes: Axes) -> None:
    problems = table.levels("problem")
    made = panels(axes, [_WORDS[one] for one in problems])
    for panel, problem in zip(made, problems, strict=True):
        for k, ((branch,), rows) in enumerate(table.where(problem=problem).by("branch")):
            reported = [(int(row["size"]), int(row["nodes"]), bool(row["capped"])) for row in rows.rows]
            known = [math.nan if capped else nodes for _, nodes, capped in reported]
            label = "the first column" if branch == "first" else "the fewest rows"
            panel.plot([n for n, _, _ in reported], known, label=label, **look(k))
            hidden = [(n, float(nodes)) for n, nodes, capped in reported if capped]
            mark_capped(panel, [n + 0.1 * k for n, _ in hidden], [bound for _, bound in hidden], k)
        panel.set_yscale("log")
        panel.set_xticks(table.where(problem=problem).levels("size"))
        panel.set_xlabel("n")
    for panel in made[::2]:
        panel.set_ylabel("nodes to find all covers")
    last = made[min(1, len(made) - 1)]
    name_capped(last, "stopped")
    legend_aside(last)


BRANCHING = Study(
    "cover-branching",
    "Which column to branch on",
    "Search-tree size when branching on the first open column, and on the smallest.",
    "Nodes of the whole search tree where the next column is always the first that is open, and where it is the one "
    "with the fewest rows left.",
    "Section 4.3.2 of the source weighs the first column against the one with the fewest rows, as Knuth advises.",
    {"problem": tuple(SIZES), "size": _ALL, "branch": ("first", "fewest")},
    {"problem": tuple(SIZES), "size": _QUICK, "branch": ("first", "fewest")},
    _branch,
    _conclude_branching,
    _draw_branching,
    allows=_exists,
    seeds=NO_CHANCE,
    version=2,
)

STUDIES = {one.name: one for one in (KERNELS, BRANCHING)}
