"""Scenes as the pages of a PDF, written by hand: lines, shapes, and text in Helvetica, which every viewer has."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterator, Sequence

from tablero.draw.scene import Circle, Line, Polygon, Rect, Scene, Shape, Text
from tablero.errors import BadInput

CENTIMETRE = 72 / 2.54  # points
_ROUND = 0.5523  # how far the handles of four Bézier curves stand out when they make a circle
# Widths of the characters from blank to ~ in thousandths of the size, by the metrics of Adobe: Helvetica, and bold.
_PLAIN = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
    556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]  # fmt: skip
_BOLD = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611,
    611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
]  # fmt: skip
_OTHERS = {"×": 584, "–": 556, "—": 1000, "…": 1000, "·": 278, "°": 400, "−": 584}


def require_latin(words: str) -> None:
    """Refuse words with letters that Helvetica lacks: a page would show question marks in their place."""
    strange = [mark for mark in words if not mark.encode("cp1252", "ignore")]
    if strange:
        raise BadInput(f"{strange[0]!r} cannot stand in a PDF: expected Latin letters there, or an SVG for others")


def to_pdf(scenes: Sequence[Scene], unit: float = CENTIMETRE, title: str = "") -> bytes:
    """A document with a page for each scene; a unit of the scene is so many points, a centimetre by default."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>",
        b"",  # the pages, known last
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    kids = []
    for scene in scenes:
        drawing = zlib.compress("\n".join(_commands(scene, unit)).encode("cp1252", "replace"))
        kids.append(f"{len(objects) + 1} 0 R")
        box = f"0 0 {scene.width * unit:.2f} {scene.height * unit:.2f}"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents {len(objects) + 2} 0 R "
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode()
        )
        head = f"<< /Length {len(drawing)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + drawing + b"\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    told = (title or (scenes[0].title if scenes else "")).encode("utf-16-be").hex()
    return _document([*objects, f"<< /Title <feff{told}> /Producer (tablero) >>".encode()])


def _document(objects: Sequence[bytes]) -> bytes:
    """The objects, of which the last tells of the document, then the table of where each of them begins."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += "".join(f"{place:010d} 00000 n \n" for place in places).encode()
    trailer = f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>"
    out += f"trailer\n{trailer}\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def _commands(scene: Scene, unit: float) -> Iterator[str]:
    # The page has y upwards from its lower edge, a scene downwards from its upper one.
    yield f"{unit:.4f} 0 0 {-unit:.4f} 0 {scene.height * unit:.4f} cm"
    yield "1 J 1 j"
    for shape in scene.shapes:
        yield from _draw(shape)


def _draw(shape: Shape) -> Iterator[str]:
    match shape:
        case Line():
            dashed = f" [{shape.dash:.4f}] 0 d 0 J" if shape.dash else ""
            yield f"{'q ' * bool(dashed)}{_colour(shape.stroke)} RG {shape.line:.4f} w{dashed}"
            yield f"{shape.x1:.4f} {shape.y1:.4f} m {shape.x2:.4f} {shape.y2:.4f} l S{' Q' * bool(dashed)}"
        case Text():
            yield from _text(shape)
        case _:
            paint = _paint(shape.fill, shape.stroke, shape.line)
            if paint[-1]:
                yield paint[0]
                yield f"{_outline(shape)} {paint[-1]}"


def _paint(fill: str, stroke: str, line: float) -> tuple[str, str]:
    """How to set the colours, and the command that paints with them."""
    edge = stroke != "none" and line > 0
    setting = (f"{_colour(fill)} rg " if fill != "none" else "") + (
        f"{_colour(stroke)} RG {line:.4f} w" if edge else ""
    )
    return setting, {(True, True): "B", (True, False): "f", (False, True): "S", (False, False): ""}[
        fill != "none", edge
    ]


def _outline(shape: Rect | Circle | Polygon) -> str:
    match shape:
        case Rect():  # rounded corners are drawn as square ones
            return f"{shape.x:.4f} {shape.y:.4f} {shape.width:.4f} {shape.height:.4f} re"
        case Polygon():
            points = [f"{x:.4f} {y:.4f}" for x, y in shape.points]
            return " l ".join([f"{points[0]} m {points[1]}", *points[2:]]) + " l h"
        case Circle():
            x, y, r, h = shape.x, shape.y, shape.radius, _ROUND * shape.radius
            out = [f"{x + r:.4f} {y:.4f} m"]
            for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                ex, ey = -dy, dx  # a quarter further
                out.append(
                    f"{x + r * dx + h * ex:.4f} {y + r * dy + h * ey:.4f} {x + r * ex + h * dx:.4f} "
                    f"{y + r * ey + h * dy:.4f} {x + r * ex:.4f} {y + r * ey:.4f} c"
                )
            return " ".join(out)


def text_width(text: str, *, bold: bool = False) -> float:
    """How wide a text is, in its size.  A letter with an accent is as wide as without it."""
    widths, total = _BOLD if bold else _PLAIN, 0
    for mark in text:
        base = unicodedata.normalize("NFD", mark)[0]
        total += widths[ord(base) - 32] if " " <= base <= "~" else _OTHERS.get(mark, 556)
    return total / 1000


def _text(shape: Text) -> Iterator[str]:
    width = text_width(shape.text, bold=shape.bold) * shape.size
    left = shape.x - {"start": 0.0, "middle": width / 2, "end": width}[shape.anchor]
    words = shape.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    yield f"{_colour(shape.fill)} rg"
    # The baseline is 0.36 of the size below the middle of the digits; the text is turned upright again.
    font, base = 2 if shape.bold else 1, shape.y + 0.36 * shape.size
    yield f"BT /F{font} {shape.size:.4f} Tf 1 0 0 -1 {left:.4f} {base:.4f} Tm ({words}) Tj ET"


def _colour(code: str) -> str:
    return " ".join(f"{int(code[k : k + 2], 16) / 255:.3f}" for k in (1, 3, 5))
