"""A search for covers that can be watched: Algorithm X step by step, on the matrix of the problem.

    column    an item;  row  an option;  a row has a one in the columns of its items
    choose    take an open column: that with the fewest rows left (the first of them), or the first open one
    try       choose one of its rows: the columns of that row are covered, and the rows that conflict with it go
    dead      a column has no row left
    cover     every primary column is covered
    back      the row is taken back

It walks the tree of the kernels `bits` and `sparse`, node for node, when it takes the fewest; it is written to be read, and
meant for small problems.  A column that is needed more than once stays open until it is covered so often; the fewest are
then the fewest rows to spare, and a column with fewer rows than it needs is dead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

from tablero.cover.puzzle import ExactCover
from tablero.errors import BadInput
from tablero.words import several

MOST_ENTRIES = 200_000
_WIDE = 100  # characters of a matrix in text
_TALL = 40  # rows of it


@dataclass(frozen=True)
class Step:
    """One step: the rows chosen after it, and the column or the row that it is about."""

    kind: str  # choose, try, dead, cover or back
    chosen: tuple[int, ...]
    column: int = -1
    rows: tuple[int, ...] = ()  # of the column, those that are left
    row: int = -1
    gone: tuple[int, ...] = ()  # the rows that conflict with the one tried
    past: tuple[int, ...] = ()  # rows that were tried before: only where columns are needed more than once


@dataclass(frozen=True)
class Trace:
    """A search step by step; `whole` where it came to its end."""

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
        """Choices of rows that were looked at, the empty one too."""
        return sum(step.kind in ("choose", "dead", "cover") for step in self.steps)

    @property
    def status(self) -> str:
        if self.most is not None and len(self.covers) >= self.most:
            return "solved"
        if not self.whole:
            return "open"
        return "complete" if self.covers else "none"

    def to_dict(self) -> dict[str, Any]:
        """The steps and the covers; options have numbers from 1."""
        return {
            "status": self.status,
            "solutions": len(self.covers),
            "nodes": self.nodes,
            "branch": self.branch,
            "steps": [self._told(step) for step in self.steps],
            "answers": [[self.puzzle.written(option) for option in cover] for cover in self.covers],
        }

    def _told(self, step: Step) -> dict[str, Any]:
        told: dict[str, Any] = {"kind": step.kind, "chosen": [row + 1 for row in step.chosen]}
        if step.column >= 0:
            told |= {"column": str(self.puzzle.items[step.column]), "rows": [row + 1 for row in step.rows]}
        if step.row >= 0:
            told["row"] = step.row + 1
        return told

    def page(self) -> str:
        """A page that plays it."""
        from tablero.cover.watch import player

        return player(self)

    def remarks(self) -> Iterator[str]:
        steps = several(len(self.steps), "step")
        ending = {"open": f"; stopped after {steps}", "none": " (proved)"}.get(self.status, "")
        nodes = several(self.nodes, "node")
        yield f"{several(len(self.covers), 'cover')}{ending}; {nodes}, {steps}, branching on the {self.branch}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """The steps in words, with the matrix that is left at every node."""
        for step in self.steps:
            yield from self._lines(step)

    def _lines(self, step: Step) -> Iterator[str]:
        indent = "  " * (len(step.chosen) - (step.kind == "try"))
        if step.kind in ("choose", "dead"):
            yield from (
                indent + line for line in matrix(self.puzzle, *left(self.puzzle, step.chosen, step.past), step.column)
            )
        yield indent + self.words(step)
        if step.kind in ("choose", "dead"):
            yield ""

    def words(self, step: Step) -> str:
        """A step as a sentence."""
        column = str(self.puzzle.items[step.column])
        row = f"row {step.row + 1} ({' '.join(self.puzzle.written(step.row))})" if step.row >= 0 else ""
        if step.kind == "choose":
            fewest = "has the fewest rows" if self.puzzle.need is None else "has the fewest rows to spare"
            why = fewest if self.branch == "fewest" else "is the first open one; its rows"
            return f"column {column}{self._needs(step)} {why}, {len(step.rows)}: {_numbers(step.rows)}"
        if step.kind == "try":
            gone = f"{'row goes' if len(step.gone) == 1 else 'rows go'}: {_numbers(step.gone)}"
            return f"try {row}; {f'{len(step.gone)} {gone}' if step.gone else 'nothing conflicts'}"
        if step.kind == "dead":
            rows = several(len(step.rows), "row") if step.rows else "no row"
            return f"column {column}{self._needs(step)} has {rows} left: a dead end"
        if step.kind == "cover":
            return f"every column is covered: cover {self.covers.index(step.chosen) + 1} is {_numbers(step.chosen)}"
        return f"take back {row}"

    def _needs(self, step: Step) -> str:
        """How often the column is still to be covered, where that is not once."""
        more = needed(self.puzzle, step.chosen)[step.column]
        return f", needed {more} times," if more > 1 else ""


def trace(problem: ExactCover, most: int | None, *, branch: str, steps: int) -> Trace:
    """Search for up to `most` covers (None: all) and keep every step, up to so many."""
    if len(problem.table.item) > MOST_ENTRIES:
        raise BadInput(
            f"a matrix with {len(problem.table.item):,} ones is too large to be watched: at most {MOST_ENTRIES:,}"
        )
    kept: list[Step] = []
    covers = 0
    for step in _search(problem, branch):
        kept.append(step)
        covers += step.kind == "cover"
        if covers == most or len(kept) == steps:
            return Trace(problem, branch, tuple(kept), False, most)
    return Trace(problem, branch, tuple(kept), True, most)


def _search(problem: ExactCover, branch: str) -> Iterator[Step]:
    """Algorithm X with a stack of its own: problems may be deep."""
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
    """How often each primary column is still to be covered."""
    more = [1] * problem.primary if problem.need is None else problem.need.tolist()
    for row in chosen:
        for item, _ in _entries(problem, row):
            if item < problem.primary:
                more[item] -= 1
    return more


def left(problem: ExactCover, chosen: Sequence[int], past: Sequence[int] = ()) -> tuple[list[int], list[int]]:
    """The primary columns that are open, and the rows not past that conflict with none of those chosen."""
    more = needed(problem, chosen)
    colour_of = {item: 0 for item, times in enumerate(more) if times == 0}  # of columns that nothing more may cover
    for row in chosen:
        colour_of.update((item, hue) for item, hue in _entries(problem, row) if item >= problem.primary)
    not_again = {*chosen, *past}
    live = [
        row
        for row, entries in enumerate(_all_entries(problem))
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
    """The column to branch on, and its rows; so many `more` each needs."""
    rows: dict[int, list[int]] = {column: [] for column in columns}
    for row in live:
        for item, _ in _entries(problem, row):
            if item in rows:
                rows[item].append(row)
    column = columns[0]
    if branch == "fewest":
        column = min(columns, key=lambda column: len(rows[column]) - more[column])
    return column, tuple(rows[column])


def _entries(problem: ExactCover, row: int) -> list[tuple[int, int]]:
    return _all_entries(problem)[row]


@lru_cache(maxsize=2)
def _all_entries(problem: ExactCover) -> list[list[tuple[int, int]]]:
    """Items and colours of every row."""
    start, item, colour = (array.tolist() for array in problem.table[:3])
    return [list(zip(item[a:b], colour[a:b], strict=True)) for a, b in pairwise(start)]


def matrix(problem: ExactCover, columns: Sequence[int], rows: Sequence[int], marked: int = -1) -> list[str]:
    """The part of the matrix that is left, as lines of text; secondary columns behind a bar, colours in their cells."""
    entries = {row: dict(_entries(problem, row)) for row in rows}
    late = sorted({item for row in entries.values() for item in row if item >= problem.primary})
    head = {item: str(problem.items[item]) for item in [*columns, *late]}
    shades = {(row, item): _sign(problem, hue) for row, cells in entries.items() for item, hue in cells.items()}
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


def _sign(problem: ExactCover, hue: int) -> str:
    return str(problem.colours[hue - 1]) if hue else "1"


def _numbers(rows: Sequence[int]) -> str:
    shown = ", ".join(str(row + 1) for row in rows[:20])
    return f"row {shown}" if len(rows) == 1 else f"rows {shown}" + (" …" if len(rows) > 20 else "")
