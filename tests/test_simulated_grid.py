"""The real coordinator and the real store over simulated workers: whatever happens to them, the totals are exact."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench.grid_simulation import Reckoned, Weather, simulate
from tablero.runs.leases import Lease, UnitSizing
from tablero.search.base import Outcome
from tablero.search.cursor import Cursor

# The CPU time of the coordinator is left out of the clock, so that all of it is the same on every machine.
CALM = Weather(charge=0.0)
STORM = Weather(charge=0.0, deaths=0.2, freezes=0.2, frozen=15.0, passing=0.002)


def test_the_tree_is_of_its_size_however_it_is_walked() -> None:
    search = Reckoned(10_000, seed=3)
    whole = search.walk(Cursor().store(), 10**9)
    assert (whole.nodes, whole.found, whole.rest) == (10_000, 10_000 * 9_999 // 2, None)
    nodes = found = 0
    states = [Cursor().store()]
    while states:
        outcome = search.walk(states.pop(), 700)
        nodes, found = nodes + outcome.nodes, found + outcome.found
        states += search.divide(outcome.rest, 3) if outcome.rest is not None else []
    assert (nodes, found) == (whole.nodes, whole.found)


@pytest.mark.parametrize("workers", [1, 10])
def test_a_calm_grid_is_busy(workers: int, tmp_path: Path) -> None:
    report = simulate(tmp_path / "calm.job", workers, 60, CALM)
    assert report.exact
    assert report.tally.busy / report.tally.life > 0.85, "of a minute, beginning and end included"
    assert report.store < 100_000
    assert report.tally.deaths == report.tally.freezes == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_totals_are_exact_though_workers_die_and_freeze(seed: int) -> None:
    report = simulate(None, 20, 60, STORM, seed)
    assert report.exact, "what came late was counted twice, or what was lost is missing"
    assert report.tally.deaths > 3
    assert report.tally.freezes > 3
    assert report.tally.busy / report.tally.life > 0.6


def test_a_limit_does_not_wait_for_frozen_workers() -> None:
    weather = Weather(charge=0.0, freezes=5.0, frozen=1e6)
    report = simulate(None, 20, 600, weather, time_limit=30)
    assert report.tally.freezes > 50
    assert not report.exact
    assert 30 <= report.seconds < 40


@pytest.mark.parametrize(("works", "bundle"), [(0.001, 32), (0.5, 5), (5.0, 1)])
def test_units_that_end_too_soon_go_together(works: float, bundle: int) -> None:
    engine: Any = SimpleNamespace(slots=10, patience=5.0)
    pace = UnitSizing(engine, 0.0)
    assert pace.bundle(1000) == 1, "nothing is known yet"
    outcome = Outcome(1, 0, Outcome.empty(1), None, works)
    pace.learn(1.0, Lease([], 0.0, 5.0, 5.0), [outcome])
    assert pace.bundle(1000) == bundle
    assert pace.bundle(15) == 1, "others shall have work too"
