"""From an edge-matching puzzle to its searches: the methods there are, and which is foreseen to be best.

fewest   the cell where fewest variants fit (the source's rule); every shape, any number of colours
scan     cells in a fixed order, as given or as the mean-field count says
frame    the frame first, then fewest with an arc check inside
beam     the most promising partial boards of each depth: fast, but not to find anything proves nothing
funnel   the same with a sharper rank, wide at first and narrow at the end, again and again: it proves nothing either
cover1   exact cover in Oborný's first encoding;  cover2  in his second;  xcc  with coloured joins
auto     a short try (of scan where few nodes are expected, or else of fewest), then of scan and frame the one with the
         smaller mean-field count, as fast as each goes; before a scan without hope of an end, funnels for a while
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tablero.errors import BadInput
from tablero.puzzles.cover.kernels.search import CoverSearch, default_kernel
from tablero.puzzles.edges.encode import Encoded, encode
from tablero.puzzles.edges.estimate import best_order, profile
from tablero.puzzles.edges.kernels.optimise import MOST_COLOURS, BeamSearch
from tablero.puzzles.edges.kernels.restarts import Beginning, FunnelSearch
from tablero.puzzles.edges.kernels.search import FewestSearch, ScanSearch, colour_bits, scan_fits
from tablero.puzzles.edges.orders import order_of, ring_of
from tablero.puzzles.edges.puzzle import EdgePuzzle
from tablero.puzzles.edges.turns import sifted, symmetries
from tablero.search.base import Search
from tablero.search.tree import TreeSearch
from tablero.words import unknown

AUTO = "auto"
COMPLETE = ("fewest", "scan", "frame", "cover1", "cover2", "xcc")
INCOMPLETE = ("beam", "funnel")
METHODS = (AUTO, *COMPLETE, *INCOMPLETE)
_FIRST_TRY = 0.5  # seconds before auto looks further
_FUNNEL_TRY = 600.0  # seconds of funnels before a scan that will hardly end
_HARD = 11.0  # log₁₀ of the nodes of such a scan: a quarter of an hour
_FEW_NODES = 6.5  # log₁₀ of what a scan does in a tenth of a second
_SCAN_PACE = 1.3  # log₁₀ of how many nodes a scan visits while frame visits one
_COVERS = {"cover1": "1", "cover2": "2", "xcc": "xcc"}
_MOST_FRAME_BYTES = 1 << 29
_LAST_ROWS = 4  # filled column by column by the optimiser
_WIDTH_A_MINUTE = 24_000  # for 256 cells: a time then holds some thirty restarts
_MOST_WIDTH = 100_000
_SOLVER_WIDTH = 50_000
_FUNNEL_WIDTH = 200_000


def require_method(puzzle: EdgePuzzle, method: str, order: str = "", *, most: int | None = 1) -> None:
    """Refuse what cannot be asked, before anything is searched."""
    if method not in METHODS:
        raise BadInput(unknown("the method", method, METHODS))
    if order and method != "scan":
        raise BadInput(f"an order of cells goes with the method scan, not with {method}")
    if order not in ("", AUTO):
        order_of(puzzle.board, order)
    if method in INCOMPLETE and most != 1:
        raise BadInput(f"the method {method} misses solutions: it can find one, but neither count them nor find all")
    if method in INCOMPLETE:
        require_beam(puzzle, None, 0)
    if method == "funnel" and not _can_funnel(puzzle):
        raise BadInput("the method funnel is for square cells with a border, in three rows and columns or more")
    if method == "frame":
        _require_frame(puzzle)


def _require_frame(puzzle: EdgePuzzle) -> None:
    if not puzzle.border:
        raise BadInput("the method frame is for puzzles with a border")
    cells = puzzle.board.cells
    if 8 * cells * cells * -(-4 * cells // 64) > _MOST_FRAME_BYTES:
        raise BadInput(f"the method frame keeps too much for {cells} cells: use fewest or scan")


@dataclass(frozen=True)
class Plan:
    """How a puzzle will be searched."""

    method: str
    order: str = ""
    why: str = ""
    patience: float | None = None  # seconds before the next plan is tried
    alike: bool = False  # whether equal pieces are one: where a single solution is wanted

    def search(self, puzzle: EdgePuzzle) -> tuple[Search, Encoded | None]:
        encoded = encode(puzzle, _COVERS[self.method]) if self.method in _COVERS else None
        order = order_of(puzzle.board, self.order) if self.method == "scan" else ()
        sifts = puzzle.once and puzzle.homes is None
        search = search_for(puzzle, self.method, order=order, encoded=encoded, alike=self.alike and not sifts)
        if sifts and isinstance(search, TreeSearch):
            search = sifted(puzzle, search, (None, None) if encoded is None else (encoded.cell, encoded.variant))
        return search, encoded


def plans(puzzle: EdgePuzzle, method: str, order: str, *, one: bool, tries: bool) -> Iterator[Plan]:
    """What was asked; where that is left open, the method that is foreseen.

    With `tries`, scan or fewest come before it for a moment, and where `one` solution is wanted of many nodes, funnels.
    """
    if method == "scan" and order == AUTO:
        name, nodes = best_order(puzzle)
        yield Plan("scan", name, f"by {name}, 10^{nodes:.1f} nodes expected")
        return
    if method != AUTO:
        yield Plan(method, order)
        return
    rows = profile(puzzle, order_of(puzzle.board, "rows")).nodes if tries and _can_choose(puzzle) else 0.0
    if tries and 0.0 < rows < _FEW_NODES:
        yield Plan("scan", "rows", f"at the first try, 10^{rows:.1f} nodes expected", _FIRST_TRY)
    elif tries:
        yield Plan("fewest", why="at the first try", patience=_FIRST_TRY)
    name, lines, why = choose(puzzle)
    if tries and one and name == "scan" and rows >= _HARD and _can_funnel(puzzle):
        yield Plan("funnel", why=why, patience=_FUNNEL_TRY)
    yield Plan(name, lines, why)


def _can_choose(puzzle: EdgePuzzle) -> bool:
    """Whether the mean-field count is worth something: on a framed board that a scan by rows has room for."""
    in_sight = 2 * colour_bits(puzzle.colours)
    return puzzle.board.shape == "square" and puzzle.border and scan_fits(in_sight, len(puzzle.pieces))


def choose(puzzle: EdgePuzzle) -> tuple[str, str, str]:
    """Scan or frame by the mean-field count: the method, the scan's order, and the reason in words."""
    if not _can_choose(puzzle):
        return "fewest", "", "the best for this kind of board"
    order, scan = best_order(puzzle, ("rows", "columns", "diagonal"))
    frame = profile(puzzle, order_of(puzzle.board, "spiral")).nodes
    pace = round(10**_SCAN_PACE)
    told = (
        f"nodes expected: scan by {order} 10^{scan:.1f}, frame first 10^{frame:.1f}, each of these {pace} times as long"
    )
    return ("scan", order, told) if scan < frame + _SCAN_PACE else ("frame", "", told)


def search_for(
    puzzle: EdgePuzzle,
    method: str,
    *,
    order: tuple[int, ...] = (),
    encoded: Encoded | None = None,
    alike: bool = False,
) -> Search:
    """The search of a method.  With `alike`, solutions that differ by an exchange of equal pieces are one."""
    require_method(puzzle, method)
    if method in _COVERS:
        problem = (encoded or encode(puzzle, _COVERS[method])).cover
        return CoverSearch(problem.table, default_kernel(problem.table))
    if method == "beam":
        return beam_for(puzzle)
    if method == "funnel":
        return funnel_for(puzzle)
    if method == "scan":
        return ScanSearch(puzzle.tiles, order, alike=alike)
    if method == "fewest":
        return FewestSearch(puzzle.tiles, alike=alike)
    if method != "frame":
        raise BadInput(f"{method} is not one method: expected one of {', '.join(METHODS[1:])}")
    rim = [cell for cell in range(puzzle.board.cells) if puzzle.board.border[cell].any()]
    return FewestSearch(puzzle.tiles, tuple(ring_of(puzzle.board, rim)), alike=alike)


# Beams


def require_beam(puzzle: EdgePuzzle, width: int | None, seed: int) -> None:
    """Refuse a beam that cannot be made; without a width, one that fits the time will be taken."""
    if width is not None and not 1 <= width <= 10 * _MOST_WIDTH:
        raise BadInput(f"a beam of {width} boards: expected 1 to {10 * _MOST_WIDTH:,}")
    if not 0 <= seed < 1 << 64:
        raise BadInput(f"the seed {seed}: expected a number from 0 to 2^64 − 1")
    if puzzle.colours > MOST_COLOURS:
        raise BadInput(f"{puzzle.colours} colours: a beam takes at most {MOST_COLOURS}")


def width_for(puzzle: EdgePuzzle, seconds: float | None) -> int:
    """The width of a beam of which a time holds some thirty; a minute where there is no limit."""
    share = (60.0 if seconds is None else seconds) / 60.0
    width = _WIDTH_A_MINUTE * share * 256 / max(puzzle.board.cells, 16)
    return int(min(max(width, 50), _MOST_WIDTH))


def _cells(puzzle: EdgePuzzle) -> tuple[int, ...]:
    """Row by row, but the last rows of a square board column by column: the beam then sees its end from further off."""
    board = puzzle.board
    late = board.rows - _LAST_ROWS if board.shape == "square" and board.rows > _LAST_ROWS else board.cells
    early = [cell for cell, (row, _) in enumerate(board.places) if row < late]
    block = [cell for cell, (row, _) in enumerate(board.places) if row >= late]
    return (*early, *sorted(block, key=lambda cell: board.places[cell][::-1]))


def optimiser_for(puzzle: EdgePuzzle, width: int, seed: int = 0) -> BeamSearch:
    """The search for the fewest mismatches."""
    require_beam(puzzle, width, seed)
    laid = tuple(puzzle.fixed().items())
    return BeamSearch(puzzle.tiles, laid, _cells(puzzle), puzzle.board.places, puzzle.border, width, seed)


def beam_for(puzzle: EdgePuzzle, width: int = _SOLVER_WIDTH, seed: int = 0) -> BeamSearch:
    """The same beam without mismatches, as a solver that may miss solutions."""
    puzzle = puzzle.without_once()  # of one solution it does not matter how it is turned
    laid = tuple(puzzle.fixed().items())
    rows = tuple(range(puzzle.board.cells))
    return BeamSearch(puzzle.tiles, laid, rows, puzzle.board.places, puzzle.border, width, seed, exact=True)


def _can_funnel(puzzle: EdgePuzzle) -> bool:
    """Whether the frame and the inside can be told apart."""
    board = puzzle.board
    framed = board.shape == "square" and puzzle.border and min(board.rows, board.columns) >= 3
    return framed and puzzle.colours <= MOST_COLOURS


def funnel_for(puzzle: EdgePuzzle, width: int = _FUNNEL_WIDTH, seed: int = 0) -> FunnelSearch:
    """Beams without mismatches that see the frame and the inside apart."""
    puzzle = puzzle.without_once()
    rim = tuple(bool(row.any()) for row in puzzle.board.border)
    return FunnelSearch(puzzle.tiles, rim, _beginnings(puzzle), width, seed)


def _beginnings(puzzle: EdgePuzzle) -> tuple[Beginning, ...]:
    """Line by line from a corner.  Where all turns of a board are boards of the puzzle, from one corner, but each time with
    another piece in it: that is the same, and the tree has no boards that are turns of others."""
    board = puzzle.board
    corners = puzzle.fits(0).tolist()
    if board.rows == board.columns and len(symmetries(puzzle)) == board.sides and corners:
        orders = [order_of(board, "rows"), order_of(board, "columns")]
        return tuple(Beginning(cells, ((0, variant),)) for variant in corners for cells in orders)
    # Whether lines are rows: the shorter way across, or both.
    shorter = [True] * (board.columns <= board.rows) + [False] * (board.rows <= board.columns)

    def line(cell: int, by_rows: bool, down: int, right: int) -> tuple[int, int]:
        row, column = board.places[cell]
        return (row * down, column * right) if by_rows else (column * right, row * down)

    return tuple(
        Beginning(
            tuple(sorted(range(board.cells), key=lambda cell: line(cell, by_rows, down, right))),
            tuple(puzzle.fixed().items()),
        )
        for down in (1, -1)
        for right in (1, -1)
        for by_rows in shorter
    )
