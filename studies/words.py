"""Figures in the sentences of a page."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from studies.design import CAPPED
from studies.statistics import Share, Summary


def summary_text(one: Summary, unit: str = "", show: Callable[[float], str] | None = None) -> str:
    """A median with its interval and quartiles, or what is known where runs were stopped."""
    show = show or number
    if not one.number:
        return "no median (nothing was measured)"
    low, middle, high = (
        between(*(known if value is None else (value, value)), show)
        for value, known in zip((one.low, one.median, one.high), one.between, strict=True)
    )
    if one.median is None:
        return f"{middle}{unit} ({one.capped} of {one.number} stopped)"
    if one.number == 1:
        return f"{middle}{unit}"
    parts = [f"95 %: {show(one.interval[0])} to {show(one.interval[1])}"] if one.interval else []
    parts.append(f"quartiles {low} to {high}")
    if one.capped:
        parts.append(f"{one.capped} of {one.number} stopped")
    return f"{middle}{unit} ({'; '.join(parts)})"


def between(low: float, high: float, show: Callable[[float], str]) -> str:
    """A number of which no more may be known than that it is at least this, or at most that."""
    if math.isinf(high):
        return f"more than {show(low)}" if low else f"{show(low)} or more"
    if show(low) == show(high):
        return show(low)
    return f"{show(low)} to {show(high)}" if low else f"at most {show(high)}"


def stopped_of(stopped: int, number: int, what: str) -> str:
    """How many of all were stopped; `what` they are, with the blank before it."""
    return f"{stopped:,} of {number:,}{what} {'was' if 1 in (stopped, number) else 'were'} stopped"


def stopped_after(rows: Sequence[Mapping[str, Any]], limit: str, *, one: str = "run", many: str = "runs") -> list[str]:
    """The line of a page that says how many of its runs a limit stopped; none where nothing was measured."""
    stopped = sum(bool(row[CAPPED]) for row in rows)
    return [f"{stopped_of(stopped, len(rows), f' {one if len(rows) == 1 else many}')} after {limit}."] if rows else []


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
