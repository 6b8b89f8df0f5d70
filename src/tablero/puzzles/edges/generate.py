"""Edge-matching puzzles made at random, solvable by construction: every join gets a colour, then the pieces are mixed.

    single pool   one set of inner colours for all joins; the border is an extra colour
    framed        some colours for the joins along the frame, others inside, as Eternity II (5 and 17)

Colours are drawn uniformly, or spread evenly over the joins.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.edges.board import Board
from tablero.puzzles.edges.puzzle import EdgePuzzle

# The example of "Un puzle de 2 millones de dólares", with piece 2 corrected (it is printed as 3220): 8 boards.
EXAMPLE = (
    (1, 0, 1, 2), (3, 2, 1, 0), (2, 1, 0, 0),
    (0, 0, 3, 1), (0, 1, 3, 3), (1, 3, 0, 0),
    (2, 0, 3, 1), (3, 0, 0, 1), (3, 1, 2, 2),
)  # fmt: skip
PRINTED = (EXAMPLE[0], (3, 2, 2, 0), *EXAMPLE[2:])
_TRIES = 200  # draws before distinct pieces are given up


@dataclass(frozen=True)
class Planted:
    """A puzzle and the laying that it was made from."""

    puzzle: EdgePuzzle
    laying: NDArray[np.int32]


def most_colours(pieces: int) -> int:
    """More colours than this, the border included, cannot be on a square board of so many pieces."""
    return int(1 + 2 * (pieces - sqrt(pieces)))


def generate(
    size: int | str,
    *,
    colours: int | None = None,
    framed: tuple[int, int] | None = None,
    shape: str = "square",
    even: bool = False,
    border: bool = True,
    turning: bool = True,
    distinct: bool = False,
    seed: int = 0,
) -> EdgePuzzle:
    """A puzzle with a solution.  `colours` are inner colours from a single pool; `framed` are those of frame and inside."""
    return plant(
        size,
        colours=colours,
        framed=framed,
        shape=shape,
        even=even,
        border=border,
        turning=turning,
        distinct=distinct,
        seed=seed,
    ).puzzle


def plant(
    size: int | str,
    *,
    colours: int | None = None,
    framed: tuple[int, int] | None = None,
    shape: str = "square",
    even: bool = False,
    border: bool = True,
    turning: bool = True,
    distinct: bool = False,
    seed: int = 0,
) -> Planted:
    """The same, with the solution."""
    board = Board.parse(str(size), shape)
    pools = _pools(board, colours, framed, border)
    if seed < 0:
        raise BadInput(f"the seed {seed}: expected a number from 0")
    rng = np.random.default_rng(seed)
    for _ in range(_TRIES if distinct else 1):
        planted = _draw(board, pools, even, border, turning, rng)
        if not distinct or _all_differ(planted.puzzle):
            return planted
    raise BadInput(f"no {board.cells} distinct pieces in {_TRIES} draws: take more colours")


def _pools(
    board: Board, colours: int | None, framed: tuple[int, int] | None, border: bool
) -> list[tuple[list[int], range]]:
    """The joins that share colours, and their colours."""
    if (colours is None) == (framed is None):
        raise BadInput("expected either a number of colours or those of frame and inside")
    if framed is not None and not border:
        raise BadInput("a framed puzzle has a border colour")
    edge = [bool(row.any()) for row in board.border]
    along = [k for k, (a, _, b, _) in enumerate(board.joins) if framed and edge[a] and edge[b]]
    inside = sorted(set(range(len(board.joins))) - set(along))
    wanted = (colours,) if framed is None else framed
    if any(number is None or number < 1 for number in wanted):
        raise BadInput(f"{' and '.join(map(str, wanted))} colours: expected at least 1")
    limit = len(board.joins) + border
    if board.shape == "square" and board.rows == board.columns:
        limit = most_colours(board.cells) - (not border)
    if sum(number or 0 for number in wanted) + border > limit:
        told = " with the border" if border else ""
        raise BadInput(
            f"{sum(number or 0 for number in wanted) + border} colours{told}: a board of {board.size} has room for "
            f"at most {limit}"
        )
    first = int(border)
    if framed is None:
        assert colours is not None
        return [(inside, range(first, first + colours))]
    middle = first + framed[0]
    return [(along, range(first, middle)), (inside, range(middle, middle + framed[1]))]


def _draw(
    board: Board,
    pools: list[tuple[list[int], range]],
    even: bool,
    border: bool,
    turning: bool,
    rng: np.random.Generator,
) -> Planted:
    shown = np.zeros((board.cells, board.sides), np.int32)
    drawn = np.zeros(len(board.joins), np.int32)
    for joins, palette in pools:
        if even:
            drawn[joins] = rng.permutation(np.resize(rng.permutation(np.array(palette)), len(joins)))
        else:
            drawn[joins] = rng.integers(palette.start, palette.stop, len(joins))
    for (cell, side, other, across), colour in zip(board.joins, drawn.tolist(), strict=True):
        shown[cell, side] = shown[other, across] = colour
    if not border:  # the outermost sides match nothing: any colour will do
        outside = board.border
        shown[outside] = rng.integers(pools[0][1].start, pools[0][1].stop, int(outside.sum()))
    place = rng.permutation(board.cells)  # cell c gets piece place[c]
    turn = rng.integers(0, board.sides if turning else 1, board.cells)
    pieces = np.zeros_like(shown)
    for cell in range(board.cells):
        pieces[place[cell]] = np.roll(shown[cell], -turn[cell])
    puzzle = EdgePuzzle(pieces.tolist(), board, border=border, turning=turning)
    laying = np.array([puzzle.least(int(v)) for v in place * board.sides + turn], np.int32)
    return Planted(puzzle, laying)


def _all_differ(puzzle: EdgePuzzle) -> bool:
    """Whether no two pieces look alike, however turned, and no piece looks like itself turned."""
    looks = {tuple(row) for row in puzzle.turned[puzzle.variants].tolist()}
    return len(looks) == len(puzzle.turned) if puzzle.turning else len(looks) == len(puzzle.pieces)


def example() -> EdgePuzzle:
    """The 3×3 example of the source, corrected."""
    return EdgePuzzle(EXAMPLE)


def printed_example() -> EdgePuzzle:
    """The 3×3 example as it was printed: it has no solution, by the parity of its colours."""
    return EdgePuzzle(PRINTED)
