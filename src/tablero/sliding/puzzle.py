"""Sliding tiles: boards, goals, and which boards can be solved.

board     tiles 1 to n·m − 1 on rows × columns, and one cell without a tile, the blank, written 0
goal      how the tiles shall lie: in order with the blank last (the usual one), with the blank first, or any other
move      of the blank: N, S, E or W; the tile on that side slides the other way
parity    of a permutation: whether it is made of an even or an odd number of exchanges

A move exchanges the blank with a neighbour.  So the parity of the permutation (the blank counted as a tile) and the parity
of the blank's distance to its goal cell change together: a board can be solved if and only if they are equal.
(On a board with both sides of 2 or more; a single line of tiles is no puzzle.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tablero.errors import BadInput
from tablero.sliding import verbs

MOST_SIDE = 1000
GOALS = ("blank-last", "blank-first")
_MOST_TOLD = 25  # cells of a board whose short form shows all tiles


@dataclass(frozen=True, repr=False)
class Board:
    """A board and its goal, both row by row; 0 is the blank."""

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
        place = [0] * len(self.goal)
        for cell, tile in enumerate(self.goal):
            place[tile] = cell
        following = [place[tile] for tile in self.tiles]
        seen, cycles = bytearray(len(following)), 0
        for cell in range(len(following)):
            if not seen[cell]:
                cycles += 1
                while not seen[cell]:
                    seen[cell] = 1
                    cell = following[cell]
        return (len(following) - cycles) % 2 == 1

    @property
    def blank_distance(self) -> int:
        """How many moves the blank is from its goal cell."""
        home = self.goal.index(0)
        columns = self.columns
        return abs(self.blank // columns - home // columns) + abs(self.blank % columns - home % columns)

    @property
    def solvable(self) -> bool:
        return self.permutation_is_odd == (self.blank_distance % 2 == 1)

    @property
    def reason(self) -> str:
        """Why the board can or cannot be solved."""
        parity = "odd" if self.permutation_is_odd else "even"
        far = "odd" if self.blank_distance % 2 else "even"
        steps = f"{self.blank_distance} move{'' if self.blank_distance == 1 else 's'}"
        return f"the permutation is {parity} and the blank is {steps} from its goal cell, which is {far}: " + (
            "equal parities" if self.solvable else "no moves can bring these together"
        )

    def require_solvable(self) -> None:
        if not self.solvable:
            raise BadInput(f"this board cannot be solved: {self.reason}")

    solve = verbs.solve
    check = verbs.check

    def __repr__(self) -> str:
        from tablero.sliding.formats import write

        tiles = f": {write(self)}" if len(self.tiles) <= _MOST_TOLD else ""
        return f"<board of {self.rows}×{self.columns}{tiles}>"

    def __str__(self) -> str:
        from tablero.sliding.formats import picture

        return picture(self)

    def _repr_svg_(self) -> str | None:
        from tablero.draw.svg import to_svg
        from tablero.sliding.draw import can_draw, scene

        return to_svg(scene(self)) if can_draw(self) else None


@dataclass(frozen=True)
class Boards:
    """Several boards: those of a file, or some at random."""

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
        """Refuse what has a meaning for one board alone."""
        raise BadInput(f"{what} goes with one board: there are {len(self):,}")

    def to_dict(self) -> dict[str, Any]:
        return {"status": self.status, "boards": list(self.lines())}

    def lines(self) -> Iterator[str]:
        from tablero.sliding.formats import write

        return map(write, self.boards)

    def remarks(self) -> tuple[str, ...]:
        return ()

    def to_svg(self) -> str:
        """The first board."""
        from tablero.draw.svg import to_svg
        from tablero.sliding.draw import scene

        return to_svg(scene(self.boards[0]))


BoardLike = Board | Boards | str | Path | Sequence[Sequence[int]]


def as_puzzle(value: BoardLike) -> Board | Boards:
    """The board itself, that of a text, of a file or of rows of tiles; or several boards."""
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
    """A board and its goal as a job keeps them."""
    from tablero.sliding.formats import write

    return f"{write(board)}\n{write(replace(board, tiles=board.goal))}\n".encode()


def from_bytes(data: bytes) -> Board:
    """What `as_bytes` gave."""
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
    seen = bytearray(count)
    if min(tiles) == 0 and max(tiles) == count - 1 and len(set(tiles)) == count:
        return
    for cell, tile in enumerate(tiles):
        where = f"{what}, row {cell // columns + 1}, column {cell % columns + 1}"
        if not 0 <= tile < count:
            raise BadInput(f"{where}: tile {tile}: expected 1 to {count - 1}, or 0 for the blank")
        if seen[tile]:
            raise BadInput(f"{where}: {'a second blank (0)' if tile == 0 else f'tile {tile} again'}")
        seen[tile] = 1


def named_goal(name: str, rows: int, columns: int) -> tuple[int, ...]:
    """The tiles in order, with the blank last or first."""
    count = rows * columns
    if name == "blank-last":
        return (*range(1, count), 0)
    if name == "blank-first":
        return tuple(range(count))
    raise BadInput(f"the goal {name!r}: expected {' or '.join(GOALS)}, or a board")
