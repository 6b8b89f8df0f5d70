"""Singles: a cell with one digit left, a digit with one place left."""

from __future__ import annotations

from collections.abc import Iterable

from tablero.puzzles.sudoku.logic.position import Position, Step
from tablero.puzzles.sudoku.puzzle import SYMBOLS

LAST_VALUE, HIDDEN_BOX, HIDDEN_LINE, NAKED = "last value", "hidden single in a box", "hidden single", "naked single"


def last_value(position: Position) -> Step | None:
    """A unit with one empty cell."""
    for unit, mask in zip(position.geometry.units, position.geometry.masks, strict=True):
        left = position.empty & mask
        if left and not left & (left - 1):
            cell = left.bit_length() - 1
            if not position.cands[cell]:
                continue
            digit = position.cands[cell].bit_length() - 1
            sentence = f"{position.name(cell)} is the last empty cell of {unit.name}: it is {SYMBOLS[digit]}."
            return Step(LAST_VALUE, 1.0, sentence, placed=((cell, digit),), cells=unit.cells)
    return None


def hidden_in_box(position: Position) -> Step | None:
    """A digit with one place left in a box."""
    return _hidden(position, position.geometry.boxes, HIDDEN_BOX, 1.2)


def hidden_in_line(position: Position) -> Step | None:
    """A digit with one place left in a row, a column or a diagonal."""
    return _hidden(position, position.geometry.lines, HIDDEN_LINE, 1.5)


def _hidden(position: Position, units: Iterable[int], name: str, rating: float) -> Step | None:
    masks, places = position.geometry.masks, position.places
    for k in units:
        mask = masks[k]
        for digit in range(1, position.side + 1):
            here = places[digit] & mask
            if here and not here & (here - 1):
                cell = here.bit_length() - 1
                unit = position.geometry.units[k]
                sentence = f"{position.name(cell)} is the only place for {SYMBOLS[digit]} in {unit.name}."
                return Step(name, rating, sentence, placed=((cell, digit),), cells=unit.cells)
    return None


def hidden_single_of(position: Position, digit: int, places: int) -> tuple[int, int] | None:
    """The cell and the unit where a digit with these places has one place left."""
    for k, mask in enumerate(position.geometry.masks):
        here = places & mask
        if here and not here & (here - 1):
            return here.bit_length() - 1, k
    return None


def naked(position: Position) -> Step | None:
    """A cell with one digit left."""
    cands = position.cands
    for cell in range(position.size):
        digits = cands[cell]
        if digits and not digits & (digits - 1):
            digit = digits.bit_length() - 1
            sentence = f"{position.name(cell)} can only be {SYMBOLS[digit]}: every other digit is ruled out there."
            return Step(NAKED, 2.3, sentence, placed=((cell, digit),), cells=(cell,))
    return None
