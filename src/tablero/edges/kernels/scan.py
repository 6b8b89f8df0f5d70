"""Edge matching in a fixed order of cells: one table lookup gives the list of candidates.

    depth     number of filled cells; cell number d of the order is filled at depth d
    known     sides of a cell whose neighbour is filled before; the other sides are open or on the border
    word      a candidate in 32 bits: the piece (from 1) in the upper bits, the colours of its open sides in the lower bits
    list      the candidates of a cell for given colours of its known sides, followed by the word 0

A join is between an open side of an earlier cell and a known side of a later one.  Its colour has the same bits in the word
of the earlier cell and in the key of the later cell, so the key is a combination of masked words without shifts.  An edge
colouring of the bipartite graph of the joins assigns the bits.

A candidate whose piece is used, with all its copies, keeps its number as a child but is not a node.
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
    """N cells in their order; at most D earlier neighbours, apart from the cell just before."""

    cell: Words  # N: the cell filled at each depth
    # For each depth: the start of its table in `start`, the mask of the word just before, and for each other earlier
    # neighbour its depth and the mask of its word (0 if there are fewer).
    plan: Words  # N × (2 + 2 D)
    start: NDArray[np.uint32]  # for each table and key, the index of its list in `word`
    length: NDArray[np.uint32]  # and the length of the list
    word: NDArray[np.uint32]  # lists, each followed by 0
    variant: NDArray[np.int32]  # the variant of each word
    shift: Words  # one number: the bits below the piece


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor; the rest is computed from it."""

    left: NDArray[np.int32]  # unused copies of each piece, from 1; entry 0, for the end of a list, is never 0
    chosen: Words  # the word at each depth
    place: Words  # the index of the next word, for each depth
    end: Words  # the end of levels that were divided
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over


@inlined
def _list_at(problem: Problem, chosen: Words, before: np.uint64, d: np.uint64) -> np.uint64:
    """The index in `start` of the list at depth d; `before` is the word at the depth before."""
    row = problem.plan[d]
    key = row[U(0)] + (before & row[U(1)])
    key += chosen[row[U(2)]] & row[U(3)]
    for k in range(U(4), U(problem.plan.shape[1]), U(2)):
        key += chosen[row[k]] & row[k + U(1)]
    return U(key)


@inlined
def _list_again(problem: Problem, chosen: Words, d: np.uint64) -> np.uint64:
    """The index in `start` of the list at depth d, with the word before read from `chosen`."""
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
    """Visit up to `budget` nodes or find `most` solutions; return the numbers of both.

    Solutions are written to the rows of `answers` as variants by cell; if `answers` has no rows, they are only counted.
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
        elif word == U(0) or (d < cut and place >= state.end[d]):  # the end of the list
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
            if d + U(1) == cells:  # a solution; its last piece is not counted as used
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
    """Write the cursor of a search that continues with the next word of its last level."""
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
    """Place the pieces of a cursor's path; set `depth` to −2 if the cursor does not belong to the problem."""
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
    """Knuth's estimator: random walks from the root, with each node weighted by the number of choices before it.

    The estimates of the walks and their squares are added to `sums`.
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
