"""What a beam works on: its tables, the plan of the cells that it fills, its boards, and the one board to begin with.

Words of `beam.py`: pool, n, m, break, slot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.edges.kernels.lineage import Lineage
from tablero.search.compiled import inlined, kernel

U = np.uint64
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Small = NDArray[np.int16]

NONE = U(0xFFFFFFFF)
BINS = 4096


class Problem(NamedTuple):
    """N cells with k sides, V variants, C colours, kinds of cells by the variants that they may hold."""

    neighbours: Words  # N × k: neighbour · k + its side, or NONE
    shows: NDArray[np.uint8]  # V × k
    piece: NDArray[np.int32]  # V
    kind: Words  # N
    two: Words  # (kind, side, later side, colour, colour): the place in `variant` of those that show both, to the next start
    holds: Words  # rows × words: of a kind, for every side and colour the pieces that can show it there, then all its pieces
    first: Words  # rows × words: where the first piece of a word of `holds` stands in `turns`
    turns: NDArray[np.int32]  # of every piece of a word: the place in `variant` of its first, to the next start
    variant: NDArray[np.int32]
    pooled: Words  # N × k: 1 where a side of a cell is in the pool, else 0
    piece_shows: NDArray[np.uint8]  # pieces × k: the colours of a piece, turned in some way
    piece_pooled: NDArray[np.uint8]  # pieces × k: 1 where such a side is in the pool
    logs: Floats  # ln n
    factorials: Floats  # ln n!
    gammas: Floats  # stages × …: β ln Γ(m/2 + 1), or δ|m|, from m = −`shift` on
    shift: int
    span: float  # ranks that are lower than the best possible one by as much are not told apart
    colours: int
    border: bool  # whether colour 0 is the border, which is in no join


class Plan(NamedTuple):
    """The cells to fill in their order, and the slots of their sides."""

    cell: Words  # D
    known: Words  # D × k: sides whose neighbour is laid by then
    known_slot: Words
    known_role: Words  # OUTSIDE or POOLED
    opened: Words  # D × k: sides whose neighbour is laid later
    opened_slot: Words
    opened_role: Words  # OUTSIDE, POOLED, or BOTH where the side that it will meet is in the pool too
    counts: Words  # D × 2: how many of both
    size: Words  # one number: the cells to fill


class Beam(NamedTuple):
    """Two generations of up to W boards, and the children between them."""

    used: Words  # 2 × W × words
    front: NDArray[np.uint8]  # 2 × W × slots
    n: Small  # 2 × W × C
    m: Small
    potential: Floats  # 2 × W
    breaks: NDArray[np.int32]
    level: NDArray[np.int32]  # of children: their rank, as one of `BINS` levels
    child_of: NDArray[np.int32]
    child: NDArray[np.int32]
    lineage: Lineage
    bins: NDArray[np.int64]  # children of each level
    lost: Floats  # roles × C: of the board at hand, what a side changes that meets none of its colour
    open: Floats  # roles × C: and one that is newly open
    random: Words  # one number


@inlined
def is_used(used: Words, piece: np.uint64) -> bool:
    return bool(used[piece >> U(6)] >> (piece & U(63)) & U(1) != U(0))


@kernel
def arrange(problem: Problem, plan: Plan, order: Words, laying: NDArray[np.int32], free: Words, slot_of: Words) -> int:
    """Plan to fill the cells of `order`, all the others being laid; return how many slots that takes.

    `free` and `slot_of` are scratch: the free slots, and the slot of every cell and side.
    """
    sides = U(problem.neighbours.shape[1])
    cells = U(problem.neighbours.shape[0])
    for s in range(U(len(free))):
        free[s] = U(len(free)) - U(1) - s
    left = U(len(free))
    most = U(0)
    size = U(len(order))
    plan.size[0] = size
    # Sides of laid cells that face the empty ones are open from the start.
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
                plan.known_role[d, known] = problem.pooled[cell, side]
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
                mine, other = problem.pooled[cell, side], problem.pooled[across // sides, across % sides]
                plan.opened_role[d, opened] = mine + mine * other
                opened += U(1)
        for k in range(known):
            free[left] = plan.known_slot[d, k]
            left += U(1)
        plan.counts[d, 0] = known
        plan.counts[d, 1] = opened
        laying[cell] = -2  # filled by now
    for d in range(size):
        laying[order[d]] = -1
    return int(most)


@kernel
def set_up(problem: Problem, plan: Plan, beam: Beam, laying: NDArray[np.int32], slot_of: Words) -> None:
    """The one board to begin with: what is laid is used, the sides that face empty cells are open."""
    sides = U(problem.neighbours.shape[1])
    for w in range(beam.used.shape[2]):
        beam.used[0, 0, w] = U(0)
    n, m = beam.n[0, 0], beam.m[0, 0]
    for c in range(problem.colours):
        n[c] = 0
        m[c] = 0
    for cell in range(U(len(laying))):
        if laying[cell] >= 0:
            there = U(laying[cell]) // sides
            beam.used[0, 0, there >> U(6)] |= U(1) << (there & U(63))
    for number in range(len(problem.piece_shows)):
        piece = U(number)
        if not is_used(beam.used[0, 0], piece):
            for side in range(sides):
                colour = U(problem.piece_shows[piece, side])
                if colour != U(0) or not problem.border:
                    pooled = np.int16(problem.piece_pooled[piece, side])
                    n[colour] += pooled
                    m[colour] += np.int16(2) * pooled - np.int16(1)
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
                m[mine] += np.int16(1) - np.int16(2) * np.int16(problem.pooled[other, across % sides])
                beam.front[0, 0, slot_of[cell * sides + side]] = np.uint8(mine)
            elif other > cell and U(problem.shows[U(laying[other]), across % sides]) != mine:
                wrong += 1
    beam.breaks[0, 0] = np.int32(wrong)
