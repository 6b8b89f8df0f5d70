"""The complete searches for edge matching, and the tables of their kernels.

    scan      cells in a fixed order, with one table lookup a cell
    fewest    the cell with the fewest fitting variants comes next
    frame     the cells of the frame come first, then as fewest, with a limited arc check

An answer is a variant (piece · sides + turn) for each cell.  With `alike`, equal pieces are treated as one piece: of the
solutions that differ by an exchange of equal pieces, only one is found.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels import fewest as edges_fewest
from tablero.edges.kernels import scan as edges_scan
from tablero.edges.kernels.tiles import Merged, Tiles, digest_of, merge, split_copies
from tablero.errors import BadInput
from tablero.search.base import Answers, Bound, Flag
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, write_cursor

_MOST_KEY_BITS = 22  # a table of a scan has an entry for each key
_WORD_BITS = 32


def empty_cursor(levels: int) -> dict[str, NDArray[np.int64]]:
    """The cursor arrays of a kernel's state."""
    return {name: np.zeros(levels, np.int64) for name in ("at", "last", "width")} | {"depth": np.zeros(1, np.int64)}


@dataclass
class EdgeSearch(TreeSearch):
    """The base class of the complete searches: tiles, and tables that are made once."""

    tiles: Tiles
    alike: bool = field(default=False, kw_only=True)  # whether equal pieces are treated as one
    per_process: ClassVar[frozenset[str]] = frozenset({"_tables", "_merged", "_building"})

    def __post_init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._tables: Any = None
        self._merged: Merged | None = None
        self._building = threading.Lock()

    @property
    def width(self) -> int:
        return self.tiles.cells

    def digest(self) -> str:
        return digest_of(b"", [*self.tiles, *self._extra()], b"alike" if self.alike else b"")

    def _extra(self) -> list[NDArray[Any]]:
        """Further arrays that determine the tree."""
        return []

    def tables(self) -> Any:
        """The kernel's problem, made once and shared by all threads."""
        with self._building:
            if self._tables is None:
                self._merged = merge(self.tiles) if self.alike else Merged.none(self.tiles)
                self._tables = self._make(self._merged.tiles)
            return self._tables

    @property
    def merged(self) -> Merged:
        self.tables()
        assert self._merged is not None
        return self._merged

    def _make(self, tiles: Tiles) -> Any:
        raise NotImplementedError

    def decided(self, state: Any, row: Answers) -> bool:
        self._write_placed(state, row)
        split_copies(self.merged, row[None, :])
        return True

    def _write_placed(self, state: Any, row: Answers) -> None:
        """Write the placed variants of a state into a row."""
        raise NotImplementedError

    def step(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag, bound: Bound) -> tuple[int, int]:
        nodes, found = self._advance(state, answers, budget, most, stop)
        split_copies(self.merged, answers[:found])
        return int(nodes), int(found)

    def _advance(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag) -> tuple[int, int]:
        """The kernel's step."""
        raise NotImplementedError


@dataclass
class ScanSearch(EdgeSearch):
    """The search that fills the cells in a given order."""

    cells: tuple[int, ...] = ()  # in the order in which they are filled; row by row by default
    name: str = field(init=False, default="edges.scan/1")

    def __post_init__(self) -> None:
        self.cells = self.cells or tuple(range(self.tiles.cells))
        if sorted(self.cells) != list(range(self.tiles.cells)):
            raise BadInput(f"the order of cells: expected every number from 0 to {self.tiles.cells - 1} once")
        super().__post_init__()

    def _extra(self) -> list[NDArray[Any]]:
        return [np.array(self.cells)]

    def _make(self, tiles: Tiles) -> edges_scan.Problem:
        return scan_problem(tiles, self.cells)

    def begin(self, cursor: Cursor) -> edges_scan.State:
        problem, cells = self.tables(), self.tiles.cells
        state = edges_scan.State(
            left=np.concatenate([[1], self.merged.copies]).astype(np.int32),
            chosen=np.zeros(cells, np.uint64),
            place=np.zeros(cells, np.uint64),
            end=np.zeros(cells, np.uint64),
            **empty_cursor(cells),
        )
        write_cursor(state, cursor)
        edges_scan.replay(problem, state)
        return state

    def _write_placed(self, state: Any, row: Answers) -> None:
        problem, laid = self.tables(), max(int(state.depth[0]) - 1, 0)  # the last level has no piece yet
        row[problem.cell[:laid].astype(np.int64)] = problem.variant[state.place[:laid].astype(np.int64) - 1]

    def _advance(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag) -> tuple[int, int]:
        return edges_scan.advance(self.tables(), state, answers, budget, most, stop)


@dataclass
class FewestSearch(EdgeSearch):
    """The search that fills the cell with the fewest fitting variants; the cells of the ring come first."""

    ring: tuple[int, ...] = ()
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = "edges.frame/2" if self.ring else "edges.fewest/2"
        super().__post_init__()

    def _extra(self) -> list[NDArray[Any]]:
        return [np.array(self.ring, np.int64)]

    def _make(self, tiles: Tiles) -> edges_fewest.Problem:
        return fewest_problem(tiles, self.ring)

    def begin(self, cursor: Cursor) -> edges_fewest.State:
        problem, cells = self.tables(), self.tiles.cells
        words = int(problem.words.max())
        fit = np.zeros((cells + 1 if self.ring else 1, cells, words), np.uint64)
        for cell in range(cells):
            first, count = int(problem.free_at[cell]), int(problem.words[cell])
            fit[0, cell, :count] = problem.every[first : first + count]
        state = edges_fewest.State(
            fit=fit,
            free=problem.every.copy(),
            saved=np.zeros((cells, self.tiles.sides, words), np.uint64),
            left=np.zeros((cells, words), np.uint64),
            copies=self.merged.copies.copy(),
            open=np.arange(cells, dtype=np.uint64),
            spot=np.arange(cells, dtype=np.uint64),
            around=(self.tiles.neighbours >= 0).sum(axis=1).astype(np.uint64),
            cell=np.zeros(cells + 1, np.uint64),
            chosen=np.zeros(cells, np.int64),
            **empty_cursor(cells),
        )
        write_cursor(state, cursor)
        edges_fewest.replay(problem, state)
        return state

    def _write_placed(self, state: Any, row: Answers) -> None:
        laid = max(int(state.depth[0]), 0)
        row[state.cell[:laid].astype(np.int64)] = state.chosen[:laid]

    def _advance(self, state: Any, answers: Answers, budget: int, most: int, stop: Flag) -> tuple[int, int]:
        return edges_fewest.advance(self.tables(), state, answers, budget, most, stop)


def fewest_problem(tiles: Tiles, ring: Sequence[int]) -> edges_fewest.Problem:
    """The problem of `fewest` and `frame`: bitsets for each kind of cell."""
    sides, colours, pieces = tiles.sides, tiles.colours, len(tiles.shows) // tiles.sides
    kind_of, members = tiles.kinds()
    widths = np.array([max(1, -(-len(row) // 64)) for row in members])
    free_at = np.concatenate([[0], np.cumsum(widths)])
    match_at = np.concatenate([[0], np.cumsum(widths * sides * colours)])
    every, match = np.zeros(free_at[-1], np.uint64), np.zeros(match_at[-1], np.uint64)
    drops: list[dict[int, int]] = [{} for _ in range(pieces)]
    for kind, row in enumerate(members):
        for bit, variant in enumerate(row.tolist()):
            word, mask = bit // 64, 1 << bit % 64
            every[free_at[kind] + word] |= np.uint64(mask)
            where = int(free_at[kind]) + word
            drops[variant // sides][where] = drops[variant // sides].get(where, 0) | mask
            for side, colour in enumerate(tiles.shows[variant].tolist()):
                match[match_at[kind] + (side * colours + colour) * widths[kind] + word] |= np.uint64(mask)
    variant_at = np.cumsum([0] + [len(row) for row in members])
    return edges_fewest.Problem(
        neighbours=np.where(tiles.neighbours < 0, edges_fewest.NONE, tiles.neighbours.astype(np.uint64)),
        free_at=free_at[kind_of].astype(np.uint64),
        words=widths[kind_of].astype(np.uint64),
        match_at=match_at[kind_of].astype(np.uint64),
        variant_at=variant_at[kind_of].astype(np.uint64),
        match=match,
        variant=np.concatenate(members).astype(np.int32),
        shows=tiles.shows.astype(np.uint64),
        drop_start=np.cumsum([0] + [len(drop) for drop in drops]).astype(np.uint64),
        drop_at=np.array([where for drop in drops for where in drop], np.uint64),
        drop_mask=np.array([mask for drop in drops for mask in drop.values()], np.uint64),
        every=every,
        ring=np.array(ring, np.uint64),
        framed=(1,) if ring else (),
        ties=np.arange(tiles.sides, -1, -1).astype(np.uint64),
        colours=np.array([colours], np.uint64),
    )


def colour_bits(colours: int) -> int:
    """The bits of a colour in the keys and words of a scan."""
    return max(1, (colours - 1).bit_length())


def scan_fits(key_bits: int, pieces: int) -> bool:
    """Whether a scan can use keys of this size, and words with a key and a piece."""
    return key_bits <= _MOST_KEY_BITS and key_bits + pieces.bit_length() <= _WORD_BITS


def scan_problem(tiles: Tiles, order: Sequence[int]) -> edges_scan.Problem:
    """The tables of a scan.  Cells with the same candidates and the same slots for their sides share a table."""
    sides, depth_of = tiles.sides, {cell: depth for depth, cell in enumerate(order)}
    joins = [  # depth and side of the earlier cell, depth and side of the later cell
        (depth_of[cell], side, depth_of[int(across) // sides], int(across) % sides)
        for cell in order
        for side, across in enumerate(tiles.neighbours[cell])
        if across >= 0 and depth_of[int(across) // sides] > depth_of[cell]
    ]
    slot = edge_colouring([(early, late) for early, _, late, _ in joins])
    slots, bits = max(slot, default=-1) + 1, colour_bits(tiles.colours)
    shift, pieces = slots * bits, len(tiles.shows) // sides
    if not scan_fits(shift, pieces):
        raise BadInput(
            f"a scan in this order needs {shift} bits for colours and {pieces.bit_length()} for pieces: "
            f"expected at most {_MOST_KEY_BITS} and {_WORD_BITS} in all; use the method fewest"
        )
    known: list[list[tuple[int, int, int]]] = [[] for _ in order]  # side, slot, earlier depth
    opened: list[list[tuple[int, int]]] = [[] for _ in order]  # side, slot
    for (early, side, late, other), place in zip(joins, slot, strict=True):
        opened[early].append((side, place))
        known[late].append((other, place, early))
    others = [[join for join in row if join[2] != depth - 1] for depth, row in enumerate(known)]
    most = max(1, *(len(row) for row in others))
    early_of, mask = np.zeros((len(order), most), np.uint64), np.zeros((len(order), most), np.uint64)
    before = np.zeros(len(order), np.uint64)
    table_of: dict[Any, int] = {}
    table, starts, lengths, words, variants = [], [], [], [], []
    size = 0
    for depth, cell in enumerate(order):
        for k, (_, place, early) in enumerate(others[depth]):
            early_of[depth, k], mask[depth, k] = early, ((1 << bits) - 1) << place * bits
        for _, place, early in known[depth]:
            if early == depth - 1:
                before[depth] |= np.uint64(((1 << bits) - 1) << place * bits)
        fitting = tiles.fitting(cell)
        places = tuple(sorted((side, place) for side, place, _ in known[depth])), tuple(sorted(opened[depth]))
        key = (places, fitting.tobytes())
        if key not in table_of:
            table_of[key] = len(table_of) << shift
            start, length, word, variant = _lists(tiles, fitting, places, bits, shift)
            starts.append(start + size)
            lengths.append(length)
            words.append(word)
            variants.append(variant)
            size += len(word)
        table.append(table_of[key])
    return edges_scan.Problem(
        cell=np.array(order, np.uint64),
        plan=np.column_stack([np.array(table, np.uint64), before, np.dstack([early_of, mask]).reshape(len(order), -1)]),
        start=np.concatenate(starts).astype(np.uint32),
        length=np.concatenate(lengths).astype(np.uint32),
        word=np.concatenate(words).astype(np.uint32),
        variant=np.concatenate(variants).astype(np.int32),
        shift=np.array([shift], np.uint64),
    )


def _lists(
    tiles: Tiles, fitting: NDArray[np.int32], places: tuple[Any, Any], bits: int, shift: int
) -> tuple[NDArray[np.int64], ...]:
    """The start and length of the list of each key; and the words and variants of the lists, each followed by 0."""
    keys, words = np.zeros(len(fitting), np.int64), (fitting.astype(np.int64) // tiles.sides + 1) << shift
    for side, place in places[0]:
        keys |= tiles.shows[fitting, side].astype(np.int64) << place * bits
    for side, place in places[1]:
        words |= tiles.shows[fitting, side].astype(np.int64) << place * bits
    by_key = np.argsort(keys, kind="stable")
    length = np.bincount(keys, minlength=1 << shift)
    # All empty lists are at index 0, which holds the word 0.
    taken = np.where(length > 0, length + 1, 0)
    start = np.where(length > 0, 1 + np.cumsum(taken) - taken, 0)
    word, variant = np.zeros(1 + int(taken.sum()), np.int64), np.full(1 + int(taken.sum()), -1, np.int64)
    rank = np.arange(len(fitting)) - (np.cumsum(length) - length)[keys[by_key]]
    spot = start[keys[by_key]] + rank
    word[spot], variant[spot] = words[by_key], fitting[by_key]
    return start, length, word, variant


def edge_colouring(edges: Sequence[tuple[int, int]]) -> list[int]:
    """Colour the edges of a bipartite graph with as many colours as its largest degree (König).

    If the ends of an edge have no free colour in common, two colours are exchanged along a path.
    """
    at: tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]] = ({}, {})  # end and colour -> edge
    colour = [-1] * len(edges)

    def free(side: int, end: int) -> int:
        k = 0
        while (end, k) in at[side]:
            k += 1
        return k

    for number, (left, right) in enumerate(edges):
        mine, yours = free(0, left), free(1, right)
        # The path from the right end whose colours alternate between mine and yours cannot reach the left end.
        path, side, end, wanted = [], 1, right, mine
        while (end, wanted) in at[side]:
            edge = at[side][end, wanted]
            path.append(edge)
            side, end, wanted = 1 - side, edges[edge][1 - side], mine + yours - wanted
        for edge in path:
            for side in (0, 1):
                del at[side][edges[edge][side], colour[edge]]
        for edge in path:
            colour[edge] = mine + yours - colour[edge]
            for side in (0, 1):
                at[side][edges[edge][side], colour[edge]] = edge
        colour[number] = mine
        at[0][left, mine] = at[1][right, mine] = number
    return colour
