"""Fish of rows, columns and boxes in any mixture, with fins or without; see `fish` for the plain ones.

    franken      boxes among the rows of the base or the columns of the cover (or the other way round)
    mutant       rows and columns mixed in the base or in the cover
    fin          a place of the base outside the cover, or in two units of the base: what goes must see every fin
    cannibal     what goes lies in the base, and in two units of the cover
    siamese      two fish of one base whose covers differ: what goes by the one and what goes by the other

They are looked for from what goes.  If a candidate t is right, what it sees is wrong; if the places that are then left of k
units, none in two of them, lie in k − 1 others, t is wrong.  With a unit of t these make the k units of the cover.  All sets
of k − 1 units are tried at once: each is a bit of a whole number, and a place has the number of those that cover it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tablero.sudoku.logic.fish import SIZES, fish_step
from tablero.sudoku.logic.position import Geometry, Position, Step, bits, two_at_once

Find = Callable[[Position], Iterator[Step]]
_SMALL = 3  # units of a fish up to which all are told; larger ones only where no smaller fish is inside of them
_MOST_SETS = 100_000  # sets of units that are tried: up to six lines on 9×9, up to four on 16×16


class _Fish(NamedTuple):
    digit: int
    bases: tuple[int, ...]
    covers: tuple[int, ...]
    inside: int  # the places of the base
    fins: int
    removed: int


class _Sets(NamedTuple):
    """All sets of so many units, and for each unit the sets that it is in, a bit for each."""

    sets: tuple[tuple[int, ...], ...]
    of_unit: tuple[int, ...]


@lru_cache(maxsize=16)
def _sets(units: int, size: int) -> _Sets | None:
    """None where there are too many."""
    found = []
    for one in combinations(range(units), size):
        found.append(one)
        if len(found) > _MOST_SETS:
            return None
    marks = [bytearray(len(found) // 8 + 1) for _ in range(units)]
    for number, one in enumerate(found):
        for unit in one:
            marks[unit][number >> 3] |= 1 << (number & 7)
    return _Sets(tuple(found), tuple(int.from_bytes(mark, "little") for mark in marks))


def _proofs(
    position: Position, digit: int, target: int, size: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Units that cannot all hold the digit if a candidate is right, and the fewer units that all their places lie in."""
    geometry = position.geometry
    every = _sets(len(geometry.units), size - 1)
    if every is None:
        return
    lean = size > _SMALL
    left = position.places[digit] & ~geometry.peers[target] & ~(1 << target)
    open_sets = (1 << len(every.sets)) - 1
    for unit in geometry.units_of[target]:
        open_sets &= ~every.of_unit[unit]
    covering = {}
    for cell in bits(left):
        here = 0
        for unit in geometry.units_of[cell]:
            here |= every.of_unit[unit]
        covering[cell] = here & open_sets
    fits: dict[int, int] = {}  # for each unit the sets that hold all its places and not itself
    for unit, mask in enumerate(geometry.masks):
        if mask >> target & 1 or not mask & position.places[digit] or (lean and not mask & left):
            continue
        here = open_sets & ~every.of_unit[unit]
        for cell in bits(mask & left):
            here &= covering[cell]
        if here:
            fits[unit] = here
    so_many = [open_sets] + [0] * size  # sets that hold at least so many units
    for here in fits.values():
        for k in range(size, 0, -1):
            so_many[k] |= so_many[k - 1] & here
    units = list(fits)
    todo: list[tuple[tuple[int, ...], int, int, int]] = [((), 0, so_many[size], 0)]  # with their places and their sets
    while todo:
        chosen, taken, common, first = todo.pop()
        if len(chosen) == size:
            for number in bits(common):
                if not lean or _needs_all(geometry, left, chosen, every.sets[number]):
                    yield chosen, every.sets[number]
            continue
        for k in range(first, len(units) + len(chosen) - size + 1):
            here = geometry.masks[units[k]] & left
            if not here & taken and (sets := common & fits[units[k]]):
                todo.append(((*chosen, units[k]), taken | here, sets, k + 1))


def _needs_all(geometry: Geometry, left: int, bases: tuple[int, ...], covers: tuple[int, ...]) -> bool:
    """Whether no smaller fish is inside of it."""
    for size in range(1, len(covers)):
        for some in combinations(covers, size):
            area = 0
            for unit in some:
                area |= geometry.masks[unit]
            if sum(not geometry.masks[unit] & left & ~area for unit in bases) > size:
                return False
    return True


def _found(position: Position, size: int) -> list[_Fish]:
    """All fish of a size that are not plain, of every digit; made once."""
    key = f"fish {size}"
    if key not in position.memo:
        found: dict[tuple[int, tuple[int, ...], tuple[int, ...]], _Fish] = {}
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
        position.memo[key] = list(found.values())
    kept = position.memo[key]
    assert isinstance(kept, list)
    return kept


def _add(
    position: Position,
    found: dict[tuple[int, tuple[int, ...], tuple[int, ...]], _Fish],
    digit: int,
    bases: tuple[int, ...],
    covers: tuple[int, ...],
) -> None:
    key = (digit, tuple(sorted(bases)), tuple(sorted(covers)))
    if key in found:
        return
    masks, places = position.geometry.masks, position.places[digit]
    inside = twice = once = over = 0
    for unit in bases:
        twice |= inside & masks[unit]
        inside |= masks[unit]
    for unit in covers:
        over |= once & masks[unit]
        once |= masks[unit]
    inside &= places
    fins = inside & ~once | twice & places
    removed = places & (once & ~inside | over) & (position.geometry.seen_by(fins) if fins else -1)
    if removed:
        found[key] = _Fish(*key, inside, fins, removed)


def _kind(position: Position, fish: _Fish) -> str:
    """plain, franken or mutant; diagonals are mutant."""
    side = position.side
    base = {min(unit // side, 3) for unit in fish.bases}
    cover = {min(unit // side, 3) for unit in fish.covers}
    for one, other in ((0, 1), (1, 0)):
        if base <= {one, 2} and cover <= {other, 2}:
            return "franken" if 2 in base | cover else "plain"
    return "mutant"


def name_of(kind: str, size: int, *, fins: bool) -> str:
    return f"{'finned ' if fins else ''}{kind} {SIZES[size]}"


def large(kind: str, size: int, rating: float, *, fins: bool) -> Find:
    """A finder of franken or mutant fish of one size, without fins or with them; fewer fins first."""
    name = name_of(kind, size, fins=fins)

    def find(position: Position) -> Iterator[Step]:
        mine = [f for f in _found(position, size) if bool(f.fins) == fins and _kind(position, f) == kind]
        for fish in sorted(mine, key=lambda f: f.fins.bit_count()):
            yield fish_step(position, *fish, name, rating)

    return find


def siamese(find: Find, name: str, also: Find | None = None) -> Find:
    """A finder of two fish of one base; the first may be one of `also`."""

    def alike(step: Step) -> object:
        return step.cells, step.removed[0][1]

    def both(position: Position) -> Iterator[Step]:
        return two_at_once(find(position), name, alike, also=also(position) if also else ())

    return both
