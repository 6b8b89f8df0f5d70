"""Generate random edge-matching puzzles with a solution: each join gets a colour, then the pieces are shuffled.

    single pool   one set of inner colours for all joins; the border has an additional colour
    framed        some colours for the joins along the frame, others inside, as in Eternity II (5 and 17)

Colours are drawn uniformly, or spread evenly over the joins.  All requested colours occur, and all colourings of the joins
with all colours are equally likely.  If independent draws use all colours, they are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp, lgamma, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.edges.board import Board
from tablero.edges.puzzle import EdgePuzzle
from tablero.errors import BadInput
from tablero.text import several

# Piece 2 is printed as 3220.
EXAMPLE = (
    (1, 0, 1, 2), (3, 2, 1, 0), (2, 1, 0, 0),
    (0, 0, 3, 1), (0, 1, 3, 3), (1, 3, 0, 0),
    (2, 0, 3, 1), (3, 0, 0, 1), (3, 1, 2, 2),
)  # fmt: skip
_TRIES = 200  # draws before distinct pieces are given up


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
    """Generate a puzzle; the board that it was made from comes with it.

    `colours` is the number of inner colours from a single pool; `framed` has those along the frame and inside.
    """
    board = Board.parse(str(size), shape)
    pools = _pools(board, colours, framed, border)
    wanted = sum(len(pool.palette) for pool in pools)
    # If independent draws miss no colour, they are a uniform sample of the colourings with all colours.
    for rng, draw in ((np.random.default_rng(seed), _plain), (np.random.default_rng([seed, 1]), _with_all)):
        puzzle = _first_fit(board, pools, _spread if even else draw, border, turning, distinct, rng)
        if puzzle.inner_colours == wanted:
            break
    else:
        raise AssertionError("a colour is missing")
    how = f"--colours {colours}" if framed is None else f"--framed {framed[0]},{framed[1]}"
    how += (f" --shape {shape}" if shape != "square" else "") + " --even" * even + " --tetravex" * (not border)
    comment = f"tablero edges generate {size} {how}{' --distinct' * distinct} --seed {seed}"
    return replace(puzzle, origin=puzzle.origin._replace(comment=comment))


def _first_fit(
    board: Board, pools: list[Pool], draw: Draw, border: bool, turning: bool, distinct: bool, rng: np.random.Generator
) -> EdgePuzzle:
    for _ in range(_TRIES if distinct else 1):
        puzzle = _draw(board, pools, draw, border, turning, rng)
        if not distinct or _all_differ(puzzle):
            return puzzle
    raise BadInput(f"no {board.cells} distinct pieces in {_TRIES} draws: take more colours")


@dataclass(frozen=True)
class Pool:
    """Joins that share colours; without a border, the outermost sides share them too."""

    joins: list[int]
    outside: int
    palette: range


def _pools(board: Board, colours: int | None, framed: tuple[int, int] | None, border: bool) -> list[Pool]:
    """Divide the joins into pools."""
    edge = [bool(row.any()) for row in board.border]
    along = [k for k, (a, _, b, _) in enumerate(board.joins) if framed and edge[a] and edge[b]]
    inside = sorted(set(range(len(board.joins))) - set(along))
    wanted = [colours or 0] if framed is None else framed
    outside = 0 if border else int(board.border.sum())
    places = [(along, 0, " along the frame"), (inside, outside, " inside")] if framed else [(inside, outside, "")]
    pools, first = [], int(border)
    for number, (joins, more, where) in zip(wanted, places, strict=True):
        _require_joins(board, number, len(joins) + more, where, border)
        pools.append(Pool(joins, more, range(first, first + number)))
        first += number
    return pools


def _require_joins(board: Board, number: int, most: int, where: str, border: bool) -> None:
    """Refuse more colours than there are joins, because each join has one colour."""
    if number <= most:
        return
    if border and not where:
        asked = f"{number + 1} colours with the border: a board of {board.size} has room for at most {most + 1}"
    else:
        there = " there" if where else ""
        asked = f"{several(number, 'colour')}{where}: a board of {board.size} has room for at most {most}{there}"
    raise BadInput(asked)


# Ways to colour a pool: first the joins, then the outermost sides.


def _plain(rng: np.random.Generator, pool: Pool) -> NDArray[np.int64]:
    """Draw each colour independently."""
    drawn = [rng.integers(pool.palette.start, pool.palette.stop, n) for n in (len(pool.joins), pool.outside) if n]
    return np.concatenate([*drawn, np.empty(0, np.int64)])


def _spread(rng: np.random.Generator, pool: Pool) -> NDArray[np.int64]:
    """Use all colours equally often on joins, up to a difference of one."""
    palette = rng.permutation(np.array(pool.palette))
    if len(palette) > len(pool.joins):
        return rng.permutation(np.resize(palette, len(pool.joins) + pool.outside))
    joins = rng.permutation(np.resize(palette, len(pool.joins)))
    outside: Any = rng.integers(pool.palette.start, pool.palette.stop, pool.outside) if pool.outside else []
    return np.concatenate([joins, np.array(outside, np.int64)])


def _with_all(rng: np.random.Generator, pool: Pool) -> NDArray[np.int64]:
    """Draw uniformly from the colourings with all colours."""
    sizes = _occupancy(len(pool.palette), len(pool.joins) + pool.outside, rng)
    return rng.permutation(np.repeat(np.array(pool.palette), sizes))


def _occupancy(boxes: int, balls: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The numbers of balls in the boxes when balls are thrown at random, given that no box is empty.

    They are distributed as Poisson variables of at least 1, given that their sum is the number of balls.  Any parameter of
    the Poisson distribution is right; the one with the matching mean needs the fewest draws.
    """
    if boxes == balls:
        return np.ones(boxes, np.int64)
    low, high = 1e-9, balls / boxes
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle / (1 - exp(-middle)) < balls / boxes else (low, middle)
    most = int(high + 12 * sqrt(high) + 30)
    weight = np.array([exp(k * log(high) - lgamma(k + 1) - high) for k in range(1, most)])
    chances = weight / weight.sum()
    while True:
        drawn = rng.choice(np.arange(1, most), boxes, p=chances)
        if drawn.sum() == balls:
            return drawn


def _draw(
    board: Board, pools: Sequence[Pool], draw: Draw, border: bool, turning: bool, rng: np.random.Generator
) -> EdgePuzzle:
    shown = np.zeros((board.cells, board.sides), np.int32)
    drawn = np.zeros(len(board.joins), np.int32)
    for pool in pools:
        colours = draw(rng, pool)
        drawn[pool.joins] = colours[: len(pool.joins)]
        if pool.outside:  # the outermost sides touch nothing
            shown[board.border] = colours[len(pool.joins) :]
    for (cell, side, other, across), colour in zip(board.joins, drawn.tolist(), strict=True):
        shown[cell, side] = shown[other, across] = colour
    place = rng.permutation(board.cells)  # cell c gets piece place[c]
    turn = rng.integers(0, board.sides if turning else 1, board.cells)
    pieces = np.zeros_like(shown)
    for cell in range(board.cells):
        pieces[place[cell]] = np.roll(shown[cell], -turn[cell])
    puzzle = EdgePuzzle(pieces.tolist(), board, border=border, turning=turning)
    return puzzle.with_boards([[puzzle.least(int(v)) for v in place * board.sides + turn]])


Draw = Callable[[np.random.Generator, Pool], NDArray[np.int64]]


def _all_differ(puzzle: EdgePuzzle) -> bool:
    """Whether all variants look different."""
    looks = {tuple(row) for row in puzzle.turned[puzzle.variants].tolist()}
    return len(looks) == len(puzzle.turned) if puzzle.turning else len(looks) == len(puzzle.pieces)


def example() -> EdgePuzzle:
    """The 3×3 example of "Un puzle de 2 millones de dólares", with piece 2 corrected.

    Examples
    --------
    >>> from tablero import edges
    >>> edges.example().count().solutions
    8
    """
    return EdgePuzzle(EXAMPLE)
