"""Write scenes as SVG, with a white background for dark pages, and read them back."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

from tablero.draw.scene import PAPER, Circle, Line, Polygon, Rect, Scene, Shape, Text
from tablero.errors import BadInput

CELL = 40  # pixels of a cell
_LARGE_CELL = 72  # pixels of a cell in a small picture
_SPACE = "{http://www.w3.org/2000/svg}"
_MOST = 100_000.0  # cells of a side
_SMALL = 480  # pixels; smaller pictures are enlarged, so that they are legible


def to_svg(scene: Scene, cell: float | None = None) -> str:
    """The scene as an SVG document; `cell` is the number of pixels of a cell."""
    if cell is None:
        cell = min(_LARGE_CELL, max(CELL, _SMALL / max(scene.width, scene.height)))
    svg = ET.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_number(scene.width)} {_number(scene.height)}",
        width=_number(scene.width * cell),
        height=_number(scene.height * cell),
        role="img",
    )
    ET.SubElement(svg, "title").text = scene.title or "a picture"
    paper = Rect(0, 0, scene.width, scene.height, PAPER)
    if scene.shapes[:1] != (paper,):
        add_shape(svg, paper)
    for shape in scene.shapes:
        add_shape(svg, shape)
    _share(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"


# Attributes that all elements share are set once, so that files of boards with thousands of cells stay small.
_SHARED = {"font-family": "system-ui, sans-serif", "text-anchor": "middle", "stroke-linecap": "round"}


def _share(svg: ET.Element) -> None:
    for name, value in _SHARED.items():
        alike = [element for element in svg if element.get(name) == value]
        if len(alike) > 1:
            svg.set(name, value)
            for element in alike:
                del element.attrib[name]


def read_svg(text: str) -> Scene:
    """Read a scene from SVG that `to_svg` has written; anything else is refused."""
    if "<!" in text:
        raise BadInput("not a drawing of tablero: it has declarations")
    try:
        svg = ET.fromstring(text)
        left, top, width, height = map(_read_number, (svg.get("viewBox") or "").split())
    except (ET.ParseError, ValueError):
        raise BadInput("not a drawing of tablero") from None
    if (left, top) != (0, 0) or not (0 < width < _MOST and 0 < height < _MOST):
        raise BadInput("not a drawing of tablero: invalid viewBox")
    try:
        shapes = [shape for element in svg for shape in _read_shape(element)]
    except (ValueError, TypeError):
        raise BadInput("not a drawing of tablero: invalid shape") from None
    return Scene(width, height, tuple(shapes), svg.findtext(f"{_SPACE}title") or "")


def _read_number(text: str | None) -> float:
    if text is None or not re.fullmatch(r"-?[0-9]{1,7}(\.[0-9]{1,6})?", text):
        raise ValueError(text)
    return float(text)


def _read_colour(text: str | None) -> str:
    if text is not None and not re.fullmatch(r"none|#[0-9a-fA-F]{6}", text):
        raise ValueError(text)
    return text or "none"


# The element of a shape, and the attributes that are its numbers.
_ELEMENTS: dict[type[Shape], tuple[str, dict[str, str]]] = {
    Rect: ("rect", {"x": "x", "y": "y", "width": "width", "height": "height"}),
    Line: ("line", {name: name for name in ("x1", "y1", "x2", "y2")}),
    Circle: ("circle", {"x": "cx", "y": "cy", "radius": "r"}),
    Polygon: ("polygon", {}),
    Text: ("text", {"x": "x", "y": "y", "size": "font-size"}),
}
_SHAPES = {tag: (shape, names) for shape, (tag, names) in _ELEMENTS.items()}


def _read_shape(element: ET.Element) -> Iterator[Shape]:
    """Read one shape; other elements, such as the title, are skipped."""
    tag = element.tag.removeprefix(_SPACE)
    fill, stroke = _read_colour(element.get("fill")), _read_colour(element.get("stroke"))
    line = _read_number(element.get("stroke-width", "0"))
    if tag not in _SHAPES:
        return
    shape, names = _SHAPES[tag]
    values: dict[str, Any] = {name: _read_number(element.get(attribute)) for name, attribute in names.items()}
    values |= {"fill": fill} if shape is not Line else {}
    values |= {"stroke": stroke, "line": line} if shape is not Text else {}
    match tag:
        case "rect":
            values["round"] = _read_number(element.get("rx", "0"))
        case "line":
            values["dash"] = _read_number(element.get("stroke-dasharray", "0"))
        case "polygon":
            pairs = [pair.split(",") for pair in (element.get("points") or "").split()]
            values["points"] = tuple((_read_number(x), _read_number(y)) for x, y in pairs)
        case "text":
            values |= {"text": (element.text or "")[:1000], "anchor": element.get("text-anchor", "middle")}
            values["bold"] = element.get("font-weight") == "bold"
    yield shape(**values)


def to_element(shape: Shape) -> str:
    """The SVG element of a shape."""
    parent = ET.Element("g")
    add_shape(parent, shape)
    return ET.tostring(parent[0], encoding="unicode")


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def add_shape(parent: ET.Element, shape: Shape) -> None:
    """Append the SVG element of a shape to its parent."""
    tag, names = _ELEMENTS[type(shape)]
    numbers = {attribute: _number(getattr(shape, name)) for name, attribute in names.items()}
    element = ET.SubElement(parent, tag, numbers)
    if isinstance(shape, Rect) and shape.round:
        element.set("rx", _number(shape.round))
    if not isinstance(shape, Line):
        element.set("fill", shape.fill)
    if not isinstance(shape, Text) and shape.stroke != "none" and shape.line:
        element.set("stroke", shape.stroke)
        element.set("stroke-width", _number(shape.line))
    match shape:
        case Line():
            element.set("stroke-linecap", "butt" if shape.dash else "round")
            if shape.dash:
                element.set("stroke-dasharray", _number(shape.dash))
        case Polygon():
            element.set("points", " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points))
        case Text():
            element.set("text-anchor", shape.anchor)
            element.set("dominant-baseline", "central")
            element.set("font-family", "system-ui, sans-serif")
            if shape.bold:
                element.set("font-weight", "bold")
            element.text = shape.text
