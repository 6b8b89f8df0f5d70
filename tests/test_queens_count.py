"""Counts of n-queens: known numbers, the same however the search is cut, stopped, killed and continued."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

import tablero as tb
from tablero.errors import BadInput
from tablero.queens.checking import fault
from tablero.queens.kernels.count import QueensCount, frames
from tablero.queens.kernels.halves import HalfCount
from tablero.queens.kernels.quadrant_cases import corners, plans
from tablero.queens.kernels.quadrant_cases import images as images_of_sets
from tablero.queens.solving import images
from tablero.runs import jobs
from tablero.runs.coordinator import run
from tablero.runs.run import HERE, Here
from tablero.runs.session import perform
from tablero.search.base import UNBOUNDED
from tablero.search.cursor import Cursor, Level
from tablero.search.tree import TreeSearch, read_cursor
from tests.commands import answer_of
from tests.test_kill import nodes_of

# A000170 and A002562, from n = 1
ALL = (1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624)
FUNDAMENTAL = (1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45752)
TORUS = {5: 10, 7: 28, 8: 0, 9: 0, 11: 88, 13: 4524}  # A007705


@pytest.mark.parametrize(("n", "known"), list(enumerate(ALL, 1)))
def test_all_solutions(n: int, known: int) -> None:
    assert tb.queens.count(n, run=Here(threads=2)).solutions == known


@pytest.mark.parametrize(("n", "known"), list(enumerate(FUNDAMENTAL, 1)))
def test_fundamental_solutions(n: int, known: int) -> None:
    assert tb.queens.count(n, fundamental=True, run=Here(threads=2)).solutions == known


@pytest.mark.parametrize(("n", "known"), list(TORUS.items()))
def test_solutions_on_a_torus(n: int, known: int) -> None:
    assert tb.queens.count(tb.queens.Queens(n, torus=True)).solutions == known


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
def test_fundamental_solutions_are_those_of_brute_force(n: int) -> None:
    classes = {min(images(list(p))) for p in permutations(range(n)) if fault(p) is None}
    assert [tuple(board.tolist()) for board in tb.queens.fundamental(n)] == sorted(classes)


def test_every_solution_is_in_a_frame_once() -> None:
    n = 7
    solutions = {p for p in permutations(range(n)) if fault(p) is None}
    laid = frames(n)
    found: list[tuple[int, ...]] = []
    for first, last, left, right in zip(*(array.tolist() for array in laid[:4]), strict=True):
        for p in solutions:
            if (p[0], p[-1], p[left], p[right]) == (first, last, 0, n - 1):
                found.append(min(images(list(p))))
    # A frame that is its own turn holds the turns of its solutions too.
    assert set(found) == {min(images(list(p))) for p in solutions}


@pytest.mark.parametrize("n", range(4, 15))
def test_all_kernels_count_the_same(n: int) -> None:
    assert perform(HalfCount(n), HERE, keep=False).solutions == ALL[n - 1]
    assert perform(QueensCount(n), HERE, keep=False).solutions == ALL[n - 1]


@pytest.mark.parametrize("n", [6, 7])
def test_the_cases_of_quadrants_hold_every_placement(n: int) -> None:
    """Corner by corner, against all ways to put queens into the quadrant one by one."""
    h = n // 2
    for plan in plans(n):
        case = corners(n, plan)
        cells = [(r, c) for r in range(h) for c in range(h) if plan.rows[0] >> r & 1 and plan.columns[0] >> c & 1]
        expected: dict[tuple[int, int], int] = {}
        for chosen in combinations(cells, plan.queens):
            queens = [*chosen, *plan.start]
            rows, columns, falling, rising = (
                {r for r, _ in chosen}, {c for _, c in chosen}, {r - c for r, c in queens}, {r + c for r, c in queens},
            )  # fmt: skip
            if len(rows) == len(columns) == plan.queens and len(falling) == len(rising) == len(queens):
                key = (sum(1 << r for r in rows), sum(1 << c for c in columns))
                expected[key] = expected.get(key, 0) + 1
        sizes = np.diff(case.nw_start).reshape(len(case.rows1), len(case.columns1))
        found = {(int(case.rows1[i]), int(case.columns1[j])): int(sizes[i, j]) for i, j in np.argwhere(sizes).tolist()}
        assert found == expected


def test_west_halves_of_several_blocks_are_joined_with_all_east_halves() -> None:
    """One pair of sets of 20 queens, against all west and east halves compared one by one."""
    search, pair, nothing = HalfCount(20), 14_000, np.empty((0, 20), np.int32)
    at = int(search.firsts[-2]) + pair
    state = search.begin(Cursor((Level(at, at, int(search.firsts[-1])),)))
    nodes, found = search.step(state, nothing, 100, UNBOUNDED, np.zeros(1, np.uint8), np.full(1, UNBOUNDED))
    plan = search.plans[-1]
    case, (row, other) = corners(20, plan), (int(indices[pair]) for indices in plan.pairs(10))
    count = len(case.rows1)

    def halves(north: tuple[np.ndarray, np.ndarray, int], south: tuple[np.ndarray, np.ndarray, int]) -> np.ndarray:
        one, two = (words[starts[corner] : starts[corner + 1]] for starts, words, corner in (north, south))
        return np.asarray((one[:, None] | two[None, :])[one[:, None] & two[None, :] == 0])

    west = [
        halves((case.nw_start, case.nw, row * count + c), (case.sw_start, case.sw, c * count + other))
        for c in range(count)
    ]
    expected = 0
    for c2 in range(count):
        east = halves((case.ne_start, case.ne, row * count + c2), (case.se_start, case.se, c2 * count + other))
        for c1 in range(count):
            sets = int(case.rows1[row]), int(case.columns1[c1]), int(case.rows2[other]), int(case.columns2[c2])
            if weight := images_of_sets(8, (1 << 10) - 1, *sets):
                expected += weight * int(np.count_nonzero((west[c1][:, None] & east[None, :]) == 0))
    assert nodes == 3  # the pair, and two blocks of west halves
    assert found == expected * plan.factor


@pytest.mark.parametrize(
    "search",
    [QueensCount(9), QueensCount(9, True), HalfCount(9), HalfCount(10)],
    ids=repr,
)
def test_the_tree_does_not_depend_on_how_it_is_cut(search: TreeSearch) -> None:
    whole = perform(search, HERE, keep=False)
    stop, bound, nothing = np.zeros(1, np.uint8), np.full(1, UNBOUNDED), np.empty((0, search.width), np.int32)
    choose = random.Random(7)
    open_, nodes, found = [Cursor()], 0, 0
    while open_:
        cursor = open_.pop(choose.randrange(len(open_)))
        if choose.random() < 0.3 and (halves := cursor.split()):
            open_ += halves
            continue
        state = search.begin(Cursor.load(cursor.store()))
        visited, more = search.step(state, nothing, choose.randrange(1, 20), UNBOUNDED, stop, bound)
        nodes, found = nodes + visited, found + more
        rest = read_cursor(state)
        if rest is not None:
            assert rest.share() <= cursor.share()
            open_.append(rest)
    assert (nodes, found) == (whole.nodes, whole.solutions)


def test_threads_change_nothing() -> None:
    for search in (QueensCount(13), HalfCount(15)):
        one, four = (perform(search, Here(threads=threads), keep=False) for threads in (1, 4))
        assert (one.solutions, one.nodes, one.fraction) == (four.solutions, four.nodes, four.fraction)


def test_classes_come_in_one_order() -> None:
    one, four = (perform(QueensCount(10, True), Here(threads=threads)).answers.tolist() for threads in (1, 4))
    assert one == four
    assert len(one) == 92


@pytest.mark.parametrize("search", [QueensCount(14), HalfCount(14)], ids=repr)
def test_a_stopped_count_goes_on(search: TreeSearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    whole = perform(search, HERE, keep=False)
    stops = 0
    while True:
        store, _ = jobs.begin("fourteen", search, {"verb": "count"}, b"")
        result = run(search, keep=False, store=store, node_limit=whole.nodes // 7)
        store.close()
        if result.fraction == 1.0:
            break
        stops += 1
    assert stops >= 6
    assert (result.solutions, result.nodes) == (ALL[13], whole.nodes)


def test_a_killed_count_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tablero", "queens", "count", "16", "--job", "sixteen", "--quiet"]
    environment = {**os.environ, "TABLERO_HOME": str(tmp_path / "home")}
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    store = tmp_path / "home" / "jobs" / "sixteen.job"
    deadline = time.monotonic() + 120
    while (not store.exists() or not nodes_of(store)) and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    answer = answer_of(tmp_path, "jobs", "resume", "sixteen", "--threads", "2")
    assert (answer["status"], answer["solutions"]) == ("complete", 14772512)
    assert answer["nodes"] == perform(HalfCount(16), HERE, keep=False).nodes


def test_a_cursor_of_another_board_is_refused() -> None:
    search = QueensCount(8)
    state = search.begin(Cursor())
    nothing = np.empty((0, 8), np.int32)
    search.step(state, nothing, 100, UNBOUNDED, np.zeros(1, np.uint8), np.full(1, UNBOUNDED))
    cursor = read_cursor(state)
    assert cursor is not None
    assert QueensCount(9).begin(cursor).depth[0] == -2
    for other in (HalfCount(10), HalfCount(12)):
        standing = other.begin(Cursor())
        other.step(standing, nothing, 100, UNBOUNDED, np.zeros(1, np.uint8), np.full(1, UNBOUNDED))
        cursor = read_cursor(standing)
        assert cursor is not None
        assert type(other)(14).begin(cursor).depth[0] == -2


def test_too_large_a_board_is_refused() -> None:
    with pytest.raises(BadInput, match="expected at most 32 queens"):
        tb.queens.count(33)
    with pytest.raises(BadInput, match="expected at most 32 queens"):
        tb.queens.fundamental(33)
