"""The search methods for edge-matching puzzles, and the choice between them.

fewest   the cell with the fewest fitting variants comes next; for every shape and any number of colours
scan     cells in a fixed order, given or chosen by the expected nodes
frame    the frame first, then as fewest with an arc check
beam     the best partial boards of each depth; finding no solution proves nothing
ranked   scans of the boards with the highest ranks, then of more boards, and at last of all; finds one solution, or
         proves that there is none
cover1   exact cover in Oborný's first encoding
cover2   exact cover in Oborný's second encoding
xcc      exact cover with coloured joins
auto     a short first try (scan if few nodes are expected, otherwise fewest).  Then scan or frame, whichever is expected
         to take less time; ranked instead of a long scan if one solution is wanted
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import log10, sqrt
from typing import Any, Literal

from tablero.cover.kernels.search import CoverSearch, default_kernel
from tablero.edges import verbs
from tablero.edges.board import order_of, ring_of
from tablero.edges.encoding import Encoded, encode
from tablero.edges.estimating import best_order, profile
from tablero.edges.kernels.optimise import BeamSearch
from tablero.edges.kernels.rounds import RankedSearch
from tablero.edges.kernels.search import FewestSearch, ScanSearch, colour_bits, scan_fits
from tablero.edges.kernels.stretches import MOST_COLOURS as MOST_RANKED_COLOURS
from tablero.edges.kernels.stretches import MOST_PIECES, View, with_piece_in
from tablero.edges.kernels.tables import MOST_COLOURS
from tablero.edges.puzzle import EdgePuzzle
from tablero.edges.turns import sifted, symmetries
from tablero.errors import BadInput
from tablero.runs.findings import Result
from tablero.search.base import Search
from tablero.search.tree import TreeSearch
from tablero.verbs.parameters import BadValue

AUTO: Literal["auto"] = "auto"
RANKED: Literal["ranked"] = "ranked"
COMPLETE: tuple[verbs.MethodName, ...] = ("fewest", "scan", "frame", "cover1", "cover2", "xcc")
_FIRST_TRY = 0.5  # seconds of the first try of auto
_LONG = 9.2  # log₁₀ of the nodes of a long scan, some minutes
_ORDERS_TO_CHOOSE = ("rows", "columns", "diagonal")
_WITHIN_REACH = 10.2  # log₁₀ of the nodes of a scan, above which the quick search is not worth while
_QUICK_SCAN = 20_000_000  # nodes, some tenths of a second
_QUICK_FEWEST = 1 << 27  # nodes times cells, some tenths of a second
_FEW_NODES = 6.2  # log₁₀ of the nodes of a scan in a tenth of a second
_SCAN_SPEED = 1.3  # log₁₀ of the nodes that a scan visits in the time of one node of frame
_FRAME_SAVING = (
    1.1  # log₁₀ of the nodes of a spiral scan per node of frame, which branches on the cell with fewest pieces
)
_COVERS = {"cover1": "1", "cover2": "2", "xcc": "xcc"}
_MOST_FRAME_BYTES = 1 << 29
_LAST_ROWS = 4  # filled column by column by the optimiser
_WIDTH_A_MINUTE = 60_000  # for 256 cells
_MOST_WIDTH = 400_000  # wider beams are not better
_MOST_NODES = 1 << 28  # boards × cells
_SOLVER_WIDTH = 50_000


def require_method(puzzle: EdgePuzzle, method: str, order: str = "") -> None:
    """Refuse a method that cannot search a puzzle."""
    if order not in ("", AUTO):
        order_of(puzzle.board, order)
    if method == "beam":
        require_beam(puzzle, None)
    if method == RANKED and not can_rank(puzzle):
        raise BadInput(
            "the method ranked is for square cells with a border, in three rows and columns or more, "
            f"and up to {MOST_PIECES} pieces"
        )
    cells = puzzle.board.cells
    if method == "frame" and not puzzle.border:
        raise BadInput("the method frame is for puzzles with a border")
    if method == "frame" and 8 * cells * cells * -(-4 * cells // 64) > _MOST_FRAME_BYTES:
        raise BadInput(f"the method frame needs too much memory for {cells} cells: use fewest or scan")


@dataclass(frozen=True)
class Plan:
    """A search of a puzzle, and the reason for it."""

    method: str
    order: str = ""
    why: str = ""
    patience: float | None = None  # seconds before the next plan is tried
    alike: bool = False  # whether equal pieces are treated as one, because a single solution is wanted
    round: int = 0  # of the method ranked
    made: Search | None = None  # the search of that round
    more: bool = False  # whether another plan follows if this one ends without an answer

    @classmethod
    def of(cls, stage: dict[str, Any]) -> Plan:
        """The plan in the stage of a job."""
        return cls(stage["method"], stage["order"], stage.get("why", ""), round=stage.get("round", 0))

    def bounded(self, result: Result) -> Result:
        """The result of the plan; a round before the last is an unknown part of the work, so its fraction is 0."""
        return replace(result, fraction=0.0) if self.method == RANKED and self.more else result

    def search(self, puzzle: EdgePuzzle) -> tuple[Search, Encoded | None]:
        if self.made is not None:
            return self.made, None
        encoded = encode(puzzle, _COVERS[self.method]) if self.method in _COVERS else None
        order = order_of(puzzle.board, self.order) if self.method == "scan" else ()
        sifts = puzzle.once and puzzle.homes is None
        search = search_for(puzzle, self.method, order=order, encoded=encoded, alike=self.alike and not sifts)
        if sifts and isinstance(search, TreeSearch):
            search = sifted(puzzle, search, (None, None) if encoded is None else (encoded.cell, encoded.variant))
        return search, encoded


def plans(puzzle: EdgePuzzle, method: str, order: str, *, one: bool, tries: bool) -> Iterator[Plan]:
    """The plan for a given method, or the plans of auto.

    Auto chooses ranked only if `one` solution is wanted.  With `tries`, it begins with a short first try.
    """
    if method == "scan" and order == AUTO:
        name, nodes = best_order(puzzle)
        yield Plan("scan", name, f"by {name}, 10^{nodes:.1f} nodes expected")
        return
    if method != AUTO:
        yield Plan(method, order)
        return
    rows = profile(puzzle, order_of(puzzle.board, "rows")).nodes if _can_choose(puzzle) else 0.0
    if tries and 0.0 < rows < _FEW_NODES:
        yield Plan("scan", "rows", f"at the first try, 10^{rows:.1f} nodes expected", _FIRST_TRY, more=True)
    elif tries:
        yield Plan("fewest", why="at the first try", patience=_FIRST_TRY, more=True)
    name, lines, why = choose(puzzle)
    if one and name == "scan" and rows >= _LONG and can_rank(puzzle):
        name, lines = RANKED, ""
    yield Plan(name, lines, why)


def quick_search(puzzle: EdgePuzzle) -> tuple[Search, int] | None:
    """A search for a solution and its node limit, some tenths of a second; None if a solution is not to be expected."""
    less = puzzle.up_to_turning() or puzzle
    if not _can_choose(puzzle):
        return Plan("fewest", alike=True).search(less)[0], _QUICK_FEWEST // puzzle.board.cells
    order, nodes = best_order(puzzle, _ORDERS_TO_CHOOSE)
    return None if nodes > _WITHIN_REACH else (Plan("scan", order, alike=True).search(less)[0], _QUICK_SCAN)


def _can_choose(puzzle: EdgePuzzle) -> bool:
    """Whether the expected nodes are meaningful: for a board with a border that can be scanned by rows."""
    in_sight = 2 * colour_bits(puzzle.colours)
    return puzzle.board.shape == "square" and puzzle.border and scan_fits(in_sight, len(puzzle.pieces))


def choose(puzzle: EdgePuzzle) -> tuple[str, str, str]:
    """Choose scan or frame by the expected nodes; return the method, the order of the scan, and the reason."""
    if not _can_choose(puzzle):
        return "fewest", "", "the best method for this kind of board"
    order, scan = best_order(puzzle, _ORDERS_TO_CHOOSE)
    frame = profile(puzzle, order_of(puzzle.board, "spiral")).nodes - _FRAME_SAVING
    factor = round(10**_SCAN_SPEED)
    why = f"nodes expected: scan by {order} 10^{scan:.1f}, frame 10^{frame:.1f} and {factor} times slower"
    solutions, least = max(profile(puzzle, order_of(puzzle.board, "rows")).depths[-1], 0.0), log10(puzzle.board.cells)
    first_scan, first_frame = (max(nodes - solutions, least) for nodes in (scan, frame))  # until the first solution
    return ("scan", order, why) if first_scan < first_frame + _SCAN_SPEED else ("frame", "", why)


def search_for(
    puzzle: EdgePuzzle,
    method: str,
    *,
    order: tuple[int, ...] = (),
    encoded: Encoded | None = None,
    alike: bool = False,
) -> Search:
    """The search of a method.  With `alike`, solutions that differ by an exchange of equal pieces count as one."""
    if method in _COVERS:
        problem = (encoded or encode(puzzle, _COVERS[method])).cover
        return CoverSearch(problem.table, default_kernel(problem.table))
    if method == "beam":
        return beam_for(puzzle)
    if method == RANKED:
        view = views_of(puzzle)[0]
        return RankedSearch(view.tiles, view.lines)
    if method == "scan":
        return ScanSearch(puzzle.tiles, order, alike=alike)
    if method == "fewest":
        return FewestSearch(puzzle.tiles, alike=alike)
    rim = [cell for cell in range(puzzle.board.cells) if puzzle.board.border[cell].any()]
    return FewestSearch(puzzle.tiles, tuple(ring_of(puzzle.board, rim)), alike=alike)


# Beams


def require_beam(puzzle: EdgePuzzle, width: int | None) -> None:
    """Refuse a beam that is too wide or has too many colours; None is a width chosen by the time limit."""
    most = _MOST_NODES // puzzle.board.cells
    if width is not None and width > most:
        raise BadValue("width", width, f"at most {most:,} boards in a beam for this many cells")
    if puzzle.colours > MOST_COLOURS:
        raise BadInput(f"{puzzle.colours} colours: a beam takes at most {MOST_COLOURS}")


def width_for(puzzle: EdgePuzzle, seconds: float | None) -> int:
    """The width of a beam for a time limit, or for a minute if there is none.

    Up to a minute, the width and the number of beams grow by the same factor; above, only the width.
    """
    cells = max(puzzle.board.cells, 16)
    minutes = (60.0 if seconds is None else seconds) / 60.0 * 256 / cells
    width = _WIDTH_A_MINUTE * max(minutes, sqrt(minutes))
    return int(min(max(width, 50), _MOST_WIDTH, _MOST_NODES // cells))


def _cells(puzzle: EdgePuzzle) -> tuple[int, ...]:
    """The cells row by row, but the last rows of a square board column by column, which gives better boards."""
    board = puzzle.board
    late = board.rows - _LAST_ROWS if board.shape == "square" and board.rows > _LAST_ROWS else board.cells
    early = [cell for cell, (row, _) in enumerate(board.places) if row < late]
    block = [cell for cell, (row, _) in enumerate(board.places) if row >= late]
    return (*early, *sorted(block, key=lambda cell: board.places[cell][::-1]))


def optimiser_for(puzzle: EdgePuzzle, width: int, seed: int = 0) -> BeamSearch:
    """The search for the fewest mismatches."""
    require_beam(puzzle, width)
    laid = tuple(puzzle.fixed().items())
    return BeamSearch(puzzle.tiles, laid, _cells(puzzle), puzzle.board.places, puzzle.border, width, seed)


def beam_for(puzzle: EdgePuzzle, width: int = _SOLVER_WIDTH) -> BeamSearch:
    """A beam without mismatches, which can miss solutions."""
    puzzle = replace(puzzle, once=False)  # any turn of a solution will do
    laid = tuple(puzzle.fixed().items())
    rows = tuple(range(puzzle.board.cells))
    return BeamSearch(puzzle.tiles, laid, rows, puzzle.board.places, puzzle.border, width, 0, exact=True)


# Ranked scans


def can_rank(puzzle: EdgePuzzle) -> bool:
    """Whether the method ranked can search a puzzle."""
    board = puzzle.board
    framed = board.shape == "square" and puzzle.border and min(board.rows, board.columns) >= 3
    return framed and len(puzzle.pieces) <= MOST_PIECES and puzzle.colours <= MOST_RANKED_COLOURS


def views_of(puzzle: EdgePuzzle) -> list[View]:
    """The views of a puzzle, each of which has a solution if the puzzle has one.

    If all turns of a board are boards of the puzzle, each view has another corner piece in the first cell; of corner pieces
    that look the same, one is enough.  Otherwise the shorter lines are taken from either end.
    """
    puzzle = replace(puzzle, once=False)
    board, tiles = puzzle.board, puzzle.tiles
    rows, columns = (_lines(puzzle, name) for name in ("rows", "columns"))
    corners = {puzzle.turned[variant].tobytes(): variant for variant in puzzle.fits(0).tolist()}
    if board.rows == board.columns and len(symmetries(puzzle)) == board.sides and corners:
        return [View(with_piece_in(tiles, 0, variant), rows) for variant in corners.values()]
    ways = [rows] * (board.columns <= board.rows) + [columns] * (board.rows <= board.columns)
    return [View(tiles, lines) for way in ways for lines in (way, way[::-1])]


def _lines(puzzle: EdgePuzzle, name: str) -> tuple[tuple[int, ...], ...]:
    order = order_of(puzzle.board, name)
    length = puzzle.board.columns if name == "rows" else puzzle.board.rows
    return tuple(order[at : at + length] for at in range(0, len(order), length))
