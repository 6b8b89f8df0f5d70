"""Basic techniques: singles, locked candidates and subsets.

single      a cell with one candidate (naked), or a digit with one place in a unit (hidden)
pointing    all places of a digit in a box lie in one line: the digit is removed from the rest of the line
claiming    all places of a digit in a line lie in one box: the digit is removed from the rest of the box
subset      k cells of a unit with k candidates in total (naked), or k digits of a unit with k places in total (hidden)
locked      a naked subset whose cells share a box and a line: its digits are removed from both
direct      a technique that leaves a single at once, which people see without pencil marks
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from tablero.sudoku.logic.position import Candidate, Position, Step, as_set, digits_text, spread, union
from tablero.sudoku.puzzle import SYMBOLS


def last_value(position: Position) -> Iterator[Step]:
    """A unit with one empty cell."""
    for k, unit in enumerate(position.geometry.units):
        left = position.empty & position.geometry.masks[k]
        cell = left.bit_length() - 1
        if left.bit_count() == 1 and position.cands[cell]:
            digit = position.cands[cell].bit_length() - 1
            sentence = f"{position.name(cell)} is the last empty cell of {unit.name}: it is {SYMBOLS[digit]}."
            yield Step(sentence, placed=((cell, digit),), cells=unit.cells)


def hidden_single(position: Position, kind: str) -> Iterator[Step]:
    """A digit with one place in a unit of a kind."""
    geometry = position.geometry
    places = [(digit, cells) for digit, cells in enumerate(position.places) if cells]
    for k in geometry.kinds[kind]:
        mask = geometry.masks[k] & position.empty
        for digit, cells in places if mask else ():
            here = cells & mask
            if here.bit_count() == 1:
                cell, unit = here.bit_length() - 1, geometry.units[k]
                sentence = f"{position.name(cell)} is the only place for {SYMBOLS[digit]} in {unit.name}."
                yield Step(sentence, placed=((cell, digit),), cells=unit.cells)


def naked_single(position: Position) -> Iterator[Step]:
    """A cell with one candidate."""
    for cell, digits in enumerate(position.cands):
        if digits.bit_count() == 1:
            digit = digits.bit_length() - 1
            sentence = f"{position.name(cell)} can only be {SYMBOLS[digit]}: every other digit is ruled out there."
            yield Step(sentence, placed=((cell, digit),), cells=(cell,))


def locked_candidates(position: Position, home: str, *, direct: bool = False) -> Iterator[Step]:
    """A unit of the kind `home` whose places of a digit all lie in one unit of the other kind."""
    units = position.geometry.units
    for digit, places in enumerate(position.places):
        for one, only_one, only_other, both, other in position.geometry.meetings[home] if places else ():
            removed = places & only_other
            if not removed or not places & both or places & only_one:
                continue
            sentence = (
                f"In {units[one].name} the {SYMBOLS[digit]} can only be in {position.names(places & both)}, all in "
                f"{units[other].name}: no other cell there is {SYMBOLS[digit]}."
            )
            placed: tuple[Candidate, ...] = ()
            if direct:
                left = ((places & ~removed & mask, k) for k, mask in enumerate(position.geometry.masks))
                cells, k = next((found for found in left if found[0].bit_count() == 1), (0, 0))
                if not cells:
                    continue
                placed = spread(digit, cells)
                name = position.names(cells)
                sentence = f"{sentence[:-1]}, and {name} is left as its only place in {units[k].name}."
            yield Step(sentence, placed, spread(digit, removed), units[one].cells, spread(digit, places & both))


def naked_subset(position: Position, size: int, *, locked: bool = False) -> Iterator[Step]:
    cands, geometry = position.cands, position.geometry
    for k, unit in enumerate(geometry.units):
        if (position.empty & geometry.masks[k]).bit_count() <= size:
            continue
        few = [cell for cell in unit.cells if 2 <= cands[cell].bit_count() <= size]
        for chosen in combinations(few, size):
            digits = union(cands[cell] for cell in chosen)
            if digits.bit_count() != size:
                continue
            removed = position.places_in(digits, geometry.common_peers(chosen))
            if not removed or (locked and not _is_locked(position, k, chosen, removed)):
                continue
            sentence = (
                f"{position.names(chosen)} in {unit.name} hold only {digits_text(digits)}: those digits are removed from "
                f"the other cells that all of them see."
            )
            yield Step(sentence, removed=removed, cells=chosen, good=position.candidates_in(chosen))


def _is_locked(position: Position, box: int, chosen: tuple[int, ...], removed: tuple[Candidate, ...]) -> bool:
    """Whether the cells of a box share a line, too, and both the box and the line lose candidates outside the other."""
    masks, boxes = position.geometry.masks, position.geometry.kinds["boxes"]
    gone = union(1 << cell for cell, _ in removed)
    line = next((k for k in position.geometry.shared(as_set(chosen)) if k not in boxes), None)
    if line is None or box not in boxes:
        return False
    return bool(gone & masks[box] & ~masks[line]) and bool(gone & masks[line] & ~masks[box])


def hidden_subset(position: Position, size: int, *, direct: bool = False) -> Iterator[Step]:
    for unit, mask in zip(position.geometry.units, position.geometry.masks, strict=True):
        if (position.empty & mask).bit_count() <= size:
            continue
        here = [(digit, places & mask) for digit, places in enumerate(position.places)]
        few = [(digit, cells) for digit, cells in here if 2 <= cells.bit_count() <= size]
        for chosen in combinations(few, size):
            cells = union(where for _, where in chosen)
            if cells.bit_count() != size:
                continue
            digits = as_set(digit for digit, _ in chosen)
            removed = position.candidates_in(cells, ~digits)
            if not removed:
                continue
            sentence = (
                f"In {unit.name} the digits {digits_text(digits)} fit only into {position.names(cells)}: those cells hold "
                f"nothing else."
            )
            good = position.candidates_in(cells, digits)
            step = Step(sentence, removed=removed, cells=unit.cells, good=good)
            if not direct:
                yield step
                continue
            for digit in sorted({digit for _, digit in removed}):
                left = position.places[digit] & mask & ~cells
                if left.bit_count() == 1:
                    more = f"{position.names(left)} is left as the only place for {SYMBOLS[digit]} in {unit.name}."
                    yield replace(step, sentence=f"{sentence[:-1]}, and {more}", placed=spread(digit, left))
