"""What each empty cell can be, and why: a digit is possible in a cell if no unit or cage of the cell has it already.

Candidates are a whole number for each cell, with bit d for digit d.  A filled cell has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tablero.errors import BadInput
from tablero.sudoku.puzzle import SYMBOLS, Cells, Layout, Sudoku, cell_name


@dataclass(frozen=True)
class Pencil:
    """A partly solved board: its filled cells, and the candidates of the others."""

    puzzle: Sudoku  # with all filled cells, given or not
    candidates: Cells
    given: Cells = ()  # the filled cells that were given; empty if that is not known

    def __post_init__(self) -> None:
        possible = candidates_of(self.puzzle.layout, self.puzzle.cells)
        for cell, digits in enumerate(self.candidates):
            if digits & ~possible[cell]:
                digit = (digits & ~possible[cell]).bit_length() - 1
                name = cell_name(cell, self.puzzle.side)
                raise BadInput(f"{name}: the candidate {SYMBOLS[digit]} is ruled out by a filled cell")

    @property
    def known_given(self) -> Cells:
        """The cells that were given, or all filled cells if that is not known."""
        return self.given or self.puzzle.cells

    def values(self) -> dict[str, Any]:
        """The candidates of each empty cell as a JSON object."""
        return named_candidates(self.puzzle.layout, self.puzzle.cells, self.candidates)


@dataclass(frozen=True)
class Reason:
    """Why a cell has its candidates: they are the digits that all of its units and cages lack."""

    cell: int
    side: int
    misses: tuple[tuple[str, int], ...]  # the name of each unit and cage, and the digits that it lacks
    digit: int = 0  # the digit of a filled cell

    @property
    def candidates(self) -> int:
        digits = -1 if self.misses else 0
        for _, missing in self.misses:
            digits &= missing
        return digits

    @property
    def sentence(self) -> str:
        name = cell_name(self.cell, self.side)
        if self.digit:
            return f"{name} is filled: {SYMBOLS[self.digit]}."
        why = "; ".join(f"{unit} misses {_listed(digits, 'and')}" for unit, digits in self.misses)
        marks = list(bits(self.candidates))
        if len(marks) == 1:
            return f"{why}: {name} is {SYMBOLS[marks[0]]}."
        return f"{why}: {name} " + (f"can be {_listed(self.candidates, 'or')}." if marks else "can be nothing.")

    def values(self) -> dict[str, Any]:
        """The reason as a JSON object."""
        return {
            "cell": cell_name(self.cell, self.side),
            "misses": {unit: marks_of(digits) for unit, digits in self.misses},
            "candidates": marks_of(self.candidates),
            "sentence": self.sentence,
        }


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def in_words(words: Sequence[str], last: str = "and") -> str:
    """A list in a sentence: `a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def marks_of(digits: int) -> str:
    """A set of digits as a string of symbols."""
    return "".join(SYMBOLS[digit] for digit in bits(digits))


def _listed(digits: int, last: str) -> str:
    return in_words([SYMBOLS[digit] for digit in bits(digits)] or ["nothing"], last)


def reason(layout: Layout, cells: Sequence[int], cell: int, boxes: Sequence[int] = ()) -> Reason:
    """Explain the candidates of a cell; `boxes` is the board whose boxes are read, if it differs from `cells`."""
    side = layout.side
    if cells[cell]:
        return Reason(cell, side, (), cells[cell])
    every = (1 << side + 1) - 2
    out = []
    units = [(unit.name, unit.cells) for unit in layout.units]
    units += [(f"cage {number}", cage.cells) for number, cage in enumerate(layout.cages, 1)]
    for k, (name, places) in enumerate(units):
        if cell in places:
            board = boxes if boxes and 2 * side <= k < 3 * side else cells
            seen = {board[place] for place in places}
            out.append((name, every & ~sum(1 << digit for digit in seen)))
    return Reason(cell, side, tuple(out))


def candidates_of(layout: Layout, cells: Sequence[int]) -> Cells:
    """The candidates of each cell by its units and cages alone."""
    return tuple(reason(layout, cells, cell).candidates for cell in range(layout.size))


def pencil_of(puzzle: Sudoku) -> Pencil:
    """A puzzle with all of its candidates."""
    return Pencil(puzzle, candidates_of(puzzle.layout, puzzle.cells), puzzle.cells)


def named_candidates(layout: Layout, cells: Sequence[int], candidates: Sequence[int]) -> dict[str, str]:
    """The candidates of each empty cell, by the name of the cell."""
    return {cell_name(cell, layout.side): marks_of(digits) for cell, digits in enumerate(candidates) if not cells[cell]}
