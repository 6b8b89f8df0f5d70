"""The method of Vásquez and Magallanes (2013): sweep the board, and fill every cell that has one candidate.

A sweep visits the cells row by row and fills a cell at once if its row, column and box leave one digit.  Rows and columns
are read from the current board, boxes from the board at the beginning of the sweep, as in the source, whose example leaves
28, 11, 2 and 0 cells.  Sweeps are repeated until the board is full or a sweep fills no cell.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tablero.draw.scene import Scene
from tablero.sudoku import checking
from tablero.sudoku.draw import Marks, board, board_text
from tablero.sudoku.puzzle import SYMBOLS, Cells, Sudoku, cell_name, to_line
from tablero.sudoku.reasons import Reason, candidates_of, named_candidates, reason
from tablero.text import several


@dataclass(frozen=True)
class Sweep:
    """The board after a sweep, the reason of each cell that it filled, and the number of empty cells."""

    cells: Cells
    reasons: tuple[Reason, ...]
    left: int

    @property
    def filled(self) -> Cells:
        """The cells that the sweep filled."""
        return tuple(why.cell for why in self.reasons)


@dataclass(frozen=True)
class Sweeps:
    """All sweeps of a puzzle that fill at least one cell.

    Examples
    --------
    >>> import tablero as tb
    >>> found = tb.sudoku.parse(".4.1...2....31..").step(method="sweeps")
    >>> found.left, found.status
    ([0], 'solved')
    """

    puzzle: Sudoku
    sweeps: tuple[Sweep, ...]
    fault: str = ""  # why the puzzle has no solution
    pause: bool = False  # whether `lines` waits for Enter before each sweep

    @property
    def left(self) -> list[int]:
        """The number of empty cells after each sweep."""
        return [sweep.left for sweep in self.sweeps]

    @property
    def cells(self) -> Cells:
        return self.sweeps[-1].cells if self.sweeps else self.puzzle.cells

    @property
    def solved(self) -> bool:
        return 0 not in self.cells and not self.fault

    @property
    def status(self) -> str:
        """solved, none (a fault proves that there is no solution) or open (a sweep fills no cell)."""
        return "none" if self.fault else "solved" if self.solved else "open"

    @property
    def sentence(self) -> str:
        """How the method ended."""
        if self.fault:
            return self.fault
        if self.solved:
            return f"solved in {len(self.sweeps)} sweeps"
        open_cells = self.cells.count(0)
        return f"stuck: no empty cell has one candidate, {open_cells} cells stay empty; try 'step --method logic'"

    def lines(self) -> Iterator[str]:
        """The puzzle, and the board after each sweep with its reasons."""
        layout, clues = self.puzzle.layout, self.puzzle.cells
        yield board_text(layout, clues)
        yield f"{several(clues.count(0), 'cell')} to fill"
        for number, turn in enumerate(self.sweeps, 1):
            if self.pause:
                wait_for_enter()
            yield board_text(layout, turn.cells, clues=clues, colours=sys.stdout.isatty())
            yield from (f"  {why.sentence}" for why in turn.reasons)
            yield f"sweep {number}: {several(turn.left, 'cell')} left"

    def remarks(self) -> Iterator[str]:
        yield self.sentence

    def scenes(self) -> Iterator[tuple[str, Scene]]:
        """A name and a drawing for each sweep."""
        for number, turn in enumerate(self.sweeps, 1):
            yield f"sweep-{number:02}", self.scene(turn)

    def page(self) -> str:
        """An HTML page with a slide for each sweep: the board after it, and the reason of each filled cell."""
        slides = (
            (
                f"sweep {number}",
                "\n".join(f"• {why.sentence}" for why in turn.reasons),
                self.scene(turn),
                f"{turn.left} cells left",
            )
            for number, turn in enumerate(self.sweeps, 1)
        )
        return slides_page(self.puzzle, "sweep", slides, self.sentence, board(self.puzzle, self.cells))

    def to_dict(self) -> dict[str, Any]:
        """The sweeps as a JSON object."""
        side = self.puzzle.side
        steps = [
            {
                "cells": to_line(sweep.cells),
                "filled": len(sweep.filled),
                "placed": [[cell_name(cell, side), SYMBOLS[sweep.cells[cell]]] for cell in sweep.filled],
                "sentences": [why.sentence for why in sweep.reasons],
                "candidates": self._candidates(sweep.cells),
            }
            for sweep in self.sweeps
        ]
        return {
            "status": self.status,
            "method": "sweeps",
            "left": self.left,
            "candidates": self._candidates(self.puzzle.cells),
            "steps": steps,
            "answers": [to_line(self.cells)] if self.solved else [],
            "sentence": self.sentence,
            "why": self.sentence,
        }

    def _candidates(self, cells: Cells) -> dict[str, str]:
        return named_candidates(self.puzzle.layout, cells, candidates_of(self.puzzle.layout, cells))

    def scene(self, sweep: Sweep) -> Scene:
        """The board after a sweep, with the filled cells highlighted."""
        return board(self.puzzle, sweep.cells, marks=Marks(placed={cell: sweep.cells[cell] for cell in sweep.filled}))


def sweep(puzzle: Sudoku, *, pause: bool = False) -> Sweeps:
    """Sweep until the board is full or a sweep fills no cell."""
    layout, side = puzzle.layout, puzzle.side
    cells = list(puzzle.cells)
    sweeps: list[Sweep] = []
    while 0 in cells:
        before = tuple(cells)
        reasons = []
        for cell in range(layout.size):
            if cells[cell]:
                continue
            why = reason(layout, cells, cell, boxes=before)
            if not why.candidates:
                fault = f"no digit is left for {cell_name(cell, side)}: the puzzle has no solution"
                return Sweeps(puzzle, tuple(sweeps), fault, pause)
            if why.candidates.bit_count() == 1:
                cells[cell] = why.candidates.bit_length() - 1
                reasons.append(why)
        if not reasons:
            break
        sweeps.append(Sweep(tuple(cells), tuple(reasons), cells.count(0)))
    fault = (
        f"a full board with a fault in {wrong}" if 0 not in cells and (wrong := checking.fault(puzzle, cells)) else ""
    )
    return Sweeps(puzzle, tuple(sweeps), fault and f"{fault}: the puzzle has no solution", pause)


def slides_page(
    puzzle: Sudoku, unit: str, slides: Iterable[tuple[str, str, Scene, str]], sentence: str, end: Scene
) -> str:
    """An HTML page of slides (name, text, drawing, note) between the puzzle and the end."""
    from tablero.draw.pages import Slide, slide_page

    first = Slide("the puzzle", f"{puzzle.clues} clues.", board(puzzle))
    every = [first, *(Slide(*slide) for slide in slides), Slide("the end", f"{sentence}.", end)]
    return slide_page(f"A {puzzle.layout.kind} Sudoku, {unit} by {unit}", puzzle.line(), every)


def wait_for_enter() -> None:
    """Wait for Enter at the terminal."""
    sys.stderr.write("Press Enter to continue … ")
    sys.stderr.flush()
    if not sys.stdin.readline():
        raise KeyboardInterrupt
