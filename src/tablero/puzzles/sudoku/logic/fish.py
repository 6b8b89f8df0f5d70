"""Fish: a digit that in k units, the base, fits only into k others, the cover, goes from the rest of the cover.

basic      rows and columns, all places of the base in the cover
fin        a place of the base outside the cover: what goes must see every fin, too
sashimi    finned, and without its fins some line of the base has one place or none
franken    boxes among the base or the cover
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from tablero.puzzles.sudoku.logic.position import Position, Step, bits, by_digit, spread
from tablero.puzzles.sudoku.puzzle import SYMBOLS

_NAME = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
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

    return by_digit(_NAME[size], find)


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
                _NAME[size], rating, sentence, removed=spread(digit, removed), cells=cells, good=spread(digit, inside)
            )


def finned(size: int, rating: float, *, sashimi: bool) -> Find:
    """A finder of finned fish of one size: those that are sashimi, or the others."""

    name = ("sashimi " if sashimi else "finned ") + _NAME[size]

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
            if not fins or not removed:
                continue
            removed &= position.geometry.seen_by(fins)
            if removed and sashimi == any((line & ~fins).bit_count() < 2 for _, line, _ in chosen):
                yield _finned_step(
                    position,
                    digit,
                    [b for b, _, _ in chosen],
                    [covers[k] for k in bits(taken)],
                    inside,
                    fins,
                    removed,
                    name,
                    rating,
                )


def _finned_step(
    position: Position,
    digit: int,
    bases: list[int],
    covers: list[int],
    inside: int,
    fins: int,
    removed: int,
    name: str,
    rating: float,
) -> Step:
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


def franken(size: int, rating: float, *, fins: bool) -> Find:
    """A finder of fish with boxes in the base or the cover, without fins or with them."""
    name = ("finned " if fins else "") + "franken " + _NAME[size]

    def find(position: Position, digit: int) -> Iterator[Step]:
        for bases, covers in _ways(position):
            yield from _franken(position, digit, bases, covers, size, rating, name, fins)

    return by_digit(name, find)


def _franken(
    position: Position, digit: int, lines: range, crossing: range, size: int, rating: float, name: str, fins: bool
) -> Iterator[Step]:
    geometry, places = position.geometry, position.places[digit]
    masks = geometry.masks
    bases = [k for k in (*lines, *geometry.boxes) if places & masks[k]]
    for chosen in combinations(bases, size):
        inside = twice = 0
        for k in chosen:
            here = places & masks[k]
            twice |= inside & here
            inside |= here
        if twice and (not fins or not places & geometry.seen_by(twice)):
            continue
        boxed = any(k in geometry.boxes for k in chosen)
        for covers, loose in _covers(position, inside & ~twice, twice, places, crossing, size, fins):
            if not boxed and not any(k in geometry.boxes for k in covers):
                continue
            if bool(loose) != fins:
                continue
            once = over = 0
            for k in covers:
                over |= once & masks[k]
                once |= masks[k]
            removed = places & (once & ~inside | over)
            if loose:
                removed &= geometry.seen_by(loose)
            if removed:
                yield _finned_step(position, digit, list(chosen), covers, inside, loose, removed, name, rating)


def _covers(
    position: Position, rest: int, loose: int, places: int, crossing: range, size: int, fins: bool
) -> Iterator[tuple[list[int], int]]:
    """Sets of crossing lines and boxes that hold the places of a base, and the places that stay outside as fins."""
    geometry = position.geometry
    masks, side = geometry.masks, position.side
    seen: set[tuple[tuple[int, ...], int]] = set()
    todo: list[tuple[tuple[int, ...], int, int]] = [((), rest, loose)]
    while todo:
        taken, rest, loose = todo.pop()
        if not rest:
            if len(taken) == size:
                key = (tuple(sorted(taken)), loose)
                if key not in seen:
                    seen.add(key)
                    yield list(key[0]), loose
            continue
        low = rest & -rest
        cell = low.bit_length() - 1
        if fins and places & geometry.seen_by(loose | low):
            todo.append((taken, rest & ~low, loose | low))
        if len(taken) < size:
            for k in geometry.units_of[cell]:
                if (k in crossing or 2 * side <= k < 3 * side) and k not in taken:
                    todo.append(((*taken, k), rest & ~masks[k], loose))
