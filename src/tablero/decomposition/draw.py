"""Pictures: the host on a circle and the parts side by side, with a colour for every part of a decomposition."""

from __future__ import annotations

import colorsys
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tablero.decomposition.graph import Edge, Graph
from tablero.draw.scene import INK, PAPER, Circle, Line, Rect, Scene, Shape, Text
from tablero.errors import BadInput
from tablero.text import several

if TYPE_CHECKING:
    from tablero.decomposition.puzzle import Decomposition, DecompositionPuzzle

MOST_LINES = 20_000
_MOST_ROWS = 600  # rows or columns of a matrix in a picture
_BIG, _SMALL = 4.2, 1.35  # radii
_FAINT, _GREY = "#e3e1da", "#9a978d"
# Deep enough for thin lines on white.
_INKS = ("#1d6fa5", "#d9480f", "#2b8a3e", "#b5179e", "#c99700", "#6741d9", "#0b7285", "#c92a2a", "#5c940d", "#8d6e63")

Points = list[tuple[float, float]]


class Piece(NamedTuple):
    """Edges in one colour, in a graph with this number of vertices."""

    vertices: int
    edges: Sequence[Edge]
    stroke: str


def ink(k: int) -> str:
    """The colour of the k-th part."""
    if k < len(_INKS):
        return _INKS[k]
    red, green, blue = colorsys.hls_to_rgb((k * 0.61803398875) % 1.0, 0.36 + 0.1 * (k % 2), 0.65)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def is_drawable(lines: int) -> bool:
    """Whether a picture with this number of edges is legible."""
    return lines <= MOST_LINES


def require_drawable(puzzle: DecompositionPuzzle) -> None:
    """Raise `BadInput` if decompositions of the problem are too large to draw."""
    _require_few(puzzle.lines)


def _require_few(lines: int) -> None:
    if not is_drawable(lines):
        raise BadInput(f"a decomposition with more than {MOST_LINES:,} edges is too large to draw")


def scene(found: Decomposition) -> Scene:
    """A decomposition: the host with its parts in colours, and each part alone."""
    _require_few(sum(map(len, found.parts)))
    parts = [Piece(found.host.vertices, part, ink(k)) for k, part in enumerate(found.parts)]
    return _sheet(found.title, found.host, parts, parts)


def puzzle_scene(puzzle: DecompositionPuzzle) -> Scene:
    """A problem: the host and the parts."""
    require_drawable(puzzle)
    whole = Piece(puzzle.host.vertices, puzzle.host.edges, _GREY)
    parts = [Piece(part.graph.vertices, part.graph.edges, ink(k)) for k, part in enumerate(puzzle.parts)]
    return _sheet(str(puzzle), puzzle.host, [whole], parts)


def matrix_scene(start: Sequence[int], column: Sequence[int], columns: int) -> Scene | None:
    """The ones of a matrix with a row for every copy; None if it is too large."""
    rows = len(start) - 1
    if rows > _MOST_ROWS or columns > _MOST_ROWS:
        return None
    # A tall matrix is split into strips side by side.
    strips = max(1, round(math.sqrt(rows / columns)))
    height, gap = -(-rows // strips), 2.0
    shapes: list[Shape] = []
    for strip in range(strips):
        left, count = strip * (columns + gap), min(height, rows - strip * height)
        if count > 0:
            shapes.append(Rect(left + 0.5, 0.5, columns, count, PAPER, _FAINT, 0.1))
        for row in range(strip * height, strip * height + count):
            ones = column[start[row] : start[row + 1]]
            y = row - strip * height + 0.5
            shapes += [Rect(left + 0.5 + int(k), y, 1.0, 1.0, ink(row % len(_INKS)), PAPER, 0.06) for k in ones]
    title = f"the matrix: {several(rows, 'copy', 'copies')}, {several(columns, 'edge')}"
    return Scene(strips * (columns + gap) - gap + 1, height + 1.0, tuple(shapes), title)


def _sheet(title: str, host: Graph, coloured: Sequence[Piece], pieces: Sequence[Piece]) -> Scene:
    """The host at the top, with some pieces in colour, and pieces in rows below."""
    pitch = 2 * _SMALL + 0.7
    rows = -(-len(pieces) // max(3, math.ceil(math.sqrt(2 * len(pieces)))))
    columns = -(-len(pieces) // rows)
    width = max(2 * _BIG + 1.8, columns * pitch + 0.5)
    top = 2 * _BIG + 2.2
    shapes: list[Shape] = [Text(width / 2, 0.45, title, 0.42, bold=True)]
    shapes += _host(host, coloured, width / 2, _BIG + 1.45)
    for k, piece in enumerate(pieces):
        in_row = min(columns, len(pieces) - k // columns * columns)
        left = (width - in_row * pitch) / 2
        x = left + (k % columns + 0.5) * pitch
        shapes += _piece(piece, x, top + (k // columns + 0.5) * pitch)
    return Scene(width, top + rows * pitch + 0.3, tuple(shapes), title)


def _circle(count: int, x: float, y: float, radius: float) -> Points:
    """Points on a circle, clockwise from the top."""
    turns = [2 * math.pi * k / count - math.pi / 2 for k in range(count)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def _host(host: Graph, coloured: Sequence[Piece], x: float, y: float) -> list[Shape]:
    points = _circle(host.vertices, x, y, _BIG)
    line = max(0.02, min(0.09, 1.1 / host.vertices))
    uses: dict[Edge, list[str]] = defaultdict(list)
    for piece in coloured:
        for edge in piece.edges:
            uses[edge].append(piece.stroke)
    shapes: list[Shape] = []
    for edge, strokes in uses.items():
        for place, stroke in enumerate(strokes):
            shapes.append(_beside(points, edge, (place - (len(strokes) - 1) / 2) * 1.6 * line, stroke, line))
    dot = max(0.1, min(0.3, 4.2 / host.vertices))
    size = max(0.16, min(0.32, 5.5 / host.vertices))
    outer = _circle(host.vertices, x, y, _BIG + dot + 0.75 * size)
    for (px, py), (tx, ty), label in zip(points, outer, host.labels, strict=True):
        shapes.append(Circle(px, py, dot * 0.6, PAPER, INK, 0.05))
        shapes.append(Text(tx, ty, str(label)[:6], size))
    return shapes


def _beside(points: Points, edge: Edge, offset: float, stroke: str, line: float) -> Line:
    """An edge; edges that several parts share are shifted."""
    (x1, y1), (x2, y2) = points[edge[0]], points[edge[1]]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    right, down = -(y2 - y1) / length * offset, (x2 - x1) / length * offset
    return Line(x1 + right, y1 + down, x2 + right, y2 + down, stroke, line)


def _piece(piece: Piece, x: float, y: float) -> list[Shape]:
    points = _circle(piece.vertices, x, y, _SMALL)
    shapes: list[Shape] = [Circle(x, y, _SMALL, "none", _FAINT, 0.02)]
    shapes += [Line(*points[u], *points[v], piece.stroke, 0.055) for u, v in piece.edges]
    touched = {vertex for edge in piece.edges for vertex in edge}
    dot = max(0.035, min(0.09, 1.4 / piece.vertices))
    shapes += [Circle(*point, dot, INK if k in touched else _FAINT) for k, point in enumerate(points)]
    return shapes
