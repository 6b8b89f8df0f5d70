"""From a board to moves: one door to all methods.

table, sides, parberry,
transport               at once, any size; every move with its rule
carry                   the same with a third fewer moves and more thought: about 3 s for 100×100
optimal                 a shortest answer, proved; for boards of up to 16 cells, and easy ones beyond
anytime                 at once, then shorter and shorter until the time is up; with a lower bound
auto                    optimal up to 16 cells, else anytime

A board whose parity is wrong has no answer, by any method: that is a proof, and no search is needed for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tablero.errors import BadInput
from tablero.runs.findings import Result
from tablero.runs.progress import Snapshot
from tablero.runs.run import Run, require_here
from tablero.runs.viewing import State
from tablero.sliding import anytime, optimal
from tablero.sliding.constructive import METHODS as CONSTRUCTIVE
from tablero.sliding.constructive import construct
from tablero.sliding.generating import generate
from tablero.sliding.kernels.databases import by_index
from tablero.sliding.optimal import AUTO
from tablero.sliding.puzzle import Board, Boards
from tablero.sliding.solution import NO_ROWS, Solution, Solutions
from tablero.sliding.verbs import worst
from tablero.verbs.parameters import spell

MOST_OPTIMAL = 16  # cells that `auto` solves optimally


def solve(puzzle: Board | Boards, *, method: str, estimate: str, run: Run) -> Solution | Solutions:
    """Moves that lead from a board to its goal, checked by independent code; of several boards, from each.

    `estimate` is for `optimal`: what is known about the moves to come.  Only `optimal` can be a job or run on a grid;
    `anytime` takes what time the run allows, two seconds without a limit.
    """
    if isinstance(puzzle, Board):
        return _solve(puzzle, method, estimate, run)
    if run.job_name:
        puzzle.require_one(spell("job"))
    for board in puzzle:
        _require_fitting(board, _chosen(board, method), estimate, run)
    return Solutions(puzzle, lambda number, board: _solve(board, method, estimate, run, f"board {number}: "))


def _chosen(board: Board, method: str) -> str:
    """The method that `auto` stands for."""
    if method == AUTO:
        return "optimal" if len(board.tiles) <= MOST_OPTIMAL else "anytime"
    return method


def _solve(board: Board, method: str, estimate: str, run: Run, name: str = "") -> Solution:
    method = _chosen(board, method)
    _require_fitting(board, method, estimate, run)
    if not board.solvable:
        solution = Solution(board, Result("none", 0, NO_ROWS), method)
        run.report(Snapshot(remark=name + solution.sentence()))
        return solution
    if method == "optimal":
        solution = optimal.solve(board, estimate=estimate, run=run)
    elif method == "anytime":
        solution = anytime.solve(board, run=run)
    else:
        solution = _constructed(board, method, run)
    solution.verify()
    return solution


def _require_fitting(board: Board, method: str, estimate: str, run: Run) -> None:
    """Refuse what a method does not know."""
    if method == "optimal":
        optimal.require_estimate(board, estimate)
        return
    require_here(run, f"the method {method!r}")
    if estimate != AUTO:
        raise BadInput(f"an estimate goes with the method optimal, not with {method}")
    if method in CONSTRUCTIVE and (run.time_limit is not None or run.node_limit is not None):
        raise BadInput(f"limits go with optimal and anytime: {method} does not obey one")


def _constructed(board: Board, method: str, run: Run) -> Solution:
    """The answer of a constructive method."""
    run.report(Snapshot(doing="compiling the kernels of sliding tiles"))
    anytime.warm()
    run.report(Snapshot(over=True))
    began, cpu = time.monotonic(), time.thread_time()
    moves, rules = construct(board, method)
    seconds, used = time.monotonic() - began, time.thread_time() - cpu
    result = Result("solved", 1, NO_ROWS, seconds=seconds, cpu_seconds=used)
    return Solution(board, result, method, moves, optimal.lower_bound(board), rules)


def view(state: State) -> Solution:
    """A stored job: only `optimal` makes one."""
    return optimal.view(state)


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand; the pattern databases are built when they are first needed."""
    return {
        "slide table": anytime.warm,
        "slide worst": lambda: worst(4),
        "slide optimal": lambda: optimal.warm(generate(3, seed=1), "lines"),
        "slide patterns": lambda: by_index(3, 3, (1, 2)),
    }
