"""Is it a solution, what is its score, and can there be one at all?  Written from the definition.

Which sides touch is found from where they lie in the plane, not from the table that the searches use: two sides are a join
when their middles are one point.
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

_CHUNK = 4096  # solutions looked at together
Side = tuple[int, int]  # cell and side


@lru_cache(maxsize=8)
def touching(board: Board) -> tuple[list[tuple[Side, Side]], list[Side]]:
    """The joins of a board and its border sides, by the middles of the sides."""
    found: dict[tuple[int, int], list[Side]] = {}
    for side, (x, y) in _middles(board).items():
        found.setdefault(_rounded(x, y), []).append(side)
    joins = [(sides[0], sides[1]) for sides in found.values() if len(sides) == 2]
    return joins, [sides[0] for sides in found.values() if len(sides) == 1]


def turned_sides(board: Board) -> list[list[Side]]:
    """The turns that map a board onto itself: for every cell and side, in this order, the cell and side it comes to.

    They are those turns about the middle of the board after which every side lies where one lay before.
    """
    middles = _middles(board, inwards=0.2)  # so that the two sides of a join are told apart
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
    """The middles of all sides, moved a little towards the middles of their cells."""
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
    """The joins that do not show one inner colour; those at an empty cell are among them."""
    return [
        (one, other)
        for one, other in touching(puzzle.board)[0]
        if laying[one[0]] < 0
        or laying[other[0]] < 0
        or colour_at(puzzle, laying, one) != colour_at(puzzle, laying, other)
        or (puzzle.border and colour_at(puzzle, laying, one) == 0)
    ]


def inner_outside(puzzle: EdgePuzzle, laying: Sequence[int]) -> list[Side]:
    """The sides on the border of the board that show an inner colour, where the border has a colour of its own."""
    outside = touching(puzzle.board)[1] if puzzle.border else []
    return [side for side in outside if laying[side[0]] >= 0 and colour_at(puzzle, laying, side) != 0]


def score(puzzle: EdgePuzzle, laying: Sequence[int]) -> int:
    """How many joins show one inner colour."""
    return len(touching(puzzle.board)[0]) - len(mismatches(puzzle, laying))


def laying_fault(puzzle: EdgePuzzle, laying: Sequence[int]) -> str | None:
    """What is wrong with a laying, mismatches aside: every piece once, the border outside and only there, the clues kept."""
    return _fault(puzzle, np.array([laying], np.int32), mismatches=True)


def fault(puzzle: EdgePuzzle, laying: Sequence[int]) -> str | None:
    """What is wrong with a solution, or None."""
    return _fault(puzzle, np.array([laying], np.int32))


def first_fault(puzzle: EdgePuzzle, layings: NDArray[np.int32]) -> str | None:
    """What is wrong with some of many, or None when all are solutions."""
    if puzzle.once and _has_turns(puzzle, layings):
        return "of two solutions one is the other turned"
    chunks = (layings[first : first + _CHUNK] for first in range(0, len(layings), _CHUNK))
    return next((wrong for chunk in chunks if (wrong := _fault(puzzle, chunk))), None)


def _fault(puzzle: EdgePuzzle, layings: NDArray[np.int32], *, mismatches: bool = False) -> str | None:
    """What is wrong with some of these; with `mismatches`, joins need not match."""
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
    """The colours that every variant shows, by side."""
    return np.stack([np.roll(puzzle.pieces, turn, axis=1) for turn in range(puzzle.sides)], axis=1).reshape(
        -1, puzzle.sides
    )


def _has_turns(puzzle: EdgePuzzle, layings: NDArray[np.int32]) -> bool:
    """Whether a turn of the board carries one laying into another one: the same pieces, looking the same."""
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
    """A proof that there is no solution which costs nothing, or None: what is on both sides of joins comes in pairs."""
    if not puzzle.border:
        return None
    odd = {c: n for c, n in sorted(Counter(puzzle.pieces[puzzle.pieces > 0].tolist()).items()) if n % 2}
    if odd:
        return f"inside a board every colour occurs an even number of times: {_reported(odd.items())}"
    if not puzzle.turning or puzzle.board.shape != "square" or min(puzzle.board.rows, puzzle.board.columns) < 2:
        return None
    # Round the frame each join has one side that follows a border side clockwise, and one that comes before one.
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
