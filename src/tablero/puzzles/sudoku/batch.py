"""Files of many plain 9×9 puzzles, a line each: read, solved and counted in batches, a million in seconds."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.sudoku import check
from tablero.puzzles.sudoku.formats import parse_line
from tablero.puzzles.sudoku.puzzle import SYMBOLS, Sudoku

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
    cpu: float


def read_batches(stream: BinaryIO, source: str, size: int = SIZE) -> Iterator[Batch]:
    """The puzzles of a file, batch by batch; a line that is none is refused with its number."""
    rows: list[bytes] = []
    lines: list[int] = []
    for number, line in enumerate(stream, 1):
        text = line.rstrip(b"\r\n")
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
