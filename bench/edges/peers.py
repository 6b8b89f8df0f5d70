"""CP-SAT of OR-Tools on edge matching: the same puzzle, the first solution, one worker."""

from __future__ import annotations

import time
from typing import Any

from tablero.edges import EdgePuzzle, checking


def cp_sat(puzzle: EdgePuzzle, limit: float) -> float:
    """Seconds to the first solution; the limit where there is none by then.  Making the model is not counted.

    A variable for every variant at every cell; pieces and cells exactly once; for each join and colour, the cell on one side
    shows it exactly when the cell on the other side does.
    """
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    board = puzzle.board
    lies: dict[tuple[int, int], Any] = {
        (cell, int(variant)): model.new_bool_var("") for cell in range(board.cells) for variant in puzzle.fits(cell)
    }
    for cell in range(board.cells):
        model.add_exactly_one([lies[cell, int(variant)] for variant in puzzle.fits(cell)])
    by_piece: list[list[Any]] = [[] for _ in puzzle.pieces]
    for (_, variant), literal in lies.items():
        by_piece[variant // puzzle.sides].append(literal)
    for literals in by_piece:
        model.add_exactly_one(literals)
    for cell, side, other, across in board.joins:
        for colour in range(puzzle.colours):
            here = [lies[cell, int(v)] for v in puzzle.fits(cell) if puzzle.turned[v, side] == colour]
            there = [lies[other, int(v)] for v in puzzle.fits(other) if puzzle.turned[v, across] == colour]
            if here or there:
                model.add(sum(here) == sum(there))
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = limit
    began = time.monotonic()
    status = solver.solve(model)
    seconds = time.monotonic() - began
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return limit
    laying = [-1] * board.cells
    for (cell, variant), literal in lies.items():
        if solver.boolean_value(literal):
            laying[cell] = variant
    if wrong := checking.fault(puzzle, laying):
        raise AssertionError(f"CP-SAT's model is wrong: {wrong}")
    return seconds
