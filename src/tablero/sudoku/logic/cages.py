"""Cages: the digits that can fill cells with a known sum, where cells that see each other hold different digits.

combinations    the cells of a cage
innies          the cells of one to three neighbouring units that are in no cage inside of these units: their sum is
                that of the units minus that of the cages
outies          the cells outside of such units in the cages that cover them: their sum is that of the cages minus that
                of the units
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from tablero.sudoku.logic.position import Geometry, Position, Step, union
from tablero.sudoku.puzzle import SYMBOLS, Cage
from tablero.sudoku.reasons import bits

_MOST = 6  # the most cells in an innie or outie sum


class Sum(NamedTuple):
    """Cells that add up to a number, and the reason in words."""

    cells: tuple[int, ...]
    total: int
    why: str


def cage_combinations(position: Position) -> Iterator[Step]:
    for cage in position.puzzle.layout.cages:
        why = f"The cage of {position.names(cage.cells)} adds up to {cage.total}"
        yield from _steps(position, Sum(cage.cells, cage.total, why))


def innies_and_outies(position: Position) -> Iterator[Step]:
    if position.puzzle.layout.cages:
        for found in _sums(position.geometry, position.puzzle.layout.cages):
            yield from _steps(position, found)


@lru_cache(maxsize=32)
def _sums(geometry: Geometry, cages: tuple[Cage, ...]) -> list[Sum]:
    """The sums that follow from neighbouring units, ordered by the number of cells."""
    masks = geometry.cages
    known = {tuple(sorted(cage.cells)) for cage in cages}
    found: dict[tuple[int, ...], Sum] = {}

    def note(cells: int, total: int, why: str) -> None:
        key = tuple(bits(cells))
        if 0 < len(key) <= _MOST and key not in known:
            found.setdefault(key, Sum(key, total, why))

    boxes = geometry.kinds["boxes"]
    for kind in (list(geometry.rows), list(geometry.columns), boxes):
        for count in range(1, 4):
            both = geometry.side * (geometry.side + 1) // 2 * count
            for first in range(len(kind) - count + 1):
                units = kind[first : first + count]
                if kind is boxes and any(_apart(geometry, a, b) for a, b in pairwise(units)):
                    continue
                area = union(geometry.masks[k] for k in units)
                names = ", ".join(geometry.units[k].name for k in units)
                inside = [k for k, mask in enumerate(masks) if not mask & ~area]
                held = sum(cages[k].total for k in inside)
                why = f"{names}: {both} in all, the cages inside add up to {held}, so the rest is {both - held}"
                note(area & ~union(masks[k] for k in inside), both - held, why)
                touching = [k for k, mask in enumerate(masks) if mask & area]
                covered = union(masks[k] for k in touching)
                if len(touching) > len(inside) and not area & ~covered:
                    more = sum(cages[k].total for k in touching)
                    why = f"{names}: {both} in all, their cages add up to {more}, so the part outside is {more - both}"
                    note(covered & ~area, more - both, why)
    return sorted(found.values(), key=lambda one: (len(one.cells), one.cells))


def _apart(geometry: Geometry, one: int, two: int) -> bool:
    """Whether two boxes are not adjacent."""
    side = geometry.side
    beside = {cell + step for cell in bits(geometry.masks[one]) for step in (-side, side)}
    beside |= {cell + 1 for cell in bits(geometry.masks[one]) if cell % side < side - 1}
    beside |= {cell - 1 for cell in bits(geometry.masks[one]) if cell % side}
    return not any(geometry.masks[two] >> cell & 1 for cell in beside if cell >= 0)


def _steps(position: Position, one: Sum) -> Iterator[Step]:
    empty = [cell for cell in one.cells if not position.values[cell]]
    left = one.total - sum(position.values[cell] for cell in one.cells)
    possible = _possible(position, empty, left) if empty else None
    if possible is None:
        return  # nothing can fill the cells: a later step finds a cell without candidates
    ways = list(zip(empty, possible, strict=True))
    removed = tuple(c for cell, digits in ways for c in position.candidates_in((cell,), ~digits))
    if removed:
        text = ", ".join(
            f"{position.name(cell)} can be {'/'.join(SYMBOLS[d] for d in bits(digits))}" for cell, digits in ways
        )
        good = tuple((cell, d) for cell, digits in ways for d in bits(digits))
        yield Step(f"{one.why}: {text}.", removed=removed, cells=one.cells, good=good)


def _possible(position: Position, cells: list[int], total: int) -> list[int] | None:
    """For each cell its digits in all fillings with the sum; None if there is no filling."""
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
    return [found[order.index(k)] for k in range(len(order))]
