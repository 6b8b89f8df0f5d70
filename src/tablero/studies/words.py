"""Figures in the sentences of a page."""

from __future__ import annotations

from collections.abc import Callable

from tablero.studies.statistics import Share, Summary


def told(one: Summary, unit: str = "", show: Callable[[float], str] | None = None) -> str:
    """A median with its interval and quartiles, or what is known where runs were stopped."""
    show = show or number
    if one.median is None:
        return f"no median ({one.capped} of {one.number} stopped)"
    if one.number == 1:
        return f"{show(one.median)}{unit}"
    parts = [f"95 %: {show(one.interval[0])} to {show(one.interval[1])}"] if one.interval else []
    low = "?" if one.low is None else show(one.low)
    high = "unknown" if one.high is None else show(one.high)
    parts.append(f"quartiles {low} to {high}")
    if one.capped:
        parts.append(f"{one.capped} of {one.number} stopped")
    return f"{show(one.median)}{unit} ({'; '.join(parts)})"


def percent(one: Share) -> str:
    """A part of all with its interval."""
    return f"{100 * one.part:.1f} % ({100 * one.low:.1f} to {100 * one.high:.1f})"


def number(value: float, digits: int = 3) -> str:
    """A number as people write it: 12,345 and 0.0123, not 1.23e+04."""
    if value == 0 or 1e-4 <= abs(value) < 10 ** max(digits, 4):
        return f"{value:,.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}"
    return f"{value:,.0f}" if 1 <= abs(value) < 1e9 else f"{value:.{digits - 1}e}"


def seconds(value: float) -> str:
    """A time with the unit that suits it."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= size:
            return f"{number(value / size)} {unit}"
    return f"{value * 1e6:.2g} µs"
