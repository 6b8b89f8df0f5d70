"""Singles: a cell with one digit left, a digit with one place left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tablero.sudoku.logic.position import Position, Step
from tablero.sudoku.puzzle import SYMBOLS

LAST_VALUE, HIDDEN_BOX, HIDDEN_LINE, NAKED = "last value", "hidden single in a box", "hidden single", "naked single"


def last_value(position: Position) -> Iterator[Step]:
    """A unit with one empty cell."""
    empty = position.empty
    for k, mask in enumerate(position.geometry.masks):
        left = empty & mask
        if left and not left & (left - 1):
            cell = left.bit_length() - 1
            if not position.cands[cell]:
                continue
            digit = position.cands[cell].bit_length() - 1
            unit = position.geometry.units[k]
            sentence = f"{position.name(cell)} is the last empty cell of {unit.name}: it is {SYMBOLS[digit]}."
            yield Step(LAST_VALUE, 1.0, sentence, placed=((cell, digit),), cells=unit.cells)


def hidden_in_box(position: Position) -> Iterator[Step]:
    """A digit with one place left in a box."""
    return _hidden(position, position.geometry.boxes, HIDDEN_BOX, 1.2)


def hidden_in_line(position: Position) -> Iterator[Step]:
    """A digit with one place left in a row, a column or a diagonal."""
    return _hidden(position, position.geometry.lines, HIDDEN_LINE, 1.5)


def _hidden(position: Position, units: Iterable[int], name: str, rating: float) -> Iterator[Step]:
    masks, empty = position.geometry.masks, position.empty
    places = [(digit, cells) for digit, cells in enumerate(position.places) if cells]
    for k in units:
        mask = masks[k] & empty
        if not mask:
            continue
        for digit, cells in places:
            here = cells & mask
            if here and not here & (here - 1):
                cell = here.bit_length() - 1
                unit = position.geometry.units[k]
                sentence = f"{position.name(cell)} is the only place for {SYMBOLS[digit]} in {unit.name}."
                yield Step(name, rating, sentence, placed=((cell, digit),), cells=unit.cells)


def hidden_single_of(position: Position, places: int) -> tuple[int, int] | None:
    """The cell and the unit where a digit with these places has one place left."""
    for k, mask in enumerate(position.geometry.masks):
        here = places & mask
        if here and not here & (here - 1):
            return here.bit_length() - 1, k
    return None


def naked(position: Position) -> Iterator[Step]:
    """A cell with one digit left."""
    for cell, digits in enumerate(position.cands):
        if digits and not digits & (digits - 1):
            digit = digits.bit_length() - 1
            sentence = f"{position.name(cell)} can only be {SYMBOLS[digit]}: every other digit is ruled out there."
            yield Step(NAKED, 2.3, sentence, placed=((cell, digit),), cells=(cell,))
