"""The rules of the constructive methods, in words: why a move was made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from tablero.sliding.kernels import ground

_TRAPPED = "the last tile of the {line} sits where the blank cannot get it out; ten moves lend it a placed tile's cell"
RULES = {
    0: ("", "shortest: part of a shortest or shortened answer; no rule"),
    ground.APPROACH: ("approach", "the blank walks to the nearest free neighbour of the tile"),
    ground.BY_TABLE: ("table", "the blank turns round a 2×2 window, which brings the tile nearer"),
    ground.HIERARCHY: ("hierarchy", "no window helps: the blank goes round the tile to its front, vertical first"),
    ground.PAIR: ("last pair", "the last two tiles of a line stand round the corner: the blank lets both slide in"),
    ground.STRIP: ("strip", "a line of two cells: its two tiles are put in order in a window of 2×3"),
    ground.JOURNEY: ("transport", "a shortest joint path of tile and blank"),
    ground.SMALL: ("3×3", "the last cells (3×3 at most) are solved optimally from a table"),
    ground.TAIL: ("tail", "the blank walks to its own goal cell, taking the last tiles along"),
    ground.CARRY: ("carry", "a short way round the tile and through it that brings other tiles nearer as well"),
    ground.PUSH: ("push", "the blank goes round the tile to the nearest useful side, and through it"),
    ground.CORNER: (
        "corner",
        "the last tile of a line stands inward of its place: it is let in past the one beside it",
    ),
    11: ("special case 11", _TRAPPED.format(line="row")),
    12: ("special case 12", "the blank goes into the pocket from below, then case 11"),
    13: ("special case 13", "the blank goes below the pocket and into it, then case 11"),
    14: ("special case 14", "the blank leaves the pocket: the tile is diagonally below it and no window is free"),
    15: ("special case 15", _TRAPPED.format(line="column")),
    16: ("special case 16", "the blank goes into the pocket from the side, then case 15"),
    17: ("special case 17", "the blank goes beside the pocket and into it, then case 15"),
    18: ("special case 18", "the blank leaves the pocket: the tile is diagonally beside it and no window is free"),
    19: ("special case 19", "the blank comes from the other side below the pocket and goes into it, then case 11"),
    20: ("special case 20", "the blank comes from the other side beside the pocket and goes into it, then case 15"),
}


def name(rule: int) -> str:
    return RULES[rule][0]


def words(rule: int) -> str:
    return RULES[rule][1]


def runs(rules: NDArray[np.uint8]) -> Iterator[tuple[int, int]]:
    """Rules and how many moves in a row each made."""
    for rule, group in groupby(rules.tolist()):
        yield rule, sum(1 for _ in group)


def tally(rules: NDArray[np.uint8]) -> dict[str, int]:
    """How many moves each rule made, by name."""
    counts = np.bincount(rules, minlength=1)
    return {name(rule): int(counts[rule]) for rule in range(len(counts)) if counts[rule]}
