"""The method of Vásquez and Magallanes (2013): sweep the board, and fill every cell that is left one digit.

A sweep goes through the cells row by row; a cell whose row, column and box leave one digit is filled at once.  Rows and
columns are read from the board as it is then, boxes as they were when the sweep began: so it is in the source, whose example
leaves 28, 11, 2 and 0 cells.  Sweeps are repeated until the board is full or a sweep fills nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablero.draw.scene import Scene
from tablero.puzzles.sudoku import check
from tablero.puzzles.sudoku.puzzle import Cells, Sudoku, cell_name, to_line


@dataclass(frozen=True)
class Sweep:
    """The board after a sweep, the cells that it filled, and how many are left."""

    cells: Cells
    filled: Cells
    left: int


@dataclass(frozen=True)
class Sweeps:
    """All sweeps of a puzzle.  The last fills nothing where the method is stuck."""

    puzzle: Sudoku
    sweeps: tuple[Sweep, ...]
    fault: str = ""  # a cell without any digit: the puzzle has no solution

    @property
    def left(self) -> list[int]:
        """Cells left after each sweep that filled some."""
        return [sweep.left for sweep in self.sweeps]

    @property
    def cells(self) -> Cells:
        return self.sweeps[-1].cells if self.sweeps else self.puzzle.cells

    @property
    def solved(self) -> bool:
        return 0 not in self.cells and not self.fault

    @property
    def status(self) -> str:
        """solved, none (a fault was met: there is no solution) or open (stuck)."""
        return "none" if self.fault else "solved" if self.solved else "open"

    @property
    def sentence(self) -> str:
        """How it ended, told once."""
        if self.fault:
            return self.fault
        if self.solved:
            return f"solved in {len(self.sweeps)} sweeps"
        open_cells = self.cells.count(0)
        return f"stuck: no empty cell is left one digit, {open_cells} cells stay empty; try the logic of 'step'"

    def values(self) -> dict[str, Any]:
        """What is told of it, as JSON can hold it."""
        return {
            "status": self.status,
            "method": "sweeps",
            "left": self.left,
            "steps": [{"cells": to_line(sweep.cells), "filled": len(sweep.filled)} for sweep in self.sweeps],
            "answers": [to_line(self.cells)] if self.solved else [],
            "sentence": self.sentence,
            "why": self.sentence,
        }

    def scene(self, sweep: Sweep) -> Scene:
        """The board after a sweep, and what it filled."""
        from tablero.puzzles.sudoku.draw import Marks, board

        return board(self.puzzle, sweep.cells, marks=Marks(placed={cell: sweep.cells[cell] for cell in sweep.filled}))


def sweep(puzzle: Sudoku) -> Sweeps:
    """Sweep until nothing happens any more."""
    layout, side = puzzle.layout, puzzle.side
    boxes = [unit.cells for unit in layout.units[2 * side : 3 * side]]
    others = [unit.cells for unit in (*layout.units[: 2 * side], *layout.units[3 * side :])]
    others += [cage.cells for cage in layout.cages]
    box_of = [boxes[layout.region(cell)] for cell in range(layout.size)]
    near = [sorted({other for unit in others if cell in unit for other in unit}) for cell in range(layout.size)]
    cells = list(puzzle.cells)
    every = set(range(1, side + 1))
    sweeps: list[Sweep] = []
    while 0 in cells:
        before = tuple(cells)
        for cell in range(layout.size):
            if cells[cell]:
                continue
            choices = every - {cells[other] for other in near[cell]} - {before[other] for other in box_of[cell]}
            if not choices:
                fault = f"no digit is left for {cell_name(cell, side)}: the puzzle has no solution"
                return Sweeps(puzzle, tuple(sweeps), fault)
            if len(choices) == 1:
                cells[cell] = choices.pop()
        filled = tuple(cell for cell, digit in enumerate(before) if cells[cell] != digit)
        if not filled:
            break
        sweeps.append(Sweep(tuple(cells), filled, cells.count(0)))
    fault = f"a full board with a fault in {wrong}" if 0 not in cells and (wrong := check.fault(puzzle, cells)) else ""
    return Sweeps(puzzle, tuple(sweeps), fault and f"{fault}: the puzzle has no solution")
