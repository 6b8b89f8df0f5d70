"""The tables and the room of a beam: what it looks up, and where it keeps its boards."""

from __future__ import annotations

from math import lgamma, log

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.edges.kernels import schedule
from tablero.puzzles.edges.kernels.lineage import empty_lineage
from tablero.puzzles.edges.kernels.plan import BINS, NONE, Beam, Plan, Problem
from tablero.puzzles.edges.kernels.pools import pools
from tablero.puzzles.edges.kernels.tiles import Tiles


def empty_plan(cells: int, sides: int) -> Plan:
    def table() -> NDArray[np.uint64]:
        return np.zeros((cells, sides), np.uint64)

    return Plan(
        cell=np.zeros(cells, np.uint64),
        known=table(),
        known_slot=table(),
        known_role=table(),
        opened=table(),
        opened_slot=table(),
        opened_role=table(),
        counts=np.zeros((cells, 2), np.uint64),
        size=np.zeros(1, np.uint64),
    )


def empty_beam(problem: Problem, boards: int, depth: int, slots: int) -> Beam:
    pieces = len(problem.shows) // problem.neighbours.shape[1]
    children = 16 * boards + 8 * len(problem.shows) + 1024
    return Beam(
        used=np.zeros((2, boards, -(-pieces // 64)), np.uint64),
        front=np.zeros((2, boards, max(slots, 1)), np.uint8),
        n=np.zeros((2, boards, problem.colours), np.int16),
        m=np.zeros((2, boards, problem.colours), np.int16),
        potential=np.zeros((2, boards)),
        breaks=np.zeros((2, boards), np.int32),
        level=np.zeros(children, np.int32),
        child_of=np.zeros(children, np.int32),
        child=np.zeros(children, np.int32),
        lineage=empty_lineage(boards, depth),
        bins=np.zeros(BINS, np.int64),
        lost=np.zeros((2, problem.colours)),
        open=np.zeros((3, problem.colours)),
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
    sides_in_all = int(np.bincount(piece_shows.ravel()).max()) + 4
    logs = np.array([0.0] + [log(k) for k in range(1, sides_in_all + 2)])
    shift = sides_in_all + 8
    gammas = [
        [delta * -m if m < 0 else beta * lgamma(m / 2 + 1) for m in range(-shift, shift)]
        for beta, delta in schedule.STAGES
    ]
    return Problem(
        neighbours=np.where(tiles.neighbours < 0, NONE, tiles.neighbours.astype(np.uint64)),
        shows=tiles.shows.astype(np.uint8),
        piece=(np.arange(len(tiles.shows)) // sides).astype(np.int32),
        kind=np.array(kind_of, np.uint64),
        two=np.concatenate(two).astype(np.uint64),
        holds=holds,
        first=first,
        turns=np.array(turns, np.int32),
        variant=np.concatenate(lists).astype(np.int32),
        pooled=pooled.astype(np.uint64),
        piece_shows=piece_shows.astype(np.uint8),
        piece_pooled=piece_pooled.astype(np.uint8),
        logs=logs,
        factorials=np.cumsum(logs),
        span=40.0 + 2 * sides * logs[-1],
        gammas=np.array(gammas),
        shift=shift,
        colours=colours,
        border=border,
    )
