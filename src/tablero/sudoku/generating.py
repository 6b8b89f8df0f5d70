"""Make puzzles with exactly one solution from a seed, and worksheets of such puzzles.

    generate         make one puzzle
    generate_many    make several puzzles and yield each as soon as it is made
    make             make several puzzles and measure the time

symmetry    cells that are clues only together: none, half-turn, quarter-turn, mirror, diagonal
minimal     no clue (with a symmetry, no group of clues) can be removed
kind        plain, x (diagonals), jigsaw (random regions), killer (cages without clues)

The kernel of bands makes plain 9×9 boards in batches, thousands per second.  For all other boards, clues are removed from a
full board in random order; a clue is removed only if a search proves that the solution stays unique.  A killer puzzle has
no clues: random cages on a full board are tried until the solution is unique.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import zip_longest
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from tablero import interrupts
from tablero.draw.sheet import Task, Worksheet
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Clock, Here, Run, require_here
from tablero.search.random import random_state
from tablero.sudoku import verbs
from tablero.sudoku.draw import board
from tablero.sudoku.formats import write
from tablero.sudoku.kernels.cells import State, new_state, search
from tablero.sudoku.kernels.search import make_many
from tablero.sudoku.logic import Position, walk
from tablero.sudoku.puzzle import BOXES, Cage, Cells, Layout, Sudoku, to_line
from tablero.sudoku.rating import HARDEST, WORDS, find_rating
from tablero.sudoku.solving import count as count_solutions
from tablero.sudoku.solving import solve
from tablero.sudoku.verbs import MOST, PROVABLE
from tablero.text import several, unknown
from tablero.verbs import described
from tablero.verbs.parameters import spell

P = ParamSpec("P")
_USUAL = {4: 0, 6: 12, 9: 28, 12: 62, 16: 104, 25: 300}  # clues by default
_NODES = {4: 10_000, 6: 100_000, 9: 100_000, 12: 100_000, 16: 2_000, 25: 500}  # node limit of one proof
_CAGE_NODES = 2_000_000  # node limit for a killer; with a time limit, a seed would not always make the same puzzle
_BATCH = 2_000
_RATED = 500  # puzzles of a worksheet that are rated; larger worksheets show only numbers, because ratings take time


@dataclass(frozen=True)
class Options:
    """Properties of new puzzles, with the same checks as the options of `generate`.

    Parameters
    ----------
    side
        Number of rows, columns and digits: 4, 6, 9, 12, 16 or 25.
    kind
        Rules: "plain", "x" (diagonals), "jigsaw" or "killer".
    symmetry
        Symmetry of the clues: "none", "half-turn", "quarter-turn", "mirror" or "diagonal".
    minimal
        Whether no clue can be removed.
    clues
        Least number of clues that are left; by default, a usual number for the side.
    rating
        Lowest and highest rating.

    Raises
    ------
    BadInput
        If a value is out of range, or if options cannot be combined.

    Examples
    --------
    >>> import tablero as tb
    >>> [puzzle.clues for puzzle in tb.sudoku.generate_many(3, tb.sudoku.Options(clues=30), seed=1)]
    [30, 30, 30]
    """

    side: int = 9
    kind: str = "plain"
    symmetry: str = "none"
    minimal: bool = False
    clues: int | None = None
    rating: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        about = described(verbs.generate)
        options = {name: value for name, value in vars(self).items() if name != "rating"}
        about.require_sense(None, {**about.checked(options), "rating": self.rating or ""})
        if self.clues is not None and self.clues > self.side**2:
            raise BadInput(f"{spell('clues')} {self.clues}: expected 0 to {self.side**2}")

    @property
    def least(self) -> int:
        """Number of clues at which removal stops."""
        return 0 if self.minimal else _USUAL[self.side] if self.clues is None else self.clues

    @property
    def by_bands(self) -> bool:
        """Whether the kernel of bands makes the puzzles."""
        return self.kind == "plain" and self.side == 9


def wanted_rating(text: str) -> tuple[float, float] | None:
    """Parse a rating given as a word, a number or a range: hard, 3.8, 3.0-4.2; None for an empty text."""
    if not text:
        return None
    if text in WORDS:
        words = list(WORDS)
        before = words.index(text) - 1
        return (WORDS[words[before]] + 0.05 if before >= 0 else 0.0), WORDS[text]
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(?:\s*(?:-|–|\.\.)\s*([0-9]+(?:\.[0-9]+)?))?", text.strip())
    if not found:
        raise BadInput(unknown("the rating", text, WORDS, "a number, a range such as 3.0-4.2"))
    low, high = float(found[1]), float(found[2] or found[1])
    if not 1.0 <= low <= high <= HARDEST:
        raise BadInput(f"the rating {text!r}: expected numbers from 1.0 to {HARDEST}, the lower one first")
    return low - 0.001, high + 0.001


@dataclass(frozen=True, repr=False)
class Made:
    """New puzzles; fewer than requested after a time limit or Ctrl-C."""

    puzzles: tuple[Sudoku, ...]
    wanted: int
    seconds: float
    interrupted: bool = False
    clues: int | None = None  # number of clues requested
    seed: int | None = None

    @property
    def status(self) -> str:
        """ "complete", or "open" after a time limit or Ctrl-C."""
        return "complete" if len(self.puzzles) == self.wanted else "open"

    @property
    def puzzle(self) -> Sudoku:
        """The first puzzle; raises TimeoutError if none was made in time."""
        if not self.puzzles:
            raise TimeoutError("no such puzzle was made within the time limit")
        return self.puzzles[0]

    def worksheet(self, per_page: int = 6, title: str = "") -> Worksheet:
        """Return pages of the puzzles with the words of their ratings, followed by the solutions."""
        tasks = []
        for puzzle in self.puzzles:
            rated = not puzzle.layout.cages and puzzle.side <= 9 and len(self.puzzles) <= _RATED
            caption = find_rating(puzzle).word if rated else ""
            solved = solve(puzzle).boards[0]
            tasks.append(Task(board(puzzle), caption, board(puzzle, solved), write(puzzle), to_line(solved)))
        return Worksheet(tasks, title or "Sudoku", "Solutions", per_page)

    def to_dict(self) -> dict[str, Any]:
        """Return the puzzles as a JSON object."""
        values: dict[str, Any] = {
            "status": self.status,
            "solutions": len(self.puzzles),
            "seconds": round(self.seconds, 6),
            "answers": [puzzle.line() for puzzle in self.puzzles],
        }
        if self.puzzles and not self.puzzles[0].layout.is_plain:
            values["puzzles"] = [write(puzzle) for puzzle in self.puzzles]
        return values

    def lines(self) -> Iterator[str]:
        """Yield the puzzles as text; puzzles in sections are separated by blank lines."""
        for number, puzzle in enumerate(self.puzzles):
            yield ("\n" if number and not puzzle.layout.is_plain else "") + write(puzzle).rstrip("\n")

    def remarks(self) -> Iterator[str]:
        number = several(len(self.puzzles), "puzzle")
        yield f"{number} with one solution{' each' * (len(self.puzzles) != 1)}, in {self.seconds:.2f} s"
        more = [puzzle.clues for puzzle in self.puzzles if puzzle.clues > (self.clues or 625)]
        if more:
            have = f"{len(more):,} of {number} with more than {self.clues} clues, up to {max(more)}"
            yield f"{have}: no other clue can be removed from them"
        yield from _seed_remark(self.seed)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.status}, {len(self.puzzles):,} puzzles, {self.seconds:.3g} s>"


def _seed_remark(seed: int | None) -> tuple[str, ...]:
    """Return the remark that the default seed always makes the same puzzles."""
    return (f"made with {spell('seed')} 0: another number makes other puzzles",) if seed == 0 else ()


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


def make(count: int, options: Options | None = None, *, seed: int = 0, run: Run = HERE) -> Made:
    """Make `count` puzzles, or fewer after a time limit or Ctrl-C."""
    options = options or Options()
    source = generate_many(count, options, seed=seed, run=run)
    warm(options, run)
    began = time.monotonic()
    puzzles: list[Sudoku] = []
    interrupted = False
    try:
        with interrupts.Polling():
            puzzles.extend(source)
    except KeyboardInterrupt:
        interrupted = True
    return Made(tuple(puzzles), count, time.monotonic() - began, interrupted, clues=options.clues, seed=seed)


def worksheet(options: Options, *, count: int, seed: int, title: str, per_page: int) -> Worksheet:
    """Make pages of new puzzles, followed by the solutions."""
    made = Made(tuple(generate_many(count, options, seed=seed)), count, 0.0)
    return replace(made.worksheet(per_page, title), notes=_seed_remark(seed))


def generate_many(count: int, options: Options | None = None, *, seed: int = 0, run: Run = HERE) -> Iterator[Sudoku]:
    """Make puzzles and yield each as soon as it is made.

    Parameters
    ----------
    count
        Number of puzzles.
    options
        Properties of the puzzles; by default, plain 9×9 puzzles.
    seed
        Seed of the random numbers: the same seed makes the same puzzles.
    run
        Threads and time limit.  After the time limit, there are fewer puzzles.

    Yields
    ------
    Sudoku
        The next puzzle, with exactly one solution.

    Raises
    ------
    BadInput
        If `count` is out of range, or if `run` is a job or has a node limit.
    """
    require_here(run, "making puzzles")
    if not 1 <= count <= MOST:
        raise BadInput(f"{count} puzzles: expected 1 to {MOST:,}")
    if run.node_limit is not None:
        raise BadInput(f"making puzzles has no node limit: use {spell('time_limit')}")
    return _wanted(count, options or Options(), seed, run)


def _wanted(count: int, options: Options, seed: int, run: Run) -> Iterator[Sudoku]:
    """Yield the puzzles with the requested rating."""
    threads = run.threads if isinstance(run, Here) else 1
    warm(options, run)
    source = _by_bands(count, options, seed, threads) if options.by_bands else _by_cells(options, seed)
    clock = Clock(run)
    made = 0
    try:
        for puzzle in source:
            if clock.is_up(0):
                return
            clock.report(f"{made:,} of {count:,} puzzles")
            if options.rating is None or options.rating[0] <= _rating(puzzle, options.rating[1]) <= options.rating[1]:
                yield puzzle
                made += 1
                if made == count:
                    return
    finally:
        run.report(Snapshot(over=True))


def warm(options: Options, run: Run = HERE) -> None:
    """Compile the kernel that makes puzzles with these options."""
    run.report(Snapshot(doing="compiling the kernels of Sudoku"))
    try:
        if options.by_bands:
            next(batches(1, options, 0))
        else:
            _Searcher(Layout(4)).is_unique([0] * 16)
    finally:
        run.report(Snapshot(over=True))


def _rating(puzzle: Sudoku, most: float) -> float:
    """Return the rating of a puzzle with one solution; stop when the rating exceeds `most`."""
    position = Position(puzzle, unique=True)
    value = 1.0
    for step in walk(position):
        value = max(value, step.rating)
        if value > most:
            return value
    return HARDEST if position.empty else value


def _groups(symmetry: str, side: int) -> list[list[int]]:
    """Return the groups of cells that are clues only together."""

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


# 9×9 by bands


def _by_bands(count: int, options: Options, seed: int, threads: int) -> Iterator[Sudoku]:
    layout = Layout()
    for lines in batches(count if options.rating is None else MOST, options, seed, threads):
        for cells in lines.tolist():
            yield Sudoku(tuple(cells), layout)


def batches(count: int, options: Options, seed: int, threads: int = 1) -> Iterator[NDArray[np.uint8]]:
    """Make plain 9×9 puzzles and yield them in batches, as arrays."""
    seeds = np.random.default_rng(seed)
    groups = np.array([*zip_longest(*_groups(options.symmetry, 9), fillvalue=-1)], np.int64).T.copy()
    size = _BATCH if options.rating is None else 100
    for first in range(0, count, size):
        batch = seeds.integers(1, 1 << 63, size=size, dtype=np.uint64)[: count - first]
        yield make_many(batch, groups, options.least, threads=threads)[0]


# All other boards, cell by cell


class _Searcher:
    """Searches on one layout, cell by cell."""

    def __init__(self, layout: Layout, seed: int = 0) -> None:
        self.layout = layout
        self._units = np.array([unit.cells for unit in layout.units], np.int64)
        self._ordered = new_state(layout.size)
        self._random = new_state(layout.size, random_state(seed))
        self._stop = np.zeros(1, np.uint8)

    def _search(self, cells: Sequence[int], limit: int, budget: int, state: State) -> tuple[int, Cells, bool]:
        answer = np.zeros(self.layout.size, np.uint8)
        found, nodes = search(self._units, state, np.array(cells, np.uint8), limit, budget, answer, self._stop)
        return int(found), tuple(answer.tolist()), nodes < budget

    def is_unique(self, cells: Sequence[int]) -> bool:
        """Whether the search proves that there is exactly one solution."""
        found, _, finished = self._search(cells, 2, _NODES[self.layout.side], self._ordered)
        return found == 1 and finished

    def full_board(self) -> Cells | None:
        """Return a random full board, or None if the search reaches its limit."""
        found, answer, _ = self._search([0] * self.layout.size, 1, 20_000, self._random)
        return answer if found else None


def _by_cells(options: Options, seed: int) -> Iterator[Sudoku]:
    """Yield puzzles; each has its own random numbers, so that it does not depend on the others."""
    for k in range(MOST):
        luck = random.Random(f"{seed} {k}")
        puzzle = None
        while puzzle is None:
            puzzle = _killer(options.side, luck) if options.kind == "killer" else _with_clues(options, luck)
        yield puzzle


def _with_clues(options: Options, luck: random.Random) -> Sudoku | None:
    """Make a puzzle by removing clues from a full board; return None if no full board is found."""
    side = options.side
    layout = Layout(
        side, _random_regions(side, luck) if options.kind == "jigsaw" else (), diagonals=options.kind == "x"
    )
    searcher = _Searcher(layout, luck.getrandbits(63))
    large = layout.is_plain and side > PROVABLE  # too large to be filled by a search
    full = _shuffled(side, luck) if large else searcher.full_board()
    if full is None:
        return None
    cells = list(full)
    left = layout.size
    groups = _groups(options.symmetry, side)
    luck.shuffle(groups)
    for group in groups:
        if left - len(group) < options.least:
            continue
        for cell in group:
            cells[cell] = 0
        if searcher.is_unique(cells):
            left -= len(group)
        else:
            for cell in group:
                cells[cell] = full[cell]
    return Sudoku(tuple(cells), layout)


def _shuffled(side: int, luck: random.Random) -> Cells:
    """Make a full plain board: shuffle the digits, rows, columns, bands and stacks of a regular pattern."""
    tall, wide = BOXES[side]

    def order(group: int) -> list[int]:
        bands = luck.sample(range(side // group), side // group)
        return [group * band + k for band in bands for k in luck.sample(range(group), group)]

    rows, columns = order(tall), order(wide)
    digits = luck.sample(range(1, side + 1), side)
    return tuple(digits[(wide * (r % tall) + r // tall + c) % side] for r in rows for c in columns)


def _random_regions(side: int, luck: random.Random) -> Cells:
    """Make connected regions of one size: exchange cells at the borders of the boxes many times."""
    plain = Layout(side)
    regions = [plain.region(cell) for cell in range(side * side)]
    done = 0
    while done < 8 * side:
        one = luck.randrange(side * side)
        touching = [n for n in _beside(one, side) if regions[n] != regions[one]]
        if not touching:
            continue
        a, b = regions[one], regions[luck.choice(touching)]
        back = [c for c in range(side * side) if regions[c] == b and any(regions[n] == a for n in _beside(c, side))]
        two = luck.choice(back)
        regions[one], regions[two] = b, a
        if _in_one_piece(regions, a, side) and _in_one_piece(regions, b, side):
            done += 1
        else:
            regions[one], regions[two] = a, b
    first_met = {number: k for k, number in enumerate(dict.fromkeys(regions))}
    return tuple(first_met[number] for number in regions)


def _beside(cell: int, side: int) -> list[int]:
    row, column = divmod(cell, side)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [side * r + c for r, c in around if 0 <= r < side and 0 <= c < side]


def _in_one_piece(regions: Sequence[int], number: int, side: int) -> bool:
    cells = {cell for cell, region in enumerate(regions) if region == number}
    todo = [cells.pop()]
    while todo:
        near = cells.intersection(_beside(todo.pop(), side))
        cells -= near
        todo += near
    return not cells


def _killer(side: int, luck: random.Random) -> Sudoku | None:
    """Make random cages on a full board; return None if there is a second solution."""
    full = _Searcher(Layout(side), luck.getrandbits(63)).full_board()
    if full is None:
        return None
    free = set(range(side * side))
    cages = []
    while free:
        cells = [min(free)]
        free.remove(cells[0])
        wanted = luck.choice((2, 2, 3, 3, 4))
        while len(cells) < wanted:
            digits = {full[c] for c in cells}
            near = sorted({n for c in cells for n in _beside(c, side) if n in free and full[n] not in digits})
            if not near:
                break
            cells.append(luck.choice(near))
            free.remove(cells[-1])
        cages.append(Cage(sum(full[c] for c in cells), tuple(sorted(cells))))
    puzzle = Sudoku((0,) * side**2, Layout(side, cages=tuple(cages)))
    return puzzle if count_solutions(puzzle, 2, run=Here(node_limit=_CAGE_NODES)).unique else None
