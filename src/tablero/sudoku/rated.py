"""Files of many puzzles rated one by one, on several processes where so many threads are asked for.

Logic is plain Python, of which one process runs one thread at a time: so each thread is a process here.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import Counter, deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tablero import interrupts
from tablero.errors import BadInput
from tablero.runs.run import HERE, Clock, Here, Run
from tablero.runs.watch import Snapshot, Watcher
from tablero.sudoku.batch import FileTally, OfMany
from tablero.sudoku.formats import parse_line, values_of
from tablero.sudoku.puzzle import Cells, to_line
from tablero.sudoku.rating import WORDS, Rating, find_rating
from tablero.sudoku.saving import require_output, writing_many
from tablero.sudoku.tables import Entry, Many
from tablero.verbs.parameters import spell
from tablero.words import a_second, several

COLUMNS = ("name", "puzzle", "rating", "word", "score", "technique", "clues", "fine_rating")
_TOGETHER = 8  # puzzles that a process gets at once
_AHEAD = 3  # such parcels for each process
_MOMENT = 0.5  # seconds to count what was not tried


class Rated(NamedTuple):
    """A puzzle of a file, and what is told of its rating."""

    entry: Entry
    values: dict[str, Any]
    words: str

    def __str__(self) -> str:
        return f"{self.entry.name}: {self.words}" if self.entry.name else self.words


@dataclass(frozen=True)
class RatingTally(FileTally):
    """How many puzzles of a file have each word, and the hardest."""

    words: tuple[tuple[str, int], ...] = ()
    hardest: str = ""
    highest: float = 0.0
    unrated: int = 0  # puzzles without a rating: they have no solution, or several
    untried: int | None = 0  # puzzles that were not tried; None where there are too many to count

    def after(self, one: Rated) -> RatingTally:
        """With one more puzzle."""
        if one.values["rating"] is None:
            return replace(self, unrated=self.unrated + 1)
        count = Counter(dict(self.words)) + Counter([one.values["word"]])
        words = tuple((word, count[word]) for word in WORDS if count[word])
        value = one.values["rating"]
        hardest, highest = (one.words, value) if value > self.highest else (self.hardest, self.highest)
        return replace(self, puzzles=self.puzzles + 1, words=words, hardest=hardest, highest=highest)

    def to_dict(self) -> dict[str, Any]:
        """The numbers, as JSON can hold them."""
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
        told = ", ".join(f"{number:,} {word}" for word, number in self.words)
        hardest = f"; the hardest {self.hardest}" if self.hardest else ""
        unrated = f"; {several(self.unrated, 'puzzle')} without a rating" if self.unrated else ""
        rate = a_second(self.puzzles, self.seconds)
        number = several(self.puzzles, "puzzle")
        return f"{number} rated: {told or 'none'}{hardest}{unrated}{self._rest()}; {self.seconds:.2f} s, {rate}"

    def _rest(self) -> str:
        if self.status != "open":
            return ""
        why = "interrupted" if self.interrupted else "the time is up"
        if self.untried is None:
            return f"; {why}, the rest not tried"
        return f"; {why}, {self.untried:,} of {self.puzzles + self.unrated + self.untried:,} not tried"


class RatedFile(OfMany[RatingTally]):
    """The ratings of a file of puzzles, in their order.  Some may have none."""

    def __init__(self, many: Many, *, run: Run = HERE) -> None:
        super().__init__(many, RatingTally(), run)

    def __iter__(self) -> Generator[Rated, None, None]:
        run = self._run
        clock = Clock(run)
        self.tally = RatingTally()
        stopped = interrupted = False
        entries = _Counted(self.many.entries())
        found = _here(entries, clock) if self._threads == 1 else _spread(entries, self._threads, clock)
        try:
            with interrupts.Polling():
                for one in found:
                    if one is None or clock.is_up(0):
                        stopped = True
                        break
                    yield one
                    self.tally = self.tally.after(one)
                    clock.tell(f"{self.tally.puzzles:,} puzzles rated", fraction=self.many.fraction())
        except KeyboardInterrupt:
            interrupted = True
        finally:
            found.close()
            run.tell(Snapshot(over=True))
            self.tally = replace(self.tally, seconds=clock.seconds, stopped=stopped, interrupted=interrupted)
        if self.tally.status == "open":
            self.tally = replace(self.tally, untried=entries.left(self.tally.puzzles + self.tally.unrated))

    def lines(self) -> Iterator[str]:
        yield from map(str, self)

    def to_dict(self) -> dict[str, Any]:
        found = [one.values for one in self]
        return {**self.tally.to_dict(), "ratings": found}

    def save(self, path: Path) -> None:
        """Write a table of the ratings, or a file of the puzzles with their ratings as remarks."""
        columns = COLUMNS if self.many.named else COLUMNS[1:]
        with writing_many(path, columns) as add:
            for one in self:
                add([one.values.get(name) for name in columns])


def save_ratings(path: Path, found: Rating | RatedFile) -> None:
    """Write the ratings of a file of puzzles, or of a table of one."""
    if isinstance(found, Rating):
        found = RatedFile(require_several(path, found.puzzle))
    found.save(path)


def require_several(path: Path, puzzle: object) -> Many:
    """Refuse a file of ratings for one puzzle alone; a table of one puzzle is a table."""
    require_output(path)
    many = puzzle if isinstance(puzzle, Many) else getattr(puzzle, "table", None)
    if many is None:
        raise BadInput(f"{spell('output')} {path}: goes with a file of many puzzles")
    return many


class _Counted(Iterator[Entry]):
    """Entries, and how many there were."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries
        self._count = 0

    def __next__(self) -> Entry:
        entry = next(self._entries)
        self._count += 1
        return entry

    def left(self, done: int) -> int | None:
        """How many there are beside those that are done; None where a moment does not suffice to count them."""
        began = time.monotonic()
        try:
            for _ in self:
                if time.monotonic() - began > _MOMENT:
                    return None
        except (BadInput, KeyboardInterrupt):
            return None
        return self._count - done


def _rated(entry: Entry, run: Run = HERE) -> Rated:
    """A puzzle with its rating, or why it has none; what is no puzzle is refused."""
    try:
        puzzle = parse_line(entry.text, entry.place)
    except BadInput as error:
        if (cells := values_of(entry.text)) is None:
            raise BadInput(_placed(entry, error)) from None
        return _unrated(entry, cells, error)  # its clues break a rule
    try:
        rating = find_rating(puzzle, run)
    except BadInput as error:
        return _unrated(entry, puzzle.cells, error)
    return Rated(entry, {**_named(entry), "puzzle": puzzle.line(), **rating.values, "clues": puzzle.clues}, str(rating))


def _unrated(entry: Entry, cells: Cells, error: BadInput) -> Rated:
    nothing = dict.fromkeys(Rating(0.0, "", 0).values)
    clues = sum(map(bool, cells))
    values = {**_named(entry), "puzzle": to_line(cells), **nothing, "clues": clues, "why": str(error)}
    return Rated(entry, values, _placed(entry, error))


def _named(entry: Entry) -> dict[str, str]:
    return {"name": entry.name} if entry.name else {}


def _placed(entry: Entry, error: BadInput) -> str:
    return str(error) if str(error).startswith(entry.place) else f"{entry.place}: {error}"


def _here(entries: Iterator[Entry], clock: Clock) -> Generator[Rated | None, None, None]:
    """Ratings one after another; None when the time is up."""
    limit, watch = clock.run.time_limit, _hears_compiling(clock.run)
    for entry in entries:
        try:
            rest = None if limit is None else max(1e-9, limit - clock.seconds)
            yield _rated(entry, Here(time_limit=rest, watch=watch))
        except TimeoutError:
            yield None
            return


def _hears_compiling(run: Run) -> Watcher:
    """Of all that the rating of one puzzle tells, only what is compiled: a file has a progress of its own."""
    compiling = False

    def hear(snapshot: Snapshot) -> None:
        nonlocal compiling
        was, compiling = compiling, snapshot.doing.startswith("compiling")
        if compiling or was:
            run.tell(snapshot)

    return hear


def _parcel(entries: list[Entry]) -> list[Rated | str]:
    """What a process does: ratings, up to the first that is refused."""
    out: list[Rated | str] = []
    for entry in entries:
        try:
            out.append(_rated(entry))
        except BadInput as error:
            return [*out, str(error)]
    return out


def _leave_signals() -> None:
    """Ctrl-C reaches all processes of a terminal; the first of them decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _spread(entries: Iterator[Entry], threads: int, clock: Clock) -> Generator[Rated | None, None, None]:
    """Ratings by several processes, in order; None when the time is up."""
    pool = ProcessPoolExecutor(threads, multiprocessing.get_context("spawn"), initializer=_leave_signals)
    todo: deque[Future[list[Rated | str]]] = deque()
    done = False
    try:
        while True:
            while len(todo) < _AHEAD * threads and (parcel := list(islice(entries, _TOGETHER))):
                todo.append(pool.submit(_parcel, parcel))
            if not todo:
                done = True
                return
            while not todo[0].done():
                if clock.is_up(0):
                    yield None
                    return
                time.sleep(0.01)
            for one in todo.popleft().result():
                if isinstance(one, str):
                    raise BadInput(one)
                yield one
    finally:
        if not done:
            for process in list((pool._processes or {}).values()):  # nobody waits for what they do
                process.kill()  # at a SIGTERM a search would only stop
        pool.shutdown(wait=True, cancel_futures=True)
