"""Techniques for one digit: colouring, two strong links, templates.

If a digit has two places in a unit, exactly one of them holds it: a strong link.  A cluster is a set of cells connected by
strong links.  Its cells are coloured alternately with two colours: all cells of one colour hold the digit, or all of the
other.

    trap               a cell sees both colours of a cluster
    wrap               two cells of one colour see each other
    multi-colours      two clusters: if a colour of one sees a colour of the other, one of their opposites is true (1);
                       if it sees both colours of the other, it is false (2)

Two strong links whose near ends see each other: the digit is removed from the cells that see both far ends.

    skyscraper         both links in rows (or both in columns), their near ends in one column (row)
    two-string kite    a link in a row and a link in a column, their near ends in one box
    turbot fish        links in any two units, such as a box and a line
    empty rectangle    the places of the digit in a box lie in one row and one column, its arms: a link that meets one arm
                       acts on the other

A template is a set of cells in which a digit can still be placed, one in every unit.  A cell of all templates holds the
digit, and a cell of none does not.  Then the templates of the digits are compared: a cell of all templates of one digit
is in no template of another, which can decide further cells, and so on until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import and_
from typing import NamedTuple

from tablero.sudoku.logic.position import Position, Step, as_set, remembered, spread, union
from tablero.sudoku.puzzle import SYMBOLS
from tablero.sudoku.reasons import bits

_MOST = 50_000  # the most nodes in the search for the templates of a digit

_Link = tuple[int, int, int]  # the unit and the two places of a digit in it


def _links(position: Position, digit: int) -> list[_Link]:
    """Units in which a digit has two places."""
    held = ((k, position.places[digit] & mask) for k, mask in enumerate(position.geometry.masks))
    return [(k, *bits(here)) for k, here in held if here.bit_count() == 2]  # type: ignore[misc]


# Colouring


class _Cluster(NamedTuple):
    """The cells of the two colours, the cells that each of them sees, and the links."""

    one: int
    two: int
    near_one: int
    near_two: int
    links: list[tuple[int, int]]

    def sides(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """For each colour its cells, the cells that it sees, and the cells that the other colour sees."""
        return (self.one, self.near_one, self.near_two), (self.two, self.near_two, self.near_one)


def _clusters(position: Position, digit: int) -> list[_Cluster]:
    joined: dict[int, list[int]] = {}
    for _, a, b in _links(position, digit):
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
        one, two = (union(position.geometry.peers[cell] for cell in bits(colour)) for colour in colours)
        found.append(_Cluster(colours[0], colours[1], one, two, links))
    return found


def _coloured(digit: int, clusters: tuple[_Cluster, ...], sentence: str, removed: int) -> Step:
    good, other, *more = (spread(digit, colour) for cluster in clusters for colour in cluster[:2])
    return Step(
        sentence,
        removed=spread(digit, removed),
        cells=tuple(cell for cluster in clusters for cell in bits(cluster.one | cluster.two)),
        good=good,
        other=other,
        links=tuple(((a, digit), (b, digit)) for cluster in clusters for a, b in cluster.links),
        more=tuple(more),
    )


def simple_trap(position: Position, digit: int) -> Iterator[Step]:
    """Cells outside of a cluster that see both of its colours."""
    for cluster in _clusters(position, digit):
        hit = position.places[digit] & cluster.near_one & cluster.near_two & ~(cluster.one | cluster.two)
        if hit:
            see, are = ("see", "they are") if hit.bit_count() > 1 else ("sees", "it is")
            sentence = (
                f"The places of {SYMBOLS[digit]} are coloured alternately: one colour is true, and {position.names(hit)} "
                f"{see} both, so {are} not {SYMBOLS[digit]}."
            )
            yield _coloured(digit, (cluster,), sentence, hit)


def simple_wrap(position: Position, digit: int) -> Iterator[Step]:
    """A colour is false if two of its cells see each other."""
    for cluster in _clusters(position, digit):
        for false, near, _ in cluster.sides():
            if false & near:
                masks = position.geometry.masks
                k = next(k for k, mask in enumerate(masks) if (false & mask).bit_count() > 1)
                sentence = (
                    f"The places of {SYMBOLS[digit]} are coloured alternately: {position.names(false & masks[k])} have the "
                    f"same colour and are in {position.geometry.units[k].name}, so no cell of that colour is "
                    f"{SYMBOLS[digit]}."
                )
                yield _coloured(digit, (cluster,), sentence, false)


def multi_colours_1(position: Position, digit: int) -> Iterator[Step]:
    """Two clusters: a colour of one sees a colour of the other, so one of the two opposite colours is true."""
    clusters = _clusters(position, digit)
    for i, first in enumerate(clusters):
        for second in clusters[i + 1 :]:
            gone = position.places[digit] & union(
                opposite_a & opposite_b
                for _, near, opposite_a in first.sides()
                for colour, _, opposite_b in second.sides()
                if near & colour
            )
            if gone:
                sentence = (
                    f"Two clusters of {SYMBOLS[digit]}, each with one true colour: colours that see each other are "
                    f"not both true, so one of their opposites is, which removes {position.listed(spread(digit, gone))}."
                )
                yield _coloured(digit, (first, second), sentence, gone)


def multi_colours_2(position: Position, digit: int) -> Iterator[Step]:
    """A colour is false if it sees both colours of another cluster."""
    clusters = _clusters(position, digit)
    for first in clusters:
        for second in clusters:
            for colour, near, _ in first.sides() if first is not second else ():
                if near & second.one and near & second.two:
                    sentence = (
                        f"Two clusters of {SYMBOLS[digit]}: the colour of {position.names(colour)} sees both colours of "
                        f"the other cluster, one of which is true, so none of these cells is {SYMBOLS[digit]}."
                    )
                    yield _coloured(digit, (first, second), sentence, colour)


# Two strong links

_Wanted = Callable[[Position, _Link, int, _Link, int], bool]


def turbots(position: Position, digit: int, wanted: _Wanted) -> Iterator[Step]:
    """Two strong links whose near ends see each other, and for which `wanted` is true."""
    peers, symbol = position.geometry.peers, SYMBOLS[digit]
    name, units = position.name, position.geometry.units
    links = _links(position, digit)
    for i, one in enumerate(links):
        for two in links[i + 1 :]:
            for far, near in (one[1:], one[:0:-1]):
                for close, away in (two[1:], two[:0:-1]):
                    ends = (far, near, close, away)
                    gone = position.places[digit] & peers[far] & peers[away]
                    sees = len(set(ends)) == 4 and peers[near] >> close & 1
                    if not sees or not gone or not wanted(position, one, near, two, close):
                        continue
                    sentence = (
                        f"The {symbol} of {units[one[0]].name} is in {name(far)} or {name(near)}, that of "
                        f"{units[two[0]].name} in {name(close)} or {name(away)}, and {name(near)} sees {name(close)}: so "
                        f"{name(far)} or {name(away)} is {symbol}, which removes {position.listed(spread(digit, gone))}."
                    )
                    yield Step(
                        sentence,
                        removed=spread(digit, gone),
                        cells=ends,
                        good=((far, digit), (away, digit)),
                        other=tuple((cell, digit) for cell in (near, close) if not gone >> cell & 1),
                        links=(((far, digit), (near, digit)), ((close, digit), (away, digit))),
                        weak=(((near, digit), (close, digit)),),
                    )


def is_skyscraper(position: Position, one: _Link, near: int, two: _Link, close: int) -> bool:
    side, rows, columns = position.side, position.geometry.rows, position.geometry.columns
    if one[0] in rows and two[0] in rows:
        return near % side == close % side
    return one[0] in columns and two[0] in columns and near // side == close // side


def is_kite(position: Position, one: _Link, near: int, two: _Link, close: int) -> bool:
    geometry = position.geometry
    if one[0] not in geometry.rows or two[0] not in geometry.columns:
        return False
    return any(k in geometry.kinds["boxes"] for k in geometry.shared(1 << near | 1 << close))


def is_turbot(position: Position, one: _Link, near: int, two: _Link, close: int) -> bool:
    return True


def empty_rectangle(position: Position, digit: int) -> Iterator[Step]:
    """The near end of a link sees one arm; the removed place sees its far end and the other arm."""
    geometry, side, places, symbol = position.geometry, position.side, position.places[digit], SYMBOLS[digit]
    masks, units = geometry.masks, geometry.units
    links = [link for link in _links(position, digit) if link[0] < 2 * side]
    for box in geometry.kinds["boxes"] if links else ():
        here = places & masks[box]
        if here.bit_count() < 2:
            continue
        for row in geometry.rows:
            for column in geometry.columns if masks[row] & masks[box] else ():
                flat, tall = here & masks[row], here & masks[column]
                if here & ~(flat | tall) or not flat & ~masks[column] or not tall & ~masks[row]:
                    continue
                for k, a, b in links:
                    for near, far in ((a, b), (b, a)):
                        if (
                            k >= side
                        ):  # a column: the removed place is in the row of the far end and the column of the box
                            arm, gone = masks[row], far // side * side + column - side
                        else:
                            arm, gone = masks[column], row * side + far % side
                        if here >> near & 1 or here >> far & 1 or not arm >> near & 1:
                            continue
                        if gone in (near, far) or masks[box] >> gone & 1 or not places >> gone & 1:
                            continue
                        sentence = (
                            f"In {units[box].name} the {symbol} lies in {units[row].name} or {units[column].name}, and "
                            f"that of {units[k].name} in {position.name(near)} or {position.name(far)}: if "
                            f"{position.name(gone)} were {symbol}, both would be forced into cells that see each other, so "
                            f"it is not."
                        )
                        ends = ((near, digit), (far, digit))
                        yield Step(
                            sentence,
                            removed=((gone, digit),),
                            cells=(*units[box].cells, near, far),
                            good=spread(digit, here),
                            other=ends,
                            links=(ends,),
                        )


# Templates


def _templates_of(position: Position, digit: int) -> list[int]:
    """The templates of a digit, without the filled cells; none if there are too many."""
    geometry = position.geometry
    filled = as_set(cell for cell, value in enumerate(position.values) if value == digit)
    rows = [position.places[digit] & geometry.masks[row] for row in geometry.rows if not filled & geometry.masks[row]]
    rows.sort(key=int.bit_count)
    found: list[int] = []
    nodes = 0
    todo = [(0, 0, 0)]
    while todo:
        row, taken, gone = todo.pop()
        nodes += 1
        if nodes > _MOST:
            return []
        if row == len(rows):
            if all((taken | filled) & mask for mask in geometry.masks):
                found.append(taken)
            continue
        for cell in bits(rows[row] & ~gone):
            todo.append((row + 1, taken | 1 << cell, gone | geometry.peers[cell]))
    return found


@remembered
def _all_templates(position: Position) -> dict[int, list[int]]:
    """The templates of each digit with places; digits with too many templates or none are left out."""
    every = {digit: _templates_of(position, digit) for digit, places in enumerate(position.places) if places}
    return {digit: ways for digit, ways in every.items() if ways}


def _refined(every: dict[int, list[int]]) -> dict[int, list[int]]:
    """The templates that are left when the digits have been compared."""
    left = dict(every)
    changed = True
    while changed:
        changed = False
        for digit, ways in left.items():
            taken = union(reduce(and_, others) for k, others in left.items() if k != digit)
            kept = [way for way in ways if not way & taken]
            if kept and len(kept) < len(ways):  # if none is kept, the position has no solution
                left[digit] = kept
                changed = True
    return left


def _templates(position: Position) -> Iterator[tuple[int, list[int], str]]:
    """Each digit with its templates and a text about them: first by itself, then after the comparison."""
    every = _all_templates(position)
    for digit, ways in every.items():
        yield digit, ways, f"There {_ways_text(len(ways))} to lay out the {SYMBOLS[digit]}"
    for digit, ways in _refined(every).items():
        if len(ways) < len(every[digit]):
            sentence = (
                f"When the ways of all digits are compared, there {_ways_text(len(ways))} left of {len(every[digit])} to "
                f"lay out the {SYMBOLS[digit]}"
            )
            yield digit, ways, sentence


def _ways_text(count: int) -> str:
    return "is one way" if count == 1 else f"are {count} ways"


def template_set(position: Position) -> Iterator[Step]:
    for digit, ways, text in _templates(position):
        sure = reduce(and_, ways)
        if sure:
            use = "it uses" if len(ways) == 1 else "all of them use"
            sentence = f"{text}, and {use} {position.names(sure)}."
            yield Step(sentence, placed=spread(digit, sure), cells=tuple(bits(sure)))


def template_delete(position: Position) -> Iterator[Step]:
    for digit, ways, text in _templates(position):
        some = union(ways)
        gone = position.places[digit] & ~some
        if gone:
            sentence = f"{text}, and {'it does not use' if len(ways) == 1 else 'none uses'} {position.names(gone)}."
            yield Step(sentence, removed=spread(digit, gone), good=spread(digit, some))
