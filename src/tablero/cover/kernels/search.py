"""Exact cover as a search: chooses a kernel, builds its tables, and runs it.

    bits      bitsets, with dense or packed words by the number of options (the same tree)
    sparse    sparse sets, for any number of options (the same tree)
    memo      bitsets and a table of subtrees, for counting
    frontier  as memo, with a branching rule that creates fewer different subtrees

`fastest_counter` chooses a counting kernel by a race of a few thousand nodes.  The nodes of `bits` and `sparse` depend on
the problem alone; those of a memo also on what it has visited.  A search for the cheapest cover numbers the options by cost.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.cover.kernels import bits, sparse
from tablero.errors import BadInput
from tablero.search.base import UNBOUNDED, Answers, Bound, Flag
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, read_cursor, write_cursor

KERNELS: tuple[Literal["bits", "sparse", "memo", "frontier"], ...] = ("bits", "sparse", "memo", "frontier")
COUNTERS: tuple[Literal["memo", "frontier"], ...] = ("memo", "frontier")  # these only count
MOST_BITS = 20_000  # options: a matrix of 50 MB
PACKED_FROM = 48  # words a row: where packing begins to pay
RACE_NODES = {"bits": 1 << 17, "memo": 1 << 16, "frontier": 1 << 16}  # about equal times
MEMO_BYTES = 1 << 29  # a table grows no larger than this
_FIRST_SLOTS = 1 << 12


class Options(NamedTuple):
    """The options of an exact cover, one after another: items from `primary` on are secondary; colour 0 is none."""

    start: NDArray[np.int64]
    item: NDArray[np.int32]
    colour: NDArray[np.int32]
    items: int
    primary: int

    @property
    def rows(self) -> int:
        """The number of options."""
        return len(self.start) - 1

    def items_of(self, option: int) -> list[int]:
        """The numbers of an option's items."""
        items: list[int] = self.item[self.start[option] : self.start[option + 1]].tolist()
        return items

    @property
    def owner(self) -> NDArray[np.int64]:
        """The option of every entry."""
        return np.repeat(np.arange(self.rows), np.diff(self.start))


@dataclass
class CoverSearch(TreeSearch):
    """The search for exact covers.  An answer is the numbers of its options, closed by −1."""

    options: Options
    kernel: str
    cost: NDArray[np.int64] | None = None  # of each option: the cheapest cover is wanted
    name: str = field(init=False)
    minimises: bool = field(init=False)
    per_process: ClassVar[frozenset[str]] = frozenset({"_tables", "_building", "_memos"})

    def __post_init__(self) -> None:
        self.minimises = self.cost is not None
        self.name = f"cover.{self.kernel}{'.cheapest' if self.minimises else ''}/1"
        self._reset()

    def _reset(self) -> None:
        self._tables: _Tables | None = None
        self._building = threading.Lock()
        self._memos: list[bits.Memo] = []

    @property
    def variant(self) -> Hashable:
        """The name of the kernel with its words, dense or packed, which share a job."""
        return self.name, self.options.rows >= 64 * PACKED_FROM

    @cached_property
    def width(self) -> int:
        """The most options that a cover can have: each contains at least as many primary items as the smallest."""
        sizes = self._primaries()
        sizes = sizes[sizes > 0]
        return min(self.options.primary // int(sizes.min()), self.options.rows) if len(sizes) else 0

    def digest(self) -> str:
        parts = hashlib.sha256(f"{self.options.items} {self.options.primary}".encode())
        for array in (*self.options[:3], *(() if self.cost is None else (self.cost,))):
            parts.update(np.ascontiguousarray(array).tobytes())
        return parts.hexdigest()

    def value(self, answer: Answers) -> int:
        assert self.cost is not None
        return int(self.cost[answer[answer >= 0]].sum())

    def tables(self) -> _Tables:
        """The kernel's problem, made once by the first thread that needs it."""
        with self._building:
            if self._tables is None:
                self._tables = self._sparse_tables() if self.kernel == "sparse" else self._bit_tables()
            return self._tables

    def _shares(self) -> NDArray[np.float64]:
        """Each option's cost by primary item; an option without primary items is never chosen."""
        assert self.cost is not None
        return self.cost / np.maximum(self._primaries(), 1)

    @cached_property
    def _slack(self) -> float:
        """The rounding error of a sum of shares, one for each primary item."""
        largest = 0 if self.cost is None else int(np.abs(self.cost).max(initial=0))
        return 1e-9 + self.options.primary**2 * largest * float(np.finfo(float).eps)

    def _primaries(self) -> NDArray[np.int64]:
        """The number of primary items of each option."""
        return np.bincount(self.options.owner[self.options.item < self.options.primary], minlength=self.options.rows)

    def _arranged(self) -> tuple[Options, NDArray[np.int64]]:
        """The options in the kernel's order, by share of cost and then by number, and that order."""
        if self.cost is None:
            return self.options, np.arange(self.options.rows)
        order = np.argsort(self._shares(), kind="stable")
        start, lengths = self.options.start, np.diff(self.options.start)
        nodes = np.concatenate([np.arange(start[o], start[o + 1]) for o in order] or [np.arange(0)])
        new_start = np.concatenate([[0], np.cumsum(lengths[order])])
        item, colour = self.options.item[nodes], self.options.colour[nodes]
        return Options(new_start, item, colour, self.options.items, self.options.primary), order

    def _bit_tables(self) -> _Tables:
        options, order = self._arranged()
        problem = bit_problem(options)
        if self.cost is not None:
            problem = problem._replace(cost=self.cost[order], share=self._shares()[order])
            return _Tables(problem, order, bits.CHEAPEST)
        if self.kernel != "bits":
            return _Tables(problem, order, bits.FRONTIER if self.kernel == "frontier" else bits.DENSE)
        return _Tables(problem, order, bits.PACKED if len(problem.every) >= PACKED_FROM else bits.DENSE)

    def _sparse_tables(self) -> _Tables:
        options, order = self._arranged()
        cost, share = np.zeros(options.rows, np.int64), np.zeros(options.primary)
        if self.cost is not None:
            cost = self.cost[order]
            share[:] = np.inf
            primary = options.item < options.primary
            np.minimum.at(share, options.item[primary], self._shares()[order][options.owner[primary]])
            share[np.isinf(share)] = 0
        colour, sets = options.colour.astype(np.uint32), sparse.set_tables(*options[:2], options.items)
        return _Tables(
            sparse.Problem(**sets, colour=colour, primary=np.uint64(options.primary), cost=cost, share=share), order
        )

    def begin(self, cursor: Cursor) -> Any:
        problem, _, rule = self.tables()
        if self.kernel == "sparse":
            state: Any = sparse_state(problem, self.width)
            write_cursor(state, cursor)
            sparse.replay(problem, state)
            return state
        state = bit_state(problem, self.width)
        write_cursor(state, cursor)
        bits.replay(problem, state, rule)
        if self.kernel == "bits":
            return state
        memo = self._memos.pop() if self._memos else empty_memo(len(problem.items), self.width)
        memo.whole[:] = 0
        return _Counting(state, memo, state.at, state.last, state.width, state.depth)

    def warm(self) -> None:
        super().warm()
        if self._memos:  # a small count never grows its table
            memo = self._memos[0]
            bits.rehash(memo, memo._replace(slots=np.zeros_like(memo.slots), tally=memo.tally.copy()))
        self._memos.clear()  # a search begins with a table that knows nothing, whether or not it had to be compiled

    def end(self, state: Any) -> None:
        if isinstance(state, _Counting):
            self._memos.append(state.memo)

    def decided(self, state: Any, row: Answers) -> bool:
        chosen = (state.tree if isinstance(state, _Counting) else state).chosen[: max(int(state.depth[0]), 0)]
        row[: len(chosen)] = self.tables().order[chosen]
        return True

    def step(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        problem, order, rule = self.tables()
        if isinstance(state, _Counting):
            count = bits.count_frontier if rule == bits.FRONTIER else bits.count_memo
            nodes, low, high = count(problem, state.tree, state.memo, budget, stop)
            if state.memo.tally[3]:
                raise BadInput(f"there are more than 2^127 covers, which the kernel {self.kernel!r} cannot count")
            state.memo = grown(state.memo)
            return int(nodes), int(low) + (int(high) << 64)
        if self.kernel == "sparse":
            limits = (budget, most, stop, bound, self.minimises, self._slack)
            nodes, found = sparse.advance(problem, state, answers, *limits)
        else:
            nodes, found = _ADVANCE[rule](problem, state, answers, budget, most, stop, bound, self._slack)
        if found and len(answers) and self.cost is not None:
            rows = answers[:found]
            rows[rows >= 0] = order[rows[rows >= 0]]
        return int(nodes), int(found)


def default_kernel(options: Options) -> str:
    """The kernel for finding covers."""
    return "bits" if options.rows <= MOST_BITS else "sparse"


def fastest_counter(options: Options, patience: float | None = None) -> tuple[str, float]:
    """Return the kernel that gets furthest through its tree in a fixed number of nodes, and the seconds without compiling.

    The choice does not depend on the clock, unless the race exceeds `patience`.  A memo does not support colours: the set of
    open items does not say which colours are used.
    """
    plain = default_kernel(options)
    if plain == "sparse" or options.colour.any():
        return plain, 0.0
    # So few nodes at a time that Ctrl-C is heard: a node costs about the square of the options.
    some = max(16, min(1 << 12, (1 << 34) // max(options.rows, 1) ** 2))
    spent = 0.0
    stop, bound, nothing = np.zeros(1, np.uint8), np.zeros(1, np.int64), np.empty((0, 0), np.int32)
    best, least = plain, Fraction(2)
    for kernel, nodes in RACE_NODES.items():
        search = CoverSearch(options, kernel)
        state = search.begin(Cursor())
        search.step(state, nothing, 1, UNBOUNDED, stop, bound)  # compiles
        began, nodes = time.monotonic(), nodes - 1
        while nodes > 0 and state.depth[0] >= 0:  # in slices: a memo grows between them
            nodes -= search.step(state, nothing, min(nodes, some), UNBOUNDED, stop, bound)[0]
            if patience is not None and spent + time.monotonic() - began > patience:
                return plain, spent + time.monotonic() - began
        spent += time.monotonic() - began
        rest = read_cursor(state)
        if rest is None:
            return kernel, spent
        if (left := rest.share()) < least:  # exact: the shares of a large tree differ in their thirtieth place
            best, least = kernel, left
    return best, spent


_ADVANCE = {bits.DENSE: bits.advance_dense, bits.PACKED: bits.advance_packed, bits.CHEAPEST: bits.advance_cheapest}


class _Tables(NamedTuple):
    problem: Any  # of the kernel
    order: NDArray[np.int64]  # the option that stands at each of the kernel's places
    rule: int = bits.DENSE


def bit_problem(options: Options) -> bits.Problem:
    """The matrix of conflicts and the bits of every item."""
    words = max(1, -(-options.rows // 64))
    groups, more = -(-options.primary // 64), -(-(options.items - options.primary) // 64)
    # Secondary items begin a new word, so that the primary ones can be looked at alone.
    bit = np.where(options.item < options.primary, options.item, options.item - options.primary + 64 * groups)
    shade, shades = np.zeros(len(options.item), np.uint64), 1
    if options.colour.any():
        pairs = options.item.astype(np.int64) << 32 | options.colour
        kinds, which = np.unique(np.where(options.colour > 0, pairs, -1), return_inverse=True)
        shade = (which + (kinds[0] != -1)).astype(np.uint64)
        shades = len(kinds) + 1
    holders = np.zeros((options.items, words), np.uint64)
    friends = np.zeros((options.rows, words), np.uint64)
    covers = np.zeros((options.rows, groups + more), np.uint64)
    item = options.item.astype(np.uint64)
    alike = np.zeros((shades, words), np.uint64)
    bits.fill(options.start, item, shade, bit.astype(np.uint64), holders, alike, covers, friends)
    rows = np.ascontiguousarray(holders[: options.primary])
    used = rows != 0
    return bits.Problem(
        friends=friends,
        options=rows,
        low=used.argmax(axis=1).astype(np.uint64),
        high=np.where(used.any(axis=1), words - used[:, ::-1].argmax(axis=1), 1).astype(np.uint64),
        covers=covers,
        every=_ones(options.rows, words),
        items=np.concatenate([_ones(options.primary, groups), _ones(options.items - options.primary, more)]),
        cost=np.zeros(0, np.int64),
        share=np.zeros(0),
    )


def _ones(count: int, words: int) -> NDArray[np.uint64]:
    """The first `count` bits set."""
    out = np.zeros(words, np.uint64)
    out[: count // 64] = ~np.uint64(0)
    if count % 64:
        out[count // 64] = (1 << count % 64) - 1
    return out


def bit_state(problem: bits.Problem, depth: int) -> bits.State:
    words, groups = len(problem.every), len(problem.items)
    return bits.State(
        live=np.zeros((depth + 1, words), np.uint64),
        open=np.zeros((depth + 1, groups), np.uint64),
        place=np.zeros((depth + 1, words), np.uint32),
        kept=np.zeros(depth + 1, np.uint64),
        item=np.zeros(depth + 1, np.uint64),
        option=np.zeros(depth + 1, np.int64),
        **sparse.cursor_arrays(depth),
    )


def sparse_state(problem: sparse.Problem, depth: int) -> sparse.State:
    nodes, items = len(problem.item), len(problem.base) - 1
    spent = np.zeros((depth + 2, 2))
    spent[0, 1] = problem.share.sum()
    return sparse.State(
        **sparse.set_arrays(problem, depth, int(problem.primary)),
        fixed=np.zeros(items, np.uint8),
        mark=np.zeros(items, np.uint64),
        stamp=np.zeros(items, np.uint64),
        trail=np.zeros(nodes + 1, np.uint32),
        old=np.zeros(nodes + 1, np.uint32),
        done=np.zeros(items + 1, np.uint32),
        children=np.zeros(nodes + 1, np.uint32),
        spent=spent,
    )


@dataclass
class _Counting:
    """The state of a count: the bitset search with its cursor, and its memo."""

    tree: bits.State
    memo: bits.Memo
    at: NDArray[np.int64]
    last: NDArray[np.int64]
    width: NDArray[np.int64]
    depth: NDArray[np.int64]


def empty_memo(groups: int, depth: int, slots: int = _FIRST_SLOTS) -> bits.Memo:
    return bits.Memo(
        slots=np.zeros((slots, groups + 3), np.uint64),
        low=np.zeros(depth + 1, np.uint64),
        high=np.zeros(depth + 1, np.uint64),
        nodes=np.zeros(depth + 1, np.int64),
        whole=np.zeros(depth + 1, np.uint8),
        tally=np.zeros(4, np.int64),
    )


def grown(memo: bits.Memo) -> bits.Memo:
    """The memo; a memo that is half full is moved into one four times as large, up to a limit."""
    slots, width = memo.slots.shape
    if memo.tally[2] * 2 < slots or slots * 4 > 1 << (MEMO_BYTES // (8 * width)).bit_length() - 1:
        return memo
    larger = empty_memo(width - 3, 0, slots * 4)
    bits.rehash(memo, larger)
    larger.tally[:2] = memo.tally[:2]
    return memo._replace(slots=larger.slots, tally=larger.tally)
