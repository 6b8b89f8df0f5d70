"""The exact worst case of a tile-by-tile method on n×n, and a board that attains it.

What a method does at a stage depends only on the walls, on the blank's cell and on the cell of the tile to be placed.  So an
adversary need not choose the board beforehand: at every stage he chooses where the next tile lies, among all cells that are
not walls.  (Moves can be undone, hence each choice is that of some first board, and no two choices contradict each other.)
The most moves that can follow are a function of stage and blank: a dynamic programme from the last stage to the first.

Two remarks.  A pair that is in place is skipped: so where PU lies on its true cell, the adversary must not have U come from
its own.  And the parity is his affair only at the end: the last 3×3 may be any state that can be solved.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.sliding.constructive import TILE_BY_TILE, bound, construct, margin
from tablero.sliding.kernels import construct as kernels
from tablero.sliding.kernels.ground import COLUMN_PAIR, LAST, PARBERRY, SINGLE, Ground, make_ground, make_plan
from tablero.sliding.puzzle import Board
from tablero.sliding.small import distances, permutations, rank
from tablero.words import unknown

MOST = 40
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Worst:
    """The most moves that any n×n board takes by a method, and such a board."""

    method: str
    moves: int
    board: Board
    bound: int | None  # of the literature
    seconds: float = 0.0


@dataclass(frozen=True)
class _Stage:
    """What a stage costs: by the blank's cell, the best choice of the adversary and what it leads to."""

    tile: Numbers  # the cell chosen for the tile (PU of a pair); −1: the pair is in place
    other: Numbers  # the cell of U when PU is parked


def require(n: int, method: str) -> None:
    """Refuse what has no worst case here."""
    if method not in TILE_BY_TILE:
        raise BadInput(unknown("the method", method, TILE_BY_TILE, "which go tile by tile"))
    if not 3 <= n <= MOST:
        raise BadInput(f"the worst case for n = {n}: expected 3 to {MOST}")


def worst(n: int, method: str) -> Worst:
    """The exact worst case; the board is checked by playing it."""
    require(n, method)
    began = time.monotonic()
    programme = _Programme(n, TILE_BY_TILE[method])
    moves, board = programme.run()
    played = len(construct(board, method)[0])
    if played != moves:
        raise AssertionError(f"the worst board takes {played} moves, the programme said {moves}")
    return Worst(method, moves, board, bound(method, n), time.monotonic() - began)


class _Programme:
    def __init__(self, n: int, method: int) -> None:
        self.n, self.method = n, method
        self.ground: Ground = make_ground(n, n)
        self.across: Ground = make_ground(n, n)
        self.plan = make_plan(2 * margin(n, n))
        self.stages, self.top, self.left = kernels.make_stages(n, n, method == PARBERRY)
        self.cells = len(self.ground.wall)

    def run(self) -> tuple[int, Board]:
        value, ends = self._last_values()
        choices: list[_Stage] = []
        for kind, first, second, _, _, _, down in reversed(self.stages.tolist()):
            # Backwards: the walls of a stage are those of the next one without its own.
            self.ground.wall[first] = 0
            if kind in (SINGLE, LAST):
                value, choice = self._single(kind, first, second if kind == LAST else -1, bool(down), value)
            else:
                value, choice = self._pair(kind, first, second, bool(down), value)
            choices.append(choice)
        choices.reverse()
        start = int(value.argmax())
        return int(value[start]), self._rebuild(start, choices, ends)

    def _last_values(self) -> tuple[Numbers, dict[int, NDArray[np.uint8]]]:
        """The worst state of the last 3×3 by the blank's cell.  Leaves walls everywhere else."""
        table = distances(3, 3)
        states = permutations(9)
        far = table[rank(states)].astype(np.int64)
        far[far == kernels.UNREACHED] = -1
        value = np.full(self.cells, -1, np.int64)
        ends: dict[int, NDArray[np.uint8]] = {}
        self.ground.wall[:] = 1
        for k in range(9):
            cell = self._cell(self.top + k // 3, self.left + k % 3)
            mine = np.where(states[:, k] == 0, far, -1)
            value[cell], ends[cell] = mine.max(), states[mine.argmax()]
            self.ground.wall[cell] = 0
        return value, ends

    def _cell(self, row: int, column: int) -> int:
        return (row + 1) * self.ground.width + column + 1

    def _costs(
        self, target: int, pocket: int, kind: int, down: bool, *, follow: int = -1, only: tuple[int, int] = (-1, -1)
    ) -> tuple[Numbers, Numbers, Numbers]:
        """What placing a tile costs, where the blank ends, and where U's true cell is taken: see `stage_costs`."""
        cost = np.full((self.cells, self.cells), -1, np.int32)
        end = np.zeros((self.cells, self.cells), np.int32)
        image = np.full(self.cells, -1, np.int32)
        self.across.wall[:] = self.ground.wall.reshape(self.n + 2, self.n + 2).T.ravel()
        found = kernels.stage_costs(
            self.ground,
            self.across,
            self.plan,
            self.method,
            target,
            pocket,
            kind,
            down,
            follow,
            *only,
            cost,
            end,
            image,
        )
        if found < 0:
            raise AssertionError("the rules lead nowhere")
        return cost.astype(np.int64), end.astype(np.int64), image.astype(np.int64)

    def _single(self, kind: int, cell: int, pocket: int, down: bool, after: Numbers) -> tuple[Numbers, _Stage]:
        cost, end, _ = self._costs(cell, pocket, kind, down)
        total = _total(cost, after[end])
        return total.max(axis=0), _Stage(total.argmax(axis=0), np.full(self.cells, -1))

    def _pair(self, kind: int, first: int, second: int, down: bool, after: Numbers) -> tuple[Numbers, _Stage]:
        inward = 1 if kind == COLUMN_PAIR else self.ground.width
        self.ground.wall[second] = 1
        cost, end, _ = self._costs(second + inward, first, kind, down)
        of_u = _total(cost, after[end])
        self.ground.wall[second] = 0
        cost, end, image = self._costs(second, -1, kind, down, follow=first)
        best_u = of_u.max(axis=0)
        total = _total(cost, best_u[end])
        choice_u = of_u.argmax(axis=0)[end]
        for blank in range(self.cells):  # PU on its true cell: U did not come from its own
            if cost[first, blank] < 0:
                continue
            allowed = of_u[:, end[first, blank]].copy()
            allowed[image[blank]] = -1
            choice_u[first, blank] = allowed.argmax()
            total[first, blank] = cost[first, blank] + allowed.max() if allowed.max() >= 0 else -1
        value, tile = total.max(axis=0), total.argmax(axis=0)
        skipped = after > value  # both in place, and what follows is worse: it never was, but nothing forbids it
        skipped &= self.ground.wall == 0
        skipped[[first, second]] = False
        value = np.where(skipped, after, value)
        blanks = np.arange(self.cells)
        other = np.where(skipped, -1, choice_u[tile, blanks])
        return value, _Stage(np.where(skipped, -1, tile), other)

    def _rebuild(self, start: int, choices: list[_Stage], ends: dict[int, NDArray[np.uint8]]) -> Board:
        """Play the choices with nameless tiles; each gets its number when it is chosen."""
        n, ground = self.n, self.ground  # whose walls are all gone again
        nameless = np.full(self.cells, -1, np.int64)
        nameless[ground.wall == 0] = np.arange(1, n * n + 1)  # the tile's first cell; 0 is the blank
        nameless[start] = 0
        first_cell = np.flatnonzero(ground.wall == 0)
        named: dict[int, int] = {}
        blank = start

        def bring(cell: int, target: int, pocket: int, kind: int, down: bool) -> None:
            nonlocal blank
            self.plan.size[0] = 0
            self._costs(target, pocket, kind, down, only=(cell, blank))
            for move in self.plan.moves[: self.plan.size[0]].tolist():
                there = blank + int(ground.step[move])
                nameless[blank] = nameless[there]
                blank = there
            nameless[blank] = 0

        for (kind, first, second, _, tile, other, down), choice in zip(self.stages.tolist(), choices, strict=True):
            cell = int(choice.tile[blank])
            if kind in (SINGLE, LAST):
                named[int(nameless[cell])] = tile
                bring(cell, first, second if kind == LAST else -1, kind, bool(down))
            elif cell < 0:
                named[int(nameless[first])], named[int(nameless[second])] = tile, other
            else:
                later = int(choice.other[blank])
                named[int(nameless[cell])] = tile
                bring(cell, second, -1, kind, bool(down))
                ground.wall[second] = 1
                named[int(nameless[later])] = other
                bring(later, second + (1 if kind == COLUMN_PAIR else ground.width), first, kind, bool(down))
                ground.wall[second] = 1
            if kind not in (SINGLE, LAST):
                ground.wall[second] = 1
            ground.wall[first] = 1
        for k, number in enumerate(ends[blank].tolist()):
            if number:
                cell = self._cell(self.top + k // 3, self.left + k % 3)
                row, column = divmod(number - 1, 3)
                named[int(nameless[cell])] = (self.top + row) * n + self.left + column + 1
        tiles = [named.get(k + 1, 0) for k in range(n * n)]
        assert tiles[int(np.flatnonzero(first_cell == start)[0])] == 0
        return Board(n, n, tuple(tiles))


def _total(cost: Numbers, after: Numbers) -> Numbers:
    """Moves now and later, −1 where there is no such start."""
    return np.where((cost >= 0) & (after >= 0), cost + after, -1)
