"""Read, solve and count files of many plain 9×9 puzzles in batches; only one batch is in memory at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tablero import interrupts
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Clock, Here, Run, require_here
from tablero.sudoku import checking
from tablero.sudoku.formats import parse_line
from tablero.sudoku.puzzle import SYMBOLS, Layout, Sudoku
from tablero.sudoku.reading import Entry, Many
from tablero.sudoku.saving import writing_many
from tablero.text import a_second, several
from tablero.verbs.parameters import spell

SIZE = 20_000  # puzzles in a batch
_CELLS = 81
_LOOK = 0.05  # seconds between checks of Ctrl-C and the time limit
_EMPTY = "." * _CELLS  # written to a file for a puzzle without a solution
_BAD = 255
_VALUES = np.full(256, _BAD, np.uint8)
for _mark in "0.Xx*_ ":
    _VALUES[ord(_mark)] = 0
_VALUES[ord("1") : ord("9") + 1] = np.arange(1, 10)
_MARKS = np.frombuffer(SYMBOLS[:10].encode(), np.uint8)

Boards = NDArray[np.uint8]


@dataclass(frozen=True)
class Batch:
    """Some puzzles of a file, with their places and names."""

    boards: Boards
    places: list[str]
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Solved:
    """The first solution of each puzzle of a batch, and the number of its solutions up to a limit, −1 if not searched."""

    batch: Batch
    answers: Boards
    counts: NDArray[np.int64]
    seconds: float
    cpu_seconds: float

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which puzzles were searched."""
        return self.counts >= 0

    def lines(self) -> list[str]:
        """Return the solutions as lines of text."""
        return _lines(self.answers[self.known])

    def rows(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield name, puzzle, solution (or an empty text) and number of solutions of each puzzle that was searched."""
        known = self.known
        names = np.array(self.batch.names or [""] * len(known), object)[known]
        columns = (names, _lines(self.batch.boards[known]), self.lines(), self.counts[known].tolist())
        for name, puzzle, answer, count in zip(*columns, strict=True):
            yield name, puzzle, answer if count else "", count


@dataclass(frozen=True)
class FileTally:
    """The totals of a file of puzzles so far."""

    puzzles: int = 0
    seconds: float = 0.0
    stopped: bool = False  # whether the end of the file was not reached
    interrupted: bool = False

    @property
    def status(self) -> str:
        """complete, or open (stopped before the end)."""
        return "open" if self.stopped or self.interrupted else "complete"

    def lines(self) -> Iterator[str]:
        yield from ()

    def remarks(self) -> Iterator[str]:
        yield str(self)


@dataclass(frozen=True)
class Tally(FileTally):
    """The numbers of puzzles of a file with one solution, several, and none."""

    unique: int = 0
    several: int = 0
    none: int = 0
    cpu_seconds: float = 0.0

    @property
    def status(self) -> str:
        """complete, none (no puzzle has a solution) or open (stopped before the end)."""
        return "none" if super().status == "complete" and self.none == self.puzzles else super().status

    def after(self, part: Solved) -> Tally:
        """Return the totals including one more batch."""
        return Tally(
            self.puzzles + int(part.known.sum()),
            self.seconds + part.seconds,
            unique=self.unique + int((part.counts == 1).sum()),
            several=self.several + int((part.counts > 1).sum()),
            none=self.none + int((part.counts == 0).sum()),
            cpu_seconds=self.cpu_seconds + part.cpu_seconds,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the totals as a JSON object."""
        return {
            "status": self.status,
            "puzzles": self.puzzles,
            "solutions": self.puzzles - self.none,
            "unique": self.unique,
            "several": self.several,
            "none": self.none,
            "seconds": round(self.seconds, 6),
            "cpu_seconds": round(self.cpu_seconds, 6),
        }

    def __str__(self) -> str:
        return (
            f"{several(self.puzzles, 'puzzle')}: {self.unique:,} with one solution, {self.several:,} with several, "
            f"{self.none:,} with none; {self.seconds:.2f} s, {a_second(self.puzzles, self.seconds)}"
        )


T = TypeVar("T", bound=FileTally)


class OfMany(Generic[T]):
    """Answers for the puzzles of a file, computed during iteration; `tally` has the totals so far.

    Ctrl-C and the time limit end the iteration and keep the totals.
    """

    def __init__(self, many: Many, tally: T, run: Run) -> None:
        require_here(run, "a file of many puzzles")
        if run.node_limit is not None:
            raise BadInput(f"a file of many puzzles has no node limit: use {spell('time_limit')}")
        self.many, self.tally, self._run = many, tally, run
        self._threads = run.threads if isinstance(run, Here) else 1

    @property
    def status(self) -> str:
        return self.tally.status

    @property
    def interrupted(self) -> bool:
        return self.tally.interrupted

    def remarks(self) -> Iterator[str]:
        yield str(self.tally)

    def without_text(self) -> T:
        """Return the totals, which are printed if the answers are written to a file."""
        return self.tally


class SolvedFile(OfMany[Tally]):
    """The solutions of a file of puzzles, batch by batch."""

    key = "answers"  # key of the answers in JSON

    def __init__(self, many: Many, most: int = 2, *, run: Run = HERE) -> None:
        super().__init__(many, Tally(), run)
        self._most = most

    def __iter__(self) -> Iterator[Solved]:
        from tablero.sudoku.kernels.search import solve_many

        run, stop = self._run, np.zeros(1, np.uint8)
        self.tally = Tally()
        try:
            run.report(Snapshot(doing="compiling the kernel sudoku.bands"))
            solve_many(np.zeros((1, _CELLS), np.uint8), 1)
            clock = Clock(run)
            with interrupts.Polling():
                for batch in read_batches(self.many.entries()):
                    stop[0] |= clock.is_up(0)
                    if stop[0]:
                        break
                    part = _solved(
                        batch,
                        lambda boards: solve_many(boards, self._most, threads=self._threads, stop=stop),
                        clock,
                        stop,
                    )
                    self.tally = self.tally.after(part)
                    yield part
                    words = f"{self.tally.puzzles:,} puzzles, {a_second(self.tally.puzzles, clock.seconds)}"
                    clock.report(words, fraction=self.many.fraction())
        except KeyboardInterrupt:
            self.tally = replace(self.tally, interrupted=True)
        finally:
            run.report(Snapshot(over=True))
        self.tally = replace(self.tally, stopped=bool(stop[0]))

    def of(self, part: Solved) -> list[Any]:
        """Return the answers for the puzzles of a batch."""
        return part.lines()

    def lines(self) -> Iterator[str]:
        """Yield the answers, one text of many lines per batch."""
        for part in self:
            if found := self.of(part):
                yield "\n".join(map(str, found))

    def json_lines(self) -> Iterator[dict[str, Any]]:
        """Yield one object per puzzle, then one with the totals."""
        for part in self:
            yield from ({"answer": one} for one in self.of(part))
        yield self.tally.to_dict()

    def to_dict(self) -> dict[str, Any]:
        found = [one for part in self for one in self.of(part)]
        return {**self.tally.to_dict(), self.key: found}

    def save(self, path: Path) -> None:
        """Write a table of the puzzles and their solutions, or a file of the solutions."""
        columns = ("name", "puzzle", "solution", "solutions")
        lines = path.suffix.lower() not in (".xlsx", ".csv")
        shown = slice(2, 3) if lines else slice(0 if self.many.named else 1, None)
        with writing_many(path, columns[shown], "solution") as add:
            for part in self:
                for row in part.rows():
                    add([row[2] or _EMPTY] if lines else list(row)[shown])


class CountedFile(SolvedFile):
    """The numbers of solutions of the puzzles of a file."""

    key = "counts"

    def of(self, part: Solved) -> list[Any]:
        counts: list[int] = part.counts[part.known].tolist()
        return counts


def read_batches(entries: Iterable[Entry]) -> Iterator[Batch]:
    """Yield the puzzles in batches; an entry that is not a puzzle is an error."""
    rows: list[str] = []
    places: list[str] = []
    names: list[str] = []
    for place, text, name in entries:
        rows.append(text if len(text) == _CELLS else _cells(text, place))
        places.append(place)
        names.append(name)
        if len(rows) == SIZE:
            yield _batch(rows, places, names)
            rows, places, names = [], [], []
    if rows:
        yield _batch(rows, places, names)


def _cells(text: str, place: str) -> str:
    """Return the cells of a line with a comment."""
    puzzle = parse_line(text, place)
    if puzzle.side != 9:
        raise BadInput(f"{place}: a board of side {puzzle.side}: expected 81 cells")
    return puzzle.line()


def _batch(rows: list[str], places: list[str], names: list[str]) -> Batch:
    codes = np.frombuffer("".join(rows).encode("latin-1", "replace"), np.uint8)  # a ? for other characters
    boards = _VALUES[codes].reshape(-1, _CELLS)
    bad = (boards == _BAD).any(axis=1)
    if bad.any():
        k = int(bad.argmax())
        parse_line(rows[k], places[k])  # raises with the reason
        raise BadInput(f"{places[k]}: expected 81 cells")
    return Batch(boards, places, names if any(names) else [])


def _solved(
    batch: Batch,
    solve: Callable[[Boards], tuple[Boards, NDArray[np.int64]]],
    clock: Clock,
    stop: NDArray[np.uint8],
) -> Solved:
    """Solve a batch and check every solution; a puzzle whose clues break a rule is an error.

    The search runs in other threads, so that this thread reacts to Ctrl-C and the time limit at once.
    """
    began, cpu = time.monotonic(), time.process_time()
    with ThreadPoolExecutor(1, thread_name_prefix="tablero") as pool:
        work = pool.submit(solve, batch.boards)
        try:
            while not wait([work], _LOOK).done:
                stop[0] |= clock.is_up(0)
        except KeyboardInterrupt:
            stop[0] = 1
            raise
        answers, counts = work.result()
    seconds, used = time.monotonic() - began, time.process_time() - cpu
    solved = counts > 0
    if wrong := checking.first_fault(Layout(), batch.boards[solved], answers[solved]):
        raise AssertionError(f"a kernel returned an invalid solution: {wrong}")
    for k in np.flatnonzero(counts == 0).tolist():
        try:
            Sudoku(tuple(batch.boards[k].tolist()))
        except BadInput as error:
            raise BadInput(f"{batch.places[k]}: {error}") from None
    return Solved(batch, answers, counts, seconds, used)


def _lines(boards: Boards) -> list[str]:
    """Return boards as lines of text."""
    text = _MARKS[boards].tobytes().decode()
    return [text[k : k + _CELLS] for k in range(0, len(text), _CELLS)]
