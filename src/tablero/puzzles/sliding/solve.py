"""From a board to moves: one door to all methods.

table, parberry, transport   at once, any size; every move with its rule
optimal                      a shortest answer, proved; for boards of up to 16 cells, and easy ones beyond
anytime                      at once, then shorter and shorter until the time is up; with a lower bound
auto                         optimal up to 16 cells, else anytime
"""

from __future__ import annotations

import time
from typing import Any

from tablero.errors import BadInput
from tablero.puzzles.sliding import anytime, optimal
from tablero.puzzles.sliding.constructive import METHODS as CONSTRUCTIVE
from tablero.puzzles.sliding.constructive import construct
from tablero.puzzles.sliding.puzzle import Board
from tablero.puzzles.sliding.solution import Solution

FAMILY = "slide"
METHODS = ("auto", *CONSTRUCTIVE, "optimal", "anytime")
MOST_OPTIMAL = 16  # cells that `auto` solves optimally


def resolve(board: Board, method: str) -> str:
    """The method that `auto` stands for; an unknown one is refused."""
    if method not in METHODS:
        raise BadInput(f"the method {method!r}: expected one of {', '.join(METHODS)}")
    if method == "auto":
        return "optimal" if len(board.tiles) <= MOST_OPTIMAL else "anytime"
    return method


def solve(board: Board, method: str = "auto", **settings: Any) -> Solution:
    """Moves that lead from the board to its goal, checked by independent code.

    `optimal` takes `estimate`, `threads` and `time_limit`; `anytime` takes `time_limit` and `tell`.
    """
    method = resolve(board, method)
    if method in CONSTRUCTIVE:
        if settings:
            raise BadInput(f"the method {method!r} takes no setting {', '.join(sorted(settings))}")
        solution = constructed(board, method)
    elif method == "optimal":
        solution = optimal.solve(board, **settings)
    else:
        solution = anytime.solve(board, **settings)
    solution.verify()
    return solution


def constructed(board: Board, method: str) -> Solution:
    """The answer of a constructive method."""
    began, cpu = time.monotonic(), time.thread_time()
    moves, rules = construct(board, method)
    seconds, used = time.monotonic() - began, time.thread_time() - cpu
    return Solution(board, method, moves, optimal.lower_bound(board), rules, seconds=seconds, cpu=used)
