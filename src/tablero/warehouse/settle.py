"""The planner for any floor: tiles are moved into their slots one after another and then stay there.

free      the cells that are not settled yet; they are connected, so that a hole can reach any of them
settled   cells with their final content; a cell can be settled if the rest remains connected
Slots far from the corridors are settled first, and a corridor cell only if no slot can be, those behind slots first.  Other
tiles are moved as needed.  This takes many moves, but needs no lanes, parks or gates, so that walls hardly matter.  An order
of settling may fail because the last tiles cannot pass each other; then the rest is searched, and another order is tried.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Callable, Sequence

from tablero.warehouse.search import Steps, distances, shortest

_TRIES = 20
_CHOICES = 12  # cells to try before an order of settling is abandoned
_NEARER = 20  # the value of one step nearer in moves; a lower value visits far more states
_MOST_POSITIONS = 20_000  # to search when an order of settling fails
_FEW = 3  # tiles; with more there are too many positions
_MOST_STATES = 150  # to visit for one tile


def settled(
    start: Sequence[int],
    goal: Sequence[int],
    slots: frozenset[int],
    beside: Sequence[tuple[int, ...]],
    look: Callable[[], None],
) -> Steps | None:
    """Find moves from one position of a region to another.  None means that none were found, which proves nothing."""
    for seed in range(_TRIES):
        steps = _Try(start, goal, slots, beside, look, random.Random(seed)).run()
        if steps is not None:
            return steps
    return None


class _Try:
    def __init__(
        self,
        start: Sequence[int],
        goal: Sequence[int],
        slots: frozenset[int],
        beside: Sequence[tuple[int, ...]],
        look: Callable[[], None],
        choose: random.Random,
    ) -> None:
        self.cells, self.goal, self.slots, self.beside, self.look = list(start), goal, slots, beside, look
        self.free, self.settled = set(range(len(start))), set[int]()
        self.steps: Steps = []
        corridors = [cell for cell in sorted(self.free) if cell not in slots]
        main: set[int] = set()  # the largest connected set of corridor cells, which is settled last
        for cell in corridors:
            if cell not in main:
                main = max(main, set(distances([cell], beside, slots)), key=len)
        far = distances([choose.choice(sorted(main))] if main else [0], beside)
        self.rank = {
            cell: (cell in slots, cell not in main, far.get(cell, 0) + 2 * choose.random())
            for cell in sorted(self.free)
        }

    def run(self) -> Steps | None:
        while self.cells != list(self.goal):
            self.look()
            cell = next((cell for cell in self._candidates() if self._settle(cell)), None)
            if cell is None or (cell not in self.slots and sum(self.cells[k] > 0 for k in self.free) <= _FEW):
                steps = self._searched()
                if cell is None or steps is not None:
                    return steps
            self.free.discard(cell)
            self.settled.add(cell)
        return self.steps

    def _searched(self) -> Steps | None:
        """Search the remaining cells, if they are few, when no further slot can be settled."""
        cells = sorted(self.free)
        place = {cell: k for k, cell in enumerate(cells)}
        near = [tuple(place[other] for other in self.beside[cell] if other in place) for cell in cells]
        start, goal = ([floor[cell] for cell in cells] for floor in (self.cells, self.goal))
        try:
            steps = shortest(start, goal, near, self.look, _MOST_POSITIONS)
        except OverflowError:
            return None
        return None if steps is None else self.steps + [(cells[a], cells[b]) for a, b in steps]

    def _candidates(self) -> list[int]:
        """The cells to settle next: those that do not disconnect the rest, the farthest slots first."""
        bridges = self._bridges()
        return sorted((k for k in self.free if k not in bridges), key=self.rank.__getitem__, reverse=True)[:_CHOICES]

    def _bridges(self) -> set[int]:
        """The free cells whose removal disconnects the others (Tarjan's articulation points)."""
        root = next(iter(self.free))
        number, low, found = {root: 0}, {root: 0}, set()
        stack = [(root, root, iter(self.beside[root]))]
        children = 0
        while stack:
            cell, parent, others = stack[-1]
            for other in others:
                if other not in self.free or other == parent:
                    continue
                if other in number:
                    low[cell] = min(low[cell], number[other])
                    continue
                number[other] = low[other] = len(number)
                stack.append((other, cell, iter(self.beside[other])))
                break
            else:
                stack.pop()
                if stack:
                    low[parent] = min(low[parent], low[cell])
                    if parent == root:
                        children += 1
                    elif low[cell] >= number[parent]:
                        found.add(parent)
        if children > 1:
            found.add(root)
        return found

    def _settle(self, cell: int) -> bool:
        wanted = self.goal[cell]
        if self.cells[cell] == wanted:
            return True
        # Empty the cell first and keep it empty: no hole could pass the arriving tile into a dead end.
        if not self._make_empty(self.cells, cell, set(), self.steps) or wanted == 0:
            return wanted == 0 and self.cells[cell] == 0
        far = distances([cell], self.beside, self.settled)
        tiles = sorted((d, k) for k, d in far.items() if self.cells[k] == wanted)
        return any(self._bring(tile, cell, far) for _, tile in tiles[:3])

    def _make_empty(self, cells: list[int], cell: int, barred: set[int], steps: Steps) -> bool:
        """Bring the nearest hole to a cell, avoiding barred cells; the tiles on its way move by one."""
        before, queue = {cell: cell}, deque([cell])
        while queue:
            here = queue.popleft()
            if cells[here] == 0:
                while here != cell:
                    cells[here], cells[before[here]] = cells[before[here]], 0
                    steps.append((before[here], here))
                    here = before[here]
                return True
            for other in self.beside[here]:
                if other in self.free and other not in before and other not in barred:
                    before[other] = here
                    queue.append(other)
        return False

    def _bring(self, tile: int, target: int, far: dict[int, int]) -> bool:
        """Bring a tile to a cell, best first over its place and the holes."""
        number, states = self.cells[tile], 0
        first: tuple[int, list[int], Steps] = (tile, list(self.cells), [])
        heap = [(far[tile], 0, first)]
        seen = {(tile, _holes(self.cells))}
        while heap and states < _MOST_STATES:
            _, _, (here, cells, steps) = heapq.heappop(heap)
            if here == target:
                self.cells = cells
                self.steps += steps
                return True
            if states % 64 == 0:
                self.look()
            for other in self.beside[here]:
                if other not in self.free:
                    continue
                after, made = list(cells), list(steps)
                if not self._make_empty(after, other, {here} if other == target else {here, target}, made):
                    continue
                after[other], after[here] = number, 0
                made.append((here, other))
                key = (other, _holes(after))
                if key not in seen:
                    seen.add(key)
                    states += 1
                    heapq.heappush(heap, (len(made) + _NEARER * far[other], states, (other, after, made)))
        return False


def _holes(cells: list[int]) -> bytes:
    return bytes(tile > 0 for tile in cells)
