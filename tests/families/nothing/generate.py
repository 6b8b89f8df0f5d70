"""Puzzles by seed: the same seed, the same puzzle."""

from __future__ import annotations

import random

from tablero.nothing.puzzle import Nothing


def generate(most: int = 100, *, seed: int = 0) -> Nothing:
    """A puzzle of at most so many steps."""
    return Nothing(random.Random(seed).randint(1, most))
