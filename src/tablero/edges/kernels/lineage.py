"""From which boards the boards of a beam descend, so that the best one at the end can be traced back.

    node      a piece that was laid, after another node; every board of the beam has one, that of its last piece

Most boards of a wide beam soon have no descendants left, and their nodes are dropped from time to time: those that are kept
move together, in the order in which they came.  So there is virtual room for all boards of all depths, of which a wide beam
touches a few boards' worth only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel

U = np.uint64
Nodes = NDArray[np.int32]
_FIRST = np.int32(-1)  # the node before the first piece
_GENERATIONS = 16  # so many boards' worth of nodes are made before some are dropped
_FEW = 1 << 16  # and at least so many nodes


class Lineage(NamedTuple):
    parent: Nodes  # the node before, which has a lower number
    laid: Nodes  # the variant
    moved: Nodes  # scratch: where a node goes
    of_board: Nodes  # 2 × W
    made: NDArray[np.int64]  # two numbers: nodes so far, and how many there may be until some are dropped


def empty_lineage(boards: int, depth: int) -> Lineage:
    room = boards * max(depth, 1)
    parent, laid, moved = (np.zeros(room, np.int32) for _ in range(3))
    return Lineage(parent, laid, moved, np.zeros((2, boards), np.int32), np.zeros(2, np.int64))


@inlined
def begin(lineage: Lineage) -> None:
    """One board, on which no piece is laid yet."""
    lineage.of_board[U(0), U(0)] = _FIRST
    lineage.made[U(0)] = 0
    lineage.made[U(1)] = _limit(lineage, 0)


@inlined
def _limit(lineage: Lineage, kept: int) -> int:
    boards = lineage.of_board.shape[1]
    return int(min(max(_GENERATIONS * boards, _FEW, 2 * kept + boards), len(lineage.parent)))


@inlined
def lay(lineage: Lineage, now: np.uint64, board: np.uint64, child: np.uint64, variant: np.uint64) -> None:
    """A child of a board of this generation, in the next one."""
    node = lineage.made[U(0)]
    lineage.parent[U(node)] = lineage.of_board[now, board]
    lineage.laid[U(node)] = np.int32(variant)
    lineage.of_board[U(1) - now, child] = np.int32(node)
    lineage.made[U(0)] = node + 1


@kernel
def make_room(lineage: Lineage, now: np.uint64, boards: int, children: int) -> None:
    """Drop what no board descends from, if the next children would be too many."""
    made = lineage.made[U(0)]
    if made + children <= lineage.made[U(1)]:
        return
    parent, laid, moved, of_board = lineage.parent, lineage.laid, lineage.moved, lineage.of_board
    for each in range(made):
        moved[U(each)] = 0
    for board in range(boards):
        if of_board[now, U(board)] >= 0:
            moved[U(of_board[now, U(board)])] = 1
    for back in range(made):
        node = U(made - 1 - back)
        if moved[node] != 0 and parent[node] >= 0:
            moved[U(parent[node])] = 1
    kept = 0
    for each in range(made):
        node = U(each)
        if moved[node] != 0:
            before = parent[node]
            parent[U(kept)] = moved[U(before)] if before >= 0 else _FIRST
            laid[U(kept)] = laid[node]
            moved[node] = np.int32(kept)
            kept += 1
    for board in range(boards):
        if of_board[now, U(board)] >= 0:
            of_board[now, U(board)] = moved[U(of_board[now, U(board)])]
    lineage.made[U(0)] = kept
    lineage.made[U(1)] = _limit(lineage, kept)


@inlined
def trace(lineage: Lineage, node: int, cells: NDArray[np.uint64], size: np.uint64, laying: NDArray[np.int32]) -> None:
    """Lay what lies on the board of a node whose last piece is in the last cell."""
    for back in range(int(size)):
        laying[cells[size - U(1) - U(back)]] = lineage.laid[U(node)]
        node = int(lineage.parent[U(node)])
