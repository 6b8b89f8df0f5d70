"""Uniqueness techniques, which are valid for puzzles with exactly one solution.

Four cells in two rows, two columns and two boxes with only the same two candidates could be filled in two ways.  So at least
one of the cells holds another digit.  The corners that have only the pair are the floor of the rectangle, the others its
roof.  A roof corner may have lost a digit of the pair: the rectangle cannot be in the solution in any case.

    1    three corners are the floor: the fourth holds neither digit
    2    the roof is two adjacent corners with one further digit: one of the corners holds it
    3    the further digits of the roof make a naked subset with other cells of a unit
    4    a unit has no place outside the roof for one digit of the pair: the roof does not hold the other
    5    as 2, but the roof is two diagonal corners or three corners
    6    the floor is diagonal, and one digit has no other place in both rows or columns: the roof does not hold it
    hidden      a corner opposite to the floor in whose row and column one digit has places only in the rectangle: the corner
                does not hold the other digit
    avoidable   the same with corners that were filled and not given: digits take the place of candidates

BUG is short for bivalue universal grave: a position in which every empty cell has two candidates and every digit two
places in every unit.  It has no solution or at least two.  So if some extra candidates keep a position from being a
BUG, one of them is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tablero.sudoku.logic.position import Candidate, Geometry, Position, Step, as_set, digits_text, spread, union
from tablero.sudoku.puzzle import SYMBOLS
from tablero.sudoku.reasons import bits, in_words

_MOST = 6  # the most extra candidates of a BUG+n

_Corners = tuple[int, int, int, int]  # two cells of a row, then the two below them in another, in the same order


class _Rectangle(NamedTuple):
    """Four corners that all hold a pair of digits."""

    digits: int
    corners: _Corners
    floor: tuple[int, ...]
    roof: tuple[int, ...]


@lru_cache(maxsize=32)
def _corners(geometry: Geometry) -> list[_Corners]:
    """Rectangles in which two digits can be swapped: no unit or cage has more corners of one diagonal than of the other."""
    side = geometry.side
    found = []
    for top, bottom in combinations(range(side), 2):
        for left, right in combinations(range(side), 2):
            four = (side * top + left, side * top + right, side * bottom + left, side * bottom + right)
            rising, falling = 1 << four[0] | 1 << four[3], 1 << four[1] | 1 << four[2]
            groups = (*geometry.masks, *geometry.cages)
            if all((mask & rising).bit_count() == (mask & falling).bit_count() for mask in groups):
                found.append(four)
    return found


def _rectangles(position: Position, floors: int) -> Iterator[_Rectangle]:
    """Rectangles of two digits with at least `floors` corners in the floor.

    The candidates must still allow one of the two ways to fill the corners: otherwise there is nothing to avoid.
    """
    cands = position.cands
    for four in _corners(position.geometry):
        a, b, c, d = held = [cands[cell] for cell in four]
        for digits in dict.fromkeys(some for some in held if some.bit_count() == 2) if all(held) else ():
            low = digits & -digits
            high = digits ^ low
            if not (a & d & low and b & c & high) and not (a & d & high and b & c & low):
                continue
            floor = tuple(cell for cell in four if cands[cell] == digits)
            roof = tuple(cell for cell in four if cands[cell] != digits)
            if floors <= len(floor) < 4 and all(cands[cell] & ~digits for cell in roof):
                yield _Rectangle(digits, four, floor, roof)


def _step(
    position: Position,
    found: _Rectangle,
    why: str,
    removed: tuple[Candidate, ...],
    other: tuple[Candidate, ...] = (),
    cells: tuple[int, ...] = (),
    raised: float = 0.0,
) -> Iterator[Step]:
    """Yield the step if it removes anything; `why` is the end of its sentence."""
    if removed:
        names = position.names(found.corners)
        sentence = f"If {names} held only {digits_text(found.digits)}, there would be two solutions{why}"
        good = position.candidates_in(found.corners, found.digits)
        yield Step(sentence, (), removed, (*found.corners, *cells), good, other, raised=raised)


def type_1(position: Position) -> Iterator[Step]:
    """Three corners have only the pair; the fourth may have lost one of the two digits."""
    cands = position.cands
    for four in _corners(position.geometry):
        for corner in four if all(cands[cell] for cell in four) else ():
            floor = tuple(cell for cell in four if cell != corner)
            digits = cands[floor[0]]
            if digits.bit_count() != 2 or any(cands[cell] != digits for cell in floor) or not cands[corner] & ~digits:
                continue
            text = " nor ".join(SYMBOLS[digit] for digit in bits(digits))
            why = f": {position.name(corner)} is neither {text}."
            removed = position.candidates_in((corner,), digits)
            yield from _step(position, _Rectangle(digits, four, floor, (corner,)), why, removed)


def _side_by_side(position: Position, roof: tuple[int, ...]) -> bool:
    side = position.side
    return len(roof) == 2 and (roof[0] // side == roof[1] // side or roof[0] % side == roof[1] % side)


def types_2_and_5(position: Position, *, neighbours: bool) -> Iterator[Step]:
    for found in _rectangles(position, 1):
        if len(found.roof) > 3 or len(found.roof) < 2 or _side_by_side(position, found.roof) != neighbours:
            continue
        extras = {position.cands[cell] & ~found.digits for cell in found.roof}
        if len(extras) != 1 or (extra := extras.pop()).bit_count() != 1:
            continue
        digit = extra.bit_length() - 1
        removed = position.places_in(extra, position.geometry.common_peers(found.roof))
        why = f": one of {position.names(found.roof)} is {SYMBOLS[digit]}, and no cell that sees them all is."
        yield from _step(position, found, why, removed, tuple((cell, digit) for cell in found.roof))


def type_3(position: Position) -> Iterator[Step]:
    """The further digits of the roof, taken as one cell, and k − 1 cells have k digits; fewer cells first."""
    return iter(sorted(_type_3(position), key=lambda step: step.raised))


def _type_3(position: Position) -> Iterator[Step]:
    cands, geometry = position.cands, position.geometry
    for found in _rectangles(position, 2):
        if not _side_by_side(position, found.roof):
            continue
        roof = as_set(found.roof)
        extras = (cands[found.roof[0]] | cands[found.roof[1]]) & ~found.digits
        for k in geometry.shared(roof):
            inside = list(bits(position.empty & geometry.masks[k] & ~roof))
            for size in range(1, len(inside)):
                for chosen in combinations(inside, size):
                    digits = extras | union(cands[cell] for cell in chosen)
                    if digits.bit_count() != size + 1 or digits & found.digits:
                        continue
                    why = (
                        f": one of {position.names(found.roof)} is among {digits_text(extras)}, which with "
                        f"{position.names(chosen)} makes {size + 1} cells of {geometry.units[k].name} for "
                        f"{digits_text(digits)}; those are removed from the other cells."
                    )
                    removed = position.places_in(digits, geometry.seen_by(roof | as_set(chosen)))
                    other = position.candidates_in((*found.roof, *chosen), digits)
                    yield from _step(position, found, why, removed, other, chosen, 0.1 * (size - 1))


def type_4(position: Position) -> Iterator[Step]:
    for found in _rectangles(position, 2):
        if not _side_by_side(position, found.roof):
            continue
        both = as_set(found.roof)
        for k in position.geometry.shared(both):
            for digit in bits(found.digits):
                if position.places[digit] & position.geometry.masks[k] == both:
                    other = found.digits & ~(1 << digit)
                    why = (
                        f"; the {SYMBOLS[digit]} of {position.geometry.units[k].name} is in one of "
                        f"{position.names(found.roof)}, so neither of them is {digits_text(other)}."
                    )
                    yield from _step(position, found, why, position.candidates_in(found.roof, other))


def type_6(position: Position) -> Iterator[Step]:
    side, masks = position.side, position.geometry.masks
    for found in _rectangles(position, 2):
        if len(found.roof) != 2 or _side_by_side(position, found.roof):
            continue
        inside = as_set(found.corners)
        a, _, _, d = found.corners
        rows = (masks[a // side] | masks[d // side]) & ~inside
        columns = (masks[side + a % side] | masks[side + d % side]) & ~inside
        for digit in bits(found.digits):
            places = position.places[digit]
            if places & rows and places & columns:
                continue
            one, two = map(position.name, found.roof)
            why = (
                f"; in their two {'columns' if places & rows else 'rows'} the {SYMBOLS[digit]} has no other place, and were "
                f"it in {one} or {two}, it would be in both: so it is in neither."
            )
            yield from _step(position, found, why, position.candidates_in(found.roof, 1 << digit))


def hidden_rectangle(position: Position) -> Iterator[Step]:
    side, masks = position.side, position.geometry.masks
    for found in _rectangles(position, 1):
        for corner in found.floor:
            opposite = found.corners[3 - found.corners.index(corner)]
            lines = (masks[opposite // side] | masks[side + opposite % side]) & ~as_set(found.corners)
            name = position.name(opposite)
            for digit in bits(found.digits):
                other = found.digits & ~(1 << digit)
                if not position.places[digit] & lines:
                    why = (
                        f"; in the row and the column of {name} the {SYMBOLS[digit]} can only be in these corners, so with "
                        f"{digits_text(other)} in {name} all four would hold the pair: it is not {digits_text(other)}."
                    )
                    yield from _step(position, found, why, position.candidates_in((opposite,), other))


def _filled(position: Position, missing: int) -> Iterator[tuple[_Corners, list[int]]]:
    """Rectangles of which all but `missing` corners were filled and not given, with the digits of the corners or 0."""
    for four in _corners(position.geometry):
        filled = [0 if position.puzzle.cells[cell] else position.values[cell] for cell in four]
        if filled.count(0) == missing:
            yield four, filled


def avoidable_1(position: Position) -> Iterator[Step]:
    """Three corners were filled, and a digit in the fourth would allow two solutions."""
    for four, filled in _filled(position, 1):
        k = filled.index(0)
        corner, digit = four[k], filled[3 - k]
        beside = {filled[j] for j in range(4) if j not in (k, 3 - k)}
        if len(beside) == 1 and beside != {digit} and position.cands[corner] >> digit & 1:
            others = [cell for cell in four if cell != corner]
            sentence = (
                f"{position.names(others)} were filled, not given: with {SYMBOLS[digit]} in {position.name(corner)} these "
                f"four cells could be swapped, and there would be two solutions."
            )
            yield Step(sentence, removed=((corner, digit),), cells=four)


def avoidable_2(position: Position) -> Iterator[Step]:
    """Two corners were filled, and the others have the digit that completes the rectangle and the same further digit."""
    cands = position.cands
    for four, filled in _filled(position, 2):
        i, j = (k for k in range(4) if not filled[k])
        one, two = four[i], four[j]
        wanted_one, wanted_two = filled[3 - i], filled[3 - j]
        if i + j == 3 or wanted_one == wanted_two or cands[one].bit_count() != 2 or cands[two].bit_count() != 2:
            continue
        extra = cands[one] & ~(1 << wanted_one)
        if extra.bit_count() != 1 or extra != cands[two] & ~(1 << wanted_two):
            continue
        digit = extra.bit_length() - 1
        removed = position.places_in(extra, position.geometry.common_peers((one, two)))
        if removed:
            rest = [cell for cell in four if cell not in (one, two)]
            sentence = (
                f"{position.names(rest)} were filled, not given: if {position.names((one, two))} completed the rectangle, "
                f"there would be two solutions, so one of them is {SYMBOLS[digit]}, and no cell that sees both is."
            )
            good, other = ((one, digit), (two, digit)), ((one, wanted_one), (two, wanted_two))
            yield Step(sentence, removed=removed, cells=four, good=good, other=other)


def _extra(position: Position) -> list[Candidate]:
    """The extra candidates without which the position would be a BUG; none if there is no such set."""
    cands, geometry = position.cands, position.geometry
    if geometry.cages:  # the sums can rule out one of the two solutions
        return []
    more = [cell for cell in bits(position.empty) if cands[cell].bit_count() > 2]
    if not more or len(more) > _MOST or any(cands[cell].bit_count() < 2 for cell in bits(position.empty)):
        return []
    places = position.places.copy()
    extra: list[Candidate] = []
    for cell in more:  # a candidate is extra if its digit has three or more places in each unit of the cell
        odd = [
            digit
            for digit in bits(cands[cell])
            if all((position.places[digit] & geometry.masks[k]).bit_count() > 2 for k in geometry.units_of[cell])
        ]
        if len(odd) != cands[cell].bit_count() - 2:
            return []
        for digit in odd:
            places[digit] &= ~(1 << cell)
            extra.append((cell, digit))
    twice = all((some & mask).bit_count() in (0, 2) for some in places[1:] for mask in geometry.masks)
    return extra if twice and len(extra) <= _MOST else []


def bug(position: Position) -> Iterator[Step]:
    """A single extra candidate, which is true."""
    extra = _extra(position)
    if len(extra) == 1:
        ((cell, digit),) = extra
        name = position.name(cell)
        sentence = (
            f"Without the {SYMBOLS[digit]} in {name} every empty cell would have two candidates and every digit two "
            f"places, hence two solutions: {name} is {SYMBOLS[digit]}."
        )
        yield Step(sentence, placed=((cell, digit),), cells=(cell,))


def bug_n(position: Position) -> Iterator[Step]:
    """Several extra candidates: what all of them would remove is removed."""
    extra = _extra(position)
    if len(extra) < 2:
        return
    hits = (
        {
            *spread(digit, position.places[digit] & position.geometry.peers[cell]),
            *position.candidates_in((cell,), ~(1 << digit)),
        }
        for cell, digit in extra
    )
    removed = tuple(sorted(set.intersection(*hits)))
    if removed:
        text = in_words([f"{SYMBOLS[digit]} in {position.name(cell)}" for cell, digit in extra])
        sentence = (
            f"Without {text} every empty cell would have two candidates and every digit two places, hence two solutions: "
            f"one of them is true, which removes {position.listed(removed)}."
        )
        cells, raised = tuple(cell for cell, _ in extra), min(0.1 * (len(extra) - 2), 0.3)
        yield Step(sentence, removed=removed, cells=cells, good=tuple(extra), raised=raised)
