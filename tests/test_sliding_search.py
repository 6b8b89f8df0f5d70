"""Shortest answers: known lengths, one tree for all, databases on disk; and answers that get shorter with time."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tablero import sliding
from tablero.puzzles.sliding import anytime, optimal, small
from tablero.puzzles.sliding.kernels import patterns as sliding_patterns
from tablero.puzzles.sliding.kernels import search
from tablero.puzzles.sliding.kernels.patterns import EIGHT, database
from tablero.puzzles.sliding.kernels.search import SlidingSearch
from tablero.puzzles.sliding.puzzle import Board
from tablero.runs.coordinator import run
from tablero.runs.engines import Threads
from tablero.search.base import UNBOUNDED, Orders, read_cursor
from tablero.search.cursor import Cursor, Level


def test_all_boards_of_three_by_three() -> None:
    states = small.permutations(9)
    far = small.distances(3, 3)[small.rank(states)]
    boards = states[far != 255].astype(np.int64)
    lengths, _ = optimal.lengths(3, 3, boards)
    assert (lengths == far[far != 255]).all()
    assert lengths.max() == 31


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)])
def test_every_estimate_finds_the_shortest(size: tuple[int, int]) -> None:
    table = small.distances(*size)
    for seed in range(12):
        board = sliding.random(*size, seed=seed)
        known = int(table[small.rank(np.array([board.tiles]))[0]])
        for estimate in optimal.Task.of(board).estimates():
            found = board.solve("optimal", estimate=estimate)
            assert (len(found), found.optimal, found.lower) == (known, True, known)


def test_other_goals() -> None:
    for seed in range(6):
        goal = sliding.random(3, seed=seed + 50).tiles
        board = sliding.random(3, seed=seed, goal=goal)
        lengths = {len(board.solve("optimal", estimate=e)) for e in optimal.Task.of(board).estimates()}
        assert len(lengths) == 1
        there = sliding.random(3, seed=seed, goal="blank-first").solve("optimal")
        assert there.optimal


def test_a_board_of_four_by_four_by_walking_distance() -> None:
    board = sliding.parse("0 2 3 4/1 6 7 8/5 10 11 12/9 13 14 15")
    assert len(board.solve("optimal", estimate="walking")) == 6
    board = sliding.random(3, 4, seed=5)
    assert len(board.solve("optimal", estimate="walking")) == len(board.solve("optimal", estimate="lines"))


def test_no_estimate_says_too_much() -> None:
    states = small.permutations(9)
    far = small.distances(3, 3)[small.rank(states)]
    good = np.flatnonzero(far != 255)
    for k in np.random.default_rng(1).choice(good, 300):
        tiles = states[k].astype(np.int64)
        for estimate in ("patterns", "walking", "lines"):
            least = search.least(3, 3, tiles, 8, estimate)
            assert least <= int(far[k])
            assert (least - int(far[k])) % 2 == 0


def a_tree(estimate: str, threshold: int | None = None) -> SlidingSearch:
    task = optimal.Task.of(sliding.random(3, seed=11))
    length = len(task.board.solve("optimal"))
    return task.tree(estimate, length + 4 if threshold is None else threshold)


@pytest.mark.parametrize("estimate", ["patterns", "walking", "lines"])
def test_one_tree_whole_sliced_split_and_on_threads(estimate: str) -> None:
    tree = a_tree(estimate)
    whole = run(tree)
    assert whole.status == "complete"
    assert whole.fraction == 1.0
    assert whole.solutions > 1
    for threads in (1, 2, 4):
        engine = Threads(threads)
        try:
            again = run(tree, engine=engine)
        finally:
            engine.close()
        assert (again.nodes, again.answers.tolist()) == (whole.nodes, whole.answers.tolist())
    # In slices of a few positions, each piece split at random.
    rng, stop, bound = random.Random(1), np.zeros(1, np.uint8), np.full(1, UNBOUNDED)
    pieces, found, nodes = [Cursor()], [], 0
    while pieces:
        cursor = pieces.pop(rng.randrange(len(pieces)))
        state = tree.begin(cursor)
        assert state.depth[0] >= 0
        buffer = np.empty((64, tree.width), np.int32)
        visited, more = tree.step(state, buffer, rng.randrange(1, 200), 64, stop, bound)
        nodes += visited
        found += [(cursor.path, row) for row in buffer[:more].tolist()]
        rest = read_cursor(state)
        if rest is not None:
            pieces += rest.divide(rng.randrange(1, 4))
    assert nodes == whole.nodes
    assert sorted(row for _, row in found) == sorted(whole.answers.tolist())


def test_a_cursor_that_does_not_fit_is_refused() -> None:
    tree = a_tree("lines")
    outcome = tree.advance(tree.starts()[0], Orders(0.0), np.zeros(1, np.uint8), np.full(1, UNBOUNDED))
    assert outcome.rest is not None
    levels = list(Cursor.load(outcome.rest).levels)
    levels[0] = Level(0, 0, levels[0].width + 1)
    assert tree.begin(Cursor(tuple(levels))).depth[0] == -2


def test_a_time_limit_leaves_a_lower_bound() -> None:
    board = sliding.random(5, seed=3)
    found = board.solve("optimal", time_limit=0.3)
    assert found.status == "open"
    assert found.codes is None
    assert found.lower >= optimal.lower_bound(board)


def test_databases_are_kept_with_a_checksum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    monkeypatch.setattr(sliding_patterns, "FIFTEEN", ((1, 2), (3,)))
    first = search.fifteen()
    assert search.cache_file().parent == tmp_path / "cache"
    data = search.cache_file().read_bytes()
    assert search._load(search.cache_file()) is not None
    search.cache_file().write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert search._load(search.cache_file()) is None
    again = search.fifteen()  # a damaged file is made again
    assert search.cache_file().read_bytes() == data
    assert all((a == b).all() for a, b in zip(first, again, strict=True))


def test_databases_of_three_by_three() -> None:
    for pattern in EIGHT:
        table = database(3, 3, pattern)
        assert (table != 255).sum() == 9 * 8 * 7 * 6
        assert table.min() == 0


@pytest.mark.parametrize("size", [(3, 3), (4, 4), (6, 6), (3, 8)])
def test_anytime_is_shorter_and_right(size: tuple[int, int]) -> None:
    board = sliding.random(*size, seed=2)
    found = board.solve("anytime", time_limit=0.3)
    assert found.first_length is not None
    assert found.lower <= len(found) <= found.first_length
    if size == (3, 3):
        assert len(found) <= 31


def test_a_pass_keeps_the_ends_of_an_answer() -> None:
    board = sliding.random(7, seed=4)
    moves = board.solve("table").codes
    assert moves is not None
    for piece, stride, cap in ((10, 3, 500), (20, 20, 2000), (33, 7, 20)):
        shorter, _ = anytime.one_pass(board, moves, piece, stride, cap)
        assert len(shorter) <= len(moves)
        assert sliding.solution.Solution(board, "test", shorter, 0).status == "solved"
        sliding.solution.Solution(board, "test", shorter, 0).verify()


def test_auto_is_optimal_where_it_can_be() -> None:
    assert sliding.random(3, seed=1).solve().optimal
    assert sliding.random(5, seed=1).solve(time_limit=0.2).method == "anytime"
    assert Board(2, 2, (1, 2, 3, 0)).solve().moves == ""
