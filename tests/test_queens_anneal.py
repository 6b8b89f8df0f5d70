"""Annealing and local search: every board is a solution, every run can be stored, and giving up is told apart."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablero as tb
from tablero.errors import BadInput
from tablero.queens.annealing import COOLINGS, SWAPS, Settings, play_page, record, run_once, search_for, trace_of
from tablero.queens.checking import fault
from tablero.queens.kernels.anneal import (
    COST,
    RESTARTED,
    TRIALS,
    QueensAnneal,
    State,
)
from tablero.queens.kernels.ground import from_answer, to_answer
from tablero.queens.kernels.local import QueensLocal
from tablero.queens.puzzle import Queens
from tablero.runs import jobs
from tablero.runs.coordinator import run
from tablero.runs.run import HERE, Here
from tablero.runs.session import perform


@pytest.mark.parametrize("n", [1, 4, 5, 6, 7, 8, 20, 50, 200, 1000, 20_000])
def test_annealing_arrives(n: int) -> None:
    found = tb.queens.anneal(n, runs=5)
    assert (found.status, found.success, len(found.answers)) == ("solved", 1.0, 5)
    assert all(board.fault is None for board in found.answers)


@pytest.mark.parametrize("n", [2, 3])
def test_what_is_impossible_is_proved(n: int) -> None:
    found = tb.queens.anneal(n)
    assert (found.status, found.solutions, found.board, found.cpu_statistics) == ("none", 0, None, None)


def test_thirty_runs_of_two_thousand_queens() -> None:
    found = tb.queens.anneal(2000, runs=30)
    assert found.success == 1.0
    assert found.trials is not None
    assert 6 < found.trials.mean / 2000 < 8
    cpu = found.cpu_statistics
    assert cpu is not None
    assert cpu.least <= cpu.median <= cpu.most
    assert (type(found.seconds), type(found.cpu_seconds)) == (float, float)


def test_a_seed_is_a_run() -> None:
    one, again, other = (tb.queens.anneal(100, seed=seed).to_list() for seed in (4, 4, 5))
    assert one == again != other
    both = tb.queens.anneal(100, seed=4, runs=2, run=Here(threads=2)).to_list()
    assert both == one + other


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("cooling", ["geometric", "linear"])
def test_every_way_arrives(swap: Any, cooling: Any) -> None:
    assert tb.queens.anneal(60, runs=3, cooling=cooling, swap=swap).success == 1.0


def test_logarithmic_cooling_stays_warm() -> None:
    assert tb.queens.anneal(30, t0=1.0, cooling="logarithmic", runs=3).success == 1.0
    hot = tb.queens.anneal(300, t0=1000.0, cooling="logarithmic", max_trials=20_000)
    assert (hot.status, hot.solutions) == ("open", 0)


@pytest.mark.parametrize("swap", SWAPS)
def test_logarithmic_cooling_begins_anew_where_nothing_is_gained(swap: Any) -> None:
    """It never freezes, and on six queens it walks over plateaus of changes of 0: seed 45 gave up after a million trials."""
    six = tb.queens.anneal(6, cooling="logarithmic", swap=swap, runs=300)
    assert (six.solutions, six.restarts > 0) == (300, True)
    assert six.trials is not None
    assert six.trials.most < 200_000
    for n in (4, 5, 7, 8, 10, 13):
        assert tb.queens.anneal(n, cooling="logarithmic", swap=swap, runs=30).success == 1.0
    alone = tb.queens.anneal(6, cooling="logarithmic", seed=45, restarts=0)
    assert (alone.status, alone.restarts) == ("open", 0)


def test_a_run_that_is_warm_begins_anew_in_slices_as_whole() -> None:
    settings = Settings.for_side(6, cooling="logarithmic", swap="min-conflicts")
    whole, sliced = (search_for(Queens(6), settings, 7, 1) for _ in range(2))
    one, other, stop = whole.fresh(7), sliced.fresh(7), np.zeros(1, np.uint8)
    while not whole.step(one, 10**9, stop)[1]:
        pass
    while not sliced.step(other, 997, stop)[1]:
        assert sliced.fault(other, sliced.fresh(7)) is None
    assert one.numbers[RESTARTED] == other.numbers[RESTARTED]
    assert one.numbers[TRIALS] == other.numbers[TRIALS]
    assert (one.columns == other.columns).all()


def test_temperatures_follow_their_law() -> None:
    def after(trials: int, cooling: str) -> float:
        settings = Settings.for_side(500, t0=8.0, alpha=0.5, length=2, cooling=cooling)
        search = QueensAnneal((1,), 500, settings.schedule())
        state = search.fresh(1)
        search.step(state, trials, np.zeros(1, np.uint8))
        return float(state.reals[0])

    assert [after(k, "geometric") for k in (0, 1, 2, 4, 6)] == [8, 8, 4, 2, 1]
    assert [after(k, "linear") for k in (0, 2, 4, 6)] == [8, 4, 0, 0]
    assert after(0, "logarithmic") == 8
    assert after(2, "logarithmic") == pytest.approx(8 / np.log(np.e + 1))


def test_giving_up_is_told_apart() -> None:
    found = tb.queens.anneal(500, runs=4, max_trials=50)
    assert (found.status, found.solutions, found.success, found.nodes) == ("open", 0, 0.0, 200)
    stalled = tb.queens.anneal(8, seed=2, t0=0.0, max_stall=3)
    assert stalled.status == "open"


def test_the_books_of_a_run_are_right() -> None:
    """The cost and the diagonals that a run keeps are those of its board, at every moment."""
    n = 40
    search = QueensAnneal((9,), n, Settings.for_side(n).schedule())
    state, stop = search.fresh(9), np.zeros(1, np.uint8)
    ended = False
    while not ended:
        _, ended = search.step(state, 7, stop)
        row, column = np.arange(n), state.columns
        rising, falling = np.bincount(row + column, minlength=2 * n), np.bincount(row - column + n, minlength=2 * n)
        assert (state.rising == rising).all()
        assert (state.falling == falling).all()
        assert state.numbers[COST] == np.maximum(rising - 1, 0).sum() + np.maximum(falling - 1, 0).sum()
        fighting = (rising[row + column] > 1) | (falling[row - column + n] > 1)
        assert state.pooled[fighting].all()
        for mates, number in ((state.rising_mates, row + column), (state.falling_mates, row - column + n)):
            known = np.zeros(2 * n, np.int64)
            np.bitwise_xor.at(known, number, row)
            assert (mates == known).all()
    assert fault(state.columns) is None


@pytest.mark.parametrize(("search", "stops"), [
    (QueensAnneal((3, 4), 1500, Settings.for_side(1500, t0=50.0, alpha=0.999, length=200).schedule()), 9),
    (QueensLocal((3, 4), 60_000), 5),
])  # fmt: skip
def test_a_stored_run_goes_on(search: Any, stops: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    whole = perform(search, HERE)
    for k in range(stops + 1):
        store, _ = jobs.begin("run", search, {"verb": "run"}, b"")
        result = run(search, store=store, node_limit=whole.nodes // stops)
        store.close()
        assert (result.fraction == 1.0) == (k == stops)
    assert result.nodes == whole.nodes
    for answer, other in zip(result.answers, whole.answers, strict=True):
        assert (from_answer(answer).columns == from_answer(other).columns).all()


def test_numbers_of_any_size_fit_into_an_answer() -> None:
    arrival = from_answer(to_answer(np.arange(3, dtype=np.int32), 12_345_678_901_234, 98_765.4321))
    assert (arrival.trials, round(arrival.seconds, 4)) == (12_345_678_901_234, 98765.4321)
    assert arrival.columns.tolist() == [0, 1, 2]


def test_a_trace_ends_at_cost_0() -> None:
    settings = Settings.for_side(50)
    points = trace_of(search_for(Queens(50), settings, 3, 1))
    assert points[0][0] == 0
    assert points[-1] == (run_once(settings, 3).trials, 0)
    assert [trial for trial, _ in points] == list(range(len(points)))
    assert len(trace_of(search_for(Queens(3000), Settings.for_side(3000), 1, 1))) <= 1002


def test_a_page_plays_the_run() -> None:
    search = search_for(Queens(20), Settings.for_side(20), 5, 1)
    played = record(search)
    columns, cost = list(played["board"]), played["cost"]
    for trial, i, j, after, _ in played["moves"]:
        columns[i], columns[j] = columns[j], columns[i]
        assert trial <= played["trials"]
        assert abs(after - cost) <= 4
        cost = after
    assert cost == 0
    assert columns == tb.queens.anneal(20, seed=5).to_list()[0]
    text = play_page(search, Settings.for_side(20))
    assert json.dumps(played["board"], separators=(",", ":")) in text
    assert "http" not in text.replace("http://www.w3.org", "")
    with pytest.raises(BadInput, match="expected at most 200"):
        play_page(search_for(Queens(201), Settings.for_side(201), 5, 1), Settings.for_side(201))


@pytest.mark.parametrize("n", [1, 4, 5, 6, 7, 8, 9, 10, 20, 333, 50_000])
def test_local_search_arrives(n: int) -> None:
    for seed in range(5):
        found = tb.queens.solve(n, method="local", seed=seed)
        assert found.status == "solved"
        assert found.board is not None
        assert found.board.fault is None


def test_a_million_queens() -> None:
    found = tb.queens.solve(1_000_000, method="local")
    assert found.status == "solved"
    assert found.nodes < 4_000_000


def test_the_grid_of_the_source() -> None:
    found = tb.queens.tune(20, grid=True, runs=2)
    assert len(found.tried) == 4 * 4 * 6
    rows = list(csv.DictReader(found.csv().splitlines()))
    assert len(rows) == 96
    assert float(rows[0]["trials"]) <= float(rows[-1]["trials"])


def test_optuna_tells_what_matters() -> None:
    pytest.importorskip("optuna")
    found = tb.queens.tune(30, tries=12, runs=3, seed=1)
    assert set(found.importance) == {"T0", "alpha", "L", "cooling"}
    assert sum(found.importance.values()) == pytest.approx(1)
    assert found.tried == tb.queens.tune(30, tries=12, runs=3, seed=1).tried or len(found.tried) == 12
    assert {one.cooling for one in found.tried} <= set(COOLINGS)


@pytest.mark.parametrize(("given", "says"), [
    ({"alpha": 1.2}, "alpha 1.2: expected a number above 0 and below 1"),
    ({"alpha": float("nan")}, "alpha nan: expected a number above 0"),
    ({"t0": -1.0}, "t0 -1.0: expected a number from 0"),
    ({"trials": 0}, "trials 0: expected a whole number from 1"),
    ({"cooling": "slow"}, "cooling slow: expected one of geometric, linear, logarithmic"),
    ({"swap": "none"}, "swap none: expected one of effective"),
])  # fmt: skip
def test_parameters_that_cannot_be(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        tb.queens.anneal(8, **given)


def test_searches_know_their_problem() -> None:
    one, other = (search_for(Queens(8), Settings.for_side(8, t0=t0), 1, 1) for t0 in (1.0, 2.0))
    assert one.digest() != other.digest()
    assert isinstance(one.fresh(1), State)
