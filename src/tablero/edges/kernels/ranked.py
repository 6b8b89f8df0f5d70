"""The search of ranked scans: a tree whose nodes are filled stretches, and boards of every depth, evenly drawn.

What a stretch, a front and a rank are is told in `ranks`.  Children are numbered by their places in the lists.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.ranks import (
    LAST,
    LEAN,
    LOOKED,
    Numbers,
    Problem,
    Words,
    fits,
    front_after,
    lessen,
    list_of,
    rank_of,
)
from tablero.edges.kernels.sweep import Sweep, barren
from tablero.search.compiled import inlined, kernel
from tablero.search.random import below, draw, mixed

U = np.uint64


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor; the rest, a row a level, is made from it."""

    used: Words
    front: Words
    counts: Words  # of W words
    new: NDArray[np.uint8]  # whether the board was below `high`
    ready: NDArray[np.uint32]  # the places of entries that can be laid
    fitting: Numbers  # how many these are
    following: Numbers  # which of them comes next
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over
    sweep: Sweep


@inlined
def _gather(problem: Problem, state: State, d: np.uint64, first: np.uint64, end: np.uint64) -> None:
    """Of the entries from one place to another those whose pieces do not lie yet."""
    used = state.used[d]
    ready = state.ready[d]
    count = U(0)
    for place in range(first, end):
        ready[count] = place
        count += U(fits(problem, used, U(place)))
    state.fitting[d] = count
    state.following[d] = 0


@inlined
def _open(problem: Problem, state: State, d: np.uint64) -> None:
    """All that can be laid at a level."""
    which = list_of(problem, state.front[d], d)
    first = U(problem.start[which])
    _gather(problem, state, d, first, first + U(problem.length[which]))


@inlined
def _enter(problem: Problem, state: State, d: np.uint64, place: np.uint64) -> bool:
    """Make the board of the next level, with an entry laid; False where it is left."""
    then = d + U(1)
    look = problem.looks[then]
    new = state.new[d]
    if look != LEAN and not lessen(problem, state.counts[d], place, state.counts[then]):
        return False
    if look >= LOOKED:
        rank = rank_of(problem, state.counts[then])
        if rank < problem.low[then]:
            return False
        if rank < problem.high[then]:
            new = np.uint8(1)
        if new == 0 and look == LAST:
            return False
    state.new[then] = new
    state.used[then] = state.used[d] | problem.lies[place]
    state.front[then] = front_after(problem, state.front[d], place, d)
    return True


@inlined
def _barren(problem: Problem, state: State, d: np.uint64, most: int) -> int:
    """The nodes below the board of a level; −1 where these must be searched one by one."""
    return barren(problem, state.sweep, d, state.used[d], state.front[d], state.counts[d], state.new[d], most)


@inlined
def _record(problem: Problem, state: State, answers: NDArray[np.int32], found: int) -> None:
    for d in range(U(len(problem.cells))):
        place = U(state.ready[d, U(state.following[d] - 1)])
        for k in range(U(problem.cells.shape[1])):
            if problem.cells[d, k] >= 0:
                answers[found, problem.cells[d, k]] = problem.variant[place, k]


@kernel
def advance(
    problem: Problem,
    state: State,
    answers: NDArray[np.int32],
    budget: int,
    most: int,
    stop: NDArray[np.uint8],
) -> tuple[int, int]:
    """Visit up to `budget` nodes or find `most` solutions; return how many of each.

    A node is a stretch that is filled.  Solutions go into the rows of `answers`, as variants by cell; with no rows they are
    only counted.
    """
    stretches = U(len(problem.cells))
    swept = U(problem.swept[0])
    keep = answers.shape[0] > 0
    nodes = 0
    found = 0
    limit = budget
    if state.depth[0] < 0:
        return 0, 0
    cut = U(state.depth[0])  # levels above this one may have been cut short
    if state.depth[0] == 0:
        nodes = 1
        _open(problem, state, U(0))
    d = U(max(state.depth[0] - 1, 0))
    while True:
        following = state.following[d]
        if following == state.fitting[d]:
            if d == U(0):
                state.depth[0] = -1
                return nodes, found
            cut = min(cut, d)
            d -= U(1)
            if stop[0] != 0:
                limit = nodes
        elif nodes >= limit:
            break
        else:
            nodes += 1
            state.following[d] = following + 1
            if _enter(problem, state, d, U(state.ready[d, U(following)])):
                if d + U(1) == stretches:
                    if keep:
                        _record(problem, state, answers, found)
                    found += 1
                    if found >= most:
                        limit = nodes
                else:
                    below_it = -1
                    if d + U(1) == swept:
                        below_it = _barren(problem, state, swept, limit - nodes)
                    if below_it >= 0:
                        nodes += below_it
                    else:
                        d += U(1)
                        _open(problem, state, d)
    _write_levels(problem, state, d, cut)
    return nodes, found


@inlined
def _write_levels(problem: Problem, state: State, d: np.uint64, cut: np.uint64) -> None:
    """The cursor of a search that stands before the entry that comes next at its last level."""
    for e in range(d + U(1)):
        which = list_of(problem, state.front[e], U(e))
        coming = state.following[e] if e == d else state.following[e] - 1
        state.at[e] = np.int64(state.ready[e, U(coming)]) - np.int64(problem.start[which])
        if e >= cut:
            state.width[e] = np.int64(problem.length[which])
            state.last[e] = state.width[e] - 1
    state.depth[0] = np.int64(d) + 1


@kernel
def replay(problem: Problem, state: State) -> None:
    """Lay what a cursor's path says; `depth` becomes −2 where it does not fit the problem."""
    levels = state.depth[0]
    for e in range(levels):
        d = U(e)
        which = list_of(problem, state.front[d], d)
        first = U(problem.start[which])
        if np.int64(problem.length[which]) != state.width[e] or state.last[e] >= state.width[e]:
            state.depth[0] = -2
            return
        _gather(problem, state, d, first + U(state.at[e]), first + U(state.last[e]) + U(1))
        if e + 1 < levels:
            place = U(state.ready[d, U(0)])
            if state.fitting[d] == 0 or place != first + U(state.at[e]) or not _enter(problem, state, d, place):
                state.depth[0] = -2
                return
            state.following[d] = 1


class Boards(NamedTuple):
    """Boards of one depth, a row each, and one row to work in."""

    used: Words
    front: Words
    counts: Words
    rank: Numbers


@kernel
def spread(
    problem: Problem, before: Boards, boards: int, after: Boards, d: np.uint64, random: Words, low: int
) -> tuple[int, int]:
    """The children of boards, evenly drawn where there is not room for all; counts are kept to the end.

    Return how many are visited, and how many of these do not rank too low.
    """
    room = U(len(after.used) - 1)
    visited = 0
    good = U(0)
    for board in range(U(boards)):
        used = before.used[board]
        which = list_of(problem, before.front[board], d)
        first = U(problem.start[which])
        for entry in range(first, first + U(problem.length[which])):
            place = U(entry)
            if not fits(problem, used, place):
                continue
            visited += 1
            if not lessen(problem, before.counts[board], place, after.counts[room]):
                continue
            rank = rank_of(problem, after.counts[room])
            if rank < low:
                continue
            spot = good
            if good >= room:  # each of those before has stayed with the same chance
                random[0] = draw(random[0])
                spot = below(mixed(random[0]), good + U(1))
            good += U(1)
            if spot < room:
                after.used[spot] = used | problem.lies[place]
                after.front[spot] = front_after(problem, before.front[board], place, d)
                for w in range(U(len(problem.guard))):
                    after.counts[spot, w] = after.counts[room, w]
                after.rank[spot] = rank
    return visited, int(good)
