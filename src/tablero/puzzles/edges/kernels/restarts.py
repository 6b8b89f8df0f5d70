"""One solution of an edge-matching puzzle by funnels, one after another, from other beginnings with other random numbers.

    beginning  an order of the cells, and what lies from the start: the clues, or a corner piece where all turns are alike
    step       one funnel
    state      seed, steps made, share of the work

A step that is interrupted is made again from its start, with the same random numbers, so a stored search goes on as if it
had never been stopped.  There is always another step, and not to find anything proves nothing.
"""

from __future__ import annotations

import struct
import time
from dataclasses import dataclass, field
from math import lgamma, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.edges.kernels import funnel as edges_funnel
from tablero.puzzles.edges.kernels.beam import BINS, Plan
from tablero.puzzles.edges.kernels.restarting import Restarting, scramble
from tablero.puzzles.edges.kernels.tiles import Tiles, equal_pieces
from tablero.search.base import Bound, Flag, Orders, Outcome

NOISE = (1.0, 2.0, 4.0)  # in turn, when all beginnings had theirs: a solution may lie where little is promised
NARROW = 3  # a funnel ends so many times narrower than it begins
_WIDE_UNTIL, _NARROW_FROM = 0.25, 0.6  # of the cells
_WARM_UP = (64, 8)  # the first funnels are narrower by these factors: what is easy is found soon
_CHILDREN = 4  # as many as boards, before those that promise least go
_STATE = struct.Struct("<QQd")  # seed, steps, share


class Beginning(NamedTuple):
    """Where a funnel begins: the cells in their order, and the variants that lie from the start."""

    cells: tuple[int, ...]
    laid: tuple[tuple[int, int], ...]


def _read(state: bytes) -> tuple[int, int, float]:
    if len(state) != _STATE.size:
        raise BadInput(f"a stored search by funnels has {len(state)} bytes: expected {_STATE.size}")
    seed, steps, share = _STATE.unpack(state)
    if steps >= 1 << 62 or not 0 <= share <= 1:
        raise BadInput(f"a stored search by funnels is damaged: step {steps}, a share of {share:g}")
    return seed, steps, share


@dataclass
class FunnelSearch(Restarting):
    """Funnels of a given width.  An answer is a variant for every cell."""

    rim: tuple[bool, ...]  # for every cell whether it has a side on the border
    beginnings: tuple[Beginning, ...]
    beam_width: int
    seed: int = 0
    name: str = field(init=False, default="edges.funnel/1")

    def _told(self) -> str:
        return f"{self.rim} {self.beginnings} {self.beam_width} {self.seed}"

    def starts(self) -> list[bytes]:
        return [_STATE.pack(self.seed, 0, 1.0)]

    def share(self, state: bytes) -> float:
        return _read(state)[2]

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        """There is no end of seeds: the others get fresh ones."""
        seed, steps, share = _read(state)
        fresh = [int(scramble(seed, (steps << 16) + k)) for k in range(1, parts)]
        return [_STATE.pack(seed, steps, share / parts), *(_STATE.pack(one, 0, share / parts) for one in fresh)]

    def order(self, state: bytes) -> tuple[int, ...]:
        return _read(state)[:2]

    def warm(self) -> None:
        small = FunnelSearch(self.tiles, self.rim, self.beginnings[:1], 2)
        small.advance(small.starts()[0], Orders(0.0, most=1), np.zeros(1, np.uint8), np.zeros(1, np.int64))

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        began, cpu = time.monotonic(), time.thread_time()
        seed, steps, share = _read(state)
        bench = self._benches.pop() if self._benches else _Bench(self)
        nodes, found = 0, None
        while not stop[0]:
            found, made = bench.funnel(seed, steps, stop)
            nodes += made
            if stop[0] and found is None:
                break  # made again when the search goes on
            steps += 1
            late = time.monotonic() - began >= orders.seconds
            if found is not None or late or (orders.nodes is not None and nodes >= orders.nodes):
                break  # a step is made whole, so it may be some more
        self._benches.append(bench)
        rows = np.array([] if found is None else [found], np.int32).reshape(-1, self.width)
        rest = _STATE.pack(seed, steps, share) if found is None else None
        return Outcome(nodes, len(rows), rows if orders.keep else rows[:0], rest, time.thread_time() - cpu)


class _Course(NamedTuple):
    """A beginning as arrays."""

    plan: Plan
    changes: NDArray[np.uint64]  # D × k: what laying a side changes
    tables: NDArray[np.uint64]  # D: the table of the cell's lists
    laying: NDArray[np.int32]  # −1 where a cell is to be filled
    front: dict[int, int]  # slot and colour of the sides that are open at the beginning
    slots: int


class _Lists:
    """Variants by the colours of the first two known sides of a cell: a table for every kind of cell and such sides."""

    def __init__(self, tiles: Tiles) -> None:
        self.tiles = tiles
        self.tables: dict[tuple[bytes, tuple[int, ...]], int] = {}
        self.starts: list[NDArray[np.int64]] = []
        self.variants: list[NDArray[np.int32]] = []
        self.size = 0

    def table(self, cell: int, sides: tuple[int, ...]) -> int:
        fitting, colours = self.tiles.fitting(cell), self.tiles.colours
        made = (fitting.tobytes(), sides)
        if made not in self.tables:
            self.tables[made] = len(self.tables)
            keys = np.zeros(len(fitting), np.int64)
            for side, weight in zip(sides, (colours, 1), strict=False):
                keys += self.tiles.shows[fitting, side] * weight
            number = np.bincount(keys, minlength=colours * colours)
            self.starts.append(self.size + np.cumsum(number) - number)
            self.variants.append(fitting[np.argsort(keys, kind="stable")])
            self.size += len(fitting)
        return self.tables[made]


class _Bench:
    """Tables, and the room that one thread works in."""

    def __init__(self, search: FunnelSearch) -> None:
        self.search = search
        tiles, boards = search.tiles, search.beam_width
        lists = _Lists(tiles)
        self.courses = [_course(search, beginning, lists) for beginning in search.beginnings]
        self.problem = _problem(search, lists)
        depth = max(len(course.plan.cell) for course in self.courses)
        children = _CHILDREN * boards + len(tiles.shows) + 1
        self.room = edges_funnel.Room(
            used=np.zeros((2, boards, -(-len(tiles.shows) // tiles.sides // 64)), np.uint64),
            front=np.zeros((2, boards, max(course.slots for course in self.courses)), np.uint8),
            counts=np.zeros((2, boards, int(self.problem.place.max()) + 1), np.int16),
            potential=np.zeros((2, boards)),
            rank=np.zeros(children),
            child_of=np.zeros(children, np.int32),
            child=np.zeros(children, np.int32),
            parent=np.zeros((depth, boards), np.int32),
            laid=np.zeros((depth, boards), np.int32),
            bins=np.zeros(BINS, np.int64),
            random=np.ones(1, np.uint64),
        )

    def funnel(self, seed: int, steps: int, stop: Flag) -> tuple[NDArray[np.int32] | None, int]:
        """One funnel: a solution or None, and the boards made."""
        width = self.search.beam_width
        if steps < len(_WARM_UP):
            width = max(1, width // _WARM_UP[steps])
        turn, number = divmod(int(scramble(seed, 0)) // 2 % (len(NOISE) * len(self.courses)) + steps, len(self.courses))
        course, noise = self.courses[number], NOISE[turn % len(NOISE)]
        laying = course.laying.copy()
        if not self._begin(course):
            return None, 0
        self.room.random[0] = scramble(seed, steps)
        widths = widths_of(width, len(course.plan.cell))
        done, made = edges_funnel.descend(
            self.problem, course.plan, course.changes, course.tables, widths, self.room, laying, noise, stop
        )
        return (laying if done else None), int(made)

    def _begin(self, course: _Course) -> bool:
        """The first board; False where a colour is short from the start."""
        tiles, room, place = self.search.tiles, self.room, self.problem.place.astype(np.int64)
        laid = course.laying[course.laying >= 0]
        room.used[0, 0] = 0
        for piece in (laid // tiles.sides).tolist():
            room.used[0, 0, piece // 64] |= np.uint64(1 << piece % 64)
        for slot, colour in course.front.items():
            room.front[0, 0, slot] = colour
        joins, inner, pairs = _counts(self.search, course.laying)
        counts = room.counts[0, 0]
        counts[:] = 0
        for row, values in zip(place, (joins, inner, pairs), strict=True):
            counts[row] = values
        room.potential[0, 0] = 0.0
        return bool((pairs >= 0).all())


def widths_of(width: int, size: int) -> NDArray[np.int64]:
    """Boards to keep at every depth: wide at first, narrow at the end, in equal ratios between."""
    share = np.clip((np.arange(1, size + 1) / size - _WIDE_UNTIL) / (_NARROW_FROM - _WIDE_UNTIL), 0.0, 1.0)
    return np.maximum(1, np.round(width * float(NARROW) ** -share)).astype(np.int64)


def _course(search: FunnelSearch, beginning: Beginning, lists: _Lists) -> _Course:
    """Which sides of every cell are known when it is filled, which are open, and the slots of their colours."""
    tiles, sides = search.tiles, search.tiles.sides
    laying = np.full(tiles.cells, -1, np.int32)
    for cell, variant in beginning.laid:
        laying[cell] = variant
    cells = [cell for cell in beginning.cells if laying[cell] < 0]
    filled = {cell for cell, _ in beginning.laid}
    free: list[int] = []  # slots that were given back
    slot_of: dict[tuple[int, int], int] = {}
    slots = 0

    def open_side(cell: int, side: int) -> int:
        nonlocal slots
        if not free:
            free.append(slots)
            slots += 1
        slot_of[cell, side] = free.pop()
        return slot_of[cell, side]

    front: dict[int, int] = {}
    for cell, variant in beginning.laid:
        for side, across in enumerate(tiles.neighbours[cell].tolist()):
            if across >= 0 and across // sides not in filled:
                front[open_side(cell, side)] = int(tiles.shows[variant, side])
    # Known sides, their slots, open sides, their slots.
    table: NDArray[np.uint64] = np.zeros((4, len(cells), sides), np.uint64)
    counts, changes = np.zeros((len(cells), 2), np.uint64), np.zeros((len(cells), sides), np.uint64)
    tables = np.zeros(len(cells), np.uint64)
    for d, cell in enumerate(cells):
        met: list[int] = []
        opened: list[int] = []
        for side, across in enumerate(tiles.neighbours[cell].tolist()):
            if across < 0:
                continue
            other, is_met = across // sides, across // sides in filled
            (met if is_met else opened).append(side)
            if search.rim[cell] and search.rim[other]:
                changes[d, side] = edges_funnel.FRAME if is_met else edges_funnel.NOTHING
            elif not search.rim[cell]:
                pairs = not is_met and not search.rim[other]
                changes[d, side] = edges_funnel.PAIR if pairs else edges_funnel.MEET
        for k, side in enumerate(met):
            across = int(tiles.neighbours[cell, side])
            table[0, d, k], table[1, d, k] = side, slot_of.pop((across // sides, across % sides))
        for k, side in enumerate(opened):
            table[2, d, k], table[3, d, k] = side, open_side(cell, side)
        # Only now: what is known is read before others are written.
        free += [int(slot) for slot in table[1, d, : len(met)]]
        counts[d] = len(met), len(opened)
        tables[d] = lists.table(cell, tuple(met[:2]))
        filled.add(cell)
    size = np.array([len(cells)], np.uint64)
    plan = Plan(np.array(cells, np.uint64), table[0], table[1], table[2], table[3], counts, size)
    return _Course(plan, changes, tables, laying, front, max(slots, 1))


def _counts(search: FunnelSearch, laying: NDArray[np.int32]) -> tuple[NDArray[np.int64], ...]:
    """K, I and M of every colour for a laying that is to be filled."""
    tiles, sides, colours = search.tiles, search.tiles.sides, search.tiles.colours
    joins, inner, pairs = (np.zeros(colours, np.int64) for _ in range(3))
    laid = set((laying[laying >= 0] // sides).tolist())
    for piece in range(len(tiles.shows) // sides):
        if piece in laid:
            continue
        row = tiles.shows[piece * sides]
        if row.all():
            np.add.at(inner, row, 1)
            np.add.at(pairs, row, 1)
            continue
        for side, colour in enumerate(row.tolist()):
            if colour and row[side - 1] and row[(side + 1) % sides]:
                pairs[colour] -= 1
            elif colour and not row[(side + 1) % sides]:
                joins[colour] += 1  # each join along the frame has one side that the border follows clockwise
    for cell in np.flatnonzero(laying >= 0).tolist():
        row = tiles.shows[laying[cell]]
        for side, across in enumerate(tiles.neighbours[cell].tolist()):
            if across < 0 or laying[across // sides] >= 0:
                continue
            other, colour = across // sides, int(row[side])
            if search.rim[cell] and search.rim[other]:
                joins[colour] += not row[(side + 1) % sides]
            else:
                pairs[colour] += 1 if search.rim[other] else -1
    return joins, inner, pairs


def _problem(search: FunnelSearch, lists: _Lists) -> edges_funnel.Problem:
    """Only colours that occur along the frame, or inside, have counts there; the others share one place that nobody asks."""
    tiles, colours = search.tiles, search.tiles.colours
    whole = _counts(search, np.full(tiles.cells, -1, np.int32))
    before = np.full(len(tiles.shows) // tiles.sides, -1, np.int32)
    for equal in equal_pieces(tiles):
        before[equal[1:]] = equal[:-1]
    frame, inside = whole[0] > 0, whole[1] > 0
    most = int(max(part.max() for part in whole)) + 4
    place = np.zeros((3, colours), np.uint64)
    after = 1
    for row, occurs in zip(place, (frame, inside, inside), strict=True):
        row[occurs] = after + np.arange(int(occurs.sum()))
        after += int(occurs.sum())
    return edges_funnel.Problem(
        shows=tiles.shows.astype(np.uint8),
        piece=(np.arange(len(tiles.shows)) // tiles.sides).astype(np.int32),
        before=np.repeat(before, tiles.sides),
        lists=np.append(np.concatenate(lists.starts), lists.size).astype(np.uint64),
        variant=np.concatenate(lists.variants).astype(np.int32),
        place=place,
        logs=np.array([0.0] + [log(k) for k in range(1, most + 1)]),
        gammas=np.array([lgamma(m / 2 + 1) + m / 2 * log(2) for m in range(most + 1)]),
        colours=colours,
    )
