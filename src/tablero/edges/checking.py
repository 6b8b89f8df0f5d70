"""Check solutions and scores, and prove by parity that a puzzle has no solution.

The code shares nothing with the searches.  Two sides touch if they have the same midpoint in the plane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablero.edges.board import Board, Point
from tablero.text import several

if TYPE_CHECKING:
    from tablero.edges.puzzle import EdgePuzzle

_CHUNK = 4096  # solutions that are checked together
Side = tuple[int, int]  # cell and side


@lru_cache(maxsize=8)
def touching(board: Board) -> tuple[list[tuple[Side, Side]], list[Side]]:
    """The joins and the border sides of a board, by the midpoints of the sides."""
    found: dict[tuple[int, int], list[Side]] = {}
    for side, (x, y) in _middles(board).items():
        found.setdefault(_rounded(x, y), []).append(side)
    joins = [(sides[0], sides[1]) for sides in found.values() if len(sides) == 2]
    return joins, [sides[0] for sides in found.values() if len(sides) == 1]


def turned_sides(board: Board) -> list[list[Side]]:
    """The turns that map a board onto itself: the images of all cells and sides, in order.

    A turn about the centre of the board is one of them if it maps the set of sides onto itself.
    """
    middles = _middles(board, inwards=0.2)  # so that the two sides of a join differ
    centre = [sum(values) / len(middles) for values in zip(*middles.values(), strict=True)]
    at = {_rounded(x - centre[0], y - centre[1]): side for side, (x, y) in middles.items()}
    found = []
    for k in range(board.sides):
        c, s = cos(2 * pi * k / board.sides), sin(2 * pi * k / board.sides)
        moved = [(x - centre[0], y - centre[1]) for x, y in middles.values()]
        images = [at.get(_rounded(c * x - s * y, s * x + c * y)) for x, y in moved]
        if None not in images:
            found.append([side for side in images if side is not None])
    return found


def _middles(board: Board, inwards: float = 0.0) -> dict[Side, Point]:
    """The midpoints of all sides, moved towards the centres of their cells."""
    middles = {}
    for cell in range(board.cells):
        corners = board.outline(cell)
        x, y = (inwards * sum(values) / board.sides for values in zip(*corners, strict=True))
        for side, (a, b) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
            middles[cell, side] = ((1 - inwards) * (a[0] + b[0]) / 2 + x, (1 - inwards) * (a[1] + b[1]) / 2 + y)
    return middles


def _rounded(x: float, y: float) -> tuple[int, int]:
    return round(1000 * x), round(1000 * y)


def colour_at(puzzle: EdgePuzzle, laying: Sequence[int], side: Side) -> int:
    """The colour that a side of a cell shows."""
    piece, turn = divmod(laying[side[0]], puzzle.sides)
    return int(puzzle.pieces[piece][(side[1] - turn) % puzzle.sides])


def mismatches(puzzle: EdgePuzzle, laying: Sequence[int]) -> list[tuple[Side, Side]]:
    """The joins that do not show the same inner colour on both sides, with those at an empty cell."""
    return [
        (one, other)
        for one, other in touching(puzzle.board)[0]
        if laying[one[0]] < 0
        or laying[other[0]] < 0
        or colour_at(puzzle, laying, one) != colour_at(puzzle, laying, other)
        or (puzzle.border and colour_at(puzzle, laying, one) == 0)
    ]


def inner_outside(puzzle: EdgePuzzle, laying: Sequence[int]) -> list[Side]:
    """The sides on the border of the board that show an inner colour, for a puzzle with a border."""
    outside = touching(puzzle.board)[1] if puzzle.border else []
    return [side for side in outside if laying[side[0]] >= 0 and colour_at(puzzle, laying, side) != 0]


def score(puzzle: EdgePuzzle, laying: Sequence[int]) -> int:
    """The number of joins that show the same inner colour on both sides."""
    return len(touching(puzzle.board)[0]) - len(mismatches(puzzle, laying))


def laying_fault(puzzle: EdgePuzzle, laying: Sequence[int]) -> str | None:
    """The first fault of a full laying other than a mismatch, or None."""
    return _fault(puzzle, np.array([laying], np.int32), mismatches=True)


def fault(puzzle: EdgePuzzle, laying: Sequence[int]) -> str | None:
    """The first fault of a solution, or None."""
    return _fault(puzzle, np.array([laying], np.int32))


def first_fault(puzzle: EdgePuzzle, layings: NDArray[np.int32]) -> str | None:
    """A fault of one of many layings, or None if all of them are solutions."""
    if puzzle.once and _has_turns(puzzle, layings):
        return "of two solutions one is the other turned"
    chunks = (layings[first : first + _CHUNK] for first in range(0, len(layings), _CHUNK))
    return next((wrong for chunk in chunks if (wrong := _fault(puzzle, chunk))), None)


def _fault(puzzle: EdgePuzzle, layings: NDArray[np.int32], *, mismatches: bool = False) -> str | None:
    """A fault of one of these layings, or None; with `mismatches`, joins need not match."""
    cells, pieces = puzzle.board.cells, layings // puzzle.sides
    if layings.shape[1] != cells:
        return f"{layings.shape[1]} cells are filled, of {cells}"
    if (np.sort(pieces, axis=1) != np.arange(cells)).any():
        return "a piece is laid twice or not at all"
    if not puzzle.turning and (layings % puzzle.sides).any():
        return "a piece is turned"
    shown = _looks(puzzle).T[:, layings.T]  # sides × cells × layings
    joins, outside = touching(puzzle.board)
    if puzzle.border and any(shown[side, cell].any() for cell, side in outside):
        return "a side on the border has an inner colour"
    if puzzle.border and not all(shown[side, cell].all() for join in joins for cell, side in join):
        return "the border colour is inside"
    for clue in puzzle.clues:
        look = np.roll(puzzle.pieces[clue.piece], clue.turn)[:, None]
        if (pieces[:, clue.cell] != clue.piece).any() or (shown[:, clue.cell] != look).any():
            return f"the clue at {puzzle.board.name(clue.cell)} is not kept"
    if mismatches:
        return None
    wrong = sum(int((shown[s, cell] != shown[t, other]).sum()) for (cell, s), (other, t) in joins)
    return f"{several(wrong, 'join does', 'joins do')} not match" if wrong else None


def _looks(puzzle: EdgePuzzle) -> NDArray[np.int32]:
    """The colours of each variant, by side."""
    return np.stack([np.roll(puzzle.pieces, turn, axis=1) for turn in range(puzzle.sides)], axis=1).reshape(
        -1, puzzle.sides
    )


def _has_turns(puzzle: EdgePuzzle, layings: NDArray[np.int32]) -> bool:
    """Whether a turn of the board maps one laying to another, with the same pieces and the same look."""
    sides, cells = puzzle.sides, puzzle.board.cells
    shown = _looks(puzzle)[layings].reshape(len(layings), cells * sides)
    boards = np.concatenate([layings // sides, shown], axis=1)
    known = {row.tobytes() for row in np.ascontiguousarray(boards)}
    for images in turned_sides(puzzle.board)[1:]:
        goal = np.array([cell * sides + side for cell, side in images])
        turned = np.empty_like(boards)
        turned[:, goal[::sides] // sides] = boards[:, :cells]
        turned[:, cells + goal] = boards[:, cells:]
        if any(
            new in known and new != old
            for old, new in ((a.tobytes(), b.tobytes()) for a, b in zip(boards, turned, strict=True))
        ):
            return True
    return False


def impossible(puzzle: EdgePuzzle) -> str | None:
    """A proof by parity that there is no solution, or None if parity does not prove it."""
    if not puzzle.border:
        return None
    odd = {c: n for c, n in sorted(Counter(puzzle.pieces[puzzle.pieces > 0].tolist()).items()) if n % 2}
    if odd:
        return f"inside a board every colour occurs an even number of times: {_reported(odd.items())}"
    if not puzzle.turning or puzzle.board.shape != "square" or min(puzzle.board.rows, puzzle.board.columns) < 2:
        return None
    # Each join along the frame has one side just after a border side, clockwise, and one just before a border side.
    after: Counter[int] = Counter()
    for row in puzzle.pieces.tolist():
        for side in range(4):
            if row[side] == 0 and row[(side + 1) % 4]:
                after[row[(side + 1) % 4]] += 1
            if row[side] == 0 and row[side - 1]:
                after[row[side - 1]] -= 1
    for colour, surplus in sorted(after.items()):
        if surplus:
            left = several(abs(surplus), "side is left over", "sides are left over")
            return f"round the frame colour {colour} does not pair up: {left}"
    return None


def _reported(odd: Iterable[tuple[int, int]]) -> str:
    parts = [f"colour {colour} occurs {several(number, 'time')}" for colour, number in odd]
    more = f" and {len(parts) - 4} more" if len(parts) > 4 else ""
    return ", ".join(parts[:4]) + more
