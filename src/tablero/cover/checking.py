"""Checks covers by the definition, with names and sets; shares no code with the kernels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from tablero.cover.puzzle import ExactCover, Item
from tablero.runs.answers import has_twins
from tablero.text import several

_CHUNK = 1 << 20  # numbers that are checked together


def fault(problem: ExactCover, chosen: Iterable[int]) -> str | None:
    """Return what is wrong with a choice of options (numbers from 0), or None for an exact cover."""
    numbers = list(chosen)
    if len(set(numbers)) < len(numbers):
        return "an option is chosen twice"
    colours: dict[Item, list[object]] = defaultdict(list)  # the colours of each item, one for each option that has it
    for number in numbers:
        for item, colour in problem.option(number).items():
            colours[item].append(colour)
    needs = [1] * problem.primary if problem.need is None else problem.need.tolist()
    for item, need in zip(problem.items, needs, strict=False):
        if len(colours[item]) != need:
            return f"item {item!r} is covered {several(len(colours[item]), 'time')}, not {need}"
    for item in problem.items[problem.primary :]:
        if len(colours[item]) > 1 and (None in colours[item] or len(set(colours[item])) > 1):
            return f"secondary item {item!r} is used twice without one colour"
    return None


def first_fault(problem: ExactCover, covers: NDArray[np.int32]) -> str | None:
    """Return what is wrong with the first faulty row (closed by −1), or None if all rows are different covers."""
    if not len(covers):
        return None
    if not problem.colours and problem.need is None:
        wrong = _item_fault(problem, covers)
    else:
        choices = (row[row >= 0].tolist() for row in covers)
        wrong = next((found for chosen in choices if (found := fault(problem, chosen))), None)
    return wrong or ("the same cover was found twice" if has_twins(covers, sets=True) else None)


def _chunks(covers: NDArray[np.int32], wide: int) -> Iterator[NDArray[np.int32]]:
    """Slices of rows that need little memory when each row becomes `wide` numbers."""
    step = max(1, _CHUNK // max(wide, 1))
    for first in range(0, len(covers), step):
        yield covers[first : first + step]


def _item_fault(problem: ExactCover, covers: NDArray[np.int32]) -> str | None:
    """What is wrong with rows of a problem without colours, or None; the items of many rows are counted together."""
    used = np.zeros(len(problem) + 1, bool)
    for rows in _chunks(covers, covers.shape[1]):
        used[rows] = True  # −1 at the end of a row is the last index
    chosen = np.flatnonzero(used)
    row_of = np.zeros(len(used), np.int32)
    row_of[chosen] = np.arange(len(chosen))
    masks, sizes = _masks(problem, chosen)
    everything = np.zeros(masks.shape[1] * masks.itemsize * 8, np.uint8)
    everything[: problem.primary] = 1
    primary = np.packbits(everything, bitorder="little").view(masks.dtype)
    for rows in _chunks(covers, covers.shape[1] * masks.shape[1]):
        place = row_of[rows]
        union = np.bitwise_or.reduce(masks[place], axis=1)
        if ((union & primary) != primary).any():
            return "an item is not covered"
        # Nothing is covered twice where the items covered are as many as the options have in all.
        if (np.bitwise_count(union).sum(axis=1, dtype=np.int64) != sizes[place].sum(axis=1)).any():
            return "an item is covered twice"
    return None


def _masks(problem: ExactCover, chosen: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The items of these options as rows of bits, and their numbers; option `len(problem)` has none."""
    incidence = np.zeros((len(chosen), -(-len(problem.items) // 64) * 64), np.uint8)
    for row, option in zip(incidence, chosen.tolist(), strict=True):
        if option < len(problem):
            row[problem.table.items_of(option)] = 1
    packed = np.packbits(incidence, axis=1, bitorder="little")
    return packed.view(np.uint64), incidence.sum(axis=1, dtype=np.int32)
