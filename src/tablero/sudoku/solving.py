"""From a puzzle to its solutions: plain 9×9 boards by bands, all others as exact covers.

Loading the compiled kernels takes longer than most puzzles need in plain Python.  So a plain 9×9 puzzle is tried there first
(`plain`), unless the kernel is loaded or plain Python has visited too many nodes: what is proved to have no solution or just
one is answered.  Everything else goes to the kernels, including puzzles with several solutions, so that the first
solution is always the same one.

One model serves all boards and rules as an exact cover:

    items      every cell; every digit of every unit; every cage, and every digit of every cage
    options    a digit in a cell covers that cell, and that digit of each of its units and of its cage
               a combination of digits for a cage covers the cage, and the digits of the cage that are NOT in it

So the digits of a cage are divided between its cells and the combination: its cells hold just the digits of one combination
that adds up to the total.  Diagonals are two more units, the regions of a jigsaw take the place of the boxes.
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
_KERNEL = "tablero.sudoku.kernels.search"  # the module that is slow to load
_plain_nodes = 3_000  # nodes left to plain Python in this process: a fifth of a second


@dataclass(frozen=True, eq=False, repr=False)
class Solutions(Findings[str]):
    """What a search found.  Rows of its result are digits, cell by cell.

    Where one solution is asked for, the search goes on to a second one, to know whether there are others.
    """

    parts: ClassVar[tuple[str, ...]] = ("row", "column", "digit")

    puzzle: Sudoku
    most: int | None = None  # as many as were asked for

    @property
    def status(self) -> str:
        """solved, complete, none or open."""
        return "solved" if self.most is not None and self.result.solutions >= self.most else self.result.status

    @property
    def solutions(self) -> int:
        """How many there are among what was searched, and no more than were asked for."""
        return self.result.solutions if self.most is None else min(self.result.solutions, self.most)

    @property
    def unique(self) -> bool | None:
        """Whether there is just one solution; None where the search stopped before it knew."""
        if self.result.solutions > 1:
            return False
        return None if self.result.status == "open" else self.result.solutions == 1

    @cached_property
    def boards(self) -> list[Cells]:
        """The solutions as digits, cell by cell."""
        return [tuple(row) for row in self.result.answers[: self.most].tolist()]

    @property
    def board(self) -> Cells | None:
        """The first of them, where there is one."""
        return tuple(self.result.answers[0].tolist()) if len(self.result.answers) else None

    @cached_property
    def answers(self) -> Sequence[str]:
        """The solutions as strings of cells, row by row."""
        rows = self.result.answers[: self.most]
        text = _MARKS[rows].tobytes().decode()
        width = self.puzzle.layout.size
        return [text[k : k + width] for k in range(0, len(text), width)]

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Rows and columns from 1, with the digit as it is written."""
        side = self.puzzle.side
        return ((k // side + 1, k % side + 1, digit) for k, digit in enumerate(answer))

    def verify(self) -> None:
        """Check every solution by the rules, and that none is there twice."""
        clues = np.array(self.puzzle.cells, np.int32)
        for rows in pieces(self.result.answers):
            if wrong := checking.first_fault(self.puzzle.layout, clues, rows):
                raise AssertionError(f"a kernel returned what is no solution: {wrong}")
        if has_twins(self.result.answers):
            raise AssertionError("a kernel returned a solution twice")

    def values(self) -> dict[str, Any]:
        return {**super().values(), **({"unique": self.unique} if self.result.kept else {})}

    def scene(self) -> Scene | None:
        """The first solution as a board."""
        return None if self.board is None else board(self.puzzle, self.board)

    def remarks(self) -> Iterator[str]:
        """The board, whether it is the only solution, and the summary."""
        if self.board is not None and self.solutions == 1:
            colours = sys.stderr.isatty()
            yield board_text(self.puzzle.layout, self.board, clues=self.puzzle.cells, colours=colours)
        known = {True: "the only solution", False: "there are more solutions", None: "whether there are more is open"}
        first = f"{known[self.unique]}; " if self.board is not None and self.most == 1 else ""
        searched: Findings[str] = Findings(self.puzzle, self.result)  # which may have looked for one more
        yield first + searched.sentence()

    def __str__(self) -> str:
        return repr(self) if self.board is None else board_text(self.puzzle.layout, self.board)


@dataclass(frozen=True)
class Model:
    """A search for a puzzle, and what its answers mean: rows of digits, cell by cell."""

    search: TreeSearch
    decode: Callable[[Answers], Answers]


def model_for(puzzle: Sudoku) -> Model:
    """The search that finds a puzzle's solutions."""
    if puzzle.layout.is_plain and puzzle.side == 9:
        from tablero.sudoku.kernels.search import BandSearch

        return Model(BandSearch(np.array(puzzle.cells, np.uint8)), lambda rows: rows)
    from tablero.cover.kernels.search import CoverSearch, default_kernel

    problem, meaning = to_cover(puzzle)
    cell_of, digit_of = np.array([*meaning, (-1, 0)]).T  # the last is for rows that are not full: option −1

    def decode(rows: Answers) -> Answers:
        boards = np.zeros((len(rows), puzzle.layout.size + 1), np.int32)
        boards[np.arange(len(rows))[:, None], cell_of[rows]] = digit_of[rows]
        return boards[:, :-1]  # cell −1 is none: combinations of cages went there

    return Model(CoverSearch(problem.table, default_kernel(problem.table)), decode)


def to_cover(puzzle: Sudoku) -> tuple[ExactCover, list[tuple[int, int]]]:
    """The model, and for each of its options the cell and the digit, or (−1, 0) for a cage's combination."""
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

    groups: list[list[int]] = [[] for _ in range(layout.size)]  # the first item of each unit and cage of a cell
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
    """The digits that no clue forbids: large boards would have far too many options otherwise."""
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
    """Up to `most` solutions (None: all); of a file of many puzzles a `SolvedFile`."""
    if isinstance(puzzle, Sudoku):
        return _find(puzzle, most, run)
    from tablero.sudoku.batch import SolvedFile

    return cast("Solutions", SolvedFile(puzzle, run=run))


def count(puzzle: Sudoku | Many, most: int | None = None, *, run: Run = HERE) -> Solutions:
    """The number of solutions, without the solutions; counting stops at `most` (None: never)."""
    if isinstance(puzzle, Sudoku):
        return _find(puzzle, most, run, keep=False)
    from tablero.sudoku.batch import CountedFile

    return cast("Solutions", CountedFile(puzzle, most or 2, run=run))


def how_many(puzzle: Sudoku, *, run: Run = HERE) -> int:
    """0, 1 or 2 solutions, where 2 stands for several."""
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
    """The result of a search in plain Python for up to two solutions; None where the kernel is loaded."""
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
    """What a stored job has found so far, or what its search has decided of a solution."""
    model = model_for(state.puzzle)
    result = state.result(model.search, keep=state.verb == "solve")
    return Solutions(state.puzzle, replace(result, answers=model.decode(result.answers)), state.options["most"])


def kernels() -> dict[str, Callable[[], object]]:
    """The kernels that are compiled in advance: names, and functions that compile them."""
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
