"""Steps that rest on there being one solution: unique rectangles, and the board of pairs (BUG).

Four cells in two rows, two columns and two boxes that held only the same two digits could be filled in two ways.  So at
least one of them holds something else.  The same goes for a board on which every empty cell has two candidates and every
digit two places in every unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tablero.puzzles.sudoku.logic.position import Candidate, Position, Step, bits, digits_text
from tablero.puzzles.sudoku.puzzle import SYMBOLS

_Rectangle = tuple[int, int, int, int]  # two cells of a line, then the two beside them in another, in the same order


def unique_rectangle(position: Position) -> Step | None:
    """Three cells of a rectangle are the pair (type 1), or two are and the others share a digit (2) or a unit (4)."""
    for digits, floor, roof in _rectangles(position):
        step = _type_1(position, digits, floor, roof) or _type_2(position, digits, floor, roof)
        step = step or _type_4(position, digits, floor, roof)
        if step:
            return step
    return None


def _rectangles(position: Position) -> Iterator[tuple[int, tuple[int, int], tuple[int, int]]]:
    """Rectangles whose floor holds just a pair of digits, which the roof holds among others."""
    side, cands = position.side, position.cands
    pairs: dict[int, list[int]] = {}
    for cell in range(position.size):
        if cands[cell].bit_count() == 2:
            pairs.setdefault(cands[cell], []).append(cell)
    for digits, cells in pairs.items():
        for one, two in combinations(cells, 2):
            if one // side == two // side:
                beside = [(side * r + one % side, side * r + two % side) for r in range(side) if r != one // side]
            elif one % side == two % side:
                beside = [(one // side * side + c, two // side * side + c) for c in range(side) if c != one % side]
            else:
                continue
            for three, four in beside:
                if cands[three] & digits == digits == cands[four] & digits and _is_deadly(
                    position, (one, two, three, four)
                ):
                    yield digits, (one, two), (three, four)


def _is_deadly(position: Position, corners: _Rectangle) -> bool:
    """Whether swapping the two digits in all four cells breaks no unit: each has as many of both diagonals."""
    one, two, three, four = (1 << cell for cell in corners)
    masks = position.geometry.masks
    return all((mask & (one | four)).bit_count() == (mask & (two | three)).bit_count() for mask in masks)


def _story(position: Position, digits: int, floor: tuple[int, int], roof: tuple[int, int]) -> str:
    corners = position.names(sorted((*floor, *roof)))
    return f"If {corners} held only {digits_text(digits)}, there would be two solutions"


def _step(
    digits: int, floor: tuple[int, int], roof: tuple[int, int], sentence: str, removed: tuple[Candidate, ...], kind: int
) -> Step | None:
    good = tuple((cell, digit) for cell in (*floor, *roof) for digit in bits(digits) if (cell, digit) not in removed)
    rating = {1: 4.5, 2: 4.6, 4: 4.7}[kind]
    if not removed:
        return None
    return Step("unique rectangle", rating, sentence, removed=removed, cells=(*floor, *roof), good=good)


def _type_1(position: Position, digits: int, floor: tuple[int, int], roof: tuple[int, int]) -> Step | None:
    plain = [cell for cell in roof if position.cands[cell] == digits]
    if len(plain) != 1:
        return None
    corner = roof[0] if plain[0] == roof[1] else roof[1]
    sentence = (
        f"{_story(position, digits, floor, roof)}: {position.name(corner)} is neither "
        f"{' nor '.join(SYMBOLS[digit] for digit in bits(digits))}."
    )
    return _step(digits, floor, roof, sentence, tuple((corner, digit) for digit in bits(digits)), 1)


def _type_2(position: Position, digits: int, floor: tuple[int, int], roof: tuple[int, int]) -> Step | None:
    extra = position.cands[roof[0]] & ~digits
    if extra.bit_count() != 1 or position.cands[roof[1]] & ~digits != extra:
        return None
    digit = extra.bit_length() - 1
    hit = position.places[digit] & position.geometry.common_peers(roof)
    sentence = (
        f"{_story(position, digits, floor, roof)}: one of {position.names(roof)} is {SYMBOLS[digit]}, and no cell that "
        f"sees both is."
    )
    return _step(digits, floor, roof, sentence, tuple((cell, digit) for cell in bits(hit)), 2)


def _type_4(position: Position, digits: int, floor: tuple[int, int], roof: tuple[int, int]) -> Step | None:
    both = (1 << roof[0]) | (1 << roof[1])
    for k, mask in enumerate(position.geometry.masks):
        if both & ~mask:
            continue
        for digit in bits(digits):
            if position.places[digit] & mask == both:
                other = (digits & ~(1 << digit)).bit_length() - 1
                unit = position.geometry.units[k].name
                sentence = (
                    f"{_story(position, digits, floor, roof)}; the {SYMBOLS[digit]} of {unit} is in one of "
                    f"{position.names(roof)}, so neither of them is {SYMBOLS[other]}."
                )
                return _step(digits, floor, roof, sentence, tuple((cell, other) for cell in roof), 4)
    return None


def bug(position: Position) -> Step | None:
    """All empty cells but one have two candidates, and that one has three: its odd digit is right."""
    odd = [cell for cell in bits(position.empty) if position.cands[cell].bit_count() != 2]
    if len(odd) != 1 or position.cands[odd[0]].bit_count() != 3:
        return None
    (cell,) = odd
    for digit in bits(position.cands[cell]):
        rest = position.places[digit] & ~(1 << cell)
        if all((rest & position.geometry.masks[k]).bit_count() == 2 for k in position.geometry.units_of[cell]) and all(
            (places & mask).bit_count() in (0, 2)
            for d, places in enumerate(position.places)
            for mask in position.geometry.masks
            if not (d == digit and mask >> cell & 1)
        ):
            sentence = (
                f"Without the {SYMBOLS[digit]} in {position.name(cell)} every empty cell would have two candidates and "
                f"every digit two places, hence two solutions: {position.name(cell)} is {SYMBOLS[digit]}."
            )
            return Step("BUG", 5.6, sentence, placed=((cell, digit),), cells=(cell,))
    return None
