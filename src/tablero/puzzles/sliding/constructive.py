"""The constructive methods on a board: table, parberry, transport."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.sliding.frame import Frame, framed
from tablero.puzzles.sliding.kernels import construct as kernels
from tablero.puzzles.sliding.kernels.ground import PARBERRY, TABLE, TAIL, TRANSPORT, Ground, make_ground, make_plan
from tablero.puzzles.sliding.puzzle import Board
from tablero.puzzles.sliding.small import distances

METHODS = {"table": TABLE, "parberry": PARBERRY, "transport": TRANSPORT}
_CHUNK = 1 << 20  # moves written before they are put aside

Bytes = NDArray[np.uint8]


def bound(method: str, n: int) -> int | None:
    """What the literature promises for n×n: the thesis for `table`, Parberry for `parberry`; nothing for `transport`."""
    if n < 3:
        return None
    if method == "table":
        return (10 * n**3 - 17 * n**2 + 31 * n - 142) // 2 if n > 3 else 31
    if method == "parberry":
        return (10 * n**3 - 9 * n**2 + 19 * n - 178) // 2 if n > 3 else 31
    return None


def margin(rows: int, columns: int) -> int:
    """More moves than a stage can take: two tiles carried across the board and the ways to them."""
    return 32 * (rows + columns) + 256


def construct(board: Board, method: str) -> tuple[Bytes, Bytes]:
    """Moves that solve the board, and the rule of each."""
    board.require_solvable()
    frame = framed(board)
    moves, rules = _solve(frame, METHODS[method])
    return frame.moves(moves), np.concatenate([rules, np.full(len(frame.tail), TAIL, np.uint8)])


def _solve(frame: Frame, method: int) -> tuple[Bytes, Bytes]:
    rows, columns = frame.rows, frame.columns
    ground = make_ground(rows, columns)
    stages, top, left = kernels.make_stages(rows, columns)
    spare = margin(rows, columns)
    plan = make_plan(min(_CHUNK, 6 * max(rows, columns) ** 3) + 2 * spare)
    cells = grid(ground, rows, columns, frame.tiles[None, :])[0]
    where = np.zeros(rows * columns, np.int64)
    where[frame.tiles] = np.flatnonzero(cells >= 0)
    chunks: list[tuple[Bytes, Bytes]] = []

    def put_aside() -> None:
        size = int(plan.size[0])
        chunks.append((plan.moves[:size].copy(), plan.rules[:size].copy()))
        plan.size[0] = 0

    at = 0
    while at < len(stages):
        at = kernels.construct(ground, plan, method, stages, at, cells, where, spare)
        if at < 0:
            raise AssertionError(f"the rules lead nowhere at stage {-1 - at}")
        put_aside()
    corner = (top + 1) * ground.width + left + 1
    table = distances(rows - top, columns - left)
    if not kernels.last_region(ground, plan, cells, where, corner, rows - top, columns - left, table):
        raise AssertionError("what is left has the wrong parity")
    put_aside()
    return np.concatenate([moves for moves, _ in chunks]), np.concatenate([rules for _, rules in chunks])


def grid(ground: Ground, rows: int, columns: int, boards: NDArray[np.int64]) -> NDArray[np.int64]:
    """Boards (a row each) in the cells of the ground, −1 in the border."""
    cells = np.full((len(boards), rows + 2, columns + 2), -1, np.int64)
    cells[:, 1:-1, 1:-1] = boards.reshape(-1, rows, columns)
    return cells.reshape(len(boards), -1)


def lengths(n: int, boards: NDArray[np.int64], method: str) -> NDArray[np.int64]:
    """How many moves each of many n×n boards with the usual goal takes, every solution played to its end."""
    ground = make_ground(n, n)
    stages, top, left = kernels.make_stages(n, n)
    region = np.array([(top + 1) * ground.width + left + 1, n - top, n - left])
    cells = grid(ground, n, n, boards)
    counts = np.zeros(len(boards), np.int64)
    plan = make_plan(6 * n**3 + 2 * margin(n, n))
    table = distances(n - top, n - left)
    done = kernels.measure(
        ground, plan, METHODS[method], stages, region, table, cells, np.zeros(n * n, np.int64), counts
    )
    goal = grid(ground, n, n, np.array([[*range(1, n * n), 0]]))
    if done < len(boards) or (cells != goal).any():
        raise AssertionError("a board was not solved")
    return counts


def shortest(board: Board, methods: Sequence[str] = tuple(METHODS)) -> tuple[str, Bytes, Bytes]:
    """The shortest of the answers of several methods, with the method's name."""
    answers = [(method, *construct(board, method)) for method in methods]
    return min(answers, key=lambda answer: len(answer[1]))
