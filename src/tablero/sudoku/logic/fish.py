"""Fish: a digit that in k units, the base, fits only into k others, the cover, goes from the rest of the cover.

basic      rows and columns, all places of the base in the cover
fin        a place of the base outside the cover: what goes must see every fin, too
sashimi    finned, and without its fins some line of the base has one place only

Fish with boxes, or with rows and columns mixed, are in `large_fish`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from tablero.sudoku.logic.position import Position, Step, bits, by_digit, spread
from tablero.sudoku.puzzle import SYMBOLS

SIZES = {2: "X-wing", 3: "swordfish", 4: "jellyfish", 5: "squirmbag", 6: "whale"}
_COUNT = {2: "two", 3: "three", 4: "four"}
Find = Callable[[Position], Iterator[Step]]
_Lines = list[tuple[int, int, int]]  # a base line, its places, and the crossing lines that they lie on


def _ways(position: Position) -> tuple[tuple[range, range], tuple[range, range]]:
    """Rows as the base, then columns."""
    rows, columns = position.geometry.rows, position.geometry.columns
    return (rows, columns), (columns, rows)


def _crossing(position: Position, digit: int, bases: range, covers: range) -> _Lines:
    masks, places = position.geometry.masks, position.places[digit]
    found = []
    for base in bases:
        here = places & masks[base]
        if here:
            met = 0
            for k, cover in enumerate(covers):
                if here & masks[cover]:
                    met |= 1 << k
            found.append((base, here, met))
    return found


def fish(size: int, rating: float) -> Find:
    """A finder of basic fish of one size."""

    def find(position: Position, digit: int) -> Iterator[Step]:
        for bases, covers in _ways(position):
            yield from _basic(position, digit, bases, covers, size, rating)

    return by_digit(SIZES[size], find)


def _basic(position: Position, digit: int, bases: range, covers: range, size: int, rating: float) -> Iterator[Step]:
    masks, places = position.geometry.masks, position.places[digit]
    lines = [line for line in _crossing(position, digit, bases, covers) if 2 <= line[1].bit_count() <= size]
    for chosen in combinations(lines, size):
        met = inside = 0
        for _, here, crossed in chosen:
            met |= crossed
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
            yield Step(
                SIZES[size], rating, sentence, removed=spread(digit, removed), cells=cells, good=spread(digit, inside)
            )


def finned(size: int, rating: float, *, sashimi: bool) -> Find:
    """A finder of finned fish of one size: those that are sashimi, or the others."""

    name = ("sashimi " if sashimi else "finned ") + SIZES[size]

    def find(position: Position, digit: int) -> Iterator[Step]:
        for bases, covers in _ways(position):
            lines = _crossing(position, digit, bases, covers)
            for chosen in combinations(lines, size):
                yield from _with_fins(position, digit, chosen, covers, name, rating, sashimi)

    return by_digit(name, find)


def _with_fins(
    position: Position,
    digit: int,
    chosen: tuple[tuple[int, int, int], ...],
    covers: range,
    name: str,
    rating: float,
    sashimi: bool,
) -> Iterator[Step]:
    """The fins lie in one box, where what goes sees them: for each box, covers that hold all that is outside of it."""
    size, masks, places = len(chosen), position.geometry.masks, position.places[digit]
    inside = area = met = 0
    for base, here, crossed in chosen:
        inside |= here
        area |= masks[base]
        met |= crossed
    if met.bit_count() <= size:
        return
    for box in position.geometry.boxes:
        here = inside & masks[box]
        if not here or not places & masks[box] & ~area:
            continue
        needed = within = 0
        for k, cover in enumerate(covers):
            line = masks[cover]
            if inside & line & ~here:
                needed |= 1 << k
            elif here & line:
                within |= 1 << k
        free = size - needed.bit_count()
        if free < 0 or within.bit_count() < free:
            continue
        for more in combinations(bits(within), free):
            taken = needed | sum(1 << k for k in more)
            covered = 0
            for k in bits(taken):
                covered |= masks[covers[k]]
            fins = inside & ~covered
            removed = places & masks[box] & covered & ~area
            if not fins or not removed or any(not line & ~fins for _, line, _ in chosen):
                continue  # without a place beside the fins a line is no part of the fish
            removed &= position.geometry.seen_by(fins)
            if removed and sashimi == any((line & ~fins).bit_count() < 2 for _, line, _ in chosen):
                bases = tuple(base for base, _, _ in chosen)
                lines = tuple(covers[k] for k in bits(taken))
                yield fish_step(position, digit, bases, lines, inside, fins, removed, name, rating)


def fish_step(
    position: Position,
    digit: int,
    bases: tuple[int, ...],
    covers: tuple[int, ...],
    inside: int,
    fins: int,
    removed: int,
    name: str,
    rating: float,
) -> Step:
    """A fish in words; with its fins, where it has some."""
    units = position.geometry.units
    symbol = SYMBOLS[digit]
    base = ", ".join(units[k].name for k in bases)
    cover = ", ".join(units[k].name for k in covers)
    if fins:
        sentence = (
            f"Of {base} the {symbol} fits only into {cover} but for {position.names(fins)}: either one of these fins is "
            f"{symbol}, or the fish is there, and in both cases {position.told(spread(digit, removed))} goes."
        )
    else:
        sentence = (
            f"Of {base} the {symbol} fits only into {cover}, as many units: no other cell of those is {symbol}, so "
            f"{position.told(spread(digit, removed))} goes."
        )
    cells = tuple(dict.fromkeys(cell for k in bases for cell in units[k].cells))
    return Step(
        name,
        rating,
        sentence,
        removed=spread(digit, removed),
        cells=cells,
        good=spread(digit, inside & ~fins & ~removed),
        more=(spread(digit, fins & ~removed),) if fins else (),
    )
