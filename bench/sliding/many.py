"""The lengths of the answers of many boards at once, for measurements and tests: one compiled call for all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import kernel
from tablero.sliding.constructive import TILE_BY_TILE, construct, distances, grid, margin
from tablero.sliding.kernels import search
from tablero.sliding.kernels.construct import construct as play_stages
from tablero.sliding.kernels.construct import last_region, make_stages
from tablero.sliding.kernels.ground import Ground, Plan, make_ground, make_plan, turn
from tablero.sliding.kernels.ida import Problem, State, advance, set_up
from tablero.sliding.puzzle import Board

LONGEST = 80  # moves that a board of up to 4×4 can need (OEIS A087725)

Numbers = NDArray[np.int64]


def constructed(n: int, boards: Numbers, method: str) -> Numbers:
    """The number of moves that a constructive method takes on each n×n board; every solution is played to its end."""
    if method == "carry":
        return np.array([len(construct(Board(n, n, tuple(tiles)), method)[0]) for tiles in boards.tolist()])
    ground, across = make_ground(n, n), make_ground(n, n)
    stages, top, left = make_stages(n, n, method == "parberry")
    region = np.array([(top + 1) * ground.width + left + 1, n - top, n - left])
    cells = grid(n, n, boards)
    counts, where = np.zeros(len(boards), np.int64), np.zeros(n * n, np.int64)
    plan = make_plan(6 * n**3 + 2 * margin(n, n))
    table, number = distances(n - top, n - left), TILE_BY_TILE[method]
    done = _play_all(ground, across, plan, number, stages, region, table, cells, where, counts)
    goal = grid(n, n, np.array([[*range(1, n * n), 0]]))
    if done < len(boards) or (cells != goal).any():
        raise AssertionError("a board was not solved")
    return counts


@kernel
def _play_all(
    ground: Ground,
    across: Ground,
    plan: Plan,
    method: int,
    stages: Numbers,
    region: Numbers,
    table: NDArray[np.uint8],
    boards: Numbers,
    where: Numbers,
    lengths: Numbers,
) -> int:
    """Solve every board in its row and write the number of moves; return how many boards were solved.

    `region` is the first cell, the rows and the columns of what the stages leave.  The plan must hold a whole solution.
    """
    for k in range(len(boards)):
        board = boards[k]
        for cell in range(len(board)):
            if board[cell] >= 0:
                where[board[cell]] = cell
                ground.wall[cell] = across.wall[turn(ground, across, cell)] = 0
        plan.size[0] = 0
        if play_stages(ground, across, plan, method, stages, 0, board, where, 0) != len(stages):
            return k
        if not last_region(ground, plan, board, where, region[0], region[1], region[2], table):
            return k
        lengths[k] = plan.size[0]
    return len(boards)


def shortest(rows: int, columns: int, boards: Numbers) -> tuple[Numbers, int]:
    """The length of a shortest answer of each board with the usual goal, and the number of positions visited."""
    home = rows * columns - 1
    estimate = "patterns" if search.has_patterns(rows, columns, home) else "lines"
    return deepened(search.problem_for(rows, columns, home, estimate), boards)


def deepened(problem: Problem, boards: Numbers) -> tuple[Numbers, int]:
    """The same with the tables of a problem whose goal has the blank last."""
    state = search.new_state(problem, boards[0], LONGEST, len(problem.neighbour) - 1)
    out = np.zeros(len(boards), np.int64)
    nodes = _deepen_all(problem, state, boards, out, np.empty((0, 0), np.int32), np.zeros(1, np.uint8))
    return out, int(nodes)


@kernel
def _deepen_all(
    problem: Problem,
    state: State,
    boards: Numbers,
    out: Numbers,
    nothing: NDArray[np.int32],
    stop: NDArray[np.uint8],
) -> int:
    """Write the length of a shortest answer of each board; return the number of positions visited.

    The boards can be solved, and the estimate is not walking distance.  The state must hold the longest answer.
    """
    total = 0
    for k in range(len(boards)):
        for cell in range(len(state.board)):
            state.board[cell] = boards[k, cell]
        set_up(problem, state)
        state.threshold[0] = state.estimate[0]
        while True:
            state.depth[0] = 0
            nodes, found = advance(problem, state, nothing, 1 << 62, 1, stop)
            total += nodes
            if found > 0:
                break
            state.threshold[0] += 2
        out[k] = state.threshold[0]
    return total
