"""Exact covers: choose options so that every item is covered exactly once."""

from tablero.puzzles.cover.formats import parse, read, write
from tablero.puzzles.cover.puzzle import ExactCover
from tablero.puzzles.cover.solve import Covers, cheapest, count, solve

__all__ = ["Covers", "ExactCover", "cheapest", "count", "parse", "read", "solve", "write"]
