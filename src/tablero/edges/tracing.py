"""A search step by step, for small boards.

    choose    an open cell is chosen: the one with the fewest fitting variants (ties: the most open neighbours, then the
              first cell), or the first open cell
    lay       a fitting variant is placed there
    dead      no variant fits a cell
    solution  the board is full
    back      the piece is removed

A page plays the steps, with the number of fitting variants at each open cell.  The tree is the same as that of the method
`fewest`, or of a scan by rows.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.draw.pages import Frame, frame_page
from tablero.draw.scene import Polygon, Text
from tablero.draw.svg import add_shape
from tablero.edges.draw import piece_shapes
from tablero.edges.layings import lines_of
from tablero.edges.puzzle import EdgePuzzle
from tablero.edges.solving import reduced
from tablero.errors import BadInput
from tablero.text import several

MOST_CELLS = 400
_MARGIN = 0.15
_STYLE = """
svg text { font-family: system-ui, sans-serif }
svg g[id^="p"] { display: none } svg g[id^="p"].laid { display: inline }
svg polygon[id^="f"] { fill: none; stroke: none; stroke-width: .09; stroke-linejoin: round }
svg polygon[id^="f"].now { stroke: #c77700; fill: #ffeab8; fill-opacity: .55 }
svg polygon[id^="f"].new { stroke: #2d7d46 }
svg polygon[id^="f"].dead { stroke: #d00000; fill: #ffd9d6; fill-opacity: .7 }
svg polygon[id^="f"].gone { stroke: #6b7280; stroke-dasharray: .15 .1 }
"""
_NAMES = {
    "choose": "choose a cell",
    "lay": "lay a piece",
    "dead": "dead end",
    "solution": "a solution",
    "back": "take back",
}
_MARKS = {"choose": "now", "lay": "new", "dead": "dead", "back": "gone"}


@dataclass(frozen=True)
class Step:
    """One step of a search, and the board after it."""

    kind: str  # choose, lay, dead, solution or back
    laying: tuple[int, ...]
    fit: tuple[int, ...]  # the number of variants that fit each open cell; −1 for a filled cell
    cell: int = -1
    variant: int = -1

    @property
    def laid(self) -> int:
        """The number of pieces on the board."""
        return sum(variant >= 0 for variant in self.laying)


@dataclass(frozen=True)
class Trace:
    """A search step by step; `whole` is true if the search ended."""

    puzzle: EdgePuzzle
    branch: str
    steps: tuple[Step, ...]
    whole: bool
    most: int | None

    @cached_property
    def layings(self) -> list[tuple[int, ...]]:
        """The solutions found."""
        return [step.laying for step in self.steps if step.kind == "solution"]

    @property
    def nodes(self) -> int:
        """The number of boards visited, with the empty board."""
        return sum(step.kind in ("choose", "dead", "solution") for step in self.steps)

    @property
    def status(self) -> str:
        if self.most is not None and len(self.layings) >= self.most:
            return "solved"
        if not self.whole:
            return "open"
        return "complete" if self.layings else "none"

    @property
    def solutions(self) -> int:
        return len(self.layings)

    def to_dict(self) -> dict[str, Any]:
        puzzle = self.puzzle
        steps = [
            {"kind": step.kind, "laid": step.laid}
            | ({"cell": puzzle.board.name(step.cell)} if step.cell >= 0 else {})
            | ({"fit": step.fit[step.cell]} if step.kind in ("choose", "dead") else {})
            | ({"piece": [step.variant // puzzle.sides + 1, step.variant % puzzle.sides]} if step.variant >= 0 else {})
            for step in self.steps
        ]
        values = {"status": self.status, "solutions": self.solutions, "nodes": self.nodes, "branch": self.branch}
        return {**values, "steps": steps, "answers": [puzzle.pairs(laying) for laying in self.layings]}

    def lines(self) -> list[str]:
        return self.text().splitlines()

    def remarks(self) -> Iterator[str]:
        yield from self.puzzle.reading
        steps = several(len(self.steps), "step")
        ending = {"open": f"; stopped after {steps}", "none": " (proved)"}.get(self.status, "")
        found, nodes = several(self.solutions, "solution"), several(self.nodes, "node")
        yield f"{found}{ending}; {nodes}, {steps}, branching on the {self.branch}"

    def page(self) -> str:
        """A page that plays it, as HTML."""
        cells = self.puzzle.board.cells
        if cells > MOST_CELLS:
            raise BadInput(f"a board of {cells:,} cells is too large for a page that plays: at most {MOST_CELLS:,}")
        ending = "; stopped before the end" if self.status == "open" else ""
        rule = "the cell with the fewest fitting variants" if self.branch == "fewest" else "the first open cell"
        found = several(self.solutions, "solution")
        summary = f"The search fills {rule}. Numbers: variants that fit. {found} in {self.nodes} nodes{ending}."
        return frame_page("An edge-matching puzzle, step by step", summary, _picture(self), _STYLE, list(_frames(self)))

    def __repr__(self) -> str:
        return f"<Trace: {self.status}, {several(len(self.steps), 'step')}>"

    def text(self) -> str:
        """The steps as text, with the board at each node: pieces with their turns, or the number of fitting variants."""
        out = []
        for step in self.steps:
            if step.kind in ("choose", "dead", "solution"):
                out += ["", self._board(step)]
            out.append(self.words(step))
        return "\n".join(out[1:])

    def _board(self, step: Step) -> str:
        puzzle = self.puzzle
        words = [
            f"{variant // puzzle.sides + 1}/{variant % puzzle.sides}" if variant >= 0 else f"({fit})"
            for variant, fit in zip(step.laying, step.fit, strict=True)
        ]
        return "\n".join(f"  {line}" for line in lines_of(puzzle.board, words))

    def words(self, step: Step) -> str:
        """A step as a sentence."""
        if step.kind == "solution":
            return f"the board is full: solution {self.layings.index(step.laying) + 1}"
        name = self.puzzle.board.name(step.cell)
        if step.kind == "dead":
            return f"nothing fits {name}: back"
        if step.kind == "choose":
            fit = step.fit[step.cell]
            return (
                f"{name}: fewest fit, {fit}" if self.branch == "fewest" else f"{name}: the first open cell; {fit} fit"
            )
        piece = f"piece {step.variant // self.puzzle.sides + 1}"
        turn = step.variant % self.puzzle.sides
        if step.kind == "lay":
            return f"lay {piece}{f', turned by {turn},' if turn else ''} on {name}"
        return f"take {piece} back from {name}"


def trace(puzzle: EdgePuzzle, *, branch: str = "fewest", most: int | None = 1, steps: int = 1000) -> Trace:
    """Search for up to `most` solutions, or all if it is None, and keep up to `steps` steps.

    If one solution is wanted, only one of the boards that are turns of each other is searched.
    """
    puzzle = reduced(puzzle, most == 1)
    kept: list[Step] = []
    found = 0
    for step in _search(puzzle, branch):
        kept.append(step)
        found += step.kind == "solution"
        if found == most or len(kept) == steps:
            return Trace(puzzle, branch, tuple(kept), False, most)
    return Trace(puzzle, branch, tuple(kept), True, most)


def _search(puzzle: EdgePuzzle, branch: str) -> Iterator[Step]:
    laying = np.full(puzzle.board.cells, -1, np.int32)
    stack: list[tuple[int, Iterator[int]]] = []  # the filled cell and its untried variants

    def step(kind: str, cell: int = -1, variant: int = -1) -> Step:
        counts = tuple(len(row) if row is not None else -1 for row in domains)
        return Step(kind, tuple(laying.tolist()), counts, cell, variant)

    while True:
        domains = _domains(puzzle, laying)
        cell = _cell(puzzle, laying, domains, branch)
        fitting: list[int] = []
        if cell < 0:
            yield step("solution")
        else:
            domain = domains[cell]
            fitting = [] if domain is None else domain.tolist()
            yield step("choose" if fitting else "dead", cell)
        untried = iter(fitting)
        while (variant := next(untried, None)) is None:
            if not stack:
                return
            cell, untried = stack.pop()
            old = int(laying[cell])
            laying[cell] = -1
            domains = _domains(puzzle, laying)
            yield step("back", cell, old)
        stack.append((cell, untried))
        laying[cell] = variant
        domains = _domains(puzzle, laying)
        yield step("lay", cell, variant)


def _domains(puzzle: EdgePuzzle, laying: NDArray[np.int32]) -> list[NDArray[np.int32] | None]:
    """The variants that fit each open cell: the piece is unused and matches the neighbours.  None for a filled cell."""
    shown = puzzle.shown(laying)
    used = laying[laying >= 0] // puzzle.sides
    out: list[NDArray[np.int32] | None] = []
    for cell in range(puzzle.board.cells):
        if laying[cell] >= 0:
            out.append(None)
            continue
        rows = puzzle.fits(cell)
        fit = ~np.isin(rows // puzzle.sides, used)
        for side, across in enumerate(puzzle.board.neighbours[cell].tolist()):
            if across >= 0 and laying[across // puzzle.sides] >= 0:
                fit &= puzzle.turned[rows, side] == shown[across // puzzle.sides, across % puzzle.sides]
        out.append(rows[fit])
    return out


def _cell(puzzle: EdgePuzzle, laying: NDArray[np.int32], domains: list[NDArray[np.int32] | None], branch: str) -> int:
    """The cell to fill next; −1 if all are filled."""
    sizes = {cell: len(domain) for cell, domain in enumerate(domains) if domain is not None}
    if not sizes or branch == "first":
        return min(sizes, default=-1)
    across = puzzle.board.neighbours // puzzle.sides

    def closed(cell: int) -> int:
        return sum(
            side < 0 or laying[other] >= 0
            for side, other in zip(puzzle.board.neighbours[cell], across[cell], strict=True)
        )

    return min(sizes, key=lambda cell: (sizes[cell], closed(cell), cell))


# The page


def _picture(found: Trace) -> str:
    """The SVG for all frames: a number and a frame for each cell, and each piece at each cell where it is placed."""
    puzzle = found.puzzle
    outlines = [[(x + _MARGIN, y + _MARGIN) for x, y in puzzle.board.outline(c)] for c in range(puzzle.board.cells)]
    width = max(x for outline in outlines for x, _ in outline) + _MARGIN
    height = max(y for outline in outlines for _, y in outline) + _MARGIN
    svg = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.3f} {height:.3f}", role="img")
    ET.SubElement(svg, "title").text = f"a board of {puzzle.board.cells} cells"
    for outline in outlines:
        add_shape(svg, Polygon(tuple(outline), "#f1f0ec", "#c9c6bc", 0.02))
    for step in found.steps:
        if step.kind == "lay" and svg.find(f"g[@id='p{step.cell}v{step.variant}']") is None:
            group = ET.SubElement(svg, "g", id=f"p{step.cell}v{step.variant}")
            for shape in piece_shapes(puzzle, outlines[step.cell], step.variant, numbers=True):
                add_shape(group, shape)
    for cell, outline in enumerate(outlines):
        frame = ET.SubElement(svg, "polygon", id=f"f{cell}")
        frame.set("points", " ".join(f"{x:.3f},{y:.3f}" for x, y in outline))
        middle = [sum(values) / len(outline) for values in zip(*outline, strict=True)]
        add_shape(svg, Text(middle[0], middle[1], "", 0.34))
        svg[-1].set("id", f"n{cell}")
    return ET.tostring(svg, encoding="unicode")


def _frames(found: Trace) -> Iterator[Frame]:
    first = found.steps[0]
    yield Frame("the start", "Press play, or step with the arrow keys.", 0, {}, _numbers(first.fit))
    for step in found.steps:
        laid = [f"p{cell}v{variant}" for cell, variant in enumerate(step.laying) if variant >= 0]
        classes = {"laid": laid} if laid else {}
        if step.cell >= 0:
            classes[_MARKS[step.kind]] = [f"f{step.cell}"]
        yield Frame(_NAMES[step.kind], found.words(step), step.laid, classes, _numbers(step.fit))


def _numbers(fit: tuple[int, ...]) -> dict[str, str]:
    return {f"n{cell}": str(count) for cell, count in enumerate(fit) if count >= 0}
