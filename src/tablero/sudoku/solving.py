"""Solve puzzles and count their solutions: plain 9×9 boards by bands, all others as exact covers.

Loading the compiled kernels takes longer than solving most puzzles in plain Python.  Therefore a plain 9×9 puzzle is first
searched by `plain`, unless the kernel is loaded or plain Python has visited too many nodes.  If this proves that the puzzle
has one solution or none, the answer is complete.  All other puzzles go to the kernels, including those with several
solutions, so that the first solution is always the same.

One exact cover model serves all boards and rules:

    items      every cell; every digit of every unit; every cage, and every digit of every cage
    options    a digit in a cell covers that cell, and that digit of each of its units and of its cage
               a combination of digits for a cage covers the cage, and the digits of the cage that are NOT in it

Each digit of a cage is covered either by a cell or by the combination, so the cells hold exactly the digits of one
combination with the right sum.  Diagonals are two more units; the regions of a jigsaw replace the boxes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from tablero.draw.scene import Scene
from tablero.runs.answers import has_twins, pieces
from tablero.runs.findings import Findings, Result
from tablero.runs.run import HERE, Here, Run
from tablero.search.base import Answers
from tablero.search.tree import TreeSearch
from tablero.sudoku import checking, plain
from tablero.sudoku.draw import board, board_text
from tablero.sudoku.puzzle import SYMBOLS, Cells, Sudoku, cell_name

if TYPE_CHECKING:
    from tablero.cover import ExactCover
    from tablero.runs.viewing import State
    from tablero.sudoku.reading import Many

_MARKS = np.frombuffer(SYMBOLS.encode(), np.uint8)
_KERNEL = "tablero.sudoku.kernels.search"  # slow to load
_plain_nodes = 3_000  # nodes that plain Python may still visit in this process: about 0.2 s


@dataclass(frozen=True, eq=False, repr=False)
class Solutions(Findings[str]):
    """The solutions of a puzzle.

    If one solution is requested, the search looks for a second one, to know whether the solution is unique.
    """

    parts: ClassVar[tuple[str, ...]] = ("row", "column", "digit")

    puzzle: Sudoku
    most: int | None = None  # number of solutions requested

    @property
    def status(self) -> str:
        """solved, complete, none or open."""
        return "solved" if self.most is not None and self.result.solutions >= self.most else self.result.status

    @property
    def solutions(self) -> int:
        """Number of solutions found, at most the number requested."""
        return self.result.solutions if self.most is None else min(self.result.solutions, self.most)

    @property
    def unique(self) -> bool | None:
        """Whether the puzzle has exactly one solution; None if the search was stopped before this was known."""
        if self.result.solutions > 1:
            return False
        return None if self.result.status == "open" else self.result.solutions == 1

    @cached_property
    def boards(self) -> list[Cells]:
        """The solutions as tuples of digits, row by row."""
        return [tuple(row) for row in self.result.answers[: self.most].tolist()]

    @property
    def board(self) -> Cells | None:
        """The first solution, or None."""
        return tuple(self.result.answers[0].tolist()) if len(self.result.answers) else None

    @cached_property
    def answers(self) -> Sequence[str]:
        """The solutions as lines of text, row by row."""
        rows = self.result.answers[: self.most]
        text = _MARKS[rows].tobytes().decode()
        width = self.puzzle.layout.size
        return [text[k : k + width] for k in range(0, len(text), width)]

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Yield row, column (both from 1) and digit of every cell."""
        side = self.puzzle.side
        return ((k // side + 1, k % side + 1, digit) for k, digit in enumerate(answer))

    def verify(self) -> None:
        """Check that every solution obeys the rules and that none occurs twice."""
        clues = np.array(self.puzzle.cells, np.int32)
        for rows in pieces(self.result.answers):
            if wrong := checking.first_fault(self.puzzle.layout, clues, rows):
                raise AssertionError(f"a kernel returned an invalid solution: {wrong}")
        if has_twins(self.result.answers):
            raise AssertionError("a kernel returned a solution twice")

    def values(self) -> dict[str, Any]:
        return {**super().values(), **({"unique": self.unique} if self.result.kept else {})}

    def scene(self) -> Scene | None:
        """The first solution as a board."""
        return None if self.board is None else board(self.puzzle, self.board)

    def remarks(self) -> Iterator[str]:
        """Yield the board and a summary that says whether the solution is unique."""
        if self.board is not None and self.solutions == 1:
            colours = sys.stderr.isatty()
            yield board_text(self.puzzle.layout, self.board, clues=self.puzzle.cells, colours=colours)
        known = {True: "the only solution", False: "there are more solutions", None: "whether there are more is open"}
        first = f"{known[self.unique]}; " if self.board is not None and self.most == 1 else ""
        searched: Findings[str] = Findings(self.puzzle, self.result)  # includes the second solution
        yield first + searched.sentence()

    def __str__(self) -> str:
        return repr(self) if self.board is None else board_text(self.puzzle.layout, self.board)


@dataclass(frozen=True)
class Model:
    """A search for the solutions of a puzzle, and the function that decodes its answers to rows of digits."""

    search: TreeSearch
    decode: Callable[[Answers], Answers]


def model_for(puzzle: Sudoku) -> Model:
    """Return the search for the solutions of a puzzle."""
    if puzzle.layout.is_plain and puzzle.side == 9:
        from tablero.sudoku.kernels.search import BandSearch

        return Model(BandSearch(np.array(puzzle.cells, np.uint8)), lambda rows: rows)
    from tablero.cover.kernels.search import CoverSearch, default_kernel

    problem, meaning = to_cover(puzzle)
    cell_of, digit_of = np.array([*meaning, (-1, 0)]).T  # the last entry is option −1, which pads short rows

    def decode(rows: Answers) -> Answers:
        boards = np.zeros((len(rows), puzzle.layout.size + 1), np.int32)
        boards[np.arange(len(rows))[:, None], cell_of[rows]] = digit_of[rows]
        return boards[:, :-1]  # the last column collects the combinations of cages

    return Model(CoverSearch(problem.table, default_kernel(problem.table)), decode)


def to_cover(puzzle: Sudoku) -> tuple[ExactCover, list[tuple[int, int]]]:
    """Return the exact cover and, for each option, its cell and digit, or (−1, 0) for the combination of a cage."""
    from tablero.cover import ExactCover

    layout, side = puzzle.layout, puzzle.side
    units, cages = layout.units, layout.cages
    names: list[Hashable] = [cell_name(cell, side) for cell in range(layout.size)]
    units_at = len(names)
    names += [(unit.name, digit) for unit in units for digit in range(1, side + 1)]
    cages_at = len(names)
    names += [f"cage {k + 1}" for k in range(len(cages))]
    digits_at = len(names)
    names += [(f"cage {k + 1}", digit) for k in range(len(cages)) for digit in range(1, side + 1)]

    groups: list[list[int]] = [[] for _ in range(layout.size)]  # for each cell, the first items of its units and cage
    for k, unit in enumerate(units):
        for cell in unit.cells:
            groups[cell].append(units_at + side * k)
    for k, cage in enumerate(cages):
        for cell in cage.cells:
            groups[cell].append(digits_at + side * k)

    start, item, meaning = [0], [], []
    for cell, digit in _candidates(puzzle):
        item.append(cell)
        item += [first + digit - 1 for first in groups[cell]]
        start.append(len(item))
        meaning.append((cell, digit))
    for k, cage in enumerate(cages):
        for digits in combinations(range(1, side + 1), len(cage.cells)):
            if sum(digits) == cage.total:
                item.append(cages_at + k)
                item += [digits_at + side * k + d - 1 for d in range(1, side + 1) if d not in digits]
                start.append(len(item))
                meaning.append((-1, 0))
    return ExactCover.of_arrays(names, len(names), np.array(start, np.int64), np.array(item, np.int32)), meaning


def _candidates(puzzle: Sudoku) -> Iterator[tuple[int, int]]:
    """Yield the cells and digits that no clue excludes; this keeps the number of options small on large boards."""
    layout, side = puzzle.layout, puzzle.side
    forbidden = [0] * layout.size
    for cells in (*(unit.cells for unit in layout.units), *(cage.cells for cage in layout.cages)):
        taken = 0
        for cell in cells:
            taken |= 1 << puzzle.cells[cell]
        for cell in cells:
            forbidden[cell] |= taken
    for cell, clue in enumerate(puzzle.cells):
        for digit in range(1, side + 1):
            if clue == digit or not (clue or forbidden[cell] >> digit & 1):
                yield cell, digit


def solve(puzzle: Sudoku | Many, most: int | None = 1, *, run: Run = HERE) -> Solutions:
    """Find up to `most` solutions (None: all); for a file of many puzzles, return a `SolvedFile`."""
    if isinstance(puzzle, Sudoku):
        return _find(puzzle, most, run)
    from tablero.sudoku.batch import SolvedFile

    return cast("Solutions", SolvedFile(puzzle, run=run))


def count(puzzle: Sudoku | Many, most: int | None = None, *, run: Run = HERE) -> Solutions:
    """Count up to `most` solutions (None: all) without keeping them; for a file of many puzzles, return a `CountedFile`."""
    if isinstance(puzzle, Sudoku):
        return _find(puzzle, most, run, keep=False)
    from tablero.sudoku.batch import CountedFile

    return cast("Solutions", CountedFile(puzzle, most or 2, run=run))


def how_many(puzzle: Sudoku, *, run: Run = HERE) -> int:
    """Return the number of solutions: 0, 1, or 2 for several."""
    tried = _by_hand(puzzle, run)
    if tried is not None and tried.status != "open":
        return tried.solutions
    found = count(puzzle, 2, run=run)
    found.require_all()
    return found.solutions


def _find(puzzle: Sudoku, most: int | None, run: Run, *, keep: bool = True) -> Solutions:
    sought = 2 if keep and most == 1 else most
    result = None if sought == 1 else _by_hand(puzzle, run, keep=keep)
    if result is None or result.status not in ("complete", "none"):
        from tablero.runs.session import perform

        model = model_for(puzzle)

        def solutions_of(rows: Answers) -> Solutions:
            return Solutions(puzzle, Result("open", len(rows), model.decode(rows)))

        found = perform(model.search, run, most=sought, keep=keep, of=solutions_of)
        found = replace(found, answers=model.decode(found.answers))
        result = found if result is None else found.after(result)
    solutions = Solutions(puzzle, result, most)
    if not result.checked:
        solutions.verify()
    return solutions


def _by_hand(puzzle: Sudoku, run: Run, *, keep: bool = True) -> Result | None:
    """Search for up to two solutions in plain Python; return None if the kernel is to be used."""
    global _plain_nodes
    alone = type(run) is Here and run.threads == 1 and run.time_limit is run.node_limit is None
    if not (alone and puzzle.layout.is_plain and puzzle.side == 9) or _KERNEL in sys.modules or _plain_nodes <= 0:
        return None
    began, cpu = time.monotonic(), time.thread_time()
    boards, nodes = plain.solve(puzzle.cells, 2, _plain_nodes)
    _plain_nodes -= nodes
    return Result(
        status="open" if boards is None else ("none", "complete", "solved")[len(boards)],
        solutions=len(boards or ()),
        answers=np.array((boards if keep else None) or np.empty((0, 81)), np.int32),
        nodes=nodes,
        seconds=time.monotonic() - began,
        cpu_seconds=time.thread_time() - cpu,
        kept=keep,
    )


def view(state: State) -> Solutions:
    """Return the solutions that a stored job has found so far, or the cells that its search has fixed."""
    model = model_for(state.puzzle)
    result = state.result(model.search, keep=state.verb == "solve")
    return Solutions(state.puzzle, replace(result, answers=model.decode(result.answers)), state.options["most"])


def kernels() -> dict[str, Callable[[], object]]:
    """Return the functions that compile the kernels in advance, by name."""
    from tablero.sudoku.generating import Options, warm
    from tablero.sudoku.kernels.search import BandSearch, solve_many
    from tablero.sudoku.logic.forcing import warm as warm_nets

    def bands() -> None:
        empty = np.zeros((1, 81), np.uint8)
        BandSearch(empty[0]).warm()
        solve_many(empty, 1)

    return {
        "sudoku bands": bands,
        "sudoku make": lambda: warm(Options()),
        "sudoku cells": lambda: warm(Options(side=4)),
        "sudoku nets": warm_nets,
    }
