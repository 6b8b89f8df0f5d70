"""Corners where no piece fits: a beam finds all of them and no others, and what they cost."""

from __future__ import annotations

import numpy as np
import pytest

from tablero.edges import EdgePuzzle
from tablero.edges.generating import generate
from tablero.edges.kernels import beam as beam_kernel
from tablero.edges.kernels import schedule
from tablero.edges.kernels.children import expand, price_corners
from tablero.edges.kernels.optimise import _Workspace
from tablero.edges.kernels.plan import ANY, EXACT, ONE, arrange, set_up
from tablero.edges.kernels.tiles import Tiles
from tablero.edges.methods import optimiser_for

LOWEST = -1e300  # below every key
PUZZLES = {
    "framed": generate(6, framed=(3, 5), seed=2),
    "single pool": generate(6, colours=5, seed=2),
    "more pieces than bits in a word": generate(9, colours=5, seed=2),
    "tetravex": generate(5, colours=4, border=False, turning=False, seed=1),
    "triangles": generate(6, colours=4, shape="triangle", seed=1),
    "hexagons": generate(3, colours=4, shape="hexagon", seed=1),
}


def _stuck(tiles: Tiles, laid: dict[int, int], last: int) -> int:
    """Empty cells beside the last one, with another side known, which no piece left fits by these two sides."""
    sides, count = tiles.sides, 0
    used = {variant // sides for variant in laid.values()}

    def known(cell: int) -> dict[int, int]:
        """The cells beside it that are laid, by side, and what they show there."""
        across = enumerate(tiles.neighbours[cell].tolist())
        return {side: there for side, there in across if there >= 0 and there // sides in laid}

    def shown(there: int) -> int:
        return int(tiles.shows[laid[there // sides], there % sides])

    for cell in {there // sides for there in tiles.neighbours[last].tolist() if there >= 0} - set(laid):
        beside = known(cell)
        mine = next(side for side, there in beside.items() if there // sides == last)
        others = [side for side in beside if side != mine]
        if others:
            wanted = {side: shown(beside[side]) for side in (mine, min(others))}
            count += not any(
                variant // sides not in used and all(tiles.shows[variant, side] == c for side, c in wanted.items())
                for variant in tiles.fitting(cell).tolist()
            )
    return count


def _generation(bench: _Workspace, size: int) -> int:
    """Fill so many cells; return how many boards that made on the way."""
    laying = bench.laying.copy()
    arrange(bench.problem, bench.plan, bench.cells, laying, bench.free, bench.slots)
    set_up(bench.problem, bench.beam, laying, bench.slots)
    bench.plan.size[0], bench.beam.random[0] = size, 7
    whole = schedule.growing(bench.search.tiles.cells, 40, np.zeros(bench.favours.shape[1]))
    stop = np.zeros(1, np.uint8)
    return int(beam_kernel.search(bench.problem, bench.plan, bench.beam, laying, whole, False, stop)[1])


def _listed(bench: _Workspace, size: int) -> int:
    """List all children of the boards with so many cells filled."""
    boards = -_generation(bench, size - 1) + _generation(bench, size)
    whole = schedule.growing(bench.search.tiles.cells, 40, np.zeros(bench.favours.shape[1]))
    ways = (bench.problem, bench.plan, bench.beam, np.uint64(size % 2), np.uint64(size), ONE, whole)
    return int(expand(*ways, (0, boards, 1), LOWEST, LOWEST, True)[0])


def _foreseen(bench: _Workspace, size: int, price: float, threshold: float, count: int) -> int:
    now, d = np.uint64(size % 2), np.uint64(size)
    return int(price_corners(bench.problem, bench.plan, bench.beam, now, d, price, threshold, count))


def _laid(bench: _Workspace, size: int, board: int) -> dict[int, int]:
    """The variants on a board, by cell."""
    laid, node = {}, int(bench.beam.lineage.of_board[size % 2, board])
    for depth in reversed(range(size)):
        laid[int(bench.cells[depth])] = int(bench.beam.lineage.laid[node])
        node = int(bench.beam.lineage.parent[node])
    return laid


@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_each_corner_where_no_piece_fits_has_its_price(puzzle: EdgePuzzle) -> None:
    bench = _Workspace(optimiser_for(puzzle, 40))
    beam, found = bench.beam, set()
    for size in range(2, puzzle.board.cells - 1, 3):
        count = _listed(bench, size)
        keys = beam.key[:count].copy()
        assert _foreseen(bench, size, 1.0, LOWEST, count) == count
        last = int(bench.cells[size])
        for each in range(0, count, max(count // 60, 1)):
            laid = _laid(bench, size, int(beam.child_of[each]))
            laid[last] = int(bench.problem.variant[beam.child[each]])
            stuck = _stuck(bench.search.tiles, laid, last)
            assert keys[each] - beam.key[each] == pytest.approx(stuck, abs=1e-9)
            found.add(stuck)
    assert len(found) > 1


def test_children_whose_keys_fall_too_low_are_left() -> None:
    bench, size = _Workspace(optimiser_for(PUZZLES["framed"], 40)), 20

    def children(threshold: float) -> list[tuple[float, int, int]]:
        kept = _foreseen(bench, size, 5.0, threshold, _listed(bench, size))
        lists = (bench.beam.key, bench.beam.child_of, bench.beam.child)
        return [*zip(*(array[:kept].tolist() for array in lists), strict=True)]

    every = children(LOWEST)
    threshold = float(np.median([key for key, _, _ in every]))
    assert children(threshold) == [child for child in every if child[0] >= threshold]


def test_a_dead_corner_costs_all_where_no_mismatch_is_allowed_next() -> None:
    whole = schedule.growing(256, 40, np.zeros(256))
    after = [*whole.allowed[1:], ANY]
    assert {price for price, allowed in zip(whole.stuck, after, strict=True) if allowed == EXACT} == {50.0}
    assert {price for price, allowed in zip(whole.stuck, after, strict=True) if allowed != EXACT} == {3.5}
