"""Subsets: k cells of a unit that hold k digits (naked), or k digits of a unit that fit into k cells (hidden)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from tablero.puzzles.sudoku.logic.position import Candidate, Position, Step, bits, digits_text
from tablero.puzzles.sudoku.logic.singles import hidden_single_of
from tablero.puzzles.sudoku.puzzle import SYMBOLS

Find = Callable[[Position], Step | None]
_WORD = {2: "pair", 3: "triplet", 4: "quad"}


def naked(size: int, rating: float) -> Find:
    """A finder of naked subsets of one size."""
    name = f"naked {_WORD[size]}"

    def find(position: Position) -> Step | None:
        cands, masks = position.cands, position.geometry.masks
        for k, unit in enumerate(position.geometry.units):
            empty = (position.empty & masks[k]).bit_count()
            if empty <= size:
                continue
            cells = [cell for cell in unit.cells if 2 <= cands[cell].bit_count() <= size]
            for chosen in combinations(cells, size):
                digits = 0
                for cell in chosen:
                    digits |= cands[cell]
                if digits.bit_count() != size:
                    continue
                removed = _others(position, chosen, digits)
                if removed:
                    sentence = (
                        f"{position.names(chosen)} in {unit.name} hold only {digits_text(digits)}: those digits go from the "
                        f"other cells that all of them see."
                    )
                    good = tuple((cell, digit) for cell in chosen for digit in bits(cands[cell]))
                    return Step(name, rating, sentence, removed=removed, cells=chosen, good=good)
        return None

    return find


def _others(position: Position, chosen: tuple[int, ...], digits: int) -> tuple[Candidate, ...]:
    """Candidates with one of the digits that see all cells of the subset."""
    near = position.geometry.common_peers(chosen)
    return tuple((cell, digit) for digit in bits(digits) for cell in bits(position.places[digit] & near))


def _hidden_subsets(position: Position, size: int) -> Iterator[tuple[int, tuple[int, ...], int, tuple[Candidate, ...]]]:
    """Unit, digits, cells and the candidates that go."""
    places, masks = position.places, position.geometry.masks
    for k, mask in enumerate(masks):
        if (position.empty & mask).bit_count() <= size:
            continue
        here = {digit: places[digit] & mask for digit in range(1, position.side + 1)}
        digits = [digit for digit, cells in here.items() if 2 <= cells.bit_count() <= size]
        for chosen in combinations(digits, size):
            cells = 0
            for digit in chosen:
                cells |= here[digit]
            if cells.bit_count() == size:
                wanted = sum(1 << digit for digit in chosen)
                removed = tuple((cell, d) for cell in bits(cells) for d in bits(position.cands[cell] & ~wanted))
                if removed:
                    yield k, chosen, cells, removed


def _hidden_step(
    position: Position,
    name: str,
    rating: float,
    found: tuple[int, tuple[int, ...], int, tuple[Candidate, ...]],
) -> Step:
    k, chosen, cells, removed = found
    unit = position.geometry.units[k]
    sentence = (
        f"In {unit.name} the digits {digits_text(chosen)} fit only into {position.names(cells)}: those cells hold "
        f"nothing else."
    )
    good = tuple((cell, digit) for cell in bits(cells) for digit in chosen if position.cands[cell] >> digit & 1)
    return Step(name, rating, sentence, removed=removed, cells=unit.cells, good=good)


def hidden(size: int, rating: float) -> Find:
    """A finder of hidden subsets of one size."""
    name = f"hidden {_WORD[size]}"

    def find(position: Position) -> Step | None:
        found = next(_hidden_subsets(position, size), None)
        return _hidden_step(position, name, rating, found) if found else None

    return find


def direct_hidden(size: int, rating: float) -> Find:
    """A finder of hidden subsets after which another digit of the unit has one place left."""
    name = f"direct hidden {_WORD[size]}"

    def find(position: Position) -> Step | None:
        for found in _hidden_subsets(position, size):
            removed = found[3]
            for digit in sorted({digit for _, digit in removed}):
                gone = sum(1 << cell for cell, other in removed if other == digit)
                single = hidden_single_of(position, digit, position.places[digit] & ~gone)
                if single:
                    step = _hidden_step(position, name, rating, found)
                    cell, unit = single
                    sentence = (
                        f"{step.sentence[:-1]}, and {position.name(cell)} is left as the only place for "
                        f"{SYMBOLS[digit]} in {position.geometry.units[unit].name}."
                    )
                    return Step(name, rating, sentence, ((cell, digit),), removed, step.cells, step.good)
        return None

    return find
