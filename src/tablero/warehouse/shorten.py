"""Shortens plans: removes loops of tiles, and searches pieces of a plan again.

loop      the moves of a tile between leaving a cell and returning to it, if no other tile was there in between: the tile
          can stay without blocking another
window    consecutive moves, replaced by fewer with the same result, if there are any; only tiles that move in it may move
Windows overlap, and grow from pass to pass.  The total number of tried moves is limited.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from tablero.warehouse.plan import SEARCHED
from tablero.warehouse.puzzle import Warehouse
from tablero.warehouse.search import Groups, Steps, TooMany, fewest

Moves = list[tuple[int, int, int]]  # cells before and after, and a reason
MOST_MOVES = 20_000  # of the longest plan to shorten
MOST_CELLS = 100_000  # of its floor
FEW, FEW_A_CELL, MOST_TILES = (
    16,
    1 / 3,
    60,
)  # tiles of a region that is searched as a whole: few, or few relative to its cells
MOST_FAR = 500_000  # the most distances: numbers times cells
MOST_SEARCHED = 150_000  # moves to try then, for each weight of the estimate
WEIGHTS = (1, 2, 5)
_WINDOWS = (12, 24, 40)  # moves of a window, pass after pass
_MOST_MOVING = 8  # tiles that move in a window
_MOST_TRIED = 4000  # moves to try in a window
MOST_TOGETHER = 200_000  # moves to try in all windows


def without_loops(moves: Moves) -> Moves:
    """The plan without the loops of its tiles."""
    while True:
        keep = _kept(moves)
        if all(keep):
            return moves
        moves = [move for move, kept in zip(moves, keep, strict=True) if kept]


def _kept(moves: Moves) -> list[bool]:
    keep = [True] * len(moves)
    tile_on: dict[int, int] = {}  # tiles are identified by their first cell
    left: dict[int, tuple[int, int]] = {}  # by cell: the tile that left it last, and the move
    made: dict[int, list[int]] = defaultdict(list)  # by tile: its moves that are kept
    for k, (source, target, _) in enumerate(moves):
        tile = tile_on.pop(source, source)
        tile_on[target] = tile
        left[source] = (tile, k)
        made[tile].append(k)
        who, since = left.pop(target, (-1, 0))
        if who == tile and keep[since]:
            while made[tile] and made[tile][-1] >= since:
                keep[made[tile].pop()] = False
    return keep


def shortened(warehouse: Warehouse, region: Sequence[int], moves: Moves, look: Callable[[], None]) -> Iterator[Moves]:
    """Yield ever shorter plans for a region of the floor."""
    moves = without_loops(moves)
    yield moves
    groups = _whole(warehouse, region)
    for weight in WEIGHTS:
        if groups is None:
            break
        try:
            steps, _ = fewest(groups, MOST_SEARCHED, look, weight=weight)
        except TooMany:
            continue
        assert steps is not None, "a plan is there"
        if len(steps) < len(moves):
            moves = [(source, target, SEARCHED) for source, target in steps]
            yield moves
        if weight == 1:
            return  # the plan is optimal
        break
    left = MOST_TOGETHER
    for size in _WINDOWS:
        while left > 0:
            before = len(moves)
            moves, tried = _one_pass(warehouse, moves, size, look, left)
            left -= tried
            moves = without_loops(moves)
            if len(moves) == before:
                break
            yield moves


def _whole(warehouse: Warehouse, region: Sequence[int]) -> Groups | None:
    """The tiles of a region, if they are few enough to search together."""
    standing, wanted = defaultdict(list), defaultdict(list)
    goal = warehouse.goal_cells
    for cell in region:
        if warehouse.cells[cell]:
            standing[warehouse.cells[cell]].append(cell)
        if goal[cell]:
            wanted[goal[cell]].append(cell)
    tiles = sum(map(len, standing.values()))
    if tiles > max(FEW, min(FEW_A_CELL * len(region), MOST_TILES)) or len(standing) * len(region) > MOST_FAR:
        return None
    return Groups(standing, wanted, warehouse.layout.neighbours)


def _one_pass(warehouse: Warehouse, moves: Moves, size: int, look: Callable[[], None], most: int) -> tuple[Moves, int]:
    """Search every window of a size; return the plan and the number of tried moves."""
    standing = {cell: tile for cell, tile in enumerate(warehouse.cells) if tile}
    out: Moves = []
    ahead = moves[::-1]  # the remaining moves, the next at the end
    tried = 0
    while ahead:
        if tried < most:
            look()
            window = ahead[: -size - 1 : -1]
            found, looked = _again(standing, window, warehouse.layout.neighbours, look)
            tried += looked
            if found is not None:
                del ahead[-len(window) :]
                ahead += [(source, target, SEARCHED) for source, target in reversed(found)]
        for _ in range(min(size // 2, len(ahead))):
            source, target, why = ahead.pop()
            standing[target] = standing.pop(source)
            out.append((source, target, why))
    return out, tried


def _again(
    floor: dict[int, int], window: Moves, beside: Sequence[Sequence[int]], look: Callable[[], None]
) -> tuple[Steps | None, int]:
    """Fewer moves with the result of a window, or None; and the number of tried moves."""
    stood: dict[int, int] = {}  # by a tile's cell after the window, its cell before
    for source, target, _ in window:
        stood[target] = stood.pop(source, source)
    if len(stood) > _MOST_MOVING:
        return None, 0
    standing, wanted = defaultdict(list), defaultdict(list)
    for target, source in stood.items():
        standing[floor[source]].append(source)
        wanted[floor[source]].append(target)
    taken = {cell: floor.pop(cell) for cell in stood.values()}
    groups = Groups(standing, wanted, beside, floor.keys(), len(window))
    floor.update(taken)
    if groups.least is None or groups.least >= len(window):
        return None, 0
    try:
        return fewest(groups, _MOST_TRIED, look, below=len(window))
    except TooMany:
        return None, _MOST_TRIED
