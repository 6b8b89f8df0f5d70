"""The stop of the tour about n queens."""

from __future__ import annotations

from tablero.draw.pages import Stop
from tablero.draw.svg import to_svg
from tablero.queens.draw import fundamental_gallery
from tablero.queens.puzzle import Queens
from tablero.queens.solving import fundamental, images


def stop() -> Stop:
    """The fundamental solutions of eight queens."""
    ways = Queens(8).count().solutions
    boards = fundamental(Queens(8))
    own_turn = next(k for k, board in enumerate(boards, 1) if len(set(images(board.tolist()))) < 8)
    return Stop(
        "Queens",
        "tablero queens count 8 --fundamental --svg queens.svg",
        f"Eight queens can be placed on a chessboard in {ways} ways so that no two attack each other. Up to rotations and "
        f"reflections, {len(boards)} remain; number {own_turn} is its own half turn, and has four images instead of eight.",
        to_svg(fundamental_gallery(boards)),
        lambda colours: str(boards[0]),
    )
