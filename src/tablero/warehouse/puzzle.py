"""A warehouse: blocks of tiles between corridors, and the required order of the tiles.

layout    blocks of side s, down and across, with a corridor one cell wide around each; the thesis's layout for a perfect
          square n has (√n − 1)² blocks of side √n, and n×n cells
slot      a cell of a block, numbered row by row over the whole floor from 0.  Slot k must hold tile k + 1, unless a goal
          gives the number for each slot; then numbers may repeat.  With fewer tiles than slots the last slots must be
          empty, or those with a 0 in the goal
wall      a cell that no tile can enter
region    a part of the floor that walls separate from the others
level     of a slot: its distance from the nearest corridor
move      a tile goes to an empty neighbour cell
scattered with tiles anywhere on the floor: the blocks must be formed first
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from tablero.draw.svg import to_svg
from tablero.draw.tiles import picture
from tablero.errors import BadInput
from tablero.text import several
from tablero.verbs.parameters import shown
from tablero.warehouse import verbs

MOST_CELLS = 1_000_000
LEAST_SIDE = 2


@dataclass(frozen=True)
class Layout:
    """The blocks, corridors and walls of a floor.

    Parameters
    ----------
    side
        The side of a block in cells.
    down, across
        The number of blocks.
    walls
        The cells of walls, counted row by row from 0, in order.

    Raises
    ------
    BadInput
        A number is out of range, or a wall is not on the floor.
    """

    side: int
    down: int
    across: int
    walls: tuple[int, ...] = ()  # cells, in order

    def __post_init__(self) -> None:
        if self.side < LEAST_SIDE:
            raise BadInput(f"blocks of {self.side}×{self.side}: expected a side of at least {LEAST_SIDE}")
        if self.down < 1 or self.across < 1:
            raise BadInput(f"{self.down}×{self.across} blocks: expected at least one each way")
        if self.rows * self.columns > MOST_CELLS:
            raise BadInput(f"a floor of {self.rows}×{self.columns}: expected at most {MOST_CELLS:,} cells")
        if self.walls and not (min(self.walls) >= 0 and max(self.walls) < self.rows * self.columns):
            raise BadInput(f"a wall that is not on the floor of {self.rows}×{self.columns}")

    @property
    def rows(self) -> int:
        return self.down * (self.side + 1) + 1

    @property
    def columns(self) -> int:
        return self.across * (self.side + 1) + 1

    def is_corridor(self, cell: int) -> bool:
        row, column = divmod(cell, self.columns)
        return row % (self.side + 1) == 0 or column % (self.side + 1) == 0

    @cached_property
    def corridors(self) -> tuple[int, ...]:
        return self._cells(corridor=True)

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """The cells of the blocks."""
        return self._cells(corridor=False)

    def _cells(self, *, corridor: bool) -> tuple[int, ...]:
        walls = set(self.walls)
        return tuple(k for k in range(self.rows * self.columns) if self.is_corridor(k) == corridor and k not in walls)

    @cached_property
    def neighbours(self) -> list[tuple[int, ...]]:
        """For each cell, its neighbours on the floor that are no walls."""
        rows, columns, walls = self.rows, self.columns, set(self.walls)
        found: list[tuple[int, ...]] = []
        for cell in range(rows * columns):
            row, column = divmod(cell, columns)
            beside = (
                (row > 0, cell - columns), (row + 1 < rows, cell + columns), (column + 1 < columns, cell + 1),
                (column > 0, cell - 1),
            )  # fmt: skip
            found.append(() if cell in walls else tuple(b for on, b in beside if on and b not in walls))
        return found

    @cached_property
    def regions(self) -> list[int]:
        """The number of each cell's region; −1 for walls."""
        size, walls = self.rows * self.columns, set(self.walls)
        if not walls:
            return [0] * size
        found, count = [-1] * size, 0
        for first in range(size):
            if found[first] < 0 and first not in walls:
                found[first] = count
                queue = [first]
                for cell in queue:
                    for other in self.neighbours[cell]:
                        if found[other] < 0:
                            found[other] = count
                            queue.append(other)
                count += 1
        return found

    @property
    def bound(self) -> int:
        """The proven bound: 2n³ − 6n² + 4n√n for the thesis's layouts, the same mean for each tile for others."""
        n, s = self.rows, self.side
        if self.rows == self.columns == s * s:
            return 2 * n**3 - 6 * n**2 + 4 * n * s
        longer = max(self.rows, self.columns)
        return len(self.slots) * (2 * longer + 4 * s)

    @property
    def forming_bound(self) -> int:
        """The thesis's bound (section 4.5) for forming the blocks of a scattered start: 2n^¾ moves for each tile."""
        return int(2 * ((self.rows + self.columns) / 2) ** 0.75 * len(self.slots))

    @property
    def estimate(self) -> int:
        """The corrected estimate: each tile travels at most n − 1 cells in the mean, plus 2√n + 4 for the exchange.

        For the thesis's layouts that is n³ − 4n√n + 3n.
        """
        travel = (self.rows + self.columns) // 2 - 1
        return len(self.slots) * (travel + 2 * self.side + 4)


@dataclass(frozen=True, repr=False)
class Warehouse:
    """A floor with tiles, to be put in order.

    Parameters
    ----------
    layout
        The blocks, corridors and walls.
    cells
        The tile on each cell, row by row, or 0.
    goal
        The tile that each slot must hold, 0 for none; without it, the tiles from 1 in order.

    Raises
    ------
    BadInput
        The tiles do not fit the layout or the goal.

    Examples
    --------
    >>> from tablero import warehouse
    >>> warehouse.generate(9, seed=1).solve().status
    'solved'
    """

    layout: Layout
    cells: tuple[int, ...]
    goal: tuple[int, ...] = ()  # empty: the tiles from 1 in order

    def __post_init__(self) -> None:
        layout = self.layout
        if len(self.cells) != layout.rows * layout.columns:
            raise BadInput(f"a floor of {several(len(self.cells), 'cell')}: expected {layout.rows}×{layout.columns}")
        if any(self.cells[wall] for wall in layout.walls):
            raise BadInput("a tile is on a wall")
        tiles = sorted(tile for tile in self.cells if tile)
        if not tiles:
            raise BadInput("a floor without tiles: expected at least one")
        if len(tiles) > len(layout.slots):
            raise BadInput(
                f"{several(len(tiles), 'tile')} for {several(len(layout.slots), 'slot')}: expected a slot for every tile"
            )
        if not self.goal and tiles != list(range(1, len(tiles) + 1)):
            raise BadInput(f"the tiles are not those from 1 to {len(tiles)}, each once")
        if self.goal and len(self.goal) != len(layout.slots):
            raise BadInput(
                f"a goal of {several(len(self.goal), 'tile')}: expected {len(layout.slots)}, one for every slot"
            )
        if self.goal and tiles != sorted(tile for tile in self.goal if tile):
            raise BadInput("the goal has other tiles than the floor")

    @property
    def wanted(self) -> tuple[int, ...]:
        """The tile that each slot must hold; 0 for none."""
        tiles = self.tiles
        return self.goal or (*range(1, tiles + 1), *[0] * (len(self.layout.slots) - tiles))

    @property
    def tiles(self) -> int:
        """The number of tiles."""
        return sum(tile > 0 for tile in self.cells)

    @property
    def walls(self) -> tuple[int, ...]:
        """The cells of walls."""
        return self.layout.walls

    @property
    def goal_cells(self) -> list[int]:
        """The tile that each cell of the floor must hold; 0 for none."""
        found = [0] * len(self.cells)
        for slot, tile in zip(self.layout.slots, self.wanted, strict=True):
            found[slot] = tile
        return found

    @property
    def misplaced(self) -> bool:
        """Whether a region has other tiles than it must hold, which proves that there is no plan."""
        now, then = (
            Counter((region, tile) for region, tile in zip(self.layout.regions, cells, strict=True) if tile)
            for cells in (self.cells, self.goal_cells)
        )
        return bool(self.walls) and now != then

    @property
    def bound(self) -> int:
        """The proven bound, including the bound for forming the blocks of a scattered start."""
        return self.layout.bound + (0 if self.formed else self.layout.forming_bound)

    @property
    def formed(self) -> bool:
        """Whether every tile is in a block."""
        return not any(self.cells[cell] for cell in self.layout.corridors)

    def __repr__(self) -> str:
        layout, blocks = self.layout, "" if self.formed else ", scattered"
        return f"<warehouse of {layout.rows}×{layout.columns}: {several(self.tiles, 'tile')}{blocks}>"

    def __str__(self) -> str:
        return picture(self.cells, self.layout.columns, self.walls)

    def _repr_svg_(self) -> str | None:
        from tablero.warehouse.draw import can_draw, scene

        return to_svg(scene(self)) if can_draw(self.layout) else None

    solve = verbs.solve


WarehouseLike = Warehouse | int | str | Path


def as_puzzle(value: WarehouseLike) -> Warehouse:
    """A warehouse from itself, a size (at random), the text of a floor or its file."""
    from tablero.warehouse.formats import named, parse, read

    match value:
        case Warehouse():
            return value
        case Path():
            return read(value)
        case str() if "\n" in value.strip():
            return parse(value)
        case str():
            return named(value)
        case int() if not isinstance(value, bool):
            return named(str(value))
    raise BadInput(f"{shown(value)}: expected a warehouse, a perfect square as 9, the text of a floor, or its file")


def as_bytes(puzzle: Warehouse) -> bytes:
    return msgspec.json.encode(puzzle)


def from_bytes(data: bytes) -> Warehouse:
    return msgspec.json.decode(data, type=Warehouse)


def of_order(layout: Layout, order: Sequence[int], goal: Sequence[int] = ()) -> Warehouse:
    """A warehouse with these tiles in its slots; numbers may repeat if there is a goal."""
    count = len(layout.slots)
    if len(order) != count:
        raise BadInput(f"an order of {several(len(order), 'tile')}: expected {count}")
    seen: set[int] = set()
    for place, tile in enumerate([] if goal else order, 1):
        if not 1 <= tile <= count:
            raise BadInput(f"place {place} of the order: tile {tile}: expected 1 to {count}")
        if tile in seen:
            raise BadInput(f"place {place} of the order: tile {tile} again")
        seen.add(tile)
    cells = [0] * (layout.rows * layout.columns)
    for cell, tile in zip(layout.slots, order, strict=True):
        cells[cell] = tile
    return Warehouse(layout, tuple(cells), tuple(goal))
