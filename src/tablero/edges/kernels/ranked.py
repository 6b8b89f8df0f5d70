"""Edge matching line by line, several cells at a time, skipping boards with a low rank.

    stretch   consecutive cells of a line that are filled in one step; a table lists the fillings that match
    entry     one filling of a stretch in a table
    front     the colours that the next cells must meet: those below the last line, and in the middle of a line also the
              colour of the side along it.  Some bits of the front are the key of the next stretch
    counts    what is left of each colour, as bit fields of words.  A field that must not become negative has a guard bit
              above it; when the guard bit is lost, the board has no completion
    rank      estimate of the logarithm of the number of completions: ln K! + ln I! − ln M! summed over colours, for K joins
              of the frame still to be made, I sides of inner pieces not placed, and M joins between inner pieces without
              a placed side; in units of 1/UNIT
    low       boards with a lower rank after a stretch are skipped
    high      boards that were never below it were searched in an earlier round, and are skipped at the last check
    sweep     search of everything below a board at once: whether there is a solution, and otherwise the number of nodes.
              It extends the boards of a level together until the next level has some dozens, then continues with those.
              Memory use stays small, and several table lookups are in flight at the same time
    hit       an entry whose pieces are not used on a board
    block     entries that are checked together.  A word of bits gives the hits, and a table gives the positions of these
              bits, so that there is no unpredictable branch

The search is a tree whose nodes are filled stretches; children are numbered by their positions in the lists.  An entry
changes the counts by one subtraction a word; only the rank needs the separate fields.

A sweep visits the same nodes as the tree search, in another order.  If it meets a solution or too many nodes, it is
abandoned and the tree search continues there.  Solutions, node counts and cursors are the same with and without sweeps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import EIGHT, clear_of, inlined, kernel, popcount, put_bytes
from tablero.search.random import below, draw, mixed

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

UNIT = 1 << 10
NO_LOW, NO_HIGH = -(1 << 40), 1 << 40
BLOCK = EIGHT  # entries that are checked together
LEAN, COUNTED, LOOKED, LAST = range(4)  # no counts; counts; counts and a check of the rank; the last check
TOGETHER = 128  # hits to gather before the next level; 128 to 512 are equally fast
LONGEST_LIST = 4096  # with a longer list there are no sweeps, as their buffers would be too large
_MOST_NODES = 1 << 16  # of a sweep
_LOW = U(0xFFFFFFFF)


class Problem(NamedTuple):
    """S stretches of up to k cells; E entries, each a filling of a stretch; W words of counts."""

    cells: NDArray[np.int32]  # S × k, −1 where a stretch is shorter
    plan: Words  # S × 4: start of the table in `start`, shift of the key in the front, mask of the key, shift of the front
    start: NDArray[np.uint32]  # for each table and key, the index of the first entry of its list
    length: NDArray[np.uint32]
    lies: Words  # E: the pieces; all bits for the padding that fills lists up to whole blocks
    need: Words  # E: pieces that must be placed before: of equal pieces, the first comes first
    move: Words  # E: the bits of the front that change
    takes: Words  # E × W: subtracted from the counts
    variant: NDArray[np.int32]  # E × k
    begin: Words  # W: the counts of the empty board
    guard: Words  # W: the guard bits
    fields: Words  # word, first bit, mask, and start of the values in `value`
    value: NDArray[np.int32]  # the part of the rank for a value of a field
    low: Numbers  # S + 1
    high: Numbers  # S + 1
    looks: NDArray[np.uint8]  # S + 1: LEAN, COUNTED, LOOKED or LAST
    swept: Numbers  # one number: sweeps begin after this many stretches; 0 for no sweeps


@inlined
def list_of(problem: Problem, front: np.uint64, d: np.uint64) -> np.uint64:
    """The list of a stretch for a front."""
    row = problem.plan[d]
    return U(row[U(0)] + ((front >> row[U(1)]) & row[U(2)]))


@inlined
def front_after(problem: Problem, front: np.uint64, place: np.uint64, d: np.uint64) -> np.uint64:
    """The front after an entry is placed."""
    row = problem.plan[d]
    return U((front ^ (problem.move[place] << row[U(1)])) << row[U(3)])


@inlined
def fits(problem: Problem, used: np.uint64, place: np.uint64) -> bool:
    """Whether the pieces of an entry are unused, and those that it needs are used."""
    return bool(((used & problem.lies[place]) | (problem.need[place] & ~used)) == U(0))


@inlined
def rank_of(problem: Problem, counts: Words) -> int:
    rank = np.int64(0)
    for f in range(U(len(problem.fields))):
        row = problem.fields[f]
        rank += np.int64(problem.value[row[U(3)] + ((counts[row[U(0)]] >> row[U(1)]) & row[U(2)])])
    return int(rank)


@inlined
def lessen(problem: Problem, counts: Words, place: np.uint64, into: Words) -> bool:
    """Subtract an entry from the counts; return False if a guard bit is lost."""
    lost = U(0)
    for w in range(U(len(problem.guard))):
        into[w] = counts[w] - problem.takes[place, w]
        lost |= ~into[w] & problem.guard[w]
    return bool(lost == U(0))


def _places(bits: int) -> int:
    """The positions of the set bits, one byte each, the lowest first."""
    return sum(bit << 8 * k for k, bit in enumerate(bit for bit in range(BLOCK) if bits >> bit & 1))


_PLACES = np.array([_places(bits) for bits in range(1 << BLOCK)], np.uint64)


class Sweep(NamedTuple):
    """The buffers of a sweep: up to N boards a level."""

    used: Words  # levels × N
    front: Words
    counts: Words  # levels × N × W
    new: Words  # as in the search
    held: Words  # levels: the number of boards
    next: Words  # levels: the first board that is not extended yet
    hits: Words  # the board in the upper half of the word, the index of the entry in the lower half


def sweep_for(problem: Problem) -> Sweep:
    """The buffers of a sweep; empty if a list is too long."""
    levels, longest = len(problem.cells) + 1, int(problem.length.max())
    boards = TOGETHER + longest + 2 * BLOCK if longest <= LONGEST_LIST else 0
    return Sweep(
        used=np.zeros((levels, boards), np.uint64),
        front=np.zeros((levels, boards), np.uint64),
        counts=np.zeros((levels, boards, len(problem.guard)), np.uint64),
        new=np.zeros((levels, boards), np.uint64),
        held=np.zeros(levels, np.uint64),
        next=np.zeros(levels, np.uint64),
        hits=np.zeros(boards, np.uint64),
    )


@inlined
def _hit(problem: Problem, sweep: Sweep, d: np.uint64) -> np.uint64:
    """Gather the hits of the next boards of a level; return their number."""
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
def _place_lean(problem: Problem, sweep: Sweep, d: np.uint64, hits: np.uint64) -> np.uint64:
    """Make the boards of the next level without counts; return the number of nodes."""
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
def _place_counted(problem: Problem, sweep: Sweep, d: np.uint64, hits: np.uint64) -> np.uint64:
    """Make the boards of the next level with counts, and check their ranks if the level does."""
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
def _sweep_below(
    problem: Problem, sweep: Sweep, d: np.uint64, used: np.uint64, front: np.uint64, counts: Words, new: int, most: int
) -> int:
    """The number of nodes below a board; −1 if there is a solution, or if there are more than `most` nodes."""
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
            nodes += int(_place_lean(problem, sweep, d - U(1), hits))
        else:
            nodes += int(_place_counted(problem, sweep, d - U(1), hits))
        if d == U(len(problem.cells)):
            if sweep.held[d] != U(0):
                return -1
            d -= U(1)
    return -1


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor.  The rest, one row a level, is computed from it."""

    used: Words
    front: Words
    counts: Words  # of W words
    new: NDArray[np.uint8]  # whether the board was below `high` at a check
    ready: NDArray[np.uint32]  # the entries that fit
    fitting: Numbers  # their number
    following: Numbers  # the position of the next one
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over
    sweep: Sweep


@inlined
def _gather(problem: Problem, state: State, d: np.uint64, first: np.uint64, end: np.uint64) -> None:
    """Find the entries of a range that fit."""
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
    """Find the entries that fit at a level."""
    which = list_of(problem, state.front[d], d)
    first = U(problem.start[which])
    _gather(problem, state, d, first, first + U(problem.length[which]))


@inlined
def _enter(problem: Problem, state: State, d: np.uint64, place: np.uint64) -> bool:
    """Make the board of the next level by placing an entry; return False if that board is skipped."""
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
    """Visit up to `budget` nodes or find `most` solutions; return the numbers of both.

    A node is a filled stretch.  Solutions are written to the rows of `answers` as variants by cell; if `answers` has no
    rows, they are only counted.
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
                        used, front, counts = state.used[swept], state.front[swept], state.counts[swept]
                        below_it = _sweep_below(
                            problem, state.sweep, swept, used, front, counts, state.new[swept], limit - nodes
                        )
                    if below_it >= 0:
                        nodes += below_it
                    else:
                        d += U(1)
                        _open(problem, state, d)
    _write_levels(problem, state, d, cut)
    return nodes, found


@inlined
def _write_levels(problem: Problem, state: State, d: np.uint64, cut: np.uint64) -> None:
    """Write the cursor of a search that continues with the next entry of its last level."""
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
    """Place the entries of a cursor's path; set `depth` to −2 if the cursor does not belong to the problem."""
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
    """Boards of one depth, one row each; the last row is scratch."""

    used: Words
    front: Words
    counts: Words
    rank: Numbers


@kernel
def spread(
    problem: Problem, before: Boards, boards: int, after: Boards, d: np.uint64, random: Words, low: int
) -> tuple[int, int]:
    """Make the children of boards, or a uniform sample of them if there are too many.

    Return the number of nodes visited, and the number of these that do not rank below `low`.
    """
    size = U(len(after.used) - 1)
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
            if not lessen(problem, before.counts[board], place, after.counts[size]):
                continue
            rank = rank_of(problem, after.counts[size])
            if rank < low:
                continue
            spot = good
            if good >= size:  # reservoir sampling
                random[0] = draw(random[0])
                spot = below(mixed(random[0]), good + U(1))
            good += U(1)
            if spot < size:
                after.used[spot] = used | problem.lies[place]
                after.front[spot] = front_after(problem, before.front[board], place, d)
                for w in range(U(len(problem.guard))):
                    after.counts[spot, w] = after.counts[size, w]
                after.rank[spot] = rank
    return visited, int(good)
