"""Which colours a beam is to use up first, so that the pieces left at its end show few colours and more of them fit.

    level     the colours that are left, from all of them down, one fewer each time.  Where many inner pieces show no others,
              these pieces can be kept for the end
    chain     the colours in the order in which they go
    favour    of a piece: the same for each of the first levels that it does not fit into.  So it depends on that one of its
              colours which goes first, not on how many of its sides show it: each piece takes a place, and one side is
              enough to use it up

A beam chooses such colours by itself, by what its boards happen to have used up; but late, and seldom the best ones.  There
are several good chains, and which is best is seen at the end only: so restarts take one or another.  What it gains, and
where it gains nothing: docs/adr/0018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.plan import Floats
from tablero.edges.kernels.pools import pieces_turn
from tablero.edges.kernels.tiles import Tiles

_CHAINS = 8
_LEVELS = 5 / 17  # of all colours, so many levels count
_SETS = 64  # that are looked at on each level
_JITTER = 0.06  # by which chains after the first misjudge a level
_STRENGTHS = (0.5, 1.0, 2.0)  # favour for the colour that goes first
_LEAST_CELLS = 144  # smaller boards come out a little worse with favours, and so do those whose pieces are not turned
_COLOURS = range(6, 33)  # with more of them a puzzle of that size is easy
_EVEN = 0.1  # where the numbers of sides by colour differ by no more, there are hardly better chains than others


def favours(tiles: Tiles, piece_shows: NDArray[np.uint8], border: bool) -> Floats:
    """Some ways to favour pieces, each from 0 to 1; one that favours none where they are of no use."""
    inner = (piece_shows > 0).all(axis=1) if border else np.ones(len(piece_shows), np.bool_)
    colours = np.unique(piece_shows[inner])
    if not _of_use(tiles, np.unique(piece_shows[inner], return_counts=True)[1]):
        return np.zeros((1, len(piece_shows)))
    shows = (piece_shows[:, :, None] == colours).any(axis=1)  # pieces × colours
    levels = round(_LEVELS * len(colours))
    rng = np.random.default_rng(0)
    out = np.zeros((_CHAINS, len(piece_shows)))
    for number, row in enumerate(out):
        order = _chain(shows[inner], levels, rng, _JITTER if number else 0.0)
        for level in range(levels):
            row += shows[:, order[: level + 1]].any(axis=1) / levels
    return out


def _of_use(tiles: Tiles, sides: NDArray[np.int64]) -> bool:
    """Whether favours gain anything, by the numbers of sides of each colour on inner pieces."""
    fitting = tiles.sides == 4 and tiles.cells >= _LEAST_CELLS and len(sides) in _COLOURS and pieces_turn(tiles)
    return bool(fitting and sides.std() > _EVEN * sides.mean())


def draw_favour(ways: Floats, rng: np.random.Generator) -> Floats:
    """One of the ways, weak or strong."""
    favour: Floats = ways[rng.integers(len(ways))] * rng.choice(_STRENGTHS)
    return favour


def _chain(shows: NDArray[np.bool_], levels: int, rng: np.random.Generator, jitter: float) -> list[int]:
    """The colours that go, in their order, such that on all levels many pieces show none of them."""
    colours = shows.shape[1]
    sets: dict[frozenset[int], tuple[float, list[int]]] = {frozenset(): (0.0, [])}
    for level in range(1, levels + 1):
        longer: dict[frozenset[int], tuple[float, list[int]]] = {}
        for gone, (value, order) in sets.items():
            left = shows[~shows[:, order].any(axis=1)]
            kept = len(left) - left.sum(axis=0)  # pieces, when one more colour goes
            worth = kept / (colours - level) ** 2 * (1 + jitter * rng.standard_normal(colours))
            for colour in range(colours):
                key, more = gone | {colour}, value + float(worth[colour])
                if colour not in gone and (key not in longer or more > longer[key][0]):
                    longer[key] = (more, [*order, colour])
        sets = dict(sorted(longer.items(), key=lambda entry: -entry[1][0])[:_SETS])
    return max(sets.values())[1]
