"""The difficulty of puzzles: the rating of the hardest step that is needed, on the scale of Sudoku Explainer, and a word.

The score of HoDoKu is the sum of the scores of all steps.  A file of many puzzles is rated by several processes if the run
has several threads, because logic is plain Python, and a Python process runs one thread at a time.
"""

from __future__ import annotations

import multiprocessing
import pathlib
import signal
import time
from collections import Counter, deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, ClassVar, NamedTuple, cast

from tablero import interrupts
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot, Watcher
from tablero.runs.run import HERE, Clock, Here, Run, require_here
from tablero.sudoku import solving
from tablero.sudoku.batch import FileTally, OfMany
from tablero.sudoku.formats import parse_line, values_of
from tablero.sudoku.logic import TECHNIQUES, Path, Position, limit, way
from tablero.sudoku.logic.position import Ending
from tablero.sudoku.puzzle import Sudoku, to_line
from tablero.sudoku.reading import Entry, Many
from tablero.sudoku.saving import require_output, writing_many
from tablero.text import a_second, several
from tablero.verbs.parameters import spell

WORDS = {
    "easy": 1.5,
    "medium": 2.5,
    "hard": 3.4,
    "fiendish": 5.6,
    "diabolical": 99.0,
}  # the highest rating of each word
HARDEST = 20.0  # the rating of a puzzle that no technique can finish; no net is long enough to reach it

COLUMNS = ("name", "puzzle", "rating", "word", "score", "technique", "clues", "fine_rating")
_CHUNK = 8  # puzzles that a process gets at once
_AHEAD = 3  # chunks in the queue for each process
_COUNTING = 0.5  # seconds for counting the puzzles that were not tried


@dataclass(frozen=True)
class Rating:
    """The rating of a puzzle, which is that of its hardest step.

    Attributes
    ----------
    value
        The rating on the scale of Sudoku Explainer.
    technique
        The technique of the hardest step; empty if logic cannot finish the puzzle.
    steps
        The number of steps.
    score
        The sum of HoDoKu's scores of the steps.
    fine
        The rating with finer grades for the length of chains and nets, in hundredths; rounded up to a tenth it is `value`.
    puzzle
        The puzzle.

    Examples
    --------
    >>> import tablero as tb
    >>> found = tb.sudoku.parse(".4.1...2....31..").rate()
    >>> found.value, found.word, found.technique
    (1.2, 'easy', 'hidden single in a box')
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
        """The rating as a JSON object."""
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
    """A rating that the time limit or Ctrl-C ended early: its unknown attributes raise TimeoutError or KeyboardInterrupt."""

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


_UNKNOWN = ("value", "technique", "steps", "score", "fine", "word", "values")  # attributes of an open rating


def words() -> tuple[str, ...]:
    """The words that a shell completes."""
    return tuple(WORDS)


def word_of(value: float) -> str:
    return next(word for word, most in WORDS.items() if value <= most)


def rate(puzzle: Sudoku | Many, *, run: Run = HERE) -> Rating:
    """Rate a puzzle; the rating is open if the time limit ends it.  A file of many puzzles gives a `RatedFile`."""
    if not isinstance(puzzle, Sudoku):
        return cast("Rating", RatedFile(puzzle, run=run))
    try:
        return replace(find_rating(puzzle, run), puzzle=puzzle)
    except (TimeoutError, KeyboardInterrupt) as early:
        return OpenRating(early)


def find_rating(puzzle: Sudoku, run: Run = HERE) -> Rating:
    """Rate a puzzle with one solution.

    Raises
    ------
    BadInput
        If the puzzle has no solution or several.
    TimeoutError
        If the time limit of the run ends the rating.
    KeyboardInterrupt
        If Ctrl-C ends the rating.
    """
    require_here(run, "a rating")
    position = Position(puzzle, unique=True)
    solutions = solving.how_many(puzzle, run=run)
    if solutions != 1:
        number = "no solution" if solutions == 0 else "more than one solution"
        raise BadInput(f"the puzzle has {number}: expected a puzzle with exactly one")
    path = way(limit(position, run))
    if path.stopped:
        raise (KeyboardInterrupt if path.interrupted else TimeoutError)(f"{path.sentence}: the rating is open")
    return rating_of(path)


def rating_of(path: Path) -> Rating:
    """Rate a path of steps."""
    scores = {technique.name: technique.score for technique in TECHNIQUES}
    score = sum(scores[step.technique] for step in path.steps)
    if not path.solved:
        return Rating(HARDEST, "", len(path.steps), score, HARDEST)
    hardest = max(path.steps, key=lambda step: step.rating, default=None)
    if hardest is None:
        return Rating(1.0, "nothing to fill", 0, fine=1.0)
    fine = max(step.fine_rating for step in path.steps)
    return Rating(hardest.rating, hardest.technique, len(path.steps), score, fine)


# Many puzzles


class Rated(NamedTuple):
    """A puzzle of a file with its rating, or the reason why it has none."""

    entry: Entry
    values: dict[str, Any]
    words: str  # the rating or the reason in words

    def __str__(self) -> str:
        return f"{self.entry.name}: {self.words}" if self.entry.name else self.words


@dataclass(frozen=True)
class RatingTally(FileTally):
    """The number of puzzles of a file for each word, and the hardest puzzle."""

    words: tuple[tuple[str, int], ...] = ()
    hardest: str = ""
    highest: float = 0.0
    unrated: int = 0  # puzzles without a rating, because they have no solution or several
    untried: int | None = 0  # puzzles that were not tried; None if there are too many to count

    def after(self, one: Rated) -> RatingTally:
        """The tally with one more puzzle."""
        value = one.values["rating"]
        if value is None:
            return replace(self, unrated=self.unrated + 1)
        count = Counter(dict(self.words)) + Counter([one.values["word"]])
        words = tuple((word, count[word]) for word in WORDS if count[word])
        hardest, highest = (one.words, value) if value > self.highest else (self.hardest, self.highest)
        return replace(self, puzzles=self.puzzles + 1, words=words, hardest=hardest, highest=highest)

    def to_dict(self) -> dict[str, Any]:
        """The numbers as a JSON object."""
        return {
            "status": self.status,
            "puzzles": self.puzzles,
            "words": dict(self.words),
            "hardest": self.hardest,
            **({"unrated": self.unrated} if self.unrated else {}),
            "untried": self.untried,
            "seconds": round(self.seconds, 6),
        }

    def __str__(self) -> str:
        words = ", ".join(f"{number:,} {word}" for word, number in self.words)
        rest = ""
        if self.status == "open":
            every = self.puzzles + self.unrated + (self.untried or 0)
            number = "the rest" if self.untried is None else f"{self.untried:,} of {every:,}"
            rest = f"; {Ending.INTERRUPTED if self.interrupted else Ending.TIME}, {number} not tried"
        hardest = f"; the hardest {self.hardest}" if self.hardest else ""
        unrated = f"; {several(self.unrated, 'puzzle')} without a rating" if self.unrated else ""
        number, rate = several(self.puzzles, "puzzle"), a_second(self.puzzles, self.seconds)
        return f"{number} rated: {words or 'none'}{hardest}{unrated}{rest}; {self.seconds:.2f} s, {rate}"


class RatedFile(OfMany[RatingTally]):
    """The ratings of the puzzles of a file, in the order of the file.  Iterating rates them."""

    def __init__(self, many: Many, *, run: Run = HERE) -> None:
        super().__init__(many, RatingTally(), run)

    def __iter__(self) -> Generator[Rated, None, None]:
        run, clock = self._run, Clock(self._run)
        self.tally = RatingTally()
        entries = _CountedEntries(self.many.entries())
        found = _here(entries, clock) if self._threads == 1 else _spread(entries, self._threads, clock)
        ending = Ending()
        try:
            with ending, interrupts.Polling():
                for one in found:
                    _require_time(clock)
                    yield one
                    self.tally = self.tally.after(one)
                    clock.report(f"{self.tally.puzzles:,} puzzles rated", fraction=self.many.fraction())
        finally:
            found.close()
            run.report(Snapshot(over=True))
            interrupted = ending.text == Ending.INTERRUPTED
            stopped = bool(ending.text) and not interrupted
            self.tally = replace(self.tally, seconds=clock.seconds, stopped=stopped, interrupted=interrupted)
        if ending.text:
            self.tally = replace(self.tally, untried=entries.left(self.tally.puzzles + self.tally.unrated))

    def lines(self) -> Iterator[str]:
        yield from map(str, self)

    def to_dict(self) -> dict[str, Any]:
        found = [one.values for one in self]
        return {**self.tally.to_dict(), "ratings": found}

    def save(self, path: pathlib.Path) -> None:
        """Write a table of the ratings, or a file of the puzzles with the ratings as comments."""
        columns = COLUMNS if self.many.named else COLUMNS[1:]
        with writing_many(path, columns) as add:
            for one in self:
                add([one.values.get(name) for name in columns])


def save_ratings(path: pathlib.Path, found: Rating | RatedFile) -> None:
    """Write the ratings of a file of many puzzles, or of a table with one puzzle."""
    if isinstance(found, Rating):
        found = RatedFile(require_several(path, found.puzzle))
    found.save(path)


def require_several(path: pathlib.Path, puzzle: object) -> Many:
    """The puzzles whose ratings a file is to hold: a file of many puzzles, or a table with one.

    Raises
    ------
    BadInput
        If the puzzle comes from neither.
    """
    require_output(path)
    many = puzzle if isinstance(puzzle, Many) else getattr(puzzle, "table", None)
    if many is None:
        raise BadInput(f"{spell('output')} {path}: only for a file of many puzzles")
    return many


def _require_time(clock: Clock) -> None:
    if clock.is_up(0):
        raise TimeoutError("the time is up")


class _CountedEntries(Iterator[Entry]):
    """An iterator that counts its entries."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries
        self._count = 0

    def __next__(self) -> Entry:
        entry = next(self._entries)
        self._count += 1
        return entry

    def left(self, done: int) -> int | None:
        """The number of entries minus `done`, or None if there are too many to count."""
        began = time.monotonic()
        try:
            for _ in self:
                if time.monotonic() - began > _COUNTING:
                    return None
        except (BadInput, KeyboardInterrupt):
            return None
        return self._count - done


def _rated(entry: Entry, run: Run = HERE) -> Rated:
    """Rate the puzzle of an entry; raise BadInput if the entry is not a puzzle."""
    cells = values_of(entry.text)
    try:
        puzzle = parse_line(entry.text, entry.place)
        cells = puzzle.cells
        rating = find_rating(puzzle, run)
        values, why, words = rating.values, {}, str(rating)
    except BadInput as error:
        words = str(error) if str(error).startswith(entry.place) else f"{entry.place}: {error}"
        if cells is None:
            raise BadInput(words) from None
        values, why = dict.fromkeys(Rating(0.0, "", 0).values), {"why": str(error)}
    name = {"name": entry.name} if entry.name else {}
    return Rated(entry, {**name, "puzzle": to_line(cells), **values, "clues": sum(map(bool, cells)), **why}, words)


def _here(entries: Iterator[Entry], clock: Clock) -> Generator[Rated, None, None]:
    """Rate puzzles one after another in this process."""
    limit, watch = clock.run.time_limit, _only_compiling(clock.run)
    for entry in entries:
        rest = None if limit is None else max(1e-9, limit - clock.seconds)
        yield _rated(entry, Here(time_limit=rest, watch=watch))


def _only_compiling(run: Run) -> Watcher:
    """A watcher for the rating of one puzzle of a file: it reports compiling, and the file reports the progress."""
    compiling = False

    def watch(snapshot: Snapshot) -> None:
        nonlocal compiling
        was, compiling = compiling, snapshot.doing.startswith("compiling")
        if compiling or was:
            run.report(snapshot)

    return watch


def _rate_chunk(entries: list[Entry]) -> list[Rated | str]:
    """Rate puzzles in a worker process, up to the first entry that is not a puzzle; that gives an error message."""
    out: list[Rated | str] = []
    for entry in entries:
        try:
            out.append(_rated(entry))
        except BadInput as error:
            return [*out, str(error)]
    return out


def _spread(entries: Iterator[Entry], threads: int, clock: Clock) -> Generator[Rated, None, None]:
    """Rate puzzles in several processes, and yield the ratings in the order of the entries.

    Ctrl-C in a terminal reaches all processes; the workers ignore it, and this process ends them.
    """
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(threads, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
    todo: deque[Future[list[Rated | str]]] = deque()
    done = False
    try:
        while True:
            while len(todo) < _AHEAD * threads and (chunk := list(islice(entries, _CHUNK))):
                todo.append(pool.submit(_rate_chunk, chunk))
            if not todo:
                done = True
                return
            while not todo[0].done():
                _require_time(clock)
                time.sleep(0.01)
            for one in todo.popleft().result():
                if isinstance(one, str):
                    raise BadInput(one)
                yield one
    finally:
        if not done:
            for process in list((pool._processes or {}).values()):
                process.kill()  # SIGTERM would only stop the current search
        pool.shutdown(wait=True, cancel_futures=True)
