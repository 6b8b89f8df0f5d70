"""The tables and the room of a beam: what it looks up, and where it keeps its boards."""

from __future__ import annotations

from math import lgamma, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels import schedule
from tablero.edges.kernels.lineage import empty_lineage
from tablero.edges.kernels.plan import BINS, FALLS, NONE, Beam, Floats, Plan, Problem
from tablero.edges.kernels.pools import pools
from tablero.edges.kernels.tiles import Tiles


def empty_plan(cells: int, sides: int) -> Plan:
    def table() -> NDArray[np.uint64]:
        return np.zeros((cells, sides), np.uint64)

    return Plan(
        cell=np.zeros(cells, np.uint64),
        known=table(),
        known_slot=table(),
        met=table(),
        needed=table(),
        shown=table(),
        opened=table(),
        opened_slot=table(),
        event=table(),
        corner=np.zeros((cells, sides, 5), np.uint64),
        counts=np.zeros((cells, 4), np.uint64),
        size=np.zeros(1, np.uint64),
    )


def empty_beam(problem: Problem, boards: int, depth: int, slots: int) -> Beam:
    """Room for some boards more than are wanted: a wide beam keeps about as many (`beam.py`)."""
    boards += boards // 8 + 8
    pieces, variants = len(problem.piece_shows), len(problem.shows)
    count = np.dtype(f"u{int(problem.bits) // 4}")
    used, counted, shown = -(-pieces // 64), -(-problem.colours * count.itemsize // 8), -(-max(slots, 1) // 8)
    rows = np.zeros((2, boards, used + counted + shown), np.uint64)
    children = 16 * min(boards, 4096) + 8 * variants
    return Beam(
        rows=rows,
        counts=rows.view(count),
        front=rows.view(np.uint8),
        counts_at=np.uint64(8 * used // count.itemsize),
        front_at=np.uint64(8 * (used + counted)),
        potential=np.zeros((2, boards)),
        credit=np.zeros((2, boards)),
        breaks=np.zeros((2, boards), np.int32),
        key=np.zeros(children),
        child_of=np.zeros(children, np.int32),
        child=np.zeros(children, np.int32),
        lineage=empty_lineage(boards, depth),
        bins=np.zeros(BINS, np.int64),
        random=np.ones(1, np.uint64),
    )


def beam_problem(tiles: Tiles, border: bool) -> Problem:
    """The lists of variants by kind of cell and by the colours of one or two sides."""
    tiles, pooled, piece_shows, piece_pooled = pools(tiles, border)
    sides, colours = tiles.sides, tiles.colours
    kinds: dict[bytes, int] = {}
    kind_of = [kinds.setdefault(tiles.fitting(cell).tobytes(), len(kinds)) for cell in range(tiles.cells)]
    members = [np.sort(tiles.fitting(kind_of.index(kind))) for kind in range(len(kinds))]
    lists: list[NDArray[np.int32]] = []
    two: list[NDArray[np.int64]] = []
    place = 0
    for row in members:
        for side in range(sides):
            for later in range(sides):
                chosen = row if later > side else row[:0]
                keys = tiles.shows[chosen, side].astype(np.int64) * colours + tiles.shows[chosen, later]
                sizes = np.bincount(keys, minlength=colours * colours)
                two.append(place + np.cumsum(sizes) - sizes)
                lists.append(chosen[np.argsort(keys, kind="stable")])
                place += len(chosen)
    two.append(np.array([place]))
    holds = np.zeros((len(members) * (sides * colours + 1), -(-len(tiles.shows) // sides // 64)), np.uint64)
    first = np.zeros_like(holds)
    turns: list[int] = []
    rows = [
        chosen
        for row in members
        for chosen in (
            *(row[tiles.shows[row, side] == colour] for side in range(sides) for colour in range(colours)),
            row,
        )
    ]
    for number, row in enumerate(rows):
        pieces, starts = np.unique(row // sides, return_index=True)  # the variants of a row are sorted
        for piece in pieces.tolist():
            holds[number, piece // 64] |= np.uint64(1 << piece % 64)
        first[number] = len(turns) + np.searchsorted(pieces, 64 * np.arange(holds.shape[1]))
        turns += (place + starts).tolist()
        lists.append(row)
        place += len(row)
    turns.append(place)
    variant = np.concatenate(lists)
    fit_of, fits = _fits(tiles, members)
    tables = _potentials(piece_shows)
    return Problem(
        neighbours=np.where(tiles.neighbours < 0, NONE, tiles.neighbours.astype(np.uint64)),
        shows=tiles.shows.astype(np.uint8),
        kind=np.array(kind_of, np.uint64),
        two=np.concatenate(two).astype(np.uint64),
        fit_of=fit_of,
        fits=fits,
        holds=holds,
        first=first,
        turns=np.array(turns, np.int32),
        variant=variant.astype(np.int32),
        look=_looks(tiles, variant),
        pooled=pooled.astype(np.uint64),
        piece_shows=piece_shows.astype(np.uint8),
        piece_pooled=piece_pooled.astype(np.uint8),
        factorials=tables.factorials,
        gammas=tables.gammas,
        by_n=tables.by_n,
        by_m=tables.by_m,
        falls=np.array([(fall << tables.bits) + other for fall, other in FALLS]),
        bits=np.uint64(tables.bits),
        shift=tables.shift,
        colours=colours,
        border=border,
    )


def _fits(tiles: Tiles, members: list[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """For a kind of cell, two sides and two colours the number of a row, and the rows: the pieces that fit, as bits."""
    sides, colours = tiles.sides, tiles.colours
    fit_of = np.zeros(len(members) * sides * sides * colours * colours, np.int32)
    pairs = [(side, later) for side in range(sides) for later in range(side + 1, sides)]
    places, pieces = [], []
    for number, row in enumerate(members):
        for side, later in pairs:
            shown = tiles.shows[row, side].astype(np.int64) * colours + tiles.shows[row, later]
            places.append(((number * sides + side) * sides + later) * colours * colours + shown)
            pieces.append(row // sides)
    filled, rows = np.unique(np.concatenate(places), return_inverse=True)
    fit_of[filled] = np.arange(1, len(filled) + 1)
    fits = np.zeros((len(filled) + 1, -(-len(tiles.shows) // sides // 64)), np.uint64)
    piece = np.concatenate(pieces).astype(np.uint64)
    np.bitwise_or.at(
        fits, (rows + 1, (piece >> np.uint64(6)).astype(np.int64)), np.uint64(1) << (piece & np.uint64(63))
    )
    return fit_of, fits


class _Potentials(NamedTuple):
    """The tables of the potential, and how a count is kept (`plan.py`)."""

    factorials: Floats
    gammas: Floats
    by_n: Floats
    by_m: Floats
    bits: int
    shift: int


def _potentials(piece_shows: NDArray[np.int32]) -> _Potentials:
    """For as many sides as the most frequent colour has."""
    sides_in_all = int(np.bincount(piece_shows.ravel()).max()) + 4
    logs = np.array([0.0] + [log(k) for k in range(1, sides_in_all + 2)])
    shift = sides_in_all + 8
    bits = 8 if 2 * shift <= 1 << 8 else 16
    gammas = np.array(
        [
            [delta * -m if m < 0 else beta * lgamma(m / 2 + 1) for m in range(-shift, shift)]
            for beta, delta in schedule.STAGES
        ]
    )
    moved = [np.clip(np.arange(2 * shift) - fall, 0, 2 * shift - 1) for _, fall in FALLS]
    return _Potentials(
        factorials=np.cumsum(logs),
        gammas=gammas,
        by_n=np.array([-fall * logs for fall, _ in FALLS]),
        by_m=np.stack([gammas - gammas[:, then] for then in moved], axis=1),
        bits=bits,
        shift=shift,
    )


def _looks(tiles: Tiles, variants: NDArray[np.int32]) -> NDArray[np.uint64]:
    """The colours of the sides, eight bits each, and the piece above them."""
    looks = (variants // tiles.sides).astype(np.uint64)
    for side in reversed(range(tiles.sides)):
        looks = looks << np.uint64(8) | tiles.shows[variants, side].astype(np.uint64)
    return looks
