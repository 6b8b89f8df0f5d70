"""How hard a puzzle is: the rating of the hardest step that is needed, on the scale of Sudoku Explainer, and a word.

Beside it the score of HoDoKu: each step counts by its technique, and all are added up.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tablero.errors import BadInput
from tablero.runs.run import HERE, Run, require_here
from tablero.runs.watch import Snapshot
from tablero.sudoku.logic import Path, Position, limit, way
from tablero.sudoku.logic.techniques import SCORES
from tablero.sudoku.puzzle import Sudoku

WORDS = {"easy": 1.5, "medium": 2.5, "hard": 3.4, "fiendish": 5.6, "diabolical": 99.0}  # each up to this rating
HARDEST = 20.0  # of a puzzle that none of the techniques here can finish: no length of a net comes near


@dataclass(frozen=True)
class Rating:
    """The hardest step of a puzzle; `technique` is empty where logic does not reach the end.

    `fine` has the length of chains and nets graded to hundredths; rounded up to a tenth it is the value.
    """

    value: float
    technique: str
    steps: int
    score: int = 0
    fine: float = 0.0

    @property
    def word(self) -> str:
        return word_of(self.value)

    def values(self) -> dict[str, Any]:
        """What is told of it, as JSON can hold it."""
        return {
            "rating": self.value,
            "word": self.word,
            "technique": self.technique or None,
            "steps": self.steps,
            "score": self.score,
            "fine_rating": self.fine,
        }

    def __str__(self) -> str:
        what = self.technique or "beyond the techniques here"
        return f"{self.value} {self.word} ({what})"


def word_of(value: float) -> str:
    return next(word for word, most in WORDS.items() if value <= most)


def rate(puzzle: Sudoku, *, run: Run = HERE) -> Rating:
    """Rate a puzzle; one without a solution, or with several, has no rating.

    A TimeoutError where the time of the run does not suffice.
    """
    from tablero.sudoku.solving import how_many

    require_here(run, "a rating")
    position = Position(puzzle, unique=True)  # refuses what logic does not know, before anything is searched
    solutions = how_many(puzzle, run=run)
    if solutions != 1:
        told = "no solution" if solutions == 0 else "more than one solution"
        raise BadInput(f"the puzzle has {told}: only one with a single solution has a rating")
    path = way(limit(position, run))
    if path.interrupted:
        raise KeyboardInterrupt(f"{path.sentence}: the rating is open")
    if path.stopped:
        raise TimeoutError(f"{path.sentence}: the rating is open")
    return rating_of(path)


def rate_many(puzzles: Iterable[Sudoku], *, run: Run = HERE) -> Iterator[Rating]:
    """Rate one puzzle after another; one without a rating is refused with its number."""
    require_here(run, "a rating")
    began = time.monotonic()
    try:
        for number, puzzle in enumerate(puzzles, 1):
            try:
                rating = rate(puzzle, run=run)
            except BadInput as error:
                raise BadInput(f"puzzle {number}: {error}") from None
            run.tell(Snapshot(seconds=time.monotonic() - began, words=f"{number:,} puzzles rated"))
            yield rating
    finally:
        run.tell(Snapshot(over=True))


def rating_of(path: Path) -> Rating:
    """The rating of a way that was walked."""
    score = sum(SCORES[step.technique] for step in path.steps)
    if not path.solved:
        return Rating(HARDEST, "", len(path.steps), score, HARDEST)
    hardest = max(path.steps, key=lambda step: step.rating, default=None)
    if hardest is None:
        return Rating(1.0, "nothing to fill", 0, fine=1.0)
    fine = max(step.fine_rating for step in path.steps)
    return Rating(hardest.rating, hardest.technique, len(path.steps), score, fine)
