"""Edge-matching puzzles: pieces with coloured sides are placed so that touching sides have the same colour.

    piece     a row of a matrix: the colour of each side, clockwise (top, right, bottom, left of a square)
    border    colour 0, in a puzzle with a border; exactly the sides on the border of the board show it
    variant   a piece and a turn, as the number piece · sides + turn; turns that look the same count as the lowest of them
    clue      a variant that is fixed at a cell
    laying    a variant for each cell, −1 for an empty cell; it is a solution if both sides of every join match
    score     number of joins whose sides show the same colour, other than the border colour
    once      rule that of boards that are turns of each other, only one is a solution (see `turns`)

Tetravex has no border colour, and its pieces are not turned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero import edges
from tablero.draw.svg import to_svg
from tablero.edges import verbs
from tablero.edges.board import Board
from tablero.edges.draw import can_draw, scene, to_text
from tablero.edges.kernels.tiles import Tiles
from tablero.edges.turns import Homes, homes_of, symmetries
from tablero.edges.verbs import MOST_COLOURS
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot
from tablero.runs.run import Run
from tablero.text import several
from tablero.verbs.parameters import BadValue

Pairs = list[list[int]]  # a board as users write it: [piece, turn] for each cell, pieces from 1


class Clue(NamedTuple):
    """A piece (from 0) and its turn, fixed at a cell."""

    cell: int
    piece: int
    turn: int


class Origin(NamedTuple):
    """Where a puzzle comes from; it does not count when puzzles are compared."""

    name: str = ""  # of the file
    remark: str = ""  # how the file was read
    title: str = ""  # the name in a viewer's address
    comment: str = ""  # the comment at the head of the puzzle's text
    boards: tuple[NDArray[np.int32], ...] = ()  # layings that came with the puzzle


NOWHERE = Origin()


@dataclass(frozen=True, eq=False)
class EdgePuzzle:
    """Pieces and the board that they fill.

    Parameters
    ----------
    pieces
        The colours of each piece, clockwise from the top.
    board
        The board, or its size as 8 or "6x9"; by default the board of the given shape with equal sides.
    shape
        "square", "triangle" or "hexagon"; by default it follows from the number of sides.
    border
        Whether colour 0 is the border colour.
    turning
        Whether pieces can be turned.
    clues
        Cell, piece and turn of each clue, all numbered from 0.
    once
        Whether of boards that are turns of each other, only one is a solution.
    origin
        Where the puzzle comes from.

    Examples
    --------
    >>> from tablero import edges
    >>> puzzle = edges.EdgePuzzle([[1, 2, 3, 4]], border=False)
    >>> puzzle.solve().answers
    [[[1, 0]]]
    """

    board: Board
    pieces: NDArray[np.int32]
    border: bool = True
    turning: bool = True
    clues: tuple[Clue, ...] = ()
    once: bool = False
    origin: Origin = NOWHERE

    def __init__(
        self,
        pieces: Iterable[Sequence[int]],
        board: Board | str | int | None = None,
        *,
        shape: str = "",
        border: bool = True,
        turning: bool = True,
        clues: Iterable[tuple[int, int, int]] = (),
        once: bool = False,
        origin: Origin = NOWHERE,
    ) -> None:
        matrix = _matrix([tuple(row) for row in pieces])
        shape = shape or {3: "triangle", 6: "hexagon"}.get(matrix.shape[1], "square")
        if board is None:
            board = Board.of_cells(len(matrix), shape)
        elif not isinstance(board, Board):
            board = Board.parse(str(board), shape)
        given = tuple(Clue(*clue) for clue in clues)
        for name, value in (
            ("board", board),
            ("pieces", matrix),
            ("border", border),
            ("turning", turning),
            ("clues", given),
            ("once", once),
            ("origin", origin),
        ):
            object.__setattr__(self, name, value)
        self._validate()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EdgePuzzle):
            return NotImplemented
        return self._rules == other._rules and np.array_equal(self.pieces, other.pieces)

    def __hash__(self) -> int:
        return hash((self._rules, *self.pieces[:25].ravel().tolist()))

    @property
    def _rules(self) -> tuple[Board, bool, bool, tuple[Clue, ...], bool]:
        """Everything except the pieces."""
        return self.board, bool(self.border), bool(self.turning), self.clues, bool(self.once)

    def _validate(self) -> None:
        board = self.board
        if self.pieces.shape[1] != board.sides:
            raise BadInput(f"pieces with {self.pieces.shape[1]} sides: expected {board.sides} for {board.shape}s")
        if len(self.pieces) != board.cells:
            raise BadInput(f"{several(len(self.pieces), 'piece')} for a board of {several(board.cells, 'cell')}")
        if self.border:
            self._validate_border()
        self._validate_clues()

    def _validate_border(self) -> None:
        """Check that for each pattern of border sides, there are as many pieces as cells."""
        kind_of: Callable[[Sequence[int]], tuple[int, ...]] = _least_turn if self.turning else tuple
        cells = Counter(map(kind_of, self.board.border.astype(int).tolist()))
        pieces = Counter(map(kind_of, (self.pieces == 0).astype(int).tolist()))
        for kind in sorted(cells.keys() | pieces.keys(), reverse=True):
            if cells[kind] != pieces[kind]:
                raise BadInput(
                    f"{several(pieces[kind], 'piece')} with {_kind_name(kind, self.board.sides)}: "
                    f"expected {cells[kind]} on a board of {self.board.size}"
                )

    def _validate_clues(self) -> None:
        cells: set[int] = set()
        used: set[int] = set()
        most = self.board.sides - 1 if self.turning else 0
        for clue in self.clues:
            where = f"the clue of piece {clue.piece + 1}"
            if not 0 <= clue.cell < self.board.cells:
                raise BadInput(f"{where}: there is no cell {clue.cell}")
            name = self.board.name(clue.cell)
            if not 0 <= clue.piece < len(self.pieces):
                raise BadInput(f"{where} at {name}: expected a piece from 1 to {len(self.pieces)}")
            if not 0 <= clue.turn <= most:
                raise BadInput(f"{where} at {name}: turn {clue.turn}, expected 0 to {most}")
            if clue.cell in cells or clue.piece in used:
                what = name if clue.cell in cells else f"piece {clue.piece + 1}"
                raise BadInput(f"{where}: {what} has a clue already")
            cells.add(clue.cell)
            used.add(clue.piece)
        laying = np.full(self.board.cells, -1, np.int32)
        for clue in self.clues:
            laying[clue.cell] = clue.piece * self.board.sides + clue.turn
            shown = self.shown(laying)[clue.cell]
            if self.border and ((shown == 0) != self.board.border[clue.cell]).any():
                name = self.board.name(clue.cell)
                raise BadInput(f"the clue of piece {clue.piece + 1} at {name} contradicts the border")
        shown = self.shown(laying)
        for cell, side, other, across in self.board.joins:
            if laying[cell] >= 0 and laying[other] >= 0 and shown[cell, side] != shown[other, across]:
                names = f"{self.board.name(cell)} and {self.board.name(other)}"
                raise BadInput(f"the clues at {names} contradict each other: their sides do not match")

    # What follows from the pieces

    @property
    def sides(self) -> int:
        return self.board.sides

    @cached_property
    def colours(self) -> int:
        """One more than the largest colour: the border, where there is one, is colour 0."""
        return int(self.pieces.max()) + 1

    @cached_property
    def inner_colours(self) -> int:
        """The number of colours, without the border colour."""
        return len(np.unique(self.pieces[self.pieces > 0] if self.border else self.pieces))

    @cached_property
    def turned(self) -> NDArray[np.int32]:
        """The colours of each variant, one row for each piece · sides + turn."""
        rows = [np.roll(self.pieces, turn, axis=1) for turn in range(self.sides)]
        return np.stack(rows, axis=1).reshape(-1, self.sides)

    @cached_property
    def variants(self) -> NDArray[np.int32]:
        """The distinct variants, in order."""
        if not self.turning:
            return np.arange(0, len(self.turned), self.sides, dtype=np.int32)
        first: dict[tuple[int, ...], int] = {}  # by piece and colours
        for variant, look in enumerate(self.turned.tolist()):
            first.setdefault((variant // self.sides, *look), variant)
        return np.array(list(first.values()), np.int32)

    def shown(self, laying: NDArray[np.int32]) -> NDArray[np.int32]:
        """The colours that a laying shows, cells by sides; −1 where it is empty."""
        return np.where(laying[:, None] >= 0, self.turned[np.maximum(laying, 0)], -1)

    @property
    def maximum(self) -> int:
        """The number of joins."""
        return len(self.board.joins)

    def fixed(self) -> dict[int, int]:
        """The variant of each cell with a clue, in the lowest turn that looks the same."""
        return {clue.cell: self.least(clue.piece * self.sides + clue.turn) for clue in self.clues}

    def least(self, variant: int) -> int:
        """The variant with the lowest turn that looks the same."""
        first = variant // self.sides * self.sides
        look = self.turned[variant]
        return next(v for v in range(first, variant + 1) if (self.turned[v] == look).all())

    def fits(self, cell: int) -> NDArray[np.int32]:
        """The variants that fit a cell by its border sides, the clues, and the rule `once`."""
        return self._fits[cell]

    @cached_property
    def _fits(self) -> list[NDArray[np.int32]]:
        if not self.once or self.homes is None:
            return self._fits_turned
        home, sides = self.homes, self.sides
        alike: dict[Any, NDArray[np.int32]] = {}  # cells with the same variants share an array
        fits = []
        for cell, row in enumerate(self._fits_turned):
            allowed = home.variants.get(cell, ())
            kind = (id(row), allowed)
            if kind not in alike:
                alike[kind] = row[(row // sides != home.piece) | np.isin(row, allowed)]
            fits.append(alike[kind])
        return fits

    @cached_property
    def _fits_turned(self) -> list[NDArray[np.int32]]:
        """The variants that fit each cell, without the rule `once`."""
        fixed = self.fixed()
        left = self.variants[~np.isin(self.variants // self.sides, [v // self.sides for v in fixed.values()])]
        alike: dict[bytes, NDArray[np.int32]] = {}  # cells with the same variants share an array
        fits = []
        for cell in range(self.board.cells):
            if cell in fixed:
                fits.append(np.array([fixed[cell]], np.int32))
                continue
            border = self.board.border[cell]
            kind = border.tobytes()
            if kind not in alike:
                alike[kind] = left[((self.turned[left] == 0) == border).all(axis=1)] if self.border else left
            fits.append(alike[kind])
        return fits

    @cached_property
    def homes(self) -> Homes | None:
        """The cells of one piece that leave one of the turns of each board; None if no piece distinguishes them."""
        return homes_of(self, self._fits_turned, symmetries(self))

    @cached_property
    def tiles(self) -> Tiles:
        """The puzzle as arrays, for the searches."""
        fits = self._fits
        start = np.cumsum([0] + [len(row) for row in fits])
        return Tiles(self.board.neighbours, self.turned, start, np.concatenate(fits).astype(np.int32))

    def with_clues(self, number: int | None) -> EdgePuzzle:
        """The same puzzle with only the first `number` clues; None keeps all of them."""
        if number is None:
            return self
        if not 0 <= number <= len(self.clues):
            raise BadValue("clues", number, f"all, none, or a number up to the {len(self.clues)} there are")
        return replace(self, clues=self.clues[:number])

    @property
    def reading(self) -> tuple[str, ...]:
        """A remark on how the puzzle was read, if there is one."""
        return (f"read as {self.origin.remark}",) if self.origin.remark else ()

    @property
    def boards(self) -> tuple[NDArray[np.int32], ...]:
        """The layings that came with the puzzle: from its file, or the one it was generated from."""
        return self.origin.boards

    def with_boards(self, boards: Iterable[Sequence[int] | NDArray[np.int32]]) -> EdgePuzzle:
        """The same puzzle with other layings."""
        rows = tuple(np.array(row, np.int32) for row in boards)
        return replace(self, origin=self.origin._replace(boards=rows))

    def up_to_turning(self) -> EdgePuzzle | None:
        """The same puzzle with the rule `once`; None if no board is a turn of another.

        If the rule allows one piece, as a corner piece, only one variant, that becomes a clue instead.
        """
        if self.once or len(symmetries(self)) == 1:
            return None
        places = [] if self.homes is None else [(cell, v) for cell, row in self.homes.variants.items() for v in row]
        if len(places) != 1:
            return replace(self, once=True)
        cell, variant = places[0]
        clue = Clue(cell, variant // self.sides, variant % self.sides)
        return replace(self, clues=(*self.clues, clue), once=False)

    def pairs(self, laying: Sequence[int]) -> Pairs:
        """A laying as [piece, turn] for each cell, pieces from 1; an empty cell is [0, 0]."""
        return [[v // self.sides + 1, v % self.sides] if v >= 0 else [0, 0] for v in laying]

    def names_of(self, joins: Iterable[tuple[tuple[int, int], tuple[int, int]]]) -> list[list[str]]:
        """The names of the two cells of each join, given by the cell and side of both ends."""
        return [[self.board.name(one), self.board.name(other)] for (one, _), (other, _) in joins]

    @property
    def unlaid(self) -> NDArray[np.int32]:
        """The laying with the pieces in their order, unturned."""
        return np.arange(len(self.pieces), dtype=np.int32) * np.int32(self.sides)

    @property
    def facts(self) -> dict[str, Any]:
        """The numbers that describe the puzzle, for JSON."""
        return {
            "size": self.board.size,
            "shape": self.board.shape,
            "pieces": len(self.pieces),
            "colours": self.inner_colours,
            "border": self.border,
            "turning": self.turning,
            "clues": len(self.clues),
        }

    def __repr__(self) -> str:
        kind = "" if self.border else ", no border"
        kind += "" if self.turning else ", no turning"
        kind += f", {several(len(self.clues), 'clue')}" if self.clues else ""
        kind += ", turns once" if self.once else ""
        pieces, colours = several(len(self.pieces), self.board.shape), several(self.inner_colours, "colour")
        return f"<edge-matching puzzle: {self.board.size}, {pieces}, {colours}{kind}>"

    def __str__(self) -> str:
        return to_text(self, self.unlaid, marks=False)

    def _repr_svg_(self) -> str | None:
        if not can_draw(self.board):
            return None
        return to_svg(scene(self, self.unlaid, "the pieces of an edge-matching puzzle", numbers=True, marks=False))

    solve = verbs.solve
    count = verbs.count
    optimise = verbs.optimise
    encode = verbs.encode
    show = verbs.show
    estimate = verbs.estimate
    trace = verbs.trace


def report_reading(puzzle: EdgePuzzle, run: Run) -> None:
    """Report how a puzzle was read."""
    for remark in puzzle.reading:
        run.report(Snapshot(remark=remark))


def as_puzzle(value: EdgePuzzle | str | Path | Iterable[Sequence[int]]) -> EdgePuzzle:
    """Convert a text, the path of a file, a viewer's address, or rows of colours to a puzzle."""
    from tablero.edges.formats import named

    match value:
        case EdgePuzzle():
            return value
        case str() | Path():
            return named(str(value))
    try:
        return EdgePuzzle(value)
    except TypeError:
        raise BadInput(
            f"a {type(value).__name__} is no edge-matching puzzle: expected one, a text, a path, or rows of colours"
        ) from None


def as_bytes(puzzle: EdgePuzzle) -> bytes:
    return edges.write(puzzle, "").encode()


def from_bytes(data: bytes) -> EdgePuzzle:
    return replace(edges.parse(data.decode(), "the job's puzzle"), origin=NOWHERE)


def score(data: bytes, best: int) -> tuple[int, int]:
    """The joins that match if `best` do not, and the number of joins, for the puzzle of a job."""
    most = from_bytes(data).maximum
    return most - best, most


def _matrix(rows: list[tuple[int, ...]]) -> NDArray[np.int32]:
    if not rows:
        raise BadInput("there are no pieces")
    for k, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise BadInput(f"piece {k} has {len(row)} sides, piece 1 has {len(rows[0])}: the matrix is ragged")
        for colour in row:
            if isinstance(colour, bool) or not isinstance(colour, (int, np.integer)) or not 0 <= colour < MOST_COLOURS:
                raise BadInput(f"piece {k} has the colour {colour!r}: expected 0 to {MOST_COLOURS - 1}")
    if len(rows[0]) not in (3, 4, 6):
        raise BadInput(f"pieces with {len(rows[0])} sides: expected 3, 4 or 6")
    return np.array(rows, np.int32)


def _least_turn(row: Sequence[int]) -> tuple[int, ...]:
    """The lexicographically first of the turns of a row."""
    return min(tuple(row[k:]) + tuple(row[:k]) for k in range(len(row)))


def _kind_name(kind: tuple[int, ...], sides: int) -> str:
    """A description of pieces with these border sides."""
    number = sum(kind)
    if sides == 4 and number <= 2 and kind != (0, 1, 0, 1):
        return ("no border side", "one border side", "two border sides, as for a corner")[number]
    return f"border sides as {''.join(map(str, kind))}"
