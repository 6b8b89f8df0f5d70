"""Pages of puzzles to print, with their answers on smaller boards at the end."""

from __future__ import annotations

from collections.abc import Sequence

from tablero.draw.scene import Scene
from tablero.draw.sheet import Task, worksheet
from tablero.puzzles.sudoku.draw import board
from tablero.puzzles.sudoku.puzzle import Sudoku

_RATED = 500  # more are only numbered: a rating takes a moment


def handout(puzzles: Sequence[Sudoku], per_page: int = 6, title: str = "") -> list[Scene]:
    """Pages of puzzles, each with its rating in a word, then pages of their solutions."""
    tasks = []
    for puzzle in puzzles:
        rated = not puzzle.layout.cages and puzzle.side <= 9 and len(puzzles) <= _RATED
        caption = puzzle.rate().word if rated else ""
        tasks.append(Task(board(puzzle), caption, board(puzzle, puzzle.solve().boards[0])))
    return worksheet(tasks, title=title or "Sudoku", answers="Solutions", per_page=per_page)
