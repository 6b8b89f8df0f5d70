"""Search a board cell by cell, for any rules that are units; used to make puzzles.

    cands     the possible digits of a cell, bit d − 1 for digit d
    unit      cells that hold every digit once, as many as there are digits

Naked and hidden singles are followed in all units until nothing changes.  Then the search branches on a cell with the
fewest digits.  The kernel needs no tables, so that hundreds of searches with one clue less each are fast.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel, lowest, popcount
from tablero.search.random import below, draw, mixed

U = np.uint32
L = np.uint64
Words = NDArray[np.uint32]
Numbers = NDArray[np.int64]
Bytes = NDArray[np.uint8]


class State(NamedTuple):
    """For each depth, the candidates of all cells, the branching cell and its untried digits."""

    cands: Words  # depth × cells
    cell: Numbers
    untried: Words
    random: NDArray[np.uint64]  # random state; 0 to try the digits in order


def new_state(cells: int, random: NDArray[np.uint64] | None = None) -> State:
    """Allocate the buffers; without a random state, digits are tried in order."""
    return State(
        cands=np.zeros((cells + 1, cells), np.uint32),
        cell=np.zeros(cells + 1, np.int64),
        untried=np.zeros(cells + 1, np.uint32),
        random=np.zeros(1, np.uint64) if random is None else random,
    )


@inlined
def _settle(units: Numbers, cands: Words, every: np.uint32) -> bool:
    """Follow singles until nothing changes; return False for a contradiction."""
    side = units.shape[1]
    changed = True
    while changed:
        changed = False
        for k in range(units.shape[0]):
            once = U(0)
            twice = U(0)
            fixed = U(0)
            for j in range(side):
                c = cands[units[k, j]]
                twice = U(twice | (once & c))
                once = U(once | c)
                if (c & (c - U(1))) == 0:
                    if (fixed & c) != 0:
                        return False
                    fixed = U(fixed | c)
            if once != every:
                return False
            alone = U(once & ~twice)
            for j in range(side):
                c = cands[units[k, j]]
                if (c & (c - U(1))) == 0:
                    continue
                rest = U(c & ~fixed)
                here = U(rest & alone)
                if here != 0:
                    if (here & (here - U(1))) != 0:
                        return False
                    rest = here
                if rest == 0:
                    return False
                if rest != c:
                    cands[units[k, j]] = rest
                    changed = True
    return True


@inlined
def _fewest(cands: Words) -> int:
    """Return an open cell with the fewest digits, or −1 on a full board."""
    best = L(99)
    chosen = -1
    for cell in range(cands.shape[0]):
        size = popcount(L(cands[cell]))
        if size > L(1) and size < best:
            best = size
            chosen = cell
            if size == L(2):
                break
    return chosen


@inlined
def _pick(digits: np.uint32, random: NDArray[np.uint64]) -> np.uint32:
    """Return the lowest of the digits, or a random one."""
    if random[0] == L(0):
        return U(L(1) << lowest(L(digits)))
    random[0] = draw(random[0])
    skip = below(mixed(random[0]), popcount(L(digits)))
    while skip > L(0):
        digits = U(digits & (digits - U(1)))
        skip -= L(1)
    return U(L(1) << lowest(L(digits)))


@kernel
def search(
    units: Numbers, state: State, puzzle: Bytes, limit: int, budget: int, answer: Bytes, stop: Bytes
) -> tuple[int, int]:
    """Count solutions up to a limit and write the last one into `answer`; return the numbers of solutions and nodes.

    If the number of nodes equals the budget, the search is not complete.
    """
    cells = puzzle.shape[0]
    every = U((L(1) << L(units.shape[1])) - L(1))
    for cell in range(cells):
        value = puzzle[cell]
        state.cands[0, cell] = every if value == 0 else U(L(1) << L(value - 1))
    depth = 0
    nodes = 0
    found = 0
    while nodes < budget and stop[0] == 0:
        nodes += 1
        cands = state.cands[depth]
        state.untried[depth] = U(0)
        if _settle(units, cands, every):
            cell = _fewest(cands)
            if cell < 0:
                for k in range(cells):
                    answer[k] = np.uint8(lowest(L(cands[k])) + L(1))
                found += 1
                if found >= limit:
                    return found, nodes
            else:
                state.cell[depth] = cell
                state.untried[depth] = cands[cell]
        while depth >= 0 and state.untried[depth] == 0:
            depth -= 1
        if depth < 0:
            return found, nodes
        digit = _pick(state.untried[depth], state.random)
        state.untried[depth] = U(state.untried[depth] & ~digit)
        for k in range(cells):
            state.cands[depth + 1, k] = state.cands[depth, k]
        state.cands[depth + 1, state.cell[depth]] = digit
        depth += 1
    return found, budget
