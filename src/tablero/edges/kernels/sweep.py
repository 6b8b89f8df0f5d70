"""All that lies below a board, searched at once: whether there is a solution, and how many nodes there are if there is none.

    sweep     boards of one level are filled on together, until those of the next are some dozens; then these come first.
              So little is kept, and the machine has many boards at hand: it does not wait for one table after the other
    hit       an entry whose pieces are free before a board
    block     entries that are looked at together.  A word of bits says which are hits, and a table where these stand, so
              that nothing depends on a guess of the machine, which would be wrong every other time

A sweep visits the nodes of the tree search that it stands for, in another order.  Where it meets a solution or too many
nodes it gives up, and the tree search goes that way itself: what is found, the nodes and the cursor are as without it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tablero.edges.kernels.ranks import (
    BLOCK,
    LAST,
    LEAN,
    LOOKED,
    Problem,
    Words,
    front_after,
    lessen,
    list_of,
    rank_of,
)
from tablero.search.compiled import clear_of, inlined, popcount, put_bytes

U = np.uint64

TOGETHER = 128  # hits that are enough to go on with; from 128 to 512 it makes no difference
LONGEST_LIST = 4096  # with a longer one there is no room for what may be hit
_MOST_NODES = 1 << 16  # of a sweep
_LOW = U(0xFFFFFFFF)


def _places(bits: int) -> int:
    """The numbers of the bits that are set, a byte each, the lowest first."""
    return sum(bit << 8 * k for k, bit in enumerate(bit for bit in range(BLOCK) if bits >> bit & 1))


_PLACES = np.array([_places(bits) for bits in range(1 << BLOCK)], np.uint64)


class Sweep(NamedTuple):
    """Boards by level, N at most of each."""

    used: Words  # levels × N
    front: Words
    counts: Words  # levels × N × W
    new: Words  # as in the search
    held: Words  # levels: how many boards there are
    next: Words  # levels: the first of them that was not filled on
    hits: Words  # the board and in the lower half of the word the place of the entry


def sweep_for(problem: Problem) -> Sweep:
    """Room for a sweep; none where a list is too long."""
    levels, longest = len(problem.cells) + 1, int(problem.length.max())
    room = TOGETHER + longest + 2 * BLOCK if longest <= LONGEST_LIST else 0
    return Sweep(
        used=np.zeros((levels, room), np.uint64),
        front=np.zeros((levels, room), np.uint64),
        counts=np.zeros((levels, room, len(problem.guard)), np.uint64),
        new=np.zeros((levels, room), np.uint64),
        held=np.zeros(levels, np.uint64),
        next=np.zeros(levels, np.uint64),
        hits=np.zeros(room, np.uint64),
    )


@inlined
def _hit(problem: Problem, sweep: Sweep, d: np.uint64) -> np.uint64:
    """Gather hits of some more boards of a level; return how many."""
    used, front, hits = sweep.used[d], sweep.front[d], sweep.hits
    board, held = sweep.next[d], sweep.held[d]
    count = U(0)
    while board < held and count < U(TOGETHER):
        which = list_of(problem, front[board], d)
        place = U(problem.start[which])
        lying = used[board]
        for _ in range((U(problem.length[which]) + U(BLOCK - 1)) // U(BLOCK)):
            free = clear_of(problem.lies, place, lying)
            put_bytes(hits, count, board << U(32) | place, _PLACES[free])
            count += popcount(free)
            place += U(BLOCK)
        board += U(1)
    sweep.next[d] = board
    return count


@inlined
def _lay_lean(problem: Problem, sweep: Sweep, d: np.uint64, hits: np.uint64) -> np.uint64:
    """The boards of the next level, where counts are not kept; return how many are visited."""
    used, front = sweep.used[d], sweep.front[d]
    used_then, front_then = sweep.used[d + U(1)], sweep.front[d + U(1)]
    held = U(0)
    for k in range(hits):
        place, board = sweep.hits[k] & _LOW, sweep.hits[k] >> U(32)
        lying, need = used[board], problem.need[place]
        used_then[held] = lying | problem.lies[place]
        front_then[held] = front_after(problem, front[board], place, d)
        held += U((lying & need) == need)
    sweep.held[d + U(1)] = held
    return held


@inlined
def _lay_counted(problem: Problem, sweep: Sweep, d: np.uint64, hits: np.uint64) -> np.uint64:
    """The same with counts, and with ranks where these are looked at."""
    then = d + U(1)
    used, front = sweep.used[d], sweep.front[d]
    used_then, front_then = sweep.used[then], sweep.front[then]
    look = problem.looks[then]
    low, high = problem.low[then], problem.high[then]
    visited, held = U(0), U(0)
    for k in range(hits):
        place, board = sweep.hits[k] & _LOW, sweep.hits[k] >> U(32)
        lying, need = used[board], problem.need[place]
        if (lying & need) != need:
            continue
        visited += U(1)
        alive = lessen(problem, sweep.counts[d, board], place, sweep.counts[then, held])
        new = sweep.new[d, board]
        if look >= LOOKED:
            rank = rank_of(problem, sweep.counts[then, held])
            new |= U(rank < high)
            alive &= (rank >= low) & ((look != LAST) | (new != U(0)))
        sweep.new[then, held] = new
        used_then[held] = lying | problem.lies[place]
        front_then[held] = front_after(problem, front[board], place, d)
        held += U(alive)
    sweep.held[then] = held
    return visited


@inlined
def barren(
    problem: Problem, sweep: Sweep, d: np.uint64, used: np.uint64, front: np.uint64, counts: Words, new: int, most: int
) -> int:
    """The nodes below a board of a level; −1 where there is a solution, or where they are more than `most`."""
    limit = min(most, _MOST_NODES)
    sweep.used[d, 0], sweep.front[d, 0], sweep.new[d, 0] = used, front, U(new)
    for w in range(U(len(counts))):
        sweep.counts[d, 0, w] = counts[w]
    sweep.held[d], sweep.next[d] = U(1), U(0)
    top, nodes = d, 0
    while nodes <= limit:
        if sweep.next[d] == sweep.held[d]:
            if d == top:
                return nodes
            d -= U(1)
            continue
        hits = _hit(problem, sweep, d)
        d += U(1)
        sweep.next[d] = U(0)
        if problem.looks[d] == LEAN:
            nodes += int(_lay_lean(problem, sweep, d - U(1), hits))
        else:
            nodes += int(_lay_counted(problem, sweep, d - U(1), hits))
        if d == U(len(problem.cells)):
            if sweep.held[d] != U(0):
                return -1
            d -= U(1)
    return -1
