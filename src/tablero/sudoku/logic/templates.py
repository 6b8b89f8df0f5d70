"""Templates: all ways in which a digit can still lie on the board, once in every unit.

A cell of all of them holds the digit, a cell of none does not.  Then the digits are held against each other: a cell that is
sure of one digit is in no way of another, which may make further cells sure, and so on until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import and_, or_

from tablero.sudoku.logic.position import Position, Step, bits, spread
from tablero.sudoku.puzzle import SYMBOLS

_MOST = 50_000  # ways that are looked at


def _ways(position: Position, digit: int) -> list[int] | None:
    """The ways of a digit, without what is filled; None where there are too many."""
    geometry = position.geometry
    filled = sum(1 << cell for cell, value in enumerate(position.values) if value == digit)
    rows = [position.places[digit] & geometry.masks[row] for row in geometry.rows if not filled & geometry.masks[row]]
    rows.sort(key=lambda here: here.bit_count())
    found: list[int] = []
    looked = 0
    todo = [(0, 0, 0)]
    while todo:
        row, taken, gone = todo.pop()
        looked += 1
        if looked > _MOST:
            return None
        if row == len(rows):
            if all((taken | filled) & mask for mask in geometry.masks):
                found.append(taken)
            continue
        for cell in bits(rows[row] & ~gone):
            todo.append((row + 1, taken | 1 << cell, gone | geometry.peers[cell]))
    return found


def _all_ways(position: Position) -> dict[int, list[int]]:
    """For each digit that is not done its ways; digits with too many or with none are left out.  Made once."""
    if "templates" not in position.memo:
        every = {digit: _ways(position, digit) for digit in range(1, position.side + 1) if position.places[digit]}
        position.memo["templates"] = {digit: ways for digit, ways in every.items() if ways}
    kept = position.memo["templates"]
    assert isinstance(kept, dict)
    return kept


def _refined(every: dict[int, list[int]]) -> dict[int, list[int]]:
    """The ways that are left when the digits have been held against each other."""
    left = dict(every)
    changed = True
    while changed:
        changed = False
        for digit, ways in left.items():
            taken = reduce(or_, (reduce(and_, others) for k, others in left.items() if k != digit), 0)
            kept = [way for way in ways if not way & taken]
            if kept and len(kept) < len(ways):  # none: the position has a fault, and nothing is told of it
                left[digit] = kept
                changed = True
    return left


def _told(position: Position) -> Iterator[tuple[int, list[int], str]]:
    """Each digit with its ways, and how they are told: by itself first, then where others have ruled some out."""
    every = _all_ways(position)
    for digit, ways in every.items():
        yield digit, ways, f"There {_ways_word(len(ways))} to lay out the {SYMBOLS[digit]}"
    for digit, ways in _refined(every).items():
        if len(ways) < len(every[digit]):
            sentence = (
                f"Where the ways of all digits are held against each other, there {_ways_word(len(ways))} left of "
                f"{len(every[digit])} to lay out the {SYMBOLS[digit]}"
            )
            yield digit, ways, sentence


def _ways_word(count: int) -> str:
    return "is one way" if count == 1 else f"are {count} ways"


def template_set(position: Position) -> Iterator[Step]:
    for digit, ways, told in _told(position):
        sure = reduce(and_, ways)
        if sure:
            use = "it uses" if len(ways) == 1 else "all of them use"
            sentence = f"{told}, and {use} {position.names(sure)}."
            yield Step("template set", 8.0, sentence, placed=spread(digit, sure), cells=tuple(bits(sure)))


def template_delete(position: Position) -> Iterator[Step]:
    for digit, ways, told in _told(position):
        some = reduce(or_, ways)
        gone = position.places[digit] & ~some
        if gone:
            sentence = f"{told}, and {'it does not use' if len(ways) == 1 else 'none uses'} {position.names(gone)}."
            yield Step("template delete", 8.0, sentence, removed=spread(digit, gone), good=spread(digit, some))
