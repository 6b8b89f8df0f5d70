"""Iterative deepening A* on sliding tiles (Korf 1985): one tree for each threshold, with all answers within it.

    threshold  the tree has exactly the positions whose moves so far plus estimated further moves do not exceed it
    estimate   patterns   additive pattern databases, of the board and of its reflection: the greater sum
               walking    walking distance, by rows plus by columns (Takahashi)
               lines      Manhattan distance plus two for every tile that must leave a line (linear conflict)
    child      a move that does not undo the last one and stays within the threshold; moves towards the goal come first

No estimate is ever too high.  A tree without an answer therefore proves that more moves are needed, and an answer in the
first tree that has one is shortest.  Children depend only on the position and the last move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel
from tablero.sliding.kernels.databases import rank

PATTERNS, WALKING, LINES = 0, 1, 2
_NO_MOVE = 4
_NOWHERE, _NO_TILE = -1, 0  # passed as int(...): see `ground.py`

Numbers = NDArray[np.int64]


class Problem(NamedTuple):
    """The moves and the tables of a size of board; the goal has the tiles in order and the blank anywhere."""

    estimate: int
    columns: int
    neighbour: Numbers  # cell × move: the cell there, −1 off the board
    home_row: Numbers  # of each tile
    home_column: Numbers
    group: Numbers  # patterns: 2 × tile, of the board and of its reflection
    shift: Numbers
    frame: Numbers  # 2 × group × cell: the cell in the group's database
    change: Numbers  # 2 × group × (4·cell + move): the change of it by a move of the blank from the cell
    ranked: int  # tiles of a group, if databases are by rank (see `databases.py`); 0 if they are by index
    base: Numbers  # the first place of each group's database in `far`
    far: NDArray[np.uint8]
    step: NDArray[np.int32]  # walking: (2, states, 2 directions, home line) → state
    walk: NDArray[np.uint8]  # (2, states): distance


class State(NamedTuple):
    """A position, the parts of its estimate at every depth, and the cursor."""

    board: Numbers  # tile by cell
    threshold: Numbers  # one number
    blank: Numbers  # by depth
    came: Numbers  # the last move
    estimate: Numbers
    parts: Numbers  # depth × 2 × groups: indices of patterns; or row 0: states of walking; or row 0: the Manhattan part
    worth: Numbers  # depth × 2 × groups: their distances
    conflict: Numbers  # lines: tiles out of line, of each row, then of each column
    old: Numbers  # lines: depth × 2: the earlier conflicts of the two changed lines
    tails: Numbers  # lines: buffer
    move: Numbers  # depth × 4: children
    promise: Numbers  # depth × 4: their estimates
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers


@kernel
def _out_of_line(problem: Problem, state: State, line: int, is_row: bool, gone: int, extra: int, spot: int) -> int:
    """The number of tiles that must leave a row or column so that its own tiles are in order.

    The tile on cell `gone` is ignored, and tile `extra` is assumed on cell `spot` (−1: none).  A longest increasing sequence
    of home places may remain.
    """
    rows, columns = len(state.board) // problem.columns, problem.columns
    count = columns if is_row else rows
    own = size = 0
    for k in range(count):
        cell = line * columns + k if is_row else k * columns + line
        tile = extra if cell == spot else 0 if cell == gone else state.board[cell]
        if tile == 0 or (problem.home_row[tile] if is_row else problem.home_column[tile]) != line:
            continue
        home = problem.home_column[tile] if is_row else problem.home_row[tile]
        own += 1
        place = size
        while place > 0 and state.tails[place - 1] > home:
            place -= 1
        state.tails[place] = home
        if place == size:
            size += 1
    return own - size


@inlined
def _address(problem: Problem, index: int) -> int:
    """The place of a group's cells in its database."""
    return index if problem.ranked == 0 else rank(index, problem.ranked, len(problem.neighbour))


@inlined
def _pattern_after(
    problem: Problem, state: State, depth: int, side: int, tile: int, blank: int, move: int
) -> tuple[int, int, int]:
    """The group of the tile that a move slides, with its index and its distance after the move."""
    group = problem.group[side, tile]
    change = problem.change[side, group, 4 * blank + move]
    index = state.parts[depth, side, group] ^ (change << problem.shift[side, tile])
    return group, index, problem.far[problem.base[group] + _address(problem, index)]


@inlined
def _walking_after(problem: Problem, state: State, depth: int, tile: int, move: int) -> tuple[int, int]:
    """The axis of a move, and the state of walking distance along it after the move."""
    axis = 0 if move < 2 else 1
    direction = 0 if move == 0 or move == 3 else 1  # N and W take the blank to a lower line
    home = problem.home_row[tile] if axis == 0 else problem.home_column[tile]
    return axis, problem.step[axis, state.parts[depth, 0, axis], direction, home]


@inlined
def _changed_lines(problem: Problem, state: State, blank: int, there: int, move: int) -> tuple[int, int, int]:
    """The two lines whose conflicts a move changes (rows if it is vertical), and the first place of such lines."""
    if move < 2:
        return blank // problem.columns, there // problem.columns, 0
    return blank % problem.columns, there % problem.columns, len(state.board) // problem.columns


@inlined
def _estimate_after(problem: Problem, state: State, depth: int, move: int) -> int:
    """The estimate of the position after a move."""
    blank = state.blank[depth]
    there = problem.neighbour[blank, move]
    tile = state.board[there]
    if problem.estimate == PATTERNS:
        best = 0
        for side in range(2):
            group, _, far = _pattern_after(problem, state, depth, side, tile, blank, move)
            best = max(best, state.worth[depth, side, 0] - state.worth[depth, side, 1 + group] + far)
        return best
    if problem.estimate == WALKING:
        axis, following = _walking_after(problem, state, depth, tile, move)
        walked: int = problem.walk[axis, following] + problem.walk[1 - axis, state.parts[depth, 0, 1 - axis]]
        return walked
    first, second, begin = _changed_lines(problem, state, blank, there, move)
    is_row = begin == 0
    goal = problem.home_row[tile] if is_row else problem.home_column[tile]
    before = state.conflict[begin + first] + state.conflict[begin + second]
    after = _out_of_line(problem, state, first, is_row, there, tile, blank)
    after += _out_of_line(problem, state, second, is_row, there, tile, blank)
    total: int = state.estimate[depth] - abs(second - goal) + abs(first - goal) + 2 * (after - before)
    return total


@inlined
def _descend(problem: Problem, state: State, depth: int) -> None:
    """Make the move of the cursor's child: the position of depth + 1."""
    move = state.move[depth, state.at[depth]]
    blank = state.blank[depth]
    there = problem.neighbour[blank, move]
    tile = state.board[there]
    state.estimate[depth + 1] = state.promise[depth, state.at[depth]]
    if problem.estimate == PATTERNS:
        for side in range(2):
            for k in range(len(problem.base)):
                state.parts[depth + 1, side, k] = state.parts[depth, side, k]
                state.worth[depth + 1, side, 1 + k] = state.worth[depth, side, 1 + k]
            group, index, far = _pattern_after(problem, state, depth, side, tile, blank, move)
            value = np.int64(far)
            state.parts[depth + 1, side, group] = index
            state.worth[depth + 1, side, 1 + group] = value
            state.worth[depth + 1, side, 0] = state.worth[depth, side, 0] - state.worth[depth, side, 1 + group] + value
    elif problem.estimate == WALKING:
        axis, following = _walking_after(problem, state, depth, tile, move)
        state.parts[depth + 1, 0, 1 - axis] = state.parts[depth, 0, 1 - axis]
        state.parts[depth + 1, 0, axis] = following
    state.board[blank] = tile
    state.board[there] = 0
    if problem.estimate == LINES:
        first, second, begin = _changed_lines(problem, state, blank, there, move)
        state.old[depth, 0], state.old[depth, 1] = state.conflict[begin + first], state.conflict[begin + second]
        for line in (first, second):
            state.conflict[begin + line] = _out_of_line(
                problem, state, line, begin == 0, int(_NOWHERE), int(_NO_TILE), int(_NOWHERE)
            )
    state.blank[depth + 1] = there
    state.came[depth + 1] = move


@inlined
def _climb(problem: Problem, state: State, depth: int) -> None:
    """Undo the move that led to this depth."""
    blank, before = state.blank[depth], state.blank[depth - 1]
    state.board[blank] = state.board[before]
    state.board[before] = 0
    if problem.estimate == LINES:
        first, second, begin = _changed_lines(problem, state, before, blank, state.came[depth])
        state.conflict[begin + first], state.conflict[begin + second] = state.old[depth - 1, 0], state.old[depth - 1, 1]


@inlined
def _expand(problem: Problem, state: State, depth: int) -> int:
    """Write the children, moves towards the goal first; return their number."""
    left = state.threshold[0] - depth - 1
    now, came, blank = state.estimate[depth], state.came[depth], state.blank[depth]
    nearer = count = 0
    for move in range(4):
        if move == came ^ 1 or problem.neighbour[blank, move] < 0:
            continue
        after = _estimate_after(problem, state, depth, move)
        if after > left:
            continue
        k = count
        if after < now:
            while k > nearer:
                state.move[depth, k], state.promise[depth, k] = state.move[depth, k - 1], state.promise[depth, k - 1]
                k -= 1
            nearer += 1
        state.move[depth, k], state.promise[depth, k] = move, after
        count += 1
    return count


@kernel
def set_up(problem: Problem, state: State) -> None:
    """Set up the root from the board."""
    rows, columns = len(state.board) // problem.columns, problem.columns
    total = 0
    for k in range(state.parts.shape[2]):
        state.parts[0, 0, k] = state.parts[0, 1, k] = 0
    for cell in range(len(state.board)):
        tile = state.board[cell]
        if tile == 0:
            state.blank[0] = cell
        else:
            total += abs(cell // columns - problem.home_row[tile]) + abs(cell % columns - problem.home_column[tile])
            if problem.estimate == PATTERNS:
                for side in range(2):
                    group = problem.group[side, tile]
                    state.parts[0, side, group] ^= problem.frame[side, group, cell] << problem.shift[side, tile]
    state.came[0] = _NO_MOVE + 1  # no move undoes it: 5 ^ 1 is no move
    if problem.estimate == PATTERNS:
        best = 0
        for side in range(2):
            state.worth[0, side, 0] = 0
            for k in range(len(problem.base)):
                state.worth[0, side, 1 + k] = problem.far[problem.base[k] + _address(problem, state.parts[0, side, k])]
                state.worth[0, side, 0] += state.worth[0, side, 1 + k]
            best = max(best, state.worth[0, side, 0])
        total = best
    elif problem.estimate == WALKING:
        # The caller, which has the matrices, finds the states of walking distance.
        state.parts[0, 0, 0], state.parts[0, 0, 1] = state.tails[0], state.tails[1]
        total = problem.walk[0, state.parts[0, 0, 0]] + problem.walk[1, state.parts[0, 0, 1]]
    else:
        for k in range(rows + columns):
            line = k if k < rows else k - rows
            state.conflict[k] = _out_of_line(
                problem, state, line, k < rows, int(_NOWHERE), int(_NO_TILE), int(_NOWHERE)
            )
            total += 2 * state.conflict[k]
    state.estimate[0] = total


@kernel
def replay(problem: Problem, state: State) -> None:
    """Follow the cursor's path from the root; the depth becomes −2 if a level has other children than stored."""
    depth = state.depth[0]
    for d in range(depth):
        count = 0 if state.estimate[d] == 0 else _expand(problem, state, d)
        if count != state.width[d]:
            state.depth[0] = -2
            return
        _descend(problem, state, d)


@kernel
def advance(
    problem: Problem,
    state: State,
    answers: NDArray[np.int32],
    budget: int,
    most: int,
    stop: NDArray[np.uint8],
) -> tuple[int, int]:
    """Visit up to `budget` positions or find `most` answers; an answer is its moves, followed by −1."""
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        if state.estimate[depth] == 0:
            if keep and depth <= state.threshold[0]:
                for d in range(answers.shape[1]):
                    answers[found, d] = state.came[d + 1] if d < depth else -1
            if depth <= state.threshold[0]:
                found += 1
        elif depth < state.threshold[0]:
            count = _expand(problem, state, depth)
            if count > 0:
                state.at[depth], state.last[depth], state.width[depth] = 0, count - 1, count
                _descend(problem, state, depth)
                depth += 1
                continue
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:
            _climb(problem, state, depth)
            depth -= 1
        if depth == 0:
            depth = -1
        else:
            _climb(problem, state, depth)
            state.at[depth - 1] += 1
            _descend(problem, state, depth - 1)
    state.depth[0] = depth
    return nodes, found
