"""Steps that rest on there being one solution: rectangles that could be filled in two ways.

Four cells in two rows, two columns and two boxes that held only the same two digits could be filled in two ways.  So at
least one of them holds something else.  Corners that hold only the pair are its floor, the others its roof.  A digit of the
pair may be gone from the roof: the solution must not be such a rectangle, whatever has been ruled out on the way.

    1    three corners are floor: the fourth holds neither digit
    2    the roof, two neighbours, has one digit beside the pair: it is in one of them
    3    the roof's further digits make a naked subset with other cells of a unit
    4    one digit of the pair is in the roof, for a unit has no other place for it: so the other is not
    5    as 2, but the roof is diagonal or three cells
    6    the floor is diagonal, and one digit has no other place in both lines: the roof does not hold it
    hidden      a corner opposite to the floor, where one digit is bound to the rectangle in row and column: not the other
    avoidable   corners that were filled by the solver, not given: the same thing with digits instead of candidates
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tablero.sudoku.logic.position import Candidate, Geometry, Position, Step, bits, digits_text, spread
from tablero.sudoku.puzzle import SYMBOLS

_NAME = "unique rectangle, type"
_Corners = tuple[int, int, int, int]  # two cells of a row, then the two below them in another, in the same order


class _Rectangle(NamedTuple):
    """Four corners that all hold a pair of digits."""

    digits: int
    corners: _Corners
    floor: tuple[int, ...]
    roof: tuple[int, ...]


@lru_cache(maxsize=32)
def _corners(geometry: Geometry) -> list[_Corners]:
    """Rectangles in which two digits can be swapped without breaking any unit: each has as many of both diagonals."""
    side = geometry.side
    found = []
    for top, bottom in combinations(range(side), 2):
        for left, right in combinations(range(side), 2):
            four = (side * top + left, side * top + right, side * bottom + left, side * bottom + right)
            one, two, three, last = (1 << cell for cell in four)
            rising, falling = one | last, two | three
            if all(
                (mask & rising).bit_count() == (mask & falling).bit_count()
                for mask in (*geometry.masks, *geometry.cages)
            ):
                found.append(four)
    return found


def _rectangles(position: Position, floors: int) -> Iterator[_Rectangle]:
    """Rectangles of two digits with at least so many corners that hold just these; a roof may have lost one of them.

    A way to fill the corners with the two in turns must still be open: otherwise nothing has to be avoided.
    """
    cands = position.cands
    for four in _corners(position.geometry):
        a, b, c, d = held = [cands[cell] for cell in four]
        for digits in dict.fromkeys(some for some in held if some.bit_count() == 2):
            low = digits & -digits
            high = digits ^ low
            if not (a & d & low and b & c & high) and not (a & d & high and b & c & low):
                continue
            floor = tuple(cell for cell in four if cands[cell] == digits)
            roof = tuple(cell for cell in four if cands[cell] != digits)
            if floors <= len(floor) < 4 and all(cands[cell] & ~digits for cell in roof):
                yield _Rectangle(digits, four, floor, roof)


def _story(position: Position, found: _Rectangle) -> str:
    return f"If {position.names(found.corners)} held only {digits_text(found.digits)}, there would be two solutions"


def _step(
    position: Position,
    found: _Rectangle,
    name: str,
    rating: float,
    sentence: str,
    removed: tuple[Candidate, ...],
    other: tuple[Candidate, ...] = (),
    cells: tuple[int, ...] = (),
) -> Step:
    gone = set(removed)
    good = tuple(
        (cell, d) for cell in found.corners for d in bits(found.digits & position.cands[cell]) if (cell, d) not in gone
    )
    return Step(
        name,
        rating,
        sentence,
        removed=removed,
        cells=(*found.corners, *cells),
        good=good,
        other=tuple(c for c in other if c not in gone),
    )


def type_1(position: Position) -> Iterator[Step]:
    """Three corners hold only the pair; the fourth may have lost one of the two already."""
    cands = position.cands
    for four in _corners(position.geometry):
        for corner in four:
            floor = tuple(cell for cell in four if cell != corner)
            digits = cands[floor[0]]
            if digits.bit_count() != 2 or any(cands[cell] != digits for cell in floor) or not cands[corner] & ~digits:
                continue
            removed = tuple((corner, digit) for digit in bits(digits & cands[corner]))
            if removed:
                found = _Rectangle(digits, four, floor, (corner,))
                words = " nor ".join(SYMBOLS[digit] for digit in bits(digits))
                sentence = f"{_story(position, found)}: {position.name(corner)} is neither {words}."
                yield _step(position, found, f"{_NAME} 1", 4.5, sentence, removed)


def _side_by_side(position: Position, roof: tuple[int, ...]) -> bool:
    side = position.side
    return len(roof) == 2 and (roof[0] // side == roof[1] // side or roof[0] % side == roof[1] % side)


def _one_more(position: Position, name: str, rating: float, neighbours: bool) -> Iterator[Step]:
    for found in _rectangles(position, 1):
        if len(found.roof) > 3 or len(found.roof) < 2 or _side_by_side(position, found.roof) != neighbours:
            continue
        extras = {position.cands[cell] & ~found.digits for cell in found.roof}
        if len(extras) != 1 or (extra := extras.pop()).bit_count() != 1:
            continue
        digit = extra.bit_length() - 1
        hit = position.places[digit] & position.geometry.common_peers(found.roof)
        if hit:
            sentence = (
                f"{_story(position, found)}: one of {position.names(found.roof)} is {SYMBOLS[digit]}, and no cell that "
                f"sees them all is."
            )
            other = tuple((cell, digit) for cell in found.roof)
            yield _step(position, found, name, rating, sentence, spread(digit, hit), other)


def type_2(position: Position) -> Iterator[Step]:
    return _one_more(position, f"{_NAME} 2", 4.6, neighbours=True)


def type_5(position: Position) -> Iterator[Step]:
    return _one_more(position, f"{_NAME} 5", 4.6, neighbours=False)


def type_3(position: Position) -> Iterator[Step]:
    """The further digits of the roof, taken as one cell, and k − 1 cells hold k digits; fewer cells first."""
    return iter(sorted(_type_3(position), key=lambda step: step.rating))


def _type_3(position: Position) -> Iterator[Step]:
    cands, geometry = position.cands, position.geometry
    for found in _rectangles(position, 2):
        if not _side_by_side(position, found.roof):
            continue
        roof = sum(1 << cell for cell in found.roof)
        extras = (cands[found.roof[0]] | cands[found.roof[1]]) & ~found.digits
        for k in geometry.shared(roof):
            inside = list(bits(position.empty & geometry.masks[k] & ~roof))
            for size in range(1, len(inside)):
                for chosen in combinations(inside, size):
                    digits = extras
                    for cell in chosen:
                        digits |= cands[cell]
                    if digits.bit_count() != size + 1 or digits & found.digits:
                        continue
                    taken = roof | sum(1 << cell for cell in chosen)
                    near = geometry.seen_by(taken)
                    removed = tuple((cell, d) for d in bits(digits) for cell in bits(position.places[d] & near))
                    if removed:
                        sentence = (
                            f"{_story(position, found)}: one of {position.names(found.roof)} is among "
                            f"{digits_text(extras)}, which with {position.names(chosen)} makes {size + 1} cells of "
                            f"{geometry.units[k].name} for {digits_text(digits)}; those go from the other cells."
                        )
                        other = tuple((cell, d) for cell in (*found.roof, *chosen) for d in bits(cands[cell] & digits))
                        rating = 4.6 + 0.1 * size
                        yield _step(position, found, f"{_NAME} 3", round(rating, 1), sentence, removed, other, chosen)


def type_4(position: Position) -> Iterator[Step]:
    for found in _rectangles(position, 2):
        if not _side_by_side(position, found.roof):
            continue
        both = (1 << found.roof[0]) | (1 << found.roof[1])
        for k in position.geometry.shared(both):
            for digit in bits(found.digits):
                if position.places[digit] & position.geometry.masks[k] == both:
                    other = (found.digits & ~(1 << digit)).bit_length() - 1
                    sentence = (
                        f"{_story(position, found)}; the {SYMBOLS[digit]} of {position.geometry.units[k].name} is in one "
                        f"of {position.names(found.roof)}, so neither of them is {SYMBOLS[other]}."
                    )
                    removed = tuple((cell, other) for cell in found.roof if position.cands[cell] >> other & 1)
                    if removed:
                        yield _step(position, found, f"{_NAME} 4", 4.7, sentence, removed)


def type_6(position: Position) -> Iterator[Step]:
    side, masks = position.side, position.geometry.masks
    for found in _rectangles(position, 2):
        if len(found.roof) != 2 or _side_by_side(position, found.roof):
            continue
        inside = sum(1 << cell for cell in found.corners)
        a, _, _, d = found.corners
        for digit in bits(found.digits):
            places = position.places[digit]
            rows = masks[a // side] | masks[d // side]
            columns = masks[side + a % side] | masks[side + d % side]
            if places & rows & ~inside and places & columns & ~inside:
                continue
            lines = "rows" if not places & rows & ~inside else "columns"
            sentence = (
                f"{_story(position, found)}; in their two {lines} the {SYMBOLS[digit]} has no other place, and were it in "
                f"{position.name(found.roof[0])} or {position.name(found.roof[1])}, it would be in both: so it is in "
                f"neither."
            )
            removed = tuple((cell, digit) for cell in found.roof if position.cands[cell] >> digit & 1)
            if removed:
                yield _step(position, found, f"{_NAME} 6", 4.8, sentence, removed)


def hidden_rectangle(position: Position) -> Iterator[Step]:
    side, masks = position.side, position.geometry.masks
    for found in _rectangles(position, 1):
        for corner in found.floor:
            opposite = found.corners[3 - found.corners.index(corner)]
            inside = sum(1 << cell for cell in found.corners)
            lines = (masks[opposite // side] | masks[side + opposite % side]) & ~inside
            for digit in bits(found.digits):
                other = (found.digits & ~(1 << digit)).bit_length() - 1
                if position.places[digit] & lines or not position.cands[opposite] >> other & 1:
                    continue
                name = position.name(opposite)
                sentence = (
                    f"{_story(position, found)}; in the row and the column of {name} the {SYMBOLS[digit]} is bound to these "
                    f"corners, so {name} as {SYMBOLS[other]} would fill all four: it is not {SYMBOLS[other]}."
                )
                yield _step(position, found, "hidden rectangle", 4.8, sentence, ((opposite, other),))


def _filled(position: Position, cell: int) -> int:
    """The digit of a cell that was filled, not given."""
    return 0 if position.puzzle.cells[cell] else position.values[cell]


def avoidable_1(position: Position) -> Iterator[Step]:
    """Three corners were filled so that a fourth digit would allow two solutions."""
    for four in _corners(position.geometry):
        filled = [_filled(position, cell) for cell in four]
        if filled.count(0) != 1:
            continue
        k = filled.index(0)
        corner, opposite = four[k], filled[3 - k]
        digit = opposite
        beside = {filled[j] for j in range(4) if j not in (k, 3 - k)}
        if len(beside) == 1 and beside != {digit} and position.cands[corner] >> digit & 1:
            others = [cell for cell in four if cell != corner]
            sentence = (
                f"{position.names(others)} were filled, not given: with {SYMBOLS[digit]} in {position.name(corner)} these "
                f"four cells could be swapped, and there would be two solutions."
            )
            yield Step("avoidable rectangle, type 1", 4.7, sentence, removed=((corner, digit),), cells=four)


def avoidable_2(position: Position) -> Iterator[Step]:
    """Two corners were filled, and the others hold what would complete them, or one further digit."""
    cands = position.cands
    for four in _corners(position.geometry):
        filled = [_filled(position, cell) for cell in four]
        if filled.count(0) != 2:
            continue
        i, j = (k for k in range(4) if not filled[k])
        one, two = four[i], four[j]
        if i + j == 3 or not cands[one] or not cands[two]:
            continue
        (wanted_one, wanted_two) = (filled[3 - i], filled[3 - j])
        if wanted_one == wanted_two or cands[one].bit_count() != 2 or cands[two].bit_count() != 2:
            continue
        extra = cands[one] & ~(1 << wanted_one)
        if extra.bit_count() != 1 or extra != cands[two] & ~(1 << wanted_two):
            continue
        digit = extra.bit_length() - 1
        gone = position.places[digit] & position.geometry.common_peers((one, two))
        if gone:
            rest = [cell for cell in four if cell not in (one, two)]
            sentence = (
                f"{position.names(rest)} were filled, not given: if {position.names((one, two))} completed the rectangle, "
                f"there would be two solutions, so one of them is {SYMBOLS[digit]}, and no cell that sees both is."
            )
            yield Step(
                "avoidable rectangle, type 2",
                4.7,
                sentence,
                removed=spread(digit, gone),
                cells=four,
                good=((one, digit), (two, digit)),
                other=((one, wanted_one), (two, wanted_two)),
            )
