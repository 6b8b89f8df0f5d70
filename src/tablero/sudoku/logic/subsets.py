"""Subsets: k cells of a unit that hold k digits (naked), or k digits of a unit that fit into k cells (hidden).

A naked subset is locked where its cells lie in a box and in a line, and candidates go from both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from tablero.sudoku.logic.position import Candidate, Position, Step, bits, digits_text
from tablero.sudoku.puzzle import SYMBOLS

Find = Callable[[Position], Iterator[Step]]
_WORD = {2: "pair", 3: "triplet", 4: "quad"}


class _Subset(NamedTuple):
    """Digits and cells of a unit that belong together, and the candidates that go."""

    unit: int
    digits: int
    cells: tuple[int, ...]
    removed: tuple[Candidate, ...]


def naked(size: int, rating: float) -> Find:
    """A finder of naked subsets of one size."""
    return lambda position: _naked(position, size, rating, locked=False)


def locked(size: int, rating: float) -> Find:
    """A finder of locked subsets of one size."""
    return lambda position: _naked(position, size, rating, locked=True)


def _naked(position: Position, size: int, rating: float, *, locked: bool) -> Iterator[Step]:
    cands, geometry = position.cands, position.geometry
    name = f"{'locked' if locked else 'naked'} {_WORD[size]}"
    for unit, digits, chosen, removed in _naked_subsets(position, size):
        if locked and not _from_two_units(position, unit, chosen, removed):
            continue
        sentence = (
            f"{position.names(chosen)} in {geometry.units[unit].name} hold only {digits_text(digits)}: those digits go "
            f"from the other cells that all of them see."
        )
        good = tuple((cell, digit) for cell in chosen for digit in bits(cands[cell]))
        yield Step(name, rating, sentence, removed=removed, cells=chosen, good=good)


def _naked_subsets(position: Position, size: int) -> Iterator[_Subset]:
    cands, geometry = position.cands, position.geometry
    for k, unit in enumerate(geometry.units):
        if (position.empty & geometry.masks[k]).bit_count() <= size:
            continue
        few = [cell for cell in unit.cells if 2 <= cands[cell].bit_count() <= size]
        for chosen in combinations(few, size):
            digits = 0
            for cell in chosen:
                digits |= cands[cell]
            if digits.bit_count() != size:
                continue
            near = geometry.common_peers(chosen)
            removed = tuple((cell, digit) for digit in bits(digits) for cell in bits(position.places[digit] & near))
            if removed:
                yield _Subset(k, digits, chosen, removed)


def _from_two_units(position: Position, unit: int, chosen: tuple[int, ...], removed: tuple[Candidate, ...]) -> bool:
    """Whether the cells share a box and a line, and each of them loses something outside the other."""
    masks, boxes = position.geometry.masks, position.geometry.boxes
    gone = 0
    for cell, _ in removed:
        gone |= 1 << cell
    shared = position.geometry.shared(sum(1 << cell for cell in chosen))
    box = next((k for k in shared if k in boxes), None)
    line = next((k for k in shared if k not in boxes), None)
    if box is None or line is None or unit != box:
        return False
    return bool(gone & masks[box] & ~masks[line]) and bool(gone & masks[line] & ~masks[box])


def _hidden_subsets(position: Position, size: int) -> Iterator[_Subset]:
    places = position.places
    for k, mask in enumerate(position.geometry.masks):
        if (position.empty & mask).bit_count() <= size:
            continue
        here = [(digit, places[digit] & mask) for digit in range(1, position.side + 1) if places[digit] & mask]
        few = [(digit, cells) for digit, cells in here if 2 <= cells.bit_count() <= size]
        for chosen in combinations(few, size):
            cells = digits = 0
            for digit, where in chosen:
                cells |= where
                digits |= 1 << digit
            if cells.bit_count() == size:
                removed = tuple((cell, d) for cell in bits(cells) for d in bits(position.cands[cell] & ~digits))
                if removed:
                    yield _Subset(k, digits, tuple(bits(cells)), removed)


def _hidden_step(position: Position, name: str, rating: float, found: _Subset) -> Step:
    unit = position.geometry.units[found.unit]
    sentence = (
        f"In {unit.name} the digits {digits_text(found.digits)} fit only into {position.names(found.cells)}: those cells "
        f"hold nothing else."
    )
    good = tuple((cell, digit) for cell in found.cells for digit in bits(position.cands[cell] & found.digits))
    return Step(name, rating, sentence, removed=found.removed, cells=unit.cells, good=good)


def hidden(size: int, rating: float) -> Find:
    """A finder of hidden subsets of one size."""
    name = f"hidden {_WORD[size]}"
    return lambda position: (_hidden_step(position, name, rating, f) for f in _hidden_subsets(position, size))


def direct_hidden(size: int, rating: float) -> Find:
    """A finder of hidden subsets after which another digit of the unit has one place left there."""
    name = f"direct hidden {_WORD[size]}"

    def find(position: Position) -> Iterator[Step]:
        for found in _hidden_subsets(position, size):
            mask = position.geometry.masks[found.unit]
            for digit in sorted({digit for _, digit in found.removed}):
                left = position.places[digit] & mask & ~sum(1 << cell for cell in found.cells)
                if left.bit_count() == 1:
                    step = _hidden_step(position, name, rating, found)
                    cell = left.bit_length() - 1
                    sentence = (
                        f"{step.sentence[:-1]}, and {position.name(cell)} is left as the only place for "
                        f"{SYMBOLS[digit]} in {position.geometry.units[found.unit].name}."
                    )
                    yield Step(name, rating, sentence, ((cell, digit),), found.removed, step.cells, step.good)

    return find
