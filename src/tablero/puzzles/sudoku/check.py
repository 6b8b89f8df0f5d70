"""Is it a solution?  Written from the rules, on rows of digits: nothing here is shared with the searches."""

from __future__ import annotations

from collections.abc import Sequence

from tablero.puzzles.sudoku.puzzle import Sudoku


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
