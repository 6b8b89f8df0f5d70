"""The method `anytime`: an answer at once that improves with time.

The shortest constructive answer is taken, and pieces of it are searched again (see `kernels/windows.py`) in passes with
growing pieces and limits.  The estimates prove a lower bound.

line      an answer that is shortened in passes
effort    with a time limit, once the time of a run without one is over, `carry` runs with more and more effort for most of
          the time; each of its answers is a line that competes with the leading one

The next step never depends on the limit, which only decides when to stop, so that more time never makes the answer longer.
A time limit holds from the start: a board that no method finishes in time stays open.
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
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Run
from tablero.sliding import checking
from tablero.sliding.constructive import METHODS, TooLate, construct
from tablero.sliding.generating import generate
from tablero.sliding.kernels import windows
from tablero.sliding.optimal import lower_bound
from tablero.sliding.puzzle import Board
from tablero.sliding.solution import NO_ROWS, Solution
from tablero.text import several

SECONDS = 2.0  # without a time limit
_BUDGET = 1 << 20  # positions between checks of the clock
_ORDER = (
    "table",
    "carry",
    *(name for name in METHODS if name not in ("table", "carry")),
)  # the safe one, then the best
_SHARE = 3  # seconds for `carry` with more effort, for each second for the leading line
_LADDER = (1, 2, 4, 7, 9)  # indices into EFFORTS, each about twice as long as the one before
_FEW = 400  # cells up to which a first answer takes milliseconds
_MANY = 40_000  # cells from which only `table` runs without a time limit
_MOST = 200_000_000  # moves of an answer that is improved
# The length of pieces, the stride and the cap of each pass; the last cap keeps growing.
_PASSES = ((16, 4, 2_000), (24, 6, 10_000), (32, 8, 50_000), (40, 10, 200_000), (48, 12, 800_000))

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Limits:
    """When to stop: at a time, or after a number of positions."""

    deadline: float = math.inf
    positions: float = math.inf

    def met(self, nodes: int = 0) -> bool:
        """Whether a limit is met after this number of positions."""
        interrupts.check()
        return nodes >= self.positions or time.monotonic() >= self.deadline

    def within(self, moment: float) -> Limits:
        """The same limits, but no later than at a moment."""
        return replace(self, deadline=min(self.deadline, moment))

    def less(self, nodes: int) -> Limits:
        """The remaining limits after this number of positions."""
        return replace(self, positions=self.positions - nodes)


NO_LIMITS = Limits()


def solve(board: Board, *, run: Run = HERE) -> Solution:
    """Find a short answer in the time that the run allows; without limits in two seconds."""
    board.require_solvable()
    run.report(Snapshot(doing="compiling the kernels of sliding tiles"))
    warm()
    began, cpu = time.monotonic(), time.thread_time()
    seconds = SECONDS if run.time_limit is None and run.node_limit is None else run.time_limit
    # Without limits, the constructive methods run to their end, and the improvement takes two seconds.
    limits = Limits(
        math.inf if run.time_limit is None else began + run.time_limit,
        math.inf if run.node_limit is None else run.node_limit,
    )
    other_limits = limits if len(board.tiles) <= _MANY else limits.within(began + SECONDS)
    # A board whose first answer takes milliseconds has an answer whatever the limit.
    first_limits = NO_LIMITS if len(board.tiles) <= _FEW else limits
    answers: dict[str, Bytes] = {}
    moves: Bytes | None = None
    race: _Race | None = None
    lower, interrupted = 0, False

    def report(moves: Bytes, nodes: int = 0) -> None:
        passed, words = time.monotonic() - began, several(len(moves), "move")
        run.report(Snapshot(seconds=passed, time_limit=seconds, nodes=nodes, words=words))

    try:
        with interrupts.Polling():
            lower = lower_bound(board)
            for name in _ORDER:
                try:
                    answers[name] = construct(board, name, late=(other_limits if answers else first_limits).met)[0]
                except TooLate:
                    break
                moves = min(answers.values(), key=len)
                report(moves)
            if run.time_limit is None and run.node_limit is None:
                limits = limits.within(time.monotonic() + SECONDS)
            race = _Race(board, list(answers.values()), lower, limits)
            quick = limits.within(time.monotonic() + SECONDS)
            efforts = _LADDER if run.time_limit is not None and "carry" in answers else ()
            for moves in race.moves_in_turn(quick if efforts else limits, efforts):
                report(moves, race.nodes)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        run.report(Snapshot(over=True))
    nodes = 0
    if race is not None and race.lines:
        moves, nodes = race.leader.moves, race.nodes
    result = Result(
        "solved",
        1,
        NO_ROWS,
        nodes=nodes,
        seconds=time.monotonic() - began,
        cpu_seconds=time.thread_time() - cpu,
        interrupted=interrupted,
    )
    if moves is None:
        return Solution(board, replace(result, status="open", solutions=0, fraction=0.0), "anytime", lower=lower)
    start, table = min(answers, key=lambda name: len(answers[name])), len(answers["table"])
    return Solution(
        board, result, "anytime", moves, lower, first_length=table, start=start, start_length=len(answers[start])
    )


class _Line:
    """An answer that is shortened in passes."""

    def __init__(self, board: Board, moves: Bytes) -> None:
        self.board, self.moves = board, moves
        self.seconds = 0.0  # of its passes
        self.done = len(moves) > _MOST
        self._passes = 0  # without success

    def __len__(self) -> int:
        return len(self.moves)

    def advance(self, limits: Limits) -> int:
        """Make one pass; return the number of positions visited."""
        began, before = time.monotonic(), len(self)
        piece, stride, cap = _PASSES[min(self._passes, len(_PASSES) - 1)]
        cap <<= max(0, self._passes - len(_PASSES) + 1)
        self.moves, nodes = one_pass(self.board, self.moves, piece, stride, cap, limits)
        if len(self) == before and not limits.met(nodes):
            self.done = len(self) <= piece and self._passes >= len(_PASSES)
            self._passes += 1
        self.seconds += time.monotonic() - began
        return nodes


class _Race:
    """Lines of one board, of which the shortest leads.  The limits decide only when it ends."""

    def __init__(self, board: Board, answers: list[Bytes], lower: int, limits: Limits) -> None:
        self.board, self.lower, self.limits = board, lower, limits
        self.nodes = 0
        shortest = min(map(len, answers), default=0)
        # A pass does not make up for a much longer start.
        self.lines = [_Line(board, one) for one in answers if len(one) <= 1.1 * shortest or len(one) <= 1000]

    def over(self, limits: Limits) -> bool:
        return limits.met(self.nodes) or len(self.leader) == self.lower

    @property
    def leader(self) -> _Line:
        return min(self.lines, key=len)

    def advance(self, line: _Line, limits: Limits) -> None:
        self.nodes += line.advance(limits.less(self.nodes))

    def moves_in_turn(self, quick: Limits, efforts: tuple[int, ...]) -> Iterator[Bytes]:
        """Yield the shortest moves after every pass: first up to the quick limits, then with efforts to the end."""
        if not self.lines or self.leader.done:
            return
        for line in self.lines:
            self.advance(line, quick)
        self.lines = [self.leader]
        yield self.leader.moves
        yield from self._lead(quick)
        for effort in efforts:
            if self.over(self.limits):
                return
            yield from self._challenge(effort)
        yield from self._lead(self.limits)

    def _lead(self, limits: Limits) -> Iterator[Bytes]:
        """Shorten the leading line."""
        while not (self.over(limits) or self.leader.done):
            self.advance(self.leader, limits)
            yield self.leader.moves

    def _challenge(self, effort: int) -> Iterator[Bytes]:
        """Let a line of `carry` with more effort compete with the leading one, which is shortened meanwhile."""
        leader, began, passes = self.leader, time.monotonic(), 0.0

        def late() -> bool:
            nonlocal passes
            now = time.monotonic()
            if not leader.done and (1 + _SHARE) * passes < now - began:
                self.advance(leader, self.limits)
                passes += time.monotonic() - now
            return self.over(self.limits)

        try:
            line = _Line(self.board, construct(self.board, "carry", late=late, effort=effort)[0])
        except TooLate:
            line = leader
        self.lines.append(line)
        yield self.leader.moves
        while len(line) > len(leader) and line.seconds < leader.seconds and not (self.over(self.limits) or line.done):
            self.advance(line, self.limits)
        self.lines = [self.leader]
        yield self.leader.moves


def one_pass(
    board: Board, moves: Bytes, piece: int, stride: int, cap: int, limits: Limits = NO_LIMITS
) -> tuple[Bytes, int]:
    """The answer after one pass over its pieces, within the limits; and the number of positions visited."""
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
    # The limits are checked about every 30 ms.
    while state.at[windows.NEXT] < len(moves) and not limits.met(int(state.at[windows.NODES])):
        budget = int(min(_BUDGET, limits.positions - state.at[windows.NODES]))
        windows.improve(state, len(moves), piece, stride, min(cap, budget), budget, stop)
    rest = state.moves[state.at[windows.NEXT] :]
    return np.concatenate([state.out[: state.at[windows.WRITTEN]], rest]), int(state.at[windows.NODES])


@cache
def warm() -> None:
    """Compile the kernels once in a process."""
    small = generate(4, seed=1)
    for name in METHODS:
        moves, _ = construct(small, name)
    construct(small, "carry", effort=2)
    one_pass(small, moves, 8, 4, 100)
    checking.warm()
    lower_bound(generate(2, 5, seed=1))  # a size without databases
