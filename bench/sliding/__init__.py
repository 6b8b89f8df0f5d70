"""The benchmark group of sliding tiles and warehouses."""

from bench.sliding.group import PACKAGES, PARTS, run

__all__ = ["PACKAGES", "PARTS", "run"]
