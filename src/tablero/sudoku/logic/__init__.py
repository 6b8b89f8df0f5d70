"""Solving by logic: take the easiest step that applies, and explain it in a sentence.

Ratings are those of Sudoku Explainer 1.2.1 for the techniques that it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, cast

from tablero import interrupts
from tablero.errors import BadInput
from tablero.runs.run import HERE, Run, require_here
from tablero.sudoku import solving
from tablero.sudoku.logic.answers import Hint, Path, Steps
from tablero.sudoku.logic.library import parse_position_text
from tablero.sudoku.logic.position import Candidate, Deadline, Ending, Position, Step
from tablero.sudoku.logic.techniques import TECHNIQUES, Technique
from tablero.sudoku.puzzle import SYMBOLS, Sudoku, cell_name
from tablero.sudoku.reading import Given, one
from tablero.sudoku.sweeps import sweep

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

_FORCING = 8.0  # the rating of the first level of forcing
_NAMED = 3  # the most clues or cells that a warning names
_LARGEST = 9  # the largest side of a board whose wrong clues are searched for
_CLUE_TIME = 1.0  # seconds for one clue


def next_step(position: Position) -> Step | None:
    """Find the easiest step that applies.

    A step of a chain or a net can be rated above the next techniques.  Then those are tried, too, and the step with the
    lowest rating is taken.  Forcing has levels, as in Sudoku Explainer: the first level that finds a step gives its
    shortest one.
    """
    best: Step | None = None
    least = 99.0  # techniques from this rating on are not tried
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
    """Yield the easiest step and apply it, until the board is full or no technique applies."""
    while position.empty and not position.fault():
        step = next_step(position)
        if step is None:
            return
        yield step
        position.apply(step)


# Verbs


def step(
    puzzle: Sudoku | Many, *, method: str = "logic", pause: bool = False, boards: bool = False, run: Run = HERE
) -> Path:
    """Solve a puzzle step by step, as far as the method goes; the method sweeps returns `Sweeps`."""
    if method == "sweeps":
        return cast("Path", sweep(one(puzzle), pause=pause))
    return replace(explain(puzzle, run=run), pause=pause, boards=boards)


def explain(puzzle: Sudoku | Many, *, run: Run = HERE) -> Path:
    """Solve a puzzle by logic, as far as the techniques go."""
    return way(_begin(puzzle, "solving by logic", run))


def hint(puzzle: Sudoku | Many, *, run: Run = HERE) -> Hint:
    """Find the easiest next step."""
    return hint_at(_begin(puzzle, "a hint", run))


def steps(
    puzzle: Sudoku | Many, *, every: bool = False, technique: str = "", candidates: bool = False, run: Run = HERE
) -> Steps:
    """Find the steps that apply now: those of every technique, of one, or of the easiest that applies."""
    _require_technique(technique)
    position = _begin(puzzle, "a list of steps", run)
    return replace(steps_at(position, every=every or bool(technique), technique=technique), candidates=candidates)


def _begin(puzzle: Sudoku | Many, what: str, run: Run) -> Position:
    """The position of a puzzle, with the candidates of its file if that has candidates."""
    puzzle = one(puzzle)
    require_here(run, what)
    if isinstance(puzzle, Given) and puzzle.marks:
        return limit(position_of(puzzle.marks, puzzle.where, run=run), run)
    return limit(_with_solutions(Position(puzzle), run), run)


def position_of(text: str, where: str = "the position", *, run: Run = HERE) -> Position:
    """Read a position with candidates, and count the solutions of its clues.

    Uniqueness techniques are used only if the clues have exactly one solution.

    Parameters
    ----------
    text
        A library line of HoDoKu, or a board with candidates in any form of `sudoku.pencil`.
    where
        The name of the text in error messages.
    run
        The run, whose time limit applies to counting the solutions.
    """
    return _with_solutions(parse_position_text(text, where), run)


def limit(position: Position, run: Run) -> Position:
    """Apply the time limit of a run to the search in a position, from now on; return the position."""
    position.deadline = Deadline(run)
    return position


@interrupts.Polling()
def way(position: Position) -> Path:
    """Find all steps from a position on; the time limit or Ctrl-C ends the path early."""
    # The search can stop while a step is being applied to `position`.
    begin, end = position.copy(), position.copy()
    found: list[Step] = []
    with Ending() as ending:
        for step in walk(position):
            found.append(step)
    for step in found:
        end.apply(step)
    return Path(begin, end.fault() if end.empty else "", ending.text, tuple(found))


def hint_at(position: Position) -> Hint:
    """Find the easiest next step in a position."""
    step = None
    with Ending() as ending:
        step = next(walk(position), None)
    return Hint(position, position.fault() if position.empty else "", ending.text, step)


@interrupts.Polling()
def steps_at(position: Position, *, every: bool = True, technique: str = "") -> Steps:
    """Find the steps that apply to a position, in the order of the techniques.

    Parameters
    ----------
    position
        The position, which is not changed.
    every
        Whether to try every technique; otherwise only the steps of the easiest one that applies are found.
    technique
        The name or HoDoKu's code of the technique to try; all if empty.
    """
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
    """Refuse an unknown technique and name the closest ones."""
    names = [known.name for known in TECHNIQUES]
    if given and given not in names and given not in {known.code for known in TECHNIQUES}:
        near = get_close_matches(given, names, 3, 0.4) or names[:3]
        raise BadInput(
            f"the technique {given[:40]!r}: expected one of the {len(names)} of docs/sudoku-techniques.md, as "
            f"{', '.join(near)}, or a code of HoDoKu"
        )


# The solutions of the clues


def _with_solutions(position: Position, run: Run) -> Position:
    """Count the solutions of the clues, and record in the position what is wrong with it; return the position."""
    try:
        position.solutions = solving.how_many(position.puzzle, run=run)
        position.unique = position.solutions == 1
        if position.solutions == 0:
            position.warning = f"the puzzle has no solution: {_wrong_clues(position.puzzle, run)}"
        elif position.solutions == 1:
            position.warning = _wrong_cells(position, run)
        else:
            position.warning = "the puzzle has more than one solution"
    except TimeoutError:
        position.unique = False
    return position


def _wrong_clues(puzzle: Sudoku, run: Run) -> str:
    """Name the clues whose removal makes the puzzle solvable.

    If the removal of some clue leaves exactly one solution, only such clues are named.
    """
    found: dict[int, list[str]] = {1: [], 2: []}
    try:
        for cell, digit in enumerate(puzzle.cells if puzzle.side <= _LARGEST else ()):
            without = Sudoku((*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :]), puzzle.layout)
            if digit and (solutions := solving.how_many(without, run=run.within(_CLUE_TIME))):
                found[solutions].append(f"the {SYMBOLS[digit]} in {cell_name(cell, puzzle.side)}")
    except TimeoutError:
        return "some digit is wrong"
    likely = found[1] or found[2]
    return f"without {' or '.join(likely)} it has one" if 0 < len(likely) <= _NAMED else "some digit is wrong"


def _wrong_cells(position: Position, run: Run) -> str:
    """Name the cells that contradict the solution: those with a wrong digit, else those without the right candidate."""
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
    why = "a wrong digit is filled in" if filled else "a candidate of the solution is missing"
    wrong = filled or lost
    names = ", ".join(cell_name(cell, puzzle.side) for cell in wrong[:_NAMED])
    return f"{why}: look at {names}{' and others' * (len(wrong) > _NAMED)}"
