"""Colouring: where a digit has two places in a unit, one holds it and the other does not.

Cells joined by such pairs get two colours in turns: all cells of one colour hold the digit, or all of the other do.

    trap           a cell sees both colours of a cluster
    wrap           two cells of one colour see each other
    multi-colours  two clusters: where a colour of one sees a colour of the other, one of their opposites is right (1);
                   where it sees both colours of the other, it is wrong (2)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tablero.sudoku.logic.position import Candidate, Link, Position, Step, bits, by_digit, spread
from tablero.sudoku.puzzle import SYMBOLS


class _Cluster(NamedTuple):
    """The two colours of joined cells, what each of them sees, and the pairs that join them."""

    one: int
    two: int
    near_one: int
    near_two: int
    links: list[tuple[int, int]]

    def sides(self) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int]]:
        """A colour, what it sees, the other colour, what that sees."""
        return (self.one, self.near_one, self.two, self.near_two), (self.two, self.near_two, self.one, self.near_one)


def _clusters(position: Position, digit: int) -> list[_Cluster]:
    joined: dict[int, list[int]] = {}
    for mask in position.geometry.masks:
        here = position.places[digit] & mask
        if here.bit_count() == 2:
            a, b = bits(here)
            joined.setdefault(a, []).append(b)
            joined.setdefault(b, []).append(a)
    seen, found = 0, []
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
        near = []
        for colour in colours:
            sight = 0
            for cell in bits(colour):
                sight |= position.geometry.peers[cell]
            near.append(sight)
        found.append(_Cluster(colours[0], colours[1], near[0], near[1], links))
    return found


def _step(
    name: str, rating: float, digit: int, clusters: tuple[_Cluster, ...], sentence: str, removed: tuple[Candidate, ...]
) -> Step:
    gone = set(removed)

    def kept(cells: int) -> tuple[Candidate, ...]:
        return tuple(c for c in spread(digit, cells) if c not in gone)

    links: list[Link] = [((a, digit), (b, digit)) for cluster in clusters for a, b in cluster.links]
    cells = tuple(cell for cluster in clusters for cell in bits(cluster.one | cluster.two))
    more = tuple(kept(colour) for cluster in clusters[1:] for colour in (cluster.one, cluster.two))
    first = clusters[0]
    return Step(
        name,
        rating,
        sentence,
        removed=removed,
        cells=cells,
        good=kept(first.one),
        other=kept(first.two),
        links=tuple(links),
        more=more,
    )


def _simple_trap(position: Position, digit: int) -> Iterator[Step]:
    """Cells outside a cluster that see both of its colours."""
    for cluster in _clusters(position, digit):
        both = cluster.one | cluster.two
        hit = position.places[digit] & cluster.near_one & cluster.near_two & ~both
        if hit:
            many = hit.bit_count() > 1
            sentence = (
                f"Places of {SYMBOLS[digit]} coloured in turns: one colour is right, whichever it is, and "
                f"{position.names(hit)} {'see' if many else 'sees'} both, so {'they are' if many else 'it is'} not "
                f"{SYMBOLS[digit]}."
            )
            yield _step("simple colouring", 6.5, digit, (cluster,), sentence, spread(digit, hit))


def _simple_wrap(position: Position, digit: int) -> Iterator[Step]:
    """A colour of which two cells see each other is wrong."""
    for cluster in _clusters(position, digit):
        for false, near, _, _ in cluster.sides():
            if not false & near:
                continue
            k = next(k for k, mask in enumerate(position.geometry.masks) if (false & mask).bit_count() > 1)
            mask = position.geometry.masks[k]
            sentence = (
                f"Places of {SYMBOLS[digit]} coloured in turns: {position.names(false & mask)} have one colour and "
                f"are both in {position.geometry.units[k].name}, so no cell of that colour is {SYMBOLS[digit]}."
            )
            yield _step("simple colouring, wrap", 6.5, digit, (cluster,), sentence, spread(digit, false))


def _multi_colours_1(position: Position, digit: int) -> Iterator[Step]:
    """Two clusters: a colour of one sees a colour of the other, so one of the two opposite colours is right."""
    clusters = _clusters(position, digit)
    for i, first in enumerate(clusters):
        for second in clusters[i + 1 :]:
            gone = _between(position, digit, first, second)
            if gone:
                sentence = (
                    f"Two clusters of {SYMBOLS[digit]}, each with one right colour: colours that see each other are "
                    f"not both right, so one of their opposites is, which takes "
                    f"{position.told(spread(digit, gone))}."
                )
                yield _step("multi-colours 1", 6.7, digit, (first, second), sentence, spread(digit, gone))


def _between(position: Position, digit: int, first: _Cluster, second: _Cluster) -> int:
    """Cells that see the opposites of two colours that see each other."""
    gone = 0
    for _, near_a, _, opposite_a in first.sides():
        for b, _, _, opposite_b in second.sides():
            if near_a & b:
                gone |= position.places[digit] & opposite_a & opposite_b
    return gone


def _multi_colours_2(position: Position, digit: int) -> Iterator[Step]:
    """A colour that sees both colours of another cluster is wrong."""
    clusters = _clusters(position, digit)
    for first in clusters:
        for second in clusters:
            if first is second:
                continue
            for colour, near, _, _ in first.sides():
                if near & second.one and near & second.two:
                    sentence = (
                        f"Two clusters of {SYMBOLS[digit]}: the colour of {position.names(colour)} sees both colours of "
                        f"the other cluster, one of which is right, so none of these cells is {SYMBOLS[digit]}."
                    )
                    removed = spread(digit, colour)
                    yield _step("multi-colours 2", 6.7, digit, (first, second), sentence, removed)


simple_trap = by_digit("simple colouring", _simple_trap)
simple_wrap = by_digit("simple colouring, wrap", _simple_wrap)
multi_colours_1 = by_digit("multi-colours 1", _multi_colours_1)
multi_colours_2 = by_digit("multi-colours 2", _multi_colours_2)
