"""An answer at once, and a shorter one the longer you wait.

The shortest of the constructive answers is taken, and pieces of it are searched again (see `search/sliding_windows.py`): in
passes, the pieces longer and their cap higher from pass to pass.  What the estimates prove is the lower bound.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.sliding.constructive import METHODS, construct
from tablero.puzzles.sliding.kernels import windows
from tablero.puzzles.sliding.optimal import lower_bound
from tablero.puzzles.sliding.puzzle import Board, random
from tablero.puzzles.sliding.solution import Solution

SECONDS = 2.0  # without a time limit
_BUDGET = 1 << 20  # positions between two looks at the clock
_MANY = 1600  # cells from which one constructive method has to do
# Pieces, how far one moves on, and their cap, from pass to pass; the last cap goes on growing.
_PASSES = ((16, 4, 2_000), (24, 6, 10_000), (32, 8, 50_000), (40, 10, 200_000), (48, 12, 800_000))

Bytes = NDArray[np.uint8]


def solve(
    board: Board, *, time_limit: float | None = None, tell: Callable[[int, float], None] | None = None
) -> Solution:
    """A short answer in about so many seconds; `tell` hears of every pass: moves and seconds so far."""
    began, cpu = time.monotonic(), time.thread_time()
    deadline = began + (SECONDS if time_limit is None else time_limit)
    board.require_solvable()
    names = list(METHODS) if len(board.tiles) <= _MANY else ["table"]
    answers = [construct(board, name)[0] for name in names]
    first = len(answers[0])  # of `table`
    lower = lower_bound(board)
    nodes, interrupted = 0, False
    moves = min(answers, key=len)
    try:
        for moves, more in _shorten(board, answers, deadline):
            nodes += more
            if tell:
                tell(len(moves), time.monotonic() - began)
            if len(moves) == lower:
                break
    except KeyboardInterrupt:
        interrupted = True
    return Solution(
        board=board,
        method="anytime",
        codes=moves,
        lower=lower,
        first_length=first,
        nodes=nodes,
        seconds=time.monotonic() - began,
        cpu=time.thread_time() - cpu,
        interrupted=interrupted,
    )


def _shorten(board: Board, answers: list[Bytes], deadline: float) -> Iterator[tuple[Bytes, int]]:
    """Pass after pass: the moves and the positions that the pass cost."""
    piece, stride, cap = _PASSES[0]
    done = [one_pass(board, moves, piece, stride, cap, deadline) for moves in answers]
    moves = min((moves for moves, _ in done), key=len)
    yield moves, sum(nodes for _, nodes in done)
    k = 0
    while time.monotonic() < deadline:
        before = len(moves)
        piece, stride, cap = _PASSES[min(k, len(_PASSES) - 1)]
        cap <<= max(0, k - len(_PASSES) + 1)
        moves, nodes = one_pass(board, moves, piece, stride, cap, deadline)
        yield moves, nodes
        if len(moves) == before:
            if len(moves) <= piece and k >= len(_PASSES):
                return
            k += 1


def one_pass(
    board: Board, moves: Bytes, piece: int, stride: int, cap: int, deadline: float = float("inf")
) -> tuple[Bytes, int]:
    """The answer with every piece searched once, as far as the time allows; and the positions visited."""
    width, cells = board.columns + 2, (board.rows + 2) * (board.columns + 2)
    grid = np.full((board.rows + 2, width), -1, np.int32)
    grid[1:-1, 1:-1] = np.array(board.tiles, np.int32).reshape(board.rows, board.columns)
    flat = grid.ravel()
    home = np.zeros(len(board.tiles), np.int32)
    places = np.flatnonzero(flat >= 0)
    home[flat[places]] = places
    state = windows.Pass(
        row=np.arange(cells) // width,
        column=np.arange(cells) % width,
        board=flat,
        home=home,
        step=np.array([-width, width, 1, -1]),
        moves=moves.copy(),
        out=np.zeros(len(moves), np.uint8),
        at=np.array([0, 0, home[0], 0]),
        tried=np.zeros(piece + 2, np.int64),
        went=np.zeros(piece + 2, np.int64),
        found=np.zeros(piece + 2, np.uint8),
    )
    stop = np.zeros(1, np.uint8)
    while state.at[windows.NEXT] < len(moves) and time.monotonic() < deadline:
        windows.improve(state, len(moves), piece, stride, cap, _BUDGET, stop)
    rest = state.moves[state.at[windows.NEXT] :]
    return np.concatenate([state.out[: state.at[windows.WRITTEN]], rest]), int(state.at[windows.NODES])


def warm() -> None:
    """Compile the kernels."""
    small = random(4, seed=1)
    for name in METHODS:
        moves, _ = construct(small, name)
    one_pass(small, moves, 8, 4, 100)
    lower_bound(random(5, seed=1))
