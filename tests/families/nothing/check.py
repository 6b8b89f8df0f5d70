"""Is it an answer?  Written from the definition; it shares nothing with the kernel."""

from __future__ import annotations

from tablero.nothing.puzzle import Nothing


def fault(puzzle: Nothing, answer: int) -> str:
    """What is wrong with an answer: no step leads anywhere."""
    return f"step {answer} of {puzzle.steps} leads nowhere"
