"""Edge matching by the cell where fewest variants fit: bitsets of variants, a numbering for every kind of cell.

    kind      cells that may hold the same variants: the corners of one turn, the inner cells; bit b of a kind's bitsets
              stands for the b-th of these variants
    fit       of a cell: the variants that match all neighbours which are laid already
    free      of a kind: the variants of which a copy of the piece is not on the board
    domain    of a cell: fit and free together; a node with an empty domain is dead
    ring      cells that are filled first, in their order, as the frame of a board; there may be none

Without a ring, `fit` has one layer, and what a piece changed there is taken back.  With a ring it has a layer for every
depth, made from that above.  Then the layers are thinned out further behind the ring: where a cell has at most `_FEW`
variants, a neighbour keeps only what matches one of them.

Of cells with equally many variants that with the most open neighbours is taken; then the cell's number decides.  So the
choice depends on the node alone, not on the order in which cells are looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel, lowest, popcount

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

NONE = U(0xFFFFFFFF)
_MANY = U(0xFFFFFFFFFFFFFFFF)
_FEW = U(6)


class Problem(NamedTuple):
    """N cells with k sides, W words for the widest kind."""

    neighbours: Words  # N × k: neighbour · k + its side, or NONE
    free_at: Words  # N: where the words of the cell's kind begin in `free`
    words: Words  # N: how many they are
    match_at: Words  # N: where the bitsets of its kind begin in `match`
    variant_at: Words  # N: where its variants begin in `variant`
    match: Words  # for every kind, side and colour the variants that show it there
    variant: NDArray[np.int32]  # for every kind the variant of each bit
    shows: Words  # variants × k: the colours
    drop_start: Words  # pieces + 1: the parts of `drop_at` and `drop_mask` that belong to a piece
    drop_at: Words  # a word of `free`
    drop_mask: Words  # the bits in it that are a piece's
    every: Words  # `free` at the start
    ring: Words  # cells to be filled first, in this order
    framed: tuple[
        int, ...
    ]  # empty where there is no ring: a tuple's length is part of its type, so each form is compiled
    ties: Words  # k + 1: of cells with equally many variants that with the lowest number here, by its open neighbours
    colours: Words  # one number


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor; the rest is made from it."""

    fit: Words  # layers × N × W
    free: Words
    saved: Words  # depth × k × W: `fit` of the neighbours before a piece was laid
    left: Words  # depth × W: the variants of the level that were not tried yet
    copies: Numbers  # of each piece, those that are not on the board
    open: Words  # the cells that are not filled, in any order
    spot: Words  # N: where a cell stands there
    around: Words  # N: how many neighbours of a cell are open
    cell: Words  # depth: the cell filled
    chosen: Numbers  # depth: the variant laid
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over


@inlined
def _layer(problem: Problem, depth: int) -> np.uint64:
    """The layer of `fit` for a depth."""
    return U(depth) if len(problem.framed) > 0 else U(0)


@inlined
def _domain(
    problem: Problem, state: State, layer: np.uint64, cell: np.uint64, at: np.uint64, w: np.uint64
) -> np.uint64:
    """A word of a cell's domain, whose kind begins at `at`; a layer of a depth holds only what is free."""
    word = state.fit[layer, cell, w]
    return U(word if len(problem.framed) > 0 else word & state.free[at + w])


@inlined
def _domain_size(problem: Problem, state: State, layer: np.uint64, cell: np.uint64) -> np.uint64:
    at = problem.free_at[cell]
    count = U(0)
    for w in range(problem.words[cell]):
        count += popcount(_domain(problem, state, layer, cell, at, U(w)))
    return count


@inlined
def _fewest(problem: Problem, state: State, depth: int) -> tuple[np.uint64, np.uint64]:
    """The open cell where fewest variants fit, and how many do."""
    layer = _layer(problem, depth)
    best = _MANY
    for k in range(U(len(problem.words) - depth)):
        cell = state.open[k]
        count = _domain_size(problem, state, layer, cell)
        if count == U(0):
            return cell, count
        best = min(best, count << U(32) | problem.ties[state.around[cell]] << U(16) | cell)
    return best & U(0xFFFF), best >> U(32)


@inlined
def _choose(problem: Problem, state: State, depth: int) -> tuple[np.uint64, np.uint64]:
    """The next cell of the ring, or the open cell where fewest variants fit; and how many do."""
    if len(problem.framed) == 0:
        return _fewest(problem, state, depth)
    if depth < len(problem.ring):
        cell = problem.ring[U(depth)]
        return cell, _domain_size(problem, state, U(depth), cell)
    cell, least = _fewest(problem, state, depth)
    if least <= U(1):
        return cell, least
    return _fewest(problem, state, depth) if _thin_out(problem, state, depth) else (cell, U(0))


@inlined
def _thin_out(problem: Problem, state: State, depth: int) -> bool:
    """The limited arc check; False when a domain has become empty.

    Cells are gone through by number, so that the result depends on the node alone.
    """
    d, size = U(depth), U(len(problem.words) - depth)
    sides = U(problem.neighbours.shape[1])
    colours = problem.colours[0]
    for cell in range(U(len(problem.words))):
        if state.spot[cell] >= size or _domain_size(problem, state, d, U(cell)) > _FEW:
            continue
        for side in range(sides):
            across = problem.neighbours[cell, side]
            if across == NONE or state.spot[across // sides] >= size:
                continue
            other = across // sides
            if not _keep_matching(problem, state, d, U(cell), U(side), other, across % sides * colours):
                return False
    return True


@inlined
def _keep_matching(
    problem: Problem, state: State, d: np.uint64, cell: np.uint64, side: np.uint64, other: np.uint64, row: np.uint64
) -> bool:
    """Keep in the neighbour's domain what matches one of the cell's variants; False when nothing does."""
    mine = state.saved[d, 0]
    words = problem.words[other]
    for w in range(words):
        mine[w] = U(0)
    first = problem.variant_at[cell]
    for v in range(problem.words[cell]):
        word = state.fit[d, cell, v]
        while word != U(0):
            variant = U(problem.variant[first + v * U(64) + lowest(word)])
            word &= word - U(1)
            start = problem.match_at[other] + (row + problem.shows[variant, side]) * words
            for w in range(words):
                mine[w] |= problem.match[start + w]
    some = U(0)
    for w in range(words):
        mine[w] &= state.fit[d, other, w]
        some |= mine[w]
        state.fit[d, other, w] = mine[w]
    return bool(some != U(0))


@inlined
def _open_level(problem: Problem, state: State, depth: int, cell: np.uint64, count: np.uint64) -> None:
    """The variants of the cell are the children, in the order of their bits."""
    d, layer, at = U(depth), _layer(problem, depth), problem.free_at[cell]
    for w in range(problem.words[cell]):
        state.left[d, w] = _domain(problem, state, layer, cell, at, U(w))
    state.cell[d] = cell
    state.at[d] = -1
    state.last[d] = np.int64(count) - 1
    state.width[d] = np.int64(count)
    # It changes places with the last open cell.  That one is then found elsewhere in the list, which does not matter.
    end = U(len(state.cell) - 1) - d - U(1)
    spot = state.spot[cell]
    other = state.open[end]
    state.open[spot] = other
    state.spot[other] = spot
    state.open[end] = cell
    state.spot[cell] = end


@inlined
def _next_variant(problem: Problem, state: State, d: np.uint64) -> np.uint64:
    """The next of the level's variants."""
    w = U(0)
    while state.left[d, w] == U(0):
        w += U(1)
    word = state.left[d, w]
    state.left[d, w] = word & (word - U(1))
    variant = problem.variant[problem.variant_at[state.cell[d]] + w * U(64) + lowest(word)]
    state.chosen[d] = variant
    return U(variant)


@inlined
def _lay(problem: Problem, state: State, depth: int) -> None:
    """Lay the next variant of a level and narrow what fits round it."""
    d, layer = U(depth), _layer(problem, depth + 1)
    variant = _next_variant(problem, state, d)
    cell = state.cell[d]
    sides = U(problem.neighbours.shape[1])
    piece = variant // sides
    state.copies[piece] -= 1
    if state.copies[piece] == 0:  # of the last copy the variants are free no longer
        for k in range(problem.drop_start[piece], problem.drop_start[piece + U(1)]):
            state.free[problem.drop_at[k]] &= ~problem.drop_mask[k]
    end = U(len(state.cell) - 1) - d - U(1)  # cells from here on in `open` are filled
    if len(problem.framed) > 0:
        for k in range(end):
            other = state.open[k]
            first = problem.free_at[other]
            for w in range(problem.words[other]):
                state.fit[layer, other, w] = state.fit[d, other, w] & state.free[first + w]
    for side in range(sides):
        across = problem.neighbours[cell, side]
        if across != NONE:
            other = across // sides
            state.around[other] -= U(1)
            if state.spot[other] < end:
                words = problem.words[other]
                row = (
                    problem.match_at[other]
                    + (across % sides * problem.colours[0] + problem.shows[variant, side]) * words
                )
                for w in range(words):
                    if len(problem.framed) == 0:
                        state.saved[d, side, w] = state.fit[layer, other, w]
                    state.fit[layer, other, w] &= problem.match[row + w]


@inlined
def _take_back(problem: Problem, state: State, depth: int) -> None:
    """Undo `_lay`; a layer below is made again by the next variant."""
    d = U(depth)
    cell = state.cell[d]
    sides = U(problem.neighbours.shape[1])
    piece = U(state.chosen[d]) // sides
    if state.copies[piece] == 0:
        for k in range(problem.drop_start[piece], problem.drop_start[piece + U(1)]):
            state.free[problem.drop_at[k]] |= problem.drop_mask[k]
    state.copies[piece] += 1
    end = U(len(state.cell) - 1) - d - U(1)
    for side in range(sides):
        across = problem.neighbours[cell, side]
        if across != NONE:
            other = across // sides
            state.around[other] += U(1)
            if len(problem.framed) == 0 and state.spot[other] < end:
                for w in range(problem.words[other]):
                    state.fit[U(0), other, w] = state.saved[d, side, w]


@inlined
def _record(state: State, answers: NDArray[np.int32], found: int) -> None:
    for d in range(U(len(state.cell) - 1)):
        answers[found, state.cell[d]] = state.chosen[d]


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
    cells = len(problem.words)
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        if depth == cells:
            if keep:
                _record(state, answers, found)
            found += 1
        else:
            cell, count = _choose(problem, state, depth)
            if count != U(0):
                _open_level(problem, state, depth, cell, count)
                depth += 1
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:
            depth -= 1
            _take_back(problem, state, depth)
        if depth == 0:
            depth = -1
        else:
            if state.at[depth - 1] >= 0:
                _take_back(problem, state, depth - 1)
            state.at[depth - 1] += 1
            _lay(problem, state, depth - 1)
    state.depth[0] = depth
    return nodes, found


@kernel
def replay(problem: Problem, state: State) -> None:
    """Lay the pieces that a cursor's path says; `depth` becomes −2 where it does not fit the problem."""
    levels = state.depth[0]
    for depth in range(levels):
        if depth == len(problem.words):
            state.depth[0] = -2
            return
        at, last, width = state.at[depth], state.last[depth], state.width[depth]
        cell, count = _choose(problem, state, depth)
        if np.int64(count) != width:
            state.depth[0] = -2
            return
        _open_level(problem, state, depth, cell, count)
        for k in range(at + 1):
            if k > 0:
                _take_back(problem, state, depth)
            _lay(problem, state, depth)
        state.at[depth] = at
        state.last[depth] = last
