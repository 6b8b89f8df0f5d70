"""Boards and moves as text.

    1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0        a board in one line, rows separated by slashes, 0 the blank
    1 2 3                                        the same in a file: a row a line; lines that begin with # are comments
    4 5 0                                        and empty lines are skipped

Moves are a word of N, S, E and W, the way the blank goes; blanks and line ends in it are skipped.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.files import Source, is_there, name_of, plain_text, read_text
from tablero.puzzles.sliding.puzzle import GOALS, Board, named_goal

LETTERS = "NSEW"
_CODES = np.full(256, 255, np.uint8)
_CODES[[ord(letter) for letter in LETTERS]] = range(4)


def parse(text: str, source: str = "the board", goal: str = "blank-last") -> Board:
    """A board in one line or in many; the goal is a name or a board."""
    rows, tiles = _grid(plain_text(text, source), source)
    columns = len(tiles) // rows
    if goal in GOALS:
        end = named_goal(goal, rows, columns)
    elif re.search(r"[0-9]", goal):
        goal_rows, numbers = _grid(goal, "the goal")
        if (goal_rows, len(numbers)) != (rows, len(tiles)):
            raise BadInput(f"the goal has {goal_rows}×{len(numbers) // goal_rows} cells, the board {rows}×{columns}")
        end = tuple(numbers)
    else:
        raise BadInput(f"the goal {goal!r}: expected {' or '.join(GOALS)}, or a board as 1 2 3/4 5 6/7 8 0")
    return Board(rows, columns, tuple(tiles), end)


def read(source: Source, goal: str = "blank-last") -> Board:
    """A board from a file, an open one, or "-" for standard input."""
    return parse(read_text(source), name_of(source), goal)


def named(text: str, goal: str = "blank-last") -> Board:
    """A board as people give it to a command: in one line, or by the name of a file ("-": standard input)."""
    if re.search(r"[\s/,]", text.strip()) and not is_there(text):
        return parse(text, goal=goal)
    return read(text, goal)


def _grid(text: str, source: str) -> tuple[int, list[int]]:
    """How many rows, and all numbers; rows of different lengths and words that are no numbers are refused."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    rows = [row for line in lines for row in line.strip().rstrip("/").split("/")]
    if not rows:
        raise BadInput(f"{source}: empty; expected a board as 1 2 3/4 5 6/7 8 0")
    tiles: list[int] = []
    width = 0
    for k, row in enumerate(rows, 1):
        words = row.replace(",", " ").split()
        for word in words:
            if not re.fullmatch(r"[0-9]{1,7}", word):
                raise BadInput(f"{source}, row {k}: {word[:40]!r}: expected a tile's number, or 0 for the blank")
        width = width or len(words)
        if len(words) != width or not words:
            raise BadInput(f"{source}, row {k}: {len(words)} tiles where the first row has {width}")
        tiles += map(int, words)
    return len(rows), tiles


def write(board: Board) -> str:
    """The board in one line."""
    columns = board.columns
    return "/".join(
        " ".join(map(str, board.tiles[first : first + columns])) for first in range(0, len(board.tiles), columns)
    )


def picture(board: Board) -> str:
    """The board as lines of text, numbers under numbers, a dot for the blank."""
    width, columns = len(str(len(board.tiles) - 1)), board.columns
    words = [(str(tile) if tile else "·").rjust(width) for tile in board.tiles]
    return "\n".join(" ".join(words[first : first + columns]) for first in range(0, len(words), columns))


def letters(moves: NDArray[np.uint8]) -> str:
    """Moves as a word."""
    return np.frombuffer(LETTERS.encode(), np.uint8)[moves].tobytes().decode()


def parse_moves(text: str, source: str = "the moves") -> NDArray[np.uint8]:
    """A word of N, S, E and W; small letters will do."""
    word = "".join(text.split()).upper()
    try:
        raw = np.frombuffer(word.encode("ascii"), np.uint8)
    except UnicodeEncodeError as error:
        raise BadInput(f"{source}: character {error.start + 1} is {word[error.start]!r}: expected N, S, E, W") from None
    codes = _CODES[raw]
    if (codes == 255).any():
        k = int((codes == 255).argmax())
        raise BadInput(f"{source}: character {k + 1} is {word[k]!r}: expected N, S, E or W")
    return codes


def named_moves(text: str, source: str) -> NDArray[np.uint8]:
    """Moves as people give them to a command: a word, or the name of a file."""
    if is_there(text) and not Path(text).is_dir():  # a folder may be called N
        return parse_moves(read_text(text), text)
    return parse_moves(text, source)
