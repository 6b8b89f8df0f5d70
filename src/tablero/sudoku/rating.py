"""How hard a puzzle is: the rating of the hardest step that is needed, on the scale of Sudoku Explainer, and a word.

Beside it the score of HoDoKu: each step counts by its technique, and all are added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from tablero.errors import BadInput
from tablero.runs.run import HERE, Run, require_here
from tablero.sudoku import solving
from tablero.sudoku.logic import TECHNIQUES, Path, Position, limit, way
from tablero.sudoku.puzzle import Sudoku

if TYPE_CHECKING:
    from tablero.sudoku.tables import Many

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
    puzzle: Sudoku | None = field(default=None, compare=False, repr=False)

    status: ClassVar[str] = "solved"

    @property
    def word(self) -> str:
        return word_of(self.value)

    @property
    def values(self) -> dict[str, Any]:
        """The numbers and words, as JSON can hold them."""
        return {
            "rating": self.value,
            "word": self.word,
            "technique": self.technique or None,
            "steps": self.steps,
            "score": self.score,
            "fine_rating": self.fine,
        }

    def to_dict(self) -> dict[str, Any]:
        return {"status": self.status, **self.values}

    def lines(self) -> Iterator[str]:
        yield str(self)

    def remarks(self) -> Iterator[str]:
        yield from ()

    def __str__(self) -> str:
        what = self.technique or "beyond the techniques here"
        return f"{self.value} {self.word} ({what})"


class OpenRating(Rating):
    """The rating of a puzzle where the time, or Ctrl-C, ended the work before it was known: its value raises that."""

    status = "open"

    def __init__(self, reason: TimeoutError | KeyboardInterrupt) -> None:
        super().__init__(0.0, "", 0)
        object.__setattr__(self, "_reason", reason)

    def __getattribute__(self, name: str) -> Any:
        if name in _UNKNOWN:
            raise object.__getattribute__(self, "_reason")
        return super().__getattribute__(name)

    @property
    def interrupted(self) -> bool:
        return isinstance(vars(self)["_reason"], KeyboardInterrupt)

    def to_dict(self) -> dict[str, Any]:
        return {"status": self.status, **dict.fromkeys(Rating(0.0, "", 0).values), "why": str(self)}

    def __repr__(self) -> str:
        return f"<OpenRating: {self}>"

    def __str__(self) -> str:
        return str(vars(self)["_reason"]) or "interrupted: the rating is open"


_UNKNOWN = ("value", "technique", "steps", "score", "fine", "word", "values")  # of an open rating


def words() -> tuple[str, ...]:
    """What a shell may complete."""
    return tuple(WORDS)


def word_of(value: float) -> str:
    return next(word for word, most in WORDS.items() if value <= most)


def rate(puzzle: Sudoku | Many, *, run: Run = HERE) -> Rating:
    """Rate a puzzle, open where the time of the run does not suffice; of a file of many puzzles a `RatedFile`."""
    if not isinstance(puzzle, Sudoku):
        from tablero.sudoku.rated import RatedFile

        return cast("Rating", RatedFile(puzzle, run=run))
    try:
        return replace(find_rating(puzzle, run), puzzle=puzzle)
    except (TimeoutError, KeyboardInterrupt) as early:
        return OpenRating(early)


def find_rating(puzzle: Sudoku, run: Run = HERE) -> Rating:
    """The rating of a puzzle with one solution; a TimeoutError where the time of the run does not suffice."""
    require_here(run, "a rating")
    position = Position(puzzle, unique=True)  # refuses what logic does not know, before anything is searched
    solutions = solving.how_many(puzzle, run=run)
    if solutions != 1:
        number = "no solution" if solutions == 0 else "more than one solution"
        raise BadInput(f"the puzzle has {number}: only one with a single solution has a rating")
    path = way(limit(position, run))
    if path.stopped:
        raise (KeyboardInterrupt if path.interrupted else TimeoutError)(f"{path.sentence}: the rating is open")
    return rating_of(path)


def rating_of(path: Path) -> Rating:
    """The rating of a way that was walked."""
    scores = {technique.name: technique.score for technique in TECHNIQUES}
    score = sum(scores[step.technique] for step in path.steps)
    if not path.solved:
        return Rating(HARDEST, "", len(path.steps), score, HARDEST)
    hardest = max(path.steps, key=lambda step: step.rating, default=None)
    if hardest is None:
        return Rating(1.0, "nothing to fill", 0, fine=1.0)
    fine = max(step.fine_rating for step in path.steps)
    return Rating(hardest.rating, hardest.technique, len(path.steps), score, fine)
