"""The model of a problem as a picture, and a page that plays a search on it.

bipartite   options on the left, items on the right, a line for every item of an option
matrix      a row an option, a column an item; what is chosen, covered and gone shows at every step
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from tablero.cover.puzzle import ExactCover
from tablero.cover.tracing import Trace, left, matrix
from tablero.draw.pages import Frame, frame_page
from tablero.draw.scene import INK, Circle, Line, Rect, Scene, Shape, Text, colour
from tablero.errors import BadInput
from tablero.words import several

MOST_LINES = 4000  # of a bipartite drawing
MOST_CELLS = 20_000  # of a matrix on a page
_FAINT = "#c9c6bc"

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


def require_lines(puzzle: ExactCover) -> None:
    """Refuse a problem that is too large for a bipartite drawing."""
    lines = len(puzzle.table.item)
    if lines > MOST_LINES:
        raise BadInput(f"{lines:,} lines between options and items are too many to draw: at most {MOST_LINES:,}")


@dataclass(frozen=True)
class Model:
    """A problem as its matrix and as a graph, with a cover that is marked in both."""

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
        from tablero.draw.svg import to_svg

        return to_svg(self.scene())


def show(problem: ExactCover, *, solved: bool) -> Model:
    """The model of a problem, with its first cover where that is wanted."""
    if not solved:
        return Model(problem)
    found = problem.solve()
    return Model(problem, found.chosen[0]) if found.chosen else Model(problem, notes=("there is no cover to mark",))


def bipartite(problem: ExactCover, cover: Sequence[int] = ()) -> Scene:
    """Options and items as the two sides of a graph; the options of a cover and their lines stand out."""
    require_lines(problem)
    options, items = len(problem), len(problem.items)
    tall = max(options, items, 1)
    wide = max(5.0, min(14.0, 0.35 * tall))
    names = [str(item) for item in problem.items]
    room = 1.0 + 0.24 * max((len(name) for name in names), default=1)
    at_option = [1.0 + (k + 0.5) * tall / max(options, 1) for k in range(options)]
    at_item = [1.0 + (k + 0.5) * tall / max(items, 1) for k in range(items)]
    x, y = 1.6, 1.6 + wide
    tone = {option: colour(k) for k, option in enumerate(cover)}
    shapes: list[Shape] = [
        Text(x, 0.45, "options", 0.4, bold=True),
        Text(y, 0.45, "items", 0.4, bold=True),
    ]
    for front in (False, True):  # what stands out is painted last
        for option in range(options):
            if (option in tone) == front:
                first, end = problem.table.start[option : option + 2]
                for item in problem.table.item[first:end].tolist():
                    stroke, line = (tone[option], 0.11) if front else (_FAINT, 0.03 if cover else 0.04)
                    shapes.append(Line(x, at_option[option], y, at_item[item], stroke, line))
    covered = {
        item: option
        for option in cover
        for item in problem.table.item[problem.table.start[option] : problem.table.start[option + 1]].tolist()
    }
    for option in range(options):
        shapes.append(Rect(x - 0.3, at_option[option] - 0.2, 0.6, 0.4, tone.get(option, "#ffffff"), INK, 0.03, 0.08))
        shapes.append(Text(x, at_option[option], str(option + 1), 0.26))
    for item, name in enumerate(names):
        secondary = item >= problem.primary
        fill = tone[covered[item]] if item in covered else "#ffffff"
        shapes.append(Circle(y, at_item[item], 0.2, fill, "#8a8f99" if secondary else INK, 0.03))
        shapes.append(Text(y + 0.35, at_item[item], name, 0.3, "#6b7280" if secondary else INK, "start"))
    title = f"{several(options, 'option')} and {several(items, 'item')} of an exact cover problem"
    return Scene(y + room, tall + 1.5, tuple(shapes), title)


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
    """The matrix as SVG: a group a row, and a group a column for its band and its name."""
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
    """A frame a step; the column that was taken stays marked while its rows are tried."""
    problem, taken = found.puzzle, list[int]()
    for step in found.steps:
        depth = len(step.chosen)
        if step.kind == "choose":
            taken[depth:] = [step.column]
        open_columns, live = left(problem, step.chosen, step.past)
        gone = set(range(len(problem))) - set(live) - set(step.chosen)
        covered = set(range(problem.primary)) - set(open_columns)
        for option in step.chosen:
            items = problem.table.item[problem.table.start[option] : problem.table.start[option + 1]].tolist()
            covered |= {item for item in items if item >= problem.primary}
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
