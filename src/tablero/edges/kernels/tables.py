"""The tables and buffers of a beam, and which sides can meet each other.

    rim       cells with a side on the border
    inward    side of a rim cell that faces an inner cell: it meets only sides of inner cells, so it is not in the pool
    along     side of a rim cell that faces the rim: it meets only such sides, so it gets colours of its own
    inner     side of an inner cell: it is in the pool with the colours of the puzzle

On a board without a border, or if a side of a piece has different roles in different cells, all sides count as inner.  If
no piece can be turned, left meets only right and top meets only bottom, so each of these pairs gets colours of its own.
"""

from __future__ import annotations

from math import lgamma, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels import schedule
from tablero.edges.kernels.plan import BINS, FALLS, NONE, Beam, Plan, Problem, empty_lineage
from tablero.edges.kernels.tiles import Tiles, pieces_turn

_INNER, _INWARD, _ALONG = range(3)
_UNKNOWN = -1  # for a variant that fits nowhere
MOST_COLOURS = 255  # a colour is one byte


def empty_plan(cells: int, sides: int) -> Plan:
    tables = [np.zeros((cells, sides), np.uint64) for _ in range(8)]
    corner, counts = np.zeros((cells, sides, 5), np.uint64), np.zeros((cells, 4), np.uint64)
    return Plan._make([np.zeros(cells, np.uint64), *tables, corner, counts, np.zeros(1, np.uint64)])


def empty_beam(problem: Problem, boards: int, depth: int, slots: int) -> Beam:
    """The buffers of a beam, with some spare boards because a wide beam keeps only approximately `boards`."""
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
    """The tables of a beam: lists of variants by kind of cell and by the colours of one or two sides."""
    tiles, pooled, piece_shows, piece_pooled = pools(tiles, border)
    sides, colours = tiles.sides, tiles.colours
    kind_of, kinds = tiles.kinds()
    members = [np.sort(row) for row in kinds]
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
        colours=colours,
        border=border,
        **_potentials(piece_shows),
    )


def _fits(tiles: Tiles, members: list[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """The row for each kind of cell, two sides and two colours; and the rows, which have the fitting pieces as bits."""
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


def _potentials(piece_shows: NDArray[np.int32]) -> dict[str, Any]:
    """The tables of the potential, and the layout of counts, sized for the most frequent colour."""
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
    return {
        "factorials": np.cumsum(logs),
        "gammas": gammas,
        "by_n": np.array([-fall * logs for fall, _ in FALLS]),
        "by_m": np.stack([gammas - gammas[:, then] for then in moved], axis=1),
        "falls": np.array([(fall << bits) + other for fall, other in FALLS]),
        "bits": np.uint64(bits),
        "shift": shift,
    }


def _looks(tiles: Tiles, variants: NDArray[np.int32]) -> NDArray[np.uint64]:
    """The look of each variant (see `plan`)."""
    looks = (variants // tiles.sides).astype(np.uint64)
    for side in reversed(range(tiles.sides)):
        looks = looks << np.uint64(8) | tiles.shows[variants, side].astype(np.uint64)
    return looks


class Pools(NamedTuple):
    """A puzzle in which sides that cannot meet have different colours."""

    tiles: Tiles
    pooled: NDArray[np.bool_]  # cells × sides
    piece_shows: NDArray[np.int32]  # pieces × sides: the colours of a piece, in one of its turns
    piece_pooled: NDArray[np.bool_]  # pieces × sides


def pools(tiles: Tiles, border: bool) -> Pools:
    """Divide the sides into those in the pool and the others, and recolour them unless that needs too many colours."""
    chosen = _one_of_each(tiles)
    parts = _parts(tiles)
    roles = _of_variants(tiles, parts) if border else None
    if roles is None or not _agree(tiles.shows * 3 + roles, tiles, chosen):
        parts, roles = np.zeros_like(parts), np.zeros(tiles.shows.shape, np.int64)
    apart = tiles._replace(shows=_recoloured(tiles.shows, 2 * _axes(tiles) + (roles == _ALONG)))
    if apart.colours > MOST_COLOURS:
        apart = tiles
    return Pools(apart, parts != _INWARD, apart.shows[chosen], roles[chosen] != _INWARD)


def _parts(tiles: Tiles) -> NDArray[np.int64]:
    """The role of each side of each cell."""
    across = tiles.neighbours
    rim: NDArray[np.bool_] = np.any(across < 0, axis=1)
    beyond = rim[np.maximum(across, 0) // tiles.sides]
    return np.where(rim[:, None] & (across >= 0), np.where(beyond, _ALONG, _INWARD), _INNER)


def _of_variants(tiles: Tiles, parts: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The role of each side of each variant; None if a side has different roles in different cells."""
    roles = np.full(tiles.shows.shape, _UNKNOWN)
    for cell, row in enumerate(parts):
        fitting = tiles.fitting(cell)
        before = roles[fitting]
        if ((before != row) & (before != _UNKNOWN)).any():
            return None
        roles[fitting] = row
    roles[roles == _UNKNOWN] = _INNER
    return roles


def _axes(tiles: Tiles) -> NDArray[np.int64]:
    """A number for each side, equal for sides that can meet; all equal if pieces can be turned."""
    axes = np.zeros(tiles.sides, np.int64)
    if not pieces_turn(tiles):
        for side, across in enumerate(tiles.neighbours.T):
            axes[side] = min([side, *(across[across >= 0] % tiles.sides).tolist()])
    return axes


def _recoloured(shows: NDArray[np.int32], groups: NDArray[np.int64]) -> NDArray[np.int32]:
    """Give the sides of each group new colours for those that an earlier group has."""
    out = shows.copy()
    for group in np.unique(groups)[1:]:
        here = groups == group
        shared = np.intersect1d(shows[here], out[groups < group])
        for number, colour in enumerate(shared.tolist(), int(out.max()) + 1):
            out[here & (shows == colour)] = number
    return out


def _one_of_each(tiles: Tiles) -> NDArray[np.int64]:
    """One variant of each piece, which fits a cell if any variant of the piece does."""
    chosen = np.arange(0, len(tiles.shows), tiles.sides)
    chosen[tiles.fits // tiles.sides] = tiles.fits
    return chosen


def _agree(looks: NDArray[np.int64], tiles: Tiles, chosen: NDArray[np.int64]) -> bool:
    """Whether all fitting variants of a piece have the same values in `looks`, up to their order."""
    fits = np.unique(tiles.fits)
    return bool((np.sort(looks[fits]) == np.sort(looks[chosen[fits // tiles.sides]])).all())
