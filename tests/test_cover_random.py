"""Covers by chance: estimates that hold what they promise, and covers drawn each as likely as any other."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablero as tb
from tablero.cli import run
from tablero.cover import estimate, sample
from tablero.cover.generating import langford
from tablero.cover.puzzle import ExactCover
from tablero.cover.sampling import Mean, Ranks
from tablero.errors import BadInput
from tablero.runs.run import Here
from tests.test_cover_trace import brute, random_problem

_OPTIONS: list[dict[Hashable, Hashable]] = [
    {k: None, "x": hue} for k in "abcd" for hue in ("red", "blue", "green")[: "bcda".index(k) + 1]
]
COLOURED = ExactCover(
    [*_OPTIONS, {"a": None, "b": None}, {"c": None}],
    primary=list("abcd"),
    secondary=["x"],
)


# Estimates


@pytest.mark.parametrize(
    "problem",
    [tb.cover.generate("langford", 8), tb.cover.generate("dominoes", "4x6"), tb.cover.generate("queens", 7), COLOURED],
    ids=["langford", "dominoes", "queens", "coloured"],
)
def test_dives_estimate_covers_and_nodes(problem: ExactCover) -> None:
    known = problem.solve(None)
    found = estimate(problem, 20_000, seed=1)
    assert found.covers.error > 0
    assert abs(found.covers.value - known.solutions) < 4 * found.covers.error
    assert abs(found.nodes.value - known.nodes) < 4 * found.nodes.error
    assert found.nodes.error < 0.1 * known.nodes
    assert not found.misleading
    assert estimate(problem, 20_000, seed=1) == found


def test_errors_are_as_large_as_they_say() -> None:
    """Of 200 estimates about as many lie within one error, two and three as the normal law says."""
    problem, known = tb.cover.generate("langford", 7), 52
    far = Counter[int]()
    for seed in range(200):
        found = estimate(problem, 500, seed=seed).covers
        far[min(3, int(abs(found.value - known) / found.error))] += 1
    assert 115 <= far[0] <= 158  # 137 expected
    assert far[3] <= 4


def test_dives_end_with_their_time_and_tell_how_many_were_made() -> None:
    problem = langford(7)
    short = estimate(problem, 100_000, seed=1, run=Here(time_limit=1e-9))
    assert 0 < short.dives < 100_000
    assert short == estimate(problem, short.dives, seed=1)


def test_weights_are_those_of_the_tree() -> None:
    """A problem whose dives all have the same weights: the estimate is exact."""
    pairs = ExactCover([[k, j] for k in range(6) for j in range(6, 12)], primary=range(12))
    found = estimate(pairs, 50)
    assert found.covers.value == pytest.approx(math.factorial(6))
    assert found.covers.log10_error < -5
    assert found.nodes.value == pytest.approx(sum(math.factorial(6) / math.factorial(6 - k) for k in range(7)))


def test_problems_without_covers_and_large_numbers() -> None:
    none = estimate(tb.cover.generate("langford", 5), 100)
    assert (none.met, none.covers.value, none.misleading) == (0, 0.0, True)
    many = ExactCover(
        [[k, (k, j)] for k in range(400) for j in range(50)],
        primary=range(400),
        secondary=[(k, j) for k in range(400) for j in range(50)],
    )
    huge = estimate(many, 5)
    assert huge.covers.log10 == pytest.approx(400 * math.log10(50))
    assert "10^679.59" in str(huge.covers)
    assert (Mean.of(np.zeros(3)).value, Mean.of(np.zeros(3)).error) == (1.0, 0.0)
    with pytest.raises(BadInput, match="dives 0: expected a whole number from 1 to"):
        estimate(many, 0)


def test_one_dive_has_no_standard_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    one = estimate(langford(4), 1)
    assert math.isnan(one.nodes.error)
    assert "±" not in str(one.nodes)
    file = tmp_path / "p.dlx"
    file.write_text(tb.cover.write(langford(4)))
    assert run(["cover", "estimate", str(file), "--dives", "1"]) == 0
    out, err = capfd.readouterr()
    assert "±" not in out
    assert "one dive has no standard error" in err
    assert "1 dive, of which" in err
    assert run(["cover", "estimate", str(file), "--dives", "1", "--json"]) == 0
    values = json.loads(capfd.readouterr().out)
    assert values["nodes_error"] is None
    assert values["nodes"] > 0


def test_an_item_without_options_is_a_proof(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.dlx"
    file.write_text("a b\na\n")
    assert run(["cover", "estimate", str(file)]) == 1
    out, err = capfd.readouterr()
    assert out == "covers: 0\nnodes: 1 ± 0\n"
    assert "there is no cover, for an item has no option (proved)" in err
    assert "make more" not in err
    assert run(["cover", "estimate", str(file), "--json"]) == 1
    values = json.loads(capfd.readouterr().out)
    assert (values["status"], values["covers"], values["misleading"]) == ("none", 0.0, False)
    assert not estimate(tb.cover.generate("langford", 5), 100).proved  # none either, but dives cannot know it


# Samples


def square(counts: Counter[object], number: int, covers: int) -> float:
    """χ² of counts against equal chances."""
    expected = number / covers
    return sum((n - expected) ** 2 / expected for n in counts.values()) + (covers - len(counts)) * expected


def bound(freedom: int) -> float:
    """What χ² exceeds once in about ten thousand times (Wilson and Hilferty)."""
    return freedom * (1 - 2 / (9 * freedom) + 3.72 * math.sqrt(2 / (9 * freedom))) ** 3


@pytest.mark.parametrize(
    "problem",
    [
        tb.cover.generate("langford", 7),
        tb.cover.generate("dominoes", "4x4"),
        tb.cover.generate("one-factorisations", 6),
        COLOURED,
        ExactCover([[1, 4, 7], [1, 4], [4, 5, 7], [3, 5, 6], [2, 3, 6, 7], [2, 7]]),
    ],
    ids=["langford", "dominoes", "factors", "coloured", "source"],
)
@pytest.mark.parametrize("kernel", ["bits", "memo", "frontier", "sparse"])
def test_every_cover_is_as_likely_as_any_other(problem: ExactCover, kernel: Any) -> None:
    if kernel in ("memo", "frontier") and problem.colours:
        with pytest.raises(BadInput, match="know no colours"):
            sample(problem, kernel=kernel)
        return
    everything = {frozenset(chosen) for chosen in problem.solve(None).chosen}
    number = 40 * len(everything)
    found = sample(problem, number, seed=5, kernel=kernel)
    assert found.total == len(everything)
    counts = Counter[object](frozenset(chosen) for chosen in found.chosen)
    assert set(counts) <= everything
    assert len(everything) == 1 or square(counts, number, len(everything)) < bound(len(everything) - 1)


def test_ranks_go_through_all_covers_in_order() -> None:
    for seed in range(40):
        problem = random_problem(seed)
        ranks = Ranks(problem)
        covers = [ranks.cover(rank) for rank in range(ranks.total)]
        assert {frozenset(cover) for cover in covers} == brute(problem)
        assert len(covers) == len(brute(problem))
        with pytest.raises(IndexError):
            ranks.cover(ranks.total)


def test_a_large_count_is_sampled_and_seeds_repeat() -> None:
    problem = tb.cover.generate("dominoes", "8x8")
    found = sample(problem, 20, seed=1)
    assert found.total == 12_988_816
    assert len({tuple(sorted(cover)) for cover in found.chosen}) == 20
    assert sample(problem, 20, seed=1).chosen == found.chosen
    assert sample(problem, 20, seed=2).chosen != found.chosen


def test_refusals_and_limits() -> None:
    problem = tb.cover.generate("langford", 7)
    with pytest.raises(BadInput, match="number 0: expected a whole number from 1 to"):
        sample(problem, 0)
    with pytest.raises(BadInput, match="seed -1: expected a whole number from 0"):
        sample(problem, 1, seed=-1)
    with pytest.raises(BadInput, match="no limit on nodes: expected a number of dives"):
        estimate(problem, 5, run=Here(node_limit=10))
    for limited in (Here(time_limit=1e-9), Here(node_limit=10)):
        late = sample(tb.cover.generate("pentominoes", "6x10"), run=limited)
        assert late.to_dict() == {"status": "open", "solutions": 0, "answers": []}
        assert "before all covers are counted" in "".join(late.remarks())
    assert sample(tb.cover.generate("langford", 5)).chosen == []


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for n in (5, 7):
        assert run(["cover", "make", "langford", str(n), "-o", f"l{n}.dlx"]) == 0
    capfd.readouterr()
    assert run(["cover", "estimate", "l7.dlx", "--dives", "2000", "--json", "-q"]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert abs(reported["covers"] - 52) < 5 * reported["covers_error"]
    assert (reported["dives"], reported["misleading"]) == (2000, False)
    assert run(["cover", "estimate", "l5.dlx", "--dives", "20", "--json", "-q"]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert (reported["covers"], reported["log10_covers"], reported["met"]) == (0.0, None, 0)
    assert run(["cover", "estimate", "l7.dlx", "--dives", "0"]) == 2
    assert run(["cover", "sample", "l7.dlx", "-n", "3", "--seed", "4", "--json", "-q"]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert (reported["status"], reported["solutions"], reported["total"], len(reported["answers"])) == (
        "solved",
        3,
        52,
        3,
    )
    assert run(["cover", "sample", "l5.dlx", "-q"]) == 1
    assert run(["cover", "sample", "l7.dlx", "-n", "2", "-q"]) == 0
    assert capfd.readouterr().out.startswith("cover 1\n")
