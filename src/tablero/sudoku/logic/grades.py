"""How the length of a chain or a net raises its rating.

Sudoku Explainer adds 0.1 beyond each of 4, 6, 8, 12, 16, 24, … nodes.  The finer rating grades between these, too: rounded
up to a tenth it is the rating.
"""

from __future__ import annotations

from collections.abc import Iterator

_FIRST = 4


def _bounds() -> Iterator[int]:
    """4, 6, 8, 12, 16, 24, …: times 3/2 and times 4/3 in turns."""
    most = _FIRST
    while True:
        yield most
        yield most * 3 // 2
        most *= 2


def longer(base: float, length: int) -> float:
    """A rating with what Sudoku Explainer adds for length."""
    for most in _bounds():
        if length <= most:
            break
        base += 0.1
    return round(base, 1)


def finer(rating: float, length: int) -> float:
    """The same in hundredths: a length halfway between two bounds counts for half of a tenth, rounded up."""
    if length <= _FIRST:
        return rating
    least = _FIRST
    for most in _bounds():
        if length <= most:
            break
        least = most
    missing = 10 * (most - length) // (most - least)
    return round(rating - missing / 100, 2)
