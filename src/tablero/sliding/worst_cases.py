"""The exact worst case of a tile-by-tile method on n×n, and a board that attains it.

The moves of a stage depend only on the walls, on the blank's cell and on the cell of the tile to be placed.  An adversary
therefore need not choose the board beforehand: at every stage he chooses the cell of the next tile among all cells that are
not walls.  (Moves can be undone, so that each choice belongs to some first board, and no two choices contradict each other.)
The most moves that can follow are a function of stage and blank: a dynamic programme from the last stage to the first.

Two details.  A pair that is in place is skipped; if PU is on its true cell, the adversary must not let U come from its own.
The parity matters only at the end: the last 3×3 may be any solvable state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero import interrupts
from tablero.runs.progress import Snapshot
from tablero.runs.run import Clock, Run
from tablero.sliding.constructive import TILE_BY_TILE, bound, construct, distances, margin, permutations, rank
from tablero.sliding.draw import player
from tablero.sliding.kernels import construct as kernels
from tablero.sliding.kernels.ground import COLUMN_PAIR, LAST, PARBERRY, SINGLE, Ground, make_ground, make_plan
from tablero.sliding.puzzle import Board
from tablero.sliding.verbs import TileByTile
from tablero.text import several

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Worst:
    """The most moves that a method takes on any n×n board, and such a board.

    If the search was stopped, `moves` is the most for the boards whose first `placed` tiles are in place.
    """

    method: TileByTile
    moves: int
    board: Board
    bound: int | None  # proved in the literature
    seconds: float = 0.0
    placed: int = 0  # tiles of the board that are in place at the beginning
    interrupted: bool = False

    @property
    def status(self) -> str:
        return "open" if self.placed else "solved"

    def to_dict(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "method": self.method,
            "moves": self.moves,
            "bound": self.bound,
            "board": self.board.text,
            "seconds": round(self.seconds, 6),
            **({"placed": self.placed} if self.placed else {}),
        }

    def lines(self) -> Iterator[str]:
        yield str(self.moves)
        yield self.board.text

    def remarks(self) -> Iterator[str]:
        n, most, ending = self.board.rows, several(self.moves, "move"), ""
        if self.placed:
            head = f"stopped: some {n}×{n} boards take"
            ending = f", but none whose first {several(self.placed, 'tile')} to be placed are in place"
        else:
            head = f"no {n}×{n} board takes"
        limit = "" if self.bound is None else f"; the proven bound is {self.bound:,}"
        yield (
            f"{head} {self.method} more than {most}{ending}{limit}; this board takes exactly that many (checked); "
            f"{self.seconds:.2f} s"
        )

    def to_svg(self) -> str:
        return self.board.to_svg()

    def page(self) -> str:
        """A page that plays the moves."""
        return player(self.board.solve(method=self.method))


@dataclass(frozen=True)
class _Stage:
    """The best choices of the adversary at a stage, by the blank's cell."""

    tile: Numbers  # the cell chosen for the tile (PU of a pair); −1: the pair is in place
    other: Numbers  # the cell of U when PU is parked


def worst(n: int, method: TileByTile, *, run: Run) -> Worst:
    """Find the exact worst case; the board is checked by playing it.  A stopped run returns the worst case so far."""
    run.report(Snapshot(doing="compiling the kernels of sliding tiles"))
    warm(method)
    clock, interrupted = Clock(run), False
    programme = _Programme(n, TILE_BY_TILE[method])
    with interrupts.Polling():
        try:
            for done in programme.stages_backwards():
                clock.report(f"{done:,} of {several(len(programme.stages), 'stage')}", nodes=programme.starts)
                if clock.is_up(programme.starts):
                    break
        except KeyboardInterrupt:
            interrupted = True
        run.report(Snapshot(over=True))
        moves, board = programme.board()
        played = len(construct(board, method)[0])
    if played != moves:
        raise AssertionError(f"the worst board takes {played} moves instead of the computed {moves}")
    return Worst(method, moves, board, bound(method, n), clock.seconds, programme.placed, interrupted)


@cache
def warm(method: str) -> None:
    """Compile the kernels once in a process."""
    programme = _Programme(4, TILE_BY_TILE[method])
    for _ in programme.stages_backwards():
        pass
    construct(programme.board()[1], method)


class _Programme:
    def __init__(self, n: int, method: int) -> None:
        self.n, self.method = n, method
        self.ground: Ground = make_ground(n, n)
        self.across: Ground = make_ground(n, n)
        self.plan = make_plan(2 * margin(n, n))
        self.stages, self.top, self.left = kernels.make_stages(n, n, method == PARBERRY)
        self.cells = len(self.ground.wall)
        self.starts = 0  # visited pairs of the cells of tile and blank
        self.value, self.ends = self._last_values()
        self.choices: list[_Stage] = []  # of the last stages, in reverse order

    def stages_backwards(self) -> Iterator[int]:
        """Solve the stages from the last to the first; yield the number of solved stages after each."""
        for kind, first, second, _, _, _, down in reversed(self.stages.tolist()):
            # Backwards: the walls of a stage are those of the next one without its own.
            before = self.ground.wall.copy()
            try:
                self.ground.wall[first] = 0
                if kind in (SINGLE, LAST):
                    value, choice = self._single(kind, first, second if kind == LAST else -1, bool(down), self.value)
                else:
                    value, choice = self._pair(kind, first, second, bool(down), self.value)
            except KeyboardInterrupt:  # within a stage, which is then discarded
                self.ground.wall[:] = before
                raise
            self.value = value
            self.choices.append(choice)
            yield len(self.choices)

    @property
    def placed(self) -> int:
        """The number of tiles whose stages are not solved; these tiles are in place."""
        left = self.stages[: len(self.stages) - len(self.choices)].tolist()
        return sum(1 if kind in (SINGLE, LAST) else 2 for kind, *_ in left)

    def board(self) -> tuple[int, Board]:
        """The most moves of the solved stages, and a board that takes them."""
        start = int(np.where(self.ground.wall == 0, self.value, -1).argmax())
        return int(self.value[start]), self._rebuild(start)

    def _last_values(self) -> tuple[Numbers, dict[int, NDArray[np.uint8]]]:
        """The worst state of the last 3×3 by the blank's cell.  All other cells become walls."""
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
        """The cost of placing a tile, the last cell of the blank, and the image of U's true cell: see `stage_costs`."""
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
        self.starts += int((cost >= 0).sum())
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
        for blank in range(self.cells):  # PU is on its true cell: U must not come from its own
            if cost[first, blank] < 0:
                continue
            allowed = of_u[:, end[first, blank]].copy()
            allowed[image[blank]] = -1
            choice_u[first, blank] = allowed.argmax()
            total[first, blank] = cost[first, blank] + allowed.max() if allowed.max() >= 0 else -1
        value, tile = total.max(axis=0), total.argmax(axis=0)
        skipped = after > value  # both in place, and the rest is worse: possible, but never seen
        skipped &= self.ground.wall == 0
        skipped[[first, second]] = False
        value = np.where(skipped, after, value)
        blanks = np.arange(self.cells)
        other = np.where(skipped, -1, choice_u[tile, blanks])
        return value, _Stage(np.where(skipped, -1, tile), other)

    def _rebuild(self, start: int) -> Board:
        """Play the choices with unnumbered tiles; each gets its number when it is chosen."""
        n, ground = self.n, self.ground  # its walls are the tiles in place
        first_cell = np.flatnonzero(make_ground(n, n).wall == 0)
        unnumbered = np.full(self.cells, -1, np.int64)
        unnumbered[first_cell] = np.arange(1, n * n + 1)  # the tile's first cell; 0 is the blank
        named = {number: number for number in unnumbered[first_cell[ground.wall[first_cell] != 0]].tolist()}
        unnumbered[start] = 0
        blank = start
        choices = self.choices[::-1]
        solved = self.stages[len(self.stages) - len(choices) :].tolist()

        def bring(cell: int, target: int, pocket: int, kind: int, down: bool) -> None:
            nonlocal blank
            self.plan.size[0] = 0
            self._costs(target, pocket, kind, down, only=(cell, blank))
            for move in self.plan.moves[: self.plan.size[0]].tolist():
                there = blank + int(ground.step[move])
                unnumbered[blank] = unnumbered[there]
                blank = there
            unnumbered[blank] = 0

        for (kind, first, second, _, tile, other, down), choice in zip(solved, choices, strict=True):
            cell = int(choice.tile[blank])
            if kind in (SINGLE, LAST):
                named[int(unnumbered[cell])] = tile
                bring(cell, first, second if kind == LAST else -1, kind, bool(down))
            elif cell < 0:
                named[int(unnumbered[first])], named[int(unnumbered[second])] = tile, other
            else:
                later = int(choice.other[blank])
                named[int(unnumbered[cell])] = tile
                bring(cell, second, -1, kind, bool(down))
                ground.wall[second] = 1
                named[int(unnumbered[later])] = other
                bring(later, second + (1 if kind == COLUMN_PAIR else ground.width), first, kind, bool(down))
                ground.wall[second] = 1
            if kind not in (SINGLE, LAST):
                ground.wall[second] = 1
            ground.wall[first] = 1
        for k, number in enumerate(self.ends[blank].tolist()):
            if number:
                cell = self._cell(self.top + k // 3, self.left + k % 3)
                row, column = divmod(number - 1, 3)
                named[int(unnumbered[cell])] = (self.top + row) * n + self.left + column + 1
        tiles = [named.get(k + 1, 0) for k in range(n * n)]
        assert tiles[int(np.flatnonzero(first_cell == start)[0])] == 0
        return Board(n, n, tuple(tiles))


def _total(cost: Numbers, after: Numbers) -> Numbers:
    """The moves of this and later stages; −1 if there is no such start."""
    return np.where((cost >= 0) & (after >= 0), cost + after, -1)
