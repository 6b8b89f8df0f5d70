"""Sliding tiles: boards, goals, and which boards can be solved.

board     tiles 1 to n·m − 1 on rows × columns, and one cell without a tile, the blank, written 0
goal      the order to reach: tiles in order with the blank last (the usual goal), with the blank first, or any other
move      of the blank: N, S, E or W; the tile on that side slides the other way
parity    of a permutation: whether it consists of an even or an odd number of exchanges

A move exchanges the blank with a neighbour.  Therefore the parity of the permutation (the blank counted as a tile) and the
parity of the blank's distance to its goal cell change together: a board can be solved if and only if they are equal.  This
holds for boards with both sides of at least 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from tablero.draw.svg import to_svg
from tablero.draw.tiles import MOST_CELLS, picture
from tablero.errors import BadInput
from tablero.sliding import verbs
from tablero.text import several

MOST_SIDE = 1000
GOALS = get_args(verbs.NamedGoal)
_MOST_SHOWN = 25  # cells of the largest board whose `repr` shows all tiles


@dataclass(frozen=True, repr=False)
class Board:
    """A board of sliding tiles and its goal.

    Parameters
    ----------
    rows, columns
        The sides, from 2 to 1000.
    tiles
        The tiles row by row; 0 is the blank.
    goal
        The tiles to reach, row by row; without it, in order with the blank last.

    Raises
    ------
    BadInput
        The tiles are not those from 1 and one blank, each once.

    Examples
    --------
    >>> from tablero.sliding import Board
    >>> Board(2, 3, (1, 2, 3, 4, 0, 5)).solve().moves
    'E'
    """

    rows: int
    columns: int
    tiles: tuple[int, ...]
    goal: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        check_sides(self.rows, self.columns)
        _check_tiles(self.tiles, self.rows, self.columns, "the board")
        if not self.goal:
            object.__setattr__(self, "goal", named_goal("blank-last", self.rows, self.columns))
        _check_tiles(self.goal, self.rows, self.columns, "the goal")

    @cached_property
    def blank(self) -> int:
        """The blank's cell, counted row by row from 0."""
        return self.tiles.index(0)

    @cached_property
    def permutation_is_odd(self) -> bool:
        """The parity of the permutation that takes the board to its goal, the blank counted as a tile."""
        place = {tile: cell for cell, tile in enumerate(self.goal)}
        following = [place[tile] for tile in self.tiles]
        odd = False
        for cell in range(len(following)):
            while (there := following[cell]) != cell:  # an exchange brings one tile to its place
                following[cell], following[there] = following[there], there
                odd = not odd
        return odd

    @property
    def blank_distance(self) -> int:
        """The distance of the blank from its goal cell in moves."""
        (row, column), (a, b) = divmod(self.blank, self.columns), divmod(self.goal.index(0), self.columns)
        return abs(row - a) + abs(column - b)

    @property
    def solvable(self) -> bool:
        return self.permutation_is_odd == (self.blank_distance % 2 == 1)

    @property
    def reason(self) -> str:
        """Why the board can or cannot be solved."""
        parity, far = ("odd" if odd else "even" for odd in (self.permutation_is_odd, self.blank_distance % 2))
        return (
            f"the permutation is {parity} and the blank is {several(self.blank_distance, 'move')} from its goal cell, "
            f"which is {far}: {'equal parities' if self.solvable else 'no moves can bring these together'}"
        )

    def require_solvable(self) -> None:
        if not self.solvable:
            raise BadInput(f"this board cannot be solved: {self.reason}")

    solve = verbs.solve
    check = verbs.check

    @property
    def text(self) -> str:
        """The board in one line."""
        return _in_one_line(self.tiles, self.columns)

    def to_svg(self) -> str:
        """The board as a drawing."""
        from tablero.sliding.draw import scene

        return to_svg(scene(self))

    def __repr__(self) -> str:
        tiles = f": {self.text}" if len(self.tiles) <= _MOST_SHOWN else ""
        return f"<board of {self.rows}×{self.columns}{tiles}>"

    def __str__(self) -> str:
        return picture(self.tiles, self.columns)

    def _repr_svg_(self) -> str | None:
        return self.to_svg() if len(self.tiles) <= MOST_CELLS else None


@dataclass(frozen=True)
class Boards:
    """Several boards, from a file or generated."""

    boards: tuple[Board, ...]
    status = "solved"

    solve = verbs.solve
    check = verbs.check

    def __iter__(self) -> Iterator[Board]:
        return iter(self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def __getitem__(self, number: int) -> Board:
        return self.boards[number]

    def require_one(self, what: str) -> None:
        """Reject an option that applies to one board only."""
        raise BadInput(f"{what} goes with one board: there are {len(self):,}")

    def to_dict(self) -> dict[str, Any]:
        return {"status": self.status, "boards": list(self.lines())}

    def lines(self) -> Iterator[str]:
        return (board.text for board in self.boards)

    def remarks(self) -> tuple[str, ...]:
        return ()

    def to_svg(self) -> str:
        """The first board as a drawing."""
        return self.boards[0].to_svg()


BoardLike = Board | Boards | str | Path | Sequence[Sequence[int]]


def as_puzzle(value: BoardLike) -> Board | Boards:
    """One or more boards from a board, a text, a file or rows of tiles."""
    from tablero.sliding.formats import named, read_all, several_of

    match value:
        case Board() | Boards():
            return value
        case Path():
            return several_of(read_all(value))
        case str():
            return named(value)
    try:
        rows = [[int(tile) for tile in row] for row in value]
    except (TypeError, ValueError):
        raise BadInput(f"{type(value).__name__}: expected a board, its text, a file or rows of tiles") from None
    width = len(rows[0]) if rows else 0
    if any(len(row) != width for row in rows):
        raise BadInput(f"rows of {', '.join(str(len(row)) for row in rows)} tiles: expected rows of one length")
    return Board(len(rows), width, tuple(tile for row in rows for tile in row))


def as_bytes(board: Board) -> bytes:
    """A board and its goal as a job stores them."""
    return f"{board.text}\n{_in_one_line(board.goal, board.columns)}\n".encode()


def from_bytes(data: bytes) -> Board:
    """The board that `as_bytes` encoded."""
    from tablero.sliding.formats import parse

    tiles, goal = data.decode().splitlines()
    return parse(tiles, "the job's board", goal)


def check_sides(rows: int, columns: int) -> None:
    if not (2 <= rows <= MOST_SIDE and 2 <= columns <= MOST_SIDE):
        raise BadInput(f"a board of {rows}×{columns}: expected sides from 2 to {MOST_SIDE}")


def _check_tiles(tiles: Sequence[int], rows: int, columns: int, what: str) -> None:
    count = rows * columns
    if len(tiles) != count:
        raise BadInput(f"{what} has {len(tiles)} tiles, the blank counted: expected {count} for {rows}×{columns}")
    if set(tiles) == set(range(count)):
        return
    seen: set[int] = set()
    for cell, tile in enumerate(tiles):
        where = f"{what}, row {cell // columns + 1}, column {cell % columns + 1}"
        if not 0 <= tile < count:
            raise BadInput(f"{where}: tile {tile}: expected 1 to {count - 1}, or 0 for the blank")
        if tile in seen:
            raise BadInput(f"{where}: {'a second blank (0)' if tile == 0 else f'tile {tile} again'}")
        seen.add(tile)


def _in_one_line(tiles: Sequence[int], columns: int) -> str:
    return "/".join(" ".join(map(str, tiles[first : first + columns])) for first in range(0, len(tiles), columns))


def named_goal(name: str, rows: int, columns: int) -> tuple[int, ...]:
    """The tiles in order, with the blank last or first."""
    count = rows * columns
    if name == "blank-last":
        return (*range(1, count), 0)
    if name == "blank-first":
        return tuple(range(count))
    raise BadInput(f"the goal {name!r}: expected {' or '.join(GOALS)}, or a board")
