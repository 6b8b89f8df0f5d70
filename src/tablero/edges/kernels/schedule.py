"""What a beam does at each depth: how many boards it keeps, which mismatches it allows, the weights of its rank.

    β, δ      weights in the potential: of what the sides left can do among themselves, and of sides that must mismatch
    γ         the price of a mismatch
    noise     the greatest random number that is added to a rank
    trust     how much the favours of pieces count
    stuck     the price of a corner where no piece fits: above all else where the next piece may bring no mismatch
    level     the colours that are left, from all of them down, one fewer each time.  Where many inner pieces show no others,
              these pieces can be kept for the end: then few colours are left, and more pieces fit
    chain     the colours in the order in which they go
    favour    of a piece: the same for each of the first levels that it does not fit into.  So it depends on that one of its
              colours which goes first, not on how many of its sides show it: each piece takes a place, and one side is
              enough to use it up

A beam chooses such colours by itself, by what its boards happen to have used up; but late, and seldom the best ones.  There
are several good chains, and which is best is seen at the end only: so restarts take one or another.  What it gains, and
where it gains nothing: docs/adr/0018.

Tuned with single beams over framed puzzles of 16×16 (docs/adr/0016).  β may rise from 0.2 to 0.4 up to 0.85 to 1.2 and is
worse from 1 on at the start; noise is flat from 1 to 2: with less of it all boards soon descend from one.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.plan import ANY, EXACT, ONE, Floats, Schedule
from tablero.edges.kernels.tiles import Tiles, pieces_turn

Points = tuple[tuple[float, float], ...]  # the share of the cells that is filled, and the value there
BETA: Points = ((0, 0.4), (0.5, 0.55), (1, 0.85))
DELTA: Points = ((0, 4.4), (1, 2.1))
GAMMA: Points = ((0, 3.9), (1, 5.2))
NOISE: Points = ((0, 0.3), (0.5, 2.0), (1, 1.7))
_TRUSTED = 0.55  # the share of the cells before which favours count, less and less
_STEADY = (0.65, 3.0, 4.0, 1.5)  # β, δ, γ and noise where nothing is known of the depth
_STUCK, _DEAD = 3.5, 50.0  # where the next piece may bring a mismatch, and where it may not
_STAGES = 16  # the potential is made anew where β and δ change: not at every depth
_LATE, _ANY = 0.75, 247 / 256  # the shares of the cells from which on a piece may bring one mismatch, or any number

_CHAINS = 8
_LEVELS = 5 / 17  # of all colours, so many levels count
_SETS = 64  # that are looked at on each level
_JITTER = 0.06  # by which chains after the first misjudge a level
_STRENGTHS = (0.5, 1.0, 2.0)  # favour for the colour that goes first
_LEAST_CELLS = 144  # smaller boards come out a little worse with favours, and so do those whose pieces are not turned
_COLOURS = range(6, 33)  # with more of them a puzzle of that size is easy
_EVEN = 0.1  # where the numbers of sides by colour differ by no more, there are hardly better chains than others


def _at(points: Points, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.interp(shares, [share for share, _ in points], [value for _, value in points])


_middles = (np.arange(_STAGES) + 0.5) / _STAGES
STAGES: tuple[tuple[float, float], ...] = (  # β and δ; the last for `steady` and `repairing`
    *zip(_at(BETA, _middles).tolist(), _at(DELTA, _middles).tolist(), strict=True),
    _STEADY[:2],
)


def growing(size: int, width: int, favour: Floats) -> Schedule:
    """For the best score, from an empty board on."""
    share = np.arange(size) / max(size, 1)
    stage = (share * _STAGES).astype(np.uint64)
    trust = np.maximum(1 - _middles[stage] / _TRUSTED, 0.0)
    late, any_from = round(size * _LATE), round(size * _ANY)
    return _schedule(width, late, any_from, _at(GAMMA, share), _at(NOISE, share), stage, favour, trust)


def steady(size: int, width: int, pieces: int) -> Schedule:
    """For a board without mismatches."""
    return _constant(size, width, pieces, size, size)


@cache
def repairing(size: int, width: int, pieces: int) -> Schedule:
    """For a hole in a board."""
    return _constant(size, width, pieces, size // 2, size - 3)


def _constant(size: int, width: int, pieces: int, late: int, any_from: int) -> Schedule:
    gamma, noise = (np.full(size, value) for value in _STEADY[2:])
    stage = np.full(size, _STAGES, np.uint64)
    return _schedule(width, late, any_from, gamma, noise, stage, np.zeros(pieces), np.zeros(size))


def _schedule(
    width: int,
    late: int,
    any_from: int,
    gamma: Floats,
    noise: Floats,
    stage: NDArray[np.uint64],
    favour: Floats,
    trust: Floats,
) -> Schedule:
    """A mismatch is allowed from the depth `late` on, and any number from `any_from` on."""
    depth = np.arange(len(gamma))
    allowed = np.where(depth < late, EXACT, np.where(depth < any_from, ONE, ANY)).astype(np.int64)
    stuck = np.where(np.append(allowed[1:], ANY) == EXACT, _DEAD, _STUCK)  # by what the next piece may bring
    return Schedule(np.full(len(gamma), width), allowed, gamma, noise, stage, favour, trust, stuck)


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
