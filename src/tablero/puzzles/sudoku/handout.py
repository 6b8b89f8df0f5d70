"""Pages of puzzles to print, with their answers on smaller boards at the end."""

from __future__ import annotations

from collections.abc import Sequence

from tablero.draw.scene import Scene
from tablero.draw.sheet import pages
from tablero.errors import BadInput
from tablero.puzzles.sudoku.draw import board
from tablero.puzzles.sudoku.puzzle import Sudoku

SHAPES = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}  # puzzles on a page: across and down
_RATED = 500  # more are only numbered: a rating takes a moment


def require_shape(per_page: int) -> None:
    """Refuse numbers that make no page."""
    if per_page not in SHAPES:
        raise BadInput(f"{per_page} puzzles on a page: expected one of {', '.join(map(str, SHAPES))}")


def handout(puzzles: Sequence[Sudoku], per_page: int = 6) -> list[Scene]:
    """Pages of puzzles, then pages of their solutions, smaller; those that are fewer than a page holds fill it."""
    require_shape(per_page)
    across, down = _shape(len(puzzles), per_page)
    captions = []
    for number, puzzle in enumerate(puzzles, 1):
        rated = not puzzle.layout.cages and puzzle.side <= 9 and len(puzzles) <= _RATED
        captions.append(f"{number}. {puzzle.rate().word}" if rated else f"{number}.")
    solved = [board(puzzle, puzzle.solve().boards[0]) for puzzle in puzzles]
    out = pages([board(puzzle) for puzzle in puzzles], captions, across=across, down=down, head="Sudoku")
    numbers = [f"{number}." for number in range(1, len(puzzles) + 1)]
    across, down = _shape(len(puzzles), max(SHAPES))
    return out + pages(solved, numbers, across=across, down=down, head="Solutions")


def _shape(count: int, most: int) -> tuple[int, int]:
    """The largest boards with which so many fit on a page, or as many as the page may have."""
    return SHAPES[next(number for number in SHAPES if number >= min(count, most))]
