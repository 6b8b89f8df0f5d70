"""Boards that are turns of each other, and how to find one board of each class.

    turn      of a board: the image of each cell, and the number of sides by which pieces are turned
    symmetry  turn that maps every solution to a solution: pieces can be turned, and all clues are fixed
    home      allowed variant and cell of one chosen piece: one of those that the symmetries map to each other

Mirror images are different boards.  A symmetry other than the identity moves every piece outside the centre, so each class
of boards with two cells or more has as many boards as there are symmetries.  With the chosen piece at a home, one of them
is left, unless the piece looks the same after a turn in the centre.  If all pieces do, solutions are filtered when found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.board import Board
from tablero.search.base import Answers, Bound, Flag
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch

if TYPE_CHECKING:
    from tablero.edges.puzzle import EdgePuzzle

_BATCH = 256  # solutions that are filtered together


class Turn(NamedTuple):
    """A turn of a board: cell c moves to cell[c], and its piece is turned by `by` more sides."""

    cell: tuple[int, ...]
    by: int


@lru_cache(maxsize=8)
def turns_of(board: Board) -> tuple[Turn, ...]:
    """The turns that map a board onto itself; the first is the identity."""
    return tuple(
        turn for by in range(board.sides) for cell in range(board.cells) if (turn := _turn(board, cell, by)) is not None
    )


def _turn(board: Board, first: int, by: int) -> Turn | None:
    """The turn that maps cell 0 to `first`, or None if that does not map the board onto itself."""
    sides, neighbours = board.sides, board.neighbours
    if (np.roll(board.border[0], by) != board.border[first]).any():
        return None
    image, reached = {0: first}, [0]
    for cell in reached:  # the list grows in the loop
        for side in range(sides):
            across = int(neighbours[cell, side])
            there = int(neighbours[image[cell], (side + by) % sides])
            if (across < 0) != (there < 0):
                return None
            if across < 0:
                continue
            other, goal = across // sides, there // sides
            if other not in image:
                image[other] = goal
                reached.append(other)
            if image[other] != goal or (across % sides + by) % sides != there % sides:
                return None
    return Turn(tuple(image[cell] for cell in range(board.cells)), by)


def symmetries(puzzle: EdgePuzzle) -> tuple[Turn, ...]:
    """The turns of the board that map the puzzle onto itself; the first is the identity."""
    fixed = puzzle.fixed()
    found = []
    for turn in turns_of(puzzle.board):
        alike = puzzle.turning or (np.roll(puzzle.pieces, turn.by, axis=1) == puzzle.pieces).all()
        if alike and all(turn.cell[cell] == cell and _turned(puzzle, v, turn) == v for cell, v in fixed.items()):
            found.append(turn)
    return tuple(found)


def _turned(puzzle: EdgePuzzle, variant: int, turn: Turn) -> int:
    """The image of a variant, in the lowest turn that looks the same."""
    piece, side = divmod(variant, puzzle.sides)
    return puzzle.least(piece * puzzle.sides + (side + turn.by) % puzzle.sides)


@dataclass(frozen=True)
class Homes:
    """A piece, and its allowed variants in each cell."""

    piece: int
    variants: dict[int, tuple[int, ...]]


def homes_of(puzzle: EdgePuzzle, fits: Sequence[NDArray[np.int32]], group: Sequence[Turn]) -> Homes | None:
    """The homes of the piece with the fewest places, or None if every piece looks the same after a turn in the centre.

    `fits` has the variants that fit each cell.
    """
    kinds: dict[int, list[int]] = {}  # cells with the same variants share an array
    for cell, row in enumerate(fits):
        kinds.setdefault(id(row), []).append(cell)
    number = np.zeros(len(puzzle.pieces), np.int64)  # of places, by piece
    first = np.full(len(puzzle.pieces), puzzle.board.cells)
    for cells in kinds.values():
        pieces = fits[cells[0]] // puzzle.sides
        number += len(cells) * np.bincount(pieces, minlength=len(number))
        np.minimum.at(first, pieces, cells[0])
    centres = [(cell, turn) for turn in group[1:] for cell in range(puzzle.board.cells) if turn.cell[cell] == cell]
    clues = {variant // puzzle.sides for variant in puzzle.fixed().values()}
    # Of pieces with equally few places, prefer one that fits the first cell: a corner piece on a board with a border.
    for piece in np.lexsort((np.arange(len(number)), first, number)).tolist():
        own = range(piece * puzzle.sides, (piece + 1) * puzzle.sides)
        alike = any(v in fits[cell] and _turned(puzzle, v, turn) == v for cell, turn in centres for v in own)
        if piece in clues or (alike and puzzle.board.cells > 1):
            continue
        classes = {
            tuple(sorted({(turn.cell[cell], _turned(puzzle, variant, turn)) for turn in group}))
            for cells in kinds.values()
            for variant in own
            if variant in fits[cells[0]]
            for cell in cells
        }
        # A single home becomes a clue at the first cell.  Of several homes, the last ones prune a scan earliest, because
        # they exclude the piece from the cells that are filled first.
        chosen: dict[int, list[int]] = {}
        for cell, variant in sorted(each[-1 if len(classes) > 1 else 0] for each in classes):
            chosen.setdefault(cell, []).append(variant)
        return Homes(piece, {cell: tuple(row) for cell, row in chosen.items()})
    return None


@dataclass
class Sifted(TreeSearch):
    """A search that keeps only solutions whose lowest piece of a class of cells is at the first cell of the class."""

    inner: TreeSearch
    cells: tuple[int, ...]  # a cell and its images by the symmetries
    sides: int
    option_cell: NDArray[np.int32] | None = None  # of exact covers: the cell and the variant of every option
    option_variant: NDArray[np.int32] | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = f"{self.inner.name}+turns/1"

    @property
    def width(self) -> int:
        return self.inner.width

    def digest(self) -> str:
        return hashlib.sha256(f"{self.inner.digest()} {self.cells}".encode()).hexdigest()

    def begin(self, cursor: Cursor) -> Any:
        return self.inner.begin(cursor)

    def end(self, state: Any) -> None:
        self.inner.end(state)

    def decided(self, state: Any, row: Answers) -> bool:
        return self.inner.decided(state, row)

    def step(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        rows = np.empty((_BATCH, self.width), np.int32)
        nodes = found = 0
        while nodes < budget and found < most and state.depth[0] >= 0 and not stop[0]:
            visited, more = self.inner.step(state, rows, budget - nodes, min(_BATCH, most - found), stop, bound)
            kept = rows[:more][self._are_first(rows[:more])]
            if len(answers):
                answers[found : found + len(kept)] = kept
            nodes += visited
            found += len(kept)
        return nodes, found

    def _are_first(self, rows: Answers) -> NDArray[np.bool_]:
        """Which solutions have the lowest piece of the class at its first cell."""
        if self.option_cell is None or self.option_variant is None:
            pieces = rows[:, self.cells] // self.sides
        else:
            laid = np.full((len(rows), int(self.option_cell.max()) + 1), -1, np.int32)
            line, place = np.nonzero(rows >= 0)
            option = rows[line, place]
            laid[line, self.option_cell[option]] = self.option_variant[option]
            pieces = laid[:, self.cells] // self.sides
        return np.asarray((pieces[:, :1] <= pieces).all(axis=1))


def sifted(puzzle: EdgePuzzle, inner: TreeSearch, options: tuple[Any, Any] = (None, None)) -> Sifted:
    """A search that finds one solution of each class; `options` has the cell and variant of the options of exact covers."""
    group = symmetries(puzzle)
    images = [tuple(turn.cell[cell] for turn in group) for cell in range(puzzle.board.cells)]
    # Only a board of one cell has no cell that every symmetry moves.
    cells = next((row for row in images if len(set(row)) == len(group)), (0,))
    return Sifted(inner, cells, puzzle.sides, *options)
