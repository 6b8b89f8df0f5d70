"""A position of a puzzle that is being solved by logic, and the steps that change it.

    candidate    a digit that a cell can still hold, as (cell, digit)
    cands        for each cell its candidates, with bit d for digit d; zero for a filled cell
    places       for each digit the cells that can still hold it, with bit c for cell c
    peers        the cells that share a unit or a cage with a cell

A set of cells is a whole number with a bit for each cell.  So the intersection of two sets is one operation on boards of any
size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial, reduce, wraps
from itertools import pairwise, takewhile
from operator import or_
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast

from tablero import interrupts
from tablero.runs.progress import Snapshot
from tablero.runs.run import Clock, Run
from tablero.sudoku.puzzle import SYMBOLS, Layout, Sudoku, cell_name
from tablero.sudoku.reasons import bits, in_words

_REMEMBERED = 50_000  # the most sets of cells in the cache of a layout
_FIRST = 4  # the longest chain that adds nothing to a rating

Candidate = tuple[int, int]
Link = tuple[Candidate, Candidate]
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Step:
    """A step: its explanation, the changes that it makes, and what a drawing highlights.

    The finder of a technique leaves `technique` and `rating` empty; `Technique` sets them.
    """

    sentence: str
    placed: tuple[Candidate, ...] = ()
    removed: tuple[Candidate, ...] = ()
    cells: tuple[int, ...] = ()  # highlighted cells
    good: tuple[Candidate, ...] = ()  # the pattern
    other: tuple[Candidate, ...] = ()  # the second colour of the pattern
    links: tuple[Link, ...] = ()  # strong links: at least one of the two is true
    weak: tuple[Link, ...] = ()  # weak links: at most one of the two is true
    more: tuple[tuple[Candidate, ...], ...] = ()  # further colours: fins, or sets after the second
    length: int = 0  # of a chain or a net: the number of nodes minus two, which raises the rating
    raised: float = 0.0  # what the size of the pattern adds to the rating
    proof: str = ""  # of a net: a line for each node with its reason, as the sentence names only some nodes
    technique: str = ""
    rating: float = 0.0

    @property
    def fine_rating(self) -> float:
        """The rating in hundredths, with finer grades for the length."""
        return finer(self.rating, self.length)

    @property
    def result(self) -> tuple[frozenset[Candidate], frozenset[Candidate]]:
        """The placed and the removed candidates; a technique reports one step for each result."""
        return frozenset(self.placed), frozenset(self.removed)

    def values(self, side: int) -> dict[str, Any]:
        """The step as a JSON object."""

        def listed(candidates: Iterable[Candidate]) -> list[list[str]]:
            return [[cell_name(cell, side), SYMBOLS[digit]] for cell, digit in candidates]

        return {
            "technique": self.technique,
            "rating": self.rating,
            "fine_rating": self.fine_rating,
            "sentence": self.sentence,
            "placed": listed(self.placed),
            "removed": listed(self.removed),
            **({"proof": self.proof.split("\n")} if self.proof else {}),
        }


Find = Callable[["Position"], Iterator[Step]]


# The length of a chain or a net raises its rating.  Sudoku Explainer adds 0.1 for each of the bounds 4, 6, 8, 12, 16, … that
# the length exceeds.  The finer rating also grades lengths between two bounds; rounded up to a tenth it is the rating.


def _bounds() -> Iterator[int]:
    """Yield 4, 6, 8, 12, 16, 24, …: multiply by 3/2 and by 4/3 in turn."""
    most = _FIRST
    while True:
        yield most
        yield most * 3 // 2
        most *= 2


def longer(base: float, length: int) -> float:
    """Add to a rating what Sudoku Explainer adds for a length."""
    return round(base + 0.1 * sum(1 for _ in takewhile(lambda most: most < length, _bounds())), 1)


def finer(rating: float, length: int) -> float:
    """Refine the result of `longer` to hundredths by where the length lies between two bounds."""
    if length <= _FIRST:
        return rating
    least, most = next((least, most) for least, most in pairwise(_bounds()) if length <= most)
    return round(rating - 10 * (most - length) // (most - least) / 100, 2)


# Sets


def as_set(numbers: Iterable[int]) -> int:
    """The set of some different numbers."""
    return sum(1 << number for number in numbers)


def union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def spread(digit: int, cells: int) -> tuple[Candidate, ...]:
    """The candidates of a digit in a set of cells."""
    return tuple((cell, digit) for cell in bits(cells))


# Finders


def by_digit(find: Callable[Concatenate[Position, int, P], Iterator[Step]], *args: P.args, **options: P.kwargs) -> Find:
    """Make the finder of a technique that examines one digit at a time.

    It skips a digit if it found nothing for the same places of the digit before.
    """
    look = partial(find, **options)

    def search(position: Position) -> Iterator[Step]:
        for digit, places in enumerate(position.places):
            position.check()
            if not places or (look, digit, places) in position.known_failures:
                continue
            step = None
            for step in look(position, digit, *args):
                yield step
            if step is None:
                position.known_failures.add((look, digit, places))

    return search


def two_at_once(find: Find, alike: Callable[[Step], object], also: Find | None = None) -> Find:
    """Make a finder that combines two steps with the same key.

    Parameters
    ----------
    find
        The finder of the second steps, and of first steps.
    alike
        The key of a step.
    also
        Another finder of first steps.
    """

    def search(position: Position) -> Iterator[Step]:
        seen: dict[object, list[Step]] = {}
        for step in also(position) if also else ():
            seen.setdefault(alike(step), []).append(step)
        for step in find(position):
            key = alike(step)
            for other in seen.get(key, ()):
                if set(other.removed) != set(step.removed):
                    good = tuple(dict.fromkeys(other.good + step.good))
                    yield Step(
                        f"Two at once. {other.sentence} And: {step.sentence}",
                        removed=tuple(sorted({*other.removed, *step.removed})),
                        cells=tuple(dict.fromkeys(other.cells + step.cells)),
                        good=good,
                        other=tuple(dict.fromkeys(c for c in other.other + step.other if c not in good)),
                        links=other.links + step.links,
                        weak=other.weak + step.weak,
                    )
            seen.setdefault(key, []).append(step)

    return search


def remembered(work: Callable[Concatenate[Position, P], T]) -> Callable[Concatenate[Position, P], T]:
    """Compute a function of a position once, and keep the result until the position changes."""

    @wraps(work)
    def kept(position: Position, /, *args: P.args, **options: P.kwargs) -> T:
        key, memo = (work, args), position.memo
        if key not in memo:
            memo[key] = work(position, *args, **options)
        return cast(T, memo[key])

    return kept


class Geometry:
    """The units of a layout and the peers of its cells, as sets."""

    def __init__(self, layout: Layout) -> None:
        self.side, self.size = side, size = layout.side, layout.size
        self.units = layout.units
        self.masks = masks = [as_set(unit.cells) for unit in self.units]
        self.rows, self.columns = range(side), range(side, 2 * side)
        boxes = list(range(2 * side, 3 * side))
        lines = [*range(2 * side), *range(3 * side, len(masks))]  # rows, columns, diagonals
        self.kinds = {"boxes": boxes, "lines": lines}
        self.cages = [as_set(cage.cells) for cage in layout.cages]
        self.units_of = [[k for k, mask in enumerate(masks) if mask >> cell & 1] for cell in range(size)]
        self.peers = [
            union(mask for mask in (*masks, *self.cages) if mask >> cell & 1) & ~(1 << cell) for cell in range(size)
        ]
        # For each kind its units that share several cells with a unit of the other kind: the unit, the cells of this unit
        # alone, the cells of the other alone, the shared cells, the other unit.
        self.meetings = {
            kind: [
                (one, masks[one] & ~masks[other], masks[other] & ~masks[one], masks[one] & masks[other], other)
                for one in homes
                for other in others
                if (masks[one] & masks[other]).bit_count() > 1
            ]
            for kind, homes, others in (("boxes", boxes, lines), ("lines", lines, boxes))
        }
        self._seen: dict[int, int] = {0: 0}

    def common_peers(self, cells: Iterable[int]) -> int:
        """The cells that are peers of all of these cells."""
        near = -1
        for cell in cells:
            near &= self.peers[cell]
        return near

    def seen_by(self, cells: int) -> int:
        """The same for a set of cells, with a cache for chains and locked sets."""
        near = self._seen.get(cells)
        if near is None:
            near = self.common_peers(bits(cells))
            if len(self._seen) < _REMEMBERED:
                self._seen[cells] = near
        return near

    def shared(self, cells: int) -> list[int]:
        """The units that contain all of these cells."""
        return [k for k, mask in enumerate(self.masks) if not cells & ~mask]


geometry_of = lru_cache(maxsize=32)(Geometry)


class Deadline:
    """The time limit of a run, starting now.  Compiling kernels is reported and does not count."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._clock = Clock(run)
        self._setup = 0.0  # seconds of compiling

    @property
    def is_over(self) -> bool:
        limit = self._run.time_limit
        return limit is not None and self._clock.seconds - self._setup >= limit

    @contextmanager
    def compiling(self, what: str) -> Iterator[None]:
        """Report that kernels are being compiled, and exclude the time."""
        began = self._clock.seconds
        self._run.report(Snapshot(doing=f"compiling {what}"))
        try:
            yield
        finally:
            self._run.report(Snapshot(over=True))
            self._setup += self._clock.seconds - began


class Ending:
    """A context that catches TimeoutError and KeyboardInterrupt, so that a search keeps what it has found."""

    TIME, INTERRUPTED = "the time is up", "interrupted"

    text = ""  # which of the two ended the search; empty if it was completed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        if isinstance(error, TimeoutError | KeyboardInterrupt):
            self.text = self.TIME if isinstance(error, TimeoutError) else self.INTERRUPTED
        return bool(self.text)


class Position:
    """A partly solved puzzle with its candidates.

    Parameters
    ----------
    puzzle
        The puzzle whose clues are placed.
    unique
        Whether the puzzle is known to have exactly one solution.  Uniqueness techniques are used only then.

    Examples
    --------
    >>> import tablero as tb
    >>> from tablero.sudoku.logic import Position, next_step
    >>> next_step(Position(tb.sudoku.parse(".4.1...2....31.."))).sentence
    'r2c1 is the only place for 1 in box 1.'
    """

    def __init__(self, puzzle: Sudoku, *, unique: bool = False) -> None:
        self.puzzle = puzzle
        self.unique = unique
        self.solutions: int | None = None  # the number of solutions of the puzzle, at most 2; None if it is not known
        self.warning = ""  # what is known to be wrong with the puzzle
        self.geometry = geometry_of(puzzle.layout)
        self.side, self.size = puzzle.side, puzzle.layout.size
        every = (1 << self.side + 1) - 2
        self.values = [0] * self.size
        self.cands = [every] * self.size
        self.places = [0] + [(1 << self.size) - 1] * self.side
        self.empty = (1 << self.size) - 1
        self.memo: dict[object, object] = {}  # the cache of `remembered`, cleared by each change
        self.known_failures: set[object] = (
            set()
        )  # finders of `by_digit` that found nothing, with the digit and its places
        self.deadline: Deadline | None = None
        for cell, digit in enumerate(puzzle.cells):
            if digit:
                self.place(cell, digit)

    def copy(self) -> Position:
        """A copy that can be changed independently."""
        twin = object.__new__(Position)
        twin.__dict__.update(self.__dict__)
        twin.memo = {}
        twin.values, twin.cands, twin.places = self.values.copy(), self.cands.copy(), self.places.copy()
        return twin

    def place(self, cell: int, digit: int) -> None:
        """Fill a cell, and remove the digit from its peers."""
        here = 1 << cell
        self.memo = {}
        self.values[cell] = digit
        for other in bits(self.cands[cell]):
            self.places[other] &= ~here
        self.cands[cell] = 0
        self.empty &= ~here
        hit = self.places[digit] & self.geometry.peers[cell]
        self.places[digit] &= ~hit
        for peer in bits(hit):
            self.cands[peer] &= ~(1 << digit)

    def remove(self, cell: int, digit: int) -> None:
        """Remove a candidate."""
        self.memo = {}
        self.cands[cell] &= ~(1 << digit)
        self.places[digit] &= ~(1 << cell)

    def apply(self, step: Step) -> None:
        for cell, digit in step.removed:
            self.remove(cell, digit)
        for cell, digit in step.placed:
            self.place(cell, digit)

    def check(self) -> None:
        """Raise KeyboardInterrupt or TimeoutError if the search must stop; long searches call this often."""
        interrupts.check()
        if self.deadline is not None and self.deadline.is_over:
            raise TimeoutError("the time is up")

    def fault(self) -> str:
        """Why the position has no solution: a cell without candidates, or a unit without a place for a digit; else empty."""
        for cell in bits(self.empty):
            if not self.cands[cell]:
                return f"no digit is left for {cell_name(cell, self.side)}"
        for unit, mask in zip(self.geometry.units, self.geometry.masks, strict=True):
            held = {self.values[cell] for cell in unit.cells}
            for digit in range(1, self.side + 1):
                if not self.places[digit] & mask and digit not in held:
                    return f"no place is left for {SYMBOLS[digit]} in {unit.name}"
        return ""

    def candidates_in(self, cells: int | Iterable[int], digits: int = -1) -> tuple[Candidate, ...]:
        """The candidates of some digits in some cells, ordered by cell."""
        numbers = bits(cells) if isinstance(cells, int) else cells
        return tuple((cell, digit) for cell in numbers for digit in bits(self.cands[cell] & digits))

    def places_in(self, digits: int, cells: int) -> tuple[Candidate, ...]:
        """The same, ordered by digit."""
        return tuple((cell, digit) for digit in bits(digits) for cell in bits(self.places[digit] & cells))

    # Texts for sentences

    def name(self, cell: int) -> str:
        return cell_name(cell, self.side)

    def names(self, cells: int | Iterable[int]) -> str:
        return in_words([self.name(cell) for cell in (bits(cells) if isinstance(cells, int) else cells)])

    def word(self, candidate: Candidate, true: bool) -> str:
        """A statement about a candidate, such as `r2c5 is not 3`."""
        return f"{self.name(candidate[0])} is {'' if true else 'not '}{SYMBOLS[candidate[1]]}"

    def listed(self, candidates: Iterable[Candidate]) -> str:
        """Candidates grouped by digit, such as `3 from r1c2 and r1c5, and 4 from r2c2`."""
        by_digit: dict[int, list[int]] = {}
        for cell, digit in candidates:
            by_digit.setdefault(digit, []).append(cell)
        parts = [f"{SYMBOLS[digit]} from {self.names(sorted(cells))}" for digit, cells in sorted(by_digit.items())]
        return parts[0] if len(parts) == 1 else ", and ".join([", ".join(parts[:-1]), parts[-1]])


def digits_text(digits: int) -> str:
    """A set of digits in words, such as `2, 5 and 7`."""
    return in_words([SYMBOLS[digit] for digit in bits(digits)])
