"""Generates warehouses from a size, an arrangement and a seed."""

from __future__ import annotations

import re
from math import isqrt
from random import Random

from tablero.errors import BadInput
from tablero.warehouse.puzzle import LEAST_SIDE, Layout, Warehouse, of_order
from tablero.warehouse.verbs import Arrangement


def generate(size: str | int, order: Arrangement = "random", *, side: int = 0, seed: int = 0) -> Warehouse:
    """Generate a warehouse of a size: see `layout_of` and `arranged`."""
    return arranged(layout_of(size, side), order, seed=seed)


def arranged(layout: Layout, order: Arrangement = "random", *, seed: int = 0) -> Warehouse:
    """A warehouse with its tiles in random or reversed order, scattered over the floor, or all in the last corner."""
    size, tiles = layout.rows * layout.columns, list(range(1, len(layout.slots) + 1))
    if order == "reversed":
        return of_order(layout, tiles[::-1])
    if order == "scattered":
        tiles += [0] * len(layout.corridors)
    Random(seed).shuffle(tiles)
    match order:
        case "scattered":
            return Warehouse(layout, tuple(tiles))
        case "corner":  # the first corner is empty
            from_corner = sorted(range(size), key=lambda k: sum(divmod(k, layout.columns)))
            standing = dict(zip(from_corner[-len(tiles) :], tiles, strict=True))
            return Warehouse(layout, tuple(standing.get(cell, 0) for cell in range(size)))
    return of_order(layout, tiles)


def layout_of(size: str | int, side: int = 0) -> Layout:
    """Make the layout of a size.

    Parameters
    ----------
    size
        A perfect square n, or the blocks down and across as "2x5".
    side
        The side of a block, with blocks down and across.

    Raises
    ------
    BadInput
        The size is not possible, or a side is missing or superfluous.

    Examples
    --------
    >>> from tablero import warehouse
    >>> warehouse.layout_of("2x5", side=3).rows
    9
    """
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
    """Make the thesis's layout for a perfect square n: (√n − 1)² blocks of side √n.

    Raises
    ------
    BadInput
        n is no perfect square, or less than 4.
    """
    s = isqrt(max(n, 0))
    if n < 1 or s * s != n:
        raise BadInput(f"a warehouse of n = {n}: expected a perfect square as 9, 16 or 25")
    if s < LEAST_SIDE:
        raise BadInput(f"a warehouse of n = {n}: expected at least {LEAST_SIDE**2}")
    return Layout(s, s - 1, s - 1)
