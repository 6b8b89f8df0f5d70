"""Wings: a few cells with few candidates, one of which must hold a common digit.

XY-, XYZ-wing    a pivot of two or three candidates, and two pincers of two
WXYZ-wing        four cells with four digits between them, of which one alone can stand twice
W-wing           two equal pairs, joined by a strong link of one of their digits
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tablero.sudoku.logic.position import Position, Step, bits, digits_text, spread
from tablero.sudoku.puzzle import SYMBOLS


def xy_wing(position: Position) -> Iterator[Step]:
    """A pivot of two candidates."""
    return _wing(position, 2, "XY-wing", 4.2)


def xyz_wing(position: Position) -> Iterator[Step]:
    """A pivot of three candidates, which holds the common digit, too."""
    return _wing(position, 3, "XYZ-wing", 4.4)


def _pairs(position: Position) -> int:
    """The cells with two candidates."""
    return sum(1 << cell for cell, digits in enumerate(position.cands) if digits.bit_count() == 2)


def _wing(position: Position, size: int, name: str, rating: float) -> Iterator[Step]:
    cands, peers = position.cands, position.geometry.peers
    pairs = _pairs(position)
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
            seen_by = (one, two) if size == 2 else (one, two, pivot)
            removed = position.places[digit] & position.geometry.common_peers(seen_by)
            if removed:
                sentence = (
                    f"Whatever {position.name(pivot)} is ({digits_text(cands[pivot])}), one of {position.names(seen_by)} is "
                    f"{SYMBOLS[digit]}: no cell that sees them all is {SYMBOLS[digit]}."
                )
                yield Step(
                    name,
                    rating,
                    sentence,
                    removed=spread(digit, removed),
                    cells=(pivot, one, two),
                    good=tuple((cell, digit) for cell in seen_by),
                    other=tuple((cell, d) for cell in (pivot, one, two) for d in bits(cands[cell]) if d != digit),
                    links=tuple(
                        ((pivot, d), (cell, d))
                        for cell in (one, two)
                        for d in bits(cands[cell] & cands[pivot] & ~common)
                    ),
                )


def w_wing(position: Position) -> Iterator[Step]:
    """Two cells with the same pair: the link makes one of them the other digit."""
    cands, geometry = position.cands, position.geometry
    peers = geometry.peers
    by_pair: dict[int, list[int]] = {}
    for cell in bits(_pairs(position)):
        by_pair.setdefault(cands[cell], []).append(cell)
    for pair, cells in by_pair.items():
        for one, two in combinations(cells, 2):
            if peers[one] >> two & 1:
                continue
            for linked in bits(pair):
                digit = (pair & ~(1 << linked)).bit_length() - 1
                gone = position.places[digit] & peers[one] & peers[two]
                if not gone:
                    continue
                for k, mask in enumerate(geometry.masks):
                    here = position.places[linked] & mask
                    if here.bit_count() != 2 or here >> one & 1 or here >> two & 1:
                        continue
                    a, b = bits(here)
                    if peers[a] >> one & peers[b] >> two & 1:
                        ends = (a, b)
                    elif peers[a] >> two & peers[b] >> one & 1:
                        ends = (b, a)
                    else:
                        continue
                    sentence = (
                        f"{position.names((one, two))} hold only {digits_text(pair)}, and the {SYMBOLS[linked]} of "
                        f"{geometry.units[k].name} is in {position.name(ends[0])} or {position.name(ends[1])}: so not both "
                        f"are {SYMBOLS[linked]}, one is {SYMBOLS[digit]}, and no cell that sees both is."
                    )
                    yield Step(
                        "W-wing",
                        6.8,
                        sentence,
                        removed=spread(digit, gone),
                        cells=(one, two, *ends),
                        good=((one, digit), (two, digit)),
                        other=tuple((cell, linked) for cell in (one, two, *ends)),
                        links=(((ends[0], linked), (ends[1], linked)),),
                        weak=(((one, linked), (ends[0], linked)), ((two, linked), (ends[1], linked))),
                    )


def wxyz_wing(position: Position) -> Iterator[Step]:
    """Four cells with four digits: three of them can stand there once only, so the fourth is in one of the cells."""
    cands, geometry = position.cands, position.geometry
    peers = geometry.peers
    small = [cell for cell in bits(position.empty) if 2 <= cands[cell].bit_count() <= 4]
    for pivot in small:
        if cands[pivot].bit_count() < 3:
            continue
        near = [
            cell
            for cell in small
            if cell != pivot and peers[pivot] >> cell & 1 and (cands[cell] | cands[pivot]).bit_count() <= 4
        ]
        for chosen in combinations(near, 3):
            digits = cands[pivot]
            for cell in chosen:
                digits |= cands[cell]
            if digits.bit_count() != 4:
                continue
            cells = (pivot, *chosen)
            mask = sum(1 << cell for cell in cells)
            loose = [d for d in bits(digits) if not _see_each_other(position, d, mask)]
            if len(loose) != 1:
                continue
            digit = loose[0]
            gone = position.places[digit] & ~mask & geometry.seen_by(position.places[digit] & mask)
            if gone:
                sentence = (
                    f"{position.names(cells)} hold only {digits_text(digits)}, and of these only {SYMBOLS[digit]} could "
                    f"stand there twice: one of them is {SYMBOLS[digit]}, and no cell that sees all of its places is."
                )
                yield Step(
                    "WXYZ-wing",
                    7.0,
                    sentence,
                    removed=spread(digit, gone),
                    cells=cells,
                    good=spread(digit, position.places[digit] & mask),
                    other=tuple((cell, d) for cell in cells for d in bits(cands[cell]) if d != digit),
                )


def _see_each_other(position: Position, digit: int, cells: int) -> bool:
    here = position.places[digit] & cells
    return all(not here & ~position.geometry.peers[cell] & ~(1 << cell) for cell in bits(here))
