"""Who descends from whom in a beam: what is dropped, and what must stay."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tablero.edges.generating import generate
from tablero.edges.kernels.optimise import _Workspace
from tablero.edges.kernels.plan import Lineage, add_node, begin, drop_dead_nodes, empty_lineage, trace
from tablero.edges.methods import optimiser_for, width_for

U = np.uint64


def _reported(lineage: Lineage, now: int, board: int, size: int) -> list[int]:
    laying = np.full(size, -1, np.int32)
    trace(lineage, int(lineage.of_board[now, board]), np.arange(size, dtype=np.uint64), U(size), laying)
    return [int(variant) for variant in laying]


@settings(max_examples=60)
@given(seed=st.integers(0, 1 << 32), boards=st.integers(1, 12), depth=st.integers(1, 40), room=st.integers(0, 200))
def test_boards_are_what_was_laid_however_often_nodes_are_dropped(
    seed: int, boards: int, depth: int, room: int
) -> None:
    rng = np.random.default_rng(seed)
    lineage = empty_lineage(boards, depth)
    begin(lineage)
    lineages: list[list[int]] = [[]]
    most = 0
    for step in range(depth):
        now = step % 2
        children = [int(rng.integers(len(lineages))) for _ in range(int(rng.integers(1, boards + 1)))]
        lineage.made[1] = min(room, len(lineage.parent))  # as if there were no more
        drop_dead_nodes(lineage, U(now), len(lineages), len(children))
        for child, board in enumerate(children):
            add_node(lineage, U(now), U(board), U(child), U(100 * step + child))
        lineages = [[*lineages[board], 100 * step + child] for child, board in enumerate(children)]
        most = max(most, int(lineage.made[0]))
        assert [_reported(lineage, 1 - now, board, step + 1) for board in range(len(children))] == lineages
    alive = {tuple(laid[: step + 1]) for laid in lineages for step in range(depth)}
    assert len(alive) <= lineage.made[0] <= most <= boards * depth


def test_a_beam_that_drops_nodes_tells_the_board_that_it_counted() -> None:
    search = optimiser_for(generate(16, framed=(5, 17), seed=3), 2_000)
    bench, stop = _Workspace(search), np.zeros(1, np.uint8)
    laying, breaks, made = bench.restart(0, 2, stop)
    assert laying is not None
    assert search.value(laying) == breaks
    assert bench.beam.lineage.made[0] < made / 2, "nothing was dropped"


def test_a_beam_is_as_wide_as_its_time_and_its_board_allow() -> None:
    small, large = generate(8, framed=(3, 8), seed=1), generate(16, framed=(5, 17), seed=1)
    assert width_for(large, 0.0) == 50
    assert width_for(large, 15.0) * 2 == width_for(large, 60.0) == width_for(large, None)
    assert width_for(large, 300.0) == 5 * width_for(large, 60.0)
    assert width_for(large, 3600.0) == width_for(large, float("inf")) == width_for(small, 3600.0)
    assert width_for(small, 15.0) == 2 * width_for(large, 15.0)
