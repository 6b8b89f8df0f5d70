"""Statistics fit for heavy tails: medians, quartiles and their intervals, shares of what a limit stopped, fitted growth.

A measurement that was stopped is known to be larger than its bound.  So quantiles are right as long as they lie below all
bounds, and unknown above; a mean would be wrong, and is never given alone.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
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
    # As in `quantile`: those that were stopped come last, and what lies above the bound of one is not known.
    known, limits = np.where(capped, math.inf, values), np.where(capped, values, math.inf)
    medians = _resampled(_medians, known, limits, seed)
    low, high = np.quantile(medians, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], method="nearest")
    return (float(low), float(high)) if math.isfinite(high) else None


def _resampled(statistic: Callable[..., Array], one: Array, other: Array, seed: int) -> Array:
    """A statistic of resampled pairs, by scipy's bootstrap.  It may be infinite or NaN, which scipy's interval may not."""
    from scipy import stats  # loaded here: workers measure without it

    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        done = stats.bootstrap(
            (one, other),
            statistic,
            paired=True,
            vectorized=True,
            n_resamples=_RESAMPLES,
            method="percentile",
            rng=np.random.default_rng(seed),
        )
    distribution: Array = done.bootstrap_distribution
    return distribution


def _medians(known: Array, limits: Array, axis: int) -> Array:
    """Medians; infinity where one that was stopped hides it."""
    ordered = np.sort(known, axis=axis)
    count = known.shape[axis]
    below, above = (np.take(ordered, place, axis=axis) for place in ((count - 1) // 2, count // 2))
    return np.where(above <= limits.min(axis=axis), (below + above) / 2, math.inf)


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
    from scipy.stats import binomtest

    interval = binomtest(found, number).proportion_ci(_LEVEL, method="wilson")
    part = found / number
    # Rounding must not put an end of the interval on the wrong side.
    return Share(part, min(part, float(interval.low)), max(part, float(interval.high)), number)


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
    log_x, log_y = np.array(points).T
    power, start = np.polyfit(log_x, log_y, 1)
    low, high = np.nanquantile(_resampled(_slopes, log_x, log_y, seed), [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return Growth(math.exp(start), float(power), float(low), float(high))


def _slopes(x: Array, y: Array, axis: int) -> Array:
    """Slopes by least squares; NaN where all x are the same."""
    dx = x - x.mean(axis=axis, keepdims=True)
    dy = y - y.mean(axis=axis, keepdims=True)
    spread = np.where(np.ptp(x, axis=axis) > 0, (dx * dx).sum(axis=axis), math.nan)
    slopes: Array = (dx * dy).sum(axis=axis) / spread
    return slopes
