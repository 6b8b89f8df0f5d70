"""Edge matching in a fixed order of cells: one look at a table gives the list of what fits.

    depth     how many cells are filled; cell number d of the order is filled at depth d
    known     sides of a cell whose neighbour is filled before it; the others are open, or on the border
    word      a candidate in 32 bits: the piece (from 1) above, the colours of its open sides below
    list      the candidates of a cell for given colours of its known sides, ended by a word of 0

A join is between an open side of an earlier cell and a known side of a later one.  Its colour has the same place in the
earlier cell's word and in the later cell's key, so the key is made without shifts: bits of the words of the neighbours,
put together.  (Places are few enough: a bipartite graph has an edge colouring with as many colours as its largest degree.)
The word before, which is at hand, and one other are looked at in any case; more only where an order has more known sides.

A candidate whose piece lies on the board already, with all its copies, keeps its number as a child but is no node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel
from tablero.search.random import draw, mixed

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class Problem(NamedTuple):
    """N cells in their order; D earlier neighbours at most, besides the one just before."""

    cell: Words  # N: the cell filled at each depth
    # A row for each depth, so that all of it lies together: where its table begins in `start`, which bits of the word
    # before belong to the key, then for each other earlier neighbour its depth and the bits (none where there are fewer).
    plan: Words  # N × (2 + 2 D)
    start: NDArray[np.uint32]  # for every table and key the place of its list in `word`
    length: NDArray[np.uint32]  # and how long that is
    word: NDArray[np.uint32]  # lists, each ended by 0
    variant: NDArray[np.int32]  # the variant that a word stands for
    shift: Words  # one number: the bits below the piece


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor; the rest is made from it."""

    left: NDArray[np.int32]  # copies of each piece that are not on the board, from 1; of 0 there is always one
    chosen: Words  # the word at every depth
    place: Words  # the place of the word to look at next, for every depth
    end: Words  # levels that were cut short end here
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over


@inlined
def _list_at(problem: Problem, chosen: Words, before: np.uint64, d: np.uint64) -> np.uint64:
    """Which list of `start` belongs to depth d, by the words of the earlier neighbours."""
    row = problem.plan[d]
    key = row[U(0)] + (before & row[U(1)])
    key += chosen[row[U(2)]] & row[U(3)]
    for k in range(U(4), U(problem.plan.shape[1]), U(2)):
        key += chosen[row[k]] & row[k + U(1)]
    return U(key)


@inlined
def _list_again(problem: Problem, chosen: Words, d: np.uint64) -> np.uint64:
    """The same where the word before is not at hand."""
    before = U(0)
    if d > U(0):
        before = chosen[d - U(1)]
    return _list_at(problem, chosen, before, d)


@inlined
def _record(problem: Problem, state: State, answers: NDArray[np.int32], found: int) -> None:
    for d in range(U(len(problem.cell))):
        answers[found, problem.cell[d]] = problem.variant[state.place[d] - U(1)]


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

    Solutions go into the rows of `answers`, as variants by cell; with no rows they are only counted.
    """
    cells = U(len(problem.cell))
    shift = problem.shift[0]
    keep = answers.shape[0] > 0
    nodes = 0
    found = 0
    limit = budget
    cut = U(max(state.depth[0], 0))  # levels above this one may have been cut short
    if state.depth[0] < 0:
        return 0, 0
    if state.depth[0] == 0:
        nodes = 1
        d = U(0)
        place = U(problem.start[_list_again(problem, state.chosen, d)])
    else:
        d = U(state.depth[0] - 1)
        place = state.place[d]
    while True:
        word = U(problem.word[place])
        piece = word >> shift
        if state.left[piece] == 0:
            place += U(1)
        elif word == U(0) or (d < cut and place >= state.end[d]):  # the list is at its end
            if d == U(0):
                state.depth[0] = -1
                return nodes, found
            cut = min(cut, d)
            d -= U(1)
            state.left[state.chosen[d] >> shift] += np.int32(1)
            place = state.place[d]
            if stop[0] != 0:
                limit = nodes
        elif nodes >= limit:
            break
        else:
            nodes += 1
            place += U(1)
            state.chosen[d] = word
            state.place[d] = place
            if d + U(1) == cells:  # a solution: its last piece is never taken away
                if keep:
                    _record(problem, state, answers, found)
                found += 1
                if found >= most:
                    limit = nodes
            else:
                d += U(1)
                state.left[piece] -= np.int32(1)
                place = U(problem.start[_list_at(problem, state.chosen, word, d)])
    state.place[d] = place
    _write_levels(problem, state, d, cut)
    return nodes, found


@inlined
def _write_levels(problem: Problem, state: State, d: np.uint64, cut: np.uint64) -> None:
    """The cursor of a search that stands before the word at its last place; those behind places are placed already."""
    for e in range(d + U(1)):
        which = _list_again(problem, state.chosen, U(e))
        state.at[e] = np.int64(state.place[e] - U(problem.start[which]))
        if e < d:
            state.at[e] -= 1
        if e >= cut:
            state.width[e] = np.int64(problem.length[which])
            state.last[e] = state.width[e] - 1
            state.end[e] = U(0xFFFFFFFF)
    state.depth[0] = np.int64(d) + 1


@kernel
def replay(problem: Problem, state: State) -> None:
    """Lay the pieces that a cursor's path says; `depth` becomes −2 where it does not fit the problem."""
    shift = problem.shift[0]
    levels = state.depth[0]
    for e in range(levels):
        d = U(e)
        which = _list_again(problem, state.chosen, d)
        place = U(problem.start[which]) + U(state.at[e])
        if np.int64(problem.length[which]) != state.width[e] or state.last[e] >= state.width[e]:
            state.depth[0] = -2
            return
        state.end[d] = U(problem.start[which]) + U(state.last[e]) + U(1)
        state.place[d] = place
        if e + 1 < levels:
            word = U(problem.word[place])
            if state.left[word >> shift] == 0:
                state.depth[0] = -2
                return
            state.chosen[d] = word
            state.left[word >> shift] -= np.int32(1)
            state.place[d] = place + U(1)


@kernel
def probe(
    problem: Problem, used: NDArray[np.uint8], chosen: Words, state: Words, probes: int, sums: NDArray[np.float64]
) -> None:
    """Knuth's estimator: random walks from the root, each node weighted by the choices before it.

    The estimates of so many walks, and their squares, are added to `sums`.
    """
    cells = U(len(problem.cell))
    shift = problem.shift[0]
    for _ in range(probes):
        weight, total = 1.0, 1.0
        depth = U(0)
        while depth < cells:
            first = U(problem.start[_list_again(problem, chosen, depth)])
            live = U(0)
            place = first
            while problem.word[place] != 0:
                live += U(used[U(problem.word[place]) >> shift] == 0)
                place += U(1)
            if live == U(0):
                break
            state[0] = draw(state[0])
            which = (mixed(state[0]) >> U(11)) % live
            place = first
            while True:
                word = U(problem.word[place])
                if used[word >> shift] == 0:
                    if which == U(0):
                        break
                    which -= U(1)
                place += U(1)
            weight *= float(live)
            total += weight
            chosen[depth] = word
            used[word >> shift] = 1
            depth += U(1)
        for d in range(depth):
            used[chosen[d] >> shift] = 0
        sums[0] += total
        sums[1] += total * total
