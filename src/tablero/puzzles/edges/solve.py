"""From an edge-matching puzzle to a search and back.

fewest   the cell where fewest variants fit (the source's rule); every shape, any number of colours
scan     cells in a fixed order, as given or as the mean-field count says
frame    the frame first, then fewest with an arc check inside
beam     the most promising partial boards of each depth: fast, but not to find anything proves nothing
cover1   exact cover in Oborný's first encoding;  cover2  in his second;  xcc  with coloured joins
auto     a short try (of scan where few nodes are expected, or else of fewest), then of scan and frame the one with the
         smaller mean-field count, as fast as each goes
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import atan2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.puzzles.cover.kernels.search import CoverSearch, default_kernel
from tablero.puzzles.edges import check, encode, estimate
from tablero.puzzles.edges.board import Board
from tablero.puzzles.edges.kernels.search import FewestSearch, ScanSearch, Tiles, colour_bits, scan_fits
from tablero.puzzles.edges.puzzle import EdgePuzzle
from tablero.runs.findings import Result
from tablero.runs.here import Findings, require_threads, run_here
from tablero.search.base import Search

FAMILY = "edges"
AUTO = "auto"
COMPLETE = ("fewest", "scan", "frame", "cover1", "cover2", "xcc")
METHODS = (AUTO, *COMPLETE, "beam")
ORDERS = ("rows", "columns", "ring", "spiral", "diagonal")
FIRST_TRY = 0.5  # seconds before auto looks further
_FEW_NODES = 6.5  # log₁₀ of what a scan does in a tenth of a second
_SCAN_PACE = 1.3  # log₁₀ of how many nodes a scan visits while frame visits one
_COVERS = {"cover1": "1", "cover2": "2", "xcc": "xcc"}
_MOST_FRAME_BYTES = 1 << 29


@dataclass(frozen=True)
class Layings(Findings):
    """What a search for solutions found."""

    puzzle: EdgePuzzle
    result: Result
    method: str
    why: str = ""  # how the method was chosen, or the proof that there is no solution
    encoded: encode.Encoded | None = field(default=None, repr=False)

    @cached_property
    def layings(self) -> NDArray[np.int32]:
        """A row a solution: the variant of every cell."""
        if self.encoded is None:
            return self.result.answers
        rows = [self.encoded.decode(row) for row in self.result.answers.tolist()]
        return np.array(rows, np.int32).reshape(len(rows), self.puzzle.board.cells)

    @property
    def answers(self) -> list[list[list[int]]]:
        """The solutions as people number them: [piece, turn] cell by cell, pieces from 1."""
        return [as_pairs(self.puzzle, row) for row in self.layings.tolist()]

    def verify(self) -> None:
        """Check every solution with code that shares nothing with the kernels."""
        if wrong := check.first_fault(self.puzzle, self.layings):
            raise AssertionError(f"a kernel returned what is no solution: {wrong}")

    def __str__(self) -> str:
        from tablero.puzzles.edges.draw import to_text

        return to_text(self.puzzle, self.layings[0]) if len(self.layings) else f"{self.status}: no board"

    def _repr_svg_(self) -> str | None:
        from tablero.draw.svg import to_svg
        from tablero.puzzles.edges.draw import scene

        return to_svg(scene(self.puzzle, self.layings[0])) if len(self.layings) else None


def as_pairs(puzzle: EdgePuzzle, laying: Sequence[int]) -> list[list[int]]:
    """A laying as [piece, turn] cell by cell, pieces from 1; an empty cell is [0, 0]."""
    return [[v // puzzle.sides + 1, v % puzzle.sides] if v >= 0 else [0, 0] for v in laying]


def tiles_of(puzzle: EdgePuzzle) -> Tiles:
    """The puzzle as the searches take it."""
    fixed = puzzle.fixed()
    alike: dict[bytes, NDArray[np.int32]] = {}
    fits = []
    for cell in range(puzzle.board.cells):
        kind = b"clue" + bytes([*cell.to_bytes(4, "little")]) if cell in fixed else puzzle.board.border[cell].tobytes()
        if kind not in alike:
            alike[kind] = puzzle.fits(cell)
        fits.append(alike[kind])
    start = np.cumsum([0] + [len(row) for row in fits])
    return Tiles(puzzle.board.neighbours, puzzle.turned, start, np.concatenate(fits).astype(np.int32))


# Orders of cells


def order_of(board: Board, name: str) -> tuple[int, ...]:
    """An order by its name, or as cells one after another: r1c1,r1c2,…"""
    if name in ("", "rows"):
        return tuple(range(board.cells))
    if name == "columns":
        return tuple(sorted(range(board.cells), key=lambda cell: board.places[cell][::-1]))
    if name == "diagonal":
        return tuple(sorted(range(board.cells), key=lambda cell: (sum(board.places[cell]), board.places[cell])))
    if name in ("ring", "spiral"):
        return _spiral(board, whole=name == "spiral")
    if name not in ORDERS and "," not in name:
        raise BadInput(f"the order {name!r}: expected one of {', '.join(ORDERS)}, or all cells as r1c1,r1c2,…")
    cells = [board.cell(word.strip()) for word in name.split(",")]
    if sorted(cells) != list(range(board.cells)):
        raise BadInput(f"the order of {len(cells)} cells: expected each of the {board.cells} cells once")
    return tuple(cells)


def ring_of(board: Board, cells: Sequence[int]) -> list[int]:
    """Cells in the order of their angle round the board's centre, from the upper left on, clockwise."""
    middle = {cell: np.mean(board.outline(cell), axis=0) for cell in range(board.cells)}
    centre = np.mean(list(middle.values()), axis=0)

    def angle(cell: int) -> float:
        x, y = middle[cell] - centre
        return round(atan2(y, x), 9)

    ring = sorted(cells, key=angle)
    first = ring.index(min(ring))
    return ring[first:] + ring[:first]


def _spiral(board: Board, *, whole: bool) -> tuple[int, ...]:
    """Ring by ring from outside; or the outermost ring and then row by row."""
    left = set(range(board.cells))
    order: list[int] = []
    while left:
        across = board.neighbours // board.sides
        rim = [
            c for c in left if any(n < 0 or a not in left for n, a in zip(board.neighbours[c], across[c], strict=True))
        ]
        order += ring_of(board, rim) if whole or not order else sorted(left)
        left -= set(order)
    return tuple(order)


def best_order(puzzle: EdgePuzzle, names: Sequence[str] = ORDERS) -> tuple[str, float]:
    """The order with the smallest mean-field count, and log₁₀ of that."""
    counts = {name: estimate.profile(puzzle, order_of(puzzle.board, name)).nodes for name in names}
    name = min(counts, key=lambda name: (round(counts[name], 6), names.index(name)))
    return name, counts[name]


# Searches


def search_for(
    puzzle: EdgePuzzle, method: str, *, order: tuple[int, ...] = (), encoded: encode.Encoded | None = None
) -> Search:
    """The search of a method."""
    if method not in METHODS or method == AUTO:
        raise BadInput(f"the method {method!r}: expected one of {', '.join(METHODS)}")
    if method in _COVERS:
        problem = (encoded or encode.encode(puzzle, _COVERS[method])).cover
        return CoverSearch(problem.table, default_kernel(problem.table))
    if method == "beam":
        from tablero.puzzles.edges.optimise import beam_for

        return beam_for(puzzle)
    tiles = tiles_of(puzzle)
    if method == "scan":
        return ScanSearch(tiles, order)
    if method == "fewest":
        return FewestSearch(tiles)
    if not puzzle.border:
        raise BadInput("the method frame is for puzzles with a border")
    cells = puzzle.board.cells
    if 8 * cells * cells * -(-4 * cells // 64) > _MOST_FRAME_BYTES:
        raise BadInput(f"the method frame keeps too much for {cells} cells: use fewest or scan")
    rim = [cell for cell in range(cells) if puzzle.board.border[cell].any()]
    return FewestSearch(tiles, tuple(ring_of(puzzle.board, rim)))


def _can_choose(puzzle: EdgePuzzle) -> bool:
    """Whether the mean-field count is worth something: on a framed board that a scan by rows has room for."""
    in_sight = 2 * colour_bits(puzzle.colours)
    return puzzle.board.shape == "square" and puzzle.border and scan_fits(in_sight, len(puzzle.pieces))


def choose(puzzle: EdgePuzzle) -> tuple[str, str, str]:
    """Scan or frame by the mean-field count: the method, the scan's order, and the reason in words."""
    if not _can_choose(puzzle):
        return "fewest", "", "the best for this kind of board"
    order, scan = best_order(puzzle, ("rows", "columns", "diagonal"))
    frame = estimate.profile(puzzle, order_of(puzzle.board, "spiral")).nodes
    pace = round(10**_SCAN_PACE)
    told = (
        f"nodes expected: scan by {order} 10^{scan:.1f}, frame first 10^{frame:.1f}, each of these {pace} times as long"
    )
    return ("scan", order, told) if scan < frame + _SCAN_PACE else ("frame", "", told)


def solve(
    puzzle: EdgePuzzle,
    most: int | None = 1,
    *,
    method: str = AUTO,
    order: str = "",
    threads: int = 1,
    up_to_turning: bool = False,
    **limits: Any,
) -> Layings:
    """Up to `most` solutions (None: all).  `limits` are those of `tablero.runs.coordinator.run`."""
    return _solve(puzzle, most, True, method, order, threads, up_to_turning or most == 1, limits)


def count(
    puzzle: EdgePuzzle,
    *,
    method: str = AUTO,
    order: str = "",
    threads: int = 1,
    up_to_turning: bool = False,
    **limits: Any,
) -> Layings:
    """The number of solutions, without the solutions."""
    return _solve(puzzle, None, False, method, order, threads, up_to_turning, limits)


def _solve(
    puzzle: EdgePuzzle,
    most: int | None,
    keep: bool,
    method: str,
    order: str,
    threads: int,
    up_to_turning: bool,
    limits: dict[str, Any],
) -> Layings:
    require_threads(threads)
    if proof := check.impossible(puzzle):
        return Layings(puzzle, none(puzzle), method, proof)
    limit = limits.pop("time_limit", None)

    def perform(search: Search, plan: Plan, seconds: float | None) -> Result:
        return run_here(search, threads, kernel=search.name, most=most, keep=keep, time_limit=seconds, **limits)

    found = search_by_plan(reduced(puzzle, up_to_turning), method, order, perform, limit)
    if keep:
        found.verify()
    return found


def search_by_plan(
    puzzle: EdgePuzzle,
    method: str,
    order: str,
    perform: Callable[[Search, Plan, float | None], Result],
    limit: float | None,
    *,
    try_first: bool = True,
) -> Layings:
    """Search by the method asked for; `auto` makes a short try, and then what is foreseen to be best.

    `perform` runs a search for so many seconds.  The time of a try in vain counts with the rest.
    """
    plan = Plan.of(puzzle, method, order, try_first=try_first)
    search, encoded = plan.search(puzzle)
    if not plan.try_first:
        return Layings(puzzle, perform(search, plan, limit), plan.method, plan.why, encoded)
    moment = FIRST_TRY if limit is None else min(limit, FIRST_TRY)
    tried = perform(search, plan, moment)
    if tried.status != "open" or tried.interrupted or moment == limit:
        return Layings(puzzle, tried, plan.method, plan.why)
    rest = None if limit is None else limit - moment
    found = search_by_plan(puzzle, method, order, perform, rest, try_first=False)
    result = found.result
    return replace(
        found,
        result=replace(
            result, seconds=result.seconds + tried.seconds, cpu_seconds=result.cpu_seconds + tried.cpu_seconds
        ),
    )


def reduced(puzzle: EdgePuzzle, up_to_turning: bool) -> EdgePuzzle:
    """The puzzle with a corner fixed where that is wanted and possible."""
    return (puzzle.up_to_turning() if up_to_turning else None) or puzzle


@dataclass(frozen=True)
class Plan:
    """How a puzzle will be searched."""

    method: str
    order: str = ""
    why: str = ""
    try_first: bool = False  # for a moment only

    @classmethod
    def of(cls, puzzle: EdgePuzzle, method: str, order: str, *, try_first: bool) -> Plan:
        """Check what was asked, and choose what was left open: scan or fewest for a try, or the method that is foreseen.

        A durable search is of one method from its start, so there nothing is tried first.
        """
        if method not in METHODS:
            raise BadInput(f"the method {method!r}: expected one of {', '.join(METHODS)}")
        if order and method != "scan":
            raise BadInput(f"an order of cells goes with the method scan, not with {method}")
        if method == "scan" and order == AUTO:
            name, nodes = best_order(puzzle)
            return cls("scan", name, f"by {name}, 10^{nodes:.1f} nodes expected")
        if method != AUTO:
            return cls(method, order)
        if try_first and _can_choose(puzzle):
            nodes = estimate.profile(puzzle, order_of(puzzle.board, "rows")).nodes
            if nodes < _FEW_NODES:
                return cls("scan", "rows", f"at the first try, 10^{nodes:.1f} nodes expected", True)
        if try_first:
            return cls("fewest", why="at the first try", try_first=True)
        return cls(*choose(puzzle))

    def search(self, puzzle: EdgePuzzle) -> tuple[Search, encode.Encoded | None]:
        encoded = encode.encode(puzzle, _COVERS[self.method]) if self.method in _COVERS else None
        order = order_of(puzzle.board, self.order) if self.method == "scan" else ()
        return search_for(puzzle, self.method, order=order, encoded=encoded), encoded


def none(puzzle: EdgePuzzle) -> Result:
    """The result where a proof made the search needless."""
    return Result("none", 0, np.empty((0, puzzle.board.cells), np.int32), 0, 0.0, 0.0, 1.0)


def recipe_for(plan: Plan, verb: str, most: int | None) -> dict[str, Any]:
    """What a job must know to make its search again from its puzzle."""
    return {"family": FAMILY, "verb": verb, "method": plan.method, "order": plan.order, "most": most}


def search_again(recipe: dict[str, Any], problem: bytes) -> tuple[EdgePuzzle, Search, encode.Encoded | None]:
    """The puzzle and the search of a stored job."""
    from tablero.puzzles.edges.formats import parse

    puzzle = parse(problem.decode(), "the job's puzzle").puzzle
    search, encoded = Plan(recipe["method"], recipe["order"]).search(puzzle)
    return puzzle, search, encoded
