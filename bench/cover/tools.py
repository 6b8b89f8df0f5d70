"""tablero and its peers on exact covers: how each is given a problem, and the call that is timed.

Peers start from input in their own form, and from their fastest entrance; tablero starts from an `ExactCover`, and its time
includes building its tables, its books, and checking every cover with independent code.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from bench.cover.suite import Task
from bench.measure import Found, Tool

_MOST_BYTES = 1 << 30  # of a peer's list of covers


def tablero(task: Task) -> Callable[[], Found]:
    from tablero.cover import count, solve
    from tablero.runs.run import Here

    def call() -> Found:
        if task.verb == "count":
            covers = count(task.problem, kernel=task.kernel, run=Here(threads=task.threads))
        else:
            covers = solve(task.problem, None, kernel=task.kernel, run=Here(threads=task.threads))
        return Found(covers.solutions, covers.result.cpu_seconds)

    return call


def xcover(task: Task) -> Callable[[], Found]:
    """xcover's generator of covers; its counting by diagrams is left alone, since it gives wrong numbers."""
    from xcover import covers

    table = task.problem.table
    options = [table.item[first:end].tolist() for first, end in pairwise(table.start)]
    primary, secondary = list(range(table.primary)), list(range(table.primary, table.items))

    def call() -> Found:
        return Found(sum(1 for _ in covers(options, primary=primary, secondary=secondary)))

    return call


def exact_cover(task: Task) -> Callable[[], Found]:
    """exact-cover takes a matrix of booleans and knows no secondary items: each becomes an option of its own.

    Its function for users searches twice, to count and then to list, so the one below it is called, which lists up to a
    number that it is given: one more than there are, so that it must search to the end.  Its list has a number for every
    option in every cover; where that would not fit, it only counts.
    """
    from exact_cover.wrapper import raw_get_all_solutions, raw_get_solution_count

    table = task.problem.table
    secondary = np.arange(table.primary, table.items)
    matrix = np.zeros((table.rows + len(secondary), table.items), np.bool_)
    matrix[np.repeat(np.arange(table.rows), np.diff(table.start)), table.item] = True
    matrix[table.rows + np.arange(len(secondary)), secondary] = True
    fits = 4 * len(matrix) * (task.covers + 1) <= _MOST_BYTES

    def call() -> Found:
        if fits:
            return Found(len(raw_get_all_solutions(matrix, task.covers + 1)))
        return Found(
            int(raw_get_solution_count(matrix)), remark="counts only, its list of covers would not fit in memory"
        )

    return call


def cp_sat(task: Task) -> Callable[[], Found]:
    """CP-SAT of OR-Tools: a variable an option; one worker, all solutions."""
    from ortools.sat.python import cp_model

    table = task.problem.table
    model: Any = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in range(table.rows)]
    holders: list[list[Any]] = [[] for _ in range(table.items)]
    for variable, first, end in zip(chosen, table.start[:-1], table.start[1:], strict=True):
        for item in table.item[first:end]:
            holders[item].append(variable)
    for item, variables in enumerate(holders):
        if item < table.primary:
            model.add_exactly_one(variables)
        else:
            model.add_at_most_one(variables)

    def call() -> Found:
        solutions = 0

        def on_solution_callback(_: Any) -> None:
            nonlocal solutions
            solutions += 1

        listener: Any = type(
            "Listener", (cp_model.CpSolverSolutionCallback,), {"on_solution_callback": on_solution_callback}
        )
        solver: Any = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        solver.solve(model, listener())
        return Found(solutions)

    return call


TABLERO = Tool("tablero", tablero)
PEERS = (Tool("xcover", xcover), Tool("exact-cover", exact_cover), Tool("CP-SAT", cp_sat))
