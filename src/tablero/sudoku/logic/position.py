"""A position in a puzzle that is being solved by logic, and the steps that change it.

    candidate    a digit that a cell can still hold, as (cell, digit)
    cands        for each cell its candidates, bit d for digit d; nothing for a filled cell
    places       for each digit the cells that can still hold it, bit c for cell c
    peers        the cells that share a unit with a cell

Sets of cells are whole numbers with a bit for each cell: what two sets share is one operation, on boards of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypedDict

from tablero import interrupts
from tablero.sudoku.logic.grades import finer
from tablero.sudoku.puzzle import SYMBOLS, Layout, Sudoku, Unit, cell_name

if TYPE_CHECKING:
    from tablero.sudoku.logic.attention import Attention

_REMEMBERED = 50_000  # sets of cells a layout

Candidate = tuple[int, int]
Link = tuple[Candidate, Candidate]


@dataclass(frozen=True)
class Step:
    """What was seen, what follows from it, and what to mark in a drawing."""

    technique: str
    rating: float
    sentence: str
    placed: tuple[Candidate, ...] = ()
    removed: tuple[Candidate, ...] = ()
    cells: tuple[int, ...] = ()  # looked at
    good: tuple[Candidate, ...] = ()  # the pattern
    other: tuple[Candidate, ...] = ()  # its second colour
    links: tuple[Link, ...] = ()  # strong: one of the two is true
    weak: tuple[Link, ...] = ()  # weak: not both are true
    more: tuple[tuple[Candidate, ...], ...] = ()  # further colours: fins, sets after the second
    length: int = 0  # of a chain or a net: its nodes, less two, by which it is graded
    proof: str = ""  # of a net, whose sentence names only some nodes: all of them with their reasons, a line each

    @property
    def fine_rating(self) -> float:
        """The rating with its length graded to hundredths."""
        return finer(self.rating, self.length)

    @property
    def result(self) -> tuple[frozenset[Candidate], frozenset[Candidate]]:
        """What it changes: two steps of a technique with the same result are told once."""
        return frozenset(self.placed), frozenset(self.removed)

    def values(self, side: int) -> dict[str, Any]:
        """What is told of it, as JSON can hold it."""

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


class Marked(TypedDict, total=False):
    """What a step marks in a drawing, by the names of its fields."""

    cells: tuple[int, ...]
    good: tuple[Candidate, ...]
    other: tuple[Candidate, ...]
    links: tuple[Link, ...]
    weak: tuple[Link, ...]
    more: tuple[tuple[Candidate, ...], ...]


def spread(digit: int, cells: int) -> tuple[Candidate, ...]:
    """A digit in each cell of a set."""
    return tuple((cell, digit) for cell in bits(cells))


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, upwards."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def by_digit(technique: str, find: Callable[[Position, int], Iterator[Step]]) -> Callable[[Position], Iterator[Step]]:
    """A technique that looks at one digit at a time: it passes over digits whose places are as when it found nothing."""

    def search(position: Position) -> Iterator[Step]:
        for digit, places in enumerate(position.places):
            position.check()
            if not places or (technique, digit, places) in position.barren:
                continue
            step = None
            for step in find(position, digit):
                yield step
            if step is None:
                position.barren.add((technique, digit, places))

    return search


def two_at_once(
    steps: Iterable[Step], name: str, alike: Callable[[Step], object], *, also: Iterable[Step] = ()
) -> Iterator[Step]:
    """Two steps that are alike, as one: what goes by the first and what goes by the second; `also` holds first ones."""
    seen: dict[object, list[Step]] = {}
    for step in also:
        seen.setdefault(alike(step), []).append(step)
    for step in steps:
        key = alike(step)
        for other in seen.get(key, ()):
            if set(other.removed) != set(step.removed):
                removed = tuple(sorted({*other.removed, *step.removed}))
                good = dict.fromkeys(c for c in (*other.good, *step.good) if c not in removed)
                rest = dict.fromkeys(c for c in (*other.other, *step.other) if c not in good and c not in removed)
                sentence = f"Two at once. {other.sentence} And: {step.sentence}"
                yield Step(
                    name,
                    step.rating,
                    sentence,
                    removed=removed,
                    cells=tuple(dict.fromkeys((*other.cells, *step.cells))),
                    good=tuple(good),
                    other=tuple(rest),
                    links=other.links + step.links,
                    weak=other.weak + step.weak,
                )
        seen.setdefault(key, []).append(step)


class Geometry:
    """The units of a layout and the peers of its cells, as sets."""

    def __init__(self, layout: Layout) -> None:
        self.side, self.size = layout.side, layout.size
        self.units: tuple[Unit, ...] = layout.units
        self.masks = [sum(1 << cell for cell in unit.cells) for unit in self.units]
        side = self.side
        self.lines = [*range(2 * side), *range(3 * side, len(self.units))]  # rows, columns, diagonals
        self.boxes = list(range(2 * side, 3 * side))
        self.cages = [sum(1 << cell for cell in cage.cells) for cage in layout.cages]  # no digit twice in a cage
        self.rows, self.columns = range(side), range(side, 2 * side)
        self.units_of = [[k for k, mask in enumerate(self.masks) if mask >> cell & 1] for cell in range(self.size)]
        self.peers = []
        for cell in range(self.size):
            near = 0
            for k in self.units_of[cell]:
                near |= self.masks[k]
            for mask in self.cages:
                if mask >> cell & 1:
                    near |= mask
            self.peers.append(near & ~(1 << cell))
        self._seen: dict[int, int] = {0: 0}

    def common_peers(self, cells: Iterable[int]) -> int:
        """The cells that are peers of all of these."""
        near = -1
        for cell in cells:
            near &= self.peers[cell]
        return near

    def seen_by(self, cells: int) -> int:
        """The same for a set of cells; remembered, as chains and locked sets ask again and again."""
        near = self._seen.get(cells)
        if near is None:
            near = self.common_peers(bits(cells))
            if len(self._seen) < _REMEMBERED:
                self._seen[cells] = near
        return near

    @lru_cache(maxsize=8)  # noqa: B019 — geometries are kept for good
    def meetings(self, homes: tuple[int, ...], targets: tuple[int, ...]) -> list[tuple[int, int, int, int, int]]:
        """Pairs of units that share several cells: home, its own cells, those of the target, the shared ones, target."""
        masks = self.masks
        return [
            (h, masks[h] & ~masks[t], masks[t] & ~masks[h], masks[h] & masks[t], t)
            for h in homes
            for t in targets
            if (masks[h] & masks[t]).bit_count() > 1
        ]

    def shared(self, cells: int) -> list[int]:
        """The units that hold all of these cells."""
        return [k for k, mask in enumerate(self.masks) if not cells & ~mask]


@lru_cache(maxsize=32)
def geometry_of(layout: Layout) -> Geometry:
    return Geometry(layout)


class Position:
    """Where a puzzle stands.  Steps are found by techniques and applied here."""

    def __init__(self, puzzle: Sudoku, *, unique: bool = False) -> None:
        self.puzzle = puzzle
        self.unique = unique  # whether the puzzle is known to have one solution
        self.solutions: int | None = None  # of the puzzle, as far as 2; None where that is not known
        self.warning = ""  # what is known to be wrong with it
        self.geometry = geometry_of(puzzle.layout)
        self.side, self.size = puzzle.side, puzzle.layout.size
        every = (1 << self.side + 1) - 2
        self.values = [0] * self.size
        self.cands = [every] * self.size
        self.places = [0] + [(1 << self.size) - 1] * self.side
        self.empty = (1 << self.size) - 1
        self.memo: dict[str, object] = {}  # what techniques have worked out here, until something changes
        self.barren: set[tuple[str, int, int]] = set()  # techniques of one digit that found nothing, with its places
        self.attention: Attention | None = None  # to the time, while steps are looked for
        for cell, digit in enumerate(puzzle.cells):
            if digit:
                self.place(cell, digit)

    def copy(self) -> Position:
        """The same position, free to change."""
        twin = object.__new__(Position)
        twin.__dict__.update(self.__dict__)
        twin.memo = {}
        twin.values, twin.cands, twin.places = self.values.copy(), self.cands.copy(), self.places.copy()
        return twin

    @property
    def left(self) -> int:
        """How many cells are empty."""
        return self.empty.bit_count()

    def place(self, cell: int, digit: int) -> None:
        """Fill a cell; its peers lose the digit."""
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
        """A cell cannot hold a digit."""
        self.memo = {}
        self.cands[cell] &= ~(1 << digit)
        self.places[digit] &= ~(1 << cell)

    def apply(self, step: Step) -> None:
        for cell, digit in step.removed:
            self.remove(cell, digit)
        for cell, digit in step.placed:
            self.place(cell, digit)

    def check(self) -> None:
        """Whoever looks for long asks here, again and again, whether to go on."""
        interrupts.check()
        if self.attention is not None and self.attention.is_late:
            raise TimeoutError("the time is up")

    def fault(self) -> str:
        """Why there can be no solution from here on; nothing where none is seen."""
        for cell in bits(self.empty):
            if not self.cands[cell]:
                return f"no digit is left for {cell_name(cell, self.side)}"
        for k, mask in enumerate(self.geometry.masks):
            missing = 0
            for digit in range(1, self.side + 1):
                if not self.places[digit] & mask:
                    missing |= 1 << digit
            if missing:
                for cell in self.geometry.units[k].cells:
                    missing &= ~(1 << self.values[cell])
                for digit in bits(missing):
                    return f"no place is left for {SYMBOLS[digit]} in {self.geometry.units[k].name}"
        return ""

    # Words for sentences

    def name(self, cell: int) -> str:
        return cell_name(cell, self.side)

    def names(self, cells: int | Iterable[int]) -> str:
        return _and([self.name(cell) for cell in (bits(cells) if isinstance(cells, int) else cells)])

    def told(self, candidates: Iterable[Candidate]) -> str:
        """Candidates grouped by digit, as 3 from r1c2 and r1c5, and 4 from r2c2."""
        by_digit: dict[int, list[int]] = {}
        for cell, digit in candidates:
            by_digit.setdefault(digit, []).append(cell)
        parts = [f"{SYMBOLS[digit]} from {self.names(sorted(cells))}" for digit, cells in sorted(by_digit.items())]
        return parts[0] if len(parts) == 1 else ", and ".join([", ".join(parts[:-1]), parts[-1]])


def digits_text(digits: int | Iterable[int]) -> str:
    """Digits as 2, 5 and 7; a number is a set of bits."""
    return _and([SYMBOLS[digit] for digit in (bits(digits) if isinstance(digits, int) else digits)])


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
