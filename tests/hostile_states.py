"""States that no search has stored, given to every kernel: each is refused, or worked on within the kernel's arrays.

`python -m tests.hostile_states FAMILY ROUNDS` is to be run with NUMBA_BOUNDSCHECK=1 and a cache of its own: an access
beyond an array is then an IndexError.  The states begin as honest ones, so that many get past the first check: levels are
changed, added, taken away and exchanged in cursors, bytes in arrays.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator

import numpy as np

from tablero.errors import BadInput
from tablero.search.base import UNBOUNDED, Orders, Search
from tablero.search.cursor import Cursor, Level
from tablero.search.portfolio import Portfolio, pack
from tablero.search.tree import TreeSearch

Named = Iterator[tuple[str, Search]]
STATES = 12  # honest ones of a search, to begin with


def cover() -> Named:
    import tablero.cover.kernels.search as module
    from tests.problems import SMALL, coloured_squares

    for name, problem in (
        ("langford", SMALL["langford 7"][0]),
        ("dominoes", SMALL["dominoes 4×4"][0]),
        ("coloured", coloured_squares(7)),
    ):
        table = problem.table
        for kernel in module.KERNELS:
            if kernel not in module.COUNTERS or not table.colour.any():
                yield f"{name} {kernel}", module.CoverSearch(table, kernel)
        cost = np.arange(table.rows, dtype=np.int64) * 7 % 11
        yield f"{name} cheapest", module.CoverSearch(table, "bits", cost)
        yield f"{name} sparse cheapest", module.CoverSearch(table, "sparse", cost)
        module.PACKED_FROM = 0
        packed = module.CoverSearch(table, "bits")
        packed.tables()
        module.PACKED_FROM = 48
        yield f"{name} packed", packed


def decomposition() -> Named:
    from tablero.decomposition import decompose, reduced
    from tablero.decomposition.models import CoverModel
    from tablero.decomposition.solving import model_of

    yield "multicover", model_of(decompose("K4", "path-3", fold=2)).search("solve", durable=True)
    model = CoverModel.of(decompose("K9", "triangle"))
    yield "beginnings", reduced.BeginningsSearch.of(model, [reduced.Beginning(np.ones(36, bool), 2)] * 3)
    yield "multicover of K5", model_of(decompose("K5", "path-3", fold=2)).search("solve", durable=True)
    yield "base paths", model_of(decompose("K6", "path", symmetry="bicyclic"), "laying").search("solve", durable=True)
    yield "double stars", model_of(decompose("K6", "double-star", symmetry="bicyclic"), "laying").search("solve")
    yield "anneal", model_of(decompose("K16", "path"), "anneal").search("solve", durable=True)
    yield "anneal K13", model_of(decompose("K13", "triangle", symmetry="cyclic"), "anneal").search("solve")


def edges() -> Named:
    from tablero.edges.generating import example, generate
    from tablero.edges.methods import Plan, beam_for, optimiser_for, search_for

    puzzles = {"example": example(), "tetravex": generate(3, colours=4, border=False, turning=False, seed=1)}
    for name, puzzle in puzzles.items():
        for method in ("scan", "fewest", "frame"):
            if puzzle.border or method != "frame":
                yield f"{name} {method}", Plan(method, "").search(puzzle)[0]
                yield f"{name} {method} alike", Plan(method, alike=True).search(puzzle)[0]
        yield f"{name} beam", beam_for(puzzle, 3)
    yield "ranked", search_for(generate(5, framed=(2, 4), seed=1), "ranked")
    yield "optimise", optimiser_for(generate(7, colours=9, seed=1), 3)


def queens() -> Named:
    from tablero.queens.annealing import SWAPS, Settings
    from tablero.queens.generating import generate
    from tablero.queens.kernels.anneal import QueensAnneal
    from tablero.queens.kernels.count import QueensCount
    from tablero.queens.kernels.halves import HalfCount
    from tablero.queens.kernels.local import QueensLocal

    for side in (5, 8):
        for classes in (False, True):
            yield f"count {side} {classes}", QueensCount(side, classes)
    for side in (9, 10):
        yield f"halves {side}", HalfCount(side)
    for swap in SWAPS:
        for side in (6, 300):
            yield f"anneal {side} {swap}", QueensAnneal((1, 2), side, Settings.for_side(side, swap=swap).schedule())
    for side in (7, 3000):
        yield f"local {side}", QueensLocal((1, 2), side)
    for side in (9, 200):
        puzzle = generate(side, given=side // 4, blocked=3 * side, seed=1)
        marked = (puzzle.given, puzzle.blocked)
        plan = Settings.for_side(side, max_stall=50).schedule()
        yield f"anneal {side} given", QueensAnneal((1, 2), side, plan, *marked, restarts=9)
        yield f"local {side} given", QueensLocal((1, 2), side, *marked)


def sliding() -> Named:
    from tablero.sliding import generate as make
    from tablero.sliding.optimal import Task

    for rows, columns in ((2, 4), (3, 3)):
        task = Task.of(make(rows, columns, seed=3))
        for estimate in ("walking", "lines"):
            yield f"{rows}x{columns} {estimate}", task.tree(estimate, task.least(estimate) + 6)


def sudoku() -> Named:
    from tablero.sudoku.kernels.search import BandSearch

    board = np.zeros(81, np.uint8)
    yield "empty", BandSearch(board)
    clues = board.copy()
    clues[:9] = range(1, 10)
    clues[30] = 7
    yield "clues", BandSearch(clues)


FAMILIES: dict[str, Callable[[], Named]] = {
    "cover": cover,
    "decomposition": decomposition,
    "edges": edges,
    "queens": queens,
    "sliding": sliding,
    "sudoku": sudoku,
}


def honest(search: Search) -> list[bytes]:
    """States that the search stores by itself, a little further each time."""
    states, state = list(search.starts()), search.starts()[0]
    for _ in range(STATES):
        if isinstance(search, TreeSearch):
            rest = _few_nodes(search, state)
        elif isinstance(search, Portfolio):
            rest = _few_trials(search, state)
        else:
            rest = work(search, state)
        if rest is None:
            break
        states.append(rest)
        state = rest
    return states


def _few_nodes(search: TreeSearch, state: bytes) -> bytes | None:
    """What is left after a few nodes: `advance` goes further."""
    from tablero.search.tree import read_cursor

    kernel_state = search.begin(Cursor.load(state))
    flag, bound = np.zeros(1, np.uint8), np.full(1, UNBOUNDED)
    search.step(kernel_state, np.empty((4, search.width), np.int32), 5, 4, flag, bound)
    rest = read_cursor(kernel_state)
    search.end(kernel_state)
    return None if rest is None else rest.store()


def _few_trials(search: Portfolio, state: bytes) -> bytes | None:
    seed = int.from_bytes(state[:8], "little")
    fresh = search.fresh(seed)
    arrays = search.restored(state, fresh) if len(state) > 8 else fresh
    _, ended = search.step(arrays, len(fresh[0]), np.zeros(1, np.uint8))
    return None if ended else state[:8] + pack(arrays)


def work(search: Search, state: bytes) -> bytes | None:
    return search.advance(state, Orders(0.0, most=3), np.zeros(1, np.uint8), np.full(1, UNBOUNDED)).rest


def changed_cursor(choose: random.Random, state: bytes, others: list[bytes]) -> bytes:
    levels = list(Cursor.load(state).levels)
    other = list(Cursor.load(choose.choice(others)).levels)
    for _ in range(choose.randrange(1, 4)):
        what = choose.randrange(6)
        k = choose.randrange(len(levels) + 1)
        if what == 0 and k < len(levels):  # another child
            at = choose.randrange(levels[k].width)
            levels[k] = Level(at, choose.randrange(at, levels[k].width), levels[k].width)
        elif what == 1 and k < len(levels):  # another number of children
            width = max(1, levels[k].width + choose.randrange(-3, 4))
            at = choose.randrange(width)
            levels[k] = Level(at, choose.randrange(at, width), width)
        elif what == 2:
            width = choose.choice((1, 2, 3, 4, choose.randrange(1, 100), 1 << 31, (1 << 40) - 1))
            at = choose.randrange(width)
            levels.insert(k, Level(at, choose.randrange(at, width), width))
        elif what == 3:
            levels = levels[:k]
        elif what == 4 and other:
            levels += other[choose.randrange(len(other)) :]
        else:
            levels = levels[:k] + other[k:]
    return Cursor(tuple(levels)).store()


def changed_bytes(choose: random.Random, state: bytes) -> bytes:
    data = bytearray(state)
    for _ in range(choose.randrange(1, 4)):
        what, k = choose.randrange(4), choose.randrange(len(data))
        if what == 0:
            data[k] ^= 1 << choose.randrange(8)
        elif what == 1:
            k -= k % 4
            data[k : k + 4] = choose.choice((0, -1, 1 << 30, choose.randrange(100))).to_bytes(4, "little", signed=True)
        elif what == 2 and len(data) >= 4:
            here, there = sorted(choose.randrange(len(data) // 4) for _ in "ab")
            data[4 * here : 4 * here + 4], data[4 * there : 4 * there + 4] = (
                data[4 * there : 4 * there + 4],
                data[4 * here : 4 * here + 4],
            )
        elif choose.randrange(4) == 0:
            del data[k:]
        if not data:
            break
    return bytes(data)


def attack(family: str, rounds: int) -> dict[str, tuple[int, int]]:
    """How many states of each search were refused, and how many worked on."""
    found = {}
    for name, search in FAMILIES[family]():
        choose = random.Random(f"{family} {name}")
        states = honest(search)
        refused = 0
        for _ in range(rounds):
            state = choose.choice(states)
            if isinstance(search, TreeSearch):
                state = changed_cursor(choose, state, states)
            else:
                state = changed_bytes(choose, state)
            try:
                work(search, state)
            except BadInput:
                refused += 1
        found[name] = (refused, rounds - refused)
    return found


if __name__ == "__main__":
    for name, (refused, worked) in attack(sys.argv[1], int(sys.argv[2])).items():
        print(f"{name}: {refused} refused, {worked} worked on")
