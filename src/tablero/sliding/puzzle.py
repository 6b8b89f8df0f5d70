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

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tablero.errors import BadInput
from tablero.runs.run import HERE, Run

if TYPE_CHECKING:
    from tablero.sliding.solution import Solution

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

    # The questions that can be asked; `run` says how a search is run: see `tablero.runs.run`.

    def solve(self, method: str = "auto", *, estimate: str = "auto", run: Run = HERE) -> Solution:
        """Moves that lead to the goal; see `tablero.sliding.solving`."""
        from tablero.sliding.solving import solve

        return solve(self, method, estimate=estimate, run=run)

    def first(self, method: str = "auto", *, estimate: str = "auto", run: Run = HERE) -> str | None:
        """The moves as a word of N, S, E and W, or None when the board cannot be solved."""
        return self.solve(method, estimate=estimate, run=run).first

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
