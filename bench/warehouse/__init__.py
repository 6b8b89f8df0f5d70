"""The benchmark group of the warehouse."""

from bench.warehouse.group import PACKAGES, PARTS, run

__all__ = ["PACKAGES", "PARTS", "run"]
