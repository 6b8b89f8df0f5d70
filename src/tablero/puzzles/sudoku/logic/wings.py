"""Wings: a pivot and two pincers, cells of two or three candidates, one of which must hold a common digit."""

from __future__ import annotations

from itertools import combinations

from tablero.puzzles.sudoku.logic.position import Position, Step, bits, digits_text
from tablero.puzzles.sudoku.puzzle import SYMBOLS


def xy_wing(position: Position) -> Step | None:
    """A pivot of two candidates."""
    return _wing(position, 2, "XY-wing", 4.2)


def xyz_wing(position: Position) -> Step | None:
    """A pivot of three candidates, which holds the common digit, too."""
    return _wing(position, 3, "XYZ-wing", 4.4)


def _wing(position: Position, size: int, name: str, rating: float) -> Step | None:
    cands, peers = position.cands, position.geometry.peers
    pairs = sum(1 << cell for cell in range(position.size) if cands[cell].bit_count() == 2)
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
                return Step(
                    name,
                    rating,
                    sentence,
                    removed=tuple((cell, digit) for cell in bits(removed)),
                    cells=(pivot, one, two),
                    good=tuple((cell, digit) for cell in seen_by),
                    other=tuple((cell, d) for cell in (pivot, one, two) for d in bits(cands[cell]) if d != digit),
                )
    return None
