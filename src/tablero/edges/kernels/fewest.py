"""Edge matching by the cell with the fewest fitting variants, with bitsets of variants.

    kind      cells with the same candidates, as the inner cells; bit b of a bitset is the b-th candidate of the kind
    fit       of a cell: the variants that match all filled neighbours
    free      of a kind: the variants whose piece has an unused copy
    domain    of a cell: the intersection of fit and free; a node with an empty domain is dead
    ring      cells that are filled first, in their order, as the frame of a board; it can be empty

Without a ring, `fit` has one layer, and the changes of a piece are undone.  With a ring, `fit` has a layer for each depth,
computed from the layer before.  After the ring is filled, a limited arc check reduces the domains: if a cell has at most
`_FEW` variants, its neighbours keep only variants that match one of them.

Ties are broken by the number of open neighbours (the most first), then by the number of the cell.  The choice depends only
on the node, not on the order in which cells are visited.
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
    free_at: Words  # N: start of the words of the cell's kind in `free`
    words: Words  # N: their number
    match_at: Words  # N: start of the bitsets of the cell's kind in `match`
    variant_at: Words  # N: start of the variants of the cell's kind in `variant`
    match: Words  # for each kind, side and colour, the variants that show the colour on the side
    variant: NDArray[np.int32]  # for each kind, the variant of each bit
    shows: Words  # variants × k: the colours
    drop_start: Words  # pieces + 1: start of each piece in `drop_at` and `drop_mask`
    drop_at: Words  # a word of `free`
    drop_mask: Words  # the bits of the piece in that word
    every: Words  # `free` at the start
    ring: Words  # cells to be filled first, in this order
    # Empty without a ring.  The length of a tuple is part of its type, so both forms are compiled separately.
    framed: tuple[int, ...]
    ties: Words  # k + 1: the tie-break of a cell by its open neighbours, the lowest first
    colours: Words  # one number


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor; the rest is computed from it."""

    fit: Words  # layers × N × W
    free: Words
    saved: Words  # depth × k × W: `fit` of the neighbours before a piece was placed
    left: Words  # depth × W: the untried variants of the level
    copies: Numbers  # the unused copies of each piece
    open: Words  # the open cells in any order, then the filled ones
    spot: Words  # N: the position of a cell in `open`
    around: Words  # N: the number of open neighbours of a cell
    cell: Words  # depth: the cell filled
    chosen: Numbers  # depth: the variant placed
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
    """Word `w` of a cell's domain; `at` is the start of its kind in `free`.  With a ring, layers hold only free variants."""
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
    """The open cell with the fewest fitting variants, and their number."""
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
    """The next cell of the ring, or the open cell with the fewest fitting variants; and their number."""
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
    """Run the limited arc check, cell by cell in order of their numbers; return False if a domain becomes empty."""
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
    """Keep the variants of a neighbour that match one of the cell's variants; return False if there is none."""
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
    """Open a level whose children are the variants of a cell, in the order of their bits."""
    d, layer, at = U(depth), _layer(problem, depth), problem.free_at[cell]
    for w in range(problem.words[cell]):
        state.left[d, w] = _domain(problem, state, layer, cell, at, U(w))
    state.cell[d] = cell
    state.at[d] = -1
    state.last[d] = np.int64(count) - 1
    state.width[d] = np.int64(count)
    # Exchange it with the last open cell: the order of `open` does not matter.
    end = U(len(state.cell) - 1) - d - U(1)
    spot = state.spot[cell]
    other = state.open[end]
    state.open[spot] = other
    state.spot[other] = spot
    state.open[end] = cell
    state.spot[cell] = end


@inlined
def _next_variant(problem: Problem, state: State, d: np.uint64) -> np.uint64:
    """Take the next variant of a level."""
    w = U(0)
    while state.left[d, w] == U(0):
        w += U(1)
    word = state.left[d, w]
    state.left[d, w] = word & (word - U(1))
    variant = problem.variant[problem.variant_at[state.cell[d]] + w * U(64) + lowest(word)]
    state.chosen[d] = variant
    return U(variant)


@inlined
def _place(problem: Problem, state: State, depth: int) -> None:
    """Place the next variant of a level and reduce what fits around it."""
    d, layer = U(depth), _layer(problem, depth + 1)
    variant = _next_variant(problem, state, d)
    cell = state.cell[d]
    sides = U(problem.neighbours.shape[1])
    piece = variant // sides
    state.copies[piece] -= 1
    if state.copies[piece] == 0:  # it was the last copy
        for k in range(problem.drop_start[piece], problem.drop_start[piece + U(1)]):
            state.free[problem.drop_at[k]] &= ~problem.drop_mask[k]
    end = U(len(state.cell) - 1) - d - U(1)  # cells of `open` from here on are filled
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
def _remove(problem: Problem, state: State, depth: int) -> None:
    """Undo `_place`; with a ring, the next variant computes its layer again."""
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
    """Visit up to `budget` nodes or find `most` solutions; return the numbers of both.

    Solutions are written to the rows of `answers` as variants by cell; if `answers` has no rows, they are only counted.
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
            _remove(problem, state, depth)
        if depth == 0:
            depth = -1
        else:
            if state.at[depth - 1] >= 0:
                _remove(problem, state, depth - 1)
            state.at[depth - 1] += 1
            _place(problem, state, depth - 1)
    state.depth[0] = depth
    return nodes, found


@kernel
def replay(problem: Problem, state: State) -> None:
    """Place the pieces of a cursor's path; set `depth` to −2 if the cursor does not belong to the problem."""
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
                _remove(problem, state, depth)
            _place(problem, state, depth)
        state.at[depth] = at
        state.last[depth] = last
