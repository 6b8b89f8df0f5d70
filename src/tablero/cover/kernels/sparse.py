"""Exact cover on sparse sets, for problems with too many options for a matrix of bits.

    node      one entry of the problem: an option's use of an item, perhaps with a colour (0 = none)
    set       an item's live options, as node numbers: the first `size` members of its stretch of one long array.
              A member is removed by swapping it with the last live one, and comes back when the size does
    fixed     an item that needs no more attention: covered, or (secondary) bound to a colour
    trail     the sizes to put back, with the items they belong to; each node leaves its set at most once on the way
              down, so the trail is never longer than there are nodes

After Knuth's SSXCC.  Members change places all the time, so a level's children are copied out and sorted: children are then
numbered by the node of the tree alone, and the tree is, node for node, that of the bitset kernels.

Options may have costs.  Then a subtree is cut off when its cost and, for every open item, the cheapest share of any of its
options (cost by primary items) come to no less than the best cover known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.cover.kernels.bits import Numbers, U, Words, record
from tablero.search.compiled import inlined, kernel

C = np.uint32
Small = NDArray[np.uint32]


class Problem(NamedTuple):
    """The options one after another; items from `primary` on are secondary.

    Indices are unsigned throughout: a signed one costs Numba a test for negatives.
    """

    start: Words  # an option's first node; one more at the end
    item: Small  # a node's item
    colour: Small  # a node's colour
    option: Small  # a node's option
    base: Words  # where an item's set begins; one more at the end
    members: Small  # the sets, full
    primary: np.uint64
    cost: Numbers  # of each option
    share: NDArray[np.float64]  # the least that covering an item costs


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor; `levels` has a row of marks for every depth."""

    members: Small
    place: Small  # of a node among the members
    size: Words  # of an item's set
    fixed: NDArray[np.uint8]
    order: Small  # the primary items, those still open first
    spot: Small  # an item's place in it
    mark: Words  # the last attempt that used the item: tells the items of the option being tried
    stamp: Words  # the last mark under which an item's size was put on the trail
    trail: Small
    old: Small  # the size to restore, along with the trail
    done: Small  # the fixed items in order
    children: Small  # of all levels, one after another
    levels: Words  # depth × 7, see the names below
    spent: NDArray[np.float64]  # depth × 2: cost of the options chosen, least cost of the items open
    chosen: Numbers
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers
    now: Words  # see the names below


# Columns of `levels`: lengths of the trail, of `done` and of open items before the level's item is covered, and after;
# then where the level's children begin.
TRAIL, DONE, OPEN, TRAIL_CHILD, DONE_CHILD, OPEN_CHILD, CHILDREN = range(7)
# Places in `now`: the same three lengths as they are, the end of the children, whether the node to visit next can still be
# completed, and a counter that makes every mark new.
NOW_TRAIL, NOW_DONE, NOW_OPEN, NOW_CHILDREN, ALIVE, MARK = range(6)


# For problems and states with sparse sets, also those of `multicover`


def set_tables(start: NDArray[np.int64], item: NDArray[np.int32], items: int) -> dict[str, Any]:
    """The options and the full sets of a problem."""
    sizes = np.bincount(item, minlength=items)
    return {
        "start": start.astype(np.uint64),
        "item": item.astype(np.uint32),
        "option": np.repeat(np.arange(len(start) - 1, dtype=np.uint32), np.diff(start)),
        "base": np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint64),
        "members": np.argsort(item, kind="stable").astype(np.uint32),
    }


def cursor_arrays(depth: int) -> dict[str, Any]:
    """The options chosen and the cursor of a state."""
    arrays = {name: np.zeros(depth + 1, np.int64) for name in ("chosen", "at", "last", "width")}
    return {**arrays, "depth": np.zeros(1, np.int64)}


def set_arrays(problem: Any, depth: int, primary: int) -> dict[str, Any]:
    """The sets of a state as the search begins with them, its marks and its cursor."""
    nodes, items = len(problem.item), len(problem.base) - 1
    place = np.empty(nodes, np.uint32)
    place[problem.members] = np.arange(nodes, dtype=np.uint32)
    now = np.zeros(6, np.uint64)
    now[NOW_OPEN], now[ALIVE] = primary, 1
    return {
        "members": problem.members.copy(),
        "place": place,
        "size": np.diff(problem.base),
        "order": np.arange(primary, dtype=np.uint32),
        "spot": np.arange(items, dtype=np.uint32),
        "levels": np.zeros((depth + 1, 7), np.uint64),
        "now": now,
        **cursor_arrays(depth),
    }


@inlined
def close(state: Any, item: np.uint64) -> None:
    """Move an item behind those that are open."""
    end = state.now[NOW_OPEN] - U(1)
    state.now[NOW_OPEN] = end
    spot = U(state.spot[item])
    other = U(state.order[end])
    state.order[spot] = other
    state.spot[other] = spot
    state.order[end] = item
    state.spot[item] = end


@inlined
def remove(state: Any, node: np.uint64, end: np.uint64) -> None:
    """Exchange a node with the last live member of its set, which stands at `end`."""
    place = U(state.place[node])
    moved = U(state.members[end])
    state.members[place] = moved
    state.place[moved] = place
    state.members[end] = node
    state.place[node] = end


@inlined
def fewest(state: Any) -> np.uint64:
    """The open item with the fewest options, the first of them by number."""
    chosen = U(state.order[0])
    best = state.size[chosen]
    for k in range(U(1), state.now[NOW_OPEN]):
        item = U(state.order[k])
        size = state.size[item]
        if size < best or (size == best and item < chosen):
            best = size
            chosen = item
    return chosen


@inlined
def copy_children(problem: Any, state: Any, depth: int, item: np.uint64) -> None:
    """Begin a level: copy the item's options out, and sort them by Shell's method, as levels are hardly ever long."""
    now, values = state.now, state.children
    marks = state.levels[depth]
    marks[TRAIL] = now[NOW_TRAIL]
    marks[DONE] = now[NOW_DONE]
    marks[OPEN] = now[NOW_OPEN]
    marks[CHILDREN] = now[NOW_CHILDREN]
    begin = now[NOW_CHILDREN]
    base = problem.base[item]
    for k in range(state.size[item]):
        values[begin + k] = problem.option[U(state.members[base + k])]
    now[NOW_CHILDREN] = begin + state.size[item]
    first, end = np.int64(begin), np.int64(now[NOW_CHILDREN])
    gap = 1
    while gap < (end - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for place in range(first + gap, end):
            value = values[place]
            j = place
            while j >= first + gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 3


@inlined
def open_level(state: Any, depth: int, item: np.uint64) -> bool:
    """Write a level with a child for each option of the item into the cursor; False where the item has none."""
    size = np.int64(state.size[item])
    if size == 0:
        return False
    state.at[depth] = -1
    state.last[depth] = size - 1
    state.width[depth] = size
    return True


# For exact covers


@inlined
def _cover(problem: Problem, state: State, item: np.uint64, colour: np.uint32, strict: bool) -> bool:
    """Fix an item and hide what can no longer be chosen: all its options, or those of another colour.

    To hide an option is to remove it from the sets of its other items.  With `strict`, stop and say False when that
    leaves a primary item without options.
    """
    now = state.now
    state.fixed[item] = 1
    state.done[now[NOW_DONE]] = item
    now[NOW_DONE] += U(1)
    if item < U(state.order.shape[0]):
        close(state, item)
    mark = now[MARK]
    trail = now[NOW_TRAIL]
    alive = True
    base = problem.base[item]
    for k in range(base, base + state.size[item]):
        node = U(state.members[k])
        if colour != C(0) and problem.colour[node] == colour:
            continue
        option = U(problem.option[node])
        for other in range(problem.start[option], problem.start[option + U(1)]):
            touched = U(problem.item[other])
            if other == node or state.fixed[touched]:
                continue
            size = state.size[touched]
            if state.stamp[touched] != mark:
                state.stamp[touched] = mark
                state.trail[trail] = touched
                state.old[trail] = size
                trail += U(1)
            size -= U(1)
            state.size[touched] = size
            remove(state, U(other), problem.base[touched] + size)
            if size == U(0) and touched < problem.primary and state.mark[touched] != mark:
                alive = False
        if strict and not alive:
            break
    now[NOW_TRAIL] = trail
    return alive


@inlined
def _restore(state: State, trail: np.uint64, done: np.uint64, left: np.uint64) -> None:
    """Undo down to these lengths."""
    now = state.now
    top = now[NOW_TRAIL]
    while top > trail:
        top -= U(1)
        state.size[U(state.trail[top])] = state.old[top]
    now[NOW_TRAIL] = trail
    top = now[NOW_DONE]
    while top > done:
        top -= U(1)
        state.fixed[U(state.done[top])] = 0
    now[NOW_DONE] = done
    now[NOW_OPEN] = left


@inlined
def _cover_level(problem: Problem, state: State, depth: int, item: np.uint64) -> None:
    """Copy the item's options out, and cover it."""
    now = state.now
    marks = state.levels[depth]
    copy_children(problem, state, depth, item)
    now[MARK] += U(1)
    _cover(problem, state, item, C(0), False)
    marks[TRAIL_CHILD] = now[NOW_TRAIL]
    marks[DONE_CHILD] = now[NOW_DONE]
    marks[OPEN_CHILD] = now[NOW_OPEN]


@inlined
def _try_child(problem: Problem, state: State, depth: int) -> None:
    """Undo the child tried before, if any, and choose the child that the level stands on."""
    now = state.now
    marks = state.levels[depth]
    _restore(state, marks[TRAIL_CHILD], marks[DONE_CHILD], marks[OPEN_CHILD])
    option = U(state.children[marks[CHILDREN] + U(state.at[depth])])
    state.chosen[depth] = np.int64(option)
    mark = now[MARK] + U(1)
    now[MARK] = mark
    open_cost = state.spent[depth, 1]
    for node in range(problem.start[option], problem.start[option + U(1)]):
        item = U(problem.item[node])
        state.mark[item] = mark
        if item < problem.primary:
            open_cost -= problem.share[item]
    alive = True
    for node in range(problem.start[option], problem.start[option + U(1)]):
        item = U(problem.item[node])
        if not state.fixed[item] and not _cover(problem, state, item, problem.colour[node], True):
            alive = False
            break
    state.spent[depth + 1, 0] = state.spent[depth, 0] + problem.cost[option]
    state.spent[depth + 1, 1] = open_cost
    now[ALIVE] = U(alive)


@kernel
def advance(
    problem: Problem, state: State, answers: NDArray[np.int32], budget: int, most: int, stop: NDArray[np.uint8],
    best: Numbers, cheapest: bool, slack: float,
) -> tuple[int, int]:  # fmt: skip
    """Visit up to `budget` nodes or find `most` covers; return how many of each.

    With `cheapest`, only covers that cost less than best[0] count, and each puts its cost there; `slack` is what the sum
    of shares may be off by.
    """
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        alive = state.now[ALIVE] != U(0)
        if cheapest:
            alive = alive and state.spent[depth, 0] + state.spent[depth, 1] <= best[0] - 1 + slack
        if alive and state.now[NOW_OPEN] == U(0):
            if cheapest:
                best[0] = np.int64(state.spent[depth, 0])
            if keep:
                record(state.chosen, depth, answers, found)
            found += 1
        elif alive:
            item = fewest(state)
            if open_level(state, depth, item):
                _cover_level(problem, state, depth, item)
                depth += 1
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:
            depth -= 1
            marks = state.levels[depth]
            _restore(state, marks[TRAIL], marks[DONE], marks[OPEN])
            state.now[NOW_CHILDREN] = marks[CHILDREN]
        if depth == 0:
            depth = -1
        else:
            state.at[depth - 1] += 1
            _try_child(problem, state, depth - 1)
    state.depth[0] = depth
    return nodes, found


@kernel
def replay(problem: Problem, state: State) -> None:
    """Walk the path in `at` from a fresh state; `depth` becomes −2 where the cursor belongs to another problem."""
    for depth in range(state.depth[0]):
        if state.now[NOW_OPEN] == U(0) or state.now[ALIVE] == U(0):
            state.depth[0] = -2
            return
        item = fewest(state)
        if np.int64(state.size[item]) != state.width[depth]:
            state.depth[0] = -2
            return
        _cover_level(problem, state, depth, item)
        _try_child(problem, state, depth)
