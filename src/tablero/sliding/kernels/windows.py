"""Shortens a long answer: searches pieces of it again, each from its first position to its last.

    piece     consecutive moves of the answer; only the tiles that they move have a target
    cap       the most positions for a piece; a piece whose search is not complete stays unchanged

The search is iterative deepening with Manhattan distance: within a piece few tiles are away from their places, and a fast
step is worth more than a better estimate.  A pass processes the answer piece by piece, and can stop and continue anywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel

# Places in `at`
NEXT, WRITTEN, BLANK, NODES = 0, 1, 2, 3

Numbers = NDArray[np.int64]
Bytes = NDArray[np.uint8]


class Pass(NamedTuple):
    """One pass over an answer."""

    row: Numbers  # of every cell of the grid, whose border is walls
    column: Numbers
    board: NDArray[np.int32]  # tile by cell, −1 in the border
    home: NDArray[np.int32]  # by tile: its cell after the current piece
    step: Numbers  # the offset of each move
    moves: Bytes  # the answer; moves before `at[NEXT]` are done
    out: Bytes  # the shortened answer
    at: Numbers  # next move, moves written, the blank's cell, positions visited
    tried: Numbers  # by depth: the moves not yet tried, as bits
    went: Numbers  # by depth: the move made
    found: Bytes


@inlined
def _far(p: Pass, a: int, b: int) -> int:
    far: int = abs(p.row[a] - p.row[b]) + abs(p.column[a] - p.column[b])
    return far


@inlined
def _go(p: Pass, hole: int, move: int) -> int:
    """Make a move; return the blank's new cell."""
    there: int = hole + p.step[move]
    p.board[hole] = p.board[there]
    p.board[there] = 0
    return there


@inlined
def _mark(p: Pass, first: int, size: int, blank: int) -> int:
    """Set the homes of the tiles that a piece moves; return the sum of their distances."""
    hole = blank
    for k in range(first, first + size):
        p.home[p.board[hole + p.step[p.moves[k]]]] = hole
        hole = _go(p, hole, p.moves[k])
    p.home[0] = hole
    total = 0
    for k in range(first + size - 1, first - 1, -1):  # back to the start of the piece; at its end all distances are 0
        before = hole - p.step[p.moves[k]]
        goal = p.home[p.board[before]]
        total += _far(p, hole, goal) - _far(p, before, goal)
        hole = _go(p, hole, p.moves[k] ^ 1)
    return total


@inlined
def _unmark(p: Pass, first: int, size: int, blank: int) -> None:
    """Set the homes of these tiles to their current cells."""
    hole = blank
    for k in range(first, first + size):
        hole = _go(p, hole, p.moves[k])
    for k in range(first + size - 1, first - 1, -1):
        p.home[p.board[hole - p.step[p.moves[k]]]] = hole
        hole = _go(p, hole, p.moves[k] ^ 1)


@kernel
def _shorter(p: Pass, blank: int, estimate: int, longest: int, cap: int) -> tuple[int, int]:
    """Find a way to the end of the piece of at most `longest` moves; return its length (−1: none) and the positions."""
    nodes, limit = 0, estimate
    if (longest - limit) & 1 == 1:
        limit += 1
    while limit <= longest:
        depth, left, hole = 0, estimate, blank
        p.tried[0] = 15
        while depth >= 0:
            untried = p.tried[depth]
            if untried == 0:  # undo the last move
                depth -= 1
                if depth >= 0:
                    before = hole - p.step[p.went[depth]]
                    goal = p.home[p.board[before]]
                    left += _far(p, hole, goal) - _far(p, before, goal)
                    hole = _go(p, hole, p.went[depth] ^ 1)
                continue
            move = 0
            while (untried >> move) & 1 == 0:
                move += 1
            p.tried[depth] = untried & ~(1 << move)
            there = hole + p.step[move]
            tile = p.board[there]
            if tile < 0:
                continue
            goal = p.home[tile]
            after = left + _far(p, hole, goal) - _far(p, there, goal)
            if depth + 1 + after > limit:
                continue
            nodes += 1
            p.went[depth] = p.found[depth] = move
            depth += 1
            hole, left = _go(p, hole, move), after
            if (after == 0 and hole == p.home[0]) or nodes >= cap:
                length = depth if after == 0 and hole == p.home[0] else -1
                while depth > 0:
                    depth -= 1
                    hole = _go(p, hole, p.went[depth] ^ 1)
                return length, nodes
            p.tried[depth] = 15 & ~(1 << (move ^ 1))
        limit += 2
    return -1, nodes


@kernel
def improve(p: Pass, length: int, piece: int, stride: int, cap: int, budget: int, stop: Bytes) -> int:
    """Continue a pass over an answer of `length` moves for about `budget` positions; return the moves saved."""
    saved, spent = 0, 0
    while p.at[NEXT] < length and spent < budget and stop[0] == 0:
        first, blank = p.at[NEXT], p.at[BLANK]
        size = min(piece, length - first)
        estimate = _mark(p, first, size, blank)
        got, nodes = _shorter(p, blank, estimate, size - 2, cap)
        _unmark(p, first, size, blank)
        spent += nodes + size
        if got >= 0:
            saved += size - got
            for k in range(got):
                p.moves[first + size - got + k] = p.found[k]
            p.at[NEXT] = first + size - got
        else:
            for k in range(first, first + min(stride, size)):
                p.home[p.board[blank + p.step[p.moves[k]]]] = blank
                blank = _go(p, blank, p.moves[k])
                p.out[p.at[WRITTEN]] = p.moves[k]
                p.at[WRITTEN] += 1
            p.at[NEXT] = first + min(stride, size)
            p.at[BLANK] = blank
    p.at[NODES] += spent
    return saved
