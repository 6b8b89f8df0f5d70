"""Scenes as SVG, on paper of their own, so that they read the same on a dark page; and back."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from tablero.draw.scene import PAPER, Circle, Line, Polygon, Rect, Scene, Shape, Text
from tablero.errors import BadInput

CELL = 40  # pixels for one cell where nothing else is said
_LARGE_CELL = 72  # in a small picture
_SPACE = "{http://www.w3.org/2000/svg}"
_MOST = 100_000.0  # cells of a side
_SMALL = 480  # pixels: a picture below that is drawn larger, so that its signs can be read


def to_svg(scene: Scene, cell: float | None = None) -> str:
    """The scene as a document of its own; `cell` is how many pixels a cell has."""
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


# What all elements of a kind say the same, once for the document: a board of thousands of cells stays a small file.
_SHARED = {"font-family": "system-ui, sans-serif", "text-anchor": "middle", "stroke-linecap": "round"}


def _share(svg: ET.Element) -> None:
    for name, value in _SHARED.items():
        alike = [element for element in svg if element.get(name) == value]
        if len(alike) > 1:
            svg.set(name, value)
            for element in alike:
                del element.attrib[name]


def read_svg(text: str) -> Scene:
    """A scene from what `to_svg` wrote, or from part of it; anything else is refused."""
    if "<!" in text:
        raise BadInput("not a drawing of tablero: it has declarations of its own")
    try:
        svg = ET.fromstring(text)
        left, top, width, height = map(_read_number, (svg.get("viewBox") or "").split())
    except (ET.ParseError, ValueError):
        raise BadInput("not a drawing of tablero") from None
    if (left, top) != (0, 0) or not (0 < width < _MOST and 0 < height < _MOST):
        raise BadInput("not a drawing of tablero: it has another frame")
    try:
        shapes = [shape for element in svg for shape in _read_shape(element)]
    except (ValueError, TypeError):
        raise BadInput("not a drawing of tablero: a shape cannot be read") from None
    return Scene(width, height, tuple(shapes), svg.findtext(f"{_SPACE}title") or "")


def _read_number(text: str | None) -> float:
    if text is None or not re.fullmatch(r"-?[0-9]{1,7}(\.[0-9]{1,6})?", text):
        raise ValueError(text)
    return float(text)


def _read_colour(text: str | None) -> str:
    if text is not None and not re.fullmatch(r"none|#[0-9a-fA-F]{6}", text):
        raise ValueError(text)
    return text or "none"


def _read_shape(element: ET.Element) -> Iterator[Shape]:
    """One shape; what is none of ours, as the title, is passed over."""

    def numbers(*names: str) -> list[float]:
        return [_read_number(element.get(name)) for name in names]

    fill, stroke = _read_colour(element.get("fill")), _read_colour(element.get("stroke"))
    line = _read_number(element.get("stroke-width", "0"))
    match element.tag.removeprefix(_SPACE):
        case "rect":
            round_ = _read_number(element.get("rx", "0"))
            x, y, width, height = numbers("x", "y", "width", "height")
            yield Rect(x, y, width, height, fill, stroke, line, round_)
        case "line":
            x1, y1, x2, y2 = numbers("x1", "y1", "x2", "y2")
            yield Line(x1, y1, x2, y2, stroke, line, _read_number(element.get("stroke-dasharray", "0")))
        case "circle":
            x, y, radius = numbers("cx", "cy", "r")
            yield Circle(x, y, radius, fill, stroke, line)
        case "polygon":
            pairs = [pair.split(",") for pair in (element.get("points") or "").split()]
            points = tuple((_read_number(x), _read_number(y)) for x, y in pairs)
            yield Polygon(points, fill, stroke, line)
        case "text":
            x, y, size = numbers("x", "y", "font-size")
            bold = element.get("font-weight") == "bold"
            yield Text(x, y, (element.text or "")[:1000], size, fill, element.get("text-anchor", "middle"), bold)


def to_element(shape: Shape) -> str:
    """One shape, for a document that others make."""
    parent = ET.Element("g")
    add_shape(parent, shape)
    return ET.tostring(parent[0], encoding="unicode")


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def add_shape(parent: ET.Element, shape: Shape) -> None:
    """Draw a shape into an element of a document."""
    match shape:
        case Rect():
            attributes = {"x": shape.x, "y": shape.y, "width": shape.width, "height": shape.height}
            if shape.round:
                attributes["rx"] = shape.round
            _element(parent, "rect", attributes, shape.fill, shape.stroke, shape.line)
        case Line():
            attributes = {"x1": shape.x1, "y1": shape.y1, "x2": shape.x2, "y2": shape.y2}
            line = _element(parent, "line", attributes, None, shape.stroke, shape.line)
            line.set("stroke-linecap", "butt" if shape.dash else "round")
            if shape.dash:
                line.set("stroke-dasharray", _number(shape.dash))
        case Circle():
            attributes = {"cx": shape.x, "cy": shape.y, "r": shape.radius}
            _element(parent, "circle", attributes, shape.fill, shape.stroke, shape.line)
        case Polygon():
            polygon = _element(parent, "polygon", {}, shape.fill, shape.stroke, shape.line)
            polygon.set("points", " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points))
        case Text():
            text = _element(
                parent, "text", {"x": shape.x, "y": shape.y, "font-size": shape.size}, shape.fill, "none", 0
            )
            text.set("text-anchor", shape.anchor)
            text.set("dominant-baseline", "central")
            text.set("font-family", "system-ui, sans-serif")
            if shape.bold:
                text.set("font-weight", "bold")
            text.text = shape.text


def _element(
    parent: ET.Element, tag: str, numbers: dict[str, float], fill: str | None, stroke: str, line: float
) -> ET.Element:
    element = ET.SubElement(parent, tag, {name: _number(value) for name, value in numbers.items()})
    if fill is not None:
        element.set("fill", fill)
    if stroke != "none" and line:
        element.set("stroke", stroke)
        element.set("stroke-width", _number(line))
    return element
