"""The benchmark group of decompositions of graphs."""

from bench.decomposition.group import PACKAGES, PARTS, run

__all__ = ["PACKAGES", "PARTS", "run"]
