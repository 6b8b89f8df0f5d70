"""Pages of puzzles to print, with their answers on smaller boards at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablero.draw.sheet import Task, Worksheet
from tablero.sudoku.draw import board
from tablero.sudoku.formats import write
from tablero.sudoku.generating import generate_many, seed_remark
from tablero.sudoku.puzzle import Sudoku, to_line
from tablero.sudoku.rating import find_rating
from tablero.sudoku.solving import solve
from tablero.sudoku.wish import Wish

_RATED = 500  # more are only numbered: a rating takes a moment


def worksheet(wish: Wish, *, count: int, seed: int, title: str, per_page: int) -> Worksheet:
    """So many new puzzles; drawn as PDF or SVG, with the solutions at the end."""
    made = sheet_of(list(generate_many(count, wish, seed=seed)), per_page, title)
    return replace(made, notes=(seed_remark(),) if seed == 0 else ())


def sheet_of(puzzles: Sequence[Sudoku], per_page: int = 6, title: str = "") -> Worksheet:
    """These puzzles, each with its rating in a word, and their solutions."""
    tasks = []
    for puzzle in puzzles:
        rated = not puzzle.layout.cages and puzzle.side <= 9 and len(puzzles) <= _RATED
        caption = find_rating(puzzle).word if rated else ""
        solved = solve(puzzle).boards[0]
        tasks.append(Task(board(puzzle), caption, board(puzzle, solved), write(puzzle), to_line(solved)))
    return Worksheet(tasks, title or "Sudoku", "Solutions", per_page)
