"""Forcing: take a candidate for true and follow the singles; where they contradict each other, it is false."""

from __future__ import annotations

from tablero.puzzles.sudoku.logic import singles
from tablero.puzzles.sudoku.logic.position import Position, Step, bits
from tablero.puzzles.sudoku.puzzle import SYMBOLS


def contradiction(position: Position) -> Step | None:
    """The first candidate, in cells with few of them, that singles refute."""
    order = sorted(bits(position.empty), key=lambda cell: position.cands[cell].bit_count())
    for cell in order:
        for digit in bits(position.cands[cell]):
            fault, length = _follow(position, cell, digit)
            if fault:
                sentence = (
                    f"If {position.name(cell)} were {SYMBOLS[digit]}, {length} singles would follow, and then {fault}: it "
                    f"is not {SYMBOLS[digit]}."
                )
                return Step("forcing chain", 8.5, sentence, removed=((cell, digit),), cells=(cell,))
    return None


def _follow(position: Position, cell: int, digit: int) -> tuple[str, int]:
    """What is wrong after a candidate and all singles that follow from it, and how many those are."""
    trial = position.copy()
    trial.place(cell, digit)
    count = 0
    while True:
        if fault := trial.fault():
            return fault, count
        step = singles.naked(trial) or singles.hidden_in_box(trial) or singles.hidden_in_line(trial)
        if step is None:
            return "", count
        trial.apply(step)
        count += 1
