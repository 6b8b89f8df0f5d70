"""Plans: the packed moves that put a warehouse in order, and their output.

A move is the cell that a tile leaves, its direction (N, S, E or W) and a reason: six bytes.  The tile follows from the
floor.  During planning, a `Record` keeps the moves within the limits of a run.  A plan that would be too large is rejected
before planning.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.draw.pages import in_notebook
from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.runs.findings import Findings
from tablero.runs.run import Clock
from tablero.text import several
from tablero.warehouse import checking, draw
from tablero.warehouse.puzzle import Warehouse

FORMING, TRAVEL, OUT, INWARD, BACK, ASIDE, MAKING_WAY, GOING_BACK, SEARCHED = range(9)  # reasons of moves
WORDS = {
    FORMING: ("forming", "a hole moves one cell towards its matched corridor cell"),
    TRAVEL: ("travel", "the tile goes along the corridors to its slot"),
    OUT: ("taking out", "three tiles beside the exit go out into the corridor to make space"),
    INWARD: ("going in", "the tile exchanges places with one tile of the column after another"),
    BACK: ("coming out", "the same moves in reverse: the slot's old tile comes out, all others return"),
    ASIDE: ("at the corridor", "the slot's tile steps out and to the side, and the waiting tile goes in"),
    MAKING_WAY: ("making way", "a tile before the slot goes out into the corridor and waits"),
    GOING_BACK: ("going back", "a tile that made way returns to its place"),
    SEARCHED: ("searched", "a move found by searching the floor or a part of it"),
}
MOST_LISTED = 1_000_000  # moves of an answer in JSON

Move = tuple[int, int, int]  # the tile, its cell before and after
MOST_MOVES = 100_000_000
WAYS = "NSEW"
_LOOK = 4096  # moves between checks of the clock


class OutOfTime(Exception):
    """A limit of the run is reached."""


def require_capacity(expected: float) -> None:
    """Reject a plan with too many moves."""
    if expected > MOST_MOVES:
        raise BadInput(f"a plan of about {round(expected, -6):,.0f} moves: expected at most {MOST_MOVES:,}")


class Record:
    """The floor, and the moves made on it.

    Planners see a tile in every slot.  The tiles of empty slots are ghosts, whose moves are not recorded.
    """

    def __init__(self, warehouse: Warehouse, cells: list[int], clock: Clock) -> None:
        self.layout, self.cells, self.clock = warehouse.layout, cells, clock
        columns = self.layout.columns
        self.sources = array("i")
        self.ways, self.reasons = bytearray(), bytearray()
        self._way = {-columns: 0, columns: 1, 1: 2, -1: 3}
        self._look = _LOOK
        self.ghosts: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.sources)

    def push(self, source: int, target: int, reason: int) -> None:
        """Move the tile on a cell to an empty neighbour."""
        tile = self.cells[source]
        assert tile > 0, (source, target)
        assert self.cells[target] == 0, (source, target)
        self.cells[target], self.cells[source] = tile, 0
        if tile in self.ghosts:
            return
        self.sources.append(source)
        self.ways.append(self._way[target - source])
        self.reasons.append(reason)
        if len(self.sources) >= self._look:
            self.look()

    def run(self, path: list[range], reason: int) -> None:
        """Move a tile along straight lines; each line includes its first cell."""
        ghost = bool(path) and self.cells[path[0][0]] in self.ghosts
        for line in path:
            if len(line) > 1 and not ghost:
                self.sources.extend(line[:-1])
                self.ways.extend(bytes((self._way[line.step],)) * (len(line) - 1))
                self.reasons.extend(bytes((reason,)) * (len(line) - 1))
        if path:
            source, target = path[0][0], path[-1][-1]
            tile, self.cells[source] = self.cells[source], 0
            assert tile > 0, (source, target)
            barred = any(any(self.cells[min(line) : max(line) + 1 : abs(line.step)]) for line in path)
            assert not barred, (source, target)
            self.cells[target] = tile
        if len(self.sources) >= self._look:
            self.look()

    def moves(self) -> list[tuple[int, int, int]]:
        """The moves as cells before and after, and reasons."""
        step = list(self._way)
        moves = zip(self.sources, self.ways, self.reasons, strict=True)
        return [(source, source + step[way], reason) for source, way, reason in moves]

    def rewrite(self, moves: list[tuple[int, int, int]]) -> None:
        """Replace the moves by others with the same result."""
        self.sources = array("i", [source for source, _, _ in moves])
        self.ways = bytearray(self._way[target - source] for source, target, _ in moves)
        self.reasons = bytearray(reason for _, _, reason in moves)

    def look(self) -> None:
        """Report the progress; raise OutOfTime if a limit is reached."""
        made = len(self.sources)
        self._look = made + _LOOK
        if made > MOST_MOVES:
            raise BadInput(f"more than {MOST_MOVES:,} moves: expected a smaller floor")
        self.clock.report(several(made, "move"), nodes=made)
        if self.clock.is_up(made):
            raise OutOfTime


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Findings[list[Move]]):
    """The moves that put a warehouse in order, as packed arrays of cells, directions and reasons.

    The status is "solved", "none" (proved) or "open".
    """

    parts: ClassVar[tuple[str, ...]] = ("move", "tile", "way", "row", "column")

    puzzle: Warehouse
    sources: NDArray[np.int32]
    ways: NDArray[np.uint8]  # places in "NSEW"
    reasons: NDArray[np.uint8]
    forming: int  # moves spent on forming the blocks
    cycles: int
    method: str
    remark: str = ""  # the reason why there is no plan
    animated: bool = False  # whether the terminal plays the moves first

    @property
    def warehouse(self) -> Warehouse:
        """The warehouse to put in order."""
        return self.puzzle

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def directions(self) -> str:
        """The directions of the moves as a word of N, S, E and W."""
        return np.frombuffer(WAYS.encode(), np.uint8)[self.ways].tobytes().decode()

    @cached_property
    def targets(self) -> NDArray[np.int32]:
        """The cells after each move."""
        columns = self.puzzle.layout.columns
        return self.sources + np.array([-columns, columns, 1, -1], np.int32)[self.ways]

    @cached_property
    def tiles(self) -> NDArray[np.int32]:
        """The tile of each move."""
        return checking.play(self.puzzle, self.sources, self.targets)[0]

    @cached_property
    def answers(self) -> Sequence[list[Move]]:
        """One list of moves if the warehouse was solved."""
        if self.status != "solved":
            return []
        return [list(zip(self.tiles.tolist(), self.sources.tolist(), self.targets.tolist(), strict=True))]

    def to_list(self) -> list[list[list[Any]]]:
        """The moves, each a tile, a direction, and the row and column that it leaves, from 1.

        The list is empty for more than a million moves.
        """
        if self.status != "solved" or len(self) > MOST_LISTED:
            return []
        rows, columns = np.divmod(self.sources, self.puzzle.layout.columns)
        steps = zip(self.tiles.tolist(), self.ways.tolist(), rows.tolist(), columns.tolist(), strict=True)
        return [[[tile, WAYS[way], row + 1, column + 1] for tile, way, row, column in steps]]

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """The moves, numbered from 1, each with a tile, a direction, and the row and column that it leaves."""
        return ((number, *move) for number, move in enumerate(answer, 1))

    @cached_property
    def notes(self) -> list[tuple[int, int]]:
        """The reasons in order, each with its number of consecutive moves."""
        return [(reason, sum(1 for _ in group)) for reason, group in groupby(self.reasons.tolist())]

    @property
    def words(self) -> dict[int, tuple[str, str]]:
        """The names and explanations of the reasons in `notes`."""
        return {reason: WORDS[reason] for reason, _ in self.notes} or {FORMING: WORDS[FORMING]}

    def verify(self) -> None:
        """Play every move with code that shares nothing with the planners."""
        _, illegal, away = checking.play(self.puzzle, self.sources, self.targets)
        if illegal or (away and self.status == "solved"):
            raise AssertionError(f"the planner made an illegal move or did not finish: {illegal or away}")

    def values(self) -> dict[str, Any]:
        """The keys that every search reports, and those about the moves."""
        layout = self.puzzle.layout
        return (
            super().values()
            | {
                "method": self.method,
                "moves": len(self) if self.status == "solved" else None,
                "bound": self.puzzle.bound,
                "estimate": layout.estimate,
                "forming": self.forming,
                "tiles": self.puzzle.tiles,
                "rows": layout.rows,
                "columns": layout.columns,
                "cycles": self.cycles,
            }
            | ({"remark": self.remark} if self.remark else {})
        )

    def scene(self) -> Scene | None:
        """A picture of the warehouse, unless it is too large."""
        return draw.scene(self.puzzle) if draw.can_draw(self.puzzle.layout) else None

    def page(self) -> str:
        """A page that plays the moves."""
        return draw.player(self)

    def answer_text(self, before: int) -> str:
        """The number of moves; the terminal plays them first if requested."""
        if self.status != "solved":
            return ""
        if self.animated:
            draw.animate(self)
        return f"{len(self)}\n"

    def remarks(self) -> Iterator[str]:
        if self.status == "none":
            yield f"no plan (proved): {self.remark}"
        elif self.status == "open":
            why = self.remark or f"stopped after {several(len(self), 'move')}, no plan"
            yield f"open: {why}; {self.seconds:.2f} s"
        else:
            layout, forming = self.puzzle.layout, f"{self.forming:,} to form the blocks, " if self.forming else ""
            yield (
                f"{several(len(self), 'move')}, {forming}all legal, for {several(self.puzzle.tiles, 'tile')} on "
                f"{layout.rows}×{layout.columns}, {several(self.cycles, 'cycle')}; the proven bound is "
                f"{self.puzzle.bound:,}, the corrected estimate {layout.estimate:,}; {self.seconds:.2f} s"
            )

    def __repr__(self) -> str:
        return f"<Plan: {several(len(self), 'move')} for {several(self.puzzle.tiles, 'tile')}, {self.seconds:.3g} s>"

    def __str__(self) -> str:
        return repr(self)  # the moves would be too long

    def _repr_html_(self) -> str | None:
        """The page that plays the moves; None if there are too many."""
        try:
            return in_notebook(self.page())
        except BadInput:
            return None
