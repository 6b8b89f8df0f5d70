"""Sudoku puzzles with one solution, made in batches by the kernel of `bands`.

    group     cells that are emptied together: one cell, or those that a symmetry makes alike
    clue      a cell that is not empty

A full board comes from three random boxes and a search.  Groups are then emptied in random order; a group stays empty
where no second solution appears.  That one pass is enough for a minimal puzzle: a clue that was needed once is needed for
good.
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
    """Make a puzzle with one solution from every seed (a state of random numbers); return how many were made.

    `groups` has a row for each set of cells that go together (closed by −1), `order` is a buffer for their order.  Groups
    are taken away in random order, each where the solution stays the only one, until so many clues are left or all were
    tried.
    """
    for n in range(seeds.shape[0]):
        random = seeds[n]
        puzzle, answer = puzzles[n], answers[n]
        for cell in range(CELLS):
            puzzle[cell] = 0
        for box in range(3):  # the boxes of the diagonal do not meet: any filling of them can be completed
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
            elif size == 1:  # is there a solution with another digit here?
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
