"""Do the moves solve the board?  Played one by one on a list of numbers: nothing here is shared with the kernels.

Answers of millions of moves are played by a compiled loop, which is this module's own, in pieces: Ctrl-C acts between two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import kernel
from tablero.sliding.puzzle import Board, Boards
from tablero.verbs.parameters import spell
from tablero.words import out_of_place, several

MANY = 500_000  # moves from which the compiled loop is used
_PIECE = 1 << 24  # moves between which Ctrl-C acts
_MOST_SHOWN = 20  # columns of a board that is printed
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


@kernel
def _replay_codes(
    tiles: NDArray[np.int32], rows: int, columns: int, here: int, codes: NDArray[np.uint8]
) -> tuple[int, int]:
    """Play moves (0 N, 1 S, 2 E, 3 W) on tiles; how many there were before one leaves the board, and the blank's cell."""
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


def warm() -> None:
    """Compile the loop."""
    _replay_codes(np.zeros(4, np.int32), 2, 2, 3, np.zeros(1, np.uint8))


def fault_of_codes(board: Board, codes: NDArray[np.uint8]) -> str | None:
    """The same as `fault`, of moves as numbers."""
    if len(codes) < MANY:
        return fault(board, "".join("NSEW"[code] for code in codes.tolist()))
    tiles, here = np.array(board.tiles, np.int32), board.blank
    for first in range(0, len(codes), _PIECE):
        piece = codes[first : first + _PIECE]
        done, here = _replay_codes(tiles, board.rows, board.columns, here, piece)
        if done < len(piece):
            return f"move {first + done + 1} ({'NSEW'[codes[first + done]]}) takes the blank off the board"
    away = int((tiles != np.array(board.goal, np.int32)).sum())
    return out_of_place(away, "place", len(codes))


def fault(board: Board, moves: str) -> str | None:
    """What is wrong, or None when the moves lead from the board to its goal."""
    tiles, wrong = replay(board, moves)
    if wrong:
        return wrong
    away = sum(tile != wanted for tile, wanted in zip(tiles, board.goal, strict=True))
    return out_of_place(away, "place", len(moves))


@dataclass(frozen=True)
class Verdict:
    """Whether a board can be solved; with moves, whether these solve it."""

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
    """A verdict on every board."""

    verdicts: tuple[Verdict, ...]

    @property
    def good(self) -> bool:
        return all(one.good for one in self.verdicts)

    @property
    def status(self) -> str:
        return "solved" if self.good else "none"

    def to_dict(self) -> dict[str, Any]:
        told = [one.to_dict() for one in self.verdicts]
        return told[0] if len(told) == 1 else {"status": self.status, "boards": told}

    def lines(self) -> Iterator[str]:
        return map(str, self.verdicts)

    def remarks(self) -> Iterator[str]:
        """The boards, where they are small."""
        return (str(one.board) for one in self.verdicts if one.board.columns <= _MOST_SHOWN)


def check(puzzle: Board | Boards, moves: str | None) -> Checked:
    """Whether each board can be solved; of a single one, whether the moves solve it."""
    if isinstance(puzzle, Board):
        return Checked((Verdict(puzzle, moves, None if moves is None else fault(puzzle, moves)),))
    if moves is not None:
        puzzle.require_one(spell("moves"))
    return Checked(tuple(map(Verdict, puzzle)))
