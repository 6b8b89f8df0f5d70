"""The answers of the solver by logic: a whole path, a hint, or a list of steps."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tablero.draw.scene import Scene
from tablero.draw.sheet import stacked
from tablero.sudoku.draw import board, board_text, step_scene
from tablero.sudoku.logic.library import to_grid, to_line
from tablero.sudoku.logic.position import Ending, Position, Step
from tablero.sudoku.logic.techniques import TECHNIQUES
from tablero.sudoku.puzzle import Cells, Sudoku
from tablero.sudoku.puzzle import to_line as cells_line
from tablero.sudoku.sweeps import slides_page, wait_for_enter
from tablero.text import several

_DRAWN = 100  # the most steps in a drawing


@dataclass(frozen=True, repr=False)
class _Answer:
    """An answer about a position."""

    position: Position
    fault: str = ""  # why the position has no solution
    ended: str = ""  # what ended the search early: the time limit or Ctrl-C

    @property
    def puzzle(self) -> Sudoku:
        return self.position.puzzle

    @property
    def stopped(self) -> bool:
        """Whether the time limit or Ctrl-C ended the search."""
        return bool(self.ended)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the search."""
        return self.ended == Ending.INTERRUPTED

    @property
    def warning(self) -> str:
        """What is wrong with the puzzle; empty if nothing is known to be wrong."""
        return self.position.warning

    def remarks(self) -> Iterator[str]:
        if self.warning:
            yield self.warning

    def scene(self) -> Scene:
        """A drawing of the answer."""
        return board(self.puzzle)

    def _repr_svg_(self) -> str:
        from tablero.draw.svg import to_svg

        return to_svg(self.scene())


@dataclass(frozen=True, repr=False)
class Path(_Answer):
    """All steps that logic finds from a position on."""

    steps: tuple[Step, ...] = ()
    boards: bool = False  # whether `lines` shows the board after each step
    pause: bool = False  # whether `lines` waits for Enter after each step

    @cached_property
    def _boards(self) -> list[Cells]:
        """The first board, and the board after each step."""
        begin = tuple(self.position.values)
        found = [begin]
        for step in self.steps:
            placed = dict(step.placed)
            found.append(tuple(placed.get(cell, digit) for cell, digit in enumerate(found[-1])))
        return found

    @property
    def cells(self) -> Cells:
        """The board after the last step."""
        return self._boards[-1]

    @property
    def left(self) -> tuple[int, ...]:
        """The number of empty cells after each step."""
        return tuple(cells.count(0) for cells in self._boards[1:])

    @property
    def solved(self) -> bool:
        return 0 not in self.cells

    @property
    def status(self) -> str:
        """solved, none (a fault proves that there is no solution) or open (no technique applies, or the time is up)."""
        return "none" if self.fault else "solved" if self.solved else "open"

    @property
    def sentence(self) -> str:
        """How the path ended."""
        steps, empty = several(len(self.steps), "step"), f"{self.cells.count(0)} cells stay empty"
        if self.fault:
            return f"{self.fault}: the puzzle has no solution"
        if self.solved:
            return f"solved in {steps}"
        if self.ended:
            return f"{self.ended} after {steps}: {empty}"
        return f"stuck: no technique applies, {empty}; 'solve' finds the solutions"

    def positions(self) -> Iterator[tuple[Position, Step]]:
        """Each step with the position that it applies to.

        All pairs share one position, which changes when the next pair is taken.
        """
        position = self.position.copy()
        for step in self.steps:
            yield position, step
            position.apply(step)

    def lines(self) -> Iterator[str]:
        """One line for each step, and the board after each step or after the last one."""
        colours = sys.stdout.isatty()

        def shown(cells: Cells) -> str:
            return board_text(self.puzzle.layout, cells, clues=self.puzzle.cells, colours=colours)

        for number, (step, cells) in enumerate(zip(self.steps, self._boards[1:], strict=True), 1):
            yield f"{number:>3}  {step.rating}  {step.technique}: {step.sentence}"
            if self.boards:
                yield shown(cells)
                yield f"{several(cells.count(0), 'cell')} left"
            if self.pause:
                wait_for_enter()
        if not self.boards:
            yield shown(self.cells)

    def remarks(self) -> Iterator[str]:
        yield self.sentence
        yield from super().remarks()

    def scene(self) -> Scene:
        """The board after the last step."""
        return board(self.puzzle, self.cells)

    def scenes(self) -> Iterator[tuple[str, Scene]]:
        """A name and a drawing for each step."""
        for number, (position, step) in enumerate(self.positions(), 1):
            yield f"step-{number:03}", step_scene(position, step)

    def page(self) -> str:
        """An HTML page with a slide for each step."""
        slides = (
            (
                step.technique,
                f"{step.sentence}\n\n{step.proof}" if step.proof else step.sentence,
                step_scene(position, step),
                f"{step.rating:.1f}",
            )
            for position, step in self.positions()
        )
        return slides_page(self.puzzle, "step", slides, self.sentence, self.scene())

    def to_dict(self) -> dict[str, Any]:
        """The path as a JSON object."""
        return {
            "status": self.status,
            "method": "logic",
            "left": list(self.left),
            "steps": [step.values(self.puzzle.side) for step in self.steps],
            "answers": [cells_line(self.cells)] if self.solved else [],
            "sentence": self.sentence,
            "why": self.sentence,
            **({"warning": self.warning} if self.warning else {}),
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence}>"

    def __str__(self) -> str:
        return "\n".join([*(f"{step.technique}: {step.sentence}" for step in self.steps), self.sentence])


@dataclass(frozen=True, repr=False)
class Hint(_Answer):
    """The easiest next step of a puzzle, or why there is none.

    Examples
    --------
    >>> import tablero as tb
    >>> found = tb.sudoku.parse(".4.1...2....31..").hint()
    >>> found.step.technique
    'hidden single in a box'
    >>> found.sentence
    'r2c1 is the only place for 1 in box 1.'
    """

    step: Step | None = None

    @property
    def status(self) -> str:
        """solved (there is a step), complete (the board is full), none (there is no solution) or open."""
        if self.step is not None:
            return "solved"
        return "none" if self.fault else "open" if 0 in self.puzzle.cells else "complete"

    @property
    def hopeless(self) -> bool:
        """Whether the puzzle is known to have no solution, even if a step applies."""
        return self.position.solutions == 0

    @property
    def sentence(self) -> str:
        """The explanation of the step, or why there is none."""
        if self.step is not None:
            return self.step.sentence
        if self.fault:
            return f"{self.fault}: the puzzle has no solution"
        if self.ended:
            return f"{self.ended} before a step is found"
        return "no technique applies" if 0 in self.puzzle.cells else "the board is full"

    def to_dict(self) -> dict[str, Any]:
        """The step as a JSON object; without a step the same keys, and `why`."""
        if self.step is not None:
            values = self.step.values(self.puzzle.side)
        else:
            nothing = dict.fromkeys(Step("").values(self.puzzle.side))
            values = {**nothing, "sentence": self.sentence, "why": self.sentence}
        return {"status": self.status, **values, **({"warning": self.warning} if self.warning else {})}

    def lines(self) -> Iterator[str]:
        yield str(self)

    def to_svg(self) -> str | None:
        """The drawing of the step, or None without a step."""
        return None if self.step is None else self._repr_svg_()

    def scene(self) -> Scene:
        """The board with its candidates and the pattern of the step."""
        return board(self.puzzle) if self.step is None else step_scene(self.position, self.step)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def __str__(self) -> str:
        return self.sentence if self.step is None else f"{self.step.technique} ({self.step.rating}): {self.sentence}"


@dataclass(frozen=True, repr=False)
class Steps(_Answer):
    """The steps that apply to a position: those of every technique, or those of the easiest one."""

    steps: tuple[Step, ...] = ()
    candidates: bool = False  # whether `lines` and `to_dict` include the position

    @property
    def status(self) -> str:
        """solved (there are steps), complete (the board is full), none (there is no solution) or open.

        It is open if no technique applies, or if the time limit or Ctrl-C ended the search early.
        """
        if self.fault:
            return "none"
        if self.ended:
            return "open"
        return "solved" if self.steps else "open" if self.position.empty else "complete"

    def to_dict(self) -> dict[str, Any]:
        """The steps as a JSON object."""
        codes = {technique.name: technique.code for technique in TECHNIQUES}
        steps = [{**step.values(self.position.side), "code": codes.get(step.technique) or None} for step in self.steps]
        why = self.fault or self._late
        more = {"candidates": to_grid(self.position).split(), "line": self._line or None} if self.candidates else {}
        return {"status": self.status, "steps": steps, **({"why": why} if why else {}), **more}

    def lines(self) -> Iterator[str]:
        """The position, if requested, and the steps grouped by technique."""
        if self.candidates:
            yield from (to_grid(self.position), self._line)
        yield str(self)

    def remarks(self) -> Iterator[str]:
        yield from ()

    def scene(self) -> Scene:
        """Drawings of the first steps, one below the other."""
        return stacked([step_scene(self.position, step) for step in self.steps[:_DRAWN]] or [board(self.puzzle)])

    def to_svg(self) -> str | None:
        """The drawing of the first steps, or None without steps."""
        return self._repr_svg_() if self.steps else None

    @property
    def _line(self) -> str:
        """HoDoKu's library line; empty for a board that such a line cannot hold."""
        plain = self.position.side == 9 and self.puzzle.layout.is_plain
        return to_line(self.position) if plain else ""

    @property
    def _late(self) -> str:
        return f"{self.ended}: there may be more steps" if self.ended else ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.steps)} steps>"

    def __str__(self) -> str:
        """The steps grouped by technique."""
        lines = []
        for name in dict.fromkeys(step.technique for step in self.steps):
            mine = [step for step in self.steps if step.technique == name]
            lines.append(f"{name} ({len(mine)})")
            lines += [f"  {step.rating}  {step.sentence}" for step in mine]
        if self._late:
            lines.append(self._late)
        return "\n".join(lines) or self.fault or "no technique applies"
