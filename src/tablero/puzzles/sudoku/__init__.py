"""Sudoku: read, solve, count, explain, rate and make puzzles of 4×4 to 25×25, with diagonals, regions or cages."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
