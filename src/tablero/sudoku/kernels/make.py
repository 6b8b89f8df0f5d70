"""Make batches of puzzles with exactly one solution, with the kernel of `bands`.

    group     cells that are emptied together: one cell, or the images of one cell under a symmetry
    clue      a cell that is not empty

A search completes three random boxes to a full board.  Then the groups are emptied in random order; a group stays empty
if the solution stays unique.  One pass makes a minimal puzzle, because a clue that is needed once stays needed when more
clues are removed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel
from tablero.search.random import below, draw, mixed
from tablero.sudoku.kernels.bands import CELLS, UNBOUNDED, Bytes, State, Tables, advance, load, word_at

U = np.uint32
L = np.uint64
Pairs = NDArray[np.uint64]
Numbers = NDArray[np.int64]


@inlined
def _shuffle(random: np.uint64, things: Numbers) -> np.uint64:
    for k in range(things.shape[0] - 1, 0, -1):
        random = draw(random)
        j = below(mixed(random), L(k + 1))
        things[k], things[j] = things[j], things[k]
    return random


@kernel
def make_batch(
    tables: Tables,
    state: State,
    seeds: Pairs,
    groups: Numbers,
    order: Numbers,
    clues: int,
    puzzles: Bytes,
    answers: Bytes,
    stop: Bytes,
    words: int,
    digits: int,
) -> int:
    """Make a puzzle with one solution from every seed (a random state); return the number of puzzles made.

    `groups` has one row per group of cells, padded with −1; `order` is a buffer for the order of the groups.  Groups are
    removed in random order while the solution stays unique, until `clues` clues are left or all groups were tried.
    """
    for n in range(seeds.shape[0]):
        random = seeds[n]
        puzzle, answer = puzzles[n], answers[n]
        for cell in range(CELLS):
            puzzle[cell] = 0
        for box in range(3):  # the boxes on the diagonal are independent: any filling can be completed
            for k in range(9):
                order[k] = k + 1
            random = _shuffle(random, order[:9])
            for k in range(9):
                puzzle[30 * box + 9 * (k // 3) + k % 3] = np.uint8(order[k])
        load(tables, state, puzzle)
        advance(tables, state, state.scratch, UNBOUNDED, 1, stop, words, digits)
        for cell in range(CELLS):
            puzzle[cell] = answer[cell] = np.uint8(state.scratch[0, cell])
        for k in range(order.shape[0]):
            order[k] = k
        random = _shuffle(random, order)
        left = CELLS
        for k in range(order.shape[0]):
            group = groups[order[k]]
            size = 0
            while size < group.shape[0] and group[size] >= 0:
                puzzle[group[size]] = 0
                size += 1
            if left - size < clues:
                unique = False
            elif size == 1:  # search for a solution with another digit in this cell
                cell = group[0]
                load(tables, state, puzzle)
                word = word_at(np.int64(answer[cell]) - 1, tables.band[cell])
                state.flat[word] = U(state.flat[word] & ~tables.bit[cell])
                unique = advance(tables, state, state.scratch, UNBOUNDED, 1, stop, words, digits)[1] == 0
            else:
                load(tables, state, puzzle)
                unique = advance(tables, state, state.scratch, UNBOUNDED, 2, stop, words, digits)[1] == 1
            if stop[0] != 0:
                return n
            if unique:
                left -= size
            else:
                for j in range(size):
                    puzzle[group[j]] = answer[group[j]]
    return len(seeds)
