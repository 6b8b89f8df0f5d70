"""Pages of puzzles to print, with their answers on smaller boards at the end."""

from __future__ import annotations

from collections.abc import Sequence

from tablero.draw.scene import Scene
from tablero.draw.sheet import Task, Worksheet, require_count
from tablero.sudoku.draw import board
from tablero.sudoku.formats import write
from tablero.sudoku.generating import generate_many
from tablero.sudoku.puzzle import Sudoku, to_line
from tablero.sudoku.wish import Wish

_RATED = 500  # more are only numbered: a rating takes a moment


def worksheet(
    wish: Wish | None = None, *, count: int = 6, seed: int = 0, title: str = "", per_page: int = 6
) -> Worksheet:
    """So many new puzzles; drawn as PDF or SVG, with the solutions at the end."""
    require_count(count)
    return sheet_of(list(generate_many(count, wish or Wish(), seed=seed)), per_page, title)


def sheet_of(puzzles: Sequence[Sudoku], per_page: int = 6, title: str = "") -> Worksheet:
    """These puzzles, each with its rating in a word, and their solutions."""
    tasks = []
    for puzzle in puzzles:
        rated = not puzzle.layout.cages and puzzle.side <= 9 and len(puzzles) <= _RATED
        caption = puzzle.rate().word if rated else ""
        solved = puzzle.solve().boards[0]
        tasks.append(Task(board(puzzle), caption, board(puzzle, solved), write(puzzle), to_line(solved)))
    return Worksheet(tasks, title or "Sudoku", "Solutions", per_page)


def handout(puzzles: Sequence[Sudoku], per_page: int = 6, title: str = "") -> list[Scene]:
    """The pages of such a sheet."""
    return sheet_of(puzzles, per_page, title).pages
