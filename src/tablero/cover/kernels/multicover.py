"""Multicovers: choose options, some perhaps more than once, so that every item is covered just as often as it needs.

    need      how often an item is to be covered in all; `left` is how often it still is
    amount    how often an option covers one of its items
    set       an item's live options, as in `sparse`: those none of whose items would be covered too often

A multicover is a multiset of options, and is found once: at a node an item is taken, its live options are the children,
and below a child those before it are excluded (what they can be part of has been found), but not the child itself.
After Knuth's Algorithm M, TAOCP 7.2.2.1.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.cover.kernels.bits import Numbers, U, Words, record
from tablero.cover.kernels.sparse import (
    CHILDREN,
    NOW_CHILDREN,
    NOW_OPEN,
    NOW_TRAIL,
    OPEN,
    TRAIL,
    TRAIL_CHILD,
    Small,
    close,
    copy_children,
    fewest,
    open_level,
    remove,
    set_arrays,
    set_tables,
)
from tablero.search.base import Answers, Bound, Flag
from tablero.search.compiled import inlined, kernel
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor


class Options(NamedTuple):
    """The options one after another; every option's amounts are at most what its items need."""

    start: Numbers
    item: NDArray[np.int32]
    amount: NDArray[np.int32]
    need: Numbers  # of each item

    @property
    def rows(self) -> int:
        return len(self.start) - 1


class Problem(NamedTuple):
    start: Words
    item: Small
    amount: Small
    option: Small  # a node's option
    base: Words  # where an item's set begins
    members: Small  # the sets, full
    most: Small  # the largest amount of an item
    need: Small


class State(NamedTuple):
    """`at`, `last`, `width` and `depth` are the cursor."""

    members: Small
    place: Small
    size: Words
    left: Small
    order: Small  # the items, those that still need something first
    spot: Small
    trail: Small  # items whose size, or (plus the number of items) whose need has changed
    old: Words  # the value to put back
    children: Small
    levels: Words  # depth × 7, as in `sparse`; nothing is fixed here
    chosen: Numbers
    at: Numbers
    last: Numbers
    width: Numbers
    depth: Numbers
    now: Words


@kernel
def _hide(problem: Problem, state: State, option: np.uint64) -> None:
    """Take an option out of the sets of all its items."""
    trail = state.now[NOW_TRAIL]
    for node in range(problem.start[option], problem.start[option + U(1)]):
        item = U(problem.item[node])
        end = problem.base[item] + state.size[item] - U(1)
        if state.size[item] == U(0) or U(state.place[node]) > end:
            continue
        state.trail[trail] = item
        state.old[trail] = state.size[item]
        trail += U(1)
        state.size[item] -= U(1)
        remove(state, U(node), end)
    state.now[NOW_TRAIL] = trail


@kernel
def _choose(problem: Problem, state: State, option: np.uint64) -> None:
    """Cover the option's items, and hide the options that would now cover one of them too often."""
    now = state.now
    for node in range(problem.start[option], problem.start[option + U(1)]):
        item = U(problem.item[node])
        state.trail[now[NOW_TRAIL]] = item + U(state.left.shape[0])
        state.old[now[NOW_TRAIL]] = state.left[item]
        now[NOW_TRAIL] += U(1)
        left = state.left[item] - problem.amount[node]
        state.left[item] = left
        if left == 0:
            close(state, item)
        if left < problem.most[item]:
            base = problem.base[item]
            k = state.size[item]
            while k > U(0):
                k -= U(1)
                rival = U(state.members[base + k])
                if problem.amount[rival] > left:
                    _hide(problem, state, U(problem.option[rival]))


@inlined
def _restore(state: State, trail: np.uint64, left: np.uint64) -> None:
    """Undo down to these lengths."""
    now = state.now
    items = U(state.left.shape[0])
    top = now[NOW_TRAIL]
    while top > trail:
        top -= U(1)
        item = U(state.trail[top])
        if item < items:
            state.size[item] = state.old[top]
        else:
            state.left[item - items] = state.old[top]
    now[NOW_TRAIL] = trail
    now[NOW_OPEN] = left


@kernel
def _try_child(problem: Problem, state: State, depth: int, excluded: int) -> None:
    """Undo the child tried before; exclude those from `excluded` up to the one stood on, and choose that."""
    marks = state.levels[depth]
    _restore(state, marks[TRAIL_CHILD], marks[OPEN])
    first = marks[CHILDREN]
    for k in range(excluded, state.at[depth]):
        _hide(problem, state, U(state.children[first + U(k)]))
    marks[TRAIL_CHILD] = state.now[NOW_TRAIL]
    option = U(state.children[first + U(state.at[depth])])
    state.chosen[depth] = np.int64(option)
    _choose(problem, state, option)


@kernel
def advance(
    problem: Problem, state: State, answers: NDArray[np.int32], budget: int, most: int, stop: NDArray[np.uint8]
) -> tuple[int, int]:
    """Visit up to `budget` nodes or find `most` multicovers; return how many of each."""
    keep = answers.shape[0] > 0
    depth = state.depth[0]
    nodes = 0
    found = 0
    while depth >= 0 and nodes < budget and found < most and stop[0] == 0:
        nodes += 1
        if state.now[NOW_OPEN] == U(0):
            if keep:
                record(state.chosen, depth, answers, found)
            found += 1
        else:
            item = fewest(state)
            if open_level(state, depth, item):
                copy_children(problem, state, depth, item)
                state.levels[depth, TRAIL_CHILD] = state.now[NOW_TRAIL]
                depth += 1
        while depth > 0 and state.at[depth - 1] == state.last[depth - 1]:
            depth -= 1
            marks = state.levels[depth]
            _restore(state, marks[TRAIL], marks[OPEN])
            state.now[NOW_CHILDREN] = marks[CHILDREN]
        if depth == 0:
            depth = -1
        else:
            state.at[depth - 1] += 1
            _try_child(problem, state, depth - 1, max(state.at[depth - 1] - 1, 0))
    state.depth[0] = depth
    return nodes, found


@kernel
def replay(problem: Problem, state: State) -> None:
    """Walk the path in `at` from a fresh state; `depth` becomes −2 where the cursor belongs to another problem."""
    for depth in range(state.depth[0]):
        if state.now[NOW_OPEN] == U(0):
            state.depth[0] = -2
            return
        item = fewest(state)
        if np.int64(state.size[item]) != state.width[depth]:
            state.depth[0] = -2
            return
        copy_children(problem, state, depth, item)
        state.levels[depth, TRAIL_CHILD] = state.now[NOW_TRAIL]
        _try_child(problem, state, depth, 0)


@dataclass
class MulticoverSearch(TreeSearch):
    """The search for multicovers.  An answer is the numbers of its options, closed by −1."""

    options: Options
    name: str = field(init=False, default="multicover/1")
    per_process: ClassVar[frozenset[str]] = frozenset({"_problem"})

    @cached_property
    def width(self) -> int:
        """The most options that a multicover can have."""
        if not self.options.rows:
            return 0
        sums = np.add.reduceat(self.options.amount, self.options.start[:-1])
        return int(self.options.need.sum()) // max(1, int(sums.min()))

    def digest(self) -> str:
        parts = hashlib.sha256()
        for array in self.options:
            parts.update(np.ascontiguousarray(array).tobytes() + b"|")
        return parts.hexdigest()

    @cached_property
    def _problem(self) -> Problem:
        options, items = self.options, len(self.options.need)
        most = np.zeros(items, np.uint32)
        np.maximum.at(most, options.item, options.amount.astype(np.uint32))
        return Problem(
            **set_tables(options.start, options.item, items),
            amount=options.amount.astype(np.uint32),
            most=most,
            need=options.need.astype(np.uint32),
        )

    def begin(self, cursor: Cursor) -> Any:
        problem, depth = self._problem, self.width
        longest = len(problem.item) + int(problem.need.sum()) + 1
        state = State(
            **set_arrays(problem, depth, len(problem.need)),
            left=problem.need.copy(),
            trail=np.zeros(longest, np.uint32),
            old=np.zeros(longest, np.uint64),
            # The live options of a level's item are also those of the levels below: the same item may come again.
            children=np.zeros((depth + 1) * int(np.diff(problem.base).max(initial=0)) + 1, np.uint32),
        )
        write_cursor(state, cursor)
        replay(problem, state)
        return state

    def decided(self, state: Any, row: Answers) -> bool:
        laid = max(int(state.depth[0]), 0)
        row[:laid] = state.chosen[:laid]
        return True

    def step(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        nodes, found = advance(self._problem, state, answers, budget, most, stop)
        return int(nodes), int(found)
