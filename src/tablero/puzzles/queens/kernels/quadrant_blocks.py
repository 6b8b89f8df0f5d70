"""The cases of `quadrants`: corners in blocks of 64 placements, a bit each."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tablero.puzzles.queens.kernels.quadrant_cases import Numbers, Plan, U, Words, corners
from tablero.search.compiled import kernel, lowest

BLOCK = 64  # placements to a word of bits
ROW, ROWS = U(21), U(0x7FF)  # where the word of an se placement has the index of its R2
_CASES = 2  # kept in memory beside those that a thread is in


class Case(NamedTuple):
    """Corners with what `quadrants` looks up; the word of an se placement has the index of its R2 too."""

    side: Numbers
    symmetry: Numbers
    rows1: Numbers
    columns1: Numbers
    rows2: Numbers
    columns2: Numbers
    pair_row: Numbers  # the pairs (R1, C1) that are searched: indices of both
    pair_column: Numbers
    nw_start: Numbers  # by (R1, C1)
    nw: Words
    ne_first: Numbers  # by R1: its first block
    ne_columns: Numbers  # by block: index of C2
    ne_start: Numbers  # by block
    ne: Words
    sw_start: Numbers  # by (C1, R2)
    sw_blocks: Numbers  # by C1: blocks of its largest corner
    sw: Words
    se_start: Numbers  # by (C2, R2), with an end for every C2; each C2 begins at a multiple of 64
    se: Words
    clash: Words  # by diagonal: a bit for every se placement on it


@kernel
def cross(se: Words, starts: Numbers, ends: Numbers, clash: Words) -> None:
    """Enter every se placement at its diagonals."""
    for segment in range(len(starts)):
        for e in range(starts[segment], ends[segment]):
            falling = se[e] & ((U(1) << ROW) - U(1))
            while falling != U(0):
                clash[np.int64(lowest(falling)), e >> 6] |= U(1) << U(e & 63)
                falling &= falling - U(1)


@lru_cache(_CASES)
def build(n: int, plan: Plan) -> Case:
    """Lay the corners of a case in blocks."""
    found = corners(n, plan)
    h = n // 2
    k1, k2, east = len(found.columns1), len(found.rows2), len(found.columns2)
    blocks = -(-np.diff(found.ne_start) // BLOCK)
    corner = np.repeat(np.arange(len(blocks)), blocks)
    first_block = np.concatenate([[0], np.cumsum(blocks)])
    block_start = found.ne_start[corner] + BLOCK * (np.arange(len(corner)) - first_block[corner])
    sizes = np.diff(found.se_start).reshape(east, k2)
    heads = np.concatenate([[0], np.cumsum(-(-sizes.sum(axis=1) // BLOCK) * BLOCK)])
    se_start = np.concatenate([heads[:-1, None], heads[:-1, None] + np.cumsum(sizes, axis=1)], axis=1)
    se = np.zeros(heads[-1], np.uint64)
    moved = np.repeat((se_start[:, :-1].ravel() - found.se_start[:-1]), sizes.ravel())
    rows = np.repeat(np.tile(np.arange(k2), east), sizes.ravel()).astype(np.uint64)
    se[np.arange(len(found.se)) + moved] = found.se | rows << ROW
    clash = np.zeros((2 * h - 1, len(se) // BLOCK), np.uint64)
    if len(se):
        cross(se, np.ascontiguousarray(se_start[:, 0]), np.ascontiguousarray(se_start[:, -1]), clash)
    return Case(
        *found[:6], *plan.pairs(h, 1), found.nw_start, found.nw, first_block[::east].copy(), corner % east,
        np.append(block_start, len(found.ne)), found.ne, found.sw_start,
        -(-np.diff(found.sw_start).reshape(k1, k2).max(axis=1, initial=0) // BLOCK), found.sw, se_start.ravel(), se, clash,
    )  # fmt: skip
