"""The parameters of a beam at each depth: its width, the mismatches allowed, the weights of the rank.

    β, δ      weights in the potential of the joins still to be made, and of the joins that cannot match
    γ         price of a mismatch
    noise     largest random number that is added to a rank
    trust     factor of the favours
    stuck     price of a corner where no piece fits; it decides alone if the next piece may have no mismatch
    chain     order in which colours are used up.  Pieces without the first colours of the chain are kept for the end,
              where few colours are left and more pieces fit
    level     the colours that are left after the first ones of the chain
    favour    bonus for placing a piece: the same amount for each of the first levels that lacks one of its colours.  It
              depends on which of the piece's colours comes first in the chain, not on the number of sides that show it

Several chains are good, and the best one is known only at the end, so each restart draws one of them.  docs/adr/0018 has the
gains.  The values were tuned with single beams on framed puzzles of 16×16 (docs/adr/0016).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.plan import ANY, EXACT, ONE, Floats, Schedule
from tablero.edges.kernels.tiles import Tiles, pieces_turn

Points = tuple[tuple[float, float], ...]  # share of the cells that is filled, and the value there
BETA: Points = ((0, 0.4), (0.5, 0.55), (1, 0.85))
DELTA: Points = ((0, 4.4), (1, 2.1))
GAMMA: Points = ((0, 3.9), (1, 5.2))
NOISE: Points = ((0, 0.3), (0.5, 2.0), (1, 1.7))
_TRUSTED = 0.55  # share of the cells at which the trust has fallen to 0
_STEADY = (0.65, 3.0, 4.0, 1.5)  # β, δ, γ and noise, constant
_STUCK, _DEAD = 3.5, 50.0  # the price if the next piece may have a mismatch, and if it may not
_STAGES = 16  # β and δ change this often, because all potentials are then recomputed
_LATE, _ANY = 0.75, 247 / 256  # shares of the cells from which a piece may have one mismatch, or any number

_CHAINS = 8
_LEVELS = 5 / 17  # number of levels, as a share of the colours
_SETS = 64  # sets of colours kept on each level
_JITTER = 0.06  # standard deviation of the relative error with which chains after the first value a level
_STRENGTHS = (0.5, 1.0, 2.0)  # favour for the first colour of the chain
_LEAST_CELLS = 144  # on smaller boards favours make the result slightly worse
_COLOURS = range(6, 33)  # with more colours a puzzle of this size is easy
_EVEN = 0.1  # if the numbers of sides by colour differ by less than this, no chain is better than others


def _at(points: Points, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.interp(shares, [share for share, _ in points], [value for _, value in points])


_middles = (np.arange(_STAGES) + 0.5) / _STAGES
STAGES: tuple[tuple[float, float], ...] = (  # β and δ; the last for `steady` and `repairing`
    *zip(_at(BETA, _middles).tolist(), _at(DELTA, _middles).tolist(), strict=True),
    _STEADY[:2],
)


def growing(size: int, width: int, favour: Floats) -> Schedule:
    """The schedule for the best score, from an empty board."""
    share = np.arange(size) / max(size, 1)
    stage = (share * _STAGES).astype(np.uint64)
    trust = np.maximum(1 - _middles[stage] / _TRUSTED, 0.0)
    late, any_from = round(size * _LATE), round(size * _ANY)
    return _schedule(width, late, any_from, _at(GAMMA, share), _at(NOISE, share), stage, favour, trust)


def steady(size: int, width: int, pieces: int) -> Schedule:
    """The schedule for a board without mismatches."""
    return _constant(size, width, pieces, size, size)


@cache
def repairing(size: int, width: int, pieces: int) -> Schedule:
    """The schedule for the empty cells of a board under repair."""
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
    """A schedule that allows one mismatch from the depth `late` on, and any number from `any_from` on."""
    depth = np.arange(len(gamma))
    allowed = np.where(depth < late, EXACT, np.where(depth < any_from, ONE, ANY)).astype(np.int64)
    stuck = np.where(
        np.append(allowed[1:], ANY) == EXACT, _DEAD, _STUCK
    )  # by the mismatches allowed for the next piece
    return Schedule(np.full(len(gamma), width), allowed, gamma, noise, stage, favour, trust, stuck)


def favours(tiles: Tiles, piece_shows: NDArray[np.uint8], border: bool) -> Floats:
    """Favours for several chains, each from 0 to 1; a single row of zeros if favours do not help."""
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
    """Whether favours help; `sides` are the numbers of sides of each colour on inner pieces."""
    fitting = tiles.sides == 4 and tiles.cells >= _LEAST_CELLS and len(sides) in _COLOURS and pieces_turn(tiles)
    return bool(fitting and sides.std() > _EVEN * sides.mean())


def draw_favour(ways: Floats, rng: np.random.Generator) -> Floats:
    """Draw one of the ways and its strength."""
    favour: Floats = ways[rng.integers(len(ways))] * rng.choice(_STRENGTHS)
    return favour


def _chain(shows: NDArray[np.bool_], levels: int, rng: np.random.Generator, jitter: float) -> list[int]:
    """The first colours of a chain such that on each level many pieces show none of them."""
    colours = shows.shape[1]
    sets: dict[frozenset[int], tuple[float, list[int]]] = {frozenset(): (0.0, [])}
    for level in range(1, levels + 1):
        longer: dict[frozenset[int], tuple[float, list[int]]] = {}
        for gone, (value, order) in sets.items():
            left = shows[~shows[:, order].any(axis=1)]
            kept = len(left) - left.sum(axis=0)  # pieces without one more colour
            worth = kept / (colours - level) ** 2 * (1 + jitter * rng.standard_normal(colours))
            for colour in range(colours):
                key, more = gone | {colour}, value + float(worth[colour])
                if colour not in gone and (key not in longer or more > longer[key][0]):
                    longer[key] = (more, [*order, colour])
        sets = dict(sorted(longer.items(), key=lambda entry: -entry[1][0])[:_SETS])
    return max(sets.values())[1]
