"""Statistics fit for heavy tails: medians, quartiles and their intervals, shares of what a limit stopped, fitted growth.

A measurement that was stopped is known to be larger than its bound.  So quantiles are right as long as they lie below all
bounds, and unknown above; a mean would be wrong, and is never given alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

_RESAMPLES = 1000
_LEVEL = 0.95
_FEWEST = 5  # of fewer, least and most would be all that an interval can say


class Summary(NamedTuple):
    """What is known of some measurements; None where stopped ones hide it."""

    number: int
    capped: int
    low: float | None  # the lower quartile
    median: float | None
    high: float | None  # the upper quartile
    least: float | None
    most: float | None
    interval: tuple[float, float] | None  # of the median, by bootstrap
    between: tuple[
        tuple[float, float], ...
    ] = ()  # what is known of the quartiles and the median in any case: their bounds


def quantile(values: Sequence[float], capped: Sequence[bool], share: float) -> float | None:
    """The value below which that share of all lies; None where it is not below the bounds of those that were stopped."""
    if not values:
        return None
    order = sorted(zip(values, capped, strict=True), key=lambda pair: (pair[1] and math.inf, pair[0]))
    place = share * (len(order) - 1)
    below, above = order[math.floor(place)], order[math.ceil(place)]
    bounds = [value for value, stopped in order if stopped]
    if below[1] or above[1] or (bounds and max(below[0], above[0]) > min(bounds)):
        return None
    return below[0] + (above[0] - below[0]) * (place - math.floor(place))


def bounds(lows: Sequence[float], highs: Sequence[float], share: float) -> tuple[float, float]:
    """Between what a quantile lies, of values of which only that is known: how much they are at least, and at most."""
    return _place(sorted(lows), share), _place(sorted(highs), share)


def _place(order: Sequence[float], share: float) -> float:
    place = share * (len(order) - 1)
    below, above, part = order[math.floor(place)], order[math.ceil(place)], place - math.floor(place)
    return below if below == above else below + (above - below) * part  # not ∞ − ∞


def summary(values: Sequence[float], capped: Sequence[bool] | None = None, *, seed: int = 0) -> Summary:
    """Median and quartiles, with an interval of the median."""
    stopped = [False] * len(values) if capped is None else list(capped)
    known = [value for value, cut in zip(values, stopped, strict=True) if not cut]
    return Summary(
        len(values),
        sum(stopped),
        quantile(values, stopped, 0.25),
        quantile(values, stopped, 0.5),
        quantile(values, stopped, 0.75),
        min(known, default=None),
        None if any(stopped) or not known else max(known),
        _interval(values, stopped, seed),
        tuple(
            bounds(values, [math.inf if cut else value for value, cut in zip(values, stopped, strict=True)], share)
            for share in (0.25, 0.5, 0.75)
        )
        if values
        else (),
    )


def _interval(values: Sequence[float], capped: Sequence[bool], seed: int) -> tuple[float, float] | None:
    """The bootstrap's, where there are enough measurements for one and stopped ones do not hide its end."""
    if len(values) < _FEWEST:
        return None
    cut = np.array(capped)
    chosen = np.random.default_rng(seed).integers(0, len(values), (_RESAMPLES, len(values)))
    # As in `quantile`: those that were stopped come last, and what lies above the bound of one is not known.
    ordered = np.sort(np.where(cut, math.inf, values)[chosen], axis=1)
    least_bound = np.where(cut, values, math.inf)[chosen].min(axis=1)
    below, above = ordered[:, (len(values) - 1) // 2], ordered[:, len(values) // 2]
    known = np.isfinite(above) & (above <= least_bound)
    medians = np.full(_RESAMPLES, math.inf)
    medians[known] = (below[known] + above[known]) / 2
    low, high = np.quantile(medians, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], method="nearest")
    return (float(low), float(high)) if math.isfinite(high) else None


class Share(NamedTuple):
    """A part of all, with its interval (Wilson's, which holds where none or all are meant)."""

    part: float
    low: float
    high: float
    number: int


def share(found: int, number: int) -> Share:
    """What part of so many were found."""
    if number == 0:
        return Share(0.0, 0.0, 1.0, 0)
    z, part = 1.959964, found / number
    middle, wide = part + z * z / (2 * number), z * math.sqrt(part * (1 - part) / number + (z / (2 * number)) ** 2)
    scale = 1 + z * z / number
    # Rounding must not put an end of the interval on the wrong side.
    return Share(
        part, min(part, max(0.0, (middle - wide) / scale)), max(part, min(1.0, (middle + wide) / scale)), number
    )


class Growth(NamedTuple):
    """A fit of log y = log a + b·log x: y grows as x to the b."""

    factor: float
    power: float
    low: float  # the interval of the power
    high: float


def growth(x: Sequence[float], y: Sequence[float], *, seed: int = 0) -> Growth | None:
    """How y grows with x, by least squares of logarithms; the interval by resampling the points."""
    points = [(math.log(a), math.log(b)) for a, b in zip(x, y, strict=True) if a > 0 and b > 0]
    if len({a for a, _ in points}) < 3:
        return None
    array = np.array(points)
    power, start = np.polyfit(array[:, 0], array[:, 1], 1)
    random = np.random.default_rng(seed)
    powers = []
    for _ in range(_RESAMPLES):
        some = array[random.integers(0, len(array), len(array))]
        if len(np.unique(some[:, 0])) >= 2:
            powers.append(np.polyfit(some[:, 0], some[:, 1], 1)[0])
    low, high = np.quantile(powers, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return Growth(math.exp(start), float(power), float(low), float(high))
