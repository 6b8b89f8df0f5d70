"""Counting exact covers on bitsets with a memo: a table from the exact set of open items to the ways to cover them.

Two rules of branching.  The item with the fewest options, as in `cover_bits`; or, as frontier methods do, the first open
item unless one is forced: that makes more nodes but far fewer different sets, so the table is hit more often.

Keys are compared in full, so a hit is never wrong; colours are not in the key, so problems with colours are not for this
kernel.  Counts have 127 bits; more is noticed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.cover.kernels.bits import (
    Numbers,
    Problem,
    State,
    U,
    Words,
    _fewest_dense,
    _first_unless_forced,
    _is_covered,
    _live_below,
    _next_option,
    _open_level,
)
from tablero.search.compiled import inlined, kernel, times


class Memo(NamedTuple):
    """A hash table of whole subtrees, and what is needed to fill it."""

    slots: Words  # rows: the key (G + H words), low and high word of the number of covers, nodes of the subtree or 0
    low: Words  # a sum for every depth
    high: Words
    nodes: Numbers  # nodes visited when the level was opened
    whole: NDArray[np.uint8]  # whether the level has been searched from its first child by this table's owner
    tally: Numbers  # 0 nodes in all, 1 nodes saved by the table, 2 slots in use, 3 whether a sum is too large


@inlined
def _slot(memo: Memo, key: Words) -> tuple[np.uint64, bool]:
    """The slot that holds the key and True, or the slot to write it to and False.  Keys are compared in full."""
    groups = U(key.shape[0])
    hashed = U(0)
    for group in range(groups):
        hashed = times(hashed ^ key[group], U(0x9E3779B97F4A7C15))
        hashed ^= hashed >> U(29)
    mask = U(memo.slots.shape[0] - 1)
    first = (hashed ^ (hashed >> U(32))) & mask
    for step in range(U(8)):
        slot = (first + step) & mask
        if memo.slots[slot, groups + U(2)] == U(0):
            return slot, False
        same = True
        for group in range(groups):
            if memo.slots[slot, group] != key[group]:
                same = False
                break
        if same:
            return slot, True
    return first, False


@kernel
def count_memo(
    problem: Problem, state: State, memo: Memo, frontier: bool, budget: int, stop: NDArray[np.uint8]
) -> tuple[int, np.uint64, np.uint64]:
    """Count covers through the memo; return nodes visited and the low and high word of the count.

    A level's sum goes into the table when the level is done, provided it was searched whole: a level that began in
    another unit of work, or whose last children were handed over, is not.  The table is asked before the live options
    are made, so a node that it knows costs no more than the look-up.
    """
    groups = U((problem.options.shape[0] + 63) // 64)
    width = U(state.open.shape[1])
    depth = state.depth[0]
    nodes = 0
    total_low = U(0)
    total_high = U(0)
    while depth >= 0 and nodes < budget and stop[0] == 0:
        nodes += 1
        d = U(depth)
        low = U(0)
        high = U(0)
        if _is_covered(state.open[d], groups):
            low = U(1)
        else:
            slot, known = _slot(memo, state.open[d])
            if known:
                low = memo.slots[slot, width]
                high = memo.slots[slot, width + U(1)]
                memo.tally[1] += np.int64(memo.slots[slot, width + U(2)])
            else:
                if depth > 0:
                    _live_below(problem, state, depth - 1, U(state.option[depth - 1]))
                if frontier:
                    item, count = _first_unless_forced(problem, state.live[d], state.open[d], groups)
                else:
                    item, count = _fewest_dense(problem, state.live[d], state.open[d], groups)
                if count != U(0):
                    _open_level(state, depth, item, count)
                    memo.low[d] = U(0)
                    memo.high[d] = U(0)
                    memo.nodes[d] = memo.tally[0] + nodes
                    memo.whole[d] = 1
                    depth += 1
        total_low += low
        total_high += high + U(total_low < low)
        if depth > 0:
            memo.low[depth - 1] += low
            memo.high[depth - 1] += high + U(memo.low[depth - 1] < low)
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:
            depth -= 1
            d = U(depth)
            low = memo.low[d]
            high = memo.high[d]
            if memo.whole[d]:
                slot, _ = _slot(memo, state.open[d])
                memo.tally[2] += np.int64(memo.slots[slot, width + U(2)] == U(0))
                for group in range(width):
                    memo.slots[slot, group] = state.open[d, group]
                memo.slots[slot, width] = low
                memo.slots[slot, width + U(1)] = high
                memo.slots[slot, width + U(2)] = U(memo.tally[0] + nodes - memo.nodes[d] + 1)
            if depth > 0:
                memo.low[depth - 1] += low
                memo.high[depth - 1] += high + U(memo.low[depth - 1] < low)
        largest = total_high if depth == 0 else total_high | memo.high[depth - 1]
        if largest >> U(63) != U(0):
            memo.tally[3] = 1
            break
        if depth == 0:
            depth = -1
        else:
            state.at[depth - 1] += 1
            _next_option(problem, state, depth - 1)
    state.depth[0] = depth
    memo.tally[0] += nodes
    return nodes, total_low, total_high


@kernel
def rehash(old: Memo, new: Memo) -> None:
    """Move every entry of a full table into a larger, empty one."""
    width = U(old.slots.shape[1])
    for slot in range(U(old.slots.shape[0])):
        if old.slots[slot, width - U(1)] != U(0):
            target, _ = _slot(new, old.slots[slot, : width - U(3)])
            for k in range(width):
                new.slots[target, k] = old.slots[slot, k]
            new.tally[2] += 1
