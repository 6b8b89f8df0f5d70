"""Edge-matching puzzles as arrays, and equal pieces treated as one piece.

    equal     pieces that show the same colours in every cell where they fit; a clue or a home makes pieces different
    first     the equal piece with the lowest number; the others are its copies

If one solution is enough, the search does not distinguish equal pieces.  The tree then has the same solutions except for
exchanges of equal pieces, and many times fewer nodes.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Tiles(NamedTuple):
    """An edge-matching puzzle as arrays."""

    neighbours: NDArray[np.int32]  # cells × sides: neighbour · sides + its side, or −1
    shows: NDArray[np.int32]  # variants × sides: the colours
    start: NDArray[np.int64]  # the variants fits[start[c]:start[c+1]] fit cell c
    fits: NDArray[np.int32]

    @property
    def cells(self) -> int:
        return len(self.neighbours)

    @property
    def sides(self) -> int:
        return int(self.neighbours.shape[1])

    @property
    def colours(self) -> int:
        return int(self.shows.max()) + 1

    def fitting(self, cell: int) -> NDArray[np.int32]:
        return self.fits[self.start[cell] : self.start[cell + 1]]

    def kinds(self) -> tuple[list[int], list[NDArray[np.int32]]]:
        """The kind of each cell, and the variants that fit each kind."""
        kinds: dict[bytes, int] = {}
        kind_of = [kinds.setdefault(self.fitting(cell).tobytes(), len(kinds)) for cell in range(self.cells)]
        return kind_of, [self.fitting(kind_of.index(kind)) for kind in range(len(kinds))]

    def mismatches(self, laying: NDArray[np.int32]) -> NDArray[np.bool_]:
        """The sides of cells that do not match, in a laying without empty cells."""
        shown, across = self.shows[laying], self.neighbours
        other = shown.reshape(-1)[np.maximum(across, 0)]
        return np.asarray((shown != other) & (across >= 0), np.bool_)


def digest_of(before: bytes, arrays: Iterable[NDArray[Any]], after: bytes = b"") -> str:
    """A fingerprint of arrays and of the bytes before and after them."""
    parts = hashlib.sha256(before)
    for array in arrays:
        parts.update(repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
    parts.update(after)
    return parts.hexdigest()


def pieces_turn(tiles: Tiles) -> bool:
    """Whether some piece fits in more than one turn."""
    fits = np.unique(tiles.fits)
    return len(fits) > len(np.unique(fits // tiles.sides))


class Merged(NamedTuple):
    """Tiles in which only the first of equal pieces fits a cell."""

    tiles: Tiles
    copies: NDArray[np.int64]  # number of copies of each piece, with itself; 0 for a copy
    others: dict[int, tuple[int, ...]]  # the same variant of the copies, for each variant of a first piece

    @classmethod
    def none(cls, tiles: Tiles) -> Merged:
        """The tiles with all pieces distinguished."""
        return cls(tiles, np.ones(len(tiles.shows) // tiles.sides, np.int64), {})


def equal_pieces(tiles: Tiles) -> list[list[int]]:
    """The classes of equal pieces, each in order."""
    looks: list[list[object]] = [[] for _ in range(len(tiles.shows) // tiles.sides)]
    for kind, fitting in enumerate(tiles.kinds()[1]):
        for variant in fitting.tolist():
            looks[variant // tiles.sides].append((kind, *tiles.shows[variant].tolist()))
    classes: dict[object, list[int]] = defaultdict(list)
    for piece, look in enumerate(looks):
        classes[tuple(sorted(look))].append(piece)  # type: ignore[type-var]
    return list(classes.values())


def merge(tiles: Tiles) -> Merged:
    """Make equal pieces copies of the first of them."""
    sides = tiles.sides
    copies = np.ones(len(tiles.shows) // sides, np.int64)
    others: dict[int, tuple[int, ...]] = {}
    fitting = set(tiles.fits.tolist())
    for first, *more in equal_pieces(tiles):
        if not more:
            continue
        copies[first], copies[more] = 1 + len(more), 0
        by_look = [
            {tiles.shows[v].tobytes(): v for v in range(p * sides, (p + 1) * sides) if v in fitting} for p in more
        ]
        for variant in range(first * sides, (first + 1) * sides):
            if variant in fitting:
                others[variant] = tuple(looks[tiles.shows[variant].tobytes()] for looks in by_look)
    kept = copies[tiles.fits // sides] > 0
    start = np.concatenate([[0], np.cumsum(kept)])[tiles.start]
    return Merged(tiles._replace(start=start, fits=tiles.fits[kept]), copies, others)


def split_copies(merged: Merged, rows: NDArray[np.int32]) -> None:
    """Replace repeated first pieces in solutions by their copies, so that each row is a laying of the given pieces."""
    sides = merged.tiles.sides
    for row in rows if merged.others else ():
        laid: dict[int, int] = {}
        for cell, variant in enumerate(row.tolist()):
            if variant >= 0 and variant in merged.others:
                number = laid.get(variant // sides, 0)
                laid[variant // sides] = number + 1
                if number:
                    row[cell] = merged.others[variant][number - 1]
