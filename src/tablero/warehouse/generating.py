"""Warehouses by their size and an order, the random ones by seed."""

from __future__ import annotations

import random as random_numbers
import re
from math import isqrt

from tablero.errors import BadInput
from tablero.warehouse.puzzle import LEAST_SIDE, Layout, Warehouse, of_order
from tablero.warehouse.verbs import Arrangement


def generate(size: str | int, order: Arrangement = "random", *, side: int = 0, seed: int = 0) -> Warehouse:
    """A warehouse of a size (see `layout_of`) with its tiles in a random or the reversed order, scattered, or all in the
    corner at the end of the floor."""
    layout = layout_of(size, side)
    match order:
        case "reversed":
            return reversed_order(layout)
        case "corner":
            return corner(layout, seed=seed)
        case "scattered":
            return scattered(layout, seed=seed)
    return random(layout, seed=seed)


def layout_of(size: str | int, side: int = 0) -> Layout:
    """The layout of a perfect square n, or of blocks down and across as 2x5 with the side of a block."""
    text = str(size)
    if found := re.fullmatch(r"([0-9]{1,4})[x×]([0-9]{1,4})", text):
        if not side:
            raise BadInput(f"the size {text}: expected a side, that of a block, with it")
        return Layout(side, int(found[1]), int(found[2]))
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise BadInput(f"the size {text!r}: expected a perfect square as 9, or blocks down and across as 2x5")
    if side:
        raise BadInput(f"a side goes with blocks down and across as 2x5, not with n = {text}")
    return square(int(text))


def square(n: int) -> Layout:
    """The thesis's layout for a perfect square n."""
    s = isqrt(max(n, 0))
    if n < 1 or s * s != n:
        raise BadInput(f"a warehouse of n = {n}: expected a perfect square as 9, 16 or 25")
    if s < LEAST_SIDE:
        raise BadInput(f"a warehouse of n = {n}: expected at least {LEAST_SIDE**2}")
    return Layout(s, s - 1, s - 1)


def random(layout: Layout, *, seed: int) -> Warehouse:
    """Tiles in the blocks in a random order."""
    order = list(range(1, len(layout.slots) + 1))
    random_numbers.Random(seed).shuffle(order)
    return of_order(layout, order)


def reversed_order(layout: Layout) -> Warehouse:
    """Tiles in the blocks, the last first."""
    return of_order(layout, range(len(layout.slots), 0, -1))


def scattered(layout: Layout, *, seed: int) -> Warehouse:
    """Tiles anywhere on the floor."""
    cells = [*range(1, len(layout.slots) + 1), *[0] * len(layout.corridors)]
    random_numbers.Random(seed).shuffle(cells)
    return Warehouse(layout, tuple(cells))


def corner(layout: Layout, *, seed: int) -> Warehouse:
    """Tiles in a random order, packed into the corner at the end of the floor; all that is empty is in the other one."""
    tiles = list(range(1, len(layout.slots) + 1))
    random_numbers.Random(seed).shuffle(tiles)
    floor = set(range(layout.rows * layout.columns)) - set(layout.walls)
    from_corner = sorted(floor, key=lambda k: sum(divmod(k, layout.columns)))
    cells = [0] * (layout.rows * layout.columns)
    for tile, cell in zip(tiles, from_corner[len(floor) - len(tiles) :], strict=True):
        cells[cell] = tile
    return Warehouse(layout, tuple(cells))
