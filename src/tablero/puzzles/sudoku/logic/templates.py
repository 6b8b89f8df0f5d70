"""Templates: all ways in which a digit can still lie on the board, once in every unit.

A cell of all of them holds the digit, a cell of none does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablero.puzzles.sudoku.logic.position import Position, Step, bits, spread
from tablero.puzzles.sudoku.puzzle import SYMBOLS

_MOST = 50_000  # ways that are looked at


def _ways(position: Position, digit: int) -> tuple[int, int, int] | None:
    """Cells of all ways, cells of some way, and the number of ways; None where there are too many."""
    geometry = position.geometry
    filled = sum(1 << cell for cell, value in enumerate(position.values) if value == digit)
    rows = [position.places[digit] & geometry.masks[row] for row in geometry.rows if not filled & geometry.masks[row]]
    rows.sort(key=lambda here: here.bit_count())
    every, some, count, looked = -1, 0, 0, 0
    todo = [(0, 0, 0)]
    while todo:
        row, taken, gone = todo.pop()
        looked += 1
        if looked > _MOST:
            return None
        if row == len(rows):
            if all((taken | filled) & mask for mask in geometry.masks):
                every &= taken
                some |= taken
                count += 1
            continue
        for cell in bits(rows[row] & ~gone):
            todo.append((row + 1, taken | 1 << cell, gone | geometry.peers[cell]))
    return every, some, count


def template_set(position: Position) -> Iterator[Step]:
    for digit in range(1, position.side + 1):
        if not position.places[digit] or (found := _ways(position, digit)) is None:
            continue
        every, _, count = found
        placed = spread(digit, every) if count else ()
        if placed:
            sentence = (
                f"There are {count} ways to lay out the {SYMBOLS[digit]}, and all of them use {position.names(every)}."
            )
            yield Step("template set", 8.0, sentence, placed=placed, cells=tuple(bits(every)))


def template_delete(position: Position) -> Iterator[Step]:
    for digit in range(1, position.side + 1):
        if not position.places[digit] or (found := _ways(position, digit)) is None:
            continue
        _, some, count = found
        gone = position.places[digit] & ~some
        if gone and count:
            sentence = (
                f"There {'is one way' if count == 1 else f'are {count} ways'} to lay out the {SYMBOLS[digit]}, and none "
                f"uses {position.names(gone)}."
            )
            yield Step("template delete", 8.0, sentence, removed=spread(digit, gone), good=spread(digit, some))
