"""What a new puzzle should be like: the options of `generate`, checked by the verb.

symmetry    which cells are clues together: none, half-turn, quarter-turn, mirror, diagonal
minimal     no clue can be taken away (with a symmetry: no group of clues)
kind        plain, x (diagonals), jigsaw (random regions), killer (cages without clues)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tablero.errors import BadInput
from tablero.sudoku import verbs
from tablero.sudoku.rating import HARDEST, WORDS
from tablero.verbs import described
from tablero.verbs.parameters import spell
from tablero.words import unknown

_USUAL = {4: 0, 6: 12, 9: 28, 12: 62, 16: 104, 25: 300}  # clues, where nothing is said


@dataclass(frozen=True)
class Wish:
    """What a puzzle should be like."""

    side: int = 9
    kind: str = "plain"
    symmetry: str = "none"
    minimal: bool = False
    clues: int | None = None  # at least so many are left
    rating: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        about = described(verbs.generate)
        options = {name: value for name, value in vars(self).items() if name != "rating"}
        about.require_sense(None, {**about.checked(options), "rating": self.rating or ""})
        if self.clues is not None and self.clues > self.side**2:
            raise BadInput(f"{spell('clues')} {self.clues}: expected 0 to {self.side**2}")

    @property
    def least(self) -> int:
        """Clues at which to stop."""
        return 0 if self.minimal else _USUAL[self.side] if self.clues is None else self.clues


def wanted_rating(text: str) -> tuple[float, float]:
    """A rating as a word, a number or a range: hard, 3.8, 3.0-4.2."""
    if text in WORDS:
        words = list(WORDS)
        before = words.index(text) - 1
        return (WORDS[words[before]] + 0.05 if before >= 0 else 0.0), WORDS[text]
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(?:\s*(?:-|–|\.\.)\s*([0-9]+(?:\.[0-9]+)?))?", text.strip())
    if not found:
        raise BadInput(unknown("the rating", text, WORDS, "a number, a range as 3.0-4.2"))
    low, high = float(found[1]), float(found[2] or found[1])
    if not 1.0 <= low <= high <= HARDEST:
        raise BadInput(f"the rating {text!r}: expected numbers from 1.0 to {HARDEST}, the lower one first")
    return low - 0.001, high + 0.001


def groups_of(symmetry: str, side: int) -> list[list[int]]:
    """The cells that are clues together."""

    def images(row: int, column: int) -> list[tuple[int, int]]:
        far = side - 1
        turned = [(row, column), (column, far - row), (far - row, far - column), (far - column, row)]
        return {
            "none": turned[:1],
            "half-turn": [turned[0], turned[2]],
            "quarter-turn": turned,
            "mirror": [turned[0], (row, far - column)],
            "diagonal": [turned[0], (column, row)],
        }[symmetry]

    groups = {tuple(sorted({side * r + c for r, c in images(*divmod(cell, side))})) for cell in range(side * side)}
    return [list(group) for group in sorted(groups)]
