"""Sue de Coq: cells where a box and a line meet, with a set of the line and a set of the box that share no digit.

Together they hold as many digits as there are cells, each of them once: so all are locked, in the line or in the box.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tablero.sudoku.logic.position import Candidate, Position, Step, bits, digits_text


def sue_de_coq(position: Position) -> Iterator[Step]:
    geometry, cands = position.geometry, position.cands
    for box, only_box, only_line, both, line in geometry.meetings(tuple(geometry.boxes), tuple(geometry.lines)):
        inside = list(bits(both & position.empty))
        for size in range(2, len(inside) + 1):
            for middle in combinations(inside, size):
                digits = 0
                for cell in middle:
                    digits |= cands[cell]
                if digits.bit_count() < size + 2:
                    continue
                cells = sum(1 << cell for cell in middle)
                lines = _partners(position, digits, (only_line | both & ~cells) & position.empty)
                boxes = _partners(position, digits, (only_box | both & ~cells) & position.empty)
                for flat, flat_digits in lines:
                    for round_, round_digits in boxes:
                        if flat & round_ or flat_digits & round_digits:
                            continue
                        total = digits | flat_digits | round_digits
                        if total.bit_count() != (cells | flat | round_).bit_count():
                            continue
                        yield from _step(position, box, line, cells, flat, round_, digits, flat_digits, round_digits)


def _partners(position: Position, digits: int, cells: int) -> list[tuple[int, int]]:
    """Sets of cells of a unit with more digits of the middle than cells' worth of digits from elsewhere."""
    found = []
    partial = {0: 0}
    for cell in bits(cells):
        if position.cands[cell] & digits:
            partial.update({seen | 1 << cell: have | position.cands[cell] for seen, have in partial.items()})
    for seen, have in partial.items():
        if seen and (have & ~digits).bit_count() < seen.bit_count():
            found.append((seen, have))
    return found


def _step(
    position: Position,
    box: int,
    line: int,
    cells: int,
    flat: int,
    round_: int,
    digits: int,
    flat_digits: int,
    round_digits: int,
) -> Iterator[Step]:
    masks, units, cands = position.geometry.masks, position.geometry.units, position.cands
    gone: dict[Candidate, None] = {}
    for digit in bits(flat_digits | digits & ~round_digits):
        hit = position.places[digit] & masks[line] & ~cells & ~flat
        gone.update(dict.fromkeys((cell, digit) for cell in bits(hit)))
    for digit in bits(round_digits | digits & ~flat_digits):
        hit = position.places[digit] & masks[box] & ~cells & ~round_
        gone.update(dict.fromkeys((cell, digit) for cell in bits(hit)))
    if not gone:
        return
    removed = tuple(sorted(gone))
    sentence = (
        f"{position.names(cells)} hold {digits_text(digits)}; {position.names(flat)} in {units[line].name} "
        f"({digits_text(flat_digits)}) and {position.names(round_)} in {units[box].name} ({digits_text(round_digits)}) "
        f"share no digit: {(cells | flat | round_).bit_count()} cells for as many digits, all locked, which takes "
        f"{position.told(removed)}."
    )

    def colour(some: int) -> tuple[Candidate, ...]:
        return tuple((cell, d) for cell in bits(some) for d in bits(cands[cell]) if (cell, d) not in gone)

    yield Step(
        "Sue de Coq",
        7.5,
        sentence,
        removed=removed,
        cells=tuple(bits(cells | flat | round_)),
        good=colour(cells),
        other=colour(flat),
        more=(colour(round_),),
    )
