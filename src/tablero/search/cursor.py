"""A position in a search tree that can be stored, measured, split and continued.

    node      a partial solution; the root is depth 0
    child     one way to go on from a node; a node's children are numbered from 0 in a fixed order
    level     one step of the path: the child stood on, the last child this cursor may try, the children there are
    cursor    the levels from the root to a node that is not visited yet, and with it all that is still to do:
              that node's subtree, and at every level the children after the one stood on, up to the last

Children are numbered by the node alone, never by the history of the search.  So the path says everything: the kernel
rebuilds its tables by walking it, and a cursor of a few bytes a level is the whole state of a search of weeks.

In the order in which a depth-first search visits nodes, what a cursor has still to do is one interval; splitting cuts it
in two.  That is why answers found by many workers can be put into the order in which one would have found them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

from tablero.errors import BadInput

_FORMAT = 1
_CRUMBS = 8  # a piece this many times smaller than the whole is not split any further
MOST_LEVELS = 1 << 20  # of a stored cursor
MOST_CHILDREN = 1 << 40


class Level(NamedTuple):
    """One step of a path: child `at` of `width` children, of which those up to `last` are this cursor's."""

    at: int
    last: int
    width: int


@dataclass(frozen=True)
class Cursor:
    """What is left of a search: see the head of this module."""

    levels: tuple[Level, ...] = ()

    @property
    def path(self) -> tuple[int, ...]:
        """The children that lead from the root to the node to visit next: also the key that orders cursors."""
        return tuple(level.at for level in self.levels)

    def share(self) -> Fraction:
        """The part of the whole tree that is left, each node's share divided evenly among its children."""
        left, whole = 1, 1  # a fraction that is reduced once, at the end: that is many times as fast
        for at, last, width in reversed(self.levels):
            left += (last - at) * whole
            whole *= width
        return Fraction(left, whole)

    def split(self) -> tuple[Cursor, Cursor] | None:
        """Two cursors that together have just what this one has, or None where no level has an untried child.

        The upper half of the untried children of the shallowest open level is handed over: the largest pieces.
        """
        for depth, (at, last, width) in enumerate(self.levels):
            if at < last:
                cut = at + 1 + (last - at) // 2
                fixed = tuple(Level(level.at, level.at, level.width) for level in self.levels[:depth])
                kept = (*fixed, Level(at, cut - 1, width), *self.levels[depth + 1 :])
                given = (*fixed, Level(cut, last, width))
                return Cursor(kept), Cursor(given)
        return None

    def divide(self, parts: int) -> list[Cursor]:
        """Up to `parts` cursors, always the one with most left split next, in the order of the search.

        No crumbs are made: who gets one is back at once, and asks for the next.
        """
        heap = [(-self.share(), self.path, self)]  # paths differ, so cursors are never compared
        whole: list[Cursor] = []
        least = self.share() / _CRUMBS
        while heap and len(heap) + len(whole) < parts and -heap[0][0] > least:
            _, _, largest = heappop(heap)
            halves = largest.split()
            if halves is None:
                whole.append(largest)
            else:
                for half in halves:
                    heappush(heap, (-half.share(), half.path, half))
        return sorted(whole + [piece for _, _, piece in heap], key=lambda cursor: cursor.path)

    def store(self) -> bytes:
        """The cursor as bytes: the format's number, the depth, then at, last − at and width − last of every level."""
        out = bytearray([_FORMAT])
        _put(out, len(self.levels))
        for at, last, width in self.levels:
            _put(out, at)
            _put(out, last - at)
            _put(out, width - last)
        return bytes(out)

    @staticmethod
    def load(data: bytes) -> Cursor:
        """Read what `store` wrote; anything else is refused."""
        if not data or data[0] != _FORMAT:
            raise BadInput(f"not a stored cursor of format {_FORMAT}")
        depth, place = _take(data, 1)
        if depth > MOST_LEVELS or 3 * depth > len(data) - place:
            raise BadInput(f"a stored cursor of {depth} levels in {len(data)} bytes")
        levels = []
        for _ in range(depth):
            at, place = _take(data, place)
            more, place = _take(data, place)
            rest, place = _take(data, place)
            if rest == 0:
                raise BadInput(f"a stored cursor stands past its children at byte {place}")
            if at + more + rest > MOST_CHILDREN:
                raise BadInput(f"a stored cursor has a node of {at + more + rest} children")
            levels.append(Level(at, at + more, at + more + rest))
        if place != len(data):
            raise BadInput(f"a stored cursor ends at byte {place}, its data at {len(data)}")
        return Cursor(tuple(levels))


def _put(out: bytearray, number: int) -> None:
    """Append a number, seven bits a byte, low bits first, the top bit set on all but the last byte."""
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _take(data: bytes, place: int) -> tuple[int, int]:
    """Read what `_put` wrote; return the number and the place behind it."""
    number = shift = 0
    while True:
        if place >= len(data) or shift > 56:
            raise BadInput(f"a stored cursor is cut off at byte {place}")
        byte = data[place]
        place += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, place
