"""Almost locked sets: cells of a unit with one digit more than there are cells.  Take one digit away, and they are locked.

common      a digit of two sets all of whose places in one see all those in the other: it is in one of them at most
XZ          two sets with a common digit x: one of them is locked without it and holds z, so what sees all z of both goes;
            with two common digits every other digit is locked in its set, too
XY-wing     a set between two others, joined by different common digits
chain       the same with more sets in between
blossom     a cell (the stem), and for each of its digits a set (a petal) that is locked if the stem takes it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from tablero.sudoku.logic.position import Candidate, Link, Marked, Position, Step, bits, digits_text
from tablero.sudoku.puzzle import SYMBOLS


class LockedSet(NamedTuple):
    """An almost locked set: its cells and digits, for each digit its cells and what sees all of them."""

    cells: int
    digits: int
    places: dict[int, int]
    near: dict[int, int]


def sets_of(position: Position) -> list[LockedSet]:
    """All of them, smaller ones first; made once."""
    if "sets" not in position.memo:
        position.memo["sets"] = _sets(position)
    found = position.memo["sets"]
    assert isinstance(found, list)
    return found


def _sets(position: Position) -> list[LockedSet]:
    cands, geometry = position.cands, position.geometry
    every: dict[int, int] = {}
    for mask in geometry.masks:
        inside = [(1 << cell, cands[cell]) for cell in bits(position.empty & mask)]
        partial = {0: 0}
        for here, digits in inside:
            partial.update({cells | here: seen | digits for cells, seen in partial.items()})
        most = len(inside)
        every.update(
            (cells, digits)
            for cells, digits in partial.items()
            if cells and digits.bit_count() == cells.bit_count() + 1 and cells.bit_count() < most
        )
    found = []
    for cells, digits in sorted(every.items(), key=lambda item: (item[0].bit_count(), item[0])):
        places = {digit: position.places[digit] & cells for digit in bits(digits)}
        near = {digit: geometry.seen_by(here) for digit, here in places.items()}
        found.append(LockedSet(cells, digits, places, near))
    return found


def _neighbours(position: Position) -> list[list[tuple[int, int]]]:
    """For each set the sets apart from it that it shares common digits with, and those digits; made once."""
    if "neighbours" not in position.memo:
        sets = sets_of(position)
        common: list[dict[int, int]] = [{} for _ in sets]
        for digit in range(1, position.side + 1):
            alike: dict[int, list[int]] = {}  # sets with the digit in the same cells
            for k, one in enumerate(sets):
                if one.digits >> digit & 1:
                    alike.setdefault(one.places[digit], []).append(k)
            groups = list(alike.items())
            for a, (here, some) in enumerate(groups):
                near = position.geometry.seen_by(here)
                for there, others in groups[a + 1 :]:
                    if there & ~near:
                        continue
                    for i in some:
                        cells = sets[i].cells
                        for j in others:
                            if not cells & sets[j].cells:
                                low, high = (i, j) if i < j else (j, i)
                                common[low][high] = common[low].get(high, 0) | 1 << digit
        found: list[list[tuple[int, int]]] = [[] for _ in sets]
        for i, mine in enumerate(common):
            for j, digits in mine.items():
                found[i].append((j, digits))
                found[j].append((i, digits))
        position.memo["neighbours"] = [sorted(some) for some in found]
    kept = position.memo["neighbours"]
    assert isinstance(kept, list)
    return kept


def _removable(position: Position, digits: int, first: LockedSet, last: LockedSet) -> list[Candidate]:
    """Digits that see all of their places in both sets."""
    gone = []
    for digit in bits(digits & first.digits & last.digits):
        hit = position.places[digit] & first.near[digit] & last.near[digit]
        gone += [(cell, digit) for cell in bits(hit)]
    return gone


def _label(position: Position, one: LockedSet) -> str:
    return f"{position.names(one.cells)} ({digits_text(one.digits)})"


Joint = tuple[LockedSet, LockedSet, int]  # two sets and a digit that only one of them can hold


def _links(joints: Sequence[Joint]) -> tuple[Link, ...]:
    """Common digits are weak links, from each place in the one set to each in the other."""
    return tuple(
        ((here, digit), (there, digit))
        for one, two, digit in joints
        for here in bits(one.places[digit])
        for there in bits(two.places[digit])
    )


def _marks(position: Position, sets: list[LockedSet], removed: list[Candidate], joints: Sequence[Joint] = ()) -> Marked:
    gone = set(removed)
    colours = [
        tuple((cell, d) for cell in bits(one.cells) for d in bits(position.cands[cell]) if (cell, d) not in gone)
        for one in sets
    ]
    cells = dict.fromkeys(cell for one in sets for cell in bits(one.cells))
    return {
        "cells": tuple(cells),
        "good": colours[0],
        "other": colours[1] if len(sets) > 1 else (),
        "more": tuple(colours[2:]),
        "weak": _links(joints),
    }


def als_xz(position: Position) -> Iterator[Step]:
    sets = sets_of(position)
    for i, near in enumerate(_neighbours(position)):
        one = sets[i]
        for j, common in near:
            if j < i:
                continue
            two = sets[j]
            if common.bit_count() == 1:
                gone = _removable(position, ~common, one, two)
                if not gone:
                    continue
                digit = SYMBOLS[common.bit_length() - 1]
                sentence = (
                    f"The sets {_label(position, one)} and {_label(position, two)} cannot both hold {digit}, and the one "
                    f"without it is locked: a digit of both that sees all of its places there goes, which takes "
                    f"{position.told(gone)}."
                )
            else:
                gone = _doubly(position, one, two, common)
                if not gone:
                    continue
                sentence = (
                    f"The sets {_label(position, one)} and {_label(position, two)} have {digits_text(common)} in common, "
                    f"and each holds one of these: all their digits are locked, which takes {position.told(gone)}."
                )
            joints = [(one, two, x) for x in bits(common)]
            yield Step("ALS-XZ", 7.3, sentence, removed=tuple(gone), **_marks(position, [one, two], gone, joints))


def _doubly(position: Position, one: LockedSet, two: LockedSet, common: int) -> list[Candidate]:
    gone = dict.fromkeys(_removable(position, -1, one, two))
    for some in (one, two):
        for digit in bits(some.digits & ~common):
            gone.update(dict.fromkeys((cell, digit) for cell in bits(position.places[digit] & some.near[digit])))
    return sorted(gone)


def als_xy_wing(position: Position) -> Iterator[Step]:
    sets = sets_of(position)
    useful = _useful(position)
    for k, near in enumerate(_neighbours(position)):
        pivot = sets[k]
        for (i, x), (j, y) in combinations(near, 2):
            if not useful[i] & useful[j] or (x | y).bit_count() < 2:
                continue
            one, two = sets[i], sets[j]
            gone: list[Candidate] = []
            joints: list[Joint] = []
            for first in bits(x):
                for second in bits(y & ~(1 << first)):
                    more = _removable(position, useful[i] & useful[j] & ~(1 << first) & ~(1 << second), one, two)
                    gone += more
                    if more:
                        joints += [j for j in ((pivot, one, first), (pivot, two, second)) if j not in joints]
            if gone:
                gone = sorted(set(gone))
                sentence = (
                    f"Whatever {_label(position, pivot)} holds, it leaves {_label(position, one)} or "
                    f"{_label(position, two)} without a digit in common, hence locked: which takes {position.told(gone)}."
                )
                yield Step(
                    "ALS-XY-wing",
                    7.4,
                    sentence,
                    removed=tuple(gone),
                    **_marks(position, [pivot, one, two], gone, joints),
                )


def _useful(position: Position) -> list[int]:
    """For each set the digits that something outside sees."""
    return [
        sum(1 << digit for digit, near in one.near.items() if position.places[digit] & near)
        for one in sets_of(position)
    ]


_LONGEST = 6  # sets of a chain


def als_chain(position: Position) -> Iterator[Step]:
    """Chains of four sets or more, shorter ones first; of all chains between two sets the first is told."""
    sets, neighbours, useful = sets_of(position), _neighbours(position), _useful(position)
    side = position.side + 1
    onwards: list[dict[int, int]] = []  # for a set and the digit it was entered by: states (set, digit) that follow
    for near in neighbours:
        by_digit: dict[int, int] = {}
        for digit in range(side):
            states = 0
            for j, common in near:
                for x in bits(common):
                    if x != digit:
                        states |= 1 << j * side + x
            by_digit[digit] = states
        onwards.append(by_digit)
    found: list[tuple[int, int, int, list[int]]] = []
    for i, start in enumerate(sets):
        for z in bits(useful[i]):
            near_z = position.places[z] & start.near[z]
            levels = [onwards[i][z]]
            seen = levels[0]
            while levels[-1] and len(levels) < _LONGEST - 1:
                more = 0
                for state in bits(levels[-1]):
                    j, x = divmod(state, side)
                    more |= onwards[j][x]
                more &= ~seen
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
        step = _als_chain_step(position, i, trail, length, onwards, side)
        if step:
            yield step


def _als_chain_step(
    position: Position, i: int, trail: list[int], length: int, onwards: list[dict[int, int]], side: int
) -> Step | None:
    sets = sets_of(position)
    states = [trail[-1]]
    for level in range(length - 2, -1, -1):
        state = next((s for s in bits(trail[level]) if onwards[s // side][s % side] >> states[-1] & 1), None)
        if state is None:
            return None
        states.append(state)
    states.reverse()
    chain = [sets[k] for k in (i, *(state // side for state in states))]
    joints = [state % side for state in states]
    ends = chain[0].digits & chain[-1].digits & ~(1 << joints[0]) & ~(1 << joints[-1])
    gone = _removable(position, ends, chain[0], chain[-1])
    sentence = (
        f"The sets {'; '.join(_label(position, one) for one in chain)} are joined by "
        f"{', '.join(SYMBOLS[joint] for joint in joints)}: the first or the last is locked without its joint and holds "
        f"all of its other digits, which takes {position.told(gone)}."
    )
    rating = round(7.6 + 0.1 * (len(chain) - 4), 1)
    between = list(zip(chain, chain[1:], joints, strict=False))
    return Step("ALS chain", rating, sentence, removed=tuple(gone), **_marks(position, chain, gone, between))


def death_blossom(position: Position) -> Iterator[Step]:
    sets = sets_of(position)
    useful = _useful(position)
    for stem in bits(position.empty):
        digits = position.cands[stem]
        if not 2 <= digits.bit_count() <= 5:
            continue
        petals: list[list[int]] = []
        for digit in bits(digits):
            petals.append([k for k, one in enumerate(sets) if one.digits >> digit & 1 and one.near[digit] >> stem & 1])
        if not all(petals):
            continue
        for z in range(1, position.side + 1):
            if digits >> z & 1:
                continue
            choices = [[k for k in some if useful[k] >> z & 1] for some in petals]
            if all(choices):
                yield from _blossoms(position, stem, z, choices)


def _blossoms(position: Position, stem: int, z: int, choices: list[list[int]]) -> Iterator[Step]:
    sets = sets_of(position)
    digits = list(bits(position.cands[stem]))
    todo: list[tuple[tuple[int, ...], int]] = [((), position.places[z] & ~(1 << stem))]
    results = set()
    while todo:
        taken, hit = todo.pop()
        if len(taken) == len(choices):
            if hit not in results:
                results.add(hit)
                yield _blossom_step(position, stem, z, digits, [sets[k] for k in taken], hit)
            continue
        for k in reversed(choices[len(taken)]):
            one = sets[k]
            left = hit & one.near[z]
            if left:
                todo.append(((*taken, k), left))


def _blossom_step(position: Position, stem: int, z: int, digits: list[int], petals: list[LockedSet], hit: int) -> Step:
    gone = [(cell, z) for cell in bits(hit)]
    told = "; ".join(
        f"as {SYMBOLS[digit]} it locks {_label(position, one)}" for digit, one in zip(digits, petals, strict=True)
    )
    name = position.name(stem)
    sentence = f"Whatever {name} is, {SYMBOLS[z]} is in one of the sets: {told}. That takes {position.told(gone)}."
    marks = _marks(position, petals, gone)
    marks["cells"] = (stem, *marks["cells"])
    marks["more"] = (*marks["more"], tuple((stem, digit) for digit in digits))
    marks["weak"] = tuple(
        ((stem, digit), (cell, digit))
        for digit, one in zip(digits, petals, strict=True)
        for cell in bits(one.places[digit])
    )
    return Step("death blossom", 7.9, sentence, removed=tuple(gone), **marks)
