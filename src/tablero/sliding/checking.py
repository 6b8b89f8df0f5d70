"""Checks moves: plays them one by one on a list of numbers.  Nothing is shared with the kernels.

The same loop is compiled for answers of millions of moves.  These are played in pieces, so that Ctrl-C acts in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import kernel
from tablero.sliding.puzzle import Board, Boards
from tablero.text import out_of_place, several
from tablero.verbs.parameters import spell

MANY = 500_000  # moves from which the compiled loop is used
_PIECE = 1 << 24  # moves between checks for Ctrl-C
_MOST_SHOWN = 20  # columns of the largest board that is printed


def play(tiles: Any, rows: int, columns: int, here: int, codes: Any) -> tuple[int, int]:
    """Play moves (0 N, 1 S, 2 E, 3 W) until one leaves the board; return their number and the blank's cell."""
    for k in range(len(codes)):
        code, row, column = codes[k], here // columns, here % columns
        if code == 0:
            row -= 1
        elif code == 1:
            row += 1
        elif code == 2:
            column += 1
        else:
            column -= 1
        if row < 0 or row >= rows or column < 0 or column >= columns:
            return k, here
        there = row * columns + column
        tiles[here] = tiles[there]
        tiles[there] = 0
        here = there
    return len(codes), here


play_compiled = kernel(play)


def warm() -> None:
    """Compile the loop."""
    play_compiled(np.zeros(4, np.int32), 2, 2, 3, np.zeros(1, np.uint8))


def fault_of_codes(board: Board, codes: NDArray[np.uint8]) -> str | None:
    """The fault of the moves; None if they lead from the board to its goal."""
    many = len(codes) >= MANY
    tiles: Any = np.array(board.tiles, np.int32) if many else list(board.tiles)
    here = board.blank
    for first in range(0, len(codes), _PIECE):
        piece = codes[first : first + _PIECE]
        done, here = (play_compiled if many else play)(tiles, board.rows, board.columns, here, piece)
        if done < len(piece):
            return f"move {first + done + 1} ({'NSEW'[piece[done]]}) takes the blank off the board"
    away = sum(tile != wanted for tile, wanted in zip(tiles, board.goal, strict=True))
    return out_of_place(away, "place", len(codes))


def fault(board: Board, moves: str) -> str | None:
    """The fault of moves given as letters."""
    return fault_of_codes(board, np.array(["NSEW".index(letter) for letter in moves], np.uint8))


@dataclass(frozen=True)
class Verdict:
    """Whether a board can be solved; with moves, whether they solve it."""

    board: Board
    moves: str | None = None
    fault: str | None = None  # of the moves

    @property
    def good(self) -> bool:
        return self.board.solvable if self.moves is None else self.fault is None

    def to_dict(self) -> dict[str, Any]:
        of_moves = {} if self.moves is None else {"moves": len(self.moves), "fault": self.fault}
        status = "solved" if self.good else "none"
        return {"status": status, "solvable": self.board.solvable, "why": self.board.reason, **of_moves}

    def __str__(self) -> str:
        if self.moves is None:
            return f"{'can' if self.good else 'cannot'} be solved: {self.board.reason}"
        verb = "solves" if len(self.moves) == 1 else "solve"
        return self.fault or f"{several(len(self.moves), 'move')} {verb} it"


@dataclass(frozen=True)
class Checked:
    """The verdict on every board."""

    verdicts: tuple[Verdict, ...]

    @property
    def good(self) -> bool:
        return all(one.good for one in self.verdicts)

    @property
    def status(self) -> str:
        return "solved" if self.good else "none"

    def to_dict(self) -> dict[str, Any]:
        boards = [one.to_dict() for one in self.verdicts]
        return boards[0] if len(boards) == 1 else {"status": self.status, "boards": boards}

    def lines(self) -> Iterator[str]:
        return map(str, self.verdicts)

    def remarks(self) -> Iterator[str]:
        """The small boards as pictures."""
        return (str(one.board) for one in self.verdicts if one.board.columns <= _MOST_SHOWN)


def check(puzzle: Board | Boards, moves: str | None) -> Checked:
    """Check whether each board can be solved, or whether the moves solve a single board."""
    if isinstance(puzzle, Board):
        return Checked((Verdict(puzzle, moves, None if moves is None else fault(puzzle, moves)),))
    if moves is not None:
        puzzle.require_one(spell("moves"))
    return Checked(tuple(map(Verdict, puzzle)))
