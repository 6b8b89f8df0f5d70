"""Simple colouring: where a digit has two places in a unit, one holds it and the other does not.

Cells joined by such pairs get two colours in turns: all cells of one colour hold the digit, or all of the other do.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablero.puzzles.sudoku.logic.position import Candidate, Position, Step, bits
from tablero.puzzles.sudoku.puzzle import SYMBOLS

_NAME, _RATING = "simple colouring", 6.5


def simple_colouring(position: Position) -> Step | None:
    for digit in range(1, position.side + 1):
        for one, two, links in _clusters(position, digit):
            step = _two_alike(position, digit, one, two, links) or _sees_both(position, digit, one, two, links)
            if step:
                return step
    return None


def _clusters(position: Position, digit: int) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """The two colours of each set of joined cells, and the pairs that join them."""
    joined: dict[int, list[int]] = {}
    for mask in position.geometry.masks:
        here = position.places[digit] & mask
        if here.bit_count() == 2:
            a, b = bits(here)
            joined.setdefault(a, []).append(b)
            joined.setdefault(b, []).append(a)
    seen = 0
    for start in sorted(joined):
        if seen >> start & 1:
            continue
        colours = [1 << start, 0]
        links = []
        todo = [(start, 0)]
        while todo:
            cell, side = todo.pop()
            for other in joined[cell]:
                if not (colours[0] | colours[1]) >> other & 1:
                    colours[1 - side] |= 1 << other
                    links.append((cell, other))
                    todo.append((other, 1 - side))
        seen |= colours[0] | colours[1]
        if (colours[0] | colours[1]).bit_count() > 2:
            yield colours[0], colours[1], links


def _step(
    digit: int, one: int, two: int, links: list[tuple[int, int]], sentence: str, removed: tuple[Candidate, ...]
) -> Step:
    return Step(
        _NAME,
        _RATING,
        sentence,
        removed=removed,
        cells=tuple(bits(one | two)),
        good=tuple((cell, digit) for cell in bits(one) if (cell, digit) not in removed),
        other=tuple((cell, digit) for cell in bits(two) if (cell, digit) not in removed),
        links=tuple(((a, digit), (b, digit)) for a, b in links),
    )


def _two_alike(position: Position, digit: int, one: int, two: int, links: list[tuple[int, int]]) -> Step | None:
    for false, true in ((one, two), (two, one)):
        for k, mask in enumerate(position.geometry.masks):
            if (false & mask).bit_count() > 1:
                sentence = (
                    f"Places of {SYMBOLS[digit]} coloured in turns: {position.names(false & mask)} have one colour and are "
                    f"both in {position.geometry.units[k].name}, so no cell of that colour is {SYMBOLS[digit]}."
                )
                removed = tuple((cell, digit) for cell in bits(false))
                return _step(digit, true, false, links, sentence, removed)
    return None


def _sees_both(position: Position, digit: int, one: int, two: int, links: list[tuple[int, int]]) -> Step | None:
    hit = [
        cell
        for cell in bits(position.places[digit] & ~(one | two))
        if position.geometry.peers[cell] & one and position.geometry.peers[cell] & two
    ]
    if not hit:
        return None
    sentence = (
        f"Places of {SYMBOLS[digit]} coloured in turns: one colour is right, whichever it is, and {position.names(hit)} "
        f"{'sees' if len(hit) == 1 else 'see'} both, so {'it is' if len(hit) == 1 else 'they are'} not {SYMBOLS[digit]}."
    )
    return _step(digit, one, two, links, sentence, tuple((cell, digit) for cell in hit))
