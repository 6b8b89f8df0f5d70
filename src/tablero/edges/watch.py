"""A page that plays a search for a board: pieces laid and taken back, and how many variants fit every open cell."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

from tablero.draw.scene import Polygon, Text
from tablero.draw.stepper import Frame, page
from tablero.draw.svg import add_shape
from tablero.edges.draw import piece_shapes
from tablero.edges.tracing import Trace
from tablero.errors import BadInput

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


def player(found: Trace) -> str:
    """The page as HTML."""
    cells = found.puzzle.board.cells
    if cells > MOST_CELLS:
        raise BadInput(f"a board of {cells:,} cells is too large for a page that plays: at most {MOST_CELLS:,}")
    number = f"{len(found.layings)} solution{'' if len(found.layings) == 1 else 's'}"
    ending = "; stopped before the end" if found.status == "open" else ""
    rule = "the cell where the fewest variants fit" if found.branch == "fewest" else "the first open cell"
    summary = f"Next comes {rule}; its number says how many fit. {number} in {found.nodes} nodes{ending}."
    return page("An edge-matching puzzle, step by step", summary, _picture(found), _STYLE, list(_frames(found)))


def _picture(found: Trace) -> str:
    """Every cell with a number, every piece that is ever laid where it is laid, and a frame to mark cells with."""
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
