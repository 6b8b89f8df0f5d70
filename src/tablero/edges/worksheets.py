"""Worksheets: pieces to cut out, and an empty frame for them."""

from __future__ import annotations

import numpy as np

from tablero.draw.scene import Line, Rect, Scene, Shape
from tablero.draw.sheet import Task, Worksheet, various
from tablero.edges.draw import piece_shapes, scene
from tablero.edges.formats import write
from tablero.edges.generating import generate
from tablero.edges.layings import write_layings
from tablero.edges.puzzle import EdgePuzzle
from tablero.errors import BadInput
from tablero.text import several

MOST_PIECES = 64
_GAP = 0.25  # between pieces, for the scissors
_CUT = "#9aa0ac"


def worksheet(
    size: int | str, *, colours: int, border: bool, count: int, seed: int, title: str, per_page: int
) -> Worksheet:
    """A worksheet with `count` puzzles of square pieces, each with an empty frame and its pieces."""
    pieces: dict[str, str] = {}  # the pieces of each puzzle, up to their order and turns

    def make(number: int) -> Task:
        puzzle = generate(size, colours=colours, border=border, seed=number)
        if puzzle.board.cells > MOST_PIECES:
            raise BadInput(f"{puzzle.board.cells:,} pieces on a worksheet: expected at most {MOST_PIECES}")
        task = _task(puzzle)
        turned = (min(row[k:] + row[:k] for k in range(len(row))) for row in puzzle.pieces.tolist())
        pieces[task.given] = str(sorted(turned))
        return task

    tasks = various(make, count, seed, same=lambda task: pieces[task.given])
    return Worksheet(tasks, title or "Cut out the pieces; sides that touch must match", per_page=per_page, wanted=count)


def _task(puzzle: EdgePuzzle) -> Task:
    words = several(puzzle.board.cells, "piece")
    laid = scene(puzzle, puzzle.boards[0], f"{words}, laid", numbers=True)
    return Task(_sheet(puzzle), words, laid, write(puzzle, ""), write_layings(puzzle))


def _sheet(puzzle: EdgePuzzle) -> Scene:
    """The frame above the pieces, which are in the order of their numbers."""
    board, margin = puzzle.board, 0.2
    outlines = [board.outline(cell) for cell in range(board.cells)]
    wide = max(x for outline in outlines for x, _ in outline)
    tall = max(y for outline in outlines for _, y in outline)
    across = max(1, round(wide))
    step = 1 + _GAP
    width = max(wide, across * step - _GAP) + 2 * margin
    left = (width - wide) / 2
    shapes: list[Shape] = [Rect(left, margin, wide, tall, "#ffffff", "#5b6270", 0.08 if puzzle.border else 0.03)]
    shapes += [Line(left + k, margin, left + k, margin + tall, _CUT, 0.015) for k in range(1, round(wide))]
    shapes += [Line(left, margin + k, left + wide, margin + k, _CUT, 0.015) for k in range(1, round(tall))]
    top = tall + 2 * margin + 0.5
    turn = np.random.default_rng(board.cells)
    for piece in range(board.cells):
        row, column = divmod(piece, across)
        x, y = margin + column * step, top + row * step
        variant = piece * puzzle.sides + (0 if not puzzle.turning else int(turn.integers(puzzle.sides)))
        square = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        shapes += piece_shapes(puzzle, square, variant, numbers=True)  # as in the answer
    rows = -(-board.cells // across)
    return Scene(width, top + rows * step + margin, tuple(shapes), f"{several(board.cells, 'piece')} to cut out")
