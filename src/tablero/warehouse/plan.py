"""A plan: the moves that put a warehouse in order, packed, and how they are printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.runs.findings import Findings
from tablero.warehouse import checking
from tablero.warehouse.puzzle import Warehouse
from tablero.warehouse.record import WAYS
from tablero.words import several

# Reasons of moves
FORMING, SEARCHED = 0, 8
WORDS = {
    FORMING: ("forming", "a hole moves one cell towards the corridor cell that it is matched with"),
    1: ("travel", "the tile goes along the corridors to its slot"),
    2: ("taking out", "three tiles beside the exit go out into the corridor, to leave room"),
    3: ("going in", "the tile changes places with one tile after another down the column"),
    4: ("coming out", "the same backwards: the slot's old tile comes out, all others return to their places"),
    5: ("at the corridor", "the slot's tile steps out and aside, and the waiting tile goes in"),
    6: ("making way", "a tile before the slot goes out into the corridor and stands aside"),
    7: ("going back", "a tile that made way goes back to where it was"),
    SEARCHED: ("searched", "a move of a search over the floor, or a part of it, for few moves"),
}
_PIECE = 1 << 20  # moves that are played at a time when a plan is checked
MOST_LISTED = 1_000_000  # moves of an answer in JSON

Move = tuple[int, int, int]  # a tile, the cell it leaves, the cell it goes to


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Findings[list[Move]]):
    """All moves, each a cell that a tile leaves, the way it goes and why, as packed arrays.

    Without an answer, because the time was up, there are none.
    """

    parts: ClassVar[tuple[str, ...]] = ("move", "tile", "way", "row", "column")

    puzzle: Warehouse
    sources: NDArray[np.int32]
    ways: NDArray[np.uint8]  # places in "NSEW"
    reasons: NDArray[np.uint8]
    forming: int  # moves spent on forming the blocks
    cycles: int
    method: str
    remark: str = ""  # why there is no plan
    animated: bool = False  # whether a terminal plays the moves before their number is printed

    @property
    def warehouse(self) -> Warehouse:
        """The warehouse that was put in order."""
        return self.puzzle

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def targets(self) -> NDArray[np.int32]:
        """The cells that tiles go to."""
        columns = self.puzzle.layout.columns
        return self.sources + np.array([-columns, columns, 1, -1], np.int32)[self.ways]

    @cached_property
    def tiles(self) -> NDArray[np.int32]:
        """Which tile each move is of."""
        found = np.empty(len(self), np.int32)
        board = checking.Board(self.puzzle)
        for part in self._pieces():
            board.play(self.sources[part], self.targets[part], found[part])
        return found

    def _pieces(self) -> Iterator[slice]:
        for k in range(0, len(self), _PIECE):
            yield slice(k, k + _PIECE)

    @cached_property
    def answers(self) -> Sequence[list[Move]]:
        """One list of moves; none where the time was up, or nothing can be done."""
        if self.status != "solved":
            return []
        return [list(zip(self.tiles.tolist(), self.sources.tolist(), self.targets.tolist(), strict=True))]

    def told(self) -> list[list[list[Any]]]:
        """The moves, each a tile, a direction, and the row and column it leaves (from 1, as in a move list: where numbers
        repeat, the tile alone does not say which); left out where there are more than a million."""
        if self.status != "solved" or len(self) > MOST_LISTED:
            return []
        rows, columns = np.divmod(self.sources, self.puzzle.layout.columns)
        steps = zip(self.tiles.tolist(), self.ways.tolist(), rows.tolist(), columns.tolist(), strict=True)
        return [[[tile, WAYS[way], row + 1, column + 1] for tile, way, row, column in steps]]

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Moves from 1, each of a tile, a way, and the row and column that it leaves."""
        return ((number, *move) for number, move in enumerate(answer, 1))

    def verify(self) -> None:
        """Play every move with code that shares nothing with the planners."""
        board, tiles = checking.Board(self.puzzle), np.empty(_PIECE, np.int32)
        for part in self._pieces():
            if wrong := board.play(self.sources[part], self.targets[part], tiles):
                raise AssertionError(f"the planner made an illegal move: {wrong}")
        if self.status == "solved" and (wrong := board.fault()):
            raise AssertionError(f"the planner is not done: {wrong}")

    def values(self) -> dict[str, Any]:
        """The keys that every search reports, and what is known about the moves."""
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
        """The warehouse that was to be put in order, unless it is too large."""
        from tablero.warehouse.draw import can_draw, scene

        return scene(self.puzzle) if can_draw(self.puzzle.layout) else None

    def page(self) -> str:
        """A page that plays the moves."""
        from tablero.warehouse.draw import player

        return player(self)

    def answer_text(self, before: int) -> str:
        """The number of moves, after they were played where that is wanted."""
        from tablero.warehouse.draw import animate

        if self.status != "solved":
            return ""
        if self.animated:
            animate(self)
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
        return repr(self)  # the moves would be lines without end

    def _repr_html_(self) -> str | None:
        """The page that plays the moves; nothing where there are too many."""
        from tablero.draw.pages import in_notebook

        try:
            return in_notebook(self.page())
        except BadInput:
            return None
