"""The warehouse: tiles in square blocks between corridors, brought into any order by legal moves."""

from tablero.puzzles.warehouse.puzzle import Layout, Warehouse, random, reversed_order, scattered, square
from tablero.puzzles.warehouse.solve import Plan, solve

__all__ = ["Layout", "Plan", "Warehouse", "random", "reversed_order", "scattered", "solve", "square"]
