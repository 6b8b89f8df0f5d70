"""Check solutions against the rules.  This module shares no code with the searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.sudoku.puzzle import Layout, Sudoku

Digits = NDArray[np.integer[Any]]


def fault(puzzle: Sudoku, answer: Sequence[int]) -> str | None:
    """Return what is wrong with an answer, or None if it solves the puzzle."""
    return first_fault(puzzle.layout, np.array(puzzle.cells), np.array([answer]))


def first_fault(layout: Layout, clues: Digits, answers: Digits) -> str | None:
    """Return what is wrong with one of several answers, or None if all are solutions.

    `clues` is one row for all answers, or one row per answer.
    """
    side = layout.side
    if answers.shape[1:] != (side * side,):
        return f"{answers.shape[1:]} cells"
    if ((answers < 1) | (answers > side)).any():
        return "a cell without a digit"
    if ((clues != 0) & (answers != clues)).any():
        return "a clue is changed"
    bits = np.left_shift(np.int32(1), answers)  # bit d for digit d
    every = (1 << side + 1) - 2
    by_region = np.argsort([layout.region(cell) for cell in range(side * side)], kind="stable")
    rows, regions = (board.reshape(-1, side, side) for board in (bits, bits[:, by_region]))
    for name, units in (("row", rows), ("column", rows.swapaxes(1, 2)), ("box or region", regions)):
        wrong = (np.bitwise_or.reduce(units, axis=2) != every).any(axis=0)
        if wrong.any():
            return f"{name} {wrong.argmax() + 1}"
    if layout.diagonals:
        for name, first, step in (("falling", 0, side + 1), ("rising", side - 1, side - 1)):
            if (np.bitwise_or.reduce(bits[:, first : side * side - first : step], axis=1) != every).any():
                return f"the {name} diagonal"
    for number, cage in enumerate(layout.cages, 1):
        cells = list(cage.cells)
        held = np.bitwise_or.reduce(bits[:, cells], axis=1)
        if (np.bitwise_count(held) != len(cells)).any() or (answers[:, cells].sum(axis=1) != cage.total).any():
            return f"cage {number}"
    return None
