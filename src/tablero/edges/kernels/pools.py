"""Which sides can meet which: the frame told apart from the inside, for the rank of a beam.

    rim       the cells with a side on the border
    inward    a side of the rim that looks at an inner cell: it meets sides of inner cells only, so it is outside the pool
    along     a side of the rim that looks at the rim: it meets such sides only, so it gets colours of its own

The other sides, those of inner cells, are in the pool and have the colours that the puzzle gives them.  Where a board has no
border, or where a piece's sides have other parts to play in other cells, all sides are taken as inner ones.  Where no piece
may be turned, left and right meet each other only, and so do top and bottom: these get colours of their own too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.tiles import Tiles

_INNER, _INWARD, _ALONG = range(3)
_UNKNOWN = -1  # of a variant that fits nowhere
MOST_COLOURS = 255  # a colour is a byte


class Pools(NamedTuple):
    """An edge-matching puzzle whose colours tell sides apart that cannot meet."""

    tiles: Tiles
    pooled: NDArray[np.bool_]  # cells × sides
    piece_shows: NDArray[np.int32]  # pieces × sides: the colours of a piece, turned in some way
    piece_pooled: NDArray[np.bool_]  # pieces × sides


def pools(tiles: Tiles, border: bool) -> Pools:
    """What a beam counts; where there are too many colours to tell apart, those of the puzzle stay as they are."""
    chosen = _one_of_each(tiles)
    parts = _parts(tiles)
    told = _of_variants(tiles, parts) if border else None
    if told is None or not _agree(tiles.shows * 3 + told, tiles, chosen):
        parts, told = np.zeros_like(parts), np.zeros(tiles.shows.shape, np.int64)
    apart = tiles._replace(shows=_recoloured(tiles.shows, 2 * _axes(tiles) + (told == _ALONG)))
    if apart.colours > MOST_COLOURS:
        apart = tiles
    return Pools(apart, parts != _INWARD, apart.shows[chosen], told[chosen] != _INWARD)


def _parts(tiles: Tiles) -> NDArray[np.int64]:
    """The part that each side of each cell plays."""
    across = tiles.neighbours
    rim: NDArray[np.bool_] = np.any(across < 0, axis=1)
    beyond = rim[np.maximum(across, 0) // tiles.sides]
    return np.where(rim[:, None] & (across >= 0), np.where(beyond, _ALONG, _INWARD), _INNER)


def _of_variants(tiles: Tiles, parts: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The part that each side of each variant plays in all cells that it fits; none where that is not one part."""
    told = np.full(tiles.shows.shape, _UNKNOWN)
    for cell, row in enumerate(parts):
        fitting = tiles.fitting(cell)
        before = told[fitting]
        if ((before != row) & (before != _UNKNOWN)).any():
            return None
        told[fitting] = row
    told[told == _UNKNOWN] = _INNER
    return told


def _axes(tiles: Tiles) -> NDArray[np.int64]:
    """A number for each side, the same for sides that can meet; the same for all where pieces turn."""
    axes = np.zeros(tiles.sides, np.int64)
    if not pieces_turn(tiles):
        for side, across in enumerate(tiles.neighbours.T):
            axes[side] = min([side, *(across[across >= 0] % tiles.sides).tolist()])
    return axes


def pieces_turn(tiles: Tiles) -> bool:
    """Whether some piece fits in more than one turn."""
    fits = np.unique(tiles.fits)
    return len(fits) > len(np.unique(fits // tiles.sides))


def _recoloured(shows: NDArray[np.int32], groups: NDArray[np.int64]) -> NDArray[np.int32]:
    """Sides of one group keep their colours; those of another get a new colour where theirs was met before."""
    out = shows.copy()
    for group in np.unique(groups)[1:]:
        here = groups == group
        shared = np.intersect1d(shows[here], out[groups < group])
        for number, colour in enumerate(shared.tolist(), int(out.max()) + 1):
            out[here & (shows == colour)] = number
    return out


def _one_of_each(tiles: Tiles) -> NDArray[np.int64]:
    """A variant of each piece, one that fits somewhere if there is any."""
    chosen = np.arange(0, len(tiles.shows), tiles.sides)
    chosen[tiles.fits // tiles.sides] = tiles.fits
    return chosen


def _agree(looks: NDArray[np.int64], tiles: Tiles, chosen: NDArray[np.int64]) -> bool:
    """Whether the variants of a piece show the same colours in the same parts, wherever they fit."""
    fits = np.unique(tiles.fits)
    return bool((np.sort(looks[fits]) == np.sort(looks[chosen[fits // tiles.sides]])).all())
