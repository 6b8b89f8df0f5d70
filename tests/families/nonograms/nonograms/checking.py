"""Is it a solution?  Written from the definition; it shares nothing with the kernel."""

from __future__ import annotations

from nonograms.puzzle import Nonogram, puzzle_of


def fault(puzzle: Nonogram, picture: str) -> str | None:
    """What is wrong with a picture, or None for a solution."""
    own = puzzle_of(picture)
    return None if own == puzzle else f"its runs are {own}: expected {puzzle}"
