"""Portfolios of local searches: the same coordinator, the same books."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.runs import jobs
from tablero.runs.coordinator import run
from tablero.runs.engines import Threads, Time
from tablero.search.base import Answers, Flag
from tablero.search.portfolio import Portfolio, pack


class Walk(NamedTuple):
    """Where a random walk stands, and its random state."""

    place: NDArray[np.int64]
    state: NDArray[np.uint64]


@dataclass
class Drunkard(Portfolio):
    """A walk on the integers that ends at ±goal: +goal is an answer, −goal is giving up."""

    goal: int = 0
    name: str = field(init=False, default="test.drunkard/1")

    @property
    def width(self) -> int:
        return 1

    def digest(self) -> str:
        return hashlib.sha256(f"{self.seeds} {self.goal}".encode()).hexdigest()

    def fresh(self, seed: int) -> Walk:
        return Walk(np.zeros(2, np.int64), np.array([seed * 2654435761 + 1], np.uint64))

    def step(self, arrays: tuple[object, ...], budget: int, stop: Flag) -> tuple[int, bool]:
        walk = Walk(*arrays)  # type: ignore[arg-type]
        made, value = 0, int(walk.state[0])
        while made < budget and abs(walk.place[0]) < self.goal:
            value = (value * 6364136223846793005 + 1442695040888963407) % 2**64
            walk.place[0] += 1 if value >> 63 else -1
            made += 1
        walk.state[0] = value
        return made, bool(abs(walk.place[0]) >= self.goal)

    def fault(self, arrays: tuple[object, ...], scratch: tuple[object, ...]) -> str | None:
        place = Walk(*arrays).place  # type: ignore[arg-type]
        return None if abs(place[0]) <= self.goal else f"it stands at {place[0]}"

    def answer(self, arrays: tuple[object, ...]) -> Answers | None:
        place = Walk(*arrays).place  # type: ignore[arg-type]
        return np.array([place[0]], np.int32) if place[0] > 0 else None


def test_all_seeds_run_and_not_arriving_proves_nothing() -> None:
    search = Drunkard(tuple(range(20)), goal=30)
    whole = run(search)
    assert whole.status == "complete"
    assert 0 < whole.solutions < 20
    assert whole.fraction == 1.0
    engine = Threads(4)
    again = run(search, engine=engine)
    engine.close()
    assert (again.nodes, again.answers.tolist()) == (whole.nodes, whole.answers.tolist())
    losers = [seed for seed in range(20) if run(Drunkard((seed,), goal=30)).solutions == 0]
    assert len(losers) == 20 - whole.solutions
    assert run(Drunkard(tuple(losers), goal=30)).status == "open"


def test_the_first_to_arrive_stops_the_others() -> None:
    search = Drunkard(tuple(range(20)), goal=30)
    first = run(search, most=1)
    assert (first.status, len(first.answers)) == ("solved", 1)
    assert first.nodes < run(search).nodes


def test_a_stored_walk_goes_on_as_if_never_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    search = Drunkard((3, 4), goal=700)
    whole = run(search)
    stops = 0
    while True:
        store, _ = jobs.begin("walk", search, {"verb": "walk"}, b"")
        result = run(search, store=store, node_limit=2_000)
        store.close()
        if result.fraction == 1.0:
            break
        stops += 1
    assert stops == (whole.nodes - 1) // 2_000
    assert (result.nodes, result.answers.tolist()) == (whole.nodes, whole.answers.tolist())


def test_a_damaged_state_is_refused() -> None:
    search = Drunkard((3,), goal=30)
    from tablero.search.base import UNBOUNDED, Orders

    seed = (3).to_bytes(8, "little")
    beyond = pack((np.array([31, 0]), np.ones(1, np.uint64)))
    for state in (bytes(8), seed + b"rubbish", seed + beyond):
        with pytest.raises(BadInput, match="damaged"):
            search.advance(state, Orders(1.0), np.zeros(1, np.uint8), np.full(1, UNBOUNDED))


class Slow(Time):
    """A clock of a coordinator to whom every look at it costs a second of a processor."""

    def __init__(self) -> None:
        self.looks = 0

    def used(self) -> float:
        self.looks += 1
        return float(self.looks)


def test_what_the_coordinator_uses_is_told_too() -> None:
    clock = Slow()
    found = run(Drunkard(tuple(range(1, 40)), goal=3), engine=Threads(1), time=clock)
    assert clock.looks > 2
    assert found.cpu_seconds > clock.looks - 1
