"""Is it a cover?  Written from the definition, on names and sets: nothing here is shared with the kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.cover.puzzle import ExactCover, Item

_CHUNK = 1 << 20  # numbers looked at together


def fault(problem: ExactCover, chosen: Iterable[int]) -> str | None:
    """What is wrong with a choice of options (numbers from 0), or None when it is an exact cover."""
    if problem.need is not None:
        return _fault_of_many(problem, list(chosen))
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


def _fault_of_many(problem: ExactCover, chosen: list[int]) -> str | None:
    """The same where items are needed more than once."""
    if len(set(chosen)) < len(chosen):
        return "an option is chosen twice"
    assert problem.need is not None
    often = Counter(item for number in chosen for item in problem.option(number))
    for item, need in zip(problem.items[: problem.primary], problem.need.tolist(), strict=True):
        if often[item] != need:
            return f"item {item!r} is covered {often[item]} times, not {need}"
    twice = [item for item in problem.items[problem.primary :] if often[item] > 1]
    return f"secondary item {twice[0]!r} is used twice" if twice else None


def first_fault(problem: ExactCover, covers: NDArray[np.int32]) -> str | None:
    """What is wrong with the first faulty row of many (closed by −1), or None when all are covers, all different."""
    if _has_twins(covers, len(problem)):
        return "the same cover was found twice"
    if problem.colours or problem.need is not None:
        for row in covers.tolist():
            if wrong := fault(problem, [number for number in row if number >= 0]):
                return wrong
        return None
    masks, sizes, place = _masks(problem, covers)
    everything = np.zeros(masks.shape[1] * 8, np.uint8)
    everything[: problem.primary] = 1
    primary = np.packbits(everything, bitorder="little")
    chunk = max(1, _CHUNK // masks.shape[1])
    for first in range(0, len(covers), chunk):
        rows = place[first : first + chunk]
        union = np.bitwise_or.reduce(masks[rows], axis=1)
        if ((union & primary) != primary).any():
            return "an item is not covered"
        # Nothing is covered twice where the items covered are as many as the options have in all.
        if (np.bitwise_count(union).sum(axis=1, dtype=np.int64) != sizes[rows].sum(axis=1)).any():
            return "an item is covered twice"
    return None


def _masks(
    problem: ExactCover, covers: NDArray[np.int32]
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """The items of every option that is chosen anywhere as a row of bits, how many they are, and each choice's row."""
    used = np.zeros(len(problem) + 1, bool)
    used[covers] = True  # −1, which closes a row, is the last
    chosen = np.flatnonzero(used)
    row_of = np.zeros(len(used), np.int64)
    row_of[chosen] = np.arange(len(chosen))
    incidence = np.zeros((len(chosen), -(-len(problem.items) // 8) * 8), np.uint8)
    for row, option in zip(incidence, chosen.tolist(), strict=True):
        if option < len(problem):
            row[problem.table.item[problem.table.start[option] : problem.table.start[option + 1]]] = 1
    return np.packbits(incidence, axis=1, bitorder="little"), incidence.sum(axis=1, dtype=np.int64), row_of[covers]


def _has_twins(covers: NDArray[np.int32], options: int) -> bool:
    """Whether two rows choose the same options, in whatever order.

    Sums of random numbers tell rows apart; only rows with equal sums are compared in full.
    """
    if len(covers) < 2:
        return False
    tags = np.random.default_rng(0).integers(1 << 63, size=options + 1, dtype=np.uint64)
    tags[options] = 0  # for −1
    sums = tags[covers].sum(axis=1, dtype=np.uint64)
    order = np.argsort(sums, kind="stable")
    alike = np.flatnonzero(sums[order[1:]] == sums[order[:-1]])
    return any((np.sort(covers[order[k]]) == np.sort(covers[order[k + 1]])).all() for k in alike)
