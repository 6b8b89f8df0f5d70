"""Where a box and a line meet: pointing (the box decides) and claiming (the line decides).

Direct means that a single follows at once: people see that without writing candidates down.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tablero.sudoku.logic.position import Position, Step, bits
from tablero.sudoku.logic.singles import hidden_single_of
from tablero.sudoku.puzzle import SYMBOLS


class _Meeting(NamedTuple):
    """All places of a digit in one unit lie in another one, too; there it can be nowhere else."""

    digit: int
    home: int
    target: int
    places: int
    removed: int


def _meetings(position: Position, homes: list[int], targets: list[int]) -> Iterator[_Meeting]:
    pairs = position.geometry.meetings(tuple(homes), tuple(targets))
    for digit in range(1, position.side + 1):
        places = position.places[digit]
        if not places:
            continue
        for home, only_home, only_target, both, target in pairs:
            if places & both and not places & only_home:
                removed = places & only_target
                if removed:
                    yield _Meeting(digit, home, target, places & both, removed)


def _step(position: Position, found: _Meeting, name: str, rating: float) -> Step:
    units = position.geometry.units
    sentence = (
        f"In {units[found.home].name} the {SYMBOLS[found.digit]} can only be in {position.names(found.places)}, all in "
        f"{units[found.target].name}: no other cell there is {SYMBOLS[found.digit]}."
    )
    return Step(
        name,
        rating,
        sentence,
        removed=tuple((cell, found.digit) for cell in bits(found.removed)),
        cells=units[found.home].cells,
        good=tuple((cell, found.digit) for cell in bits(found.places)),
    )


def _plain(position: Position, homes: list[int], targets: list[int], name: str, rating: float) -> Iterator[Step]:
    for found in _meetings(position, homes, targets):
        yield _step(position, found, name, rating)


def _direct(position: Position, homes: list[int], targets: list[int], name: str, rating: float) -> Iterator[Step]:
    for found in _meetings(position, homes, targets):
        single = hidden_single_of(position, position.places[found.digit] & ~found.removed)
        if single:
            cell, unit = single
            step = _step(position, found, name, rating)
            sentence = (
                f"{step.sentence[:-1]}, and {position.name(cell)} is left as its only place in "
                f"{position.geometry.units[unit].name}."
            )
            placed = ((cell, found.digit),)
            yield Step(name, rating, sentence, placed, step.removed, step.cells, step.good)


def pointing(position: Position) -> Iterator[Step]:
    return _plain(position, position.geometry.boxes, position.geometry.lines, "pointing", 2.6)


def claiming(position: Position) -> Iterator[Step]:
    return _plain(position, position.geometry.lines, position.geometry.boxes, "claiming", 2.8)


def direct_pointing(position: Position) -> Iterator[Step]:
    return _direct(position, position.geometry.boxes, position.geometry.lines, "direct pointing", 1.7)


def direct_claiming(position: Position) -> Iterator[Step]:
    return _direct(position, position.geometry.lines, position.geometry.boxes, "direct claiming", 1.9)
