"""An answer at once, and a shorter one the longer you wait.

The shortest of all constructive answers is taken, and pieces of it are searched again (see `kernels/windows.py`): in
passes, the pieces longer and their cap higher from pass to pass.  What the estimates prove is the lower bound.
With a time limit `carry` is asked once more before that, with as much effort as most of the time allows.

A time limit holds from the start: a board so large that no method is done with it in time stays open.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tablero import interrupts
from tablero.runs.findings import Result
from tablero.runs.run import HERE, Run
from tablero.runs.watch import Snapshot
from tablero.sliding import checking
from tablero.sliding.constructive import EFFORTS, METHODS, TooLate, construct
from tablero.sliding.generating import generate
from tablero.sliding.kernels import windows
from tablero.sliding.optimal import lower_bound
from tablero.sliding.puzzle import Board
from tablero.sliding.solution import NO_ROWS, Solution
from tablero.words import several

SECONDS = 2.0  # without a time limit
_BUDGET = 1 << 20  # positions between two looks at the clock
_ORDER = (
    "table",
    "carry",
    *(name for name in METHODS if name not in ("table", "carry")),
)  # best first, after the safe one
_SHARE = 0.9  # of the time that is left, for `carry` with more effort
_FEW = 400  # cells up to which a first answer takes milliseconds
_MANY = 40_000  # cells from which only `table` is given all the time that it needs
_MOST = 200_000_000  # moves of an answer that is improved
# Pieces, how far one moves on, and their cap, from pass to pass; the last cap goes on growing.
_PASSES = ((16, 4, 2_000), (24, 6, 10_000), (32, 8, 50_000), (40, 10, 200_000), (48, 12, 800_000))

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Limits:
    """When to stop: at a time, or after so many positions."""

    deadline: float = math.inf
    positions: float = math.inf

    def met(self, nodes: int = 0) -> bool:
        """Whether it is enough, after so many positions."""
        interrupts.check()
        return nodes >= self.positions or time.monotonic() >= self.deadline

    def within(self, moment: float) -> Limits:
        """The same, but no later than at a moment."""
        return replace(self, deadline=min(self.deadline, moment))

    def less(self, nodes: int) -> Limits:
        """What is left after so many positions."""
        return replace(self, positions=self.positions - nodes)


NO_LIMITS = Limits()


def solve(board: Board, *, run: Run = HERE) -> Solution:
    """A short answer of a board that can be solved, in the time that the run allows; without limits in two seconds."""
    board.require_solvable()
    run.tell(Snapshot(doing="compiling the kernels of sliding tiles"))
    warm()
    began, cpu = time.monotonic(), time.thread_time()
    seconds = SECONDS if run.time_limit is None and run.node_limit is None else run.time_limit
    # Without limits the constructive methods take what they need, and what comes after them two seconds.
    limits = Limits(
        math.inf if run.time_limit is None else began + run.time_limit,
        math.inf if run.node_limit is None else run.node_limit,
    )
    patient = limits if len(board.tiles) <= _MANY else limits.within(began + SECONDS)
    # Whatever the limit, there is an answer where the first takes milliseconds.
    first_limits = NO_LIMITS if len(board.tiles) <= _FEW else limits
    answers: dict[str, Bytes] = {}
    lengths: dict[str, int] = {}
    carried = 0.0
    lower = nodes = 0
    interrupted = False
    moves: Bytes | None = None
    try:
        with interrupts.Polling():
            lower = lower_bound(board)
            for name in _ORDER:
                asked = time.monotonic()
                try:
                    answers[name] = construct(board, name, late=(patient if answers else first_limits).met)[0]
                except TooLate:
                    break
                lengths[name] = len(answers[name])
                if name == "carry":
                    carried = time.monotonic() - asked
                if moves is None or len(answers[name]) < len(moves):
                    moves = answers[name]
                run.tell(
                    Snapshot(seconds=time.monotonic() - began, time_limit=seconds, words=several(len(moves), "move"))
                )
            if run.time_limit is None and run.node_limit is None:
                limits = limits.within(time.monotonic() + SECONDS)
            if run.time_limit is not None and "carry" in answers:
                answers["carry"] = _with_effort(board, answers["carry"], carried, limits)
            for moves, more in _shorten(board, list(answers.values()), limits):
                nodes += more
                passed = time.monotonic() - began
                run.tell(Snapshot(seconds=passed, time_limit=seconds, nodes=nodes, words=several(len(moves), "move")))
                if len(moves) == lower:
                    break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        run.tell(Snapshot(over=True))
    result = Result(
        "open" if moves is None else "solved",
        0 if moves is None else 1,
        NO_ROWS,
        nodes=nodes,
        fraction=0.0 if moves is None else 1.0,
        seconds=time.monotonic() - began,
        cpu_seconds=time.thread_time() - cpu,
        interrupted=interrupted,
    )
    if moves is None:
        return Solution(board, result, "anytime", lower=lower)
    start = min(lengths, key=lambda name: lengths[name])
    first = lengths["table"]
    return Solution(
        board, result, "anytime", moves, lower, first_length=first, start=start, start_length=lengths[start]
    )


def _with_effort(board: Board, answer: Bytes, seconds: float, limits: Limits) -> Bytes:
    """What `carry` finds with the most effort that there is time for, if it is shorter; the least took so many seconds.

    Where the time runs faster than was thought, it makes less effort from there on.
    """
    now = time.monotonic()
    end = now + _SHARE * (limits.deadline - now)
    efforts = [k for k, effort in enumerate(EFFORTS) if k and effort.times * seconds < 0.9 * (end - now)]
    if not efforts:
        return answer
    hurry = limits.within(end - 2 * seconds)
    try:
        found, _ = construct(board, "carry", late=limits.met, effort=efforts[-1], hurry=hurry.met)
    except TooLate:
        return answer
    return min(found, answer, key=len)


def _shorten(board: Board, answers: list[Bytes], limits: Limits) -> Iterator[tuple[Bytes, int]]:
    """Pass after pass: the moves and the positions that the pass cost."""
    if not answers or min(map(len, answers)) > _MOST:
        return
    piece, stride, cap = _PASSES[0]
    done, spent = [], 0
    shortest = min(map(len, answers))
    for answer in answers:
        if len(answer) > 1.1 * shortest and len(answer) > 1000:
            continue  # a first pass will not make up for that
        done.append(one_pass(board, answer, piece, stride, cap, limits.less(spent)))
        spent += done[-1][1]
    moves = min((moves for moves, _ in done), key=len)
    yield moves, spent
    k = 0
    while not limits.met(spent):
        before = len(moves)
        piece, stride, cap = _PASSES[min(k, len(_PASSES) - 1)]
        cap <<= max(0, k - len(_PASSES) + 1)
        moves, nodes = one_pass(board, moves, piece, stride, cap, limits.less(spent))
        spent += nodes
        yield moves, nodes
        if len(moves) == before:
            if len(moves) <= piece and k >= len(_PASSES):
                return
            k += 1


def one_pass(
    board: Board, moves: Bytes, piece: int, stride: int, cap: int, limits: Limits = NO_LIMITS
) -> tuple[Bytes, int]:
    """The answer with every piece searched once, as far as the limits allow; and the positions visited."""
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
    # (`met` is asked about every 30 ms.)
    while state.at[windows.NEXT] < len(moves) and not limits.met(int(state.at[windows.NODES])):
        budget = int(min(_BUDGET, limits.positions - state.at[windows.NODES]))
        windows.improve(state, len(moves), piece, stride, min(cap, budget), budget, stop)
    rest = state.moves[state.at[windows.NEXT] :]
    return np.concatenate([state.out[: state.at[windows.WRITTEN]], rest]), int(state.at[windows.NODES])


@cache
def warm() -> None:
    """Compile the kernels, once in a process."""
    small = generate(4, seed=1)
    for name in METHODS:
        moves, _ = construct(small, name)
    construct(small, "carry", effort=2)
    one_pass(small, moves, 8, 4, 100)
    checking.warm()
    lower_bound(generate(2, 5, seed=1))  # of a kind that has no databases
