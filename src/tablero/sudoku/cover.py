"""Every Sudoku as an exact cover: one model for all boards and rules.

    items      every cell; every digit of every unit; every cage, and every digit of every cage
    options    a digit in a cell covers that cell, and that digit of each of its units and of its cage
               a combination of digits for a cage covers the cage, and the digits of the cage that are NOT in it

So the digits of a cage are divided between its cells and the combination: its cells hold just the digits of one combination
that adds up to the total.  Diagonals are two more units, the regions of a jigsaw take the place of the boxes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations

import numpy as np

from tablero.cover import ExactCover
from tablero.sudoku.puzzle import Sudoku, cell_name


def to_cover(puzzle: Sudoku) -> tuple[ExactCover, list[tuple[int, int]]]:
    """The model, and for each of its options the cell and the digit, or (−1, 0) for a cage's combination."""
    layout, side = puzzle.layout, puzzle.side
    units, cages = layout.units, layout.cages
    names: list[Hashable] = [cell_name(cell, side) for cell in range(layout.size)]
    units_at = len(names)
    names += [(unit.name, digit) for unit in units for digit in range(1, side + 1)]
    cages_at = len(names)
    names += [f"cage {k + 1}" for k in range(len(cages))]
    digits_at = len(names)
    names += [(f"cage {k + 1}", digit) for k in range(len(cages)) for digit in range(1, side + 1)]

    groups: list[list[int]] = [[] for _ in range(layout.size)]  # the first item of each unit and cage of a cell
    for k, unit in enumerate(units):
        for cell in unit.cells:
            groups[cell].append(units_at + side * k)
    for k, cage in enumerate(cages):
        for cell in cage.cells:
            groups[cell].append(digits_at + side * k)

    start, item, meaning = [0], [], []
    for cell, digit in _candidates(puzzle):
        item.append(cell)
        item += [first + digit - 1 for first in groups[cell]]
        start.append(len(item))
        meaning.append((cell, digit))
    for k, cage in enumerate(cages):
        for digits in combinations(range(1, side + 1), len(cage.cells)):
            if sum(digits) == cage.total:
                item.append(cages_at + k)
                item += [digits_at + side * k + d - 1 for d in range(1, side + 1) if d not in digits]
                start.append(len(item))
                meaning.append((-1, 0))
    return ExactCover.of_arrays(names, len(names), np.array(start, np.int64), np.array(item, np.int32)), meaning


def _candidates(puzzle: Sudoku) -> Iterator[tuple[int, int]]:
    """The digits that no clue forbids: large boards would have far too many options otherwise."""
    layout, side = puzzle.layout, puzzle.side
    forbidden = [0] * layout.size
    for cells in (*(unit.cells for unit in layout.units), *(cage.cells for cage in layout.cages)):
        taken = 0
        for cell in cells:
            taken |= 1 << puzzle.cells[cell]
        for cell in cells:
            forbidden[cell] |= taken
    for cell, clue in enumerate(puzzle.cells):
        for digit in range(1, side + 1):
            if clue == digit or not (clue or forbidden[cell] >> digit & 1):
                yield cell, digit
