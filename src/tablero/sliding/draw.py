"""Draws boards, and plays solutions on a page or in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from tablero.draw import tiles
from tablero.draw.pages import Moves, move_page
from tablero.draw.scene import Scene
from tablero.draw.tiles import MOST_CELLS
from tablero.errors import BadInput
from tablero.sliding.puzzle import Board, Boards
from tablero.text import several

if TYPE_CHECKING:
    from tablero.sliding.solution import Solution

MOST_PAGE = 3_000_000  # moves


def can_draw(board: Board) -> bool:
    """Whether the board is small enough for a picture."""
    return len(board.tiles) <= MOST_CELLS


def require_drawable(puzzle: Board | Boards) -> None:
    """Reject several boards, and a board that is too large for a picture."""
    if isinstance(puzzle, Boards):
        puzzle.require_one("a picture")
    elif not can_draw(puzzle):
        raise BadInput(
            f"a board of {puzzle.rows}×{puzzle.columns} is too large to draw: expected at most {MOST_CELLS:,} cells"
        )


def scene(board: Board, title: str = "") -> Scene:
    """A picture of the board: tiles in place in full colour, the others pale."""
    require_drawable(board)
    title = title or f"a board of {board.rows}×{board.columns}"
    return tiles.scene(board.rows, board.columns, board.tiles, board.goal, title)


def player(solution: Solution) -> str:
    """A page that plays the moves, with the rule of each in words."""
    board = solution.puzzle
    if not can_draw(board) or len(solution) > MOST_PAGE:
        raise BadInput(
            f"{len(solution):,} moves on {board.rows}×{board.columns} are too many for a page: "
            f"expected at most {MOST_PAGE:,} on {MOST_CELLS:,} cells"
        )
    return move_page(_moves(solution))


def animate(solution: Solution, seconds: float = 10.0, out: TextIO | None = None) -> None:
    """Play the moves in the terminal; the whole takes about `seconds`."""
    tiles.animate(_moves(solution), seconds, out)


def _moves(solution: Solution) -> Moves:
    board, proof = solution.puzzle, "a shortest answer" if solution.optimal else solution.needed
    return Moves(
        title=f"{board.rows}×{board.columns} by {solution.method}",
        rows=board.rows,
        columns=board.columns,
        cells=board.tiles,
        goal=board.goal,
        directions=solution.moves,
        notes=solution.notes,
        remarks=solution.reasons,
        summary=f"{several(len(solution), 'move')}; {proof}.",
    )
