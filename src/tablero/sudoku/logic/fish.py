"""Fish: if all places of a digit in k units, the base, lie in k other units, the cover, the digit is removed from the
rest of the cover.

    basic      base and cover are rows and columns, and all places of the base lie in the cover
    fin        a place of the base outside of the cover, or in two units of the base: removed places must see every fin, too
    sashimi    a finned fish in which some line of the base has only one place beside the fins
    franken    some rows of the base or columns of the cover (or the other way round) are replaced by boxes
    mutant     rows and columns are mixed in the base or in the cover
    cannibal   the removed place lies in the base and in two units of the cover

The search for franken and mutant fish begins with the place t to remove.  If t is true, the places that it sees are
false.  If the other places of k disjoint units then all lie in k − 1 units, t is false.  These k − 1 units and a unit
of t are the cover.  All sets of k − 1 units are tried at once: each set is a bit of a whole number, and each place has
the sets that cover it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tablero.sudoku.logic.position import Geometry, Position, Step, as_set, remembered, spread, union
from tablero.sudoku.puzzle import SYMBOLS
from tablero.sudoku.reasons import bits, in_words

_COUNT = {2: "two", 3: "three", 4: "four"}
_SMALL = 3  # the size up to which all fish are reported; larger fish only if they contain no smaller one
_MOST_SETS = 100_000  # the most sets of units to try: enough for fish of six units on 9×9 and of four on 16×16
_Line = tuple[int, int, int]  # a line of the base, its places, and the set of crossing lines with these places
_Units = tuple[int, ...]


class _Fish(NamedTuple):
    digit: int
    bases: _Units
    covers: _Units
    inside: int  # the places of the base
    fins: int
    removed: int


# Fish of rows and columns


def _lines(position: Position, digit: int) -> Iterator[list[_Line]]:
    """Yield the rows that can be in a base, then the columns."""
    masks, places = position.geometry.masks, position.places[digit]
    rows, columns = position.geometry.rows, position.geometry.columns
    for bases, covers in ((rows, columns), (columns, rows)):
        held = ((base, places & masks[base]) for base in bases)
        yield [(base, here, as_set(k for k in covers if here & masks[k])) for base, here in held if here]


def basic(position: Position, digit: int, size: int) -> Iterator[Step]:
    masks, units, symbol = position.geometry.masks, position.geometry.units, SYMBOLS[digit]
    for lines in _lines(position, digit):
        for chosen in combinations((line for line in lines if 2 <= line[1].bit_count() <= size), size):
            met = union(crossed for _, _, crossed in chosen)
            if met.bit_count() != size:
                continue
            inside = union(here for _, here, _ in chosen)
            removed = position.places[digit] & union(masks[k] for k in bits(met)) & ~inside
            if removed:
                bases = [units[base] for base, _, _ in chosen]
                one, other = (name.split()[0] for name in (bases[0].name, units[met.bit_length() - 1].name))
                numbers = ", ".join(unit.name.split()[1] for unit in bases)
                others = ", ".join(units[k].name.split()[1] for k in bits(met))
                sentence = (
                    f"In {one}s {numbers} the {symbol} fits only into {other}s {others}: {_COUNT[size]} lines share "
                    f"{_COUNT[size]} places, and no other cell of those {other}s is {symbol}."
                )
                cells = tuple(cell for unit in bases for cell in unit.cells)
                yield Step(sentence, removed=spread(digit, removed), cells=cells, good=spread(digit, inside))


def finned(position: Position, digit: int, size: int, *, sashimi: bool) -> Iterator[Step]:
    """Finned fish: those that are sashimi, or the others."""
    for lines in _lines(position, digit):
        for chosen in combinations(lines, size):
            yield from _with_fins(position, digit, chosen, sashimi)


def _with_fins(position: Position, digit: int, chosen: tuple[_Line, ...], sashimi: bool) -> Iterator[Step]:
    """Finned fish of a base.  Their fins lie in one box: for each box, the covers that contain all places outside of it."""
    size, masks, places = len(chosen), position.geometry.masks, position.places[digit]
    met = list(bits(union(crossed for _, _, crossed in chosen)))
    if len(met) <= size:
        return
    bases = tuple(base for base, _, _ in chosen)
    inside = union(here for _, here, _ in chosen)
    area = union(masks[base] for base in bases)
    for box in position.geometry.kinds["boxes"]:
        here = inside & masks[box]
        if not here or not places & masks[box] & ~area:
            continue
        needed = [k for k in met if inside & masks[k] & ~here]
        within = [k for k in met if k not in needed]
        for more in combinations(within, size - len(needed)) if len(needed) <= size else ():
            covers = tuple(sorted((*needed, *more)))
            covered = union(masks[k] for k in covers)
            fins = inside & ~covered
            removed = places & masks[box] & covered & ~area
            if not fins or not removed or any(not line & ~fins for _, line, _ in chosen):
                continue  # a line without a place beside the fins is not part of the fish
            removed &= position.geometry.seen_by(fins)
            if removed and sashimi == any((line & ~fins).bit_count() < 2 for _, line, _ in chosen):
                yield _step(position, _Fish(digit, bases, covers, inside, fins, removed))


def _step(position: Position, fish: _Fish) -> Step:
    units, symbol = position.geometry.units, SYMBOLS[fish.digit]
    base = in_words([units[k].name for k in fish.bases])
    cover = in_words([units[k].name for k in fish.covers])
    removed = spread(fish.digit, fish.removed)
    if fish.fins:
        sentence = (
            f"In {base} the {symbol} fits only into {cover}, except for {position.names(fish.fins)}: either one of these "
            f"fins is {symbol}, or the fish is complete, and both cases remove {position.listed(removed)}."
        )
    else:
        sentence = (
            f"In {base} the {symbol} fits only into {cover}, which are as many units: no other cell of those is {symbol}, "
            f"which removes {position.listed(removed)}."
        )
    cells = tuple(dict.fromkeys(cell for k in fish.bases for cell in units[k].cells))
    good, fins = (spread(fish.digit, places) for places in (fish.inside & ~fish.fins, fish.fins))
    return Step(sentence, removed=removed, cells=cells, good=good, more=(fins,) if fins else ())


# Franken and mutant fish


@lru_cache(maxsize=16)
def _sets(units: int, size: int) -> tuple[list[_Units], list[int]] | None:
    """All sets of `size` units, and for each unit the sets that contain it, as bits; None if there are too many."""
    found = []
    for one in combinations(range(units), size):
        found.append(one)
        if len(found) > _MOST_SETS:
            return None
    marks = [bytearray(len(found) // 8 + 1) for _ in range(units)]
    for number, one in enumerate(found):
        for unit in one:
            marks[unit][number >> 3] |= 1 << (number & 7)
    return found, [int.from_bytes(mark, "little") for mark in marks]


def _proofs(position: Position, digit: int, target: int, size: int) -> Iterator[tuple[_Units, _Units]]:
    """Yield `size` units, and `size` − 1 units that contain all their places of the digit if the candidate is true."""
    geometry = position.geometry
    every = _sets(len(geometry.units), size - 1)
    if every is None:
        return
    sets, of_unit = every
    lean = size > _SMALL
    left = position.places[digit] & ~geometry.peers[target] & ~(1 << target)
    open_sets = (1 << len(sets)) - 1 & ~union(of_unit[unit] for unit in geometry.units_of[target])
    covering = {cell: union(of_unit[unit] for unit in geometry.units_of[cell]) & open_sets for cell in bits(left)}
    fits: dict[int, int] = {}  # for each unit the sets that contain all its places and not the unit itself
    for unit, mask in enumerate(geometry.masks):
        if mask >> target & 1 or not mask & position.places[digit] or (lean and not mask & left):
            continue
        here = open_sets & ~of_unit[unit]
        for cell in bits(mask & left):
            here &= covering[cell]
        if here:
            fits[unit] = here
    fitting = [open_sets] + [0] * size  # fitting[k]: the sets that contain the places of at least k units
    for here in fits.values():
        for k in range(size, 0, -1):
            fitting[k] |= fitting[k - 1] & here
    units = list(fits)
    todo: list[tuple[_Units, int, int, int]] = [
        ((), 0, fitting[size], 0)
    ]  # units, their places, their sets, the next unit
    while todo:
        chosen, taken, common, first = todo.pop()
        if len(chosen) == size:
            for number in bits(common):
                if not lean or _needs_all(geometry, left, chosen, sets[number]):
                    yield chosen, sets[number]
            continue
        for k in range(first, len(units) + len(chosen) - size + 1):
            here = geometry.masks[units[k]] & left
            if not here & taken and (both := common & fits[units[k]]):
                todo.append(((*chosen, units[k]), taken | here, both, k + 1))


def _needs_all(geometry: Geometry, left: int, bases: _Units, covers: _Units) -> bool:
    """Whether the fish contains no smaller one."""
    for size in range(1, len(covers)):
        for some in combinations(covers, size):
            area = union(geometry.masks[unit] for unit in some)
            if sum(not geometry.masks[unit] & left & ~area for unit in bases) > size:
                return False
    return True


@remembered
def _found(position: Position, size: int) -> list[_Fish]:
    """All fish of a size and their removed places, for each digit."""
    found: dict[tuple[int, _Units, _Units], _Fish | None] = {}
    for digit in range(1, position.side + 1):
        for target in bits(position.places[digit]):
            position.check()
            through = position.geometry.units_of[target]
            for bases, covers in _proofs(position, digit, target, size):
                for unit in through:
                    _add(position, found, digit, bases, (*covers, unit))
            if size > 2:  # a unit of the target in the base, the others in the cover
                for bases, covers in _proofs(position, digit, target, size - 1):
                    for unit in through[:3]:
                        others = [other for other in through[:3] if other != unit]
                        _add(position, found, digit, (*bases, unit), (*covers, *others))
    return [fish for fish in found.values() if fish]


def _add(
    position: Position, found: dict[tuple[int, _Units, _Units], _Fish | None], digit: int, bases: _Units, covers: _Units
) -> None:
    key = (digit, tuple(sorted(bases)), tuple(sorted(covers)))
    if key not in found:
        masks, places = position.geometry.masks, position.places[digit]
        inside, twice = _once_and_twice(masks[unit] & places for unit in bases)
        area, over = _once_and_twice(masks[unit] for unit in covers)
        fins = inside & ~area | twice
        removed = places & (area & ~inside | over) & (position.geometry.seen_by(fins) if fins else -1)
        found[key] = _Fish(*key, inside, fins, removed) if removed else None


def _once_and_twice(sets: Iterator[int]) -> tuple[int, int]:
    """The members of at least one of the sets, and the members of at least two."""
    once = twice = 0
    for one in sets:
        twice |= once & one
        once |= one
    return once, twice


def _kind(position: Position, fish: _Fish) -> str:
    """basic, franken or mutant; a fish with diagonals is mutant."""
    base = {min(unit // position.side, 3) for unit in fish.bases}
    cover = {min(unit // position.side, 3) for unit in fish.covers}
    for one, other in ((0, 1), (1, 0)):
        if base <= {one, 2} and cover <= {other, 2}:
            return "franken" if 2 in base | cover else "basic"
    return "mutant"


def large(position: Position, kind: str, size: int, *, fins: bool = False) -> Iterator[Step]:
    """Franken or mutant fish without fins or with fins; fewer fins first."""
    mine = [f for f in _found(position, size) if bool(f.fins) == fins and _kind(position, f) == kind]
    for fish in sorted(mine, key=lambda f: f.fins.bit_count()):
        yield _step(position, fish)
