"""The benchmark group of the queens."""

from bench.queens.group import PACKAGES, PARTS, run

__all__ = ["PACKAGES", "PARTS", "run"]
