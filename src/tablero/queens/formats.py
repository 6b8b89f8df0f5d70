"""Boards as text: a line a row, a mark a square, with or without blanks between.

    Q ♛ ♕        a queen that is given          x × #        a blocked square
    . · - _      an empty square

A puzzle prints like that, and so does a solution: what is printed can be read.  Squares are also written as r1c3,r4c5, and
the columns of a start as numbers by row, from 0.
"""

from __future__ import annotations

import re

from tablero.errors import BadInput
from tablero.files import Source, is_there, name_of, plain_text, read_text
from tablero.queens import puzzle  # as a module: it imports this one
from tablero.verbs.parameters import BadValue, spell

MOST_SIDE = 2000  # of boards that are written square by square
_QUEENS, _BLOCKED, _EMPTY = "Qq♛♕", "xX×#", ".·-_"


def read(source: Source, *, torus: bool = False) -> puzzle.Queens:
    """A board from a file, an open one, or "-" for standard input."""
    return parse(read_text(source), torus=torus, source=name_of(source))


def parse(text: str, *, torus: bool = False, source: str = "the board") -> puzzle.Queens:
    """The puzzle that a board in text form shows: its queens are given."""
    lines = [(k, line.split()) for k, line in enumerate(plain_text(text, source).splitlines(), 1)]
    rows = [(k, "".join(words)) for k, words in lines if words]
    if not rows:
        raise BadInput(f"{source}: no board in it: expected a line a row, as '. Q x .'")
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
    """The board as text, as `parse` reads it."""
    if board.n > MOST_SIDE:
        raise BadInput(f"a board of {board.n:,} queens as text: expected at most {MOST_SIDE:,}")
    marks = {**dict.fromkeys(board.given, "Q"), **dict.fromkeys(board.blocked, "x")}
    return "".join(" ".join(marks.get((r, c), ".") for c in range(board.n)) + "\n" for r in range(board.n))


# Words of commands


def named(size: str, given: str | None = None, blocked: str | None = None, torus: bool = False) -> puzzle.Queens:
    """The puzzle of a number of queens, or of a file with a board, with the squares that are given and blocked besides."""
    given_squares, blocked_squares = _squares(given, "given"), _squares(blocked, "blocked")
    text = size.strip()
    if re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        return puzzle.Queens(int(text), tuple(given_squares), tuple(blocked_squares), torus)
    if text != "-" and not is_there(text):
        raise BadInput(f"the board {text[:60]!r}: expected a number of queens, or a file with a board")
    board = read(text, torus=torus)
    return puzzle.Queens(board.n, (*board.given, *given_squares), (*board.blocked, *blocked_squares), torus)


def _squares(text: str | None, option: str) -> list[puzzle.Square]:
    """Squares as they are written, or those of a file; an option that names none is a slip."""
    if text is None:
        return []
    words = text.strip()
    found = puzzle.squares(read_text(words) if words == "-" or (is_there(words) and words) else words)
    if not found:
        raise BadInput(
            f"{spell(option)} {words[:60]!r}: no squares in it: expected some as r1c3,r4c5, or a file with such squares"
        )
    return found


def numbers(text: str, name: str = "max_stall") -> list[int]:
    """Whole numbers between commas or blanks, for a parameter of this name."""
    found = []
    for word in filter(None, re.split(r"[,;\s]+", text)):
        if not re.fullmatch(r"[0-9]{1,15}", word):
            raise BadValue(name, word, "whole numbers, as 50,500")
        found.append(int(word))
    return found


def start(text: str) -> list[int]:
    """The columns to begin with: numbers by row from 0, or a file with them or with a board that has a queen a row."""
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
            f"{spell('start')} {text[:60]!r}: no such file, and no columns by row from 0, as 1,3,0,2: expected either"
        )
    return numbers(text, "start")
