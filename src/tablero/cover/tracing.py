"""Algorithm X step by step, on the matrix of the problem.

    column    an item;  row  an option;  a row has a one in the columns of its items
    choose    branch on an open column: the one with the fewest rows (the first of them), or the first open one
    try       choose one of its rows: its columns are covered, and the rows that conflict with it are removed
    dead      a column has no row left
    cover     every primary column is covered
    back      the row is taken back

With the fewest rows it visits the nodes of the kernels `bits` and `sparse`.  It is written for readability and for small
problems.  A column with a multiplicity stays open until it is covered as often as required; "fewest" then means the fewest
rows to spare, and a column with fewer rows than it needs is dead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from itertools import pairwise
from typing import Any

from tablero.cover.draw import bipartite
from tablero.cover.puzzle import ExactCover
from tablero.draw.pages import Frame, frame_page
from tablero.draw.scene import Scene
from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.text import several

MOST_ENTRIES = 200_000
_WIDE = 100  # characters of a matrix in text
_TALL = 40  # rows of it
MOST_CELLS = 20_000  # of a matrix on a page

_STYLE = """
svg text { font-family: system-ui, sans-serif }
svg .one { fill: #2a6f97 } svg .label { fill: #1f2430 }
svg rect.band { fill: none } svg rect.back { fill: none }
svg .gone { opacity: .13 }
svg .chosen rect.back { fill: #cfe8d5 } svg .chosen .one { fill: #2d7d46 }
svg .trying rect.back { fill: #ffe2a8 } svg .trying .one { fill: #c77700 }
svg .now rect.band { fill: #ffd9d6 } svg .now .label { fill: #b3261e; font-weight: bold }
svg .pick rect.band { fill: #ffeab8 } svg .pick .label { font-weight: bold }
svg .covered rect.band { fill: #ecebe6 } svg .covered .label { opacity: .35 }
"""
_NAMES = {"choose": "choose a column", "try": "try a row", "dead": "dead end", "cover": "a cover", "back": "take back"}


@dataclass(frozen=True)
class Step:
    """One step: the rows that are chosen after it, and its column or row."""

    kind: str  # choose, try, dead, cover or back
    chosen: tuple[int, ...]
    column: int = -1
    rows: tuple[int, ...] = ()  # of the column, those that are left
    row: int = -1
    gone: tuple[int, ...] = ()  # the rows that conflict with the one tried
    past: tuple[int, ...] = ()  # rows that were tried before: only where columns are needed more than once


@dataclass(frozen=True)
class Trace:
    """A search step by step; `whole` if it is complete."""

    puzzle: ExactCover
    branch: str
    steps: tuple[Step, ...]
    whole: bool
    most: int | None

    @cached_property
    def covers(self) -> list[tuple[int, ...]]:
        """The covers found, as numbers of options from 0."""
        return [step.chosen for step in self.steps if step.kind == "cover"]

    @property
    def nodes(self) -> int:
        """The number of choices of rows that were visited, including the empty one."""
        return sum(step.kind in ("choose", "dead", "cover") for step in self.steps)

    @property
    def status(self) -> str:
        if self.most is not None and len(self.covers) >= self.most:
            return "solved"
        if not self.whole:
            return "open"
        return "complete" if self.covers else "none"

    def to_dict(self) -> dict[str, Any]:
        """The steps and the covers; options are numbered from 1."""
        return {
            "status": self.status,
            "solutions": len(self.covers),
            "nodes": self.nodes,
            "branch": self.branch,
            "steps": [self._reported(step) for step in self.steps],
            "answers": [[self.puzzle.written(option) for option in cover] for cover in self.covers],
        }

    def _reported(self, step: Step) -> dict[str, Any]:
        reported: dict[str, Any] = {"kind": step.kind, "chosen": [row + 1 for row in step.chosen]}
        if step.column >= 0:
            reported |= {"column": str(self.puzzle.items[step.column]), "rows": [row + 1 for row in step.rows]}
        if step.row >= 0:
            reported["row"] = step.row + 1
        return reported

    def page(self) -> str:
        """A page that plays the search."""
        return player(self)

    def remarks(self) -> Iterator[str]:
        steps = several(len(self.steps), "step")
        ending = {"open": f"; stopped after {steps}", "none": " (proved)"}.get(self.status, "")
        nodes = several(self.nodes, "node")
        yield f"{several(len(self.covers), 'cover')}{ending}; {nodes}, {steps}, branching on the {self.branch}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """The steps in words, with the remaining matrix at every node."""
        for step in self.steps:
            indent = "  " * (len(step.chosen) - (step.kind == "try"))
            if step.kind not in ("choose", "dead"):
                yield indent + self.words(step)
                continue
            drawn = matrix(self.puzzle, *left(self.puzzle, step.chosen, step.past), step.column)
            yield from (indent + line for line in [*drawn, self.words(step)])
            yield ""

    def words(self, step: Step) -> str:
        """A step as a sentence."""
        column = str(self.puzzle.items[step.column])
        more = needed(self.puzzle, step.chosen)[step.column] if step.column >= 0 else 1
        column += f", needed {more} times," if more > 1 else ""
        row = f"row {step.row + 1} ({' '.join(self.puzzle.written(step.row))})" if step.row >= 0 else ""
        if step.kind == "choose":
            fewest = "has the fewest rows" if self.puzzle.need is None else "has the fewest rows to spare"
            why = fewest if self.branch == "fewest" else "is the first open one; its rows"
            return f"column {column} {why}, {len(step.rows)}: {_numbers(step.rows)}"
        if step.kind == "try":
            gone = f"{'row goes' if len(step.gone) == 1 else 'rows go'}: {_numbers(step.gone)}"
            return f"try {row}; {f'{len(step.gone)} {gone}' if step.gone else 'nothing conflicts'}"
        if step.kind == "dead":
            rows = several(len(step.rows), "row") if step.rows else "no row"
            return f"column {column} has {rows} left: a dead end"
        if step.kind == "cover":
            return f"every column is covered: cover {self.covers.index(step.chosen) + 1} is {_numbers(step.chosen)}"
        return f"take back {row}"


def trace(problem: ExactCover, most: int | None, *, branch: str, steps: int) -> Trace:
    """Search for up to `most` covers (None for all) and record every step, up to a number of steps."""
    if len(problem.table.item) > MOST_ENTRIES:
        raise BadInput(
            f"a matrix with {len(problem.table.item):,} ones is too large to be watched: at most {MOST_ENTRIES:,}"
        )
    kept: list[Step] = []
    covers, stopped = 0, False
    for step in _search(problem, branch):
        kept.append(step)
        covers += step.kind == "cover"
        if stopped := covers == most or len(kept) == steps:
            break
    return Trace(problem, branch, tuple(kept), not stopped, most)


def _search(problem: ExactCover, branch: str) -> Iterator[Step]:
    """Algorithm X with an explicit stack, because problems may be deep."""
    # The row tried, the rows of its column still to be tried, and the rows that were past before it.
    stack: list[tuple[int, Iterator[int], tuple[int, ...]]] = []
    chosen: list[int] = []
    past: tuple[int, ...] = ()  # a cover is a set of rows: below a row those tried before it are not tried again
    while True:
        open_columns, live = left(problem, chosen, past)
        if not open_columns:
            yield Step("cover", tuple(chosen), past=past)
            rows: tuple[int, ...] = ()
        else:
            more = needed(problem, chosen)
            column, rows = _column(problem, more, open_columns, live, branch)
            dead = len(rows) < more[column]
            yield Step("dead" if dead else "choose", tuple(chosen), column, rows, past=past)
            rows = () if dead else rows
        untried = iter(rows)
        while (row := next(untried, None)) is None:
            if not stack:
                return
            done, untried, past = stack.pop()
            chosen.pop()
            if problem.need is not None:  # elsewhere they conflict with any other row of their column
                past = (*past, done)
            yield Step("back", tuple(chosen), row=done, past=past)
        stack.append((row, untried, past))
        before = left(problem, chosen, past)[1]
        chosen.append(row)
        after = set(left(problem, chosen, past)[1])
        gone = tuple(r for r in before if r not in after and r != row)
        yield Step("try", tuple(chosen), row=row, gone=gone, past=past)


def needed(problem: ExactCover, chosen: Sequence[int]) -> list[int]:
    """How often each primary column must still be covered."""
    more = [1] * problem.primary if problem.need is None else problem.need.tolist()
    for row in chosen:
        for item, _ in entries_of(problem)[row]:
            if item < problem.primary:
                more[item] -= 1
    return more


def left(problem: ExactCover, chosen: Sequence[int], past: Sequence[int] = ()) -> tuple[list[int], list[int]]:
    """The open primary columns, and the untried rows that conflict with no chosen row."""
    more = needed(problem, chosen)
    colour_of = {item: 0 for item, times in enumerate(more) if times == 0}  # of columns that nothing more may cover
    for row in chosen:
        colour_of.update((item, hue) for item, hue in entries_of(problem)[row] if item >= problem.primary)
    not_again = {*chosen, *past}
    live = [
        row
        for row, entries in enumerate(entries_of(problem))
        if row not in not_again
        and all(
            item not in colour_of or (item >= problem.primary and hue and colour_of[item] == hue)
            for item, hue in entries
        )
    ]
    return [item for item, times in enumerate(more) if times], live


def _column(
    problem: ExactCover, more: list[int], columns: list[int], live: list[int], branch: str
) -> tuple[int, tuple[int, ...]]:
    """The column to branch on, and its rows; `more` says how often each must still be covered."""
    rows: dict[int, list[int]] = {column: [] for column in columns}
    for row in live:
        for item, _ in entries_of(problem)[row]:
            if item in rows:
                rows[item].append(row)
    column = columns[0]
    if branch == "fewest":
        column = min(columns, key=lambda column: len(rows[column]) - more[column])
    return column, tuple(rows[column])


@lru_cache(maxsize=2)
def entries_of(problem: ExactCover) -> list[list[tuple[int, int]]]:
    """The items and colours of every row."""
    start, item, colour = (array.tolist() for array in problem.table[:3])
    return [list(zip(item[a:b], colour[a:b], strict=True)) for a, b in pairwise(start)]


def matrix(problem: ExactCover, columns: Sequence[int], rows: Sequence[int], marked: int = -1) -> list[str]:
    """The remaining matrix as lines of text; secondary columns stand behind a bar, colours in their cells."""
    entries = {row: dict(entries_of(problem)[row]) for row in rows}
    late = sorted({item for row in entries.values() for item in row if item >= problem.primary})
    head = {item: str(problem.items[item]) for item in [*columns, *late]}
    signs = ["1", *map(str, problem.colours)]
    shades = {(row, item): signs[hue] for row, cells in entries.items() for item, hue in cells.items()}
    wide = {item: max(len(head[item]), *(len(shades.get((row, item), "")) for row in rows), 1) for item in head}
    number = max((len(str(row + 1)) for row in rows), default=1)
    if sum(wide.values()) + len(wide) + number > _WIDE or len(rows) > _TALL:
        return [f"left: {several(len(columns), 'column')} and {several(len(rows), 'row')}"]

    def line(first: str, cells: dict[int, str]) -> str:
        early = " ".join(cells[item].center(wide[item]) for item in columns)
        more = " | " + " ".join(cells[item].center(wide[item]) for item in late) if late else ""
        return f"{first:>{number}}  {early}{more}".rstrip()

    out = [line("", head)]
    if marked >= 0:
        out.append(line("", {item: "v" if item == marked else "" for item in head}))
    return out + [line(str(row + 1), {item: shades.get((row, item), ".") for item in head}) for row in rows]


def _numbers(rows: Sequence[int]) -> str:
    shown = ", ".join(str(row + 1) for row in rows[:20])
    return f"row {shown}" if len(rows) == 1 else f"rows {shown}" + (" …" if len(rows) > 20 else "")


@dataclass(frozen=True)
class Model:
    """A problem as a matrix and as a graph, with a cover that is highlighted in both."""

    puzzle: ExactCover
    cover: Sequence[int] = ()  # numbers of options, from 0
    notes: tuple[str, ...] = ()
    status = "solved"

    def to_dict(self) -> dict[str, Any]:
        cover = [option + 1 for option in self.cover]
        return {"status": self.status, **self.puzzle.facts, "ones": len(self.puzzle.table.item), "cover": cover}

    def lines(self) -> Iterator[str]:
        yield from matrix(self.puzzle, range(self.puzzle.primary), range(len(self.puzzle)))
        if self.cover:
            yield "cover: rows " + ", ".join(str(option + 1) for option in sorted(self.cover))

    def remarks(self) -> Iterator[str]:
        yield from self.notes
        yield f"{self.puzzle!r}"[1:-1] + f", {several(len(self.puzzle.table.item), 'one')}"

    def scene(self) -> Scene:
        return bipartite(self.puzzle, self.cover)

    def to_svg(self) -> str:
        return to_svg(self.scene())


def show(problem: ExactCover, *, solved: bool) -> Model:
    """Return the model of a problem, optionally with its first cover."""
    if not solved:
        return Model(problem)
    found = problem.solve()
    return Model(problem, found.chosen[0]) if found.chosen else Model(problem, notes=("there is no cover to mark",))


def player(found: Trace) -> str:
    """A page that plays a search on its matrix."""
    problem = found.puzzle
    rows, columns = len(problem), len(problem.items)
    if rows * columns > MOST_CELLS:
        raise BadInput(f"a matrix of {rows:,}×{columns:,} is too large for a page: at most {MOST_CELLS:,} cells")
    number = several(len(found.covers), "cover")
    ending = "" if found.status in ("complete", "none") else "; stopped before the end"
    summary = (
        f"{several(rows, 'row')} (options), {several(columns, 'column')} (items); branching on the "
        f"{'column with the fewest rows' if found.branch == 'fewest' else 'first open column'}. "
        f"{number} in {several(found.nodes, 'node')}{ending}."
    )
    start = Frame("the start", "Press play, or step with the arrow keys.", 0)
    return frame_page("Algorithm X, step by step", summary, _matrix(problem), _STYLE, [start, *_frames(found)])


def _matrix(problem: ExactCover) -> str:
    """The matrix as SVG: a group for each row, and a group for each column with its band and name."""
    rows, columns = len(problem), len(problem.items)
    names = [str(item) for item in problem.items]
    head = 0.6 + 0.3 * max(map(len, names))
    side = 1.2
    gap = [0.4 if item >= problem.primary else 0.0 for item in range(columns)]  # secondary columns stand apart
    x = [side + item + gap[item] for item in range(columns)]
    width, height = x[-1] + 1.2, head + rows + 0.2
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">']
    out.append(f"<title>the matrix: {several(rows, 'row')} and {several(columns, 'column')}</title>")
    for item, name in enumerate(names):
        short = max(map(len, names)) <= 2
        turned = 'text-anchor="middle"' if short else f'transform="rotate(-60 {x[item] + 0.5:g} {head - 0.2:g})"'
        out.append(
            f'<g id="k{item}"><rect class="band" x="{x[item]:g}" y="{head:g}" width="1" height="{rows}"/>'
            f'<text class="label" x="{x[item] + 0.5:g}" y="{head - 0.2:g}" font-size="0.5" {turned}>'
            f"{escape(name)}</text></g>"
        )
    for row in range(rows):
        y = head + row
        out.append(
            f'<g id="g{row}"><rect class="back" x="0" y="{y + 0.06:g}" width="{width:g}" height="0.88" rx="0.2"/>'
            f'<text class="label" x="0.9" y="{y + 0.66:g}" font-size="0.45" text-anchor="end">{row + 1}</text>'
        )
        for name_of_item, hue in problem.option(row).items():
            at = x[problem.number[name_of_item]]
            out.append(f'<rect class="one" x="{at + 0.18:g}" y="{y + 0.18:g}" width="0.64" height="0.64" rx="0.12"/>')
            if hue is not None:
                word = escape(str(hue))[:3]
                out.append(
                    f'<text x="{at + 0.5:g}" y="{y + 0.62:g}" font-size="0.34" fill="#fff" text-anchor="middle">'
                    f"{word}</text>"
                )
        out.append("</g>")
    return "".join([*out, "</svg>"])


def _frames(found: Trace) -> Iterator[Frame]:
    """One frame for each step; the chosen column stays marked while its rows are tried."""
    problem, taken = found.puzzle, list[int]()
    for step in found.steps:
        depth = len(step.chosen)
        if step.kind == "choose":
            taken[depth:] = [step.column]
        open_columns, live = left(problem, step.chosen, step.past)
        gone = set(range(len(problem))) - set(live) - set(step.chosen)
        covered = set(range(problem.primary)) - set(open_columns)
        for option in step.chosen:
            covered |= {item for item in problem.table.items_of(option) if item >= problem.primary}
        classes = {
            "gone": [f"g{row}" for row in sorted(gone)],
            "chosen": [f"g{row}" for row in step.chosen if step.kind != "try" or row != step.row],
            "trying": [f"g{step.row}"] if step.kind == "try" else [],
            "covered": [f"k{item}" for item in sorted(covered)],
            "now": [f"k{step.column}"] if step.kind == "dead" else [],
            "pick": [f"k{taken[depth]}"] if step.kind in ("choose", "back") else [],
        }
        yield Frame(
            _NAMES[step.kind], found.words(step), depth, {name: parts for name, parts in classes.items() if parts}
        )
