"""New puzzles by seed: one solution always; minimal, symmetric or of a wanted rating on request.

    generate         one puzzle
    generate_many    as many as are wanted, one by one as they are made
    make             the same, all at once and with the time that it took

    symmetry    which cells are clues together: none, half-turn, quarter-turn, mirror, diagonal
    minimal     no clue can be taken away (with a symmetry: no group of clues)
    kind        plain, x (diagonals), jigsaw (random regions), killer (cages without clues)

Plain 9×9 boards are made in batches by the kernel of bands, thousands a second.  Others start from a full board; clues are
taken away in random order while a search proves that the solution stays the only one.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.sudoku.logic import Position, walk
from tablero.puzzles.sudoku.puzzle import BOXES, Cage, Cells, Layout, Sudoku
from tablero.puzzles.sudoku.rate import HARDEST, WORDS
from tablero.runs.runner import HERE, Here, Run, require_here
from tablero.runs.watch import Snapshot

if TYPE_CHECKING:
    from tablero.puzzles.sudoku.kernels.cells import State

SYMMETRIES = ("none", "half-turn", "quarter-turn", "mirror", "diagonal")
KINDS = ("plain", "x", "jigsaw", "killer")
MOST = 10_000_000
_USUAL = {4: 0, 6: 12, 9: 28, 12: 62, 16: 104, 25: 300}  # clues, where nothing is said
_PROVABLE = 12  # the largest side on which a clue can be proved to be needed
_NODES = {4: 10_000, 6: 100_000, 9: 100_000, 12: 100_000, 16: 2_000, 25: 500}  # for one proof
_CAGE_NODES = 2_000_000  # for the proof of a killer; by nodes, as by time a seed would not always make the same puzzle
_BATCH = 2_000
_GLANCE = 0.1  # seconds between two looks at the clock


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
                raise BadInput(f"the {what} {value!r}: expected one of {', '.join(known)}")
        if self.minimal and self.clues is not None:
            raise BadInput("a minimal puzzle has as few clues as it can: leave the number of clues out")
        if self.clues is not None and not 0 <= self.clues <= self.side**2:
            raise BadInput(f"{self.clues} clues: expected 0 to {self.side**2}")
        if self.minimal and self.side > _PROVABLE:
            raise BadInput(f"a minimal board of side {self.side} cannot be proved: expected a side up to {_PROVABLE}")
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
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(?:\s*(?:-|–|\.\.)\s*(\d+(?:\.\d+)?))?", text.strip())
    if not found:
        raise BadInput(f"the rating {text!r}: expected {', '.join(WORDS)}, a number or a range as 3.0-4.2")
    low, high = float(found[1]), float(found[2] or found[1])
    if not 1.0 <= low <= high <= HARDEST:
        raise BadInput(f"the rating {text!r}: expected numbers from 1.0 to {HARDEST}, the lower one first")
    return low - 0.001, high + 0.001


@dataclass(frozen=True, repr=False)
class Made:
    """Puzzles that were made, all that were wanted or fewer."""

    puzzles: tuple[Sudoku, ...]
    wanted: int
    seconds: float
    interrupted: bool = False

    @property
    def status(self) -> str:
        """complete, or open where the time was up before."""
        return "complete" if len(self.puzzles) == self.wanted else "open"

    def values(self) -> dict[str, Any]:
        """What is told of them, as JSON can hold it."""
        from tablero.puzzles.sudoku.formats import write

        told: dict[str, Any] = {
            "status": self.status,
            "solutions": len(self.puzzles),
            "seconds": round(self.seconds, 6),
        }
        told["answers"] = [puzzle.line() for puzzle in self.puzzles]
        if self.puzzles and not self.puzzles[0].layout.is_plain:
            told["puzzles"] = [write(puzzle) for puzzle in self.puzzles]
        return told

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.status}, {len(self.puzzles):,} puzzles, {self.seconds:.3g} s>"


def generate(
    side: int = 9,
    *,
    kind: str = "plain",
    symmetry: str = "none",
    minimal: bool = False,
    clues: int | None = None,
    rating: str = "",
    seed: int = 0,
    run: Run = HERE,
) -> Sudoku:
    """A puzzle with one solution, the same one for the same seed; see `Wish`, and `wanted_rating` for the rating."""
    wish = Wish(side, kind, symmetry, minimal, clues, wanted_rating(rating) if rating else None)
    for puzzle in generate_many(1, wish, seed=seed, run=run):
        return puzzle
    raise TimeoutError(f"no such puzzle was made within {run.time_limit} s")


def make(count: int, wish: Wish | None = None, *, seed: int = 0, run: Run = HERE) -> Made:
    """So many puzzles at once, and how long they took; fewer where the time is up or Ctrl-C is pressed before."""
    wish = wish or Wish()
    source = generate_many(count, wish, seed=seed, run=run)
    warm(wish, run)
    began = time.monotonic()
    puzzles: list[Sudoku] = []
    interrupted = False
    try:
        puzzles.extend(source)
    except KeyboardInterrupt:
        interrupted = True
    return Made(tuple(puzzles), count, time.monotonic() - began, interrupted)


def generate_many(count: int, wish: Wish | None = None, *, seed: int = 0, run: Run = HERE) -> Iterator[Sudoku]:
    """So many puzzles one by one, the same ones for the same seed; fewer where the time is up before."""
    require_here(run, "making puzzles")
    if not 1 <= count <= MOST:
        raise BadInput(f"{count} puzzles: expected 1 to {MOST:,}")
    if seed < 0:
        raise BadInput(f"the seed {seed}: expected a number from 0")
    if run.node_limit is not None:
        raise BadInput("making puzzles has no limit on nodes: give it a time")
    return _wanted(count, wish or Wish(), seed, run)


def _wanted(count: int, wish: Wish, seed: int, run: Run) -> Iterator[Sudoku]:
    """Those among all puzzles that have the rating that is wanted."""
    threads = run.threads if isinstance(run, Here) else 1
    warm(wish, run)
    source = _plain(count, wish, seed, threads) if wish.kind == "plain" and wish.side == 9 else _others(wish, seed)
    began = told = time.monotonic()
    made = 0
    try:
        for puzzle in source:
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
    from tablero.puzzles.sudoku.kernels import cells, search  # noqa: F401 — to load them is not to compile them

    run.tell(Snapshot(doing="compiling the kernels of Sudoku"))
    try:
        if wish.kind == "plain" and wish.side == 9:
            next(batches(1, wish, 0))
        else:
            _Searcher(Layout(4)).is_unique([0] * 16)
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
    from tablero.puzzles.sudoku.kernels.search import make_many

    seeds = np.random.default_rng(seed)
    groups = _group_rows(wish.symmetry, 9)
    size = _BATCH if wish.rating is None else 100
    for first in range(0, count, size):
        batch = seeds.integers(1, 1 << 63, size=size, dtype=np.uint64)[: count - first]
        yield make_many(batch, groups, wish.least, threads=threads)[0]


def _groups(symmetry: str, side: int) -> list[list[int]]:
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


def _group_rows(symmetry: str, side: int) -> NDArray[np.int64]:
    groups = _groups(symmetry, side)
    rows = np.full((len(groups), max(map(len, groups))), -1, np.int64)
    for row, group in zip(rows, groups, strict=True):
        row[: len(group)] = group
    return rows


# Other boards


class _Searcher:
    """Searches of one layout, cell by cell."""

    def __init__(self, layout: Layout, seed: int = 0) -> None:
        from tablero.puzzles.sudoku.kernels import cells as sudoku_cells
        from tablero.search.random import random_state

        self._kernel = sudoku_cells.search
        self.layout = layout
        self._units = np.array([unit.cells for unit in layout.units], np.int64)
        self._ordered = sudoku_cells.new_state(layout.size)
        self._random = sudoku_cells.new_state(layout.size, random_state(seed))
        self._stop = np.zeros(1, np.uint8)

    def _search(self, cells: Sequence[int], limit: int, budget: int, state: State) -> tuple[int, Cells, bool]:
        answer = np.zeros(self.layout.size, np.uint8)
        found, nodes = self._kernel(self._units, state, np.array(cells, np.uint8), limit, budget, answer, self._stop)
        return int(found), tuple(answer.tolist()), nodes < budget

    def is_unique(self, cells: Sequence[int]) -> bool:
        """Whether it is proved that there is just one solution."""
        found, _, finished = self._search(cells, 2, _NODES[self.layout.side], self._ordered)
        return found == 1 and finished

    def full_board(self) -> Cells | None:
        """A random full board, or None where luck did not help."""
        found, answer, _ = self._search([0] * self.layout.size, 1, 20_000, self._random)
        return answer if found else None


def _others(wish: Wish, seed: int) -> Iterator[Sudoku]:
    """One puzzle after another; each has random numbers of its own, so that the k-th is the same whatever is asked for."""
    for k in range(MOST):
        luck = random.Random(f"{seed} {k}")
        puzzle = None
        while puzzle is None:
            puzzle = _killer(wish.side, luck) if wish.kind == "killer" else _carved(wish, luck)
        yield puzzle


def _carved(wish: Wish, luck: random.Random) -> Sudoku | None:
    """A full board with clues taken away."""
    layout = Layout(
        wish.side, _random_regions(wish.side, luck) if wish.kind == "jigsaw" else (), diagonals=wish.kind == "x"
    )
    searcher = _Searcher(layout, luck.getrandbits(63))
    large = layout.is_plain and wish.side > _PROVABLE  # too large for a search from nothing
    full = _shuffled(wish.side, luck) if large else searcher.full_board()
    if full is None:
        return None
    cells = list(full)
    left = layout.size
    groups = _groups(wish.symmetry, wish.side)
    luck.shuffle(groups)
    for group in groups:
        if left - len(group) < wish.least:
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
    """A full plain board: the regular pattern with its digits, its rows and columns, its bands and stacks shuffled."""
    tall, wide = BOXES[side]

    def order(group: int) -> list[int]:
        bands = luck.sample(range(side // group), side // group)
        return [group * band + k for band in bands for k in luck.sample(range(group), group)]

    rows, columns = order(tall), order(wide)
    digits = luck.sample(range(1, side + 1), side)
    return tuple(digits[(wide * (r % tall) + r // tall + c) % side] for r in rows for c in columns)


def _random_regions(side: int, luck: random.Random) -> Cells:
    """Regions of one size, each in one piece: the boxes, after many random exchanges of cells at their borders."""
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
    reached = {min(cells)}
    todo = [min(cells)]
    while todo:
        for other in _beside(todo.pop(), side):
            if other in cells and other not in reached:
                reached.add(other)
                todo.append(other)
    return reached == cells


def _killer(side: int, luck: random.Random) -> Sudoku | None:
    """Random cages on a full board; None where they have a second solution."""
    from tablero.puzzles.sudoku.solve import count

    full = _Searcher(Layout(side), luck.getrandbits(63)).full_board()
    if full is None:
        return None
    free = set(range(side * side))
    cages = []
    while free:
        cell = min(free)
        cells = [cell]
        free.remove(cell)
        wanted = luck.choice((2, 2, 3, 3, 4))
        while len(cells) < wanted:
            digits = {full[c] for c in cells}
            near = sorted({n for c in cells for n in _beside(c, side) if n in free and full[n] not in digits})
            if not near:
                break
            cells.append(luck.choice(near))
            free.remove(cells[-1])
        cages.append(Cage(sum(full[c] for c in cells), tuple(sorted(cells))))
    puzzle = Sudoku((0,) * side**2, replace(Layout(side), cages=tuple(cages)))
    found = count(puzzle, 2, run=Here(node_limit=_CAGE_NODES))
    return puzzle if found.unique else None
