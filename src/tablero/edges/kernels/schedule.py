"""What a beam does at each depth: how many boards it keeps, which mismatches it allows, and the weights of its rank.

    β, δ      weights in the potential: of what the sides left can do among themselves, and of sides that must mismatch
    γ         the price of a mismatch
    noise     the greatest random number that is added to a rank
    trust     how much the favours of pieces count (`favours.py`)
    stuck     the price of a corner where no piece fits: above all else where the next piece may bring no mismatch

Tuned with single beams over framed puzzles of 16×16 (docs/adr/0016).  β may rise from 0.2 to 0.4 up to 0.85 to 1.2 and is
worse from 1 on at the start; noise is flat from 1 to 2: with less of it all boards soon descend from one.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.plan import ANY, EXACT, ONE, Floats, Schedule

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


def _at(points: Points, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.interp(shares, [share for share, _ in points], [value for _, value in points])


_middles = (np.arange(_STAGES) + 0.5) / _STAGES
STAGES: tuple[tuple[float, float], ...] = (  # β and δ; the last for `steady` and `repairing`
    *zip(_at(BETA, _middles).tolist(), _at(DELTA, _middles).tolist(), strict=True),
    _STEADY[:2],
)


def growing(size: int, width: int, favour: Floats) -> Schedule:
    """For the best score, from an empty board on."""
    depth = np.arange(size)
    share = depth / max(size, 1)
    allowed = _allowed(size, round(size * _LATE), round(size * _ANY))
    stage = (share * _STAGES).astype(np.uint64)
    return Schedule(
        width=np.full(size, width),
        allowed=allowed,
        gamma=_at(GAMMA, share),
        noise=_at(NOISE, share),
        stage=stage,
        favour=favour,
        trust=np.maximum(1 - _middles[stage] / _TRUSTED, 0.0),
        stuck=_stuck(allowed),
    )


def steady(size: int, width: int, pieces: int) -> Schedule:
    """For a board without mismatches."""
    return _constant(size, width, pieces, size, size)


@cache
def repairing(size: int, width: int, pieces: int) -> Schedule:
    """For a hole in a board."""
    return _constant(size, width, pieces, size // 2, size - 3)


def _constant(size: int, width: int, pieces: int, late: int, any_from: int) -> Schedule:
    allowed = _allowed(size, late, any_from)
    return Schedule(
        width=np.full(size, width),
        allowed=allowed,
        gamma=np.full(size, _STEADY[2]),
        noise=np.full(size, _STEADY[3]),
        stage=np.full(size, _STAGES, np.uint64),
        favour=np.zeros(pieces),
        trust=np.zeros(size),
        stuck=_stuck(allowed),
    )


def _allowed(size: int, late: int, any_from: int) -> NDArray[np.int64]:
    depth = np.arange(size)
    return np.where(depth < late, EXACT, np.where(depth < any_from, ONE, ANY)).astype(np.int64)


def _stuck(allowed: NDArray[np.int64]) -> NDArray[np.float64]:
    """The price of a corner where no piece fits, by what the piece after this one may bring."""
    after = np.append(allowed[1:], ANY)
    return np.where(after == EXACT, _DEAD, _STUCK)
