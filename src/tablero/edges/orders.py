"""Orders in which the cells of a board are filled.

rows, columns   one line after another
diagonal        by the sum of row and column
ring            the outermost ring, then row by row
spiral          ring by ring from outside
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2

import numpy as np

from tablero.edges.board import Board
from tablero.errors import BadInput
from tablero.words import unknown

ORDERS = ("rows", "columns", "ring", "spiral", "diagonal")


def names() -> list[str]:
    """What a shell may complete."""
    return ["auto", *ORDERS]


def order_of(board: Board, name: str) -> tuple[int, ...]:
    """An order by its name, or as cells one after another: r1c1,r1c2,…"""
    if name in ("", "rows"):
        return tuple(range(board.cells))
    if name == "columns":
        return tuple(sorted(range(board.cells), key=lambda cell: board.places[cell][::-1]))
    if name == "diagonal":
        return tuple(sorted(range(board.cells), key=lambda cell: (sum(board.places[cell]), board.places[cell])))
    if name in ("ring", "spiral"):
        return _spiral(board, whole=name == "spiral")
    if name not in ORDERS and "," not in name:
        raise BadInput(unknown("the order", name, ORDERS, "or all cells as r1c1,r1c2,…"))
    cells = [board.cell(word.strip()) for word in name.split(",")]
    if sorted(cells) != list(range(board.cells)):
        raise BadInput(f"the order of {len(cells)} cells: expected each of the {board.cells} cells once")
    return tuple(cells)


def ring_of(board: Board, cells: Sequence[int]) -> list[int]:
    """Cells in the order of their angle round the board's centre, from the upper left on, clockwise."""
    middle = {cell: np.mean(board.outline(cell), axis=0) for cell in range(board.cells)}
    centre = np.mean(list(middle.values()), axis=0)

    def angle(cell: int) -> float:
        x, y = middle[cell] - centre
        return round(atan2(y, x), 9)

    ring = sorted(cells, key=angle)
    first = ring.index(min(ring))
    return ring[first:] + ring[:first]


def _spiral(board: Board, *, whole: bool) -> tuple[int, ...]:
    """Ring by ring from outside; or the outermost ring and then row by row."""
    left = set(range(board.cells))
    order: list[int] = []
    while left:
        across = board.neighbours // board.sides
        rim = [
            c for c in left if any(n < 0 or a not in left for n, a in zip(board.neighbours[c], across[c], strict=True))
        ]
        order += ring_of(board, rim) if whole or not order else sorted(left)
        left -= set(order)
    return tuple(order)
