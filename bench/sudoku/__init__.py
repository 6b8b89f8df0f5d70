"""The benchmark group of Sudoku."""

from bench.sudoku.group import PACKAGES, PARTS, run

__all__ = ["PACKAGES", "PARTS", "run"]
