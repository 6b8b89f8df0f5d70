"""Solving as people do: always the easiest step that applies, explained in a sentence.

Ratings are those of Sudoku Explainer 1.2.1, where it knows the technique.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from tablero import interrupts
from tablero.draw.scene import Scene
from tablero.draw.sheet import stacked
from tablero.errors import BadInput
from tablero.runs.run import HERE, Run, require_here
from tablero.sudoku import solving
from tablero.sudoku.draw import board, board_text, step_scene
from tablero.sudoku.logic.library import Ending, parse_position_text, to_grid, to_line
from tablero.sudoku.logic.position import Candidate, Deadline, Position, Step
from tablero.sudoku.logic.techniques import TECHNIQUES, Technique
from tablero.sudoku.puzzle import SYMBOLS, Cells, Sudoku, cell_name
from tablero.sudoku.puzzle import to_line as cells_line
from tablero.sudoku.reading import Given, one
from tablero.sudoku.sweeps import slides_page, sweep, wait_for_enter
from tablero.text import several

if TYPE_CHECKING:
    from tablero.sudoku.reading import Many

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
    "step",
    "steps",
    "steps_at",
    "walk",
    "way",
]

_DRAWN = 100  # steps of a drawing
_FORCING = 8.0  # the rating of the first level of forcing
_NAMED = 3  # clues, or cells, that a warning names
_LARGEST = 9  # side of boards whose wrong clue is looked for
_LOOKING = 1.0  # seconds for one clue


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
class _Outcome:
    """What logic finds from a position on."""

    position: Position
    fault: str = ""  # why there is no solution
    ended: str = ""  # what ended the search early: the time limit, or Ctrl-C

    @property
    def puzzle(self) -> Sudoku:
        return self.position.puzzle

    @property
    def stopped(self) -> bool:
        """Whether the time limit, or Ctrl-C, ended the search."""
        return bool(self.ended)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the search."""
        return self.ended == Ending.INTERRUPTED

    @property
    def warning(self) -> str:
        """What is wrong with the puzzle."""
        return self.position.warning

    def remarks(self) -> Iterator[str]:
        if self.warning:
            yield self.warning

    def scene(self) -> Scene:
        """A drawing."""
        return board(self.puzzle)

    def _repr_svg_(self) -> str:
        from tablero.draw.svg import to_svg

        return to_svg(self.scene())


@dataclass(frozen=True, repr=False)
class Path(_Outcome):
    """The way of a puzzle by logic."""

    steps: tuple[Step, ...] = ()
    boards: bool = False  # whether lines show the board after each step
    pause: bool = False  # whether lines wait for Enter after each step

    @cached_property
    def _boards(self) -> list[Cells]:
        """The board at the beginning, and after each step."""
        begin = tuple(self.position.values)
        found = [begin]
        for step in self.steps:
            placed = dict(step.placed)
            found.append(tuple(placed.get(cell, digit) for cell, digit in enumerate(found[-1])))
        return found

    @property
    def cells(self) -> Cells:
        """The board at the end."""
        return self._boards[-1]

    @property
    def left(self) -> tuple[int, ...]:
        """Empty cells after each step."""
        return tuple(cells.count(0) for cells in self._boards[1:])

    @property
    def solved(self) -> bool:
        return 0 not in self.cells

    @property
    def status(self) -> str:
        """solved, none (a fault was met: there is no solution) or open (stuck, or the time is up)."""
        return "none" if self.fault else "solved" if self.solved else "open"

    @property
    def sentence(self) -> str:
        """How it ended."""
        steps, empty = several(len(self.steps), "step"), f"{self.cells.count(0)} cells stay empty"
        if self.fault:
            return f"{self.fault}: the puzzle has no solution"
        if self.solved:
            return f"solved in {steps}"
        if self.ended:
            return f"{self.ended} after {steps}: {empty}"
        return f"stuck: no technique applies, {empty}; 'solve' finds the solutions"

    def positions(self) -> Iterator[tuple[Position, Step]]:
        """Every step with the position that it begins at; the position moves on after each."""
        position = self.position.copy()
        for step in self.steps:
            yield position, step
            position.apply(step)

    def lines(self) -> Iterator[str]:
        """Every step in a sentence, with the board after each, or after the last one."""
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
        """The board at the end."""
        return board(self.puzzle, self.cells)

    def scenes(self) -> Iterator[tuple[str, Scene]]:
        """A name and a drawing for each step."""
        for number, (position, step) in enumerate(self.positions(), 1):
            yield f"step-{number:03}", step_scene(position, step)

    def page(self) -> str:
        """A page with all steps to click through: every step with the position that it begins at."""
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
        """The way, as JSON can hold it."""
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
class Hint(_Outcome):
    """The easiest next step of a puzzle, or why there is none."""

    step: Step | None = None

    @property
    def status(self) -> str:
        """solved (there is a step), complete (nothing is left to fill), none (there is no solution) or open."""
        if self.step is not None:
            return "solved"
        return "none" if self.fault else "open" if 0 in self.puzzle.cells else "complete"

    @property
    def hopeless(self) -> bool:
        """Whether it is known that the puzzle has no solution, whatever steps apply."""
        return self.position.solutions == 0

    @property
    def sentence(self) -> str:
        """The step in a sentence, or why there is none."""
        if self.step is not None:
            return self.step.sentence
        if self.fault:
            return f"{self.fault}: the puzzle has no solution"
        if self.ended:
            return f"{self.ended} before a step is found"
        return "no technique applies" if 0 in self.puzzle.cells else "the board is full"

    def to_dict(self) -> dict[str, Any]:
        """The step, as JSON can hold it: where there is none the same keys, and why."""
        if self.step is not None:
            values = self.step.values(self.puzzle.side)
        else:
            nothing = dict.fromkeys(Step("").values(self.puzzle.side))
            values = {**nothing, "sentence": self.sentence, "why": self.sentence}
        return {"status": self.status, **values, **({"warning": self.warning} if self.warning else {})}

    def lines(self) -> Iterator[str]:
        yield str(self)

    def to_svg(self) -> str | None:
        """The step as a drawing, where there is one."""
        return None if self.step is None else self._repr_svg_()

    def scene(self) -> Scene:
        """The board with its candidates, and what the step looks at."""
        return board(self.puzzle) if self.step is None else step_scene(self.position, self.step)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def __str__(self) -> str:
        return self.sentence if self.step is None else f"{self.step.technique} ({self.step.rating}): {self.sentence}"


@dataclass(frozen=True, repr=False)
class Steps(_Outcome):
    """The steps that apply in a position: of every technique, or of the easiest one."""

    steps: tuple[Step, ...] = ()
    candidates: bool = False  # whether the output begins with the position

    @property
    def status(self) -> str:
        """solved (there are some), complete (nothing is left to fill), none (there is no solution) or open.

        Open where no technique applies, and where the time is up, or Ctrl-C comes, before all were looked for.
        """
        if self.fault:
            return "none"
        if self.ended:
            return "open"
        return "solved" if self.steps else "open" if self.position.empty else "complete"

    def to_dict(self) -> dict[str, Any]:
        """The steps, as JSON can hold them."""
        codes = {technique.name: technique.code for technique in TECHNIQUES}
        steps = [{**step.values(self.position.side), "code": codes.get(step.technique) or None} for step in self.steps]
        why = self.fault or self._late
        more = {"candidates": to_grid(self.position).split(), "line": self._line or None} if self.candidates else {}
        return {"status": self.status, "steps": steps, **({"why": why} if why else {}), **more}

    def lines(self) -> Iterator[str]:
        """The position, where that is wanted, and the steps grouped by technique."""
        if self.candidates:
            yield from (to_grid(self.position), self._line)
        yield str(self)

    def remarks(self) -> Iterator[str]:
        yield from ()

    def scene(self) -> Scene:
        """The first steps, one below the other."""
        return stacked([step_scene(self.position, step) for step in self.steps[:_DRAWN]] or [board(self.puzzle)])

    def to_svg(self) -> str | None:
        """The first steps as a drawing, where there are any."""
        return self._repr_svg_() if self.steps else None

    @property
    def _line(self) -> str:
        """HoDoKu's library line, where the board can have one."""
        plain = self.position.side == 9 and self.puzzle.layout.is_plain
        return to_line(self.position) if plain else ""

    @property
    def _late(self) -> str:
        return f"{self.ended}: there may be more steps" if self.ended else ""

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


# Verbs


def step(
    puzzle: Sudoku | Many, *, method: str = "logic", pause: bool = False, boards: bool = False, run: Run = HERE
) -> Path:
    """Solve a puzzle by logic as far as it goes, or by sweeps, which are `Sweeps`."""
    if method == "sweeps":
        return cast("Path", sweep(one(puzzle), pause=pause))
    return replace(explain(puzzle, run=run), pause=pause, boards=boards)


def explain(puzzle: Sudoku | Many, *, run: Run = HERE) -> Path:
    """Solve a puzzle by logic as far as it goes."""
    return way(_begin(puzzle, "solving by logic", run))


def hint(puzzle: Sudoku | Many, *, run: Run = HERE) -> Hint:
    """The easiest next step."""
    return hint_at(_begin(puzzle, "a hint", run))


def steps(
    puzzle: Sudoku | Many, *, every: bool = False, technique: str = "", candidates: bool = False, run: Run = HERE
) -> Steps:
    """The steps that apply now: of every technique, of one, or of the easiest that has some."""
    _require_technique(technique)
    position = _begin(puzzle, "a list of steps", run)
    return replace(steps_at(position, every=every or bool(technique), technique=technique), candidates=candidates)


def _begin(puzzle: Sudoku | Many, what: str, run: Run) -> Position:
    """The position at which a puzzle begins: where its source had candidates, with those."""
    puzzle = one(puzzle)
    require_here(run, what)
    if isinstance(puzzle, Given) and puzzle.marks:
        return limit(position_of(puzzle.marks, puzzle.where, run=run), run)
    return limit(_looked_up(Position(puzzle), run), run)


def position_of(text: str, where: str = "the position", *, run: Run = HERE) -> Position:
    """A position with candidates: HoDoKu's library line, or any form of `sudoku.pencil`.

    Whether it has one solution is looked up, as some techniques rest on that.
    """
    return _looked_up(parse_position_text(text, where), run)


def limit(position: Position, run: Run) -> Position:
    """The position with the time of a run, which begins now."""
    position.deadline = Deadline(run)
    return position


@interrupts.Polling()
def way(position: Position) -> Path:
    """All steps from a position on; those that are known when the time is up, or at Ctrl-C."""
    begin, end = position.copy(), position.copy()  # `position` may be in the midst of a step when the search is ended
    found: list[Step] = []
    with Ending() as ending:
        for step in walk(position):
            found.append(step)
    for step in found:
        end.apply(step)
    return Path(begin, end.fault() if end.empty else "", ending.text, tuple(found))


def hint_at(position: Position) -> Hint:
    """The easiest next step in a position."""
    step = None
    with Ending() as ending:
        step = next(walk(position), None)
    return Hint(position, position.fault() if position.empty else "", ending.text, step)


@interrupts.Polling()
def steps_at(position: Position, *, every: bool = True, technique: str = "") -> Steps:
    """All steps that apply in a position, in the order of the techniques; without `every` those of the easiest one."""
    _require_technique(technique)
    found: list[Step] = []
    fault = position.fault() if position.empty else ""
    with Ending() as ending:
        for known in TECHNIQUES if not fault else ():
            if technique in ("", known.name, known.code):
                for step in known.all(position):
                    found.append(step)
                if found and not every:
                    break
    return Steps(position, fault, ending.text, tuple(found))


def _require_technique(given: str) -> None:
    """Refuse an unknown technique, with the nearest names."""
    names = [known.name for known in TECHNIQUES]
    if given and given not in names and given not in {known.code for known in TECHNIQUES}:
        near = get_close_matches(given, names, 3, 0.4) or names[:3]
        raise BadInput(
            f"the technique {given[:40]!r}: expected one of the {len(names)} of docs/sudoku-techniques.md, as "
            f"{', '.join(near)}, or a code of HoDoKu"
        )


# What is known of the solutions


def _looked_up(position: Position, run: Run) -> Position:
    """The position, with what is known of the solutions of its clues."""
    try:
        position.solutions = solving.how_many(position.puzzle, run=run)
        position.unique = position.solutions == 1
        if position.solutions == 0:
            position.warning = f"the puzzle has no solution: {_wrong_clues(position.puzzle, run)}"
        elif position.solutions == 1:
            position.warning = _wrong_cells(position, run)
        else:
            position.warning = "the puzzle has more than one solution"
    except TimeoutError:  # then nothing may rest on it
        position.unique = False
    return position


def _wrong_clues(puzzle: Sudoku, run: Run) -> str:
    """The clues without any one of which there is a solution, those first without which there is just one."""
    found: dict[int, list[str]] = {1: [], 2: []}
    try:
        for cell, digit in enumerate(puzzle.cells if puzzle.side <= _LARGEST else ()):
            without = Sudoku((*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :]), puzzle.layout)
            if digit and (solutions := solving.how_many(without, run=run.within(_LOOKING))):
                found[solutions].append(f"the {SYMBOLS[digit]} in {cell_name(cell, puzzle.side)}")
    except TimeoutError:
        return "some digit is wrong"
    likely = found[1] or found[2]
    return f"without {' or '.join(likely)} it has one" if 0 < len(likely) <= _NAMED else "some digit is wrong"


def _wrong_cells(position: Position, run: Run) -> str:
    """The cells that were filled with another digit than the solution has, or have lost it as a candidate."""
    puzzle, fresh = position.puzzle, Position(position.puzzle)
    if position.values == fresh.values and position.cands == fresh.cands:
        return ""
    solution = solving.solve(puzzle, run=run).board or position.values
    held = zip(range(puzzle.layout.size), solution, position.values, position.cands, strict=True)
    filled, lost = [], []
    for cell, digit, value, digits in held:
        if value not in (0, digit):
            filled.append(cell)
        elif not value and not digits >> digit & 1:
            lost.append(cell)
    if not filled and not lost:
        return ""
    why = "a wrong digit is filled in" if filled else "a candidate that the solution needs is taken away"
    wrong = filled or lost
    names = ", ".join(cell_name(cell, puzzle.side) for cell in wrong[:_NAMED])
    return f"{why}: look at {names}{' and others' * (len(wrong) > _NAMED)}"
