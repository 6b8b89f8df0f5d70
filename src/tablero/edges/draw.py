"""Draw boards: each colour has its own tone and sign, so that a picture is readable in grey as well.

A side is a triangle between the centre of its cell and two corners.  It has half of a sign, and the matching side of the
neighbour has the other half.
"""

from __future__ import annotations

import colorsys
import math
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tablero.draw.scene import INK, Circle, Line, Polygon, Scene, Shape, Text
from tablero.draw.svg import to_svg
from tablero.edges import checking
from tablero.edges.board import Board, Point
from tablero.edges.checking import inner_outside, mismatches
from tablero.edges.layings import write_laying
from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.edges.puzzle import EdgePuzzle

MOST_CELLS = 2500
_BORDER = "#5b6270"
_EMPTY = "#f1f0ec"
_ALARM = "#d00000"
_GAP = 0.03  # between pieces
# Distinct hues and lightnesses: adjacent ones in these lists differ in grey as well.
_HUES = (0.58, 0.13, 0.36, 0.0, 0.78, 0.07, 0.50, 0.90, 0.24, 0.66, 0.42, 0.03)
_TONES = (0.36, 0.80, 0.55, 0.70, 0.44, 0.62)


def colour(k: int) -> str:
    """The tone of inner colour k, from 0."""
    hue = _HUES[k % len(_HUES)] + 0.045 * (k // len(_HUES))
    light = _TONES[(k + k // len(_HUES)) % len(_TONES)]
    red, green, blue = colorsys.hls_to_rgb(hue % 1.0, light, 0.62)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def _ink_on(k: int) -> str:
    return "#ffffff" if _TONES[(k + k // len(_HUES)) % len(_TONES)] < 0.5 else INK


def can_draw(board: Board) -> bool:
    """Whether a board is small enough for a picture."""
    return board.cells <= MOST_CELLS


def require_drawable(puzzle: EdgePuzzle) -> None:
    """Refuse a board that is too large for a picture."""
    if not can_draw(puzzle.board):
        raise BadInput(f"a board of {puzzle.board.cells:,} cells is too large to draw: at most {MOST_CELLS:,}")


def scene(
    puzzle: EdgePuzzle,
    laying: Sequence[int] | NDArray[np.int32],
    title: str = "",
    *,
    numbers: bool = False,
    marks: bool = True,
) -> Scene:
    """Draw a board, with the numbers of its pieces and with marks at its faults."""
    board = puzzle.board
    require_drawable(puzzle)
    laid = np.asarray(laying, np.int32)
    margin = 0.15
    outlines = [[(x + margin, y + margin) for x, y in board.outline(cell)] for cell in range(board.cells)]
    shapes: list[Shape] = []
    shown = puzzle.shown(laid)
    for cell, outline in enumerate(outlines):
        shapes += _cell(puzzle, outline, shown[cell], int(laid[cell]), numbers)
    wrong = (
        [one for one, _ in mismatches(puzzle, laid.tolist())] + inner_outside(puzzle, laid.tolist()) if marks else []
    )
    for cell, side in wrong:
        one, other = outlines[cell][side], outlines[cell][(side + 1) % board.sides]
        if laid[cell] >= 0:
            shapes.append(Line(*one, *other, "#ffffff", 0.13))
            shapes.append(Line(*one, *other, _ALARM, 0.08))
    width = max(x for outline in outlines for x, _ in outline) + margin
    height = max(y for outline in outlines for _, y in outline) + margin
    return Scene(width, height, tuple(shapes), title)


def piece_shapes(puzzle: EdgePuzzle, outline: list[Point], variant: int, *, numbers: bool = False) -> list[Shape]:
    """Draw one piece on the cell with this outline."""
    return _cell(puzzle, outline, puzzle.turned[variant], variant, numbers)


def _cell(
    puzzle: EdgePuzzle, outline: list[Point], shown: NDArray[np.int32], variant: int, numbers: bool
) -> list[Shape]:
    middle = (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))
    # Pieces are slightly smaller than their cells, so that there are gaps between them.
    inner = [(x + (middle[0] - x) * _GAP, y + (middle[1] - y) * _GAP) for x, y in outline]
    if variant < 0:
        return [Polygon(tuple(inner), _EMPTY, "#c9c6bc", 0.02)]
    shapes: list[Shape] = []
    for side, k in enumerate(shown.tolist()):
        one, other = inner[side], inner[(side + 1) % len(inner)]
        if puzzle.border and k == 0:
            shapes.append(Polygon((one, other, middle), _BORDER))
            continue
        k -= puzzle.border
        shapes.append(Polygon((one, other, middle), colour(k), INK, 0.008))
        shapes += _sign(k, one, other, middle)
    shapes.append(Polygon(tuple(inner), "none", INK, 0.025))
    if numbers:
        shapes.append(Circle(*middle, 0.17, "#ffffff", INK, 0.015))
        shapes.append(Text(*middle, str(variant // puzzle.sides + 1), 0.15))
    return shapes


def _sign(k: int, one: Point, other: Point, middle: Point) -> list[Shape]:
    """Half of the sign of a colour, with its straight edge on the side."""
    ax, ay = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    length = ((other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2) ** 0.5
    ux, uy = (other[0] - one[0]) / length, (other[1] - one[1]) / length
    depth = ((middle[0] - ax) ** 2 + (middle[1] - ay) ** 2) ** 0.5
    vx, vy = (middle[0] - ax) / depth, (middle[1] - ay) / depth
    scale = min(length, 2 * depth)
    ink = _ink_on(k)
    second = "#ffffff" if ink == INK else INK

    def figure(points: Sequence[Point], fill: str = ink) -> Polygon:
        placed = tuple((ax + scale * (p * ux + q * vx), ay + scale * (p * uy + q * vy)) for p, q in points)
        return Polygon(placed, fill, ink if fill == "none" else "none", 0.02 if fill == "none" else 0.0)

    makers = _SIGNS[k % len(_SIGNS)]
    shapes = [figure(makers)]
    if k // len(_SIGNS) % 3 >= 1:  # the signs are repeated with a spot, and then with a bar
        spot = _arc(0.06) if k // len(_SIGNS) % 3 == 1 else [(-0.10, 0.0), (0.10, 0.0), (0.10, 0.04), (-0.10, 0.04)]
        shapes.append(figure(spot, second))
    return list(shapes)


_STEPS = 16  # of half a circle


def _arc(radius: float, depth: float = 1.0) -> list[Point]:
    """Half of a circle or an ellipse on the side."""
    angles = [pi * k / _STEPS for k in range(_STEPS + 1)]
    return [(radius * cos(angle), depth * radius * sin(angle)) for angle in angles]


def _star(points: int, inner: float, outer: float) -> list[Point]:
    """Half of a star with 2 · `points` points."""
    radii = [outer if k % 2 == 0 else inner for k in range(2 * points + 1)]
    return [(r * cos(pi * k / (2 * points)), r * sin(pi * k / (2 * points))) for k, r in enumerate(radii)]


_SIGNS: tuple[list[Point], ...] = (
    _arc(0.17),
    [(-0.2, 0.0), (0.2, 0.0), (0.0, 0.2)],
    [(-0.16, 0.0), (0.16, 0.0), (0.16, 0.16), (-0.16, 0.16)],
    _star(2, 0.08, 0.24),
    [(-0.07, 0.0), (0.07, 0.0), (0.07, 0.22), (-0.07, 0.22)],
    [(-0.26, 0.0), (0.26, 0.0), (0.26, 0.07), (-0.26, 0.07)],
    _star(3, 0.11, 0.22),
    [(-0.22, 0.0), (0.22, 0.0), (0.22, 0.07), (0.07, 0.07), (0.07, 0.22), (-0.07, 0.22), (-0.07, 0.07), (-0.22, 0.07)],
    [(-0.2, 0.0), (0.2, 0.0), (0.1, 0.18), (-0.1, 0.18)],
    _arc(0.12, depth=1.9),
    [(-0.24, 0.0), (-0.1, 0.0), (0.0, 0.1), (0.1, 0.0), (0.24, 0.0), (0.12, 0.2), (0.0, 0.12), (-0.12, 0.2)],
    _star(5, 0.14, 0.2),
)  # fmt: skip


def to_text(
    puzzle: EdgePuzzle, laying: Sequence[int] | NDArray[np.int32], *, colours: bool = False, marks: bool = True
) -> str:
    """A board as text: squares with the colours of their sides, other shapes as pieces and turns."""
    laid = np.asarray(laying, np.int32)
    if puzzle.board.shape != "square":
        return write_laying(puzzle, laid.tolist()).rstrip("\n")
    shown = puzzle.shown(laid)
    faults = mismatches(puzzle, laid.tolist()) if marks else []
    wrong = {side for join in faults for side in join} | set(inner_outside(puzzle, laid.tolist()) if marks else [])
    lines = []
    for row in range(puzzle.board.rows):
        cells = range(row * puzzle.board.columns, (row + 1) * puzzle.board.columns)
        side = {s: [_mark(puzzle, int(shown[c, s]), (c, s) in wrong, colours) for c in cells] for s in range(4)}
        lines.append(" ".join(f"  {mark}  " for mark in side[0]))
        lines.append(" ".join(f"{left}·{right}" for left, right in zip(side[3], side[1], strict=True)))
        lines.append(" ".join(f"  {mark}  " for mark in side[2]))
    return "\n".join(line.rstrip() for line in lines)


def _mark(puzzle: EdgePuzzle, k: int, wrong: bool, colours: bool) -> str:
    """Three characters for a side: the number of its colour, with ! if it does not match."""
    if k < 0:
        return " ? "
    text = f"{k}!" if wrong else str(k)
    text = text.center(3)[:3] if len(text) <= 3 else text
    if not colours or (puzzle.border and k == 0):
        return text
    tone = colour(k - puzzle.border)
    red, green, blue = (int(tone[j : j + 2], 16) for j in (1, 3, 5))
    ink = "97" if _ink_on(k - puzzle.border) == "#ffffff" else "30"
    return f"\x1b[{ink};48;2;{red};{green};{blue}m{text}\x1b[0m"


@dataclass(frozen=True)
class Shown:
    """The boards that came with a puzzle."""

    puzzle: EdgePuzzle
    status = "solved"

    @property
    def marks(self) -> bool:
        """Whether mismatches are marked; without a board, the pieces are shown in their order and need not match."""
        return bool(self.puzzle.boards)

    @cached_property
    def boards(self) -> list[list[int]]:
        return [laying.tolist() for laying in self.puzzle.boards] or [self.puzzle.unlaid.tolist()]

    @cached_property
    def scores(self) -> list[dict[str, Any]]:
        """The score, the fault and the mismatches of each board."""
        puzzle, found = self.puzzle, []
        for laying in self.boards:
            wrong = checking.mismatches(puzzle, laying)
            fault = "cells are empty" if -1 in laying else checking.laying_fault(puzzle, laying)
            names = puzzle.names_of(wrong)
            score = puzzle.maximum - len(wrong)
            found.append({"score": score, "fault": fault if self.marks else None, "mismatches": names})
        return found

    def to_dict(self) -> dict[str, Any]:
        many = {"boards": self.scores} if len(self.boards) > 1 else {}
        answers = [self.puzzle.pairs(laying) for laying in self.boards]
        return {"status": self.status, "maximum": self.puzzle.maximum, **self.scores[0], **many, "answers": answers}

    def to_svg(self, *, numbers: bool = False) -> str:
        """Draw the first board as SVG."""
        return to_svg(scene(self.puzzle, self.boards[0], "an edge-matching board", numbers=numbers, marks=self.marks))

    def _repr_svg_(self) -> str:
        return self.to_svg()

    @cached_property
    def _wide(self) -> list[int]:
        """The columns of the text of each board."""
        texts = [to_text(self.puzzle, laying, marks=self.marks) for laying in self.boards]
        return [max(map(len, text.splitlines())) for text in texts]

    def lines(self) -> Iterator[str]:
        for k, (laying, wide) in enumerate(zip(self.boards, self._wide, strict=True), 1):
            if len(self.boards) > 1:
                yield from [""] * (k > 1) + [f"# board {k}"]
            if wide <= _columns():
                yield from to_text(self.puzzle, laying, colours=sys.stdout.isatty(), marks=self.marks).splitlines()

    def remarks(self) -> Iterator[str]:
        yield from self.puzzle.reading
        for k, (score, wide) in enumerate(zip(self.scores, self._wide, strict=True), 1):
            if wide > (columns := _columns()):
                yield f"the drawing is {wide} columns wide, this terminal {columns}: use --svg FILE"
            if self.marks:
                which = f"board {k}: " if len(self.boards) > 1 else ""
                fault = f"; {score['fault']}" if score["fault"] else ""
                yield f"{which}{score['score']} of {self.puzzle.maximum} joins match{fault}"


def _columns() -> float:
    """The columns of the terminal, or infinity if the output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else math.inf
