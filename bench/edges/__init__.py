"""The benchmark group of edge matching."""

from bench.edges.group import PACKAGES, PARTS, run

__all__ = ["PACKAGES", "PARTS", "run"]
