"""Solves boards by the chosen method.

table, sides, parberry,
transport               at once, for any size; every move has a rule
carry                   the same with a third fewer moves and more time: about 3 s for 100×100
optimal                 a proved shortest answer, for boards of up to 16 cells and easy larger ones
anytime                 an answer at once, improved until the time is up; with a lower bound
auto                    optimal for up to 16 cells, else anytime

The parity of a board proves without a search that it has no answer.
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
    """Solve one or more boards; independent code checks the moves.

    `estimate` is the lower bound that `optimal` uses.  Only `optimal` can be a job or run on a grid.  `anytime` uses the
    time that the run allows, or two seconds without a limit.
    """
    if isinstance(puzzle, Board):
        return _solve(puzzle, method, estimate, run)
    if run.job_name:
        puzzle.require_one(spell("job"))
    for board in puzzle:
        _require_fitting(board, _chosen(board, method), estimate, run)
    return Solutions(puzzle, lambda number, board: _solve(board, method, estimate, run, f"board {number}: "))


def _chosen(board: Board, method: str) -> str:
    """The method that `auto` chooses."""
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
    """Reject options that the method does not support."""
    if method == "optimal":
        optimal.require_estimate(board, estimate)
        return
    require_here(run, f"the method {method!r}")
    if estimate != AUTO:
        raise BadInput(f"an estimate goes with the method optimal, not with {method}")
    if method in CONSTRUCTIVE and (run.time_limit is not None or run.node_limit is not None):
        raise BadInput(f"limits go with optimal and anytime, not with {method}")


def _constructed(board: Board, method: str, run: Run) -> Solution:
    """Solve a board by a constructive method."""
    run.report(Snapshot(doing="compiling the kernels of sliding tiles"))
    anytime.warm()
    run.report(Snapshot(over=True))
    began, cpu = time.monotonic(), time.thread_time()
    moves, rules = construct(board, method)
    seconds, used = time.monotonic() - began, time.thread_time() - cpu
    result = Result("solved", 1, NO_ROWS, seconds=seconds, cpu_seconds=used)
    return Solution(board, result, method, moves, optimal.lower_bound(board), rules)


def view(state: State) -> Solution:
    """The result of a stored job so far; only `optimal` makes jobs."""
    return optimal.view(state)


def kernels() -> dict[str, Callable[[], object]]:
    """The kernels to compile ahead of time; pattern databases are built when they are first needed."""
    return {
        "slide table": anytime.warm,
        "slide worst": lambda: worst(4),
        "slide optimal": lambda: optimal.warm(generate(3, seed=1), "lines"),
        "slide patterns": lambda: by_index(3, 3, (1, 2)),
    }
