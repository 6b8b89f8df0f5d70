"""Scenes as the pages of a PDF, written by hand: lines, shapes, and text in Helvetica, which every viewer has."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence

from tablero.draw import letters
from tablero.draw.scene import Circle, Line, Polygon, Rect, Scene, Text
from tablero.errors import BadInput

CENTIMETRE = 72 / 2.54  # points
_ROUND = 0.5523  # how far the handles of four Bézier curves stand out when they make a circle
_QUOTED = re.compile(rb"[\\()]")


def require_latin(words: str) -> None:
    """Refuse words with letters that Helvetica lacks: a page would show question marks in their place."""
    strange = [mark for mark in letters.normal(words) if not letters.can_stand(mark)]
    if strange:
        raise BadInput(f"{strange[0]!r} cannot stand in a PDF: expected Latin letters there, or an SVG for others")


def to_pdf(scenes: Sequence[Scene], unit: float = CENTIMETRE, title: str = "") -> bytes:
    """A document with a page for each scene; a unit of the scene is so many points, a centimetre by default."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>",
        b"",  # the pages, known last
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding {letters.ENCODING} >>".encode(),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding {letters.ENCODING} >>".encode(),
    ]
    kids = []
    for scene in scenes:
        drawing = zlib.compress(b"\n".join(_commands(scene, unit)))
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


def _commands(scene: Scene, unit: float) -> Iterator[bytes]:
    # The page has y upwards from its lower edge, a scene downwards from its upper one.
    yield f"{unit:.4f} 0 0 {-unit:.4f} 0 {scene.height * unit:.4f} cm".encode()
    yield b"1 J 1 j"
    for shape in scene.shapes:
        if isinstance(shape, Text):
            yield from _text(shape)
        else:
            yield "\n".join(_draw(shape)).encode()


def _draw(shape: Line | Rect | Circle | Polygon) -> Iterator[str]:
    match shape:
        case Line():
            dashed = f" [{shape.dash:.4f}] 0 d 0 J" if shape.dash else ""
            yield f"{'q ' * bool(dashed)}{_colour(shape.stroke)} RG {shape.line:.4f} w{dashed}"
            yield f"{shape.x1:.4f} {shape.y1:.4f} m {shape.x2:.4f} {shape.y2:.4f} l S{' Q' * bool(dashed)}"
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
    """How wide a text is, in its size."""
    return sum(letters.width_of(mark, bold=bold) for mark in letters.normal(text)) / 1000


def _text(shape: Text) -> Iterator[bytes]:
    text, width = letters.normal(shape.text), text_width(shape.text, bold=shape.bold) * shape.size
    left = shape.x - {"start": 0.0, "middle": width / 2, "end": width}[shape.anchor]
    base = shape.y + 0.36 * shape.size  # the baseline is so far below the middle of the digits
    made = any(not mark.encode("cp1252", "ignore") for mark in text)
    if made:  # what it is, for those who search and copy
        yield f"/Span << /ActualText <feff{text.encode('utf-16-be').hex()}> >> BDC".encode()
    yield f"{_colour(shape.fill)} rg".encode()
    yield _written(letters.codes(text), shape, left, base)
    for mark, right, up in letters.accents(text, bold=shape.bold):
        yield _written(letters.codes(mark), shape, left + right / 1000 * shape.size, base - up / 1000 * shape.size)
    if made:
        yield b"EMC"


def _written(codes: bytes, shape: Text, left: float, base: float) -> bytes:
    """Text from a place on; it is turned upright again."""
    font = 2 if shape.bold else 1
    setting = f"BT /F{font} {shape.size:.4f} Tf 1 0 0 -1 {left:.4f} {base:.4f} Tm "
    return setting.encode() + b"(" + _QUOTED.sub(rb"\\\g<0>", codes) + b") Tj ET"


def _colour(code: str) -> str:
    return " ".join(f"{int(code[k : k + 2], 16) / 255:.3f}" for k in (1, 3, 5))
