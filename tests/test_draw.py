"""Pictures: well-formed, and with every piece where it belongs."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tablero.cover import generate
from tablero.cover.draw import mosaic
from tablero.cover.generating import PENTOMINOES
from tablero.draw.scene import Circle, Line, Mosaic, Polygon, Rect, Scene, Text, colour
from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tests import problems


def test_every_shape_becomes_an_element() -> None:
    shapes = (
        Rect(0, 0, 1, 1, "#ff0000", "#000000", 0.1, round=0.2),
        Line(0, 0, 1, 1),
        Circle(0.5, 0.5, 0.25),
        Polygon(((0, 0), (1, 0), (0, 1)), "#00ff00"),
        Text(0.5, 0.5, "<&>", bold=True),
    )
    svg = ElementTree.fromstring(to_svg(Scene(1, 1, shapes, "a <title>")))
    tags = [element.tag.split("}")[1] for element in svg]
    assert tags == ["title", "rect", "rect", "line", "circle", "polygon", "text"]  # a rectangle of paper first
    assert svg[0].text == "a <title>"
    assert svg[6].text == "<&>"


def test_text_of_a_mosaic() -> None:
    picture = Mosaic(((0, 0), (1, None)), (("A", ""), ("B", "")))
    assert picture.to_text().splitlines() == ["┌───────┐", "│ A     │", "├───┬───┘", "│ B │", "└───┘"]
    assert "\x1b[" in picture.to_text(colours=True)


def test_a_cover_is_drawn_cell_by_cell() -> None:
    problem = generate("pentominoes", "8x8", holes="r4c4,r4c5,r5c4,r5c5")
    cover = problem.solve().chosen[0]
    picture = mosaic(problem, cover)
    regions = [region for row in picture.regions for region in row if region is not None]
    assert sorted(regions) == sorted(k for k in range(12) for _ in range(5))
    assert picture.region(3, 3) is None
    assert {label for row in picture.labels or () for label in row if label} == set(PENTOMINOES)
    svg = ElementTree.fromstring(to_svg(picture.scene()))
    assert sum(element.tag.endswith("rect") for element in svg) == 60 + 1  # the paper


def test_what_is_no_board_is_not_drawn() -> None:
    with pytest.raises(BadInput, match="no cells"):
        mosaic(problems.source_example(), [1, 3, 5])


def test_colours_differ() -> None:
    assert len({colour(k) for k in range(40)}) == 40
