"""Files of many plain 9×9 puzzles, a line each: read, solved and counted in batches, a million in seconds."""

from __future__ import annotations

import codecs
import io
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.files import Source, name_of, read_bytes
from tablero.puzzles.sudoku import check
from tablero.puzzles.sudoku.formats import MOST_BYTES, parse_line
from tablero.puzzles.sudoku.puzzle import SYMBOLS, Sudoku
from tablero.runs.runner import HERE, Here, Run, require_here
from tablero.runs.watch import Snapshot
from tablero.words import several

SIZE = 20_000  # puzzles a batch
_CELLS = 81
_BAD = 255
_VALUES = np.full(256, _BAD, np.uint8)
for _mark in "0.Xx*_ ":
    _VALUES[ord(_mark)] = 0
_VALUES[ord("1") : ord("9") + 1] = np.arange(1, 10)
_MARKS = np.frombuffer(SYMBOLS[:10].encode(), np.uint8)

Boards = NDArray[np.uint8]


@dataclass(frozen=True)
class Batch:
    """Puzzles of a file, and where each stands in it."""

    boards: Boards
    lines: NDArray[np.int64]


@dataclass(frozen=True)
class Solved:
    """The first solution of each puzzle of a batch, and how many solutions it has, up to a limit; −1 is not known."""

    batch: Batch
    answers: Boards
    counts: NDArray[np.int64]
    seconds: float
    cpu_seconds: float

    @property
    def known(self) -> NDArray[np.bool_]:
        """The puzzles that were looked at."""
        return self.counts >= 0

    def lines(self) -> bytes:
        """The solutions as lines of text."""
        return to_lines(self.answers[self.known])


@dataclass(frozen=True)
class Tally:
    """What became of a file of puzzles: how many have one solution, several, or none."""

    puzzles: int = 0
    unique: int = 0
    several: int = 0
    none: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    stopped: bool = False  # before its end
    interrupted: bool = False

    @property
    def status(self) -> str:
        """complete, none (no puzzle has a solution) or open (stopped before the end)."""
        return "open" if self.stopped or self.interrupted else "none" if self.none == self.puzzles else "complete"

    def after(self, part: Solved) -> Tally:
        """With one more batch."""
        return Tally(
            self.puzzles + int(part.known.sum()),
            self.unique + int((part.counts == 1).sum()),
            self.several + int((part.counts > 1).sum()),
            self.none + int((part.counts == 0).sum()),
            self.seconds + part.seconds,
            self.cpu_seconds + part.cpu_seconds,
        )

    def values(self) -> dict[str, Any]:
        """The numbers, as JSON can hold them."""
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
            f"{self.none:,} with none; {self.seconds:.2f} s, {self.puzzles / max(self.seconds, 1e-9):,.0f} a second"
        )


def solve_file(
    source: Source, most: int = 2, *, each: Callable[[Solved], None] | None = None, run: Run = HERE
) -> Tally:
    """Solve a file of many puzzles, and count the solutions of each up to `most`; `each` gets batch by batch.

    Ctrl-C and the time limit end it with what is known by then.
    """
    from tablero.puzzles.sudoku.kernels.search import solve_many

    require_here(run, "a file of many puzzles")
    if run.node_limit is not None:
        raise BadInput("a file of many puzzles has no limit on nodes: give it a time")
    if most < 1:
        raise BadInput(f"{most} solutions: expected a number from 1")
    tally = Tally()
    stop = np.zeros(1, np.uint8)
    name = name_of(source)
    threads = run.threads if isinstance(run, Here) else 1
    try:
        run.tell(Snapshot(doing="compiling the kernel sudoku.bands"))
        solve_many(np.zeros((1, _CELLS), np.uint8), 1)
        began = time.monotonic()
        with _opened(source) as stream, _alarm(run.time_limit, stop):
            for part in solve_batches(read_batches(stream, name), name, most, threads=threads, stop=stop):
                tally = tally.after(part)
                if each is not None:
                    each(part)
                run.tell(_snapshot(tally, stream, time.monotonic() - began, run.time_limit))
    except KeyboardInterrupt:
        tally = replace(tally, interrupted=True)
    finally:
        run.tell(Snapshot(over=True))
    return replace(tally, stopped=bool(stop[0]))


def _snapshot(tally: Tally, stream: IO[bytes], seconds: float, time_limit: float | None) -> Snapshot:
    words = f"{tally.puzzles:,} puzzles, {tally.puzzles / max(seconds, 1e-9):,.0f} a second"
    try:
        fraction = stream.tell() / os.fstat(stream.fileno()).st_size
    except (OSError, ZeroDivisionError):  # nobody knows how long a pipe is
        fraction = None
    return Snapshot(seconds=seconds, time_limit=time_limit, fraction=fraction, words=words)


@contextmanager
def _opened(source: Source) -> Iterator[IO[bytes]]:
    """A stream of a source's bytes."""
    if not isinstance(source, (str, os.PathLike)):
        yield source if isinstance(source, io.BufferedIOBase) else io.BytesIO(read_bytes(source, MOST_BYTES))
    elif str(source) == "-":
        yield sys.stdin.buffer
    else:
        with ExitStack() as stack:
            try:
                stream = stack.enter_context(Path(source).open("rb"))
            except OSError as error:
                raise BadInput(f"{source}: {error.strerror or error}") from None
            yield stream


@contextmanager
def _alarm(seconds: float | None, stop: NDArray[np.uint8]) -> Iterator[None]:
    """Raise the flag when the time is up."""
    timer = threading.Timer(seconds or 0.0, lambda: stop.__setitem__(0, 1))
    if seconds is not None:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def read_batches(stream: Iterable[bytes], source: str, size: int = SIZE) -> Iterator[Batch]:
    """The puzzles of a file, batch by batch; a line that is none is refused with its number."""
    rows: list[bytes] = []
    lines: list[int] = []
    for number, line in enumerate(stream, 1):
        text = line.rstrip(b"\r\n")
        if number == 1:
            text = text.removeprefix(codecs.BOM_UTF8)
        if text.startswith(b"#") or (not text.strip() and len(text) != _CELLS):
            continue
        rows.append(text if len(text) == _CELLS else _cells(text, f"{source}:{number}"))
        lines.append(number)
        if len(rows) == size:
            yield _batch(rows, lines, source)
            rows, lines = [], []
    if rows:
        yield _batch(rows, lines, source)


def _cells(text: bytes, where: str) -> bytes:
    """The cells of a line that has more on it than cells."""
    try:
        puzzle = parse_line(text.decode(), where)
    except UnicodeDecodeError:
        raise BadInput(f"{where}: not UTF-8 text") from None
    if puzzle.side != 9:
        raise BadInput(f"{where}: a board of side {puzzle.side} among others: expected 81 cells")
    return puzzle.line().encode()


def _batch(rows: list[bytes], lines: list[int], source: str) -> Batch:
    boards = _VALUES[np.frombuffer(b"".join(rows), np.uint8)].reshape(-1, _CELLS)
    bad = (boards == _BAD).any(axis=1)
    if bad.any():
        k = int(bad.argmax())
        parse_line(rows[k].decode("utf-8", "replace"), f"{source}:{lines[k]}")  # tells what is wrong
        raise BadInput(f"{source}:{lines[k]}: expected 81 cells")
    return Batch(boards, np.array(lines, np.int64))


def solve_batches(
    batches: Iterable[Batch],
    source: str,
    limit: int = 2,
    *,
    threads: int = 1,
    stop: NDArray[np.uint8] | None = None,
) -> Iterator[Solved]:
    """Solve batch by batch; every solution is checked, and a puzzle whose clues break a rule is refused with its line."""
    from tablero.puzzles.sudoku.kernels.search import solve_many

    for batch in batches:
        began, cpu = time.monotonic(), time.process_time()
        answers, counts = solve_many(batch.boards, limit, threads=threads, stop=stop)
        seconds, used = time.monotonic() - began, time.process_time() - cpu
        solved = counts > 0
        if wrong := check.first_fault(batch.boards[solved], answers[solved]):
            raise AssertionError(f"a kernel returned what is no solution: {wrong}")
        for k in np.flatnonzero(counts == 0).tolist():
            try:
                Sudoku(tuple(batch.boards[k].tolist()))
            except BadInput as error:
                raise BadInput(f"{source}:{batch.lines[k]}: {error}") from None
        yield Solved(batch, answers, counts, seconds, used)
        if stop is not None and stop[0]:
            return


def to_lines(boards: Boards) -> bytes:
    """Boards as lines of text."""
    text = np.full((len(boards), _CELLS + 1), ord("\n"), np.uint8)
    text[:, :_CELLS] = _MARKS[boards]
    return text.tobytes()
