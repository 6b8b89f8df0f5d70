"""Positions as people write them: HoDoKu's library line, or a board with candidates in any form of `sudoku.pencil`."""

from __future__ import annotations

from tablero.sudoku import pencil
from tablero.sudoku.logic.library import parse_position
from tablero.sudoku.logic.position import Position, bits
from tablero.sudoku.puzzle import SYMBOLS, Sudoku


def parse_position_text(text: str, where: str) -> Position:
    """A position: a library line, or a board with candidates."""
    if line := pencil.library_line(text):
        return parse_position(line, where)
    board = pencil.parse(text, where)
    cells = board.puzzle.cells
    position = Position(Sudoku(board.given or cells, board.puzzle.layout))
    for cell, digit in enumerate(cells):
        if digit and not position.values[cell]:
            position.place(cell, digit)
    for cell, digits in enumerate(board.candidates):
        for digit in bits(position.cands[cell] & ~digits):
            position.remove(cell, digit)
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
