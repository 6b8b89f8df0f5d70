"""Is it a solution?  Written from the rules, on rows of digits: nothing here is shared with the searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.runs.answers import pieces
from tablero.sudoku.puzzle import Sudoku


def fault(puzzle: Sudoku, answer: Sequence[int]) -> str | None:
    """What is wrong with an answer, or None when it solves the puzzle."""
    layout, side = puzzle.layout, puzzle.side
    every = set(range(1, side + 1))
    if len(answer) != side * side:
        return f"{len(answer)} cells"
    for cell, digit in enumerate(puzzle.cells):
        if digit and answer[cell] != digit:
            return f"the clue in cell {cell} is changed"
    for k in range(side):
        if set(answer[k * side : (k + 1) * side]) != every:
            return f"row {k + 1}"
        if set(answer[k::side]) != every:
            return f"column {k + 1}"
        if {digit for cell, digit in enumerate(answer) if layout.region(cell) == k} != every:
            return f"box or region {k + 1}"
    if layout.diagonals:
        if set(answer[:: side + 1]) != every:
            return "the falling diagonal"
        if set(answer[side - 1 : side * side - 1 : side - 1]) != every:
            return "the rising diagonal"
    for number, cage in enumerate(layout.cages, 1):
        digits = [answer[cell] for cell in cage.cells]
        if len(set(digits)) < len(digits) or sum(digits) != cage.total:
            return f"cage {number}"
    return None


def fault_of_many(puzzle: Sudoku, answers: NDArray[np.int32]) -> str | None:
    """What is wrong with the first kind of fault among many answers to one puzzle, or None when all solve it."""
    for rows in pieces(answers):
        if wrong := _fault_of_some(puzzle, rows):
            return wrong
    return None


def _fault_of_some(puzzle: Sudoku, answers: NDArray[np.int32]) -> str | None:
    layout, side = puzzle.layout, puzzle.side
    if answers.shape[1:] != (side * side,):
        return f"{answers.shape[1:]} cells"
    if ((answers < 1) | (answers > side)).any():
        return "what is no digit"
    clues = np.array(puzzle.cells, np.int32)
    if ((clues != 0) & (answers != clues)).any():
        return "a clue is changed"
    every = (1 << side + 1) - 2
    bits = np.left_shift(np.int32(1), answers)  # a digit is a bit: 25 of them have room
    square = bits.reshape(-1, side, side)
    for name, axis in (("row", 2), ("column", 1)):
        if (np.bitwise_or.reduce(square, axis=axis) != every).any():
            return f"a {name}"
    regions: dict[int, list[int]] = {}
    for cell in range(side * side):
        regions.setdefault(layout.region(cell), []).append(cell)
    units = [(f"box or region {k + 1}", cells) for k, cells in regions.items()]
    if layout.diagonals:
        units.append(("the falling diagonal", [k * side + k for k in range(side)]))
        units.append(("the rising diagonal", [k * side + side - 1 - k for k in range(side)]))
    for name, cells in units:
        if (np.bitwise_or.reduce(bits[:, cells], axis=1) != every).any():
            return name
    for number, cage in enumerate(layout.cages, 1):
        held = np.bitwise_or.reduce(bits[:, list(cage.cells)], axis=1)
        sums = answers[:, list(cage.cells)].sum(axis=1)
        if (np.bitwise_count(held) != len(cage.cells)).any() or (sums != cage.total).any():
            return f"cage {number}"
    return None


def first_fault(puzzles: NDArray[np.uint8], answers: NDArray[np.integer[Any]]) -> str | None:
    """What is wrong with the first faulty row of many plain 9×9 answers, or None when all solve their puzzles."""
    if ((answers < 1) | (answers > 9)).any():
        return "what is no digit"
    board = answers.reshape(-1, 3, 3, 3, 3).astype(np.int64)
    bits = np.left_shift(1, board)
    for name, axes in (("row", (3, 4)), ("column", (1, 2)), ("box", (2, 4))):
        if (np.bitwise_or.reduce(np.bitwise_or.reduce(bits, axis=axes[1]), axis=axes[0]) != 0b1111111110).any():
            return f"a {name}"
    return "a clue is changed" if ((puzzles != 0) & (puzzles != answers)).any() else None
