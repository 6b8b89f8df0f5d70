"""Edge matching line by line, several cells at a time, without the boards that promise too little.

    stretch   some cells of a line that are filled in one step: one look at a table gives the list of what fits there
    front     the colours that the cells to come must meet, of equal bits each: of the last line's pieces, and where the
              line is broken one more, of the side along it.  A stretch's key is a piece of it; what is laid changes that
    counts    what is left of every colour, as fields of words.  One that must not fall below 0 has a bit above it, which
              is lost when it does: then nothing can come of the board
    rank      about the logarithm of how many completions to expect: ln K! + ln I! − ln M! summed over colours, with
              K joins of the frame that are to be made, I sides of inner pieces not laid, M joins between inner pieces of
              which no side lies yet; in units of 1/UNIT
    low       boards whose rank after some stretches is below it are left
    high      boards that were never below it were searched before, and are left at the last look

The counts are kept by one subtraction a word, and only a look at the rank takes them apart.  Whether pieces lie already is
found by one comparison for a whole stretch, without a branch.  Children are numbered by their places in the lists.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel
from tablero.search.random import below, draw, mixed

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

UNIT = 1 << 10
NO_LOW, NO_HIGH = -(1 << 40), 1 << 40


class Problem(NamedTuple):
    """S stretches of up to k cells; E entries, each a filling of a stretch; W words of counts."""

    cells: NDArray[np.int32]  # S × k, −1 where a stretch is shorter
    plan: Words  # S × 4: where the table begins in `start`, the key in the front, its bits, and the shift after it
    start: NDArray[np.uint32]  # for every table and key the place of its list
    length: NDArray[np.uint32]
    # Pieces that an entry looks at, and those of them that must lie already: of equal pieces the first lies first.
    look: Words  # E × 2
    move: Words  # E: the bits of the front that change
    takes: Words  # E × W: from the counts
    variant: NDArray[np.int32]  # E × k
    begin: Words  # W: the counts
    guard: Words  # W: the bits that must not be lost
    fields: Words  # word, first bit, bits, and where the values begin in `value`
    value: NDArray[np.int32]  # what a field adds to the rank
    low: Numbers  # S + 1
    high: Numbers  # S + 1
    looks: NDArray[np.uint8]  # S + 1: 1 where ranks are looked at, 2 at the last of these


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


@inlined
def _list_of(problem: Problem, front: np.uint64, d: np.uint64) -> np.uint64:
    """The list of a stretch before a front."""
    row = problem.plan[d]
    return U(row[U(0)] + ((front >> row[U(1)]) & row[U(2)]))


@inlined
def _after(problem: Problem, front: np.uint64, place: np.uint64, d: np.uint64) -> np.uint64:
    """The front when an entry is laid."""
    row = problem.plan[d]
    return U((front ^ (problem.move[place] << row[U(1)])) << row[U(3)])


@inlined
def _gather(problem: Problem, state: State, d: np.uint64, first: np.uint64, end: np.uint64) -> None:
    """Of the entries from one place to another those whose pieces do not lie yet."""
    used = state.used[d]
    ready = state.ready[d]
    count = U(0)
    for place in range(first, end):
        ready[count] = place
        count += U((used & problem.look[U(place), U(0)]) == problem.look[U(place), U(1)])
    state.fitting[d] = count
    state.following[d] = 0


@inlined
def _open(problem: Problem, state: State, d: np.uint64) -> None:
    """All that can be laid at a level."""
    which = _list_of(problem, state.front[d], d)
    first = U(problem.start[which])
    _gather(problem, state, d, first, first + U(problem.length[which]))


@inlined
def rank_of(problem: Problem, counts: Words) -> int:
    """The rank of a board with such counts."""
    rank = np.int64(0)
    for f in range(U(len(problem.fields))):
        row = problem.fields[f]
        rank += np.int64(problem.value[row[U(3)] + ((counts[row[U(0)]] >> row[U(1)]) & row[U(2)])])
    return int(rank)


@inlined
def _lessen(problem: Problem, counts: Words, place: np.uint64, into: Words) -> bool:
    """The counts without what an entry takes; False where nothing can come of that."""
    for w in range(U(len(problem.guard))):
        into[w] = counts[w] - problem.takes[place, w]
        if (into[w] & problem.guard[w]) != problem.guard[w]:
            return False
    return True


@inlined
def _enter(problem: Problem, state: State, d: np.uint64, place: np.uint64) -> bool:
    """Make the board of the next level, with an entry laid; False where it is left."""
    then = d + U(1)
    if not _lessen(problem, state.counts[d], place, state.counts[then]):
        return False
    new = state.new[d]
    if problem.looks[then] != 0:
        rank = rank_of(problem, state.counts[then])
        if rank < problem.low[then]:
            return False
        if rank < problem.high[then]:
            new = np.uint8(1)
        if new == 0 and problem.looks[then] == 2:
            return False
    state.new[then] = new
    state.used[then] = state.used[d] | problem.look[place, U(0)]
    state.front[then] = _after(problem, state.front[d], place, d)
    return True


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
                    d += U(1)
                    _open(problem, state, d)
    _write_levels(problem, state, d, cut)
    return nodes, found


@inlined
def _write_levels(problem: Problem, state: State, d: np.uint64, cut: np.uint64) -> None:
    """The cursor of a search that stands before the entry that comes next at its last level."""
    for e in range(d + U(1)):
        which = _list_of(problem, state.front[e], U(e))
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
        which = _list_of(problem, state.front[d], d)
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
    """The children of boards, evenly drawn where there is not room for all.

    Return how many are visited, and how many of these do not rank too low.
    """
    room = U(len(after.used) - 1)
    visited = 0
    good = U(0)
    for board in range(U(boards)):
        used = before.used[board]
        which = _list_of(problem, before.front[board], d)
        first = U(problem.start[which])
        for entry in range(first, first + U(problem.length[which])):
            place = U(entry)
            if (used & problem.look[place, U(0)]) != problem.look[place, U(1)]:
                continue
            visited += 1
            if not _lessen(problem, before.counts[board], place, after.counts[room]):
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
                after.used[spot] = used | problem.look[place, U(0)]
                after.front[spot] = _after(problem, before.front[board], place, d)
                for w in range(U(len(problem.guard))):
                    after.counts[spot, w] = after.counts[room, w]
                after.rank[spot] = rank
    return visited, int(good)
