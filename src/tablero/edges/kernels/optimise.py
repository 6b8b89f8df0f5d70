"""Search for the best boards of an edge-matching puzzle by restarts of a beam and by repairs.

    step      one beam over all empty cells, or a number of repairs of the current board
    state     seed, number of steps, share of the work, the board under repair, and the best board

An interrupted step is repeated from its start with the same random numbers, so a resumed search gives the same boards as an
uninterrupted one.  The search ends only with a board without mismatches.
"""

from __future__ import annotations

import hashlib
import struct
import time
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels import beam as edges_beam
from tablero.edges.kernels import schedule
from tablero.edges.kernels.plan import arrange, set_up
from tablero.edges.kernels.tables import beam_problem, empty_beam, empty_plan
from tablero.edges.kernels.tiles import Tiles, digest_of
from tablero.errors import BadInput
from tablero.search.base import Answers, Bound, Flag, Orders, Outcome, Search

_HEAD = struct.Struct("<QQdii")  # seed, steps, share, breaks of the board under repair, breaks of the best
_NOTHING = 1 << 30  # the breaks if there is no board
_REPAIR_WIDTH = 200
_REPAIRS = 60  # the least number of repairs in a step
_BOARDS_A_REPAIR = 30  # boards of the beam for each repair, so that a step takes about as long as a beam
_WARM_UP = (32, 8)  # the first beams are narrower by these factors, so that there is soon a board to show
_LEAST_REGION, _MOST_REGION = 12, 60  # cells under repair
Laying = NDArray[np.int32]


class _Head(NamedTuple):
    """The head of a stored state."""

    seed: int
    steps: int
    share: float
    current_breaks: int
    best_breaks: int


def _head(state: bytes) -> _Head:
    if len(state) < _HEAD.size:
        raise BadInput("a stored search for boards is truncated")
    head = _Head(*_HEAD.unpack_from(state))
    if head.steps >= 1 << 62 or not 0 <= head.share <= 1:
        raise BadInput(f"a stored search for boards is damaged: step {head.steps}, a share of {head.share:g}")
    return head


@dataclass
class BeamSearch(Search):
    """Restarts of a beam of a given width.  An answer is a variant for each cell; its value is the number of mismatches.

    With `exact`, mismatches are never allowed.
    """

    tiles: Tiles
    laid: tuple[tuple[int, int], ...]  # cells with clues, and their variants
    cells: tuple[int, ...]  # in the order in which they are filled
    places: tuple[tuple[int, int], ...]  # row and column of every cell
    border: bool
    beam_width: int
    seed: int = 0
    exact: bool = False
    name: str = field(init=False)
    minimises: bool = field(init=False)
    proves: bool = field(init=False, default=False)
    per_process: ClassVar[frozenset[str]] = frozenset({"_workspaces", "curve", "_began"})

    def __post_init__(self) -> None:
        self.name = "edges.beam/2" if self.exact else "edges.optimise/2"
        self.minimises = not self.exact
        self._reset()

    def _reset(self) -> None:
        self._workspaces: list[_Workspace] = []  # a thread takes one and returns it
        self.curve: list[tuple[float, int]] = []  # seconds and mismatches of each improvement in this process
        self._began = 0.0

    @property
    def width(self) -> int:
        return self.tiles.cells

    def digest(self) -> str:
        head = f"{self.laid} {self.cells} {self.border} {self.beam_width} {self.seed}"
        return digest_of(head.encode(), self.tiles)

    def starts(self) -> list[bytes]:
        return [_HEAD.pack(self.seed, 0, 1.0, _NOTHING, _NOTHING)]

    def share(self, state: bytes) -> float:
        return _head(state).share

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        """The first part continues; the others start with fresh seeds."""
        seed, steps, share, current, best = _head(state)
        out = [_HEAD.pack(seed, steps, share / parts, current, best) + state[_HEAD.size :]]
        for k in range(1, parts):
            fresh = int.from_bytes(hashlib.sha256(struct.pack("<QQQ", seed, steps, k)).digest()[:8], "little")
            out.append(_HEAD.pack(fresh, 0, share / parts, _NOTHING, _NOTHING))
        return out

    def order(self, state: bytes) -> tuple[int, ...]:
        return _head(state)[:2]

    def value(self, answer: Answers) -> int:
        """The number of mismatches, counted from the board."""
        return int(self.tiles.mismatches(answer).sum()) // 2

    def partial(self, state: bytes) -> Answers | None:
        """The board under repair."""
        return self._boards(state)[0]

    def warm(self) -> None:
        small = BeamSearch(self.tiles, self.laid, self.cells, self.places, self.border, 2, 0, self.exact)
        small.advance(small.starts()[0], Orders(0.0, most=1), np.zeros(1, np.uint8), np.full(1, _NOTHING))

    def _boards(self, state: bytes) -> tuple[Laying | None, Laying | None]:
        """The board under repair and the best board, validated because the kernels do not check their indices."""
        head, body = _head(state), memoryview(state)[_HEAD.size :]
        stored = (head.current_breaks, head.best_breaks)
        if not len(body):
            if stored != (_NOTHING, _NOTHING):
                raise BadInput("a stored board is missing")
            return None, None
        if len(body) != 8 * self.tiles.cells:
            raise BadInput(f"stored boards of {len(body)} bytes: expected {8 * self.tiles.cells}")
        current, best = np.frombuffer(body, "<i4").reshape(2, -1).astype(np.int32)
        for board, breaks in zip((current, best), stored, strict=True):
            if not self._is_laying(board) or self.value(board) != breaks:
                raise BadInput("a stored board is damaged: its pieces or its number of mismatches are wrong")
        return current, best

    def _is_laying(self, board: Laying) -> bool:
        """Whether each cell has a variant that fits it, all clues are kept, and no piece occurs twice."""
        tiles = self.tiles
        if board.min() < 0 or board.max() >= len(tiles.shows):
            return False
        pieces = board // tiles.sides
        return (
            len(np.unique(pieces)) == len(pieces)
            and all(board[cell] == variant for cell, variant in self.laid)
            and all(board[cell] in tiles.fitting(cell) for cell in range(tiles.cells))
        )

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        began, cpu = time.monotonic(), time.thread_time()
        self._began = self._began or began
        seed, steps, share, current_breaks, best_breaks = _head(state)
        cells = self.tiles.cells
        current, best = self._boards(state)
        workspace = self._workspaces.pop() if self._workspaces else _Workspace(self)
        known = min(int(bound[0]), best_breaks)
        found: list[Laying] = []
        nodes, ended = 0, self.minimises and bound[0] == 0
        while not ended and not stop[0]:
            if current is None or steps < len(_WARM_UP) or steps % 2 == 0:
                laying, breaks, made = workspace.restart(seed, steps, stop)
            else:
                laying, breaks, made = workspace.repair(current, current_breaks, seed, steps, stop)
            nodes += made
            if stop[0]:
                break  # the step is repeated when the search is resumed
            steps += 1
            if laying is not None:
                if current is None or breaks <= best_breaks + 1:
                    current, current_breaks = laying, breaks
                if best is None or breaks < best_breaks:
                    best, best_breaks = laying, breaks
                if breaks < known and (breaks == 0 or not self.exact):
                    known = breaks
                    found.append(laying)
                    self.curve.append((time.monotonic() - self._began, breaks))
                ended = breaks == 0
            if time.monotonic() - began >= orders.seconds or bound[0] == 0:
                break
            if orders.nodes is not None and nodes >= orders.nodes:
                break  # steps are completed, so the limit may be exceeded by one step
        self._workspaces.append(workspace)
        rest = None
        if not ended:
            rest = _HEAD.pack(seed, steps, share, current_breaks, best_breaks)
            if current is not None and best is not None:
                rest += current.astype(np.int32).tobytes() + best.astype(np.int32).tobytes()
        rows = np.array(found[-1:] if self.minimises else found, np.int32).reshape(-1, cells)
        return Outcome(nodes, len(rows), rows if orders.keep else rows[:0], rest, time.thread_time() - cpu)


class _Workspace:
    """The tables and buffers of one thread."""

    def __init__(self, search: BeamSearch) -> None:
        self.search = search
        self.problem = beam_problem(search.tiles, search.border)
        tiles, cells = search.tiles, search.tiles.cells
        self.favours = schedule.favours(tiles, self.problem.piece_shows, search.border)
        self.laying = np.full(cells, -1, np.int32)
        for cell, variant in search.laid:
            self.laying[cell] = variant
        given = {cell for cell, _ in search.laid}
        self.cells = np.array([cell for cell in search.cells if cell not in given], np.uint64)
        self.free = np.zeros(cells * tiles.sides + 1, np.uint64)
        self.slots = np.zeros(cells * tiles.sides, np.uint64)
        self.plan = empty_plan(cells, tiles.sides)
        needed = arrange(self.problem, self.plan, self.cells, self.laying, self.free, self.slots)
        self.beam = empty_beam(self.problem, search.beam_width, len(self.cells), needed)
        self.fixed = given
        self.small_plan = empty_plan(cells, tiles.sides)
        self.small = empty_beam(self.problem, _REPAIR_WIDTH, min(cells, _MOST_REGION), _MOST_REGION * tiles.sides)
        self.small_free = np.zeros(_MOST_REGION * tiles.sides, np.uint64)
        self.small_slots = np.zeros(cells * tiles.sides, np.uint64)
        self.rows, self.columns = np.array(search.places).T

    def restart(self, seed: int, steps: int, stop: Flag) -> tuple[Laying | None, int, int]:
        """Run one beam from the clues; return the board, its breaks, and the boards made."""
        search = self.search
        width = search.beam_width
        if steps < len(_WARM_UP) and not search.exact:
            width = max(min(width, 20), width // _WARM_UP[steps])
        laying = self.laying.copy()
        arrange(self.problem, self.plan, self.cells, laying, self.free, self.slots)
        set_up(self.problem, self.beam, laying, self.slots)
        self.beam.random[0] = _random_state(seed, steps)
        size = len(self.cells)
        if search.exact:
            by_depth = schedule.steady(size, width, self.favours.shape[1])
        else:
            favour = schedule.draw_favour(self.favours, np.random.default_rng([seed, steps]))
            by_depth = schedule.growing(size, width, favour)
        breaks, made = edges_beam.search(self.problem, self.plan, self.beam, laying, by_depth, search.exact, stop)
        return (None, _NOTHING, int(made)) if breaks < 0 else (laying, int(breaks), int(made))

    def repair(self, laying: Laying, breaks: int, seed: int, steps: int, stop: Flag) -> tuple[Laying | None, int, int]:
        """Empty a rectangle around a mismatch and fill it again, many times; return as `restart` does."""
        rng = np.random.default_rng([seed, steps])
        self.small.random[0] = _random_state(seed, steps)
        best, best_breaks = laying, breaks
        current, current_breaks, nodes = laying.copy(), breaks, 0
        for _ in range(max(_REPAIRS, self.search.beam_width // _BOARDS_A_REPAIR)):
            if stop[0]:
                break
            region = self._region(current, rng)
            if not len(region):
                break
            trial = current.copy()
            trial[region.astype(np.int64)] = -1
            arrange(self.problem, self.small_plan, region, trial, self.small_free, self.small_slots)
            set_up(self.problem, self.small, trial, self.small_slots)
            size = len(region)
            after, made = edges_beam.search(
                self.problem,
                self.small_plan,
                self.small,
                trial,
                schedule.repairing(size, _REPAIR_WIDTH, self.favours.shape[1]),
                False,
                stop,
            )
            nodes += int(made)
            if 0 <= after <= best_breaks + 1:
                current, current_breaks = trial, int(after)
            if current_breaks < best_breaks:
                best, best_breaks = current, current_breaks
        return best, best_breaks, nodes

    def _region(self, laying: Laying, rng: np.random.Generator) -> NDArray[np.uint64]:
        """The cells of one or two rectangles around mismatches, without clues, in a random direction."""
        wrong = np.flatnonzero(self.search.tiles.mismatches(laying).any(axis=1))
        if not len(wrong):
            return np.zeros(0, np.uint64)
        chosen: set[int] = set()
        for _ in range(1 + (rng.random() < 0.3)):
            cell = int(rng.choice(wrong))
            height = int(rng.integers(2, 7))
            width = int(rng.integers(max(2, -(-_LEAST_REGION // height)), _MOST_REGION // height + 1))
            top, left = int(self.rows[cell] - rng.integers(0, height)), int(self.columns[cell] - rng.integers(0, width))
            inside = (
                (self.rows >= top) & (self.rows < top + height) & (self.columns >= left) & (self.columns < left + width)
            )
            chosen |= set(np.flatnonzero(inside).tolist())
        cells = sorted(chosen - self.fixed)[:_MOST_REGION]
        if rng.random() < 0.5:  # column by column instead of row by row
            cells.sort(key=lambda cell: (self.columns[cell], self.rows[cell]))
        if rng.random() < 0.5:
            cells.reverse()
        return np.array(cells, np.uint64)


def _random_state(seed: int, steps: int) -> np.uint64:
    """The random state of a step, never 0."""
    digest = hashlib.sha256(struct.pack("<QQ", seed, steps)).digest()
    return np.uint64(int.from_bytes(digest[:8], "little") | 1)
