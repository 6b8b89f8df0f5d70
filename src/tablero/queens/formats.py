"""Reads and writes boards as text: one line for each row, one mark for each square, blanks between them optional.

    Q ♛ ♕        a given queen          x × #        a blocked square
    . · - _      an empty square

Puzzles and solutions are printed in this format.  Squares are also written as r1c3,r4c5, and a start as the columns by row,
from 0.
"""

from __future__ import annotations

import re

from tablero.errors import BadInput
from tablero.files import Source, is_there, name_of, plain_text, read_text
from tablero.queens import puzzle  # the module, because the import is circular
from tablero.verbs.parameters import BadValue, spell

MOST_SIDE = 2000  # of a board in this format
_QUEENS, _BLOCKED, _EMPTY = "Qq♛♕", "xX×#", ".·-_"


def read(source: Source, *, torus: bool = False) -> puzzle.Queens:
    """Read a board.

    Parameters
    ----------
    source
        A path, an open file, or "-" for standard input.
    torus
        Whether opposite edges meet.

    Raises
    ------
    BadInput
        The text is no board.
    """
    return parse(read_text(source), torus=torus, source=name_of(source))


def parse(text: str, *, torus: bool = False, source: str = "the board") -> puzzle.Queens:
    """Parse a board; its queens are given.

    Parameters
    ----------
    text
        One line for each row.
    torus
        Whether opposite edges meet.
    source
        The name of the text in messages.

    Raises
    ------
    BadInput
        The text is no board.

    Examples
    --------
    >>> from tablero import queens
    >>> queens.parse("Q . . x\\n. . . .\\n. . . .\\n. . . .").given
    ((0, 0),)
    """
    lines = [(k, line.split()) for k, line in enumerate(plain_text(text, source).splitlines(), 1)]
    rows = [(k, "".join(words)) for k, words in lines if words]
    if not rows:
        raise BadInput(f"{source}: no board in it: expected a line for each row, as '. Q x .'")
    if len(rows) > MOST_SIDE:
        raise BadInput(f"{source}: {len(rows):,} rows: expected at most {MOST_SIDE:,}")
    given: list[puzzle.Square] = []
    blocked: list[puzzle.Square] = []
    for r, (line, marks) in enumerate(rows):
        if len(marks) != len(rows):
            raise BadInput(
                f"{source}, line {line}: {len(marks)} squares: expected {len(rows)}, as many as there are rows"
            )
        for c, mark in enumerate(marks):
            if mark in _QUEENS:
                given.append((r, c))
            elif mark in _BLOCKED:
                blocked.append((r, c))
            elif mark not in _EMPTY:
                raise BadInput(f"{source}, line {line}, square {c + 1}: {mark!r}: expected Q, x or a dot")
    return puzzle.Queens(len(rows), tuple(given), tuple(blocked), torus)


def write(board: puzzle.Queens) -> str:
    """Write a board as text that `parse` reads."""
    if board.n > MOST_SIDE:
        raise BadInput(f"a board of {board.n:,} queens as text: expected at most {MOST_SIDE:,}")
    marks = {**dict.fromkeys(board.given, "Q"), **dict.fromkeys(board.blocked, "x")}
    return "".join(" ".join(marks.get((r, c), ".") for c in range(board.n)) + "\n" for r in range(board.n))


# Arguments of commands


def named(size: str, given: str | None = None, blocked: str | None = None, torus: bool = False) -> puzzle.Queens:
    """A puzzle from a number of queens or a file with a board, and further given and blocked squares."""
    given_squares, blocked_squares = _squares(given, "given"), _squares(blocked, "blocked")
    text = size.strip()
    if re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        return puzzle.Queens(int(text), tuple(given_squares), tuple(blocked_squares), torus)
    if text != "-" and not is_there(text):
        raise BadInput(f"the board {text[:60]!r}: expected a number of queens, or a file with a board")
    board = read(text, torus=torus)
    return puzzle.Queens(board.n, (*board.given, *given_squares), (*board.blocked, *blocked_squares), torus)


def _squares(text: str | None, option: str) -> list[puzzle.Square]:
    """Squares from a text or a file.  An option without any square is an error."""
    if text is None:
        return []
    words = text.strip()
    found = puzzle.squares(read_text(words) if words == "-" or (is_there(words) and words) else words)
    if not found:
        raise BadInput(
            f"{spell(option)} {words[:60]!r}: no squares in it: expected squares as r1c3,r4c5, or a file with such squares"
        )
    return found


def numbers(text: str, name: str = "max_stall") -> list[int]:
    """Whole numbers separated by commas or blanks; `name` is the parameter's name in messages."""
    found = []
    for word in filter(None, re.split(r"[,;\s]+", text)):
        if not re.fullmatch(r"[0-9]{1,15}", word):
            raise BadValue(name, word, "whole numbers, as 50,500")
        found.append(int(word))
    return found


def start(text: str) -> list[int]:
    """The columns to start from: numbers by row from 0, or a file with them or with a board of one queen in each row."""
    if not text.strip():
        raise BadInput(f"{spell('start')} {text[:60]!r}: expected a file, or the columns by row from 0, as 1,3,0,2")
    if text == "-" or is_there(text):
        content, name = read_text(text), name_of(text)
        if not re.fullmatch(r"[0-9,;\s]*", content):
            board = parse(content, source=name)
            if [r for r, _ in board.given] != list(range(board.n)):
                raise BadInput(f"{name}: expected a queen in every row of a start")
            return [c for _, c in board.given]
        text = content
    elif not re.search(r"[,;\s]|^[0-9]*$", text):
        raise BadInput(
            f"{spell('start')} {text[:60]!r}: expected an existing file, or the columns by row from 0, as 1,3,0,2"
        )
    return numbers(text, "start")
