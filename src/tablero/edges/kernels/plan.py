"""The data of a beam search: tables, the plan of the cells to fill, the boards, and the lineage of the boards.

    event     change of n and m of a colour when a side is placed; two tables give the change in the potential
    count     n and m of a colour in one number: n in the upper bits, m + `shift` in the lower bits
    row       a board: its used pieces as bits, the counts of its colours, and the colours of its slots
    look      a variant as one word: the colours of its sides, eight bits each, and its piece above them
    corner    empty cell beside the last piece that has another known side: two known sides decide whether a piece fits
    node      a placed piece and the node before it.  Each board has the node of its last piece, and the nodes before that
              give the whole board

Most boards of a wide beam soon have no descendants.  Their nodes are dropped from time to time, and the others are moved
together in their order.  The arrays have virtual memory for all boards of all depths, but only a small part is touched.

`beam.py` defines pool, n, m, break and slot.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel

U = np.uint64
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Nodes = NDArray[np.int32]

NONE = U(0xFFFFFFFF)
BINS = 4096
# Events.  NOTHING: no change.  GONE: a side of the pool meets its open side, or will meet a side outside the pool.
# WAITS: a side of the pool becomes an open side that will meet a side of the pool.  LOST: a side of the pool meets another
# colour.  MORE, FEWER: m rises or falls by one.
NOTHING, GONE, WAITS, LOST, MORE, FEWER = (U(event) for event in range(6))
FALLS = ((0, 0), (1, 0), (1, 2), (1, 1), (0, -1), (0, 1))  # the fall of n and m by each event

_FIRST = np.int32(-1)  # the node before the first piece
_GENERATIONS = 16  # nodes are dropped when there are this many generations of them
_FEW = 1 << 16  # and at least this many nodes

EXACT, ONE, ANY = 0, 1, 2  # mismatches allowed for a piece


class Problem(NamedTuple):
    """N cells with k sides, V variants; cells with the same candidates are of one kind."""

    neighbours: Words  # N × k: neighbour · k + its side, or NONE
    shows: NDArray[np.uint8]  # V × k
    kind: Words  # N
    two: Words  # (kind, side, later side, colour, colour): start in `variant` of the variants that show both
    fit_of: NDArray[np.int32]  # (kind, side, later side, colour, colour): row of `fits`
    fits: Words  # rows × words: pieces that can show two colours; the first row is empty
    holds: (
        Words  # rows × words: for each kind, pieces that can show a colour on a side, for all of these; then all pieces
    )
    first: Words  # rows × words: index in `turns` of the first piece of a word of `holds`
    turns: NDArray[np.int32]  # for each piece of a word, start in `variant` of its variants
    variant: NDArray[np.int32]
    look: Words  # of the same variants
    pooled: Words  # N × k: 1 if a side of a cell is in the pool, else 0
    piece_shows: NDArray[np.uint8]  # pieces × k: the colours of a piece, in one of its turns
    piece_pooled: NDArray[np.uint8]  # pieces × k: 1 if such a side is in the pool, else 0
    factorials: Floats  # ln n!
    gammas: Floats  # stages × …: β ln Γ(m/2 + 1), or δ|m|, from m = −`shift` on
    by_n: Floats  # events × …: change in the potential by n
    by_m: Floats  # stages × events × …: change in the potential by m
    falls: NDArray[np.int64]  # events: the fall of a count
    bits: np.uint64  # of a count for m, and as many for n
    shift: int
    colours: int
    border: bool  # whether colour 0 is the border, which no join shows


class Plan(NamedTuple):
    """The cells to fill, in their order, and the events of their sides."""

    cell: Words  # D
    known: Words  # D × k: sides whose neighbour is filled before
    known_slot: Words
    met: Words  # the event if such a side matches
    needed: Words  # the event of the needed colour if it does not match
    shown: Words  # the event of the shown colour if it does not match
    opened: Words  # D × k: sides whose neighbour is filled later; then sides at the rim of a board without a border
    opened_slot: Words
    event: Words
    corner: Words  # D × k × 5: opened side, slot of the known side, and offset and two strides in `fit_of`
    counts: Words  # D × 4: known sides, sides filled later, these and the sides at the rim, corners
    size: Words  # one number: the cells to fill


class Schedule(NamedTuple):
    """The parameters of each depth."""

    width: NDArray[np.int64]  # D: boards that are kept
    allowed: NDArray[np.int64]  # D: EXACT, ONE or ANY
    gamma: Floats  # D
    noise: Floats  # D
    stage: Words  # D: the row of `gammas`
    favour: Floats  # pieces: the bonus for placing one
    trust: Floats  # D: the factor of the favours, constant in a stage
    stuck: Floats  # D: the price of a corner where no piece fits


class Lineage(NamedTuple):
    parent: Nodes  # the node before, which has a lower number
    laid: Nodes  # the variant
    moved: Nodes  # scratch: the new number of a node
    of_board: Nodes  # 2 × W
    made: NDArray[np.int64]  # two numbers: the nodes, and the limit above which some are dropped


class Beam(NamedTuple):
    """Two generations of about W boards, and the children of one of them."""

    rows: Words  # 2 × W × words
    counts: NDArray[Any]  # the same memory, as counts
    front: NDArray[np.uint8]  # the same memory, as colours
    counts_at: np.uint64  # start of the counts in a row, in counts
    front_at: np.uint64  # start of the slots in a row, in bytes
    potential: Floats  # 2 × W
    credit: Floats  # 2 × W: the favours of the placed pieces
    breaks: NDArray[np.int32]
    key: Floats  # of the children
    child_of: NDArray[np.int32]
    child: NDArray[np.int32]  # an index in `variant`
    lineage: Lineage
    bins: NDArray[np.int64]  # number of children of each level
    random: Words  # one number


@inlined
def is_used(row: Words, piece: np.uint64) -> bool:
    return bool(row[piece >> U(6)] >> (piece & U(63)) & U(1) != U(0))


@kernel
def arrange(problem: Problem, plan: Plan, order: Words, laying: NDArray[np.int32], free: Words, slot_of: Words) -> int:
    """Plan to fill the cells of `order`, when all other cells are filled; return the number of slots needed.

    `free` and `slot_of` are scratch: the free slots, and the slot of each cell and side.
    """
    sides = U(problem.neighbours.shape[1])
    cells = U(problem.neighbours.shape[0])
    for s in range(U(len(free))):
        free[s] = U(len(free)) - U(1) - s
    left = U(len(free))
    most = U(0)
    size = U(len(order))
    plan.size[0] = size
    # Sides of filled cells that face empty cells are open at the start.
    for cell in range(cells):
        if laying[cell] >= 0:
            for side in range(sides):
                across = problem.neighbours[cell, side]
                if across != NONE and laying[across // sides] < 0:
                    left -= U(1)
                    slot_of[cell * sides + side] = free[left]
                    most = max(most, U(len(free)) - left)
    for d in range(size):
        cell = order[d]
        plan.cell[d] = cell
        known = U(0)
        for side in range(sides):
            across = problem.neighbours[cell, side]
            if across != NONE and laying[across // sides] != -1:
                plan.known[d, known] = side
                plan.known_slot[d, known] = slot_of[across]
                pooled = problem.pooled[cell, side] != U(0)
                plan.met[d, known] = GONE if pooled else NOTHING
                plan.needed[d, known] = MORE if pooled else FEWER
                plan.shown[d, known] = LOST if pooled else MORE
                known += U(1)
        opened = U(0)
        for side in range(sides):
            across = problem.neighbours[cell, side]
            if across != NONE and laying[across // sides] == -1:
                left -= U(1)
                slot_of[cell * sides + side] = free[left]
                most = max(most, U(len(free)) - left)
                plan.opened[d, opened] = side
                plan.opened_slot[d, opened] = free[left]
                plan.event[d, opened] = NOTHING
                if problem.pooled[cell, side] != U(0):
                    plan.event[d, opened] = WAITS if problem.pooled[across // sides, across % sides] != U(0) else GONE
                opened += U(1)
        for k in range(known):
            free[left] = plan.known_slot[d, k]
            left += U(1)
        laying[cell] = -2  # filled at this depth or before
        plan.counts[d, 0] = known
        plan.counts[d, 1] = opened
        plan.counts[d, 3] = _note_corners(problem, plan, U(d), opened, laying, slot_of)
        for side in range(sides):
            if problem.neighbours[cell, side] == NONE and not problem.border:
                plan.opened[d, opened] = side
                plan.event[d, opened] = LOST
                opened += U(1)
        plan.counts[d, 2] = opened
    for d in range(size):
        laying[order[d]] = -1
    return int(most)


@inlined
def _note_corners(
    problem: Problem, plan: Plan, d: np.uint64, opened: np.uint64, laying: NDArray[np.int32], slot_of: Words
) -> np.uint64:
    """Plan the checks of the corners that a piece makes; return the number of corners."""
    sides, colours = U(problem.neighbours.shape[1]), U(problem.colours)
    corners = U(0)
    for k in range(opened):
        across = problem.neighbours[plan.cell[d], plan.opened[d, k]]
        there, mine = across // sides, across % sides
        for s in range(sides):
            side = U(s)
            beyond = problem.neighbours[there, side]
            if side == mine or beyond == NONE or beyond // sides == plan.cell[d] or laying[beyond // sides] == -1:
                continue
            first = mine < side
            plan.corner[d, corners, 0] = plan.opened[d, k]
            plan.corner[d, corners, 1] = slot_of[beyond]
            pair = (problem.kind[there] * sides + min(side, mine)) * sides + max(side, mine)
            plan.corner[d, corners, 2] = pair * colours * colours
            plan.corner[d, corners, 3] = colours if first else U(1)
            plan.corner[d, corners, 4] = U(1) if first else colours
            corners += U(1)
            break
    return corners


@kernel
def set_up(problem: Problem, beam: Beam, laying: NDArray[np.int32], slot_of: Words) -> None:
    """Make the first board from a laying: its pieces are used, its sides that face empty cells are open."""
    sides = U(problem.neighbours.shape[1])
    row, counts, front = beam.rows[0, 0], beam.counts[0, 0], beam.front[0, 0]
    for w in range(U(len(row))):
        row[w] = U(0)
    for c in range(U(problem.colours)):
        counts[beam.counts_at + c] = problem.shift
    one = np.int64(1) << np.int64(problem.bits)  # in n
    for cell in range(U(len(laying))):
        if laying[cell] >= 0:
            there = U(laying[cell]) // sides
            row[there >> U(6)] |= U(1) << (there & U(63))
    for number in range(len(problem.piece_shows)):
        piece = U(number)
        if not is_used(row, piece):
            for side in range(sides):
                colour = U(problem.piece_shows[piece, side])
                if colour != U(0) or not problem.border:
                    at = beam.counts_at + colour
                    counts[at] = np.int64(counts[at]) + (one + 1 if problem.piece_pooled[piece, side] else -1)
    wrong = 0
    for cell in range(U(len(laying))):
        if laying[cell] < 0:
            continue
        for side in range(sides):
            across = problem.neighbours[cell, side]
            if across == NONE:
                continue
            mine = U(problem.shows[U(laying[cell]), side])
            other = across // sides
            if laying[other] < 0:
                at = beam.counts_at + mine
                counts[at] = np.int64(counts[at]) + (-1 if problem.pooled[other, across % sides] != U(0) else 1)
                front[beam.front_at + slot_of[cell * sides + side]] = np.uint8(mine)
            elif other > cell and U(problem.shows[U(laying[other]), across % sides]) != mine:
                wrong += 1
    beam.breaks[0, 0] = np.int32(wrong)


def empty_lineage(boards: int, depth: int) -> Lineage:
    size = boards * max(depth, 1)
    parent, laid, moved = (np.zeros(size, np.int32) for _ in range(3))
    return Lineage(parent, laid, moved, np.zeros((2, boards), np.int32), np.zeros(2, np.int64))


@inlined
def begin(lineage: Lineage) -> None:
    """Begin with one board, which has no node."""
    lineage.of_board[U(0), U(0)] = _FIRST
    lineage.made[U(0)] = 0
    lineage.made[U(1)] = _limit(lineage, 0)


@inlined
def _limit(lineage: Lineage, kept: int) -> int:
    boards = lineage.of_board.shape[1]
    return int(min(max(_GENERATIONS * boards, _FEW, 2 * kept + boards), len(lineage.parent)))


@inlined
def add_node(lineage: Lineage, now: np.uint64, board: np.uint64, child: np.uint64, variant: np.uint64) -> None:
    """Add the node of a child of a board, for a board of the next generation."""
    node = lineage.made[U(0)]
    lineage.parent[U(node)] = lineage.of_board[now, board]
    lineage.laid[U(node)] = np.int32(variant)
    lineage.of_board[U(1) - now, child] = np.int32(node)
    lineage.made[U(0)] = node + 1


@kernel
def drop_dead_nodes(lineage: Lineage, now: np.uint64, boards: int, children: int) -> None:
    """Drop the nodes without a living board, if the next children would exceed the limit."""
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
    """Write the board of a node, whose piece is in the last cell, into a laying."""
    for back in range(int(size)):
        laying[cells[size - U(1) - U(back)]] = lineage.laid[U(node)]
        node = int(lineage.parent[U(node)])
