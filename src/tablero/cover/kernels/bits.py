"""Exact cover on bitsets: all options that are still live are one row of bits.

    option    one row of the problem; bit o of a bitset stands for option o
    live      the options that conflict with none of those chosen so far
    rival     two options conflict when both cannot be in one cover: a primary item in common, or a secondary item in
              common without the same colour; `friends[o]` has the bits of the options that are no rivals of o
    open      the primary items that no chosen option covers yet, as a bitset of its own
    share     an option's cost, spread evenly over its primary items

Choosing an option is then one AND over the live bits, undoing it costs nothing (every depth has its own row), and the
item with the fewest options is found by counting bits.  Colours need no code at all: they only decide who are rivals.

All kernels walk one tree, by one of these rules:

    DENSE     the item with the fewest options; all words of a row, which LLVM turns into vector code
    PACKED    the same on the words that are not zero: slower a word, but far fewer words where there are many options
    CHEAPEST  the same, by branch and bound: every open item costs at least the smallest share among its live options.
              Options are numbered by their share, so that the smallest one of an item is its first live bit.  Which nodes
              are cut off depends on the best cover known so far (`best[0]`, shared between threads)
    FRONTIER  an item with at most one option, or else the first open item: more nodes, but far fewer different sets

`count_memo` counts with a memo: a table from the exact set of open items to the ways to cover them.  Keys are compared in
full, so a hit is never wrong; colours are not in the key, so problems with colours are not for this kernel.  Counts have
127 bits; more is noticed.

The steps X1 to X8 are those of Algorithm X in Knuth's TAOCP 7.2.2.1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel, lowest, popcount, times

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

DENSE, PACKED, CHEAPEST, FRONTIER = range(4)
_MANY = U(0xFFFFFFFF)  # options of an item: no item is open


class Problem(NamedTuple):
    """M options in W words; G words of primary items, then H words of secondary ones."""

    friends: Words  # M × W
    options: Words  # primary items × W: the options of each
    low: Words  # first word in which an item has an option
    high: Words  # one past the last
    covers: Words  # M × (G + H): the items that an option covers
    every: Words  # W: all options
    items: Words  # G + H: all items
    cost: Numbers  # M, where the cheapest cover is wanted
    share: NDArray[np.float64]


class State(NamedTuple):
    """A row for every depth; `at`, `last`, `width` and `depth` are the cursor."""

    live: Words  # depth × W
    open: Words  # depth × (G + H)
    place: NDArray[np.uint32]  # depth × W: which words are kept where they are packed
    kept: Words  # depth: how many
    item: Words  # the item branched on
    option: Numbers  # the option stood on (packed: its packed place)
    chosen: Numbers  # the option stood on, by its number
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over


@inlined
def _choose_item(problem: Problem, state: State, depth: int, rule: int) -> tuple[np.uint64, np.uint64, float]:
    """X3: the open item to branch on, how many options it has, and the least that covering the open items costs."""
    d = U(depth)
    live, open_items = state.live[d], state.open[d]
    best = _MANY
    chosen = U(0)
    bound = 0.0
    for group in range(U((problem.options.shape[0] + 63) // 64)):
        word = open_items[group]
        while word != U(0):
            item = U(group) * U(64) + lowest(word)
            word &= word - U(1)
            row = problem.options[item]
            count = U(0)
            if rule == PACKED:
                for k in range(state.kept[d]):
                    count += popcount(live[k] & row[U(state.place[d, k])])
            else:
                for w in range(problem.low[item], problem.high[item]):
                    count += popcount(live[w] & row[w])
            if rule == FRONTIER:
                if count <= U(1):
                    return item, count, bound
                if best == _MANY:
                    best = count
                    chosen = item
            elif count < best:
                best = count
                chosen = item
                if count == U(0):
                    return chosen, best, bound
            if rule == CHEAPEST:
                w = problem.low[item]
                while live[w] & row[w] == U(0):
                    w += U(1)
                bound += problem.share[w * U(64) + lowest(live[w] & row[w])]
    return chosen, best, bound


@inlined
def _open_level(state: State, depth: int, item: np.uint64, count: np.uint64) -> None:
    """X4: cover the item; its options are the children, in the order of their numbers."""
    state.item[depth] = item
    state.at[depth] = -1
    state.last[depth] = np.int64(count) - 1
    state.width[depth] = np.int64(count)
    state.option[depth] = -1


@inlined
def _next_option(problem: Problem, state: State, depth: int, rule: int) -> np.uint64:
    """X5: stand on the next live option of the level's item; the items open below it."""
    e = U(depth)
    f = U(depth + 1)
    row = problem.options[state.item[e]]
    after = U(state.option[e] + 1)
    k = after >> U(6)
    w = U(state.place[e, k]) if rule == PACKED else k
    word = state.live[e, k] & row[w] & (~U(0) << (after & U(63)))
    while word == U(0):
        k += U(1)
        w = U(state.place[e, k]) if rule == PACKED else k
        word = state.live[e, k] & row[w]
    bit = lowest(word)
    option = w * U(64) + bit
    state.option[e] = np.int64(k * U(64) + bit)
    state.chosen[e] = np.int64(option)
    for group in range(U(state.open.shape[1])):
        state.open[f, group] = state.open[e, group] & ~problem.covers[option, group]
    return option


@inlined
def _live_below(problem: Problem, state: State, depth: int, option: np.uint64, rule: int) -> None:
    """The options that are live below one of a level's options."""
    e = U(depth)
    f = U(depth + 1)
    if rule == PACKED:
        kept = U(0)
        for j in range(state.kept[e]):
            place = U(state.place[e, j])
            word = state.live[e, j] & problem.friends[option, place]
            state.live[f, kept] = word
            state.place[f, kept] = np.uint32(place)
            kept += U(word != U(0))
        state.kept[f] = kept
    else:
        for w in range(U(state.live.shape[1])):
            state.live[f, w] = state.live[e, w] & problem.friends[option, w]


@inlined
def record(chosen: Numbers, depth: int, answers: NDArray[np.int32], found: int) -> None:
    """Write the options chosen into a row of answers, closed by −1."""
    for d in range(depth):
        answers[found, d] = chosen[d]
    for d in range(depth, answers.shape[1]):
        answers[found, d] = -1


@inlined
def _walk(
    problem: Problem, state: State, answers: NDArray[np.int32], budget: int, most: int, stop: NDArray[np.uint8],
    best: Numbers, slack: float, rule: int,
) -> tuple[int, int]:  # fmt: skip
    """Visit up to `budget` nodes or find `most` covers; return how many of each.

    Covers go into the rows of `answers`, as option numbers closed by −1; with no rows they are only counted.  Where the
    cheapest is wanted, each costs less than best[0], which it replaces; `slack` is what the sum of shares may be off by:
    with large costs that is more than nothing.
    """
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        item, count, bound = _choose_item(problem, state, depth, rule)
        spent = 0
        if rule == CHEAPEST:
            for d in range(depth):
                spent += problem.cost[state.chosen[d]]
        if rule != CHEAPEST or spent + bound <= best[0] - 1 + slack:  # costs are whole numbers
            if count == _MANY:  # X2
                if rule == CHEAPEST:
                    best[0] = spent
                if keep:
                    record(state.chosen, depth, answers, found)
                found += 1
            elif count != U(0):
                _open_level(state, depth, item, count)
                depth += 1
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:  # X7, X8
            depth -= 1
        if depth == 0:
            depth = -1
        else:  # X5
            state.at[depth - 1] += 1
            option = _next_option(problem, state, depth - 1, rule)
            _live_below(problem, state, depth - 1, option, rule)
    state.depth[0] = depth
    return nodes, found


@kernel
def advance_dense(
    problem: Problem, state: State, answers: NDArray[np.int32], budget: int, most: int, stop: NDArray[np.uint8],
    best: Numbers, slack: float,
) -> tuple[int, int]:  # fmt: skip
    """Walk on all words of a row: see `_walk`."""
    return _walk(problem, state, answers, budget, most, stop, best, slack, DENSE)


@kernel
def advance_packed(
    problem: Problem, state: State, answers: NDArray[np.int32], budget: int, most: int, stop: NDArray[np.uint8],
    best: Numbers, slack: float,
) -> tuple[int, int]:  # fmt: skip
    """Walk on packed words, node for node as `advance_dense`."""
    return _walk(problem, state, answers, budget, most, stop, best, slack, PACKED)


@kernel
def advance_cheapest(
    problem: Problem, state: State, answers: NDArray[np.int32], budget: int, most: int, stop: NDArray[np.uint8],
    best: Numbers, slack: float,
) -> tuple[int, int]:  # fmt: skip
    """Walk by branch and bound."""
    return _walk(problem, state, answers, budget, most, stop, best, slack, CHEAPEST)


@kernel
def replay(problem: Problem, state: State, rule: int) -> None:
    """Rebuild the rows of every depth from the path in `at`: the state then stands before the node it leads to.

    The item of each level is found as the search found it; where a level's width is another, the cursor belongs to
    another problem, and `depth` is set to −2.
    """
    for w in range(problem.every.shape[0]):
        state.live[0, w] = problem.every[w]
        state.place[0, w] = w
    state.kept[0] = U(problem.every.shape[0])
    for group in range(problem.items.shape[0]):
        state.open[0, group] = problem.items[group]
    for depth in range(state.depth[0]):
        item, count, _bound = _choose_item(problem, state, depth, rule)
        if count == _MANY or np.int64(count) != state.width[depth]:
            state.depth[0] = -2
            return
        state.item[depth] = item
        state.option[depth] = -1
        option = U(0)
        for _ in range(state.at[depth] + 1):
            option = _next_option(problem, state, depth, rule)
        _live_below(problem, state, depth, option, rule)


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


@inlined
def _add(memo: Memo, depth: int, low: np.uint64, high: np.uint64) -> None:
    """Add a number of covers to the sum of the level above."""
    if depth > 0:
        memo.low[depth - 1] += low
        memo.high[depth - 1] += high + U(memo.low[depth - 1] < low)


@inlined
def _count(
    problem: Problem, state: State, memo: Memo, budget: int, stop: NDArray[np.uint8], rule: int
) -> tuple[int, np.uint64, np.uint64]:
    """Count covers through the memo; return nodes visited and the low and high word of the count.

    A level's sum goes into the table when the level is done, provided it was searched whole: a level that began in
    another unit of work, or whose last children were handed over, is not.  The table is asked before the live options
    are made, so a node that it knows costs no more than the look-up.
    """
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
        left = U(0)
        for group in range(U((problem.options.shape[0] + 63) // 64)):
            left |= state.open[d, group]
        if left == U(0):
            low = U(1)
        else:
            slot, known = _slot(memo, state.open[d])
            if known:
                low = memo.slots[slot, width]
                high = memo.slots[slot, width + U(1)]
                memo.tally[1] += np.int64(memo.slots[slot, width + U(2)])
            else:
                if depth > 0:
                    _live_below(problem, state, depth - 1, U(state.option[depth - 1]), DENSE)
                item, count, _ = _choose_item(problem, state, depth, rule)
                if count != U(0):
                    _open_level(state, depth, item, count)
                    memo.low[d] = U(0)
                    memo.high[d] = U(0)
                    memo.nodes[d] = memo.tally[0] + nodes
                    memo.whole[d] = 1
                    depth += 1
        total_low += low
        total_high += high + U(total_low < low)
        _add(memo, depth, low, high)
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
            _add(memo, depth, low, high)
        largest = total_high if depth == 0 else total_high | memo.high[depth - 1]
        if largest >> U(63) != U(0):
            memo.tally[3] = 1
            break
        if depth == 0:
            depth = -1
        else:
            state.at[depth - 1] += 1
            _next_option(problem, state, depth - 1, DENSE)
    state.depth[0] = depth
    memo.tally[0] += nodes
    return nodes, total_low, total_high


@kernel
def count_memo(
    problem: Problem, state: State, memo: Memo, budget: int, stop: NDArray[np.uint8]
) -> tuple[int, np.uint64, np.uint64]:
    """Count, branching on the item with the fewest options."""
    return _count(problem, state, memo, budget, stop, DENSE)


@kernel
def count_frontier(
    problem: Problem, state: State, memo: Memo, budget: int, stop: NDArray[np.uint8]
) -> tuple[int, np.uint64, np.uint64]:
    """Count, branching by the rule of frontiers."""
    return _count(problem, state, memo, budget, stop, FRONTIER)


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


@kernel
def fill(
    start: Numbers, item: Words, shade: Words, bit: Words, holders: Words, alike: Words, covers: Words, friends: Words
) -> None:
    """Make the tables of a problem from its options; all of them come as zeros.

    `holders` gets the options of every item, `alike` those of every pair of a secondary item and a colour, by its
    `shade` (shade 0: no colour, always a rival).  `bit` is an item's place in `covers`.
    """
    options = friends.shape[0]
    words = U(friends.shape[1])
    for o in range(options):
        word = U(o) >> U(6)
        mine = U(1) << (U(o) & U(63))
        for node in range(start[o], start[o + 1]):
            holders[item[node], word] |= mine
            if shade[node] != U(0):
                alike[shade[node], word] |= mine
            covers[o, bit[node] >> U(6)] |= U(1) << (bit[node] & U(63))
    for o in range(options):
        row = friends[o]
        for node in range(start[o], start[o + 1]):
            rivals = holders[item[node]]
            agreed = alike[shade[node]]
            for w in range(words):
                row[w] |= rivals[w] & ~agreed[w]
        for w in range(words):
            row[w] = ~row[w]
        row[U(o) >> U(6)] &= ~(U(1) << (U(o) & U(63)))
