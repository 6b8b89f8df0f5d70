"""Write scenes as the pages of a PDF, by fpdf2, with the embedded font DejaVu Sans."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tablero.draw.scene import Circle, Line, Polygon, Rect, Scene, Shape, Text
from tablero.errors import BadInput

if TYPE_CHECKING:
    from fpdf import FPDF

CENTIMETRE = 72 / 2.54  # points
_FONTS = Path(__file__).with_name("fonts")
_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # the same scenes make the same bytes


def require_letters(words: str) -> None:
    """Refuse text with characters that the font lacks."""
    from fontTools.ttLib import TTFont

    known = TTFont(_FONTS / "DejaVuSans.ttf").getBestCmap()
    strange = [mark for mark in _composed(words) if ord(mark) not in known]
    if strange:
        raise BadInput(
            f"{strange[0]!r} is not in the font of the PDF: expected Latin, Greek or Cyrillic letters, or an SVG"
        )


def to_pdf(scenes: Sequence[Scene], unit: float = CENTIMETRE, title: str = "") -> bytes:
    """A document with a page for each scene; `unit` is the size of a scene's unit in points."""
    document = _document()
    document.set_title(title or (scenes[0].title if scenes else ""))
    for scene in scenes:
        document.add_page(format=(scene.width * unit, scene.height * unit))
        with document.local_context(stroke_cap_style="round", stroke_join_style="round"):
            for shape in scene.shapes:
                _draw(document, shape, unit)
    return bytes(document.output())


def _document() -> FPDF:
    """A document without pages, measured in points."""
    from fpdf import FPDF, ViewerPreferences

    document = FPDF(unit="pt")
    document.set_auto_page_break(False)
    document.set_margin(0)
    document.set_creation_date(_DATE)
    document.set_producer("tablero")
    document.set_lang("en")
    document.viewer_preferences = ViewerPreferences(display_doc_title=True)
    document.add_font("DejaVu", "", _FONTS / "DejaVuSans.ttf")
    document.add_font("DejaVu", "B", _FONTS / "DejaVuSans-Bold.ttf")
    return document


def _draw(document: FPDF, shape: Shape, unit: float) -> None:
    if isinstance(shape, Text):
        _write(document, shape, unit)
        return
    style = ""  # of fpdf2: F to fill, D to draw the outline
    if not isinstance(shape, Line) and shape.fill != "none":
        document.set_fill_color(shape.fill)
        style += "F"
    if shape.stroke != "none" and shape.line > 0:
        document.set_draw_color(shape.stroke)
        document.set_line_width(shape.line * unit)
        style += "D"
    if not style:
        return
    match shape:
        case Line():
            with document.local_context(stroke_cap_style="butt") if shape.dash else nullcontext():
                if shape.dash:
                    document.set_dash_pattern(dash=shape.dash * unit, gap=shape.dash * unit)
                document.line(shape.x1 * unit, shape.y1 * unit, shape.x2 * unit, shape.y2 * unit)
        case Rect():
            document.rect(
                shape.x * unit,
                shape.y * unit,
                shape.width * unit,
                shape.height * unit,
                style=style,
                round_corners=shape.round > 0,
                corner_radius=shape.round * unit,
            )
        case Polygon():
            document.polygon([(x * unit, y * unit) for x, y in shape.points], style=style)
        case Circle():
            document.circle(shape.x * unit, shape.y * unit, shape.radius * unit, style=style)


def _write(document: FPDF, shape: Text, unit: float) -> None:
    """Write text that is vertically centred on its point."""
    text = _composed(shape.text)
    document.set_font("DejaVu", "B" if shape.bold else "", shape.size * unit)
    document.set_text_color(shape.fill)
    width = document.get_string_width(text)
    left = shape.x * unit - {"start": 0.0, "middle": width / 2, "end": width}[shape.anchor]
    document.text(left, (shape.y + 0.36 * shape.size) * unit, text)  # the baseline is below the middle of the digits


def _composed(text: str) -> str:
    """The text with composed letters and accents."""
    return unicodedata.normalize("NFC", text)
