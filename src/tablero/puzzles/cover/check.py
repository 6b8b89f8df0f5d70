"""Is it a cover?  Written from the definition, on names and sets: nothing here is shared with the kernels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.cover.puzzle import ExactCover, Item

_MANY = 1000  # covers from which they are checked in bulk
_CHUNK = 1 << 20  # numbers looked at together


def fault(problem: ExactCover, chosen: Iterable[int]) -> str | None:
    """What is wrong with a choice of options (numbers from 0), or None when it is an exact cover."""
    covered: set[Item] = set()
    colour_of: dict[Item, object] = {}
    primary = set(problem.items[: problem.primary])
    numbers = list(chosen)
    if len(set(numbers)) < len(numbers):
        return "an option is chosen twice"
    for number in numbers:
        for item, colour in problem.option(number).items():
            if item not in covered:
                covered.add(item)
                colour_of[item] = colour
            elif item in primary:
                return f"item {item!r} is covered twice"
            elif colour is None or colour_of[item] != colour:
                return f"secondary item {item!r} is used twice without one colour"
    missing = primary - covered
    if missing:
        return f"{len(missing)} items are not covered"
    return None


def first_fault(problem: ExactCover, covers: NDArray[np.int32]) -> str | None:
    """What is wrong with the first faulty row of many (closed by −1), or None when all are covers, all different."""
    if _has_twins(covers, len(problem)):
        return "the same cover was found twice"
    if len(covers) < _MANY or problem.colours:
        for row in covers.tolist():
            if wrong := fault(problem, [number for number in row if number >= 0]):
                return wrong
        return None
    items = len(problem.items)
    chunk = max(1, _CHUNK // items)
    for first in range(0, len(covers), chunk):
        used = _uses(problem, covers[first : first + chunk])
        if (used[:, : problem.primary] != 1).any() or (used > 1).any():
            return "an item is not covered as it must be"
    return None


def _uses(problem: ExactCover, covers: NDArray[np.int32]) -> NDArray[np.int64]:
    """How often each row of choices uses each item."""
    row, place = np.nonzero(covers >= 0)
    option = covers[row, place]
    start = problem.table.start[option]
    length = problem.table.start[option + 1] - start
    # The entries of all chosen options one after another: each option's first entry, and steps of one from there.
    entry = np.arange(length.sum()) + np.repeat(start - np.cumsum(length) + length, length)
    items = len(problem.items)
    spot = np.repeat(row, length) * items + problem.table.item[entry]
    return np.bincount(spot, minlength=len(covers) * items).reshape(len(covers), items)


def _has_twins(covers: NDArray[np.int32], options: int) -> bool:
    """Whether two rows choose the same options, in whatever order.

    Sums of random numbers tell rows apart; only rows with equal sums are compared in full.
    """
    tags = np.random.default_rng(0).integers(1 << 63, size=options + 1, dtype=np.uint64)
    tags[options] = 0  # for −1
    sums = tags[covers].sum(axis=1, dtype=np.uint64)
    order = np.argsort(sums, kind="stable")
    alike = np.flatnonzero(sums[order[1:]] == sums[order[:-1]])
    return any((np.sort(covers[order[k]]) == np.sort(covers[order[k + 1]])).all() for k in alike)
