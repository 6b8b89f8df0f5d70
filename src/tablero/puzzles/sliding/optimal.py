"""Shortest answers: one tree after another, the threshold two higher each time, until a tree has an answer.

Each tree is a search like every other (`search/sliding.py`): it can be stopped, split, stored and continued.  A tree that is
searched in vain proves that more moves are needed; the parity of the board forbids the odd ones between.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.sliding.frame import Frame, framed
from tablero.puzzles.sliding.kernels import ida, search
from tablero.puzzles.sliding.kernels.search import ESTIMATES, SlidingSearch
from tablero.puzzles.sliding.puzzle import Board
from tablero.puzzles.sliding.solution import Solution
from tablero.runs.findings import Result
from tablero.runs.here import require_threads, run_here

AUTO = "auto"
LONGEST = 80  # moves that a board of up to 4×4 can need (OEIS A087725)
PATIENCE = 1.0  # seconds that walking distance gets before databases are built

# Runs a search for so many seconds at most (None: no limit).
Runner = Callable[[SlidingSearch, float | None], Result]


@dataclass(frozen=True)
class Spent:
    """What earlier trees cost."""

    nodes: int = 0
    seconds: float = 0.0
    cpu: float = 0.0

    def plus(self, result: Result) -> Spent:
        return Spent(self.nodes + result.nodes, self.seconds + result.seconds, self.cpu + result.cpu_seconds)


@dataclass(frozen=True)
class Task:
    """A board made ready to be searched."""

    board: Board
    frame: Frame
    home: int  # the blank's goal cell on the framed board

    @classmethod
    def of(cls, board: Board) -> Task:
        board.require_solvable()
        frame = framed(board, tail=False)
        row, column = divmod(board.goal.index(0), board.columns)
        row, column = max(row, board.rows - 1 - row), max(column, board.columns - 1 - column)
        return cls(board, frame, row * board.columns + column)

    def estimates(self) -> list[str]:
        """Those that can be used for this board, the strongest first."""
        rows, columns = self.board.rows, self.board.columns
        found = ["patterns"] if search.has_patterns(rows, columns, self.home) else []
        return found + (["walking"] if max(rows, columns) <= search.MOST_WALKING else []) + ["lines"]

    def least(self, estimate: str) -> int:
        return search.least(self.board.rows, self.board.columns, self.frame.tiles, self.home, estimate)

    def tree(self, estimate: str, threshold: int) -> SlidingSearch:
        board, frame = self.board, self.frame
        return SlidingSearch(board.rows, board.columns, frame.tiles, self.home, estimate, threshold)

    def codes(self, result: Result) -> NDArray[np.uint8]:
        """The moves of the first answer, on the board itself."""
        row = result.answers[0]
        return self.frame.moves(row[row >= 0].astype(np.uint8))


def lower_bound(board: Board) -> int:
    """Moves that are needed at least: the best estimate that is quickly made."""
    task = Task.of(board)
    return task.least(search.best_estimate(board.rows, board.columns, task.home))


def choose(task: Task, estimate: str) -> str:
    """The estimate that was asked for, refused where the board has none such."""
    if estimate not in (AUTO, *ESTIMATES):
        raise BadInput(f"the estimate {estimate!r}: expected one of {', '.join((AUTO, *ESTIMATES))}")
    if estimate != AUTO and estimate not in task.estimates():
        where = "3×3 and 4×4 with the goal's blank in a corner" if estimate == "patterns" else "boards of up to 4×4"
        raise BadInput(f"the estimate {estimate!r} is for {where}: expected one of {', '.join(task.estimates())}")
    return estimate


def solve(
    board: Board,
    *,
    estimate: str = AUTO,
    threads: int = 1,
    time_limit: float | None = None,
    runner: Runner | None = None,
) -> Solution:
    """A shortest answer.

    `auto` takes the databases where they are built.  Where they could be but are not, walking distance goes first, for a
    second; most boards need no more.
    """
    require_threads(threads)
    task = Task.of(board)
    estimate = choose(task, estimate)
    run_tree = runner or _threads(threads)
    if estimate != AUTO:
        return deepen(task, estimate, run_tree, time_limit)
    strongest = task.estimates()[0]
    ready = search.best_estimate(board.rows, board.columns, task.home)
    if ready == strongest:
        return deepen(task, strongest, run_tree, time_limit)
    patience = PATIENCE if time_limit is None else min(PATIENCE, time_limit)
    first = deepen(task, ready, run_tree, patience)
    left = None if time_limit is None else time_limit - patience
    if first.status == "solved" or first.interrupted or (left is not None and left <= 0):
        return first
    spent = Spent(first.nodes, first.seconds, first.cpu)
    return deepen(task, strongest, run_tree, left, threshold=first.lower, spent=spent)


def deepen(
    task: Task,
    estimate: str,
    run_tree: Runner,
    time_limit: float | None,
    threshold: int = 0,
    spent: Spent | None = None,
) -> Solution:
    """Tree after tree from a threshold on (or from the estimate, if that is more), for so many seconds."""
    deadline = None if time_limit is None else time.monotonic() + time_limit
    spent = spent or Spent()
    threshold = max(threshold, task.least(estimate))
    while True:
        left = None if deadline is None else max(deadline - time.monotonic(), 0.001)
        result = run_tree(task.tree(estimate, threshold), left)
        if result.status != "none":
            return conclude(task, estimate, threshold, result, spent)
        spent = spent.plus(result)
        threshold += 2


def conclude(task: Task, estimate: str, threshold: int, result: Result, spent: Spent) -> Solution:
    """The answer in the last tree's result, or what is known without one."""
    total = spent.plus(result)
    return Solution(
        board=task.board,
        method="optimal",
        codes=task.codes(result) if len(result.answers) else None,
        lower=threshold,
        heuristic=estimate,
        nodes=total.nodes,
        seconds=total.seconds,
        cpu=total.cpu,
        fraction=1.0 if len(result.answers) else result.fraction,
        interrupted=result.interrupted,
    )


def lengths(rows: int, columns: int, boards: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """How long a shortest answer is for each of many boards with the usual goal, and the positions visited."""
    home = rows * columns - 1
    estimate = "patterns" if search.has_patterns(rows, columns, home) else "lines"
    problem = search.problem_for(rows, columns, home, estimate)
    state = search.new_state(problem, boards[0], LONGEST, home)
    out = np.zeros(len(boards), np.int64)
    nodes = ida.lengths(problem, state, boards, out, np.empty((0, 0), np.int32), np.zeros(1, np.uint8))
    return out, int(nodes)


def warm(board: Board, estimate: str = AUTO) -> None:
    """Compile the kernel, and load or build what the estimate needs."""
    task = Task.of(board)
    chosen = choose(task, estimate)
    if chosen == AUTO:
        chosen = search.best_estimate(board.rows, board.columns, task.home)
    task.tree(chosen, 0).warm()


def _threads(threads: int) -> Runner:
    def run_tree(tree: SlidingSearch, seconds: float | None) -> Result:
        return run_here(tree, threads, most=1, time_limit=seconds)

    return run_tree
