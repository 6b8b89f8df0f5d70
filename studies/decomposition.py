"""Studies of decompositions of complete graphs: sizes of the matrix, first decompositions, and which trees factorise."""

from __future__ import annotations

import math
import time
from functools import cache
from typing import TYPE_CHECKING, Any

from studies import words
from studies.design import NO_CHANCE, Cell, Study, Value
from studies.figures import draw_medians, look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table

_MADE = 12  # up to here the matrix is made, and its size compared with the formula
_PATIENCE = 120.0
_TREE_PATIENCE = 30.0
_ORDERS = tuple(range(4, 19, 2))


# How large


def _sizes(cell: Cell, seed: int) -> Cell:
    from tablero.decomposition.automorphisms import order_of
    from tablero.decomposition.models import CoverModel
    from tablero.decomposition.puzzle import decompose

    n = int(cell["n"])
    puzzle = decompose(f"K{n}")
    group = order_of(puzzle.parts[0].graph)
    made = CoverModel.of(puzzle).size if n <= _MADE else None
    copies, edges = math.factorial(n) // group, n * (n - 1) // 2
    return {
        "placements": math.factorial(n),
        "automorphisms": group,
        "copies": copies,
        "columns": edges,
        "ones": copies * (n - 1),
        "ones_without_symmetry": math.factorial(n) * (n - 1),
        "made": made is not None,
        "agrees": made is None or made == (copies, edges, copies * (n - 1)),
    }


def _conclude_sizes(table: Table) -> list[str]:
    if not table.rows:
        return []
    copies = ", ".join(f"K{row['n']} {int(row['copies']):,}" for row in table.rows)
    made = [row for row in table.rows if row["made"]]
    wrong = [f"K{row['n']}" for row in made if not row["agrees"]]
    verdict = "all agree with the formula" if not wrong else f"{', '.join(wrong)} differ from the formula"
    last = table.rows[-1]
    n = int(last["n"])
    return [
        f"Copies of the double star, n!/|Aut| = n!/(2·((n/2 − 1)!)²): {copies}.",
        f"{len(made)} matrices were made, up to K{made[-1]['n'] if made else 0}: {verdict}.",
        f"K{n}: {int(last['columns'])} columns; {int(last['placements']):,} rows and {int(last['ones_without_symmetry']):,} "
        f"ones where every placement makes one, {int(last['copies']):,} and {int(last['ones']):,} where every copy does: "
        f"{int(last['automorphisms']):,} times fewer.",
        f"A row has n − 1 ones, so the most ones are n − 1 times the rows. Multiplied by the columns, as printed, K{n} "
        f"would have {int(last['columns']):,} times too many.",
    ]


def _draw_sizes(table: Table, axes: Axes) -> None:
    ns = [int(value) for value in table.values("n")]
    lines = {
        "ones_without_symmetry": "ones, a row a placement",
        "placements": "rows, a row a placement: n!",
        "ones": "ones, a row a copy",
        "copies": "rows, a row a copy: n!/|Aut|",
        "columns": "columns",
    }
    for k, (name, label) in enumerate(lines.items()):
        axes.plot(ns, [int(value) for value in table.values(name)], label=label, **look(k))
    axes.set_yscale("log")
    axes.set_xticks(ns)
    axes.set_xlabel("n, of the complete graph on n vertices")
    axes.set_ylabel("size of the matrix")
    axes.legend()


SIZES = Study(
    "decomposition-sizes",
    "How large a decomposition is as exact cover",
    "The size of the exact-cover matrix for double stars in a complete graph.",
    "The edges of the complete graph on n vertices, n even, are divided into n/2 double stars: a column is an edge, a "
    "row a copy. If every placement of the double star's vertices makes a row, each copy is made as often as the "
    "double star has automorphisms.",
    "Table 5.4 lists n!, automorphisms, copies, columns, rows and ones, with the symmetry and without. Its largest "
    "numbers of ones are multiplied by the columns; a row has n − 1 ones.",
    {"n": _ORDERS},
    {"n": _ORDERS},
    _sizes,
    _conclude_sizes,
    _draw_sizes,
    seeds=NO_CHANCE,
)


# The first one


def _first(cell: Cell, seed: int) -> Cell:
    from tablero.decomposition.puzzle import decompose
    from tablero.runs.run import Here

    method: Any = cell["method"]
    decompose("K4").solve(method=method)  # what is loaded the first time is no part of it
    began = time.thread_time()  # one thread does it all
    found = decompose(f"K{cell['n']}").solve(method=method, run=Here(time_limit=_PATIENCE))
    spent = time.thread_time() - began
    return {
        "nodes": found.nodes,
        "search_seconds": round(found.cpu_seconds, 6),
        "seconds": round(spent, 6),
        "capped": found.status != "solved",
    }


def _conclude_first(table: Table) -> list[str]:
    lines = []
    for (method,), rows in table.by("method"):
        reported = [
            f"K{n} {words.summary_text(some.summary('seconds'), show=words.seconds)}" for (n,), some in rows.by("n")
        ]
        lines.append(f"By {method}, CPU time, with the making of copies: {', '.join(reported)}.")
    return lines + words.stopped_after(table.rows, f"{_PATIENCE:.0f} s")


def _draw_first(table: Table, axes: Axes) -> None:
    for k, ((method,), rows) in enumerate(table.by("method")):
        draw_medians(axes, rows, "n", "seconds", str(method), k)
    axes.set_yscale("log")
    axes.set_xticks([int(n) for n in table.levels("n")])
    axes.set_xlabel("n, of the complete graph on n vertices")
    axes.set_ylabel("CPU time to the first, s: median, half of the runs")
    axes.legend(title="method")


FIRST = Study(
    "decomposition-first",
    "How long a first decomposition takes",
    "Time to the first decomposition into double stars, by two methods.",
    "The first decomposition of the complete graph on n vertices into double stars, the time to make the copies "
    "included: from the matrix of all copies, and by laying copies one after another.",
    'The source finds a first decomposition of K16 in "a few seconds", and offers orders from 4 to 18.',
    {"n": _ORDERS, "method": ("matrix", "laying")},
    {"n": _ORDERS[:-2], "method": ("matrix", "laying")},
    _first,
    _conclude_first,
    _draw_first,
    repetitions=5,
    quick_repetitions=3,
    timed=("search_seconds",),
    seeds=NO_CHANCE,
    version=2,
)


# Which trees

Tree = tuple[tuple[int, int], ...]
TREES = {2: 1, 4: 2, 6: 6, 8: 23, 10: 106}  # how many there are, up to isomorphism


@cache
def trees(n: int) -> tuple[Tree, ...]:
    """The trees on n vertices up to isomorphism, each smaller one with a leaf more on one of its vertices."""
    if n == 1:
        return ((),)
    found: dict[str, Tree] = {}
    for smaller in trees(n - 1):
        for vertex in range(n - 1):
            tree = (*smaller, (vertex, n - 1))
            found.setdefault(_form(n, tree), tree)
    return tuple(found[form] for form in sorted(found))


def _form(n: int, tree: Tree) -> str:
    """A text that isomorphic trees share: the least of those from every vertex as the top."""
    near: list[list[int]] = [[] for _ in range(n)]
    for a, b in tree:
        near[a].append(b)
        near[b].append(a)

    def below(vertex: int, above: int) -> str:
        return "(" + "".join(sorted(below(other, vertex) for other in near[vertex] if other != above)) + ")"

    return min(below(top, -1) for top in range(n))


def _factorises(cell: Cell, seed: int) -> Cell:
    from tablero.decomposition.puzzle import decompose
    from tablero.runs.run import Here

    n, tree = int(cell["n"]), trees(int(cell["n"]))[int(cell["tree"])]
    degrees = [sum(v in edge for edge in tree) for v in range(n)]
    found = decompose(f"K{n}", list(tree)).solve(run=Here(time_limit=_TREE_PATIENCE))
    return {
        "edges": " ".join(f"{a}-{b}" for a, b in tree),
        "largest_degree": max(degrees),
        "admissible": 2 * max(degrees) <= n,
        "factorises": {"solved": "yes", "none": "no"}.get(found.status, "open"),
        "nodes": found.nodes,
        "seconds": round(found.cpu_seconds, 6),
        "capped": found.status == "open",
    }


def _conclude_trees(table: Table) -> list[str]:
    lines = []
    for (n,), rows in table.by("n"):
        fit = rows.where(admissible=True)
        wrong = [row for row in rows.where(admissible=False).rows if row["factorises"] != "no"]
        yes, no, unknown = (len(fit.where(factorises=word).rows) for word in ("yes", "no", "open"))
        line = f"K{n}: of {len(rows.rows)} trees {len(fit.rows)} have no degree above {int(n) // 2}; "
        line += f"{yes} of these factorise it, {no} do not" + (
            f", {unknown} were stopped after {_TREE_PATIENCE:.0f} s" if unknown else ""
        )
        lines.append(line + (f"; {len(wrong)} of the others were not refused." if wrong else "."))
        failing = [f"{row['edges']}" for row in fit.where(factorises="no").rows]
        if 0 < len(failing) <= 4:
            lines.append(f"Those of K{n} that do not: {'; '.join(failing)}.")
    return lines


def _draw_trees(table: Table, axes: Axes) -> None:
    kinds: tuple[tuple[str, str, dict[str, Value]], ...] = (
        ("factorises", "", {"admissible": True, "factorises": "yes"}),
        ("does not, though its degrees allow it", "///", {"admissible": True, "factorises": "no"}),
        ("open", "xxx", {"factorises": "open"}),
        ("a degree above n/2", "\\\\\\", {"admissible": False, "factorises": "no"}),
    )
    ns = [int(n) for n in table.levels("n")]
    base = [0.0] * len(ns)
    for k, (label, hatch, wanted) in enumerate(kinds):
        share = [100 * len(table.where(n=n, **wanted).rows) / len(table.where(n=n).rows) for n in ns]
        if any(share):
            color = look(k)["color"]
            bars = axes.bar(
                range(len(ns)), share, 0.6, bottom=base, color=color, hatch=hatch, edgecolor="white", label=label
            )
            numbers = [len(table.where(n=n, **wanted).rows) for n in ns]
            box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
            labels = [str(number) if number else "" for number in numbers]
            for text in axes.bar_label(bars, labels, label_type="center", fontsize=9):
                if text.get_text():
                    text.set_bbox(box)
        base = [low + more for low, more in zip(base, share, strict=True)]
    axes.set_xticks(range(len(ns)), [f"K{n}" for n in ns])
    axes.set_xlabel("complete graph on n vertices")
    axes.set_ylabel("trees on n vertices, %")
    axes.set_ylim(0, 100)
    axes.grid(axis="x", visible=False)
    axes.legend(ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.15))


FACTORS = Study(
    "decomposition-trees",
    "Which trees factorise a complete graph",
    "The share of all trees on n vertices that factorise the complete graph.",
    "For every tree on n vertices, n even: can the edges of the complete graph be divided into n/2 copies of it? No "
    "degree of the tree may be above n/2, since the other copies meet the vertex, too.",
    "The source decomposes into copies of a spanning tree, the double star unless another is given.",
    {"n": (4, 6, 8, 10), "tree": tuple(range(max(TREES.values())))},
    {"n": (4, 6, 8), "tree": tuple(range(TREES[8]))},
    _factorises,
    _conclude_trees,
    _draw_trees,
    allows=lambda cell: int(cell["tree"]) < TREES[int(cell["n"])],
    seeds=NO_CHANCE,
)

STUDIES = {one.name: one for one in (SIZES, FIRST, FACTORS)}
