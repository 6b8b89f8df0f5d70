"""Searches for covers: one tree for all kernels, whole, in slices, split at random, and on threads."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablero.cover import ExactCover, checking, count, generate
from tablero.cover.kernels.search import KERNELS, CoverSearch
from tablero.cover.solving import search_for
from tablero.errors import BadInput
from tablero.runs.coordinator import run
from tablero.runs.engines import Threads
from tablero.runs.run import Here
from tablero.search.base import UNBOUNDED, Orders
from tablero.search.cursor import Cursor
from tablero.search.tree import read_cursor, write_cursor
from tests import problems

TREES = {
    "pentominoes 4×15": generate("pentominoes", "4x15"),
    "queens 9": generate("queens", 9),
    "double stars of K8": problems.double_stars(8),
    "palindromes": problems.coloured_squares(11),
}


def whole(search: CoverSearch) -> tuple[int, list[list[int]]]:
    """Nodes and covers of an undisturbed search."""
    outcome = search.advance(search.starts()[0], Orders(1e9), *flags())
    assert outcome.rest is None
    return outcome.nodes, outcome.answers.tolist()


def flags() -> tuple[np.ndarray[tuple[int], np.dtype[np.uint8]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    return np.zeros(1, np.uint8), np.full(1, UNBOUNDED, np.int64)


def slice_of(search: CoverSearch, cursor: Cursor, budget: int) -> tuple[int, list[list[int]], Cursor | None]:
    """Load a cursor, visit so many nodes, and store it again."""
    state = search.begin(cursor)
    answers = np.empty((budget, search.width), np.int32)
    nodes, found = search.step(state, answers, budget, budget, *flags())
    return nodes, answers[:found].tolist(), read_cursor(state)


@pytest.mark.parametrize("kernel", ["bits", "sparse"])
@pytest.mark.parametrize("name", TREES)
def test_slices_and_splits_change_nothing(name: str, kernel: Any) -> None:
    search = CoverSearch(TREES[name].table, kernel)
    nodes, covers = whole(search)

    cursor: Cursor | None = Cursor()
    sliced_nodes, sliced = 0, []
    while cursor is not None:
        more, found, cursor = slice_of(search, cursor, 1000)
        sliced_nodes += more
        sliced += found
    assert (sliced_nodes, sliced) == (nodes, covers)

    choose = random.Random(name)
    units, pieces, split_nodes, splits = [Cursor()], [], 0, 0
    while units:
        unit = units.pop(choose.randrange(len(units)))
        more, found, rest = slice_of(search, unit, choose.randrange(1, 2000) if splits < 100 else 10**6)
        split_nodes += more
        pieces.append((unit.path, found))
        if rest is not None:
            parts = rest.divide(2 if splits < 100 else 1)
            splits += len(parts) - 1
            units += parts
    in_order = [cover for _, found in sorted(pieces, key=lambda piece: piece[0]) for cover in found]
    assert (split_nodes, in_order) == (nodes, covers)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", TREES)
def test_threads_change_nothing(name: str, threads: int) -> None:
    search = CoverSearch(TREES[name].table, "bits")
    nodes, covers = whole(search)
    engine = Threads(threads)
    result = run(search, engine=engine)
    engine.close()
    assert (result.nodes, result.answers.tolist()) == (nodes, covers)
    assert (result.status, result.fraction) == ("complete", 1.0)


@pytest.mark.parametrize("name", TREES)
def test_all_kernels_walk_one_tree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TREES[name].table
    dense = whole(CoverSearch(table, "bits"))
    assert whole(CoverSearch(table, "sparse")) == dense
    monkeypatch.setattr("tablero.cover.kernels.search.PACKED_FROM", 0)
    assert whole(CoverSearch(table, "bits")) == dense


def test_a_memo_counts_right_when_split_and_resumed() -> None:
    for kernel in ("memo", "frontier"):
        search = CoverSearch(problems.double_stars(8).table, kernel)
        choose = random.Random(kernel)
        units, found = [Cursor()], 0
        while units:
            unit = units.pop(choose.randrange(len(units)))
            state = search.begin(unit)
            nothing = np.empty((0, search.width), np.int32)
            found += search.step(state, nothing, choose.randrange(1, 60), UNBOUNDED, *flags())[1]
            rest = read_cursor(state)
            search.end(state)
            units += rest.divide(2) if rest else []
        assert found == 6720


def test_first_n_and_none_and_open_are_told_apart() -> None:
    queens = generate("queens", 8)
    three = queens.solve(3)
    assert (three.status, three.solutions, len(three.answers)) == ("solved", 3, 3)
    assert three.chosen == queens.solve(None).chosen[:3]
    assert queens.solve(1000).status == "complete"
    assert generate("langford", 5).solve().status == "none"
    assert generate("langford", 5).solve().first is None
    stopped = generate("dominoes", "12x12").solve(None, run=Here(node_limit=20_000))
    assert stopped.status == "open"
    assert 0 < stopped.result.fraction < 1
    assert stopped.solutions == len(stopped.chosen) > 0
    with pytest.raises(TimeoutError, match="stopped"):
        generate("dominoes", "30x30").count(kernel="bits", run=Here(node_limit=20_000)).require_all()


def test_a_time_limit_is_kept() -> None:
    problem = generate("dominoes", "20x20")
    for kernel in KERNELS:
        found = count(problem, kernel=kernel, run=Here(time_limit=0.3, threads=2))
        assert found.status == "open"
        assert found.result.seconds < 10  # not a measurement: a search that ignores its limit takes for ever


def test_names_are_any_hashables_and_answers_keep_them() -> None:
    rows: list[Sequence[Hashable]] = [[("x", 1), None], [2.5], [None, 2.5], [("x", 1)]]
    problem = ExactCover(rows)
    assert sorted(map(len, problem.solve(None).answers)) == [2, 2]
    assert problem.solve().first in ([[("x", 1), None], [2.5]], [[("x", 1)], [None, 2.5]])


def test_colours_must_agree() -> None:
    first: dict[Hashable, Hashable] = {"p": None, "s": "red"}
    others: list[dict[Hashable, Hashable]] = [{"q": None, "s": hue} for hue in ("red", "blue", None)]
    problem = ExactCover([first, *others], secondary=["s"])
    for kernel in ("bits", "sparse"):
        assert problem.solve(None, kernel=kernel).chosen == [[0, 1]]


random_problems = st.tuples(st.integers(1, 7), st.integers(0, 3), st.integers(0, 14), st.integers(0, 2**32))


def make_random(size: tuple[int, int, int, int], weights: bool = False) -> ExactCover:
    """A small problem with secondary items and colours."""
    primary, secondary, options, seed = size
    choose = random.Random(seed)
    rows: list[dict[Hashable, Hashable]] = []
    for _ in range(options):
        row: dict[Hashable, Hashable] = {p: None for p in range(primary) if choose.random() < 0.4}
        row[choose.randrange(primary)] = None
        row |= {f"s{k}": choose.choice([None, "a", "b"]) for k in range(secondary) if choose.random() < 0.4}
        rows.append(row)
    costs = [choose.randrange(0, 9) for _ in rows] if weights else None
    return ExactCover(rows, primary=range(primary), secondary=[f"s{k}" for k in range(secondary)], weights=costs)


def by_brute_force(problem: ExactCover) -> list[tuple[int, ...]]:
    """Every subset of the options that the checker accepts."""
    numbers = range(len(problem))
    most = min(problem.primary, len(problem))
    subsets = (subset for size in range(1, most + 1) for subset in combinations(numbers, size))
    return sorted(subset for subset in subsets if checking.fault(problem, subset) is None)


@given(random_problems)
@settings(max_examples=150)
def test_random_problems_against_brute_force(size: tuple[int, int, int, int]) -> None:
    problem = make_random(size)
    known = by_brute_force(problem)
    for kernel in ("bits", "sparse"):
        assert sorted(tuple(sorted(cover)) for cover in problem.solve(None, kernel=kernel).chosen) == known
    assert problem.count().solutions == len(known)
    if not problem.colours:
        assert problem.count(kernel="memo").solutions == problem.count(kernel="frontier").solutions == len(known)


@given(random_problems)
@settings(max_examples=150)
def test_cheapest_against_brute_force(size: tuple[int, int, int, int]) -> None:
    problem = make_random(size, weights=True)
    weights = problem.weights
    assert weights is not None
    costs = [int(weights[list(cover)].sum()) for cover in by_brute_force(problem)]
    for kernel in ("bits", "sparse"):
        for threads in (1, 2):
            best = problem.solve(cheapest=True, kernel=kernel, run=Here(threads=threads))
            assert best.cost == min(costs, default=None)
            assert best.status == ("solved" if costs else "none")
            if costs:
                assert int(weights[best.chosen[0]].sum()) == best.cost


def test_cheapest_on_a_larger_problem_agrees_with_all() -> None:
    plain = generate("langford", 8)
    weights = [int(k * k) % 97 for k in range(len(plain))]
    problem = ExactCover([list(plain.option(k)) for k in range(len(plain))], primary=plain.items, weights=weights)
    least = min(sum(weights[o] for o in cover) for cover in plain.solve(None).chosen)
    for kernel in ("bits", "sparse"):
        assert problem.solve(cheapest=True, kernel=kernel).cost == least


def test_a_cursor_of_another_problem_is_refused() -> None:
    strange = search_for(generate("queens", 9), "solve")
    state = strange.begin(Cursor())
    strange.step(state, np.empty((0, strange.width), np.int32), 50, UNBOUNDED, *flags())
    cursor = read_cursor(state)
    assert cursor is not None
    for kernel in ("bits", "sparse"):
        search = CoverSearch(generate("langford", 8).table, kernel)
        with pytest.raises(BadInput, match="cursor"):
            search.advance(cursor.store(), Orders(1.0), *flags())
    small = CoverSearch(problems.source_example().table, "bits").begin(Cursor())
    with pytest.raises(BadInput, match="levels deep"):
        write_cursor(small, cursor)


def test_the_checker_can_fail() -> None:
    problem = problems.source_example()
    assert checking.fault(problem, [1, 3, 5]) is None
    assert "2 times" in (checking.fault(problem, [0, 1]) or "")
    assert "0 times" in (checking.fault(problem, [1, 3]) or "")
    assert "chosen twice" in (checking.fault(problem, [1, 1]) or "")
    many = np.array([[1, 3, 5]] * 1001, np.int32)
    assert checking.first_fault(problem, many) == "the same cover was found twice"
    board = generate("dominoes", "4x5")
    covers = board.solve(None).result.answers
    assert checking.first_fault(board, np.repeat(covers, 1, axis=0)) is None
    wrong = covers.copy()
    wrong[0, 0] = (wrong[0, 0] + 1) % len(board)
    assert checking.first_fault(board, wrong) is not None


def test_cheapest_with_large_weights() -> None:
    """Sums of shares are not exact there: a cover must not be cut off for the last digit."""
    for seed in range(60):
        choose = random.Random(seed)
        rows = [sorted(choose.sample(range(6), choose.randrange(1, 4))) for _ in range(20)]
        weights = [10**11 // 3 * len(row) + choose.randrange(3) for row in rows]
        problem = ExactCover(rows, primary=range(6), weights=weights)
        costs = [sum(weights[o] for o in cover) for cover in problem.solve(None).chosen]
        for kernel in ("bits", "sparse"):
            assert problem.solve(cheapest=True, kernel=kernel).cost == min(costs, default=None)
