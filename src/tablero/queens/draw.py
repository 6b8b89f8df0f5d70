"""Pictures of boards: crowns on a chequered board, dots on a large one, densities on a very large one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tablero.draw.scene import Circle, Line, Polygon, Rect, Scene, Shape, Text
from tablero.errors import BadInput
from tablero.text import several
from tablero.verbs.parameters import spell

if TYPE_CHECKING:
    from tablero.queens.puzzle import Board, Queens, Square

CROWNS = 40  # largest side that is drawn square by square
DOTS = 500  # largest side with a dot for each queen; above, densities are drawn
_CELLS = 80  # on each side of a density picture
_LIGHT, _DARK, _EDGE = "#f3ead7", "#c8a97e", "#7a5c3a"
_QUEEN, _RIM, _RIVAL = "#2b2540", "#d9a441", "#fdfaf2"
MOST_GALLERY = 10  # largest side whose fundamental solutions are drawn
TEXT = 32  # largest side that is printed as a board
# A crown in a square from 0 to 1: five points above a band.
_CROWN = ((0.24, 0.72), (0.13, 0.34), (0.31, 0.50), (0.33, 0.24), (0.45, 0.46), (0.50, 0.19),
          (0.55, 0.46), (0.67, 0.24), (0.69, 0.50), (0.87, 0.34), (0.76, 0.72))  # fmt: skip
_POINTS = ((0.13, 0.32), (0.33, 0.22), (0.50, 0.17), (0.67, 0.22), (0.87, 0.32))


def crown(x: float, y: float, size: float, fill: str = _QUEEN, trim: str = _RIM, outline: str = "") -> list[Shape]:
    """A queen in a square of this size.  A light queen needs an outline on light squares."""
    points = tuple((x + size * px, y + size * py) for px, py in _CROWN)
    shapes: list[Shape] = []
    # The outline is a wider queen below, so that no lines show where parts overlap.
    for colour, wider in ((outline, 0.1 * size), (fill, 0.0)):
        if colour:
            line = colour if wider else "none"
            shapes.append(Polygon(points, colour, line, wider))
            shapes += [Circle(x + size * px, y + size * py, 0.055 * size + wider / 2, colour) for px, py in _POINTS]
            left, top = x + 0.22 * size, y + 0.70 * size
            shapes.append(Rect(left, top, 0.56 * size, 0.15 * size, colour, line, wider, round=0.04 * size))
    shapes.append(Rect(x + 0.27 * size, y + 0.75 * size, 0.46 * size, 0.04 * size, trim))
    return shapes


def _chequers(n: int, x: float, y: float, size: float) -> list[Shape]:
    """An empty board of this size: one light rectangle below the dark squares."""
    cell = size / n
    rim = 0.02 * size
    shapes: list[Shape] = [Rect(x - rim, y - rim, size + 2 * rim, size + 2 * rim, _EDGE, round=rim)]
    shapes.append(Rect(x, y, size, size, _LIGHT))
    dark = ((r, c) for r in range(n) for c in range(n) if (r + c) % 2)
    shapes += [Rect(x + c * cell, y + r * cell, cell, cell, _DARK) for r, c in dark]
    return shapes


def _plain(side: float, margin: float) -> list[Shape]:
    """An empty board without squares."""
    rim = Rect(margin / 2, margin / 2, side + margin, side + margin, _EDGE, round=0.2)
    return [rim, Rect(margin, margin, side, side, _LIGHT)]


def _crowned(board: Board, x: float, y: float, size: float) -> list[Shape]:
    cell = size / board.n
    shapes = _chequers(board.n, x, y, size)
    for row, column in board.queens:
        shapes += crown(x + column * cell, y + row * cell, cell)
    return shapes


def picture(board: Board, title: str = "") -> Scene:
    """A picture of the board in the style that suits its size."""
    title = title or several(board.n, "queen")
    if board.n <= CROWNS:
        side = max(float(board.n), 1.0)
        margin = 0.04 * side
        return Scene(side + 2 * margin, side + 2 * margin, tuple(_crowned(board, margin, margin, side)), title)
    if board.n <= DOTS:
        return _dotted(board, title)
    return density(board, title)


def _dotted(board: Board, title: str) -> Scene:
    side, margin = 16.0, 0.4
    cell = side / board.n
    shapes = _plain(side, margin)
    radius = max(0.42 * cell, 0.06)
    for row, column in board.queens:
        shapes.append(Circle(margin + (column + 0.5) * cell, margin + (row + 0.5) * cell, radius, _QUEEN))
    return Scene(side + 2 * margin, side + 2 * margin, tuple(shapes), title)


def density(board: Board, title: str = "") -> Scene:
    """A large board in parts: the more queens a part has, the darker it is."""
    side, margin, legend = 16.0, 0.4, 0.9
    cells = np.arange(board.n) * _CELLS // board.n
    crowd = np.zeros((_CELLS, _CELLS), np.int64)
    there = board.columns >= 0
    np.add.at(crowd, (cells[there], board.columns[there].astype(np.int64) * _CELLS // board.n), 1)
    most = max(int(crowd.max()), 1)
    step = side / _CELLS
    shapes = _plain(side, margin)
    for r, c in zip(*np.nonzero(crowd), strict=True):
        shade = _shade(int(crowd[r, c]) / most)
        # Slightly wider than the cell, so that no seams show.
        shapes.append(Rect(margin + c * step, margin + r * step, 1.02 * step, 1.02 * step, shade))
    y = side + 2 * margin + 0.1
    for k in range(5):
        shapes.append(Rect(margin + 0.9 * k, y, 0.8, 0.4, _shade(k / 4), _EDGE, 0.02))
    words = f"0 to {most:,} of {board.n:,} queens in each of {_CELLS}×{_CELLS} parts"
    shapes.append(Text(margin + 4.8, y + 0.2, words, 0.4, anchor="start"))
    return Scene(
        side + 2 * margin, side + 2 * margin + legend, tuple(shapes), title or f"{board.n:,} queens by density"
    )


def _shade(part: float) -> str:
    """A colour between that of light squares (0) and that of queens (1)."""
    light, dark = (tuple(int(name[k : k + 2], 16) for k in (1, 3, 5)) for name in (_LIGHT, _QUEEN))
    mixed = (round(a + (b - a) * part**0.7) for a, b in zip(light, dark, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def gallery(boards: Sequence[Board], title: str, across: int = 4) -> Scene:
    """Many small boards, numbered."""
    size, gap, head = 4.0, 0.8, 0.9
    across = min(across, len(boards)) or 1
    rows = -(-len(boards) // across)
    shapes: list[Shape] = [Text(gap, 0.75, title, 0.5, anchor="start", bold=True)]
    for k, board in enumerate(boards):
        x, y = gap + (k % across) * (size + gap), head + gap / 2 + (k // across) * (size + gap + 0.2)
        shapes += _crowned(board, x, y, size)
        shapes.append(Text(x + size / 2, y + size + 0.42, str(k + 1), 0.36, fill=_EDGE))
    return Scene(gap + across * (size + gap), head + gap / 2 + rows * (size + gap + 0.2), tuple(shapes), title)


def require_gallery(puzzle: Queens, fundamental: bool) -> None:
    """Reject a gallery of all solutions, or of too many fundamental ones."""
    if not fundamental:
        raise BadInput(f"{spell('svg')} draws fundamental solutions: expected {spell('fundamental')} with it")
    if puzzle.n > MOST_GALLERY:
        raise BadInput(
            f"the fundamental solutions of {puzzle.n} queens are too many to draw: expected at most {MOST_GALLERY} queens"
        )


def fundamental_gallery(boards: Sequence[Board]) -> Scene:
    """A gallery of the fundamental solutions."""
    what = f"fundamental solution{'' if len(boards) == 1 else 's'} of {boards[0].n} queens"
    title = f"The {what}" if len(boards) == 1 else f"The {len(boards)} {what}"
    return gallery(boards, title, across=4 if len(boards) <= 16 else 8)


def puzzle_picture(puzzle: Queens) -> Scene:
    """The puzzle: given queens, and crosses on blocked squares."""
    n = puzzle.n
    if n == 0:
        return Scene(1.0, 1.0, (), "0 queens")
    side = float(n) if n <= CROWNS else 16.0
    cell, margin = side / n, 0.04 * side
    shapes = _chequers(n, margin, margin, side) if n <= CROWNS else _plain(side, margin)
    for r, c in puzzle.given:
        x, y = margin + c * cell, margin + r * cell
        if n <= CROWNS:
            shapes += crown(x, y, cell)
        else:
            shapes.append(Circle(x + cell / 2, y + cell / 2, max(0.42 * cell, 0.06), _QUEEN))
    for r, c in puzzle.blocked:
        left, top = margin + (c + 0.25) * cell, margin + (r + 0.25) * cell
        right, bottom = left + 0.5 * cell, top + 0.5 * cell
        shapes.append(Line(left, top, right, bottom, _EDGE, 0.1 * cell))
        shapes.append(Line(left, bottom, right, top, _EDGE, 0.1 * cell))
    return Scene(side + 2 * margin, side + 2 * margin, tuple(shapes), repr(puzzle).strip("<>"))


def armies(n: int, white: Sequence[Square], black: Sequence[Square]) -> Scene:
    """Two armies on one board."""
    margin = 0.04 * n
    shapes = _chequers(n, margin, margin, float(n))
    for squares, fill, trim, outline in ((white, _RIVAL, _EDGE, _QUEEN), (black, _QUEEN, _RIM, "")):
        for r, c in squares:
            shapes += crown(margin + c, margin + r, 1.0, fill, trim, outline)
    return Scene(n + 2 * margin, n + 2 * margin, tuple(shapes), f"{several(len(white), 'queen')} against {len(black)}")


def text_of(n: int, marks: Mapping[Square, str]) -> str:
    """A board as lines of text."""
    return "\n".join(" ".join(marks.get((r, c), "·") for c in range(n)) for r in range(n))
