"""What a new puzzle should be like.

symmetry    which cells are clues together: none, half-turn, quarter-turn, mirror, diagonal
minimal     no clue can be taken away (with a symmetry: no group of clues)
kind        plain, x (diagonals), jigsaw (random regions), killer (cages without clues)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tablero import kinds
from tablero.errors import BadInput
from tablero.sudoku.puzzle import BOXES
from tablero.sudoku.rating import HARDEST, WORDS
from tablero.words import unknown

SYMMETRIES = ("none", "half-turn", "quarter-turn", "mirror", "diagonal")
KINDS = ("plain", "x", "jigsaw", "killer")
MOST = 10_000_000  # puzzles at once
PROVABLE = 12  # the largest side on which a clue can be proved to be needed
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
        if self.side not in BOXES:
            raise BadInput(f"a board of side {self.side}: expected one of {', '.join(map(str, BOXES))}")
        for what, value, known in (("kind", self.kind, KINDS), ("symmetry", self.symmetry, SYMMETRIES)):
            if value not in known:
                raise BadInput(unknown(f"the {what}", value, known))
        if self.minimal and self.clues is not None:
            raise BadInput("a minimal puzzle has as few clues as it can: leave the number of clues out")
        if self.clues is not None:
            kinds.whole(self.clues, "{} clues", 0, self.side**2, f"0 to {self.side**2}")
        if self.minimal and self.side > PROVABLE:
            raise BadInput(f"a minimal board of side {self.side} cannot be proved: expected a side up to {PROVABLE}")
        if self.kind == "killer":
            if self.side > 9 or self.minimal or self.clues or self.symmetry != "none" or self.rating:
                raise BadInput("killer puzzles are made without clues, symmetry or rating, with a side up to 9")
        elif self.rating and self.side > 9:
            raise BadInput(f"a wanted rating on a board of side {self.side}: expected a side up to 9")

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
