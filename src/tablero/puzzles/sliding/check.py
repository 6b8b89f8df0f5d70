"""Do the moves solve the board?  Played one by one on a list of numbers: nothing here is shared with the kernels."""

from __future__ import annotations

from tablero.puzzles.sliding.puzzle import Board

_STEPS = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}


def replay(board: Board, moves: str) -> tuple[list[int], str | None]:
    """The tiles after the moves, and what is wrong with the first move that is no move (None when all are)."""
    tiles, rows, columns = list(board.tiles), board.rows, board.columns
    row, column = divmod(board.blank, columns)
    here = row * columns + column
    for number, letter in enumerate(moves, 1):
        down, right = _STEPS[letter]
        row, column = row + down, column + right
        if not (0 <= row < rows and 0 <= column < columns):
            return tiles, f"move {number} ({letter}) takes the blank off the board"
        there = row * columns + column
        tiles[here], tiles[there] = tiles[there], 0
        here = there
    return tiles, None


def fault(board: Board, moves: str) -> str | None:
    """What is wrong, or None when the moves lead from the board to its goal."""
    tiles, wrong = replay(board, moves)
    if wrong:
        return wrong
    away = sum(tile != wanted for tile, wanted in zip(tiles, board.goal, strict=True))
    return f"{away} tiles are not in their places after {len(moves)} moves" if away else None
