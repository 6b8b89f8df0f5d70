"""Almost locked sets: cells of a unit with one more digit than cells.  Without one of its digits the set is locked: it holds
all of its other digits.

common      a digit of two sets whose places in one set all see its places in the other: at most one of the sets holds it
XZ          two sets with a common digit x: one of them is locked without x and holds z, so z is removed from the cells that
            see all z of both sets; with two common digits, every other digit is locked in its set, too
XY-wing     a set between two others, connected by different common digits
chain       the same with more sets in between
blossom     a cell (the stem), and for each of its candidates a set (a petal) that is locked if the stem has the candidate
Sue de Coq  cells in the intersection of a box and a line, a set of the line and a set of the box that share no digit:
            together they have as many digits as cells, so every digit is locked in the line or in the box
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from tablero.sudoku.logic.position import Candidate, Position, Step, as_set, digits_text, remembered, spread, union
from tablero.sudoku.puzzle import SYMBOLS
from tablero.sudoku.reasons import bits

_LONGEST = 6  # the most sets in a chain


class LockedSet(NamedTuple):
    """An almost locked set."""

    cells: int
    digits: int
    places: dict[int, int]  # for each digit its places in the set
    near: dict[int, int]  # for each digit the cells that see all of its places in the set


Joint = tuple[LockedSet, LockedSet, int]  # two sets and a common digit


@remembered
def sets_of(position: Position) -> list[LockedSet]:
    """All almost locked sets, ordered by size."""
    cands, geometry = position.cands, position.geometry
    every: dict[int, int] = {}
    for mask in geometry.masks:
        inside = list(bits(position.empty & mask))
        partial = {0: 0}
        for cell in inside:
            partial.update({cells | 1 << cell: seen | cands[cell] for cells, seen in partial.items()})
        every.update(
            (cells, digits)
            for cells, digits in partial.items()
            if cells and digits.bit_count() == cells.bit_count() + 1 and cells.bit_count() < len(inside)
        )
    found = []
    for cells, digits in sorted(every.items(), key=lambda item: (item[0].bit_count(), item[0])):
        places = {digit: position.places[digit] & cells for digit in bits(digits)}
        near = {digit: geometry.seen_by(here) for digit, here in places.items()}
        found.append(LockedSet(cells, digits, places, near))
    return found


@remembered
def _neighbours(position: Position) -> list[list[tuple[int, int]]]:
    """For each set the disjoint sets with common digits, and these digits."""
    sets = sets_of(position)
    common: list[dict[int, int]] = [{} for _ in sets]
    for digit in range(1, position.side + 1):
        alike: dict[int, list[int]] = {}  # sets with the digit in the same cells
        for k, one in enumerate(sets):
            if one.digits >> digit & 1:
                alike.setdefault(one.places[digit], []).append(k)
        for (here, some), (there, others) in combinations(alike.items(), 2):
            if there & ~position.geometry.seen_by(here):
                continue
            for i in some:
                cells = sets[i].cells
                for j in others:
                    if not cells & sets[j].cells:
                        common[i][j] = common[j][i] = common[i].get(j, 0) | 1 << digit
    return [sorted(mine.items()) for mine in common]


@remembered
def _useful(position: Position) -> list[int]:
    """For each set its digits that can be removed from some cell outside."""
    return [
        as_set(digit for digit, near in one.near.items() if position.places[digit] & near) for one in sets_of(position)
    ]


def _removable(position: Position, digits: int, first: LockedSet, last: LockedSet) -> tuple[Candidate, ...]:
    """Candidates that see all places of their digit in both sets."""
    return tuple(
        candidate
        for digit in bits(digits & first.digits & last.digits)
        for candidate in spread(digit, position.places[digit] & first.near[digit] & last.near[digit])
    )


def _label(position: Position, one: LockedSet) -> str:
    return f"{position.names(one.cells)} ({digits_text(one.digits)})"


def _step(
    position: Position,
    sentence: str,
    removed: tuple[Candidate, ...],
    sets: Sequence[LockedSet],
    joints: Sequence[Joint] = (),
    raised: float = 0.0,
) -> Step:
    """A step with a colour for each set; the places of a common digit in both sets have weak links."""
    good, other, *more = [position.candidates_in(one.cells) for one in sets]
    return Step(
        sentence,
        removed=removed,
        cells=tuple(dict.fromkeys(cell for one in sets for cell in bits(one.cells))),
        good=good,
        other=other,
        weak=tuple(
            (here, there)
            for one, two, digit in joints
            for here in spread(digit, one.places[digit])
            for there in spread(digit, two.places[digit])
        ),
        more=tuple(more),
        raised=raised,
    )


def als_xz(position: Position) -> Iterator[Step]:
    sets = sets_of(position)
    for i, near in enumerate(_neighbours(position)):
        one = sets[i]
        for j, common in near:
            if j < i:
                continue
            two = sets[j]
            both = f"The sets {_label(position, one)} and {_label(position, two)}"
            if common.bit_count() == 1:
                gone = _removable(position, ~common, one, two)
                if not gone:
                    continue
                sentence = (
                    f"{both} cannot both hold {digits_text(common)}, and the one without it is locked: any other digit of "
                    f"both is in one of them, which removes {position.listed(gone)}."
                )
            else:
                gone = _doubly(position, one, two, common)
                if not gone:
                    continue
                sentence = (
                    f"{both} have {digits_text(common)} in common, and each holds one of these: all their digits are "
                    f"locked, which removes {position.listed(gone)}."
                )
            yield _step(position, sentence, gone, [one, two], [(one, two, x) for x in bits(common)])


def _doubly(position: Position, one: LockedSet, two: LockedSet, common: int) -> tuple[Candidate, ...]:
    gone = {*_removable(position, -1, one, two)}
    for some in (one, two):
        for digit in bits(some.digits & ~common):
            gone.update(spread(digit, position.places[digit] & some.near[digit]))
    return tuple(sorted(gone))


def als_xy_wing(position: Position) -> Iterator[Step]:
    sets, useful = sets_of(position), _useful(position)
    for k, near in enumerate(_neighbours(position)):
        pivot = sets[k]
        for (i, x), (j, y) in combinations(near, 2):
            shared = useful[i] & useful[j]
            if not shared or (x | y).bit_count() < 2:
                continue
            one, two = sets[i], sets[j]
            gone: set[Candidate] = set()
            joints: dict[tuple[int, int], Joint] = {}
            for first in bits(x):
                for second in bits(y & ~(1 << first)):
                    more = _removable(position, shared & ~(1 << first) & ~(1 << second), one, two)
                    if more:
                        gone.update(more)
                        joints[0, first], joints[1, second] = (pivot, one, first), (pivot, two, second)
            if gone:
                removed = tuple(sorted(gone))
                sentence = (
                    f"Whatever {_label(position, pivot)} holds, {_label(position, one)} or {_label(position, two)} loses "
                    f"a common digit and is locked, which removes {position.listed(removed)}."
                )
                yield _step(position, sentence, removed, [pivot, one, two], list(joints.values()))


def als_chain(position: Position) -> Iterator[Step]:
    """Chains of four or more sets, shorter ones first; between two sets only the first chain is reported."""
    sets, useful = sets_of(position), _useful(position)
    side = position.side + 1
    onwards: list[list[int]] = []  # for a set and the digit by which a chain enters it: the next states (set, digit)
    for near in _neighbours(position):
        by = [as_set(j * side + x for j, common in near if common >> x & 1) for x in range(side)]
        every = union(by)
        onwards.append([every & ~states for states in by])
    found: list[tuple[int, int, int, list[int]]] = []
    for i, start in enumerate(sets):
        for z in bits(useful[i]):
            near_z = position.places[z] & start.near[z]
            levels = [onwards[i][z]]
            seen = levels[0]
            while levels[-1] and len(levels) < _LONGEST - 1:
                more = union(onwards[state // side][state % side] for state in bits(levels[-1])) & ~seen
                seen |= more
                levels.append(more)
                if len(levels) < 3:
                    continue
                for state in bits(more):
                    j, x = divmod(state, side)
                    if j >= i and x != z and useful[j] >> z & 1 and near_z & sets[j].near[z]:
                        found.append((len(levels), i, z, [*levels, state]))
    found.sort(key=lambda f: f[:3])
    for length, i, _, trail in found:
        states = [trail[-1]]
        for level in range(length - 2, -1, -1):
            before = [s for s in bits(trail[level]) if onwards[s // side][s % side] >> states[-1] & 1]
            if not before:
                break
            states.append(before[0])
        else:
            chain = [sets[k] for k in (i, *(state // side for state in reversed(states)))]
            yield _chain_step(position, chain, [state % side for state in reversed(states)])


def _chain_step(position: Position, chain: list[LockedSet], joints: list[int]) -> Step:
    gone = _removable(position, ~(1 << joints[0]) & ~(1 << joints[-1]), chain[0], chain[-1])
    sentence = (
        f"The sets {'; '.join(_label(position, one) for one in chain)} are joined by "
        f"{', '.join(SYMBOLS[joint] for joint in joints)}: the first or the last is locked without its joint and holds "
        f"all of its other digits, which removes {position.listed(gone)}."
    )
    between = list(zip(chain, chain[1:], joints, strict=False))
    return _step(position, sentence, gone, chain, between, raised=0.1 * (len(chain) - 4))


def death_blossom(position: Position) -> Iterator[Step]:
    sets, useful = sets_of(position), _useful(position)
    for stem in bits(position.empty):
        digits = position.cands[stem]
        if not 2 <= digits.bit_count() <= 5:
            continue
        petals = [
            [k for k, one in enumerate(sets) if one.digits >> digit & 1 and one.near[digit] >> stem & 1]
            for digit in bits(digits)
        ]
        for z in range(1, position.side + 1) if all(petals) else ():
            choices = [[k for k in some if useful[k] >> z & 1] for some in petals]
            if not digits >> z & 1 and all(choices):
                yield from _blossoms(position, stem, z, choices)


def _blossoms(position: Position, stem: int, z: int, choices: list[list[int]]) -> Iterator[Step]:
    sets = sets_of(position)
    todo: list[tuple[tuple[int, ...], int]] = [((), position.places[z] & ~(1 << stem))]
    results = set()
    while todo:
        taken, hit = todo.pop()
        if len(taken) < len(choices):
            for k in reversed(choices[len(taken)]):
                left = hit & sets[k].near[z]
                if left:
                    todo.append(((*taken, k), left))
        elif hit not in results:
            results.add(hit)
            yield _blossom_step(position, stem, z, [sets[k] for k in taken], hit)


def _blossom_step(position: Position, stem: int, z: int, petals: list[LockedSet], hit: int) -> Step:
    removed, core = spread(z, hit), position.candidates_in((stem,))
    held = list(zip(core, petals, strict=True))
    text = "; ".join(f"as {SYMBOLS[digit]} it locks {_label(position, one)}" for (_, digit), one in held)
    sentence = (
        f"Whatever {position.name(stem)} is, {SYMBOLS[z]} is in one of the sets: {text}. That removes "
        f"{position.listed(removed)}."
    )
    step = _step(position, sentence, removed, petals)
    links = tuple((here, there) for here, one in held for there in spread(here[1], one.places[here[1]]))
    return replace(step, cells=(stem, *step.cells), more=(*step.more, core), weak=links)


def sue_de_coq(position: Position) -> Iterator[Step]:
    cands, empty = position.cands, position.empty
    for box, only_box, only_line, both, line in position.geometry.meetings["boxes"]:
        inside = list(bits(both & empty))
        for size in range(2, len(inside) + 1):
            for middle in combinations(inside, size):
                digits = union(cands[cell] for cell in middle)
                if digits.bit_count() < size + 2:
                    continue
                cells = as_set(middle)
                lines = _partners(position, digits, (only_line | both & ~cells) & empty)
                boxes = _partners(position, digits, (only_box | both & ~cells) & empty)
                for of_line in lines:
                    for of_box in boxes:
                        every, total = cells | of_line[0] | of_box[0], digits | of_line[1] | of_box[1]
                        apart = not of_line[0] & of_box[0] and not of_line[1] & of_box[1]
                        if apart and total.bit_count() == every.bit_count():
                            yield from _sue_de_coq_step(position, (cells, digits), ((line, *of_line), (box, *of_box)))


def _partners(position: Position, digits: int, cells: int) -> list[tuple[int, int]]:
    """Sets of cells and their digits that have fewer digits outside of the middle than cells."""
    partial = {0: 0}
    for cell in bits(cells):
        if position.cands[cell] & digits:
            partial.update({seen | 1 << cell: have | position.cands[cell] for seen, have in partial.items()})
    return [(seen, have) for seen, have in partial.items() if seen and (have & ~digits).bit_count() < seen.bit_count()]


def _sue_de_coq_step(
    position: Position, middle: tuple[int, int], partners: Sequence[tuple[int, int, int]]
) -> Iterator[Step]:
    """`middle` has its cells and digits, and the partners of the line and of the box a unit, cells and digits each."""
    geometry, (cells, digits) = position.geometry, middle
    gone: set[Candidate] = set()
    for (unit, mine, some), (_, _, others) in (partners, partners[::-1]):
        gone.update(position.places_in(some | digits & ~others, geometry.masks[unit] & ~cells & ~mine))
    if not gone:
        return
    removed = tuple(sorted(gone))
    text = " and ".join(
        f"{position.names(mine)} in {geometry.units[unit].name} ({digits_text(some)})" for unit, mine, some in partners
    )
    every = union((cells, partners[0][1], partners[1][1]))
    sentence = (
        f"{position.names(cells)} hold {digits_text(digits)}; {text} share no digit: {every.bit_count()} cells for as many "
        f"digits, all locked, which removes {position.listed(removed)}."
    )
    good, other, more = (position.candidates_in(some) for some in (cells, partners[0][1], partners[1][1]))
    yield Step(sentence, removed=removed, cells=tuple(bits(every)), good=good, other=other, more=(more,))
