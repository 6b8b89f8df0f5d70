"""The family's stop of the tour."""

from __future__ import annotations

from nonograms import EXAMPLES
from nonograms.puzzle import as_puzzle
from tablero.draw.pages import Stop


def stop() -> Stop:
    """The first example."""
    text = EXAMPLES["Heart"]["nonogram"]
    found = as_puzzle(text).solve(None)
    words = f"The runs of every row and column leave {found.solutions} picture."
    return Stop("Nonograms", f"tablero nonograms solve {text}", words, found.to_svg() or "", lambda colours: str(found))
