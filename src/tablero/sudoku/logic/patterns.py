"""Patterns of one digit that people know by name: two strong links whose near ends see each other.

    skyscraper         both links lie in rows (or both in columns), their near ends in one column (row)
    two-string kite    a row and a column, their near ends in one box
    turbot fish        any two units, as a box and a line
    empty rectangle    the digit's places in a box lie in one row and one column: each link to one arm reaches the other

What sees both far ends goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tablero.sudoku.logic.position import Position, Step, by_digit, spread, two_at_once
from tablero.sudoku.puzzle import SYMBOLS

_Link = tuple[int, int, int]  # the unit and the two places of a digit in it


def _links(position: Position, digit: int) -> list[_Link]:
    """Units in which a digit has two places."""
    found = []
    for k, mask in enumerate(position.geometry.masks):
        here = position.places[digit] & mask
        if here.bit_count() == 2:
            low = here & -here
            found.append((k, low.bit_length() - 1, (here ^ low).bit_length() - 1))
    return found


def _turbots(
    name: str, kind: Callable[[Position, _Link, int, _Link, int], bool]
) -> Callable[[Position], Iterator[Step]]:
    """A finder of two links of a digit of the wanted kind: far end, near end, near end, far end."""

    def find(position: Position, digit: int) -> Iterator[Step]:
        peers = position.geometry.peers
        links = _links(position, digit)
        for i, one in enumerate(links):
            for two in links[i + 1 :]:
                for far, near in (one[1:], one[:0:-1]):
                    for close, away in (two[1:], two[:0:-1]):
                        ends = (far, near, close, away)
                        if (
                            len(set(ends)) < 4
                            or not peers[near] >> close & 1
                            or not kind(position, one, near, two, close)
                        ):
                            continue
                        gone = position.places[digit] & peers[far] & peers[away]
                        if gone:
                            yield _turbot_step(position, name, digit, one, two, ends, gone)

    return by_digit(name, find)


def _turbot_step(
    position: Position, name: str, digit: int, one: _Link, two: _Link, ends: tuple[int, int, int, int], gone: int
) -> Step:
    units, symbol = position.geometry.units, SYMBOLS[digit]
    far, near, close, away = ends
    sentence = (
        f"The {symbol} of {units[one[0]].name} is in {position.name(far)} or {position.name(near)}, that of "
        f"{units[two[0]].name} in {position.name(close)} or {position.name(away)}, and {position.name(near)} sees "
        f"{position.name(close)}: so {position.name(far)} or {position.name(away)} is {symbol}, which takes "
        f"{position.told(spread(digit, gone))}."
    )
    return Step(
        name,
        6.6,
        sentence,
        removed=spread(digit, gone),
        cells=ends,
        good=((far, digit), (away, digit)),
        other=tuple((cell, digit) for cell in (near, close) if not gone >> cell & 1),
        links=(((far, digit), (near, digit)), ((close, digit), (away, digit))),
        weak=(((near, digit), (close, digit)),),
    )


def _is_skyscraper(position: Position, one: _Link, near: int, two: _Link, close: int) -> bool:
    side, rows, columns = position.side, position.geometry.rows, position.geometry.columns
    if one[0] in rows and two[0] in rows:
        return near % side == close % side
    return one[0] in columns and two[0] in columns and near // side == close // side


def _is_kite(position: Position, one: _Link, near: int, two: _Link, close: int) -> bool:
    units_of, boxes = position.geometry.units_of, position.geometry.boxes
    if one[0] not in position.geometry.rows or two[0] not in position.geometry.columns:
        return False
    return any(k in boxes for k in units_of[near] if k in units_of[close])


def _is_any(position: Position, one: _Link, near: int, two: _Link, close: int) -> bool:
    return True


skyscraper = _turbots("skyscraper", _is_skyscraper)
two_string_kite = _turbots("two-string kite", _is_kite)
turbot_fish = _turbots("turbot fish", _is_any)


def dual_kite(position: Position) -> Iterator[Step]:
    """Two kites whose near ends are the same two cells: row and column swapped, or of another digit."""

    def alike(step: Step) -> object:
        return frozenset(cell for cell, _ in step.other)

    return two_at_once(two_string_kite(position), "dual two-string kite", alike)


def dual_empty_rectangle(position: Position) -> Iterator[Step]:
    """Two empty rectangles of one box."""

    def alike(step: Step) -> object:
        return frozenset(step.good)

    return two_at_once(empty_rectangle(position), "dual empty rectangle", alike)


def _rectangles(position: Position, digit: int) -> Iterator[Step]:
    geometry, side = position.geometry, position.side
    masks = geometry.masks
    links = [link for link in _links(position, digit) if link[0] < 2 * side]
    if not links:
        return
    places = position.places[digit]
    for box in geometry.boxes:
        here = places & masks[box]
        if here.bit_count() < 2:
            continue
        for row in geometry.rows:
            if not masks[row] & masks[box]:
                continue
            for column in geometry.columns:
                flat, tall = here & masks[row], here & masks[column]
                if here & ~(flat | tall) or not flat & ~masks[column] or not tall & ~masks[row]:
                    continue
                for k, a, b in links:
                    for near, far in ((a, b), (b, a)):
                        step = _rectangle(position, digit, box, here, row, column, k, near, far)
                        if step:
                            yield step


empty_rectangle = by_digit("empty rectangle", _rectangles)


def _rectangle(
    position: Position, digit: int, box: int, here: int, row: int, column: int, link: int, near: int, far: int
) -> Step | None:
    """The link's near end sees one arm, its far end and the other arm see what goes."""
    geometry, side, symbol = position.geometry, position.side, SYMBOLS[digit]
    masks, units = geometry.masks, geometry.units
    if here >> near & 1 or here >> far & 1:
        return None
    if link >= side:  # a column: its near end lies in the row, and what goes in the far end's row, under the column
        if not masks[row] >> near & 1:
            return None
        gone = far // side * side + column - side
    else:
        if not masks[column] >> near & 1:
            return None
        gone = row * side + far % side
    if gone in (near, far) or masks[box] >> gone & 1 or not position.places[digit] >> gone & 1:
        return None
    sentence = (
        f"In {units[box].name} the {symbol} lies in {units[row].name} or {units[column].name}, and that of "
        f"{units[link].name} in {position.name(near)} or {position.name(far)}: if {position.name(gone)} were {symbol}, "
        f"both would be driven to where they see each other, so it is not."
    )
    ends = ((near, digit), (far, digit))
    return Step(
        "empty rectangle",
        6.6,
        sentence,
        removed=((gone, digit),),
        cells=(*units[box].cells, near, far),
        good=spread(digit, here),
        other=ends,
        links=(ends,),
    )
