"""Shortest answers: known lengths, one tree for all, databases on disk; and answers that get shorter with time."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.sliding import many
from tablero import families, sliding
from tablero.errors import JobError
from tablero.runs.coordinator import run
from tablero.runs.engines import Threads
from tablero.runs.findings import Result
from tablero.runs.jobs import describe, open_job, read_job
from tablero.runs.progress import Snapshot
from tablero.runs.run import Here, Job, Question
from tablero.runs.session import Session
from tablero.search.base import UNBOUNDED, Orders
from tablero.search.cursor import Cursor, Level
from tablero.search.tree import read_cursor
from tablero.sliding import anytime, checking, constructive, optimal
from tablero.sliding.formats import letters
from tablero.sliding.kernels import databases, search
from tablero.sliding.kernels.databases import EIGHT, by_index, by_rank, rank
from tablero.sliding.kernels.search import SlidingSearch
from tablero.sliding.puzzle import Board, as_bytes
from tablero.sliding.solution import NO_ROWS
from tablero.sliding.verbs import solve
from tablero.verbs import described
from tests.stored_jobs import change


def test_all_boards_of_three_by_three() -> None:
    states = constructive.permutations(9)
    far = constructive.distances(3, 3)[constructive.rank(states)]
    boards = states[far != 255].astype(np.int64)
    moves, _ = many.shortest(3, 3, boards)
    assert (moves == far[far != 255]).all()
    assert moves.max() == 31


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)])
def test_every_estimate_finds_the_shortest(size: tuple[int, int]) -> None:
    table = constructive.distances(*size)
    for seed in range(12):
        board = sliding.generate(*size, seed=seed)
        known = int(table[constructive.rank(np.array([board.tiles]))[0]])
        for estimate in optimal.Task.of(board).estimates():
            found = board.solve(method="optimal", estimate=estimate)
            assert (len(found), found.optimal, found.lower) == (known, True, known)


def test_other_goals() -> None:
    for seed in range(6):
        goal = sliding.generate(3, seed=seed + 50).tiles
        board = sliding.generate(3, seed=seed, goal=goal)
        lengths = {len(board.solve(method="optimal", estimate=e)) for e in optimal.Task.of(board).estimates()}
        assert len(lengths) == 1
        there = sliding.generate(3, seed=seed, goal="blank-first").solve(method="optimal")
        assert there.optimal


def test_a_board_of_four_by_four_by_walking_distance() -> None:
    board = sliding.parse("0 2 3 4/1 6 7 8/5 10 11 12/9 13 14 15")
    assert len(board.solve(method="optimal", estimate="walking")) == 6
    board = sliding.generate(3, 4, seed=5)
    assert len(board.solve(method="optimal", estimate="walking")) == len(
        board.solve(method="optimal", estimate="lines")
    )


def test_no_estimate_says_too_much() -> None:
    states = constructive.permutations(9)
    far = constructive.distances(3, 3)[constructive.rank(states)]
    good = np.flatnonzero(far != 255)
    for k in np.random.default_rng(1).choice(good, 300):
        tiles = states[k].astype(np.int64)
        for estimate in ("patterns", "walking", "lines"):
            least = search.least(3, 3, tiles, 8, estimate)
            assert least <= int(far[k])
            assert (least - int(far[k])) % 2 == 0


def a_tree(estimate: str, threshold: int | None = None) -> SlidingSearch:
    task = optimal.Task.of(sliding.generate(3, seed=11))
    length = len(task.board.solve(method="optimal"))
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
    board = sliding.generate(5, seed=3)
    found = board.solve(method="optimal", run=Here(time_limit=0.3))
    assert found.status == "open"
    assert found.codes is None
    assert found.lower >= optimal.lower_bound(board)
    with pytest.raises(TimeoutError, match="the answer is open"):
        board.solve(method="optimal", run=Here(time_limit=0.05)).require_answer()


def test_a_limit_on_nodes_is_kept_over_all_trees() -> None:
    board = sliding.generate(4, seed=7)
    whole = board.solve(method="optimal", estimate="walking")
    for nodes in (1, 100, 5000, 100_000):
        found = board.solve(method="optimal", estimate="walking", run=Here(node_limit=nodes))
        assert (found.status, found.nodes) == ("open", nodes)
        assert found.lower <= whole.lower
    assert board.solve(method="optimal", estimate="walking", run=Here(node_limit=whole.nodes)).optimal
    assert board.solve(method="optimal", estimate="walking", run=Here(threads=2)).lower == whole.lower


def test_auto_goes_on_with_databases_where_walking_distance_needs_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    monkeypatch.setattr(optimal, "PATIENCE", 1e-6)
    monkeypatch.setattr(optimal.Task, "ready", lambda task: "walking")
    reported: list[Snapshot] = []
    board = sliding.generate(3, seed=11)
    known = board.solve(method="optimal", estimate="lines")
    found = board.solve(method="optimal", run=Here(watch=reported.append))
    assert (len(found), found.optimal) == (len(known), True)
    assert found.heuristic in ("patterns", "walking")
    assert reported[0].doing.startswith("compiling the kernels of sliding tiles")
    assert reported[-1].over
    # The first try counts, and a limit that it meets is met.
    found = board.solve(method="optimal", run=Here(node_limit=5))
    assert (found.status, found.heuristic, found.nodes) == ("open", "walking", 5)


def test_a_job_by_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    board = sliding.generate(4, seed=7)
    whole = board.solve(method="optimal", estimate="walking")
    found = board.solve(method="optimal", estimate="walking", run=Job("hard", node_limit=50_000))
    rounds = 0
    while found.status == "open":
        stored = stored_in("hard")  # looks at it, and begins no tree
        assert (stored.lower, stored.nodes, stored.status) == (found.lower, found.nodes, "open")
        assert describe("hard").values()["nodes"] == found.nodes  # of all trees so far
        found = board.solve(method="optimal", run=Job("hard", node_limit=50_000))  # with the estimate that it has
        rounds += 1
    assert rounds > 5
    assert (found.moves, found.nodes) == (whole.moves, whole.nodes)
    assert stored_in("hard").moves == whole.moves
    assert described(solve).resume(*card_of("hard"), Job("hard")).nodes == whole.nodes
    with pytest.raises(JobError, match="is of another problem"):
        sliding.generate(4, seed=8).solve(method="optimal", run=Job("hard"))
    with pytest.raises(JobError, match="was begun with the estimate walking, not with lines"):
        board.solve(method="optimal", estimate="lines", run=Job("hard"))


def test_a_time_limit_is_about_this_run_of_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    board = sliding.generate(4, seed=7)
    whole = board.solve(method="optimal", estimate="walking")
    board.solve(method="optimal", estimate="walking", run=Job("hard", node_limit=1000))
    change(tmp_path / "jobs" / "hard.job", "UPDATE job SET wall = wall + 1e6")  # as if it had been at work for days
    found = board.solve(method="optimal", run=Job("hard", time_limit=600.0))
    assert (found.moves, found.seconds > 1e6) == (whole.moves, True)


def test_a_tree_that_is_over_and_no_next_one_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a crash between two trees leaves it: to look at it begins nothing, and to resume it goes on."""
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    board = sliding.generate(4, seed=7)
    whole = board.solve(method="optimal", estimate="walking")
    task = optimal.Task.of(board)
    stage = optimal.Stage("walking", task.least("walking"))
    tree = task.tree("walking", stage.threshold)
    asked = Question(
        {"family": "sliding", "verb": "solve", "options": {"estimate": "walking"}}, lambda: as_bytes(board)
    )
    with Session(Job("between", question=asked)) as session:
        done = session.perform(tree, most=1, stage=stage.store())
    assert done.status == "none"
    stored = stored_in("between")
    assert (stored.status, stored.lower, stored.nodes) == ("open", stage.threshold + 2, done.nodes)
    assert card_of("between")[0]["stage"]["threshold"] == stage.threshold
    found = described(solve).resume(*card_of("between"), Job("between"))
    assert (found.moves, found.nodes) == (whole.moves, whole.nodes)


def test_a_job_of_another_kernel_is_not_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    board = sliding.generate(4, seed=7)
    board.solve(method="optimal", estimate="walking", run=Job("hard", node_limit=50_000))
    change(tmp_path / "jobs" / "hard.job", "UPDATE job SET kernel = 'sliding.walking/0'")
    with pytest.raises(JobError, match=r"was made with the kernel sliding\.walking/0"):
        board.solve(method="optimal", run=Job("hard"))


def stored_in(name: str) -> Any:
    """What a job has found so far."""
    with read_job(name) as record:
        return families.look(record)


def card_of(name: str) -> tuple[dict[str, Any], bytes]:
    store = open_job(name)
    try:
        return store.info.recipe, store.info.problem
    finally:
        store.close()


def test_databases_are_kept_with_a_checksum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    monkeypatch.setattr(databases, "FIFTEEN", ((1, 2), (3,)))
    first = databases.fifteen()
    file = databases.cache_file()
    assert file.parent == tmp_path / "cache"
    data = file.read_bytes()
    for damaged in (data[:-1] + bytes([data[-1] ^ 1]), data[:-1], data + b"x", b"", data[1:] + b"x", b"x" * len(data)):
        file.write_bytes(damaged)
        again = databases.fifteen()  # a damaged file is made again
        assert file.read_bytes() == data
        assert all((a == b).all() for a, b in zip(first, again, strict=True))


def test_databases_of_five_by_five_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With patterns of two tiles, so that they are built at once."""
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    monkeypatch.setattr(databases, "CORNER", (1, 2))
    monkeypatch.setattr(databases, "REST", (23, 24))
    reported: list[float] = []
    assert not databases.twenty_four_is_there()
    first = databases.twenty_four(reported.append)
    assert databases.twenty_four_is_there()
    assert reported == sorted(reported)
    assert reported[-1] == 1.0
    file = databases.cache_file("twenty-four")
    data = file.read_bytes()
    for damaged in (data[:-1], data[:-1] + bytes([data[-1] ^ 1])):
        file.write_bytes(damaged)
        assert not databases.twenty_four_is_there()
    again = databases.twenty_four()
    assert file.read_bytes() == data
    assert all((a == b).all() for a, b in zip(first, again, strict=True))


def test_databases_that_three_blocks_share() -> None:
    """The way of 5×5 on 3×3: a block of two tiles in three corners, and the two that are left."""
    plain = search.problem_for(3, 3, 8, "lines")
    problem = search.with_ranked(plain, (1, 2), (5, 8), tuple(by_rank(3, 3, p) for p in ((1, 2), (5, 8))))
    states = constructive.permutations(9)
    far = constructive.distances(3, 3)[constructive.rank(states)]
    some = np.random.default_rng(1).choice(np.flatnonzero(far != 255), 200)
    boards = states[some].astype(np.int64)
    for tiles, known in zip(boards, far[some].tolist(), strict=True):
        least = int(search.new_state(problem, tiles, 0, 8).estimate[0])
        manhattan = sum(
            abs(cell // 3 - (t - 1) // 3) + abs(cell % 3 - (t - 1) % 3) for cell, t in enumerate(tiles.tolist()) if t
        )
        assert manhattan <= least <= known
        assert (known - least) % 2 == 0
    assert (many.deepened(problem, boards)[0] == far[some]).all()


def test_ranked_databases_are_those_by_index() -> None:
    for rows, columns, pattern in ((3, 3, (1, 2, 4, 5)), (4, 4, (15, 11, 10)), (3, 4, (1, 2, 5, 6))):
        indexed, ranked = by_index(rows, columns, pattern), by_rank(rows, columns, pattern)
        places = np.flatnonzero(indexed != 255)
        assert len(places) == len(ranked)
        for index in places.tolist():
            packed = sum(((index >> (4 * k)) & 15) << (5 * k) for k in range(len(pattern)))
            assert indexed[index] == ranked[rank(packed, len(pattern), rows * columns)]


def test_databases_of_three_by_three() -> None:
    for pattern in EIGHT:
        table = by_index(3, 3, pattern)
        assert (table != 255).sum() == 9 * 8 * 7 * 6
        assert table.min() == 0


@pytest.mark.parametrize("size", [(3, 3), (4, 4), (6, 6), (3, 8)])
def test_anytime_is_shorter_and_right(size: tuple[int, int]) -> None:
    board = sliding.generate(*size, seed=2)
    found = board.solve(method="anytime", run=Here(node_limit=300_000))
    assert found.first_length is not None
    assert found.lower <= len(found) <= found.first_length
    if size == (3, 3):
        assert len(found) <= 31


def test_anytime_with_a_limit_on_positions_is_the_same_every_time() -> None:
    board = sliding.generate(10, seed=2)
    found = [board.solve(method="anytime", run=Here(node_limit=nodes)) for nodes in (20_000, 20_000, 400_000)]
    assert found[0].moves == found[1].moves
    assert len(found[2]) < len(found[0])
    for one, nodes in zip(found, (20_000, 20_000, 400_000), strict=True):
        assert nodes <= one.nodes < 1.2 * nodes  # a piece is searched to its end
    assert found[0].first_length is not None
    assert len(board.solve(method="anytime", run=Here(node_limit=1))) <= found[0].first_length


def test_anytime_tells_of_its_passes_and_keeps_its_best_when_interrupted() -> None:
    reported: list[Snapshot] = []

    def watch(snapshot: Snapshot) -> None:
        reported.append(snapshot)
        if snapshot.words and sum(bool(one.words) for one in reported) == 3:
            raise KeyboardInterrupt

    found = sliding.generate(8, seed=2).solve(method="anytime", run=Here(watch=watch, time_limit=600.0))
    assert (found.interrupted, found.status) == (True, "solved")
    assert [one.words for one in reported if one.words][-1] == f"{len(found):,} moves"
    assert reported[0].doing == "compiling the kernels of sliding tiles"
    assert reported[-1].over


def test_anytime_begins_with_the_best_of_all_constructions(monkeypatch: pytest.MonkeyPatch) -> None:
    board = sliding.generate(42, seed=1)  # 1,764 cells
    lengths = {name: len(constructive.construct(board, name)[0]) for name in constructive.METHODS}
    found = board.solve(method="anytime", run=Here(node_limit=1))
    assert (found.start, found.start_length) == ("carry", min(lengths.values()))
    assert len(found) <= found.start_length
    assert (found.first_length, found.values()["start_moves"]) == (lengths["table"], lengths["carry"])


def test_with_time_carry_is_asked_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    board = sliding.generate(12, seed=1)
    asked = []

    def construct(board: sliding.Board, method: str, **more: Any) -> Any:
        asked.append((method, more.get("effort", 0)))
        return constructive.construct(board, method, **more)

    monkeypatch.setattr(anytime, "construct", construct)
    anytime.warm()
    asked.clear()
    least = board.solve(method="anytime", run=Here(node_limit=1))
    assert {effort for _, effort in asked} == {0}  # so many positions give the same answer every time
    monkeypatch.setattr(anytime, "SECONDS", 0.0)
    found = board.solve(method="anytime", run=Here(time_limit=600.0, watch=_interrupting_after(6 + 2 * 5)))
    assert [effort for _, effort in asked[-5:]] == list(anytime._LADDER)
    assert asked[-1] == ("carry", len(constructive.EFFORTS) - 1)
    assert (found.start, found.start_length) == (least.start, least.start_length)
    assert found.interrupted
    assert len(found) < 0.98 * len(least)


def _interrupting_after(answers: int) -> Callable[[Snapshot], None]:
    reported = []

    def watch(now: Snapshot) -> None:
        reported.append(now.words)
        if len([words for words in reported if words]) == answers and now.words:
            raise KeyboardInterrupt

    return watch


@pytest.mark.parametrize("size", [(4, 5), (5, 5), (3, 8)])
def test_more_time_never_makes_an_answer_longer(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that ticks when it is looked at, so that a run with more time begins as one with less."""
    anytime.warm()
    now = [0.0]

    def tick() -> float:
        now[0] += 0.1
        return now[0]

    monkeypatch.setattr(anytime, "time", SimpleNamespace(monotonic=tick, thread_time=time.thread_time))
    for seed in (1, 2):
        board = sliding.generate(*size, seed=seed)
        asked = (0.2, 1.0, 2.0, 4.0, 8.0, 12.0, 20.0)
        lengths = [len(board.solve(method="anytime", run=Here(time_limit=seconds))) for seconds in asked]
        assert lengths == sorted(lengths, reverse=True), seed
        assert lengths[-1] <= len(board.solve(method="anytime"))


def test_a_limit_holds_while_an_answer_is_constructed(monkeypatch: pytest.MonkeyPatch) -> None:
    board = sliding.generate(30, seed=1)
    monkeypatch.setattr(constructive, "_CHUNK", 1000)
    found = board.solve(method="anytime", run=Here(time_limit=1e-9))
    assert (found.status, found.codes, found.solutions, found.fraction) == ("open", None, 0, 0.0)
    assert found.lower == optimal.lower_bound(board)
    with pytest.raises(constructive.TooLate):
        constructive.construct(board, "carry", late=lambda: True)

    def interrupt() -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(anytime.Limits, "met", lambda limits, nodes=0: interrupt())
    found = board.solve(method="anytime", run=Here(time_limit=600.0))
    assert (found.status, found.interrupted) == ("open", True)


def test_long_answers_are_checked_by_a_loop_of_the_checks_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MANY", 0)
    monkeypatch.setattr(checking, "_PIECE", 7)
    for seed in range(20):
        board = sliding.generate(4, seed=seed)
        codes = constructive.construct(board, "table")[0]
        assert checking.fault_of_codes(board, codes) is None
        turned = (codes ^ 1).astype(np.uint8)
        wrongs: list[NDArray[np.uint8]] = [codes[:-1], turned, np.concatenate([codes, codes]), codes[::-1].copy()]
        for wrong in wrongs:
            assert checking.fault_of_codes(board, wrong) == checking.fault(board, letters(wrong))
            assert checking.fault_of_codes(board, wrong) is not None


def test_trees_are_told_by_their_thresholds() -> None:
    reported: list[Snapshot] = []
    sliding.generate(5, seed=3).solve(method="optimal", run=Here(watch=reported.append, node_limit=5_000_000))
    words = [one for one in reported if one.words]
    assert words
    assert all(re.fullmatch(r"threshold \d+", one.words) for one in words)
    assert not any(one.ends for one in words)  # the end of a tree is not the end: no time left is told


def test_a_pass_keeps_the_ends_of_an_answer() -> None:
    board = sliding.generate(7, seed=4)
    moves = board.solve(method="table").codes
    assert moves is not None
    for piece, stride, cap in ((10, 3, 500), (20, 20, 2000), (33, 7, 20)):
        shorter, _ = anytime.one_pass(board, moves, piece, stride, cap)
        assert len(shorter) <= len(moves)
        found = sliding.Solution(board, Result("solved", 1, NO_ROWS), "test", shorter)
        assert found.status == "solved"
        found.verify()


def test_auto_is_optimal_where_it_can_be() -> None:
    assert sliding.generate(3, seed=1).solve().optimal
    assert sliding.generate(5, seed=1).solve(run=Here(node_limit=100_000)).method == "anytime"
    assert Board(2, 2, (1, 2, 3, 0)).solve().moves == ""
