"""Positions as people write them: a grid of candidates, or HoDoKu's library line; in and out."""

from __future__ import annotations

import re

from tablero.errors import BadInput
from tablero.puzzles.sudoku.logic.library import parse_position
from tablero.puzzles.sudoku.logic.position import Position, bits
from tablero.puzzles.sudoku.puzzle import SYMBOLS, Sudoku

_MANY = 81


def is_position(text: str) -> bool:
    """Whether a text is a position with candidates rather than a puzzle."""
    lines = _lines(text)
    if len(lines) == 1 and lines[0].lstrip().startswith(":"):
        return True
    tokens = _tokens(lines)
    return len(tokens) == _MANY and any(len(token) > 1 for token in tokens)


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _tokens(lines: list[str]) -> list[str]:
    """Runs of digits; frames of points, bars and dashes are passed over."""
    return [token for line in lines for token in re.findall(r"[1-9]+", line)]


def parse_position_text(text: str, where: str) -> Position:
    """A position: a library line, or 81 groups of candidates.

    In a grid a lone digit is a filled cell, unless a peer still holds it as a candidate: then it is a naked single.
    """
    lines = _lines(text)
    if len(lines) == 1 and lines[0].lstrip().startswith(":"):
        return parse_position(lines[0], where)
    tokens = _tokens(lines)
    if len(tokens) != _MANY:
        raise BadInput(f"{where}: {len(tokens)} groups of candidates: expected 81")
    masks = []
    for cell, token in enumerate(tokens):
        if len(set(token)) < len(token):
            raise BadInput(f"{where}: the candidates {token[:20]} of r{cell // 9 + 1}c{cell % 9 + 1} repeat a digit")
        masks.append(sum(1 << int(mark) for mark in token))
    empty = Position(Sudoku((0,) * _MANY))
    filled = [0] * _MANY
    for cell, mask in enumerate(masks):
        if mask & (mask - 1) == 0 and not any(masks[peer] & mask for peer in bits(empty.geometry.peers[cell])):
            filled[cell] = mask.bit_length() - 1
    position = Position(Sudoku(tuple(filled)))
    for cell, mask in enumerate(masks):
        if not filled[cell]:
            for digit in bits(position.cands[cell] & ~mask):
                position.remove(cell, digit)
            if position.cands[cell] != mask:
                raise BadInput(f"{where}: r{cell // 9 + 1}c{cell % 9 + 1} has a candidate that a filled cell rules out")
    return position


def to_grid(position: Position) -> str:
    """The candidates of every cell in a grid; a filled cell has one."""
    side = position.side
    words = [
        SYMBOLS[value] if value else "".join(SYMBOLS[d] for d in bits(cands)) or "-"
        for value, cands in zip(position.values, position.cands, strict=True)
    ]
    wide = max(map(len, words))
    return "\n".join(
        " ".join(word.ljust(wide) for word in words[k : k + side]).rstrip() for k in range(0, side**2, side)
    )
