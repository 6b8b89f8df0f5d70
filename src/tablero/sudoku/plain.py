"""Solve a plain 9×9 puzzle in plain Python in milliseconds, without loading the compiled kernel.

places    the possible cells of each digit: nine sets with one bit per cell
single    a cell with one possible digit; its peers lose that digit
hidden    the only place of a digit in a unit: the cell loses its other digits and becomes a single
settled   a position in which following singles changes nothing
node      a settled position; the search branches on a cell with the fewest digits
"""

from __future__ import annotations

from collections.abc import Sequence

from tablero.sudoku.puzzle import Cells, Layout

_ALL = (1 << 81) - 1
_UNITS = [sum(1 << cell for cell in unit.cells) for unit in Layout().units]

Places = list[int]


def _peers(cell: int) -> int:
    near = 0
    for unit in _UNITS:
        if unit >> cell & 1:
            near |= unit
    return near & ~(1 << cell)


_PEERS = [_peers(cell) for cell in range(81)]


def solve(puzzle: Sequence[int], most: int, nodes: int) -> tuple[list[Cells] | None, int]:
    """Return up to `most` solutions, or None if the limit on nodes is reached, and the number of nodes visited."""
    start = [_ALL] * 9
    for cell, digit in enumerate(puzzle):
        if digit:
            _place(start, 1 << cell, digit - 1)
    todo = [(start, 0)]
    found: list[Cells] = []
    visited = 0
    while todo and len(found) < most:
        if visited == nodes:
            return None, visited
        visited += 1
        places, done = todo.pop()
        unsure, done = _settle(places, done)
        if unsure == 0:
            found.append(_board(places))
        elif unsure is not None:
            here = _fewest(places, unsure)
            for digit in range(9):
                if places[digit] & here:
                    child = places.copy()
                    _place(child, here, digit)
                    todo.append((child, done))
    return found, visited


def _place(places: Places, here: int, digit: int) -> None:
    """Remove the other digits from a cell."""
    for other in range(9):
        if other != digit:
            places[other] &= ~here


def _settle(places: Places, done: int) -> tuple[int | None, int]:
    """Follow singles; return the cells with several digits, or None for a contradiction, and the new `done`.

    `done` are the singles whose peers have lost their digit.
    """
    while True:
        some = several = 0
        for cells in places:
            several |= some & cells
            some |= cells
        if some != _ALL:
            return None, done
        singles = some & ~several & ~done
        if singles:
            done |= singles
            for digit in range(9):
                rest = places[digit] & singles
                while rest:
                    places[digit] &= ~_PEERS[rest.bit_length() - 1]
                    rest ^= 1 << rest.bit_length() - 1
            continue
        hidden = False
        for digit, cells in enumerate(places):
            for unit in _UNITS:
                here = cells & unit
                if here & (here - 1) == 0:  # one place, or none
                    if here == 0:
                        return None, done
                    if here & several:
                        hidden = True
                        _place(places, here, digit)
        if not hidden:
            return several, done


def _fewest(places: Places, unsure: int) -> int:
    """Return an unsure cell with the fewest digits, as a bit."""
    some = several = many = 0
    for cells in places:
        many |= several & cells
        several |= some & cells
        some |= cells
    pairs = several & ~many
    if pairs:
        return pairs & -pairs
    bits = (1 << cell for cell in range(81) if unsure >> cell & 1)
    return min(bits, key=lambda here: sum(1 for cells in places if cells & here))


def _board(places: Places) -> Cells:
    """Return the digits of a full board."""
    return tuple(next(digit for digit in range(9) if places[digit] >> cell & 1) + 1 for cell in range(81))
