"""The warehouse: tiles in square blocks between corridors, brought into any order by legal moves."""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.warehouse.puzzle import Layout, Warehouse, random, reversed_order, scattered, square
    from tablero.puzzles.warehouse.solve import Plan, solve

__all__ = ["Layout", "Plan", "Warehouse", "random", "reversed_order", "scattered", "solve", "square"]

offer(
    __name__,
    puzzle=["Layout", "Warehouse", "random", "reversed_order", "scattered", "square"],
    solve=["Plan", "solve"],
)
