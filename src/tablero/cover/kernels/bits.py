"""Exact cover on bitsets: all options that are still live are one row of bits.

    option    one row of the problem; bit o of a bitset stands for option o
    live      the options that conflict with none of those chosen so far
    rival     two options conflict when both cannot be in one cover: a primary item in common, or a secondary item in
              common without the same colour; `friends[o]` has the bits of the options that are no rivals of o
    open      the primary items that no chosen option covers yet, as a bitset of its own

Choosing an option is then one AND over the live bits, undoing it costs nothing (every depth has its own row), and the
item with the fewest options is found by counting bits.  Colours need no code at all: they only decide who are rivals.

Two kernels walk the same tree.  `advance_dense` runs over all words of a row, which LLVM turns into vector code.
`advance_packed` keeps at every depth only the words that are not zero: slower a word, but far fewer words where there are
many options.  `cover_memo` counts on the same tables.
The steps X1 to X8 are those of Algorithm X in Knuth's TAOCP 7.2.2.1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel, lowest, popcount

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

_MANY = U(0xFFFFFFFF)


class Problem(NamedTuple):
    """M options in W words; G words of primary items, then H words of secondary ones."""

    friends: Words  # M × W
    options: Words  # primary items × W: the options of each
    low: Words  # first word in which an item has an option
    high: Words  # one past the last
    covers: Words  # M × (G + H): the items that an option covers
    every: Words  # W: all options
    items: Words  # G + H: all items


class State(NamedTuple):
    """A row for every depth; `at`, `last`, `width` and `depth` are the cursor."""

    live: Words  # depth × W
    open: Words  # depth × (G + H)
    place: NDArray[np.uint32]  # depth × W: which words `advance_packed` keeps
    kept: Words  # depth: how many
    item: Words  # the item branched on
    option: Numbers  # the option stood on (packed: its packed place)
    chosen: Numbers  # the option stood on, by its number
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers  # one number; −1 when the search is over


@inlined
def _fewest_dense(problem: Problem, live: Words, open_items: Words, groups: np.uint64) -> tuple[np.uint64, np.uint64]:
    """X3: the open item with the fewest live options (the first of them), and how many it has."""
    best = _MANY
    chosen = U(0)
    for group in range(groups):
        word = open_items[group]
        while word != U(0):
            item = U(group) * U(64) + lowest(word)
            word &= word - U(1)
            row = problem.options[item]
            count = U(0)
            for w in range(problem.low[item], problem.high[item]):
                count += popcount(live[w] & row[w])
            if count < best:
                best = count
                chosen = item
                if count == U(0):
                    return chosen, best
    return chosen, best


@inlined
def _first_unless_forced(
    problem: Problem, live: Words, open_items: Words, groups: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """The frontier rule: an item with at most one option, or else the first open item; and how many options it has."""
    first = U(0)
    first_count = _MANY
    for group in range(groups):
        word = open_items[group]
        while word != U(0):
            item = U(group) * U(64) + lowest(word)
            word &= word - U(1)
            row = problem.options[item]
            count = U(0)
            for w in range(problem.low[item], problem.high[item]):
                count += popcount(live[w] & row[w])
            if count <= U(1):
                return item, count
            if first_count == _MANY:
                first = item
                first_count = count
    return first, first_count


@inlined
def _fewest_packed(
    problem: Problem, live: Words, place: NDArray[np.uint32], kept: np.uint64, open_items: Words, groups: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """X3 on packed words."""
    best = _MANY
    chosen = U(0)
    for group in range(groups):
        word = open_items[group]
        while word != U(0):
            item = U(group) * U(64) + lowest(word)
            word &= word - U(1)
            row = problem.options[item]
            count = U(0)
            for k in range(kept):
                count += popcount(live[k] & row[U(place[k])])
            if count < best:
                best = count
                chosen = item
                if count == U(0):
                    return chosen, best
    return chosen, best


@inlined
def _is_covered(open_items: Words, groups: np.uint64) -> bool:
    left = U(0)
    for group in range(groups):
        left |= open_items[group]
    return bool(left == U(0))


@inlined
def _open_level(state: State, depth: int, item: np.uint64, count: np.uint64) -> None:
    """X4: cover the item; its options are the children, in the order of their numbers."""
    state.item[depth] = item
    state.at[depth] = -1
    state.last[depth] = np.int64(count) - 1
    state.width[depth] = np.int64(count)
    state.option[depth] = -1


@inlined
def _next_option(problem: Problem, state: State, depth: int) -> np.uint64:
    """X5: stand on the next live option of the level's item; the items open below it."""
    e = U(depth)
    f = U(depth + 1)
    row = problem.options[state.item[e]]
    after = U(state.option[e] + 1)
    w = after >> U(6)
    word = state.live[e, w] & row[w] & (~U(0) << (after & U(63)))
    while word == U(0):
        w += U(1)
        word = state.live[e, w] & row[w]
    option = w * U(64) + lowest(word)
    state.option[e] = np.int64(option)
    state.chosen[e] = np.int64(option)
    for group in range(U(state.open.shape[1])):
        state.open[f, group] = state.open[e, group] & ~problem.covers[option, group]
    return option


@inlined
def _live_below(problem: Problem, state: State, depth: int, option: np.uint64) -> None:
    """The options that are live below one of a level's options."""
    e = U(depth)
    f = U(depth + 1)
    for w in range(U(state.live.shape[1])):
        state.live[f, w] = state.live[e, w] & problem.friends[option, w]


@inlined
def _next_dense(problem: Problem, state: State, depth: int) -> None:
    """X5 with all that it entails."""
    option = _next_option(problem, state, depth)
    _live_below(problem, state, depth, option)


@inlined
def _next_packed(problem: Problem, state: State, depth: int) -> None:
    """X5 on packed words."""
    e = U(depth)
    f = U(depth + 1)
    row = problem.options[state.item[e]]
    after = U(state.option[e] + 1)
    k = after >> U(6)
    word = state.live[e, k] & row[U(state.place[e, k])] & (~U(0) << (after & U(63)))
    while word == U(0):
        k += U(1)
        word = state.live[e, k] & row[U(state.place[e, k])]
    state.option[e] = np.int64(k * U(64) + lowest(word))
    option = U(state.place[e, k]) * U(64) + lowest(word)
    state.chosen[e] = np.int64(option)
    kept = U(0)
    for j in range(state.kept[e]):
        w = U(state.place[e, j])
        word = state.live[e, j] & problem.friends[option, w]
        state.live[f, kept] = word
        state.place[f, kept] = np.uint32(w)
        kept += U(word != U(0))
    state.kept[f] = kept
    for group in range(U(state.open.shape[1])):
        state.open[f, group] = state.open[e, group] & ~problem.covers[option, group]


@inlined
def _record(state: State, depth: int, answers: NDArray[np.int32], found: int) -> None:
    for d in range(depth):
        answers[found, d] = state.chosen[d]
    for d in range(depth, answers.shape[1]):
        answers[found, d] = -1


@kernel
def advance_dense(
    problem: Problem,
    state: State,
    answers: NDArray[np.int32],
    budget: int,
    most: int,
    stop: NDArray[np.uint8],
) -> tuple[int, int]:
    """Visit up to `budget` nodes or find `most` covers; return how many of each.

    Covers go into the rows of `answers`, as option numbers closed by −1; with no rows they are only counted.
    """
    groups = U((problem.options.shape[0] + 63) // 64)
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        if _is_covered(state.open[U(depth)], groups):  # X2
            if keep:
                _record(state, depth, answers, found)
            found += 1
        else:
            item, count = _fewest_dense(problem, state.live[U(depth)], state.open[U(depth)], groups)
            if count != U(0):
                _open_level(state, depth, item, count)
                depth += 1
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:  # X7, X8
            depth -= 1
        if depth == 0:
            depth = -1
        else:  # X5
            state.at[depth - 1] += 1
            _next_dense(problem, state, depth - 1)
    state.depth[0] = depth
    return nodes, found


@kernel
def advance_packed(
    problem: Problem,
    state: State,
    answers: NDArray[np.int32],
    budget: int,
    most: int,
    stop: NDArray[np.uint8],
) -> tuple[int, int]:
    """The same search as `advance_dense`, node for node, on packed words."""
    groups = U((problem.options.shape[0] + 63) // 64)
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        d = U(depth)
        if _is_covered(state.open[d], groups):
            if keep:
                _record(state, depth, answers, found)
            found += 1
        else:
            item, count = _fewest_packed(problem, state.live[d], state.place[d], state.kept[d], state.open[d], groups)
            if count != U(0):
                _open_level(state, depth, item, count)
                depth += 1
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:
            depth -= 1
        if depth == 0:
            depth = -1
        else:
            state.at[depth - 1] += 1
            _next_packed(problem, state, depth - 1)
    state.depth[0] = depth
    return nodes, found


@kernel
def replay(problem: Problem, state: State, packed: bool, frontier: bool) -> None:
    """Rebuild the rows of every depth from the path in `at`: the state then stands before the node it leads to.

    The item of each level is found as the search found it; where a level's width is another, the cursor belongs to
    another problem, and `depth` is set to −2.
    """
    groups = U((problem.options.shape[0] + 63) // 64)
    for w in range(problem.every.shape[0]):
        state.live[0, w] = problem.every[w]
        state.place[0, w] = w
    state.kept[0] = U(problem.every.shape[0])
    for group in range(problem.items.shape[0]):
        state.open[0, group] = problem.items[group]
    for depth in range(state.depth[0]):
        d = U(depth)
        if packed:
            item, count = _fewest_packed(problem, state.live[d], state.place[d], state.kept[d], state.open[d], groups)
        elif frontier:
            item, count = _first_unless_forced(problem, state.live[d], state.open[d], groups)
        else:
            item, count = _fewest_dense(problem, state.live[d], state.open[d], groups)
        if _is_covered(state.open[d], groups) or np.int64(count) != state.width[depth]:
            state.depth[0] = -2
            return
        state.item[d] = item
        state.option[d] = -1
        for _ in range(state.at[depth] + 1):
            if packed:
                _next_packed(problem, state, depth)
            else:
                _next_dense(problem, state, depth)


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
