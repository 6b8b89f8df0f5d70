"""New puzzles by seed, each with one solution; what they should be like says a `Wish`.

    generate         one puzzle
    generate_many    as many as are wanted, one by one as they are made
    make             the same, all at once and with the time that it took

Plain 9×9 boards are made in batches by the kernel of bands, thousands a second; all others are carved (see `carve`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from tablero import interrupts
from tablero.errors import BadInput
from tablero.runs.run import HERE, Here, Run, require_here
from tablero.runs.watch import Snapshot
from tablero.sudoku import verbs
from tablero.sudoku.carve import Searcher, others
from tablero.sudoku.logic import Position, walk
from tablero.sudoku.puzzle import Layout, Sudoku
from tablero.sudoku.rating import HARDEST
from tablero.sudoku.verbs import MOST
from tablero.sudoku.wish import Wish, groups_of
from tablero.verbs.parameters import spell
from tablero.words import several

if TYPE_CHECKING:
    from tablero.draw.sheet import Worksheet

P = ParamSpec("P")
_BATCH = 2_000
_GLANCE = 0.1  # seconds between two looks at the clock


@dataclass(frozen=True, repr=False)
class Made:
    """Puzzles that were made, all that were wanted or fewer."""

    puzzles: tuple[Sudoku, ...]
    wanted: int
    seconds: float
    interrupted: bool = False
    clues: int | None = None  # how many each was to have
    seed: int | None = None

    @property
    def status(self) -> str:
        """complete, or open where the time was up before."""
        return "complete" if len(self.puzzles) == self.wanted else "open"

    @property
    def puzzle(self) -> Sudoku:
        """The first of them; a TimeoutError where the time was up before there was one."""
        if not self.puzzles:
            raise TimeoutError("no such puzzle was made within the time limit")
        return self.puzzles[0]

    def worksheet(self, per_page: int = 6, title: str = "") -> Worksheet:
        """Pages of them, with their solutions at the end."""
        from tablero.sudoku.worksheets import sheet_of

        return sheet_of(self.puzzles, per_page, title)

    def to_dict(self) -> dict[str, Any]:
        """The puzzles, as JSON can hold them."""
        from tablero.sudoku.formats import write

        values: dict[str, Any] = {
            "status": self.status,
            "solutions": len(self.puzzles),
            "seconds": round(self.seconds, 6),
        }
        values["answers"] = [puzzle.line() for puzzle in self.puzzles]
        if self.puzzles and not self.puzzles[0].layout.is_plain:
            values["puzzles"] = [write(puzzle) for puzzle in self.puzzles]
        return values

    def lines(self) -> Iterator[str]:
        """The puzzles; those with more rules than the plain ones are separated by blank lines."""
        from tablero.sudoku.formats import write

        for number, puzzle in enumerate(self.puzzles):
            yield ("\n" if number and not puzzle.layout.is_plain else "") + write(puzzle).rstrip("\n")

    def remarks(self) -> Iterator[str]:
        number = several(len(self.puzzles), "puzzle")
        yield f"{number} with one solution{' each' * (len(self.puzzles) != 1)}, in {self.seconds:.2f} s"
        more = [puzzle.clues for puzzle in self.puzzles if puzzle.clues > (self.clues or 625)]
        if more:
            have = f"{len(more):,} of {number} with more than {self.clues} clues, up to {max(more)}"
            yield f"{have}: no other clue can be taken away from them"
        if self.seed == 0:
            yield seed_remark()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.status}, {len(self.puzzles):,} puzzles, {self.seconds:.3g} s>"


def seed_remark() -> str:
    """Why the same puzzles are made again and again where nobody gives a seed."""
    return f"made with {spell('seed')} 0: another number makes other puzzles"


def _one(make: Callable[P, Made]) -> Callable[P, Sudoku]:
    @wraps(make)
    def generate(*given: P.args, **options: P.kwargs) -> Sudoku:
        found = make(*given, **options)
        if found.wanted != 1:
            raise BadInput(f"count={found.wanted}: generate makes one puzzle: expected generate_many")
        if found.interrupted:
            raise KeyboardInterrupt
        return found.puzzle

    return generate


generate = _one(verbs.generate)


def make(count: int, wish: Wish | None = None, *, seed: int = 0, run: Run = HERE) -> Made:
    """So many puzzles at once, and how long they took; fewer where the time is up or Ctrl-C is pressed before."""
    wish = wish or Wish()
    source = generate_many(count, wish, seed=seed, run=run)
    warm(wish, run)
    began = time.monotonic()
    puzzles: list[Sudoku] = []
    interrupted = False
    try:
        with interrupts.Polling():
            puzzles.extend(source)
    except KeyboardInterrupt:
        interrupted = True
    return Made(tuple(puzzles), count, time.monotonic() - began, interrupted, clues=wish.clues, seed=seed)


def generate_many(count: int, wish: Wish | None = None, *, seed: int = 0, run: Run = HERE) -> Iterator[Sudoku]:
    """So many puzzles one by one, the same ones for the same seed; fewer where the time is up before."""
    require_here(run, "making puzzles")
    if not 1 <= count <= MOST:
        raise BadInput(f"{count} puzzles: expected 1 to {MOST:,}")
    if run.node_limit is not None:
        raise BadInput("making puzzles has no limit on nodes: give it a time")
    return _wanted(count, wish or Wish(), seed, run)


def _wanted(count: int, wish: Wish, seed: int, run: Run) -> Iterator[Sudoku]:
    """Those among all puzzles that have the rating that is wanted."""
    threads = run.threads if isinstance(run, Here) else 1
    warm(wish, run)
    source = _plain(count, wish, seed, threads) if wish.kind == "plain" and wish.side == 9 else others(wish, seed)
    began = told = time.monotonic()
    made = 0
    try:
        for puzzle in source:
            interrupts.check()
            now = time.monotonic()
            if run.time_limit is not None and now - began > run.time_limit:
                return
            if now - told >= _GLANCE:
                told = now
                words = f"{made:,} of {count:,} puzzles"
                run.tell(Snapshot(seconds=now - began, time_limit=run.time_limit, words=words))
            if wish.rating is None or wish.rating[0] <= _rating(puzzle, wish.rating[1]) <= wish.rating[1]:
                yield puzzle
                made += 1
                if made == count:
                    return
    finally:
        run.tell(Snapshot(over=True))


def warm(wish: Wish, run: Run = HERE) -> None:
    """Compile the kernel that makes such puzzles."""
    from tablero.sudoku.kernels import cells, search  # noqa: F401 — to load them is not to compile them

    run.tell(Snapshot(doing="compiling the kernels of Sudoku"))
    try:
        if wish.kind == "plain" and wish.side == 9:
            next(batches(1, wish, 0))
        else:
            Searcher(Layout(4)).is_unique([0] * 16)
    finally:
        run.tell(Snapshot(over=True))


def _rating(puzzle: Sudoku, most: float) -> float:
    """The rating of a puzzle with one solution; as soon as it is above the most that is wanted, that is enough."""
    position = Position(puzzle, unique=True)
    value = 1.0
    for step in walk(position):
        value = max(value, step.rating)
        if value > most:
            return value
    return HARDEST if position.empty else value


# 9×9 by bands


def _plain(count: int, wish: Wish, seed: int, threads: int) -> Iterator[Sudoku]:
    layout = Layout()
    for lines in batches(count if wish.rating is None else MOST, wish, seed, threads):
        for cells in lines.tolist():
            yield Sudoku(tuple(cells), layout)


def batches(count: int, wish: Wish, seed: int, threads: int = 1) -> Iterator[NDArray[np.uint8]]:
    """Plain 9×9 puzzles as arrays, a batch at a time."""
    from tablero.sudoku.kernels.search import make_many

    seeds = np.random.default_rng(seed)
    groups = _group_rows(wish.symmetry, 9)
    size = _BATCH if wish.rating is None else 100
    for first in range(0, count, size):
        batch = seeds.integers(1, 1 << 63, size=size, dtype=np.uint64)[: count - first]
        yield make_many(batch, groups, wish.least, threads=threads)[0]


def _group_rows(symmetry: str, side: int) -> NDArray[np.int64]:
    groups = groups_of(symmetry, side)
    rows = np.full((len(groups), max(map(len, groups))), -1, np.int64)
    for row, group in zip(rows, groups, strict=True):
        row[: len(group)] = group
    return rows
