"""Shortest moves on a small floor, or the proof that there are none: breadth-first search from both ends.

position  what is on every cell of a region, as bytes; tiles of one number are one and the same
Moves can be taken back, so what is reached from the goal is what reaches it.  When one of the two searches has seen all that
it can reach and they have not met, there is no way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tablero.warehouse.search import Steps

MOST_CELLS = 200  # of a region
MOST_POSITIONS = 150_000
_LOOK = 512  # positions between two looks at the clock


def shortest(
    start: Sequence[int],
    goal: Sequence[int],
    beside: Sequence[tuple[int, ...]],
    look: Callable[[], None],
    most: int | None = None,
) -> Steps | None:
    """The moves from one position to another; None when it is proved that there are none.

    Raises OverflowError when there are too many positions to say.
    """
    most = MOST_POSITIONS if most is None else most
    numbers = {0: 0}
    for tile in start:
        numbers.setdefault(tile, len(numbers))
    if len(start) > MOST_CELLS or len(numbers) > 255:
        raise OverflowError
    first, last = (bytes(numbers[tile] for tile in cells) for cells in (start, goal))
    if first == last:
        return []
    seen: list[dict[bytes, tuple[bytes, int, int]]] = [{first: (first, 0, 0)}, {last: (last, 0, 0)}]
    edges = [[first], [last]]
    looked = 0
    while edges[0] and edges[1]:
        end = 0 if len(edges[0]) <= len(edges[1]) else 1
        mine, other, further = seen[end], seen[1 - end], []
        for position in edges[end]:
            if len(seen[0]) + len(seen[1]) > most:
                raise OverflowError
            looked += 1
            if looked % _LOOK == 0:
                look()
            for cell, tile in enumerate(position):
                if tile == 0:
                    continue
                for target in beside[cell]:
                    if position[target]:
                        continue
                    after = bytearray(position)
                    after[target], after[cell] = tile, 0
                    key = bytes(after)
                    if key not in mine:
                        mine[key] = (position, cell, target)
                        if key in other:
                            return _joined(seen, key)
                        further.append(key)
        edges[end] = further
    return None


def _joined(seen: list[dict[bytes, tuple[bytes, int, int]]], meeting: bytes) -> Steps:
    forward: Steps = []
    position = meeting
    while True:
        before, source, target = seen[0][position]
        if before == position:
            break
        forward.append((source, target))
        position = before
    forward.reverse()
    position = meeting
    while True:
        before, source, target = seen[1][position]
        if before == position:
            return forward
        forward.append((target, source))
        position = before
