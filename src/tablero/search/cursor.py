"""A position in a search tree that can be stored, measured, split and continued.

    node      a partial solution; the root is depth 0
    child     an extension of a node; the children of a node are numbered from 0 in a fixed order
    level     one step of the path: the current child, the last child of this cursor, and the number of children
    cursor    the levels from the root to a node that is not visited yet.  The work left is the subtree of that node, and at
              every level the children after the current one, up to the last

The numbers of children depend on the node alone, not on the history of the search.  The path is therefore the whole state:
the kernel rebuilds its tables by following it, and a few bytes a level store a search of weeks.

In depth-first order the work left of a cursor is one interval, and splitting divides it in two.  Answers found by many
workers can therefore be sorted into the order in which one worker finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

from tablero.errors import BadInput

_FORMAT = 1
_CRUMBS = 8  # a part this many times smaller than the whole is not split further
MOST_LEVELS = 1 << 20  # of a stored cursor
MOST_CHILDREN = 1 << 40


class Level(NamedTuple):
    """One step of a path: child `at` of `width` children; those up to `last` belong to this cursor."""

    at: int
    last: int
    width: int


@dataclass(frozen=True)
class Cursor:
    """The work left of a tree search; the docstring of this module defines it."""

    levels: tuple[Level, ...] = ()

    @property
    def path(self) -> tuple[int, ...]:
        """The children from the root to the next node; also the sort key of cursors."""
        return tuple(level.at for level in self.levels)

    def share(self) -> Fraction:
        """The fraction of the tree that is left, if each node's share is divided evenly among its children."""
        left, whole = 1, 1  # reduced once, at the end, which is many times faster
        for at, last, width in reversed(self.levels):
            left += (last - at) * whole
            whole *= width
        return Fraction(left, whole)

    def split(self) -> tuple[Cursor, Cursor] | None:
        """Split into two cursors with the same work; None if no level has an untried child.

        The second gets the upper half of the untried children of the shallowest level, which have the largest subtrees.
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
        """Split into up to `parts` cursors, the largest first; returned in the order of the search.

        Very small parts are not split further, as a worker would return them at once.
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
        """Encode as bytes: the number of the format, the depth, then at, last − at and width − last of every level."""
        out = bytearray([_FORMAT])
        _put(out, len(self.levels))
        for at, last, width in self.levels:
            _put(out, at)
            _put(out, last - at)
            _put(out, width - last)
        return bytes(out)

    @staticmethod
    def load(data: bytes) -> Cursor:
        """Decode the bytes of `store`.

        Raises
        ------
        BadInput
            If the bytes are not a cursor.
        """
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
                raise BadInput(f"a stored cursor is past its children at byte {place}")
            if at + more + rest > MOST_CHILDREN:
                raise BadInput(f"a stored cursor has a node of {at + more + rest} children")
            levels.append(Level(at, at + more, at + more + rest))
        if place != len(data):
            raise BadInput(f"a stored cursor ends at byte {place}, its data at {len(data)}")
        return Cursor(tuple(levels))


def _put(out: bytearray, number: int) -> None:
    """Append a number in seven bits a byte, low bits first, with the top bit set in all but the last byte."""
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _take(data: bytes, place: int) -> tuple[int, int]:
    """Read a number of `_put`; return it and the place after it."""
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
