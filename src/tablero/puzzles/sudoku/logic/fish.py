"""Fish: a digit that in k rows fits only into the same k columns, or the other way round."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from tablero.puzzles.sudoku.logic.position import Position, Step, bits
from tablero.puzzles.sudoku.puzzle import SYMBOLS

_NAME = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
_COUNT = {2: "two", 3: "three", 4: "four"}


def fish(size: int, rating: float) -> Callable[[Position], Step | None]:
    """A finder of fish of one size."""

    def find(position: Position) -> Step | None:
        side = position.side
        rows, columns = range(side), range(side, 2 * side)
        for digit in range(1, side + 1):
            for bases, covers in ((rows, columns), (columns, rows)):
                step = _find(position, digit, bases, covers, size, rating)
                if step:
                    return step
        return None

    return find


def _find(position: Position, digit: int, bases: range, covers: range, size: int, rating: float) -> Step | None:
    masks, places = position.geometry.masks, position.places[digit]
    crossing = []  # the lines with few places, and which lines those places lie on the other way
    for base in bases:
        here = places & masks[base]
        if 2 <= here.bit_count() <= size:
            met = 0
            for k, cover in enumerate(covers):
                if here & masks[cover]:
                    met |= 1 << k
            crossing.append((base, here, met))
    for chosen in combinations(crossing, size):
        met = inside = 0
        for _, here, lines in chosen:
            met |= lines
            inside |= here
        if met.bit_count() != size:
            continue
        area = 0
        for k in bits(met):
            area |= masks[covers[k]]
        removed = places & area & ~inside
        if removed:
            units = position.geometry.units
            one, other = ("row", "column") if bases.start == 0 else ("column", "row")
            numbers = ", ".join(units[base].name.split()[1] for base, _, _ in chosen)
            others = ", ".join(str(k + 1) for k in bits(met))
            sentence = (
                f"In {one}s {numbers} the {SYMBOLS[digit]} fits only into {other}s {others}: {_COUNT[size]} lines share "
                f"{_COUNT[size]} places, and no other cell of those {other}s is {SYMBOLS[digit]}."
            )
            cells = tuple(cell for base, _, _ in chosen for cell in units[base].cells)
            return Step(
                _NAME[size],
                rating,
                sentence,
                removed=tuple((cell, digit) for cell in bits(removed)),
                cells=cells,
                good=tuple((cell, digit) for cell in bits(inside)),
            )
    return None
