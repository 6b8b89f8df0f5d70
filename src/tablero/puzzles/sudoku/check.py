"""Is it a solution?  Written from the rules, on rows of digits: nothing here is shared with the searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.sudoku.puzzle import Sudoku
from tablero.runs.answers import pieces


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
    """What is wrong with the first faulty row of many, or None when all solve the puzzle."""
    plain = puzzle.layout.is_plain and puzzle.side == 9
    for rows in pieces(answers):
        if plain and (wrong := first_fault(np.array(puzzle.cells, np.uint8), rows)):
            return wrong
        for row in [] if plain else rows.tolist():
            if wrong := fault(puzzle, row):
                return wrong
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
