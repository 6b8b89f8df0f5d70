"""Reads and writes boards and moves as text.

    1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0        a board in one line, rows separated by slashes, 0 the blank
    14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3        a square board without slashes, as Korf writes them
    1 2 3                                        the same in a file, one row in each line; # begins a comment line
    4 5 0

The blank is 0, _ or a dot.  A file may hold several boards: one in each line, or one row in each line with an empty line
between boards.  More than one blank means several boards.

Moves are a word of N, S, E and W, the directions of the blank; spaces and line ends are skipped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.files import Source, is_there, name_of, plain_text, read_text
from tablero.sliding.puzzle import GOALS, Board, Boards, named_goal
from tablero.verbs.parameters import spell

LETTERS = "NSEW"
BLANKS = ("0", "_", ".", "·")
_CODES = np.full(256, 255, np.uint8)
_CODES[[ord(letter) for letter in LETTERS]] = range(4)


def parse(text: str, source: str = "the board", goal: str = "blank-last") -> Board:
    """Parse one board.

    Parameters
    ----------
    text
        The board in one line or in several.
    source
        The name of the text in messages.
    goal
        "blank-last", "blank-first", or a board as text.

    Raises
    ------
    BadInput
        The text is not exactly one board.

    Examples
    --------
    >>> from tablero import sliding
    >>> sliding.parse("1 2 3/4 5 6/7 0 8").blank
    7
    """
    boards = parse_all(text, source, goal)
    if len(boards) > 1:
        raise BadInput(f"{source} holds {len(boards):,} boards: expected one")
    return boards[0]


def parse_all(text: str, source: str = "the board", goal: str = "blank-last") -> list[Board]:
    """Parse one or more boards with the same goal."""
    blocks = _blocks(plain_text(text, source))
    if len(blocks) == 1:
        return [_board(blocks[0], source, goal)]
    boards = []
    for number, block in enumerate(blocks, 1):
        name = f"{source}, board {number}"
        try:
            boards.append(_board(block, name, goal))
        except BadInput as error:  # errors from Board do not name the board
            raise BadInput(str(error) if str(error).startswith(name) else f"{name}: {error}") from None
    return boards


def _board(lines: list[str], source: str, goal: str) -> Board:
    rows, tiles = _grid(lines, source)
    columns = len(tiles) // rows
    if goal in GOALS:
        return Board(rows, columns, tuple(tiles), named_goal(goal, rows, columns))
    if not re.search(r"[0-9]", goal):
        raise BadInput(f"the goal {goal!r}: expected {' or '.join(GOALS)}, or a board as 1 2 3/4 5 6/7 8 0")
    goal_rows, numbers = _grid(_lines(goal), "the goal")
    if (goal_rows, len(numbers)) != (rows, len(tiles)):
        raise BadInput(f"the goal has {goal_rows}×{len(numbers) // goal_rows} cells, the board {rows}×{columns}")
    return Board(rows, columns, tuple(tiles), tuple(numbers))


def read(source: Source, goal: str = "blank-last") -> Board:
    """Read one board from a path, an open file, or "-" for standard input."""
    return parse(read_text(source), name_of(source), goal)


def read_all(source: Source, goal: str = "blank-last") -> list[Board]:
    """Read all boards of a file."""
    return parse_all(read_text(source), name_of(source), goal)


def named(text: str, goal: str = "blank-last") -> Board | Boards:
    """Boards from an argument: a board in one line, or the name of a file ("-": standard input)."""
    if re.search(r"[\s/,]", text.strip()) and not is_there(text):
        return several_of(parse_all(text, goal=goal))
    return several_of(read_all(text, goal))


def several_of(boards: list[Board]) -> Board | Boards:
    return boards[0] if len(boards) == 1 else Boards(tuple(boards))


def goals() -> tuple[str, ...]:
    """The names of goals, for shell completion."""
    return GOALS


def sides(text: str) -> list[int]:
    """Rows and columns from a size such as 4 or 3x5."""
    found = re.fullmatch(r"([0-9]{1,6})(?:[x×]([0-9]{1,6}))?", text, re.ASCII)
    if not found:
        raise BadInput(f"the size {text!r}: expected a number as 4, or rows and columns as 3x5")
    return [int(found[1]), int(found[2] or found[1])]


def rows_and_columns(size: int | str | Sequence[int]) -> tuple[int, int]:
    """Rows and columns from a size in any form."""
    pair = (size, size) if isinstance(size, int) else tuple(sides(size) if isinstance(size, str) else size)
    if len(pair) != 2:
        raise BadInput(f"the size {pair}: expected a number as 4, or rows and columns as (3, 5)")
    return pair[0], pair[1]


def _lines(text: str) -> list[str]:
    """The lines without comments; empty lines are kept."""
    return [line.strip() for line in text.splitlines() if not line.lstrip().startswith("#")]


def _words(line: str) -> list[str]:
    return line.replace(",", " ").split()


def _blocks(text: str) -> list[list[str]]:
    """The lines of each board.  More than one blank in more than one line means several boards."""
    lines = _lines(text)
    full = [line for line in lines if line]
    blanks = sum(word in BLANKS for line in full for word in _words(line.replace("/", " ")))
    if blanks < 2 or len(full) < 2:
        return [full]
    blocks = [list(group) for some, group in groupby(lines, bool) if some]
    if any("/" in line for line in full) or (len(blocks) == 1 and all(_blanks_of_a_square(line) == 1 for line in full)):
        return [[line] for line in full]
    return blocks


def _blanks_of_a_square(line: str) -> int:
    """The number of blanks in a line that could be a square board without slashes; 0 if it cannot."""
    words = _words(line)
    side = math.isqrt(len(words))
    return sum(word in BLANKS for word in words) if side > 1 and side * side == len(words) else 0


def _grid(lines: list[str], source: str) -> tuple[int, list[int]]:
    """The number of rows and all tiles; `BadInput` for rows of different lengths and for words that are no numbers."""
    rows = [_words(row) for line in lines if line for row in line.rstrip("/").split("/")]
    if not rows:
        raise BadInput(f"{source}: empty; expected a board as 1 2 3/4 5 6/7 8 0")
    if len(rows) == 1 and (blanks := _blanks_of_a_square(" ".join(rows[0]))):
        if blanks > 1:
            raise BadInput(f"{source}: {blanks} blanks: expected one, written as 0, _ or a dot")
        side = math.isqrt(len(rows[0]))
        rows = [rows[0][first : first + side] for first in range(0, side * side, side)]
    tiles: list[int] = []
    width = len(rows[0])
    for k, words in enumerate(rows, 1):
        for word in words:
            if word not in BLANKS and not (word.isascii() and word.isdecimal() and len(word) <= 7):
                raise BadInput(f"{source}, row {k}: {word[:40]!r}: expected a tile's number, or 0 for the blank")
        if len(words) != width or not words:
            raise BadInput(f"{source}, row {k}: {len(words)} tiles where the first row has {width}")
        tiles += (0 if word in BLANKS else int(word) for word in words)
    return len(rows), tiles


def write(board: Board) -> str:
    """Write a board as one line."""
    return board.text


def letters(moves: NDArray[np.uint8]) -> str:
    """Moves as a word of N, S, E and W."""
    return np.frombuffer(LETTERS.encode(), np.uint8)[moves].tobytes().decode()


def parse_moves(text: str, source: str = "the moves") -> NDArray[np.uint8]:
    """Parse a word of N, S, E and W; lower case is accepted."""
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


def word_of(text: str) -> str:
    """The word of moves from an argument: a word or the name of a file."""
    if is_there(text) and not Path(text).is_dir():  # a folder may have the name N
        return letters(parse_moves(read_text(text), text))
    return letters(parse_moves(text, spell("moves")))
