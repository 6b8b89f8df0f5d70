"""Studies of edge matching: known values, and that each measures, concludes and draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from studies import edges_search, run, study
from studies.edges import critical_colours, simple_nodes
from studies.edges_encodings import sizes_with
from studies.edges_search import FRAMED, SINGLE, pools, puzzle_of
from studies.edges_time import gains, hardest
from studies.report import write_all
from studies.table import Table
from tablero.edges.encoding import encode
from tablero.edges.generating import generate


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


def measured(name: str, repetitions: int = 1, **levels: Sequence[int | str]) -> Table:
    """Some levels of a study."""
    one = study(name)
    with ThreadPoolExecutor(1) as executor:  # in this process, so that a test can patch limits
        table = run(replace(one, quick={**one.quick, **levels}), quick=True, repetitions=repetitions, executor=executor)
    assert table.rows
    assert not table.missing
    return table


def test_inner_pieces_exceed_the_contour_from_49_pieces_on() -> None:
    table = measured("edges-pieces")
    assert "from 49 pieces on" in table.study.conclude(table)[0]
    shares = {row["side"]: 100 * row["inner"] / row["pieces"] for row in table.rows}
    assert round(shares[6], 1) == 44.4
    assert round(shares[10], 1) == 64.0
    assert round(shares[16], 1) == 76.6


def test_the_space_of_eternity() -> None:
    table = measured("edges-space")
    assert any("10^661.06" in line and "10^559.94" in line for line in table.study.conclude(table))


@pytest.mark.parametrize("side", [3, 4, 5, 6, 7])
def test_both_generators_reach_from_the_fewest_colours_to_the_most(side: int) -> None:
    most = edges_search.most_colours(side)
    assert most == 1 + 2 * (side**2 - side)  # every join another colour, and the border
    for colours in range(3, most + 1):
        frame, inside = pools(side, colours)
        assert frame + inside == colours - 1
        assert 1 <= frame <= 4 * (side - 1)
        assert 1 <= inside <= 2 * (side - 1) * (side - 2)
    for generator in (SINGLE, FRAMED):
        for colours in (3, most):
            assert puzzle_of(side, colours, generator, 0).colours == colours


def test_the_hardest_numbers_of_colours() -> None:
    # Single pool: 2.4, 3.2, 4.2, 5.1 and 6.1 inside; the border is one more.
    assert [hardest(side, SINGLE) for side in (4, 5, 6, 7, 8)] == [3, 4, 5, 6, 7]
    assert hardest(8, FRAMED) == 1 + 3 + 8


def test_both_ends_of_the_colours_are_trivial_and_a_peak_is_between(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(edges_search, "_MOST_NODES", 1_000_000)
    table = measured("edges-difficulty", 3, side=(4, 5), colours=(2, 3, 4, 5, 6, 41))
    for (side, colours), rows in table.where(generator=SINGLE).by("side", "colours"):
        if colours in (2, 41):
            assert all(row["nodes"] <= 2 * side * side for row in rows.rows)
            assert all(10 ** row["foreseen"] < 3 * side * side for row in rows.rows)
    five = table.where(generator=SINGLE, side=5)
    colours, _ = edges_search.peak(five, "nodes")
    assert colours in (3, 4, 5)
    lines = table.study.conclude(table)
    assert "5×5" in lines[0]
    stopped = len(table.where(capped=True).rows)
    assert f"{stopped} of 60 runs {'was' if stopped == 1 else 'were'} stopped" in lines[-1]
    assert len(write_all(table, tmp_path / "out")) == 4


def test_runs_that_are_stopped_are_told_as_such(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(edges_search, "_MOST_NODES", 20)
    table = measured("edges-difficulty", 2, generator=(SINGLE,), side=(5,), colours=(4, 41))
    assert all(row["capped"] for row in table.where(colours=4).rows)
    lines = table.study.conclude(table)
    assert "2 of 2 stopped" in lines[0]
    assert "stopped after 20 nodes" in lines[-1]
    write_all(table, tmp_path / "out")


def test_times_and_methods_are_of_the_same_puzzles(tmp_path: Path) -> None:
    times = measured("edges-time", 1, side=(4,), colours=(3, 6, 25))
    assert times.levels("workers") == [1, 2]
    assert all(row["seconds"] > 0 and not row["capped"] for row in times.rows)
    assert "With 2 workers" in times.study.conclude(times)[1]
    methods = measured("edges-methods", 1, side=(4,))
    assert len(methods.rows) == 12
    assert not any(row["capped"] for row in methods.rows)
    assert "is fastest" in methods.study.conclude(methods)[0]
    for table in (times, methods):
        write_all(table, tmp_path / "out")


def test_one_worker_visits_the_same_nodes_every_time() -> None:
    one = study("edges-time")
    for colours in (2, 4, 5):
        cell = {"workers": 1, "side": 5, "colours": colours, "repetition": 1}
        first, again = (one.measure(cell, one.seed(cell)) for _ in range(2))
        assert [first[name] for name in ("nodes", "method", "capped")] == [
            again[name] for name in ("nodes", "method", "capped")
        ]


def timed(*rows: tuple[int, int, float, bool]) -> Table:
    """A table of edges-time: workers, repetition, seconds of work of each, and whether it was stopped."""
    return Table(
        study("edges-time"),
        tuple(
            {"workers": workers, "side": 8, "colours": 7, "repetition": k, "seconds": busy, "cpu_seconds": busy * workers,
             "nodes": 1, "method": "frame", "capped": capped}
            for workers, k, busy, capped in rows
        ),
    )  # fmt: skip


def test_what_more_workers_bring_is_told_of_puzzles_that_either_finds_hard() -> None:
    lucky = timed((1, 0, 0.05, False), (2, 0, 0.5, False), (1, 1, 0.5, False), (2, 1, 0.05, False))
    (low, same), (high, also) = gains(lucky, 2, "seconds")
    assert [low, same, high, also] == pytest.approx([0.1, 0.1, 10.0, 10.0])
    easy = timed((1, 0, 0.05, False), (2, 0, 0.02, False))
    assert gains(easy, 2, "seconds") == []
    stopped = timed(
        (1, 0, 9.0, True),
        (2, 0, 1.0, False),
        (1, 1, 1.0, False),
        (2, 1, 9.0, True),
        (1, 2, 9.0, True),
        (2, 2, 9.0, True),
    )
    assert gains(stopped, 2, "seconds") == [(0.0, pytest.approx(1 / 9)), (0.0, math.inf), (9.0, math.inf)]
    reported = "\n".join(stopped.study.conclude(stopped))
    assert "One worker takes 0.0 or more times the wall time of 2" in reported
    assert "3 of them were stopped with one or the other, 1 with both" in reported
    assert "8×8 at 7 colours more than 9 s (2 of 3 stopped), wall time more than 9 s" in reported
    assert "?" not in reported


def test_methods_that_were_not_measured_are_not_judged() -> None:
    rows = [
        {"generator": FRAMED, "side": side, "method": method, "repetition": k, "colours": 12, "nodes": 1, "seconds": 3.0,
         "capped": side == 8}
        for side, methods in ((7, ("scan", "xcc")), (8, ("scan",)))
        for method in methods
        for k in range(2)
    ]  # fmt: skip
    table = Table(study("edges-methods"), tuple(rows))
    line = table.study.conclude(table)[-1]
    assert "most runs of every method that was measured were stopped; stopped: scan 2 of 2" in line
    assert line.endswith("not measured yet: xcc 2 of 2.")


def test_theory_is_compared_region_by_region() -> None:
    rows = [
        {"generator": SINGLE, "side": 5, "colours": colours, "repetition": 0, "nodes": nodes, "foreseen": power,
         "capped": capped}
        for colours, nodes, power, capped in ((2, 25, 1.4, False), (4, 10**6, 2.0, True), (5, 1000, 4.0, False),
                                              (41, 25, 1.4, False))
    ]  # fmt: skip
    table = Table(study("edges-difficulty"), tuple(rows))
    regions = edges_search.by_region(table)
    for words, error, capped in ((edges_search.BELOW, 4.0, True), (edges_search.ABOUT, -1.0, False)):
        assert regions[words][0] == pytest.approx([error])
        assert regions[words][1] == [capped]
    assert len(regions[edges_search.BEYOND][0]) == 2
    lines = "\n".join(table.study.conclude(table))
    assert "median more than 10^4.00" in lines
    assert "to more than 10^4.00, of 1 run, 1 of which was stopped" in lines


def test_the_simple_count_of_nodes() -> None:
    # The reference's own figure for 8×8 with six colours from one pool.
    assert simple_nodes(8, 6) == pytest.approx(15.0, abs=0.05)
    # 2×2: a corner of four, then three, two and one, each join one in c.
    assert 10 ** simple_nodes(2, 3) == pytest.approx(4 + 12 / 3 + 24 / 9 + 24 / 81)


def test_table_7_4() -> None:
    table = measured("edges-encodings", side=(4, 16), colours=(5, 23), encoding=("1", "2"), saving=("none", "turns"))
    known = {
        ("1", 4, 5): (336, 1_024, 21),
        ("1", 16, 5): (5_376, 262_144, 21),
        ("1", 4, 23): (1_488, 1_024, 93),
        ("1", 16, 23): (23_808, 262_144, 93),
        ("2", 4, 5): (272, 1_024, 17),
        ("2", 16, 5): (4_352, 262_144, 17),
        ("2", 4, 23): (400, 1_024, 25),
        ("2", 16, 23): (6_400, 262_144, 25),
    }
    for row in table.where(saving="none").rows:
        columns, rows, ones = known[row["encoding"], row["side"], row["colours"]]
        assert (row["most_columns"], row["most_rows"], row["most_ones_a_row"]) == (columns, rows, ones)
        assert (row["columns"], row["rows"]) == (columns, rows)
        assert row["ones"] <= rows * ones
    assert "23,808 columns of the first encoding, 6,400 of the second" in "\n".join(table.study.conclude(table))


@pytest.mark.parametrize(("side", "colours"), [(3, 1), (4, 4), (5, 2), (4, 22)])
@pytest.mark.parametrize("encoding", ["1", "2", "xcc"])
def test_sizes_that_are_counted_are_those_of_what_is_made(side: int, colours: int, encoding: str) -> None:
    puzzle = generate(side, colours=colours, seed=1)
    for joins in (False, True):
        cover = encode(puzzle, encoding, savings=joins).cover
        made = (len(cover.items), len(cover), len(cover.table.item))
        assert sizes_with(puzzle, encoding, border=True, joins=joins, turns=True) == made


def test_every_saving_saves(tmp_path: Path) -> None:
    table = measured("edges-encodings", side=(4,), colours=(3, 23))
    for _, rows in table.by("colours", "encoding"):
        ones = {row["saving"]: row["ones"] for row in rows.rows}
        assert ones["all"] <= min(ones.values())
        assert max(ones.values()) == ones["none"]
    assert "of the ones are left" in "\n".join(table.study.conclude(table))
    write_all(table, tmp_path / "out")


def test_critical_colours_are_the_published_ones() -> None:
    known = {4: 2.4, 5: 3.2, 6: 4.2, 7: 5.1, 8: 6.1, 10: 8.1, 16: 14.6}
    assert {n: critical_colours(n) for n in known} == pytest.approx(known, abs=0.06)
    framed = {6: 3.8, 8: 6.5, 10: 9.2, 16: 17.1}
    assert {n: critical_colours(n, 5) for n in framed} == pytest.approx(framed, abs=0.06)
