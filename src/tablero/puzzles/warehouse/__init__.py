"""Warehouses: blocks of tiles between corridors."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.warehouse.formats import parse, parse_floor, read, read_floor
    from tablero.puzzles.warehouse.generate import generate, layout_of, random, reversed_order, scattered, square
    from tablero.puzzles.warehouse.plan import Plan
    from tablero.puzzles.warehouse.puzzle import Layout, Warehouse
    from tablero.puzzles.warehouse.solve import solve

__all__ = [
    "Layout",
    "Plan",
    "Warehouse",
    "generate",
    "layout_of",
    "parse",
    "parse_floor",
    "random",
    "read",
    "read_floor",
    "reversed_order",
    "scattered",
    "solve",
    "square",
]

offer(
    __name__,
    formats=["parse", "parse_floor", "read", "read_floor"],
    generate=["generate", "layout_of", "random", "reversed_order", "scattered", "square"],
    plan=["Plan"],
    puzzle=["Layout", "Warehouse"],
    solve=["solve"],
)
