"""Wings: a few cells with few candidates, one of which must hold a common digit.

XY-, XYZ-wing    a pivot with two or three candidates, and two pincers with two
WXYZ-wing        four cells with four digits in total, only one of which can occur twice
W-wing           two cells with the same pair, connected by a strong link of one of the two digits
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tablero.sudoku.logic.position import Position, Step, as_set, digits_text, spread, union
from tablero.sudoku.puzzle import SYMBOLS
from tablero.sudoku.reasons import bits


def wing(position: Position, size: int) -> Iterator[Step]:
    """An XY-wing (size 2) or an XYZ-wing (size 3), whose pivot has the common digit, too."""
    cands, peers = position.cands, position.geometry.peers
    pairs = as_set(cell for cell, digits in enumerate(cands) if digits.bit_count() == 2)
    for pivot in range(position.size):
        if cands[pivot].bit_count() != size:
            continue
        near = [cell for cell in bits(pairs & peers[pivot]) if (cands[cell] & cands[pivot]).bit_count() == size - 1]
        for one, two in combinations(near, 2):
            common = cands[one] & cands[two]
            if common.bit_count() != 1 or (cands[one] | cands[two] | cands[pivot]).bit_count() != 3:
                continue
            if size == 2 and common & cands[pivot]:
                continue
            digit = common.bit_length() - 1
            holders = (one, two) if size == 2 else (one, two, pivot)
            removed = position.places_in(common, position.geometry.common_peers(holders))
            if removed:
                sentence = (
                    f"Whatever {position.name(pivot)} is ({digits_text(cands[pivot])}), one of {position.names(holders)} is "
                    f"{SYMBOLS[digit]}: no cell that sees them all is {SYMBOLS[digit]}."
                )
                shared = position.candidates_in((one, two), cands[pivot] & ~common)
                yield Step(
                    sentence,
                    removed=removed,
                    cells=(pivot, one, two),
                    good=position.candidates_in(holders, common),
                    other=position.candidates_in((pivot, one, two), ~common),
                    links=tuple(((pivot, d), (cell, d)) for cell, d in shared),
                )


def w_wing(position: Position) -> Iterator[Step]:
    """Two cells with the same pair: because of the strong link, one of them holds the other digit."""
    cands, geometry = position.cands, position.geometry
    peers = geometry.peers
    by_pair: dict[int, list[int]] = {}
    for cell, digits in enumerate(cands):
        if digits.bit_count() == 2:
            by_pair.setdefault(digits, []).append(cell)
    for pair, cells in by_pair.items():
        for one, two in combinations(cells, 2):
            for linked in bits(pair) if not peers[one] >> two & 1 else ():
                digit = (pair & ~(1 << linked)).bit_length() - 1
                removed = spread(digit, position.places[digit] & peers[one] & peers[two])
                for k, mask in enumerate(geometry.masks) if removed else ():
                    here = position.places[linked] & mask
                    if here.bit_count() != 2 or here >> one & 1 or here >> two & 1:
                        continue
                    ends = tuple(bits(here))
                    if not peers[ends[0]] >> one & peers[ends[1]] >> two & 1:
                        ends = ends[::-1]
                    if not peers[ends[0]] >> one & peers[ends[1]] >> two & 1:
                        continue
                    sentence = (
                        f"{position.names((one, two))} hold only {digits_text(pair)}, and the {SYMBOLS[linked]} of "
                        f"{geometry.units[k].name} is in {position.name(ends[0])} or {position.name(ends[1])}: so not both "
                        f"are {SYMBOLS[linked]}, one is {SYMBOLS[digit]}, and no cell that sees both is."
                    )
                    yield Step(
                        sentence,
                        removed=removed,
                        cells=(one, two, *ends),
                        good=((one, digit), (two, digit)),
                        other=tuple((cell, linked) for cell in (one, two, *ends)),
                        links=(((ends[0], linked), (ends[1], linked)),),
                        weak=(((one, linked), (ends[0], linked)), ((two, linked), (ends[1], linked))),
                    )


def wxyz_wing(position: Position) -> Iterator[Step]:
    """Four cells with four digits: three of the digits can occur only once there, so the fourth occurs at least once."""
    cands, geometry = position.cands, position.geometry
    small = as_set(cell for cell, digits in enumerate(cands) if 2 <= digits.bit_count() <= 4)
    for pivot in bits(small):
        if cands[pivot].bit_count() < 3:
            continue
        around = bits(small & geometry.peers[pivot])
        near = [cell for cell in around if (cands[cell] | cands[pivot]).bit_count() <= 4]
        for chosen in combinations(near, 3):
            digits = cands[pivot] | union(cands[cell] for cell in chosen)
            if digits.bit_count() != 4:
                continue
            cells = (pivot, *chosen)
            mask = as_set(cells)
            loose = [d for d in bits(digits) if not _see_each_other(position, position.places[d] & mask)]
            if len(loose) != 1:
                continue
            digit = loose[0]
            here = position.places[digit] & mask
            removed = spread(digit, position.places[digit] & ~mask & geometry.seen_by(here))
            if removed:
                sentence = (
                    f"{position.names(cells)} hold only {digits_text(digits)}, and of these only {SYMBOLS[digit]} could "
                    f"occur twice: one of them is {SYMBOLS[digit]}, and no cell that sees all of its places is."
                )
                other = position.candidates_in(cells, ~(1 << digit))
                yield Step(sentence, removed=removed, cells=cells, good=spread(digit, here), other=other)


def _see_each_other(position: Position, cells: int) -> bool:
    return all(not cells & ~position.geometry.peers[cell] & ~(1 << cell) for cell in bits(cells))
