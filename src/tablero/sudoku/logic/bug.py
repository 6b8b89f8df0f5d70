"""BUG: a board on which every empty cell has two candidates and every digit two places in every unit.

Such a board has no solution or at least two.  So where a few candidates too many stand in the way, one of those is right.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablero.sudoku.logic.position import Candidate, Position, Step, bits
from tablero.sudoku.puzzle import SYMBOLS

_MOST = 6  # candidates too many


def _too_many(position: Position) -> list[Candidate] | None:
    """The candidates without which all cells and digits would be left two ways; None where there is no such set."""
    cands, geometry = position.cands, position.geometry
    if geometry.cages:  # sums may tell the two ways apart
        return None
    more = [cell for cell in bits(position.empty) if cands[cell].bit_count() > 2]
    if not more or len(more) > _MOST or any(cands[cell].bit_count() < 2 for cell in bits(position.empty)):
        return None
    places = position.places.copy()
    extra: list[Candidate] = []
    for cell in more:  # a candidate is too many where its digit has three places or more in all units of the cell
        odd = [
            digit
            for digit in bits(cands[cell])
            if all((position.places[digit] & geometry.masks[k]).bit_count() > 2 for k in geometry.units_of[cell])
        ]
        if len(odd) != cands[cell].bit_count() - 2:
            return None
        for digit in odd:
            places[digit] &= ~(1 << cell)
            extra.append((cell, digit))
    if len(extra) > _MOST:
        return None
    for digit in range(1, position.side + 1):
        for mask in geometry.masks:
            if (places[digit] & mask).bit_count() not in (0, 2):
                return None
    return extra


def bug_1(position: Position) -> Iterator[Step]:
    """One candidate is too many: it is right."""
    extra = _too_many(position)
    if extra is not None and len(extra) == 1:
        ((cell, digit),) = extra
        name = position.name(cell)
        sentence = (
            f"Without the {SYMBOLS[digit]} in {name} every empty cell would have two candidates and every digit two "
            f"places, hence two solutions: {name} is {SYMBOLS[digit]}."
        )
        yield Step("BUG", 5.6, sentence, placed=((cell, digit),), cells=(cell,))


def bug_n(position: Position) -> Iterator[Step]:
    """Several are too many: what none of them would leave goes."""
    extra = _too_many(position)
    if extra is None or len(extra) < 2:
        return
    geometry = position.geometry
    hit: set[Candidate] | None = None
    for cell, digit in extra:
        near = {(peer, digit) for peer in bits(position.places[digit] & geometry.peers[cell])}
        near |= {(cell, other) for other in bits(position.cands[cell] & ~(1 << digit))}
        hit = near if hit is None else hit & near
    if hit:
        removed = tuple(sorted(hit))
        told = ", ".join(f"{SYMBOLS[digit]} in {position.name(cell)}" for cell, digit in extra)
        sentence = (
            f"Without {told} every empty cell would have two candidates and every digit two places, hence two solutions: "
            f"one of them is right, which takes {position.told(removed)}."
        )
        rating = min(5.7 + 0.1 * (len(extra) - 2), 6.0)
        good = tuple(c for c in extra if c not in hit)
        yield Step("BUG+n", round(rating, 1), sentence, removed=removed, cells=tuple(c for c, _ in extra), good=good)
