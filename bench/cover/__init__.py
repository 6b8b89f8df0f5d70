"""The benchmark group of exact covers."""

from bench.cover.group import PACKAGES, PARTS, run

__all__ = ["PACKAGES", "PARTS", "run"]
