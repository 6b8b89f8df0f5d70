"""Solving as people do: always the easiest step that applies, told in a sentence.

Ratings are those of Sudoku Explainer 1.2.1, where it knows the technique.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from tablero import interrupts
from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.runs.run import HERE, Run, require_here
from tablero.sudoku.logic.attention import Attention
from tablero.sudoku.logic.position import Candidate, Position, Step
from tablero.sudoku.logic.techniques import TECHNIQUES, Technique
from tablero.sudoku.logic.warnings import warning
from tablero.sudoku.puzzle import Cells, Sudoku, to_line
from tablero.sudoku.reading import Given, one
from tablero.words import several

if TYPE_CHECKING:
    from tablero.sudoku.tables import Many

__all__ = [
    "TECHNIQUES",
    "Candidate",
    "Hint",
    "Path",
    "Position",
    "Step",
    "Steps",
    "Technique",
    "explain",
    "hint",
    "hint_at",
    "limit",
    "next_step",
    "position_of",
    "start",
    "step",
    "steps",
    "steps_at",
    "walk",
    "way",
]


_DRAWN = 100  # steps of a drawing
_FORCING = 8.0  # the rating of the first level of forcing


def next_step(position: Position) -> Step | None:
    """The easiest step that applies: a technique that is graded gives way to a cheaper step of the next ones.

    Forcing has levels: as in Sudoku Explainer, the first of them that finds a step gives the shortest that it finds.
    """
    best: Step | None = None
    least = 99.0  # the rating from which on techniques are not asked any more
    for technique in TECHNIQUES:
        if technique.rating >= least:
            return best
        if technique.walked:
            step = technique.first(position)
            if step is not None and (best is None or step.rating < best.rating):
                best = step
                least = best.rating if technique.rating < _FORCING else technique.rating + 0.1
    return best


def walk(position: Position) -> Iterator[Step]:
    """Step after step until the board is full or nothing applies; the position moves on after each."""
    while position.empty and not position.fault():
        step = next_step(position)
        if step is None:
            return
        yield step
        position.apply(step)


@dataclass(frozen=True, repr=False)
class Path:
    """The way of a puzzle by logic."""

    puzzle: Sudoku
    steps: tuple[Step, ...]
    left: tuple[int, ...]  # empty cells after each step
    cells: Cells  # the board at the end
    fault: str = ""
    begin: Position | None = None  # where it begins, where that is not the puzzle itself
    stopped: bool = False  # by the time limit, or by Ctrl-C
    interrupted: bool = False  # by Ctrl-C
    boards: bool = False  # whether lines show the board after each step
    pause: bool = False  # whether lines wait for Enter after each step
    warning: str = ""  # what is wrong with the puzzle

    @property
    def solved(self) -> bool:
        return 0 not in self.cells

    @property
    def status(self) -> str:
        """solved, none (a fault was met: there is no solution) or open (stuck, or the time is up)."""
        return "none" if self.fault else "solved" if self.solved else "open"

    @property
    def sentence(self) -> str:
        """How it ended, told once."""
        if self.fault:
            return f"{self.fault}: the puzzle has no solution"
        if self.solved:
            return f"solved in {several(len(self.steps), 'step')}"
        if self.stopped:
            why = "interrupted" if self.interrupted else "the time is up"
            return f"{why} after {several(len(self.steps), 'step')}: {self.cells.count(0)} cells stay empty"
        return f"stuck: no technique applies, {self.cells.count(0)} cells stay empty; 'solve' finds the solutions"

    def positions(self) -> Iterator[tuple[Position, Step]]:
        """Every step with the position that it begins at; the position moves on after each."""
        position = Position(self.puzzle) if self.begin is None else self.begin.copy()
        for step in self.steps:
            yield position, step
            position.apply(step)

    def lines(self) -> Iterator[str]:
        """Every step in a sentence, with the board after each, or after the last one."""
        from tablero.sudoku.draw import board_text

        puzzle, colours = self.puzzle, sys.stdout.isatty()
        cells = list(self.begin.values if self.begin else puzzle.cells)
        for number, (turn, left) in enumerate(zip(self.steps, self.left, strict=True), 1):
            for cell, digit in turn.placed:
                cells[cell] = digit
            yield f"{number:>3}  {turn.rating}  {turn.technique}: {turn.sentence}"
            if self.boards:
                yield board_text(puzzle.layout, cells, clues=puzzle.cells, colours=colours)
                yield f"{several(left, 'cell')} left"
            if self.pause:
                wait_for_enter()
        if not self.boards:
            yield board_text(puzzle.layout, self.cells, clues=puzzle.cells, colours=colours)

    def remarks(self) -> Iterator[str]:
        yield self.sentence
        if self.warning:
            yield self.warning

    def scenes(self) -> Iterator[tuple[str, Scene]]:
        """A name and a drawing for each step."""
        from tablero.sudoku.draw import step_scene

        for number, (position, step) in enumerate(self.positions(), 1):
            yield f"step-{number:03}", step_scene(position, step)

    def page(self) -> str:
        """A page with all steps to click through."""
        from tablero.sudoku.steps_page import steps_page

        return steps_page(self)

    def to_dict(self) -> dict[str, Any]:
        """What is reported of it, as JSON can hold it."""
        return {
            "status": self.status,
            "method": "logic",
            "left": list(self.left),
            "steps": [step.values(self.puzzle.side) for step in self.steps],
            "answers": [to_line(self.cells)] if self.solved else [],
            "sentence": self.sentence,
            "why": self.sentence,
            **({"warning": self.warning} if self.warning else {}),
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence}>"

    def __str__(self) -> str:
        return "\n".join([*(f"{step.technique}: {step.sentence}" for step in self.steps), self.sentence])

    def _repr_svg_(self) -> str:
        from tablero.draw.svg import to_svg
        from tablero.sudoku.draw import board

        return to_svg(board(self.puzzle, self.cells))


@dataclass(frozen=True, repr=False)
class Hint:
    """The easiest next step of a puzzle, or why there is none."""

    puzzle: Sudoku
    step: Step | None
    fault: str = ""
    position: Position | None = None  # where the step applies; without it, where the puzzle begins
    stopped: bool = False  # by the time limit, or by Ctrl-C
    interrupted: bool = False  # by Ctrl-C
    warning: str = ""  # what is wrong with the puzzle

    @property
    def status(self) -> str:
        """solved (there is a step), complete (nothing is left to fill), none (there is no solution) or open."""
        if self.step is not None:
            return "solved"
        return "none" if self.fault else "open" if 0 in self.puzzle.cells else "complete"

    @property
    def hopeless(self) -> bool:
        """Whether it is known that the puzzle has no solution, whatever steps apply."""
        return self.position is not None and self.position.solutions == 0

    @property
    def sentence(self) -> str:
        """The step in a sentence, or why there is none."""
        if self.step is not None:
            return self.step.sentence
        if self.fault:
            return f"{self.fault}: the puzzle has no solution"
        if self.stopped:
            return f"{'interrupted' if self.interrupted else 'the time is up'} before a step is found"
        return "no technique applies" if 0 in self.puzzle.cells else "the board is full"

    def to_dict(self) -> dict[str, Any]:
        """What is reported of it, as JSON can hold it: without a step the same keys, and why there is none."""
        warning = {"warning": self.warning} if self.warning else {}
        if self.step is not None:
            return {"status": self.status, **self.step.values(self.puzzle.side), **warning}
        nothing = dict.fromkeys(Step("", 0.0, "").values(self.puzzle.side))
        return {"status": self.status, **nothing, "sentence": self.sentence, "why": self.sentence, **warning}

    def lines(self) -> Iterator[str]:
        yield str(self)

    def remarks(self) -> Iterator[str]:
        if self.warning:
            yield self.warning

    def to_svg(self) -> str | None:
        """The step as a drawing, where there is one."""
        return None if self.step is None else self._repr_svg_()

    def scene(self) -> Scene:
        """The board with its candidates, and what the step looks at."""
        from tablero.sudoku.draw import board, step_scene

        if self.step is None:
            return board(self.puzzle)
        return step_scene(self.position or Position(self.puzzle), self.step)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def __str__(self) -> str:
        return self.sentence if self.step is None else f"{self.step.technique} ({self.step.rating}): {self.sentence}"

    def _repr_svg_(self) -> str:
        from tablero.draw.svg import to_svg

        return to_svg(self.scene())


def begin(puzzle: Sudoku | Many, what: str, run: Run) -> Position:
    """The position at which a puzzle begins: where its source had candidates, with those."""
    puzzle = one(puzzle)
    if isinstance(puzzle, Given) and puzzle.marks:
        require_here(run, what)
        return limit(position_of(puzzle.marks, puzzle.where, run=run), run)
    return start(puzzle, what, run)


def start(puzzle: Sudoku, what: str, run: Run) -> Position:
    """The position at which a puzzle begins."""
    require_here(run, what)
    return limit(_looked_up(Position(puzzle), run), run)  # a position refuses what logic does not know


def _looked_up(position: Position, run: Run) -> Position:
    """The position, with what is known of the solutions of its clues."""
    from tablero.sudoku.solving import how_many

    try:
        position.solutions = how_many(position.puzzle, run=run)
        position.unique = position.solutions == 1
        position.warning = warning(position, run)
    except TimeoutError:  # then nothing may rest on it
        position.unique = False
    return position


def limit(position: Position, run: Run) -> Position:
    """The position with the time of a run, which begins now."""
    position.attention = Attention(run)
    return position


def step(
    puzzle: Sudoku | Many, *, method: str = "logic", pause: bool = False, boards: bool = False, run: Run = HERE
) -> Path:
    """Solve a puzzle by logic as far as it goes, or by sweeps, which are `Sweeps`."""
    if method == "sweeps":
        from tablero.sudoku.sweeps import sweep

        return cast("Path", sweep(one(puzzle), pause=pause))
    return replace(explain(puzzle, run=run), pause=pause, boards=boards)


def explain(puzzle: Sudoku | Many, *, run: Run = HERE) -> Path:
    """Solve a puzzle by logic as far as it goes."""
    return way(begin(puzzle, "solving by logic", run))


@interrupts.Polling()
def way(position: Position) -> Path:
    """All steps from a position on; those that are known when the time is up, or at Ctrl-C."""
    begin = position.copy()
    steps: list[Step] = []
    stopped = interrupted = False
    try:
        for step in walk(position):
            steps.append(step)
    except TimeoutError:
        stopped = True
    except KeyboardInterrupt:
        stopped = interrupted = True
    end, left = begin.copy(), []  # and not `position`, which may be in the midst of a step
    for step in steps:
        end.apply(step)
        left.append(end.left)
    fault = end.fault() if end.empty else ""
    known = (tuple(steps), tuple(left), tuple(end.values), fault, begin, stopped, interrupted)
    return Path(end.puzzle, *known, warning=begin.warning)


def hint(puzzle: Sudoku | Many, *, run: Run = HERE) -> Hint:
    """The easiest next step."""
    return hint_at(begin(puzzle, "a hint", run))


def steps(
    puzzle: Sudoku | Many, *, every: bool = False, technique: str = "", candidates: bool = False, run: Run = HERE
) -> Steps:
    """The steps that apply now: of every technique, of one, or of the easiest that has some."""
    require_technique(technique)
    position = begin(puzzle, "a list of steps", run)
    return replace(steps_at(position, every=every or bool(technique), technique=technique), candidates=candidates)


def wait_for_enter() -> None:
    """Wait for whoever reads at a terminal."""
    sys.stderr.write("Enter goes on … ")
    sys.stderr.flush()
    if not sys.stdin.readline():
        raise KeyboardInterrupt


def hint_at(position: Position) -> Hint:
    """The easiest next step in a position."""
    step, stopped, interrupted = None, False, False
    try:
        step = next(walk(position), None)
    except TimeoutError:
        stopped = True
    except KeyboardInterrupt:
        stopped = interrupted = True
    fault = position.fault() if position.empty else ""
    return Hint(position.puzzle, step, fault, position, stopped, interrupted, position.warning)


def position_of(text: str, where: str = "the position", *, run: Run = HERE) -> Position:
    """A position with candidates: HoDoKu's library line, or any form of `sudoku.pencil`.

    Whether it has one solution is looked up, as some techniques rest on that.
    """
    from tablero.sudoku.logic.pencil import parse_position_text

    return _looked_up(parse_position_text(text, where), run)


@dataclass(frozen=True, repr=False)
class Steps:
    """The steps that apply in a position: of every technique, or of the easiest one."""

    position: Position
    steps: tuple[Step, ...]
    fault: str = ""
    stopped: bool = False  # by the time limit, or by Ctrl-C: there may be more
    interrupted: bool = False  # by Ctrl-C
    candidates: bool = False  # whether the position is reported with them

    @property
    def status(self) -> str:
        """solved (there are some), complete (nothing is left to fill), none (there is no solution) or open.

        Open where no technique applies, and where the time is up, or Ctrl-C comes, before all were looked for.
        """
        if self.fault:
            return "none"
        if self.stopped:
            return "open"
        return "solved" if self.steps else "open" if self.position.empty else "complete"

    def to_dict(self) -> dict[str, Any]:
        """What is reported of them, as JSON can hold it."""
        codes = {technique.name: technique.code for technique in TECHNIQUES}
        steps = [{**step.values(self.position.side), "code": codes.get(step.technique) or None} for step in self.steps]
        why = self.fault or self._late
        more = {"candidates": self._grid.split(), "line": self._line or None} if self.candidates else {}
        return {"status": self.status, "steps": steps, **({"why": why} if why else {}), **more}

    def lines(self) -> Iterator[str]:
        """The position, where that is wanted, and the steps grouped by technique."""
        if self.candidates:
            yield from (self._grid, self._line)
        yield str(self)

    def remarks(self) -> Iterator[str]:
        yield from ()

    def to_svg(self) -> str | None:
        """The first steps, one below the other."""
        from tablero.draw.sheet import stacked
        from tablero.draw.svg import to_svg
        from tablero.sudoku.draw import step_scene

        scenes = [step_scene(self.position, step) for step in self.steps[:_DRAWN]]
        return to_svg(stacked(scenes)) if scenes else None

    @property
    def _grid(self) -> str:
        from tablero.sudoku.logic.pencil import to_grid

        return to_grid(self.position)

    @property
    def _line(self) -> str:
        """HoDoKu's library line, where the board can have one."""
        from tablero.sudoku.logic.library import to_line

        plain = self.position.side == 9 and self.position.puzzle.layout.is_plain
        return to_line(self.position) if plain else ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.steps)} steps>"

    def __str__(self) -> str:
        """Grouped by technique."""
        lines = []
        for name in dict.fromkeys(step.technique for step in self.steps):
            mine = [step for step in self.steps if step.technique == name]
            lines.append(f"{name} ({len(mine)})")
            lines += [f"  {step.rating}  {step.sentence}" for step in mine]
        if self._late:
            lines.append(self._late)
        return "\n".join(lines) or self.fault or "no technique applies"

    @property
    def _late(self) -> str:
        why = "interrupted" if self.interrupted else "the time is up"
        return f"{why}: there may be more steps" if self.stopped else ""


def require_technique(given: str) -> None:
    """Refuse a technique that nobody knows; the nearest names are told."""
    names = [known.name for known in TECHNIQUES]
    if given and given not in names and given not in {known.code for known in TECHNIQUES}:
        near = get_close_matches(given, names, 3, 0.4) or names[:3]
        raise BadInput(
            f"the technique {given[:40]!r}: expected one of the {len(names)} of docs/sudoku-techniques.md, as "
            f"{', '.join(near)}, or a code of HoDoKu"
        )


@interrupts.Polling()
def steps_at(position: Position, *, every: bool = True, technique: str = "") -> Steps:
    """All steps that apply in a position, in the order of the techniques; without `every` those of the easiest one."""
    found: list[Step] = []
    fault = position.fault() if position.empty else ""
    require_technique(technique)
    stopped = interrupted = False
    try:
        for known in TECHNIQUES:
            if not fault and technique in ("", known.name, known.code):
                for step in known.all(position):
                    found.append(step)
                if found and not every:
                    break
    except TimeoutError:
        stopped = True
    except KeyboardInterrupt:
        stopped = interrupted = True
    return Steps(position, tuple(found), fault, stopped, interrupted)
