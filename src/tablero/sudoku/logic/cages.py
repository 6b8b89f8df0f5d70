"""Cages: which digits can fill cells whose sum is known, no digit twice where cells see each other.

combinations    the cells of a cage
    innies          cells of one to three neighbouring units in no cage inside of them: the units' sum less the cages'
outies          cells of the cages of such units that lie outside: the cages' sum less the units'
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from tablero.sudoku.logic.position import Candidate, Geometry, Position, Step, bits
from tablero.sudoku.puzzle import SYMBOLS, Cage

_MOST = 6  # cells whose sum is looked at across cages


class Sum(NamedTuple):
    """Cells that add up to a number, and why in words."""

    cells: tuple[int, ...]
    total: int
    why: str


def cage_combinations(position: Position) -> Iterator[Step]:
    for cage in position.puzzle.layout.cages:
        why = f"The cage of {position.names(cage.cells)} adds up to {cage.total}"
        yield from _steps(position, Sum(cage.cells, cage.total, why), "cage combinations", 2.4)


def innies_and_outies(position: Position) -> Iterator[Step]:
    if position.puzzle.layout.cages:
        for found in _sums(position.geometry, position.puzzle.layout.cages):
            yield from _steps(position, found, "innies and outies", 2.9)


@lru_cache(maxsize=32)
def _sums(geometry: Geometry, cages: tuple[Cage, ...]) -> list[Sum]:
    """The sums that follow from neighbouring units; fewer cells first."""
    side = geometry.side
    every = side * (side + 1) // 2
    masks = [sum(1 << cell for cell in cage.cells) for cage in cages]
    known = {tuple(sorted(cage.cells)) for cage in cages}
    found: dict[tuple[int, ...], Sum] = {}
    for kind in (list(geometry.rows), list(geometry.columns), geometry.boxes):
        for count in range(1, 4):
            for first in range(len(kind) - count + 1):
                units = kind[first : first + count]
                if kind is geometry.boxes and any(_apart(geometry, a, b) for a, b in pairwise(units)):
                    continue
                area = 0
                for k in units:
                    area |= geometry.masks[k]
                names = ", ".join(geometry.units[k].name for k in units)
                inside = [k for k, mask in enumerate(masks) if not mask & ~area]
                crossing = [k for k, mask in enumerate(masks) if mask & area and mask & ~area]
                innies = area & ~sum(masks[k] for k in inside)
                total = every * count - sum(cages[k].total for k in inside)
                both = every * count
                why = f"{names}: {both} in all, the cages inside add up to {both - total}, so the rest makes {total}"
                _note(found, known, innies, total, why)
                covered = sum(masks[k] for k in inside + crossing)
                if crossing and not area & ~covered:
                    more = sum(cages[k].total for k in inside + crossing)
                    why = (
                        f"{names}: {both} in all, their cages add up to {more}, so what is outside makes {more - both}"
                    )
                    _note(found, known, covered & ~area, more - every * count, why)
    return sorted(found.values(), key=lambda one: (len(one.cells), one.cells))


def _apart(geometry: Geometry, one: int, two: int) -> bool:
    """Whether two boxes have no common side."""
    side = geometry.side
    beside = {cell + step for cell in bits(geometry.masks[one]) for step in (-side, side)}
    beside |= {cell + 1 for cell in bits(geometry.masks[one]) if cell % side < side - 1}
    beside |= {cell - 1 for cell in bits(geometry.masks[one]) if cell % side}
    return not any(geometry.masks[two] >> cell & 1 for cell in beside if cell >= 0)


def _note(found: dict[tuple[int, ...], Sum], known: set[tuple[int, ...]], cells: int, total: int, why: str) -> None:
    key = tuple(bits(cells))
    if 0 < len(key) <= _MOST and key not in known and key not in found:
        found[key] = Sum(key, total, why)


def _steps(position: Position, one: Sum, name: str, rating: float) -> Iterator[Step]:
    empty = [cell for cell in one.cells if not position.values[cell]]
    left = one.total - sum(position.values[cell] for cell in one.cells)
    if not empty:
        return
    possible = _possible(position, empty, left)
    if possible is None:
        return  # no way to fill them: the fault shows as soon as a cell is left without digits
    removed: tuple[Candidate, ...] = tuple(
        (cell, digit)
        for cell, digits in zip(empty, possible, strict=True)
        for digit in bits(position.cands[cell] & ~digits)
    )
    if not removed:
        return
    told = ", ".join(
        f"{position.name(cell)} can be {'/'.join(SYMBOLS[d] for d in bits(digits))}"
        for cell, digits in zip(empty, possible, strict=True)
    )
    good = tuple((cell, d) for cell, digits in zip(empty, possible, strict=True) for d in bits(digits))
    sentence = f"{one.why}: {told}."
    yield Step(name, rating, sentence, removed=removed, cells=one.cells, good=good)


def _possible(position: Position, cells: list[int], total: int) -> list[int] | None:
    """For each cell the digits that some filling with the sum gives it; None where there is no filling."""
    order = sorted(range(len(cells)), key=lambda k: position.cands[cells[k]].bit_count())
    peers = position.geometry.peers
    masks = [position.cands[cells[k]] for k in order]
    sees = [[j for j in range(i) if peers[cells[order[i]]] >> cells[order[j]] & 1] for i in range(len(order))]
    least, most = [0] * (len(masks) + 1), [0] * (len(masks) + 1)
    for k in range(len(masks) - 1, -1, -1):
        if not masks[k]:
            return None
        least[k] = least[k + 1] + (masks[k] & -masks[k]).bit_length() - 1
        most[k] = most[k + 1] + masks[k].bit_length() - 1
    found = [0] * len(masks)
    chosen = [0] * len(masks)

    def fill(k: int, rest: int) -> bool:
        if k == len(masks):
            return rest == 0
        good = False
        for digit in bits(masks[k]):
            if not least[k + 1] <= rest - digit <= most[k + 1] or any(chosen[j] == digit for j in sees[k]):
                continue
            chosen[k] = digit
            if fill(k + 1, rest - digit):
                found[k] |= 1 << digit
                good = True
        return good

    if not fill(0, total):
        return None
    result = [0] * len(masks)
    for k, which in enumerate(order):
        result[which] = found[k]
    return result
